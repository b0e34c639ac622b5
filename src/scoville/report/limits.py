"""Chapter: physical limits. How far measured times and rates are from what memory and arithmetic allow (modelled)."""

from __future__ import annotations

import html
import math
from collections.abc import Iterable
from dataclasses import astuple, dataclass, field, replace
from functools import cached_property
from itertools import product
from typing import Any, ClassVar

import altair as alt
import numpy as np
import pandas as pd

from scoville import charts
from scoville.audit import CANDIDATE
from scoville.book import questions
from scoville.compare import Comparison, Line, compare
from scoville.deployments import Assumed, Reading, readings
from scoville.facts import load
from scoville.metrics import (
    ISL,
    OSL,
    decode_flops,
    mean_length,
    model_parameters,
    parameters_used,
    prefill_flops,
    watts,
)
from scoville.paths import data_folder
from scoville.report.mixed_tokens import MixedTokensPage, output_share, scaled
from scoville.report.page import Html, Page, detail
from scoville.roofline import (
    CASES,
    FP4,
    KV_BITS,
    Scaling,
    case_of,
    expected_experts,
    fit_scaling,
    kv_bytes,
    precision,
    step_bytes,
    tbt_floor,
    weight_bytes,
)
from scoville.tabulate import Column, Table, figures, markup, number, significant, sources, span, text
from scoville.units import Interval
from scoville.words import counted, listed, pair

FEW = 0.5
"""Below this share of a rate, the page says that the rate does not set a point."""


