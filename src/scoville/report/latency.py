"""Chapter: latency. What a person waits for: the queue and the first token, then the rest."""

from __future__ import annotations

import html
import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import altair as alt
import pandas as pd

from scoville import charts, metrics
from scoville.audit import CANDIDATE, PRIMARY, REQUESTS_PER_CLIENT
from scoville.compare import DECODING, spread
from scoville.facts import load
from scoville.metrics import OSL_NOMINAL
from scoville.paths import data_folder
from scoville.report.page import Gallery, Html, Page, claim_place, detail
from scoville.tabulate import Column, Table, figures, markup, number, significant, sources, span, text
from scoville.units import Interval
from scoville.waits import (
    LIMITS_S,
    MEAN_TOKENS,
    NAMED_S,
    NOMINAL_TOKENS,
    Promise,
    Split,
    Waits,
    is_drawn,
    passes,
    steady_e2e,
)
from scoville.words import listed, pair, percent

UNIT = "mixed tok/s per kW"
FLOORS: dict[float, str] = {0: "any", 20: "at least 20", 50: "at least 50", 100: "at least 100"}
"""Least speeds per user that can be asked for together with a limit, tok/s."""


@dataclass(frozen=True)
class LatencyPage(Page):
    """Latency: what a person waits for."""

    title: ClassVar[str] = "Latency: what a person waits for"

    @cached_property
    def waits(self) -> Waits:
        """What the sections rest on."""
        return Waits(self.facts)

    def _candidates(self) -> list[Promise]:
        return [p for lines in self.waits.promised.values() for p in lines if p.whole.system == CANDIDATE]

    # -- the finding

    def finding(self) -> Html:
        """The finding, made from claims and rows."""
        sections = (
            self._under_a_promise(),
            itertools.chain(self._baselines_within(), self._held()),
            self._first_token(),
            self._not_in_flight(),
        )
        parts = [" ".join(part) for part in sections]
        body = "".join(f"<p>{part}</p>" for part in parts if part)
        if not body:
            return Html("<p>The data hold no latency of the default candidate beside a baseline.</p>", "no latencies")
        return Html(body, "finding")

    def _first_token(self) -> Iterator[str]:
        later = [(c, b) for c, b in self.waits.pairs if _is_later(c, b)]
        for c, b in later:
            ratio = self.waits.printed_ratio(c, "e2e_s")
            yield (
                f"On {self.model_name(c.question.model)} the printed <b>{ratio}×</b> lower E2E comes from decode "
                f"alone: Jalapeño’s first token comes later than {self.names[b.system]}’s, {_both(c, b)}."
            )
        if self.waits.pairs and not later:
            yield "No printed E2E shows Jalapeño’s first token to come later than the baseline’s."

    def _under_a_promise(self) -> Iterator[str]:
        models = [m for m in self.waits.models if self.waits.candidate_within(m) is not None]
        peaks = {p.model: p.whole.peak for p in self._candidates()}
        if not models or any(pd.isna(peaks[m]["ttft_median_s"]) for m in models):
            return
        waits = listed(number(1)(peaks[m]["ttft_median_s"]) for m in models)
        tops = listed(number(0)(peaks[m]["high"]) for m in models)
        best = listed(number(0)(_value(self.waits.candidate_within(m))) for m in models)
        named = "" if len(models) == len(self.waits.models) else f" on {listed(self.model_name(m) for m in models)}"
        yield (
            f"Jalapeño’s peaks{named} of {tops} {UNIT} have a median TTFT of <b>{waits} s</b>; with one of at most "
            f"{NAMED_S:g} s its best rows give <b>{best}</b>."
        )
        told = [self._within_told(m, row) for m in models if (row := self.waits.best_within(m)) is not None]
        if told:
            yield f"Within it the best public rows of other systems give {listed(told)}."
        missing = [self.model_name(m) for m in models if self.waits.best_within(m) is None]
        if missing:
            yield f"On {listed(missing)} no other system’s row holds a TTFT within it."

    def _baselines_within(self) -> Iterator[str]:
        """What the appendix' baselines give within the same limit, where their rows hold a TTFT."""
        models = [m for m in self.waits.models if self.waits.candidate_within(m) is not None]
        told = [self._within_told(m, row) for m in models if (row := self.waits.named_within(m)) is not None]
        if told:
            yield f"Within {NAMED_S:g} s the appendix’ baselines give {listed(told)}."

    def _within_told(self, model: str, row: pd.Series) -> str:
        (promise,) = [
            p
            for p in self.waits.promised[model]
            if (p.whole.system, p.speculation) == (row["system"], row["speculation"])
        ]
        ratio = _value(self.waits.candidate_within(model)) / row["high"]
        known = f"{len(promise.rows)} of {len(promise.whole.counted)} rows hold a TTFT"
        return (
            f"<b>{number(0)(row['high'])}</b> on {self.model_name(model)} ({self.names[row['system']]}, "
            f"{row['speed']:.0f} tok/s per user; {known}; Jalapeño’s is {ratio:.2f}× that)"
        )

    def _held(self) -> Iterator[str]:
        held = [h for model in self.waits.models if (h := self.waits.at_baselines_wait(model)) is not None]
        if held:
            waits = listed(number(1)(h.wait) for h in held)
            peaks = listed(number(2, "×")(h.peaks) for h in held)
            ratios = listed(number(2, "×")(h.ratio) for h in held)
            mine = listed(number(0)(h.mine["speed"]) for h in held)
            theirs = listed(number(0)(h.theirs["speed"]) for h in held)
            between = listed(number(2, "×")(h.between[0] / h.theirs["high"]) for h in held)
            named = listed(f"{self.names[h.theirs.system]} on {self.model_name(h.model)}" for h in held)
            yield (
                f"Held to the median TTFT of the baseline’s own peak ({waits} s; {named}), peak over peak goes from "
                f"{peaks} to <b>{ratios}</b> by Jalapeño’s best measured rows ({between} read between rows), at {mine} "
                f"tok/s per user against the baseline’s {theirs}."
            )

    def _not_in_flight(self) -> Iterator[str]:
        for split in self.waits.short_of_load():
            ratio, e2e = self.waits.if_all_in_flight(split), self.waits.e2e_ratio(split)
            matched = self.waits.printed_ratio(split, "matched_mixed_tok_s_per_kw")
            if ratio is not None and e2e is not None:
                yield (
                    f"The {self.model_name(split.question.model)} baseline’s printed E2E and its throughput mean "
                    f"<b>{split.in_flight_middle:.2f}</b> requests in flight where {split.row['concurrency']:.0f} are "
                    f"held; with all of them in flight either the printed {matched}× would be "
                    f"<b>{span(0, '×')(pair(ratio))}</b> or the printed {self.waits.printed_ratio(split, 'e2e_s')}× "
                    f"lower E2E <b>{span(1, '×')(pair(e2e))}</b>."
                )

    # -- the first token and the rest

    def split_chart(self) -> alt.TopLevelMixin | Html:
        """Every printed E2E as TTFT and decode."""
        if not self.waits.splits:
            return Html("<p>No document prints an end-to-end latency.</p>", "no splits")
        charts.use_renderer()
        frame = pd.DataFrame(
            {
                "label": [
                    f"{self.model_name(s.question.model)}, {self.names[s.system]}: "
                    f"{s.middle:.2f} s + {float(s.e2e) - s.middle:.2f} s"
                    for s in self.waits.splits
                ],
                "system": [s.system for s in self.waits.splits],
                "filled": [s.row["evidence"] in charts.FILLED for s in self.waits.splits],
                "ttft": [round(s.middle, 4) for s in self.waits.splits],
                "ttft_low": [round(max(0.0, s.ttft(s.short_run).low), 4) for s in self.waits.splits],
                "ttft_high": [round(s.ttft(s.short_run).high, 4) for s in self.waits.splits],
                "e2e": [float(s.e2e) for s in self.waits.splits],
                "measured": [s.measured[0] if s.measured else None for s in self.waits.splits],
            }
        ).astype({"measured": float})
        rest = listed(f"{float(b.e2e) - b.middle - float(c.e2e) + c.middle:.2f}" for c, b in self.waits.pairs)
        return charts.splits(
            frame,
            title=f"{self._models_told()}: Jalapeño’s decode is {rest} s shorter; {self._ttft_told()}",
            subtitle=f"Each printed mean E2E as TTFT (thick) and decode (pale), for {MEAN_TOKENS.low:,.1f} output "
            "tokens. Thin line: TTFT over the random lengths of a short run. Cross: TTFT in the public row (mean; "
            "median for Jalapeño). Hollow: not independently executed.",
            source=self.sources_told([PRIMARY, *(str(s.row["source_id"]) for s in self.waits.splits)]),
        )

    def _ttft_told(self) -> str:
        """How the first tokens differ, where that can be told apart at all."""
        told = []
        for c, b in self.waits.pairs:
            a, z = c.ttft(c.short_run), b.ttft(b.short_run)
            if not a.overlaps(z):
                order = "later" if a.low > z.high else "earlier"
                told.append(f"{abs(c.middle - b.middle):.1f} s {order} on {self.model_name(c.question.model)}")
        same = ", not told apart on the others" if told and len(told) < len(self.waits.pairs) else ""
        return f"its first token {listed(told)}{same}" if told else "the first tokens cannot be told apart"

    def _models_told(self) -> str:
        return listed(self.model_name(m) for m in self.waits.models)

    def split_table(self) -> Table:
        """Every printed E2E, split for every choice of output length."""
        frame = pd.DataFrame([self._split_row(s) for s in self.waits.splits])
        columns = {
            "model": Column("Model"),
            "system": Column("System"),
            "e2e": figures("E2E as printed, s (mean)", markup),
            "tbt": figures("TBT as printed, ms (mean)", span(3)),
            "decode": figures(f"Decode, s ({MEAN_TOKENS.low:,.1f} tokens)", span(2)),
            "mean": figures(f"TTFT, s ({MEAN_TOKENS.low:,.1f} tokens)", span(2)),
            "short": figures("TTFT, s (lengths of a short run)", span(2)),
            "drawn": figures("TTFT, s (lengths that the client draws)", markup),
            "nominal": figures(f"TTFT, s ({OSL_NOMINAL:,} tokens)", span(2)),
            "public": figures("TTFT, s, by the split of the row’s own means", markup),
            "measured": figures("TTFT in the public row, s", markup),
            "source": Column("Sources", sources),
        }
        return Table(frame, columns, "Every printed E2E, split; each column of TTFT is another choice of output length")

    def _split_row(self, split: Split) -> dict[str, Any]:
        known = [
            f"{split.public[column]:.3f} {name}"
            for name in ("mean", "median")
            if (column := f"ttft_{name}_s") in split.public
        ]
        drawn = "–" if split.is_drawn is False else span(2)(pair(split.ttft(split.drawn)))
        known_draw = {True: "rates agree", None: "rates not public", False: "rates show other lengths"}
        tokens = f"{split.drawn.low:,.1f} tokens; " if split.is_drawn is not False else ""
        return {
            "model": self.model_name(split.question.model),
            "system": self.names[split.system],
            "e2e": self.claim_link(split.claim_id, split.e2e.text),
            "tbt": (split.tbt.low * 1000, split.tbt.high * 1000),
            "decode": pair(metrics.decode_time(split.tbt, MEAN_TOKENS)),
            "mean": pair(split.ttft()),
            "short": pair(split.ttft(split.short_run)),
            "drawn": drawn + detail(tokens + known_draw[split.is_drawn]),
            "nominal": pair(split.ttft(NOMINAL_TOKENS)),
            "public": self._from_means(split),
            "measured": "<br>".join(known) or "–",
            "source": self._sources(split, *split.sources),
        }

    def _sources(self, split: Split, *further: str) -> str:
        """Where a split's E2E is printed, its public row, and further sources by key."""
        printed = claim_place(self, self.facts.claims.loc[split.claim_id])
        links = [printed, self.row_link(split.row), *map(self.source_link, further)]
        return "; ".join(dict.fromkeys(links))

    def _from_means(self, split: Split) -> str:
        if not {"tpot_mean_s", "e2e_mean_s"} <= split.public.keys():
            return "–"
        e2e, tpot = split.public["e2e_mean_s"], split.public["tpot_mean_s"]
        found = metrics.ttft_by_split(Interval(e2e, e2e), Interval(tpot, tpot), MEAN_TOKENS)
        told = f"{found.low:.3f}"
        if "ttft_mean_s" in split.public:
            tokens = metrics.output_tokens_by_split(e2e, split.public["ttft_mean_s"], tpot)
            told += detail(f"its requests had {tokens:,.0f} tokens")
        return told

    def low_load(self) -> Table:
        """Medians of every single-token row that holds no more requests than the appendix' baseline does."""
        frames = []
        for model, question in self.waits.models.items():
            baseline = self.waits.evidence.line(model, question.baseline)
            if baseline is None:
                continue
            mine = self.waits.rows[(self.waits.rows["model"] == model) & (self.waits.rows["speculation"] == "none")]
            frames.append(mine[mine["concurrency"] <= baseline.fastest["concurrency"]])
        rows = pd.concat(frames) if frames else self.waits.rows.iloc[:0]
        frame = self._described(rows).assign(
            ttft=rows["ttft_median_s"],
            tpot=1000 / metrics.interactivity(rows),
            e2e=rows["e2e_median_s"],
        )
        frame = frame.sort_values(["order", "e2e"], kind="stable")
        columns = {
            **_ROW_COLUMNS,
            "ttft": figures("TTFT, s", significant(3)),
            "tpot": figures("TPOT, ms", number(2)),
            "e2e": figures("E2E, s", number(2)),
        }
        caption = f"Medians at no more requests than the appendix’ baselines hold: {len(frame)} rows"
        return Table(frame, columns, caption, folded=True)

    def _described(self, rows: pd.DataFrame) -> pd.DataFrame:
        """What identifies rows, for tables."""
        order = list(self.waits.models)
        return pd.DataFrame(
            {
                "order": rows["model"].map(order.index),
                "model": rows["model"].map(self.model_name),
                "system": rows["system"].map(self.names),
                "decoding": rows["speculation"].map(lambda s: DECODING.get(s, s)),
                "layout": rows["parallelism"],
                "chips": rows["chips"],
                "concurrency": rows["concurrency"],
                "evidence": [
                    html.escape(row["evidence"]) + detail(self.row_link(row)) + detail(text(row["date"]))
                    for row in rows.to_dict("records")
                ],
            }
        )

    # -- which output length is meant

    def lengths_told(self) -> Html:
        """What the nominal length would mean, and what rows with a known TTFT imply."""
        told = []
        nominal = [b for _, b in self.waits.pairs if b.ttft(NOMINAL_TOKENS).high < 0]
        if nominal:
            whose = listed(f"{self.names[b.system]} on {self.model_name(b.question.model)}" for b in nominal)
            at_best = listed(number(2)(b.ttft(NOMINAL_TOKENS).high).replace("-", "−") for b in nominal)
            told.append(
                f"With {OSL_NOMINAL:,} output tokens the TTFT of {whose} would be negative, at best {at_best} s: "
                "the nominal length cannot be meant."
            )
        told += [
            f"{len(rows)} rows whose {name} TTFT, TPOT and E2E are known imply "
            f"{rows['tokens'].min():,.0f} to {rows['tokens'].max():,.0f} output tokens."
            for name in ("mean", "median")
            if len(rows := self.waits.rows[self.waits.rows["statistic"] == name])
        ]
        told += self._draws_told()
        return Html(f"<p>{' '.join(told) or 'No row holds TTFT, TPOT and E2E.'}</p>", "lengths")

    def _draws_told(self) -> list[str]:
        """Of how many candidate rows input and output rate are in the proportion of the client's own draw."""
        rows = self.waits.rows[(self.waits.rows["system"] == CANDIDATE)].dropna(
            subset=["input_tok_s_per_chip", "output_tok_s_per_chip"]
        )
        rows = rows[rows["osl_nominal"] == OSL_NOMINAL]
        if rows.empty:
            return []
        like = sum(
            is_drawn(i, o, int(REQUESTS_PER_CLIENT * c))
            for i, o, c in zip(
                rows["input_tok_s_per_chip"], rows["output_tok_s_per_chip"], rows["concurrency"], strict=True
            )
        )
        return [
            f"The client draws its lengths from a fixed seed: in {like} of Jalapeño’s {len(rows)} rows the quotient of "
            f"input and output rate is, to six digits, that of its draw of {REQUESTS_PER_CLIENT} requests for each "
            "one held."
        ]

    def lengths_chart(self) -> alt.TopLevelMixin | Html:
        """Output tokens that every row implies, against its load."""
        if self.waits.rows.empty:
            return Html("<p>No row holds TTFT, TPOT and E2E.</p>", "no rows")
        charts.use_renderer()
        low, high = self.waits.rows["tokens"].min(), self.waits.rows["tokens"].max()
        held = [2.0**e for e in range(14)]
        bands = [metrics.length_range(OSL_NOMINAL, REQUESTS_PER_CLIENT * c) for c in held]
        band = pd.DataFrame(
            {"concurrency": held, "low": [b.low for b in bands], "high": [b.high for b in bands]}
        ).round(2)
        reach = "none" if high < OSL_NOMINAL else "some"
        return charts.by_load(
            self._marks("tokens", 1),
            self.names,
            quantity="Output tokens of a request",
            lines={
                f"nominal: {OSL_NOMINAL:,}": OSL_NOMINAL,
                f"mean of 80 to 100 % of it: {MEAN_TOKENS.low:,.1f}": MEAN_TOKENS.low,
            },
            domain=(min(low, 880) - 5, max(high, OSL_NOMINAL) + 15),
            band=band,
            ringed=pd.DataFrame(),
            title=f"Rows whose TTFT is known imply {low:,.0f} to {high:,.0f} output tokens, {reach} the nominal "
            f"{OSL_NOMINAL:,}",
            subtitle="(E2E − TTFT) / TPOT + 1 of every row; means where it holds them, medians for Jalapeño (hollow). "
            "Band: two standard errors of the mean of so many random lengths.",
            source=self.sources_told(list(self.waits.rows["source_id"])),
        )

    def _marks(self, quantity: str, places: int) -> pd.DataFrame:
        rows = self.waits.rows
        return pd.DataFrame(
            {
                "system": rows["system"],
                "value": rows[quantity].round(places),
                "statistic": rows["statistic"] + "s",
                **charts.origin(rows),
            }
        )

    def lengths_rows(self) -> Table:
        """The rows of the chart of implied lengths."""
        frame = self._described(self.waits.rows).assign(
            **{c: self.waits.rows[c] for c in ("ttft_mean_s", "ttft_median_s", "tokens_mean", "tokens_median")}
        )
        split = {name: self.waits.rows[f"e2e_{name}_s"] for name in ("mean", "median")}
        tpot = {"mean": self.waits.rows["tpot_mean_s"], "median": 1 / metrics.interactivity(self.waits.rows)}
        for name, e2e in split.items():
            frame[f"split_{name}"] = e2e - (MEAN_TOKENS.low - 1) * tpot[name]
        columns = {
            **_ROW_COLUMNS,
            "tokens_mean": figures("Output tokens implied by means", number(1)),
            "tokens_median": figures("by medians", number(1)),
            "ttft_mean_s": figures("TTFT, mean, s", significant(3)),
            "split_mean": figures(f"by the split, {MEAN_TOKENS.low:,.1f} tokens", significant(3)),
            "ttft_median_s": figures("TTFT, median, s", significant(3)),
            "split_median": figures(f"by the split, {MEAN_TOKENS.low:,.1f} tokens", significant(3)),
        }
        return Table(frame, columns, f"Data of this chart, output tokens: {len(frame)} rows", folded=True)

    # -- throughput under a promise

    def promise_told(self) -> Html:
        """Where the candidate's best row passes the others', and how few rows can say so."""
        told = [sentence for model in self.waits.promised for sentence in self._promise_sentences(model)]
        items = "".join(f"<li>{sentence}</li>" for sentence in told)
        return Html(f"<ul>{items}</ul>" if items else "<p>No row holds a median TTFT.</p>", "under a promise")

    def _compared(self, name: str, mine: Promise, others: list[Promise], limit: float) -> str:
        rival = max(others, key=lambda p: -math.inf if p.best[limit] is None else _value(p.best[limit]))
        return (
            f"{name}, at most {limit:g} s: Jalapeño {self._kept(mine, limit)}; best of the others "
            f"{self.names[rival.whole.system]}, {self._kept(rival, limit)}, with {len(rival.rows)} of its "
            f"{len(rival.whole.counted)} rows holding a TTFT."
        )

    def _promise_sentences(self, model: str) -> Iterator[str]:
        lines = [p for p in self.waits.promised[model] if p.speculation == "none" and p.known is not None]
        mine = next((p for p in lines if p.whole.system == CANDIDATE), None)
        others = [p for p in lines if p.whole.system != CANDIDATE]
        name = self.model_name(model)
        if mine is None:
            return
        if not others:
            total = sum(len(p.whole.counted) for p in self.waits.promised[model] if p.whole.system != CANDIDATE)
            yield f"{name}: no baseline’s row holds a TTFT (0 of {total}), so nothing is compared."
            return
        told = [self._compared(name, mine, others, limit) for limit in (min(LIMITS_S), NAMED_S)]
        passed = passes(mine, others)
        if passed is None:
            told.append("Jalapeño’s best row is the highest at no limit.")
        else:
            told.append(f"From {significant(2)(passed)} s on Jalapeño’s best row is the highest.")
        yield " ".join(told)

    @staticmethod
    def _kept(promise: Promise, limit: float) -> str:
        best = promise.best[limit]
        if best is None:
            return "no row"
        return f"<b>{number(0)(best['high'])}</b> at {number(0)(best['speed'])} tok/s per user"

    def promise_charts(self) -> Gallery:
        """Best throughput against the promised TTFT, one chart a model."""
        charts.use_renderer()
        return Gallery(
            [self._promise_chart(m) for m, lines in self.waits.promised.items() if any(p.known for p in lines)]
        )

    def _promise_chart(self, model: str) -> alt.TopLevelMixin:
        lines = [p for p in self.waits.promised[model] if p.known is not None and p.speculation == "none"]
        rows = pd.concat([self._promise_marks(p) for p in lines])
        stairs = pd.concat(
            [p.stairs(f).assign(system=p.whole.system, floor=f) for p in lines for f in FLOORS if len(p.stairs(f))]
        ).round({"ttft": 4, "value": 1})
        mine = next((p for p in lines if p.whole.system == CANDIDATE), lines[0])
        kept = mine.best[NAMED_S]
        within = f"{number(0)(kept['high'])} with a median TTFT of at most {NAMED_S:g} s" if kept is not None else ""
        within = within or f"no row keeps a median TTFT of {NAMED_S:g} s"
        return charts.promises(
            rows,
            stairs,
            self.names,
            FLOORS,
            unit=UNIT,
            marked_s=NAMED_S,
            title=f"{self.model_name(model)}: {self.names[mine.whole.system]} gives {within}, "
            f"{number(0)(mine.whole.peak['high'])} without a limit",
            subtitle="Single-token rows with a median TTFT, per kW of package rating; steps join the best within each "
            f"limit. Hollow: not independently executed. Dashed rule: {NAMED_S:g} s.",
            source=self.sources_told([str(s) for p in lines if p.known for s in p.known.counted["source_id"]]),
        )

    @staticmethod
    def _promise_marks(promise: Promise) -> pd.DataFrame:
        rows = promise.rows
        return pd.DataFrame(
            {
                "system": rows["system"],
                "ttft": rows["ttft_median_s"].round(4),
                "value": rows["high"].round(1),
                "speed": rows["speed"].round(2),
                **charts.origin(rows),
            }
        )

    def held_table(self) -> Table | Html:
        """The candidate within the wait of the baseline's peak, as measured and read between rows."""
        found = [h for model in self.waits.models if (h := self.waits.at_baselines_wait(model)) is not None]
        if not found:
            return Html("<p>The TTFT at no baseline’s peak is public.</p>", "nothing to hold to")
        frame = pd.DataFrame(
            {
                "model": [self.model_name(h.model) for h in found],
                "baseline": [self.names[h.theirs["system"]] for h in found],
                "wait": [h.wait for h in found],
                "theirs": [_best(h.theirs) for h in found],
                "mine": [_best(h.mine) for h in found],
                "own": [h.mine["ttft_median_s"] for h in found],
                "ratio": [h.ratio for h in found],
                "linear": [h.between[0] / h.theirs["high"] for h in found],
                "cubic": [h.between[1] / h.theirs["high"] for h in found],
                "peaks": [h.peaks for h in found],
                "source": [self.row_links(h.theirs, h.timed, h.mine, h.peak) for h in found],
            }
        )
        columns = {
            "model": Column("Model"),
            "baseline": Column("Baseline"),
            "wait": figures("Median TTFT at its peak, s", number(2)),
            "theirs": figures(f"Its peak, {UNIT}", markup),
            "mine": figures("Jalapeño’s best row within that TTFT", markup),
            "own": figures("whose TTFT is, s", number(2)),
            "ratio": figures("Ratio", number(2, "×")),
            "linear": figures("Ratio, Jalapeño read at that TTFT (linear)", number(2, "×")),
            "cubic": figures("(monotone cubic)", number(2, "×")),
            "peaks": figures("Peak over peak", number(2, "×")),
            "source": Column("Sources", sources),
        }
        return Table(
            frame, columns, "Jalapeño held to the median TTFT of the baseline’s own peak; medians on both sides"
        )

    def promise_table(self) -> Table:
        """The best row of every line within every limit."""
        rows = [self._promise_row(p) for lines in self.waits.promised.values() for p in lines if p.known]
        columns = {
            "model": Column("Model"),
            "system": Column("System"),
            "decoding": Column("Decoding"),
            "count": figures("Rows with TTFT", text),
            **{f"at_{limit:g}": figures(f"At most {limit:g} s", markup) for limit in LIMITS_S},
            "known": figures("No limit, rows with TTFT", markup),
            "whole": figures("No limit, all rows", markup),
            "source": Column("Sources", sources),
        }
        caption = (
            f"Best {UNIT} within a limit on the median TTFT, and the speed at which it is given. Rows with a TTFT are "
            "often single runs; where medians over runs count without a limit, these may lie below"
        )
        return Table(pd.DataFrame(rows), columns, caption)

    def _promise_row(self, promise: Promise) -> dict[str, Any]:
        known = promise.known
        return {
            "model": self.model_name(promise.model),
            "system": self.names[promise.whole.system],
            "decoding": DECODING.get(promise.speculation, promise.speculation),
            "count": f"{len(promise.rows)} of {len(promise.whole.counted)}",
            **{f"at_{limit:g}": _best(promise.best[limit]) for limit in LIMITS_S},
            "known": _best(known.peak if known else None),
            "whole": _best(promise.whole.peak),
            "source": self.row_links(*promise.best.values(), known.peak if known else None, promise.whole.peak),
        }

    def promise_rows(self) -> Table:
        """Every row with a median TTFT, and what it gives."""
        sides = [p.known for lines in self.waits.promised.values() for p in lines if p.known]
        rows = pd.concat([side.counted for side in sides]) if sides else self.facts.points.iloc[:0]
        if rows.empty:
            rows = rows.assign(speed=[], high=[])
        frame = self._described(rows).assign(
            ttft=rows["ttft_median_s"], e2e=rows["e2e_median_s"], speed=rows["speed"], value=rows["high"]
        )
        columns = {
            **_ROW_COLUMNS,
            "ttft": figures("TTFT, median, s", significant(3)),
            "e2e": figures("E2E, median, s", number(2)),
            "speed": figures("Interactivity, median tok/s/user", number(1)),
            "value": figures(f"Throughput, {UNIT}", number(0)),
        }
        return Table(frame, columns, f"Data of these charts, multi-token rows included: {len(frame)} rows", folded=True)

    # -- requests in flight

    def flight_told(self) -> Html:
        """What Little's law finds in public rows, and in the printed latencies."""
        told = []
        if len(self.waits.means):
            shares = self.waits.means["share"]
            least, most = percent(shares.min()), percent(shares.max())
            told.append(
                f"In the {len(shares)} public rows with a mean E2E, {least} to {most} of the stated requests are in "
                "flight."
            )
        for split in self.waits.short_of_load():
            held = split.row["concurrency"]
            share = split.in_flight_middle / held
            told.append(
                f"{self.names[split.system]} on {self.model_name(split.question.model)}, at {split.e2e.text} s and its "
                f"public throughput: {split.in_flight_middle:.2f} of {held:.0f} ({percent(share)}), "
                "less than in any of them."
            )
            told += self._were_it_a_median(split, share)
        return Html(f"<p>{' '.join(told) or 'No row holds E2E and throughput.'}</p>", "requests in flight")

    def _were_it_a_median(self, split: Split, share: float) -> list[str]:
        """How many rows whose means are known would show such a share if their median E2E were taken for the mean."""
        rows = self.waits.means.dropna(subset=["share_median"])
        rows = rows[rows["disaggregated"].eq(True) == bool(split.row["disaggregated"])]
        alike = rows[rows["share_median"] <= share]
        if alike.empty:
            return []
        near = alike.loc[(alike["concurrency"] - split.row["concurrency"]).abs().idxmin()]
        kind = "disaggregated" if bool(split.row["disaggregated"]) else "aggregated"
        return [
            f"A median in the place of the mean could explain it: {len(alike)} of {len(rows)} {kind} rows show no "
            f"larger share when their median E2E is taken, such as {self.names[near['system']]} at concurrency "
            f"{near['concurrency']:.0f} ({percent(near['share_median'])}, where its mean gives "
            f"{percent(near['share_mean'])}). Nothing public settles it."
        ]

    def flight_chart(self) -> alt.TopLevelMixin | Html:
        """Share of the stated requests in flight, every row and every printed E2E."""
        if self.waits.rows.empty:
            return Html("<p>No row holds E2E and throughput.</p>", "no rows")
        charts.use_renderer()
        short = self.waits.short_of_load()
        ringed = pd.DataFrame(
            {
                "concurrency": [s.row["concurrency"] for s in self.waits.splits],
                "value": [round(s.in_flight_middle / s.row["concurrency"], 4) for s in self.waits.splits],
                "label": [
                    f"{self.names[s.system]}, as printed: {s.in_flight_middle:.2f} of {s.row['concurrency']:.0f}"
                    if s in short
                    else ""
                    for s in self.waits.splits
                ],
            }
        )
        shown = pd.concat([self.waits.rows["share"], ringed["value"] if len(ringed) else pd.Series(dtype=float)])
        if short:
            s = short[0]
            title = (
                f"{self.model_name(s.question.model)}: the printed E2E of {self.names[s.system]} means "
                f"{s.in_flight_middle:.2f} of {s.row['concurrency']:.0f} in flight, less than any row with means"
            )
        else:
            title = f"Rows keep {percent(shown.min())} to {percent(shown.max())} of their stated requests in flight"
        return charts.by_load(
            self._marks("share", 4),
            self.names,
            quantity="Requests in flight / concurrency",
            lines={"every request in flight": 1.0},
            domain=(min(0.8, float(shown.min())) - 0.03, max(1.0, float(shown.max())) + 0.05),
            band=pd.DataFrame(),
            ringed=ringed,
            title=title,
            subtitle="Little’s law: throughput × E2E / tokens of a request. Means where a row holds them, medians "
            "for Jalapeño (hollow). Rings: printed mean E2E with the throughput of its public row.",
            source=self.sources_told(
                [PRIMARY, *self.waits.rows["source_id"]] if self.waits.splits else list(self.waits.rows["source_id"])
            ),
        )

    def readings(self) -> Table:
        """What each reading of a baseline's printed E2E makes of the printed ratios."""
        frame = pd.DataFrame([self._reading(b) for _, b in self.waits.pairs])
        columns = {
            "model": Column("Model"),
            "baseline": Column("Baseline"),
            "held": figures("Requests held", number()),
            "flight": figures("In flight by printed E2E and public throughput", markup),
            "printed": figures("Printed ratio at its highest speed", text),
            "value": figures(f"Its throughput with all in flight at the printed E2E, {UNIT}", span(0)),
            "all": figures("Ratio then", span(1, "×")),
            "usual": figures("Ratio with the shares of public rows", span(1, "×")),
            "e2e": figures("Or: its E2E with all in flight at the public throughput, s", span(2)),
            "printed_e2e": figures("Printed E2E ratio", text),
            "e2e_ratio": figures("E2E ratio then", span(2, "×")),
            "source": Column("Sources", sources),
        }
        return Table(frame, columns, "Two ways out where printed E2E and throughput do not fit, and what each does")

    def _reading(self, baseline: Split) -> dict[str, Any]:
        ratio = self.waits.if_all_in_flight(baseline)
        shares = self.waits.means["share"]
        usual = None
        if ratio is not None and len(shares):
            usual = (ratio.low / shares.max(), ratio.high / shares.min())
        return {
            "model": self.model_name(baseline.question.model),
            "baseline": self.names[baseline.system],
            "held": baseline.row["concurrency"],
            "flight": f"{baseline.in_flight_middle:.2f}" + detail(f"in {span(2)(pair(baseline.in_flight))}"),
            "printed": f"{self.waits.printed_ratio(baseline, 'matched_mixed_tok_s_per_kw')}×",
            "value": pair(self.waits.all_in_flight(baseline)),
            "all": pair(ratio),
            "usual": usual,
            "e2e": pair(steady_e2e(baseline)),
            "printed_e2e": f"{self.waits.printed_ratio(baseline, 'e2e_s')}×",
            "e2e_ratio": pair(self.waits.e2e_ratio(baseline)),
            "source": self._sources(baseline),
        }

    def flight_rows(self) -> Table:
        """The rows of the chart of requests in flight."""
        frame = self._described(self.waits.rows).assign(
            **{c: self.waits.rows[c] for c in ("e2e_mean_s", "e2e_median_s", "share_mean", "share_median")},
            rate=self.waits.rows["total_tok_s_per_chip"],
        )
        for name in ("mean", "median"):
            frame[f"flight_{name}"] = frame[f"share_{name}"] * self.waits.rows["concurrency"]
        columns = {
            **_ROW_COLUMNS,
            "rate": figures("Throughput, mixed tok/s per chip", number(1)),
            "e2e_mean_s": figures("E2E, mean, s", number(2)),
            "flight_mean": figures("In flight, by means", number(2)),
            "share_mean": figures("Share of concurrency", number(3)),
            "e2e_median_s": figures("E2E, median, s", number(2)),
            "flight_median": figures("In flight, by medians", number(2)),
            "share_median": figures("Share of concurrency", number(3)),
        }
        return Table(frame, columns, f"Data of this chart, requests in flight: {len(frame)} rows", folded=True)

    # -- limits

    def gaps(self) -> Html:
        """What the rows and documents leave open, counted."""
        told = []
        for model, lines in self.waits.promised.items():
            missing = [
                f"{self.names[p.whole.system]} ({len(p.whole.counted)})"
                for p in lines
                if p.known is None and p.speculation == "none"
            ]
            if missing:
                told.append(f"{self.model_name(model)}: no single-token row of {listed(missing)} holds a TTFT.")
        items = "".join(f"<li>{item}</li>" for item in told)
        return Html(f'<ul class="gaps">{items}</ul>' if items else "", f"{len(told)} gaps")


