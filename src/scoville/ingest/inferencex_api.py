"""The InferenceX API: a saved answer of ``GET /api/v1/benchmarks`` or ``/api/v1/benchmarks/history``.

One array of rows, with the metrics in an object of their own. Columns: packages/db/src/queries/benchmarks.ts of
SemiAnalysisAI/InferenceX-app.

* Models are keys of its database (``dsr1``); the display name is only in the address.
* ``prefill_*`` and ``decode_*`` repeat one layout where prefill and decode share the chips. The counts of old
  rows are TP × EP there (TP8 EP8 shows 64 chips), and ``num_prefill_gpu`` and ``num_decode_gpu`` of the GB200
  rows of December 2025 are both the total.
* ``/history`` leaves out means and standard deviations. Rows without ``benchmark_type`` are older than AgentX.
* Rows that are no runs of InferenceX come along: Jalapeño's, with medians repeated as every other statistic, and
  Rubin's of July 2026, digitised from a chart of output rates, with the interactivity in place of a concurrency
  and with decoding, layout and day that are not those of the chart.
* An answer with a status other than 200 is an object with ``error``.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from scoville.ingest import inferencex, rates
from scoville.ingest.documents import Document
from scoville.ingest.fields import address, count, day, flag, one, text
from scoville.ingest.formats import Format, Reading, Source
from scoville.ingest.inferencex import Stated
from scoville.ingest.options import Options
from scoville.ingest.points import Record

URL = "https://inferencex.semianalysis.com/api/v1/benchmarks"
PLACEHOLDER = "the concurrency is a placeholder: it repeats the interactivity"
AS_PUBLISHED = (
    "decoding and layout as CoreWeave published them (MTP, disaggregated): the file labels the rows single-token and "
    "not disaggregated, and its day is a placeholder"
)

_ROLES = ("prefill", "decode")
_EXTRA = ("pp", "pcp_size", "dcp_size")


def matches(document: Document) -> bool:
    """Whether the file is one array with rows that have hardware and an object of metrics."""
    values = document.values if document.is_json else []
    return len(values) == 1 and isinstance(values[0], list) and any(map(_is_row, values[0]))


def _is_row(row: Any) -> bool:
    return isinstance(row, dict) and "hardware" in row and isinstance(row.get("metrics"), dict)


def read(document: Document, options: Options) -> Reading:
    """One record a row."""
    records = []
    for index, row in enumerate(document.values[0], start=1):
        record = Record(index)
        if _is_row(row):
            inferencex.convert(record, stated(record, row, row["metrics"]), options)
            _placeholder(record)
        else:
            record.refuse("", type(row).__name__, "an object with hardware and metrics was expected")
        records.append(record)
    return Reading(records, _source(records))


def stated(record: Record, row: dict[str, Any], metrics: dict[str, Any]) -> Stated:
    """What a row of the API or of the database says; ``metrics`` also hold the sizes that have no column."""
    return load(record, row, metrics, configuration(record, row, metrics))


def configuration(record: Record, row: dict[str, Any], metrics: dict[str, Any]) -> Stated:
    """The part of a row that its configuration decides."""
    sizes = {**extra_sizes(metrics), **row}
    return Stated(
        model=one(record, row, "model", text),
        hardware=one(record, row, "hardware", text),
        engine=one(record, row, "framework", text),
        precision=one(record, row, "precision", text),
        speculation=row.get("spec_method"),
        disaggregated=one(record, row, "disagg", flag, needed=True),
        multinode=one(record, row, "is_multinode", flag, needed=True),
        prefill=inferencex.pool(record, sizes, "prefill_"),
        decode=inferencex.pool(record, sizes, "decode_"),
        prefill_chips=one(record, row, "num_prefill_gpu", count, needed=True),
        decode_chips=one(record, row, "num_decode_gpu", count, needed=True),
    )


def load(record: Record, row: dict[str, Any], metrics: dict[str, Any], shape: Stated) -> Stated:
    """A configuration under the load of a row, with what was measured."""
    agentic = one(record, row, "benchmark_type", text, needed=True) == "agentic_traces"
    return replace(
        shape,
        isl=one(record, row, "isl", count),
        osl=one(record, row, "osl", count),
        concurrency=one(record, row, "conc", count),
        date=one(record, row, "date", day),
        run_url=one(record, row, "run_url", address),
        agentic=agentic,
        offload="on" if agentic and row.get("offload_mode") == "on" else "",
        metrics=metrics,
    )


def extra_sizes(metrics: dict[str, Any]) -> dict[str, Any]:
    """The parallel sizes that travel among the metrics, under the names of both roles."""
    get = metrics.get
    return {f"{role}_{n}": size for role in _ROLES for n in _EXTRA if (size := get(f"{role}_{n}", get(n))) is not None}


def _placeholder(record: Record) -> None:
    point = record.point
    if point.evidence == "digitised" and point.concurrency == point.interactivity_median_tok_s_user:
        record.note(PLACEHOLDER)
    if point.evidence == "digitised" and point.engine == rates.CHART:
        point.speculation, point.disaggregated, point.parallelism, point.date = "mtp", True, None, None
        record.note(AS_PUBLISHED)


def _source(records: list[Record]) -> Source:
    models = sorted({r.point.model for r in records if r.point.model and not r.aside})
    newest = max((r.point.date for r in records if r.point.date), default="")
    which = models[0] if len(models) == 1 else "models"
    return Source(
        "-".join(part for part in ("inferencex-api", which, newest) if part),
        f"Answer of the InferenceX API for {', '.join(models) or 'no model'}",
        "dataset",
        inferencex.PUBLISHER,
        URL,
        "independently-executed",
        inferencex.ATTRIBUTION,
        "Published is the day of its newest row.",
    )


FORMAT = Format(
    "inferencex-api",
    "an array of objects with hardware and metrics (GET /api/v1/benchmarks of InferenceX)",
    matches,
    read,
)
