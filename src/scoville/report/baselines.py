"""Chapter: choice of baseline. The same candidate against every other public line."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import altair as alt
import pandas as pd

from scoville import charts
from scoville.book import questions
from scoville.compare import DECODING, Comparison, Line, Question, candidate_line, every_line, spread
from scoville.facts import Facts, load
from scoville.paths import data_folder
from scoville.report.page import Gallery, Html, Page, line_evidence, points_table
from scoville.tabulate import Column, Table, figures, markup, number, sources, span
from scoville.units import Interval
from scoville.words import counted, listed, pair, times

BASIS = "package"


@dataclass(frozen=True)
class Rival:
    """One public line beside the candidate's.

    Attributes:
        question: the comparison.
        comparison: both lines.
        named: whether the primary document compares with it.
    """

    question: Question
    comparison: Comparison
    named: bool

    @property
    def line(self) -> Line:
        """The rival's line."""
        return self.comparison.baseline

    @property
    def at_candidates_peak(self) -> Interval | None:
        """Ratio at the candidate's own peak speed; None where the rival was not measured there."""
        return self.comparison.ratio_at(float(self.comparison.candidate.peak["speed"]))


def rivals_of(facts: Facts, question: Question, basis: str) -> list[Rival]:
    """Every public line of every other system for the model of a question, best peak first.

    Args:
        facts: the data folder.
        question: the model, the candidate, and the baseline that counts as named.
        basis: a key of `bases.BASES`; systems without watts on it are left out.
    """
    candidate = candidate_line(facts, replace(question, basis=basis))
    found = []
    for theirs in every_line(facts, question.model, basis):
        if theirs.system == question.candidate:
            continue
        asked = Question(question.model, question.candidate, theirs.system, basis, theirs.decoding)
        named = theirs.system == question.baseline and theirs.decoding == question.speculation
        found.append(Rival(asked, Comparison(asked, candidate, theirs), named))
    return sorted(found, key=lambda r: -spread(r.line.peak).high)


