"""Data folders with something changed in them."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

Row = dict[str, str]


def read(path: Path) -> list[Row]:
    """The rows of a table, as text."""
    return list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))


def write(path: Path, rows: list[Row], columns: list[str] | None = None) -> None:
    """Write rows as a table; ``columns`` where there may be no row to take them from."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, columns or list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def edit(path: Path, change: Callable[[Row], Row | None]) -> int:
    """Change or drop (None) every row of a table; how many were."""
    rows = read(path)
    changed = [change(dict(row)) for row in rows]
    write(path, [row for row in changed if row is not None], list(rows[0]))
    return sum(a != b for a, b in zip(rows, changed, strict=True))


def edit_where(path: Path, where: Row, values: Row) -> int:
    """Give the rows that hold all of ``where`` other values; how many changed."""
    return edit(path, lambda row: row | values if where.items() <= row.items() else row)


def edit_points(folder: Path, change: Callable[[Row], Row | None]) -> int:
    """The same for every table of operating points."""
    return sum(edit(path, change) for path in (folder / "points").rglob("*.csv"))


def set_cell(folder: Path, table: str, key: str, column: str, value: str) -> None:
    """Change one cell: the row whose first column is ``key``."""
    edit(folder / f"{table}.csv", lambda row: row | {column: value} if next(iter(row.values())) == key else row)
