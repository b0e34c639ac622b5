"""Load generators: their real files, and what each of them means by its words."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from import_runs import Bring
from made_files import (
    E2E,
    TPOT,
    TTFT,
    Row,
    aiperf_run,
    changed,
    distribution,
    guidellm_benchmark,
    guidellm_report,
    inference_perf_stage,
    sglang_run,
    vllm_run,
    write,
)

MAKERS: dict[str, Callable[..., Row]] = {
    "vllm-bench": vllm_run,
    "sglang-bench": sglang_run,
    "aiperf": aiperf_run,
    "guidellm": lambda concurrency=8, requests=80: guidellm_report(guidellm_benchmark(concurrency, requests)),
    "inference-perf": inference_perf_stage,
}
NAMELESS = ("sglang-bench", "inference-perf")
"""Clients that do not record the model."""


@pytest.mark.parametrize("name", MAKERS)
def test_the_same_load_makes_the_same_row_whatever_measured_it(tmp_path: Path, client: Bring, name: str) -> None:
    options = ("--model", "gpt-oss-120b", "--isl", "8192", "--osl", "1024")
    done = client(write(tmp_path / "a.json", MAKERS[name]()), *options)
    assert (done.status, done.file["format"], done.file["refusals"]) == (0, name, [])
    (row,) = done.rows
    numbers = {
        "total_tok_s_per_chip": 8 * 8294.4 / E2E / 8,
        "input_tok_s_per_chip": 8 * 7372.8 / E2E / 8,
        "output_tok_s_per_chip": 8 * 921.6 / E2E / 8,
        "ttft_mean_s": TTFT,
        "tpot_mean_s": TPOT,
        "e2e_mean_s": E2E,
        "ttft_median_s": TTFT * 0.99,
        "tpot_p99_s": TPOT * 1.5,
        "e2e_p99_s": E2E * 1.5,
        "interactivity_mean_tok_s_user": 200,
        "interactivity_median_tok_s_user": 200 / 0.99,
        "isl_mean": 7372.8,
        "osl_mean": 921.6,
    }
    for column, value in numbers.items():
        assert float(row[column]) == pytest.approx(value, rel=1e-4), column
    texts = {"model": "gpt-oss-120b", "system": "my-chip", "chips": "8", "concurrency": "8", "isl_nominal": "8192"}
    assert {column: row[column] for column in texts} == texts
    assert (row["evidence"], row["engine"], row["precision"]) == ("user-measured", "vllm", "fp4")


@pytest.mark.parametrize("name", MAKERS)
def test_what_no_client_knows_is_asked_for_by_the_name_of_the_option(tmp_path: Path, bring: Bring, name: str) -> None:
    path = write(tmp_path / "a.json", MAKERS[name]())
    done = bring(path)
    assert done.status == 2
    assert done.file["error"] == [
        f"{path}: expected --chips: a load generator does not know how many chips served the load; "
        "count prefill chips too",
        f"{path}: expected --system: a load generator does not know which system was measured; "
        "give its key, such as b200",
    ]
    assert not done.folder.exists()


@pytest.mark.parametrize("name", NAMELESS)
def test_a_client_that_does_not_name_the_model(tmp_path: Path, client: Bring, name: str) -> None:
    done = client(write(tmp_path / "a.json", MAKERS[name]()))
    assert (done.status, done.refusals()) == (2, ["refused model: the file does not name the model; say --model"])


@pytest.mark.parametrize("name", [n for n in MAKERS if n not in NAMELESS])
def test_a_file_of_another_known_model_is_refused(tmp_path: Path, client: Bring, name: str) -> None:
    done = client(write(tmp_path / "a.json", MAKERS[name]()), "--model", "deepseek-r1")
    assert done.refusals() == ["refused model: the file is of gpt-oss-120b, not of deepseek-r1 as --model says"]
    own = client(tmp_path / "a.json", "--model", "my-finetune")
    assert [row["model"] for row in own.rows] == ["my-finetune"]


def failing(name: str, failed: int) -> Row:
    """A run in which some of a hundred requests failed."""
    good = 100 - failed
    row = MAKERS[name](8, good)
    if name == "vllm-bench":
        return changed(row, {"failed": failed, "num_prompts": 100})
    if name == "sglang-bench":
        return changed(row, {"errors": ["boom"] * failed + [""] * good})
    if name == "aiperf":
        return changed(row, {"error_request_count": {"unit": "requests", "avg": float(failed)}})
    if name == "guidellm":
        row["benchmarks"][0]["metrics"]["request_totals"]["errored"] = failed
        return row
    return changed(row, {"failures": {"count": failed}})


@pytest.mark.parametrize("name", MAKERS)
def test_a_run_with_failures_says_so(tmp_path: Path, client: Bring, name: str) -> None:
    done = client(write(tmp_path / "a.json", failing(name, 4)), "--model", "gpt-oss-120b")
    (row,) = done.rows
    assert "4 of 100 requests failed (4 %)" in row["statistic_note"]


@pytest.mark.parametrize("name", MAKERS)
def test_more_than_5_percent_are_refused_unless_told_otherwise(tmp_path: Path, client: Bring, name: str) -> None:
    path = write(tmp_path / "a.json", failing(name, 20))
    done = client(path, "--model", "gpt-oss-120b")
    assert done.refusals() == [
        "refused failed: 20 of 100 requests failed (20 %), more than 5 %; say --allow-failures to keep it"
    ]
    kept = client(path, "--model", "gpt-oss-120b", "--allow-failures", "20")
    assert "20 of 100 requests failed (20 %)" in kept.rows[0]["statistic_note"]


@pytest.mark.parametrize("name", MAKERS)
def test_no_request_succeeded(tmp_path: Path, client: Bring, name: str) -> None:
    row = MAKERS[name]()
    if name in ("vllm-bench", "sglang-bench"):
        row["completed"] = 0
    elif name == "aiperf":
        del row["request_count"]
    elif name == "guidellm":
        row["benchmarks"][0]["metrics"]["request_totals"] = {"successful": 0, "errored": 80}
    else:
        row["successes"] = {"count": 0, "latency": None, "throughput": None}
    done = client(write(tmp_path / "a.json", row), "--model", "gpt-oss-120b")
    assert "refused completed: no request succeeded" in done.refusals()
    assert done.rows == []


def test_a_rate_that_does_not_follow_from_its_counts_is_named(tmp_path: Path, client: Bring) -> None:
    row = vllm_run()
    done = client(write(tmp_path / "a.json", changed(row, {"output_throughput": row["output_throughput"] * 2})))
    assert done.refusals() == [
        "refused output_tok_s: 73728 in 48.53 s make 1519.23 per second; it cannot be told which is wrong"
    ]


def test_latencies_in_another_unit_break_an_identity(tmp_path: Path, client: Bring) -> None:
    row = vllm_run()
    seconds = {key: value / 1000 for key, value in row.items() if key.endswith("_ms")}
    done = client(write(tmp_path / "gptoss_8k1k.json", changed(row, seconds)))
    assert done.file["rows_kept"] == 0
    assert done.refusals() == [
        "refused concurrency: 0.008 requests in flight by Little's law: "
        "the load was not held, or the chip count or a unit is wrong"
    ]


def test_another_load_than_the_name_says(tmp_path: Path, client: Bring) -> None:
    done = client(write(tmp_path / "gptoss_1k1k_fp4.json", vllm_run()))
    assert done.refusals() == [
        "blanked isl_nominal: the mean length is 7372.8 tokens: this is another load, its nominal lengths are left out"
    ]


# vLLM and benchmark_serving


def test_the_mean_length_is_stored_and_not_the_nominal(originals: Path, client: Bring) -> None:
    (path,) = (originals / "inferencex/benchmark_serving").glob("*tp4_conc64*.json")
    done = client(path, "--chips", "4")
    (row,) = done.rows
    assert float(row["isl_mean"]) == pytest.approx(590227 / 640)
    assert round(float(row["isl_mean"]), 1) == 922.2
    assert float(row["osl_mean"]) == pytest.approx(589961 / 640)
    assert (row["isl_nominal"], row["osl_nominal"], row["model"]) == ("1024", "1024", "gpt-oss-120b")
    assert float(row["total_tok_s_per_chip"]) == pytest.approx(9119.460258666819 / 4)
    assert float(row["e2e_mean_s"]) == pytest.approx(12.565717976197448)
    assert (row["date"], row["concurrency"]) == ("2026-06-10 20:53:22", "64")


def test_a_name_that_contradicts_the_file_counts_for_nothing(originals: Path, client: Bring) -> None:
    """These files are called gptoss and are of DeepSeek R1, as their own field says."""
    paths = sorted((originals / "inferencex/benchmark_serving").glob("deepseekr1*.json"))
    done = client(*paths)
    assert [row["model"] for row in done.rows] == ["deepseek-r1"] * 2
    assert sorted(row["concurrency"] for row in done.rows) == ["16", "4"]
    (source,) = done.table("sources")
    assert len(source["sha256"].split()) == 2


def test_the_raw_file_and_its_aggregate_agree(originals: Path, client: Bring, bring: Bring, tmp_path: Path) -> None:
    folder = originals / "clients/inferencex_benchmark_serving"
    (raw,) = client(folder / "mock_8k1k_disagg_conc4.json", "--chips", "12", "--model", "deepseek-r1").rows
    (aggregate,) = bring(folder / "agg_mock_8k1k_disagg_conc4.json", into=tmp_path / "agg").rows
    for column in (
        "total_tok_s_per_chip",
        "input_tok_s_per_chip",
        "output_tok_s_per_chip",
        "e2e_median_s",
        "tpot_p99_s",
    ):
        assert float(raw[column]) == pytest.approx(float(aggregate[column])), column
    assert float(raw["interactivity_mean_tok_s_user"]) == pytest.approx(
        float(aggregate["interactivity_mean_tok_s_user"])
    )


def test_the_run_with_a_fifth_of_its_requests_failed(originals: Path, client: Bring) -> None:
    done = client(originals / "clients/inferencex_benchmark_serving/mock_failures_conc4.json", "--model", "mock")
    assert done.refusals() == [
        "refused failed: 4 of 20 requests failed (20 %), more than 5 %; say --allow-failures to keep it"
    ]
    assert done.status == 2


@pytest.mark.parametrize("key", ["request_goodput:", "request_goodput"])
def test_goodput_in_either_spelling_is_passed_over(tmp_path: Path, client: Bring, key: str) -> None:
    row = changed(vllm_run(), {"request_goodput": ..., key: 17.0})
    done = client(write(tmp_path / "a.json", row))
    assert done.file["refusals"] == []
    assert "17" not in done.rows[0].values()


def test_appended_results_are_several_runs(tmp_path: Path, client: Bring) -> None:
    runs = [vllm_run(c) for c in (1, 2, 4)]
    path = write(tmp_path / "a.json", "".join(json.dumps(run, indent=2) for run in runs))
    assert sorted(row["concurrency"] for row in client(path).rows) == ["1", "2", "4"]
    lines = write(tmp_path / "b.json", "\n".join(json.dumps(vllm_run(c)) for c in (8, 16)) + "\n")
    assert {row["concurrency"] for row in client(lines).rows} == {"1", "2", "4", "8", "16"}


def test_old_versions_have_no_total_rate_and_no_e2e(tmp_path: Path, client: Bring) -> None:
    row = {k: v for k, v in vllm_run().items() if "e2el" not in k and k not in ("total_token_throughput", "failed")}
    (kept,) = client(write(tmp_path / "a.json", row)).rows
    assert float(kept["total_tok_s_per_chip"]) == pytest.approx(8294.4 / E2E, rel=1e-4)
    assert (kept["e2e_mean_s"], kept["e2e_p99_s"]) == ("", "")


def test_the_failures_of_benchmark_serving_are_the_prompts_without_an_answer(tmp_path: Path, client: Bring) -> None:
    row = changed(vllm_run(8, 96), {"failed": ..., "num_prompts": 100})
    assert client(write(tmp_path / "a.json", row)).rows[0]["statistic_note"] == "4 of 100 requests failed (4 %)"


def test_chunk_gaps_are_not_the_time_per_token(tmp_path: Path, client: Bring) -> None:
    done = client(write(tmp_path / "a.json", vllm_run(mean_itl_ms=437.0)))
    assert float(done.rows[0]["tpot_mean_s"]) == pytest.approx(TPOT)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"max_concurrency": None}, "requests came as fast as the client could, without a limit on those in flight"),
        ({"max_concurrency": None, "request_rate": 10.0}, "requests came at 10 per second, without a limit"),
        (
            {"max_concurrency": 256, "request_rate": 1.6},
            "8 requests in flight by Little's law: requests came at 1.6 per",
        ),
    ],
)
def test_an_open_loop_holds_no_concurrency(tmp_path: Path, client: Bring, changes: Row, words: str) -> None:
    done = client(write(tmp_path / "a.json", vllm_run(**changes)))
    (told,) = done.refusals()
    assert told.startswith(f"refused concurrency: {words}")
    assert "the points of the book hold a concurrency" in told


def test_drafted_tokens_ask_for_the_decoding_method(tmp_path: Path, bring: Bring) -> None:
    path = write(tmp_path / "a.json", vllm_run(spec_decode_acceptance_length=2.4))
    options = ("--system", "my-chip", "--chips", "8")
    done = bring(path, *options)
    assert done.refusals() == ["refused speculation: tokens were drafted and accepted; say --speculation how"]
    (row,) = bring(path, *options, "--speculation", "eagle").rows
    assert row["speculation"] == "eagle"


def test_what_was_assumed_is_told(tmp_path: Path, bring: Bring) -> None:
    done = bring(write(tmp_path / "a.json", vllm_run()), "--system", "my-chip", "--chips", "8")
    assert done.file["notes"] == [
        "decoding taken as single-token; --speculation says otherwise",
        "no precision: the model pages compare FP4 rows; --precision states it",
        "no engine; --engine states it",
    ]


# SGLang


def test_the_sweep_of_sglang(originals: Path, client: Bring) -> None:
    path = originals / "clients/sglang_bench_serving/sglang_sweep.jsonl"
    text = path.read_text(encoding="utf-8")
    assert "Infinity" in text
    done = client(path, "--model", "mock", "--chips", "2")
    published = [json.loads(line) for line in text.splitlines()]
    assert [row["concurrency"] for row in done.rows] == ["1", "2", "4", "8"]
    for ours, theirs in zip(done.rows, published, strict=True):
        assert float(ours["total_tok_s_per_chip"]) * 2 == pytest.approx(theirs["total_throughput"])
        assert float(ours["e2e_p99_s"]) * 1000 == pytest.approx(theirs["p99_e2e_latency_ms"])
        assert float(ours["isl_mean"]) == theirs["total_input_tokens"] / theirs["completed"]
    assert done.file["notes"] == ["SGLang does not count failed requests without --output-details"]


def test_the_servers_own_settings_name_model_and_layout(tmp_path: Path, client: Bring) -> None:
    server = {"model_path": "openai/gpt-oss-120b", "tp_size": 8, "ep_size": 8, "enable_dp_attention": True}
    (row,) = client(write(tmp_path / "a.jsonl", sglang_run(server_info=server))).rows
    assert (row["model"], row["parallelism"], row["disaggregated"]) == ("gpt-oss-120b", "TP8 EP8 DPA", "false")


def test_old_versions_draw_lengths_from_0_so_the_load_is_another(tmp_path: Path, client: Bring) -> None:
    """With a range ratio of 0 the mean is half the nominal length."""
    row = changed(sglang_run(), {"random_input_len": 14746, "random_output_len": 1843, "random_range_ratio": 0.0})
    done = client(write(tmp_path / "a.jsonl", row), "--model", "m")
    assert [r["field"] for r in done.file["refusals"]] == ["isl_nominal"]
    assert (done.rows[0]["isl_nominal"], done.rows[0]["isl_mean"]) == ("", "7372.8")


def test_tokens_that_the_client_counts_differently_are_told(tmp_path: Path, client: Bring) -> None:
    row = sglang_run(total_output_tokens_retokenized=60000)
    (kept,) = client(write(tmp_path / "a.jsonl", row), "--model", "m").rows
    assert kept["statistic_note"] == "the client counts 60,000 output tokens again where the server counts 73,728"


# AIPerf


def test_aiperfs_real_files(originals: Path, client: Bring) -> None:
    done = client(originals / "clients/aiperf", "--chips", "1")
    passed = [Path(f["path"]).name for f in done.report["files"] if f["passed_over"]]
    assert passed == ["profile_export_aiperf.csv"] * 2
    four = next(row for row in done.rows if row["concurrency"] == "4")
    assert float(four["tpot_mean_s"]) == pytest.approx(0.0023130359564516)
    assert float(four["interactivity_mean_tok_s_user"]) == pytest.approx(1 / 0.0023130359564516)
    assert float(four["interactivity_mean_tok_s_user"]) != pytest.approx(432.78025760327273, rel=1e-6)
    assert float(four["tpot_p99_s"]) == pytest.approx(0.0025563139822581)
    assert float(four["total_tok_s_per_chip"]) == pytest.approx(6533.903852310283)
    assert (four["isl_nominal"], four["osl_mean"], four["date"]) == ("128", "32", "2026-11-30 08:53:54")


@pytest.mark.parametrize(("unit", "scale"), [("ms", 1.0), ("s", 1e-3), ("us", 1e3), ("ns", 1e6)])
def test_the_unit_that_aiperf_states_decides(tmp_path: Path, client: Bring, unit: str, scale: float) -> None:
    values = {"request_latency": E2E, "time_to_first_token": TTFT, "inter_token_latency": TPOT}
    row = aiperf_run(**{key: distribution(unit, value * 1000 * scale) for key, value in values.items()})
    (kept,) = client(write(tmp_path / "a.json", row)).rows
    assert float(kept["ttft_mean_s"]) == pytest.approx(TTFT)
    assert float(kept["e2e_median_s"]) == pytest.approx(E2E * 0.99)


def test_an_unknown_unit_is_not_guessed(tmp_path: Path, client: Bring) -> None:
    done = client(write(tmp_path / "a.json", aiperf_run(time_to_first_token=distribution("ticks", 3.0))))
    assert done.refusals() == ["blanked time_to_first_token: a unit of time was expected: ms, s, sec, us, ns"]
    assert done.rows[0]["ttft_mean_s"] == ""


def test_the_first_schema_keeps_the_load_elsewhere(tmp_path: Path, client: Bring) -> None:
    config = {"endpoint": {"model_names": ["openai/gpt-oss-120b"]}, "loadgen": {"concurrency": 8, "request_rate": None}}
    row = aiperf_run(schema_version="1.0", input_config=config, total_isl=..., total_osl=...)
    row |= {
        "input_sequence_length": distribution("tokens", 7372.8),
        "output_sequence_length": distribution("tokens", 921.6),
    }
    (kept,) = client(write(tmp_path / "a.json", row)).rows
    assert (kept["model"], kept["concurrency"], kept["isl_nominal"]) == ("gpt-oss-120b", "8", "")
    assert float(kept["isl_mean"]) == pytest.approx(7372.8)


def test_genai_perf_is_the_same_idea(tmp_path: Path, client: Bring) -> None:
    config = {
        "model_names": ["openai/gpt-oss-120b"],
        "perf_analyzer": {"stimulus": {"concurrency": 8}},
        "input": {"synthetic_tokens": {"mean": 8192}},
    }
    (kept,) = client(write(tmp_path / "a.json", aiperf_run(schema_version=..., input_config=config))).rows
    assert (kept["model"], kept["concurrency"]) == ("gpt-oss-120b", "8")


def test_errors_that_are_only_listed_count(tmp_path: Path, client: Bring) -> None:
    row = aiperf_run(8, 90, error_summary=[{"error_details": {"code": 500}, "count": 10}])
    done = client(write(tmp_path / "a.json", row))
    assert done.refusals()[0].startswith("refused failed: 10 of 100 requests failed (10 %)")


def test_a_cancelled_run_is_refused(tmp_path: Path, client: Bring) -> None:
    done = client(write(tmp_path / "a.json", aiperf_run(was_cancelled=True)))
    assert done.refusals() == ["refused was_cancelled: the run was interrupted"]


def test_a_run_that_its_scenario_calls_invalid_is_refused(tmp_path: Path, client: Bring) -> None:
    scenario = {"scenario": "inferencex-agentx-mvp", "submission_valid": False}
    done = client(write(tmp_path / "a.json", aiperf_run(metadata=scenario)))
    assert done.refusals() == [
        "refused submission_valid: the run is no valid run of its scenario: submission_valid is false"
    ]
    overflow = client(write(tmp_path / "b.json", aiperf_run(runtime_submission_invalid_reasons=["context_overflow"])))
    assert overflow.refusals()[0].endswith("the run is no valid run of its scenario: context_overflow")


def test_a_valid_run_of_a_scenario_is_agentic(tmp_path: Path, client: Bring) -> None:
    scenario = {"scenario": "inferencex-agentx-mvp", "submission_valid": True}
    (row,) = client(write(tmp_path / "a.json", aiperf_run(metadata=scenario))).rows
    assert (row["workload"], row["isl_nominal"]) == ("agentic", "")


def telemetry(*watts: float, key: str = "gpu_power_usage") -> Row:
    gpus = {f"gpu_{i}": {"metrics": {key: {"unit": "W", "avg": w}}} for i, w in enumerate(watts)}
    return {"endpoints": {"localhost:9400": {"gpus": gpus}}}


@pytest.mark.parametrize("key", ["gpu_power_usage", "nvidia_power_usage", "amd_power_usage"])
def test_telemetry_of_all_chips_is_their_mean_power(tmp_path: Path, client: Bring, key: str) -> None:
    row = aiperf_run(telemetry_data=telemetry(*range(400, 480, 10), key=key))
    (kept,) = client(write(tmp_path / "a.json", row)).rows
    assert kept["chip_power_mean_w"] == "435"


def test_telemetry_of_some_chips_is_not(tmp_path: Path, client: Bring) -> None:
    (kept,) = client(write(tmp_path / "a.json", aiperf_run(telemetry_data=telemetry(400.0)))).rows
    assert kept["chip_power_mean_w"] == ""
    assert kept["statistic_note"] == "GPU telemetry covers 1 chips, not the 8 of the load: its power is left out"


# GuideLLM


def test_guidellms_real_file(originals: Path, client: Bring) -> None:
    path = originals / "clients/guidellm/benchmarks.json"
    published = json.loads(path.read_text(encoding="utf-8"))["benchmarks"]
    done = client(path, "--chips", "1")
    assert [row["concurrency"] for row in done.rows] == ["1", "2", "4", "8"]
    for ours, theirs in zip(done.rows, published, strict=True):
        metrics = theirs["metrics"]
        tpot = metrics["inter_token_latency_ms"]["successful"]
        assert float(ours["tpot_mean_s"]) * 1000 == pytest.approx(tpot["mean"])
        assert float(ours["e2e_median_s"]) == metrics["request_latency"]["successful"]["median"]
        assert float(ours["total_tok_s_per_chip"]) == pytest.approx(metrics["tokens_per_second"]["successful"]["mean"])
        assert (ours["isl_nominal"], ours["osl_nominal"], ours["isl_mean"]) == ("128", "32", "128")
        assert ours["statistic_note"] == "TPOT median and p99 weighted by tokens"
    included = published[2]["metrics"]["time_per_output_token_ms"]["successful"]["mean"]
    assert float(done.rows[2]["tpot_mean_s"]) * 1000 < 0.8 * included  # that one includes the first token


@pytest.mark.parametrize("place", ["args", "scheduler"])
def test_older_versions_of_guidellm(tmp_path: Path, client: Bring, place: str) -> None:
    benchmark = guidellm_benchmark(config=..., **{place: {"strategy": {"type_": "concurrent", "streams": 8}}})
    metrics = {k: v for k, v in benchmark["metrics"].items() if k not in ("prompt_tokens_per_second", "request_totals")}
    benchmark |= {"metrics": metrics, "request_totals": {"successful": 80, "errored": 0, "incomplete": 3}}
    arguments = {"model": "openai/gpt-oss-120b", "data": '{"prompt_tokens": 8192, "output_tokens": 1024}'}
    report = guidellm_report(benchmark, config=..., args=arguments)
    done = client(write(tmp_path / "benchmarks.json", report))
    (row,) = done.rows
    assert (row["concurrency"], row["model"], row["isl_nominal"]) == ("8", "gpt-oss-120b", "8192")
    assert float(row["total_tok_s_per_chip"]) == pytest.approx(8294.4 / E2E, rel=1e-4)
    assert "3 requests were cut off by the end of the run" in row["statistic_note"]


def test_a_sweep_keeps_the_loads_that_hold_a_concurrency(tmp_path: Path, client: Bring) -> None:
    def load(strategy: Row, concurrency: int = 8) -> Row:
        return guidellm_benchmark(concurrency, config={"strategy": strategy})

    report = guidellm_report(
        load({"type_": "synchronous"}, 1),
        load({"type_": "throughput"}),
        load({"type_": "constant", "rate": 2.5}),
        load({"type_": "concurrent", "streams": 8}),
    )
    done = client(write(tmp_path / "a.json", report))
    assert [row["concurrency"] for row in done.rows] == ["1", "8"]
    assert [(r["row"], r["reason"][:40]) for r in done.file["refusals"]] == [
        (2, "requests came as fast as the client coul"),
        (3, "requests came at 2.5 per second, without"),
    ]


# inference-perf


def test_inference_perfs_real_files(originals: Path, client: Bring) -> None:
    folder = originals / "clients/inference_perf"
    done = client(folder, "--chips", "1", "--model", "mock")
    rows = {row["concurrency"]: row for row in done.rows}
    assert set(rows) == {"1", "4"}
    stage = json.loads((folder / "stage_2_lifecycle_metrics.json").read_text(encoding="utf-8"))["successes"]
    assert float(rows["4"]["tpot_mean_s"]) == stage["latency"]["time_per_output_token"]["mean"]
    assert float(rows["4"]["e2e_p99_s"]) == stage["latency"]["request_latency"]["p99"]
    assert float(rows["4"]["total_tok_s_per_chip"]) == pytest.approx(stage["throughput"]["total_tokens_per_sec"])
    assert rows["4"]["date"] == ""


def test_the_summary_over_all_stages_mixes_loads(tmp_path: Path, client: Bring) -> None:
    path = write(tmp_path / "summary_lifecycle_metrics.json", inference_perf_stage(load_summary={"count": 80}))
    done = client(path, "--model", "m")
    assert done.status == 2
    assert done.file["error"] == [
        f"{path}: expected a stage_N_lifecycle_metrics.json: this summary mixes the loads of all stages"
    ]


def test_a_stage_at_a_rate_holds_no_concurrency(tmp_path: Path, client: Bring) -> None:
    stage = inference_perf_stage(load_summary={"count": 80, "requested_rate": 40.0})
    done = client(write(tmp_path / "a.json", stage), "--model", "m")
    assert done.refusals()[0].startswith("refused concurrency: requests came at 40 per second, without a limit")


def test_loads_that_only_their_mean_lengths_tell_apart(tmp_path: Path, client: Bring) -> None:
    """Without nominal lengths the table cannot hold both; none is taken for a run of the other."""
    long, short = vllm_run(), vllm_run()
    short |= {"total_input_tokens": 73728, "total_token_throughput": 2 * 73728 / short["duration"]}
    first, second = write(tmp_path / "a.json", long), write(tmp_path / "b.json", short)
    done = client(first, second)
    told = [r["reason"] for f in done.report["files"] for r in f["refusals"]]
    assert told == [
        f"the table tells runs apart by source, date and address, and {second}, row 1, has the same; "
        "say --isl and --osl"
    ]
    assert not any("runs" in row["statistic_note"] for row in done.rows)


def test_one_name_never_merges_runs_of_different_models(bring: Bring, tmp_path: Path) -> None:
    for name, model in (("a", "openai/gpt-oss-120b"), ("b", "deepseek-ai/DeepSeek-R1")):
        write(tmp_path / "runs" / f"{name}.json", vllm_run(8, model_id=model))
    done = bring(tmp_path / "runs", "--model", "mine", "--system", "b200", "--chips", "8")
    assert [f["rows_kept"] for f in done.report["files"]] == [0, 0]
    assert (
        "the files name different models (deepseek-r1, gpt-oss-120b); import those of one model at a time"
        in done.output
    )
    assert "nothing was written: no row could be used" in done.output


def test_a_later_run_makes_way_for_itself_and_says_so(bring: Bring, tmp_path: Path) -> None:
    say = ("--model", "mine", "--system", "b200", "--chips", "8")
    bring(write(tmp_path / "one.json", vllm_run(8, model_id="me/mine")), *say)
    slower = vllm_run(8, model_id="me/mine", mean_ttft_ms=TTFT * 1010, date="20260610-210000")
    done = bring(write(tmp_path / "two.json", slower), *say)
    (row,) = done.rows
    assert float(row["ttft_mean_s"]) == pytest.approx(TTFT * 1.01)
    assert "note: 1 row of earlier imports out of the points, kept under runs/" in done.output


def test_another_tools_rows_of_the_same_configuration_stay(bring: Bring, tmp_path: Path) -> None:
    say = ("--model", "mine", "--system", "b200", "--chips", "8", "--isl", "8192", "--osl", "1024")
    bring(write(tmp_path / "one.json", vllm_run(8, model_id="me/mine")), *say)
    done = bring(write(tmp_path / "two.jsonl", sglang_run(8, mean_ttft_ms=TTFT * 1010)), *say)
    assert len(done.rows) == 2
    assert (
        "note: 1 row of a configuration that the folder holds already from a source that stays as it is" in done.output
    )
