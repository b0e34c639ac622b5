"""Power basis: main figures against an independent calculation from the files, and sentences that follow the data."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import numpy as np
import pytest
from bs4 import BeautifulSoup
from changed_data import edit_points, set_cell

from scoville.book import models_of
from scoville.facts import Facts
from scoville.report import power_page
from scoville.report.page import Html
from scoville.report.power import PowerPage
from scoville.site.mime import static_svg

ROOT = Path(__file__).resolve().parents[2]
RATED = {"jalapeno": 700, "gb200": 1200, "gb300": 1400, "b200": 1000, "b300": 1200, "mi355x": 1400}
PAIRS = {"gpt-oss-120b": "gb200", "deepseek-r1": "gb300", "kimi-k2.5": "gb300"}
ALL_IN = {"gb200": 1870, "gb300": 2120}


@pytest.fixture(scope="module")
def page() -> PowerPage:
    """The page of the committed data."""
    return power_page("data")


def rows(model: str, system: str) -> list[dict[str, str]]:
    """Single-token FP4 rows at 8K/1K, straight from the files; single runs stand in the dump of July as well."""
    found = [
        row
        for file in sorted((ROOT / "data/points" / model).glob("*.csv"))
        if "-run-" not in file.name
        for row in csv.DictReader(file.read_text(encoding="utf-8").splitlines())
    ]
    return [r for r in found if (r["system"], r["speculation"], r["precision"]) == (system, "none", "fp4")]


def per_chip(model: str) -> float:
    """Highest tok/s per chip of Jalapeño over that of the appendix' baseline."""
    best = [max(float(r["total_tok_s_per_chip"]) for r in rows(model, s)) for s in ("jalapeno", PAIRS[model])]
    return best[0] / best[1]


def told(shown: Html) -> str:
    return BeautifulSoup(shown.body, "html.parser").text


@pytest.mark.parametrize(
    ("model", "rated", "low", "middle", "high", "chip"),
    [
        ("gpt-oss-120b", 1.90, 1.84, 1.66, 1.51, 1.11),
        ("deepseek-r1", 1.67, 1.57, 1.41, 1.29, 0.83),
        ("kimi-k2.5", 1.54, 1.45, 1.30, 1.19, 0.77),
    ],
)
def test_the_peaks_on_every_basis(
    page: PowerPage, model: str, rated: float, low: float, middle: float, high: float, chip: float
) -> None:
    pair, ratio, theirs = (model, PAIRS[model]), per_chip(model), PAIRS[model]
    for basis, watts in {"package": (700, 700, RATED[theirs]), "all-in": (1125, 1375, ALL_IN[theirs])}.items():
        found = page.peak(pair, basis)
        assert found is not None
        assert found.high == pytest.approx(ratio * watts[2] / watts[0], rel=1e-9)
        assert found.low == pytest.approx(ratio * watts[2] / watts[1], rel=1e-9)
    assert page.peak(pair, "measured") is None
    assert [round(page.peak(pair, b).high, 2) for b in ("package", "all-in", "chip")] == [rated, low, chip]  # type: ignore[union-attr]
    assert round(page.peak(pair, "all-in").low, 2) == high  # type: ignore[union-attr]
    assert ratio * ALL_IN[theirs] / 1250 == pytest.approx(middle, abs=0.006)


def test_the_finding(page: PowerPage) -> None:
    assert told(page.finding()) == (
        "Jalapeño’s peaks over the baselines of OpenAI’s appendix (GPT-OSS 120B, DeepSeek R1 and Kimi K2.5) are "
        "1.90×, 1.67× and 1.54× per rated kW, 1.51–1.84×, 1.29–1.57× and 1.19–1.45× per all-in kW and 1.11×, 0.83× "
        "and 0.77× per chip. They fall below 1 per chip on DeepSeek R1 and Kimi K2.5. Per measured kW there is no "
        "ratio: no row of Jalapeño, GB200 and GB300 behind them holds watts.At equal speed the lowest ratio on any of "
        "these bases is 1.18× (Kimi K2.5, per chip, at 60 tok/s per user). A rating is not a draw: the public rows of "
        "B200 go from 31 % of its rating (GPT-OSS 120B, 0.5 per chip, implied) to 98 % of its rating (Qwen3.5 "
        "397B-A17B, 80 per chip, read); those of one configuration (Qwen3.5 397B-A17B, TP4, sglang, FP8) from 44 % to "
        "98 %."
    )


