// Long tables can be sorted by a click on a heading: once up, twice down, the third time as they were. Cells without a
// value stay last. Without this script the tables are as they were made.
(() => {
  "use strict";
  const LONG = 6;
  const ORDERS = [null, "ascending", "descending"];

  const TIMES = { k: 1e3, M: 1e6, B: 1e9, T: 1e12 };
  const LEVELS = ["low", "medium", "high"];

  // The first number of a cell, or its text; a smaller line below the value does not count.
  function valueOf(cell, numeric) {
    const copy = cell.cloneNode(true);
    copy.querySelectorAll(".detail").forEach((detail) => detail.remove());
    const text = copy.textContent.trim();
    const plain = text.replace(/(\d),(?=\d{3})/g, "$1").replace("−", "-");
    if (!numeric) {
      if (LEVELS.includes(text)) return String(LEVELS.indexOf(text));
      return text && text !== "–" ? plain.toLowerCase() : null;
    }
    const found = plain.match(/(-?\d+(?:\.\d+)?)\s?([kMBT](?![A-Z]|iB))?/);
    return found ? Number(found[1]) * (TIMES[found[2]] ?? 1) : null;
  }

  function compared(a, b) {
    return typeof a === "number" ? a - b : a.localeCompare(b, "en", { numeric: true });
  }

  function sortable(table) {
    const body = table.tBodies[0];
    const rows = [...body.rows];
    if (rows.length < LONG) return;
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, index) => {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "sort";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const next = ORDERS[(ORDERS.indexOf(head.getAttribute("aria-sort")) + 1) % ORDERS.length];
        heads.forEach((other) => other.removeAttribute("aria-sort"));
        if (next) head.setAttribute("aria-sort", next);
        const numeric = head.classList.contains("n");
        const keyed = rows.map((row) => [valueOf(row.cells[index], numeric), row]);
        const known = keyed.filter(([value]) => value !== null);
        const blank = keyed.filter(([value]) => value === null);
        if (next) known.sort(([a], [b]) => (next === "ascending" ? compared(a, b) : compared(b, a)));
        body.append(...(next ? [...known, ...blank].map(([, row]) => row) : rows));
      });
    });
  }

  document.querySelectorAll("table.data").forEach(sortable);
})();
