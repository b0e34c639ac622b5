"""What a decode step must read from memory, and how long that takes at least. All of it *modelled*.

The roofline model (Williams, Waterman and Patterson, CACM 52(4), 2009), memory side: every weight that a step needs
and the KV cache of its requests are read once, divided evenly among the chips, at the rated bandwidth, with nothing
lost to communication. The other side, operations, is in `metrics`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from scoville.metrics import attention_parameters
from scoville.units import Interval

MXFP4, NVFP4, FP8, BF16 = 4.25, 4.5, 8.0, 16.0
"""Bits per weight. MXFP4 shares an 8-bit scale among 32 weights (OCP Microscaling specification 1.0), NVFP4 one
among 16; FP8's scales are left out (0.002 bits in blocks of 128 × 128)."""


@dataclass(frozen=True)
class ByClass:
    """A number for every class of weights that a decode step reads.

    Attributes:
        attention: projections of attention, all layers.
        routed: experts that a router chooses.
        shared: experts that every token uses, and the dense feed-forward blocks.
        router: the router itself.
        head: the unembedding. Of the embedding a token reads one row, which is left out.
    """

    attention: float
    routed: float
    shared: float
    router: float
    head: float

    @property
    def total(self) -> float:
        """The sum."""
        return float(sum(astuple(self)))


CASES = {
    "native": "as released",
    "nvfp4": "experts 4.5 bits, attention FP8, router and head BF16",
    "mixed": "experts 4.25 bits, attention FP8, router and head BF16",
    "floor": "every weight 4.25 bits",
}
"""Which weights are held in how many bits, most bits first; none of the sources says which of them a run used."""
FP4 = "fp4"
"""The precision of a run of which only this label is known: `case_of`."""
KV_BITS = (8.0, 16.0)
"""Ends of the range of bits per cached number: FP8 and BF16."""


def precision(model: pd.Series, case: str) -> ByClass:
    """Bits per weight of every class, block scales included.

    Args:
        model: a row of the models table.
        case: a key of `CASES`.
    """
    other = float(model["native_other_bits"])
    return {
        "native": ByClass(other, float(model["native_expert_bits"]), other, BF16, BF16),
        "nvfp4": ByClass(FP8, NVFP4, NVFP4, BF16, BF16),
        "mixed": ByClass(FP8, MXFP4, MXFP4, BF16, BF16),
        "floor": ByClass(MXFP4, MXFP4, MXFP4, MXFP4, MXFP4),
    }[case]


def case_of(model: pd.Series, label: str) -> str:
    """The key of `CASES` that a label means for a model.

    Args:
        model: a row of the models table.
        label: such a key, or `FP4`: as released where experts are MXFP4, else ``mixed``.
    """
    if label != FP4:
        return label
    return "native" if model["native_expert_bits"] == MXFP4 else "mixed"


def expected_experts(model: pd.Series, batch: float) -> float:
    """Distinct routed experts of one layer that a step of ``batch`` requests needs: E (1 − (1 − k/E)^B).

    Holds for k of E experts chosen evenly and independently; real routing is uneven, so it is an upper estimate.

    Args:
        model: a row of the models table.
        batch: requests in the step, at least 1; a mean need not be a whole number.

    Raises:
        ValueError: for less than one request.
    """
    if batch < 1:
        raise ValueError(f"a step serves at least one request, not {batch}")
    experts = float(model["routed_experts"])
    missed: float = (1 - float(model["experts_per_token"]) / experts) ** batch
    return experts * (1 - missed)


def weights_read(model: pd.Series, batch: float = 1) -> ByClass:
    """Parameters that a decode step of ``batch`` requests reads, by class; NaN where dimensions are missing.

    At a batch of 1 the sum is `metrics.parameters_used` and the unembedding.
    """
    m: dict[str, Any] = model.to_dict()
    expert = 3 * m["hidden"] * m["moe_intermediate"]
    dense = m["dense_layers"] * 3 * m["hidden"] * m["dense_intermediate"] if m["dense_layers"] else 0
    sparse = m["layers"] - m["dense_layers"]
    return ByClass(
        attention=m["layers"] * attention_parameters(model),
        routed=sparse * expected_experts(model, batch) * expert,
        shared=sparse * m["shared_experts"] * expert + dense,
        router=sparse * m["hidden"] * m["routed_experts"],
        head=m["vocabulary"] * m["hidden"],
    )


def weight_bytes(model: pd.Series, bits: ByClass, batch: float = 1) -> ByClass:
    """Bytes of weights that a decode step of ``batch`` requests reads, by class.

    Args:
        model: a row of the models table.
        bits: bits per weight, as `precision` gives them.
        batch: requests in the step.
    """
    read = weights_read(model, batch)
    return ByClass(*(count * width / 8 for count, width in zip(astuple(read), astuple(bits), strict=True)))


def held_bytes(model: pd.Series, bits: ByClass, attention_copies: float = 1) -> float:
    """Bytes of all weights that a deployment holds; NaN where dimensions are missing.

    Every expert is held, chosen or not, and the embedding beside the unembedding, in the same bits.

    Args:
        model: a row of the models table.
        bits: bits per weight, as `precision` gives them.
        attention_copies: how often attention is held: once where its heads are split over all chips, more where
            groups of chips serve requests of their own (data-parallel attention).
    """
    m: dict[str, Any] = model.to_dict()
    experts = (m["layers"] - m["dense_layers"]) * m["routed_experts"] * 3 * m["hidden"] * m["moe_intermediate"]
    read = weights_read(model)
    parts = (attention_copies * read.attention, experts, read.shared, read.router, 2 * read.head)
    return float(sum(count * width for count, width in zip(parts, astuple(bits), strict=True)) / 8)


