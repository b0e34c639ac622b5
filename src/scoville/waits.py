"""What a person waits for: TTFT and decode of printed E2E, throughput under limits on TTFT, requests in flight."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import pandas as pd

from scoville import metrics
from scoville.audit import CANDIDATE, PRIMARY, REQUESTS_PER_CLIENT, Evidence
from scoville.book import questions
from scoville.compare import APPENDIX, Line, Question, every_line, find_line
from scoville.facts import Facts
from scoville.frontier import Frontier
from scoville.metrics import OSL_NOMINAL
from scoville.units import Interval, Printed

BASIS = "package"
LIMITS_S = (0.5, 1.0, 2.0, 5.0, 10.0)
"""Limits on the median TTFT that are asked about, seconds."""
MEAN_TOKENS = Interval(metrics.OSL, metrics.OSL)
NOMINAL_TOKENS = Interval(OSL_NOMINAL, OSL_NOMINAL)
NAMED_S = 2.0
"""The one of them that sentences and charts name."""
_PUBLIC = (
    "ttft_mean_s",
    "ttft_median_s",
    "tpot_mean_s",
    "e2e_mean_s",
    "input_tok_s_per_chip",
    "output_tok_s_per_chip",
)
_LAYOUT = ["engine", "parallelism", "chips", "concurrency"]


@dataclass(frozen=True)
class Split:
    """A printed mean E2E, and what its printed mean TBT makes of it.

    Attributes:
        question: the comparison that it belongs to.
        side: ``candidate`` or ``baseline``.
        system: key.
        claim_id: the claim that prints the E2E.
        e2e: as printed, seconds.
        tbt: where all printed forms of the mean TBT agree, seconds.
        row: the public row at the same configuration: throughput, chips, concurrency.
        public: statistics of public rows at that configuration, by column.
        sources: keys of the sources of these statistics.
    """

    question: Question
    side: str
    system: str
    claim_id: str
    e2e: Printed
    tbt: Interval
    row: pd.Series
    public: dict[str, float]
    sources: tuple[str, ...]

    def ttft(self, tokens: Interval = MEAN_TOKENS) -> Interval:
        """TTFT, seconds, when a request has so many output tokens on average."""
        return metrics.ttft_by_split(self.e2e.interval, self.tbt, tokens)

    @property
    def middle(self) -> float:
        """Middle of that interval for the mean output length, seconds."""
        return (self.ttft().low + self.ttft().high) / 2

    @property
    def requests(self) -> int:
        """Requests that the client sends for this row."""
        return int(REQUESTS_PER_CLIENT * self.row["concurrency"])

    @property
    def short_run(self) -> Interval:
        """Mean output tokens that so few random lengths may have."""
        return metrics.length_range(OSL_NOMINAL, self.requests)

    @property
    def drawn(self) -> Interval:
        """Mean output tokens of the lengths that the client draws for so many requests."""
        mean = metrics.drawn_lengths(self.requests)[1]
        return Interval(mean, mean)

    @property
    def is_drawn(self) -> bool | None:
        """Whether its public rates are in the proportion of that draw; None where they are not public."""
        rates = [self.public.get(f"{side}_tok_s_per_chip") for side in ("input", "output")]
        return None if None in rates else is_drawn(float(rates[0] or 0), float(rates[1] or 1), self.requests)

    @property
    def measured(self) -> tuple[float, str] | None:
        """TTFT of its public row, seconds, and which statistic it is: the mean where there is one."""
        for statistic in ("mean", "median"):
            if f"ttft_{statistic}_s" in self.public:
                return self.public[f"ttft_{statistic}_s"], statistic
        return None

    @property
    def in_flight(self) -> Interval:
        """Requests in flight by the printed E2E and the public throughput, over the random lengths of the run."""
        return _ends(
            metrics.requests_in_flight(self.row["total_tok_s_per_chip"], self.row["chips"], e2e, tokens)
            for e2e in (self.e2e.interval.low, self.e2e.interval.high)
            for tokens in _tokens(self)
        )

    @property
    def in_flight_middle(self) -> float:
        """The same for the printed E2E and the mean length."""
        return metrics.requests_in_flight(
            self.row["total_tok_s_per_chip"], self.row["chips"], float(self.e2e), metrics.tokens_per_request()
        )


@dataclass(frozen=True)
class Promise:
    """One line under limits on the median TTFT.

    Attributes:
        model: key.
        whole: all rows.
        known: the rows with a median TTFT; None where there are none.
        best: limit to the best row within it; None where no row keeps it.
    """

    model: str
    whole: Line
    known: Line | None
    best: dict[float, pd.Series | None]

    @property
    def speculation(self) -> str:
        """Decoding method of the rows."""
        return self.whole.decoding

    @property
    def rows(self) -> pd.DataFrame:
        """The rows with a median TTFT, one a configuration."""
        return self.whole.counted.iloc[:0] if self.known is None else self.known.counted

    def stairs(self, floor: float = 0) -> pd.DataFrame:
        """Corners of the best throughput as the limit rises, among rows of at least ``floor`` tok/s per user.

        Returns:
            ``ttft``, ``value``, both ascending.
        """
        rows = self.rows[self.rows["speed"] >= floor].sort_values(["ttft_median_s", "high"])
        rises = rows["high"] > rows["high"].cummax().shift(fill_value=-math.inf)
        return pd.DataFrame({"ttft": rows["ttft_median_s"][rises], "value": rows["high"][rises]})

    def read(self, limit: float, method: str) -> float:
        """Throughput at a median TTFT of ``limit`` seconds, between the two best measured rows; NaN outside these."""
        steps = self.stairs()
        if steps.empty:
            return math.nan
        ceiling = 2 * float(steps["ttft"].max())  # a frontier wants more to be better: the time left below a ceiling
        left = Frontier.of(ceiling - steps["ttft"].to_numpy(), steps["value"].to_numpy())
        return left.read(ceiling - limit, method).value


@dataclass(frozen=True)
class Held:
    """The candidate held to the wait of the baseline's peak.

    Attributes:
        model: key.
        timed: the row that gives the TTFT of the baseline's peak: its newest run with one.
        mine: the candidate's best row within it.
        theirs: the baseline's peak.
        peak: the candidate's peak without a limit.
        between: the candidate's throughput at just that wait, between measured rows: linear, and by the monotone cubic.
    """

    model: str
    timed: pd.Series
    mine: pd.Series
    theirs: pd.Series
    peak: pd.Series
    between: tuple[float, float]

    @property
    def wait(self) -> float:
        """Median TTFT of the baseline's peak, seconds."""
        return float(self.timed["ttft_median_s"])

    @property
    def ratio(self) -> float:
        """Throughput of the candidate's row within the wait over the baseline's peak."""
        return float(self.mine["high"] / self.theirs["high"])

    @property
    def peaks(self) -> float:
        """Peak over peak."""
        return float(self.peak["high"] / self.theirs["high"])


