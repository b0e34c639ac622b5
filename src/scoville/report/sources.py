"""Sources, systems, and what each class of evidence means; and the data dictionary."""

from __future__ import annotations

import html
from collections import Counter
from dataclasses import dataclass
from typing import Any

import pandas as pd

from scoville import tables
from scoville.facts import load
from scoville.metrics import watts
from scoville.paths import data_folder
from scoville.report.page import Html, Page, detail
from scoville.tabulate import Column, Table, figures, markup, number, significant, span, text
from scoville.words import pair


@dataclass(frozen=True)
class SourcesPage(Page):
    """Sources, systems and evidence."""

    def ladder(self) -> Table:
        """The classes of evidence, with what the data hold of each."""
        rows = Counter(self.facts.points["evidence"])
        systems = self.facts.points.groupby("evidence")["system"].unique()
        frame = pd.DataFrame(
            {
                "evidence": list(tables.EVIDENCE),
                "meaning": list(tables.EVIDENCE.values()),
                "rows": [rows.get(e, 0) for e in tables.EVIDENCE],
                "systems": [
                    ", ".join(sorted(self.names[s] for s in systems[e])) if e in systems else "–"
                    for e in tables.EVIDENCE
                ],
            }
        )
        columns = {
            "evidence": Column("Class"),
            "meaning": Column("Meaning"),
            "rows": figures("Operating points in this book", number()),
            "systems": Column("Systems"),
        }
        return Table(frame, columns, "Classes of evidence, from the maker’s word upwards")

    def sources(self) -> Table:
        """Every source, with what rests on it."""
        facts = self.facts
        rows = Counter(facts.points["source_id"])
        predicted = Counter(facts.predictions["source_id"])
        claims = Counter(facts.claims["source_id"])
        frame = facts.sources.reset_index()
        frame = frame.assign(
            title=[
                _source_title(r)
                + detail("" if isinstance(r["url"], str) else "no public address recorded")
                + detail(" ".join(text(r[k]) for k in ("note", "attribution") if text(r[k])))
                for r in frame.to_dict("records")
            ],
            holds=[_holds(rows.get(s, 0), claims.get(s, 0), predicted.get(s, 0)) for s in frame["source_id"]],
        )
        columns = {
            "title": Column("Source", markup),
            "publisher": Column("Publisher"),
            "published": Column("Published"),
            "evidence": Column("Evidence"),
            "holds": Column("In this book"),
        }
        return Table(frame, columns, "Every document and data set a number can come from", row_ids="source_id")

    def systems(self) -> Table:
        """The systems, with ratings, memory and the confidence in each."""
        frame = self.facts.systems.reset_index()
        frame = frame.assign(
            name=[text(r["name"]) + detail(text(r["note"])) for _, r in frame.iterrows()],
            rating=[
                number()(r["package_power_w"])
                + detail("" if pd.isna(r["package_power_other_w"]) else f"also {number()(r['package_power_other_w'])}")
                + detail(text(r["power_confidence"]))
                for _, r in frame.iterrows()
            ],
            all_in=[
                span(0)(pair(watts(r, "all-in"))) + detail(text(r["all_in_confidence"])) for _, r in frame.iterrows()
            ],
            memory=[
                f"{text(r['memory_type'])}, {number()(r['memory_gb'])} GB"
                + detail(f"{significant(3)(r['memory_bandwidth_tb_s'])} TB/s")
                for _, r in frame.iterrows()
            ],
            compute=[
                " / ".join(significant(3)(r[c]) for c in ("fp4_dense_pflops", "fp8_dense_pflops"))
                + detail(text(r["specs_confidence"]))
                for _, r in frame.iterrows()
            ],
            source=[self.source_link(s) if isinstance(s, str) else "–" for s in frame["power_source_id"]],
        )
        columns = {
            "name": Column("System", markup),
            "vendor": Column("Vendor"),
            "rating": Column("Rating, W, and confidence", markup, numeric=True),
            "all_in": Column("All-in, W, and confidence", markup, numeric=True),
            "memory": Column("Memory", markup),
            "compute": Column("FP4 / FP8, PFLOP/s, and confidence", markup, numeric=True),
            "source": Column("Source of the rating", markup),
        }
        return Table(frame, columns, "Systems, as published, with the confidence in each group of figures")

    def dictionary(self) -> Html:
        """Every column of every table."""
        parts = []
        for table in tables.TABLES:
            rows = [
                {"column": name, "unit": table.unit(name), "kind": table.kind(name), "meaning": column.description}
                for name, column in table.columns.items()
            ]
            columns = {
                "column": Column("Column"),
                "kind": Column("Kind"),
                "unit": Column("Unit"),
                "meaning": Column("Meaning"),
            }
            shown = Table(pd.DataFrame(rows), columns, f"{table.name}: {table.description}")
            parts.append(f'<section id="table-{table.name}">{shown._repr_html_()}</section>')
        return Html("".join(parts), f"{len(tables.TABLES)} tables")


def sources_page(data_dir: str, root: str = "") -> SourcesPage:
    """Sources, systems and evidence.

    Args:
        data_dir: data folder; a relative path starts at the project's root.
        root: relative address of the book's folder.

    Raises:
        InputError: when the data are wrong.
    """
    return SourcesPage(load(data_folder(data_dir)), root)


def _source_title(row: dict[str, Any]) -> str:
    title = html.escape(row["title"])
    return f'<a href="{html.escape(row["url"], quote=True)}">{title}</a>' if isinstance(row["url"], str) else title


def _holds(rows: int, claims: int, predicted: int) -> str:
    counts = {"operating points": rows, "claims": claims, "modelled points": predicted}
    parts = [f"{count} {what}" if count else "" for what, count in counts.items()]
    return ", ".join(p for p in parts if p) or "specifications"
