"""Pages of the built book opened in a browser, and what went wrong on the way."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import yaml

from scoville.site.mime import MIME

ROOT = Path(__file__).resolve().parents[2]

TOC = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
PAGES = [
    file.removeprefix("book/")
    for file in [TOC["root"], *(chapter["file"] for part in TOC["parts"] for chapter in part["chapters"])]
]


def charts_of(name: str) -> int:
    """How many charts the executed notebook of a page holds."""
    path = ROOT / "book" / f"{name}.ipynb"
    return path.read_text(encoding="utf-8").count(f'"{MIME}": {{') if path.is_file() else 0


CHARTS = {name: charts_of(name) for name in PAGES if charts_of(name)}


class Visit:
    """A page opened in the browser, and everything that went wrong on the way."""

    def __init__(self, browser: Any, address: str, **options: Any) -> None:
        self.faults: list[str] = []
        self.context = browser.new_context(**options)
        self.page = self.context.new_page()
        self.page.on("console", lambda m: self.faults.append(m.text) if m.type in ("error", "warning") else None)
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("requestfailed", lambda r: self.faults.append(f"failed: {r.url}"))
        own = re.split(r"/book/|/search\.html", address)[0]
        self.page.on(
            "request", lambda r: None if r.url.startswith((own, "data:", "blob:")) else self.faults.append(r.url)
        )
        self.page.goto(address)

    def scroll_through(self) -> None:
        """Bring every chart into view, as a reader does, and wait until it is drawn."""
        for frame in self.page.query_selector_all(".chart-frame"):
            frame.scroll_into_view_if_needed()
        self.page.wait_for_function("!document.querySelector('.chart-frame:not(.is-live)')")

    def resize(self, width: int) -> None:
        """Make the window another width and wait until every chart fits its place."""
        self.page.set_viewport_size({"width": width, "height": 900})
        self.page.wait_for_function(
            """() => [...document.querySelectorAll('.chart-live')].every((stage) =>
                 Math.abs(stage.clientWidth - stage.querySelector('svg.marks').getBoundingClientRect().width) <= 1)"""
        )

    def __enter__(self) -> Visit:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.context.close()
