"""What a link to a page shows elsewhere."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import nbformat
import pytest
from bs4 import BeautifulSoup

from scoville.facts import Facts
from scoville.report import baselines_page
from scoville.site.mime import MIME
from scoville.site.previews import LONGEST, Preview, card, picture, preview, tags

ROOT = Path(__file__).resolve().parents[2]


def notebook(folder: Path, cell: str, markup: str, *charts: dict[str, object]) -> Path:
    outputs = [nbformat.v4.new_output("display_data", data={"text/html": markup})]
    outputs += [nbformat.v4.new_output("display_data", data={MIME: chart}) for chart in charts]
    cells = [nbformat.v4.new_code_cell("page.shown()", id=cell, outputs=outputs)]
    path = folder / "page.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=cells), path)
    return path


def meta(soup: BeautifulSoup) -> dict[str, str]:
    return {str(m.get("name") or m.get("property")): str(m["content"]) for m in soup.select("head meta[content]")}


@pytest.mark.parametrize(
    ("text", "described"),
    [
        ("One. Two.", "One. Two."),
        (f"It is 0.9 % here. {'x' * 190}. Three.", "It is 0.9 % here."),
        (f"{'x' * 90} vs. 3.\n {'y' * 150}.", f"{'x' * 90} vs. 3."),
        (f"{'x' * 198}. Two.", f"{'x' * 198}."),
        ("Cite it so:", "Cite it so."),
        (f"{'word ' * 60}.", f"{'word ' * 39}…"),
    ],
)
def test_a_description_is_cut_where_a_sentence_ends(tmp_path: Path, text: str, described: str) -> None:
    assert preview("Page", text, tmp_path / "none.ipynb").description == described
    assert len(described) <= LONGEST


def test_the_first_paragraph_of_the_finding_comes_before_the_prose(tmp_path: Path) -> None:
    page = notebook(tmp_path, "finding", "<p>It is <b>1.90×</b>\n higher.</p><p>More.</p>")
    assert preview("Page", "Prose.", page).description == "It is 1.90× higher."
    assert preview("Page", "Prose.", notebook(tmp_path, "other", "<p>It.</p>")).description == "Prose."


def test_the_title_of_the_chart_stands_for_a_finding_of_one_long_sentence(tmp_path: Path) -> None:
    page = notebook(tmp_path, "summary", f"<p>{'word ' * 60}.</p>", {"title": ["It is", "so."]}, {"title": "No."})
    assert preview("Page", "Prose.", page).description == "It is so."


def test_the_finding_of_a_chapter_is_its_description(facts: Facts, soups: dict[str, BeautifulSoup]) -> None:
    told = BeautifulSoup(baselines_page("data").finding().body, "html.parser").get_text()
    described = meta(soups["book/how-far/baselines.html"])["description"]
    assert told.startswith(described)
    assert described.endswith(".")


def test_every_page_has_a_description_of_its_own(site: Path, soups: dict[str, BeautifulSoup]) -> None:
    pages = {name: meta(soup) for name, soup in soups.items() if name.startswith("book/")}
    assert len({m["description"] for m in pages.values()}) == len(pages)
    for name, told in pages.items():
        assert 20 < len(told["description"]) <= LONGEST, name
        assert told["og:description"] == told["description"]
        heading = soups[name].select_one("article h1")
        assert heading is not None
        assert told["og:title"] == heading.find(string=True)
        assert told["og:site_name"] == "Scoville"
        # the address of the site is not known, and a picture's has to be whole
        assert told["twitter:card"] == "summary"
        assert not {"og:url", "og:image"} & set(told)
        assert not soups[name].select("link[rel=canonical]")
        png = (site / "_previews" / name).with_suffix(".png").read_bytes()
        assert png.startswith(b"\x89PNG")
        assert struct.unpack(">II", png[16:24]) == (1200, 630)
        assert len(png) < 300_000, name
    assert len({p.read_bytes() for p in (site / "_previews").rglob("*.png")}) == len(pages)


def test_a_known_address_adds_the_tags_that_need_one() -> None:
    told = Preview('A "title"', "It is 2 < 3.", {"description": "Two lines: A above B."})
    found = meta(BeautifulSoup(f"<head>{tags(told, 'book/x', 'Name', 'https://a.example/b/')}</head>", "html.parser"))
    assert found["og:url"] == "https://a.example/b/book/x.html"
    assert found["og:image"] == "https://a.example/b/_previews/book/x.png"
    assert (found["og:image:width"], found["og:image:height"]) == ("1200", "630")
    assert found["og:image:alt"] == "Chart. Two lines: A above B."
    assert found["og:title"] == 'A "title"'
    assert found["description"] == "It is 2 < 3."
    assert found["twitter:card"] == "summary_large_image"


def test_a_card_without_a_chart_says_in_words_what_it_shows() -> None:
    assert Preview("Methods", "How it is done.").alt == "The words: Methods. How it is done."


def test_the_picture_holds_the_chart() -> None:
    cells = json.loads((ROOT / "book/how-far/baselines.ipynb").read_text(encoding="utf-8"))["cells"]
    outputs = [out.get("data", {}) for cell in cells for out in cell.get("outputs", [])]
    chart = next(data[MIME] for data in outputs if MIME in data)
    found = Preview("Page", "It.", chart)
    drawn = BeautifulSoup(card(found, "Name"), "html.parser")
    assert len(drawn.select(".mark-symbol path")) > 20
    headline = "".join(line.text.replace(" ", "") for line in drawn.svg.find_all("tspan", recursive=True)[:8])  # type: ignore[union-attr]
    assert chart["title"].replace(" ", "") in headline
    assert picture(found, "Name") == picture(found, "Name")  # the same bytes again
