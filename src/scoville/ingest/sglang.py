"""SGLang ``bench_serving --output-file``: JSONL, one line appended a run, latencies in milliseconds.

Keys: python/sglang/bench_serving.py of sgl-project/sglang.

* The total rate is ``total_throughput``, and absent from old versions; E2E is ``*_e2e_latency_ms``.
* ``request_rate`` is the bare word ``Infinity`` for as fast as possible.
* The model is in no field, unless the server's own settings came along in ``server_info``.
* Failed requests are not counted; with ``--output-details`` their errors are listed, and counted from there.
* Nominal lengths are `random_input_len` and `random_output_len`. Old versions draw from 0 to them, half of them
  on average: `identities.nominal_lengths` then leaves them out.
"""

from __future__ import annotations

from typing import Any

from scoville.ingest import clients
from scoville.ingest.documents import Document
from scoville.ingest.fields import count, fill, flag, items, latencies, milliseconds, number, one, part, text
from scoville.ingest.formats import Format, Reading, Source
from scoville.ingest.layout import Pool
from scoville.ingest.options import Options
from scoville.ingest.points import Record

KEYS = ("completed", "duration", "total_output_tokens", "mean_e2e_latency_ms")

LATENCIES = latencies(
    "{statistic}_{name}_ms",
    {"ttft": "ttft", "tpot": "tpot", "e2e": "e2e_latency"},
    clients.MEAN_MEDIAN_P99,
    milliseconds,
)
RUN = {
    "completed": ("completed", count),
    "duration_s": ("duration", number),
    "input_tokens": ("total_input_tokens", number),
    "output_tokens": ("total_output_tokens", number),
    "requests_per_s": ("request_throughput", number),
    "input_tok_s": ("input_throughput", number),
    "output_tok_s": ("output_throughput", number),
    "total_tok_s": ("total_throughput", number),
    "isl_nominal": ("random_input_len", count),
    "osl_nominal": ("random_output_len", count),
}


def matches(document: Document) -> bool:
    """Whether every JSON value is an object with the keys of an SGLang result."""
    values = document.values if document.is_json else []
    return bool(values) and all(isinstance(v, dict) and all(k in v for k in KEYS) for v in values)


def read(document: Document, options: Options) -> Reading:
    """One record a line."""
    clients.require(document, options)
    records = []
    for row, value in enumerate(document.values, start=1):
        record = Record(row)
        fill(record, value, LATENCIES)
        clients.convert(record, _run(record, value), options)
        records.append(record)
    notes = clients.assumed(options)
    if not _counts_failures(document):
        notes.append("SGLang does not count failed requests without --output-details")
    return Reading(records, Source("sglang-bench", "SGLang serving benchmark"), notes)


def _counts_failures(document: Document) -> bool:
    return all(isinstance(value.get("errors"), list) for value in document.values)


def _run(record: Record, value: dict[str, Any]) -> clients.Run:
    run = clients.read_run(record, value, RUN)
    run.isl_nominal, run.osl_nominal = run.isl_nominal or None, run.osl_nominal or None
    run.concurrency = clients.limit(record, value)
    run.request_rate = clients.arrival_rate(record, value)
    run.speculation_seen = bool(value.get("accept_length"))
    errors = items(record, value, "errors")
    run.failed = sum(1 for error in errors if error) if "errors" in value else None
    _recounted(record, value, run)
    if server := part(record, value, "server_info"):
        run.model = one(record, server, "model_path", text)
        run.parallelism = _parallelism(record, server)
    return run


def _recounted(record: Record, value: dict[str, Any], run: clients.Run) -> None:
    again = one(record, value, "total_output_tokens_retokenized", number)
    if again and run.output_tokens and abs(again / run.output_tokens - 1) > clients.RETOKENISED:
        record.note(
            f"the client counts {again:,.0f} output tokens again where the server counts {run.output_tokens:,.0f}"
        )


def _parallelism(record: Record, server: dict[str, Any]) -> str | None:
    sizes = {name: one(record, server, f"{name}_size", count) for name in ("tp", "pp", "ep")}
    if not sizes["tp"]:
        return None
    dpa = one(record, server, "enable_dp_attention", flag) or False
    return Pool(tp=sizes["tp"], pp=sizes["pp"] or 1, ep=sizes["ep"] or 1, dpa=dpa).label


FORMAT = Format(
    "sglang-bench",
    "objects with completed, duration, total_output_tokens and mean_e2e_latency_ms (SGLang bench_serving)",
    matches,
    read,
    sweep=True,
)
