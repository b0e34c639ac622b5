"""Predictions beside the baselines: figures against the rows of the files, read by other code."""

from __future__ import annotations

import importlib.util
import re
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from bs4 import BeautifulSoup
from changed_data import Row, edit, write
from changed_data import read as rows

from scoville.audit import audit
from scoville.book import EVIDENCE_STOPS, pages, parts, question_of, questions
from scoville.compare import compare
from scoville.facts import Facts, load
from scoville.problems import InputError
from scoville.report import predictions_page, sources_page
from scoville.report.predictions import PredictionsPage

ROOT = Path(__file__).resolve().parents[2]
RATED = {"gb200": 1200, "gb300": 1400}
BASELINE = {"gpt-oss-120b": "gb200", "deepseek-r1": "gb300", "kimi-k2.5": "gb300"}
Curve = tuple[np.ndarray, np.ndarray]


def best(found: set[tuple[float, float]]) -> Curve:
    """Pareto set by comparing every pair."""
    kept = sorted(p for p in found if not any(q[0] >= p[0] and q[1] >= p[1] and q != p for q in found))
    return np.array([p[0] for p in kept]), np.array([p[1] for p in kept])


def measured(model: str) -> Curve:
    found = set()
    for file in (ROOT / "data/points" / model).glob("*.csv"):
        if "-api-" in file.name or "-run-" in file.name:  # the same configurations as the dump, published earlier
            continue
        for row in rows(file):
            if (row["system"], row["speculation"], row["precision"]) == (BASELINE[model], "none", "fp4"):
                value = float(row["total_tok_s_per_chip"]) * 1000 / RATED[row["system"]]
                found.add((float(row["interactivity_median_tok_s_user"]), value))
    return best(found)


def modelled(
    model: str,
    engine: str = "trtllm",
    disaggregated: str = "true",
    budget: str | None = "72",
    discounted: str = "true",
) -> Curve:
    return best(
        {
            (float(r["interactivity_tok_s_user"]), float(r["total_tok_s_per_chip"]) * 1000 / RATED[r["system"]])
            for r in rows(ROOT / f"data/predictions/{model}.csv")
            if (r["engine"], r["disaggregated"], r["discounted"]) == (engine, disaggregated, discounted)
            and budget in (None, r["chips_budget"])
        }
    )


def ratios(mine: Curve, theirs: Curve) -> list[float]:
    """At the measured speeds that both cover, linear."""
    return [float(np.interp(x, *mine) / y) for x, y in zip(*theirs, strict=True) if mine[0][0] <= x <= mine[0][-1]]


def told(page: PredictionsPage) -> str:
    return BeautifulSoup(page.finding().body, "html.parser").text


@pytest.fixture(scope="module")
def page() -> PredictionsPage:
    return predictions_page("data")


@pytest.mark.parametrize("model", BASELINE)
def test_the_rows_hold_together(model: str) -> None:
    """Identities of the tool's own definitions; its digits are three decimals of requests per second."""
    for row in rows(ROOT / f"data/predictions/{model}.csv"):
        number = {k: float(v) for k, v in row.items() if v and k.endswith(("_s", "chip", "user", "chips", "sl"))}
        assert row["evidence"] == "modelled"
        assert (number["isl"], number["osl"]) == (7373, 922)
        assert number["tpot_s"] * number["interactivity_tok_s_user"] == pytest.approx(1, rel=1e-3)
        assert number["ttft_s"] + 921 * number["tpot_s"] == pytest.approx(number["e2e_s"], rel=1e-3)
        share = number["output_tok_s_per_chip"] / number["total_tok_s_per_chip"]
        assert share == pytest.approx(922 / 8295, rel=1e-3)
        # Little's law; disaggregated rows are discounted by up to a tenth
        requests = number["total_tok_s_per_chip"] * number["chips"] * number["e2e_s"] / 8295
        assert 0.8 < requests / float(row["concurrency"]) < (1.06 if row["discounted"] == "true" else 1.13)
        assert number["chips"] <= float(row["chips_budget"])
        if row["disaggregated"] == "true":
            assert number["prefill_chips"] + number["decode_chips"] == number["chips"]


