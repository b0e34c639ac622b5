"""Chapter: Rubin. The opponent of the same memory generation, and how little of it is published."""

from __future__ import annotations

import html
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import altair as alt
import pandas as pd

from scoville import charts, tables
from scoville.audit import CANDIDATE
from scoville.book import questions
from scoville.compare import DECODING, Line, line
from scoville.denominators import (
    RIVAL,
    Denominator,
    Overlap,
    Threshold,
    figure,
    generations,
    overlaps,
    ratings,
    rival_rows,
    thresholds,
)
from scoville.facts import load
from scoville.paths import data_folder
from scoville.report.page import Gallery, Html, Page, detail
from scoville.tabulate import Column, Table, figures, markup, number, span, text
from scoville.units import Interval
from scoville.words import counted, listed, pair, times

EARLIER = ("gb300", "gb200")
"""Systems before Rubin, the newest first."""
MLPERF = "MLPerf"


@dataclass(frozen=True)
class RubinPage(Page):
    """Rubin, as far as it is published."""

    title: ClassVar[str] = "Rubin"

    @cached_property
    def shared(self) -> list[Overlap]:
        """What both systems have rows for."""
        return overlaps(self.facts) if RIVAL in self.facts.systems.index else []

    @cached_property
    def needed(self) -> list[Threshold]:
        """What a package would have to reach."""
        return thresholds(self.facts, EARLIER) if RIVAL in self.facts.systems.index else []

    @cached_property
    def models(self) -> list[str]:
        """The models that the default candidate is compared on."""
        return [q.model for q in questions(self.facts)]

    @property
    def mine(self) -> str:
        """Name of the candidate."""
        return self.names.get(CANDIDATE, CANDIDATE)

    def finding(self) -> Html:
        """The finding, made from the rows."""
        if not self.models:
            return Html("<p>The data hold no comparison of the default candidate.</p>", "no comparison")
        first = " ".join([*(self._overlap_told(o) for o in self.shared)]) or (
            f"No published row of Rubin shares a model and a workload with {self.mine}’s, so they cannot be compared."
        )
        second = " ".join(p for p in (self._others_told(), self._gaps_told(), self._needed_told()) if p)
        return Html(f"<p>{first}</p><p>{second}</p>", "finding")

    def _overlap_told(self, overlap: Overlap) -> str:
        """One overlap: the sign at the throughput end by rating, per chip everywhere, and what the rows are."""
        by = {d.key: d for d in overlap.denominators}
        rated = [(d, d.ratio(overlap.per_chip(0))) for d in overlap.denominators if d.key.startswith("package-")]
        chip = overlap.everywhere(by["chip"])
        per_chip = f"{_leads('per chip', self.mine, chip)} at {'every' if _signs([chip]) else 'the'} common speed"
        per_chip = f"{per_chip} (<b>{times(chip)}</b>)" if _signs([chip]) else f"per chip the ratio is {times(chip)}"
        if rated:
            values = listed(f"<b>{times(r)}</b> with Rubin rated {d.short}" for d, r in rated)
            signs = _signs([r for _, r in rated])
            turn = {1: f"{self.mine} leads there", -1: "Rubin leads there", 0: "the sign depends on the denominator"}
            told = f"{self.mine} over Rubin in output per rated kW is {values}, so {turn[signs]}, and {per_chip}"
        else:
            told = per_chip
        where = f"On {self.model_name(overlap.model)} at {overlap.start:,.0f} tok/s per user, the throughput end"
        return f"{where}, {told}. {self._rows_told(overlap)}"

    def _rows_told(self, overlap: Overlap) -> str:
        evidence = listed(sorted(overlap.comparison.baseline.points["evidence"].unique()))
        unlike = "" if overlap.like else f", and {overlap.decoding} stands against single-token prediction"
        return f"Rubin’s rows are {evidence}{unlike}."

    def _others_told(self) -> str:
        told = []
        for overlap in self.shared:
            slow = [
                f"{times(d.ratio(overlap.per_chip(0)))} {html.escape(d.label)}"
                for d in overlap.denominators
                if d.key != "chip" and not d.key.startswith("package-")
            ]
            rated = [overlap.everywhere(d) for d in overlap.denominators if d.key.startswith("package-")]
            along = f"over all common speeds, {overlap.start:,.0f} to {overlap.end:,.0f} tok/s per user, the ratio"
            ranges = " and ".join(times(r) for r in rated)
            if slow:
                told.append(f"At that speed it is {listed(slow)}.")
            if rated:
                told.append(f"The sign also turns with speed: {along} per rated kW runs over {ranges}.")
            told += self._crossings(overlap)
            fastest = float(overlap.comparison.candidate.fastest["speed"])
            if fastest > overlap.end:
                told.append(f"Above {overlap.end:,.0f} only {self.mine} has points, up to {fastest:,.0f}.")
        return " ".join(told)

    def _crossings(self, overlap: Overlap) -> list[str]:
        """Where the candidate's line goes from one deployment to another of different size, inside the overlap."""
        rows = overlap.comparison.candidate.counted
        best = rows[rows["pareto"]].sort_values("speed")
        told = []
        for (_, slower), (_, faster) in zip(best.iloc[:-1].iterrows(), best.iloc[1:].iterrows(), strict=True):
            ends = [overlap.comparison.ratio_at(float(row["speed"])) for row in (slower, faster)]
            if None not in ends and slower["chips"] != faster["chips"]:
                ratios = " to ".join(times(e) for e in ends if e is not None)
                told.append(
                    f"Between {slower['speed']:,.0f} and {faster['speed']:,.0f}, where {self.mine}’s line crosses from "
                    f"{counted(slower['chips'], 'chip')} to {counted(faster['chips'], 'chip')}, the ratio per chip "
                    f"goes from {ratios}."
                )
        return told

    def _gaps_told(self) -> str:
        have = {o.model for o in self.shared}
        without = [self.model_name(m) for m in self.models if m not in have]
        if not without or not self.shared:
            return ""
        return f"For {listed(without)} no result of Rubin at this workload was found."

    def _needed_told(self) -> str:
        told = []
        for threshold in self.needed:
            if threshold.peaks:
                told.append(
                    f"{_over(threshold.peaks)} that of {self.names[threshold.earlier]} for "
                    f"{self.model_name(threshold.model)}"
                )
        watts = ratings(self.facts, RIVAL) if RIVAL in self.facts.systems.index else []
        if not told or not watts:
            return ""
        at = f"rated {span(0, ' W')((watts[0], watts[-1]))}"
        return (
            f"To equal {self.mine}’s peak per rated kW, with single tokens, the peak of a Rubin package {at} "
            f"would have to be {listed(told)}."
        )

    # ------------------------------------------------------------------ what is published

    def coverage(self) -> Table:
        """One row a model: what there is of Rubin, and what not."""
        results = self._results()
        rows = []
        for model in self.models:
            found = rival_rows(self.facts, model) if RIVAL in self.facts.systems.index else self.facts.points.iloc[:0]
            other = results[results["model"] == model]
            mine = line(self.facts, model, CANDIDATE, "chip", tokens="output").counted
            kinds = (
                f"{len(found)} ({', '.join(sorted(found['evidence'].unique()))}; "
                f"{', '.join(DECODING.get(s, s) for s in sorted(found['speculation'].unique()))})"
            )
            rows.append(
                {
                    "model": self.model_name(model),
                    "mine": len(mine),
                    "rows": kinds if len(found) else "none found",
                    "other": ", ".join(dict.fromkeys(other["benchmark"].dropna())) or "none found",
                }
            )
        columns = {
            "model": Column("Model"),
            "mine": figures(f"Operating points of {self.mine}", number(0)),
            "rows": Column("Operating points of Rubin at the same workload"),
            "other": Column("Other published results of Rubin"),
        }
        return Table(pd.DataFrame(rows, columns=list(columns)), columns, "What exists of Rubin for each model compared")

    def _results(self) -> pd.DataFrame:
        """Published figures of Rubin that tell of a run, by day of publication."""
        rows = self.facts.published
        kept = rows["metric"].map(lambda m: tables.FIGURES[m].result).astype(bool) & (rows["system"] == RIVAL)
        dated = rows[kept].assign(published=rows.loc[kept, "source_id"].map(self.facts.sources["published"]))
        return dated.sort_values("published", kind="stable", na_position="last")

    def published(self) -> Table:
        """Every published result of Rubin, with conditions and class of evidence; one row a set of like figures."""
        found = self._results()
        alike = ["source_id", "metric", "served", "benchmark", "compared_with", "conditions"]
        groups = found.fillna(dict.fromkeys(alike, "")).groupby(alike, sort=False) if len(found) else []
        rows = []
        for _, group in groups:
            first = group.iloc[0].to_dict()
            notes = "; ".join(group["note"].dropna())
            parts = [_told(first), html.escape(notes)]
            rows.append(
                {
                    "date": first["published"],
                    "what": f"{html.escape(tables.FIGURES[first['metric']].label)}{detail(_about(first))}",
                    "value": "".join(f"<div>{_value(row)}</div>" for row in group.to_dict("records")),
                    "conditions": html.escape(first["conditions"]) + detail("; ".join(p for p in parts if p)),
                    "evidence": first["evidence"]
                    + detail(f"published so: {first['confidence']} confidence")
                    + detail(self.source_link(first["source_id"], first["locator"])),
                }
            )
        columns = {
            "date": Column("Published"),
            "what": Column("What", markup),
            "value": Column("Value", markup, numeric=True),
            "conditions": Column("Conditions", markup),
            "evidence": Column("Evidence and source", markup),
        }
        frame = pd.DataFrame(rows, columns=list(columns))
        return Table(frame, columns, f"Published results of Rubin that are no operating points: {len(found)}")

    # ------------------------------------------------------------------ the overlap

    def curves(self) -> Gallery:
        """The ratio by denominator along all common speeds, one chart an overlap."""
        charts.use_renderer()
        return Gallery([self._curve(o) for o in self.shared])

    def _curve(self, overlap: Overlap) -> alt.TopLevelMixin:
        rows: list[dict[str, Any]] = []
        for index, at in enumerate(overlap.table.to_dict("records")):
            for by in overlap.denominators:
                ratio = by.ratio(overlap.per_chip(index))
                mine = "candidate" in at["measured"]
                rows.append({"key": by.key, "label": by.short, "speed": at["speed"], "mine": mine} | _ends(ratio))
        rated = [d for d in overlap.denominators if d.key.startswith("package-")]
        slow = " and ".join(f"{times(d.ratio(overlap.per_chip(0)))} per kW at {d.short}" for d in rated)
        chip = times(overlap.everywhere(overlap.denominators[0]))
        told = f"{slow} at the throughput end; " if rated else ""
        points = pd.concat([overlap.comparison.candidate.points, overlap.comparison.baseline.points])
        names = (self.mine, self.names[RIVAL])
        return charts.by_denominator(
            pd.DataFrame(rows),
            candidate=names[0],
            rival="Rubin",
            dashed=not overlap.like,
            title=f"{self.model_name(overlap.model)}: {told}{chip} per chip over all speeds",
            subtitle=(
                f"{names[0]}, single-token, over {names[1]}, {overlap.decoding}; output tok/s, read linearly between "
                f"measured{' and digitised' if overlap.digitised else ''} points. Watts and TB/s: of one package. "
                "Bands: intervals. Marks: at measured points of the candidate. Above 1 it leads."
            ),
            source=self.source_line(points),
        )

    def ratio_rows(self) -> Table:
        """The data of the charts: every common speed, every denominator."""
        rows = []
        for overlap in self.shared:
            for index, at in enumerate(overlap.table.to_dict("records")):
                chip = overlap.per_chip(index)
                rows.append(
                    {
                        "model": self.model_name(overlap.model),
                        "decoding": overlap.decoding,
                        "speed": at["speed"],
                        "measured": self._whose(at["measured"]),
                        "mine": at["candidate_low"],
                        "theirs": at["baseline_low"],
                        "cubic": (at["steffen_low"], at["steffen_high"]),
                        "bounds": pair(overlap.comparison.bounds_at(at["speed"])),
                    }
                    | {d.key: pair(d.ratio(chip)) for d in overlap.denominators}
                )
        by = {d.key: d.label for o in self.shared for d in o.denominators}
        columns = {
            "model": Column("Model"),
            "decoding": Column("Decoding of Rubin"),
            "speed": figures("Interactivity, tok/s/user", number(1)),
            "measured": Column("Point of"),
            "mine": figures(f"{self.mine}, output tok/s per chip", number(0)),
            "theirs": figures("Rubin, output tok/s per chip", number(0)),
            **{key: figures(f"Ratio {label}", span(2, "×")) for key, label in by.items()},
            "cubic": figures("Per chip, monotone cubic", span(2, "×")),
            "bounds": figures("Per chip, from points alone", span(2, "×")),
        }
        frame = pd.DataFrame(rows, columns=list(columns))
        return Table(frame, columns, f"Data of this chart: {len(rows)} speeds", folded=True)

    def _whose(self, measured: str) -> str:
        return measured.replace("candidate", self.mine).replace("baseline", "Rubin")

    def denominators(self) -> Table:
        """What each ratio divides by, with its sources, and what comes out."""
        rows: list[dict[str, Any]] = []
        for overlap in self.shared:
            model = self.model_name(overlap.model)
            rows += [
                {
                    "model": model,
                    "by": html.escape(d.label) + detail("; ".join(self.source_link(s) for s in d.sources)),
                    "mine": f"{_plain(d.candidate)} {d.unit}",
                    "theirs": f"{_plain(d.rival)} {d.unit}",
                    "slow": pair(d.ratio(overlap.per_chip(0))),
                    "all": pair(overlap.everywhere(d)),
                }
                for d in overlap.denominators
            ]
            rows.append({"model": model, "by": "per dollar of price" + detail("nobody published a price of both")})
        columns = {
            "model": Column("Model"),
            "by": Column("Output per second, and sources", markup),
            "mine": figures(f"One package of {self.mine}", _dash),
            "theirs": figures("One package of Rubin", _dash),
            "slow": figures("Ratio at the throughput end", span(2, "×")),
            "all": figures("Ratio over all common speeds", span(2, "×")),
        }
        frame = pd.DataFrame(rows, columns=list(columns)).astype(object)
        frame = frame.where(frame.notna(), None)
        return Table(frame, columns, f"{self.mine} over Rubin, by what output is divided by")

    def ranges(self) -> Table:
        """Every input at both ends of its range, at the throughput end of the common speeds."""
        rows = [row for overlap in self.shared for row in self._ranges(overlap)]
        columns = {
            "model": Column("Model"),
            "what": Column("What is varied"),
            "by": Column("Ratio"),
            "range": Column("Range", numeric=True),
            "ratio": figures("Ratio at the ends", span(2, "×")),
            "sign": Column("Who leads"),
        }
        return Table(
            pd.DataFrame(rows, columns=list(columns)),
            columns,
            "How the ratio at the throughput end moves with each input",
        )

    def _ranges(self, overlap: Overlap) -> list[dict[str, Any]]:
        chip, model = overlap.per_chip(0), self.model_name(overlap.model)
        by = {d.key: d for d in overlap.denominators}
        found: list[tuple[str, str, str, Interval]] = []
        rated = [d for d in overlap.denominators if d.key.startswith("package-")]
        if rated:
            both = Interval.around([end for d in rated for end in (d.ratio(chip).low, d.ratio(chip).high)])
            found.append(("Rubin’s package rating", rated[0].label.split(",")[0], _watts(rated), both))
        found += [
            (f"{self.mine}’s {what}", by[key].label, f"{_plain(by[key].candidate)} {by[key].unit}", by[key].ratio(chip))
            for key, what in (("all-in", "all-in watts"), ("cost", "estimated cost"))
            if key in by
        ]
        found += self._bandwidths(by, chip) + self._conversions(overlap, chip)
        cubic = overlap.table.iloc[0]
        read = Interval.around([chip.low, chip.high, float(cubic["steffen_low"]), float(cubic["steffen_high"])])
        found.append(("Interpolation", "per chip", "linear to monotone cubic", read))
        bounds = overlap.comparison.bounds_at(overlap.start)
        if bounds:
            found.append(("Interpolation", "per chip", "points alone", bounds))
        return [
            {"model": model, "what": what, "by": label, "range": low_high, "ratio": pair(r), "sign": self._who(r)}
            for what, label, low_high, r in found
        ]

    def _who(self, ratio: Interval) -> str:
        return {1: self.mine, -1: "Rubin", 0: "open"}[_signs([ratio])]

    def _bandwidths(self, by: dict[str, Denominator], chip: Interval) -> list[tuple[str, str, str, Interval]]:
        second = figure(self.facts, RIVAL, "memory_bandwidth_tb_s")
        if second is None or "bandwidth" not in by:
            return []
        d = by["bandwidth"]
        wide = Interval(min(second[0].low, d.rival.low), max(second[0].high, d.rival.high))
        return [("Rubin’s memory bandwidth", d.label, f"{_plain(wide)} {d.unit}", chip * (wide / d.candidate))]

    def _conversions(self, overlap: Overlap, chip: Interval) -> list[tuple[str, str, str, Interval]]:
        """The chart was per all-in watt: other watts per package make other rates per chip."""
        used = figure(self.facts, RIVAL, "conversion_w") if overlap.digitised else None
        system = self.facts.systems.loc[RIVAL]
        if used is None or pd.isna(system["all_in_power_low_w"]) or pd.isna(system["all_in_power_high_w"]):
            return []
        published = Interval(float(system["all_in_power_low_w"]), float(system["all_in_power_high_w"]))
        told = "All-in watts by which the chart became rates per chip"
        return [(told, "per chip", f"{_plain(published)} W", chip * (used[0] / published))]

    def misreading(self) -> Table:
        """How wrong the chart would have to be read for the sign at the throughput end to turn."""
        rows = [
            {
                "model": self.model_name(o.model),
                "by": d.label,
                "ratio": pair(d.ratio(o.per_chip(0))),
                "wrong": _wrong(d.ratio(o.per_chip(0))),
            }
            for o in self.shared
            if o.digitised
            for d in o.denominators
        ]
        columns = {
            "model": Column("Model"),
            "by": Column("Ratio"),
            "ratio": figures("As read, at the throughput end", span(2, "×")),
            "wrong": Column("The sign turns if the rates read are", numeric=True),
        }
        return Table(
            pd.DataFrame(rows, columns=list(columns)),
            columns,
            "The source states no uncertainty of the reading: what it would take at the throughput end",
        )

    # ------------------------------------------------------------------ what would follow

    def break_even(self) -> Table:
        """What a package must give over an earlier one to equal the candidate per rated kW."""
        watts = ratings(self.facts, RIVAL) if RIVAL in self.facts.systems.index else []
        rows: list[dict[str, Any]] = []
        for t in self.needed:
            head = {"model": self.model_name(t.model), "over": self.names[t.earlier]}
            if t.comparison is None:
                rows.append(head | {"where": "no single-token rows at this workload"})
                continue
            readings: list[tuple[str, float | None, Interval]]
            readings = [("each at its own peak", None, t.comparison.peak_ratio)]
            if len(t.table):
                ends = {float(r["speed"]): r for r in (t.table.iloc[0], t.table.iloc[-1])}
                readings += [
                    (told, speed, Interval(float(r["ratio_low"]), float(r["ratio_high"])))
                    for told, (speed, r) in zip(
                        ("where the common speeds begin", "where they end"), ends.items(), strict=False
                    )
                ]
            rows += [
                head | {"where": told, "speed": speed, "lead": pair(ratio)} | _by_rating(t.needed(ratio), watts)
                for told, speed, ratio in readings
            ]
        columns = {
            "model": Column("Model"),
            "over": Column("Times a package of"),
            "where": Column("Read"),
            "speed": figures("At tok/s/user", number(1)),
            "lead": figures(f"{self.mine}’s lead per rated kW", span(2, "×")),
            **{f"{w:.0f}": figures(f"Needed at {w:,.0f} W", span(2, "×")) for w in watts},
        }
        frame = pd.DataFrame(rows, columns=list(columns)).astype(object)
        frame = frame.where(frame.notna(), None)
        return Table(
            frame,
            columns,
            "What a Rubin package must give to equal Jalapeño per kW of package rating (mixed tokens, single-token)",
        )

    def rows_over_earlier(self) -> Table:
        """Rubin over GB300 per package in the rows themselves, like decoding, at the earlier system's points."""
        rows = []
        for overlap in self.shared:
            theirs = overlap.comparison.baseline
            for earlier in EARLIER:
                before = self._earlier(overlap, earlier)
                if before is None:
                    continue
                rows += [
                    {
                        "model": self.model_name(overlap.model),
                        "decoding": overlap.decoding,
                        "over": self.names[earlier],
                        "speed": float(speed),
                        "theirs": theirs.frontier.read(speed).value,
                        "before": float(value),
                        "ratio": theirs.frontier.read(speed).value / float(value),
                        "cubic": theirs.frontier.read(speed, "steffen").value / float(value),
                    }
                    for speed, value in zip(before.frontier.x, before.frontier.y, strict=True)
                    if theirs.frontier.x[0] <= speed <= theirs.frontier.x[-1]
                ]
                break  # the newest that has such rows
        columns = {
            "model": Column("Model"),
            "decoding": Column("Decoding of both"),
            "over": Column("Over a package of"),
            "speed": figures("Interactivity, tok/s/user", number(1)),
            "theirs": figures("Rubin, output tok/s per chip", number(0)),
            "before": figures("Earlier, output tok/s per chip", number(0)),
            "ratio": figures("Ratio per package (linear)", span_of_one),
            "cubic": figures("Ratio (monotone cubic)", span_of_one),
        }
        return Table(
            pd.DataFrame(rows, columns=list(columns)),
            columns,
            "Rubin over earlier packages at this workload, at the points of the earlier system",
        )

    def _earlier(self, overlap: Overlap, system: str) -> Line | None:
        if system not in self.facts.systems.index:
            return None
        try:
            spoken = overlap.comparison.question.speculation
            return line(self.facts, overlap.model, system, "chip", spoken, tokens="output")
        except LookupError:
            return None

    def mlperf(self) -> Table:
        """Rubin over GB300 in MLPerf, per chip; by its rules nothing else is made of it."""
        return self._generations(mlperf=True)

    def other_generations(self) -> Table:
        """Rubin over GB300 in every other benchmark that published both."""
        return self._generations(mlperf=False)

    def _generations(self, *, mlperf: bool) -> Table:
        found = generations(self.facts, EARLIER[0])
        found = found[found["benchmark"].str.startswith(MLPERF) == mlperf] if len(found) else found
        rows = [
            {
                "what": f"{html.escape(row['served'])}{detail(html.escape(_measure(row)))}",
                "theirs": row["rival"],
                "before": row["earlier"],
                "ratio": row["ratio"],
                "source": self._sources(row),
            }
            for row in found.to_dict("records")
        ]
        columns = {
            "what": Column("Model, benchmark and measure", markup),
            "theirs": figures("Rubin", _amount),
            "before": figures(self.names.get(EARLIER[0], EARLIER[0]), _amount),
            "ratio": figures("Ratio per GPU" if mlperf else "Ratio", span_of_one),
            "source": Column("Source", markup),
        }
        which = "in MLPerf, per GPU" if mlperf else "in other published benchmarks"
        frame = pd.DataFrame(rows, columns=list(columns))
        return Table(frame, columns, f"Rubin and the best result of {self.names.get(EARLIER[0], EARLIER[0])} {which}")

    def _sources(self, row: dict[str, Any]) -> str:
        known = [row[k] for k in ("rival_id", "earlier_id") if isinstance(row[k], str)]
        sources = dict.fromkeys(self.facts.published.loc[known, "source_id"])
        return "; ".join(self.source_link(str(s)) for s in sources)


