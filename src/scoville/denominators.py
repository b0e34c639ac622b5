"""One system against another by what throughput is divided by, and what a package would have to reach.

A ratio per chip is measured, or read off a chart; every other ratio is that one times a quotient of two published
figures of the packages (`Denominator.ratio`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pandas as pd

from scoville.book import questions
from scoville.compare import DECODING, Comparison, Line, compare, line, workload_of
from scoville.facts import Facts
from scoville.metrics import interactivity, memory_stacks, output_rate, stack_tb_s, watts
from scoville.units import Interval

RIVAL = "vr200"


@dataclass(frozen=True)
class Denominator:
    """What throughput per chip is divided by.

    Attributes:
        key: short name.
        label: as in ``per kW of package rating, 1,800 W``.
        short: the same for a chart.
        unit: unit of both values.
        candidate, rival: how much of it one package has or costs.
        sources: keys of the sources of both.
        modelled: whether a value is an estimate of somebody's model.
        worked_out: how a value that nobody published follows from others, with these; empty where all are published.
    """

    key: str
    label: str
    short: str
    unit: str
    candidate: Interval
    rival: Interval
    sources: tuple[str, ...] = ()
    modelled: bool = False
    worked_out: str = ""

    def ratio(self, per_chip: Interval) -> Interval:
        """Candidate over rival: (a / c) / (b / r) = (a / b) × (r / c), over both intervals."""
        return per_chip * (self.rival / self.candidate)


def figure(facts: Facts, system: str, metric: str) -> tuple[Interval, tuple[str, ...]] | None:
    """All published values of one figure of a system, and their sources; None where there is none."""
    rows = facts.published[(facts.published["system"] == system) & (facts.published["metric"] == metric)]
    if rows.empty:
        return None
    return Interval.around([float(v) for v in rows["value"]]), tuple(dict.fromkeys(rows["source_id"]))


def stacks(facts: Facts, system: str) -> tuple[Interval, tuple[str, ...], str] | None:
    """Memory stacks of a package: as published, else from bandwidth and pin rate (`metrics.memory_stacks`).

    Returns:
        The number, the sources, and how it was worked out (empty where it was published).
    """
    published = figure(facts, system, "memory_stacks")
    if published:
        return *published, ""
    pins, bandwidth = figure(facts, system, "memory_pin_gbit_s"), facts.systems.loc[system, "memory_bandwidth_tb_s"]
    if not pins or pd.isna(bandwidth):
        return None
    rate, sources = pins
    ends = dict.fromkeys((rate.low, rate.high))
    told = "; ".join(
        f"2,048 pins at {pin:g} Gbit/s give {stack_tb_s(pin):.2f} TB/s a stack, and {bandwidth:g} TB/s "
        f"{float(bandwidth) / stack_tb_s(pin):.2f} of these"
        for pin in ends
    )
    return Interval.around([float(memory_stacks(float(bandwidth), pin)) for pin in ends]), sources, told


def denominators(facts: Facts, candidate: str, rival: str = RIVAL, *, digitised: bool = False) -> list[Denominator]:
    """Every denominator that both systems have published figures for, per chip first.

    Args:
        facts: the data folder.
        candidate, rival: keys of systems.
        digitised: whether the rival's rates per chip were converted from a chart per all-in watt: its all-in watts
            are then those of the conversion, which cancels out and leaves the chart's own values.
    """
    one = Interval(1, 1)
    return [
        Denominator("chip", "per chip", "chip", "package", one, one),
        *_memory(facts, candidate, rival),
        *_ratings(facts, candidate, rival),
        *_all_in(facts, candidate, rival, digitised=digitised),
        *_cost(facts, candidate, rival),
    ]


def _memory(facts: Facts, candidate: str, rival: str) -> Iterator[Denominator]:
    a, b = facts.systems.loc[candidate], facts.systems.loc[rival]
    mine, theirs = stacks(facts, candidate), stacks(facts, rival)
    if mine and theirs:
        sources = tuple(dict.fromkeys((*mine[1], *theirs[1])))
        told = "; ".join(
            f"{facts.systems.loc[s, 'name']}: {how}" for s, (_, _, how) in ((candidate, mine), (rival, theirs)) if how
        )
        label = "per memory stack"
        yield Denominator("stack", label, "stack", "stacks", mine[0], theirs[0], sources, worked_out=told)
    bandwidth = [float(s["memory_bandwidth_tb_s"]) for s in (a, b)]
    if not np.isnan(bandwidth).any():
        c, r = (Interval(v, v) for v in bandwidth)
        sources = _named(a["specs_source_id"], b["specs_source_id"])
        yield Denominator("bandwidth", "per TB/s of memory", "TB/s", "TB/s", c, r, sources)


def _ratings(facts: Facts, candidate: str, rival: str) -> Iterator[Denominator]:
    mine = watts(facts.systems.loc[candidate], "package")
    for rating in ratings(facts, rival) if mine else ():
        assert mine is not None
        sources = _named(facts.systems.loc[candidate, "power_source_id"], *sources_of_rating(facts, rival, rating))
        told = f"{rating:,.0f} W"
        label = f"per kW of package rating, {told}"
        yield Denominator(f"package-{rating:.0f}", label, told, "W", mine, Interval(rating, rating), sources)


def sources_of_rating(facts: Facts, system: str, rating: float) -> list[str]:
    """Who published a rating: the systems table names the source of the first one only."""
    rows = facts.published[(facts.published["system"] == system) & (facts.published["metric"] == "rating_w")]
    stated = list(rows.loc[rows["value"] == rating, "source_id"])
    return stated or [facts.systems.loc[system, "power_source_id"]]


def ratings(facts: Facts, system: str) -> list[float]:
    """Every published rating of a package, watts, ascending."""
    row = facts.systems.loc[system]
    return sorted(float(row[c]) for c in ("package_power_w", "package_power_other_w") if pd.notna(row[c]))


def _all_in(facts: Facts, candidate: str, rival: str, *, digitised: bool) -> Iterator[Denominator]:
    mine, theirs = (watts(facts.systems.loc[s], "all-in") for s in (candidate, rival))
    sources = _named(*(facts.systems.loc[s, "all_in_source_id"] for s in (candidate, rival)))
    converted = figure(facts, rival, "conversion_w") if digitised else None
    if converted:
        theirs, sources = converted[0], (*sources[:1], *converted[1])
    if mine and theirs:
        yield Denominator("all-in", "per all-in kW", "all-in", "W", mine, theirs, sources)


def _cost(facts: Facts, candidate: str, rival: str) -> Iterator[Denominator]:
    mine, theirs = (figure(facts, s, "cost_usd_chip_h") for s in (candidate, rival))
    if mine and theirs:
        label = "per dollar of estimated cost (modelled)"
        sources = tuple(dict.fromkeys((*mine[1], *theirs[1])))
        yield Denominator("cost", label, "$ (modelled)", "USD/h", mine[0], theirs[0], sources, modelled=True)


def _named(*sources: object) -> tuple[str, ...]:
    return tuple(dict.fromkeys(s for s in sources if isinstance(s, str)))


@dataclass(frozen=True)
class Overlap:
    """A model that both systems have output rates for, at one workload.

    Attributes:
        model: key of the model.
        comparison: both lines in output tokens per second per chip; the candidate is single-token.
        digitised: whether the rival's rows were read off a chart.
        denominators: by `denominators`.
    """

    model: str
    comparison: Comparison
    digitised: bool
    denominators: list[Denominator]

    @property
    def like(self) -> bool:
        """Whether both sides decode alike."""
        return self.comparison.question.speculation == "none"

    @property
    def decoding(self) -> str:
        """The rival's decoding method."""
        return DECODING.get(self.comparison.question.speculation, self.comparison.question.speculation)

    @cached_property
    def table(self) -> pd.DataFrame:
        """`Comparison.at_equal_interactivity`, per chip."""
        return self.comparison.at_equal_interactivity()

    @property
    def start(self) -> float:
        """Interactivity at which the common speeds begin, tok/s/user."""
        return float(self.table["speed"].iloc[0])

    @property
    def end(self) -> float:
        """Interactivity at which they end, tok/s/user."""
        return float(self.table["speed"].iloc[-1])

    @cached_property
    def older(self) -> pd.DataFrame:
        """The candidate's points on the line, within the common speeds, that were run before its last day."""
        rows = self.comparison.candidate.counted
        dated = rows[rows["pareto"] & rows["speed"].between(self.start, self.end) & rows["date"].notna()]
        return dated if dated.empty else dated[dated["date"] < dated["date"].max()]

    @cached_property
    def without_older(self) -> Overlap | None:
        """The same without these points; None where there are none, or where nothing is left."""
        mine = self.comparison.candidate
        if self.older.empty:
            return None
        rest = replace(mine, points=mine.points.drop(self.older.index))
        found = replace(self, comparison=replace(self.comparison, candidate=rest))
        return found if len(found.table) else None

    def per_chip(self, row: int) -> Interval:
        """The ratio per chip in one row of `table`."""
        found = self.table.iloc[row]
        return Interval(float(found["ratio_low"]), float(found["ratio_high"]))

    def everywhere(self, denominator: Denominator) -> Interval:
        """The lowest and the highest ratio over all measured common speeds."""
        found = [denominator.ratio(self.per_chip(i)) for i in range(len(self.table))]
        return Interval(min(r.low for r in found), max(r.high for r in found))


