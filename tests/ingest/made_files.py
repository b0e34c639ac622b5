"""Small result files of every format, written by the tests, with numbers that follow from one another.

Each maker takes changes as keyword arguments, so that a test says only what is different in its file.
"""

from __future__ import annotations

import csv
import json
import random
from pathlib import Path
from typing import Any

TTFT, TPOT = 0.25, 0.005
ISL, OSL = 8192, 1024
MEAN_ISL, MEAN_OSL = 7372.8, 921.6
E2E = TTFT + (MEAN_OSL - 1) * TPOT
"""4.853 seconds: mean latency of a request of 8K/1K at these speeds."""

Row = dict[str, Any]


def rates(concurrency: int, chips: int) -> tuple[float, float, float]:
    """Total, input and output rate per chip when ``concurrency`` requests are always in flight."""
    requests = concurrency / E2E
    return tuple(requests * tokens / chips for tokens in (MEAN_ISL + MEAN_OSL, MEAN_ISL, MEAN_OSL))  # type: ignore[return-value]


def metrics(concurrency: int = 8, chips: int = 8, prefill: int = 0, decode: int = 0) -> Row:
    """Metrics of an InferenceX row in seconds; with roles, input and output rate are per chip of the role."""
    total, per_in, per_out = rates(concurrency, chips)
    row: Row = {
        "tput_per_gpu": total,
        "input_tput_per_gpu": per_in * chips / prefill if prefill else per_in,
        "output_tput_per_gpu": per_out * chips / decode if decode else per_out,
    }
    for name, value in (("ttft", TTFT), ("tpot", TPOT), ("itl", TPOT), ("e2el", E2E)):
        row |= {f"mean_{name}": value, f"median_{name}": value * 0.99, f"p99_{name}": value * 1.5, f"std_{name}": 0.1}
    row |= {f"{s}_intvty": 1 / row[f"{s}_tpot"] for s in ("mean", "median", "p99", "std")}
    return row


def agg_row(concurrency: int = 8, **changes: Any) -> Row:
    """A row of ``agg_bmk.json`` on one node: TP8 EP8 on eight B200, as of December 2025."""
    row = {
        "hw": "b200-trt",
        "conc": concurrency,
        "image": "img",
        "model": "openai/gpt-oss-120b",
        "infmax_model_prefix": "gptoss",
        "framework": "trt",
        "precision": "fp4",
        "spec_decoding": "none",
        "disagg": False,
        "isl": ISL,
        "osl": OSL,
        "is_multinode": False,
        "tp": 8,
        "ep": 8,
        "dp_attention": "true",
        **metrics(concurrency, 8),
    }
    return changed(row, changes)


def disagg_row(concurrency: int = 8, **changes: Any) -> Row:
    """A disaggregated row: 1×TP4 for prefill, 2×TP4 EP4 for decode, twelve GB300."""
    row = {k: v for k, v in agg_row(concurrency).items() if k not in ("tp", "ep", "dp_attention")}
    row |= {
        "hw": "gb300-nv",
        "framework": "dynamo-trt",
        "disagg": True,
        "is_multinode": True,
        **role("prefill", 4, 1, 1),
        **role("decode", 4, 4, 2),
        "num_prefill_gpu": 4,
        "num_decode_gpu": 8,
        **metrics(concurrency, 12, 4, 8),
    }
    return changed(row, changes)


def role(name: str, tp: int, ep: int, workers: int, dpa: Any = "false") -> Row:
    """The layout of one role."""
    return {
        f"{name}_tp": tp,
        f"{name}_ep": ep,
        f"{name}_dp_attention": dpa,
        f"{name}_num_workers": workers,
    }


def api_row(concurrency: int = 8, chips: int = 8, **changes: Any) -> Row:
    """A row of the API: TP8 on eight B200, both roles mirrored."""
    row = {
        "hardware": "b200",
        "framework": "trt",
        "model": "dsr1",
        "precision": "fp4",
        "spec_method": "none",
        "disagg": False,
        "is_multinode": False,
        **role("prefill", 8, 1, 0, dpa=False),
        **role("decode", 8, 1, 0, dpa=False),
        "num_prefill_gpu": 8,
        "num_decode_gpu": 8,
        "isl": ISL,
        "osl": OSL,
        "conc": concurrency,
        "image": "img",
        "metrics": metrics(concurrency, chips),
        "date": "2026-03-01",
        "run_url": "https://github.com/SemiAnalysisAI/InferenceX/actions/runs/22469096331/attempts/1",
    }
    return changed(row, changes)


