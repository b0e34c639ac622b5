"""Chapter: independent predictions. What the vendor's own model of its chips expects of the baselines."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, ClassVar

import altair as alt
import pandas as pd

from scoville import charts
from scoville.book import questions
from scoville.compare import Comparison, Line, compare, line, reading
from scoville.facts import load
from scoville.metrics import watts
from scoville.paths import data_folder
from scoville.predicted import (
    ENGINES,
    FOLLOWS,
    above,
    aggregated_line,
    at_mean_speeds,
    at_measured,
    beside,
    lightest,
    per_request,
    predicted_line,
    reach,
    times_factor,
)
from scoville.problems import refuse
from scoville.report.page import Gallery, Html, Page, detail, points_table
from scoville.tabulate import Column, Table, figures, markup, number, sources, span, text
from scoville.units import Interval
from scoville.words import counted, listed, pair

BASIS = "package"
VENDOR = "NVIDIA"
NO_ROWS = "no such rows"


@dataclass(frozen=True)
class Prediction:
    """What is predicted of one model's baseline, beside what was measured.

    Attributes:
        model: key of the model.
        measured: the baseline's line.
        apart: predicted, prefill and decode on chips of their own, as the baseline's rows are.
        together: predicted, aggregated; None where no such row is there.
        public: the public aggregated line with the highest peak, of a system that the tool knows; None where there is
            none.
    """

    model: str
    measured: Line
    apart: Line
    together: Line | None
    public: Line | None

    @cached_property
    def like(self) -> Comparison:
        """Disaggregated over disaggregated."""
        return beside(self.apart, self.measured, self.model, BASIS)

    @cached_property
    def table(self) -> pd.DataFrame:
        """The ratio at the measured points that both curves cover."""
        return at_measured(self.like)

    @property
    def ratios(self) -> Interval | None:
        """Lowest and highest of it, both interpolations together."""
        return reach(self.table)

    @property
    def end(self) -> pd.Series:
        """The measured row at which the baseline's curve ends."""
        return self.measured.fastest

    def expected_at_end(self, side: Line, kw: float) -> float:
        """*Modelled* mixed tok/s per kW at the measured end's requests per chip.

        The rate that one request stands for in the predicted row with the fewest requests per chip, times the
        requests of the measured row, over its chips and their rating. Requests that slow each other are left out.

        Args:
            side: a predicted line.
            kw: package rating of one chip.
        """
        return per_request(lightest(side)) * float(self.end["concurrency"]) / (float(self.end["chips"]) * kw)