@pytest.mark.parametrize("model", BASELINE)
def test_ratios_at_the_measured_points(page: PredictionsPage, model: str) -> None:
    expected = ratios(modelled(model), measured(model))
    assert list(page.predictions[model].table["ratio_low"]) == pytest.approx(expected, rel=1e-9)
    shown = page.ratios().frame
    shown = shown[shown["model"] == page.model_name(model)]
    assert len(shown) == len(measured(model)[0])  # what is not predicted stays, as a gap
    assert [r[0] for r in shown["linear"].dropna()] == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("model", BASELINE)
def test_another_engine_and_another_budget(page: PredictionsPage, model: str) -> None:
    choices = dict(zip(page.choices().frame["choice"], page.choices().frame[model], strict=True))
    for choice, other in (
        ("SGLang instead", modelled(model, "sglang")),
        ("On at most 8 chips", modelled(model, budget="8")),
        ("Without the tool’s discounts", modelled(model, discounted="false")),
        ("Aggregated over the disaggregated baseline (unlike)", modelled(model, disaggregated="false", budget=None)),
    ):
        low, high = (float(end) for end in choices[choice].rstrip("×").split("–"))
        expected = ratios(other, measured(model))
        assert low <= min(expected) + 0.005  # the monotone cubic may reach a little further
        assert high >= max(expected) - 0.005
        assert low == pytest.approx(min(expected), rel=0.08)
        assert high == pytest.approx(max(expected), rel=0.08)


def test_the_far_ends(page: PredictionsPage) -> None:
    """The rate of one request in the lightest row, times the measured requests per chip."""
    frame = page.far_ends().frame
    for model, (requests, chips) in {"gpt-oss-120b": (1, 9), "deepseek-r1": (5, 34), "kimi-k2.5": (4, 36)}.items():
        mine = frame[frame["model"] == page.model_name(model)]
        assert (mine.iloc[0]["requests"], mine.iloc[0]["chips"]) == (requests, chips)
        assert mine.iloc[0]["value"] == pytest.approx(measured(model)[1][-1], rel=1e-9)
        for row, kind, budget in ((mine.iloc[1], "true", "72"), (mine.iloc[2], "false", None)):
            found = [
                r
                for r in rows(ROOT / f"data/predictions/{model}.csv")
                if (r["engine"], r["disaggregated"], r["discounted"]) == ("trtllm", kind, "true")
                and budget in (None, r["chips_budget"])
            ]
            load_of = {id(r): float(r["concurrency"]) / float(r["chips"]) for r in found}
            least = [r for r in found if load_of[id(r)] == min(load_of.values())]
            one = max(least, key=lambda r: float(r["interactivity_tok_s_user"]))
            each = float(one["total_tok_s_per_chip"]) * float(one["chips"]) / float(one["concurrency"])
            expected = each * requests / chips / (RATED[BASELINE[model]] / 1000)
            assert row["expected"] == pytest.approx(expected, rel=1e-9)
            assert row["ratio"] == pytest.approx(expected / measured(model)[1][-1], rel=1e-9)