def overlaps(facts: Facts, rival: str = RIVAL) -> list[Overlap]:
    """Where the default candidate and a rival have rows of one model at one workload.

    The rival's rows are kept apart by decoding method, and measured ones from digitised ones.

    Returns:
        In the order of the models; measured before digitised, single-token first.
    """
    found = []
    for question in questions(facts):
        mine = line(facts, question.model, question.candidate, "chip", tokens="output")
        for digitised, speculation, theirs in _lines(facts, question.model, rival):
            asked = replace(question, baseline=rival, basis="chip", speculation=speculation)
            by = denominators(facts, question.candidate, rival, digitised=digitised)
            overlap = Overlap(question.model, Comparison(asked, mine, theirs), digitised, by)
            if len(overlap.table):
                found.append(overlap)
    return found


def rival_rows(facts: Facts, model: str, rival: str = RIVAL) -> pd.DataFrame:
    """The rival's rows of a model at the workload of its page, with speed and output rate."""
    rows = facts.points[(facts.points["model"] == model) & (facts.points["system"] == rival)]
    rows = rows[workload_of(facts, model).mask(rows)]
    return rows[interactivity(rows).notna() & output_rate(rows).notna()]


def _lines(facts: Facts, model: str, rival: str) -> Iterator[tuple[bool, str, Line]]:
    rows = rival_rows(facts, model, rival)
    read = rows["evidence"] == "digitised"
    kinds = sorted({(bool(d), str(s)) for d, s in zip(read, rows["speculation"], strict=True)}, key=_single_first)
    for digitised, speculation in kinds:
        part = replace(facts, points=rows[read == digitised])
        yield digitised, speculation, line(part, model, rival, "chip", speculation, tokens="output")