@dataclass(frozen=True)
class PredictionsPage(Page):
    """Independent predictions.

    Attributes:
        engine: serving engine whose kernels are modelled, as the tool spells it.
        budget: chips that a predicted disaggregated deployment may use.
        discounted: whether the tool's own discounts on disaggregated rows apply.
    """

    title: ClassVar[str] = "Independent predictions"

    engine: str = "trtllm"
    budget: int = 72
    discounted: bool = True

    def __post_init__(self) -> None:
        """Refuse what no row is predicted with; a data folder without predictions asks for nothing.

        Raises:
            InputError: for an engine or a budget without rows, or a flag that is none, with the valid values.
        """
        apart = self.facts.predictions[self.facts.predictions["disaggregated"].eq(True)]
        engines, budgets = sorted(apart["engine"].unique()), sorted(int(b) for b in apart["chips_budget"].unique())
        whole = type(self.budget) is int  # True is an int as well
        refuse(
            (
                "engine",
                self.engine,
                not engines or self.engine in engines,
                f"an engine with predicted rows; valid: {', '.join(engines)}",
            ),
            (
                "budget",
                self.budget,
                not budgets or (whole and self.budget in budgets),
                "a number of chips with predicted rows, without quotation marks; valid: "
                + ", ".join(map(str, budgets)),
            ),
            (
                "discounted",
                self.discounted,
                type(self.discounted) is bool,
                "True or False, without quotation marks",
            ),
        )

    @cached_property
    def predictions(self) -> dict[str, Prediction]:
        """By model; those without predicted disaggregated rows are left out."""
        found = {}
        for question in questions(self.facts):
            try:
                measured = compare(self.facts, question).baseline
                apart = self._predicted(question.model, question.baseline, disaggregated=True)
            except LookupError:
                continue
            measured = Line(measured.system, self.names[measured.system], measured.points)
            together = _or_none(partial(self._predicted, question.model, question.baseline, disaggregated=False))
            public = _or_none(partial(aggregated_line, self.facts, question.model, BASIS))
            found[question.model] = Prediction(question.model, measured, apart, together, public)
        return found

    def _predicted(
        self,
        model: str,
        system: str,
        *,
        disaggregated: bool,
        engine: str = "",
        budget: int | None = None,
        discounted: bool | None = None,
    ) -> Line:
        return predicted_line(
            self.facts,
            model,
            system,
            BASIS,
            engine=engine or self.engine,
            disaggregated=disaggregated,
            # an aggregated worker stays within a node, whatever the budget
            budget=(budget or self.budget) if disaggregated else None,
            discounted=(self.discounted if discounted is None else discounted) or not disaggregated,
        )

    @property
    def tool(self) -> str:
        """What predicts, as its sources call it."""
        found = self.facts.predictions["source_id"].unique()
        return listed(str(self.facts.sources.loc[s, "title"]).split(",", maxsplit=1)[0] for s in found)

    # -------------------------------------------------------------- finding

    def finding(self) -> Html:
        """The finding, made from the rows."""
        found = [p for p in self.predictions.values() if len(p.table)]
        if not found:
            return Html(f"<p>{self._nothing_told()}</p>", "none")
        further = [self._same_engine_told(found), self._budgets_told(found), self._discounts_told(found)]
        parts = [
            " ".join(part for part in (self._ratios_told(found), self._sides_told(found)) if part),
            " ".join(part for part in (*further, *self._engines_told(found), self._missing_told(found)) if part),
            self._aggregated_told(found),
            self._ends_told(found),
        ]
        return Html("".join(f"<p>{part}</p>" for part in parts if part), "finding")

    @property
    def _asked(self) -> str:
        """The parameters in words."""
        discounts = "with" if self.discounted else "without"
        engine = _engine(self.engine)
        return f"{engine} on at most {counted(self.budget, 'chip')} {discounts} the tool’s discounts"

    def _nothing_told(self) -> str:
        """Why there is nothing to show: no rows at all, none of this combination, or no common speed."""
        apart = self.facts.predictions[self.facts.predictions["disaggregated"].eq(True)]
        if apart.empty:
            return "The data hold no prediction of a disaggregated deployment."
        if self.predictions:
            return f"No speed of a baseline lies within what is predicted of it for {self._asked}."
        kinds = apart[["engine", "chips_budget", "discounted"]].drop_duplicates()
        there = "; ".join(
            f"engine = {engine}, budget = {budget:.0f}, discounted = {bool(discounted)}"
            for engine, budget, discounted in sorted(kinds.itertuples(index=False, name=None))
        )
        return (
            f"No disaggregated rows are predicted for {self._asked}: each value is there, this combination is not. "
            f"Combinations with rows: {there}."
        )

    def _ratios_told(self, found: list[Prediction]) -> str:
        first, *others = [f"<b>{_of(p.ratios)}</b> {{}} {self.model_name(p.model)}" for p in found]
        ratios = listed(
            [first.format("of what was measured on the appendix’ baseline of"), *(o.format("for") for o in others)]
        )
        over = self._above_told({p.model: p.table for p in found})
        return (
            f"{VENDOR}’s own model of its chips, {self.tool}, expects (modelled) {ratios}, at the measured speeds that "
            f"both cover: {f'more than was measured at {over}' if over else 'nowhere more than was measured'}."
        )

    def _above_told(self, tables: dict[str, pd.DataFrame]) -> str:
        """At how many of the points more is predicted than was measured, by model; empty where nowhere."""
        told = [
            f"{above(table)} of {counted(len(table), 'point')} of {self.model_name(model)}"
            for model, table in tables.items()
            if above(table)
        ]
        return listed(told) if told else ""

    def _sides_told(self, found: list[Prediction]) -> str:
        """How unlike the two sides are: chips, and engines of the measured points."""
        spans = [_chips(p) for p in found]
        told = f"Both are disaggregated; modelled is {_engine(self.engine)} on at most {counted(self.budget, 'chip')}"
        if None not in spans:
            told += f", measured were {listed(span(0)(s) for s in spans)} chips"
        return f"{told}{self._engines_measured(found)}."

    def _engines_measured(self, found: list[Prediction]) -> str:
        told = []
        for prediction in found:
            rows = _covered(prediction)
            other = rows[rows["engine"] != FOLLOWS.get(self.engine)]
            if len(other):
                told.append(f"{len(other)} of {counted(len(rows), 'point')} of {self.model_name(prediction.model)}")
        return f", with another engine at {listed(told)}" if told else ""

    def _same_engine_told(self, found: list[Prediction]) -> str:
        """What the ratio is where the measured rows are of the modelled engine alone, for models with others too."""
        mixed = [p for p in found if (_covered(p)["engine"] != FOLLOWS.get(self.engine)).any()]
        told = [f"{ratio} for {self.model_name(p.model)}" for p in mixed if (ratio := self._same_engine(p)) != NO_ROWS]
        return f"Over measured rows of {_engine(self.engine)} alone it is {listed(told)} (modelled)." if told else ""

    def _budgets_told(self, found: list[Prediction]) -> str:
        """The ratio at every other budget that all models have rows for."""
        told = []
        for budget in self._budgets:
            sides = [(p, self._other(p, budget=budget)) for p in found]
            if all(side is not None for _, side in sides):
                ratios = listed(_over(p, side, p.measured) for p, side in sides)
                told.append(f"On at most {counted(budget, 'chip')} it would be {ratios} (modelled).")
        return " ".join(told)

    def _discounts_told(self, found: list[Prediction]) -> str:
        """What the ratio is with the tool's discounts turned round, and where more than was measured."""
        sides = [(p, self._other(p, discounted=not self.discounted)) for p in found]
        tables = {p.model: self._table(p, side) for p, side in sides if side is not None}
        if len(tables) < len(found):
            return ""
        kind = "With" if not self.discounted else "Without"
        over = self._above_told(tables)
        return (
            f"{kind} the tool’s own discounts on throughput and latency it would be "
            f"{listed(_of(reach(table)) for table in tables.values())} (modelled)"
            f"{f', more than was measured at {over}' if over else ''}."
        )

    @staticmethod
    def _table(found: Prediction, side: Line) -> pd.DataFrame:
        return at_measured(beside(side, found.measured, found.model, BASIS))

    def _engines_told(self, found: list[Prediction]) -> list[str]:
        """Other serving engines for which more is expected than was measured, and at how many points."""
        told = []
        for engine in self._others:
            sides = [(p, self._other(p, engine=engine)) for p in found]
            tables = {p.model: self._table(p, side) for p, side in sides if side is not None}
            tables = {model: table for model, table in tables.items() if len(table)}
            over = self._above_told(tables)
            if over:
                ratios = listed(_of(reach(table)) for table in tables.values())
                models = "" if len(tables) == len(found) else f" for {listed(map(self.model_name, tables))}"
                told.append(
                    f"With {_engine(engine)} instead it expects {ratios}{models} (modelled), more than was measured at "
                    f"{over}."
                )
        return told

    def _missing_told(self, found: list[Prediction]) -> str:
        """Models that rows are predicted for, but not of this combination."""
        have = set(self.facts.predictions["model"])
        missing = [q.model for q in questions(self.facts) if q.model in have - {p.model for p in found}]
        if not missing:
            return ""
        return f"For {listed(map(self.model_name, missing))} no rows at common speeds are predicted for {self._asked}."

    @property
    def _others(self) -> list[str]:
        """The other engines that rows are predicted for."""
        have = set(self.facts.predictions["engine"])
        return [engine for engine in ENGINES if engine != self.engine and engine in have]

    @property
    def _budgets(self) -> list[int]:
        """The other budgets that disaggregated rows are predicted for."""
        apart = self.facts.predictions[self.facts.predictions["disaggregated"].eq(True)]
        return sorted(int(b) for b in apart["chips_budget"].unique() if b != self.budget)

    def _aggregated_told(self, found: list[Prediction]) -> str:
        known = [(p, p.together) for p in found if p.together is not None]
        if not known:
            return ""
        peaks = listed(number(2, "×")(_peak(side) / _peak(p.measured)) for p, side in known)
        speeds = listed(number(0)(side.peak["speed"]) for _, side in known)
        first = [(p, reading(side, float(p.measured.frontier.x[0]))) for p, side in known]
        there = listed("–" if r is None else number(2, "×")(r.high / float(p.measured.frontier.y[0])) for p, r in first)
        starts = listed(number(0)(p.measured.frontier.x[0]) for p, _ in known)
        told = (
            f"Aggregated, an unlike deployment, the predicted peaks (modelled) are <b>{peaks}</b> of the baselines’, "
            f"but at {speeds} tok/s per user; at {starts}, where the baselines begin, the same curves give {there}. "
            "A peak near the baseline’s is no agreement."
        )
        return " ".join([told, *(self._both_above(p) for p, _ in known)]).strip()

    def _both_above(self, found: Prediction) -> str:
        """Whether the aggregated prediction and a public aggregated row both lie above the baseline's peak."""
        if found.together is None or found.public is None:
            return ""
        if min(_peak(found.together), _peak(found.public)) <= _peak(found.measured):
            return ""
        public = self.names[found.public.system]
        return (
            f"For {self.model_name(found.model)} the aggregated peaks, modelled ({_peak_told(found.together)}) and "
            f"public ({public}, {_peak_told(found.public)}), both lie above the baseline’s "
            f"({_peak_told(found.measured)})."
        )

    def _ends_told(self, found: list[Prediction]) -> str:
        known = [p for p in found if pd.notna(p.end["chips"]) and pd.notna(p.end["concurrency"])]
        if not known:
            return ""
        values = listed(number(0)(p.end["high"]) for p in known)
        requests = listed(number(0)(p.end["concurrency"]) for p in known)
        chips = listed(number(0)(p.end["chips"]) for p in known)
        expected = listed(number(0)(p.expected_at_end(p.apart, self._kw(p))) for p in known)
        others = [
            f"; on at most {counted(budget, 'chip')} {listed(ends)}"
            for budget in self._budgets
            if len(ends := self._expected_within(known, budget)) == len(known)
        ]
        return (
            f"Where the baselines’ curves end, at {values} mixed tok/s per kW with {requests} requests on {chips} "
            f"chips, so many requests per chip would give <b>{expected}</b> (modelled, from the disaggregated row with "
            f"the fewest requests per chip on at most {counted(self.budget, 'chip')}{''.join(others)})."
        )

    def _expected_within(self, known: list[Prediction], budget: int) -> list[str]:
        sides = [(p, self._other(p, budget=budget)) for p in known]
        return [number(0)(p.expected_at_end(side, self._kw(p))) for p, side in sides if side is not None]

    def _kw(self, prediction: Prediction) -> float:
        rated = watts(self.facts.systems.loc[prediction.measured.system], BASIS)
        assert rated is not None  # the measured line has values per kW
        return rated.high / 1000

    # -------------------------------------------------------------- charts and tables

    def frontiers(self) -> Gallery:
        """Measured and modelled curves, one chart a model."""
        charts.use_renderer()
        return Gallery([self._frontier(p) for p in self.predictions.values()])

    def _frontier(self, found: Prediction) -> alt.TopLevelMixin:
        told = "no speed in common" if found.ratios is None else f"{_of(found.ratios)} of what was measured"
        rows = [found.measured.points] + ([] if found.public is None else [found.public.points])
        tools = self.facts.sources.loc[found.apart.points["source_id"].unique(), "attribution"].dropna()
        return charts.predicted_frontiers(
            [found.measured, found.apart],
            [side for side in (found.together, found.public) if side is not None],
            unit="mixed tok/s per kW",
            title=f"{self.model_name(found.model)}: predicted disaggregated, {told} (modelled)",
            subtitle=(
                "Solid: measured. Dotted and hollow: modelled, "
                f"{_engine(self.engine)} on at most {counted(self.budget, 'chip')}. Per kW of package rating."
            ),
            source=" ".join([self.source_line(pd.concat(rows)), *(f"{credit}." for credit in tools)]),
        )

    def measured_rows(self) -> Table | Html:
        """The measured rows of the charts, those of the box included."""
        sides = [
            (model, side)
            for model, found in self.predictions.items()
            for side in (found.measured, found.public)
            if side is not None
        ]
        if not sides:
            return Html("<p>No measured row stands beside a prediction.</p>", "no rows")
        return points_table(self, sides, "mixed tok/s per kW", "Measured points of these charts")

    def ratios(self) -> Table:
        """Every measured point of the baselines' curves, with what is predicted at its speed."""
        rows: list[dict[str, Any]] = []
        for model, found in self.predictions.items():
            ratios = found.table.set_index("speed")
            for _, row in found.measured.best.sort_values("speed").iterrows():
                at = ratios.loc[row["speed"]] if row["speed"] in ratios.index else None
                predicted = [] if at is None else [found.apart.behind(row["speed"])]
                rows.append(
                    {
                        "model": self.model_name(model),
                        "speed": row["speed"],
                        "measured": (row["low"], row["high"]),
                        "predicted": None if at is None else (at["candidate_low"], at["candidate_high"]),
                        "linear": None if at is None else (at["ratio_low"], at["ratio_high"]),
                        "cubic": None if at is None else (at["steffen_low"], at["steffen_high"]),
                        "gap": None if at is None else at["gap"],
                        "requests": row["concurrency"],
                        "chips": row["chips"],
                        "engine": row["engine"],
                        "source": self.row_links(row, *predicted),
                    }
                )
        columns = {
            "model": Column("Model"),
            "speed": figures("Interactivity, median tok/s/user", number(1)),
            "measured": figures("Measured, mixed tok/s per kW", span(0)),
            "predicted": figures("Modelled, linear, mixed tok/s per kW", span(0)),
            "linear": figures("Modelled over measured (linear)", span(2, "×")),
            "cubic": figures("(monotone cubic)", span(2, "×")),
            "gap": figures("Gap between modelled neighbours", number(2, "×")),
            "requests": figures("Requests at a time", number(0)),
            "chips": figures("Chips", number(0)),
            "engine": Column("Engine"),
            "source": Column("Sources", sources),
        }
        return Table(
            pd.DataFrame(rows, columns=list(columns)),
            columns,
            "The baselines’ measured points, and the disaggregated prediction at their speeds; a dash: none there",
        )

    def far_ends(self) -> Table:
        """Where the measured curves end, and the predicted rows with the fewest requests per chip."""
        rows: list[dict[str, Any]] = []
        for model, found in self.predictions.items():
            kw = self._kw(found)
            sides = [("measured", found.measured, found.end)]
            sides += [(s.label, s, lightest(s)) for s in (found.apart, found.together) if s is not None]
            for what, side, row in sides:
                modelled = side is not found.measured
                rows.append(
                    {
                        "model": self.model_name(model),
                        "what": what,
                        "speed": row["speed"],
                        "value": row["high"],
                        "requests": row["concurrency"],
                        "chips": row["chips"],
                        "decode": row["decode_chips"],
                        "eight": 8 * row["concurrency"] / row["decode_chips"],
                        "each": per_request(row),
                        "expected": found.expected_at_end(side, kw) if modelled else None,
                        "ratio": found.expected_at_end(side, kw) / float(found.end["high"]) if modelled else None,
                        "layout": text(row["parallelism"]) + detail(self.row_link(row)),
                    }
                )
        columns = {
            "model": Column("Model"),
            "what": Column("Row"),
            "speed": figures("Interactivity, tok/s/user", number(1)),
            "value": figures("Mixed tok/s per kW", number(0)),
            "requests": figures("Requests at a time", number(0)),
            "chips": figures("Chips", number(0)),
            "decode": figures("Decode chips", number(0)),
            "eight": figures("Requests per eight decode chips", number(2)),
            "each": figures("Mixed tok/s per request", number(0)),
            "expected": figures("At the measured requests per chip (modelled)", number(0)),
            "ratio": figures("over the measured end", number(2, "×")),
            "layout": Column("Deployment and source", markup),
        }
        return Table(
            pd.DataFrame(rows, columns=list(columns)).astype({"expected": float, "ratio": float}),
            columns,
            "The last point of each baseline’s curve, and the modelled rows with the fewest requests per chip, "
            f"disaggregated on at most {counted(self.budget, 'chip')}",
        )

    def choices(self) -> Table:
        """One row a choice, one column a model: how the ratio moves."""
        found = self.predictions
        rows: list[dict[str, Any]] = [
            {"choice": choice} | {m: read(p) for m, p in found.items()} for choice, read in self._choices()
        ]
        columns = {"choice": Column("Modelled over measured, lowest to highest")}
        columns |= {m: figures(self.model_name(m), str) for m in found}
        measured = [side for p in found.values() for side in (p.measured, p.public) if side is not None]
        used = self.rests_on(self._predicted_with, *(side.best["source_id"] for side in measured))
        caption = "How the ratio moves with what is set beside what"
        return Table(pd.DataFrame(rows, columns=list(columns)), columns, caption, rests_on=used)

    @property
    def _predicted_with(self) -> pd.Series:
        """Sources of the predicted rows of the models shown."""
        rows = self.facts.predictions
        return rows.loc[rows["model"].isin(list(self.predictions)), "source_id"]

    def _choices(self) -> list[tuple[str, Callable[[Prediction], str]]]:
        return [
            ("As above: at the measured points, both interpolations", lambda p: _of(p.ratios)),
            ("At every speed of the overlap, linear", lambda p: _columns(p.like, "ratio")),
            ("At every speed of the overlap, monotone cubic", lambda p: _columns(p.like, "steffen")),
            *((f"{_engine(e)} instead", lambda p, e=e: self._with(p, engine=e)) for e in self._others),
            *((f"On at most {b} chips", lambda p, b=b: self._with(p, budget=b)) for b in self._budgets),
            (f"Measured rows with {_engine(self.engine)} only", self._same_engine),
            ("Measured at mean instead of median TPOT, of rows that count", self._at_means),
            (
                f"{'Without' if self.discounted else 'With'} the tool’s discounts",
                lambda p: self._with(p, discounted=not self.discounted),
            ),
            ("Peak over peak, each at its own speed", lambda p: number(2, "×")(_peak(p.apart) / _peak(p.measured))),
            ("Aggregated over the disaggregated baseline (unlike)", lambda p: _over(p, p.together, p.measured)),
            ("Aggregated over the best public aggregated line, per kW", lambda p: _over(p, p.together, p.public)),
            ("The same per chip", self._per_chip),
            ("That public line", lambda p: "–" if p.public is None else p.public.label),
        ]

    def _other(self, found: Prediction, **changed: Any) -> Line | None:
        """The disaggregated prediction with another engine, budget, or without discounts."""
        return _or_none(partial(self._predicted, found.model, found.measured.system, disaggregated=True, **changed))

    def _with(self, found: Prediction, **changed: Any) -> str:
        return _over(found, self._other(found, **changed), found.measured)

    def _same_engine(self, found: Prediction) -> str:
        same = _or_none(
            lambda: line(self.facts, found.model, found.measured.system, BASIS, engine=FOLLOWS.get(self.engine))
        )
        return _over(found, found.apart, same)

    @staticmethod
    def _at_means(found: Prediction) -> str:
        at_means = at_mean_speeds(found.measured)
        return "medians only" if at_means is None else _over(found, found.apart, at_means)

    def _per_chip(self, found: Prediction) -> str:
        if found.together is None or found.public is None:
            return "–"
        rated = [watts(self.facts.systems.loc[s.system], BASIS) for s in (found.together, found.public)]
        assert rated[0] is not None  # both lines have values per kW
        assert rated[1] is not None
        factor = rated[0].high / rated[1].high
        return _over(found, times_factor(found.together, factor), found.public)

    def rows(self) -> Table:
        """The predicted rows of the charts."""
        parts = [
            side.points.assign(shown=self.model_name(model))
            for model, p in self.predictions.items()
            for side in (p.apart, p.together)
            if side is not None
        ]
        columns = {
            "shown": Column("Model"),
            "checkpoint": Column("Checkpoint asked for"),
            "system": Column("System", lambda s: self.names[s]),
            "engine": Column("Engine", _engine),
            "engine_version": Column("Version"),
            "disaggregated": Column("Disaggregated", lambda flag: "yes" if flag else ""),
            "concurrency": figures("Requests at a time", number(0)),
            "chips": figures("Chips", number(0)),
            "parallelism": Column("Deployment"),
            "speed": figures("Interactivity, tok/s/user", number(1)),
            "high": figures("Mixed tok/s per kW", number(0)),
            "ttft_s": figures("TTFT, s", number(2)),
            "e2e_s": figures("E2E, s", number(2)),
            "pareto": Column("On the line", lambda flag: "yes" if flag else ""),
            "evidence": Column("Evidence and source", markup),
        }
        frame = pd.concat(parts) if parts else pd.DataFrame(columns=list(columns))
        frame = frame.assign(
            evidence=[text(r["evidence"]) + detail(self.row_link(r)) for r in frame.to_dict("records")]
        )
        return Table(frame, columns, f"Modelled points of these charts: {len(frame)} rows", folded=True)


