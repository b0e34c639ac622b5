"""Candidate against baseline: which rows are compared, on which power basis, and what comes out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, cast

import numpy as np
import pandas as pd

from scoville import tables
from scoville.bases import BASES
from scoville.facts import Facts
from scoville.frontier import Frontier
from scoville.metrics import ISL_NOMINAL, OSL_NOMINAL, interactivity, output_rate, per_kw, watts
from scoville.problems import InputError, Problem
from scoville.runs import Lengths, Run, loads, mean_lengths, representative, same_load, unstated
from scoville.units import Interval

PRECISION = "fp4"
DECODING = {"none": "single-token", "mtp": "multi-token (MTP)", "any": "all decoding methods"}


NO_BASELINE = "none"


@dataclass(frozen=True)
class Workload:
    """Rows that may be set side by side: one kind of load, one pair of nominal lengths, one precision.

    Attributes:
        kind: a key of `tables.WORKLOADS`.
        isl, osl: nominal lengths, tokens; None where the rows state none.
        precision: label of the weights' precision; None where the rows state none.
        mean: mean lengths that tell loads apart where the rows state no nominal ones; rows that differ from them by
            more than `runs.SAME_LOAD` are of another workload.
    """

    kind: str = "fixed-length"
    isl: float | None = ISL_NOMINAL
    osl: float | None = OSL_NOMINAL
    precision: str | None = PRECISION
    mean: Lengths = (None, None)

    def mask(self, points: pd.DataFrame) -> pd.Series:
        """Which rows are of this workload."""
        keep = points["workload"] == self.kind
        for column, value in (("isl_nominal", self.isl), ("osl_nominal", self.osl), ("precision", self.precision)):
            keep &= points[column].isna() if value is None else points[column] == value
        if any(self.mean):
            keep &= pd.Series([same_load(self.mean, m) for m in mean_lengths(points)], index=points.index, dtype=bool)
        return keep

    @property
    def states_lengths(self) -> bool:
        """Whether its rows state what lengths they are of."""
        return self.kind == "agentic" or not (self.isl is None or self.osl is None)

    @property
    def lengths(self) -> str:
        """For a sentence: ``nominally 8,192 input and 1,024 output tokens``."""
        if self.kind == "agentic":
            return "agentic traces without a nominal length"
        if self.isl is None or self.osl is None:
            known = " and ".join(f"{v:,.0f} {w}" for v, w in zip(self.mean, ("input", "output"), strict=True) if v)
            return (
                f"no nominal lengths, on average near {known} tokens" if known else "lengths that the rows do not state"
            )
        return f"nominally {self.isl:,.0f} input and {self.osl:,.0f} output tokens"

    @property
    def label(self) -> str:
        """For a sentence: ``nominally 8,192 input and 1,024 output tokens, FP4 weights``."""
        return f"{self.lengths}, {self.precision.upper() + ' weights' if self.precision else 'precision not stated'}"


APPENDIX = Workload()
"""What OpenAI's appendix and InferenceX' rows at 8K/1K share."""


def workload_of(facts: Facts, model: str) -> Workload:
    """The appendix' workload where the model has rows of it, else the one that most of its rows are of."""
    rows = facts.points[facts.points["model"] == model]
    if rows.empty or APPENDIX.mask(rows).any():
        return APPENDIX
    columns = ["workload", "isl_nominal", "osl_nominal", "precision"]
    lengths: list[Lengths] = [
        mean if apart else (None, None) for mean, apart in zip(mean_lengths(rows), unstated(rows), strict=True)
    ]
    numbered = rows.assign(load=loads(lengths), known=[None not in mean for mean in lengths], mean=lengths)
    kinds = numbered.groupby([*columns, "load"], dropna=False, sort=True)
    kind, isl, osl, precision, load = (None if pd.isna(value) else value for value in kinds.size().idxmax())
    mean: Lengths = (None, None)
    if kind == "fixed-length" and (isl is None or osl is None):
        mean = numbered[numbered["load"] == load].sort_values("known", ascending=False, kind="stable")["mean"].iloc[0]
    return Workload(str(kind), isl, osl, precision, mean)


