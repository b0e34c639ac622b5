"""Physical limits: floors from dimensions and rates worked out here, and sentences on altered data."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path
from typing import Any

import pytest
from bs4 import BeautifulSoup
from changed_data import edit_where, set_cell

from scoville.deployments import Assumed, readings
from scoville.problems import InputError
from scoville.report import limits_page
from scoville.report.limits import LimitsPage
from scoville.roofline import CASES

ROOT = Path(__file__).resolve().parents[2]
MODELS = ("gpt-oss-120b", "deepseek-r1", "kimi-k2.5")
CONTEXT = 0.9 * 8192 + 0.9 * 1024 / 2


@pytest.fixture(scope="module")
def page() -> LimitsPage:
    return limits_page("data")


def told(page: LimitsPage) -> str:
    return BeautifulSoup(page.finding().body, "html.parser").text


def rows(table: Any, **wanted: str) -> Any:
    frame = table.frame
    for column, value in wanted.items():
        frame = frame[frame[column].astype(str).str.startswith(value)]
    return frame


def fastest(model: str) -> dict[str, str]:
    text = (ROOT / f"data/points/{model}/jalapeno-2026-08.csv").read_text(encoding="utf-8")
    return max(csv.DictReader(text.splitlines()), key=lambda r: float(r["interactivity_median_tok_s_user"]))


def change(folder: Path, model: str, column: str, value: str, **wanted: str) -> None:
    """Change a column in the rows of Jalapeño that have some values."""
    edit_where(folder / f"points/{model}/jalapeno-2026-08.csv", wanted, {column: value})


def test_the_finding(page: LimitsPage) -> None:
    first, second = (p.text for p in BeautifulSoup(page.finding().body, "html.parser").find_all("p"))
    assert first == (
        "At its lowest TBT Jalapeño takes 8.2×, 6.6× and 8.1× as long for a token as reading weights and KV cache "
        "once, at rated memory bandwidth, would take; the baselines 23×, 13× and 16× (modelled; over all assumptions "
        "4.2–15× and 7.8–42×). No assumption asks for more than 24 % of rated bandwidth or 0.5 % of the "
        "FP8 peak: neither bandwidth nor arithmetic sets these points, and what is left is latency."
    )
    assert "0.96×, 1.93× and 1.93× the rated bandwidth of the baseline’s, and are 2.73×, 4.14× and 3.81× as" in second
    assert "spreads 5 requests over 4 workers of 8 chips" in second
    assert "0.49 + 0.70/N ms over N chips (3 points, two parameters: indicative)" in second


@pytest.mark.parametrize(
    ("model", "name", "chips", "gigabytes"),
    [
        # as released 5.00 GB; 26.32 and 21.69 GB with 4.25-bit experts; KV cache in FP8 at 7,833.6 tokens
        ("gpt-oss-120b", "GPT-OSS 120B", 4, 4.99998 + 18 * 1024 * (CONTEXT + 128) / 1e9),
        ("deepseek-r1", "DeepSeek R1", 8, 26.3242 + 61 * 576 * CONTEXT / 1e9),
        ("kimi-k2.5", "Kimi K2.5", 8, 21.6922 + 61 * 576 * CONTEXT / 1e9),
    ],
)
def test_floors_of_jalapeno(page: LimitsPage, model: str, name: str, chips: int, gigabytes: float) -> None:
    row = fastest(model)
    assert int(row["chips"]) == chips
    floor_ms = gigabytes / (chips * 15.4)
    tbt_ms = 1000 / float(row["interactivity_median_tok_s_user"])
    found = rows(page.floor_table(), model=name, point="Jalapeño").iloc[0]
    assert found["read"] == pytest.approx(gigabytes, rel=1e-4)
    assert found["floor"].startswith(f"{floor_ms:.3f}<")
    assert found["tbt"] == pytest.approx(tbt_ms)
    assert found["times"].startswith(f"{tbt_ms / floor_ms:.1f}×")


def test_the_range_ends_at_all_four_bits_and_at_most_bits_with_copies(page: LimitsPage) -> None:
    (reading,) = [r for r in page.fastest if r.model == "deepseek-r1" and r.row["system"] == "jalapeno"]
    found = page.floors(reading)
    assert found is not None
    cache = 61 * 576 * CONTEXT / 1e9
    low, high = (19.4568 + cache) / 123.2e3, (37.6666 + 2 * 8 * cache) / 123.2e3
    assert (found.low, found.high) == pytest.approx((low, high), rel=1e-4)


def test_a_parted_row_is_read_at_one_worker_and_at_all(page: LimitsPage) -> None:
    one, whole = [r for r in page.fastest if r.model == "deepseek-r1" and r.row["system"] == "gb300"]
    assert (one.chips, one.batch, one.ranks, one.whole) == (8, 1.25, 8, False)
    assert (whole.chips, whole.batch, whole.ranks, whole.whole) == (32, 5, 8, True)
    # 5 requests draw 256 (1 - (31/32)^5) = 37.6 experts of each of 58 layers: 8 of them cost 10.856 GB
    more = 256 * (1 - (31 / 32) ** 5) / 8
    read = 26.3242 + (more - 1) * 10.8559 + 5 * 61 * 576 * CONTEXT / 1e9
    assert page.floor(whole) == pytest.approx(read / 256e3, rel=1e-4)


def test_layouts(page: LimitsPage) -> None:
    row = page.fastest[0].row.copy()
    row["concurrency"] = 64

    def read(label: Any, chips: float, decode: float = float("nan"), apart: bool = False) -> list[tuple[Any, ...]]:
        row["parallelism"], row["chips"], row["decode_chips"], row["disaggregated"] = label, chips, decode, apart
        return [(r.chips, r.batch, r.ranks) for r in readings("kimi-k2.5", row)]

    assert read("TP1 EP8", 8) == [(8, 64, 1)]
    assert read("P 6×TP4 + D 2×TP16 EP16 DPA", 56, 32, True) == [(16, 32, 1), (32, 64, 1)]
    assert read("28 chips, split not recorded", 28, apart=True) == []
    assert read(float("nan"), float("nan")) == []


def test_totals_are_counted(page: LimitsPage) -> None:
    found = page.totals().frame
    assert [round(x, 2) for x in found["counted"]] == [116.83, 671.03, 1026.41]
    assert max(abs(found["off"])) < 0.001


def test_bytes_by_class_add_up(page: LimitsPage) -> None:
    found = page.bytes_table().frame
    assert len(found) == 3 * len(CASES)
    parts = found[["attention", "routed", "shared", "router", "head"]].sum(axis=1)
    assert list(parts) == pytest.approx(list(found["total"]))
    assert list(found["model"][found["case"].str.contains("as here")]) == ["GPT-OSS 120B", "DeepSeek R1", "Kimi K2.5"]


def test_assumptions_move_one_at_a_time(page: LimitsPage) -> None:
    found = page.assumptions().frame.set_index("value")
    here = found["mine deepseek-r1"].iloc[0]
    cache = 61 * 576 * CONTEXT / 1e9
    assert found.loc["every weight 4.25 bits", "mine deepseek-r1"] == pytest.approx(
        here * (26.3242 + cache) / (19.4568 + cache), rel=1e-4
    )
    assert found.loc["16 bits", "mine deepseek-r1"] == pytest.approx(
        here * (26.3242 + cache) / (26.3242 + 2 * cache), rel=1e-4
    )
    assert found.loc["one", "theirs deepseek-r1"] > found["theirs deepseek-r1"].iloc[0]
    assert found.loc["one", "mine deepseek-r1"] == here


def test_parameters_of_the_notebook_move_the_page() -> None:
    lower = limits_page("data", precision="floor")
    assert "takes 15×, 8.9× and 10× as long" in told(lower)
    assert "over all assumptions 4.2–15× and 7.8–42×" in told(lower)
    copied = limits_page("data", kv_bits=16, latent_replicated=True)
    # R1: 1.4222 ms over (26.324 + 16 x 0.2752) GB / 123.2 TB/s
    assert "takes 8.0×, 5.7× and 6.8× as long" in told(copied)


def test_the_notebook_starts_with_the_assumptions_of_the_first_page() -> None:
    cells = json.loads((ROOT / "notebooks/limits.ipynb").read_text(encoding="utf-8"))["cells"]
    scope: dict[str, Any] = {}
    exec("".join(next(c["source"] for c in cells if c["id"] == "parameters")), scope)
    assert Assumed(scope["precision"], scope["kv_bits"], scope["latent_replicated"]) == Assumed()


def test_wrong_parameters_are_told_together() -> None:
    with pytest.raises(InputError) as caught:
        limits_page("data", precision="fp5", kv_bits=0)
    assert "fp5" in str(caught.value)
    assert "valid: fp4, native, nvfp4, mixed, floor" in str(caught.value)
    assert "kv_bits" in str(caught.value)


def test_the_fit_and_its_points(page: LimitsPage) -> None:
    found = page.scaling_table().frame
    assert list(found["chips"]) == [1, 2, 4]
    assert [round(t, 3) for t in found["tbt"]] == [1.201, 0.810, 0.684]
    assert [round(r) for r in found["left"]] == [10, -30, 20]
    assert [round(t, 1) for t in found["times"]] == [3.6, 4.8, 8.2]
    drawn = page.scaling().to_dict()  # type: ignore[union-attr]
    marks = [v for v in drawn["datasets"].values() if "evidence" in v[0]]
    assert {len(v) for v in marks} == {3}
    # 5.147 GB in 0.7029 ms
    assert "one chip reads 7.3 TB/s (modelled), 48 % of its rated bandwidth" in page.scaling_told().body


def test_every_point_is_in_the_chart(page: LimitsPage) -> None:
    drawn = page.chart().to_dict()  # type: ignore[union-attr]
    (marks,) = {
        json.dumps(v) for v in drawn["datasets"].values() if "times" in v[0] and "evidence" in v[0] and len(v) == 8
    }
    for mark in json.loads(marks):
        assert 1 < mark["low"] <= mark["times"] <= mark["high"]
    assert drawn["title"] == "Every point of lowest TBT takes at least 4.2× its memory floor (modelled)"
    assert re.search(r"DeepSeek R1, GB300, all 32: 22×", drawn["description"])


@pytest.mark.parametrize(
    ("name", "system", "rated", "work", "fp8"),
    [
        # mixed tok/s per kW times the GFLOP of a mixed token; PFLOP/s of FP8 per rated kW
        ("GPT-OSS 120B", "Jalapeño", 85.448e3, 10.49e9, 3.4 / 0.7),
        ("GPT-OSS 120B", "GB200", 44.960e3, 10.49e9, 5 / 1.2),
        ("DeepSeek R1", "Jalapeño", 19.641e3, 102.76e9, 3.4 / 0.7),
        ("DeepSeek R1", "GB300", 11.781e3, 102.76e9, 5 / 1.4),
        ("Kimi K2.5", "GB300", 11.8615e3, 76.87e9, 5 / 1.4),
    ],
)
def test_operations_at_the_peaks(
    page: LimitsPage, name: str, system: str, rated: float, work: float, fp8: float
) -> None:
    found = rows(page.peaks(), model=name, system=system).iloc[0]
    assert found["watt"][1] == pytest.approx(rated * work / 1e15, rel=2e-3)
    assert found["fp8"][1] == pytest.approx(rated * work / 1e13 / fp8, rel=2e-3)
    assert found["pj"][0] == pytest.approx(1e15 / (rated * work), rel=2e-3)


def test_the_memory_floor_at_a_peak(page: LimitsPage) -> None:
    found = rows(page.peaks(), model="DeepSeek R1", system="Jalapeño").iloc[0]
    # 1,528.99 output tok/s on each of 32 chips over 65.25 tok/s for each request
    requests = 1528.9868997017807 * 32 / 65.25477348593513
    assert found["batch"] == pytest.approx(requests)
    # all weights but the embedding at 4.25 bits, and the requests' KV cache in FP8, over 492.8 TB/s
    least = (671.025e9 - 129280 * 7168) * 4.25 / 8 + requests * 61 * 576 * CONTEXT
    assert found["once"][0] == pytest.approx(100 * least / 492.8e12 * 65.25477348593513, rel=1e-4)
    # with a copy on each of 32 chips in BF16 the cache alone takes longer than the measured step
    assert found["copied"][1] > 100 * requests * 32 * 2 * 61 * 576 * CONTEXT / 492.8e12 * 65.25477348593513 > 100
    assert "DeepSeek R1 on Jalapeño (184 %)" in page.peak_memory().body


def test_a_weak_source_is_seen(page: LimitsPage) -> None:
    found = BeautifulSoup(page.systems()._repr_html_(), "html.parser")
    lines = {tr.td.find(string=True): tr for tr in found.select("tbody tr")}  # type: ignore[union-attr]
    assert list(lines)[-1] == "MI325X"
    assert [e.text for e in lines["MI325X"].select("em.weak")] == ["6.00", "2.6", "6.00", "2.6", "433"]
    assert lines["MI325X"].select_one(".confidence-low").text == "low"  # type: ignore[union-attr]
    assert not lines["GB200"].select("em.weak")
    assert lines["H100 SXM"].select("td")[3].text == "–"  # no FP4 rate, no number


def test_a_slow_memory_leaves_the_question_open(data_copy: Path) -> None:
    set_cell(data_copy, "systems", "jalapeno", "memory_bandwidth_tb_s", "3.85")
    body = told(limits_page(str(data_copy)))
    assert "takes 2.0×, 1.6× and 2.0× as long" in body
    assert "No assumption asks for more than 96 % of rated bandwidth" in body
    assert "that does not settle what sets these points" in body
    assert "latency" not in body


def test_without_a_peak_rate_arithmetic_is_left_open(data_copy: Path) -> None:
    set_cell(data_copy, "systems", "jalapeno", "fp8_dense_pflops", "")
    body = told(limits_page(str(data_copy)))
    assert "24 % of rated bandwidth: bandwidth does not set these points." in body
    assert "FP8" not in body


def test_a_faster_point_comes_nearer_to_its_floor(data_copy: Path) -> None:
    change(data_copy, "kimi-k2.5", "interactivity_median_tok_s_user", "2000", concurrency="1")
    assert "6.6× and 2.8× as long" in told(limits_page(str(data_copy)))


def test_two_numbers_of_chips_are_not_fitted(data_copy: Path) -> None:
    change(data_copy, "gpt-oss-120b", "concurrency", "3", parallelism="TP2", concurrency="1")
    page = limits_page(str(data_copy))
    assert "parameters" not in told(page)
    assert page.scaling_table().frame.empty
    assert "No model has one-request points" in page.scaling()._repr_html_()  # type: ignore[union-attr]


def test_without_bandwidth_a_model_leaves_the_finding(data_copy: Path) -> None:
    set_cell(data_copy, "systems", "gb200", "memory_bandwidth_tb_s", "")
    body = told(limits_page(str(data_copy)))
    assert "takes 6.6× and 8.1× as long" in body
    assert "the baselines 13× and 16×" in body