def test_the_finding(page: PredictionsPage) -> None:
    assert told(page).startswith(
        "NVIDIA’s own model of its chips, aiconfigurator 0.12.0, expects (modelled) 0.59–0.84× of what was measured on "
        "the appendix’ baseline of GPT-OSS 120B, 0.30–0.80× for DeepSeek R1 and 0.19–0.68× for Kimi K2.5, at the "
        "measured speeds that both cover: nowhere more than was measured. Both are disaggregated; modelled is "
        "TensorRT-LLM on at most 72 chips, measured were 4–6, 20–72 and 24–64 chips, with another engine at 5 of 12 "
        "points of DeepSeek R1."
    )
    second = BeautifulSoup(page.finding().body, "html.parser").find_all("p")[1].text
    assert second == (
        "Over measured rows of TensorRT-LLM alone it is 0.30–0.77× for DeepSeek R1 (modelled). On at most 8 chips it "
        "would be 0.49–0.74×, 0.14–0.39× and 0.10–0.33× (modelled). Without the tool’s own discounts on throughput and "
        "latency it would be 0.76–1.10×, 0.39–1.14× and 0.26–1.10× (modelled), more than was measured at 5 of 8 points "
        "of GPT-OSS 120B, 1 of 13 points of DeepSeek R1 and 1 of 10 points of Kimi K2.5. With SGLang instead it "
        "expects 0.37–0.54×, 0.39–2.16× and 0.28–1.30× (modelled), more than was measured at 5 of 15 points of "
        "DeepSeek R1 and 3 of 10 points of Kimi K2.5."
    )
    for model, (over, count) in {"gpt-oss-120b": (5, 8), "deepseek-r1": (1, 13), "kimi-k2.5": (1, 10)}.items():
        undiscounted = ratios(modelled(model, discounted="false"), measured(model))
        assert (sum(r > 1 for r in undiscounted), len(undiscounted)) == (over, count)
    above = [r for r in ratios(modelled("deepseek-r1", "sglang"), measured("deepseek-r1")) if r > 1]
    assert len(above) == 5
    assert "both lie above the baseline’s (44,960 mixed tok/s per kW at 68 tok/s per user)" in told(page)
    # fewest requests per chip: on 72 chips 62/64, 16/66 and 16/68; on 8 chips 1/6 of DeepSeek and 1/8 of Kimi
    assert (
        "would give 270, 116 and 99 (modelled, from the disaggregated row with the fewest requests per chip on at "
        in (told(page))
    )
    assert "on at most 72 chips; on at most 8 chips 270, 111 and 95)." in told(page)


def test_every_sentence_with_a_modelled_ratio_says_so(page: PredictionsPage) -> None:
    for other in (
        page,
        predictions_page("data", discounted=False),
        predictions_page("data", engine="sglang", budget=8),
    ):
        for paragraph in BeautifulSoup(other.finding().body, "html.parser").find_all("p"):
            assert "modelled" in paragraph.text
            for sentence in re.split(r"(?<=[.])\s+(?=[A-Z])", paragraph.text):
                if "×" in sentence or "mixed tok/s per kW" in sentence:
                    assert "modelled" in sentence, sentence


def test_more_than_measured_says_at_how_many_points() -> None:
    first = BeautifulSoup(predictions_page("data", discounted=False).finding().body, "html.parser").p
    assert first is not None
    assert (
        "more than was measured at 5 of 8 points of GPT-OSS 120B, 1 of 13 points of DeepSeek R1 and 1 of 10"
        in first.text
    )


def test_wrong_parameters_are_refused_all_at_once() -> None:
    with pytest.raises(InputError) as caught:
        predictions_page("data", engine="tgi", budget="72", discounted="no")
    told_ = str(caught.value)
    assert "column 'engine': found 'tgi'; expected an engine with predicted rows; valid: sglang, trtllm, vllm" in told_
    assert "column 'budget': found '72'; expected a number of chips" in told_
    assert "valid: 8, 72" in told_
    assert "column 'discounted': found 'no'; expected True or False" in told_
    assert len(caught.value.problems) == 3


@pytest.mark.parametrize(
    ("name", "value"),
    [("engine", ""), ("engine", "TRTLLM"), ("budget", 16), ("budget", True), ("budget", 72.5), ("discounted", 1)],
)
def test_a_single_wrong_parameter_is_named(name: str, value: Any) -> None:
    with pytest.raises(InputError) as caught:
        predictions_page("data", **{name: value})
    assert [p.column for p in caught.value.problems] == [name]


def test_valid_values_come_from_the_data(data_copy: Path) -> None:
    for path in (data_copy / "predictions").glob("*.csv"):
        edit(path, lambda row: row if row["engine"] == "trtllm" and row["chips_budget"] == "72" else None)
    with pytest.raises(InputError, match=r"valid: trtllm$"):
        predictions_page(str(data_copy), engine="sglang")
    with pytest.raises(InputError, match=r"valid: 72$"):
        predictions_page(str(data_copy), budget=8)


