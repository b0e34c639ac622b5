"""Saved answers of the InferenceX API, and the rows in them that are not runs of InferenceX."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from import_runs import Bring, read_csv
from made_files import E2E, api_row, metrics, rates, role, snapshot_row, write

ROOT = Path(__file__).resolve().parents[2]


def test_the_capture_is_read_whole_and_every_refusal_is_explained(originals: Path, bring: Bring) -> None:
    path = originals / "inferencex/api/benchmarks_dsr1_2026-05-05.json"
    published = json.loads(path.read_text(encoding="utf-8"))
    done = bring(path)
    assert (done.status, done.file["rows_read"], done.file["rows_kept"], done.file["rows_refused"]) == (0, 435, 435, 0)
    early = [
        number
        for number, row in enumerate(published, start=1)
        if row["hardware"] == "gb200"
        and row["prefill_tp"] == row["num_prefill_gpu"] == row["num_decode_gpu"]
        and row["disagg"]
        and row["prefill_num_workers"] == 0
    ]
    assert len(early) == 8
    assert [r["row"] for r in done.file["refusals"]] == early
    for refusal in done.file["refusals"]:
        assert refusal["action"] == "blanked"
        assert refusal["reason"].endswith("Little's law confirms the total, the parts are left out")


def test_its_8k1k_rows_are_those_of_the_committed_data(originals: Path, bring: Bring) -> None:
    done = bring(originals / "inferencex/api/benchmarks_dsr1_2026-05-05.json")
    committed = read_csv(ROOT / "data/points/deepseek-r1/inferencex-api-2026-05-05.csv")
    by_total = {row["total_tok_s_per_chip"]: row for row in done.rows}
    ours_alone = ("source_id", "statistic_note")
    assert len(committed) == 65
    for row in committed:
        ours = by_total[row["total_tok_s_per_chip"]]
        assert {k: v for k, v in ours.items() if k not in ours_alone} == {
            k: v for k, v in row.items() if k not in ours_alone
        }


def test_imported_into_the_committed_data_they_are_recognised(originals: Path, bring: Bring, data_copy: Path) -> None:
    done = bring(originals / "inferencex/api/benchmarks_dsr1_2026-05-05.json", into=data_copy)
    # 65 of this capture, and 6 that the single runs hold as well
    assert done.file["left_out"] == {"already there": 71}
    assert done.file["rows_kept"] == 364
    (new,) = [s for s in done.table("sources") if s["source_id"] == "inferencex-api-deepseek-r1-2026-05-03"]
    assert (new["published"], new["evidence"], len(new["sha256"])) == ("2026-05-03", "independently-executed", 64)


def test_chips_are_tp_pp_pcp_and_never_times_ep(tmp_path: Path, bring: Bring) -> None:
    row = api_row(prefill_ep=8, decode_ep=8, num_prefill_gpu=64, num_decode_gpu=64)
    (kept,) = bring(write(tmp_path / "a.json", [row])).rows
    assert (kept["chips"], kept["parallelism"]) == ("8", "TP8 EP8")
    assert kept["statistic_note"] == "the source counts 64 chips, TP × PP × PCP makes 8"


def test_pipeline_sizes_travel_among_the_metrics(tmp_path: Path, bring: Bring) -> None:
    values = metrics(8, 16) | {"prefill_pp": 2, "decode_pp": 2, "dcp_size": 8}
    row = api_row(num_prefill_gpu=16, num_decode_gpu=16, metrics=values)
    (kept,) = bring(write(tmp_path / "a.json", [row])).rows
    assert (kept["chips"], kept["parallelism"], kept["statistic_note"]) == ("16", "TP8 PP2 DCP8", "")


def test_rows_of_early_december_2025_count_their_chips_twice(tmp_path: Path, bring: Bring) -> None:
    """prefill_tp = decode_tp = num_prefill_gpu = num_decode_gpu = all chips, and no workers."""
    values = metrics(8, 28, 12, 16)
    total = {**role("prefill", 28, 1, 0, dpa=False), **role("decode", 28, 1, 0, dpa=False)}
    row = api_row(
        hardware="gb200",
        framework="dynamo-trt",
        disagg=True,
        num_prefill_gpu=28,
        num_decode_gpu=28,
        metrics=values,
        **total,
    )
    done = bring(write(tmp_path / "a.json", [row]))
    (kept,) = done.rows
    assert (kept["chips"], kept["parallelism"], kept["disaggregated"]) == ("28", "28 chips, split not recorded", "true")
    assert (kept["input_tok_s_per_chip"], kept["output_tok_s_per_chip"]) == ("", "")
    assert float(kept["total_tok_s_per_chip"]) == pytest.approx(rates(8, 28)[0])
    assert kept["statistic_note"] == (
        "early row: the source gives the total as prefill and as decode chips; "
        "input and output rates dropped: they do not add up to the total"
    )


def test_the_same_layout_with_workers_is_taken_at_its_word(tmp_path: Path, bring: Bring) -> None:
    both = {**role("prefill", 8, 1, 1, dpa=False), **role("decode", 8, 1, 1, dpa=False)}
    row = api_row(framework="dynamo-trt", disagg=True, is_multinode=True, metrics=metrics(8, 16, 8, 8), **both)
    (kept,) = bring(write(tmp_path / "a.json", [row])).rows
    assert (kept["chips"], kept["parallelism"]) == ("16", "P 1×TP8 + D 1×TP8")


def test_history_has_no_means(tmp_path: Path, bring: Bring) -> None:
    trimmed = {k: v for k, v in metrics().items() if not k.startswith(("mean_", "std_"))}
    done = bring(write(tmp_path / "history.json", [api_row(metrics=trimmed)]))
    (row,) = done.rows
    assert (row["e2e_mean_s"], row["tpot_mean_s"], row["interactivity_mean_tok_s_user"]) == ("", "", "")
    assert float(row["e2e_median_s"]) == pytest.approx(E2E * 0.99)
    assert done.file["refusals"] == []


def jalapeno(**changes: Any) -> dict[str, Any]:
    """The published row of one chip per model copy, eight of them: TP1 EP8, 64 requests."""
    shape = {**role("prefill", 1, 8, 1, dpa=False), **role("decode", 1, 8, 1, dpa=False)}
    total, output, given = 19940.018979223085, 2212.1710821471593, 17727.847897075924
    known = {"hardware": "jalapeno", "framework": "teacup", "model": "gptoss120b", "conc": 64, "date": "2026-08-22"}
    latencies = (431.06024646996104, 0.9552501139987726, 3.103124447487062)
    return snapshot_row(total, output, given, *latencies, **{**known, **shape, **changes})


def test_jalapenos_rows_repeat_the_median_as_everything(tmp_path: Path, bring: Bring) -> None:
    done = bring(write(tmp_path / "a.json", [jalapeno()]))
    (row,) = done.rows
    committed = read_csv(ROOT / "data/points/gpt-oss-120b/jalapeno-2026-08.csv")
    (published,) = [r for r in committed if r["concurrency"] == "64"]
    apart = ("source_id", "statistic_note")
    assert {k: v for k, v in row.items() if k not in apart} == {k: v for k, v in published.items() if k not in apart}
    assert row["statistic_note"] == (
        "the source repeats the median as mean, p90 and p99; only medians are carried over; "
        "the source counts 8 chips, TP × PP × PCP makes 1: taken as counted"
    )
    assert row["evidence"] == "observed"


def test_jalapenos_rows_are_recognised_in_the_committed_data(tmp_path: Path, bring: Bring, data_copy: Path) -> None:
    done = bring(write(tmp_path / "a.json", [jalapeno()]), into=data_copy)
    assert done.file["left_out"] == {"already there": 1}
    assert "nothing was written: there is nothing new" in done.output


def test_rubins_july_rows_keep_the_output_alone(tmp_path: Path, bring: Bring) -> None:
    shape = {**role("prefill", 72, 1, 1, dpa=False), **role("decode", 72, 1, 1, dpa=False)}
    counts = {"hardware": "vr200", "framework": "rubin-july", "num_prefill_gpu": 72, "num_decode_gpu": 72}
    points = [(2793.0, 4438.21, 52), (462.0, 734.14, 215)]
    rows = [
        snapshot_row(total, output, 0, speed, 0, 0, conc=speed, **counts, **shape) for total, output, speed in points
    ]
    done = bring(write(tmp_path / "a.json", rows))
    assert [row["output_tok_s_per_chip"] for row in done.rows] == ["4438.21", "734.14"]
    told = {(r["row"], r["field"], r["value"]) for r in done.file["refusals"] if r["action"] == "blanked"}
    assert {(1, "tput_per_gpu", "2793"), (1, "input_tput_per_gpu", "0"), (2, "tput_per_gpu", "462")} <= told
    for row in done.rows:
        assert (row["total_tok_s_per_chip"], row["input_tok_s_per_chip"], row["ttft_median_s"]) == ("", "", "")
        assert (row["evidence"], row["chips"], row["interactivity_median_tok_s_user"]) == (
            "digitised",
            "72",
            row["concurrency"],
        )
        assert "read off a chart of output rates: input and total are not known" in row["statistic_note"]
        assert "the concurrency is a placeholder: it repeats the interactivity" in row["statistic_note"]
        assert (row["speculation"], row["disaggregated"], row["parallelism"], row["date"]) == ("mtp", "true", "", "")


def test_rubins_july_rows_are_recognised_in_the_committed_data(tmp_path: Path, bring: Bring, data_copy: Path) -> None:
    shape = {**role("prefill", 72, 1, 1, dpa=False), **role("decode", 72, 1, 1, dpa=False)}
    counts = {"hardware": "vr200", "framework": "rubin-july", "num_prefill_gpu": 72, "num_decode_gpu": 72}
    page = "https://www.coreweave.com/blog/nvidia-vera-rubin-nvl72-on-coreweave-10x-more-tokens-per-megawatt-than-blackwell"
    more = {"run_url": page, "model": "dsr1", "date": "2026-07-01", **counts, **shape}
    row = snapshot_row(2793.0, 4438.21, 0, 52, 0, 0, conc=52, **more)
    done = bring(write(tmp_path / "a.json", [row]), into=data_copy)
    assert done.file["left_out"] == {"already there": 1}


def test_ids_as_texts_and_new_columns_change_nothing(tmp_path: Path, bring: Bring) -> None:
    row = api_row(
        id="123",
        benchmark_type="single_turn",
        offload_mode="off",
        recipe_fingerprint="ab",
        curve_date="2026-09-01",
        workers=None,
    )
    (kept,) = bring(write(tmp_path / "a.json", [row])).rows
    assert (kept["workload"], kept["date"]) == ("fixed-length", "2026-03-01")


def test_rows_that_cannot_be_used_are_refused_one_by_one(tmp_path: Path, bring: Bring) -> None:
    rows = [api_row(), api_row(9, conc=None), api_row(10, hardware=None), {"id": 4}]
    done = bring(write(tmp_path / "a.json", rows))
    assert done.file["rows_kept"] == 1
    assert [(r["row"], r["field"], r["reason"]) for r in done.file["refusals"]] == [
        (2, "conc", "a concurrency of at least 1 was expected"),
        (3, "system", "the row does not name the system; say --system"),
        (4, "", "an object with hardware and metrics was expected"),
    ]


def test_the_flattened_dump_of_the_facts_folder(originals: Path, bring: Bring, data_copy: Path) -> None:
    """Its rows of 8K/1K are in the committed data; those without a decode chip count are refused."""
    path = originals / "facts/inferencex_points_2026-07-20.csv"
    with path.open(encoding="utf-8", newline="") as file:
        published = list(csv.DictReader(file))
    apart = sum(row["config_disagg"] == "1" for row in published)
    done = bring(path, into=data_copy)
    assert (done.file["format"], done.file["rows_read"]) == ("inferencex-dump", 1203)
    assert done.file["rows_refused"] == apart
    words = "the row does not say how many chips served the load; --chips does"
    assert {r["reason"] for r in done.file["refusals"]} == {words}
    together = sum(row["config_precision"] == "fp4" and row["config_disagg"] == "0" for row in published)
    assert done.file["left_out"]["already there"] == together
