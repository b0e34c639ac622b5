"""The published folder holds what pages use, all of it, and little else."""

from __future__ import annotations

import gzip
import re
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urldefrag

import pytest
from bs4 import BeautifulSoup

LICENCES = "*.LICENSE.txt"
BY_SCRIPTS = {"charts.js": "vega-bundle.js", "doctools.js": "plus.png minus.png"}
"""Files of ``_static`` that a script names, not a page or a style sheet."""
LIGHTEST = 150_000  # bytes of a page's HTML, gzipped


def local(address: str) -> str:
    return unquote(urldefrag(address)[0].partition("?")[0])


def named_by_pages(site: Path, soups: dict[str, BeautifulSoup]) -> set[Path]:
    """Every file that an element of a page points to."""
    found = set()
    for name, soup in soups.items():
        for attribute in ("href", "src"):
            for tag in soup.find_all(attrs={attribute: True}):
                address = str(tag[attribute])
                if not re.match(r"[a-z]+:", address) and local(address):
                    found.add(((site / name).parent / local(address)).resolve())
    return found


def named_by_styles(sheet: Path) -> set[Path]:
    text = sheet.read_text(encoding="utf-8")
    named = re.findall(r"""url\(["']?([^"')]+)["']?\)|@import\s+["']([^"']+)["']""", text)
    addresses = [a or b for a, b in named]
    return {(sheet.parent / local(a)).resolve() for a in addresses if not a.startswith("data:")}


def test_every_file_that_a_page_points_to_is_there(site: Path, soups: dict[str, BeautifulSoup]) -> None:
    missing = {str(p) for p in named_by_pages(site, soups) if not p.exists()}
    assert missing == set()


def test_a_style_sheet_misses_only_fonts_that_it_has_in_another_format(site: Path) -> None:
    for sheet in site.rglob("*.css"):
        for path in named_by_styles(sheet):
            if not path.exists():
                assert path.suffix == ".ttf", (sheet, path)
                assert path.with_suffix(".woff2").is_file(), path


def test_nothing_lies_in_the_static_folder_that_nothing_names(site: Path, soups: dict[str, BeautifulSoup]) -> None:
    static = site.resolve() / "_static"
    used = {p for p in named_by_pages(site, soups) if p.is_relative_to(static)}
    for sheet in static.rglob("*.css"):  # those that others import are named by these
        used |= named_by_styles(sheet)
    for script, files in BY_SCRIPTS.items():
        text = (static / script).read_text(encoding="utf-8")
        assert all(file in text for file in files.split()), script
        used |= {static / file for file in files.split()}
    idle = {p for p in static.rglob("*") if p.is_file() and not p.match(LICENCES)} - used
    assert {str(p.relative_to(static)) for p in idle} == set()


def test_a_pages_html_is_light(site: Path) -> None:
    sizes = {str(p.relative_to(site)): len(gzip.compress(p.read_bytes(), 6)) for p in site.rglob("*.html")}
    assert {name: size for name, size in sizes.items() if size >= LIGHTEST} == {}


def test_what_every_page_loads_is_light(browser: Any, site: Path) -> None:
    """Everything that a browser fetches for a page without charts, as a server would send it."""
    loaded = {}
    page = browser.new_page()
    page.on("requestfailed", lambda request: loaded.update({f"failed: {request.url}": 0}))
    page.on("requestfinished", lambda request: loaded.update({request.url: 0}))
    page.goto((site / "book/methods.html").as_uri())
    page.evaluate("document.fonts.ready")
    page.wait_for_load_state("networkidle")
    page.close()
    assert not [address for address in loaded if not address.startswith(site.as_uri())]
    files = [Path(unquote(local(a).removeprefix("file://"))) for a in loaded]
    sent = sum(len(p.read_bytes() if p.suffix in (".woff2", ".png") else gzip.compress(p.read_bytes())) for p in files)
    assert sent < 330_000, sorted((p.stat().st_size, p.name) for p in files)


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_icons_are_drawn_from_the_fonts_that_are_there(browser: Any, site: Path, mode: str) -> None:
    context = browser.new_context(viewport={"width": 1440, "height": 900}, color_scheme=mode)
    page = context.new_page()
    page.goto((site / "book/methods.html").as_uri())
    page.evaluate("document.fonts.ready")
    assert page.evaluate("document.fonts.check('900 16px \"Font Awesome 6 Free\"')")
    icons = page.evaluate(
        """[...document.querySelectorAll("[class*='fa-']")].filter((i) => i.checkVisibility()).map((i) => ({
             font: getComputedStyle(i, "::before").fontFamily, glyph: getComputedStyle(i, "::before").content,
             wide: i.getBoundingClientRect().width }))"""
    )
    assert len(icons) >= 4
    for icon in icons:
        assert "Font Awesome 6 Free" in icon["font"], icon
        assert len(icon["glyph"].strip('"')) == 1, icon
        assert icon["wide"] > 4, icon
    switch = page.locator(".theme-switch-button .theme-switch")
    assert sum(switch.nth(n).is_visible() for n in range(switch.count())) == 1  # that of the mode
    context.close()
