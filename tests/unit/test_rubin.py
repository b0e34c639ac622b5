"""Rubin: every figure by hand from the files, and what the page says when rows come, change or go."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import altair as alt
import numpy as np
import pytest
from bs4 import BeautifulSoup
from changed_data import Row, read, set_cell, write

from scoville.book import pages, question_of
from scoville.compare import Question, compare, line
from scoville.denominators import denominators, generations, overlaps, thresholds
from scoville.facts import Facts, load
from scoville.metrics import memory_stacks, output_rate
from scoville.problems import InputError
from scoville.report import rubin_page
from scoville.report.page import Html
from scoville.report.rubin import RubinPage

ROOT = Path(__file__).resolve().parents[2]
R1 = ROOT / "data/points/deepseek-r1"


def best(points: set[tuple[float, float]]) -> tuple[np.ndarray, np.ndarray]:
    """Pareto set by comparing every pair, speed ascending."""
    kept = sorted(p for p in points if not any(q[0] >= p[0] and q[1] >= p[1] and q != p for q in points))
    return np.array([p[0] for p in kept]), np.array([p[1] for p in kept])


def rubin() -> tuple[np.ndarray, np.ndarray]:
    rows = read(R1 / "inferencex-rubin-2026-07.csv")
    return best({(float(r["interactivity_median_tok_s_user"]), float(r["output_tok_s_per_chip"])) for r in rows})


def jalapeno() -> tuple[np.ndarray, np.ndarray]:
    """Its rows of both days; a configuration that was run again on 22 August counts as of then."""
    last = {}
    for row in sorted(read(R1 / "jalapeno-2026-08.csv"), key=lambda r: r["date"]):
        last[row["parallelism"], row["concurrency"]] = row
    found = {(float(r["interactivity_median_tok_s_user"]), float(r["output_tok_s_per_chip"])) for r in last.values()}
    return best(found)


@pytest.fixture(scope="module")
def page() -> RubinPage:
    return rubin_page("data")


def told(page: RubinPage) -> str:
    return BeautifulSoup(page.finding().body, "html.parser").text


# ------------------------------------------------------------------ the rows


def test_the_rows_are_the_charts_values_per_all_in_megawatt_times_its_watts() -> None:
    chart = {52: 1.33, 70: 1.30, 90: 1.18, 110: 1.05, 130: 0.92, 148: 0.80, 170: 0.64, 185: 0.50, 200: 0.30, 215: 0.22}
    chart |= {235: 0.165, 270: 0.12, 320: 0.085, 400: 0.055}  # output Mtok/s per MW, as SemiAnalysis read it
    speeds, rates = rubin()
    assert dict(zip(speeds, rates / 3337, strict=True)) == pytest.approx(chart, rel=1e-9)


def test_the_rows_are_of_output_alone_and_enter_no_line_peak_or_question(facts: Facts) -> None:
    rows = facts.points[facts.points["system"] == "vr200"]
    assert len(rows) == 14
    assert set(rows["evidence"]) == {"digitised"}
    assert rows[["total_tok_s_per_chip", "input_tok_s_per_chip", "ttft_median_s", "e2e_median_s"]].isna().all(axis=None)
    with pytest.raises(LookupError):
        line(facts, "deepseek-r1", "vr200", "package", "any")
    asked = {"candidate": "jalapeno", "power_basis": "package", "speculation": "mtp"}
    with pytest.raises(InputError, match="'vr200'; expected a system with rows for deepseek-r1; valid: b200, b300"):
        Question.ask(facts, model="deepseek-r1", baseline="vr200", **asked)


def test_a_model_with_rows_of_output_alone_has_no_page(data_copy: Path) -> None:
    for path in (data_copy / "points/kimi-k2.5").glob("*.csv"):
        rows = read(path)
        write(path, [r | {"total_tok_s_per_chip": "", "input_tok_s_per_chip": ""} for r in rows])
    facts = load(data_copy)
    assert "models/kimi-k2.5" not in {p.output for p in pages(facts)}
    assert question_of(facts, "deepseek-r1").baseline == "gb300"


def test_an_output_rate_is_published_or_a_share_of_the_total(facts: Facts) -> None:
    rates = output_rate(facts.points)
    given = facts.points["output_tok_s_per_chip"].notna()
    assert (rates[given] == facts.points.loc[given, "output_tok_s_per_chip"]).all()
    dump = facts.points[(facts.points["source_id"] == "inferencex-dump-2026-07-20")].iloc[0]
    assert rates[dump.name] == pytest.approx(dump["total_tok_s_per_chip"] / 9)


# ------------------------------------------------------------------ the overlap


# worked out by hand from the rows of 22 August over the chart, read linearly
BY_HAND = {65.25: 0.350, 101.64: 0.373, 141.6: 0.403, 182.86: 0.499, 206.59: 0.645, 230.36: 0.595, 264.48: 0.506}


def test_the_ratio_per_chip_by_other_code(page: RubinPage) -> None:
    (overlap,) = page.shared
    mine, theirs = jalapeno(), rubin()
    for row in overlap.table.to_dict("records"):
        expected = np.interp(row["speed"], *mine) / np.interp(row["speed"], *theirs)
        assert row["ratio_low"] == row["ratio_high"] == pytest.approx(expected, rel=1e-9)
    assert (overlap.start, overlap.end) == (mine[0][0], 400)
    for speed, ratio in BY_HAND.items():
        at = (overlap.table["speed"] - speed).abs().idxmin()
        assert overlap.table.loc[at, "ratio_low"] == pytest.approx(ratio, abs=5e-4)


@pytest.mark.parametrize(
    ("key", "low", "high"),
    [
        ("chip", 0.350, 0.350),
        ("stack", 0.350 * 8 / 6, 0.350 * 8 / 6),
        ("bandwidth", 0.350 * 22 / 15.4, 0.350 * 22 / 15.4),
        ("package-1800", 0.90, 0.90),
        ("package-2300", 1.15, 1.15),
        ("all-in", 0.85, 1.04),
        ("cost", 0.350 * 3.57 / 1.56, 0.350 * 3.61 / 1.27),
    ],
)
def test_what_is_divided_by(page: RubinPage, key: str, low: float, high: float) -> None:
    (overlap,) = page.shared
    by = {d.key: d for d in overlap.denominators}[key]
    ratio = by.ratio(overlap.per_chip(0))
    assert (ratio.low, ratio.high) == pytest.approx((low, high), abs=0.005)
    assert by.modelled == (key == "cost")


def test_all_in_cancels_the_watts_that_the_chart_was_converted_by(page: RubinPage) -> None:
    """1.3087 Mtok/s per MW at 65.25 tok/s/user, between 1.33 at 52 and 1.30 at 70: the chart's own unit."""
    (overlap,) = page.shared
    chart = 1.33 - 0.03 * (overlap.start - 52) / 18
    mine = 1528.9868997017807
    by = {d.key: d for d in overlap.denominators}["all-in"]
    ratio = by.ratio(overlap.per_chip(0))
    assert ratio.low == pytest.approx(mine / 1375 / chart, rel=1e-9)
    assert ratio.high == pytest.approx(mine / 1125 / chart, rel=1e-9)


