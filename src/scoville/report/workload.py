"""Chapter: what 8K/1K leaves out. Long contexts and chains of steps, as far as they can be bounded."""

from __future__ import annotations

import html
import math
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import product
from typing import Any, ClassVar

import altair as alt
import numpy as np
import pandas as pd

from scoville import charts
from scoville.agents import Chains, Task
from scoville.audit import CANDIDATE
from scoville.capacity import PEAK, USABLE, Capacity, Deployment, by_heads
from scoville.compare import Comparison
from scoville.deployments import Assumed
from scoville.facts import load
from scoville.metrics import ISL, OSL
from scoville.paths import data_folder
from scoville.problems import is_number, refuse
from scoville.report.mixed_tokens import output_share
from scoville.report.page import Gallery, Html, Page, detail
from scoville.roofline import (
    CASES,
    FP4,
    KV_BITS,
    case_of,
    fitting,
    held_bytes,
    kv_bytes,
    precision,
)
from scoville.tabulate import Column, Table, figures, markup, number, significant, span, text
from scoville.words import counted, listed

K = 1024
CONTEXTS = {"8K": 8 * K, "32K": 32 * K, "128K": 128 * K, "256K": 256 * K, "1M": 1024 * K}
LONG = "128K"
"""The context that sentences name."""
BATCHES = (1, 64, 1024)
SOME = 64
"""The batch that sentences name."""
MEASURED = ISL + OSL / 2
"""Mean context of a request while it is answered at nominal 8K/1K, tokens."""
COPIES = (1, 8, 32)
"""Over how many chips heads are split in the chart and the table of shares."""


@dataclass(frozen=True)
class Taken:
    """*Modelled* memory that weights and caches take at a peak.

    Attributes:
        deployment: its decode chips.
        decoding: requests that decode at a time, all workers.
        once: percent of the rated memory with caches in FP8 and in BF16, MLA's latent kept once.
        copied: the same with the latent on every chip of a group; None where that makes no difference.
    """

    deployment: Deployment
    decoding: float
    once: tuple[float, ...]
    copied: tuple[float, ...] | None

    @property
    def verdict(self) -> str:
        """What the peak itself rules out."""
        low, high = self.copied or self.once
        if low > 100:
            return "it cannot have been there"
        return "possible in FP8, not in BF16" if high > 100 else "possible in either"


