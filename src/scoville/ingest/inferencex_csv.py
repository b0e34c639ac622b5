"""The CSV export of the InferenceX dashboard, in both generations of its header.

Columns: packages/app/src/lib/csv-export-helpers.ts of SemiAnalysisAI/InferenceX-app. Lines before the header
start with ``#`` and carry the licence and, where the app knows of wrong accuracy, a warning.

* Until July 2026 the headers say ``(ms)`` and hold seconds; from August 2026 they say ``(s)`` and Chip for GPU. The
  unit is taken from the numbers: 1 / TPOT is the interactivity of the same row, or Little's law holds.
* A value that was not measured is 0 in the first generation and blank in the second.
* A disaggregated row has its two chip counts but not its layout. The TP column is the sum of the chips in some
  versions and the decode TP in others, so it is not read there.
* The second generation inserts the columns of the plotted axes; unknown columns are passed over.
* Rows without lengths are those of the agent traces, which have none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from scoville.ingest import inferencex, names, spreadsheet
from scoville.ingest.documents import Document
from scoville.ingest.fields import address, count, day, flag, number, one, text
from scoville.ingest.formats import Format, Reading, Source
from scoville.ingest.identities import STEADY, in_flight
from scoville.ingest.inferencex import Stated
from scoville.ingest.options import Options
from scoville.ingest.points import Record
from scoville.ingest.spreadsheet import Dialect

KEYS = ("Hardware Key", "Framework", "Concurrency")

_LATENCY = re.compile(r"^(Mean|Median|P99) (TTFT|TPOT|E2E Latency) \((?:ms|s)\)$")
_NAMES = {"TTFT": "ttft", "TPOT": "tpot", "E2E Latency": "e2el"}
_COLUMNS = {
    "Throughput": "tput_per_gpu",
    "Output Throughput": "output_tput_per_gpu",
    "Input Throughput": "input_tput_per_gpu",
    "Mean Interactivity (tok/s/user)": "mean_intvty",
    "Median Interactivity (tok/s/user)": "median_intvty",
}
_PER_CHIP = re.compile(r"/(?:GPU|Chip) \(tok/s\)$")
_GPU = re.compile(r"\b(Num (?:Prefill|Decode)) GPUs$")

AGENTIC = "no lengths in the export: taken as agent traces"
POOLED = "The dashboard pools point releases of this model under one name."
MILLISECONDS = "latencies converted from milliseconds"


def matches(document: Document) -> bool:
    """Whether the first line that is no comment is a header of the dashboard, however a spreadsheet saved it again."""
    return not document.is_json and all(key in _dialect(document).header for key in KEYS)


def _dialect(document: Document) -> Dialect:
    return spreadsheet.dialect(document, KEYS.__contains__)


def read(document: Document, options: Options) -> Reading:
    """One record a line; rows are numbered by their line."""
    dialect = _dialect(document)
    cells = document.cells(dialect.delimiter, dialect.skip)
    next(cells)
    lines = list(cells)
    keys = [_key(name) for name in dialect.header]
    comma = spreadsheet.has_decimal_commas(dialect, _numbers(dialect, [values for _, values in lines]))
    records = []
    for line, values in lines:
        record = Record(line)
        if len(values) == len(keys):
            row = {k: _with_point(k, v) if comma else v for k, v in zip(keys, values, strict=True)}
            _read_row(record, row, options)
            _name_as_in_the_file(record, dialect.header)
        else:
            record.refuse("", len(values), f"{len(keys)} cells as in the header; the file may have been cut off")
        records.append(record)
    before = [line.rstrip(";,\t").strip('"') for line in document.head[: dialect.skip]]
    warnings = [line[1:].strip() for line in before if line.startswith("# WARNING")]
    return Reading(records, _source(records, warnings), [*warnings, *spreadsheet.notes(dialect, comma=comma)])


_WORDS = ("Model", "Hardware", "Hardware Key", "Framework", "Precision", "Date", "Spec Decoding", "Run URL")
"""The columns that hold no numbers, flags apart."""


def _numbers(dialect: Dialect, rows: list[list[str]]) -> Iterator[str]:
    numeric = [name not in _WORDS for name in dialect.header]
    return (value.strip() for row in rows for value, wanted in zip(row, numeric, strict=False) if wanted)


def _with_point(key: str, cell: str) -> str:
    """A cell with its decimal comma as a point; one that has both, or is no number, as it stands."""
    return cell if key in _WORDS or "." in cell else cell.replace(",", ".")


def _name_as_in_the_file(record: Record, header: list[str]) -> None:
    spelt = {_key(name): name for name in header}
    record.findings[:] = [replace(f, field=spelt.get(f.field, f.field)) for f in record.findings]


def _key(header: str) -> str:
    """The key that a column has in other dialects; its own name where it has none there."""
    name = header.strip()
    if latency := _LATENCY.match(name):
        return f"{latency[1].lower()}_{_NAMES[latency[2]]}"
    bare = _PER_CHIP.sub("", _GPU.sub(r"\1 Chips", name))
    return _COLUMNS.get(bare, bare)


def _read_row(record: Record, row: dict[str, str], options: Options) -> None:
    apart = one(record, row, "Disaggregated", flag, needed=True)
    agentic = not row.get("ISL") and not row.get("OSL")
    stated = Stated(
        model=one(record, row, "Model", text),
        hardware=one(record, row, "Hardware", text) or one(record, row, "Hardware Key", text),
        engine=one(record, row, "Framework", text),
        precision=one(record, row, "Precision", text),
        speculation=row.get("Spec Decoding"),
        disaggregated=apart,
        multinode=one(record, row, "Is Multinode", flag, needed=True),
        isl=one(record, row, "ISL", count),
        osl=one(record, row, "OSL", count),
        concurrency=one(record, row, "Concurrency", count),
        date=one(record, row, "Date", day),
        run_url=one(record, row, "Run URL", address),
        single=None if apart else _pool(record, row),
        prefill_chips=one(record, row, "Num Prefill Chips", count, needed=True) if apart else None,
        decode_chips=one(record, row, "Num Decode Chips", count, needed=True) if apart else None,
        all_chips=None if apart else one(record, row, "Physical Chips", count, needed=True) or None,
        agentic=agentic,
        metrics=row,
    )
    if agentic:
        record.note(AGENTIC)
    _convert(record, stated, options)


def _pool(record: Record, row: dict[str, str]) -> Any:
    sizes = {"tp": row.get("TP"), "ep": row.get("EP"), "dp_attention": row.get("DP Attention")}
    return inferencex.pool(record, sizes)


def _convert(record: Record, stated: Stated, options: Options) -> None:
    """Convert with latencies as seconds or as milliseconds, whichever the row's own numbers confirm."""
    in_seconds = _in_seconds(stated)
    if in_seconds is None:
        in_seconds = _confirmed(record, stated, options)
    if in_seconds is False:
        record.note(MILLISECONDS)
        stated = replace(stated, metrics=_to_seconds(stated.metrics))
    if in_seconds is None:
        stated = replace(stated, metrics={k: v for k, v in stated.metrics.items() if not _is_latency(k)})
        reason = "the header's unit is not to be trusted, and nothing in the row tells seconds from milliseconds"
        record.blank("latencies", "", reason)
    inferencex.convert(record, stated, options)