def test_measured_rows_take_the_registrys_all_in_watts(facts: Facts) -> None:
    measured, read_off = (
        {d.key: d.rival for d in denominators(facts, "jalapeno", digitised=digitised)}["all-in"]
        for digitised in (False, True)
    )
    assert (measured.low, measured.high) == (3300, 3337)
    assert (read_off.low, read_off.high) == (3337, 3337)


def test_stacks_follow_from_bandwidth_and_pin_rate(data_copy: Path) -> None:
    assert memory_stacks(15.4, 10) == 6  # 15.4e12 × 8 / (2,048 × 10e9) = 6.02
    assert memory_stacks(22, 10.7) == 8
    set_cell(data_copy, "published", "jalapeno-pin-rate", "value", "7.5")
    (overlap,) = overlaps(load(data_copy))
    by = {d.key: d for d in overlap.denominators}["stack"]
    assert by.candidate.low == 8
    assert by.worked_out == (
        "Jalapeño: 2,048 pins at 7.5 Gbit/s give 1.92 TB/s a stack, and 15.4 TB/s 8.02 of these"  # 2,048 × 7.5 / 8,000
    )


def test_the_finding(page: RubinPage) -> None:
    said = told(page)
    assert said.startswith(
        "On DeepSeek R1 at 65 tok/s per user, the throughput end, Jalapeño over Rubin in output per rated kW is 0.90× "
        "with Rubin rated 1,800 W and 1.15× with Rubin rated 2,300 W, so who leads depends on that rating, and per "
        "chip Rubin leads at every common speed (0.25–0.67×, or 0.35–0.67× without one row of 17 August 2026). Rubin’s "
        "rows are digitised, and multi-token (MTP) stands against single-token prediction."
    )
    assert (
        "On DeepSeek R1 at 65 tok/s per user it is 0.47× per memory stack, 0.50× per TB/s of memory, 0.85–1.04× per "
        "all-in kW and 0.80–1.00× per dollar of estimated cost (modelled)." in said
    )
    crossing = "Between 264 and 272, where Jalapeño’s line crosses from 32 chips to 8 chips, the ratio per chip goes"
    assert f"{crossing} from 0.51× to 0.25×." in said
    assert "Above 400 only Jalapeño has points, up to 703." in said
    assert "For GPT-OSS 120B and Kimi K2.5 no result of Rubin at this workload was found." in said
    assert "2.14–2.74× that of GB300 for DeepSeek R1 and 1.98–2.53× that of GB300 for Kimi K2.5" in said


