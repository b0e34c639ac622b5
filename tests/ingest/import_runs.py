"""A run of ``scoville import`` in a test, and what it did."""

from __future__ import annotations

import csv
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Imported:
    """What a run of the command did.

    Attributes:
        status: its exit status.
        output: what it printed on both streams.
        report: its report; empty when it wrote none.
        folder: the data folder.
    """

    status: int
    output: str
    report: dict[str, Any]
    folder: Path

    @property
    def rows(self) -> list[dict[str, str]]:
        """All operating points in the folder, as text."""
        files = sorted((self.folder / "points").rglob("*.csv"))
        return [row for file in files for row in read_csv(file)]

    @property
    def file(self) -> dict[str, Any]:
        """The one file of the report."""
        (only,) = self.report["files"]
        return dict(only)

    def refusals(self) -> list[str]:
        """Findings of the one file as ``action field: reason``."""
        return [f"{r['action']} {r['field']}: {r['reason']}" for r in self.file["refusals"]]

    def table(self, name: str) -> list[dict[str, str]]:
        """A table of the folder."""
        return read_csv(self.folder / f"{name}.csv")


def read_csv(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


Bring = Callable[..., Imported]
