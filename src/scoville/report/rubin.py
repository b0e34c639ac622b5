"""Chapter: Rubin. The opponent of the same memory generation, and how little of it is published."""

from __future__ import annotations

import html
from collections.abc import Iterable
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
    sources_of_rating,
    thresholds,
)
from scoville.facts import load
from scoville.paths import data_folder
from scoville.report.page import Gallery, Html, Page, detail
from scoville.tabulate import Column, Table, figures, markup, number, sources, span, text
from scoville.units import Interval
from scoville.words import counted, dated, listed, pair, times

EARLIER = ("gb300", "gb200")
"""Systems before Rubin, the newest first."""
MLPERF = "MLPerf"
CHART = "inferencex-rubin-2026-07"
"""The source whose rows were read off the chart of July 2026."""
INDEPENDENT = "independently-executed"


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
        others = [self._other_told(o) for o in self.shared]
        last = " ".join(p for p in (self._gaps_told(), self._needed_told()) if p)
        return Html("".join(f"<p>{part}</p>" for part in (first, *others, last) if part), "finding")

    def _overlap_told(self, overlap: Overlap) -> str:
        """One overlap: the sign at the throughput end by rating, per chip everywhere, and what the rows are."""
        by = {d.key: d for d in overlap.denominators}
        rated = [(d, d.ratio(overlap.per_chip(0))) for d in overlap.denominators if d.key.startswith("package-")]
        chip = overlap.everywhere(by["chip"])
        per_chip = f"{_leads('per chip', self.mine, chip)} at {'every' if _signs([chip]) else 'the'} common speed"
        ratios = f"<b>{times(chip)}</b>{self._older_named(overlap)}"
        per_chip = f"{per_chip} ({ratios})" if _signs([chip]) else f"per chip the ratio is {ratios}"
        if rated:
            values = listed(f"<b>{times(r)}</b> with Rubin rated {d.short}" for d, r in rated)
            signs = _signs([r for _, r in rated])
            turn = {
                1: f"{self.mine} leads there",
                -1: "Rubin leads there",
                0: "who leads depends on that rating",
            }
            told = f"{self.mine} over Rubin in output per rated kW is {values}, so {turn[signs]}, and {per_chip}"
        else:
            told = per_chip
        where = f"On {self.model_name(overlap.model)} at {overlap.start:,.0f} tok/s per user, the throughput end"
        return f"{where}, {told}. {self._rows_told(overlap)}"

    def _rows_told(self, overlap: Overlap) -> str:
        evidence = listed(sorted(overlap.comparison.baseline.points["evidence"].unique()))
        unlike = "" if overlap.like else f", and {overlap.decoding} stands against single-token prediction"
        return f"Rubin’s rows are {evidence}{unlike}."

    def _older_named(self, overlap: Overlap) -> str:
        """For the first paragraph: what the ratio per chip is without rows of an earlier day, where that differs."""
        told = self._without(overlap, "chip")
        if not told:
            return ""
        rows = overlap.older
        days = listed(dated(str(day)) for day in sorted(rows["date"].unique()))
        return f", or {told} without {'one row' if len(rows) == 1 else f'{len(rows)} rows'} of {days}"

    def _without(self, overlap: Overlap, key: str) -> str:
        """The range of one ratio without the candidate's rows of an earlier day; empty where it prints the same."""
        rest = overlap.without_older
        by = {d.key: d for d in overlap.denominators}[key]
        return (
            ""
            if rest is None or times(rest.everywhere(by)) == times(overlap.everywhere(by))
            else times(rest.everywhere(by))
        )

    def _older_told(self, overlap: Overlap) -> str:
        """Which rows of an earlier day are on the candidate's line, and what they do to the ranges."""
        keys = ["chip", *(d.key for d in overlap.denominators if d.key.startswith("package-"))]
        labels = {d.key: d.label for d in overlap.denominators}
        effects = [f"{told} {labels[key]}" for key in keys if (told := self._without(overlap, key))]
        if not effects:
            return ""
        rows = [
            f"{text(row['parallelism']) or 'a layout not recorded'} with {counted(row['concurrency'], 'request')} at "
            f"{row['speed']:,.0f} tok/s per user, {dated(str(row['date']))}"
            for row in overlap.older.to_dict("records")
        ]
        last = overlap.comparison.candidate.counted["date"].dropna().max()
        return (
            f"{self.mine}’s line there has {counted(len(rows), 'point')} of an earlier day ({'; '.join(rows)}); the "
            f"others are of {dated(str(last))}. Without {'it' if len(rows) == 1 else 'them'} the ratio over all common "
            f"speeds is {listed(effects)}."
        )

    def _other_told(self, overlap: Overlap) -> str:
        """One overlap further: by what else is divided, along the speeds, and beyond them."""
        model = self.model_name(overlap.model)
        told = []
        slow = [
            f"{times(d.ratio(overlap.per_chip(0)))} {html.escape(d.label)}"
            for d in overlap.denominators
            if d.key != "chip" and not d.key.startswith("package-")
        ]
        rated = [overlap.everywhere(d) for d in overlap.denominators if d.key.startswith("package-")]
        along = f"over all common speeds, {overlap.start:,.0f} to {overlap.end:,.0f} tok/s per user, the ratio"
        if slow:
            told.append(f"On {model} at {overlap.start:,.0f} tok/s per user it is {listed(slow)}.")
        if rated:
            turns = "Who leads changes with speed, too" if any(not _signs([r]) for r in rated) else f"On {model}"
            told.append(f"{turns}: {along} per rated kW runs over {' and '.join(times(r) for r in rated)}.")
        told += [self._older_told(overlap), *self._crossings(overlap)]
        fastest = float(overlap.comparison.candidate.fastest["speed"])
        if fastest > overlap.end:
            told.append(f"Above {overlap.end:,.0f} only {self.mine} has points, up to {fastest:,.0f}.")
        return " ".join(part for part in told if part)

    def _crossings(self, overlap: Overlap) -> list[str]:
        """Where the candidate's line goes from one deployment to another of different size, inside the overlap."""
        best = overlap.comparison.candidate.best.sort_values("speed")
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

    # ------------------------------------------------------------------ what is unknown

    @cached_property
    def _rows(self) -> dict[str, pd.DataFrame]:
        """By model: the rows of Rubin at its workload."""
        known = RIVAL in self.facts.systems.index
        return {m: rival_rows(self.facts, m) if known else self.facts.points.iloc[:0] for m in self.models}

    def _named(self, models: list[str]) -> str:
        return listed(self.model_name(m) for m in models)

    @property
    def _charted(self) -> bool:
        """Whether rows that were read off the chart of July 2026 are among them."""
        return any((rows["source_id"] == CHART).any() for rows in self._rows.values())

    def unknown(self) -> Html:
        """What an answer needs and the data do not hold."""
        points = self.facts.points
        mine = points[points["system"] == CANDIDATE]
        run = [m for m, rows in self._rows.items() if not (rows["evidence"] == INDEPENDENT).any()]
        single = [m for m, rows in self._rows.items() if not (rows["speculation"] == "none").any()]
        several = [m for m in self.models if not (mine[mine["model"] == m]["speculation"] != "none").any()]
        systems = {CANDIDATE: self.mine, RIVAL: "Rubin"}
        unmetered = [n for s, n in systems.items() if points[points["system"] == s]["chip_power_mean_w"].isna().all()]
        watts = ratings(self.facts, RIVAL) if RIVAL in self.facts.systems.index else []
        told = [
            f"any published run of Rubin on {self._named(run)} at the workload of {self.mine}’s rows that somebody "
            "other than its vendor or a partner executed"
            if run
            else "",
            f"single-token rows of Rubin for {self._named(single)}" if single else "",
            f"multi-token rows of {self.mine} for {self._named(several)}" if several else "",
            "the power mode of the packages behind the chart of July 2026, how exactly it was read, and whether its "
            "speeds are means or medians"
            if self._charted
            else "",
            f"the power that {' or '.join(unmetered)} drew at any point" if unmetered else "",
            f"all-in watts of Rubin at each of its ratings ({' and '.join(f'{w:,.0f} W' for w in watts)})"
            if len(watts) > 1
            else "",
            f"a price of {self.mine}, which is not for sale",
        ]
        return _bullets(told)

    def unlike(self) -> Html:
        """In what the rows of both systems differ, overlap by overlap."""
        if not self.shared:
            return Html("<p>No model has rows of both systems at one workload.</p>", "nothing in common")
        told = [f"On {self.model_name(o.model)}: {'; '.join(self._differences(o))}." for o in self.shared]
        if not all(o.like for o in self.shared):
            told.append(
                "What the draft of several tokens is worth on Rubin was not published, and no factor is assumed for it."
            )
        return Html("".join(f"<p>{part}</p>" for part in told), "what differs")

    def _differences(self, overlap: Overlap) -> list[str]:
        mine, theirs = overlap.comparison.candidate.counted, overlap.comparison.baseline.counted
        pairs = [
            (_decoded(mine), _decoded(theirs), "prediction"),
            (_served(mine), _served(theirs), "serving"),
            (listed(sorted(mine["evidence"].unique())), listed(sorted(theirs["evidence"].unique())), "rows"),
        ]
        told = [f"{a} {what} on both sides" if a == b else f"{a} against {b} {what}" for a, b, what in pairs if a and b]
        days = [self._days(rows) for rows in (mine, theirs)]
        if days[0] != days[1]:
            told.append(f"dated {' against '.join(day or 'no day' for day in days)}")
        if (theirs["source_id"] == CHART).any():
            told.append("a first stepping against an engineering sample")
        return told

    def _days(self, rows: pd.DataFrame) -> str:
        """When rows were run, else when their sources were published; the first and the last."""
        days = rows["date"].fillna(rows["source_id"].map(self.facts.sources["published"])).dropna()
        return " to ".join(dict.fromkeys(dated(str(day)) for day in (days.min(), days.max()))) if len(days) else ""

    def cannot(self) -> Html:
        """What follows from none of the rows."""
        rated = [
            (d.ratio(o.per_chip(0)), o.everywhere(d))
            for o in self.shared
            for d in o.denominators
            if d.key.startswith("package-") or d.key == "chip"
        ]
        slow, everywhere = [r for r, _ in rated], [r for _, r in rated]
        reasons = [
            "Who leads depends on what is divided by." if rated and not _signs(slow) else "",
            "It changes with speed." if any(not _signs([r]) for r in everywhere) else "",
            "The rows behind it are unlike." if not all(o.like for o in self.shared) else "",
            "" if self.shared else "No model has rows of both.",
            "What is scarce decides which denominator answers.",
        ]
        without = [m for m in self.models if m not in {o.model for o in self.shared}]
        told = [
            f"<strong>Which chip is better.</strong> {' '.join(r for r in reasons if r)}",
            f"<strong>What Rubin does on {listed(map(self.model_name, without))}.</strong> Ratios of another model, "
            "load or benchmark are not carried over."
            if without
            else "",
            "<strong>Power.</strong> Ratings and estimates of all-in watts are not power drawn. A rating is not set "
            "against a measurement.",
            "<strong>Cost.</strong> Estimates of owning stand in for prices that nobody published.",
        ]
        return _bullets(told)

    # ------------------------------------------------------------------ what is published

    def coverage(self) -> Table:
        """One row a model: what there is of Rubin, and what not."""
        results = self._results()
        rows, used = [], []
        for model in self.models:
            found = self._rows[model]
            other = results[results["model"] == model]
            mine = line(self.facts, model, CANDIDATE, "chip", tokens="output").counted
            used += [part["source_id"] for part in (mine, found, other)]
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
        caption = "What exists of Rubin for each model compared"
        return Table(pd.DataFrame(rows, columns=list(columns)), columns, caption, rests_on=self.rests_on(*used))

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
            dash=charts.DIGITISED if overlap.digitised else charts.SOLID if overlap.like else charts.UNLIKE,
            title=f"{self.model_name(overlap.model)}: {told}{chip} per chip over all speeds",
            subtitle=(
                f"{names[0]}, single-token, over {names[1]}, {overlap.decoding}; output tok/s, read linearly between "
                f"measured{' and digitised' if overlap.digitised else ''} points. Watts and TB/s: of one package. "
                "Bands: intervals. Marks: at measured points of the candidate. Above 1 it leads."
                + (" Dashed: one side is digitised." if overlap.digitised else "")
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
                        "source": self.row_links(*overlap.comparison.behind(at["speed"])),
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
            "source": Column("Sources", sources),
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
                    "by": html.escape(d.label)
                    + detail(html.escape(d.worked_out))
                    + detail("; ".join(self.source_link(s) for s in d.sources)),
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
        caption = f"{self.mine} over Rubin, by what output is divided by"
        return Table(frame, columns, caption, rests_on=self._rests(self.shared))

    def _rests(self, overlaps: list[Overlap], *further: Iterable[Any]) -> tuple[str, ...]:
        """Links to the sources of the rows and of the figures that overlaps are computed from, and to further ones."""
        sides = [side for o in overlaps for side in (o.comparison.candidate, o.comparison.baseline)]
        divided = [d.sources for o in overlaps for d in o.denominators]
        return self.rests_on(*(side.best["source_id"] for side in sides), *divided, *further)

    def ranges(self) -> Table:
        """Every input at both ends of its range, at the throughput end of the common speeds."""
        rows = [row for overlap in self.shared for row in self._ranges(overlap)]
        columns = {
            "model": Column("Model"),
            "what": Column("What is varied"),
            "by": Column("Ratio"),
            "range": Column("Range"),
            "ratio": figures("Ratio at the ends", span(2, "×")),
            "sign": Column("Who leads"),
        }
        return Table(
            pd.DataFrame(rows, columns=list(columns)),
            columns,
            "How the ratio at the throughput end moves with each input",
            rests_on=self._rests(self.shared, *self._further),
        )

    @property
    def _further(self) -> list[Iterable[Any]]:
        """Sources of the second figures and of other watts by which a chart may be converted."""
        seconds = [figure(self.facts, system, metric) for _, system, metric, _ in self._seconds]
        all_in = self.facts.systems.loc[[RIVAL] if any(o.digitised for o in self.shared) else [], "all_in_source_id"]
        return [all_in, *(found[1] for found in seconds if found and self.shared)]

    def _ranges(self, overlap: Overlap) -> list[dict[str, Any]]:
        chip, model = overlap.per_chip(0), self.model_name(overlap.model)
        by = {d.key: d for d in overlap.denominators}
        found: list[tuple[str, str, str, Interval]] = []
        rated = [d for d in overlap.denominators if d.key.startswith("package-")]
        if rated:
            both = Interval.around([end for d in rated for end in (d.ratio(chip).low, d.ratio(chip).high)])
            found.append(("Rubin’s package rating", rated[0].label.split(",")[0], _watts(rated), both))
        for key, what in (("all-in", "All-in watts"), ("cost", "Estimated cost of owning (modelled)")):
            if key in by:
                d = by[key]
                low_high = f"{self.mine} {_plain(d.candidate)}, Rubin {_plain(d.rival)} {d.unit}"
                found.append((what, d.label, low_high, d.ratio(chip)))
        found += self._second_figures(by, chip) + self._conversions(overlap, chip)
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

    @property
    def _seconds(self) -> list[tuple[str, str, str, str]]:
        """What the second figures are: in words, system, metric and denominator."""
        return [
            (f"{self.mine}’s stacks, up to the sites counted", CANDIDATE, "memory_stack_sites", "stack"),
            ("Rubin’s memory bandwidth", RIVAL, "memory_bandwidth_tb_s", "bandwidth"),
        ]

    def _second_figures(self, by: dict[str, Denominator], chip: Interval) -> list[tuple[str, str, str, Interval]]:
        """Where a second source gives a package another figure than the one divided by."""
        found = []
        for told, system, metric, key in self._seconds:
            second = figure(self.facts, system, metric)
            if second is None or key not in by:
                continue
            d = by[key]
            used = d.candidate if system == CANDIDATE else d.rival
            wide = Interval(min(second[0].low, used.low), max(second[0].high, used.high))
            quotient = d.rival / wide if system == CANDIDATE else wide / d.candidate
            found.append((told, d.label, f"{_plain(wide)} {d.unit}", chip * quotient))
        return found

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
            "wrong": Column("Another leads if the rates read are", numeric=True),
        }
        return Table(
            pd.DataFrame(rows, columns=list(columns)),
            columns,
            "The source states no uncertainty of the reading: what it would take at the throughput end",
            rests_on=self._rests([o for o in self.shared if o.digitised]),
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
        compared, rated = [t.comparison for t in self.needed if t.comparison], "power_source_id"
        return Table(
            frame,
            columns,
            "What a Rubin package must give to equal Jalapeño per kW of package rating (mixed tokens, single-token)",
            rests_on=self.rests_on(
                *(side.best["source_id"] for c in compared for side in (c.candidate, c.baseline)),
                self.facts.systems.loc[[s for c in compared for s in (c.candidate.system, c.baseline.system)], rated],
                *(sources_of_rating(self.facts, RIVAL, w) for w in watts),
            ),
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
                        "source": self.row_links(theirs.behind(speed), before.behind(speed)),
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
            "source": Column("Sources", sources),
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


def _bullets(told: list[str]) -> Html:
    items = [part for part in told if part]
    return Html(f"<ul>{''.join(f'<li>{part}</li>' for part in items)}</ul>", f"{len(items)} items")


def _decoded(rows: pd.DataFrame) -> str:
    return listed(DECODING.get(s, s) for s in sorted(rows["speculation"].unique()))


def _served(rows: pd.DataFrame) -> str:
    """``aggregated`` or ``disaggregated``, both where both are there; empty where no row says."""
    kinds = sorted(rows["disaggregated"].dropna().astype(bool).unique())
    return " and ".join("disaggregated" if kind else "aggregated" for kind in kinds)


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
