"""Chapter: what a mixed token is. Tokens read and tokens written, seen apart."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import altair as alt
import pandas as pd

from scoville import charts
from scoville.book import questions
from scoville.compare import Comparison, Line, compare, spread
from scoville.facts import load
from scoville.metrics import ISL, OSL, decode_flops, parameters_used, prefill_flops
from scoville.paths import data_folder
from scoville.report.page import Gallery, Html, Page
from scoville.tabulate import Column, Table, figures, markup, number, significant, sources, span
from scoville.units import Interval
from scoville.words import listed, pair, times

SHARE = OSL / (ISL + OSL)
"""Output's share of the tokens of a mean request at nominal 8K/1K."""


@dataclass(frozen=True)
class Work:
    """*Modelled* work per token of one model at the workload's mean lengths.

    Attributes:
        prefill: floating-point operations to read a token.
        decode: to write one; an interval where it depends on the implementation.
    """

    prefill: float
    decode: Interval

    @property
    def mixed(self) -> Interval:
        """Per mixed token."""
        read = self.prefill * (1 - SHARE)
        return Interval(read + SHARE * self.decode.low, read + SHARE * self.decode.high)

    @property
    def reading(self) -> Interval:
        """Share of the work that is prefill."""
        read = self.prefill * (1 - SHARE)
        return Interval(read / self.mixed.high, read / self.mixed.low)