def _single_first(kind: tuple[bool, str]) -> tuple[bool, bool, str]:
    return kind[0], kind[1] != "none", kind[1]


@dataclass(frozen=True)
class Threshold:
    """What a package of the rival must give over one of an earlier system to equal the candidate per rated kW.

    If J and B are mixed tokens per second and kW of candidate and earlier system, and W the rating of its package, a
    rival's package of P watts must give J × P against B × W: (J / B) × (P / W) times as much.

    Attributes:
        model, earlier: keys.
        comparison: candidate and earlier system per kW of package rating; None where the latter has no rows.
        ratings: the rival's ratings, watts, ascending.
        rating: the earlier system's, watts.
    """

    model: str
    earlier: str
    comparison: Comparison | None
    ratings: list[float]
    rating: float

    def needed(self, ratio: Interval) -> list[Interval]:
        """Times the earlier package's throughput, at each rating, where the candidate leads by ``ratio`` per kW."""
        return [ratio * Interval(p / self.rating, p / self.rating) for p in self.ratings]

    @property
    def peaks(self) -> list[Interval]:
        """Each side at its own peak."""
        return [] if self.comparison is None else self.needed(self.comparison.peak_ratio)

    @cached_property
    def table(self) -> pd.DataFrame:
        """`Comparison.at_equal_interactivity`, per kW of package rating; empty without rows."""
        return pd.DataFrame() if self.comparison is None else self.comparison.at_equal_interactivity()


