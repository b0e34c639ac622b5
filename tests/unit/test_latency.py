"""Latency: main figures against an independent calculation from the files; sentences of altered data."""

from __future__ import annotations

import csv
import math
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from changed_data import edit_where, set_cell

from scoville import tables
from scoville.report import home_page, latency_page, model_page
from scoville.report.latency import LatencyPage

ROOT = Path(__file__).resolve().parents[2]
WATTS = {"jalapeno": 700, "b200": 1000, "b300": 1200, "gb200": 1200, "gb300": 1400, "mi355x": 1400}


@pytest.fixture(scope="module")
def page() -> LatencyPage:
    return latency_page("data")


def records(model: str, folder: Path = ROOT / "data") -> list[dict[str, str]]:
    """Every row of a model's files at 8K/1K and FP4."""
    return [
        row
        for file in sorted((folder / "points" / model).glob("*.csv"))
        for row in csv.DictReader(file.read_text(encoding="utf-8").splitlines())
        if (row["isl_nominal"], row["osl_nominal"], row["precision"]) == ("8192", "1024", "fp4")
    ]


def best(model: str, system: str, limit: float) -> float:
    """Highest single-token throughput per rated kW within a median TTFT, straight from the files.

    Of several runs of a configuration the one counts whose source was published last, then the one dated last.
    """
    sources = csv.DictReader((ROOT / "data/sources.csv").read_text(encoding="utf-8").splitlines())
    published = {row["source_id"]: row["published"] for row in sources}
    newest: dict[tuple[str, ...], dict[str, str]] = {}
    for row in sorted(records(model), key=lambda r: (published[r["source_id"]], r["date"])):
        if (row["system"], row["speculation"]) == (system, "none") and row["ttft_median_s"]:
            newest[tuple(row[c] for c in tables.CONFIGURATION)] = row
    within = [r for r in newest.values() if float(r["ttft_median_s"]) <= limit]
    return max(float(r["total_tok_s_per_chip"]) * 1000 / WATTS[system] for r in within)


def plain(shown: object) -> str:
    return BeautifulSoup(shown._repr_html_(), "html.parser").text  # type: ignore[attr-defined]


def alter(folder: Path, file: str, where: dict[str, str], values: dict[str, str]) -> int:
    """Change the rows of a points file that hold all of ``where``; returns how many."""
    return edit_where(folder / "points" / file, where, values)


# by hand: printed E2E ± 0.005 s, less 920.6 times the TBT that the printed tok/s per user allow
SPLITS = {
    ("gpt-oss-120b", "candidate"): (1.025 - 920.6 / 1458.5, 1.035 - 920.6 / 1459.5),
    ("gpt-oss-120b", "baseline"): (1.795 - 920.6 / 535.275, 1.805 - 920.6 / 535.285),
    ("deepseek-r1", "candidate"): (1.645 - 920.6 / 699.5, 1.655 - 920.6 / 700.5),
    ("deepseek-r1", "baseline"): (5.985 - 920.6 / 169.405, 5.995 - 920.6 / 169.415),
    ("kimi-k2.5", "candidate"): (1.555 - 920.6 / 693.5, 1.565 - 920.6 / 694.5),
    ("kimi-k2.5", "baseline"): (5.305 - 920.6 / 182.455, 5.315 - 920.6 / 182.465),
}


def test_every_printed_e2e_is_split_into_ttft_and_decode(page: LatencyPage) -> None:
    found = {(s.question.model, s.side): s.ttft() for s in page.waits.splits}
    assert set(found) == set(SPLITS)
    for key, (low, high) in SPLITS.items():
        assert (found[key].low, found[key].high) == pytest.approx((low, high), abs=1e-9), key
    assert found[("gpt-oss-120b", "baseline")].low == pytest.approx(0.0751, abs=1e-4)