@dataclass(frozen=True)
class LimitsPage(Page):
    """Physical limits.

    Attributes:
        assumed: the assumptions of the first state; every interval runs over all of them.
    """

    title: ClassVar[str] = "Physical limits"
    assumed: Assumed = field(default_factory=Assumed)

    @cached_property
    def comparisons(self) -> dict[str, Comparison]:
        """By model, as on its page."""
        return {q.model: compare(self.facts, q) for q in questions(self.facts)}

    @cached_property
    def sides(self) -> list[tuple[str, Line]]:
        """Model and line, both lines of every model."""
        return [(model, side) for model, c in self.comparisons.items() for side in (c.candidate, c.baseline)]

    @cached_property
    def fastest(self) -> list[Reading]:
        """Every line's point of lowest TBT, in every way of counting its chips that gives a floor."""
        found = [r for model, side in self.sides for r in readings(model, side.fastest)]
        return [r for r in found if self.floors(r)]

    @cached_property
    def pairs(self) -> list[tuple[Reading, Reading]]:
        """Candidate's and baseline's point of lowest TBT, one worker each, of the models where both have a floor."""
        ones = [r for r in self.fastest if not r.whole]
        by = {(r.model, r.row["system"]): r for r in ones}
        keys = [((m, c.candidate.system), (m, c.baseline.system)) for m, c in self.comparisons.items()]
        return [(by[mine], by[theirs]) for mine, theirs in keys if mine in by and theirs in by]

    def case(self, model: str, assumed: Assumed) -> str:
        """The key of `CASES` that an assumption means for a model."""
        return case_of(self.facts.models.loc[model], assumed.case)

    def bytes_read(self, reading: Reading, assumed: Assumed) -> float:
        """*Modelled* bytes of one decode step at a point; NaN where something is not recorded."""
        model, row = self.facts.models.loc[reading.model], reading.row
        isl, osl = (
            row[f"{n}_mean"] if pd.notna(row[f"{n}_mean"]) else mean_length(row[f"{n}_nominal"]) for n in ("isl", "osl")
        )
        return step_bytes(
            model,
            precision(model, self.case(reading.model, assumed)),
            context=isl + osl / 2,
            kv_bits=assumed.kv_bits,
            batch=1 if assumed.alone else reading.batch,
            ranks=reading.ranks if assumed.replicated else 1,
        )

    def floor(self, reading: Reading, assumed: Assumed | None = None) -> float:
        """*Modelled* least TBT of a point, seconds; NaN where something is not recorded."""
        bandwidth = self.facts.systems.loc[reading.row["system"], "memory_bandwidth_tb_s"]
        return tbt_floor(self.bytes_read(reading, assumed or self.assumed), reading.chips, bandwidth)

    def floors(
        self, reading: Reading, replicated: tuple[bool, ...] = (False, True), alone: tuple[bool, ...] = (False, True)
    ) -> Interval | None:
        """The floor over every combination of the assumptions, seconds; None where something is not recorded."""
        options = product(CASES, sorted({*KV_BITS, self.assumed.kv_bits}), replicated, alone)
        found = [self.floor(reading, Assumed(*option)) for option in options]
        known = [f for f in found if pd.notna(f)]
        return Interval.around(known) if known and pd.notna(self.floor(reading)) else None

    def above(self, reading: Reading, assumed: Assumed | None = None) -> float:
        """How many times its floor a measured TBT is."""
        return reading.tbt / self.floor(reading, assumed)

    def above_all(self, reading: Reading) -> Interval:
        """The same over every combination of the assumptions."""
        floors = self.floors(reading)
        assert floors is not None  # `fastest` holds no other
        return Interval(reading.tbt / floors.high, reading.tbt / floors.low)

    def arithmetic(self, reading: Reading) -> float:
        """*Modelled* share of the FP8 peak that a step's operations need, the high end; NaN where it has no peak."""
        model, peak = self.facts.models.loc[reading.model], self.facts.systems.loc[reading.row["system"]]
        work = decode_flops(model, ISL, OSL).high * reading.batch
        return float(work / (reading.chips * peak["fp8_dense_pflops"] * 1e15) / reading.tbt)

    # ------------------------------------------------------------------ the finding

    def finding(self) -> Html:
        """The finding, made from the rows."""
        if not self.pairs:
            return Html("<p>The data hold no pair of points whose memory floor can be computed.</p>", "no floors")
        mine, theirs = [list(side) for side in zip(*self.pairs, strict=True)]
        name = self.names[CANDIDATE]
        first = (
            f"At its lowest TBT {name} takes <b>{listed(_times(self.above(r)) for r in mine)}</b> as long for a token "
            "as reading weights and KV cache once, at rated memory bandwidth, would take; "
            f"{_plural('the baseline', mine)} <b>{listed(_times(self.above(r)) for r in theirs)}</b> (modelled; over "
            f"all assumptions {self._widest(mine)} and {self._widest(theirs)}). {self._verdict([*mine, *theirs])}"
        )
        second = " ".join([self._bandwidth_told(), *self._whole_told(), *self._fit_told()])
        return Html(f"<p>{first}</p><p>{second}</p>", "finding")

    def _widest(self, found: list[Reading]) -> str:
        ranges = [self.above_all(r) for r in found]
        return _between(Interval(min(r.low for r in ranges), max(r.high for r in ranges)))

    def _verdict(self, found: list[Reading]) -> str:
        memory = max(1 / self.above_all(r).low for r in found)
        work = max(self.arithmetic(r) for r in found)
        told = f"No assumption asks for more than {_at_most(memory)} of rated bandwidth"
        if pd.notna(work):
            told += f" or {_at_most(work)} of the FP8 peak"
        told += " (modelled)"
        if memory >= FEW or work >= FEW:
            return f"{told}: that does not settle what sets these points."
        if pd.isna(work):
            return f"{told}: bandwidth does not set these points."
        return f"{told}: neither bandwidth nor arithmetic sets these points, and what is left is latency."

    def _bandwidth_told(self) -> str:
        """Bandwidth against bandwidth, TBT against TBT."""
        quotients = [
            (self._bandwidth(mine) / self._bandwidth(theirs), theirs.tbt / mine.tbt) for mine, theirs in self.pairs
        ]
        wider, faster = (listed(f"{q[i]:.2f}×" for q in quotients) for i in (0, 1))
        return (
            f"Together the chips that serve a token there have {wider} the rated bandwidth of the baseline’s, and are "
            f"{faster} as fast."
        )

    def _bandwidth(self, reading: Reading) -> float:
        return float(reading.chips * self.facts.systems.loc[reading.row["system"], "memory_bandwidth_tb_s"])

    def _whole_told(self) -> list[str]:
        """Rows whose requests are spread over several workers."""
        told = []
        for reading in self.fastest:
            if reading.whole:
                (one,) = [r for r in self.fastest if r.row.name == reading.row.name and not r.whole]
                name = html.escape(f"{self.model_name(reading.model)}’s {self.names[reading.row['system']]} row")
                told.append(
                    f"{name} spreads {counted(reading.batch, 'request')} over "
                    f"{counted(reading.chips / one.chips, 'worker')} of {counted(one.chips, 'chip')}: a step can use "
                    f"the memory of one worker ({_times(self.above(one))}), not of all {reading.chips:,.0f} decode "
                    f"chips ({_times(self.above(reading))}; both modelled)."
                )
        return told

    def _fit_told(self) -> list[str]:
        return [
            f"On {self.model_name(model)}’s {len(rows)} one-request points TBT follows {_formula(fit)} ms over N chips "
            f"(fitted: {len(rows)} points, two parameters, indicative)."
            for model, (rows, fit) in self.fits.items()
        ]

    # ------------------------------------------------------------------ bytes and work of one token

    def totals(self) -> Table:
        """Parameters counted by the formulas against the published totals, and work per token."""
        rows = []
        for model in self.comparisons:
            row = self.facts.models.loc[model]
            total, used = model_parameters(row), parameters_used(row)
            rows.append(
                {
                    "model": self.model_name(model),
                    "counted": total / 1e9,
                    "published": row["parameters_b"],
                    "off": 100 * (total / 1e9 / row["parameters_b"] - 1),
                    "used": (used + row["vocabulary"] * row["hidden"]) / 1e9,
                    "active": row["active_parameters_b"],
                    "prefill": prefill_flops(row, ISL) / 1e9,
                    "decode": None if pd.isna(used) else scaled(decode_flops(row, ISL, OSL), 1e9),
                    "source": self.dimensions_link(model),
                }
            )
        columns = {
            "model": Column("Model"),
            "counted": figures("Parameters counted, 10⁹", number(2)),
            "published": figures("Published, 10⁹", number(2)),
            "off": figures("Counted over published", number(3, " %")),
            "used": figures("Read for a token, unembedding included, 10⁹", number(2)),
            "active": figures("Active as its card rounds them, 10⁹", significant(3)),
            "prefill": figures("GFLOP per input token (modelled)", number(1)),
            "decode": figures("GFLOP per output token (modelled)", span(1)),
            "source": Column("Source of the dimensions", markup),
        }
        return Table(
            pd.DataFrame(rows, columns=list(columns)),
            columns,
            "The formulas against the published totals, and work per token at the mean lengths of 8K/1K",
        )

    def bytes_table(self) -> Table:
        """*Modelled* bytes that one token of one request reads, by class of weights and precision."""
        rows = []
        for model, case in product(self.comparisons, CASES):
            row = self.facts.models.loc[model]
            read = weight_bytes(row, precision(row, case))
            cache = [kv_bytes(row, ISL + OSL / 2, bits) / 1e9 for bits in KV_BITS]
            rows.append(
                {
                    "model": self.model_name(model),
                    "case": _in_two(CASES[case], " (as here)" * (case == self.case(model, self.assumed))),
                }
                | {name: value / 1e9 for name, value in zip(_CLASSES, astuple(read), strict=True)}
                | {"total": read.total / 1e9, "kv": None if pd.isna(cache[0]) else tuple(cache)}
            )
        columns = {
            "model": Column("Model"),
            "case": Column("Precision of the weights", markup),
            "total": figures("All weights, GB", significant(3)),
            "kv": figures("KV cache, FP8 to BF16, GB", span(2)),
            **{name: figures(f"{label}, GB", number(2)) for name, label in _CLASSES.items()},
        }
        caption = "Modelled bytes that a decode step of one request reads, at the mean context of 8K/1K"
        return Table(pd.DataFrame(rows, columns=list(columns)), columns, caption, rests_on=self._dimensions)

    @property
    def _dimensions(self) -> tuple[str, ...]:
        """Links to the sources of the models' dimensions."""
        return self.rests_on(self.facts.models.loc[list(self.comparisons), "source_id"])

    def batches(self) -> Table:
        """*Modelled* growth of a step's bytes with the requests that it serves."""
        rows = []
        for model, batch in product(self.comparisons, (1, 8, 64, 512)):
            row = self.facts.models.loc[model]
            if pd.isna(parameters_used(row)):
                continue
            low, here = (
                weight_bytes(row, precision(row, c), batch).total / 1e9
                for c in ("floor", self.case(model, self.assumed))
            )
            rows.append(
                {
                    "model": self.model_name(model),
                    "batch": batch,
                    "experts": expected_experts(row, batch),
                    "of": row["routed_experts"],
                    "here": here,
                    "low": low,
                    "kv": batch * kv_bytes(row, ISL + OSL / 2, self.assumed.kv_bits) / 1e9,
                }
            )
        columns = {
            "model": Column("Model"),
            "batch": figures("Requests in a step", number(0)),
            "experts": figures("Expected distinct experts", number(1)),
            "of": figures("of", number(0)),
            "here": figures("Weights, GB", significant(3)),
            "low": figures("Weights, all 4.25 bits, GB", significant(3)),
            "kv": figures("KV cache, GB", significant(3)),
        }
        caption = "Modelled bytes of a decode step by the requests in it, experts chosen evenly"
        frame = pd.DataFrame(rows, columns=list(columns))
        return Table(frame, columns, caption, folded=True, rests_on=self._dimensions)

    # ------------------------------------------------------------------ the memory floor

    def chart(self) -> alt.TopLevelMixin | Html:
        """Measured TBT over its floor, every point of lowest TBT."""
        if not self.fastest:
            return Html("<p>No point has a floor to draw.</p>", "no floors")
        charts.use_renderer()
        rows = [
            {
                "group": self.model_name(r.model),
                "label": self._label(r),
                "system": r.row["system"],
                "times": self.above(r),
                "low": self.above_all(r).low,
                "high": self.above_all(r).high,
                "shown": _times(self.above(r)),
                "told": f"{_times(self.above(r))} ({_between(self.above_all(r))})",
            }
            for r in self.fastest
        ]
        least, points = min(r["low"] for r in rows), _rows_of(self.fastest)
        return charts.above_floor(
            pd.DataFrame(rows).assign(**charts.origin(points)),
            title=f"Every point of lowest TBT takes at least {_times(least)} its memory floor (modelled)",
            subtitle=(
                "Median TBT over the time that reading weights and KV cache takes at rated bandwidth. Mark: this "
                "page’s assumptions; bar: all of them. “All”: every decode chip of several workers. Hollow: not "
                "executed independently."
            ),
            source=self.source_line(points),
        )

    def _label(self, reading: Reading) -> str:
        name = self.names[reading.row["system"]]
        if reading.whole:
            return f"{name}, all {reading.chips:,.0f}"
        return f"{name}, {counted(reading.chips, 'chip')}"

    def floor_table(self) -> Table:
        """The data of the chart, with bytes, floor and what else a step could wait for."""
        rows = []
        for r in self.fastest:
            low_high, above = self.floors(r), self.above_all(r)
            assert low_high is not None
            bandwidth = self._bandwidth(r)
            rows.append(
                {
                    "model": self.model_name(r.model),
                    "point": html.escape(self._label(r)) + detail(text(r.row["parallelism"])),
                    "batch": r.batch,
                    "read": self.bytes_read(r, self.assumed) / 1e9,
                    "bandwidth": bandwidth,
                    "floor": f"{1000 * self.floor(r):.3f}" + detail(span(3)(scaled(low_high, 1e-3))),
                    "tbt": 1000 * r.tbt,
                    "times": _times(self.above(r)) + detail(_between(above)),
                    "share": f"{100 / self.above(r):.1f}" + detail(span(1)((100 / above.high, 100 / above.low))),
                    "work": 100 * self.arithmetic(r),
                    "layer": 1e6 * r.tbt / self.facts.models.loc[r.model, "layers"],
                    "evidence": html.escape(r.row["evidence"]) + detail(self.row_link(r.row)),
                }
            )
        columns = {
            "model": Column("Model"),
            "point": Column("Point, and chips it is read at", markup),
            "tbt": figures("Measured, median ms", number(3)),
            "floor": Column("Floor, ms, and its range", markup, numeric=True),
            "times": Column("Times the floor", markup, numeric=True),
            "share": Column("Of rated bandwidth, %", markup, numeric=True),
            "layer": figures("Measured per layer, µs", number(1)),
            "batch": figures("Requests in a step", significant(3)),
            "read": figures("Read per step, GB", significant(3)),
            "bandwidth": figures("Rated bandwidth, TB/s", number(1)),
            "work": figures("Of the FP8 peak, %, at most", significant(2)),
            "evidence": Column("Evidence and source of the TBT", markup),
        }
        return Table(
            pd.DataFrame(rows, columns=list(columns)),
            columns,
            "The points of lowest TBT and their memory floors (modelled; only the TBT is measured)",
        )

    def assumptions(self) -> Table:
        """How the distances move when one assumption goes to an end of its range."""
        here = self.assumed
        cases = [
            ("As set on this page", self._set(), here),
            *(("Precision of the weights", told, replace(here, case=case)) for case, told in CASES.items()),
            *(("KV cache", f"{bits:.0f} bits", replace(here, kv_bits=bits)) for bits in KV_BITS),
            ("Latent of MLA under split heads", "kept once", replace(here, replicated=False)),
            ("Latent of MLA under split heads", "a copy on every chip", replace(here, replicated=True)),
            ("Requests in a step", "spread evenly over the workers", replace(here, alone=False)),
            ("Requests in a step", "one", replace(here, alone=True)),
        ]
        models = [mine.model for mine, _ in self.pairs]
        rows = []
        for what, value, assumed in cases:
            row: dict[str, Any] = {"what": what, "value": _in_two(value)}
            for mine, theirs in self.pairs:
                row |= {
                    f"mine {mine.model}": self.above(mine, assumed),
                    f"theirs {mine.model}": self.above(theirs, assumed),
                }
            rows.append(row)

        def far(value: Any) -> str:
            return "–" if pd.isna(value) else _times(value)

        columns = {"what": Column("Assumption"), "value": Column("Set to", markup)}
        for side, who in (("mine", self.names[CANDIDATE]), ("theirs", "Baseline")):
            columns |= {f"{side} {m}": figures(f"{who}, {self.model_name(m)}", far) for m in models}
        return Table(
            pd.DataFrame(rows),
            columns,
            "How many times its floor a measured TBT is when one assumption changes and the others stay (modelled)",
            rests_on=self.rests_on(
                [r.row["source_id"] for both in self.pairs for r in both],
                self.facts.models.loc[models, "source_id"],
                self.facts.systems.loc[[r.row["system"] for both in self.pairs for r in both], "specs_source_id"],
            ),
        )

    def _set(self) -> str:
        told = CASES.get(self.assumed.case, f"as released if MXFP4, else {CASES['mixed']}")
        latent = "a copy on every chip" if self.assumed.replicated else "kept once"
        return f"{told}; KV cache {self.assumed.kv_bits:.3g} bits; latent {latent}"

    # ------------------------------------------------------------------ more chips

    @cached_property
    def fits(self) -> dict[str, tuple[list[Reading], Scaling]]:
        """Models whose candidate has one-request points on three or more numbers of chips, heads split over all."""
        found = {}
        for model, comparison in self.comparisons.items():
            rows = comparison.candidate.counted
            rows = rows[(rows["concurrency"] == 1) & (rows["parallelism"] == "TP" + rows["chips"].map("{:.0f}".format))]
            best = rows.sort_values("speed").drop_duplicates("chips", keep="last").sort_values("chips")
            points = [r for _, row in best.iterrows() for r in readings(model, row)]
            if len(points) > 2:
                found[model] = (points, fit_scaling([r.chips for r in points], [1000 * r.tbt for r in points]))
        return found

    def scaling(self) -> alt.TopLevelMixin | Html:
        """The points and the fit; the first model that has them."""
        if not self.fits:
            return Html("<p>No model has one-request points on three numbers of chips.</p>", "no fit")
        charts.use_renderer()
        model, (points, fit) = next(iter(self.fits.items()))
        least, most = points[0].chips, points[-1].chips
        grid = np.geomspace(least / 1.15, most * 1.3, 40)
        band = [self.floors(replace(points[0], chips=n)) for n in grid]
        curve = pd.DataFrame(
            {
                "chips": grid,
                "fitted": [fit.at(n) for n in grid],
                "low": [1000 * f.low if f else None for f in band],
                "high": [1000 * f.high if f else None for f in band],
            }
        )
        rows = pd.DataFrame(
            {
                "chips": [r.chips for r in points],
                "tbt": [1000 * r.tbt for r in points],
                **charts.origin(_rows_of(points)),
                "shown": [f"{1000 * r.tbt:.3f}" for r in points],
            }
        )
        system = points[0].row["system"]
        return charts.scaling(
            rows,
            curve,
            system,
            fit.fixed,
            title=(
                f"{self.model_name(model)}: {most / least:.0f} times the chips make a token "
                f"{points[0].tbt / points[-1].tbt:.2f} times as fast; the fit would leave "
                f"{fit.fixed:.2f} ms at any number (modelled)"
            ),
            subtitle=(
                f"{self.names[system]}, one request at a time. Line: {_formula(fit)} ms by least squares, "
                f"{len(points)} points, two parameters: indicative. Band: memory floor over all assumptions (modelled)."
            ),
            source=self.source_line(_rows_of(points)),
        )

    def scaling_table(self) -> Table:
        """The points of the fit with what it leaves, and their floors."""
        rows = []
        for model, (points, fit) in self.fits.items():
            for r, left in zip(points, fit.residuals, strict=True):
                floors = self.floors(r)
                rows.append(
                    {
                        "model": self.model_name(model),
                        "chips": r.chips,
                        "tbt": 1000 * r.tbt,
                        "fitted": fit.at(r.chips),
                        "left": 1000 * left,
                        "floor": None if floors is None else scaled(floors, 1e-3),
                        "times": None if floors is None else self.above(r),
                        "rate": self.bytes_read(r, self.assumed) / r.tbt / r.chips / 1e12,
                        "source": self.row_link(r.row),
                    }
                )
        columns = {
            "model": Column("Model"),
            "chips": figures("Chips", number(0)),
            "tbt": figures("Measured, median ms", number(3)),
            "fitted": figures("Fitted, ms", number(3)),
            "left": figures("Measured minus fitted, µs", number(0)),
            "floor": figures("Memory floor, ms (modelled)", span(3)),
            "times": figures("Times the floor, as set here (modelled)", number(1, "×")),
            "rate": figures("Read per chip, TB/s (modelled)", number(1)),
            "source": Column("Source of the TBT", sources),
        }
        return Table(
            pd.DataFrame(rows, columns=list(columns)), columns, "One request at a time, by the chips that serve it"
        )

    def scaling_told(self) -> Html:
        """What the two parameters of the fit would mean."""
        told = []
        for model, (points, fit) in self.fits.items():
            layers = self.facts.models.loc[model, "layers"]
            peak = self.facts.systems.loc[points[0].row["system"], "memory_bandwidth_tb_s"]
            read = self.bytes_read(points[0], self.assumed)
            fixed, shared = (span(2, " ms")(pair(part)) for part in (fit.fixed_pairs, fit.shared_pairs))
            sentence = (
                f"{self.model_name(model)}: lines through any two of the points put the fixed part at {fixed} and the "
                f"divided part at {shared}."
            )
            if pd.notna(layers):
                each = Interval(1000 * fit.fixed_pairs.low / layers, 1000 * fit.fixed_pairs.high / layers)
                sentence += f" If the fixed part holds for more chips, it is {span(1, ' µs')(pair(each))} a layer."
            if pd.notna(read / peak):
                rate = read / fit.shared * 1e-9
                sentence += (
                    f" If the divided part is reading, one chip reads {rate:.1f} TB/s (modelled), "
                    f"{100 * rate / peak:.0f} % of its rated bandwidth."
                )
            told.append(sentence)
        return Html(f"<p>{' '.join(told)}</p>" if told else "", "what the fit would mean")

    # ------------------------------------------------------------------ arithmetic at the peaks

    def rate(self, model: str, row: pd.Series) -> Interval | None:
        """*Modelled* operations per second of one chip at a row; None where the model's dimensions are missing."""
        found = self.facts.models.loc[model]
        if pd.isna(parameters_used(found)):
            return None
        tokens, share = float(row["total_tok_s_per_chip"]), output_share(row)
        read, write = prefill_flops(found, ISL) * (1 - share), decode_flops(found, ISL, OSL)
        return Interval(tokens * (read + share * write.low), tokens * (read + share * write.high))

    def _share(self, model: str, side: Line, column: str) -> tuple[float, float] | None:
        """Share of a peak rate, %; None where either is missing."""
        rate, peak = self.rate(model, side.peak), self.facts.systems.loc[side.system, column]
        return None if rate is None or pd.isna(peak) else scaled(rate, peak * 1e13)

    def _per_watt(self, model: str, side: Line) -> tuple[float, float] | None:
        """TFLOP/s per rated W; None where either is missing."""
        rate, rated = self.rate(model, side.peak), watts(self.facts.systems.loc[side.system], "package")
        return None if rate is None or rated is None else scaled(rate, rated.low * 1e12)

    def peaks_told(self) -> Html:
        """Sustained operations at the peaks."""
        known = [
            c for m, c in self.comparisons.items() if self._per_watt(m, c.candidate) and self._per_watt(m, c.baseline)
        ]
        if not known:
            return Html("<p>The data do not hold what sustained operations need.</p>", "no rates")
        mine, theirs = (
            listed(span(2)(self._per_watt(c.question.model, side)) for c, side in zip(known, lines, strict=True))
            for lines in ([c.candidate for c in known], [c.baseline for c in known])
        )
        name = self.names[CANDIDATE]
        shares = [
            (label, [self._share(c.question.model, c.candidate, column) for c in known])
            for label, column in (("FP8", "fp8_dense_pflops"), ("FP4", "fp4_dense_pflops"))
        ]
        system = self.facts.systems.loc[CANDIDATE]
        told = [
            f"{listed(span(0, ' %')(s) for s in found)} of its {label} peak (modelled; confidence in that rate: "
            f"{_confidence(system, label.lower())})"
            for label, found in shares
            if all(found)
        ]
        ending = f" For {name} that is {listed(told)}." if told else ""
        return Html(
            f"<p>At the peaks of throughput {name} sustains <b>{mine}</b> TFLOP/s per rated W, "
            f"{_plural('the baseline', known)} <b>{theirs}</b> (modelled).{ending}</p>",
            "sustained operations",
        )

    def peaks(self) -> Table:
        """*Modelled* operations at the peaks against rated watts and peak rates, and the memory floor of a step."""
        rows = []
        for model, side in self.sides:
            rate, per_watt = self.rate(model, side.peak), self._per_watt(model, side)
            system = self.facts.systems.loc[side.system]
            rows.append(
                {
                    "model": self.model_name(model),
                    "system": html.escape(self.names[side.system])
                    + detail(text(side.peak["parallelism"]))
                    + detail(self.row_link(side.peak)),
                    "speed": side.peak["speed"],
                    "chip": None if rate is None else scaled(rate, 1e12),
                    "watt": per_watt,
                    "pj": None if per_watt is None else (1 / per_watt[1], 1 / per_watt[0]),
                    "fp4": self._share(model, side, "fp4_dense_pflops"),
                    "fp8": self._share(model, side, "fp8_dense_pflops"),
                    "held": _held(_confidence(system, "fp4")),
                    "held8": _held(_confidence(system, "fp8")),
                }
                | self._peak_floor(model, side)
            )
        columns = {
            "model": Column("Model"),
            "system": Column("System, at its peak", markup),
            "speed": figures("tok/s/user", number(0)),
            "chip": figures("TFLOP/s per chip", span(0)),
            "watt": figures("TFLOP/s per rated W", span(2)),
            "pj": figures("Rated pJ per FLOP", span(2)),
            "fp4": figures("Of FP4 peak, %", span(1)),
            "fp8": figures("Of FP8 peak, %", span(0)),
            "held": Column("Confidence in FP4 peak", markup),
            "held8": Column("Confidence in FP8 peak", markup),
            "batch": figures("Requests decoding in a step", number(0)),
            "once": figures("Memory floor in median TBT, %, latent kept once", span(0)),
            "copied": figures("The same, latent on every chip, %", span(0)),
        }
        return Table(
            pd.DataFrame(rows, columns=list(columns)),
            columns,
            "Modelled operations and memory floors at the peaks of throughput, each at its own speed",
        )

    def _peak_floor(self, model: str, side: Line) -> dict[str, Any]:
        """The floor of a step at the peak as a share of its TBT, with as many requests as Little's law has decoding."""
        row: dict[str, Any] = {"batch": None, "once": None, "copied": None}
        for reading in readings(model, side.peak)[:1]:
            decoding = replace(reading, batch=reading.decoding(output_share(side.peak)))
            row["batch"] = decoding.batch
            for key, replicated in (("once", False), ("copied", True)):
                floors = self.floors(decoding, (replicated,), (False,))
                row[key] = None if floors is None else scaled(floors, reading.tbt / 100)
        return row

    def peak_memory(self) -> Html:
        """Whether memory sets the pace at the peaks, and which assumption the measured TBT excludes there."""
        found = [(m, side, self._peak_floor(m, side)) for m, side in self.sides]
        known = [(m, side, row) for m, side, row in found if row["once"]]
        if not known:
            return Html("", "no floors at the peaks")
        told = []
        for label, mine in ((self.names[CANDIDATE], True), ("the baselines’ decode chips", False)):
            ends = [end for _, side, row in known if (side.system == CANDIDATE) is mine for end in row["once"]]
            if ends:
                told.append(f"{span(0, ' %')((min(ends), max(ends)))} on {label}")
        over = [
            f"{self.model_name(m)} on {self.names[side.system]} ({row['copied'][1]:.0f} %)"
            for m, side, row in known
            if row["copied"][1] > 100
        ]
        sentence = (
            "At the peaks the memory floor of a step, MLA’s latent kept once, is this share of the measured median "
            "TBT: "
            f"{listed(told)} (modelled)."
        )
        if over:
            sentence += (
                f" With a copy of the latent on every chip the upper end passes the measured TBT for "
                f"{listed(html.escape(o) for o in over)}: those runs cannot have combined the most bits with copies."
            )
        return Html(f"<p>{sentence}</p>", "memory at the peaks")

    def energy(self) -> Html:
        """Where energy per token stands, and what it is."""
        page = f'<a href="{self.root}how-far/mixed_tokens.html">{MixedTokensPage.title}</a>'
        drawn = sum(int(side.points["chip_power_mean_w"].notna().sum()) for _, side in self.sides)
        rows = sum(len(side.points) for _, side in self.sides)
        told = (
            f"Joules per token, as in “{page}”, divide the package rating among the tokens, an allocation of rated "
            f"power: of the {rows} rows of these lines, {drawn or 'none'} with measured watts. "
            "The rated pJ per FLOP above divide the same rating among modelled operations."
        )
        return Html(f"<p>{told}</p>", "energy per token")

    def energy_table(self) -> Table:
        """Rated joules per token of both sides, as in the chapter on mixed tokens."""
        return MixedTokensPage(self.facts, self.root).energy()

    # ------------------------------------------------------------------ every system

    def systems(self) -> Table:
        """Every system, best documented first, with the ratios that the limits rest on."""
        order = {"high": 0, "medium": 1, "low": 2}
        frame = self.facts.systems.reset_index()
        frame = frame.assign(rank=frame["specs_confidence"].map(order).fillna(3)).sort_values("rank", kind="stable")
        rows = []
        for _, r in frame.iterrows():
            weak, weak8, unsure = (_confidence(r, kind) not in _SURE for kind in ("specs", "fp8", "power"))
            kilowatts = r["package_power_w"] / 1000
            tb, four, eight = (r[c] for c in ("memory_bandwidth_tb_s", "fp4_dense_pflops", "fp8_dense_pflops"))
            rows.append(
                {
                    "name": text(r["name"]) + detail(text(r["note"])),
                    "specs": _held(_confidence(r, "specs")) + detail(self._apart(r)),
                    "power": _held(_confidence(r, "power")),
                    "source": self._linked(r["specs_source_id"]),
                    "watts": _figure(r["package_power_w"], 0, unsure),
                    "tb": _figure(tb, 2, weak),
                    "fp4": _figure(four, 1, weak),
                    "fp8": _figure(eight, 1, weak8),
                    "tb_kw": _figure(tb / kilowatts, 2, weak or unsure),
                    "fp4_kw": _figure(four / kilowatts, 1, weak or unsure),
                    "fp8_kw": _figure(eight / kilowatts, 1, weak8 or unsure),
                    "balance": _figure(1000 * eight / tb, 0, weak or weak8),
                    "scale_up": _figure(r["scale_up_gb_s"], 0, weak),
                }
            )
        columns = {
            "name": Column("System", markup),
            "specs": Column("Confidence in memory and compute", markup),
            "tb": Column("Memory, TB/s", markup, numeric=True),
            "fp4": Column("FP4, PFLOP/s", markup, numeric=True),
            "fp8": Column("FP8, PFLOP/s", markup, numeric=True),
            "watts": Column("Rating, W", markup, numeric=True),
            "power": Column("Confidence in it", markup),
            "tb_kw": Column("TB/s per rated kW", markup, numeric=True),
            "fp4_kw": Column("FP4 PFLOP/s per rated kW", markup, numeric=True),
            "fp8_kw": Column("FP8 PFLOP/s per rated kW", markup, numeric=True),
            "balance": Column("FP8 FLOP per byte", markup, numeric=True),
            "scale_up": Column("Scale-up, GB/s, one direction", markup, numeric=True),
            "source": Column("Source of memory and compute", markup),
        }
        return Table(
            pd.DataFrame(rows, columns=list(columns)),
            columns,
            "Every system as published, dense rates, best documented first; figures in italics rest on a weak source",
        )

    @staticmethod
    def _apart(system: pd.Series) -> str:
        own = _confidence(system, "fp8")
        return "" if own == _confidence(system, "specs") else f"FP8: {_held(own)}"

    def _linked(self, source_id: Any) -> str:
        return self.source_link(source_id) if isinstance(source_id, str) else "no source"


