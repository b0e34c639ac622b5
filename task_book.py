"""The pipeline of the book, for pytask: one task a page.

Contents decide what is stale, not time stamps: a page depends on its template, its parameters, the data that it
may read, the package's sources and the lock of its dependencies. ``pytask.lock`` holds the hashes and is committed,
so a fresh clone has no page to run. ``scoville build`` calls this and then builds the HTML; ``pytask`` alone brings
the pages up to date.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

from pytask import Product, PythonNode, task

import scoville
from scoville.book import BookPage, pages
from scoville.facts import load
from scoville.pages import make_page

ROOT = Path(__file__).resolve().parent
DATA = ROOT / "data"
PACKAGE = ROOT / "src" / "scoville"
if not PACKAGE.is_dir():  # an edition made elsewhere from other data uses the installed package
    PACKAGE = Path(scoville.__file__).parent
NOT_IN_PAGES = {
    "__main__.py",
    "answers.py",
    "cli.py",
    "editions.py",
    "html.py",
    "ingest",
    "pdf.py",
    "pipeline.py",
    "site",
}
SOURCES = [p for p in sorted(PACKAGE.rglob("*.py")) if p.relative_to(PACKAGE).parts[0] not in NOT_IN_PAGES]
TABLES = [*sorted(DATA.glob("*.csv")), *sorted(DATA.glob("editions/*.json")), DATA / "caveats.yml"]
RUNS = [path for kept in ("runs", "predictions") for path in sorted((DATA / kept).rglob("*.csv"))]
SHARED = [*TABLES, *RUNS, ROOT / "requirements.lock", *SOURCES]


def inputs(page: BookPage) -> list[Path]:
    """Every file that a page is made from."""
    points = [path for folder in page.reads for path in sorted((DATA / "points" / folder).glob("*.csv"))]
    return [ROOT / "notebooks" / f"{page.template}.ipynb", *points, *SHARED]


def fixed(value: dict[str, str]) -> PythonNode:
    """Plain values whose content counts: pytask does not look into arguments by itself."""
    return PythonNode(value=json.dumps(value), hash=True)


for page in pages(load(DATA)):

    @task(
        id=page.output,
        kwargs={
            "template": ROOT / "notebooks" / f"{page.template}.ipynb",
            "output": ROOT / "book" / f"{page.output}.ipynb",
            "parameters": fixed(page.parameters),
            "title": fixed({"title": page.title}),
            "inputs": inputs(page),
        },
    )
    def make(template: Path, output: Annotated[Path, Product], parameters: str, title: str, inputs: list[Path]) -> None:
        """Make one page; ``inputs`` is named only so that pytask watches it."""
        del inputs
        make_page(template, output, json.loads(parameters), json.loads(title)["title"])
