"""What changed between the editions of the book, from the snapshots kept in ``data/editions``."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import pandas as pd

from scoville.difference import Change, Difference, difference, kept_editions, snapshot
from scoville.facts import load
from scoville.paths import data_folder
from scoville.report.page import Html, Page
from scoville.tabulate import Column, Table, figures

_KINDS = {
    "claims": "Verdict",
    "ratios": "Ratio",
    "moved": "Point moved",
    "added": "Point added",
    "gone": "Point gone",
}
_MOST = 40
"""Rows of one kind that the table lists; the rest are counted. ``scoville diff`` lists all."""


@dataclass(frozen=True)
class ChangesPage(Page):
    """What changed from edition to edition."""

    def changes(self) -> Html:
        """One table for each edition, the newest first."""
        kept = kept_editions(self.facts.folder)
        editions = [*kept.items(), ("this one", snapshot(self.facts))]
        if len(editions) == 1:
            return Html("<p>This is the first edition: there is none before it to compare with.</p>", "first edition")
        parts = []
        for (before, old), (after, new) in pairwise(editions):
            found = difference(old, new)
            heading = f"<h2>From {before} to {after}</h2>"
            parts.append(heading + (self._table(found)._repr_html_() if found else "<p>Nothing changed.</p>"))
        return Html("".join(reversed(parts)), f"{len(parts)} comparisons of editions")

    def _table(self, found: Difference) -> Table:
        rows = []
        for kind, label in _KINDS.items():
            changes: list[Change] = getattr(found, kind)
            rows += [_row(label, change) for change in changes[:_MOST]]
            if len(changes) > _MOST:
                rows.append({"kind": label, "what": f"and {len(changes) - _MOST} more"})
        columns = {
            "kind": Column("Kind"),
            "what": Column("What"),
            "old": Column("Was"),
            "new": Column("Is"),
            "by": figures("Moved by", lambda v: "–" if v is None or pd.isna(v) else f"{v:+.2%}"),
        }
        return Table(pd.DataFrame(rows, columns=list(columns)), columns, "Claims, ratios and points that changed")


def _row(label: str, change: Change) -> dict[str, Any]:
    what = f"{change.what} {change.column}".rstrip()
    return {"kind": label, "what": what, "old": change.old, "new": change.new, "by": change.relative}


def changes_page(data_dir: str, root: str = "") -> ChangesPage:
    """What changed from edition to edition.

    Args:
        data_dir: data folder; a relative path starts at the project's root.
        root: relative address of the book's folder.

    Raises:
        InputError: when the data are wrong.
    """
    return ChangesPage(load(data_folder(data_dir)), root)