_CLASSES = {
    "attention": "Attention",
    "routed": "Routed experts",
    "shared": "Shared experts, dense blocks",
    "router": "Router",
    "head": "Head",
}


def _rows_of(readings: Iterable[Reading]) -> pd.DataFrame:
    return pd.DataFrame([r.row for r in readings]).reset_index(drop=True)


def _times(value: float) -> str:
    """A multiple with two digits, ``×`` after it."""
    return f"{value:,.{0 if value >= 9.95 else 1}f}×"


def _between(interval: Interval) -> str:
    """Both ends, each with two digits."""
    low, high = _times(interval.low), _times(interval.high)
    return low if low == high else f"{low.removesuffix('×')}–{high}"


def _in_two(told: str, mark: str = "") -> str:
    """What stands before the first comma, marked, and the rest as a smaller line."""
    head, _, rest = told.partition(", ")
    return text(head + mark) + detail(text(rest))


def _at_most(share: float) -> str:
    """A share in percent as an upper bound: rounded up."""
    places = 0 if share >= 0.01 else 1
    return f"{math.ceil(100 * share * 10**places - 1e-9) / 10**places:.{places}f} %"


def _plural(noun: str, items: Iterable[Any]) -> str:
    return f"{noun}s" if len(list(items)) > 1 else noun


