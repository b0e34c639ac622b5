"""Comparisons against the appendix, the public rows and hand arithmetic."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from scoville.answers import Terms, answer
from scoville.compare import Comparison, Question, compare, line, reading
from scoville.facts import Facts, load
from scoville.ingest.command import import_command
from scoville.problems import InputError
from scoville.repeats import spreads


def ask(facts: Facts, model: str, baseline: str, **options: str) -> Comparison:
    chosen = {"candidate": "jalapeno", "power_basis": "package", "speculation": "none", **options}
    return compare(facts, Question.ask(facts, model=model, baseline=baseline, **chosen))


CASES = [("gpt-oss-120b", "gb200"), ("deepseek-r1", "gb300"), ("kimi-k2.5", "gb300")]


@pytest.mark.parametrize(("case", "ratio"), list(zip(CASES, [1.9005, 1.6672, 1.5376], strict=True)))
def test_peak_ratio_per_package_kw(facts: Facts, case: tuple[str, str], ratio: float) -> None:
    assert ask(facts, *case).peak_ratio.low == pytest.approx(ratio, abs=5e-5)


@pytest.mark.parametrize(("case", "ratio"), list(zip(CASES, [1.109, 0.834, 0.769], strict=True)))
def test_peak_ratio_per_chip(facts: Facts, case: tuple[str, str], ratio: float) -> None:
    assert ask(facts, *case, power_basis="chip").peak_ratio.low == pytest.approx(ratio, abs=5e-4)


@pytest.mark.parametrize(
    ("case", "low", "high"), list(zip(CASES, [1.51, 1.29, 1.185], [1.84, 1.57, 1.449], strict=True))
)
def test_all_in_peak_ratio_is_an_interval(facts: Facts, case: tuple[str, str], low: float, high: float) -> None:
    ratio = ask(facts, *case, power_basis="all-in").peak_ratio
    assert ratio.low == pytest.approx(low, abs=0.006)
    assert ratio.high == pytest.approx(high, abs=0.006)


def test_all_in_peak_of_gpt_oss_by_hand(facts: Facts) -> None:
    ratio = ask(facts, "gpt-oss-120b", "gb200", power_basis="all-in").peak_ratio
    assert ratio.high == pytest.approx(59813.91166996877 / 1125 / (53952.46806265401 / 1870))
    assert ratio.low == pytest.approx(59813.91166996877 / 1375 / (53952.46806265401 / 1870))


@pytest.mark.parametrize(
    ("case", "speed", "value"),
    [(CASES[0], 535.28, 22970.6), (CASES[1], 169.41, 12258.8), (CASES[2], 182.46, 6744.5)],
)
def test_value_at_the_baselines_speed(facts: Facts, case: tuple[str, str], speed: float, value: float) -> None:
    assert ask(facts, *case).candidate.frontier.read(speed).value == pytest.approx(value, abs=0.05)


def test_the_ratio_diverges_towards_the_end_of_the_baselines_curve(facts: Facts) -> None:
    table = ask(facts, "gpt-oss-120b", "gb200").at_equal_interactivity()
    assert table["ratio_low"].is_monotonic_increasing
    assert table.iloc[0]["ratio_low"] == pytest.approx(2.175, abs=0.001)
    assert table.iloc[-1]["ratio_low"] == pytest.approx(53.73, abs=0.01)
    assert table["speed"].between(97.1, 535.3).all()


def test_one_row_stands_for_a_configuration_and_all_stay_visible(facts: Facts) -> None:
    rows = line(facts, "deepseek-r1", "jalapeno")
    repeated = rows.points[(rows.points["chips"] == 8) & (rows.points["concurrency"] == 1)]
    assert len(repeated) == 2
    assert repeated.set_index("date")["counts"].to_dict() == {"2026-08-17": False, "2026-08-22": True}


def test_a_later_snapshot_stands_for_an_earlier_run(facts: Facts) -> None:
    rows = line(facts, "gpt-oss-120b", "gb200").points
    same = rows[(rows["chips"] == 4) & (rows["concurrency"] == 512)]
    assert same.set_index("source_id")["counts"].to_dict() == {
        "inferencex-dump-2026-07-20": True,
        "inferencex-run-20737128080": False,
        "inferencex-run-20742072203": False,
        "inferencex-run-20786863188": False,
    }


def test_wrong_parameters_are_all_named_with_the_valid_ones(facts: Facts) -> None:
    with pytest.raises(InputError) as caught:
        Question.ask(
            facts,
            model="gpt-oss-120b",
            candidate="jalapeno",
            baseline="gb400",
            power_basis="wall",
            speculation="none",
        )
    told = str(caught.value)
    assert "found 'gb400'; expected a system with rows for gpt-oss-120b; valid: b200, gb200, h100" in told
    assert "found 'wall'; expected a basis with figures for both; valid: package, all-in, chip" in told


def test_measured_power_needs_it_on_both_sides(facts: Facts) -> None:
    with pytest.raises(
        InputError,
        match="found 'measured'; expected a basis with figures for both; valid: package, all-in, chip",
    ):
        ask(facts, "deepseek-r1", "b200", power_basis="measured")


def test_measured_basis_divides_by_the_rows_own_watts(facts: Facts) -> None:
    rows = line(facts, "deepseek-r1", "b200", "measured").points
    assert rows["high"].tolist() == pytest.approx(
        (rows["total_tok_s_per_chip"] * 1000 / rows["chip_power_mean_w"]).tolist()
    )
    assert rows["chip_power_mean_w"].notna().all()


def table(facts: Facts, **columns: object) -> Facts:
    """The facts with points of one made-up system only."""
    import dataclasses

    import pandas as pd

    base = facts.points[facts.points["system"] == "gb300"].iloc[0]
    count = max(len(v) for v in columns.values() if isinstance(v, list))
    rows = pd.DataFrame([base] * count).reset_index(drop=True)
    rows["concurrency"] = [float(i + 1) for i in range(count)]
    for name, values in columns.items():
        rows[name] = values
    return dataclasses.replace(facts, points=rows)


def test_rows_of_another_workload_precision_or_decoding_are_left_out(facts: Facts) -> None:
    made = table(
        facts,
        model="deepseek-r1",
        speculation=["none", "mtp", "none", "none", "none"],
        precision=["fp4", "fp4", "fp8", "fp4", "fp4"],
        workload=["fixed-length", "fixed-length", "fixed-length", "agentic", "fixed-length"],
        isl_nominal=[8192.0, 8192.0, 8192.0, 8192.0, 1024.0],
        osl_nominal=1024.0,
        total_tok_s_per_chip=[100.0, 200.0, 300.0, 400.0, 500.0],
        interactivity_median_tok_s_user=50.0,
    )
    assert line(made, "deepseek-r1", "gb300", "chip").points["high"].tolist() == [100.0]
    assert line(made, "deepseek-r1", "gb300", "chip", "mtp").points["high"].tolist() == [200.0]
    assert line(made, "deepseek-r1", "gb300", "chip", precision="fp8").points["high"].tolist() == [300.0]


def test_interactivity_is_the_median_and_falls_back_to_tpot(facts: Facts) -> None:
    made = table(
        facts,
        total_tok_s_per_chip=[10.0, 20.0],
        interactivity_median_tok_s_user=[40.0, None],
        interactivity_mean_tok_s_user=[99.0, 99.0],
        tpot_median_s=[None, 0.02],
        speculation="none",
        model="deepseek-r1",
    )
    assert line(made, "deepseek-r1", "gb300", "chip").points["speed"].tolist() == [40.0, 50.0]


def test_a_repeat_does_not_enter_the_frontier(facts: Facts) -> None:
    made = table(
        facts,
        concurrency=[1.0, 1.0],
        date=["2026-01-01", "2026-02-01"],
        total_tok_s_per_chip=[900.0, 100.0],
        interactivity_median_tok_s_user=[90.0, 80.0],
        speculation="none",
        model="deepseek-r1",
    )
    side = line(made, "deepseek-r1", "gb300", "chip")
    assert side.frontier.y.tolist() == [100.0]
    assert side.peak["high"] == 100.0
    assert side.fastest["speed"] == 80.0


def test_the_fastest_point_is_on_the_frontier(facts: Facts) -> None:
    made = table(
        facts,
        total_tok_s_per_chip=[100.0, 50.0, 40.0],
        interactivity_median_tok_s_user=[10.0, 80.0, 80.0],
        speculation="none",
        model="deepseek-r1",
    )
    assert line(made, "deepseek-r1", "gb300", "chip").fastest["high"] == 50.0


def test_the_baselines_decoding_is_the_one_asked_for(facts: Facts) -> None:
    mtp = ask(facts, "deepseek-r1", "gb300", speculation="mtp")
    assert set(mtp.baseline.points["speculation"]) == {"mtp"}
    assert set(mtp.candidate.points["speculation"]) == {"none"}


def folder_without_nominal_lengths(tmp_path: Path, *lengths: tuple[str, str, str]) -> Facts:
    """A folder with one row of 1,000 tok/s for each system and pair of mean lengths, none of them nominal."""
    header = "model,system,chips,concurrency,isl_mean,osl_mean,total_tok_s_per_chip,tpot_median_s,precision,engine"
    lines = [f"m,{s},8,{8 + n},{i},{o},{1000 - n},0.01,fp4,vllm" for n, (s, i, o) in enumerate(lengths)]
    (tmp_path / "own.csv").write_text("\n".join([header, *lines]) + "\n", encoding="utf-8")
    done = CliRunner().invoke(import_command, [str(tmp_path / "own.csv"), "--into", str(tmp_path / "book")])
    assert done.exit_code == 0, done.output
    return load(tmp_path / "book")


@pytest.mark.parametrize(
    ("speculation", "decoding", "name"),
    [("none", "none", "GB300"), ("mtp", "mtp", "GB300 MTP"), ("any", "any", "GB300, all methods")],
)
def test_a_line_is_named_by_how_it_decodes(facts: Facts, speculation: str, decoding: str, name: str) -> None:
    """GB300 has rows of both methods for DeepSeek R1."""
    found = line(facts, "deepseek-r1", "gb300", speculation=speculation)
    assert (found.decoding, found.named("GB300")) == (decoding, name)


def test_unlike_mean_lengths_are_not_compared(tmp_path: Path) -> None:
    """A chat of 927 tokens in and 918 out against short answers of 124 in and 34 out says nothing of the chips."""
    facts = folder_without_nominal_lengths(tmp_path, ("one", "926.7", "917.7"), ("two", "124.3", "34"))
    with pytest.raises(InputError) as refused:
        answer(facts, Terms("m", "one", "two", basis="chip"))
    assert "on average near 927 input and 918 output tokens" in str(refused.value)
    assert "on average 124.3 in and 34.0 out" in str(refused.value)


def test_compared_mean_lengths_are_told(tmp_path: Path) -> None:
    rows = [("one", "926.7", "917.7"), ("two", "930", "910"), ("two", "124.3", "34"), ("one", "940", "917.7")]
    found = answer(folder_without_nominal_lengths(tmp_path, *rows), Terms("m", "one", "two", basis="chip"))
    assert found.ratio == pytest.approx(1000 / 999)
    assert (
        "the rows state no nominal lengths; mean lengths in tokens are, "
        "one: 926.7 to 940.0 in and 917.7 out; two: 930.0 in and 910.0 out"
    ) in found.as_dict()["warnings"]


def test_rows_of_one_configuration_and_unlike_mean_lengths_are_no_repeats(tmp_path: Path) -> None:
    rows = [("one", "926.7", "917.7"), ("one", "124.3", "34"), ("one", "930", "917.7")]
    points = folder_without_nominal_lengths(tmp_path, *rows).points.assign(concurrency=8)
    (found,) = spreads(points).to_dict("records")
    assert (found["runs"], found["throughput_low"], found["throughput_high"]) == (2, 998, 1000)


def test_a_line_is_made_once_and_anew_from_other_rows(facts: Facts) -> None:
    first = line(facts, "kimi-k2.5", "gb300")
    assert line(facts, "kimi-k2.5", "gb300") is first
    assert line(facts, "kimi-k2.5", "gb300", "chip") is not first
    halved = replace(facts, points=facts.points.assign(total_tok_s_per_chip=facts.points["total_tok_s_per_chip"] / 2))
    assert line(halved, "kimi-k2.5", "gb300").peak["high"] == pytest.approx(first.peak["high"] / 2)
    for _ in range(2):
        with pytest.raises(LookupError, match=r"no none rows of vr200 for kimi-k2\.5 on basis package"):
            line(facts, "kimi-k2.5", "vr200")


def test_a_limit_on_ttft_raises_no_reading(facts: Facts) -> None:
    """Two of GB300's MTP rows hold a TTFT, at 68.7 and 312.4: a straight line between them lies above what was run."""
    whole = line(facts, "deepseek-r1", "gb300", speculation="mtp")
    limited = line(facts, "deepseek-r1", "gb300", speculation="mtp", ttft_max_s=2)
    assert list(limited.frontier.x.round(1)) == [68.7, 312.4]
    chord = float(np.interp(150, limited.frontier.x, limited.frontier.y))
    read, free = reading(limited, 150), reading(whole, 150)
    assert chord > 7000
    assert read.high == free.high == pytest.approx(5000, rel=0.001)
    for x, y in zip(limited.frontier.x, limited.frontier.y, strict=True):
        assert reading(limited, float(x)).high == y  # a measured point stays what it is
    for model, system in (("deepseek-r1", "b300"), ("deepseek-r1", "gb300"), ("gpt-oss-120b", "gb200")):
        for limit in (0.3, 1, 2, 30):
            try:
                some = line(facts, model, system, ttft_max_s=limit)
            except LookupError:
                continue
            everything = line(facts, model, system)
            for speed in np.linspace(some.frontier.x[0], some.frontier.x[-1], 41)[1:-1]:
                found, most = reading(some, float(speed)), reading(everything, float(speed))
                assert most is None or found.high <= most.high * (1 + 1e-12)