def snapshot_row(total: float, output: float, given: float, speed: float, ttft: float, e2e: float, **more: Any) -> Row:
    """A row that the app adds to its API: medians repeated as every other statistic."""
    repeated = {"intvty": speed, "tpot": 1 / speed, "ttft": ttft, "e2el": e2e}
    values: Row = {"tput_per_gpu": total, "output_tput_per_gpu": output, "input_tput_per_gpu": given}
    for statistic in ("median", "mean", "p90", "p95", "p99"):
        values |= {f"{statistic}_{name}": value for name, value in repeated.items()}
    return api_row(
        **{"metrics": values, "run_url": None, "benchmark_type": "single_turn", "offload_mode": "off", **more}
    )


def client_counts(concurrency: int, requests: int) -> Row:
    """Counts of a load generator that held ``concurrency`` requests of 8K/1K, and the rates that follow."""
    duration = requests * E2E / concurrency
    tokens_in, tokens_out = round(requests * MEAN_ISL), round(requests * MEAN_OSL)
    return {
        "duration": duration,
        "completed": requests,
        "total_input_tokens": tokens_in,
        "total_output_tokens": tokens_out,
        "request_throughput": requests / duration,
        "output_throughput": tokens_out / duration,
    }


def milliseconds(names: dict[str, str]) -> Row:
    """Latencies under the names of a client, in milliseconds."""
    values = {"ttft": TTFT, "tpot": TPOT, "e2e": E2E}
    return {
        f"{statistic}_{theirs}_ms": values[ours] * 1000 * scale
        for ours, theirs in names.items()
        for statistic, scale in (("mean", 1), ("median", 0.99), ("p99", 1.5))
    }


def vllm_run(concurrency: int = 8, requests: int = 80, **changes: Any) -> Row:
    """A result of ``vllm bench serve``."""
    counts = client_counts(concurrency, requests)
    tokens = counts["total_input_tokens"] + counts["total_output_tokens"]
    row = {
        "date": "20260610-205322",
        "endpoint_type": "openai",
        "model_id": "openai/gpt-oss-120b",
        "num_prompts": requests,
        "request_rate": "inf",
        "max_concurrency": concurrency,
        "failed": 0,
        "request_goodput": None,
        "total_token_throughput": tokens / counts["duration"],
        **counts,
        **milliseconds({"ttft": "ttft", "tpot": "tpot", "e2e": "e2el"}),
        "mean_itl_ms": 40.0,
    }
    return changed(row, changes)


def sglang_run(concurrency: int = 8, requests: int = 80, **changes: Any) -> Row:
    """A line of SGLang's ``bench_serving``."""
    counts = client_counts(concurrency, requests)
    tokens = counts["total_input_tokens"] + counts["total_output_tokens"]
    row = {
        "backend": "sglang-oai",
        "request_rate": float("inf"),
        "max_concurrency": concurrency,
        "random_input_len": ISL,
        "random_output_len": OSL,
        "random_range_ratio": 0.8,
        **counts,
        "total_output_tokens_retokenized": counts["total_output_tokens"],
        "input_throughput": counts["total_input_tokens"] / counts["duration"],
        "total_throughput": tokens / counts["duration"],
        **milliseconds({"ttft": "ttft", "tpot": "tpot", "e2e": "e2e_latency"}),
        "accept_length": None,
    }
    return changed(row, changes)