def test_rows_of_an_earlier_day_on_the_line_are_named_with_their_effect(page: RubinPage, data_copy: Path) -> None:
    """By other code: the same ratio along the line of 22 August alone."""
    table = read(R1 / "jalapeno-2026-08.csv")
    last = [r for r in table if r["date"] == "2026-08-22"]
    mine = best({(float(r["interactivity_median_tok_s_user"]), float(r["output_tok_s_per_chip"])) for r in last})
    theirs = rubin()
    speeds = [s for s in {*mine[0], *theirs[0]} if mine[0][0] <= s <= theirs[0][-1]]
    ratios = [np.interp(s, *mine) / np.interp(s, *theirs) for s in speeds]
    assert (round(min(ratios), 2), round(max(ratios), 2)) == (0.35, 0.67)
    watts = {w: f"{min(ratios) * w / 700:.2f}–{max(ratios) * w / 700:.2f}×" for w in (1800, 2300)}
    assert list(watts.values()) == ["0.89–1.73×", "1.14–2.21×"]
    assert (
        "Jalapeño’s line there has 1 point of an earlier day (TP8 with 4 requests at 272 tok/s per user, 17 August "
        "2026); the others are of 22 August 2026. Without it the ratio over all common speeds is 0.35–0.67× per chip, "
        f"{watts[1800]} per kW of package rating, 1,800 W and {watts[2300]} per kW of package rating, 2,300 W."
        in told(page)
    )
    write(data_copy / "points/deepseek-r1/jalapeno-2026-08.csv", last)
    said = told(rubin_page(str(data_copy)))
    assert "(0.35–0.67×)" in said
    assert "earlier day" not in said


def test_every_sentence_on_an_overlap_names_its_model(data_copy: Path) -> None:
    add_rubin(data_copy, "gpt-oss-120b")
    said = told(rubin_page(str(data_copy)))
    for name, speed in (("DeepSeek R1", 65), ("GPT-OSS 120B", 97)):
        assert f"On {name} at {speed} tok/s per user it is" in said
    assert "At that speed" not in said


def listing(shown: Html) -> str:
    return BeautifulSoup(shown.body, "html.parser").get_text(" ")


