"""GuideLLM ``benchmarks.json``: one object with a list of benchmarks, one for each load of a sweep.

Keys: src/guidellm/benchmark of vllm-project/guidellm, versions 0.2 to 0.8. Every metric has the parts
``successful``, ``incomplete``, ``errored`` and ``total``; only the successful one is read.

* ``request_latency`` is in seconds, everything that ends in ``_ms`` in milliseconds.
* ``inter_token_latency_ms`` is everybody else's TPOT, its median and p99 weighted by tokens.
  ``time_per_output_token_ms`` divides by all tokens, and from 0.4 on includes TTFT: it is not read.
* Only the ``mean`` of a rate is the rate of the run; its median is that of short windows.
* Loads at a fixed rate and without a limit are refused: the points of the book hold a concurrency.
* The nominal lengths are those that the data were made with; they are the same for all loads of a file.
* Incomplete requests were cut off by the end of the run. They are neither completed nor failed.
"""

from __future__ import annotations

import re
from typing import Any

from scoville.ingest import clients
from scoville.ingest.documents import Document
from scoville.ingest.fields import Field, count, fill, inside, milliseconds, moment, number, one, part, seconds, text
from scoville.ingest.formats import Format, Reading, Source
from scoville.ingest.options import Options
from scoville.ingest.points import Record

_METRICS = {
    "ttft": ("time_to_first_token_ms", milliseconds),
    "tpot": ("inter_token_latency_ms", milliseconds),
    "e2e": ("request_latency", seconds),
}
_STATISTICS = ("mean", "median", "p99")
_RATES = {
    "requests_per_s": "requests_per_second",
    "input_tok_s": "prompt_tokens_per_second",
    "output_tok_s": "output_tokens_per_second",
}
_COUNTS = ("prompt_token_count", "output_token_count", "duration")
WEIGHTED = "TPOT median and p99 weighted by tokens"


def matches(document: Document) -> bool:
    """Whether the file is one object with a list of benchmarks that have GuideLLM's metrics."""
    values = document.values if document.is_json else []
    if len(values) != 1 or not isinstance(values[0], dict) or not isinstance(values[0].get("benchmarks"), list):
        return False
    return any("inter_token_latency_ms" in _part(b, "metrics") for b in values[0]["benchmarks"])


def read(document: Document, options: Options) -> Reading:
    """One record a benchmark."""
    clients.require(document, options)
    report = document.values[0]
    records = []
    for row, benchmark in enumerate(report["benchmarks"], start=1):
        record = Record(row)
        if isinstance(benchmark, dict) and "metrics" in benchmark:
            _convert(record, benchmark, report, options)
        else:
            record.refuse("benchmarks", type(benchmark).__name__, "an object with metrics was expected")
        records.append(record)
    return Reading(records, Source("guidellm", "GuideLLM benchmark"), clients.assumed(options))


def _convert(record: Record, benchmark: dict[str, Any], report: dict[str, Any], options: Options) -> None:
    metrics = part(record, benchmark, "metrics")
    for name, (key, unit) in _METRICS.items():
        fill(record, _statistics(record, metrics, key), [Field(f"{name}_{s}_s", s, unit) for s in _STATISTICS])
    record.point.date = one(record, benchmark, "start_time", moment)
    record.note(WEIGHTED)
    run = _run(record, benchmark, metrics, report)
    run.isl_nominal, run.osl_nominal = _nominal(record, report)
    clients.convert(record, run, options)


def _statistics(record: Record, metrics: dict[str, Any], key: str) -> dict[str, Any]:
    metric = part(record, metrics, key)
    successful = part(record, metric, "successful")
    return {**successful, "p99": part(record, successful, "percentiles").get("p99")}


def _run(record: Record, benchmark: dict[str, Any], metrics: dict[str, Any], report: dict[str, Any]) -> clients.Run:
    model = one(record, {"model": _model(record, report) or _backend_model(record, benchmark)}, "model", text)
    run = clients.Run(model=model, keys=(*_RATES.values(), *_COUNTS))
    for ours, theirs in _RATES.items():
        setattr(run, ours, one(record, {theirs: _statistics(record, metrics, theirs).get("mean")}, theirs, number))
    totals = inside(record, metrics, "request_totals") or inside(record, benchmark, "request_totals")
    run.completed = one(record, totals, "successful", count, needed=True)
    run.failed = one(record, totals, "errored", count, needed=True)
    if incomplete := one(record, totals, "incomplete", count):
        record.note(f"{incomplete:,} requests were cut off by the end of the run")
    run.duration_s = one(record, benchmark, "duration", number)
    run.input_tokens = _total(record, metrics, "prompt_token_count", run.completed)
    run.output_tokens = _total(record, metrics, "output_token_count", run.completed)
    _strategy(record, benchmark, run)
    return run


def _total(record: Record, metrics: dict[str, Any], key: str, completed: int | None) -> float | None:
    counts = _statistics(record, metrics, key)
    total: float | None = one(record, {key: counts.get("total_sum")}, key, number)
    mean: float | None = one(record, {key: counts.get("mean")}, key, number)
    return total or (mean * completed if mean and completed else None)


def _strategy(record: Record, benchmark: dict[str, Any], run: clients.Run) -> None:
    """How requests were sent, in the places where the versions keep it (``config``, ``args``, ``scheduler``)."""
    strategies = [inside(record, benchmark, place, "strategy") for place in ("config", "args", "scheduler")]
    strategy = next((s for s in strategies if s), {})
    kind = one(record, strategy, "type_", text, needed=True) or one(record, strategy, "kind", text, needed=True)
    if kind == "synchronous":
        run.concurrency = 1
    elif kind == "concurrent":
        run.concurrency = clients.limit(record, strategy, "streams") or clients.limit(record, strategy)
    else:
        run.request_rate = clients.arrival_rate(record, strategy, "rate")


def _model(record: Record, report: dict[str, Any]) -> Any:
    backend = inside(record, report, "config", "spec", "backend")
    return backend.get("model") or inside(record, report, "args").get("model")


def _nominal(record: Record, report: dict[str, Any]) -> list[int | None]:
    """Nominal input and output length, out of the specification or the older argument text of the data."""
    data = inside(record, report, "config", "spec").get("data")
    made = data[0] if isinstance(data, list) and data and isinstance(data[0], dict) else {}
    told = str(inside(record, report, "args").get("data", ""))
    return [one(record, made, n, _length) or _length_in_text(told, n) for n in ("prompt_tokens", "output_tokens")]


def _length(value: Any) -> int | None:
    """A length, or None where the specification names a column or a distribution in its place."""
    names_something = isinstance(value, dict) or (isinstance(value, str) and value[:1].isalpha())
    return None if names_something else count(value) or None


def _length_in_text(told: str, name: str) -> int | None:
    found = re.search(rf"\b{name}\W+(\d{{1,9}})\b", told)
    return int(found[1]) if found else None


def _backend_model(record: Record, benchmark: dict[str, Any]) -> Any:
    places = (
        inside(record, benchmark, "config", "backend").get("model"),
        inside(record, benchmark, "worker").get("backend_model"),
        inside(record, benchmark, "benchmarker", "backend").get("model"),
    )
    return next((place for place in places if place), None)


def _part(value: Any, key: str) -> dict[str, Any]:
    inner = value.get(key) if isinstance(value, dict) else None
    return inner if isinstance(inner, dict) else {}


FORMAT = Format(
    "guidellm",
    "an object with a list of benchmarks that have an inter_token_latency_ms (GuideLLM benchmarks.json)",
    matches,
    read,
    sweep=True,
)