def test_other_watts_turn_other_peaks(data_copy: Path) -> None:
    set_cell(data_copy, "systems", "jalapeno", "all_in_power_high_w", "1700")
    set_cell(data_copy, "systems", "gb200", "package_power_w", "600")
    finding = told(power_page(str(data_copy)).finding())
    # 1.1086 × 600 / 700; 0.7688 × 2120 / 1700 and 0.8336 × 2120 / 1700
    assert "0.95×, 1.67× and 1.54× per rated kW" in finding
    assert "1.04–1.57× and 0.96–1.45× per all-in kW" in finding
    assert "They fall below 1 per rated kW on GPT-OSS 120B, per all-in kW on Kimi K2.5 and per chip on" in finding


def write_watts(folder: Path, systems: tuple[str, ...], watts: str) -> None:
    """The same measured watts for every row of some systems; blank takes them away."""
    edit_points(folder, lambda row: row | {"chip_power_mean_w": watts} if row["system"] in systems else row)


def test_measured_rows_of_both_sides_close_the_gap(data_copy: Path) -> None:
    write_watts(data_copy, ("jalapeno",), "550")
    write_watts(data_copy, ("gb200", "gb300"), "1100")
    page = power_page(str(data_copy))
    finding = told(page.finding())
    assert "2.22×, 1.67× and 1.54× per measured kW" in finding  # twice the ratio per chip
    assert "there is no ratio" not in finding
    table = page.bases_table().frame
    assert not table[table["basis"] == "per measured kW"]["behind"].str.contains("not known").any()
    assert "What Jalapeño drew" not in page.gaps().body


def test_without_measured_rows_nothing_is_said_of_draw(data_copy: Path) -> None:
    write_watts(data_copy, (*RATED, "h200", "mi325x"), "")
    page = power_page(str(data_copy))
    assert "A rating is not a draw" not in told(page.finding())
    assert page.shares().charts == []
    assert "No two systems" in page.measured_finding().body


def test_without_the_candidate_there_is_no_finding(data_copy: Path) -> None:
    for path in (data_copy / "points").rglob("jalapeno-*.csv"):
        path.unlink()
    assert "no comparison of the default candidate" in power_page(str(data_copy)).finding().body


def test_the_slow_end_is_read_on_the_baselines_pareto_set(page: PowerPage) -> None:
    """Kimi K2.5 per chip: Jalapeño's peak over GB300 at that speed, by numpy on a Pareto set found by brute force."""
    mine = max(rows("kimi-k2.5", "jalapeno"), key=lambda r: float(r["total_tok_s_per_chip"]))
    points = [
        (float(r["interactivity_median_tok_s_user"]), float(r["total_tok_s_per_chip"]))
        for r in rows("kimi-k2.5", "gb300")
    ]
    best = sorted(p for p in points if not any(q[0] >= p[0] and q[1] >= p[1] and q != p for q in points))
    speed = float(mine["interactivity_median_tok_s_user"])
    expected = float(mine["total_tok_s_per_chip"]) / np.interp(speed, *zip(*best, strict=True))
    table = page.bases_table().frame
    row = table[(table["model"] == "Kimi K2.5") & (table["basis"] == "per chip")].iloc[0]
    assert row["slow"][0][0] == pytest.approx(expected, rel=1e-9)
    assert row["slow"] == row["own"]  # the overlap begins where Jalapeño peaks
    assert 1.18 < row["slow"][1][0] < row["slow"][0][0] < 1.19
    assert row["behind"] == "at the peaks"


