"""Ratings against draw: the rows with measured watts. Part of the chapter on the power basis."""

from __future__ import annotations

import html
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

import altair as alt
import pandas as pd

from scoville import charts
from scoville.book import questions
from scoville.compare import DECODING, Comparison, Line, Question, line
from scoville.report.page import Gallery, Html, Page, detail
from scoville.tabulate import Column, Table, figures, markup, number, sources, span
from scoville.words import counted, listed, percent


def how(row: pd.Series) -> str:
    """Whether the source read the watts of a row, or they are implied by energy per token and throughput."""
    return "read" if row["read"] else "implied"


_FALL = 0.05
"""Watts that are lower by more than this at the highest load than at the lowest are doubtful."""
_IMPLIED = "power implied"
"""Words in a row's note by which its watts follow from its energy per token; without them the source read them."""


@dataclass(frozen=True)
class DrawPage(Page):
    """What public rows drew, as a share of the package rating."""

    @cached_property
    def draw(self) -> pd.DataFrame:
        """Every row with measured watts, a rating and a known load.

        Returns:
            The columns of `charts.share_of_rating`, ``key`` (of the model), ``system`` (key), ``decoding``, ``chips``,
            ``tok_s`` (mixed tok/s per chip) and ``source_id``.
        """
        points = self.facts.points
        rows = points[points["chip_power_mean_w"].notna()]
        rating = rows["system"].map(self.facts.systems["package_power_w"]).dropna()
        rows = rows.loc[rating.index]
        parts = [rows["parallelism"], rows["engine"], rows["precision"].str.upper()]
        return (
            pd.DataFrame(
                {
                    "key": rows["model"],
                    "model": rows["model"].map(self.facts.models["name"]),
                    "system": rows["system"],
                    "name": rows["system"].map(self.names),
                    "configuration": [
                        ", ".join(p for p in known if isinstance(p, str)) for known in zip(*parts, strict=True)
                    ],
                    "decoding": rows["speculation"].map(lambda s: DECODING.get(s, s)),
                    "multi": rows["speculation"] != "none",
                    "concurrency": rows["concurrency"],
                    "chips": rows["chips"],
                    "load": rows["concurrency"] / rows["chips"],
                    "tok_s": rows["total_tok_s_per_chip"],
                    "watts": rows["chip_power_mean_w"],
                    "share": rows["chip_power_mean_w"] / rating,
                    "read": ~rows["statistic_note"].fillna("").str.contains(_IMPLIED),
                    "evidence": rows["evidence"],
                    "source_id": rows["source_id"],
                    "source_title": rows["source_title"],
                    "address": rows["address"],
                }
            )
            .dropna(subset=["load"])
            .sort_values(["system", "model", "configuration", "multi", "load"])
        )

    @property
    def _most_measured(self) -> pd.DataFrame:
        return self.draw[self.draw["system"] == self.draw["system"].value_counts().idxmax()]

    @property
    def extremes(self) -> tuple[pd.Series, pd.Series] | None:
        """Rows with the lowest and highest share of the rating, of the system with most measured rows."""
        if self.draw.empty:
            return None
        rows = self._most_measured
        return rows.loc[rows["share"].idxmin()], rows.loc[rows["share"].idxmax()]

    @property
    def widest(self) -> pd.DataFrame | None:
        """Rows of the one configuration of that system whose share of the rating varies most with load."""
        if self.draw.empty:
            return None
        groups = [g for _, g in self._most_measured.groupby(["model", "configuration", "multi"]) if len(g) > 1]
        return max(groups, key=lambda g: g["share"].max() - g["share"].min(), default=None)

    def tops(self, model: str, vendor: str) -> list[pd.Series]:
        """The single-token row of highest throughput with watts, of each system of a vendor."""
        mine = self.draw[(self.draw["key"] == model) & ~self.draw["multi"]]
        mine = mine[mine["system"].map(self.facts.systems["vendor"]) == vendor]
        return [rows.loc[rows["tok_s"].idxmax()] for _, rows in mine.groupby("name", sort=False)]

    def shares(self) -> Gallery:
        """Share of the rating against load: the system with most measured rows, and all others."""
        charts.use_renderer()
        if self.extremes is None:
            return Gallery([])
        low, high = self.extremes
        mine, others = (
            self.draw[same] for same in (self.draw["system"] == low["system"], self.draw["system"] != low["system"])
        )
        title = (
            f"{low['name']} draws from {percent(low['share'])} of its rating at {low['load']:.3g} requests per chip "
            f"({how(low)}) to {percent(high['share'])} at {high['load']:.3g} ({how(high)})"
        )
        marked = pd.DataFrame([row.to_dict() | {"label": row["model"]} for row in (low, high)])
        made = [self._share_chart(mine, marked, title)]
        if len(others):
            above = others[others["share"] > 1]
            told = f"Other systems: from {percent(others['share'].min())} of the rating"
            if len(above):
                told += f"; {len(above)} of {len(others)} rows come out above it"
                told += "" if above["read"].any() else ", all of them implied"
            ends = [rows.loc[rows["load"].idxmax()] for _, rows in others.groupby("system")]
            made.append(
                self._share_chart(others, pd.DataFrame([e.to_dict() | {"label": e["name"]} for e in ends]), told)
            )
        return Gallery(made)

    def _share_chart(self, rows: pd.DataFrame, marked: pd.DataFrame, title: str) -> alt.TopLevelMixin:
        kept = ["name", "model", "configuration", "concurrency", "load", "watts", "share", "read", "multi"]
        kept += ["evidence", "source_title", "address"]
        return charts.share_of_rating(
            rows[kept].round({"load": 4, "watts": 2, "share": 4}),
            dict(zip(rows["name"], rows["system"], strict=True)),
            marked[["name", "load", "share", "label"]],
            title=title,
            subtitle=(
                "Each mark is one public row; lines join a configuration, dash-dotted where multi-token. Ringed: the "
                "source read the watts; the others are implied by energy per token."
            ),
            source=self.sources_told(rows["source_id"]),
        )

    def share_rows(self) -> Table:
        """The rows of these charts."""
        rows = self.draw.assign(
            how=self.draw["read"].map({True: "read", False: "implied"}),
            percent=self.draw["share"] * 100,
            evidence=[html.escape(r["evidence"]) + detail(self.row_link(r)) for r in self.draw.to_dict("records")],
        )
        columns = {
            "name": Column("System"),
            "model": Column("Model"),
            "configuration": Column("Configuration"),
            "decoding": Column("Decoding"),
            "concurrency": figures("Concurrency", number()),
            "chips": figures("Chips", number()),
            "load": figures("Requests per chip", number(2)),
            "watts": figures("Mean W per chip", number(0)),
            "percent": figures("Share of rating", number(1, " %")),
            "how": Column("Watts are"),
            "evidence": Column("Evidence and source", markup),
        }
        return Table(rows, columns, f"Data of these charts: {len(rows)} rows", folded=True)

    @cached_property
    def _pairs(self) -> list[dict[str, Any]]:
        return [row for question in questions(self.facts) for row in self._pairs_of(question.model)]

    def measured_finding(self) -> Html:
        """What the step from rated to measured kW does to the pairs that allow it, doubtful watts aside."""
        rows = [row for row in self._pairs if not row["doubt"]]
        if not rows:
            told = "No two systems have rows with measured watts for one model that stay within the ratings."
            return Html(f"<p>{told}</p>", "no measured pair")
        moved = max(rows, key=lambda row: max(row["measured"] / row["rated"], row["rated"] / row["measured"]))
        turned = [row for row in rows if (row["rated"] < 1) != (row["measured"] < 1)]

        def told_of(row: dict[str, Any]) -> str:
            ratios = f"{row['rated']:.2f}× per rated kW and {row['measured']:.2f}× per measured kW"
            return f"{row['pair']} on {row['model']} is {ratios} (draw {row['shares']} of the ratings)"

        here = self.draw[self.draw["key"].isin([question.model for question in questions(self.facts)])]
        kind = "watts" if here["read"].any() else "implied watts"
        order = ", and turns their order" if moved in turned else ""
        parts = [
            f"Among rows that hold {kind}, {counted(len(rows), 'pair')} of systems can be compared without doubts",
            "about these. Between the rows of highest throughput the step from rated to measured kW moves one most"
            f"{order}: {told_of(moved)}.",
        ]
        others = [row for row in turned if row is not moved]
        if others:
            parts.append(f"It turns the order of {'; '.join(map(told_of, others))}.")
        return Html(f"<p>{' '.join(parts)}</p>", "measured pairs")

    def measured_pairs(self) -> Table | Html:
        """What may be compared per measured kW: pairs of systems whose rows both hold watts."""
        rows = self._pairs
        if not rows:
            return Html("", "no measured pair")
        columns = {
            "model": Column("Model"),
            "pair": Column("Systems"),
            "known": Column("Rows with watts"),
            "rated": figures("Ratio per rated kW, rows of highest throughput among these", number(2, "×")),
            "shares": Column("Draw of these rows, share of rating", numeric=True),
            "measured": figures("The same rows per measured kW", number(2, "×")),
            "best": figures("Best rows per measured kW", number(2, "×")),
            "range": figures("Per measured kW at common speeds (linear)", span(2, "×")),
            "cubic": figures("(monotone cubic)", span(2, "×")),
            "speeds": figures("These speeds, tok/s/user", span(0)),
            "doubt": Column("Doubts about the watts"),
            "source": Column("Sources", sources),
        }
        caption = "Where both sides hold watts. Not the peaks of the systems: only single-token rows with watts count"
        return Table(pd.DataFrame(rows), columns, caption)

    def _pairs_of(self, model: str) -> list[dict[str, Any]]:
        lines = []
        for system in self.facts.systems.index.intersection(self.draw[self.draw["key"] == model]["system"]):
            try:
                lines.append(line(self.facts, model, str(system), "measured"))
            except LookupError:  # its measured rows are multi-token, or of another workload
                continue
        return [self._measured_pair(model, one, other) for other, one in combinations(lines, 2)]

    def _measured_pair(self, model: str, one: Line, other: Line) -> dict[str, Any]:
        sides = (one, other)
        asked = Question(model, one.system, other.system, "measured", "none")
        comparison = Comparison(asked, one, other)
        equal = comparison.at_equal_interactivity()
        rating = self.facts.systems["package_power_w"]
        tops = [s.counted.loc[s.counted["total_tok_s_per_chip"].idxmax()] for s in sides]
        rated, measured = (
            tops[0]["total_tok_s_per_chip"] / watts[0] / (tops[1]["total_tok_s_per_chip"] / watts[1])
            for watts in ([rating[s.system] for s in sides], [top["chip_power_mean_w"] for top in tops])
        )
        return {
            "model": self.model_name(model),
            "pair": f"{self.names[one.system]} over {self.names[other.system]}",
            "known": listed(f"{len(s.counted)} of {self._lined(model, s.system)}" for s in sides),
            "rated": rated,
            "measured": measured,
            "best": comparison.peak_ratio.low,
            "shares": listed(percent(top["chip_power_mean_w"] / rating[top["system"]]) for top in tops),
            "range": None if equal.empty else (equal["ratio_low"].min(), equal["ratio_high"].max()),
            "cubic": None if equal.empty else (equal["steffen_low"].min(), equal["steffen_high"].max()),
            "speeds": None if equal.empty else (equal["speed"].iloc[0], equal["speed"].iloc[-1]),
            "doubt": "; ".join(told for s in sides for told in self._doubts(model, s)),
            "source": self.row_links(*tops, *(s.peak for s in sides)),
        }

    def _lined(self, model: str, system: str) -> int:
        """How many configurations the system has on any basis."""
        return len(line(self.facts, model, system, "chip").counted)

    def _doubts(self, model: str, side: Line) -> list[str]:
        """What speaks against the watts of a line: more than the rating, or less where the load is higher."""
        name, rating = self.names[side.system], self.facts.systems.loc[side.system, "package_power_w"]
        told = []
        above = int((side.points["chip_power_mean_w"] > rating).sum())
        if above:
            told.append(f"{above} of {name} above the rating")
        mine = self.draw[(self.draw["key"] == model) & (self.draw["system"] == side.system) & ~self.draw["multi"]]
        falling = 0
        for _, rows in mine.groupby("configuration"):
            watts = rows.sort_values("load")["watts"]
            falling += bool(len(watts) > 1 and watts.iloc[-1] < (1 - _FALL) * watts.iloc[0])
        if falling:
            told.append(
                f"{counted(falling, 'configuration')} of {name} with less at the highest load than at the lowest"
            )
        return told
