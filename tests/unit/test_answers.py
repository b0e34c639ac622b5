"""Answers to one question, against the audit's values and hand arithmetic."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from scoville.answers import Answer, Terms, answer
from scoville.cli import cli
from scoville.facts import Facts
from scoville.problems import InputError

ROOT = Path(__file__).resolve().parents[2]


def ask(facts: Facts, model: str, baseline: str, **terms: object) -> Answer:
    return answer(facts, Terms(model=model, candidate="jalapeno", baseline=baseline, **terms))  # type: ignore[arg-type]


def test_peaks_are_the_default(facts: Facts) -> None:
    found = ask(facts, "gpt-oss-120b", "gb200")
    assert found.candidate_value == pytest.approx(85448.445)
    assert found.baseline_value == pytest.approx(44960.390)
    assert found.ratio == found.low == found.high == pytest.approx(1.90053, abs=5e-6)
    assert [p["concurrency"] for p in found.candidate_points] == [2048]
    assert [p["chips"] for p in found.baseline_points] == [4]


def test_at_a_speed_the_neighbours_are_named(facts: Facts) -> None:
    found = ask(facts, "deepseek-r1", "gb300", at=169.41)
    assert found.candidate_value == pytest.approx(12258.765, abs=5e-4)
    assert [round(p["speed"], 1) for p in found.candidate_points] == [141.6, 182.9]
    # between 165.13 (218.86) and 170.03 (117.53) tok/s per user: 130.3 at 169.41
    assert found.baseline_value == pytest.approx(130.3, abs=0.1)


def test_a_printed_speed_just_beyond_the_last_point_means_that_point(facts: Facts) -> None:
    found = ask(facts, "gpt-oss-120b", "gb200", at=535.28)
    assert found.ratio == pytest.approx(22970.603 / 427.4889, rel=1e-5)
    assert "gb200 is read at its measured point of 535.2693 tok/s per user" in found.warnings


def test_nothing_is_extrapolated(facts: Facts) -> None:
    found = ask(facts, "deepseek-r1", "gb300", at=500)
    assert found.baseline_value is None
    assert found.ratio is None
    assert found.baseline_points == []
    assert any("from 22.0 to 170.0 tok/s per user; 500 lies outside" in w for w in found.warnings)


def test_all_in_is_a_range_with_its_middle(facts: Facts) -> None:
    found = ask(facts, "gpt-oss-120b", "gb200", basis="all-in")
    # at 1,125, 1,250 and 1,375 W: 59,813.91 / W / (53,952.47 / 1,870)
    assert found.high == pytest.approx(1.10864 * 1870 / 1125, abs=1e-4)
    assert found.ratio == pytest.approx(1.10864 * 1870 / 1250, abs=1e-4)
    assert found.low == pytest.approx(1.10864 * 1870 / 1375, abs=1e-4)
    assert any("an interval, 1,125 to 1,375 W" in w for w in found.warnings)


def test_pooled_decoding_methods_are_told_where_they_differ(facts: Facts) -> None:
    found = ask(facts, "deepseek-r1", "gb300", speculation="any")
    assert "the values rest on unlike decoding methods (jalapeno: none; gb300: mtp)" in found.warnings
    assert not any("unlike" in w for w in ask(facts, "kimi-k2.5", "gb300", speculation="any").warnings)


def test_a_ttft_limit_lowers_the_peak(facts: Facts) -> None:
    found = ask(facts, "gpt-oss-120b", "gb200", ttft_max_s=2)
    assert found.candidate_value == pytest.approx(42388.3, abs=0.05)
    assert "13 of 42 rows of gb200 hold no TTFT and are left out" in found.warnings


def test_mtp_against_single_token_is_called_unlike(facts: Facts) -> None:
    found = ask(facts, "deepseek-r1", "gb300", speculation="mtp", at=169.41)
    assert found.baseline_value == pytest.approx(3207.4, abs=0.1)
    assert found.warnings[0] == "jalapeno has no mtp rows; its single-token rows are used: unlike methods"


def test_any_decoding_pools_both(facts: Facts) -> None:
    single, pooled = (ask(facts, "deepseek-r1", "gb300", speculation=s, at=100) for s in ("none", "any"))
    assert pooled.baseline_value is not None
    assert single.baseline_value is not None
    assert pooled.baseline_value > single.baseline_value


def test_an_engine_narrows_the_side_that_has_it(facts: Facts) -> None:
    found = ask(facts, "deepseek-r1", "gb300", engine="dynamo-sglang")
    assert {p["engine"] for p in found.baseline_points} == {"dynamo-sglang"}
    assert (
        "engine dynamo-sglang does not narrow jalapeno, which has no such rows: all of its engines are used (teacup)"
        in found.warnings
    )
    assert not any("does not narrow gb300" in w for w in found.warnings)


def test_steffen_differs_where_the_gap_is_wide(facts: Facts) -> None:
    linear, cubic = (ask(facts, "gpt-oss-120b", "gb200", at=535.28, interpolation=i) for i in ("linear", "steffen"))
    assert linear.candidate_value == pytest.approx(22970.6, abs=0.05)
    assert cubic.candidate_value == pytest.approx(20713.7, abs=0.05)
    assert any("1.61 times apart; steffen interpolation gives 20,713.7" in w for w in linear.warnings)


@pytest.mark.parametrize(
    ("terms", "message"),
    [
        ({"model": "kimi-k2.5", "baseline": "vr200"}, "systems with rows for kimi-k2.5: b200, b300, gb200"),
        ({"model": "kimi", "baseline": "gb300"}, "models with rows: deepseek-r1, gpt-oss-120b, kimi-k2.5"),
        ({"model": "kimi-k2.5", "baseline": "gb300", "engine": "foo"}, "gb300: dynamo-trt, dynamo-vllm"),
        ({"model": "kimi-k2.5", "baseline": "gb300", "precision": "fp8"}, "it has: teacup, fp4, none (9)"),
        ({"model": "kimi-k2.5", "baseline": "gb300", "basis": "measured"}, "9 of 9 without measured watts"),
        ({"model": "deepseek-r1", "baseline": "h200"}, "1,024 in and 8,192 out"),
        ({"model": "kimi-k2.5", "baseline": "gb300", "ttft_max_s": 0.01}, "median TTFT of at most 0.01 s"),
    ],
)
def test_what_cannot_be_asked_says_what_there_is(facts: Facts, terms: dict[str, object], message: str) -> None:
    with pytest.raises(InputError) as caught:
        ask(facts, **terms)  # type: ignore[arg-type]
    assert message in str(caught.value)


def test_the_command_prints_json_with_the_promised_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    arguments = ["compare", "--model", "deepseek-r1", "--baseline", "gb300", "--format", "json"]
    done = CliRunner().invoke(cli, arguments)
    assert done.exit_code == 0
    found = json.loads(done.stdout)
    assert set(found) == set(
        "candidate_value baseline_value ratio low high basis interpolation candidate_points baseline_points "
        "warnings".split()
    )
    assert found["ratio"] == pytest.approx(1.6672, abs=5e-5)


def test_the_command_prints_a_table_and_its_notes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    done = CliRunner().invoke(cli, ["compare", "--model", "kimi-k2.5", "--baseline", "gb300", "--basis", "chip"])
    assert done.exit_code == 0
    assert done.stdout.splitlines()[:3] == [
        "jalapeno     12,767.1 mixed tok/s per chip (at the peaks)",
        "gb300        16,606.1 mixed tok/s per chip (at the peaks)",
        "ratio        0.7688",
    ]
    assert "note         rows of jalapeno are observed, not independently executed" in done.stdout


def test_peak_and_a_speed_exclude_each_other() -> None:
    arguments = ["compare", "--model", "kimi-k2.5", "--baseline", "gb300", "--peak", "--at", "100"]
    done = CliRunner().invoke(cli, arguments)
    assert done.exit_code == 2
    assert "--at and --peak exclude each other" in done.stderr


def test_without_a_rating_the_message_says_what_to_fill_in(facts: Facts) -> None:
    systems = facts.systems.copy()
    systems.loc["gb300", "package_power_w"] = float("nan")
    unrated = dataclasses.replace(facts, systems=systems)
    with pytest.raises(InputError, match="fill in package_power_w"):
        ask(unrated, "deepseek-r1", "gb300")
    assert ask(unrated, "deepseek-r1", "gb300", basis="chip").ratio == pytest.approx(0.8336, abs=5e-5)


def test_a_system_is_not_compared_with_itself(facts: Facts) -> None:
    with pytest.raises(InputError, match="expected another system than the candidate"):
        ask(facts, "deepseek-r1", "jalapeno")