def test_the_gap_stays_visible_with_its_reason(page: PowerPage) -> None:
    table = page.bases_table().frame
    row = table[(table["model"] == "DeepSeek R1") & (table["basis"] == "per measured kW")].iloc[0]
    assert row["peak"] is None
    assert "no watts: 0 of 17 rows of Jalapeño, 0 of 26 rows of GB300" in row["behind"]
    described = page.bases().to_dict()["description"]
    assert "DeepSeek R1 over GB300, per measured kW: not published" in described


def test_a_second_rating_is_a_choice(page: PowerPage) -> None:
    table = page.every_line().frame
    row = table[(table["model"] == "DeepSeek R1") & (table["system"] == "B300")].iloc[0]
    peaks = [max(float(r["total_tok_s_per_chip"]) for r in rows("deepseek-r1", s)) for s in ("jalapeno", "b300")]
    assert row["other"][0] == pytest.approx(peaks[0] / peaks[1] * 1100 / 700, rel=1e-9)
    assert round(row["other"][0], 2) == 1.38
    assert table[table["system"] != "B300"]["other"].isna().all()
    gpt = table[(table["model"] == "GPT-OSS 120B") & (table["system"] == "GB200")].iloc[0]
    assert gpt["equal"] == pytest.approx(per_chip("gpt-oss-120b") * 1200, rel=1e-9)


def shown_ratios(spec: dict[str, object]) -> list[str]:
    return re.findall(r">([\d.]+×|no ratio)</text>", static_svg(spec, "light"))


def test_typed_watts_move_the_ratios_and_begin_at_the_ratings(page: PowerPage) -> None:
    spec = page.own_watts().to_dict()
    rated = [f"{peak[0]:.2f}×" for peak in page.every_line().frame["package"]]
    assert sorted(shown_ratios(spec)) == sorted(rated)
    watts = {p["name"]: p for p in spec["params"] if "bind" in p}
    assert {name: p["value"] for name, p in watts.items() if name in ("watts_jalapeno", "watts_gb300")} == {
        "watts_jalapeno": 700,
        "watts_gb300": 1400,
    }
    assert {p["bind"]["input"] for p in watts.values()} == {"number"}
    watts["watts_jalapeno"]["value"] = "1250"  # a browser hands over text
    watts["watts_gb300"]["value"] = "2120"
    assert {f"{per_chip(m) * 2120 / 1250:.2f}×" for m in ("deepseek-r1", "kimi-k2.5")} <= set(shown_ratios(spec))
    watts["watts_jalapeno"]["value"] = ""
    assert set(shown_ratios(spec)) == {"no ratio"}


def test_the_stated_draw_meets_no_rating(page: PowerPage) -> None:
    assert "at or below 550 W: 79 % of its rating" in told(page.stated_draw())
    assert "none of the 86 rows of the appendix’ baselines hold one" in told(page.stated_draw())
    table = page.if_measured().frame  # type: ignore[union-attr]
    assert [round(w) for w in table["same"]] == [943, 1100, 1100]  # 550 / 700 of 1,200 and 1,400 W
    assert table["equal"].iloc[0] == pytest.approx(550 / per_chip("gpt-oss-120b"), rel=1e-9)
    assert [round(r, 2) for r in table["full"]] == [2.42, 2.12, 1.96]
    assert table["scale"].iloc[2] == "B200 93 %, B300 80 %"


def test_a_lower_stated_draw_needs_a_lower_one_of_the_baseline(data_copy: Path) -> None:
    set_cell(data_copy, "claims", "002.sustained-power.jalapeno", "printed", "350")
    page = power_page(str(data_copy))
    assert "at or below 350 W: 50 % of its rating" in told(page.stated_draw())
    assert list(page.if_measured().frame["same"]) == [600, 700, 700]  # type: ignore[union-attr]