def test_with_the_lengths_that_the_client_draws_the_split_finds_jalapenos_own_ttft(page: LatencyPage) -> None:
    medians = {"gpt-oss-120b": 0.3949, "deepseek-r1": 0.3232, "kimi-k2.5": 0.2224}  # of its rows of 22 August
    for split in page.waits.splits:
        if split.side == "candidate":
            assert split.is_drawn
            assert split.drawn.low == 930.3
            assert medians[split.question.model] in split.ttft(split.drawn)
    by_side = {(s.question.model, s.side): s for s in page.waits.splits}
    assert by_side[("gpt-oss-120b", "baseline")].is_drawn is False
    assert by_side[("kimi-k2.5", "baseline")].is_drawn is None


def test_the_public_means_of_gb200_give_its_ttft_and_its_true_length(page: LatencyPage) -> None:
    runs = [r for r in records("gpt-oss-120b") if r["system"] == "gb200" and r["concurrency"] == "1"]
    (run,) = [r for r in runs if r["source_id"] == "inferencex-run-20786863188"]
    e2e, tpot, ttft = (float(run[c]) for c in ("e2e_mean_s", "tpot_mean_s", "ttft_mean_s"))
    row = page.split_table().frame.iloc[1]
    assert f"{e2e - 920.6 * tpot:.3f}" == "0.082"
    assert row["public"].startswith("0.082")
    assert f"{(e2e - ttft) / tpot + 1:.0f} tokens" in row["public"]
    assert row["measured"] == "0.107 mean<br>0.105 median"
    # the rounding interval of 921.6 tokens misses it, that of a short run's lengths does not
    split = page.waits.splits[1]
    assert ttft not in split.ttft()
    assert ttft in split.ttft(split.short_run)


def test_the_nominal_length_would_make_every_baselines_ttft_negative(page: LatencyPage) -> None:
    # highest E2E less 1,023 of the shortest TBT
    ends = [1.805 - 1023 / 535.285, 5.995 - 1023 / 169.415, 5.315 - 1023 / 182.465]
    assert [f"{end:.2f}" for end in ends] == ["-0.11", "-0.04", "-0.29"]
    told = plain(page.lengths_told())
    assert "GB200 on GPT-OSS 120B, GB300 on DeepSeek R1 and GB300 on Kimi K2.5 would be negative" in told
    assert "at best −0.11, −0.04 and −0.29 s" in told


def test_implied_output_tokens_of_every_row(page: LatencyPage) -> None:
    means, medians = [], []
    for model in ("gpt-oss-120b", "deepseek-r1", "kimi-k2.5"):
        for row in records(model):
            if row["e2e_mean_s"]:
                means.append((float(row["e2e_mean_s"]) - float(row["ttft_mean_s"])) / float(row["tpot_mean_s"]) + 1)
            elif row["e2e_median_s"]:
                beyond = float(row["e2e_median_s"]) - float(row["ttft_median_s"])
                medians.append(beyond * float(row["interactivity_median_tok_s_user"]) + 1)
    told = plain(page.lengths_told())
    for values, name in ((means, "mean"), (medians, "median")):
        assert f"{len(values)} rows whose {name} TTFT, TPOT and E2E are known imply " in told
        assert f"imply {min(values):.0f} to {max(values):.0f} output tokens" in told
    assert len(means) == 268
    assert len(medians) == 36
    assert page.lengths_chart().to_dict()["title"].endswith("none the nominal 1,024")  # type: ignore[union-attr]
    assert "in 36 of Jalapeño’s 36 rows" in told


@pytest.mark.parametrize(
    ("model", "system", "values"),
    [
        ("gpt-oss-120b", "jalapeno", {0.5: 14547, 1: 28486, 2: 42388, 5: 58112, 10: 71600, math.inf: 85448}),
        ("deepseek-r1", "jalapeno", {0.5: 899, 1: 2744, 2: 7350, 5: 11133, 10: 14586, math.inf: 19641}),
        ("kimi-k2.5", "jalapeno", {0.5: 1024, 1: 1024, 2: 4117, 5: 10000, 10: 13343, math.inf: 18239}),
        ("gpt-oss-120b", "b200", {0.5: 50633, math.inf: 50633}),
        ("gpt-oss-120b", "gb200", {0.5: 40095, 2: 44375, 5: 44375, 10: 44960}),
        ("deepseek-r1", "gb300", {0.5: 516, 2: 982, 5: 11781}),
    ],
)
def test_best_throughput_within_a_limit(page: LatencyPage, model: str, system: str, values: dict[float, int]) -> None:
    (promise,) = [p for p in page.waits.promised[model] if p.whole.system == system and p.speculation == "none"]
    for limit, value in values.items():
        assert round(best(model, system, limit)) == value
        row = promise.known.peak if math.isinf(limit) and promise.known else promise.best[limit]
        assert row is not None
        assert row["high"] == pytest.approx(best(model, system, limit), rel=1e-9)
        if not math.isinf(limit):
            assert promise.stairs().query("ttft <= @limit")["value"].max() == pytest.approx(row["high"])


