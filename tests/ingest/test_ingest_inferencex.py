"""Runs of InferenceX: real artifacts, and every generation of their rows."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from import_runs import Bring
from made_files import E2E, agg_row, changed, disagg_row, metrics, role, write

ROOT = Path(__file__).resolve().parents[2]


def only(rows: list[dict[str, str]], **wanted: Any) -> dict[str, str]:
    (row,) = [r for r in rows if all(r[k] == str(v) for k, v in wanted.items())]
    return row


# Real files


def test_the_run_behind_the_published_figures(originals: Path, bring: Bring) -> None:
    done = bring(originals / "inferencex/agg_bmk/run_20786863188.json")
    assert done.status == 0
    assert (done.file["format"], done.file["rows_read"], done.file["rows_kept"]) == ("inferencex-run", 19, 19)
    assert done.file["refusals"] == []
    slow = only(done.rows, system="gb200", isl_nominal=8192, osl_nominal=1024, concurrency=1)
    assert float(slow["interactivity_mean_tok_s_user"]) == pytest.approx(535.275, abs=5e-4)
    assert float(slow["total_tok_s_per_chip"]) == pytest.approx(512.99, abs=5e-3)
    assert (slow["chips"], slow["prefill_chips"], slow["decode_chips"]) == ("9", "1", "8")
    assert float(slow["e2e_mean_s"]) == pytest.approx(1.801, abs=5e-4)
    assert float(slow["total_tok_s_per_chip"]) * 1000 / 1200 == pytest.approx(427.49, abs=5e-3)
    peak = only(done.rows, system="gb200", isl_nominal=8192, concurrency=512)
    assert float(peak["total_tok_s_per_chip"]) == pytest.approx(53952.468, abs=5e-4)
    assert float(peak["total_tok_s_per_chip"]) / 1.2 == pytest.approx(44960.39, abs=5e-3)


def test_its_rows_are_those_of_the_committed_data(originals: Path, bring: Bring) -> None:
    done = bring(originals / "inferencex/agg_bmk/run_20786863188.json")
    path = ROOT / "data/points/gpt-oss-120b/inferencex-run-20786863188.csv"
    committed = path.read_text(encoding="utf-8").splitlines()
    names = committed[0].split(",")
    ours = [",".join(row[n] for n in names) for row in done.rows]
    for line in committed[1:]:
        assert line.replace(",2026-01,", ",,") in ours  # the day is not in the file


def test_imported_into_the_committed_data_they_are_recognised(originals: Path, bring: Bring, data_copy: Path) -> None:
    before = {p: p.read_bytes() for p in data_copy.rglob("*") if p.is_file()}
    done = bring(originals / "inferencex/agg_bmk/run_20786863188.json", into=data_copy)
    assert (done.status, done.file["left_out"], done.file["rows_kept"]) == (0, {"already there": 19}, 0)
    assert {p: p.read_bytes() for p in before} == before


def test_the_spread_of_one_configuration_over_three_runs(originals: Path, bring: Bring, tmp_path: Path) -> None:
    folder = originals / "inferencex/agg_bmk"
    key = {"system": "gb200", "isl_nominal": 8192, "concurrency": 512, "parallelism": "P 2×TP1 + D 1×TP2 EP2 DPA"}
    every = bring(folder, "--select", "all")
    totals = [float(r["total_tok_s_per_chip"]) for r in every.rows if all(r[k] == str(v) for k, v in key.items())]
    assert sorted(round(t) for t in totals) == [53952, 53956, 54062]
    newest = only(bring(folder, into=tmp_path / "latest").rows, **key)
    assert float(newest["total_tok_s_per_chip"]) == pytest.approx(53952.468, abs=5e-4)
    assert newest["run_url"].endswith("/20786863188")
    spread = "3 runs, 53,952 to 54,062 total tok/s per chip"
    assert newest["statistic_note"] == f"input and output rates converted to all chips; newest of {spread}"
    middle = only(bring(folder, "--select", "median", into=tmp_path / "median").rows, **key)
    assert float(middle["total_tok_s_per_chip"]) == sorted(totals)[1]
    assert middle["statistic_note"].endswith(f"median of {spread}")
    assert middle["run_url"] == ""


def test_the_best_row_of_b200(originals: Path, bring: Bring) -> None:
    done = bring(originals / "inferencex/agg_bmk/run_20308883467.json")
    key = {"parallelism": "TP2 DPA", "isl_nominal": 8192, "osl_nominal": 1024, "concurrency": 128}
    row = only(done.rows, **key)
    assert (row["system"], row["engine"], row["chips"]) == ("b200", "trt", "2")
    assert float(row["total_tok_s_per_chip"]) == pytest.approx(49717, abs=0.5)  # and per kW: a B200 is rated 1,000 W
    assert float(row["interactivity_median_tok_s_user"]) == pytest.approx(92.6, abs=0.05)


def test_every_row_of_every_run_is_read_and_accounted_for(originals: Path, bring: Bring) -> None:
    done = bring(originals / "inferencex/agg_bmk", "--select", "all")
    for file in done.report["files"]:
        assert file["rows_read"] == len(json.loads(Path(file["path"]).read_text(encoding="utf-8")))
        assert file["rows_read"] == file["rows_kept"] + file["rows_refused"] + file["rows_left_out"]
        assert file["refusals"] == []
    assert len(done.rows) == 718
    assert {row["system"] for row in done.rows} == {"b200", "gb200", "h100", "h200", "mi355x"}
    assert "mori-sglang" in {row["engine"] for row in done.rows}


def test_the_failed_run_is_an_empty_list(originals: Path, bring: Bring) -> None:
    done = bring(originals / "inferencex/agg_bmk/run_20244442227.json")
    assert done.status == 0
    assert done.file["notes"] == ["an empty list: InferenceX writes this when every job of a run failed"]
    assert not done.folder.exists()
    assert "nothing was written: there is nothing new" in done.output


def test_the_newest_generation_of_single_files(originals: Path, bring: Bring) -> None:
    folder = originals / "clients/inferencex_benchmark_serving"
    done = bring(folder / "agg_mock_8k1k_disagg_conc4.json")
    raw = json.loads((folder / "mock_8k1k_disagg_conc4.json").read_text(encoding="utf-8"))
    (row,) = done.rows
    assert (row["parallelism"], row["chips"]) == ("P 1×TP4 EP4 DPA + D 1×TP8 EP8 DPA", "12")
    assert float(row["output_tok_s_per_chip"]) * 12 == pytest.approx(raw["output_throughput"])
    assert float(row["total_tok_s_per_chip"]) * 12 == pytest.approx(raw["total_token_throughput"])
    assert float(row["e2e_p99_s"]) * 1000 == pytest.approx(raw["p99_e2el_ms"])
    assert row["chip_power_mean_w"] == ""


# Generations, newest last


def bring_rows(bring: Bring, path: Path, *rows: Any, options: tuple[str, ...] = ()) -> Any:
    return bring(write(path, list(rows)), *options)


FIRST = {"hw": "h200", "tp": 8, "conc": 8, "model": "openai/gpt-oss-120b"}


def generation(*kept: str, **changes: Any) -> dict[str, Any]:
    """A row with the keys of a generation: latencies and the total rate, and what is named."""
    row = agg_row()
    measured = {k: v for k, v in metrics().items() if not k.startswith(("input_", "output_"))}
    return changed({**FIRST, **measured, **{k: row[k] for k in kept}}, changes)


def test_august_2025_knows_neither_engine_nor_lengths(tmp_path: Path, bring: Bring) -> None:
    done = bring_rows(bring, tmp_path / "a.json", generation())
    (row,) = done.rows
    assert (row["model"], row["system"], row["chips"], row["parallelism"]) == ("gpt-oss-120b", "h200", "8", "TP8")
    assert (row["engine"], row["precision"], row["isl_nominal"]) == ("", "", "")
    assert float(row["total_tok_s_per_chip"]) == pytest.approx(metrics()["tput_per_gpu"])
    assert (row["input_tok_s_per_chip"], row["output_tok_s_per_chip"]) == ("", "")
    apart = "rows without nominal lengths are never set beside rows that state them; --isl and --osl state them"
    assert apart in done.file["notes"]


@pytest.mark.parametrize("name", ["gptoss_8k1k_fp4_vllm_tp8_conc8_h200_0", "x_isl8192_osl1024", "8k1k_results"])
def test_lengths_that_stand_only_in_the_name(tmp_path: Path, bring: Bring, name: str) -> None:
    done = bring_rows(
        bring,
        tmp_path / f"{name}.json",
        generation("framework", "precision", "output_tput_per_gpu", "input_tput_per_gpu"),
    )
    (row,) = done.rows
    assert (row["isl_nominal"], row["osl_nominal"]) == ("8192", "1024")
    assert done.file["refusals"] == []


def test_lengths_in_a_wrong_name_are_left_out(tmp_path: Path, bring: Bring) -> None:
    row = generation(
        "framework",
        "precision",
        "output_tput_per_gpu",
        "input_tput_per_gpu",
        mean_e2el=...,
        median_e2el=...,
        p99_e2el=...,
    )
    done = bring_rows(bring, tmp_path / "gptoss_1k1k_fp4.json", row)
    assert done.refusals() == [
        "blanked isl/osl: input and output rates are as 8 to 1: another load, its nominal lengths are left out"
    ]
    assert done.rows[0]["isl_nominal"] == ""


def test_october_2025_writes_mtp_as_on_and_off(tmp_path: Path, bring: Bring) -> None:
    rows = [generation("framework", "precision", "isl", "osl", mtp=word, conc=c) for word, c in (("on", 8), ("off", 7))]
    done = bring_rows(bring, tmp_path / "a.json", *rows)
    assert {row["concurrency"]: row["speculation"] for row in done.rows} == {"8": "mtp", "7": "none"}


def test_november_2025_gives_disaggregated_rows_all_chips_as_tp(tmp_path: Path, bring: Bring) -> None:
    """tput / TP is right; input and output were divided by counts that are not in the row."""
    values = metrics(8, 12, 4, 8)
    row = generation(
        "framework",
        "precision",
        "isl",
        "osl",
        hw="gb200",
        framework="dynamo-trtllm",
        tp=12,
        ep=1,
        dp_attention="false",
        **values,
    )
    done = bring_rows(bring, tmp_path / "a.json", row)
    (kept,) = done.rows
    assert (kept["engine"], kept["disaggregated"], kept["chips"]) == ("dynamo-trt", "true", "12")
    assert kept["parallelism"] == "12 chips, split not recorded"
    assert (kept["input_tok_s_per_chip"], kept["output_tok_s_per_chip"]) == ("", "")
    assert float(kept["total_tok_s_per_chip"]) == pytest.approx(values["tput_per_gpu"])
    assert [r["action"] for r in done.file["refusals"]] == ["blanked"]


def test_late_november_2025_adds_the_counts_of_the_roles(tmp_path: Path, bring: Bring) -> None:
    counts = {"disagg": True, "num_prefill_gpu": 4, "num_decode_gpu": 8, "tp": 12, "ep": 1, "dp_attention": "false"}
    row = generation("framework", "precision", "isl", "osl", hw="gb200", **counts, **metrics(8, 12, 4, 8))
    (kept,) = bring_rows(bring, tmp_path / "a.json", row).rows
    assert (kept["chips"], kept["prefill_chips"], kept["decode_chips"]) == ("12", "4", "8")
    assert kept["parallelism"] == "P 4 + D 8 chips, layout not recorded"
    assert float(kept["output_tok_s_per_chip"]) * 12 == pytest.approx(8 * 921.6 / E2E)


def test_december_2025_on_one_node(tmp_path: Path, bring: Bring) -> None:
    (row,) = bring_rows(bring, tmp_path / "a.json", agg_row()).rows
    assert (row["system"], row["parallelism"], row["chips"]) == ("b200", "TP8 EP8 DPA", "8")
    assert (row["disaggregated"], row["workload"], row["evidence"]) == ("false", "fixed-length", "user-measured")
    assert float(row["total_tok_s_per_chip"]) * 8 == pytest.approx(8 * 8294.4 / E2E)


def test_december_2025_in_two_roles(tmp_path: Path, bring: Bring) -> None:
    (row,) = bring_rows(bring, tmp_path / "a.json", disagg_row()).rows
    assert (row["system"], row["parallelism"]) == ("gb300", "P 1×TP4 + D 2×TP4 EP4")
    assert (row["chips"], row["prefill_chips"], row["decode_chips"]) == ("12", "4", "8")
    assert float(row["input_tok_s_per_chip"]) * 12 == pytest.approx(8 * 7372.8 / E2E)
    assert float(row["output_tok_s_per_chip"]) * 12 == pytest.approx(8 * 921.6 / E2E)


def test_july_2026_adds_pipeline_and_context_parallelism(tmp_path: Path, bring: Bring) -> None:
    row = agg_row(tp=4, pp=2, pcp_size=2, dcp_size=4, ep=4, dp_attention="false", **metrics(8, 16))
    (kept,) = bring_rows(bring, tmp_path / "a.json", row).rows
    assert (kept["parallelism"], kept["chips"]) == ("TP4 PP2 PCP2 DCP4 EP4", "16")


def test_aggregated_on_several_nodes_has_no_decode_chips(tmp_path: Path, bring: Bring) -> None:
    roles = {**role("prefill", 8, 8, 2), **role("decode", 0, 0, 0), "num_prefill_gpu": 16, "num_decode_gpu": 0}
    row = disagg_row(**{**roles, **metrics(8, 16), "framework": "sglang"})
    (kept,) = bring_rows(bring, tmp_path / "a.json", row).rows
    assert (kept["parallelism"], kept["chips"], kept["disaggregated"]) == ("2×TP8 EP8", "16", "false")
    assert (kept["prefill_chips"], kept["decode_chips"]) == ("", "")


def test_a_file_with_one_row_is_no_array(tmp_path: Path, bring: Bring) -> None:
    (row,) = bring(write(tmp_path / "agg_x.json", agg_row())).rows
    assert row["concurrency"] == "8"


# Traps


def test_string_booleans(tmp_path: Path, bring: Bring) -> None:
    row = disagg_row(disagg="true", is_multinode="True", prefill_dp_attention="True", decode_dp_attention="false")
    (kept,) = bring_rows(bring, tmp_path / "a.json", row).rows
    assert (kept["disaggregated"], kept["parallelism"]) == ("true", "P 1×TP4 DPA + D 2×TP4 EP4")


def test_a_wrong_flag_gives_way_to_the_workers(tmp_path: Path, bring: Bring) -> None:
    (kept,) = bring_rows(bring, tmp_path / "a.json", disagg_row(disagg=False)).rows
    assert (kept["disaggregated"], kept["chips"]) == ("true", "12")


def test_an_engine_that_always_keeps_the_roles_apart(tmp_path: Path, bring: Bring) -> None:
    (kept,) = bring_rows(bring, tmp_path / "a.json", disagg_row(framework="sglang-disagg", disagg=False)).rows
    assert (kept["engine"], kept["disaggregated"]) == ("mori-sglang", "true")


def test_tpu_cores_are_counted_as_the_source_counts_chips(tmp_path: Path, bring: Bring) -> None:
    row = agg_row(hw="tpuv7", framework="vllm", tp=8, ep=1, num_gpus=4, dp_attention="false", **metrics(8, 4))
    (kept,) = bring_rows(bring, tmp_path / "a.json", row).rows
    assert (kept["chips"], kept["parallelism"]) == ("4", "TP8")
    assert kept["statistic_note"] == "the source counts 4 chips, TP × PP × PCP makes 8: taken as counted"


def test_two_kinds_of_chips_in_one_row_are_refused(tmp_path: Path, bring: Bring) -> None:
    done = bring_rows(bring, tmp_path / "a.json", disagg_row(prefill_hw="b200", decode_hw="gb300-nv"))
    assert done.refusals() == ["refused prefill_hw: prefill and decode on one kind of chip were expected"]
    same = bring_rows(bring, tmp_path / "b.json", disagg_row(prefill_hw="gb300-nv", decode_hw="gb300-cw"))
    assert same.file["rows_kept"] == 1


def test_a_row_of_zeros_and_a_row_of_nulls(tmp_path: Path, bring: Bring) -> None:
    nothing = dict.fromkeys(metrics(), 0)
    nulls = dict.fromkeys(metrics())
    done = bring_rows(bring, tmp_path / "a.json", agg_row(**nothing), agg_row(**nulls))
    assert (
        done.refusals()
        == ["refused total rate: no total throughput: nothing was measured, or no request succeeded"] * 2
    )
    assert done.status == 2
    assert not done.folder.exists()


def test_infinity_and_nan(tmp_path: Path, bring: Bring) -> None:
    row = agg_row(p99_ttft=float("inf"), mean_ttft=float("nan"))
    done = bring_rows(bring, tmp_path / "a.json", row)
    assert "Infinity" in (tmp_path / "a.json").read_text(encoding="utf-8")
    assert done.refusals() == [
        "blanked mean_ttft: a finite number was expected",
        "blanked p99_ttft: a finite number was expected",
    ]
    (kept,) = done.rows
    assert (kept["ttft_mean_s"], kept["ttft_p99_s"]) == ("", "")
    assert float(kept["ttft_median_s"]) == pytest.approx(0.2475)
    bad = bring_rows(bring, tmp_path / "b.json", agg_row(tput_per_gpu=float("inf")))
    assert bad.refusals() == ["refused tput_per_gpu: a finite number was expected"]


def test_the_reciprocal_of_a_standard_deviation_is_not_read(tmp_path: Path, bring: Bring) -> None:
    done = bring_rows(bring, tmp_path / "a.json", agg_row(std_intvty=-22332.0, std_tpot="?", mean_itl="?"))
    assert done.file["refusals"] == []
    assert "22332" not in ",".join(done.rows[0].values())


def test_foreign_objects_in_an_array_are_refused_one_by_one(tmp_path: Path, bring: Bring) -> None:
    done = bring_rows(bring, tmp_path / "a.json", agg_row(), {"task": "gsm8k"}, 7, None)
    assert done.file["rows_kept"] == 1
    assert [(r["row"], r["value"]) for r in done.file["refusals"]] == [(2, "dict"), (3, "int"), (4, "NoneType")]


def test_a_model_that_is_not_asked_for_is_left_out(tmp_path: Path, bring: Bring) -> None:
    rows = [agg_row(), agg_row(16, infmax_model_prefix="dsr1", model="deepseek-ai/DeepSeek-R1")]
    done = bring_rows(bring, tmp_path / "a.json", *rows, options=("--model", "deepseek-r1"))
    assert [row["model"] for row in done.rows] == ["deepseek-r1"]
    assert done.file["left_out"] == {"gpt-oss-120b, not the model asked for": 1}


def test_a_model_that_nobody_knows_is_named_by_the_user(tmp_path: Path, bring: Bring) -> None:
    row = agg_row(infmax_model_prefix="mymodel", model="/models/my-model-v7")
    assert bring_rows(bring, tmp_path / "a.json", row).rows[0]["model"] == "my-model-v7"
    named = bring_rows(bring, tmp_path / "b.json", changed(row, {"conc": 9}), options=("--model", "seven"))
    assert {r["model"] for r in named.rows} == {"my-model-v7", "seven"}


def test_a_chip_count_that_contradicts_the_row_is_refused(tmp_path: Path, bring: Bring) -> None:
    done = bring_rows(bring, tmp_path / "a.json", agg_row(), options=("--chips", "4"))
    assert done.refusals() == ["refused chips: --chips says 4; leave it out for this file"]


def test_the_run_and_its_day(tmp_path: Path, bring: Bring) -> None:
    path = write(tmp_path / "run_20786863188/agg_bmk.json", [agg_row()])
    done = bring(path, "--date", "2026-01-07")
    (row,) = done.rows
    assert row["run_url"] == "https://github.com/SemiAnalysisAI/InferenceX/actions/runs/20786863188"
    assert (row["date"], row["evidence"]) == ("2026-01-07", "independently-executed")
    (source,) = done.table("sources")
    assert (source["source_id"], source["published"]) == ("inferencex-run-20786863188", "2026-01-07")
    assert source["attribution"].startswith("Data from InferenceX (SemiAnalysis)")


@pytest.mark.parametrize("name", ["agg_bmk.json", "agg_1767781800.json", "agg_202601071530.json", "agg_786863188.json"])
def test_without_the_number_of_a_run_the_user_is_told_whose_it_seems(tmp_path: Path, bring: Bring, name: str) -> None:
    done = bring(write(tmp_path / "download" / name, [agg_row()]), "--date", "2026-01-07")
    (row,), (source,), (note,) = done.rows, done.table("sources"), done.file["notes"]
    assert (row["run_url"], row["evidence"], source["kind"], source["attribution"]) == ("", "user-measured", "user", "")
    assert "filed as your own (user-measured, without attribution)" in note
    assert "run_NUMBER" in note
    assert note.endswith("--evidence and --source-id say what it is")
    assert note in done.output
    said = ("--evidence", "independently-executed", "--source-id", "mine", "--date", "2026-01-07")
    assert bring(tmp_path / "download" / name, *said, into=tmp_path / "said").file["notes"] == []


def test_without_a_day_the_source_is_undated_and_the_user_is_told(tmp_path: Path, bring: Bring) -> None:
    done = bring_rows(bring, tmp_path / "run_20786863188.json", agg_row())
    assert done.table("sources")[0]["published"] == ""
    assert done.file["notes"] == [
        "the day of the run is not in the file, so its rows count as older than any dated ones; --date states it"
    ]


def test_a_retried_configuration_within_one_run(tmp_path: Path, bring: Bring) -> None:
    again = {key: agg_row()[key] * 1.001 for key in ("tput_per_gpu", "input_tput_per_gpu", "output_tput_per_gpu")}
    done = bring_rows(bring, tmp_path / "a.json", agg_row(), agg_row(), agg_row(**again))
    assert Counter(done.file["left_out"]) == {
        "the same measurement as another row of this import": 1,
        "another run of the same configuration, and nothing tells which of them is newer": 1,
    }
    (row,) = done.rows
    assert float(row["total_tok_s_per_chip"]) == pytest.approx(agg_row()["tput_per_gpu"])  # of two the lower
    assert row["statistic_note"] == (
        "one of 2 runs (nothing tells which is the newest), 1,709 to 1,711 total tok/s per chip"
    )
    every = bring(tmp_path / "a.json", "--select", "all", into=tmp_path / "all")
    first, second = sorted(row["source_id"] for row in every.rows)
    assert second == f"{first}-2"  # neither date nor address tells the two apart
    assert len(every.table("sources")) == 2
