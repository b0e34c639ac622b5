// The search page: looks for what the address asks in every section of the book. What it looks through is a script,
// because a page that was opened from a disk may not fetch.
(() => {
  "use strict";
  const SHOWN = 40;
  const BEFORE = 60; // characters
  const AROUND = 240;

  // "53.7×" holds the number 53.7, "8K/1K" two words.
  const tokens = (text) => [...text.matchAll(/[\p{L}\p{N}]+(?:[.,]\p{N}+)*/gu)];
  const SMALL = new Set("a an and are as at be by do does for how in is it of on or that the to was were what with x".split(" "));
  // 85448 finds 85,448, and Jalapeno finds Jalapeño; words that are in every text tell no places apart.
  const plain = (word) => {
    const found = word.normalize("NFD").replace(/[\p{M},]/gu, "").toLowerCase();
    return SMALL.has(found) ? null : found;
  };

  function indexed(sections) {
    const index = new window.MiniSearch({
      fields: ["title", "heading", "text"],
      tokenize: (text) => tokens(text).map((found) => found[0]),
      processTerm: plain,
      searchOptions: {
        boost: { heading: 3, title: 2 },
        prefix: (term) => term.length > 2,
        fuzzy: (term) => (/^\p{L}{5,}$/u.test(term) ? 0.2 : false),
      },
    });
    // the head of a page is found by the page's name before its sections are
    index.addAll(sections.map((s, id) => ({ id, ...s, heading: s.anchor ? s.heading : s.title })));
    return index;
  }

  // The stretch of the text that holds most of the words, as nodes with the words marked.
  function excerpt(text, words) {
    const found = tokens(text).filter((token) => words.has(plain(token[0])));
    const held = (start) =>
      new Set(
        found.filter((t) => t.index >= start && t.index < start + AROUND - BEFORE).map((t) => plain(t[0])),
      ).size;
    const first = found.reduce((best, t) => (best && held(best.index) >= held(t.index) ? best : t), null);
    const about = Math.max((first?.index ?? 0) - BEFORE, 0);
    const start = about && text.indexOf(" ", about) + 1;
    const cut = text.length > start + AROUND;
    const end = cut ? Math.max(text.lastIndexOf(" ", start + AROUND), start) : text.length;
    const nodes = [start ? "… " : ""];
    let at = start;
    for (const token of found.filter((t) => t.index >= start && t.index + t[0].length <= end)) {
      const mark = document.createElement("mark");
      mark.textContent = token[0];
      nodes.push(text.slice(at, token.index), mark);
      at = token.index + token[0].length;
    }
    nodes.push(text.slice(at, end), cut ? " …" : "");
    return nodes;
  }

  function entry(section, words) {
    const item = document.createElement("li");
    const link = document.createElement("a");
    link.href = section.page + (section.anchor && `#${encodeURIComponent(section.anchor)}`);
    link.textContent = [section.title, section.heading].filter(Boolean).join(" › ");
    const context = document.createElement("p");
    context.append(...excerpt(section.text, words));
    item.append(link, context);
    return item;
  }

  function search(asked, sections) {
    const index = indexed(sections);
    const all = index.search(asked, { combineWith: "AND" });
    const found = all.length ? all : index.search(asked, { combineWith: "OR" });
    const status = document.createElement("p");
    status.setAttribute("role", "status");
    const list = document.createElement("ol");
    list.className = "search-found";
    document.getElementById("search-results").append(status, list);
    for (const result of found.slice(0, SHOWN)) list.append(entry(sections[result.id], new Set(result.terms)));
    const places = `${found.length} place${found.length === 1 ? "" : "s"}`;
    const common = tokens(asked).every((token) => !plain(token[0]));
    status.textContent = !found.length
      ? common
        ? `“${asked}” tells no places apart; another word is needed.`
        : `Nothing in this book has “${asked}”.`
      : (all.length ? `${places} with “${asked}”` : `No place has all of “${asked}”; ${places} with a part of it`) +
        (found.length > SHOWN ? `; the best ${SHOWN} are shown.` : ".");
  }

  const asked = new URLSearchParams(window.location.search).get("q")?.trim();
  if (!asked) {
    const hint = document.createElement("p");
    hint.setAttribute("role", "status");
    hint.textContent = "Words and numbers are looked for in every section, in the glossary and in the ledger.";
    document.getElementById("search-results").append(hint);
    return;
  }
  for (const field of document.querySelectorAll('input[name="q"]')) field.value = asked;
  const names = ["page", "anchor", "title", "heading", "text"];
  search(
    asked,
    window.scovilleSections.map((values) => Object.fromEntries(names.map((name, i) => [name, values[i]]))),
  );
})();