def _in_seconds(stated: Stated) -> bool | None:
    """What interactivity × TPOT says: 1 for seconds, 1000 for milliseconds; None where it cannot."""
    for statistic in ("mean", "median"):
        try:
            speed = number(stated.metrics.get(f"{statistic}_intvty"))
            time = number(stated.metrics.get(f"{statistic}_tpot"))
        except ValueError:
            continue
        if speed and time and (product := speed * time):
            if 0.5 < product < 2:
                return True
            if 500 < product < 2000:
                return False
    return None


def _confirmed(record: Record, stated: Stated, options: Options) -> bool | None:
    """What Little's law says of the unit; None where it cannot be computed, or holds for neither."""
    for metrics, verdict in ((stated.metrics, True), (_to_seconds(stated.metrics), False)):
        trial = Record(record.row)
        inferencex.convert(trial, replace(stated, metrics=metrics), options)
        share = in_flight(trial)
        if share is not None and share in STEADY:
            return verdict
    return None


def _is_latency(key: str) -> bool:
    return key.endswith(("_ttft", "_tpot", "_e2el"))


def _to_seconds(metrics: Any) -> dict[str, Any]:
    scaled = dict(metrics)
    for key in filter(_is_latency, metrics):
        try:
            read = number(metrics[key])
        except ValueError:
            continue
        scaled[key] = None if read is None else read / 1000
    return scaled


def _source(records: list[Record], warnings: list[str]) -> Source:
    models = sorted({r.point.model for r in records if r.point.model and not r.aside})
    newest = max((r.point.date for r in records if r.point.date), default="")
    which = models[0] if len(models) == 1 else "models"
    pooled = [POOLED] if set(models) & {names.model_key(name)[0] for name in names.POOLED_NAMES} else []
    return Source(
        "-".join(part for part in ("inferencex-csv", which, newest) if part),
        f"CSV export of the InferenceX dashboard for {', '.join(models) or 'no model'}",
        "dataset",
        inferencex.PUBLISHER,
        "https://inferencex.semianalysis.com",
        "independently-executed",
        inferencex.ATTRIBUTION,
        " ".join(["Published is the day of its newest row.", *warnings, *pooled]),
    )


FORMAT = Format(
    "inferencex-csv",
    "a CSV header with Hardware Key, Framework and Concurrency (export of the InferenceX dashboard)",
    matches,
    read,
)
