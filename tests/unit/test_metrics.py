"""Definitions against published figures."""

import pandas as pd
import pytest

from scoville import metrics
from scoville.facts import Facts
from scoville.units import Interval


def test_mean_lengths_of_8k_1k() -> None:
    assert metrics.mean_length(8192) == pytest.approx(7372.8)
    assert metrics.tokens_per_request() == pytest.approx(8294.4)


def test_littles_law_of_the_deepseek_baseline() -> None:
    # 164.54 tok/s per chip on 34 chips at 5.99 s: 164.54 * 34 * 5.99 / 8294.4 = 4.04
    assert metrics.requests_in_flight(164.54, 34, 5.99, 8294.4) == pytest.approx(4.04, abs=0.005)


def test_littles_law_turns_round() -> None:
    e2e = metrics.e2e_by_littles_law(2016.798, 4, 1, 8294.4)
    assert e2e == pytest.approx(1.0282, abs=5e-5)
    assert metrics.requests_in_flight(2016.798, 4, e2e, 8294.4) == pytest.approx(1)


@pytest.mark.parametrize(
    ("model", "total", "attention"),
    [
        ("gpt-oss-120b", 116.83e9, 26.55e6),
        ("deepseek-r1", 671.03e9, 187.1e6),
        ("kimi-k2.5", 1026.4e9, 101.1e6),
    ],
)
def test_parameters_counted_from_dimensions_match_the_published_totals(
    facts: Facts, model: str, total: float, attention: float
) -> None:
    row = facts.models.loc[model]
    assert metrics.model_parameters(row) == pytest.approx(total, rel=5e-5)
    assert metrics.attention_parameters(row) == pytest.approx(attention, rel=5e-4)
    assert row["parameters_b"] == pytest.approx(total / 1e9)


def test_watts_of_each_basis(facts: Facts) -> None:
    jalapeno = facts.systems.loc["jalapeno"]
    assert metrics.watts(jalapeno, "package") == Interval(700, 700)
    assert metrics.watts(jalapeno, "all-in") == Interval(1125, 1375)
    assert metrics.watts(jalapeno, "chip") == Interval(1000, 1000)
    assert metrics.watts(pd.Series({"package_power_w": float("nan")}), "package") is None


@pytest.mark.parametrize(
    ("model", "used", "prefill", "decode"),
    [
        # layers x attention + layers x (chosen experts + router), then 4 x heads x head width x context
        ("gpt-oss-120b", 4.55e9, 10.2e9, (12.6e9, 12.6e9)),
        # 61 x 187.1 M + 58 x (9 x 44.04 M + 1.835 M) + 3 x 396.4 M
        ("deepseek-r1", 35.7e9, 89.8e9, (112.4e9, 206.3e9)),
        ("kimi-k2.5", 30.5e9, 70.2e9, (82.9e9, 129.9e9)),
    ],
)
def test_work_per_token_at_the_mean_lengths(
    facts: Facts, model: str, used: float, prefill: float, decode: tuple[float, float]
) -> None:
    row = facts.models.loc[model]
    assert metrics.parameters_used(row) == pytest.approx(used, rel=3e-3)
    assert metrics.prefill_flops(row, 7372.8) == pytest.approx(prefill, rel=5e-3)
    found = metrics.decode_flops(row, 7372.8, 921.6)
    assert (found.low, found.high) == pytest.approx(decode, rel=5e-3)


def test_a_prompt_of_no_length_costs_two_operations_a_parameter(facts: Facts) -> None:
    """The card of GPT-OSS counts 5.13 B active parameters, the unembedding (201,088 x 2,880) among them."""
    row = facts.models.loc["gpt-oss-120b"]
    assert metrics.prefill_flops(row, 0) == pytest.approx(2 * (5.13e9 - 201088 * 2880), rel=1e-3)
    assert metrics.decode_flops(row, 0, 0).high == pytest.approx(2 * 5.13e9, rel=1e-3)


def test_a_window_caps_what_attention_costs(facts: Facts) -> None:
    """Twice the prompt costs 18 full layers more, and nothing in the 18 that see 128 tokens."""
    row = facts.models.loc["gpt-oss-120b"]
    more = metrics.prefill_flops(row, 16000) - metrics.prefill_flops(row, 8000)
    assert more == pytest.approx(18 * 4 * 64 * 64 * 4000)


def test_ttft_of_the_gb200_baseline_by_hand() -> None:
    # 1.80 ± 0.005 s less 920.6 times 1.87 ± 0.005 ms: 1.795 - 1.726125 and 1.805 - 1.716919
    found = metrics.ttft_by_split(Interval(1.795, 1.805), Interval(0.001865, 0.001875), Interval(921.6, 921.6))
    assert (found.low, found.high) == pytest.approx((0.068875, 0.088081), abs=1e-9)
    assert metrics.output_tokens_by_split(1.8, 0.0794, 0.00186899) == pytest.approx(921.6, abs=0.05)


def test_lengths_of_a_short_run() -> None:
    # uniform from 0.8 to 1.0: 0.2 / sqrt(12) / 0.9 = 6.415 %; two of it over sqrt(10) = 4.057 %
    found = metrics.length_range(1024, 10)
    assert (found.low, found.high) == pytest.approx((921.6 * (1 - 0.04057), 921.6 * (1 + 0.04057)), rel=1e-5)


def test_the_draw_of_the_client_is_that_of_public_rows(facts: Facts) -> None:
    inputs, outputs = metrics.drawn_lengths(10)
    assert (inputs, outputs) == (7397.3, 930.3)
    mine = facts.points[(facts.points["system"] == "jalapeno") & (facts.points["concurrency"] == 1)]
    quotients = mine["input_tok_s_per_chip"] / mine["output_tok_s_per_chip"]
    assert len(quotients) == 6
    assert list(quotients) == pytest.approx([inputs / outputs] * 6, rel=1e-9)


def test_the_rate_of_littles_law_turns_round() -> None:
    rate = metrics.rate_by_littles_law(5.99, 34, 5, 8294.4)
    assert rate == pytest.approx(203.63, abs=0.01)
    assert metrics.requests_in_flight(rate, 34, 5.99, 8294.4) == pytest.approx(5)