def span_of_one(value: Any) -> str:
    """A single ratio; a dash where it is missing."""
    return number(2, "×")(value)


def _ends(ratio: Interval) -> dict[str, float]:
    return {"low": ratio.low, "high": ratio.high}


def _by_rating(needed: list[Interval], watts: list[float]) -> dict[str, Any]:
    return {f"{w:.0f}": pair(n) for w, n in zip(watts, needed, strict=True)}


def _signs(ratios: list[Interval]) -> int:
    """1 where every ratio lies above 1, -1 where every one lies below, else 0."""
    if all(r.low > 1 for r in ratios):
        return 1
    return -1 if all(r.high < 1 for r in ratios) else 0


def _leads(by: str, mine: str, ratio: Interval) -> str:
    return f"{by} {mine if _signs([ratio]) == 1 else 'Rubin'} leads"


def _over(needed: list[Interval]) -> str:
    return f"<b>{times(Interval(needed[0].low, needed[-1].high))}</b>"


def _plain(interval: Interval) -> str:
    return "–".join(dict.fromkeys(_amount(end) for end in (interval.low, interval.high)))


def _dash(value: Any) -> str:
    return "–" if value is None else html.escape(str(value))


def _amount(value: Any) -> str:
    """A published value with the digits that it has."""
    return "–" if pd.isna(value) else f"{value:,.10g}"