@dataclass(frozen=True)
class MixedTokensPage(Page):
    """What a mixed token is."""

    title: ClassVar[str] = "What a mixed token is"

    @cached_property
    def comparisons(self) -> dict[str, Comparison]:
        """Per kW of package rating, by model."""
        return {q.model: compare(self.facts, q) for q in questions(self.facts)}

    def work(self, model: str) -> Work | None:
        """The work of a model; None where its dimensions are not recorded."""
        row = self.facts.models.loc[model]
        if pd.isna(parameters_used(row)):
            return None
        return Work(prefill_flops(row, ISL), decode_flops(row, ISL, OSL))

    def finding(self) -> Html:
        """The finding, made from the rows."""
        sides = self.comparisons
        if not sides:
            return Html("<p>The data hold no comparison of the default candidate.</p>", "no comparison")
        peaks = [c.candidate.peak for c in sides.values()]
        mixed = listed(number(0)(p["high"]) for p in peaks)
        written = listed(number(0)(p["high"] * output_share(p)) for p in peaks)
        read = [1 - output_share(p) for p in peaks]
        counted = span(1, " %")((100 * min(read), 100 * max(read)))
        told = (
            f"Of the tokens behind the headline {counted} are input: Jalapeño’s peaks of {mixed} mixed tokens per "
            f"second and rated kW are <b>{written}</b> output tokens. {_ratios_told(list(sides.values()))}"
        )
        return Html(f"<p>{told}</p><p>{self._work_told()} {self._time_told()}</p>", "finding")

    def _work_told(self) -> str:
        found = [w for w in map(self.work, self.comparisons) if w is not None]
        if len(found) < len(self.comparisons):
            return ""
        shares = listed(span(0, " %")((100 * w.reading.low, 100 * w.reading.high)) for w in found)
        return f"Counted from the models’ dimensions (modelled), <b>{shares}</b> of the work is reading."

    def _time_told(self) -> str:
        shares = [waiting(c.candidate.peak) for c in self.comparisons.values()]
        known = [s for s in shares if s is not None]
        if len(known) < len(shares):
            return ""
        told = listed(f"{100 * s:.0f} %" for s in known)
        return f"At those peaks a user’s request spends <b>{told}</b> of its time before the first token."

    def shares(self) -> Gallery:
        """Where tokens, work and time go, one chart a model."""
        charts.use_renderer()
        return Gallery([self._shares(model, side) for model, side in self.comparisons.items()])

    def _shares(self, model: str, side: Comparison) -> alt.TopLevelMixin:
        rows = self._share_rows(model, side.candidate)
        written = f"{self.model_name(model)}: {100 * output_share(side.candidate.peak):.0f} % of the tokens are output"
        times = [f"{100 - 100 * share:.0f} % at the {where} point" for share, where in self._waits(side.candidate)]
        taken = f"; of a request’s time writing takes {listed(times)}" if times else ""
        return charts.split_bars(
            rows.drop(columns="source"),
            ("Input, prefill, waiting", "Output, decode"),
            title=f"{written}{taken}",
            subtitle=(
                f"{self.names[side.candidate.system]}. Time: median TTFT in median E2E. Work: modelled, middle of "
                "its interval."
            ),
            source=self.source_line(side.candidate.points),
        )

    def _share_rows(self, model: str, side: Line) -> pd.DataFrame:
        """Rows ``what``, ``first`` (share of input or before the first token) and ``source``."""
        rows = [("Tokens", 1 - output_share(side.peak), self.row_link(side.peak))]
        work = self.work(model)
        if work is not None:
            middle = (work.reading.low + work.reading.high) / 2
            rows.append(("Work (modelled)", middle, self.dimensions_link(model)))
        points = {"peak": side.peak, "fastest": side.fastest}
        rows += [(f"Time, {at} point", share, self.row_link(points[at])) for share, at in self._waits(side)]
        return pd.DataFrame(rows, columns=["what", "first", "source"])

    @staticmethod
    def _waits(side: Line) -> list[tuple[float, str]]:
        """The share of a request's time before its first token, and at which point of the line."""
        found = [(waiting(side.peak), "peak"), (waiting(side.fastest), "fastest")]
        return [(share, where) for share, where in found if share is not None]

    def share_rows(self) -> Table:
        """The data of the charts."""
        parts = [self._share_rows(m, c.candidate).assign(model=self.model_name(m)) for m, c in self.comparisons.items()]
        shown = figures("Input, prefill or wait", number(1, " %"))
        source = Column("Source", markup)
        columns = {"model": Column("Model"), "what": Column("Of what"), "first": shown, "source": source}
        frame = pd.concat(parts).assign(first=lambda f: 100 * f["first"])
        return Table(frame, columns, f"Data of these charts: {len(frame)} rows", folded=True)

    def energy(self) -> Table:
        """Output tokens per kW and rated joules per token, of both sides."""
        rows = []
        for model, comparison in self.comparisons.items():
            for side in (comparison.candidate, comparison.baseline):
                for what, row in (("peak", side.peak), ("fastest", side.fastest)):
                    share = output_share(row)
                    mixed = spread(row)
                    rows.append(
                        {
                            "model": self.model_name(model),
                            "system": self.names[side.system],
                            "what": what,
                            "speed": row["speed"],
                            "requests": row["concurrency"],
                            "mixed": pair(mixed),
                            "input": (mixed.low * (1 - share), mixed.high * (1 - share)),
                            "output": (mixed.low * share, mixed.high * share),
                            "per_mixed": 1000 / mixed.high,
                            "per_output": 1000 / mixed.high / share,
                            "split": "as published" if has_split(row) else "by mean lengths",
                            "source": self.row_link(row),
                        }
                    )
        columns = {
            "model": Column("Model"),
            "system": Column("System"),
            "what": Column("Point"),
            "speed": figures("tok/s/user", number(0)),
            "requests": figures("Requests at a time", number(0)),
            "mixed": figures("Mixed tok/s per kW", span(0)),
            "input": figures("Input tok/s per kW", span(0)),
            "output": figures("Output tok/s per kW", span(0)),
            "per_mixed": figures("Rated J per mixed token", number(4)),
            "per_output": figures("Rated J per output token", number(3)),
            "split": Column("Input and output"),
            "source": Column("Source", sources),
        }
        return Table(
            pd.DataFrame(rows, columns=list(columns)),
            columns,
            "Tokens per kW of package rating, and the rating’s share per token (an allocation, not energy drawn)",
        )

    def flops(self) -> Table:
        """*Modelled* work per token and what it makes of the peaks."""
        rows = []
        for model, comparison in self.comparisons.items():
            work = self.work(model)
            for side in (comparison.candidate, comparison.baseline) if work else ():
                assert work is not None
                share, value = output_share(side.peak), float(side.peak["high"])
                read = value * (1 - share) * work.prefill
                written = Interval(value * share * work.decode.low, value * share * work.decode.high)
                rows.append(
                    {
                        "model": self.model_name(model),
                        "system": self.names[side.system],
                        "prefill": work.prefill / 1e9,
                        "decode": scaled(work.decode, 1e9),
                        "mixed": scaled(work.mixed, 1e9),
                        "reading": scaled(work.reading, 0.01),
                        "read": read / 1e12,
                        "written": scaled(written, 1e12),
                        "both": ((read + written.low) / 1e12, (read + written.high) / 1e12),
                        "source": "; ".join(filter(None, (self.row_link(side.peak), self.dimensions_link(model)))),
                    }
                )
        columns = {
            "model": Column("Model"),
            "system": Column("System, at its peak"),
            "prefill": figures("GFLOP per input token", number(1)),
            "decode": figures("GFLOP per output token", span(1)),
            "mixed": figures("GFLOP per mixed token", span(1)),
            "reading": figures("Share of reading, %", span(0)),
            "read": figures("Prefill, TFLOP/s per kW", number(0)),
            "written": figures("Decode, TFLOP/s per kW", span(0)),
            "both": figures("Together, TFLOP/s per kW", span(0)),
            "source": Column("Sources of tokens and dimensions", sources),
        }
        return Table(
            pd.DataFrame(rows, columns=list(columns)),
            columns,
            "Modelled work: counted from dimensions at mean lengths, times published tokens per kW of package rating",
        )

    def parts(self) -> Table:
        """Baseline rows whose chips are parted into prefill and decode: what each part does."""
        rows: list[dict[str, Any]] = []
        for model, comparison in self.comparisons.items():
            side = comparison.baseline
            for what, row in (("peak", side.peak), ("fastest", side.fastest)):
                if pd.isna(row["prefill_chips"]) or pd.isna(row["decode_chips"]):
                    continue
                total = float(row["total_tok_s_per_chip"]) * float(row["chips"])
                share, work = output_share(row), self.work(model)
                read = total * (1 - share) / float(row["prefill_chips"])
                written = total * share / float(row["decode_chips"])
                decode = work and scaled(Interval(work.decode.low * written, work.decode.high * written), 1e12)
                rows.append(
                    {
                        "model": self.model_name(model),
                        "system": self.names[side.system],
                        "what": what,
                        "speed": row["speed"],
                        "requests": row["concurrency"],
                        "prefill_chips": row["prefill_chips"],
                        "decode_chips": row["decode_chips"],
                        "read": read,
                        "written": written,
                        "prefill_work": None if work is None else read * work.prefill / 1e12,
                        "decode_work": decode,
                        "source": self.row_link(row),
                    }
                )
        columns = {
            "model": Column("Model"),
            "system": Column("System"),
            "what": Column("Point"),
            "speed": figures("tok/s/user", number(0)),
            "requests": figures("Requests at a time", number(0)),
            "prefill_chips": figures("Prefill chips", number(0)),
            "decode_chips": figures("Decode chips", number(0)),
            "read": figures("Input tok/s per prefill chip", number(0)),
            "written": figures("Output tok/s per decode chip", number(0)),
            "prefill_work": figures("TFLOP/s per prefill chip (modelled)", significant(3)),
            "decode_work": figures("TFLOP/s per decode chip (modelled)", span(1)),
            "source": Column("Source", sources),
        }
        return Table(
            pd.DataFrame(rows, columns=list(columns)),
            columns,
            "Baselines whose chips are parted: what the prefill and the decode chips do",
        )


