"""The finished book in a real browser, with the network off."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from visits import CHARTS, PAGES, Visit

from scoville.agents import Task
from scoville.compare import Line, line, reading, spread
from scoville.facts import load
from scoville.report import power_page, workload_page
from scoville.tabulate import span
from scoville.units import Interval
from scoville.words import pair, times

ROOT = Path(__file__).resolve().parents[2]


def faults_of(visit: Visit, name: str, width: int) -> list[str]:
    """What is wrong with a page at a width: charts without marks, and what makes it scroll sideways."""
    drawn = visit.page.evaluate(
        """[...document.querySelectorAll('.chart-live')].map(
             c => c.querySelectorAll('.mark-symbol path, .mark-rect path').length)"""
    )
    found = list(visit.faults)
    if len(drawn) != CHARTS.get(name, 0):
        found.append(f"{len(drawn)} charts are drawn at {width} px")
    if not all(count >= 3 for count in drawn):  # the fit over chips has three points, and no chart fewer
        found.append(f"marks of each chart at {width} px: {drawn}")
    beyond = visit.page.evaluate(
        """[...document.querySelectorAll('.chart-live')].flatMap((chart) => {
             const inside = (part, whole) => {
               const [a, b] = [part, whole].map((e) => e.getBoundingClientRect());
               return !a.width || (a.left >= b.left - 1 && a.right <= b.right + 1);
             };
             return [...chart.querySelectorAll('svg.marks text, .vega-bindings :is(input, select, button)')]
               .filter((part) => !inside(part, chart)).map((part) => part.textContent || part.outerHTML.slice(0, 60));
           })"""
    )
    if beyond:
        found.append(f"cut off at the edge of a chart at {width} px: {beyond}")
    wide = visit.page.evaluate("document.documentElement.scrollWidth")
    if wide > width:
        found.append(f"{wide} px wide in a window of {width} px")
    return found


@pytest.mark.parametrize("mode", ["light", "dark"])
@pytest.mark.parametrize("widths", [(375, 768), (1440, 1920)], ids=str)
@pytest.mark.parametrize("name", PAGES)
def test_every_page_draws_its_charts_and_fits(
    browser: Any, site: Path, name: str, widths: tuple[int, int], mode: str
) -> None:
    """Opened at the first width, then made as wide as the second."""
    arrived, resized = widths
    address = (site / "book" / f"{name}.html").as_uri()
    with Visit(browser, address, viewport={"width": arrived, "height": 900}, color_scheme=mode) as visit:
        visit.scroll_through()
        assert visit.page.evaluate("document.documentElement.dataset.theme") == mode
        assert faults_of(visit, name, arrived) == []
        visit.resize(resized)
        assert faults_of(visit, name, resized) == []


@pytest.mark.parametrize("name", PAGES)
def test_over_http_it_is_the_same(browser: Any, served: str, name: str) -> None:
    with Visit(browser, f"{served}book/{name}.html", viewport={"width": 1024, "height": 900}) as visit:
        visit.scroll_through()
        assert faults_of(visit, name, 1024) == []


@pytest.mark.parametrize("name", PAGES)
def test_without_javascript_the_pictures_are_there(browser: Any, site: Path, name: str) -> None:
    address = (site / "book" / f"{name}.html").as_uri()
    options = {"java_script_enabled": False, "viewport": {"width": 375, "height": 900}}
    with Visit(browser, address, **options) as visit:
        shown = visit.page.evaluate(
            """[...document.querySelectorAll('.chart-static')].map((picture) =>
                 [picture.className.includes('for-light'), picture.checkVisibility(),
                  picture.querySelectorAll('svg path').length >= 3])"""
        )
        assert shown == [[True, True, True], [False, False, True]] * CHARTS.get(name, 0)
        assert visit.page.evaluate("document.documentElement.scrollWidth") <= 375
        refused = re.compile(r"failed: .*\.js(\?|$)")  # scripts, since there are none
        assert [fault for fault in visit.faults if not refused.match(fault)] == []


def test_switching_the_mode_redraws_the_charts_in_its_colours(browser: Any, site: Path) -> None:
    address = (site / "book" / "index.html").as_uri()
    with Visit(browser, address, color_scheme="light", viewport={"width": 1440, "height": 900}) as visit:
        visit.scroll_through()
        label = visit.page.locator(".chart-live .role-axis-label text").first
        assert label.get_attribute("fill") == "#4a4a4a"
        visit.page.evaluate("document.documentElement.dataset.theme = 'dark'")
        visit.page.wait_for_function(
            "document.querySelector('.chart-live .role-axis-label text').getAttribute('fill') === '#c4c4c4'"
        )
        assert visit.faults == []


@pytest.mark.parametrize("widths", [(800, 1440), (1440, 375), (375, 1440)])
def test_charts_keep_to_their_place_when_the_window_changes(browser: Any, site: Path, widths: tuple[int, int]) -> None:
    page = browser.new_context(viewport={"width": widths[0], "height": 900}).new_page()
    page.goto((site / "book/how-far/far_end.html").as_uri())
    page.locator(".chart-frame").first.scroll_into_view_if_needed()
    page.wait_for_selector(".chart-live svg.marks")
    for width in (*widths[1:], *widths):
        page.set_viewport_size({"width": width, "height": 900})
        page.wait_for_timeout(600)
        wide = page.evaluate(
            """[...document.querySelectorAll('.chart-live')].map(
                 (s) => [s.clientWidth, s.querySelector('svg.marks').getBoundingClientRect().width])"""
        )
        assert wide
        assert all(abs(room - drawn) <= 1 for room, drawn in wide), (width, wide)


def test_watts_typed_with_the_keyboard_move_the_ratios(browser: Any, site: Path) -> None:
    from playwright.sync_api import expect

    power = power_page("data")
    rated = {s: float(power.facts.systems.loc[s, "package_power_w"]) for _, s in power.named}

    def expected(mine: float) -> list[str]:
        chip = power.comparisons["chip"]
        return [f"{chip[m, s].peak_ratio.low * rated[s] / mine:.2f}×" for m, s in power.named]

    address = (site / "book" / "how-far" / "power.html").as_uri()
    with Visit(browser, address, color_scheme="light", viewport={"width": 1440, "height": 900}) as visit:
        visit.scroll_through()
        figure = visit.page.locator("figure.chart", has=visit.page.locator("input[type=number]"))
        told, field = figure.get_by_role("status"), figure.get_by_label("Jalapeño, W")

        def shows(mine: float) -> None:
            expect(field).to_have_value(f"{mine:.0f}")
            expect(told).to_have_text(re.compile(".*".join(map(re.escape, expected(mine)))))
            marks = figure.locator(".chart-live svg.marks").first
            for ratio in expected(mine):
                expect(marks).to_contain_text(ratio)

        shows(700)
        field.focus()
        visit.page.keyboard.press("Control+A")
        visit.page.keyboard.type("1250")
        visit.page.keyboard.press("Enter")  # does not leave the page
        shows(1250)
        visit.page.evaluate("document.documentElement.dataset.theme = 'dark'")
        expect(figure.locator(".chart-live .role-axis-label text").first).to_have_attribute("fill", "#c4c4c4")
        shows(1250)  # the chart is another, the number is kept
        field.fill("")
        expect(told).to_contain_text("no ratio")
        figure.get_by_role("button", name="Back to first values").press("Enter")
        shows(700)
        assert visit.page.url == address
        assert visit.faults == []


def test_a_task_typed_with_the_keyboard_moves_its_times(browser: Any, site: Path) -> None:
    from playwright.sync_api import expect

    page = workload_page("data")
    model = "deepseek-r1"

    def expected(task: Task) -> list[str]:
        timed = [page.chains.quickest(model, "jalapeno", task), *page.chains.rivals(model, task)]
        return [f"{page.names[r['system']]} {r['seconds']:,.1f} s" for r in timed if r is not None]

    address = (site / "book" / "evidence-stops" / "workload.html").as_uri()
    with Visit(browser, address, viewport={"width": 1440, "height": 900}) as visit:
        visit.scroll_through()
        figure = visit.page.locator("figure.chart", has=visit.page.locator("input[type=number]"))
        told = figure.get_by_role("status")
        figure.get_by_role("combobox", name="Model").select_option("DeepSeek R1")
        for text in expected(page.task):
            expect(told).to_contain_text(text)
        for label, value in (("Steps", "20"), ("Output of each step, tokens", "900"), ("reused from a cache", "50")):
            field = figure.get_by_role("spinbutton", name=label)
            field.focus()
            visit.page.keyboard.press("Control+A")
            visit.page.keyboard.type(value)
        changed = replace(page.task, steps=20, written=900, reuse=0.5)
        for text in expected(changed):
            expect(told).to_contain_text(text)
        expect(told).to_contain_text(f"the last step reads {changed.last_input:,.0f} tokens")
        marks = figure.locator(".chart-live .mark-symbol path")
        assert marks.count() >= int((page.chains.rows["model"] == model).sum())
        figure.get_by_role("spinbutton", name="Input of the first").fill("400000")
        expect(told).to_contain_text("more than the model is released for")
        figure.get_by_role("spinbutton", name="Steps").fill("")
        expect(told).to_contain_text("No such task")
        figure.get_by_role("button", name="Back to first values").press("Enter")
        expect(told).to_contain_text("GPT-OSS 120B")
        assert visit.faults == []


def read_in_python(basis: str, at: float, *others: tuple[str, str], limit: float | None = None) -> list[str]:
    """What the explorer of DeepSeek R1 should tell of some lines, from the functions of the command line."""
    facts = load(ROOT / "data")

    def side(system: str, method: str, limit: float | None = limit) -> Line:
        return line(facts, "deepseek-r1", system, basis, method, ttft_max_s=limit)

    def timed(system: str, method: str) -> str:
        rows = side(system, method, None).points["ttft_median_s"]
        return f"; {rows.notna().sum()} of {len(rows)} rows have a TTFT" if limit and rows.isna().any() else ""

    def over(mine: Interval, theirs: Interval) -> str:
        return f" (Jalapeño {times(Interval(mine.low / theirs.high, mine.high / theirs.low))})"

    def told(system: str, method: str) -> str:
        found, ours = side(system, method), side("jalapeno", "none")
        there, mine = reading(found, at), reading(ours, at)
        parts = [span(0)(pair(there)) if there else unknown]
        parts += [over(mine, there)] if mine and there and found is not ours else []
        parts += [f", at its peak {span(0)(pair(spread(found.peak)))}"]
        parts += [over(spread(ours.peak), spread(found.peak))] if found is not ours else []
        parts += [", unlike methods"] if method != "none" else []
        return f"{found.named(facts.systems.loc[system, 'name'])} {''.join(parts)}{timed(system, method)}"

    unknown = "no row within the limit at this speed" if limit else "not measured at this speed"
    per = {"package": "per kW of package rating", "all-in": "per kW all-in", "chip": "per chip"}[basis]
    head = f"At {at:,.0f} tok/s per user, mixed tok/s {per}:"
    return [head, *(told(*other) for other in (("jalapeno", "none"), *others))]


def test_the_explorer_reads_what_python_reads(browser: Any, site: Path) -> None:
    """Basis, lines, limit and speed, by keyboard: every value and ratio against the functions of the command line."""
    from playwright.sync_api import expect

    address = (site / "book" / "models" / "deepseek-r1.html").as_uri()
    with Visit(browser, address, viewport={"width": 1440, "height": 900}) as visit:
        visit.scroll_through()
        figure = visit.page.locator("figure.chart")
        told, gb300 = figure.get_by_role("status"), ("gb300", "none")

        def type_into(name: str, value: str) -> None:
            figure.get_by_role("spinbutton", name=name).focus()
            visit.page.keyboard.press("Control+A")
            visit.page.keyboard.type(value) if value else visit.page.keyboard.press("Delete")

        def shows(lines: list[str]) -> None:
            expect(told.locator("li")).to_have_text(lines[1:])
            expect(told).to_have_text("".join(lines))

        type_into("Read at", "120")
        shows(read_in_python("package", 120, gb300))
        figure.get_by_role("combobox", name="Basis").select_option("per kW all-in")
        shows(read_in_python("all-in", 120, gb300))
        figure.get_by_role("combobox", name="Basis").select_option("per chip")
        shows(read_in_python("chip", 120, gb300))
        type_into("Read at", "95")
        for box in ("B300", "GB200 MTP"):
            figure.get_by_role("checkbox", name=box, exact=True).focus()
            visit.page.keyboard.press("Space")
        shows(read_in_python("chip", 95, gb300, ("b300", "none"), ("gb200", "mtp")))
        type_into("Median TTFT at most", "2")
        shows(read_in_python("chip", 95, gb300, ("b300", "none"), ("gb200", "mtp"), limit=2))
        # two rows of GB300 MTP hold a TTFT: the line between them is not read above what was measured there
        figure.get_by_role("checkbox", name="GB300 MTP", exact=True).check()
        type_into("Read at", "150")
        some = (gb300, ("b300", "none"), ("gb200", "mtp"), ("gb300", "mtp"))
        shows(read_in_python("chip", 150, *some, limit=2))
        type_into("Median TTFT at most", "-5")
        expect(told).to_contain_text("A limit on TTFT is above 0 s; this one is left out")
        type_into("Median TTFT at most", "0.001")
        expect(told).to_have_text("No row publishes a median TTFT of at most 0.001 s")
        type_into("Median TTFT at most", "")
        type_into("Read at", "400")
        expect(told).to_contain_text("GB300 not measured at this speed")
        type_into("Read at", "")
        expect(told).to_have_text("Type a speed above 0 to read the lines there")
        figure.get_by_role("button", name="Back to first values").press("Enter")
        shows(read_in_python("package", 110, gb300))
        assert visit.faults == []


@pytest.mark.parametrize("model", ["deepseek-r1", "gpt-oss-120b"])
def test_the_names_of_all_lines_of_the_explorer_lie_apart(browser: Any, site: Path, model: str) -> None:
    address = (site / "book" / "models" / f"{model}.html").as_uri()
    with Visit(browser, address, viewport={"width": 1440, "height": 900}) as visit:
        visit.scroll_through()
        boxes = visit.page.locator("figure.chart").get_by_role("checkbox")
        for box in boxes.all():
            box.check()
        visit.page.wait_for_function(
            "(count) => document.querySelectorAll('.chart-live [class*=names_] text').length === count",
            arg=boxes.count() + 2,
        )
        meeting = visit.page.evaluate(
            """() => {
                 const names = [...document.querySelectorAll('.chart-live [class*=names_] text')];
                 const boxes = names.map((name) => name.getBoundingClientRect());
                 return names.flatMap((name, i) => names.slice(i + 1).filter((_, j) => {
                   const [a, b] = [boxes[i], boxes[i + 1 + j]];
                   return a.left < b.right && b.left < a.right && a.top < b.bottom - 0.5 && b.top < a.bottom - 0.5;
                 }).map((other) => [name.textContent, other.textContent]));
               }"""
        )
        assert meeting == []
        assert visit.faults == []


def test_a_click_on_a_mark_opens_the_run_behind_it(browser: Any, site: Path) -> None:
    """The chart's peak of GB200 is public run 20786863188; nothing leaves this machine."""
    rows = load(ROOT / "data").points
    run = rows[rows["source_id"] == "inferencex-run-20786863188"].iloc[0]["run_url"]
    address = (site / "book" / "models" / "gpt-oss-120b.html").as_uri()
    with Visit(browser, address, viewport={"width": 1440, "height": 900}) as visit:
        visit.scroll_through()
        visit.context.route("https://**", lambda route: route.abort())
        seen = visit.page.evaluate_handle(
            """(run) => [...document.querySelectorAll('.chart-live .mark-symbol path')].find((mark) => {
                 const { x, y, width, height } = mark.getBoundingClientRect();
                 return mark.__data__?.datum?.address === run &&
                   document.elementFromPoint(x + width / 2, y + height / 2) === mark;
               })""",
            run,
        ).as_element()
        assert seen is not None
        with visit.context.expect_event("request", lambda request: request.url.startswith("https:")) as opened:
            seen.click(force=True)
        assert opened.value.url == run
        assert visit.page.url == address  # a page of its own