@dataclass(frozen=True)
class Waits:
    """The latencies of a data folder.

    Attributes:
        facts: the data folder.
    """

    facts: Facts

    @cached_property
    def models(self) -> dict[str, Question]:
        """The comparisons of the book, by model."""
        return {q.model: q for q in questions(self.facts)}

    @cached_property
    def evidence(self) -> Evidence:
        """Lines on package ratings, and statistics at their fastest configuration."""
        return Evidence(self.facts)

    @cached_property
    def splits(self) -> list[Split]:
        """Every end-to-end latency that the primary document prints for one model, candidate first."""
        found = []
        for question in self.models.values():
            for side, system in (("candidate", question.candidate), ("baseline", question.baseline)):
                made = self._split(question, side, system)
                found += [made] if made else []
        return found

    def _split(self, question: Question, side: str, system: str) -> Split | None:
        claims = self.facts.claims
        mine = claims[(claims["source_id"] == PRIMARY) & (claims["model"] == question.model)]
        mine = mine[(mine["side"] == side) & (mine["system"] == system)]
        printed = mine[mine["metric"] == "e2e_s"]
        tbt = _tbt(mine)
        rows = self.evidence.line(question.model, system)
        if printed.empty or tbt is None or rows is None or rows.fastest[["chips", "concurrency"]].isna().any():
            return None
        values = {c: self.evidence.mean_at_fastest(question.model, system, c) for c in _PUBLIC}
        public = {c: v[0] for c, v in values.items() if v is not None}
        sources = tuple(dict.fromkeys(v[1] for v in values.values() if v is not None))
        e2e = Printed.parse(str(printed["printed"].iloc[0]))
        return Split(question, side, system, str(printed.index[0]), e2e, tbt, rows.fastest, public, sources)

    @cached_property
    def pairs(self) -> list[tuple[Split, Split]]:
        """Candidate's and baseline's split, where both are printed."""
        by_side = {(s.question.model, s.side): s for s in self.splits}
        return [
            (by_side[(m, "candidate")], by_side[(m, "baseline")])
            for m in self.models
            if (m, "candidate") in by_side and (m, "baseline") in by_side
        ]

    @cached_property
    def rows(self) -> pd.DataFrame:
        """Every row with TTFT and E2E at the appendix' workload.

        Returns:
            Columns of the points table, ``statistic`` (the mean where the row holds means, else the median),
            ``tokens`` (output tokens that TTFT, TPOT and E2E imply), ``share`` (requests in flight over stated
            concurrency) and both of these for each statistic alone (``tokens_mean`` and so on).
        """
        points = self.facts.points
        rows = points[APPENDIX.mask(points) & points["model"].isin(list(self.models))]
        rows = rows.sort_values("model", key=lambda m: m.map(list(self.models).index), kind="stable")
        tpot = {"mean": rows["tpot_mean_s"], "median": 1 / metrics.interactivity(rows)}
        tokens = metrics.tokens_per_request()
        for name, each in tpot.items():
            e2e = rows[f"e2e_{name}_s"]
            rows[f"tokens_{name}"] = metrics.output_tokens_by_split(e2e, rows[f"ttft_{name}_s"], each)
            rows[f"share_{name}"] = rows["total_tok_s_per_chip"] * rows["chips"] * e2e / tokens / rows["concurrency"]
        has_mean = rows["tokens_mean"].notna() & rows["share_mean"].notna()
        rows["statistic"] = has_mean.map({True: "mean", False: "median"})
        for quantity in ("tokens", "share"):
            rows[quantity] = rows[f"{quantity}_mean"].where(has_mean, rows[f"{quantity}_median"])
        return rows.dropna(subset=["tokens", "share"])

    @property
    def means(self) -> pd.DataFrame:
        """Those of the rows that hold means."""
        return self.rows[self.rows["statistic"] == "mean"]

    @cached_property
    def promised(self) -> dict[str, list[Promise]]:
        """Every line under every limit, by model: candidate first, then those with most rows that hold a TTFT."""
        found: dict[str, list[Promise]] = {}
        for model in self.models:
            made = [self._promise(model, whole) for whole in every_line(self.facts, model, BASIS)]
            found[model] = sorted(made, key=lambda p: (p.whole.system != CANDIDATE, -len(p.rows)))
        return found

    def _limited(self, model: str, system: str, speculation: str, limit: float) -> Line | None:
        return find_line(self.facts, model, system, BASIS, speculation, ttft_max_s=limit)

    def _promise(self, model: str, whole: Line) -> Promise:
        sides = {limit: self._limited(model, whole.system, whole.decoding, limit) for limit in LIMITS_S}
        best = {limit: None if side is None else side.peak for limit, side in sides.items()}
        known = self._limited(model, whole.system, whole.decoding, math.inf)
        return Promise(model, whole, known, best)

    def candidate_within(self, model: str, limit: float = NAMED_S) -> pd.Series | None:
        """The candidate's best single-token row within a limit on the median TTFT, seconds."""
        mine = [p for p in self.promised[model] if p.whole.system == CANDIDATE and p.speculation == "none"]
        return mine[0].best.get(limit) if mine else None

    def named_within(self, model: str, limit: float = NAMED_S) -> pd.Series | None:
        """The best row of the appendix' baseline within it; None where no row with a TTFT keeps it."""
        question = self.models[model]
        asked = (question.baseline, question.speculation)
        mine = [p for p in self.promised[model] if (p.whole.system, p.speculation) == asked]
        return mine[0].best.get(limit) if mine else None

    def best_within(self, model: str, limit: float = NAMED_S) -> pd.Series | None:
        """The best single-token row of any other system within it."""
        others = [p for p in self.promised[model] if p.whole.system != CANDIDATE and p.speculation == "none"]
        rows = [row for p in others if (row := p.best.get(limit)) is not None]
        return max(rows, key=lambda row: float(row["high"]), default=None)

    def printed_ratio(self, split: Split, metric: str) -> str:
        """The ratio that the primary document prints for the model of a split; empty where it prints none."""
        claims = self.facts.claims
        mine = claims[(claims["source_id"] == PRIMARY) & (claims["model"] == split.question.model)]
        mine = mine[(mine["metric"] == metric) & (mine["side"] == "ratio")]
        return str(mine["printed"].iloc[0]) if len(mine) else ""

    def at_baselines_wait(self, model: str) -> Held | None:
        """The candidate's best row within the median TTFT of the baseline's peak; None where that is not known."""
        question = self.models[model]
        for promise in self.promised[model]:
            peak = promise.whole.peak
            if (peak["system"], promise.speculation) != (question.baseline, question.speculation):
                continue
            same = promise.rows[(promise.rows[_LAYOUT] == peak[_LAYOUT]).all(axis=1)]
            mine = [p for p in self.promised[model] if p.whole.system == CANDIDATE and p.known]
            if same.empty or not mine:
                return None
            wait = float(same["ttft_median_s"].iloc[0])
            within = self._limited(model, CANDIDATE, mine[0].speculation, wait)
            if within is None:
                return None
            between = mine[0].read(wait, "linear"), mine[0].read(wait, "steffen")
            return Held(model, same.iloc[0], within.peak, peak, mine[0].whole.peak, between)
        return None

    def short_of_load(self) -> list[Split]:
        """Baselines whose printed E2E means a smaller share in flight than every public row with means has."""
        if self.means.empty:
            return []
        least = float(self.means["share"].min())
        return [b for _, b in self.pairs if b.in_flight.high / b.row["concurrency"] < least]

    def e2e_ratio(self, baseline: Split) -> Interval | None:
        """E2E ratio when the baseline's E2E is what its public throughput means with all requests in flight."""
        mine = [c for c, b in self.pairs if b is baseline]
        return steady_e2e(baseline) / mine[0].e2e.interval if mine else None

    def all_in_flight(self, split: Split) -> Interval | None:
        """Throughput per rated kW that the printed E2E means when every held request is in flight."""
        watts = metrics.watts(self.facts.systems.loc[split.system], BASIS)
        if watts is None:
            return None
        return _ends(
            metrics.per_kw(metrics.rate_by_littles_law(e2e, split.row["chips"], split.row["concurrency"], tokens), w)
            for e2e in (split.e2e.interval.low, split.e2e.interval.high)
            for tokens in _tokens(split)
            for w in (watts.low, watts.high)
        )

    def if_all_in_flight(self, split: Split) -> Interval | None:
        """The printed matched throughput of the candidate over that."""
        claims, value = self.facts.claims, self.all_in_flight(split)
        mine = claims[(claims["source_id"] == PRIMARY) & (claims["model"] == split.question.model)]
        mine = mine[(mine["metric"] == "matched_mixed_tok_s_per_kw") & (mine["side"] == "candidate")]
        if mine.empty or value is None:
            return None
        return Printed.parse(str(mine["printed"].iloc[0])).interval / value