@pytest.mark.parametrize("asked", [{"budget": 8, "discounted": False}, {"engine": "sglang", "discounted": False}])
def test_a_combination_without_rows_says_so(asked: dict[str, Any]) -> None:
    page = predictions_page("data", **asked)
    assert "each value is there, this combination is not" in told(page)
    assert "engine = trtllm, budget = 72, discounted = False" in told(page)
    assert "measured" not in told(page)
    assert page.ratios().frame.empty


def test_a_model_that_lacks_this_combination_is_named() -> None:
    page = predictions_page("data", engine="vllm")
    assert (
        "For DeepSeek R1 no rows at common speeds are predicted for vLLM on at most 72 chips with the tool’s"
        in told(page)
    )


def aggregated(folder: Path, model: str, system: str, evidence: str) -> None:
    """An aggregated row with a throughput above every published one."""
    file = folder / f"points/{model}/jalapeno-2026-08.csv"
    row = rows(file)[0]
    changed = {"system": system, "evidence": evidence, "source_id": "inferencex-dump-2026-07-20"}
    changed |= {"input_tok_s_per_chip": "", "output_tok_s_per_chip": "", "total_tok_s_per_chip": "900000"}
    write(folder / f"points/{model}/added.csv", [row | changed])


@pytest.mark.parametrize(
    ("system", "evidence", "counts"),
    [
        ("vr200", "user-measured", False),
        ("vr200", "independently-executed", False),  # the tool has no timings of it
        ("b300", "user-measured", False),
        ("b300", "independently-executed", True),
    ],
)
def test_only_published_rows_of_systems_that_the_tool_knows_are_public(
    data_copy: Path, system: str, evidence: str, counts: bool
) -> None:
    aggregated(data_copy, "gpt-oss-120b", system, evidence)
    page = predictions_page(str(data_copy))
    public = page.predictions["gpt-oss-120b"].public
    assert public is not None
    assert public.system == ("b300" if counts else "b200")
    assert ("Rubin" in told(page)) is False
    assert ("public (B200, 63,536 mixed tok/s per kW" in told(page)) is not counts


def test_the_measured_points_of_the_charts_are_those_of_the_files(page: PredictionsPage) -> None:
    frame = page.measured_rows().frame  # type: ignore[union-attr]
    names = {"gb200": "GB200", "gb300": "GB300"}
    for model, system in BASELINE.items():
        mine = frame[(frame["model"] == page.model_name(model)) & (frame["system"] == names[system])]
        line = mine[mine["best"] == "yes"].sort_values("speed")
        speeds, values = measured(model)
        assert np.allclose(line["speed"], speeds, rtol=1e-9)
        assert np.allclose([low for low, _ in line["value"]], values, rtol=1e-9)
    public = {p.public.system for p in page.predictions.values() if p.public is not None}
    assert {page.names[s] for s in public} <= set(frame["system"])  # what the box brings in is there, too


def test_the_baselines_rows_that_count_have_medians_only(page: PredictionsPage) -> None:
    choice = page.choices().frame.set_index("choice").loc["Measured at mean instead of median TPOT, of rows that count"]
    assert list(choice) == ["medians only"] * 3
    for model, system in BASELINE.items():
        counted = page.predictions[model].measured.counted
        assert set(counted["source_id"]) <= {"inferencex-dump-2026-07-20"} or system == "gb200"
        assert counted["tpot_mean_s"].isna().all()
        assert counted["interactivity_mean_tok_s_user"].isna().all()


def test_predictions_enter_no_line_no_peak_and_no_verdict(data_copy: Path, facts: Facts) -> None:
    shutil.rmtree(data_copy / "predictions")
    without = load(data_copy)
    assert without.predictions.empty
    assert [(f.claim_id, f.verdict) for f in audit(without)] == [(f.claim_id, f.verdict) for f in audit(facts)]
    for mine, theirs in zip(questions(without), questions(facts), strict=True):
        assert mine == theirs == question_of(facts, mine.model)
        a, b = compare(without, mine), compare(facts, theirs)
        assert (a.peak_ratio, len(a.baseline.points)) == (b.peak_ratio, len(b.baseline.points))
    assert "modelled" not in set(facts.points["evidence"])
    assert "predictions" not in [name for _, names in parts(without).values() for name in names]
    assert "evidence-stops/predictions" not in [p.output for p in pages(without)]
    assert "predictions" in parts(facts)["evidence-stops"][1]
    assert parts(facts)["evidence-stops"][0] == EVIDENCE_STOPS
    assert "no prediction" in told(predictions_page(str(data_copy)))