@dataclass(frozen=True)
class WorkloadPage(Page):
    """Long contexts and agents.

    Attributes:
        assumed: precision of weights and cache, and where MLA's latent lies, in the first state.
        usable: share of a chip's memory that weights and caches may take, 0 to 1.
        task: the task of several steps in the first state.
    """

    title: ClassVar[str] = "Long contexts and agents"
    assumed: Assumed = field(default_factory=Assumed)
    usable: float = 0.9
    task: Task = field(default_factory=lambda: Task(8, round(ISL), 1000, 500, 1.0))

    def __post_init__(self) -> None:
        """Refuse what no server and no task can be.

        Raises:
            InputError: for a share outside 0 to 1, or a task without a step or a token.
        """
        task = self.task

        def number_of(name: str, value: float, least: float, most: float, wanted: str) -> tuple[str, object, bool, str]:
            return name, value, is_number(value) and least <= value <= most, wanted

        whole = is_number(task.steps) and int(task.steps) == task.steps
        refuse(
            number_of("usable_memory", self.usable, 0.01, 1, "a share of the memory, 0.01 to 1"),
            ("steps", task.steps, whole and task.steps >= 1, "a whole number of steps, 1 or more"),
            number_of("first_input", task.first, 1, math.inf, "a number of tokens, 1 or more"),
            number_of("new_input", task.added, 0, math.inf, "a number of tokens, 0 or more"),
            number_of("output", task.written, 1, math.inf, "a number of tokens, 1 or more"),
            number_of("reuse", task.reuse, 0, 1, "a share from 0 to 1"),
        )

    @cached_property
    def capacity(self) -> Capacity:
        """What the memory of the published deployments holds."""
        return Capacity(self.facts, self.assumed, self.usable)

    @cached_property
    def comparisons(self) -> dict[str, Comparison]:
        """By model, as on its page; only models whose dimensions are published."""
        return self.capacity.comparisons

    @cached_property
    def chains(self) -> Chains:
        """Tasks of several steps at published points."""
        return Chains(self.facts)

    # ------------------------------------------------------------------ what is published

    @cached_property
    def mine(self) -> pd.DataFrame:
        """All rows of the candidate."""
        return self.facts.points[self.facts.points["system"] == CANDIDATE]

    @cached_property
    def agents(self) -> pd.DataFrame:
        """Rows of agentic traces, of any system, with ``input_per_output``."""
        rows = self.facts.points[self.facts.points["workload"] == "agentic"]
        rows = rows.assign(input_per_output=rows["input_tok_s_per_chip"] / rows["output_tok_s_per_chip"])
        return rows.dropna(subset="input_per_output")

    @cached_property
    def traffic(self) -> pd.DataFrame:
        """Recorded workloads, with tokens a request and the shares of input that a cache serves."""
        t = self.facts.traffic
        return t.assign(
            input=t["input_tokens"] / t["requests"],
            output=t["output_tokens"] / t["requests"],
            input_per_output=t["input_tokens"] / t["output_tokens"],
            low=(t["cached_tokens"] / t["input_tokens"]).fillna(t["hit_low"]),
            high=(t["cached_tokens"] / t["input_tokens"]).fillna(t["hit_high"]),
        )

    def finding(self) -> Html:
        """The finding, made from the rows."""
        if not self.comparisons:
            return Html("<p>The data hold no comparison of a model whose dimensions are published.</p>", "no models")
        paragraphs = [
            " ".join([self._published_told(), *self._agents_told()]),
            " ".join(self._memory_told()),
            self._task_told(),
        ]
        return Html("".join(f"<p>{p}</p>" for p in paragraphs if p), "finding")

    def _published_told(self) -> str:
        longer = int((self.mine["isl_nominal"] > 8 * K).sum())
        turns = int((self.mine["workload"] == "agentic").sum())
        name, rows = self.names[CANDIDATE], counted(len(self.mine), "row")
        same = f"random tokens at nominal 8K/1K ({ISL:,.0f} in and {OSL:,.0f} out on average), one turn a request"
        if longer or turns:
            return (
                f"Of {rows} of {name}, {longer or 'none'} are longer than 8K and {turns or 'none'} agentic; the others "
                f"are {same}."
            )
        return (
            f"<b>No published run of {name} has a long context, a second turn or a shared prefix</b>: all {rows} are "
            f"{same}."
        )

    def _agents_told(self) -> list[str]:
        found = [float(v) for v in [*self.agents["input_per_output"], *self.traffic["input_per_output"].dropna()]]
        if not found:
            return []
        t = self.traffic
        anew = ((t["input_tokens"] - t["cached_tokens"]) / t["output_tokens"]).dropna()
        held = (
            f" ({span(0)((anew.min(), anew.max()))} of them new to the cache, where that is known)" if len(anew) else ""
        )
        return [
            f"Agents on public record send {span(0)((min(found), max(found)))} tokens for each that they get "
            f"back{held}; 8K/1K sends {ISL / OSL:.0f}, all of them new."
        ]

    def _memory_told(self) -> list[str]:
        models = list(self.comparisons)
        near, far = (
            listed(f"{100 * self.capacity.share(m, context, SOME):.0f} %" for m in models)
            for context in (MEASURED, CONTEXTS[LONG])
        )
        told = [
            f"What can be bounded is memory. Of the bytes of a decode step with {SOME} requests, KV cache takes {near} "
            f"at the measured mean context of {MEASURED:,.0f} tokens and <b>{far}</b> at {LONG} (modelled; "
            f"{listed(self.model_name(m) for m in models)})."
        ]
        for model, c in self.comparisons.items():
            peaks = [self.capacity.peak(model, side.system) for side in (c.candidate, c.baseline)]
            each = [self._a_chip(d) for d in peaks if d is not None]
            if each:
                told.append(f"{self.model_name(model)}: {listed(each)}.")
        if len(told) > 1:
            told[1] = f"Contexts of {LONG} beside the weights, in the deployments of the peaks (modelled): {told[1]}"
        return told

    def _a_chip(self, deployment: Deployment) -> str:
        """Contexts a chip, and how many with the latent elsewhere."""
        fit, context = self.capacity.fit, CONTEXTS[LONG]
        if pd.isna(self.capacity.memory(deployment)):
            return f"unknown on {self._named(deployment)}, whose memory is not published"
        told = f"{fit(deployment, context) / deployment.chips:,.1f} a chip on {self._named(deployment)}"
        if self.capacity.copied(deployment):
            other = replace(self.assumed, replicated=not self.assumed.replicated)
            place = "with MLA’s latent on every chip" if other.replicated else "with MLA’s latent kept once"
            told += f" ({fit(deployment, context, other) / deployment.chips:,.1f} {place})"
        return told

    def _named(self, deployment: Deployment) -> str:
        return f"{self.names[deployment.side.system]}’s {deployment.chips:,.0f}"

    # ------------------------------------------------------------------ tables of the workload

    def workloads(self) -> Table:
        """8K/1K beside recorded agent traffic: lengths, reuse, and who counted."""
        counted_rows = self.facts.points[self.facts.points["isl_nominal"] == 8 * K]
        rows: list[dict[str, Any]] = [
            {
                "name": _described(
                    "InferenceX at nominal 8K/1K",
                    "Lengths drawn evenly between 80 and 100 % of nominal; random tokens, one turn",
                ),
                "size": counted(len(counted_rows), "row"),
                "input": ISL,
                "output": OSL,
                "ratio": (ISL / OSL, ISL / OSL),
                "reuse": (0.0, 0.0),
                "evidence": "by its rule",
                "source": f'<a href="{self.root}methods.html">methods</a>',
            }
        ]
        for (model, system), part in self.agents.groupby(["model", "system"], sort=False):
            ratio, load = part["input_per_output"], part["concurrency"]
            rows.append(
                {
                    "name": _described(
                        f"AgentX, {self.model_name(str(model))} on {self.names[str(system)]}",
                        f"Agentic traces, {span(0)((load.min(), load.max()))} at a time",
                    ),
                    "size": counted(len(part), "row"),
                    "ratio": (ratio.min(), ratio.max()),
                    "evidence": listed(sorted(part["evidence"].unique())),
                    "source": "; ".join(self.source_link(s) for s in part["source_id"].unique()),
                }
            )
        for _, t in self.traffic.iterrows():
            rows.append(
                {
                    "name": _described(t["name"], t["conditions"]),
                    "size": counted(t["requests"], "request") if pd.notna(t["requests"]) else "",
                    "input": t["input"],
                    "output": t["output"],
                    "ratio": None if pd.isna(t["input_per_output"]) else (t["input_per_output"],) * 2,
                    "reuse": None if pd.isna(t["low"]) else (100 * t["low"], 100 * t["high"]),
                    "evidence": t["evidence"],
                    "source": self.source_link(t["source_id"], t["locator"]),
                }
            )
        columns = {
            "name": Column("Workload", markup),
            "size": Column("Counted"),
            "input": figures("Input tokens a request, mean", number(0)),
            "output": figures("Output tokens a request, mean", number(0)),
            "ratio": figures("Input per output token", span(0)),
            "reuse": figures("Input that a prefix cache serves", span(1, " %")),
            "evidence": Column("Evidence"),
            "source": Column("Source", markup),
        }
        frame, caption = pd.DataFrame(rows, columns=list(columns)), "8K/1K beside what agents are recorded to send"
        return Table(frame, columns, caption, rests_on=self.rests_on(counted_rows["source_id"]))

    def wanted(self) -> Table:
        """What a reader would need to see published, and how many rows have it."""
        p = self.facts.points
        kinds = [
            ("More than 8K of input", p["isl_nominal"] > 8 * K, "capacity and bytes of the KV cache, attention"),
            ("Agentic traces", p["workload"] == "agentic", "prefix reuse, routing, eviction, long contexts together"),
            ("Multi-token prediction", p["speculation"] != "none", "how the baselines are run in practice"),
            ("Mean lengths of the run", p["isl_mean"].notna(), "exact rates, and Little’s law"),
            ("Mean TTFT", p["ttft_mean_s"].notna(), "what a chain of steps adds up"),
            ("TTFT, 99th percentile", p["ttft_p99_s"].notna(), "the slowest of many steps decides"),
            ("Measured watts of the chip", p["chip_power_mean_w"].notna(), "energy instead of ratings"),
        ]
        mine = p["system"] == CANDIDATE
        rows = [
            {"what": what, "mine": int((has & mine).sum()), "others": int((has & ~mine).sum()), "why": why}
            for what, has, why in kinds
        ]
        columns = {
            "what": Column("Published with"),
            "mine": figures(f"Rows of {self.names.get(CANDIDATE, CANDIDATE)}, of {int(mine.sum())}", number(0)),
            "others": figures(f"Rows of others, of {int((~mine).sum())}", number(0)),
            "why": Column("What it would settle"),
        }
        return Table(pd.DataFrame(rows), columns, "What a reader would need to see published, and what is")

    # ------------------------------------------------------------------ memory

    def cache_table(self) -> Table:
        """*Modelled* size of a KV cache, per token and per context."""
        rows = []
        for model in self.comparisons:
            m = self.facts.models.loc[model]
            sizes = {
                name: _long(m, context, span(2)(tuple(kv_bytes(m, context, bits) / 1e9 for bits in KV_BITS)))
                for name, context in {"measured": MEASURED, **CONTEXTS}.items()
            }
            per_token = [kv_bytes(m, 1e6 + 1, bits) - kv_bytes(m, 1e6, bits) for bits in KV_BITS]
            rows.append(
                {
                    "model": self.model_name(model),
                    "kind": _kind(m) + detail(self.dimensions_link(model)),
                    "token": (per_token[0] / 1000, per_token[1] / 1000),
                    "limit": m["max_context"],
                    **sizes,
                }
            )
        columns = {
            "model": Column("Model"),
            "kind": Column("What is cached, and source", markup),
            "token": figures("KV cache a token, FP8 to BF16, kB", span(1)),
            "measured": Column(f"{MEASURED:,.0f} tokens, GB", markup, numeric=True),
            **{name: Column(f"{name}, GB", markup, numeric=True) for name in CONTEXTS},
            "limit": figures("Released for contexts up to, tokens", number(0)),
        }
        caption = "Modelled KV cache of one request, FP8 to BF16; in italics: longer than the model is released for"
        return Table(pd.DataFrame(rows, columns=list(columns)), columns, caption)

    def fit_table(self) -> Table:
        """*Modelled* contexts that fit in the published deployments."""
        rows = []
        for d in self.capacity.deployments:
            model = self.facts.models.loc[d.reading.model]
            fit, whole = self.capacity.fit, self.capacity.fits(d, CONTEXTS[LONG])
            counts = {name: _long(model, context, number(0)(fit(d, context))) for name, context in CONTEXTS.items()}
            if self.capacity.held(d) > self.usable * self.capacity.memory(d):
                counts = dict.fromkeys(CONTEXTS, "weights do not fit")
            if self.capacity.copied(d):
                other = replace(self.assumed, replicated=not self.assumed.replicated)
                word = "copied" if other.replicated else "kept once"
                for name, context in CONTEXTS.items():
                    counts[name] += detail(f"{number(0)(fit(d, context, other))} {word}")
            line = f"{self.names[d.side.system]}, {d.which}"
            rows.append(
                {
                    "model": self.model_name(d.reading.model),
                    "line": text(line)
                    + detail(text(d.reading.row["parallelism"]))
                    + detail(self.row_link(d.reading.row)),
                    "chips": d.chips,
                    "memory": self.capacity.memory(d) * d.reading.workers / 1e12,
                    "weights": self.capacity.held(d) * d.reading.workers / 1e12,
                    **counts,
                    "chip": fit(d, CONTEXTS[LONG]) / d.chips,
                    "range": None if whole is None else (whole.low / d.chips, whole.high / d.chips),
                }
            )
        columns = {
            "model": Column("Model"),
            "line": Column("Deployment of, and its source", markup),
            "chips": figures("Decode chips", number(0)),
            "memory": figures("Their memory, TB", significant(3)),
            "weights": figures("Weights in it, TB", significant(3)),
            **{name: Column(f"Contexts of {name}", markup, numeric=True) for name in CONTEXTS},
            "chip": figures(f"of {LONG} a chip", number(1)),
            "range": figures(f"of {LONG} a chip, every assumption", span(1)),
        }
        caption = (
            f"Modelled contexts that fit beside the weights in {100 * self.usable:.3g} % of the memory of the "
            "published decode chips; below a figure: the other place of MLA’s latent"
        )
        return Table(pd.DataFrame(rows, columns=list(columns)), columns, caption)

    def alone_table(self) -> Table:
        """*Modelled* contexts on the fewest chips of each system that hold a model's weights."""
        rows = []
        for model, (system, s) in product(self.comparisons, self.facts.systems.iterrows()):
            m = self.facts.models.loc[model]
            held = held_bytes(m, precision(m, case_of(m, self.assumed.case)))
            room = self.usable * s["memory_gb"] * 1e9
            if pd.isna(room):
                continue
            chips = max(1, int(np.ceil(held / room)))
            fit = {n: fitting(chips * room, held, kv_bytes(m, c, self.assumed.kv_bits)) for n, c in CONTEXTS.items()}
            rows.append(
                {
                    "model": self.model_name(model),
                    "system": self.names[str(system)],
                    "memory": s["memory_gb"],
                    "chips": chips,
                    **{n: _long(m, c, number(0)(fit[n])) for n, c in CONTEXTS.items()},
                    "chip": fit[LONG] / chips,
                }
            )
        columns = {
            "model": Column("Model"),
            "system": Column("System"),
            "memory": figures("Memory of a chip, GB", number(0)),
            "chips": figures("Fewest chips that hold the weights", number(0)),
            **{name: Column(f"Contexts of {name} on these", markup, numeric=True) for name in CONTEXTS},
            "chip": figures(f"of {LONG} a chip", number(1)),
        }
        caption = (
            "Modelled: the fewest chips of every system that hold the weights, and the contexts that fit beside them"
        )
        used = self.rests_on(
            self.facts.models.loc[list(self.comparisons), "source_id"],
            self.facts.systems.loc[self.facts.systems["memory_gb"].notna(), "specs_source_id"],
        )
        return Table(pd.DataFrame(rows, columns=list(columns)), columns, caption, folded=True, rests_on=used)

    @cached_property
    def taken(self) -> list[Taken]:
        """*Modelled* memory taken at the peaks by the requests that Little's law has decoding there."""
        found = []
        for d in (d for d in self.capacity.deployments if d.which == PEAK and pd.notna(self.capacity.memory(d))):
            decoding = d.reading.decoding(output_share(d.reading.row))
            once, copied = (
                tuple(
                    100 * self.capacity.taken(d, decoding, MEASURED, Assumed(self.assumed.case, bits, replicated))
                    for bits in KV_BITS
                )
                for replicated in (False, True)
            )
            found.append(Taken(d, decoding * d.reading.workers, once, copied if self.capacity.copied(d) else None))
        return found

    def taken_table(self) -> Table:
        """How full the memory is at the peaks."""
        rows = [
            {
                "model": self.model_name(t.deployment.reading.model),
                "line": self._named(t.deployment),
                "layout": text(t.deployment.reading.row["parallelism"])
                + detail(self.row_link(t.deployment.reading.row)),
                "concurrency": t.deployment.reading.row["concurrency"],
                "batch": t.decoding,
                "once": t.once,
                "copied": t.copied,
            }
            for t in self.taken
        ]
        columns = {
            "model": Column("Model"),
            "line": Column("Decode chips"),
            "layout": Column("Deployment and source", markup),
            "concurrency": figures("Concurrency, stated", number(0)),
            "batch": figures("Requests decoding, by Little’s law", number(0)),
            "once": figures("Memory taken, latent kept once, FP8 to BF16", span(0, " %")),
            "copied": figures("Latent on every chip of a group", span(0, " %")),
        }
        caption = "Modelled: memory that weights and the caches of decoding requests take at the peaks"
        return Table(pd.DataFrame(rows, columns=list(columns)), columns, caption)

    def taken_told(self) -> Html:
        """What the peaks themselves rule out."""
        told = []
        for t in self.taken:
            if t.copied is None:
                continue
            reading = t.deployment.reading
            name = (
                f"{self.model_name(reading.model)} on {self._named(t.deployment)} chips ({reading.row['parallelism']})"
            )
            told.append(
                f"{html.escape(name)}: with the latent on every chip the {t.decoding:,.0f} requests that decode at a "
                f"time would take {span(0, ' %')(t.copied)} of the rated memory, FP8 to BF16: {t.verdict}"
            )
        if not told:
            return Html("", "no peak with split heads")
        return Html(f"<p>{'. '.join(told)} (modelled).</p>", "what the peaks rule out")

    # ------------------------------------------------------------------ the share of a step

    def share_charts(self) -> Gallery:
        """KV cache's share against context, one chart a model."""
        charts.use_renderer()
        return Gallery([self._share_chart(model) for model in self.comparisons])

    def _share_chart(self, model: str) -> alt.TopLevelMixin:
        m = self.facts.models.loc[model]
        contexts = [float(K * 2 ** (e / 2)) for e in range(21)]
        kinds = COPIES if not by_heads(self.facts.models.loc[model]) else COPIES[:1]
        parts = []
        for ranks, (place, batch) in product(kinds, enumerate(BATCHES)):
            share = [round(self.capacity.share(model, c, batch, ranks=ranks), 4) for c in contexts]
            part = pd.DataFrame({"context": contexts, "share": share}).assign(batch=batch, ranks=ranks)
            named = (part["share"] - (1 + place) / (1 + len(BATCHES))).abs().idxmin()  # names stand one over another
            parts.append(part.assign(named=part.index == named))
        marked = {"measured": MEASURED}
        if pd.notna(m["max_context"]):
            marked["released for"] = float(m["max_context"])
        return charts.cache_shares(
            pd.concat(parts),
            marked,
            title=(
                f"{self.model_name(model)}: with {SOME} requests KV cache is half of a step’s bytes from "
                f"{significant(2)(self.capacity.crossing(model, SOME) / 1000)} thousand tokens (modelled)"
            ),
            subtitle=(
                "A line for each number of requests in a step, all modelled: weights as on this page, experts chosen "
                f"evenly, cache in {self.assumed.kv_bits:.3g} bits. Left rule: mean context of the published runs."
            ),
            source=self.sources_told([m["source_id"]]) if isinstance(m["source_id"], str) else "",
        )

    def share_table(self) -> Table:
        """The same as figures, with the copies that MLA's latent may need."""
        rows = []
        for model, batch in product(self.comparisons, BATCHES):
            m = self.facts.models.loc[model]
            weights = self.capacity.weights_read(model, batch)
            for ranks in COPIES if not by_heads(self.facts.models.loc[model]) else COPIES[:1]:

                def shares(context: float, model: str = model, batch: int = batch, ranks: int = ranks) -> Any:
                    each = (replace(self.assumed, kv_bits=bits) for bits in KV_BITS)
                    return tuple(100 * self.capacity.share(model, context, batch, a, ranks) for a in each)

                rows.append(
                    {
                        "model": self.model_name(model),
                        "batch": batch,
                        "latent": _latent(ranks) if not by_heads(self.facts.models.loc[model]) else "",
                        "weights": weights / 1e9,
                        "cache": self._read(model, MEASURED, batch, ranks) / 1e9,
                        "measured": shares(MEASURED),
                        **{
                            n: _long(m, c, span(0, " %")(shares(c)))
                            + detail(f"{significant(3)((weights + self._read(model, c, batch, ranks)) / 1e9)} GB")
                            for n, c in CONTEXTS.items()
                        },
                    }
                )
        columns = {
            "model": Column("Model"),
            "batch": figures("Requests in a step", number(0)),
            "latent": Column("MLA’s latent"),
            "weights": figures("Weights read, GB", significant(3)),
            "cache": figures(f"KV cache read at {MEASURED:,.0f} tokens, GB", significant(3)),
            "measured": figures(f"KV cache’s share at {MEASURED:,.0f}", span(0, " %")),
            **{name: Column(f"at {name}", markup, numeric=True) for name in CONTEXTS},
        }
        caption = (
            "Modelled share of a step’s bytes that KV cache takes, FP8 to BF16, and all its bytes as set on this page; "
            "every copy counted"
        )
        used = self.rests_on(self.facts.models.loc[list(self.comparisons), "source_id"])
        return Table(pd.DataFrame(rows, columns=list(columns)), columns, caption, folded=True, rests_on=used)

    def _read(self, model: str, context: float, batch: float, ranks: int) -> float:
        """*Modelled* bytes of KV cache that a step reads, every copy counted."""
        return batch * kv_bytes(self.facts.models.loc[model], context, self.assumed.kv_bits, ranks)

    # ------------------------------------------------------------------ tasks of several steps

    def _task_words(self, task: Task) -> str:
        return (
            f"{counted(task.steps, 'step')}, {task.first:,.0f} tokens at first, {task.added:,.0f} new and "
            f"{task.written:,.0f} written in each"
        )

    def _task_told(self) -> str:
        told, ratios, gaps = [], [], []
        for model in self.comparisons:
            bounds, ratio = self.chains.bounds(model), self.chains.ratio(model, self.task)
            if bounds is None or ratio is None:
                gaps.append(self.model_name(model))
                continue
            equal = self.chains.balance(model)
            turn = f", and as long at {significant(2)(equal)} tokens read anew for each written" if equal else ""
            reading, writing = (f"{b:.2f}×" for b in bounds)
            told.append(f"{self.model_name(model)}: {reading} for only reading, {writing} for only writing{turn}")
            ratios.append(f"{ratio:.1f}×")
        if not told:
            return ""
        parts = [
            "What chains of steps would take turns on how much they read (modelled: TTFT in proportion to tokens read "
            "anew, TBT as measured, every system at its quickest published point, whatever its load). The quickest "
            f"other system would take this many times as long as {self.names[CANDIDATE]}: {'; '.join(told)}.",
            f"For {self._task_words(self.task)}, {100 * self.task.reuse:.0f} % reused: {listed(ratios)} (modelled).",
        ]
        if gaps:
            parts.append(f"For {listed(gaps)} no TTFT of another system is published.")
        return " ".join(parts)

    def task_chart(self) -> alt.TopLevelMixin | Html:
        """Time of a task that the reader sets, at every published point."""
        if self.chains.rows.empty:
            return Html("<p>No row has a TTFT and a TBT.</p>", "no rows")
        charts.use_renderer()
        rows = self.chains.rows.assign(model=[self.model_name(m) for m in self.chains.rows["model"]])
        return charts.task_times(
            rows,
            self.names,
            self.task,
            ISL,
            {self.model_name(m): float(self.facts.models.loc[m, "max_context"]) for m in self.comparisons},
            title=self._task_title(),
            subtitle=(
                "Every mark is a published point, single-token, with a median TTFT; all times are modelled. TTFT in "
                f"proportion to tokens read anew ({ISL:,.0f} in the run), TBT as measured."
            ),
            source=self.source_line(self.chains.rows),
        )

    def _task_title(self) -> str:
        found = [(m, self.chains.bounds(m)) for m in self.comparisons]
        told = [f"{b[0]:.1f}× to {b[1]:.1f}× ({self.model_name(m)})" for m, b in found if b is not None]
        if not told:
            return "Time of a task of steps that wait for each other (modelled)"
        return (
            f"By how much it reads, a task takes the quickest other system {listed(told)} as long as "
            f"{self.names[CANDIDATE]} (modelled)"
        )

    def task_table(self) -> Table:
        """The quickest point of every system, with and without reuse."""
        rows = []
        for model in self.comparisons:
            sides = {s.system: s for s in (self.comparisons[model].candidate, self.comparisons[model].baseline)}
            rivals = [str(row["system"]) for row in self.chains.rivals(model, self.task)]
            for system in dict.fromkeys([CANDIDATE, *rivals, *sides]):
                row: dict[str, Any] = {"model": self.model_name(model)}
                quick = self.chains.quickest(model, system, self.task)
                if quick is None:
                    row["system"] = _described(self.names[system], "no row with a TTFT is published")
                    row["evidence"] = f"none in {self.row_links(sides[system].points)}" if system in sides else ""
                else:
                    row["system"] = _described(self.names[system], quick["configuration"])
                    row["evidence"] = text(quick["evidence"]) + detail(self.row_link(quick))
                    row |= {name: quick[name] for name in ("ttft", "tbt", "seconds")}
                    row["tbt"] *= 1000
                    row["wait"] = 100 * (1 - self.task.decoding(quick["tbt"]) / quick["seconds"])
                    for name, task, fixed in self._ends():
                        of = task.seconds_at_fixed_wait if fixed else partial(task.seconds, input_tokens=ISL)
                        row[name] = of(quick["ttft"], quick["tbt"])
                rows.append(row)
        columns = {
            "model": Column("Model"),
            "system": Column("System, its quickest point", markup),
            "evidence": Column("Evidence and source of TTFT and TBT", markup),
            "ttft": figures("Median TTFT, s", significant(3)),
            "tbt": figures("Median TBT, ms", significant(3)),
            "seconds": figures("Time of the task, s (modelled)", number(1)),
            "wait": figures("Share of it before first tokens", number(0, " %")),
            "anew": figures("without reuse, s", number(1)),
            "cached": figures("all reused, s", number(1)),
            "fixed": figures("every step waits the TTFT, s", number(1)),
        }
        caption = f"Modelled: {self._task_words(self.task)}, at the point of each system that is quickest for it"
        return Table(pd.DataFrame(rows, columns=list(columns)), columns, caption)

    def _ends(self) -> list[tuple[str, Task, bool]]:
        return [
            ("anew", replace(self.task, reuse=0.0), False),
            ("cached", replace(self.task, reuse=1.0), False),
            ("fixed", self.task, True),
        ]

    # ------------------------------------------------------------------ assumptions

    def assumptions(self) -> Table:
        """How the findings on memory move when one assumption goes to an end of its range."""
        here = self.assumed
        cases: list[tuple[str, str, Assumed, float]] = [
            ("As set on this page", "", here, self.usable),
            *(("Weights", told, replace(here, case=case), self.usable) for case, told in CASES.items()),
            *(("KV cache", f"{bits:.0f} bits a number", replace(here, kv_bits=bits), self.usable) for bits in KV_BITS),
            ("MLA’s latent", "kept once", replace(here, replicated=False), self.usable),
            ("MLA’s latent", "on every chip of a group", replace(here, replicated=True), self.usable),
            *(("Usable memory", f"{100 * share:.0f} %", here, share) for share in USABLE),
        ]
        rows = []
        for what, value, assumed, usable in cases:
            row: dict[str, Any] = {"what": _described(what, _WHY.get(what, "")), "value": value}
            for model, c in self.comparisons.items():
                for key, side in (("mine", c.candidate), ("theirs", c.baseline)):
                    d = self.capacity.peak(model, side.system)
                    row[f"{key} {model}"] = (
                        None if d is None else self.capacity.fit(d, CONTEXTS[LONG], assumed, usable) / d.chips
                    )
                row[f"share {model}"] = 100 * self.capacity.share(model, CONTEXTS[LONG], SOME, assumed)
            rows.append(row)
        columns = {"what": Column("Assumption", markup), "value": Column("Set to")}
        for key in ("mine", "theirs"):
            for m, c in self.comparisons.items():
                side = c.candidate if key == "mine" else c.baseline
                columns[f"{key} {m}"] = figures(f"{self.names[side.system]}, {self.model_name(m)}", number(1))
        columns |= {f"share {m}": figures(f"KV share, {self.model_name(m)}", number(0, " %")) for m in self.comparisons}
        caption = (
            f"Modelled contexts of {LONG} a chip at the peaks, and KV cache’s share of a step with {SOME} requests of "
            f"{LONG}, when one assumption changes"
        )
        sides = [(model, side) for model, c in self.comparisons.items() for side in (c.candidate, c.baseline)]
        peaks = [d for model, side in sides if (d := self.capacity.peak(model, side.system))]
        used = self.rests_on(
            [d.reading.row["source_id"] for d in peaks],
            self.facts.models.loc[list(self.comparisons), "source_id"],
            self.facts.systems.loc[[d.side.system for d in peaks], "specs_source_id"],
        )
        return Table(pd.DataFrame(rows), columns, caption, rests_on=used)

    def task_assumptions(self) -> Table:
        """How the tasks move when one number of theirs changes."""
        here = self.task
        reads = replace(here, first=100_000, written=100, reuse=0.0)
        cases: list[tuple[str, str, Task, bool]] = [
            ("As set on this page", "", here, False),
            *(("Reuse", f"{100 * r:.0f} %", replace(here, reuse=r), False) for r in (0.0, 0.5, 1.0)),
            *(("Steps", f"{n}", replace(here, steps=n), False) for n in (1, 100)),
            *(("First input", f"{t:,.0f}", replace(here, first=t), False) for t in (1000, 100_000)),
            *(("New input a step", f"{t:,.0f}", replace(here, added=t), False) for t in (0, 6000)),
            *(("Output a step", f"{t:,.0f}", replace(here, written=t), False) for t in (100, 2000)),
            ("TTFT", "the measured one in every step", here, True),
            ("All that reads", "100,000 at first, 100 written, no reuse", reads, False),
        ]
        rows = []
        for what, value, task, fixed in cases:
            row: dict[str, Any] = {"what": _described(what, _WHY.get(what, "")), "value": value}
            for model in self.comparisons:
                mine = self.chains.quickest(model, CANDIDATE, task, fixed=fixed)
                row[f"mine {model}"] = None if mine is None else mine["seconds"]
                row[f"ratio {model}"] = self.chains.ratio(model, task, fixed=fixed)
            rows.append(row)
        columns = {"what": Column("Assumption", markup), "value": Column("Set to")}
        for m in self.comparisons:
            columns[f"mine {m}"] = figures(f"{self.model_name(m)}: {self.names[CANDIDATE]}, s", number(1))
            columns[f"ratio {m}"] = figures(f"{self.model_name(m)}: quickest other over it", number(2, "×"))
        caption = " ".join(["Modelled times of a task when one of its numbers changes.", *self._recorded_told()])
        used = self.rests_on(self.chains.rows["source_id"], self._recorded["source_id"])
        return Table(pd.DataFrame(rows), columns, caption, rests_on=used)

    @property
    def _recorded(self) -> pd.DataFrame:
        """Recorded workloads whose sessions are counted."""
        return self.traffic.dropna(subset=["sessions", "requests", "input_tokens", "cached_tokens", "output_tokens"])

    def _recorded_told(self) -> list[str]:
        """What recorded sessions say of the numbers that are free."""
        return [
            f"{t['name']}: {t['requests'] / t['sessions']:,.0f} calls a session, {t['input']:,.0f} tokens read and "
            f"{t['output']:,.0f} written in each, {(t['input_tokens'] - t['cached_tokens']) / t['requests']:,.0f} of "
            "them read anew"
            for _, t in self._recorded.iterrows()
        ]