@dataclass(frozen=True)
class Question:
    """What a model page compares: the parameters of the template, checked.

    Attributes:
        model, candidate: keys.
        baseline: a key, or `NO_BASELINE` where no second system has rows.
        basis: a key of `bases.BASES`.
        speculation: decoding method of the baseline's rows; the candidate's are single-token throughout.
    """

    model: str
    candidate: str
    baseline: str
    basis: str
    speculation: str

    @classmethod
    def ask(
        cls, facts: Facts, *, model: str, candidate: str, baseline: str, power_basis: str, speculation: str
    ) -> Question:
        """Check the parameters against the data.

        Raises:
            InputError: for every value that is not among the valid ones, with the list of these.
        """
        problems: list[Problem] = []

        def demand(name: str, value: str, valid: list[str], what: str) -> None:
            if value not in valid:
                listed = ", ".join(valid) or "none, the data hold no such rows"
                problems.append(Problem("parameters", 0, name, value, f"expected {what}; valid: {listed}"))

        points = facts.points
        models = sorted(points["model"].unique())
        demand("model", model, models, "a model with operating points")
        here = points[points["model"] == model] if model in models else points
        here = here[workload_of(facts, model).mask(here)] if model in models else here
        here = here[here["total_tok_s_per_chip"].notna()]  # rows of output alone are on no page's line
        systems = sorted(here["system"].unique())
        where = f"a system with rows for {model}" if model in models else "a system with rows"
        others = [s for s in systems if s != candidate]
        demand("candidate", candidate, systems, where)
        demand("baseline", baseline, [*others, NO_BASELINE], where)
        pair = [s for s in (candidate, baseline) if s in systems]
        compared = here[here["system"] == pair[-1]] if pair else here
        decoded = sorted(compared["speculation"].unique())
        demand("speculation", speculation, decoded, "a decoding method that the baseline has rows for")
        demand("power_basis", power_basis, _answerable(facts, here, pair), "a basis with figures for both")
        if problems:
            raise InputError(problems)
        return cls(model, candidate, baseline, power_basis, speculation)

    @property
    def unit(self) -> str:
        """Unit of every compared value."""
        return "mixed tok/s per chip" if self.basis == "chip" else "mixed tok/s per kW"


def _answerable(facts: Facts, points: pd.DataFrame, systems: list[str]) -> list[str]:
    known = [s for s in systems if s in facts.systems.index]
    answer = []
    for basis in BASES:
        if basis == "measured":
            fine = all(points[points["system"] == s]["chip_power_mean_w"].notna().any() for s in known)
        else:
            fine = all(watts(facts.systems.loc[s], basis) is not None for s in known)
        if fine:
            answer.append(basis)
    return answer