def aiperf_run(concurrency: int = 8, requests: int = 80, **changes: Any) -> Row:
    """A ``profile_export_aiperf.json`` of schema 1.4."""
    counts = client_counts(concurrency, requests)
    tokens_in, tokens_out = counts["total_input_tokens"], counts["total_output_tokens"]
    row = {
        "schema_version": "1.4",
        "request_throughput": {"unit": "requests/sec", "avg": counts["request_throughput"]},
        "request_latency": distribution("ms", E2E * 1000),
        "request_count": {"unit": "requests", "avg": float(requests)},
        "time_to_first_token": distribution("ms", TTFT * 1000),
        "inter_token_latency": distribution("ms", TPOT * 1000),
        "output_token_throughput": {"unit": "tokens/sec", "avg": counts["output_throughput"]},
        "output_token_throughput_per_user": distribution("tokens/sec/user", 210.0),
        "benchmark_duration": {"unit": "sec", "avg": counts["duration"]},
        "total_isl": {"unit": "tokens", "avg": float(tokens_in)},
        "total_osl": {"unit": "tokens", "avg": float(tokens_out)},
        "input_config": {
            "models": {"items": [{"name": "openai/gpt-oss-120b"}]},
            "datasets": [{"prompts": {"isl": {"mean": float(ISL)}, "osl": {"mean": float(OSL)}}}],
            "phases": [
                {"kind": "warmup", "concurrency": 2},
                {"kind": "profiling", "type": "concurrency", "concurrency": concurrency},
            ],
        },
        "was_cancelled": False,
        "error_summary": [],
        "start_time": "2026-06-10T20:53:22.129718",
    }
    return changed(row, changes)


def distribution(unit: str, mean: float) -> Row:
    """A metric of AIPerf."""
    return {"unit": unit, "avg": mean, "p50": mean * 0.99, "p99": mean * 1.5, "std": 1.0, "count": 80}


def guidellm_benchmark(concurrency: int = 8, requests: int = 80, **changes: Any) -> Row:
    """One benchmark of GuideLLM 0.8."""
    counts = client_counts(concurrency, requests)
    tokens_in, tokens_out = counts["total_input_tokens"], counts["total_output_tokens"]
    row = {
        "type_": "generative_benchmark",
        "config": {"strategy": {"type_": "concurrent", "max_concurrency": concurrency, "streams": concurrency}},
        "metrics": {
            "request_totals": {"successful": requests, "errored": 0, "incomplete": 0, "total": requests},
            "requests_per_second": status(counts["request_throughput"]),
            "request_latency": status(E2E),
            "prompt_token_count": status(MEAN_ISL, total_sum=float(tokens_in)),
            "output_token_count": status(MEAN_OSL, total_sum=float(tokens_out)),
            "time_to_first_token_ms": status(TTFT * 1000),
            "time_per_output_token_ms": status(E2E / MEAN_OSL * 1000),
            "inter_token_latency_ms": status(TPOT * 1000),
            "prompt_tokens_per_second": status(tokens_in / counts["duration"]),
            "output_tokens_per_second": status(tokens_out / counts["duration"]),
        },
        "start_time": 1781124801.3,
        "duration": counts["duration"],
    }
    return changed(row, changes)


def status(mean: float, **more: float) -> Row:
    """A metric of GuideLLM; only its successful part is to be read."""
    wrong = {"mean": mean * 7, "median": mean * 7, "percentiles": {"p99": mean * 7}}
    right = {"mean": mean, "median": mean * 0.99, "percentiles": {"p001": 0.0, "p01": 0.0, "p99": mean * 1.5}, **more}
    return {"successful": right, "errored": wrong, "incomplete": wrong, "total": wrong}


def guidellm_report(*benchmarks: Row, **changes: Any) -> Row:
    """A ``benchmarks.json``."""
    spec = {
        "backend": {"model": "openai/gpt-oss-120b"},
        "data": [{"prompt_tokens": ISL, "output_tokens": OSL}],
    }
    report: Row = {"metadata": {"version": 2}, "config": {"spec": spec}, "benchmarks": list(benchmarks)}
    return changed(report, changes)


