"""The tables of a page as CSV files beside it."""

from __future__ import annotations

import html
from collections.abc import Callable
from pathlib import Path

from scoville.site.executed import cells_of
from scoville.tabulate import CSV_PLACE

FOLDER = "tables"
MIME = "text/csv"


def tables_of(notebook: Path) -> dict[str, str]:
    """The CSV of every table in an executed notebook, by the id of its cell, in order."""
    found: dict[str, str] = {}
    for cell in cells_of(notebook):
        made = [o["data"][MIME] for o in cell.get("outputs", []) if MIME in o.get("data", {})]
        for place, text in enumerate(made):
            found[cell["id"] if len(made) == 1 else f"{cell['id']}-{place + 1}"] = text
    return found


def linked(body: str, page: str, tables: dict[str, str], address: Callable[[str], str]) -> str:
    """The body of a page with a link to its CSV beside each table.

    Args:
        body: HTML with `tabulate.CSV_PLACE` after each table.
        page: name of the page.
        tables: as `tables_of` gives them.
        address: from a place in the site to an address on the page.

    Raises:
        ValueError: when the page shows more or fewer tables than its notebook holds.
    """
    first, *rest = body.split(CSV_PLACE)
    if len(rest) != len(tables):
        raise ValueError(f"{page} shows {len(rest)} tables, and its notebook holds {len(tables)}")
    parts = [first]
    for name, after in zip(tables, rest, strict=True):
        link = html.escape(address(f"{FOLDER}/{page}/{name}.csv"), quote=True)
        parts.append(f'<p class="table-csv"><a href="{link}" download>Download as CSV</a></p>{after}')
    return "".join(parts)


def write(outdir: Path, page: str, tables: dict[str, str]) -> None:
    """Put the files into the site; with a byte order mark, because spreadsheets read them as something else without."""
    for name, text in tables.items():
        path = outdir / FOLDER / page / f"{name}.csv"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8-sig", newline="")
