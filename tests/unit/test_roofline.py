"""Bytes of a decode step: published dimensions by hand, and laws that hold for any batch and precision."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoville import metrics, roofline
from scoville.facts import load

MODELS = load(Path(__file__).resolve().parents[2] / "data").models.drop(index="qwen3.5")
NAMES = ("gpt-oss-120b", "deepseek-r1", "kimi-k2.5")
models = st.sampled_from(NAMES).map(MODELS.loc.__getitem__)
batches = st.floats(1, 1e5)
contexts = st.floats(1, 1e6)
widths = st.floats(roofline.MXFP4, 32)
anywhere = st.builds(roofline.ByClass, widths, widths, widths, widths, widths)


def read(model: pd.Series, case: str, batch: float = 1) -> roofline.ByClass:
    return roofline.weight_bytes(model, roofline.precision(model, case), batch)


def gb(value: float) -> str:
    """Three digits, as tables of bytes print them."""
    return f"{value / 1e9:.3g}"


@pytest.mark.parametrize(
    ("name", "native", "mixed", "nvfp4", "floor"),
    [
        ("gpt-oss-120b", "5", "4.04", "4.16", "2.73"),
        ("deepseek-r1", "37.7", "26.3", "27.1", "19.5"),
        ("kimi-k2.5", "33", "21.7", "22.4", "16.8"),
    ],
)
def test_weights_of_one_token(name: str, native: str, mixed: str, nvfp4: str, floor: str) -> None:
    found = {case: gb(read(MODELS.loc[name], case).total) for case in roofline.CASES}
    assert found == {"native": native, "mixed": mixed, "nvfp4": nvfp4, "floor": floor}


@pytest.mark.parametrize(("name", "total"), [("deepseek-r1", "19.6"), ("kimi-k2.5", "17.1")])
def test_four_bits_with_a_router_that_stays_in_sixteen(name: str, total: str) -> None:
    bits = roofline.ByClass(4.25, 4.25, 4.25, 16, 4.25)
    assert gb(roofline.weight_bytes(MODELS.loc[name], bits).total) == total


def test_classes_of_gpt_oss_as_released() -> None:
    # 36 x 26.55 M and 201,088 x 2,880 at two bytes; 36 x 4 x 24.88 M at 17/32 of a byte; 36 x 2,880 x 128
    found = read(MODELS.loc["gpt-oss-120b"], "native")
    parts = [round(x / 1e9, 2) for x in (found.attention, found.routed, found.router, found.head)]
    assert parts == [1.91, 1.90, 0.03, 1.16]
    assert found.shared == 0


@pytest.mark.parametrize(
    ("name", "eight", "sixteen"),
    [
        ("gpt-oss-120b", [0.153, 0.163, 0.172], [0.307, 0.326, 0.344]),
        ("deepseek-r1", [0.288, 0.306, 0.324], [0.576, 0.612, 0.648]),
        ("kimi-k2.5", [0.288, 0.306, 0.324], [0.576, 0.612, 0.648]),
    ],
)
def test_kv_cache_of_one_request(name: str, eight: list[float], sixteen: list[float]) -> None:
    for bits, wanted in ((8, eight), (16, sixteen)):
        found = [round(roofline.kv_bytes(MODELS.loc[name], t, bits) / 1e9, 3) for t in (8192, 8704, 9216)]
        assert found == wanted


def test_kv_cache_per_token() -> None:
    # 18 full layers x 8 heads x 64 x 2 x 2 bytes; 61 layers x (512 + 64) x 2 bytes
    assert [roofline.kv_bytes_per_token(MODELS.loc[n], 16) for n in NAMES] == [36_864, 70_272, 70_272]


def test_a_window_stops_growing_and_a_latent_is_copied_to_every_rank() -> None:
    windowed, latent = MODELS.loc["gpt-oss-120b"], MODELS.loc["deepseek-r1"]
    assert roofline.kv_bytes(windowed, 100, 8) == 36 * 1024 * 100
    assert roofline.kv_bytes(windowed, 1128, 8) - roofline.kv_bytes(windowed, 128, 8) == 18 * 1024 * 1000
    assert roofline.kv_bytes(latent, 5000, 8, ranks=8) == 8 * 61 * 576 * 5000
    assert roofline.kv_bytes(windowed, 5000, 8, ranks=8) == roofline.kv_bytes(windowed, 5000, 8)
    assert roofline.kv_bytes(windowed, 5000, 8, ranks=16) == 2 * roofline.kv_bytes(windowed, 5000, 8)


@pytest.mark.parametrize(
    ("name", "batch", "experts"),
    [
        ("gpt-oss-120b", (1, 4, 8, 32), (4, 15.3, 28.7, 81.7)),
        ("deepseek-r1", (1, 4, 8, 32), (8, 30.5, 57.4, 163.3)),
        ("kimi-k2.5", (1, 4, 8, 32), (8, 31.0, 59.5, 188.2)),
    ],
)
def test_expected_experts(name: str, batch: tuple[int, ...], experts: tuple[float, ...]) -> None:
    """Against a draw without the formula: each of B tokens takes the chosen share of what is not yet taken."""
    model = MODELS.loc[name]
    for b, wanted in zip(batch, experts, strict=True):
        taken = 0.0
        for _ in range(b):
            taken += (model["routed_experts"] - taken) * model["experts_per_token"] / model["routed_experts"]
        assert roofline.expected_experts(model, b) == pytest.approx(taken)
        assert round(taken, 1) == wanted


def test_a_step_without_a_request_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one request, not 0"):
        roofline.expected_experts(MODELS.loc["gpt-oss-120b"], 0)


@pytest.mark.parametrize("name", NAMES)
def test_one_token_reads_the_parameters_it_is_computed_with(name: str) -> None:
    model = MODELS.loc[name]
    used = metrics.parameters_used(model) + model["vocabulary"] * model["hidden"]
    assert roofline.weights_read(model).total == pytest.approx(used)


@pytest.mark.parametrize("name", NAMES)
def test_a_large_batch_reads_the_whole_model_but_the_embedding(name: str) -> None:
    model = MODELS.loc[name]
    whole = roofline.weights_read(model, 1e5).total + model["vocabulary"] * model["hidden"]
    assert whole == pytest.approx(1e9 * model["parameters_b"], rel=4e-4)  # GPT-OSS' expert biases are not counted


@given(models, batches)
def test_expected_experts_lie_between_those_of_one_token_and_all(model: pd.Series, batch: float) -> None:
    found = roofline.expected_experts(model, batch)
    assert model["experts_per_token"] * (1 - 1e-12) <= found <= model["routed_experts"]


@given(models, anywhere, contexts, st.floats(4, 16), st.tuples(batches, batches), st.integers(1, 64))
def test_bytes_grow_with_the_batch(
    model: pd.Series,
    bits: roofline.ByClass,
    context: float,
    kv_bits: float,
    batch: tuple[float, float],
    ranks: int,
) -> None:
    low, high = (
        roofline.step_bytes(model, bits, context=context, kv_bits=kv_bits, batch=b, ranks=ranks) for b in sorted(batch)
    )
    assert low <= high
    if max(batch) > min(batch) * 1.001:
        assert low < high


@given(models, anywhere, batches)
def test_never_below_four_bits_for_every_weight(model: pd.Series, bits: roofline.ByClass, batch: float) -> None:
    floor = read(model, "floor", batch).total
    assert roofline.weight_bytes(model, bits, batch).total >= floor
    totals = [read(model, case, batch).total for case in ("native", "nvfp4", "mixed")]
    assert all(total > floor for total in totals)


@given(models, contexts, st.integers(1, 64))
def test_a_cache_grows_with_context_and_with_ranks(model: pd.Series, context: float, ranks: int) -> None:
    one = roofline.kv_bytes(model, context, 8)
    assert one < roofline.kv_bytes(model, context * 1.01, 8)
    assert one <= roofline.kv_bytes(model, context, 8, ranks) <= ranks * one


def test_the_floor_of_one_chip_by_hand() -> None:
    # 15.4 TB/s read 5.16 GB in 0.335 ms
    assert roofline.tbt_floor(5.16e9, 1, 15.4) == pytest.approx(0.335e-3, rel=1e-3)
    assert roofline.tbt_floor(5.16e9, 4, 15.4) == pytest.approx(0.335e-3 / 4, rel=1e-3)


def test_a_fit_by_hand() -> None:
    # means 7/12 and 0.898333: slope 0.204917 / 0.291667, start 0.898333 - 7/12 of it
    found = roofline.fit_scaling([1, 2, 4], [1.201, 0.810, 0.684])
    assert (found.fixed, found.shared) == pytest.approx((0.4885, 0.702571), abs=1e-5)
    assert found.residuals == pytest.approx((0.009929, -0.029786, 0.019857), abs=1e-5)
    # lines through two points: 1 and 2, 1 and 4, 2 and 4
    assert (found.shared_pairs.low, found.shared_pairs.high) == pytest.approx((0.504, 0.782))
    assert (found.fixed_pairs.low, found.fixed_pairs.high) == pytest.approx((0.419, 0.558))
    assert found.at(8) == pytest.approx(0.4885 + 0.702571 / 8, abs=1e-5)


@given(st.floats(0, 10), st.floats(0, 10), st.lists(st.integers(1, 64), min_size=3, max_size=6, unique=True))
def test_points_on_a_line_are_fitted_without_rest(fixed: float, shared: float, chips: list[int]) -> None:
    found = roofline.fit_scaling(chips, [fixed + shared / n for n in chips])
    assert (found.fixed, found.shared) == pytest.approx((fixed, shared), abs=1e-6)
    assert found.residuals == pytest.approx([0] * len(chips), abs=1e-6)


@pytest.mark.parametrize("chips", [[1, 2], [1, 2, 2]])
def test_two_numbers_of_chips_are_no_fit(chips: list[int]) -> None:
    with pytest.raises(ValueError, match="three or more different"):
        roofline.fit_scaling(chips, [1.0] * len(chips))


@pytest.mark.parametrize(
    ("name", "gigabytes"),
    [
        ("gpt-oss-120b", 60.8 * 2**30 / 1e9),  # its model card's table of checkpoints: 60.8 GiB
        ("deepseek-r1", 671.03),  # a byte a weight
        ("kimi-k2.5", 595),  # size of the released files
    ],
)
def test_weights_held_as_released(name: str, gigabytes: float) -> None:
    model = MODELS.loc[name]
    held = roofline.held_bytes(model, roofline.precision(model, "native")) / 1e9
    assert held == pytest.approx(gigabytes, rel=0.004)


@given(models)
def test_at_one_byte_a_weight_the_bytes_held_are_the_parameters(model: pd.Series) -> None:
    held = roofline.held_bytes(model, roofline.ByClass(8, 8, 8, 8, 8))
    assert held == pytest.approx(metrics.model_parameters(model), rel=4e-4)  # biases are left out


@given(models, st.integers(1, 64))
def test_every_copy_of_attention_adds_its_bytes(model: pd.Series, copies: int) -> None:
    bits = roofline.precision(model, "mixed")
    more = roofline.held_bytes(model, bits, copies) - roofline.held_bytes(model, bits)
    assert more == pytest.approx((copies - 1) * metrics.attention_parameters(model) * model["layers"], abs=1)


@given(models, contexts, batches)
def test_bytes_held_are_no_less_than_a_step_reads(model: pd.Series, context: float, batch: float) -> None:
    bits = roofline.precision(model, "mixed")
    assert roofline.held_bytes(model, bits) > roofline.weight_bytes(model, bits, batch).total
    share = roofline.kv_share(model, bits, context=context, kv_bits=8, batch=batch)
    step = roofline.step_bytes(model, bits, context=context, kv_bits=8, batch=batch)
    assert share * step == pytest.approx(batch * roofline.kv_bytes(model, context, 8))


@given(st.floats(0, 1e13), st.floats(1e9, 1e12), st.floats(1e6, 1e12))
def test_one_context_more_would_not_fit(memory: float, weights: float, context: float) -> None:
    count = roofline.fitting(memory, weights, context)
    if memory < weights:
        assert count == 0
    else:
        assert weights + count * context <= memory * (1 + 1e-9)
        assert weights + (count + 1) * context > memory * (1 - 1e-9)
