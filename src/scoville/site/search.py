"""What the search page looks through: every section of the finished book, in a script that a page on disk may load."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import astuple, dataclass
from itertools import takewhile
from pathlib import Path

from bs4 import BeautifulSoup, Tag
from bs4.element import PageElement

FILE = "_static/search-sections.js"
SCRIPTS = ("_static/minisearch.js", FILE, "_static/search.js")
"""What the search page loads, in this order."""
_ARTICLE = re.compile(r'<article class="bd-article">(.*)</article>', re.DOTALL)
_SILENT = re.compile(r"<(script|style|svg)\b.*?</\1>", re.DOTALL)
"""Scripts, styles and drawings: much the most of a page, and no words; gone before the page is parsed."""
_ASIDE = ".headerlink, details.above-input, .cell_input, .page-foot, .table-csv, .prev-next-area, thead"
"""Code, downloads, the page's foot and the heads of columns: not what somebody looks for."""
_CELLS = ["td", "th"]
_HEADINGS = [f"h{level}" for level in range(1, 7)]
_BLOCKS = ["p", "li", "dt", "dd", "div", "section", "tr", "caption", "summary", "figcaption", "br", "pre", *_HEADINGS]


@dataclass(frozen=True)
class Section:
    """A place of the book that a search can lead to.

    Attributes:
        page: address of the page, from the root of the site.
        anchor: its place there; empty for the head of the page.
        title: heading of the page.
        heading: heading of the section, term or first cell of the row; empty for the head of the page.
        text: the words of it, without those of the sections within.
    """

    page: str
    anchor: str
    title: str
    heading: str
    text: str


def sections(page: str, html: str) -> list[Section]:
    """The sections, glossary terms and addressed table rows of a page, in their order.

    Args:
        page: address of the page, from the root of the site.
        html: the whole page, as the theme makes it.

    Raises:
        ValueError: the page has no article, so the theme changed.
    """
    article = _ARTICLE.search(html)
    if article is None:
        raise ValueError(f'{page}: no <article class="bd-article"> to look through')
    soup = BeautifulSoup(_SILENT.sub(" ", article[1]), "html.parser")
    for aside in soup.select(_ASIDE):
        aside.decompose()
    _keep_words_apart(soup)
    title = _words(soup.h1) if soup.h1 else ""
    places = soup.select("section[id], tr[id], dt[id]")
    found = [_taken(page, title, place) for place in reversed(places)]  # the inner ones first
    return [section for section in reversed(found) if section.text or section.heading]


def script(found: Iterable[Section]) -> str:
    """The file that the search page loads."""
    return f"window.scovilleSections={json.dumps([astuple(s) for s in found], ensure_ascii=False)};\n"


def write(site: Path, pages: Iterable[str]) -> None:
    """Read the finished pages and write what the search page looks through.

    Args:
        site: folder of the finished site.
        pages: addresses of its pages, from there.
    """
    found = [s for page in pages for s in sections(page, (site / page).read_text(encoding="utf-8"))]
    (site / FILE).write_text(script(found), encoding="utf-8")


def _keep_words_apart(soup: BeautifulSoup) -> None:
    for block in soup.find_all(_BLOCKS):
        block.append(" ")
    for cell in soup.find_all(_CELLS):
        if cell.find_next_sibling(_CELLS):
            cell.append(" · ")
    for line in soup.select(".detail, .chart-title, .chart-subtitle"):  # set as lines of their own by the style
        line.insert(0, " ")


def _taken(page: str, title: str, place: Tag) -> Section:
    """A section, taken out of the page so that the one around it does not hold its words again."""
    if place.name == "dt":
        head, body = list(place.children), place.find_next_sibling("dd")
    elif place.name == "tr":
        cell = place.find(_CELLS)
        head = [] if cell is None else list(takewhile(lambda part: not _is_detail(part), cell.children))
        body = place
    else:
        head, body = list(place.find_all(_HEADINGS, limit=1)), place
    is_page = any(isinstance(part, Tag) and part.name == "h1" for part in head)
    heading = "" if is_page else _words(*head)
    for part in head:
        part.extract()
    text = "" if body is None else _words(body)
    section = Section(page, "" if is_page else str(place["id"]), title, heading, text)
    for taken in {id(part): part for part in (body, place) if part is not None}.values():
        taken.decompose()
    return section


def _is_detail(part: PageElement) -> bool:
    return isinstance(part, Tag) and "detail" in (part.get("class") or [])


def _words(*parts: PageElement) -> str:
    return " ".join("".join(part.get_text() for part in parts).split())
