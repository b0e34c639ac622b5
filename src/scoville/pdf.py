"""The whole book as one PDF, printed by a headless Chromium from the built site.

All pages become one document, and that is printed once: so links between pages stay links, the pages are numbered
through, and Chromium makes the outline from the headings. Files merged afterwards would have none of these.
"""

from __future__ import annotations

import html
import json
import os
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

import yaml
from bs4 import BeautifulSoup, Tag

from scoville import __version__
from scoville.difference import SNAPSHOT
from scoville.html import MADE, PDF, digest_of, link_pdf, stamp_of
from scoville.problems import ScovilleError

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_LEFT_OUT = (
    "script, style, noscript, button, dialog, .chart-static.for-dark, .headerlink, .page-foot, .table-csv, "
    "details.hide.above-input"
)
_STYLE = """
@page { @bottom-center { content: counter(page); font: 9pt sans-serif; color: #48566b; } }
@page :first { @bottom-center { content: none; } }
body { display: block; }
/* else Chromium paints the heading at the top of a page onto the page before as well, and outlines its words twice */
h1, h2, h3, h4 { overflow: clip; }
.bd-main .bd-content .bd-article h1:first-of-type { display: block; }
.title-page { break-after: page; padding-top: 70mm; text-align: center; }
.bd-main .bd-content .title-page h1:first-of-type { font-size: 30pt; }
.book-contents ol { list-style: none; padding: 0; }
.book-contents strong { display: block; margin-top: 3mm; }
.bd-article h1.part { font-size: 12pt; letter-spacing: 0.03em; margin: 0 0 4mm; }
.bd-article .page { break-before: page; }
.bd-article h1.part + .page { break-before: auto; }
.bd-article h1.part { break-before: page; }
.bd-main .bd-content .bd-article .page .page-title { font-size: 22pt; margin: 0 0 5mm; }
.bd-article .page h3 { font-size: 14pt; margin-top: 7mm; }
.bd-article .page h4 { font-size: 12pt; }
"""


@dataclass(frozen=True)
class _Chapter:
    part: str
    page: str  # as in the table of contents, ``book/claims``
    title: str
    body: Tag


def find_browser() -> str | None:
    """The first Chromium on the PATH; None where there is none."""
    return next((path for name in BROWSERS if (path := shutil.which(name))), None)


def make_pdf(root: Path) -> Path:
    """Print the built site of the project at ``root`` into ``_build/scoville.pdf`` and link it from the home page.

    Raises:
        ScovilleError: when there is no built site, no Playwright or no Chromium; an older PDF is left as it was.
    """
    if not (root / MADE / SNAPSHOT).is_file():
        raise ScovilleError("there is no built book yet; run: make book")
    browser = find_browser()
    if browser is None:
        raise ScovilleError(f"a PDF needs Chromium, and none of {', '.join(BROWSERS)} is on the PATH")
    work = root / "_build" / "pdf"
    work.mkdir(parents=True, exist_ok=True)
    source, printed = work / "book.html", work / "book.pdf"
    source.write_text(whole_book(root), encoding="utf-8")
    _print(browser, source, printed)
    printed.replace(root / PDF)
    shutil.rmtree(work)
    stamp_of(root / PDF).write_text(digest_of(root / MADE), encoding="utf-8")
    link_pdf(root)
    return root / PDF


def _print(browser: str, source: Path, target: Path) -> None:
    try:
        from playwright.sync_api import Error, sync_playwright  # noqa: PLC0415 - only this command needs it
    except ImportError:
        raise ScovilleError("a PDF needs Playwright, which is among the development dependencies") from None
    with sync_playwright() as playwright:
        try:
            running = playwright.chromium.launch(executable_path=browser, args=["--disable-gpu"])
            page = running.new_page()
            page.goto(source.as_uri(), wait_until="load", timeout=120_000)
            page.pdf(path=target, prefer_css_page_size=True, print_background=True, outline=True, tagged=True)
            running.close()
        except Error as error:
            raise ScovilleError(f"Chromium could not print the book: {error.message}") from None


def whole_book(root: Path) -> str:
    """The built site as one HTML document: title page, contents, and every page in the order of the contents."""
    site = root / MADE
    config = yaml.safe_load((root / "_config.yml").read_text(encoding="utf-8"))
    chapters = list(_chapters(root, site))
    known = {chapter.page for chapter in chapters}
    base = str(config.get("html", {}).get("baseurl") or "").rstrip("/")
    for chapter in chapters:
        _shorten(chapter.body)
        _rank_headings(chapter)
        _tie(chapter, known, base)
    parts = [_title_page(site, config, chapters[0].title), _contents(chapters)]
    part = ""
    for chapter in chapters:
        if chapter.part != part:
            parts.append(f'<h1 class="part">{html.escape(chapter.part)}</h1>')
            part = chapter.part
        parts.append(f'<div class="page" id="{_anchor(chapter.page)}">{chapter.body.decode_contents()}</div>')
    head = "".join(_styles(root, site))
    title = html.escape(f"{config['title']}: {chapters[0].title}")
    return (
        f'<!DOCTYPE html><html lang="en" data-theme="light"><head><meta charset="utf-8"><title>{title}</title>{head}'
        f'<style media="print">{_STYLE}</style></head><body><main class="bd-main"><div class="bd-content">'
        f'<div class="bd-article-container"><article class="bd-article">{"".join(parts)}</article></div></div></main>'
        "</body></html>"
    )


