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
