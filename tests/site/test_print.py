"""Paper: every page as it is printed, and the whole book as one PDF."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import yaml
from bs4 import BeautifulSoup
from click.testing import CliRunner

from scoville import __version__
from scoville.cli import cli
from scoville.html import HTML, MADE, PDF, link_pdf
from scoville.paths import ROOT_VARIABLE
from scoville.pdf import make_pdf, pages_of, whole_book
from scoville.problems import ScovilleError

ROOT = Path(__file__).resolve().parents[2]
TOC = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
PARTS = {part["caption"]: [chapter["file"] for chapter in part["chapters"]] for part in TOC["parts"]}
PAGES = [TOC["root"], *(file for files in PARTS.values() for file in files)]
PAPER = 672  # CSS pixels between the margins of A4: 210 mm less twice 16 mm


@pytest.mark.parametrize("name", PAGES)
def test_a_page_on_paper(browser: Any, site: Path, name: str) -> None:
    """Printed from a dark screen: light, its charts, no code, no navigation, nothing wider than the paper."""
    page = browser.new_context(viewport={"width": PAPER, "height": 900}, color_scheme="dark").new_page()
    page.goto((site / f"{name}.html").as_uri())
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    seen = page.evaluate(
        """() => {
             const shown = (css) => [...document.querySelectorAll(css)].filter((e) => e.checkVisibility()).length;
             const style = getComputedStyle(document.querySelector(".bd-article p"));
             return {
               ink: style.color,
               charts: document.querySelectorAll("figure.chart").length,
               light: shown(".chart-static.for-light > svg"),
               never: shown(`.chart-static.for-dark, .chart-live, button:not(.sort), .bd-sidebar-primary,
                             .bd-sidebar-secondary, .prev-next-footer, .headerlink,
                             details.above-input, .page-downloads`),
               heading: shown(".bd-article h1"),
               // a heading that can be sorted by is a button, and paper still needs its words
               unnamed: [...document.querySelectorAll("table.data th button.sort")]
                 .filter((e) => e.closest("table").checkVisibility() && !e.checkVisibility()).length,
               wide: [...document.querySelectorAll(".bd-article *")]
                 .filter((e) => e.checkVisibility() && e.getBoundingClientRect().right > innerWidth + 1)
                 .map((e) => e.outerHTML.slice(0, 80)),
             };
           }"""
    )
    assert seen["ink"] == "rgb(20, 24, 30)"
    assert seen["light"] == seen["charts"]
    assert seen["never"] == 0
    assert seen["heading"] == 1
    assert seen["unnamed"] == 0
    assert seen["wide"] == []
    page.context.close()


def test_a_folded_table_stays_folded_and_the_foot_does_not(browser: Any, site: Path) -> None:
    page = browser.new_context(viewport={"width": PAPER, "height": 900}).new_page()
    page.goto((site / "book/how-far/power.html").as_uri())
    page.emulate_media(media="print")
    height = "e => e.getBoundingClientRect().height"
    folded = page.locator("details.table-folded").first
    assert folded.locator("table").evaluate(height) == 0
    folded.evaluate("e => { e.open = true; }")  # what the reader unfolds is printed
    assert folded.locator("table").evaluate(height) > 100
    assert page.locator("#rests-on table").evaluate(height) > 100
    page.context.close()


def test_short_addresses_are_printed_and_long_ones_are_not(soups: dict[str, BeautifulSoup]) -> None:
    lengths = {False: 0, True: 0}
    for name, soup in soups.items():
        for link in soup.select("article a[href^=http]"):
            address = re.sub("^https?://", "", str(link["href"]))
            assert link.get("data-address") == (address if len(address) <= 70 else None), name
            lengths[len(address) <= 70] += 1
    assert min(lengths.values()) > 0


@pytest.fixture(scope="module")
def printed(site: Path, browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project with the PDF made."""
    del site, browser  # built, and there is one
    root = tmp_path_factory.mktemp("a book")
    for name in ("_toc.yml", "_config.yml"):
        shutil.copy(ROOT / name, root)
    for folder in (MADE, HTML):
        shutil.copytree(ROOT / folder, root / folder)
    here = os.environ | {ROOT_VARIABLE: str(root)}
    # a process of its own: Playwright allows one loop in each, and the browser of the other tests has this one's
    subprocess.run([sys.executable, "-m", "scoville", "pdf"], check=True, env=here, cwd=root)
    return root


def outline(pdf: Path) -> list[str]:
    """Titles of a PDF's outline, in the order in which Chromium writes them; the first is that of the document."""
    found = re.findall(rb"/Title\s*(?:\(((?:[^()\\]|\\.)*)\)|<FEFF([0-9A-F]*)>)", pdf.read_bytes())
    return [
        bytes.fromhex(w.decode()).decode("utf-16-be") if w else re.sub(r"\\(.)", r"\1", n.decode()) for n, w in found
    ]


