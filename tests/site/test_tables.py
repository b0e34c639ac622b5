"""Tables of the built book: each has its file beside it, with the rows that the page shows; long ones can be sorted."""

from __future__ import annotations

import csv
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from bs4 import BeautifulSoup, Tag

from scoville.site.downloads import linked, tables_of
from scoville.tabulate import CSV_PLACE

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted(str(p.relative_to(ROOT / "book").with_suffix("")) for p in (ROOT / "book").rglob("*.ipynb"))


@pytest.mark.parametrize("name", [n for n in NOTEBOOKS if tables_of(ROOT / "book" / f"{n}.ipynb")])
def test_every_table_has_its_file(site: Path, soups: dict[str, BeautifulSoup], name: str) -> None:
    page = soups[f"book/{name}.html"]
    links = page.select("p.table-csv a[download]")
    assert len(links) == len(tables_of(ROOT / "book" / f"{name}.ipynb"))
    assert not page.select("span.table-csv")
    for link in links:
        path = (site / "book" / f"{name}.html").parent / str(link["href"])
        head, *rows = list(csv.reader(path.read_text(encoding="utf-8-sig").splitlines()))
        before = link.find_previous("table", class_="data")
        assert before is not None
        if before.find_parent("section", class_="ledger"):
            shown = len(page.select("section.ledger tbody tr"))
        else:
            shown = len(before.select("tbody tr"))
        assert len(rows) == shown
        assert all(len(row) == len(head) for row in rows)


SOURCES = list(csv.DictReader((ROOT / "data/sources.csv").read_text(encoding="utf-8").splitlines()))
ABOUT_THE_BOOK = {
    ("book/data.html", ""): "the data dictionary: what the columns of the book's own files mean",
    ("book/sources.html", "Classes of evidence"): "counts the book's own rows by its own classes",
    ("book/sources.html", "Every document and data set"): "its rows are the sources; a test of its own follows",
    ("book/evidence-stops/workload.html", "What a reader would need to see"): "counts what the book's rows lack",
}
"""Tables without sources, by page and how their captions begin, and why. So is the table at the foot of every page."""


def caption_of(table: Tag) -> str:
    """The line above a table, or of the fold that it is in."""
    fold = table.find_parent("details", class_="table-folded")
    found = fold.summary if fold else table.find_previous("p", class_="table-caption")
    assert found is not None
    return found.text


def leads_to_a_source(link: Tag, anchors: set[str]) -> bool:
    page, _, anchor = str(link["href"]).partition("#")
    return page.startswith("https://") or (page.rpartition("/")[2] == "sources.html" and anchor in anchors)


def test_every_row_has_its_source_or_its_table_says_what_it_was_computed_from(soups: dict[str, BeautifulSoup]) -> None:
    anchors = {str(row["id"]) for row in soups["book/sources.html"].select("table.data tr[id]")}
    bare, lines, rows = set(), 0, 0
    for name, soup in soups.items():
        for table in soup.select("table.data"):
            if table.find_parent("section", class_="page-foot"):
                continue
            shown = table.select("tbody tr")
            sourced = [any(leads_to_a_source(a, anchors) for a in row.select("a[href]")) for row in shown]
            scroll = table.find_parent(class_="table-scroll")
            assert scroll is not None
            line = scroll.find_next_sibling(class_="table-rests")
            rows, lines = rows + sum(sourced), lines + (line is not None)
            if line is not None:
                assert not all(sourced), f"{name}: every row of “{caption_of(table)}” has its own source"
                assert all(leads_to_a_source(a, anchors) for a in line.select("a[href]")), line
            elif not all(sourced):
                bare.add((name, caption_of(table)))
    known = {(n, c) for n, c in bare if any(n == page and c.startswith(begins) for page, begins in ABOUT_THE_BOOK)}
    assert bare - known == set()
    idle = {(p, b) for p, b in ABOUT_THE_BOOK if not any(n == p and c.startswith(b) for n, c in bare)}
    assert idle == set(), "these have sources now"
    assert rows > 3000
    assert lines >= 15