def test_lines_without_a_ttft_are_counted_and_not_compared(page: LatencyPage) -> None:
    count = sum(r["system"] != "jalapeno" for r in records("kimi-k2.5"))
    assert not any(r["ttft_median_s"] for r in records("kimi-k2.5") if r["system"] != "jalapeno")
    assert f"Kimi K2.5: no baseline’s row holds a TTFT (0 of {count}), so nothing is compared." in plain(
        page.promise_told()
    )
    counts = page.promise_table().frame.set_index(["model", "system", "decoding"])["count"]
    assert counts[("GPT-OSS 120B", "GB200", "single-token")] == "13 of 13"
    assert counts[("DeepSeek R1", "GB300", "multi-token (MTP)")] == "2 of 9"
    assert "GB300 (18)" in plain(page.gaps())


def test_held_to_the_wait_of_the_baselines_peak(page: LatencyPage) -> None:
    frame = page.held_table().frame  # type: ignore[union-attr]
    assert list(frame["baseline"]) == ["GB200", "GB300"]
    # GB200 at concurrency 512: 5.0277 s; Jalapeño's rows beside it: 3.1264 s and 6.0352 s
    part = (5.027682 - 3.126445) / (6.035206 - 3.126445)
    between = 40678.270625 + part * (50120.279415 - 40678.270625)
    assert frame["ratio"][0] == pytest.approx(40678.270625 / 0.7 / (53952.468 / 1.2), rel=1e-6)
    assert frame["linear"][0] == pytest.approx(between / 0.7 / (53952.468 / 1.2), rel=1e-5)
    assert frame["ratio"][1] == pytest.approx(5145.18659 / 0.7 / (16493.11158 / 1.4), rel=1e-6)
    assert all(frame["ratio"] < frame["linear"])
    assert all(frame["linear"] < frame["peaks"])


def test_littles_law_of_the_deepseek_baseline(page: LatencyPage) -> None:
    readings = page.readings().frame
    assert readings["flight"][1].startswith("4.04")
    # five in flight at 5.99 s: 5 × 8,294.4 / (5.99 × 34) tok/s per chip, over 1.4 kW
    value = 5 * 8294.4 / (5.99 * 34) / 1.4
    slack = 2 * (0.2 / math.sqrt(12) / 0.9) / math.sqrt(50)
    low, high = (5 * 8294.4 * (1 + f) / (e * 34) / 1.4 for f, e in ((-slack, 5.995), (slack, 5.985)))
    assert value == pytest.approx(145.5, abs=0.05)
    assert readings["value"][1] == pytest.approx((low, high), rel=1e-9)
    assert readings["all"][1] == pytest.approx((12257.5 / high, 12258.5 / low), rel=1e-9)
    assert 84.2 < 12258 / value < 84.3
    steady = 5 * 8294.4 / (164.54321359349814 * 34)
    assert readings["e2e"][1] == pytest.approx((steady * (1 - slack), steady * (1 + slack)), rel=1e-9)
    assert readings["e2e_ratio"][1] == pytest.approx(
        (steady * (1 - slack) / 1.655, steady * (1 + slack) / 1.645), rel=1e-9
    )


def test_shares_in_flight_of_public_rows(page: LatencyPage) -> None:
    shares = [
        float(r["total_tok_s_per_chip"]) * float(r["chips"]) * float(r["e2e_mean_s"]) / 8294.4 / float(r["concurrency"])
        for model in ("gpt-oss-120b", "deepseek-r1")
        for r in records(model)
        if r["e2e_mean_s"]
    ]
    assert f"In the {len(shares)} public rows with a mean E2E, {100 * min(shares):.0f} % to" in plain(
        page.flight_told()
    )
    assert min(shares) > 4.04 / 5
    assert len(page.flight_rows().frame) == 268 + 36


