"""The weekly database dump of InferenceX as CSV: ``benchmark_results_raw.csv`` with ``configs.csv`` beside it.

Made with ``COPY … TO … CSV HEADER`` from the tables of packages/db/migrations of SemiAnalysisAI/InferenceX-app, so
booleans are ``t`` and ``f`` and the metrics are one JSON cell. A flattened variant has a column for every metric
(``metrics_tput_per_gpu``), and may have the configuration joined in (``config_hardware``).

* Rows with an ``error`` are refused.
* The run is only a number of the database. Where ``workflow_runs.csv`` lies beside it, it becomes an address.
* About 82,000 rows: cells are read by kind, without guessing types, and a configuration once.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from scoville.ingest import inferencex, inferencex_api
from scoville.ingest.documents import Document
from scoville.ingest.fields import count, one
from scoville.ingest.formats import Format, Reading, Source
from scoville.ingest.inferencex import Stated
from scoville.ingest.options import Options
from scoville.ingest.points import Record
from scoville.runs import serial_note

CONFIG_KEYS = ("id", "hardware", "framework", "spec_method", "prefill_tp")
RUN_KEYS = ("id", "github_run_id", "run_attempt")

_METRIC = "metrics_"
_CONFIG = "config_"


@dataclass(frozen=True)
class _Tables:
    """The tables beside the results, by key: configurations, and addresses of runs.

    `shapes` are the configurations as they were read, by key and by the sizes that travel among the metrics.
    """

    configs: dict[str, dict[str, str]]
    urls: dict[str, str]
    notes: list[str]
    shapes: dict[tuple[Any, ...], Stated] = field(default_factory=dict)


def header(document: Document, delimiter: str = ",") -> list[str]:
    """The first line of a CSV file, as cells; empty for anything else."""
    if document.is_json or not document.head[0]:
        return []
    return [cell.strip() for cell in next(csv.reader(document.head[:1], delimiter=delimiter))]


def matches(document: Document) -> bool:
    """Whether the header has a configuration's key, and metrics in one cell or in cells of their own."""
    return _is_header(header(document))


def _is_header(names: list[str]) -> bool:
    return "config_id" in names and any(n == "metrics" or n.startswith(_METRIC) for n in names)


def saved_again(document: Document) -> bool:
    """Whether the file is a dump with other delimiters than commas: its JSON cells may have been changed as well."""
    return any(_is_header(header(document, delimiter)) for delimiter in ";\t")


def read(document: Document, options: Options) -> Reading:
    """One record a line; rows are numbered by their line."""
    cells = document.cells()
    names = [name.strip() for name in next(cells)[1]]
    tables = _companions(document, names)
    records = []
    for line, values in cells:
        record = Record(line)
        if len(values) == len(names):
            _read_row(record, dict(zip(names, values, strict=True)), tables, options)
        else:
            record.refuse("", len(values), f"{len(names)} cells as in the header; the file may have been cut off")
        records.append(record)
    return Reading(records, _source(records), tables.notes)


def _companions(document: Document, names: list[str]) -> _Tables:
    """The tables beside the results, found by their headers.

    Raises:
        InputError: when the configurations are neither beside the file nor joined in.
    """
    configs: dict[str, dict[str, str]] = {}
    urls: dict[str, str] = {}
    for path in sorted(document.path.resolve().parent.glob("*.csv")):
        if path == document.path.resolve():
            continue
        found = header(Document.read(path))
        if all(k in found for k in CONFIG_KEYS):
            configs |= {row["id"]: row for row in _rows(Document.read(path))}
        elif all(k in found for k in RUN_KEYS):
            urls |= {row["id"]: url for row in _rows(Document.read(path)) if (url := _url(row))}
    if not configs and f"{_CONFIG}hardware" not in names:
        raise document.unusable(f"configs.csv in the same folder, with columns {', '.join(CONFIG_KEYS)}")
    notes = [] if urls else ["no workflow_runs.csv beside the file: runs of one day cannot be told apart"]
    return _Tables(configs, urls, notes)


def _rows(document: Document) -> Iterator[dict[str, str]]:
    cells = document.cells()
    names = [name.strip() for name in next(cells)[1]]
    for _, values in cells:
        if len(values) == len(names):
            yield dict(zip(names, values, strict=True))


def _url(row: dict[str, str]) -> str:
    address = row.get("html_url") or (inferencex.RUNS + row["github_run_id"] if row["github_run_id"] else "")
    return f"{address}/attempts/{row['run_attempt']}" if address and row["run_attempt"] else address


def _read_row(record: Record, row: dict[str, str], tables: _Tables, options: Options) -> None:
    if row.get("error"):
        record.refuse("error", row["error"], "the run failed")
        return
    config = tables.configs.get(row["config_id"]) or _joined(row)
    if config is None:
        record.refuse("config_id", row["config_id"], "a row of configs.csv was expected")
        return
    metrics = _metrics(record, row)
    if metrics is None:
        return
    loaded: dict[str, Any] = {key: row.get(key) for key in _RESULT_KEYS}
    loaded["run_url"] = tables.urls.get(row.get("workflow_run_id", ""))
    shape = _shape(record, row["config_id"], config, metrics, tables)
    inferencex.convert(record, inferencex_api.load(record, loaded, metrics, shape), options)
    if not record.point.run_url and (number := one(record, row, "workflow_run_id", count)):
        record.note(serial_note(number))


def _shape(record: Record, key: str, config: dict[str, str], metrics: dict[str, Any], tables: _Tables) -> Stated:
    """A configuration, read once for all its rows unless something is wrong with it: then every row says so."""
    sizes = inferencex_api.extra_sizes(metrics)
    known = tables.shapes.get((key, *sizes.items())) if all(map(_is_plain, sizes.values())) else None
    if known is not None:
        return known
    before = len(record.findings)
    shape = inferencex_api.configuration(record, config, metrics)
    if len(record.findings) == before and all(map(_is_plain, sizes.values())):
        tables.shapes[key, *sizes.items()] = shape
    return shape


def _is_plain(value: Any) -> bool:
    return isinstance(value, str | int | float)


_RESULT_KEYS = ("benchmark_type", "date", "isl", "osl", "conc", "offload_mode")


def _joined(row: dict[str, str]) -> dict[str, str] | None:
    """The configuration out of the row itself, where it is joined in."""
    if f"{_CONFIG}hardware" not in row:
        return None
    return {name.removeprefix(_CONFIG): value for name, value in row.items() if name.startswith(_CONFIG)}


def _metrics(record: Record, row: dict[str, str]) -> dict[str, Any] | None:
    if "metrics" not in row:
        return {name.removeprefix(_METRIC): value for name, value in row.items() if name.startswith(_METRIC)}
    try:
        metrics = json.loads(row["metrics"])
    except (ValueError, RecursionError):
        metrics = None
    if not isinstance(metrics, dict):
        record.refuse("metrics", row["metrics"], "an object in JSON was expected")
        return None
    return metrics


def _source(records: list[Record]) -> Source:
    newest = max((r.point.date for r in records if r.point.date), default="")
    return Source(
        f"inferencex-dump-{newest}".rstrip("-"),
        f"Database dump of InferenceX, rows to {newest or 'an unknown day'}",
        "dataset",
        inferencex.PUBLISHER,
        "https://github.com/SemiAnalysisAI/InferenceX-app/releases",
        "independently-executed",
        inferencex.ATTRIBUTION,
        "Published is the day of its newest row.",
    )


FORMAT = Format(
    "inferencex-dump",
    "a CSV header with config_id and metrics (benchmark_results_raw.csv), with configs.csv beside it",
    matches,
    read,
)
