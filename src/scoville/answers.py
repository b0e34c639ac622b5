"""One question about two systems, answered without a notebook, with everything that qualifies the answer."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import pandas as pd

from scoville.compare import Line, line, reading, spread, workload_of
from scoville.facts import Facts
from scoville.metrics import interactivity, watts
from scoville.problems import InputError, Problem
from scoville.units import Interval

WIDE_GAP = 1.5
"""Measured neighbours further apart than this ratio make an interpolated value depend on the method."""
SNAP = 1e-3
"""A speed this close beyond the last measured point (relative) means that point: printed speeds are rounded."""


@dataclass(frozen=True)
class Terms:
    """What is asked.

    Attributes:
        model, candidate, baseline: keys.
        basis: a key of `bases.BASES`.
        at: interactivity in tok/s per user at which to compare; None compares the peaks.
        speculation: ``none``, ``mtp`` or ``any``, for both sides.
        engine: one engine only, of the side or sides that have it (an engine often runs on one vendor's systems
            alone); a warning says when a side is not narrowed. All of a system's engines are pooled by default.
        precision: label of the weights' precision; that of the model's page by default.
        ttft_max_s: longest median TTFT allowed, seconds.
        interpolation: ``linear`` or ``steffen``.
    """

    model: str
    candidate: str
    baseline: str
    basis: str = "package"
    at: float | None = None
    speculation: str = "none"
    engine: str | None = None
    precision: str | None = None
    ttft_max_s: float | None = None
    interpolation: str = "linear"


@dataclass(frozen=True)
class Answer:
    """What comes out.

    Attributes:
        candidate_value, baseline_value: mixed tok/s per kW, or per chip on that basis; at the middle of the
            watts where these are an interval. None where nothing was measured there.
        ratio: candidate over baseline of these values.
        low, high: the ratio over the interval of the watts; both equal ``ratio`` where the watts are one number.
        basis, interpolation: as asked.
        candidate_points, baseline_points: the measured rows that the values rest on.
        warnings: what a reader must know before quoting the ratio.
    """

    candidate_value: float | None
    baseline_value: float | None
    ratio: float | None
    low: float | None
    high: float | None
    basis: str
    interpolation: str
    candidate_points: list[dict[str, Any]]
    baseline_points: list[dict[str, Any]]
    warnings: list[str]

    def as_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return asdict(self)


def answer(facts: Facts, terms: Terms) -> Answer:
    """Compare two systems on the stated terms.

    Raises:
        InputError: when both sides are one system, and when a side has no row that meets the terms, with what it has.
    """
    warnings: list[str] = []
    if terms.candidate == terms.baseline:
        what = "expected another system than the candidate: both sides would be the same rows"
        raise InputError([Problem("terms", 0, "baseline", terms.baseline, what)])
    _check_engine(facts, terms)
    sides = [_side(facts, terms, system, warnings) for system in (terms.candidate, terms.baseline)]
    speeds = [_speed(side, terms, warnings) for side in sides]
    values = [_value(side, terms, at, warnings) for side, at in zip(sides, speeds, strict=True)]
    used = [_used(side, at) for side, at in zip(sides, speeds, strict=True)]
    warnings += _unstated_lengths(facts, terms, sides)
    warnings += _unlike_methods(used, terms)
    warnings += _evidence_warnings(facts, sides)
    ratio = None if values[0] is None or values[1] is None else values[0] / values[1]
    middles = [None if value is None else _middle(value) for value in values]
    return Answer(
        candidate_value=middles[0],
        baseline_value=middles[1],
        ratio=None if middles[0] is None or middles[1] is None else middles[0] / middles[1],
        low=None if ratio is None else ratio.low,
        high=None if ratio is None else ratio.high,
        basis=terms.basis,
        interpolation=terms.interpolation,
        candidate_points=used[0],
        baseline_points=used[1],
        warnings=warnings,
    )


def _unstated_lengths(facts: Facts, terms: Terms, sides: list[Line]) -> list[str]:
    """Where no nominal lengths are stated: the mean lengths that are compared."""
    if workload_of(facts, terms.model).states_lengths:
        return []
    told = "; ".join(f"{side.system}: {_mean_lengths(side.points)}" for side in sides)
    return [f"the rows state no nominal lengths; mean lengths in tokens are, {told}"]


def _mean_lengths(rows: pd.DataFrame) -> str:
    """``926.7 in and 917.7 out``; the range where rows differ."""
    parts = []
    for column, where in (("isl_mean", "in"), ("osl_mean", "out")):
        known = rows[column].dropna()
        ends = dict.fromkeys(f"{v:,.1f}" for v in (known.min(), known.max())) if len(known) else ["not stated"]
        parts.append(f"{' to '.join(ends)} {where}")
    return " and ".join(parts)


def _unlike_methods(used: list[list[dict[str, Any]]], terms: Terms) -> list[str]:
    """Where all decoding methods are pooled: whether the two values rest on different ones."""
    methods = [sorted({str(row["speculation"]) for row in rows}) for rows in used]
    if terms.speculation != "any" or not all(methods) or methods[0] == methods[1]:
        return []
    told = "; ".join(f"{s}: {', '.join(m)}" for s, m in zip((terms.candidate, terms.baseline), methods, strict=True))
    return [f"the values rest on unlike decoding methods ({told})"]


def _middle(value: Interval) -> float:
    """The value at the middle of the watts: the harmonic mean of the ends, as watts stand in the denominator."""
    return 2 / (1 / value.low + 1 / value.high)


def _engines(facts: Facts, terms: Terms, system: str) -> set[str]:
    rows = facts.points[(facts.points["model"] == terms.model) & (facts.points["system"] == system)]
    return set(rows["engine"].dropna())


def _check_engine(facts: Facts, terms: Terms) -> None:
    known = {s: sorted(_engines(facts, terms, s)) for s in (terms.candidate, terms.baseline)}
    if terms.engine is not None and all(known.values()) and not any(terms.engine in e for e in known.values()):
        listed = "; ".join(f"{system}: {', '.join(engines)}" for system, engines in known.items())
        raise InputError([Problem("terms", 0, "engine", terms.engine, f"expected an engine of either side ({listed})")])


def _side(facts: Facts, terms: Terms, system: str, warnings: list[str]) -> Line:
    narrow: dict[str, Any] = {"precision": terms.precision, "ttft_max_s": terms.ttft_max_s}
    if terms.engine is not None and terms.engine in _engines(facts, terms, system):
        narrow["engine"] = terms.engine
    elif terms.engine is not None:
        there = ", ".join(sorted(_engines(facts, terms, system))) or "none named"
        unlike = f"engine {terms.engine} does not narrow {system}, which has no such rows"
        warnings.append(f"{unlike}: all of its engines are used ({there})")
    for speculation in dict.fromkeys([terms.speculation, "none"]):
        try:
            found = line(facts, terms.model, system, terms.basis, speculation, **narrow)
        except LookupError:
            continue
        if speculation != terms.speculation:
            warnings.append(f"{system} has no {terms.speculation} rows; its single-token rows are used: unlike methods")
        if terms.ttft_max_s is not None:
            _warn_of_missing_ttft(facts, terms, system, speculation, warnings, narrow.get("engine"))
        return found
    raise InputError([Problem("terms", 0, "system", system, _what_there_is(facts, terms, system))])


def _warn_of_missing_ttft(
    facts: Facts, terms: Terms, system: str, speculation: str, warnings: list[str], engine: str | None
) -> None:
    rows = line(facts, terms.model, system, terms.basis, speculation, engine=engine, precision=terms.precision).points
    blank = int(rows["ttft_median_s"].isna().sum())
    if blank:
        warnings.append(f"{blank} of {len(rows)} rows of {system} hold no TTFT and are left out")


def _what_there_is(facts: Facts, terms: Terms, system: str) -> str:
    rows = facts.points[(facts.points["model"] == terms.model) & (facts.points["system"] == system)]
    precision = terms.precision or workload_of(facts, terms.model).precision
    asked = f"precision {precision}, speculation {terms.speculation}, basis {terms.basis}"
    asked += f", {workload_of(facts, terms.model).lengths}"
    asked += f", engine {terms.engine}" if terms.engine else ""
    asked += f", median TTFT of at most {terms.ttft_max_s:g} s" if terms.ttft_max_s is not None else ""
    if rows.empty:
        here = facts.points[facts.points["model"] == terms.model]
        models = ", ".join(sorted(facts.points["model"].unique()))
        systems = ", ".join(sorted(here["system"].unique()))
        known = f"systems with rows for {terms.model}: {systems}" if systems else f"models with rows: {models}"
        return f"expected rows of it for {terms.model}; {known}"
    rated = watts(facts.systems.loc[system], terms.basis) if terms.basis in ("package", "all-in") else True
    if rated is None:
        column = "package_power_w" if terms.basis == "package" else "all_in_power_low_w and all_in_power_high_w"
        return f"expected watts of {system}: fill in {column} in systems.csv, or ask with --basis chip"
    kinds = rows.groupby(["engine", "precision", "speculation"], dropna=False).size()
    listed = "; ".join(f"{e}, {p}, {s} ({n})" for (e, p, s), n in kinds.items())
    lengths = rows.groupby(["isl_nominal", "osl_nominal"], dropna=False).size()
    known = "; ".join(f"{_length(i)} in and {_length(o)} out ({n})" for (i, o), n in lengths.items())
    unstated = rows[(rows["isl_nominal"].isna() | rows["osl_nominal"].isna()) & (rows["workload"] != "agentic")]
    known += f", on average {_mean_lengths(unstated)}" if len(unstated) else ""
    missing = {"interactivity": interactivity(rows).isna()}
    if terms.basis == "measured":
        missing["measured watts"] = rows["chip_power_mean_w"].isna()
    if terms.ttft_max_s is not None:
        missing["a TTFT"] = rows["ttft_median_s"].isna()
    blank = "".join(f"; {int(m.sum())} of {len(rows)} without {name}" for name, m in missing.items() if m.any())
    return f"expected a row with {asked}; it has: {listed}; lengths {known}{blank}"


def _length(tokens: float) -> str:
    return "not stated" if pd.isna(tokens) else f"{tokens:,.0f}"


def _speed(side: Line, terms: Terms, warnings: list[str]) -> float | None:
    """The speed at which a side is read: as asked, or its first or last point where the speed all but hits that."""
    if terms.at is None:
        return None
    for end in (float(side.frontier.x[0]), float(side.frontier.x[-1])):
        beyond = not side.frontier.x[0] <= terms.at <= side.frontier.x[-1]
        if beyond and abs(terms.at / end - 1) <= SNAP:
            warnings.append(f"{side.system} is read at its measured point of {end:.4f} tok/s per user")
            return end
    return terms.at


def _value(side: Line, terms: Terms, at: float | None, warnings: list[str]) -> Interval | None:
    if at is None:
        return spread(side.peak)
    value = reading(side, at, terms.interpolation)
    front = side.frontier
    if value is None:
        warnings.append(
            f"{side.system} was measured from {front.x[0]:.1f} to {front.x[-1]:.1f} tok/s per user; "
            f"{at:g} lies outside, and nothing is extrapolated"
        )
        return None
    gap = front.read(at).gap
    if gap > WIDE_GAP:
        other = "steffen" if terms.interpolation == "linear" else "linear"
        there = reading(side, at, other)
        if there is not None:
            warnings.append(
                f"{side.system}: measured neighbours lie {gap:.2f} times apart; "
                f"{other} interpolation gives {_middle(there):,.1f}"
            )
    return value


_SHOWN = (
    "speed low high chips concurrency engine precision speculation parallelism date source_id evidence ttft_median_s"
).split()


def _used(side: Line, at: float | None) -> list[dict[str, Any]]:
    """The rows that a value rests on: the peak, the measured point, or its two neighbours."""
    rows = side.counted.loc[[side.peak.name]] if at is None else side.behind(at).sort_values("speed")
    plain = rows[_SHOWN].astype(object)
    return list(plain.where(plain.notna(), None).to_dict("records"))


def _evidence_warnings(facts: Facts, sides: list[Line]) -> list[str]:
    told = []
    for side in sides:
        for evidence in sorted(side.points["evidence"].unique()):
            if evidence != "independently-executed":
                told.append(f"rows of {side.system} are {evidence}, not independently executed")
        interval = watts(facts.systems.loc[side.system], "all-in")
        if not side.counted["low"].equals(side.counted["high"]) and interval is not None:
            told.append(
                f"all-in watts of {side.system} are an interval, {interval.low:,.0f} to {interval.high:,.0f} W: "
                "the ratio is a range, and the single values are at its middle"
            )
        if pd.isna(side.counted["date"]).any():
            told.append(f"some rows of {side.system} carry no date")
    return told