_ROW_COLUMNS = {
    "model": Column("Model"),
    "system": Column("System"),
    "decoding": Column("Decoding"),
    "layout": Column("Parallelism"),
    "chips": figures("Chips", number()),
    "concurrency": figures("Concurrency", number()),
    "evidence": Column("Evidence, source and date", markup),
}


def _both(mine: Split, theirs: Split) -> str:
    """Both first tokens: by one statistic of public rows, where both have one, and by the split."""
    by_split = f"{mine.middle:.2f} and {theirs.middle:.2f} s by the split of the printed means"
    for statistic in ("mean", "median"):
        a, b = (side.public.get(f"ttft_{statistic}_s") for side in (mine, theirs))
        if a is not None and b is not None:
            return f"<b>{a:.3f} s</b> against <b>{b:.3f} s</b> ({statistic}s of public rows; {by_split})"
    return by_split


def _is_later(mine: Split, theirs: Split) -> bool:
    """Whether the split of the printed means, and public rows where both hold one statistic, agree that it is."""
    rows = [
        mine.public[column] > theirs.public[column]
        for column in ("ttft_mean_s", "ttft_median_s")
        if column in mine.public and column in theirs.public
    ]
    return mine.ttft(mine.short_run).low > theirs.ttft(theirs.short_run).high and all(rows)


def _value(row: pd.Series | None) -> float:
    return math.nan if row is None else spread(row).high


def _best(row: pd.Series | None) -> str:
    if row is None:
        return "–"
    return number(0)(row["high"]) + detail(f"{number(0)(row['speed'])} tok/s/user")


def latency_page(data_dir: str, root: str = "../") -> LatencyPage:
    """Latency: what a person waits for.

    Args:
        data_dir: data folder; a relative path starts at the project's root.
        root: relative address of the book's folder.

    Raises:
        InputError: when the data are wrong.
    """
    return LatencyPage(load(data_folder(data_dir)), root)
