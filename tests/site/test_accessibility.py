"""WCAG 2.2 AA as far as a machine can tell, and the whole book by keyboard."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from visits import CHARTS, PAGES, Visit

WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
GOOD_PRACTICE = "best-practice"
THEIRS = {
    # the theme puts logo and search of the sidebar beside its <nav>; both are reached by Tab before it
    ("region", ".sidebar-primary-items__start > .sidebar-primary-item:nth-child(1)"),
}
"""Rule and element of what the theme does against good practice; none of it is against WCAG."""
ROWS = 8
"""Rows of a table that are looked at: the others are like them, and there are thousands."""


@dataclass(frozen=True)
class Opened:
    """A page with all its charts drawn, in one mode."""

    name: str
    mode: str
    visit: Visit


@pytest.fixture(
    scope="module",
    params=[(name, mode) for name in [*PAGES, "../search"] for mode in ("light", "dark")],
    ids=lambda at: f"{at[0]}-{at[1]}",
)
def opened(request: pytest.FixtureRequest, browser: Any, site: Path) -> Iterator[Opened]:
    name, mode = request.param
    options = {"viewport": {"width": 1440, "height": 900}, "color_scheme": mode, "reduced_motion": "reduce"}
    with Visit(browser, (site / "book" / f"{name}.html").resolve().as_uri(), **options) as visit:
        visit.scroll_through()
        visit.page.evaluate("scrollTo(0, 0)")
        yield Opened(name, mode, visit)


def test_nothing_moves_for_those_who_asked_for_that(opened: Opened) -> None:
    moving = opened.visit.page.evaluate(
        """[...document.querySelectorAll('*')].filter((e) => ['', '::before', '::after'].some((part) => {
             const style = getComputedStyle(e, part);
             return style.animationName !== 'none' || /[1-9]/.test(style.transitionDuration)
               || style.scrollBehavior === 'smooth';
           })).map((e) => e.outerHTML.slice(0, 80))"""
    )
    assert moving == []


KEEP_STOPS = """() => {
  const ringed = (s) => s.outlineStyle === 'none' || parseFloat(s.outlineWidth) < 2 ? '' : s.outlineColor;
  window.look = (e) => [e, e.parentElement].map((it) => getComputedStyle(it))  // a search field has its form's ring
    .flatMap((s) => [ringed(s), s.boxShadow === 'none' ? '' : s.boxShadow]);
  window.operable = [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex]')]
    .filter((e) => e.tabIndex >= 0 && !e.disabled && e.checkVisibility({ visibilityProperty: true }));
  window.stops = [];
  document.addEventListener('focusin', (event) => window.stops.push([event.target, window.look(event.target)]));
}"""
"""Before the first press: what there is to reach, and a note of every stop and how it looks at that moment."""

TOLD_STOPS = """() => {
  document.activeElement.blur();
  const colours = (ring) => ring.match(/rgba?\\([^)]+\\)/g) ?? [];
  const behind = (e) => { for (let p = e.parentElement; p; p = p.parentElement) {
      const colour = getComputedStyle(p).backgroundColor;
      if (!/^rgba\\(.*, 0\\)$/.test(colour)) return colour; }
    return 'rgb(255, 255, 255)'; };
  // one stop a group of radio buttons: the arrow keys choose
  const choice = (stop, e) =>
    e.type === 'radio' && stop.type === 'radio' && stop.name === e.name && stop.form === e.form;
  const told = (e) => e.outerHTML.replace(/\\s+/g, ' ').slice(0, 120);
  return {
    missed: window.operable.filter((e) => !window.stops.some(([stop]) => stop === e || choice(stop, e))).map(told),
    forced: window.operable.filter((e) => e.tabIndex > 0).map(told),
    order: window.stops.filter(([e], i) => i &&
      !(window.stops[i - 1][0].compareDocumentPosition(e) & Node.DOCUMENT_POSITION_FOLLOWING)).map(([e]) => told(e)),
    stops: window.stops.map(([e, on]) => { const off = window.look(e);
      const rings = on.flatMap((ring, i) => ring === off[i] ? [] : colours(ring));
      return { told: told(e), rings, behind: behind(e) }; }),
  };
}"""


def luminance(colour: str) -> float:
    """Relative luminance of ``rgb(r, g, b)`` (WCAG 2)."""
    parts = [int(value) / 255 for value in re.findall(r"\d+", colour)[:3]]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, two: str) -> float:
    low, high = sorted((luminance(one), luminance(two)))
    return (high + 0.05) / (low + 0.05)


def test_tab_reaches_everything_in_order_and_focus_is_seen(opened: Opened) -> None:
    page = opened.visit.page
    page.evaluate(KEEP_STOPS)
    for _ in range(page.evaluate("window.operable.length") + 1):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement === document.body"):
            break
    seen = page.evaluate(TOLD_STOPS)
    assert seen["missed"] == []
    assert seen["forced"] == []
    assert seen["order"] == []
    assert len(seen["stops"]) >= 20
    for stop in seen["stops"]:
        best = max((contrast(ring, stop["behind"]) for ring in stop["rings"]), default=0)
        assert best >= 3, f"{opened.name}, {opened.mode}: focus is not seen on {stop}"


def violations(opened: Opened, axe: Any) -> list[str]:
    """What axe finds on the page as it is now: rule, element and where."""
    place = f"{opened.name}, {opened.mode}, {opened.visit.page.viewport_size['width']} px"
    options = {"runOnly": {"type": "tag", "values": [*WCAG, GOOD_PRACTICE]}, "resultTypes": ["violations"]}
    inside = {"exclude": ["svg.marks > g", ".chart-static"]}  # the svg around it is looked at, and speaks for it
    found = axe.run(opened.visit.page, context=inside, options=options).response
    assert {"color-contrast", "target-size"} <= {rule["id"] for rule in found["passes"]}
    return [
        f"{rule['id']} ({rule['impact']}) on {place}: {node['html'][:160]} at {target}: "
        + "; ".join(check["message"] for kind in ("any", "all", "none") for check in node[kind])
        for rule in found["violations"]
        for node in rule["nodes"]
        for target in node["target"]
        if (rule["id"], target) not in THEIRS
    ]


def test_axe_finds_nothing(opened: Opened) -> None:
    """With everything unfolded, wide and on a phone; good practice included. The page is spoilt after this."""
    from axe_playwright_python.sync_playwright import Axe

    page, axe = opened.visit.page, Axe()
    page.evaluate(
        """(rows) => {
             document.querySelectorAll('details').forEach((folded) => { folded.open = true; });
             document.querySelectorAll('table.data').forEach((table) =>
               [...table.tBodies[0].rows].slice(rows).forEach((row) => row.remove()));
           }""",
        ROWS,
    )
    found = violations(opened, axe)
    opened.visit.resize(375)
    # where an earlier test went through a table, its headings lie under the column that stays
    page.evaluate("document.querySelectorAll('.table-scroll').forEach((table) => { table.scrollLeft = 0; })")
    page.wait_for_timeout(400)  # after 300 ms the theme makes code that scrolls a stop
    assert found + violations(opened, axe) == []


@pytest.mark.parametrize("scripts", [True, False], ids=["live", "without scripts"])
@pytest.mark.parametrize("name", list(CHARTS))
def test_a_chart_is_one_described_picture(browser: Any, site: Path, name: str, scripts: bool) -> None:
    """Nothing of a drawing is read out but its description, made from the data; in the other mode as well."""
    address = (site / "book" / f"{name}.html").as_uri()
    options = {"viewport": {"width": 1440, "height": 900}, "java_script_enabled": scripts, "color_scheme": "light"}
    with Visit(browser, address, **options) as visit:
        told = [str(s["description"]) for s in visit.page.evaluate(SPECIFICATIONS)]
        assert len(told) == CHARTS[name]
        if scripts:
            visit.scroll_through()
            assert visit.page.evaluate(READ_OUT) == [[text] for text in told]
            visit.page.evaluate("document.documentElement.dataset.theme = 'dark'")
            visit.page.wait_for_timeout(300)
            visit.scroll_through()
        assert visit.page.evaluate(READ_OUT) == [[text] for text in told]


SPECIFICATIONS = "[...document.querySelectorAll('.chart-spec')].map((s) => JSON.parse(s.textContent))"
READ_OUT = """[...document.querySelectorAll('.chart-frame')].map((frame) => [...frame.querySelectorAll('[role]')]
  .filter((e) => e.checkVisibility() && !e.closest('[aria-hidden=true], details'))
  .map((e) => e.getAttribute('role') === 'img' ? e.getAttribute('aria-label') : e.outerHTML))"""


@pytest.mark.parametrize("ending", ["svg", "png"])
def test_a_chart_is_saved_by_keyboard(browser: Any, site: Path, tmp_path: Path, ending: str) -> None:
    address = (site / "book" / "index.html").as_uri()
    with Visit(browser, address, viewport={"width": 1440, "height": 900}) as visit:
        visit.scroll_through()
        visit.page.locator(".chart-live summary").first.focus()
        visit.page.keyboard.press("Enter")
        with visit.page.expect_download() as saved:
            for key in ["Tab"] * (1 + (ending == "png")) + ["Enter"]:
                visit.page.keyboard.press(key)
        assert saved.value.suggested_filename == f"visualization.{ending}"
        saved.value.save_as(tmp_path / "picture")
        content = (tmp_path / "picture").read_bytes()
        assert content.startswith(b"<svg" if ending == "svg" else b"\x89PNG")
        assert len(content) > 5_000
        assert visit.faults == []


def test_only_a_table_that_scrolls_is_a_stop_and_a_landmark(browser: Any, site: Path) -> None:
    address = (site / "book" / "models" / "kimi-k2.5.html").as_uri()
    stops = {}
    for width in (375, 1920):
        with Visit(browser, address, viewport={"width": width, "height": 900}) as visit:
            visit.page.evaluate("document.querySelectorAll('details').forEach((folded) => { folded.open = true; })")
            visit.page.wait_for_timeout(200)
            frames = visit.page.evaluate(
                """[...document.querySelectorAll('.table-scroll')].map((e) =>
                     [e.scrollWidth > e.clientWidth, e.tabIndex === 0, e.getAttribute('role') === 'region'])"""
            )
            assert all(len(set(frame)) == 1 for frame in frames), frames
            stops[width] = sum(scrolls for scrolls, _, _ in frames)
    assert stops[375] > stops[1920]


def test_search_opens_and_closes_by_keyboard(browser: Any, site: Path) -> None:
    from playwright.sync_api import expect

    address = (site / "book" / "methods.html").as_uri()
    with Visit(browser, address, viewport={"width": 1440, "height": 900}) as visit:
        page = visit.page
        page.get_by_role("button", name="Search").first.focus()
        page.keyboard.press("Enter")
        expect(page.get_by_role("searchbox")).to_be_focused()
        page.keyboard.press("Escape")
        expect(page.get_by_role("searchbox")).not_to_be_visible()
        assert page.evaluate("document.activeElement.className").count("search-button")
        assert visit.faults == []


@pytest.mark.parametrize("side", ["primary", "secondary"])
def test_a_sidebar_of_a_phone_opens_and_closes_by_keyboard(browser: Any, site: Path, side: str) -> None:
    from playwright.sync_api import expect

    address = (site / "book" / "methods.html").as_uri()
    with Visit(browser, address, viewport={"width": 375, "height": 800}) as visit:
        page = visit.page
        links = page.locator(f".bd-sidebar-{side} a[href]:visible, dialog[open] a[href]:visible")
        assert links.count() == 0
        page.get_by_role("button", name=f"Toggle {side} sidebar").focus()
        page.keyboard.press("Enter")
        expect(links.last).to_be_visible()
        page.keyboard.press("Tab")
        assert page.evaluate("!!document.activeElement.closest('dialog[open]')")  # and not in the page behind it
        page.keyboard.press("Escape")
        expect(links).to_have_count(0)
        assert page.evaluate("document.activeElement.className").count(f"{side}-toggle")
        assert visit.faults == []


def test_the_mode_is_switched_and_downloads_are_opened_by_keyboard(browser: Any, site: Path) -> None:
    from playwright.sync_api import expect

    address = (site / "book" / "methods.html").as_uri()
    with Visit(browser, address, viewport={"width": 1440, "height": 900}, color_scheme="light") as visit:
        page = visit.page
        page.get_by_role("button", name="Color mode").focus()
        modes = []
        for _ in range(3):
            page.keyboard.press("Enter")
            modes.append(page.evaluate("document.documentElement.dataset.mode"))
        assert sorted(modes) == ["auto", "dark", "light"]
        page.get_by_role("button", name="Download this page").focus()
        page.keyboard.press("Enter")
        item = page.locator(".dropdown-download-buttons .dropdown-item").first
        expect(item).to_be_visible()
        page.keyboard.press("ArrowDown")
        expect(item).to_be_focused()
        page.keyboard.press("Escape")
        expect(item).not_to_be_visible()
        assert visit.faults == []