def _chapters(root: Path, site: Path) -> Iterator[_Chapter]:
    contents = yaml.safe_load((root / "_toc.yml").read_text(encoding="utf-8"))
    listed = [("", contents["root"])]
    listed += [(part["caption"], chapter["file"]) for part in contents["parts"] for chapter in part["chapters"]]
    for part, page in listed:
        soup = BeautifulSoup((site / f"{page}.html").read_text(encoding="utf-8"), "html.parser")
        body = soup.select_one("article.bd-article")
        heading = body.h1 if body else None
        if body is None or heading is None:
            raise ScovilleError(f"{page}.html has no article with a heading; run: make book")
        for link in heading.select(".headerlink"):
            link.decompose()
        yield _Chapter(part, page, heading.get_text().strip(), body)


def _styles(root: Path, site: Path) -> Iterator[str]:
    """The style sheets of the site, for a document that lies beside it."""
    soup = BeautifulSoup((site / "book" / "index.html").read_text(encoding="utf-8"), "html.parser")
    for link in soup.select("link[rel=stylesheet]"):
        file = str(link["href"]).removeprefix("../").partition("?")[0]
        address = os.path.relpath(site / file, root / "_build" / "pdf")
        media = f' media="{link["media"]}"' if link.get("media") else ""
        yield f'<link rel="stylesheet" href="{html.escape(address)}"{media}>'


def _shorten(body: Tag) -> None:
    """Take out what paper has no use for."""
    for element in body.select(_LEFT_OUT):
        if not element.decomposed:
            element.decompose()


def _rank_headings(chapter: _Chapter) -> None:
    """Put the headings of a page that belongs to a part below the part's, so that the outline is a tree."""
    for heading in chapter.body.select("h1, h2, h3, h4, h5"):
        if heading.name == "h1":
            heading["class"] = "page-title"
        if chapter.part:
            heading.name = f"h{int(heading.name[1]) + 1}"


def _tie(chapter: _Chapter, known: set[str], base: str) -> None:
    """Make ids unique in the whole book, and links between its pages links within it."""
    for element in chapter.body.select("[id]"):
        if element.find_parent("svg") is None:  # a drawing points to its own parts, by ids that are unique
            element["id"] = f"{_anchor(chapter.page)}--{element['id']}"
    folder = PurePosixPath(chapter.page).parent
    for link in chapter.body.select("a[href]"):
        address = str(link["href"])
        if re.match(r"[a-z]+:", address):
            continue
        file, _, anchor = address.partition("#")
        place = os.path.normpath(folder / file) if file else f"{chapter.page}.html"
        page = place.removesuffix(".html")
        if page in known:
            link["href"] = f"#{_anchor(page)}" + (f"--{anchor}" if anchor else "")
        elif base:
            link["href"] = f"{base}/{place}"
        else:
            link.unwrap()  # a file of the site, and where that is nobody said


def _anchor(page: str) -> str:
    return page.removeprefix("book/").replace("/", ".")


def _title_page(site: Path, config: dict[str, Any], title: str) -> str:
    said = json.loads((site / SNAPSHOT).read_text(encoding="utf-8"))
    as_of = f"<p>Data as of {said['as_of']}</p>" if said.get("as_of") else ""
    return (
        f'<section class="title-page"><h1>{html.escape(config["title"])}</h1><p>{html.escape(title)}</p>'
        f"<p>{html.escape(config['author'])}</p><p>Version {__version__}</p>{as_of}</section>"
    )


def _contents(chapters: list[_Chapter]) -> str:
    lines, part = [], ""
    for chapter in chapters:
        if chapter.part != part:
            lines.append(f"<li><strong>{html.escape(chapter.part)}</strong></li>")
            part = chapter.part
        lines.append(f'<li><a href="#{_anchor(chapter.page)}">{html.escape(chapter.title)}</a></li>')
    return f'<nav class="book-contents"><h1>Contents</h1><ol>{"".join(lines)}</ol></nav>'


def pages_of(pdf: Path) -> int:
    """Number of pages of a PDF that `make_pdf` wrote."""
    return len(re.findall(rb"/Type\s*/Page\b", pdf.read_bytes()))