def test_what_is_unknown_follows_from_the_rows(page: RubinPage, data_copy: Path) -> None:
    before = listing(page.unknown())
    assert "single-token rows of Rubin for GPT-OSS 120B, DeepSeek R1 and Kimi K2.5" in before
    assert "any published run of Rubin on GPT-OSS 120B, DeepSeek R1 and Kimi K2.5 " in before
    assert "power mode of the packages behind the chart" in before
    assert "What Rubin does on GPT-OSS 120B and Kimi K2.5." in listing(page.cannot())
    assert (
        "On DeepSeek R1: single-token against multi-token (MTP) prediction; aggregated against disaggregated serving"
        in (listing(page.unlike()))
    )
    assert "and no factor is assumed" in listing(page.unlike())

    add_rubin(data_copy, "gpt-oss-120b")
    grown = rubin_page(str(data_copy))
    after = listing(grown.unknown())
    assert "single-token rows of Rubin for DeepSeek R1 and Kimi K2.5" in after
    assert "any published run of Rubin on DeepSeek R1 and Kimi K2.5 " in after
    assert "What Rubin does on Kimi K2.5." in listing(grown.cannot())
    assert "On GPT-OSS 120B: single-token prediction on both sides;" in listing(grown.unlike())


def test_rows_of_its_user_are_no_published_run(data_copy: Path) -> None:
    add_rubin(data_copy, "gpt-oss-120b", evidence="user-measured")
    said = listing(rubin_page(str(data_copy)).unknown())
    assert "any published run of Rubin on GPT-OSS 120B, DeepSeek R1 and Kimi K2.5 " in said
    assert "single-token rows of Rubin for DeepSeek R1 and Kimi K2.5" in said


def test_with_single_token_rows_of_every_model_nothing_says_that_they_lack(data_copy: Path) -> None:
    (data_copy / "points/deepseek-r1/inferencex-rubin-2026-07.csv").unlink()
    for model in ("gpt-oss-120b", "deepseek-r1", "kimi-k2.5"):
        add_rubin(data_copy, model)
    page = rubin_page(str(data_copy))
    said = " ".join(listing(shown) for shown in (page.unknown(), page.unlike(), page.cannot()))
    for lack in ("any published run", "single-token rows of Rubin", "the chart", "What Rubin does on", "no factor"):
        assert lack not in said
    assert "engineering sample" not in said
    assert "unlike" not in said


def test_the_template_says_nothing_that_new_rows_could_turn_false() -> None:
    cells = json.loads((ROOT / "notebooks/rubin.ipynb").read_text(encoding="utf-8"))["cells"]
    prose = " ".join("".join(c["source"]) for c in cells if c["cell_type"] == "markdown")
    for turned in ("GPT-OSS", "Kimi", "DeepSeek", "the one overlap", "Without rows", "multi-token"):
        assert turned not in prose


def test_the_rates_of_the_chart_are_in_the_table(page: RubinPage) -> None:
    (row,) = page.published().frame.query("what.str.startswith('Output tokens per all-in MW<')").to_dict("records")
    values = BeautifulSoup(row["value"], "html.parser").get_text("|")
    for shown in ("1,330,000 tok/s/MW", "about 886,000 tok/s/MW", "96,446 tok/s/MW", "70,703 tok/s/MW"):
        assert shown in values
    for speed in (50, 135, 300, 350):
        assert f"at {speed} tok/s/user" in values
    assert "MTP" in row["conditions"]
    assert row["evidence"].startswith("digitised")
    rates = {
        r["speed_tok_s_user"]: float(r["value"])
        for r in read(ROOT / "data/published.csv")
        if "-rate-" in r["published_id"]
    }
    speeds, chips = rubin()
    for speed in ("135", "300", "350"):  # read between the points of the same chart
        after = int(np.searchsorted(speeds, float(speed)))
        assert chips[after] < rates[speed] * 3337 / 1e6 < chips[after - 1]
    assert not page.other_generations().frame["what"].str.contains("all-in MW").any()  # no GB300 to set beside them


@pytest.mark.parametrize(
    ("other", "rating", "turn"),
    [
        ("1800", "1900", "so Rubin leads there"),
        ("2100", "2300", "so Jalapeño leads there"),
        ("1800", "2300", "so who leads depends on that rating"),
    ],
)
def test_other_ratings_turn_the_sentence(data_copy: Path, other: str, rating: str, turn: str) -> None:
    set_cell(data_copy, "systems", "vr200", "package_power_w", rating)
    set_cell(data_copy, "systems", "vr200", "package_power_other_w", other)
    assert turn in told(rubin_page(str(data_copy)))