def test_the_outline_holds_every_part_and_page_once(printed: Path, soups: dict[str, BeautifulSoup]) -> None:
    titles = Counter(outline(printed / PDF))
    headings = [soups[f"{name}.html"].select_one("article h1") for name in PAGES]
    pages = [str(heading.find(string=True)) for heading in headings if heading]
    assert {title: titles[title] for title in (*pages, *PARTS)} == {
        # two parts have their names in common with sections of the home page
        title: 1 + (title in ("How far the numbers carry", "Where the evidence stops"))
        for title in (*pages, *PARTS)
    }
    assert titles["What cannot be said"] == 3  # a section of each page of a model


def test_the_pdf_has_its_pages_and_is_no_monster(printed: Path) -> None:
    content = (printed / PDF).read_bytes()
    assert 40 < pages_of(printed / PDF) < 250
    assert len(content) < 12_000_000
    assert {b"594.95996 841.91998"} == set(re.findall(rb"/MediaBox \[0 0 ([\d.]+ [\d.]+)\]", content))  # A4
    assert b"/StructTreeRoot" in content  # tagged, for readers that speak


def test_the_home_page_links_to_the_pdf_as_long_as_it_was_made_from_these_pages(printed: Path) -> None:
    home, copy = printed / HTML / "book/index.html", printed / HTML / "scoville.pdf"

    def links() -> list[str]:
        soup = BeautifulSoup(home.read_text(encoding="utf-8"), "html.parser")
        return [str(link["href"]) for link in soup.select("article a[href$=pdf]")]

    assert links() == ["../scoville.pdf"]
    assert copy.read_bytes() == (printed / PDF).read_bytes()
    with_link = home.read_text(encoding="utf-8")
    without = re.sub('<p class="whole-book">.*?</p>', "", with_link)
    home.write_text(without, encoding="utf-8")  # as a build publishes it
    assert link_pdf(printed)
    assert home.read_text(encoding="utf-8") == with_link
    assert link_pdf(printed)  # a second time leaves one link
    assert links() == ["../scoville.pdf"]
    home.write_text(without, encoding="utf-8")
    changed = printed / MADE / "book/methods.html"
    before = changed.read_bytes()
    changed.write_bytes(before + b" ")
    assert not link_pdf(printed)
    changed.write_bytes(before)
    assert links() == []


def test_the_home_page_of_a_book_without_a_pdf_has_no_link_to_one(site: Path, tmp_path: Path) -> None:
    (tmp_path / HTML / "book").mkdir(parents=True)
    home = tmp_path / HTML / "book/index.html"
    shutil.copy(site / "book/index.html", home)
    home.write_text(re.sub('<p class="whole-book">.*?</p>', "", home.read_text(encoding="utf-8")), encoding="utf-8")
    before = home.read_bytes()
    assert not link_pdf(tmp_path)
    assert home.read_bytes() == before
    assert b".pdf</a>" not in before
    assert b'.pdf"' not in before


def test_the_whole_book_is_one_document_of_all_pages_in_order(site: Path, soups: dict[str, BeautifulSoup]) -> None:
    soup = BeautifulSoup(whole_book(ROOT), "html.parser")
    anchors = [name.removeprefix("book/").replace("/", ".") for name in PAGES]
    assert [page["id"] for page in soup.select("div.page")] == anchors
    assert [part.text for part in soup.select("h1.part")] == list(PARTS)
    assert len(soup.select("figure.chart")) == sum(len(s.select("figure.chart")) for s in soups.values())
    assert len(soup.select("figure.chart svg")) == len(soup.select("figure.chart"))
    assert not soup.select("script, button, .headerlink, .above-input, .for-dark")
    ids = Counter(tag["id"] for tag in soup.select("[id]") if tag.find_parent("svg") is None)
    assert [name for name, count in ids.items() if count > 1] == []
    for link in soup.select("a[href]"):
        target = str(link["href"])
        assert target.startswith("http") or target.removeprefix("#") in ids, target
    title = soup.select_one(".title-page")
    assert title is not None
    assert f"Version {__version__}" in title.text
    assert re.search(r"Data as of \d{4}-\d\d-\d\d", title.text)
    for sheet in soup.select("link[rel=stylesheet]"):
        assert (ROOT / "_build/pdf" / str(sheet["href"])).resolve().is_file(), sheet
    del site


def test_without_a_browser_nothing_is_made_and_the_reason_is_told(
    site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv(ROOT_VARIABLE, str(tmp_path))
    done = CliRunner().invoke(cli, ["pdf"])
    assert (done.exit_code, done.stderr) == (1, "there is no built book yet; run: make book\n")
    (tmp_path / MADE).mkdir(parents=True)
    shutil.copy(ROOT / MADE / "edition.json", tmp_path / MADE)
    with pytest.raises(ScovilleError, match=r"a PDF needs Chromium, and none of chromium, .* is on the PATH"):
        make_pdf(tmp_path)
    assert not (tmp_path / PDF).exists()
    del site
