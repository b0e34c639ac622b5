"""Definitions: what each figure of merit means, as a function of what was measured."""

from __future__ import annotations

import math
from functools import cache
from typing import Any, TypeVar

import numpy as np
import pandas as pd

from scoville.units import Interval

Values = TypeVar("Values", float, pd.Series)
LENGTH_RANGE = (0.8, 1.0)
"""InferenceX draws every length uniformly from 0.8 to 1.0 of the nominal one."""

ISL_NOMINAL, OSL_NOMINAL = 8192, 1024
"""The workload of the published results, tokens."""


def mean_length(nominal: float) -> float:
    """Mean of a length drawn uniformly from `LENGTH_RANGE` of the nominal one, tokens."""
    return nominal * sum(LENGTH_RANGE) / 2


ISL, OSL = mean_length(ISL_NOMINAL), mean_length(OSL_NOMINAL)
"""Mean input and output tokens of a request at nominal 8K/1K."""


def tokens_per_request(isl_nominal: float = ISL_NOMINAL, osl_nominal: float = OSL_NOMINAL) -> float:
    """Mean input and output tokens of one request: 8,294.4 at 8K/1K."""
    return mean_length(isl_nominal) + mean_length(osl_nominal)


def length_spread(requests: float) -> float:
    """Two relative standard errors of the mean length of so many requests, lengths being uniform."""
    low, high = LENGTH_RANGE
    deviation = (high - low) / math.sqrt(12) / ((low + high) / 2)
    return 2 * deviation / math.sqrt(requests)


def length_range(nominal: float, requests: float) -> Interval:
    """Where the mean length of so many requests lies, tokens: within two standard errors of `mean_length`."""
    mean, spread = mean_length(nominal), length_spread(requests)
    return Interval(mean * (1 - spread), mean * (1 + spread))


@cache
def drawn_lengths(
    requests: int, isl_nominal: int = ISL_NOMINAL, osl_nominal: int = OSL_NOMINAL, seed: int = 0
) -> tuple[float, float]:
    """Mean input and mean output tokens of the requests that InferenceX' client sends; they are the same in every run.

    ``sample_random_requests`` in its ``benchmark_serving.py`` seeds NumPy's legacy generator with 0 and draws all
    input lengths, then all output lengths, as whole numbers from 80 to 100 % of the nominal one. How many requests
    a row was measured with shows in the quotient of its input and output rate.
    """
    drawn = np.random.RandomState(seed)  # the legacy generator, whose stream NumPy keeps
    low = LENGTH_RANGE[0]
    means = [
        float(drawn.randint(int(nominal * low), nominal + 1, size=requests).mean())
        for nominal in (isl_nominal, osl_nominal)
    ]
    return means[0], means[1]


def decode_time(tpot_s: Interval, output_tokens: Interval) -> Interval:
    """Seconds from the first output token to the last: one interval of mean TPOT for each token after the first."""
    return tpot_s * Interval(output_tokens.low - 1, output_tokens.high - 1)


def ttft_by_split(e2e_s: Interval, tpot_s: Interval, output_tokens: Interval) -> Interval:
    """Mean time to first token, seconds, from a mean E2E and a mean TPOT: E2E − (output tokens − 1) × TPOT.

    This turns round the client's definition, TPOT = (E2E − TTFT) / (output tokens − 1) of each request
    (``benchmark_serving.py`` of InferenceX). Of means it holds as far as TPOT and length of a request do not go
    together. A result below 0 says that the three inputs cannot belong to one run.

    Args:
        e2e_s: mean request latency, seconds.
        tpot_s: mean time per output token after the first, seconds.
        output_tokens: mean output tokens of a request.
    """
    return e2e_s - decode_time(tpot_s, output_tokens)


def output_tokens_by_split(e2e_s: Values, ttft_s: Values, tpot_s: Values) -> Values:
    """Mean output tokens of a request, from the other three terms of `ttft_by_split`; numbers or series."""
    return (e2e_s - ttft_s) / tpot_s + 1