def inference_perf_stage(concurrency: int = 8, requests: int = 80, **changes: Any) -> Row:
    """A ``stage_N_lifecycle_metrics.json``."""
    counts = client_counts(concurrency, requests)
    tokens_in, tokens_out = counts["total_input_tokens"], counts["total_output_tokens"]
    row = {
        "benchmark_time_seconds": counts["duration"],
        "load_summary": {"count": requests, "requested_rate": 40.0, "concurrency": concurrency},
        "successes": {
            "count": requests,
            "latency": {
                "request_latency": spread(E2E),
                "time_to_first_token": spread(TTFT),
                "time_per_output_token": spread(TPOT),
                "normalized_time_per_output_token": spread(E2E / MEAN_OSL),
                "inter_token_latency": spread(0.04),
            },
            "throughput": {
                "requests_per_sec": counts["request_throughput"],
                "input_tokens_per_sec": tokens_in / counts["duration"],
                "output_tokens_per_sec": tokens_out / counts["duration"],
                "total_tokens_per_sec": (tokens_in + tokens_out) / counts["duration"],
            },
            "prompt_tokens": {"total": float(tokens_in)},
            "output_tokens": {"total": float(tokens_out)},
        },
        "failures": {"count": 0},
    }
    return changed(row, changes)


def spread(mean: float) -> Row:
    """A latency of inference-perf."""
    return {"mean": mean, "median": mean * 0.99, "p99": mean * 1.5}


def agentx_nested(concurrency: int = 16, **changes: Any) -> Row:
    """An AgentX row as of July 2026 on one node of eight B200."""
    row = {k: v for k, v in agg_row(concurrency).items() if k not in ("isl", "osl") and k not in metrics()}
    row |= {
        "scenario_type": "agentic-coding",
        "kv_offloading": "none",
        "kv_offload_backend": None,
        "pp": 1,
        "pcp_size": 1,
        "num_requests_total": 1000,
        "num_requests_successful": 940,
        "request_accounting": {"records_total": 1000, "records_warmup_dropped": 50, "records_error_dropped": 10},
        "request_metrics": {
            "latency": {
                "ttft": {"mean": 1.5, "p50": 1.2, "p90": 3.0, "std": 0.5},
                "e2el": {"mean": 20.0, "p50": 15.0, "p90": 50.0, "std": 9.0},
                "itl": {"mean": 0.02, "p50": 0.018, "p90": 0.03, "std": 0.01},
                "tpot": {"mean": 0.02, "p50": 0.018, "p90": 0.03, "std": 0.01},
                "intvty": {"mean": 50.0, "p50": 55.6, "p90": 33.3, "std": 12.0},
            },
            "tokens": {"input": {"mean": 60000.0}, "output_actual": {"mean": 500.0}},
            "throughput": {
                "total": {"tokens_per_second": 48400.0},
                "per_gpu": {"total_tput_tps": 6050.0, "input_tput_tps": 6000.0, "output_tput_tps": 50.0},
            },
        },
        "server_metrics": {"cache": {"gpu_cache_hit_rate": 0.9}},
    }
    return changed(row, changes)


CSV_OLD = (
    "Model,ISL,OSL,Hardware,Hardware Key,Framework,Precision,TP,Concurrency,Date,Throughput/GPU (tok/s),"
    "Output Throughput/GPU (tok/s),Input Throughput/GPU (tok/s),Mean TTFT (ms),Median TTFT (ms),P99 TTFT (ms),"
    "Std TTFT (ms),Mean TPOT (ms),Median TPOT (ms),P99 TPOT (ms),Std TPOT (ms),Mean Interactivity (tok/s/user),"
    "Median Interactivity (tok/s/user),P99 Interactivity (tok/s/user),Std Interactivity (tok/s/user),Mean ITL (ms),"
    "Median ITL (ms),P99 ITL (ms),Std ITL (ms),Mean E2E Latency (ms),Median E2E Latency (ms),P99 E2E Latency (ms),"
    "Std E2E Latency (ms),Disaggregated,Num Prefill GPUs,Num Decode GPUs,Spec Decoding,EP,DP Attention,Is Multinode"
)
CSV_NEW = (
    CSV_OLD.replace("/GPU", "/Chip")
    .replace("(ms)", "(s)")
    .replace(" GPUs", " Chips")
    .replace("Date,", "Date,Cost per Million Tokens ($),Median End-to-end (s),")
    + ",Run URL,Physical Chips,DP"
)

CSV_KEYS = {
    "Throughput": "tput_per_gpu",
    "Output Throughput": "output_tput_per_gpu",
    "Input Throughput": "input_tput_per_gpu",
    "E2E Latency": "e2el",
    "Interactivity": "intvty",
}