def _ratios_told(comparisons: list[Comparison]) -> str:
    """Whether the ratios of the peaks depend on the unit."""
    mixed = listed(times(c.peak_ratio) for c in comparisons)
    written = listed(times(output_ratio(c)) for c in comparisons)
    if mixed == written:
        return f"Both sides are counted alike, so the ratios of the peaks stay <b>{mixed}</b> in output tokens."
    return f"The ratios of the peaks are {mixed} in mixed tokens and <b>{written}</b> in output tokens."


def has_split(row: pd.Series) -> bool:
    """Whether a row publishes its output rate apart."""
    return bool(pd.notna(row["output_tok_s_per_chip"]))


def output_share(row: pd.Series) -> float:
    """Output's share of a row's tokens: as published, else that of a request of mean lengths."""
    return float(row["output_tok_s_per_chip"] / row["total_tok_s_per_chip"]) if has_split(row) else SHARE


def output_ratio(comparison: Comparison) -> Interval:
    """Peak against peak in output tokens."""
    mine, theirs = comparison.candidate.peak, comparison.baseline.peak
    ratio, factor = comparison.peak_ratio, output_share(mine) / output_share(theirs)
    return Interval(ratio.low * factor, ratio.high * factor)


def waiting(row: pd.Series) -> float | None:
    """Median TTFT over median E2E of a row; None where it publishes neither."""
    share = row["ttft_median_s"] / row["e2e_median_s"]
    return None if pd.isna(share) else float(share)


def scaled(interval: Interval, unit: float) -> tuple[float, float]:
    """Both ends in another unit."""
    return interval.low / unit, interval.high / unit


def mixed_tokens_page(data_dir: str, root: str = "../") -> MixedTokensPage:
    """What a mixed token is.

    Args:
        data_dir: data folder; a relative path starts at the project's root.
        root: relative address of the book's folder.

    Raises:
        InputError: when the data are wrong.
    """
    return MixedTokensPage(load(data_folder(data_dir)), root)