def test_the_finding(page: LatencyPage) -> None:
    shown = page.finding()._repr_html_()
    told = [p.text for p in BeautifulSoup(shown, "html.parser").find_all("p")]
    assert told == [
        "Jalapeño’s peaks of 85,448, 19,641 and 18,239 mixed tok/s per kW have a median TTFT of 24.4, 23.8 and 26.0 "
        "s; with one of at most 2 s its best rows give 42,388, 7,350 and 4,117. Within it the best public rows of "
        "other systems give 50,633 on GPT-OSS 120B (B200, 45 tok/s per user; 36 of 51 rows hold a TTFT; Jalapeño’s is "
        "0.84× that) and 11,610 on DeepSeek R1 (B300, 33 tok/s per user; 8 of 20 rows hold a TTFT; Jalapeño’s is "
        "0.63× that). On Kimi K2.5 no other system’s row holds a TTFT within it.",
        "Within 2 s the appendix’ baselines give 44,375 on GPT-OSS 120B (GB200, 72 tok/s per user; 13 of 13 rows hold "
        "a TTFT; Jalapeño’s is 0.96× that) and 982 on DeepSeek R1 (GB300, 109 tok/s per user; 8 of 18 rows hold a "
        "TTFT; Jalapeño’s is 7.49× that). Held to the median TTFT of the baseline’s own peak (5.0 and 2.3 s; GB200 on "
        "GPT-OSS 120B and GB300 on DeepSeek R1), peak over peak goes from 1.90× and 1.67× to 1.29× and 0.62× by "
        "Jalapeño’s best measured rows (1.49× and 0.69× read between rows), at 304 and 207 tok/s per user against the "
        "baseline’s 68 and 22.",
        "On GPT-OSS 120B the printed 1.7× lower E2E comes from decode alone: Jalapeño’s first token comes later than "
        "GB200’s, 0.395 s against 0.105 s (medians of public rows; 0.40 and 0.08 s by the split of the printed means).",
        "The DeepSeek R1 baseline’s printed E2E and its throughput mean 4.04 requests in flight where 5 are held; with "
        "all of them in flight either the printed 104.3× would be 83–86× or the printed 3.6× lower E2E 4.4–4.6×.",
    ]


def test_a_shorter_printed_e2e_takes_the_first_sentence_away(data_copy: Path) -> None:
    # 0.72 s leaves Jalapeño 0.09 s before the first token, about as much as GB200 has
    set_cell(data_copy, "claims", "002.gpt-oss-120b.e2e.candidate", "printed", "0.72")
    told = plain(latency_page(str(data_copy)).finding())
    assert "comes from decode alone" not in told
    assert "No printed E2E shows Jalapeño’s first token to come later than the baseline’s." in told


def test_a_printed_e2e_that_fits_takes_the_last_sentence_away(data_copy: Path) -> None:
    set_cell(data_copy, "claims", "002.deepseek-r1.e2e.baseline", "printed", "7.21")
    changed = latency_page(str(data_copy))
    assert "requests in flight where" not in plain(changed.finding())
    assert "less than in any of them" not in plain(changed.flight_told())
    assert "of their stated requests in flight" in changed.flight_chart().to_dict()["title"]  # type: ignore[union-attr]


def test_the_promise_follows_the_rows(data_copy: Path) -> None:
    where = {"system": "jalapeno", "concurrency": "128", "parallelism": "TP1 EP8"}
    assert alter(data_copy, "gpt-oss-120b/jalapeno-2026-08.csv", where, {"ttft_median_s": "2.5"}) == 1
    changed = latency_page(str(data_copy))
    assert "its best rows give 28,486, 7,350 and 4,117" in plain(changed.finding())
    # B200's rows with TTFT reach 50,633: the row at concurrency 256 passes it, at 3.13 s until its TTFT is another
    assert "From 3.1 s on Jalapeño’s best row is the highest" in plain(changed.promise_told())
    where["concurrency"] = "256"
    assert alter(data_copy, "gpt-oss-120b/jalapeno-2026-08.csv", where, {"ttft_median_s": "4.2"}) == 1
    assert "From 4.2 s on" in plain(latency_page(str(data_copy)).promise_told())