def test_inputs_of_charts_further_down_are_reached_by_tab(browser: Any, site: Path) -> None:
    """However fast one tabs: the first Tab draws every chart that has inputs."""
    address = (site / "book" / "evidence-stops" / "workload.html").as_uri()
    with Visit(browser, address, viewport={"width": 1440, "height": 900}) as visit:
        assert visit.page.locator("form.vega-bindings").count() == 0
        visit.page.keyboard.press("Tab")
        visit.page.wait_for_selector("form.vega-bindings input[type=number]", state="attached")
        order = visit.page.evaluate(
            """[...document.querySelectorAll('.chart-live')].map((chart) =>
                 [...chart.querySelectorAll('summary, input, select')].map((e) => e.tagName)[0])"""
        )
        assert order
        assert set(order) == {"SUMMARY"}  # the menu at the top of a chart comes before what is under it


def test_print_shows_the_pictures_and_not_the_live_charts(browser: Any, site: Path) -> None:
    address = (site / "book" / "models" / "gpt-oss-120b.html").as_uri()
    with Visit(browser, address, color_scheme="dark") as visit:
        visit.scroll_through()
        visit.page.emulate_media(media="print")
        assert visit.page.locator(".chart-static.for-light").first.is_visible()
        assert not visit.page.locator(".chart-live").first.is_visible()
        assert not visit.page.locator(".chart-static.for-dark").first.is_visible()