_WHY = {
    "Weights": "All rows are labelled FP4; which tensors are is not published. OCP Microscaling 1.0, model cards.",
    "KV cache": "Not published for any run. FP8 and BF16 are what serving software offers.",
    "MLA’s latent": "Not published. It belongs to no head (DeepSeek-V3 report, 2.1.1).",
    "Usable memory": "Not published. vLLM’s documented default is 90 %.",
    "Reuse": "No cache was used in the runs. What is recorded of agents stands in the table of workloads.",
    "Steps": "Free; no run of a chain is published.",
    "New input a step": "Free; no run of a chain is published.",
    "Output a step": "Free; no run of a chain is published.",
    "First input": "Free; no run of a chain is published.",
    "All that reads": "Three of these at once, for tasks that read much and write little.",
    "TTFT": "How much of it is prefill is not published.",
}
"""Assumption to what its range rests on."""


def _long(model: pd.Series, context: float, shown: str) -> str:
    """A figure for a context, in italics where the model is not released for so long a one."""
    return f'<em class="weak">{shown}</em>' if context > model["max_context"] else shown


def _described(name: str, conditions: str) -> str:
    return text(name) + detail(text(conditions))


def _latent(ranks: int) -> str:
    return "kept once" if ranks == 1 else f"on each of {ranks} chips"


