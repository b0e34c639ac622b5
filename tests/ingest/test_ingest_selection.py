"""Which runs of a configuration get into the table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from import_runs import Bring
from made_files import agg_row, api_row, metrics, vllm_run, write

from scoville.ingest import selection
from scoville.ingest.points import MEASURED, Record


def scaled(factor: float) -> dict[str, Any]:
    """Metrics of a run that was a little faster or slower throughout."""
    values = metrics()
    rates = {k: v * factor for k, v in values.items() if "tput" in k or "intvty" in k}
    times = {k: v / factor for k, v in values.items() if "tput" not in k and "intvty" not in k}
    return rates | times


def three_runs(folder: Path) -> Path:
    for number, factor in (("20000000001", 1.01), ("20000000003", 1.0), ("20000000002", 1.03)):
        write(folder / f"run_{number}.json", [agg_row(**scaled(factor))])
    return folder


BASE = metrics()["tput_per_gpu"]


def total(row: dict[str, str]) -> float:
    return float(row["total_tok_s_per_chip"])


def test_latest_keeps_the_run_with_the_highest_number(tmp_path: Path, bring: Bring) -> None:
    (row,) = bring(three_runs(tmp_path / "runs")).rows
    assert total(row) == pytest.approx(BASE)
    assert row["source_id"] == "inferencex-run-20000000003"
    assert row["statistic_note"] == "newest of 3 runs, 1,709 to 1,760 total tok/s per chip"


def test_median_is_taken_of_every_number(tmp_path: Path, bring: Bring) -> None:
    done = bring(three_runs(tmp_path / "runs"), "--select", "median")
    (row,) = done.rows
    assert total(row) == pytest.approx(BASE * 1.01)
    assert float(row["e2e_mean_s"]) == pytest.approx(metrics()["mean_e2el"] / 1.01)
    assert (row["source_id"], row["run_url"]) == ("inferencex-run-20000000003", "")
    assert row["statistic_note"] == "median of 3 runs, 1,709 to 1,760 total tok/s per chip"
    assert [f["left_out"] for f in done.report["files"]] == [{"in the median of 3 runs": 1}] * 2 + [{}]


def test_all_keeps_every_run_in_its_own_source(tmp_path: Path, bring: Bring) -> None:
    done = bring(three_runs(tmp_path / "runs"), "--select", "all")
    assert sorted(total(row) / BASE for row in done.rows) == pytest.approx([1.0, 1.01, 1.03])
    assert len(done.table("sources")) == 3


def test_files_of_a_sweep_are_one_source_and_repeats_are_several(tmp_path: Path, client: Bring) -> None:
    for number, concurrency in enumerate((4, 8, 16)):
        write(tmp_path / f"sweep/{number}_8k1k.json", vllm_run(concurrency))
    done = client(tmp_path / "sweep")
    assert len(done.table("sources")) == 1
    assert len(done.table("sources")[0]["sha256"].split()) == 3
    for number in range(3):
        write(tmp_path / f"again/{number}_8k1k.json", vllm_run(8, mean_ttft_ms=250.0 + number))
    every = client(tmp_path / "again", "--select", "all", into=tmp_path / "all")
    assert (len(every.rows), len(every.table("sources"))) == (3, 3)


def test_a_day_decides_where_runs_have_no_number(tmp_path: Path, client: Bring) -> None:
    older = vllm_run(8, date="20260609-120000", mean_ttft_ms=251.0)
    first = write(tmp_path / "b_8k1k.json", vllm_run(8))
    done = client(first, write(tmp_path / "a_8k1k.json", older))
    (row,) = done.rows
    assert (row["date"], float(row["ttft_mean_s"])) == ("2026-06-10", 0.25)


def test_the_api_and_a_run_tell_of_the_same_run(tmp_path: Path, bring: Bring) -> None:
    run = agg_row(ep=1, dp_attention="false", infmax_model_prefix="dsr1", hw="b200")
    first = write(tmp_path / "run_22469096331.json", [run])
    second = write(tmp_path / "api.json", [api_row()])
    done = bring(first, second)
    assert len(done.rows) == 1
    assert done.report["files"][1]["left_out"] == {"the same measurement as another row of this import": 1}


def test_the_median_of_an_even_number_may_not_add_up_and_says_so() -> None:
    records = [Record(1), Record(2)]
    for record, (part_in, part_out) in zip(records, ((90.0, 10.0), (80.0, 40.0)), strict=True):
        record.point.total_tok_s_per_chip = part_in + part_out
        record.point.input_tok_s_per_chip, record.point.output_tok_s_per_chip = part_in, part_out
    selection.choose(records, "median")
    assert records[1].point.total_tok_s_per_chip == 110
    assert records[1].point.input_tok_s_per_chip == 85  # 85 + 25 = 110
    skewed = [Record(n) for n in range(3)]
    for record, (part_in, part_out) in zip(skewed, ((90.0, 10.0), (50.0, 60.0), (20.0, 20.0)), strict=True):
        record.point.total_tok_s_per_chip = part_in + part_out
        record.point.input_tok_s_per_chip, record.point.output_tok_s_per_chip = part_in, part_out
    selection.choose(skewed, "median")
    kept = skewed[-1]
    assert (kept.point.total_tok_s_per_chip, kept.point.input_tok_s_per_chip) == (100, None)
    assert kept.notes[-1] == "medians of input and output rate left out: they do not make the median of the total"


def test_the_same_measurement_has_all_its_numbers() -> None:
    record = Record(1)
    record.point.total_tok_s_per_chip, record.point.ttft_mean_s = 100.0, 0.25
    key = selection.configuration(record.point)
    poorer = dict.fromkeys(MEASURED) | {"total_tok_s_per_chip": 100.0}
    selection.leave_out_known([record], {key: [(poorer, "a.csv:2")]})
    assert record.aside == ""
    richer = poorer | {"ttft_mean_s": 0.25, "ttft_p99_s": 0.4}
    selection.leave_out_known([record], {key: [(poorer, "a.csv:2"), (richer, "b.csv:7")]})
    assert record.aside == "already there, b.csv:7"
