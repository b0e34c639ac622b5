"""What a link to a page shows elsewhere: title, description and a picture, made while the book is built.

The description is the page's first finding. It stands in the output of a cell, where sphinxext-opengraph, which reads
prose, does not find it; and that draws its cards with matplotlib, which this book needs for nothing else.
"""

from __future__ import annotations

import html
import re
import textwrap
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bs4 import BeautifulSoup

from scoville.site.executed import cells_of
from scoville.site.mime import MIME, STATIC_WIDTH, static_svg

LONGEST = 200
"""Characters of a description."""
_LONGEST_ALT = 420
WIDTH, HEIGHT = 1200, 630
"""Pixels of a picture, as the networks that show it ask for."""
FOLDER = "_previews"

_FINDINGS = ("finding", "summary")
"""Ids of the cells that say what a page found."""
_SENTENCE_ENDS = re.compile(r"(?<=[.?!])(?<!vs\.)\s+")
_MARGIN, _TEXT, _SITE = 60, "#222832", "#1A8A5F"
_DRAWN = 420
"""Width in pixels that a chart is drawn at before it is enlarged to its place in the picture."""
_LETTER = 0.55
"""Width of a letter in a bold sans-serif, on average and on the safe side, as a share of the font's size."""


@dataclass(frozen=True)
class Preview:
    """What is shown where somebody links to a page.

    Attributes:
        title: of the page.
        description: one or two whole sentences, at most `LONGEST` characters; it ends in … where not even the first
            sentence is that short.
        chart: specification of the page's first chart; None where it has none.
    """

    title: str
    description: str
    chart: dict[str, Any] | None = None

    @property
    def alt(self) -> str:
        """What the picture shows, in words, as long as the networks take them."""
        described = "" if self.chart is None else str(self.chart.get("description", ""))
        return textwrap.shorten(
            described or f"The words: {self.title}. {self.description}", _LONGEST_ALT, placeholder=" …"
        )


def preview(title: str, first_paragraph: str, notebook: Path) -> Preview:
    """The preview of a page.

    Args:
        title: of the page.
        first_paragraph: what the page begins with, for one without a finding of its own.
        notebook: the executed page; need not exist.
    """
    shown = [(cell.id, out.data) for cell in cells_of(notebook) for out in cell.get("outputs", []) if "data" in out]
    findings = [str(data["text/html"]) for cell, data in shown if cell in _FINDINGS and "text/html" in data]
    chart = next((data[MIME] for _, data in shown if MIME in data), None)
    told = _first_paragraph(findings[0]) if findings else first_paragraph
    return Preview(title, _described(told, _heading(chart)), chart)


def _first_paragraph(markup: str) -> str:
    soup = BeautifulSoup(markup, "html.parser")
    return (soup.p or soup).get_text()


def _heading(chart: dict[str, Any] | None) -> str:
    title = "" if chart is None else chart.get("title", "")
    return title if isinstance(title, str) else " ".join(title)


def _described(text: str, instead: str) -> str:
    """The whole sentences that ``text`` begins with, or ``instead`` where it begins with a long one."""
    text = re.sub(":$", ".", " ".join(text.split()))
    ends = [m.start() for m in _SENTENCE_ENDS.finditer(text)] + [len(text)]
    within = [end for end in ends if end <= LONGEST]
    if within:
        return text[: within[-1]]
    if instead and len(instead) <= LONGEST:
        return instead
    return textwrap.shorten(text, LONGEST, placeholder=" …")


def tags(found: Preview, page: str, site: str, base: str) -> str:
    """Elements for the head of a page.

    Args:
        found: its preview.
        page: its name, as in ``book/claims``.
        site: name of the site.
        base: address of the site. Empty where it is not known: then what needs an address is left out.
    """
    named = {
        "og:site_name": site,
        "og:type": "article",
        "og:title": found.title,
        "og:description": found.description,
    }
    if base:
        address = base.rstrip("/")
        named |= {
            "og:url": f"{address}/{page}.html",
            "og:image": f"{address}/{FOLDER}/{page}.png",
            "og:image:type": "image/png",
            "og:image:width": str(WIDTH),
            "og:image:height": str(HEIGHT),
            "og:image:alt": found.alt,
        }
    lines = [("name", "description", found.description), *(("property", k, v) for k, v in named.items())]
    lines.append(("name", "twitter:card", "summary_large_image" if base else "summary"))
    return "".join(f'\n    <meta {kind}="{k}" content="{html.escape(v, quote=True)}" />' for kind, k, v in lines)


def picture(found: Preview, site: str) -> bytes:
    """A PNG of `WIDTH` by `HEIGHT` pixels: the finding, and the page's first chart beside it."""
    import vl_convert  # noqa: PLC0415 - only a build needs it

    png: bytes = vl_convert.svg_to_png(card(found, site))
    return png


def card(found: Preview, site: str) -> str:
    """The picture as SVG."""
    room = WIDTH - 2 * _MARGIN
    words = room if found.chart is None else int(0.38 * room)
    headline = _heading(found.chart) or found.description
    parts = [
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
        f'<rect width="{WIDTH}" height="12" fill="{_SITE}"/>',
        _text([site], _MARGIN, 90, 28, _SITE, "bold"),
    ]
    y = 155
    for text, colour, weight, size in ((found.title, _TEXT, "bold", 44), (headline, "#4a4a4a", "normal", 32)):
        lines = textwrap.wrap(text, int(words / (size * _LETTER)))
        parts.append(_text(lines[: _lines_left(y, size)], _MARGIN, y, size, colour, weight))
        y += int(len(lines) * size * 1.25) + 16
    if found.chart is not None:
        left = _MARGIN + words + 40
        parts.append(_placed(static_svg(_narrow(found.chart), "light"), left, 50, WIDTH - 30 - left, HEIGHT - 80))
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}">{"".join(parts)}</svg>'


def _narrow(chart: dict[str, Any]) -> dict[str, Any]:
    """The chart without its title, which stands beside it, and drawn so small that its words stay readable."""
    usermeta = chart.get("usermeta", {})
    width = min(usermeta.get("static_width", STATIC_WIDTH), _DRAWN)
    untitled = {key: value for key, value in chart.items() if key != "title"}
    return untitled | {"usermeta": usermeta | {"static_width": width}}


def _lines_left(y: int, size: int) -> int:
    return max(0, int((HEIGHT - 20 - y) / (size * 1.25)) + 1)


def _text(lines: list[str], x: int, y: int, size: int, colour: str, weight: str) -> str:
    spans = "".join(
        f'<tspan x="{x}" y="{y + int(i * size * 1.25)}">{html.escape(line)}</tspan>' for i, line in enumerate(lines)
    )
    style = f'font-family="Liberation Sans, Arial, sans-serif" font-size="{size}" font-weight="{weight}"'
    return f'<text {style} fill="{colour}">{spans}</text>'


def _placed(svg: str, x: int, y: int, width: int, height: int) -> str:
    """A drawing in a box, as large as it fits."""
    head, rest = svg.split(">", 1)
    head = re.sub(r'\s(?:width|height|x|y)="[^"]*"', "", head)
    return f'{head} x="{x}" y="{y}" width="{width}" height="{height}" preserveAspectRatio="xMidYMid meet">{rest}'
