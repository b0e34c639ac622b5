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

  async function draw(frame) {
    const spec = JSON.parse(frame.querySelector(".chart-spec").textContent);
    const stage = frame.querySelector(".chart-live") ?? document.createElement("div");
    stage.className = "chart-live";
    frame.append(stage);
    try {
      const embed = await loadBundle();
      await embed(stage, spec, {
        actions: { export: true, source: false, compiled: false, editor: false },
        config: theme(),
        renderer: "svg",
        tooltip: { theme: page.dataset.theme === "dark" ? "dark" : "light" },
      });
      stage.querySelector("summary")?.setAttribute("aria-label", "Save this chart as a picture");
      frame.classList.add("is-live");
    } catch (error) {
      console.error(error);
      stage.remove();
    }
  }

  const frames = [...document.querySelectorAll(".chart-frame")];
  const near = new IntersectionObserver(
    (entries) => {
      for (const entry of entries.filter((e) => e.isIntersecting)) {
        near.unobserve(entry.target);
        draw(entry.target);
      }
    },
    { rootMargin: "400px" },
  );
  for (const frame of frames) near.observe(frame);

  new MutationObserver(() => frames.filter((f) => f.classList.contains("is-live")).forEach(draw)).observe(page, {
    attributeFilter: ["data-theme"],
  });
})();