def add_rubin(folder: Path, model: str, evidence: str = "independently-executed") -> None:
    """Single-token rows of Rubin as Jalapeño's own, with twice the throughput per chip."""
    changed = {
        "system": "vr200",
        "source_id": "inferencex-dump-2026-07-20",
        "evidence": evidence,
        "engine": "dynamo-trt",
        "input_tok_s_per_chip": "",
        "output_tok_s_per_chip": "",
    }
    rows = [
        r | changed | {"total_tok_s_per_chip": str(float(r["total_tok_s_per_chip"]) * 2)}
        for r in read(folder / f"points/{model}/jalapeno-2026-08.csv")
    ]
    write(folder / f"points/{model}/new-rubin.csv", rows)


def scaled(folder: Path, change: Callable[[Row], Row]) -> None:
    path = folder / "points/deepseek-r1/inferencex-rubin-2026-07.csv"
    write(path, [change(r) for r in read(path)])


def test_a_slower_rubin_loses_per_chip(data_copy: Path) -> None:
    scaled(data_copy, lambda r: r | {"output_tok_s_per_chip": str(float(r["output_tok_s_per_chip"]) / 5)})
    said = told(rubin_page(str(data_copy)))
    assert "per chip Jalapeño leads at every common speed (1.26–3.36×, or 1.74–3.36× without one row of" in said
    scaled(data_copy, lambda r: r | {"output_tok_s_per_chip": str(float(r["output_tok_s_per_chip"]) * 2.5)})
    assert "per chip the ratio is 0.51–1.34×, or 0.70–1.34× without one row of 17 August 2026. " in told(
        rubin_page(str(data_copy))
    )


def test_how_wrong_the_reading_would_have_to_be(page: RubinPage) -> None:
    wrong = page.misreading().frame.set_index("by")["wrong"]
    assert wrong["per chip"] == "too high by 185 %"  # 1 / 0.3503 − 1
    assert wrong["per kW of package rating, 1,800 W"] == "too high by 11 %"
    assert wrong["per kW of package rating, 2,300 W"] == "too low by 13 %"
    assert wrong["per all-in kW"] == "open as it is"


def test_each_input_at_the_ends_of_its_range(page: RubinPage) -> None:
    rows = page.ranges().frame.drop_duplicates("what").set_index("what")
    assert rows.loc["Rubin’s package rating", "ratio"] == pytest.approx((0.9008, 1.1511), abs=1e-4)
    assert rows.loc["Rubin’s package rating", "sign"] == "open"
    assert rows.loc["Rubin’s memory bandwidth", "ratio"] == pytest.approx((0.3503 * 20 / 15.4, 0.5005), abs=1e-4)
    stacks = rows.loc["Jalapeño’s stacks, up to the sites counted"]
    assert (stacks["range"], stacks["by"]) == ("6–8 stacks", "per memory stack")
    assert stacks["ratio"] == pytest.approx((0.35032 * 8 / 8, 0.35032 * 8 / 6), abs=1e-5)
    cost = rows.loc["Estimated cost of owning (modelled)"]
    assert cost["range"] == "Jalapeño 1.27–1.56, Rubin 3.57–3.61 USD/h"
    assert cost["ratio"] == pytest.approx((0.35032 * 3.57 / 1.56, 0.35032 * 3.61 / 1.27), abs=1e-4)
    converted = rows.loc["All-in watts by which the chart became rates per chip"]
    assert converted["ratio"] == pytest.approx((0.35032, 0.35032 * 3337 / 3300), abs=1e-5)


def test_a_dollar_of_price_stays_a_gap(page: RubinPage) -> None:
    row = page.denominators().frame.iloc[-1]
    assert row["by"].startswith("per dollar of price")
    assert row[["mine", "theirs", "slow", "all"]].isna().all()


# ------------------------------------------------------------------ what Rubin would need