def _or_none(make: Callable[[], Line]) -> Line | None:
    try:
        return make()
    except LookupError:
        return None


def _over(found: Prediction, predicted: Line | None, measured: Line | None) -> str:
    if predicted is None or measured is None:
        return NO_ROWS
    return _of(reach(at_measured(beside(predicted, measured, found.model, BASIS))))


def _columns(comparison: Comparison, name: str) -> str:
    table = comparison.at_equal_interactivity()
    ends = None if table.empty else Interval(float(table[f"{name}_low"].min()), float(table[f"{name}_high"].max()))
    return _of(ends)


def _covered(found: Prediction) -> pd.DataFrame:
    """The measured rows of the curve at the speeds that both cover."""
    best = found.measured.counted
    return best[best["pareto"] & best["speed"].isin(found.table["speed"])]


def _chips(found: Prediction) -> tuple[float, float] | None:
    """Fewest and most chips of these; None where no row tells."""
    chips = _covered(found)["chips"].dropna()
    return None if chips.empty else (chips.min(), chips.max())


def _engine(name: str) -> str:
    return ENGINES.get(name, name)


def _peak(side: Line) -> float:
    return float(side.peak["high"])


def _peak_told(side: Line) -> str:
    return f"{number(0)(_peak(side))} mixed tok/s per kW at {number(0)(side.peak['speed'])} tok/s per user"


def _of(ratio: Interval | None) -> str:
    return "no common speed" if ratio is None else span(2, "×")(pair(ratio))


def predictions_page(data_dir: str, root: str = "../", **assumed: Any) -> PredictionsPage:
    """Independent predictions.

    Args:
        data_dir: data folder; a relative path starts at the project's root.
        root: relative address of the book's folder.
        assumed: attributes of the page to change: engine, budget, and the tool's factors.

    Raises:
        InputError: when the data or a parameter are wrong.
    """
    return PredictionsPage(load(data_folder(data_dir)), root, **assumed)