def test_a_source_without_a_link_says_that_no_address_is_recorded(soups: dict[str, BeautifulSoup]) -> None:
    recorded = {s["source_id"]: s["url"] for s in SOURCES}
    for row in soups["book/sources.html"].select("table.data tr[id]"):
        links = [a["href"] for a in row.select("a[href^=http]")]
        assert links == [recorded[str(row["id"])]] * bool(links)
        assert bool(links) != ("no public address recorded" in row.text), row["id"]


def test_the_file_of_a_table_holds_the_addresses_of_its_links(site: Path) -> None:
    """Rows of a model's chart: every row names a source of the data folder, or a run at GitHub."""
    sources = {s["source_id"] for s in SOURCES}
    text = (site / "tables/models/gpt-oss-120b/frontier-rows.csv").read_text(encoding="utf-8-sig")
    found = Counter(row["Evidence, source and date (address or key)"] for row in csv.DictReader(text.splitlines()))
    runs = {address for address in found if address not in sources}
    assert all(a.startswith("https://github.com/SemiAnalysisAI/InferenceX/actions/runs/") for a in runs)
    assert found["inferencex-supplemental-2026-08"] == 10  # all rows of Jalapeño
    assert runs


def test_a_page_with_another_number_of_tables_is_refused() -> None:
    with pytest.raises(ValueError, match="shows 2 tables, and its notebook holds 1"):
        linked(f"a{CSV_PLACE}b{CSV_PLACE}", "page", {"one": "x\n"}, str)


def column(page: Any, table: int, index: int) -> list[str]:
    return list(
        page.evaluate(
            "([t, i]) => [...document.querySelectorAll('table.data')[t].tBodies[0].rows].map("
            "(r) => r.cells[i].textContent)",
            [table, index],
        )
    )


def test_a_long_table_is_sorted_by_mouse_and_keyboard(browser: Any, site: Path) -> None:
    page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
    page.goto((site / "book/evidence-stops/limits.html").as_uri())
    tables = page.locator("table.data")
    (place,) = (i for i in range(tables.count()) if tables.nth(i).locator("th", has_text="TB/s per rated kW").count())
    table = tables.nth(place)
    heads = [h.strip() for h in table.locator("th").all_inner_texts()]
    index = heads.index("TB/s per rated kW")
    before = column(page, place, index)

    def numbers() -> list[float]:
        return [float(text) for text in column(page, place, index) if text != "–"]

    button = table.locator("th").nth(index).get_by_role("button")
    button.click()
    assert numbers() == sorted(numbers())
    assert table.locator("th").nth(index).get_attribute("aria-sort") == "ascending"
    button.focus()
    page.keyboard.press("Enter")
    assert numbers() == sorted(numbers(), reverse=True)
    assert table.locator("th").nth(index).get_attribute("aria-sort") == "descending"
    page.keyboard.press("Space")
    assert column(page, place, index) == before
    assert table.locator("th").nth(index).get_attribute("aria-sort") is None


UNITS = {"k": 1e3, "M": 1e6, "B": 1e9, "T": 1e12}


def as_number(text: str) -> float:
    """The number that a cell begins with, in its unit."""
    found = re.search(r"(\d[\d,]*(?:\.\d+)?)\s?([kMBT](?![A-Z]))?", text)
    assert found is not None, text
    return float(found[1].replace(",", "")) * UNITS.get(found[2] or "", 1)


@pytest.mark.parametrize(
    ("name", "heading", "nth"),
    [
        ("claims", "Printed", 3),  # 1T parameters, 120B parameters, 8k tok
        ("evidence-stops/workload", "Counted", 0),  # 136,118 requests, 1,087 rows, 2 rows
    ],
)
def test_sorting_knows_thousands_and_their_letters(browser: Any, site: Path, name: str, heading: str, nth: int) -> None:
    page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
    page.goto((site / f"book/{name}.html").as_uri())
    tables = page.locator("table.data")
    places = [i for i in range(tables.count()) if tables.nth(i).locator("th", has_text=heading).count()]
    place = places[min(nth, len(places) - 1) if nth else 0]
    heads = [h.strip() for h in tables.nth(place).locator("th").all_inner_texts()]
    index = next(i for i, h in enumerate(heads) if h.startswith(heading))
    tables.nth(place).locator("th").nth(index).get_by_role("button").click()
    found = [as_number(text) for text in column(page, place, index) if re.search(r"\d", text)]
    assert len(found) >= 5
    assert found == sorted(found)
    assert max(found) > 1000
