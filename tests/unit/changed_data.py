"""Data folders with something changed in them."""

from __future__ import annotations

import csv
from pathlib import Path


def set_cell(folder: Path, table: str, key: str, column: str, value: str) -> None:
    """Change one cell: the row whose first column is ``key``."""
    path = folder / f"{table}.csv"
    rows = list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))
    first = next(iter(rows[0]))
    for row in rows:
        if row[first] == key:
            row[column] = value
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