@pytest.mark.parametrize(
    ("model", "earlier", "lead", "watts", "needed"),
    [
        ("gpt-oss-120b", "gb200", 85448.45 / 44960.39, 1200, (2.851, 3.643)),
        ("deepseek-r1", "gb300", 19640.56 / 11780.79, 1400, (2.144, 2.739)),
        ("kimi-k2.5", "gb300", 18238.64 / 11861.52, 1400, (1.977, 2.526)),
    ],
)
def test_break_even_at_the_peaks(
    facts: Facts, model: str, earlier: str, lead: float, watts: float, needed: tuple[float, float]
) -> None:
    found = {(t.model, t.earlier): t for t in thresholds(facts, ("gb300", "gb200"))}
    peaks = found[model, earlier].peaks
    assert [p.low for p in peaks] == pytest.approx([lead * 1800 / watts, lead * 2300 / watts], rel=1e-5)
    assert [round(p.low, 3) for p in peaks] == list(needed)
    assert found["gpt-oss-120b", "gb300"].peaks == []


def test_break_even_names_the_missing_rows(page: RubinPage) -> None:
    frame = page.break_even().frame
    missing = frame[frame["where"] == "no single-token rows at this workload"]
    assert list(zip(missing["model"], missing["over"], strict=True)) == [("GPT-OSS 120B", "GB300")]
    start = frame[(frame["model"] == "DeepSeek R1") & (frame["over"] == "GB300")].iloc[1]
    mine, theirs = start["lead"], start["1800"]
    assert theirs == pytest.approx((mine[0] * 1800 / 1400,) * 2)
    assert round(mine[0], 2) == 3.92


def test_published_ratios_of_the_generations(facts: Facts) -> None:
    found = generations(facts, "gb300")
    ml = found[(found["benchmark"] == "MLPerf Inference v6.1") & (found["model"] == "deepseek-r1")]
    ratios = dict(zip(ml["scenario"], ml["ratio"], strict=True))
    by_hand = {"Interactive": 652750.1 / 253506, "Offline": 1183326.9 / 679740, "Server": 1175890.2 / 596944}
    assert ratios == pytest.approx(by_hand)
    assert {k: round(v, 2) for k, v in ratios.items()} == {"Interactive": 2.57, "Offline": 1.74, "Server": 1.97}
    oss = found[found["model"] == "gpt-oss-120b"]
    assert len(oss) == 3
    assert oss["ratio"].isna().all()
    agentx = found[found["benchmark"] == "InferenceX AgentX"].dropna(subset="speed_tok_s_user")
    speeds = dict(zip(agentx["speed_tok_s_user"], agentx["ratio"], strict=True))
    assert (round(speeds[100], 2), round(speeds[150], 1)) == (2.09, 7.2)


def test_mlperf_is_never_beside_other_benchmarks_nor_per_watt(page: RubinPage) -> None:
    apart, others = page.mlperf(), page.other_generations()
    assert apart.frame["what"].str.contains("MLPerf").all()
    assert not others.frame["what"].str.contains("MLPerf").any()
    assert not any("kW" in c.label or "watt" in c.label.lower() for c in apart.columns.values())


def test_a_ratio_per_gpu_where_the_counts_differ(data_copy: Path) -> None:
    set_cell(data_copy, "published", "mlperf-6.1-gb300-deepseek-r1-offline", "chips", "36")
    found = generations(load(data_copy), "gb300").set_index("rival_id")
    assert found.loc["mlperf-6.1-vr200-deepseek-r1-offline", "ratio"] == pytest.approx(1183326.9 / 679740 / 2)


def test_rubin_over_the_earlier_packages_in_the_rows(page: RubinPage) -> None:
    frame = page.rows_over_earlier().frame
    first = frame[frame["over"] == "GB300"].iloc[0]
    dump = [r for r in read(R1 / "inferencex-2026-07-20.csv") if (r["system"], r["speculation"]) == ("gb300", "mtp")]
    (row,) = [r for r in dump if abs(float(r["interactivity_median_tok_s_user"]) - first["speed"]) < 1e-6]
    expected = np.interp(first["speed"], *rubin()) / (float(row["total_tok_s_per_chip"]) / 9)
    assert first["ratio"] == pytest.approx(expected)


