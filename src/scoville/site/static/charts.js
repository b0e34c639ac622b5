// Brings the static chart pictures to life: each chart is drawn when it comes near the viewport, in the page's
// theme, with the one Vega bundle of the book. If anything fails, the static picture stays.
(() => {
  "use strict";
  const page = document.documentElement;
  const folder = new URL(".", document.currentScript.src).href;

  let bundle;
  function loadBundle() {
    bundle ??= new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = folder + "vega-bundle.js";
      script.onload = () => resolve(window.vegaEmbed);
      script.onerror = () => reject(new Error("vega-bundle.js could not be loaded"));
      document.head.append(script);
    });
    return bundle;
  }

  function theme() {
    return window.scovilleThemes[page.dataset.theme === "dark" ? "dark" : "light"];
  }

  // What a reader typed is kept when the chart is drawn again in the other theme.
  const views = new WeakMap();
  function keepInputs(frame, spec) {
    const view = views.get(frame);
    for (const param of spec.params ?? []) if (view && param.bind) param.value = view.signal(param.name);
  }

  // What the layers named "told" say, as text: the first line, and under it a list of the others.
  function tell(told, [head, ...others]) {
    const text = [head, ...others].join("\n");
    if (told.dataset.text === text) return;
    told.dataset.text = text;
    const list = document.createElement("ul");
    for (const other of others) list.append(Object.assign(document.createElement("li"), { textContent: other }));
    told.replaceChildren(head ?? "", ...(others.length ? [list] : []));
  }

  // Names at the ends of lines that would lie on each other are moved down.
  function keepNamesApart(picture) {
    const names = [...picture.querySelectorAll("[class*=names_] text")];
    for (const name of names) name.style.translate = "";
    const placed = [];
    const boxes = names.map((name) => [name, name.getBoundingClientRect()]).filter(([, box]) => box.width);
    for (const [name, { left, right, top, bottom }] of boxes.sort(([, a], [, b]) => a.top - b.top)) {
      const meets = (by) =>
        placed.find((p) => left < p.right && p.left < right && top + by < p.bottom && p.top < bottom + by);
      let by = 0;
      for (let other = meets(by); other; other = meets(by)) by = other.bottom - top;
      placed.push({ left, right, top: top + by, bottom: bottom + by });
      if (by) name.style.translate = `0 ${by}px`;
    }
  }

  // A chart with inputs: Enter does not leave the page, the first state can be had back, and what the parameter
  // `told`, or else the layers of that name, say is text under the inputs, read out when it changes.
  function furnish(stage, view, params, firsts) {
    const picture = stage.querySelector("svg.marks");
    const form = stage.querySelector("form.vega-bindings");
    const bound = params.filter((param) => param.bind);
    const told = document.createElement("output");
    told.className = "chart-told";
    const drawn = picture.querySelector("[class*=told_]") !== null;
    const refresh = () => {
      keepNamesApart(picture);
      if (drawn) tell(told, [...picture.querySelectorAll("[class*=told_] text")].map((text) => text.textContent));
    };
    refresh();
    new MutationObserver(refresh).observe(picture, {
      attributeFilter: ["transform"],
      characterData: true,
      childList: true,
      subtree: true,
    });
    if (!form || !bound.length) return;
    form.addEventListener("submit", (event) => event.preventDefault());
    if (params.some((param) => param.name === "told")) {
      tell(told, [view.signal("told")]);
      view.addSignalListener("told", (_name, value) => tell(told, [value]));
    } else if (!drawn) return;
    const reset = document.createElement("button");
    reset.type = "button";
    reset.textContent = "Back to first values";
    reset.addEventListener("click", () => {
      for (const param of bound) view.signal(param.name, firsts.get(param.name));
      view.runAsync();
    });
    form.append(reset);
    form.after(told);
  }

  // One picture with a description, as without this script; what it is drawn from stands in the table beneath. Vega's
  // own labels would have every mark read out, and leave whole layers unnamed.
  function describe(stage, description) {
    for (const name of ["role", "aria-roledescription", "aria-label"]) {
      stage.querySelector(".chart-wrapper").removeAttribute(name);
    }
    const picture = stage.querySelector("svg.marks");
    picture.setAttribute("role", "img");
    picture.setAttribute("aria-label", description);
    picture.firstElementChild.setAttribute("aria-hidden", "true");
  }

  // Vega makes the file when a mouse button goes down on its link; by keyboard nothing goes down.
  function saveByKeyboard(stage, view) {
    stage.querySelector("summary").setAttribute("aria-label", "Save this chart as a picture");
    stage.prepend(stage.querySelector("details")); // it is seen at the top, and reached there
    for (const link of stage.querySelectorAll(".vega-actions a")) {
      link.addEventListener("click", async (event) => {
        if (event.detail) return;
        event.preventDefault();
        const file = document.createElement("a");
        file.download = link.download;
        file.href = await view.toImageURL(link.download.split(".").pop());
        file.click();
      });
    }
  }

  // Vega measures at the window's event, before the page has found its new layout; this comes after it.
  const fitted = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      const view = views.get(target.closest(".chart-frame"));
      if (view && target.clientWidth && view.signal("width") !== target.clientWidth) {
        view.signal("width", target.clientWidth).runAsync();
      }
    }
  });

  async function draw(frame) {
    const spec = JSON.parse(frame.querySelector(".chart-spec").textContent);
    const stage = frame.querySelector(".chart-live") ?? document.createElement("div");
    stage.className = "chart-live";
    const firsts = new Map((spec.params ?? []).map((param) => [param.name, param.value]));
    keepInputs(frame, spec);
    frame.append(stage);
    try {
      const embed = await loadBundle();
      const { view } = await embed(stage, spec, {
        actions: { export: true, source: false, compiled: false, editor: false },
        config: theme(),
        loader: { target: "_blank", rel: "noopener" }, // what a click on a mark opens
        padding: { left: 5, right: 26, top: 5, bottom: 5 }, // room for names at the ends of lines
        renderer: "svg",
        tooltip: { theme: page.dataset.theme === "dark" ? "dark" : "light" },
      });
      views.set(frame, view);
      fitted.observe(stage);
      furnish(stage, view, spec.params ?? [], firsts);
      describe(stage, spec.description);
      saveByKeyboard(stage, view);
      frame.classList.add("is-live");
    } catch (error) {
      console.error(error);
      stage.remove();
    }
  }

  const frames = [...document.querySelectorAll(".chart-frame")];
  const near = new IntersectionObserver(
    (entries) => entries.filter((entry) => entry.isIntersecting).forEach((entry) => arrive(entry.target)),
    { rootMargin: "400px" },
  );
  const arrived = new WeakSet();
  function arrive(frame) {
    if (arrived.has(frame)) return;
    arrived.add(frame);
    near.unobserve(frame);
    draw(frame);
  }
  for (const frame of frames) near.observe(frame);

  // Who goes through the page by Tab would pass inputs that are not drawn yet.
  document.addEventListener("keydown", function byTab(event) {
    if (event.key !== "Tab") return;
    document.removeEventListener("keydown", byTab);
    frames.filter((frame) => frame.querySelector(".chart-spec").textContent.includes('"bind":')).forEach(arrive);
  });

  new MutationObserver(() => frames.filter((f) => f.classList.contains("is-live")).forEach(draw)).observe(page, {
    attributeFilter: ["data-theme"],
  });
})();