def fitting(memory: float, weights: float, context: float) -> float:
    """How many contexts fit beside the weights, a whole number; 0 where the weights alone do not fit, NaN if unknown.

    Args:
        memory: bytes that weights and caches may take.
        weights: bytes of the weights, as `held_bytes` gives them.
        context: bytes of one context's cache, every copy of it, as `kv_bytes` gives them.
    """
    return float(np.maximum(0, np.floor((memory - weights) / context)))


def kv_share(
    model: pd.Series, bits: ByClass, *, context: float, kv_bits: float, batch: float = 1, ranks: int = 1
) -> float:
    """Share of a decode step's bytes that KV caches take, 0 to 1; arguments as for `step_bytes`."""
    cache = batch * kv_bytes(model, context, kv_bits, ranks)
    return cache / (cache + weight_bytes(model, bits, batch).total)


def kv_bytes_per_token(model: pd.Series, bits: float) -> float:
    """Bytes by which a context's KV cache grows with one token, once it is longer than the sliding window.

    Keys and values of every KV head in the layers that attend to all (GQA); the latent and the rotary key of every
    layer (MLA, arXiv 2412.19437, section 2.1.1).

    Args:
        model: a row of the models table.
        bits: bits per cached number.
    """
    return float(_cached_per_layer(model) * model["full_attention_layers"] * bits / 8)


def kv_bytes(model: pd.Series, context: float, bits: float, ranks: int = 1) -> float:
    """Bytes of KV cache of one request: what it holds, and what each of its decode steps reads.

    Layers with a sliding window hold no more than the window. Under head-split tensor parallelism a rank needs the
    keys and values of its own heads. MLA's latent belongs to no head, so every rank holds and reads all of it;
    GQA's heads repeat only where there are more ranks than KV heads. The result counts every copy.

    Args:
        model: a row of the models table.
        context: tokens so far.
        bits: bits per cached number.
        ranks: over how many chips the heads are split; 1 where each cached number is kept once.
    """
    windowed = model["layers"] - model["full_attention_layers"]
    seen = min(context, model["sliding_window"]) if windowed else 0
    copies = ranks if model["attention"] == "mla" else max(1, ranks / model["kv_heads"])
    return float(
        copies * (kv_bytes_per_token(model, bits) * context + _cached_per_layer(model) * windowed * seen * bits / 8)
    )


def _cached_per_layer(model: pd.Series) -> float:
    """Numbers cached for one token in one layer."""
    if model["attention"] == "gqa":
        return float(2 * model["kv_heads"] * model["head_dim"])
    return float(model["kv_lora_rank"] + model["qk_rope_dim"])


def step_bytes(
    model: pd.Series, bits: ByClass, *, context: float, kv_bits: float, batch: float = 1, ranks: int = 1
) -> float:
    """Bytes that one decode step of ``batch`` requests reads: weights once, the KV cache of each request.

    Args:
        model: a row of the models table.
        bits: bits per weight, as `precision` gives them.
        context: mean tokens of a request so far.
        kv_bits: bits per cached number.
        batch: requests in the step.
        ranks: as for `kv_bytes`.
    """
    return weight_bytes(model, bits, batch).total + batch * kv_bytes(model, context, kv_bits, ranks)


def tbt_floor(read: float, chips: float, bandwidth_tb_s: float) -> float:
    """Seconds that a step takes at least: its bytes over the rated bandwidth of all chips.

    Args:
        read: bytes of the step, as `step_bytes` gives them.
        chips: chips that share them.
        bandwidth_tb_s: rated memory bandwidth of one, TB/s.
    """
    return read / (chips * bandwidth_tb_s * 1e12)


@dataclass(frozen=True)
class Scaling:
    """TBT over chips as a + b/N, fitted.

    Attributes:
        fixed: a, what more chips do not shorten.
        shared: b, what N chips divide among them.
        residuals: measured minus fitted, in the order of the points.
        fixed_pairs, shared_pairs: the ends of a and b over the lines through any two of the points.
    """

    fixed: float
    shared: float
    residuals: tuple[float, ...]
    fixed_pairs: Interval
    shared_pairs: Interval

    def at(self, chips: float) -> float:
        """The fitted TBT."""
        return self.fixed + self.shared / chips


def fit_scaling(chips: Sequence[float], tbt: Sequence[float]) -> Scaling:
    """Least squares of a + b/N through at least three points; every figure in the unit of ``tbt``.

    Args:
        chips: N, each another number.
        tbt: mean or median time between tokens at each.

    Raises:
        ValueError: for fewer than three different numbers of chips: two points fit any line.
    """
    if len(set(chips)) != len(chips) or len(chips) < 3:
        raise ValueError(f"a fit needs three or more different numbers of chips, not {list(chips)}")
    x, y = 1 / np.asarray(chips, dtype=float), np.asarray(tbt, dtype=float)
    shared, fixed = np.polyfit(x, y, 1)
    slopes, starts = [], []
    for i, j in combinations(range(len(x)), 2):
        slopes.append(float((y[j] - y[i]) / (x[j] - x[i])))
        starts.append(float(y[i] - slopes[-1] * x[i]))
    residuals = tuple(float(r) for r in y - (fixed + shared * x))
    return Scaling(float(fixed), float(shared), residuals, Interval.around(starts), Interval.around(slopes))