def _tbt(claims: pd.DataFrame) -> Interval | None:
    """Where all printed forms of a mean TBT agree, seconds: in ms, as tok/s per user, and as a matched speed.

    None where none is printed or two of them share no number.
    """
    found: Interval | None = None
    for metric in ("min_tbt_ms", "max_interactivity_tok_s_user", "matched_interactivity_tok_s_user"):
        for printed in claims.loc[claims["metric"] == metric, "printed"]:
            each = Printed.parse(str(printed)).interval
            scaled = Interval(each.low / 1000, each.high / 1000) if metric == "min_tbt_ms" else Interval(1, 1) / each
            found = scaled if found is None else found.common(scaled)
            if found is None:
                return None
    return found


def _tokens(split: Split) -> tuple[float, float]:
    """Mean tokens of a request of so short a run: both ends of two standard errors."""
    mean, slack = metrics.tokens_per_request(), metrics.length_spread(split.requests)
    return mean * (1 - slack), mean * (1 + slack)


def steady_e2e(split: Split) -> Interval:
    """Mean E2E, seconds, with every held request in flight at the public throughput."""
    row = split.row
    return _ends(
        metrics.e2e_by_littles_law(row["total_tok_s_per_chip"], row["chips"], row["concurrency"], tokens)
        for tokens in _tokens(split)
    )


def _ends(values: Iterator[float]) -> Interval:
    return Interval.around(list(values))


def is_drawn(input_rate: float, output_rate: float, requests: int) -> bool:
    """Whether two rates are in the proportion of the lengths that the client draws for so many requests."""
    inputs, outputs = metrics.drawn_lengths(requests)
    return math.isclose(input_rate / output_rate, inputs / outputs, rel_tol=1e-6)


def passes(mine: Promise, others: list[Promise]) -> float | None:
    """The limit, seconds, from which on the best row of ``mine`` is above that of every other line; None if never."""
    stairs = [p.stairs() for p in (mine, *others)]
    limits = sorted({float(t) for steps in stairs for t in steps["ttft"]})
    passed = None
    for limit in limits:
        best = [steps.loc[steps["ttft"] <= limit, "value"].max() for steps in stairs]
        if pd.notna(best[0]) and all(pd.isna(b) or best[0] > b for b in best[1:]):
            passed = limit if passed is None else passed
        else:
            passed = None
    return passed