def test_every_row_with_watts_is_a_mark_and_its_share_is_of_the_rating(page: PowerPage) -> None:
    found = [
        row
        for file in (ROOT / "data/points").rglob("*.csv")
        for row in csv.DictReader(file.read_text(encoding="utf-8").splitlines())
        if row["chip_power_mean_w"]
    ]
    first, second = (chart.to_dict() for chart in page.shares().charts)
    drawn = [
        {
            (r["name"], r["model"], r["configuration"], r["concurrency"], r["watts"])
            for rows_ in spec["datasets"].values()
            for r in rows_
            if "watts" in r
        }
        for spec in (first, second)
    ]
    assert len(page.draw) == len(found) == len(drawn[0]) + len(drawn[1]) == 155
    shares = [float(r["chip_power_mean_w"]) / 1000 for r in found if r["system"] == "b200"]
    assert (round(min(shares), 4), round(max(shares), 4)) == (0.3148, 0.9789)
    assert (
        first["title"] == "B200 draws from 31 % of its rating at 0.5 requests per chip (implied) to 98 % at 80 (read)"
    )
    above = [r for r in found if float(r["chip_power_mean_w"]) > {"h200": 700, "mi325x": 1000}.get(r["system"], 1e9)]
    assert f"{len(above)} of {len(drawn[1])} rows come out above it, all of them implied" in second["title"]
    assert len(above) == 10


def test_measured_pairs_take_the_same_rows_on_both_bases(page: PowerPage) -> None:
    table = page.measured_pairs().frame  # type: ignore[union-attr]
    row = table[table["pair"] == "B300 over B200"].iloc[0]
    have = {s: [r for r in rows("kimi-k2.5", s) if r["chip_power_mean_w"]] for s in ("b200", "b300")}
    top = {s: max(have[s], key=lambda r: float(r["total_tok_s_per_chip"])) for s in have}
    rate = {s: float(top[s]["total_tok_s_per_chip"]) for s in have}
    draw = {s: float(top[s]["chip_power_mean_w"]) for s in have}
    assert row["rated"] == pytest.approx(rate["b300"] / RATED["b300"] / (rate["b200"] / RATED["b200"]), rel=1e-9)
    # one pair of rows on both bases: the step between them is that of the shares
    share = {s: draw[s] / RATED[s] for s in have}
    assert row["measured"] == pytest.approx(row["rated"] * share["b200"] / share["b300"], rel=1e-9)
    assert row["shares"] == f"{100 * share['b300']:.0f} % and {100 * share['b200']:.0f} %"
    assert row["known"] == "11 of 11 and 11 of 16"
    assert not table["pair"].str.contains("Jalapeño").any()
    finding = told(page.measured_finding())
    assert (
        "moves one most, and turns their order: MI355X over B200 on Kimi K2.5 is 0.76× per rated kW and 1.26×"
        in finding
    )


def test_watts_that_fall_with_load_are_doubted(page: PowerPage) -> None:
    """MI355X on DeepSeek R1: 319 W at concurrency 4 and 269 W at 32 on four chips."""
    table = page.measured_pairs().frame  # type: ignore[union-attr]
    (doubt,) = table[(table["model"] == "DeepSeek R1") & (table["pair"] == "MI355X over B200")]["doubt"]
    assert "less at the highest load than at the lowest" in doubt
    assert "DeepSeek R1" not in told(page.measured_finding())


def test_the_gaps_name_what_was_measured_elsewhere(page: PowerPage) -> None:
    gaps = told(page.gaps())
    assert "What Jalapeño drew: no row of it at any load holds watts." in gaps
    assert "GB200 drew at this workload: its 4 measured rows are of Qwen3.5 397B-A17B, multi-token (MTP)" in gaps
    assert "at 29 % to 50 % of its rating" in gaps  # 342.033 and 597.199 W of 1,200
    assert "10 of 133 (H200 SXM and MI325X) come out above the rating" in gaps
    assert "1,125–1,375 W" in gaps
    assert "MLPerf" in gaps


def test_a_model_of_which_only_watts_are_known_gets_no_page(facts: Facts) -> None:
    assert "qwen3.5" in set(facts.points["model"])
    assert models_of(facts) == ["gpt-oss-120b", "deepseek-r1", "kimi-k2.5"]