def csv_export(header: str, *rows: Row, scale: float = 1, **columns: Any) -> str:
    """An export of the dashboard; ``scale`` multiplies latencies, ``columns`` replace whole columns."""
    names = header.split(",")
    lines = [",".join(str(columns.get(n.split("/")[0], _csv_cell(n, row, scale))) for n in names) for row in rows]
    return "# Licensed under Apache License 2.0\n# Attribution is required\n" + "\n".join([header, *lines])


def _csv_cell(name: str, row: Row, scale: float) -> Any:
    bare = name.split("/", maxsplit=1)[0].split(" (", maxsplit=1)[0]
    statistic, _, metric = bare.partition(" ")
    if bare in CSV_KEYS:
        return row["metrics"][CSV_KEYS[bare]]
    if statistic in ("Mean", "Median", "P99", "Std") and metric:
        key = CSV_KEYS.get(metric, metric.lower())
        value = row["metrics"].get(f"{statistic.lower()}_{key}", "")
        return value * scale if metric != "Interactivity" and value != "" else value
    fixed = {
        "Model": "DeepSeek-R1-0528",
        "ISL": row["isl"],
        "OSL": row["osl"],
        "Hardware": row["hardware"],
        "Hardware Key": f"{row['hardware']}_{row['framework']}",
        "Framework": row["framework"],
        "Precision": row["precision"],
        "TP": row["decode_tp"],
        "Concurrency": row["conc"],
        "Date": row["date"],
        "Disaggregated": str(row["disagg"]).lower(),
        "Spec Decoding": row["spec_method"],
        "EP": row["decode_ep"],
        "DP Attention": str(row["decode_dp_attention"]).lower(),
        "Is Multinode": str(row["is_multinode"]).lower(),
        "Run URL": row["run_url"] or "",
    }
    apart = {"Num Prefill": row["num_prefill_gpu"], "Num Decode": row["num_decode_gpu"]} if row["disagg"] else {}
    return fixed.get(bare, apart.get(bare.removesuffix(" GPUs").removesuffix(" Chips"), ""))


CONFIG_COLUMNS = (
    "id hardware framework model precision spec_method disagg is_multinode prefill_tp prefill_ep "
    "prefill_dp_attention prefill_num_workers decode_tp decode_ep decode_dp_attention decode_num_workers "
    "num_prefill_gpu num_decode_gpu"
).split()
RESULT_COLUMNS = (
    "id workflow_run_id config_id benchmark_type date isl osl conc image metrics error server_log_id".split()
)
RUN_COLUMNS = "id github_run_id run_attempt name html_url date".split()


def dump(folder: Path, configs: list[Row], results: list[Row], runs: list[Row] | None = None) -> Path:
    """A database dump as CSV; returns the file of results."""
    folder.mkdir(parents=True, exist_ok=True)
    table(folder / "configs.csv", CONFIG_COLUMNS, configs)
    if runs is not None:
        table(folder / "workflow_runs.csv", RUN_COLUMNS, runs)
    return table(folder / "benchmark_results_raw.csv", RESULT_COLUMNS, results)


def config(number: int = 1, **changes: Any) -> Row:
    """A configuration of the dump: that of `api_row`, with PostgreSQL's booleans."""
    row = {"id": number, **{k: v for k, v in api_row().items() if k in CONFIG_COLUMNS}}
    return {
        k: {True: "t", False: "f"}.get(v, v) if isinstance(v, bool) else v for k, v in changed(row, changes).items()
    }


def result(number: int = 1, concurrency: int = 8, chips: int = 8, **changes: Any) -> Row:
    """A result of the dump."""
    row = {
        "id": number,
        "workflow_run_id": 4711,
        "config_id": 1,
        "benchmark_type": "single_turn",
        "date": "2026-03-01",
        "isl": ISL,
        "osl": OSL,
        "conc": concurrency,
        "metrics": json.dumps(metrics(concurrency, chips)),
    }
    return changed(row, changes)