@dataclass(frozen=True)
class BaselinesPage(Page):
    """Choice of baseline."""

    title: ClassVar[str] = "Choice of baseline"

    @cached_property
    def rivals(self) -> dict[str, list[Rival]]:
        """Every line of every other system, by model, best peak first."""
        return {q.model: rivals_of(self.facts, q, BASIS) for q in questions(self.facts)}

    def named(self, model: str) -> Rival:
        """The line that the primary document compares with."""
        return next(r for r in self.rivals[model] if r.named)

    def best_nvidia(self, model: str) -> Rival:
        """The single-token line of NVIDIA with the highest peak."""
        vendor = self.facts.systems["vendor"]
        return next(
            r for r in self.rivals[model] if vendor[r.line.system] == "NVIDIA" and r.question.speculation == "none"
        )

    def finding(self) -> Html:
        """The finding, made from the rows."""
        models = list(self.rivals)
        if not models:
            return Html("<p>The data hold no comparison of the default candidate.</p>", "no comparison")
        own = [times(self.named(m).comparison.peak_ratio) for m in models]
        best = [self.best_nvidia(m) for m in models]
        against = [times(r.comparison.peak_ratio) for r in best]
        speeds = [number(0)(r.line.peak["speed"]) for r in best]
        mine = [number(0)(self.named(m).comparison.candidate.peak["speed"]) for m in models]
        names = [self.names[r.line.system] for r in best]
        told = (
            f"Against the baselines of OpenAI’s appendix, Jalapeño’s peaks per rated kW are <b>{listed(own)}</b>. "
            f"Against the best public NVIDIA row of each model ({listed(names)}) they are <b>{listed(against)}</b>; "
            f"those rows peak at {listed(speeds)} tok/s per user, Jalapeño at {listed(mine)}."
        )
        second = f"{self._other_direction(models)} {self._dates(models)}".strip()
        return Html(f"<p>{told}</p><p>{second}</p>", "finding")

    def _dates(self, models: list[str]) -> str:
        """When and on which engine both sides of the appendix' pairs were run."""
        mine = pd.concat([self.named(m).comparison.candidate.points for m in models])
        engines = listed(sorted(mine["engine"].dropna().unique())) if mine["engine"].notna().any() else "not recorded"
        told = []
        for model in models:
            side = self.named(model).line
            told.append(f"{self.names[side.system]} on {self.model_name(model)} {dates_told(side.points)}")
        return f"Jalapeño’s rows: {dates_told(mine)} (engine {engines}). The appendix’ baselines: {listed(told)}."

    def _other_direction(self, models: list[str]) -> str:
        """The choice that favours the candidate: its own peak speed, where the baseline has passed its own peak."""
        ratios = [self.named(m).at_candidates_peak for m in models]
        known = [times(r) for r in ratios if r is not None]
        if len(known) != len(models):
            return ""
        return (
            f"In the other direction, at Jalapeño’s own peak speed the appendix’ baselines give <b>{listed(known)}</b>."
        )

    def frontiers(self) -> Gallery:
        """All lines of each model, one chart a model."""
        charts.use_renderer()
        return Gallery([self._frontier(model) for model in self.rivals])

    def _frontier(self, model: str) -> alt.TopLevelMixin:
        rivals = self.rivals[model]
        mine = self.facts.points[self.facts.points["model"] == model]
        best, named = self.best_nvidia(model), self.named(model)
        if best is named:
            title = f"{self.model_name(model)}: the appendix’ baseline is the best public NVIDIA line"
        else:
            title = (
                f"{self.model_name(model)}: {self.names[best.line.system]} peaks above {self.names[named.line.system]} "
                f"per rated kW, at {number(0)(best.line.peak['speed'])} tok/s per user"
            )
        return charts.every_frontier(
            [rivals[0].comparison.candidate, *(r.line for r in rivals)],
            self.names,
            unit=named.question.unit,
            title=title,
            subtitle="The best points of every system. Hollow: not independently executed; dash-dotted: multi-token.",
            source=self.source_line(mine[mine["total_tok_s_per_chip"].notna()]),
        )

    def curves(self) -> Gallery:
        """The ratio along the whole overlap, one chart a model."""
        charts.use_renderer()
        made = []
        for model, rivals in self.rivals.items():
            single = [r for r in rivals if r.question.speculation == "none"]
            rows: list[dict[str, Any]] = []
            for rival in single:
                table = rival.comparison.at_equal_interactivity()
                rows += [
                    {"baseline": self.names[rival.line.system], "speed": s, "ratio": r}
                    for s, r in zip(table["speed"], table["ratio_low"], strict=True)
                ]
            frame = pd.DataFrame(rows, columns=["baseline", "speed", "ratio"])
            low, high = frame["ratio"].min(), frame["ratio"].max()
            made.append(
                charts.ratio_curves(
                    frame,
                    {self.names[r.line.system]: r.line.system for r in single},
                    title=f"{self.model_name(model)}: from {low:.1f}× to {high:.0f}×, by opponent and speed",
                    subtitle="Jalapeño over each single-token line, per kW of package rating, read linearly.",
                    source="",
                )
            )
        return Gallery(made)

    def frontier_rows(self) -> Table:
        """The rows of the charts of whole curves."""
        sides = [
            (model, side)
            for model, rivals in self.rivals.items()
            for side in (rivals[0].comparison.candidate, *(r.line for r in rivals))
        ]
        return points_table(self, sides, "mixed tok/s per kW")

    def curve_rows(self) -> Table:
        """The ratios of the charts along the common speeds, by both interpolations."""
        parts = []
        for model, rivals in self.rivals.items():
            for rival in (r for r in rivals if r.question.speculation == "none"):
                table = rival.comparison.at_equal_interactivity()
                source = [self.row_links(*rival.comparison.behind(speed)) for speed in table["speed"]]
                named = {"model": self.model_name(model), "baseline": self.names[rival.line.system]}
                parts.append(table.assign(source=source, **named))
        columns = {
            "model": Column("Model"),
            "baseline": Column("Baseline"),
            "speed": figures("Interactivity, median tok/s/user", number(1)),
            "measured": Column("Measured point of"),
            "ratio_low": figures("Ratio (linear)", number(2, "×")),
            "steffen_low": figures("Ratio (monotone cubic)", number(2, "×")),
            "gap": figures("Gap between measured neighbours", number(2, "×")),
            "source": Column("Sources", sources),
        }
        frame = pd.concat(parts)
        return Table(frame, columns, f"Data of these charts: {len(frame)} rows", folded=True)

    def table(self) -> Table:
        """Every line, with what it makes of the headline."""
        rows = []
        for model, rivals in self.rivals.items():
            rows += [self._own_row(model, rivals[0].comparison.candidate), *(self._row(model, r) for r in rivals)]
        columns = {
            "model": Column("Model"),
            "system": Column("System"),
            "decoding": Column("Decoding"),
            "named": Column("In the appendix"),
            "peak": figures("Its peak, mixed tok/s per kW", span(0)),
            "speed": figures("at tok/s/user", number(0)),
            "ratio": figures("Jalapeño’s peak over it", span(2, "×")),
            "there": figures("at Jalapeño’s peak speed", span(2, "×")),
            "overlap": figures("Common speeds, tok/s/user", span(0)),
            "range": figures("Ratio over them (linear)", span(2, "×")),
            "cubic": figures("(monotone cubic)", span(2, "×")),
            "engines": Column("Engines"),
            "dates": Column("Dates of runs"),
            "evidence": Column("Evidence and sources", markup),
        }
        return Table(
            pd.DataFrame(rows),
            columns,
            "Jalapeño, and under it every public line beside it, best peak of each model first",
        )

    def _own_row(self, model: str, side: Line) -> dict[str, Any]:
        """The candidate's own line: what all ratios of the model are taken from."""
        row: dict[str, Any] = dict.fromkeys(("ratio", "there", "overlap", "range", "cubic"))
        return row | self._line_row(model, side) | {"named": ""}

    def _line_row(self, model: str, side: Line) -> dict[str, Any]:
        methods = side.points["speculation"].unique()
        return {
            "model": self.model_name(model),
            "system": self.names[side.system],
            "decoding": ", ".join(DECODING.get(str(m), str(m)) for m in methods),
            "peak": (side.peak["low"], side.peak["high"]),
            "speed": side.peak["speed"],
            "engines": ", ".join(sorted(side.points["engine"].dropna().unique())),
            "dates": dates_told(side.points),
            "evidence": line_evidence(self, side),
        }

    def _row(self, model: str, rival: Rival) -> dict[str, Any]:
        equal = rival.comparison.at_equal_interactivity()
        ratio = rival.comparison.peak_ratio
        return self._line_row(model, rival.line) | {
            "named": "yes" if rival.named else "",
            "ratio": (ratio.low, ratio.high),
            "there": pair(rival.at_candidates_peak),
            "overlap": None if equal.empty else (equal["speed"].iloc[0], equal["speed"].iloc[-1]),
            "range": None if equal.empty else (equal["ratio_low"].min(), equal["ratio_high"].max()),
            "cubic": None if equal.empty else (equal["steffen_low"].min(), equal["steffen_high"].max()),
        }


def dates_told(points: pd.DataFrame) -> str:
    """When rows were run, as far as they say: first and last date, medians over runs, and rows without a date."""
    dates = sorted(points["date"].dropna().unique())
    blank = points["date"].isna()
    note = points["statistic_note"].fillna("")
    pooled = note.str.extract(r"^median over all runs[^;]*?to (\d{4}-\d{2}-\d{2})", expand=False)
    parts = [f"{dates[0]} to {dates[-1]}" if len(dates) > 1 else "".join(dates)]
    parts += [f"medians to {day}" for day in sorted(pooled[blank].dropna().unique())]
    alone = int((blank & pooled.isna()).sum())
    parts += [f"{counted(alone, 'row')} without a date"] if alone else []
    return "; ".join(part for part in parts if part)


def baselines_page(data_dir: str, root: str = "../") -> BaselinesPage:
    """Choice of baseline.

    Args:
        data_dir: data folder; a relative path starts at the project's root.
        root: relative address of the book's folder.

    Raises:
        InputError: when the data are wrong.
    """
    return BaselinesPage(load(data_folder(data_dir)), root)