def test_a_longer_printed_e2e_makes_the_nominal_length_possible(data_copy: Path) -> None:
    set_cell(data_copy, "claims", "002.deepseek-r1.e2e.baseline", "printed", "6.20")
    told = plain(latency_page(str(data_copy)).lengths_told())
    assert "the TTFT of GB200 on GPT-OSS 120B and GB300 on Kimi K2.5 would be negative, at best −0.11 and −0.29" in told


def test_prints_of_one_tbt_that_share_no_number_are_not_split(data_copy: Path) -> None:
    set_cell(data_copy, "claims", "002.kimi-k2.5.speed.candidate", "printed", "600")
    found = {(s.question.model, s.side) for s in latency_page(str(data_copy)).waits.splits}
    assert ("kimi-k2.5", "candidate") not in found
    assert len(found) == 5


def test_without_the_candidate_there_is_no_finding(data_copy: Path) -> None:
    for path in (data_copy / "points").rglob("jalapeno-*.csv"):
        path.unlink()
    changed = latency_page(str(data_copy))
    assert "no latency of the default candidate" in changed.finding()._repr_html_()


def test_without_claims_there_is_no_comparison_to_take_up(data_copy: Path) -> None:
    path = data_copy / "claims.csv"
    path.write_text(path.read_text(encoding="utf-8").splitlines()[0] + "\n", encoding="utf-8")
    changed = latency_page(str(data_copy))
    assert "no latency of the default candidate" in plain(changed.finding())
    assert "No document prints" in plain(changed.split_chart())


def test_a_first_token_that_public_rows_show_earlier_is_not_called_later(data_copy: Path) -> None:
    where = {"system": "jalapeno", "parallelism": "TP4"}
    assert alter(data_copy, "gpt-oss-120b/jalapeno-2026-08.csv", where, {"ttft_median_s": "0.05"}) == 1
    assert "comes later" not in plain(latency_page(str(data_copy)).finding())


def test_a_peak_without_a_ttft_takes_its_paragraph_and_no_nan_away(data_copy: Path) -> None:
    where = {"system": "jalapeno", "concurrency": "2048"}
    assert alter(data_copy, "kimi-k2.5/jalapeno-2026-08.csv", where, {"ttft_median_s": ""}) == 1
    told = plain(latency_page(str(data_copy)).finding())
    assert "nan" not in told
    assert "have a median TTFT" not in told
    assert home_page(str(data_copy))._peak_ttft(home_page(str(data_copy)).comparisons()) == ""


def test_the_reader_can_ask_for_a_speed_as_well(page: LatencyPage) -> None:
    spec = page.promise_charts().charts[0].to_dict()
    (least,) = [p for p in spec["params"] if p["name"] == "least"]
    assert least["value"] == 0
    assert least["bind"]["input"] == "radio"
    assert least["bind"]["options"] == [0, 20, 50, 100]
    (promise,) = [p for p in page.waits.promised["gpt-oss-120b"] if p.whole.system == "gb200"]
    # of GB200's rows the best one at 100 tok/s per user or more: 37,238 tok/s per chip on six chips, 512 at a time
    assert promise.stairs(100)["value"].max() == pytest.approx(37238.345 / 1.2, rel=1e-6)


def test_the_caveat_at_the_peak_follows_the_rows(data_copy: Path) -> None:
    def told() -> str:
        return plain(model_page("gpt-oss-120b", "jalapeno", "gb200", "package", "none", str(data_copy)).caveats())

    assert "highest throughput the median TTFT is 24.4 s of a median E2E of 34.0 s, at a concurrency of 2,048" in told()
    where = {"system": "jalapeno", "concurrency": "2048"}
    assert alter(data_copy, "gpt-oss-120b/jalapeno-2026-08.csv", where, {"ttft_median_s": "16.5"}) == 1
    assert "mostly waits" not in told()