def large_dump(folder: Path, rows: int) -> tuple[Path, list[Row]]:
    """A dump of realistic size and shape; returns its file of results, and what some of its rows must become."""
    rng = random.Random(20)
    configs = [_random_config(rng, number) for number in range(1, 1369)]
    expected: list[Row] = []
    results = []
    for number in range(1, rows + 1):
        shape = rng.choice(configs)
        apart = shape["disagg"] == "t"
        chips = shape["num_prefill_gpu"] + shape["num_decode_gpu"] if apart else shape["prefill_tp"]
        roles = (shape["num_prefill_gpu"], shape["num_decode_gpu"]) if apart else (0, 0)
        concurrency = 2 ** rng.randrange(11)
        values = metrics(concurrency, chips, *roles)
        noise = rng.uniform(0.99, 1.01)
        values |= {key: values[key] * noise for key in ("tput_per_gpu", "input_tput_per_gpu", "output_tput_per_gpu")}
        day = f"2026-{1 + number % 6:02d}-{1 + number % 28:02d}"
        metrics_text = json.dumps(values)
        results.append(
            result(
                number, config_id=shape["id"], conc=concurrency, date=day, metrics=metrics_text, workflow_run_id=number
            )
        )
        if number % 997 == 0:
            expected.append({"line": number + 1, "chips": chips, "total": values["tput_per_gpu"], "day": day})
    return dump(folder, configs, results), expected


def _random_config(rng: random.Random, number: int) -> Row:
    model = rng.choice(["dsr1", "gptoss120b", "kimik2.5", "llama70b", "qwen3.5", "glm5", "dsv4"])
    system = rng.choice(["h100", "h200", "b200", "b300", "gb200", "gb300", "mi355x"])
    tp = rng.choice([1, 2, 4, 8])
    if number % 4:
        ep = rng.choice([1, tp])
        shape = {"prefill_tp": tp, "decode_tp": tp, "prefill_ep": ep, "decode_ep": ep}
        return config(number, model=model, hardware=system, num_prefill_gpu=tp * ep, num_decode_gpu=tp * ep, **shape)
    workers, wide = rng.randint(1, 6), rng.choice([8, 16])
    shape = role("prefill", tp, tp, workers, dpa=False) | role("decode", wide, wide, 1, dpa=True)
    counts = {"num_prefill_gpu": tp * workers, "num_decode_gpu": wide}
    return config(
        number, model=model, hardware=system, framework="dynamo-trt", disagg=True, is_multinode=True, **shape, **counts
    )


def table(path: Path, columns: list[str], rows: list[Row]) -> Path:
    """A CSV file."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, columns, lineterminator="\n", restval="")
        writer.writeheader()
        writer.writerows(rows)
    return path


def own_table(*rows: Row, delimiter: str = ",", comma: bool = False) -> str:
    """A table of ours by hand: a few columns, as somebody would fill in."""
    columns = list(rows[0])
    lines = [delimiter.join(columns)]
    for row in rows:
        cells = [str(row[c]) for c in columns]
        lines.append(
            delimiter.join(c.replace(".", ",") if comma and c.replace(".", "").isdigit() else c for c in cells)
        )
    return "\n".join(lines) + "\n"


def own_row(concurrency: int = 8, **changes: Any) -> Row:
    """A row of such a table."""
    total, per_in, per_out = rates(concurrency, 8)
    row = {
        "model": "my-model",
        "system": "my-chip",
        "engine": "vllm",
        "precision": "fp4",
        "date": "2026-03-01",
        "chips": 8,
        "concurrency": concurrency,
        "isl_nominal": ISL,
        "osl_nominal": OSL,
        "total_tok_s_per_chip": f"{total:.2f}",
        "input_tok_s_per_chip": f"{per_in:.2f}",
        "output_tok_s_per_chip": f"{per_out:.2f}",
        "ttft_mean_s": f"{TTFT:.3f}",
        "tpot_mean_s": f"{TPOT:.4f}",
        "e2e_mean_s": f"{E2E:.3f}",
    }
    return changed(row, changes)


def changed(row: Row, changes: Row) -> Row:
    """A row with other values; a change to `Ellipsis` takes the key away."""
    return {k: v for k, v in {**row, **changes}.items() if v is not ...}


def write(path: Path, content: Any) -> Path:
    """A file with text, or with a value as JSON."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path
