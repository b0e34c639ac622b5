"""NVIDIA AIPerf ``profile_export_aiperf.json`` and its predecessor GenAI-Perf: one object a run.

Every metric is an object with its own ``unit``, which decides; statistics are ``avg``, ``p50``, ``p99`` and so on.
Keys: docs/reference/json-export-schema.md of ai-dynamo/aiperf, schema 1.0 to 1.5.

* ``inter_token_latency`` is (E2E - TTFT) / (output tokens - 1) of each request: everybody else's TPOT.
  ``inter_chunk_latency`` is the gap between chunks and is not read.
* ``output_token_throughput_per_user`` averages 1 / ITL over requests, and its p99 is the fast tail. Interactivity
  is 1 / mean TPOT here, so that it means the same as in other rows.
* A run with failed requests ends without an error; ``error_request_count`` is absent when it is 0.
* The concurrency stands in the profiling phase of ``input_config`` (1.2 on), or in its ``loadgen``.
* Runs of a scenario (AgentX) have no nominal lengths; one that its own scenario calls invalid is refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from statistics import fmean
from typing import Any

from scoville.ingest import clients
from scoville.ingest.documents import Document
from scoville.ingest.fields import count, flag, inside, items, moment, number, one, part, text
from scoville.ingest.formats import Format, Reading, Source
from scoville.ingest.options import Options
from scoville.ingest.points import Record

KEYS = ("request_latency", "output_token_throughput")

_TO_SECONDS = {"ms": 1e-3, "s": 1.0, "sec": 1.0, "us": 1e-6, "ns": 1e-9}
_METRICS = {"ttft": "time_to_first_token", "tpot": "inter_token_latency", "e2e": "request_latency"}
_STATISTICS = {"mean": "avg", "median": "p50", "p99": "p99"}
_RATES = {
    "requests_per_s": "request_throughput",
    "input_tok_s": "input_token_throughput",
    "output_tok_s": "output_token_throughput",
    "total_tok_s": "total_token_throughput",
}
_COUNTS = ("total_isl", "total_osl", "input_sequence_length", "output_sequence_length", "benchmark_duration")
_POWER = ("gpu_power_usage", "nvidia_power_usage", "amd_power_usage")


def matches(document: Document) -> bool:
    """Whether the file is one object whose metrics are objects with a unit."""
    values = document.values if document.is_json else []
    return len(values) == 1 and isinstance(values[0], dict) and all(_is_metric(values[0].get(k)) for k in KEYS)


def _is_metric(value: Any) -> bool:
    return isinstance(value, dict) and "unit" in value and "avg" in value


def read(document: Document, options: Options) -> Reading:
    """The one record of the file."""
    clients.require(document, options)
    value, record = document.values[0], Record(1)
    if one(record, value, "was_cancelled", flag, needed=True):
        record.refuse("was_cancelled", "true", "the run was interrupted")
    _scenario(record, value)
    _latencies(record, value)
    record.point.date = one(record, value, "start_time", moment)
    clients.convert(record, _run(record, value, options), options)
    return Reading([record], Source("aiperf", "AIPerf benchmark"), clients.assumed(options))


def _scenario(record: Record, value: dict[str, Any]) -> None:
    metadata = _dict(value.get("metadata"))
    reasons = value.get("runtime_submission_invalid_reasons")
    if metadata.get("scenario"):
        record.point.workload = "agentic"
        record.note(f"scenario {metadata['scenario']}")
    if metadata.get("submission_valid") is False or reasons:
        why = ", ".join(map(str, reasons)) if isinstance(reasons, list) else "submission_valid is false"
        record.refuse("submission_valid", "false", f"the run is no valid run of its scenario: {why}")


def _latencies(record: Record, value: dict[str, Any]) -> None:
    for ours, theirs in _METRICS.items():
        metric = part(record, value, theirs)
        scale = _TO_SECONDS.get(str(metric.get("unit", "")))
        if metric and scale is None:
            record.blank(theirs, metric.get("unit"), f"a unit of time was expected: {', '.join(_TO_SECONDS)}")
            continue
        for statistic, key in _STATISTICS.items():
            read = one(record, metric, key, number)
            setattr(record.point, f"{ours}_{statistic}_s", read and scale and read * scale)


def _run(record: Record, value: dict[str, Any], options: Options) -> clients.Run:
    run = clients.Run(**{ours: _scalar(record, value, theirs, number) for ours, theirs in _RATES.items()})
    run.keys = (*_RATES.values(), *_COUNTS)
    run.completed = _scalar(record, value, "request_count", count, needed=True)
    run.failed = _scalar(record, value, "error_request_count", count, needed=True) or _listed_errors(record, value)
    run.duration_s = _scalar(record, value, "benchmark_duration", number)
    run.input_tokens = _tokens(record, value, "total_isl", "input_sequence_length", run.completed)
    run.output_tokens = _tokens(record, value, "total_osl", "output_sequence_length", run.completed)
    run.chip_power_w = _power(record, value, options.chips)
    _configured(record, inside(record, value, "input_config"), run)
    return run


def _scalar(record: Record, value: dict[str, Any], key: str, read: Any, *, needed: bool = False) -> Any:
    return one(record, {key: part(record, value, key, needed=needed).get("avg")}, key, read, needed=needed)


def _tokens(record: Record, value: dict[str, Any], total: str, each: str, completed: int | None) -> float | None:
    """Tokens over all requests: the stated total, else the mean length times the requests."""
    stated: float | None = _scalar(record, value, total, number)
    mean: float | None = _scalar(record, value, each, number)
    return stated or (mean * completed if mean and completed else None)


def _listed_errors(record: Record, value: dict[str, Any]) -> int | None:
    entries = items(record, value, "error_summary")
    return sum(one(record, e, "count", count, needed=True) or 0 for e in entries if isinstance(e, dict)) or None


def _configured(record: Record, config: dict[str, Any], run: clients.Run) -> None:
    """Model, concurrency and nominal lengths, in the places where the generations of the schema keep them."""
    load = _profiling_phase(record, config) or inside(record, config, "loadgen")
    load = load or inside(record, config, "perf_analyzer", "stimulus")
    run.concurrency = clients.limit(record, load, "concurrency")
    run.request_rate = clients.arrival_rate(record, load, "request_rate") or clients.arrival_rate(record, load, "rate")
    run.model = _model(record, config)
    prompts = inside(record, _first(record, config, "datasets"), "prompts") or inside(record, config, "input")
    run.isl_nominal = _nominal(record, prompts, "isl", "prompt")
    run.osl_nominal = _nominal(record, prompts, "osl", "output")
    if record.point.workload == "agentic":
        run.isl_nominal = run.osl_nominal = None


def _profiling_phase(record: Record, config: dict[str, Any]) -> dict[str, Any]:
    phases = [_dict(phase) for phase in items(record, config, "phases")]
    kinds = [one(record, phase, "kind", text, needed=True) for phase in phases]
    profiling = [phase for phase, kind in zip(phases, kinds, strict=True) if kind == "profiling"]
    return profiling[-1] if profiling else {}


def _model(record: Record, config: dict[str, Any]) -> str | None:
    name = _first(record, inside(record, config, "models"), "items").get("name")
    endpoint = inside(record, config, "endpoint")
    listed = items(record, endpoint, "model_names") or items(record, config, "model_names") or [None]
    found: str | None = one(record, {"model": name or listed[0]}, "model", text)
    return found


def _nominal(record: Record, prompts: dict[str, Any], key: str, older: str) -> int | None:
    mean = inside(record, prompts, key).get("mean") or inside(record, prompts, older, "input_tokens").get("mean")
    found: int | None = one(record, {key: mean}, key, count)
    return found or None


def _power(record: Record, value: dict[str, Any], chips: int | None) -> float | None:
    """Mean watts of a chip, when the telemetry covers exactly the chips that served the load."""
    endpoints = _dict(_dict(value.get("telemetry_data")).get("endpoints"))
    gpus = [gpu for e in endpoints.values() for gpu in _dict(_dict(e).get("gpus")).values()]
    metrics = [_dict(_dict(gpu).get("metrics")) for gpu in gpus]
    watts = [one(record, _dict(m.get(k)), "avg", number) for m in metrics for k in _POWER if k in m]
    read = [w for w in watts if w]
    if not read:
        return None
    if len(read) != chips:
        record.note(f"GPU telemetry covers {len(read)} chips, not the {chips} of the load: its power is left out")
        return None
    record.note("power from the client's GPU telemetry")
    return fmean(read)


def _dict(value: Any) -> dict[str, Any]:
    return dict(value) if isinstance(value, Mapping) else {}


def _first(record: Record, row: dict[str, Any], key: str) -> dict[str, Any]:
    found = items(record, row, key)
    return part(record, {key: found[0]}, key, needed=True) if found else {}


FORMAT = Format(
    "aiperf",
    "an object whose request_latency and output_token_throughput are objects with a unit (AIPerf, GenAI-Perf)",
    matches,
    read,
    sweep=True,
)