@dataclass(frozen=True)
class Line:
    """The rows of one system for one model under one decoding method, on one power basis.

    Attributes:
        system: key of the system.
        label: what the line shows, engines named.
        points: all rows, one a run; columns of `tables.POINTS` and ``speed`` (median tok/s/user), ``low`` and
            ``high`` (the compared value over the interval of watts; equal where the watts are one number),
            ``counts`` (whether the row stands for its configuration) and ``pareto``.
        whole: the line without the limit on TTFT that left these rows; None where there is no limit.
    """

    system: str
    label: str
    points: pd.DataFrame
    whole: Line | None = None

    @property
    def decoding(self) -> str:
        """How its rows decode, ``none`` or ``mtp`` for example; ``any`` where they differ."""
        methods = self.points["speculation"].unique()
        return str(methods[0]) if len(methods) == 1 else "any"

    def named(self, system: str) -> str:
        """The name of its system, and how it decodes where that is not one token at a time."""
        if self.decoding == "any":
            return f"{system}, all methods"
        return system if self.decoding == "none" else f"{system} {self.decoding.upper()}"

    @cached_property
    def counted(self) -> pd.DataFrame:
        """One row a configuration, the newest source's."""
        return self.points[self.points["counts"]]

    @cached_property
    def frontier(self) -> Frontier:
        """Pareto set of the counted rows at the lower end of the watts' interval (the higher values)."""
        return Frontier.of(self.counted["speed"].to_numpy(), self.counted["high"].to_numpy())

    @cached_property
    def frontier_low(self) -> Frontier:
        """The same at the upper end of the watts' interval."""
        return Frontier.of(self.counted["speed"].to_numpy(), self.counted["low"].to_numpy())

    @property
    def peak(self) -> pd.Series:
        """The counted row with the highest value."""
        return self.counted.loc[self.counted["high"].idxmax()]

    @property
    def best(self) -> pd.DataFrame:
        """The counted rows of the Pareto set."""
        return self.counted[self.counted["pareto"]]

    @property
    def fastest(self) -> pd.Series:
        """The Pareto row with the highest interactivity."""
        return self.best.loc[self.best["speed"].idxmax()]

    def behind(self, speed: float) -> pd.DataFrame:
        """The row at a speed, or both between which a value there is read; none outside the measured range."""
        read = self.frontier.read(speed)
        return self.best[self.best["speed"].isin([read.below, read.above])]


def line(
    facts: Facts,
    model: str,
    system: str,
    basis: str = "package",
    speculation: str = "none",
    *,
    engine: str | None = None,
    precision: str | None = None,
    ttft_max_s: float | None = None,
    tokens: str = "mixed",
) -> Line:
    """The rows of a system at the workload of the model's page, with the compared value of each.

    Where a configuration has several rows, all stay in the table but one counts: the newest run, as far as numbers
    and dates of the runs tell, else that of the source published last (`runs.representative`). Rows without
    interactivity, throughput or watts on this basis are left out.

    Args:
        facts: the data folder.
        model, system: keys.
        basis: a key of `bases.BASES`.
        speculation: decoding method, or ``any`` to pool all of them.
        engine: one serving engine only; all of them pooled by default.
        precision: label of the weights' precision, where another than the workload's is wanted.
        ttft_max_s: rows with a median TTFT of at most this many seconds only; rows without one are left out, and
            where a configuration was run again, its last run with a TTFT decides.
        tokens: ``mixed``, or ``output`` for output tokens alone (`metrics.output_rate`), which also takes rows
            that publish no total.

    Raises:
        LookupError: when no row is left.
    """
    asked = (model, system, basis, speculation, engine, precision, ttft_max_s, tokens)
    if asked not in facts.made:  # pages ask for the same line many times, and choosing among runs is slow
        try:
            facts.made[asked] = _line(facts, *asked), ""
        except LookupError as missing:
            facts.made[asked] = None, str(missing)
    found, reason = facts.made[asked]
    if found is None:
        raise LookupError(reason)
    return cast("Line", found)


