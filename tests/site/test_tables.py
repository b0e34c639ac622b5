"""Tables of the built book: each has its file beside it, with the rows that the page shows; long ones can be sorted."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest
from bs4 import BeautifulSoup

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
