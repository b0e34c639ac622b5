"""``vllm bench serve --save-result`` and the older ``benchmark_serving.py``, which InferenceX runs as well.

One JSON object a run, latencies in milliseconds; files written with ``--append-result`` hold several objects one
after the other. Keys: vllm/benchmarks/serve.py, and utils/bench_serving/benchmark_serving.py of InferenceX.

* ``request_goodput:`` (with the colon) is the key of old versions; goodput is not carried over in either form.
* The nominal lengths are in no field. InferenceX writes them into the file name; the mean lengths must agree.
* ``*_itl_ms`` is the gap between chunks, of which one may hold several tokens: it is not read.
* Percentiles that were not asked for are absent. With the default settings there is no E2E latency.
"""

from __future__ import annotations

from typing import Any

from scoville.ingest import clients, lengths
from scoville.ingest.documents import Document
from scoville.ingest.fields import count, fill, latencies, milliseconds, moment, number, one, text
from scoville.ingest.formats import Format, Reading, Source
from scoville.ingest.options import Options
from scoville.ingest.points import Record

KEYS = ("duration", "completed", "total_input_tokens", "mean_ttft_ms")
SGLANG_KEYS = ("total_output_tokens_retokenized", "mean_e2e_latency_ms", "random_input_len")

LATENCIES = latencies(
    "{statistic}_{name}_ms",
    {"ttft": "ttft", "tpot": "tpot", "e2e": "e2el"},
    clients.MEAN_MEDIAN_P99,
    milliseconds,
)
RUN = {
    "model": ("model_id", text),
    "completed": ("completed", count),
    "duration_s": ("duration", number),
    "input_tokens": ("total_input_tokens", number),
    "output_tokens": ("total_output_tokens", number),
    "requests_per_s": ("request_throughput", number),
    "output_tok_s": ("output_throughput", number),
    "total_tok_s": ("total_token_throughput", number),
}
_ACCEPTED = ("spec_decode_acceptance_length", "spec_decode_acceptance_rate")


def matches(document: Document) -> bool:
    """Whether every JSON value is an object with the keys of a vLLM result."""
    return document.is_json and bool(document.values) and all(map(_is_run, document.values))


def _is_run(value: Any) -> bool:
    return (
        isinstance(value, dict) and all(key in value for key in KEYS) and not any(key in value for key in SGLANG_KEYS)
    )


def read(document: Document, options: Options) -> Reading:
    """One record an object."""
    clients.require(document, options)
    nominal = lengths.from_name(document.path)
    records = []
    for row, value in enumerate(document.values, start=1):
        record = Record(row)
        fill(record, value, LATENCIES)
        record.point.date = one(record, value, "date", moment)
        clients.convert(record, _run(record, value, nominal), options)
        records.append(record)
    return Reading(records, Source("vllm-bench", "vLLM serving benchmark"), clients.assumed(options))


def _run(record: Record, value: dict[str, Any], nominal: tuple[int, int] | None) -> clients.Run:
    run = clients.read_run(record, value, RUN)
    run.concurrency = clients.limit(record, value)
    run.request_rate = clients.arrival_rate(record, value)
    run.failed = _failed(record, value, run.completed)
    run.speculation_seen = any(value.get(key) for key in _ACCEPTED)
    run.isl_nominal, run.osl_nominal = nominal or (None, None)
    return run


def _failed(record: Record, value: dict[str, Any], completed: int | None) -> int | None:
    """Failed requests: ``failed`` where it is, else the prompts that no completed request answers."""
    if "failed" in value:
        return one(record, value, "failed", count, needed=True)
    prompts = one(record, value, "num_prompts", count, needed=True)
    return max(prompts - completed, 0) if prompts and completed is not None else None


FORMAT = Format(
    "vllm-bench",
    "objects with duration, completed, total_input_tokens and mean_ttft_ms (vllm bench serve, benchmark_serving)",
    matches,
    read,
    sweep=True,
)