def _line(
    facts: Facts,
    model: str,
    system: str,
    basis: str,
    speculation: str,
    engine: str | None,
    precision: str | None,
    ttft_max_s: float | None,
    tokens: str,
) -> Line:
    points = facts.points
    workload = workload_of(facts, model)
    if precision is not None:
        workload = replace(workload, precision=precision)
    keep = (points["model"] == model) & (points["system"] == system) & workload.mask(points)
    if speculation != "any":
        keep &= points["speculation"] == speculation
    if engine is not None:
        keep &= points["engine"] == engine
    if ttft_max_s is not None:
        keep &= points["ttft_median_s"].notna()
    chosen = points[keep].copy()
    chosen["speed"] = interactivity(chosen)
    low, high = _watts(facts, chosen, system, basis)
    rate = output_rate(chosen) if tokens == "output" else chosen["total_tok_s_per_chip"]
    chosen["low"], chosen["high"] = per_kw(rate, high), per_kw(rate, low)
    chosen = chosen.dropna(subset=["speed", "low", "high"])
    if chosen.empty:
        raise LookupError(f"no {speculation} rows of {system} for {model} on basis {basis}")
    chosen["counts"] = _newest(facts, chosen)
    if ttft_max_s is not None:  # after choosing: else the quickest of several runs would stand for all
        chosen = chosen[chosen["ttft_median_s"] <= ttft_max_s].copy()
        if not chosen["counts"].any():
            raise LookupError(
                f"no {speculation} rows of {system} for {model} with a median TTFT up to {ttft_max_s:g} s"
            )
    chosen["pareto"] = False
    counted = chosen.index[chosen["counts"]]
    front = Frontier.of(chosen.loc[counted, "speed"].to_numpy(), chosen.loc[counted, "high"].to_numpy())
    on_front = set(zip(front.x, front.y, strict=True))
    chosen.loc[counted, "pareto"] = [
        pair in on_front for pair in zip(chosen.loc[counted, "speed"], chosen.loc[counted, "high"], strict=True)
    ]
    name = facts.systems.loc[system, "name"]
    engines = ", ".join(sorted(chosen["engine"].dropna().unique()))
    label = f"{name} ({engines}, {DECODING.get(speculation, speculation)})"
    whole = None
    if ttft_max_s is not None:
        asked: dict[str, Any] = {"engine": engine, "precision": precision, "tokens": tokens}
        whole = line(facts, model, system, basis, speculation, **asked)
    return Line(system, label, chosen, whole)


def find_line(
    facts: Facts, model: str, system: str, basis: str, speculation: str, *, ttft_max_s: float | None = None
) -> Line | None:
    """The same, or None where no row is left."""
    try:
        return line(facts, model, system, basis, speculation, ttft_max_s=ttft_max_s)
    except LookupError:
        return None


def every_line(facts: Facts, model: str, basis: str) -> list[Line]:
    """Every line of a model, by system and decoding method; without those that have no rows here.

    Args:
        facts: the data folder.
        model: key.
        basis: a key of `bases.BASES`.
    """
    mine = facts.points[facts.points["model"] == model]
    kinds = sorted(set(zip(mine["system"], mine["speculation"], strict=True)))
    found = (find_line(facts, model, str(system), basis, str(method)) for system, method in kinds)
    return [side for side in found if side is not None]


def _watts(facts: Facts, rows: pd.DataFrame, system: str, basis: str) -> tuple[pd.Series | float, pd.Series | float]:
    if basis == "measured":
        return rows["chip_power_mean_w"], rows["chip_power_mean_w"]
    interval = watts(facts.systems.loc[system], basis)
    return (np.nan, np.nan) if interval is None else (interval.low, interval.high)


def _newest(facts: Facts, rows: pd.DataFrame) -> pd.Series:
    """Which rows stand for their configuration."""
    published = rows["source_id"].map(facts.sources["published"]).fillna("")
    repeated = rows.duplicated(list(tables.CONFIGURATION), keep=False)
    counts = ~repeated
    for _, same in rows[repeated].groupby(list(tables.CONFIGURATION), dropna=False, sort=False):
        cells = zip(same.index, same.to_dict("records"), strict=True)
        runs = [Run.of(row.__getitem__, row["statistic_note"], published[i]) for i, row in cells]
        counts[same.index[representative(runs)[0]]] = True
    return counts


