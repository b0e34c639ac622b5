// What a keyboard needs on every page and neither the theme nor a table has without scripts.
(() => {
  "use strict";
  // The theme takes the focus off these when they are used, to be rid of their tooltips: by keyboard one would begin
  // anew at the top of the page.
  for (const button of document.querySelectorAll("button[data-bs-toggle='tooltip'], .search-button")) {
    button.blur = () => button.matches(":focus-visible") || HTMLElement.prototype.blur.call(button);
  }

  // A table is a stop of the Tab key, and a landmark, only while it has to be scrolled.
  const sized = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      const scrolls = target.scrollWidth > target.clientWidth;
      target.setAttribute("role", scrolls ? "region" : "group");
      if (scrolls) target.tabIndex = 0;
      else target.removeAttribute("tabindex");
    }
  });
  for (const frame of document.querySelectorAll(".table-scroll")) sized.observe(frame);
})();
