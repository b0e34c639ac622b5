"""AgentX rows: a workload of their own, in both shapes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from import_runs import Bring
from made_files import agentx_nested, agg_row, api_row, changed, role, write


def test_the_nested_shape(tmp_path: Path, bring: Bring) -> None:
    done = bring(write(tmp_path / "a.json", [agentx_nested()]))
    (row,) = done.rows
    assert (row["workload"], row["isl_nominal"], row["osl_nominal"]) == ("agentic", "", "")
    assert (row["isl_mean"], row["osl_mean"]) == ("60000", "500")
    assert (row["total_tok_s_per_chip"], row["input_tok_s_per_chip"], row["output_tok_s_per_chip"]) == (
        "6050",
        "6000",
        "50",
    )
    assert (row["ttft_mean_s"], row["ttft_median_s"], row["ttft_p99_s"]) == ("1.5", "1.2", "")
    assert (row["tpot_median_s"], row["e2e_median_s"]) == ("0.018", "15")
    assert float(row["interactivity_median_tok_s_user"]) == pytest.approx(1 / 0.018)
    assert row["statistic_note"] == "10 of 950 requests failed (1.1 %)"
    assert done.file["refusals"] == []


def test_interactivity_is_never_taken_from_the_row(tmp_path: Path, bring: Bring) -> None:
    """One version averages 1 / ITL over requests, which is not 1 / mean ITL."""
    metrics = agentx_nested()["request_metrics"]
    latency = {**metrics["latency"], "intvty": {"mean": 80.0, "p50": 90.0, "p90": 120.0}}
    row = agentx_nested(request_metrics={**metrics, "latency": latency})
    (kept,) = bring(write(tmp_path / "a.json", [row])).rows
    assert kept["interactivity_mean_tok_s_user"] == "50"


def test_the_whole_response_counts_where_the_row_has_it(tmp_path: Path, bring: Bring) -> None:
    metrics = agentx_nested()["request_metrics"]
    latency = {**metrics["latency"], "full_response_itl": {"mean": 0.025, "p50": 0.02}}
    (kept,) = bring(write(tmp_path / "a.json", [agentx_nested(request_metrics={**metrics, "latency": latency})])).rows
    assert (kept["tpot_mean_s"], kept["interactivity_mean_tok_s_user"]) == ("0.025", "40")


def flat(**changes: Any) -> dict[str, Any]:
    row = {
        k: v
        for k, v in agentx_nested().items()
        if k not in ("request_metrics", "server_metrics", "request_accounting", "conc")
    }
    row |= {
        "users": 16,
        "offloading": "none",
        "num_requests_total": 100,
        "num_requests_successful": 99,
        "tput_per_gpu": 6050.0,
        "input_tput_per_gpu": 6000.0,
        "output_tput_per_gpu": 50.0,
        "mean_ttft": 1.5,
        "mean_e2el": 20.0,
        "mean_itl": 0.02,
        "mean_tpot": 0.02,
        "mean_intvty": 61.0,
        "p90_intvty": 80.0,
        "mean_input_tokens": 60000.0,
        "mean_output_tokens_actual": 500.0,
    }
    return changed(row, changes)


def test_the_flat_shape_with_users_for_concurrency(tmp_path: Path, bring: Bring) -> None:
    (row,) = bring(write(tmp_path / "a.json", [flat()])).rows
    assert (row["concurrency"], row["workload"], row["isl_mean"]) == ("16", "agentic", "60000")
    assert (row["interactivity_mean_tok_s_user"], row["interactivity_median_tok_s_user"]) == ("50", "")
    assert row["statistic_note"] == "1 of 100 requests failed (1 %)"


def test_offloading_makes_another_configuration(tmp_path: Path, bring: Bring) -> None:
    rows = [agentx_nested(), agentx_nested(kv_offloading="dram")]
    done = bring(write(tmp_path / "a.json", rows))
    assert sorted(row["parallelism"] for row in done.rows) == ["TP8 EP8 DPA", "TP8 EP8 DPA, KV offload dram"]


def test_rates_of_two_roles_are_per_all_chips(tmp_path: Path, bring: Bring) -> None:
    roles = {**role("prefill", 4, 1, 1), **role("decode", 4, 4, 1), "num_prefill_gpu": 4, "num_decode_gpu": 4}
    row = agentx_nested(disagg=True, is_multinode=True, tp=8, framework="dynamo-vllm", **roles)
    (kept,) = bring(write(tmp_path / "a.json", [row])).rows
    assert (kept["parallelism"], kept["chips"], kept["output_tok_s_per_chip"]) == ("P 1×TP4 + D 1×TP4 EP4", "8", "50")
    assert kept["statistic_note"].startswith("10 of 950 requests failed (1.1 %); input and output rates were per all")


def test_no_successful_request(tmp_path: Path, bring: Bring) -> None:
    done = bring(write(tmp_path / "a.json", [agentx_nested(num_requests_successful=0, request_metrics={})]))
    assert done.refusals() == ["refused num_requests_successful: no request succeeded"]


def test_too_many_failed_requests(tmp_path: Path, bring: Bring) -> None:
    done = bring(write(tmp_path / "a.json", [flat(num_requests_successful=90)]))
    assert done.refusals() == [
        "refused failed: 10 of 100 requests failed (10 %), more than 5 %; say --allow-failures to keep it"
    ]
    kept = bring(tmp_path / "a.json", "--allow-failures", "10")
    assert kept.file["rows_kept"] == 1


def test_warm_up_is_no_failure(tmp_path: Path, bring: Bring) -> None:
    counts = {"records_total": 1000, "records_warmup_dropped": 500, "records_error_dropped": 0}
    (row,) = bring(
        write(tmp_path / "a.json", [agentx_nested(num_requests_successful=500, request_accounting=counts)])
    ).rows
    assert row["statistic_note"] == ""


def test_they_are_never_runs_of_a_fixed_length_row(tmp_path: Path, bring: Bring) -> None:
    done = bring(write(tmp_path / "a.json", [agg_row(16), agentx_nested(16)]))
    assert sorted(row["workload"] for row in done.rows) == ["agentic", "fixed-length"]


def test_the_api_has_them_too(tmp_path: Path, bring: Bring) -> None:
    values = {k: v for k, v in flat().items() if isinstance(v, float)}
    row = api_row(benchmark_type="agentic_traces", isl=None, osl=None, offload_mode="on", metrics=values, conc=16)
    (kept,) = bring(write(tmp_path / "a.json", [row])).rows
    assert (kept["workload"], kept["parallelism"]) == ("agentic", "TP8, KV offload on")
    assert kept["interactivity_mean_tok_s_user"] == "50"
