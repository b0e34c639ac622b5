"""inference-perf ``stage_N_lifecycle_metrics.json``: one object a stage, everything in seconds.

Keys: inference_perf/reportgen/base.py of kubernetes-sigs/inference-perf.

* ``time_per_output_token`` leaves the first token out and is TPOT; ``normalized_time_per_output_token`` includes
  it, and ``inter_token_latency`` is the gap between chunks: neither is read.
* The median is called ``median``, other percentiles ``p99``.
* The summary over all stages has the same keys but no stage's own load; it mixes loads and is refused.
* Model and date are in no field.
"""

from __future__ import annotations

from typing import Any

from scoville.ingest import clients
from scoville.ingest.documents import Document
from scoville.ingest.fields import count, fill, latencies, number, one, part, seconds
from scoville.ingest.formats import Format, Reading, Source
from scoville.ingest.options import Options
from scoville.ingest.points import Record

_NAMES = {"ttft": "time_to_first_token", "tpot": "time_per_output_token", "e2e": "request_latency"}
_LATENCIES = {name: latencies("{statistic}", {name: ""}, clients.MEAN_MEDIAN_P99, seconds) for name in _NAMES}
_RATES = {
    "requests_per_s": ("requests_per_sec", number),
    "input_tok_s": ("input_tokens_per_sec", number),
    "output_tok_s": ("output_tokens_per_sec", number),
    "total_tok_s": ("total_tokens_per_sec", number),
}


def matches(document: Document) -> bool:
    """Whether the file is one object with successes, failures and a summary of the load."""
    values = document.values if document.is_json else []
    return (
        len(values) == 1
        and isinstance(values[0], dict)
        and all(isinstance(values[0].get(key), dict) for key in ("successes", "failures", "load_summary"))
    )


def read(document: Document, options: Options) -> Reading:
    """The one record of the file."""
    clients.require(document, options)
    value, record = document.values[0], Record(1)
    load, successes = value["load_summary"], value["successes"]
    if "requested_rate" not in load and "concurrency" not in load:
        reason = "a stage_N_lifecycle_metrics.json: this summary mixes the loads of all stages"
        raise document.unusable(reason)
    for name, key in _NAMES.items():
        fill(record, part(record, part(record, successes, "latency"), key), _LATENCIES[name])
    clients.convert(record, _run(record, value, load, successes), options)
    return Reading([record], Source("inference-perf", "inference-perf benchmark"), clients.assumed(options))


def _run(record: Record, value: dict[str, Any], load: dict[str, Any], successes: dict[str, Any]) -> clients.Run:
    run = clients.read_run(record, part(record, successes, "throughput"), _RATES)
    run.keys = (*run.keys, "benchmark_time_seconds", "total", "mean")
    run.completed = one(record, successes, "count", count, needed=True)
    run.failed = one(record, value["failures"], "count", count, needed=True)
    run.duration_s = one(record, value, "benchmark_time_seconds", number)
    run.input_tokens = _tokens(record, successes, "prompt_tokens", "prompt_len", run.completed)
    run.output_tokens = _tokens(record, successes, "output_tokens", "output_len", run.completed)
    run.concurrency = clients.limit(record, load, "concurrency")
    if run.concurrency is None:
        run.request_rate = clients.arrival_rate(record, load, "requested_rate")
    return run


def _tokens(record: Record, successes: dict[str, Any], key: str, older: str, completed: int | None) -> float | None:
    """Tokens of all requests: the stated total, else the mean length times the requests."""
    counts = part(record, successes, key) or part(record, successes, older)
    if counts.get("total") is not None:
        return one(record, counts, "total", number)
    mean = one(record, counts, "mean", number)
    return mean * completed if mean and completed else None


FORMAT = Format(
    "inference-perf",
    "an object with successes, failures and load_summary (inference-perf stage_N_lifecycle_metrics.json)",
    matches,
    read,
    sweep=True,
)