# ------------------------------------------------------------------ data that grow or shrink


def test_new_rows_with_totals_fill_the_page(data_copy: Path) -> None:
    """Kimi on Rubin, single-token and measured: half of Jalapeño's output per chip at each of its speeds."""
    add_rubin(data_copy, "kimi-k2.5")
    page = rubin_page(str(data_copy))
    assert [(o.model, o.like, o.digitised) for o in page.shared] == [
        ("deepseek-r1", False, True),
        ("kimi-k2.5", True, False),
    ]
    said = told(page)
    assert "On Kimi K2.5 at 60 tok/s per user, the throughput end" in said
    assert "1.29× with Rubin rated 1,800 W and 1.64× with Rubin rated 2,300 W, so Jalapeño leads there" in said
    assert "Rubin’s rows are independently-executed." in said
    assert "For GPT-OSS 120B no result of Rubin at this workload was found." in said
    assert "9 (independently-executed; single-token)" in set(page.coverage().frame["rows"])
    specs = [chart.to_dict() for chart in page.curves().charts]
    dashes = [{str(layer["mark"].get("strokeDash")) for layer in spec["layer"]} for spec in specs]
    assert "[6, 4]" in dashes[0]
    assert "[6, 4]" not in dashes[1]


def test_a_new_published_figure_fills_the_table(data_copy: Path) -> None:
    path = data_copy / "published.csv"
    rows = read(path)
    new = next(r for r in rows if r["published_id"] == "mlperf-6.1-gb300-gpt-oss-120b-offline")
    rows.append(new | {"published_id": "new", "system": "vr200", "value": "2249000"})
    write(path, rows)
    page = rubin_page(str(data_copy))
    frame = page.mlperf().frame
    assert dict(zip(frame["theirs"], frame["ratio"], strict=True))[2249000] == pytest.approx(2)
    assert "MLPerf Inference v6.1" in dict(page.coverage().frame[["model", "other"]].to_numpy())["GPT-OSS 120B"]


def test_without_the_table_of_published_figures(data_copy: Path) -> None:
    (data_copy / "published.csv").unlink()
    page = rubin_page(str(data_copy))
    assert "0.90× with Rubin rated 1,800 W" in told(page)
    assert [d.key for d in page.shared[0].denominators] == [
        "chip",
        "bandwidth",
        "package-1800",
        "package-2300",
        "all-in",
    ]
    assert page.published().frame.empty
    assert page.mlperf().frame.empty


def test_without_rows_of_rubin(data_copy: Path) -> None:
    (data_copy / "points/deepseek-r1/inferencex-rubin-2026-07.csv").unlink()
    page = rubin_page(str(data_copy))
    assert told(page).startswith("No published row of Rubin shares a model and a workload with Jalapeño’s")
    assert page.curves().charts == []
    assert "2.14–2.74×" in told(page)


def test_a_wrong_figure_is_told_with_its_line(data_copy: Path) -> None:
    set_cell(data_copy, "published", "vr200-stacks", "metric", "stacks")
    set_cell(data_copy, "published", "vr200-stacks", "system", "vr20")
    with pytest.raises(InputError) as caught:
        load(data_copy)
    lines = str(caught.value)
    assert "column 'metric': found 'stacks'" in lines
    assert "did you mean 'vr200'" in lines


def test_the_chart_says_what_it_draws(page: RubinPage) -> None:
    (chart,) = page.curves().charts
    assert isinstance(chart, alt.LayerChart)
    spec = chart.to_dict()
    assert spec["title"] == (
        "DeepSeek R1: 0.90× per kW at 1,800 W and 1.15× per kW at 2,300 W at the throughput end; 0.25–0.67× per chip "
        "over all speeds"
    )
    assert "At 65 tok/s per user: " in spec["description"]
    assert "divided by all-in 0.85 to 1.04, from 0.61 to 1.99 over all common speeds" in spec["description"]


def test_the_default_comparison_is_as_before(facts: Facts) -> None:
    comparison = compare(facts, question_of(facts, "deepseek-r1"))
    assert comparison.peak_ratio.low == pytest.approx(1.66717, abs=1e-5)