@dataclass(frozen=True)
class Comparison:
    """A candidate's and a baseline's line for one question."""

    question: Question
    candidate: Line
    baseline: Line

    @property
    def peak_ratio(self) -> Interval:
        """Highest value of the candidate over highest value of the baseline, each at its own speed."""
        return spread(self.candidate.peak) / spread(self.baseline.peak)

    def ratio_at(self, speed: float, method: str = "linear") -> Interval | None:
        """Candidate over baseline at equal interactivity; None outside the measured overlap."""
        a = reading(self.candidate, speed, method)
        b = reading(self.baseline, speed, method)
        return None if a is None or b is None else a / b

    def behind(self, speed: float) -> tuple[pd.DataFrame, pd.DataFrame]:
        """The rows of candidate and baseline that a ratio at a speed is read at or between."""
        return self.candidate.behind(speed), self.baseline.behind(speed)

    def bounds_at(self, speed: float) -> Interval | None:
        """What measured points alone allow for the ratio at a speed; None outside the overlap.

        Each side lies between the values of its measured neighbours (`Frontier.neighbours`), over the interval of
        its watts.
        """
        a, b = bounds(self.candidate, speed), bounds(self.baseline, speed)
        return None if a is None or b is None else a / b

    def at_equal_interactivity(self) -> pd.DataFrame:
        """The comparison at every speed in the overlap at which either side has a measured frontier point.

        Returns:
            Ascending in ``speed``: ``measured`` (whose point it is), ``candidate_low``, ``candidate_high``,
            ``baseline_low``, ``baseline_high``, ``ratio_low``, ``ratio_high`` by linear interpolation,
            ``steffen_low``, ``steffen_high`` by the monotone cubic, and ``gap``, how many times further the
            upper measured neighbour of the interpolated side is than the lower.
        """
        a, b = self.candidate.frontier, self.baseline.frontier
        overlap = a.overlap(b)
        rows = []
        for speed in np.unique(np.concatenate([a.x, b.x])) if overlap else ():
            at = float(speed)
            mine, theirs = reading(self.candidate, at), reading(self.baseline, at)
            cubic = self.ratio_at(at, "steffen")
            if mine is None or theirs is None or cubic is None:
                continue
            row = {
                "speed": at,
                "measured": " and ".join(n for n, f in (("candidate", a), ("baseline", b)) if f.read(at).measured),
                "gap": max(a.read(at).gap, b.read(at).gap),
            }
            for name, interval in zip(_COMPARED, (mine, theirs, mine / theirs, cubic), strict=True):
                row |= {f"{name}_low": interval.low, f"{name}_high": interval.high}
            rows.append(row)
        columns = ["speed", "measured", "gap", *(f"{n}_{end}" for n in _COMPARED for end in ("low", "high"))]
        return pd.DataFrame(rows, columns=columns)


_COMPARED = ("candidate", "baseline", "ratio", "steffen")


def reading(side: Line, speed: float, method: str = "linear") -> Interval | None:
    """Value of a line at a speed, over the interval of its watts; None outside its measured range.

    Between the rows that a limit on TTFT leaves it is no higher than on the line of all rows: the straight line across
    a gap that the limit made can lie above what was measured there.
    """
    low, high = side.frontier_low.read(speed, method).value, side.frontier.read(speed, method).value
    if np.isnan(low) or np.isnan(high):
        return None
    cap = None if side.whole is None or side.frontier.read(speed).measured else reading(side.whole, speed, method)
    return Interval(low, high) if cap is None else Interval(min(low, cap.low), min(high, cap.high))


def bounds(side: Line, speed: float) -> Interval | None:
    """The values between which a line's measured points put a speed; None outside its measured range."""
    low, high = side.frontier_low.neighbours(speed), side.frontier.neighbours(speed)
    return None if low is None or high is None else Interval(low[0], high[1])


def spread(row: pd.Series) -> Interval:
    """The compared value of a row, over the interval of its watts."""
    return Interval(float(row["low"]), float(row["high"]))


def candidate_line(facts: Facts, question: Question) -> Line:
    """The candidate's rows: single-token ones, or all where it has no such rows."""
    try:
        return line(facts, question.model, question.candidate, question.basis)
    except LookupError:
        return line(facts, question.model, question.candidate, question.basis, "any")


def compare(facts: Facts, question: Question) -> Comparison:
    """Both lines of a question that names a baseline."""
    return Comparison(
        question,
        candidate_line(facts, question),
        line(facts, question.model, question.baseline, question.basis, question.speculation),
    )