def test_a_row_that_does_not_say_modelled_is_refused(data_copy: Path) -> None:
    edit(data_copy / "predictions/kimi-k2.5.csv", lambda row: row | {"evidence": "independently-executed"})
    with pytest.raises(InputError, match="modelled"):
        load(data_copy)


def test_predicted_faster_than_measured_is_told(data_copy: Path) -> None:
    def triple(row: Row) -> Row:
        return row | {"total_tok_s_per_chip": str(3 * float(row["total_tok_s_per_chip"]))}

    edit(data_copy / "predictions/gpt-oss-120b.csv", triple)
    page = predictions_page(str(data_copy))
    expected = [3 * r for r in ratios(modelled("gpt-oss-120b"), measured("gpt-oss-120b"))]
    assert max(expected) > 1
    assert page.predictions["gpt-oss-120b"].table["ratio_low"].max() == pytest.approx(max(expected), rel=1e-6)
    over = sum(r > 1 for r in expected)
    assert f"more than was measured at {over} of {len(expected)} points of GPT-OSS 120B." in told(page)
    assert "nowhere more" not in told(page)


def test_a_model_without_predictions_leaves_the_sentence(data_copy: Path) -> None:
    (data_copy / "predictions/gpt-oss-120b.csv").unlink()
    page = predictions_page(str(data_copy))
    assert list(page.predictions) == ["deepseek-r1", "kimi-k2.5"]
    assert "GPT-OSS" not in told(page)


def test_the_dashed_points_stay_in_the_chart_of_the_reader_who_asks(page: PredictionsPage) -> None:
    for chart in page.frontiers().charts:
        spec = chart.to_dict()
        assert [p["value"] for p in spec["params"] if p["name"] == "show_aggregated"] == [False]
        lines = [layer for layer in spec["layer"] if layer["mark"]["type"] == "line"]
        dotted = [layer["mark"]["strokeDash"] == [2, 3] for layer in lines]
        asked = ["transform" in layer for layer in lines]
        assert dotted == [False, True, True, False]
        assert asked == [False, False, True, True]
        assert "(modelled)" in spec["title"]


def test_the_sources_page_counts_them(facts: Facts) -> None:
    shown = dict(zip(facts.sources.index, sources_page("data").sources().frame["holds"], strict=True))
    count = sum(len(rows(p)) for p in (ROOT / "data/predictions").glob("*.csv"))
    assert shown["aiconfigurator-0.12.0"] == f"{count} modelled points"


def test_the_script_reads_a_row_of_the_tool() -> None:
    """A row as version 0.12.0 wrote it; expected values by hand."""
    spec = importlib.util.spec_from_file_location("predict", ROOT / "scripts/predict.py")
    assert spec is not None
    assert spec.loader is not None
    predict: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(predict)
    row = {"isl": "7373", "osl": "922", "concurrency": "912", "seq/s": "26.732", "tokens/s/user": "29.344"}
    row |= {"ttft": "119.574", "tpot": "34.078", "request_latency": "31505.412", "(d)version": "1.3.0rc20"}
    row |= {"(p)workers": "2", "(p)tp": "1", "(p)pp": "1", "(p)dp": "1", "(p)cp": "1", "(p)moe_ep": "1"}
    row |= {"(d)workers": "1", "(d)tp": "1", "(d)pp": "1", "(d)dp": "2", "(d)moe_ep": "2"}
    found = predict.as_row(row, disaggregated=True)
    assert (found["chips"], found["prefill_chips"], found["decode_chips"]) == (4, 2, 2)
    assert found["parallelism"] == "P 2×TP1 + D 1×TP1 DP2 EP2"
    assert found["total_tok_s_per_chip"] == pytest.approx(55435.485)  # 26.732 / 4 × 8,295
    assert (found["tpot_s"], found["e2e_s"]) == (0.034078, 31.505412)