def _watts(rated: list[Denominator]) -> str:
    return span(0, " W")((rated[0].rival.low, rated[-1].rival.high))


def _wrong(ratio: Interval) -> str:
    """In words, by how much the rival's rates must have been misread for the ratio to be 1."""
    if not _signs([ratio]):
        return "open as it is"
    end = ratio.high if ratio.high < 1 else ratio.low
    percent = 100 * abs(1 / end - 1)
    return f"too {'high' if end < 1 else 'low'} by {percent:.{0 if percent >= 10 else 1}f} %"


def _value(row: dict[str, Any]) -> str:
    qualifier = f"{row['qualifier']} " if isinstance(row["qualifier"], str) else ""
    unit = tables.FIGURES[row["metric"]].unit
    space = "" if unit == "×" else " "
    at = [row["scenario"]] if isinstance(row["scenario"], str) else []
    if pd.notna(row["speed_tok_s_user"]):
        at.append(f"at {row['speed_tok_s_user']:,.0f} tok/s/user")
    value = html.escape(f"{qualifier}{_amount(row['value'])}{space}{unit}")
    return value + detail(html.escape(", ".join(at)))


def _about(row: dict[str, Any]) -> str:
    told = [row["served"], row["benchmark"], f"over {row['compared_with']}" if row["compared_with"] else ""]
    return html.escape(", ".join(t for t in told if t))


def _measure(row: dict[str, Any]) -> str:
    figure_ = tables.FIGURES[row["metric"]]
    told = [row["benchmark"], row["scenario"], f"{figure_.label}, {figure_.unit}"]
    if pd.notna(row["speed_tok_s_user"]):
        told.append(f"at {row['speed_tok_s_user']:,.0f} tok/s per user")
    return "; ".join(t for t in told if isinstance(t, str))


def _told(row: dict[str, Any]) -> str:
    parts = []
    if pd.notna(row["chips"]):
        parts.append(counted(row["chips"], "package"))
    if pd.notna(row["package_power_w"]):
        parts.append(f"rated {row['package_power_w']:,.0f} W each")
    if isinstance(row["speculation"], str):
        parts.append(DECODING.get(row["speculation"], row["speculation"]))
    return text(", ".join(parts))


def rubin_page(data_dir: str, root: str = "../") -> RubinPage:
    """Rubin, as far as it is published.

    Args:
        data_dir: data folder; a relative path starts at the project's root.
        root: relative address of the book's folder.

    Raises:
        InputError: when the data are wrong.
    """
    return RubinPage(load(data_folder(data_dir)), root)