def per_kw(tok_s_per_chip: Values, watts: Values) -> Values:
    """Tokens per second per kilowatt, from tokens per second per chip and watts per chip; numbers or series."""
    return tok_s_per_chip * 1000 / watts


def requests_in_flight(total_tok_s_per_chip: float, chips: float, e2e_s: float, tokens: float) -> float:
    """Little's law: mean number of requests in the system.

    Args:
        total_tok_s_per_chip: input and output tokens per second, divided by all chips.
        chips: all chips that serve the load.
        e2e_s: mean request latency, seconds.
        tokens: mean tokens of a request, input and output.
    """
    return total_tok_s_per_chip * chips * e2e_s / tokens


def e2e_by_littles_law(total_tok_s_per_chip: float, chips: float, concurrency: float, tokens: float) -> float:
    """Mean request latency, seconds, that Little's law gives when ``concurrency`` requests are in flight."""
    return concurrency * tokens / (total_tok_s_per_chip * chips)


def rate_by_littles_law(e2e_s: float, chips: float, concurrency: float, tokens: float) -> float:
    """Tokens per second per chip that Little's law gives when ``concurrency`` requests are in flight."""
    return concurrency * tokens / (e2e_s * chips)


def interactivity(points: pd.DataFrame) -> pd.Series:
    """Median tok/s/user of every row: as published, else 1 / median TPOT, else missing."""
    return points["interactivity_median_tok_s_user"].fillna(1 / points["tpot_median_s"])


def output_rate(points: pd.DataFrame) -> pd.Series:
    """Output tokens per second per chip of every row: as published, else output's share of the total by length.

    The share is that of the nominal lengths, which `LENGTH_RANGE` shortens alike; a row with neither is missing.
    """
    share = points["osl_nominal"] / (points["isl_nominal"] + points["osl_nominal"])
    return points["output_tok_s_per_chip"].fillna(points["total_tok_s_per_chip"] * share)


def stack_tb_s(pin_gbit_s: float, pins: int = 2048) -> float:
    """Bandwidth of one HBM4 stack, TB/s.

    A stack of HBM4 has 2,048 data pins (JEDEC JESD270-4).

    Args:
        pin_gbit_s: data rate of one pin, Gbit/s.
        pins: data pins of a stack.
    """
    return pins * pin_gbit_s / 8000


def memory_stacks(bandwidth_tb_s: float, pin_gbit_s: float) -> int:
    """HBM4 stacks that make a bandwidth, to the nearest whole one (`stack_tb_s`).

    Args:
        bandwidth_tb_s: of the package, TB/s.
        pin_gbit_s: data rate of one pin, Gbit/s.
    """
    return round(bandwidth_tb_s / stack_tb_s(pin_gbit_s))


def watts(system: pd.Series, basis: str) -> Interval | None:
    """Watts of one chip on a power basis that a system's row can answer; None where it cannot.

    Args:
        system: a row of the systems table.
        basis: ``package`` or ``all-in``; `bases.BASES` says what they mean. ``chip`` counts as 1,000 W, so that a
            "per kW" value is the value per chip.
    """
    if basis == "chip":
        return Interval(1000, 1000)
    low, high = {
        "package": ("package_power_w", "package_power_w"),
        "all-in": ("all_in_power_low_w", "all_in_power_high_w"),
    }[basis]
    if pd.isna(system[low]) or pd.isna(system[high]):
        return None
    return Interval(float(system[low]), float(system[high]))


def model_parameters(model: pd.Series) -> float:
    """Parameters of a text model, counted from its dimensions.

    Embedding and unembedding are counted apart, norms are left out (below 0.01 %). Formulas: GQA projections
    as in the gpt-oss reference code, MLA as in section 2.1.1 of the DeepSeek-V3 report, arXiv 2412.19437.

    Args:
        model: a row of the models table.
    """
    m: dict[str, Any] = model.to_dict()
    hidden, layers, dense = m["hidden"], m["layers"], m["dense_layers"]
    expert = 3 * hidden * m["moe_intermediate"]
    router = hidden * m["routed_experts"]
    if m["attention_biases"]:  # gpt-oss also biases its experts and its router
        expert += 2 * m["moe_intermediate"] + hidden
        router += m["routed_experts"]
    experts = (m["routed_experts"] + m["shared_experts"]) * expert + router
    dense_block = 3 * hidden * m["dense_intermediate"] if dense else 0
    return float(
        layers * attention_parameters(model)
        + (layers - dense) * experts
        + dense * dense_block
        + 2 * m["vocabulary"] * hidden
    )