def thresholds(facts: Facts, earlier: tuple[str, ...], rival: str = RIVAL) -> list[Threshold]:
    """What the rival must reach over an earlier system, for every model of the default candidate; single-token.

    Args:
        facts: the data folder.
        earlier: keys of systems, the one wanted first; the next stand in where it has no rows.
        rival: key of a system.

    Returns:
        For every model the systems up to the first that has rows, so that what is missing shows.
    """
    found = []
    for question in questions(facts):
        for system in earlier:
            rating = watts(facts.systems.loc[system], "package") if system in facts.systems.index else None
            rated = watts(facts.systems.loc[question.candidate], "package")
            if rating is None or rated is None:
                continue
            try:
                asked = replace(question, baseline=system, basis="package", speculation="none")
                comparison = compare(facts, asked)
            except LookupError:
                comparison = None
            found.append(Threshold(question.model, system, comparison, ratings(facts, rival), rating.low))
            if comparison is not None:
                break
    return found


def generations(facts: Facts, earlier: str, rival: str = RIVAL) -> pd.DataFrame:
    """Published results that a rival shares with an earlier system, benchmark by benchmark.

    Two results belong together that have benchmark, model, scenario, measure and speed in common. Where the earlier
    system has several (several kinds of software), the highest counts. Results of one system alone stay in where the
    benchmark has results of both: they show what is missing.

    Returns:
        ``benchmark``, ``served``, ``model``, ``scenario``, ``metric``, ``speed_tok_s_user``, ``rival``, ``earlier``,
        ``rival_id``, ``earlier_id`` (keys of the rows) and ``ratio``: per chip where both state their number, else
        as published.
    """
    rows = facts.published[facts.published["benchmark"].notna() & ~facts.published["metric"].str.startswith("ratio")]
    key = ["benchmark", "served", "model", "scenario", "metric", "speed_tok_s_user"]
    best = rows.reset_index().sort_values("value", ascending=False, kind="stable")
    sides = {
        name: best[best["system"] == system].drop_duplicates(key).set_index("published_id", drop=False)
        for name, system in (("rival", rival), ("earlier", earlier))
    }
    both = sides["earlier"].merge(sides["rival"], on=key, how="outer", suffixes=("_earlier", "_rival"), sort=False)
    shared = set(sides["rival"]["benchmark"]) & set(sides["earlier"]["benchmark"])
    both = both[both["benchmark"].isin(shared)]
    counted = both["chips_earlier"].notna() & both["chips_rival"].notna()
    ratio = both["value_rival"] / both["value_earlier"]
    ratio = ratio.where(~counted, ratio * both["chips_earlier"] / both["chips_rival"])
    renamed = both.assign(ratio=ratio).rename(
        columns={
            "value_rival": "rival",
            "value_earlier": "earlier",
            "published_id_rival": "rival_id",
            "published_id_earlier": "earlier_id",
        }
    )
    order = ["benchmark", "served", "metric", "speed_tok_s_user", "scenario"]
    return renamed[[*key, "rival", "earlier", "rival_id", "earlier_id", "ratio"]].sort_values(order, kind="stable")