def _kind(model: pd.Series) -> str:
    """What a layer caches for a token."""
    if model["attention"] == "mla":
        return text("MLA") + detail(
            f"{model['kv_lora_rank']:.0f} + {model['qk_rope_dim']:.0f} numbers in {model['layers']:.0f} layers"
        )
    return text("GQA") + detail(
        f"2 × {model['kv_heads']:.0f} × {model['head_dim']:.0f} numbers in {model['full_attention_layers']:.0f} "
        f"layers; {model['sliding_window']:.0f} tokens at most in the others"
    )


def workload_page(
    data_dir: str,
    *,
    precision: str = FP4,
    kv_bits: float = 8,
    latent_replicated: bool = False,
    usable_memory: float = 0.9,
    steps: int = 8,
    first_input: float = round(ISL),
    new_input: float = 1000,
    output: float = 500,
    reuse: float = 1.0,
    root: str = "../",
) -> WorkloadPage:
    """Long contexts and agents.

    Args:
        data_dir: data folder; a relative path starts at the project's root.
        precision: of the weights, a key of `roofline.CASES`, or ``fp4``, as `roofline.case_of` reads it.
        kv_bits: bits per cached number.
        latent_replicated: whether MLA's latent lies on every chip over which the heads are split.
        usable_memory: share of memory that weights and caches may take, 0 to 1.
        steps: model calls of a task.
        first_input: input tokens of the first.
        new_input: tokens that come new before each further one.
        output: output tokens of each.
        reuse: share of the context already seen that a prefix cache serves, 0 to 1.
        root: relative address of the book's folder.

    Raises:
        InputError: when the data or a parameter are wrong.
    """
    assumed = Assumed(precision, kv_bits, latent_replicated)
    task = Task(steps, first_input, new_input, output, reuse)
    return WorkloadPage(load(data_folder(data_dir)), root, assumed, usable_memory, task)