def _formula(fit: Scaling) -> str:
    return f"{fit.fixed:.2f} + {fit.shared:.2f}/N"


_SURE = ("high", "medium")


def _confidence(system: pd.Series, kind: str) -> str:
    """Confidence in ``specs``, ``power``, or a peak rate (``fp4``, ``fp8``): that in the specification, or its own."""
    own = system.get(f"{kind}_confidence")
    held = own if isinstance(own, str) else system["power_confidence" if kind == "power" else "specs_confidence"]
    return held if isinstance(held, str) else "not stated"


def _held(word: str) -> str:
    """A confidence as a word; colour only repeats it."""
    return f'<span class="confidence confidence-{word.replace(" ", "-")}">{html.escape(word)}</span>'


def _figure(value: Any, places: int, weak: bool) -> str:
    """A number as published; in italics where its source is weak, a dash where there is none."""
    shown = number(places)(value)
    return f'<em class="weak">{shown}</em>' if weak and shown != "–" else shown


def limits_page(
    data_dir: str,
    *,
    precision: str = FP4,
    kv_bits: float = 8,
    latent_replicated: bool = False,
    root: str = "../",
) -> LimitsPage:
    """Physical limits.

    Args:
        data_dir: data folder; a relative path starts at the project's root.
        precision: of the weights, a key of `roofline.CASES`, or ``fp4``, as `roofline.case_of` reads it.
        kv_bits: bits per cached number.
        latent_replicated: whether MLA's latent lies on every chip over which the heads are split.
        root: relative address of the book's folder.

    Raises:
        InputError: when the data or a parameter are wrong.
    """
    return LimitsPage(load(data_folder(data_dir)), root, Assumed(precision, kv_bits, latent_replicated))