@pytest.mark.parametrize(
    "name",
    ["how-far/power", "how-far/mixed_tokens", "how-far/repeatability", "how-far/latency", "evidence-stops/workload"],
)
def test_no_label_of_a_picture_is_cut_off(browser: Any, site: Path, name: str) -> None:
    page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
    page.goto((site / f"book/{name}.html").as_uri())
    page.emulate_media(media="print")
    cut = page.evaluate(
        """[...document.querySelectorAll('.chart-static svg')].filter((s) => s.getClientRects().length).flatMap((s) => {
             const box = s.getBoundingClientRect();
             return [...s.querySelectorAll('text')].filter((t) => {
               const b = t.getBoundingClientRect();
               return b.width && (b.left < box.left - 1 || b.right > box.right + 1);
             }).map((t) => t.textContent);
           })"""
    )
    assert cut == []


@pytest.mark.parametrize("name", ["index", "models/deepseek-r1", "how-far/latency"])
def test_a_chart_is_drawn_within_a_second_of_arrival(browser: Any, site: Path, name: str) -> None:
    """From the moment that a frame comes near to sight; the best of five visits, as other tests use the machine too."""
    watch = """addEventListener("DOMContentLoaded", () => {
      const frame = document.querySelector(".chart-frame");
      new IntersectionObserver((entries, itself) => {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        itself.disconnect();
        const arrival = performance.now();
        const done = () => frame.classList.contains("is-live") && (window.drawnAfter ??= performance.now() - arrival);
        new MutationObserver(done).observe(frame, { attributeFilter: ["class"] });
        done();
      }, { rootMargin: "400px" }).observe(frame);
    });"""
    taken = []
    for _ in range(5):
        context = browser.new_context(viewport={"width": 1440, "height": 900})
        context.add_init_script(watch)
        page = context.new_page()
        page.goto((site / "book" / f"{name}.html").as_uri())
        page.locator(".chart-frame").first.scroll_into_view_if_needed()
        taken.append(page.wait_for_function("window.drawnAfter").json_value())
        context.close()
    assert 0 < min(taken) < 1000, taken


def test_charts_beside_each_other_are_level_when_their_titles_are_not(browser: Any, site: Path) -> None:
    address = (site / "book" / "index.html").as_uri()
    with Visit(browser, address, viewport={"width": 1280, "height": 900}) as visit:
        visit.scroll_through()
        tops, titles = visit.page.evaluate(
            """['.chart-frame', '.chart-title'].map((part) =>
                 [...document.querySelectorAll(part)].map((e) => e.getBoundingClientRect()[
                   part === '.chart-frame' ? 'top' : 'height']))"""
        )
        assert len(set(titles)) > 1  # one line and two
        assert max(tops) - min(tops) < 1


def test_a_claim_leads_to_its_row_in_the_ledger(browser: Any, site: Path) -> None:
    address = (site / "book" / "models" / "kimi-k2.5.html").as_uri()
    with Visit(browser, address) as visit:
        visit.page.get_by_role("link", name="Peak throughput per kW, Jalapeño").click()
        visit.page.wait_for_url("**/claims.html#002.kimi-k2.5.peak.candidate")
        row = visit.page.locator("[id='002.kimi-k2.5.peak.candidate']")
        assert "contradicted" in row.inner_text()
        assert row.is_visible()
