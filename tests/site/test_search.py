"""The search page: what it looks through, and what it finds, from a disk and from a server."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import Any

import pytest
from bs4 import BeautifulSoup
from visits import PAGES, Visit

from scoville.site.search import FILE, Section, script, sections

ROOT = Path(__file__).resolve().parents[2]
PAGE = """<html><nav>Not this</nav>
<article class="bd-article"><section id="power"><h1>Power<a class="headerlink">#</a></h1>
<p>A <b>rating</b>, not a draw.</p><script>1 < 2</script><svg><text>700</text></svg>
<section id="rows"><h2>The <em>rows</em></h2><details class="above-input">code</details>
<figure><span class="chart-title">One chart</span><span class="chart-subtitle">in W</span></figure>
<table><thead><tr><th>Head</th></tr></thead><tbody>
<tr id="001.a"><td>GB300: rating<span class="detail">as printed</span></td><td>1,400 W</td></tr>
<tr><td>GB200</td><td>1,200 W</td></tr></tbody></table><p class="table-csv">CSV</p></section>
<dl><dt id="term-TTFT">TTFT<a class="headerlink">#</a></dt><dd><p>Time to first token.</p></dd></dl>
<div class="page-foot">hashes</div></section></article></html>"""


def test_a_page_is_taken_apart_into_the_places_that_one_can_be_led_to() -> None:
    where = "book/power.html"
    assert sections(where, PAGE) == [
        Section(where, "", "Power", "", "A rating, not a draw."),
        Section(where, "rows", "Power", "The rows", "One chart in W GB200 · 1,200 W"),
        Section(where, "001.a", "Power", "GB300: rating", "as printed · 1,400 W"),
        Section(where, "term-TTFT", "Power", "TTFT", "Time to first token."),
    ]


def test_a_theme_without_an_article_stops_the_build() -> None:
    with pytest.raises(ValueError, match=r'book/x\.html: no <article class="bd-article">'):
        sections("book/x.html", "<html><main>Power</main></html>")


def test_the_script_holds_the_sections_in_the_order_of_the_search_page() -> None:
    text = script([Section("p.html", "a", "T", "H", "“1.9×”")])
    assert json.loads(text.removeprefix("window.scovilleSections=").rstrip(";\n")) == [
        ["p.html", "a", "T", "H", "“1.9×”"]
    ]


def looked_through(site: Path) -> list[Section]:
    text = (site / FILE).read_text(encoding="utf-8")
    return [Section(*s) for s in json.loads(text.removeprefix("window.scovilleSections=").rstrip(";\n"))]


def test_every_page_is_looked_through_and_every_place_is_there(site: Path, soups: dict[str, BeautifulSoup]) -> None:
    found = looked_through(site)
    assert {s.page for s in found} == {f"book/{name}.html" for name in PAGES}
    for section in found:
        assert not section.anchor or soups[section.page].find(id=section.anchor), section
    rows = {s.anchor for s in found if s.page == "book/claims.html"}
    assert {tag["id"] for tag in soups["book/claims.html"].select("tr[id]")} <= rows


def test_the_library_is_the_published_one_with_its_licence(site: Path) -> None:
    """The hash is of ``dist/umd/index.js`` in MiniSearch 7.2.0, without its last line, which names a map."""
    library = (site / "_static/minisearch.js").read_text(encoding="utf-8").partition("\n")[2]
    told = hashlib.sha256(library.encode()).hexdigest()
    assert told in (ROOT / "THIRD_PARTY.md").read_text(encoding="utf-8")
    assert "Luca Ongaro" in (site / "_static/minisearch.LICENSE.txt").read_text(encoding="utf-8")


def plain(text: str) -> str:
    return text.replace("ñ", "n").replace(",", "").lower()


@pytest.mark.parametrize(
    ("asked", "word", "first"),
    [
        ("Rubin", "rubin", "Rubin"),
        ("TTFT", "ttft", "Glossary › TTFT"),
        ("53.7×", "53.7", "Every printed number › GPT-OSS 120B: Throughput at previous TBT, ratio"),
        ("85448", "85448", "Every printed number › GPT-OSS 120B: Peak throughput per kW, Jalapeño"),
        ("1.9x", "1.9", "Every printed number › All three models: Peak throughput per kW, ratio, upper end"),
        ("jalapeno", "jalapeno", "What Jalapeño’s numbers rest on"),
        ("who ran the benchmark", "", "Who says so"),
    ],
)
def test_search_finds(browser: Any, site: Path, asked: str, word: str, first: str) -> None:
    """From a disk; every place that has the word, counted in another way, and the best place before all others."""
    with Visit(browser, f"{site.as_uri()}/search.html?q={asked}") as visit:
        results = visit.page.locator("#search-results li")
        assert results.first.get_by_role("link").inner_text() == first
        told = visit.page.locator("#search-results").get_by_role("status").inner_text()
        if word:
            begins = re.compile(rf"(?<![\w.]){re.escape(word)}")  # the beginning of a word or a number
            having = [s for s in looked_through(site) if begins.search(plain(f"{s.title} {s.heading} {s.text}"))]
            assert int(re.match(r"\d+", told)[0]) >= len(having) > 0  # type: ignore[index]
            assert word in plain(results.first.inner_text())
        assert results.count() <= 40
        results.first.get_by_role("link").click()
        visit.page.wait_for_url("**/book/**")
        assert visit.faults == []


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("zzzqq", "Nothing in this book has “zzzqq”."),
        ("<b>rubin</b> zzzqq", "No place has all of “<b>rubin</b> zzzqq”; "),
        ("the", "“the” tells no places apart; another word is needed."),
        ("", "Words and numbers are looked for in every section"),
        ("a" * 300, "Nothing in this book has “aaa"),
    ],
)
def test_search_says_when_there_is_nothing_or_not_all(browser: Any, served: str, asked: str, told: str) -> None:
    """On a phone, over HTTP."""
    with Visit(browser, f"{served}search.html?q={asked}", viewport={"width": 375, "height": 800}) as visit:
        results = visit.page.locator("#search-results")
        assert results.get_by_role("status").inner_text().startswith(told)
        assert results.locator("b").count() == 0
        assert visit.page.evaluate("document.documentElement.scrollWidth") <= 375
        assert visit.faults == []