def attention_parameters(model: pd.Series) -> float:
    """Parameters of the attention block of one layer, counted from a row of the models table."""
    m: dict[str, Any] = model.to_dict()
    hidden, heads = m["hidden"], m["heads"]
    if m["attention"] == "gqa":
        queries_keys_values = (heads + 2 * m["kv_heads"]) * m["head_dim"]
        weights = hidden * queries_keys_values + heads * m["head_dim"] * hidden
        biases = queries_keys_values + hidden + heads if m["attention_biases"] else 0
        return float(weights + biases)
    query_key = m["qk_nope_dim"] + m["qk_rope_dim"]
    return float(
        hidden * m["q_lora_rank"]
        + m["q_lora_rank"] * heads * query_key
        + hidden * (m["kv_lora_rank"] + m["qk_rope_dim"])
        + m["kv_lora_rank"] * heads * (m["qk_nope_dim"] + m["v_dim"])
        + heads * m["v_dim"] * hidden
    )


def parameters_used(model: pd.Series) -> float:
    """Parameters that one token passes through: attention, router and chosen experts, without the (un)embedding.

    Args:
        model: a row of the models table.
    """
    m: dict[str, Any] = model.to_dict()
    hidden, dense = m["hidden"], m["dense_layers"]
    experts = (m["experts_per_token"] + m["shared_experts"]) * 3 * hidden * m["moe_intermediate"]
    dense_block = 3 * hidden * m["dense_intermediate"] if dense else 0
    sparse = m["layers"] - dense
    return float(
        m["layers"] * attention_parameters(model)
        + sparse * (experts + hidden * m["routed_experts"])
        + dense * dense_block
    )


def prefill_flops(model: pd.Series, isl: float) -> float:
    """*Modelled* floating-point operations to read one input token, mean over a prompt of ``isl`` tokens.

    Two per parameter (Kaplan et al., arXiv 2001.08361, section 2.1), and for every layer two for each of the
    two products of attention over the mean context of half the prompt; windowed layers see no more than their
    window. The unembedding is left out: only the last token needs it.

    Args:
        model: a row of the models table.
        isl: mean input length, tokens.
    """
    return 2 * parameters_used(model) + _attention_flops(model, isl / 2, absorbed=False)


def decode_flops(model: pd.Series, isl: float, osl: float) -> Interval:
    """*Modelled* floating-point operations to write one output token, mean over ``osl`` of them.

    As `prefill_flops`, with the unembedding and a mean context of ``isl + osl / 2``. With latent attention (MLA)
    the work depends on the implementation: the high end is the absorbed form, which attends in the latent space
    (DeepSeek-V2, arXiv 2405.04434, section 2.1.2), the low end attends head by head over keys and values that are
    already expanded.

    Args:
        model: a row of the models table.
        isl, osl: mean lengths, tokens.
    """
    fixed = 2 * (parameters_used(model) + model["vocabulary"] * model["hidden"])
    context = isl + osl / 2
    return Interval.around([fixed + _attention_flops(model, context, absorbed=a) for a in (False, True)])


def _attention_flops(model: pd.Series, context: float, *, absorbed: bool) -> float:
    """Both products of attention for one token over a context, all layers."""
    m: dict[str, Any] = model.to_dict()
    if m["attention"] == "gqa":
        full = m["full_attention_layers"]
        seen = full * context + (m["layers"] - full) * min(context, m["sliding_window"] or context)
        return float(4 * m["heads"] * m["head_dim"] * seen)
    by_head = m["qk_nope_dim"] + m["qk_rope_dim"] + m["v_dim"]
    latent = 2 * m["kv_lora_rank"] + m["qk_rope_dim"]
    return float(2 * m["heads"] * (latent if absorbed else by_head) * m["layers"] * context)
