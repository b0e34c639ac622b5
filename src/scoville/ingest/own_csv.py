"""Our own table of operating points, written by hand or saved from a spreadsheet.

The header names columns of `tables.POINTS`, in any order; those that are not there are blank, and empty columns at the
right are passed over. What a spreadsheet does to such a table is undone where it is certain (`ingest.spreadsheet`), and
refused where it is not:

* a comma that may be a decimal comma or separate thousands is refused;
* where semicolons or tabs separate cells, a dot that may be a decimal point or separate thousands, in a column without
  any that could only be a decimal point, is refused;
* in a comma-separated file a comma within a number is refused: it is a decimal comma or a thousands separator;
* ``FP4``, ``vLLM``, ``MTP`` and the like get the spelling of the other rows (`ingest.names`);
* ``TRUE`` and ``FALSE`` are read; dates other than YYYY-MM-DD, and numbers with units, are refused.

A row with a cell that cannot be read is refused, so that nothing of it is misread.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

from scoville import tables
from scoville.ingest import inferencex_csv, names, spreadsheet
from scoville.ingest.documents import Document
from scoville.ingest.fields import count, flag, moment, number
from scoville.ingest.formats import Format, Reading, Source
from scoville.ingest.identities import keep_medians_only
from scoville.ingest.options import Options
from scoville.ingest.points import COLUMNS, Record
from scoville.ingest.spreadsheet import Dialect
from scoville.problems import InputError, Problem

ENOUGH = 4
"""Columns of ours that make a header ours."""

MEANT = ("concurrency", "total_tok_s_per_chip", "output_tok_s_per_chip", "chips")
"""At least one of these must be among them: other tables also have a model and a system."""

_DATE = re.compile(r"^\d{4}(-\d{2}(-\d{2})?)?$")
_TIME = re.compile(r"^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}")

_KEYS = ("model", "system", "source_id")


def matches(document: Document) -> bool:
    """Whether the header names enough of our columns."""
    if document.is_json or inferencex_csv.matches(document):
        return False
    ours = set(_dialect(document).header) & set(COLUMNS)
    return len(ours) >= ENOUGH and any(column in ours for column in MEANT)


def _dialect(document: Document) -> Dialect:
    """How the table was saved; names of columns in small letters."""
    found = spreadsheet.dialect(document, lambda name: name.lower() in COLUMNS)
    return replace(found, header=[name.lower() for name in found.header])


def read(document: Document, options: Options) -> Reading:
    """One record a line; rows are numbered by their line.

    Raises:
        InputError: for a column that is not ours, or stands there twice.
    """
    dialect = _dialect(document)
    _check_header(document, dialect)
    cells = document.cells(dialect.delimiter, dialect.skip)
    next(cells)
    lines = [(line, [cell.strip() for cell in values]) for line, values in cells]
    rows = [values for _, values in lines]
    comma = spreadsheet.has_decimal_commas(dialect, _numbers(dialect, rows))
    unclear = _unclear_dots(dialect, rows)
    records = []
    for line, values in lines:
        record = Record(line)
        if len(values) == len(dialect.header):
            _read_row(record, dict(zip(dialect.header, values, strict=True)), comma, unclear, options)
        else:
            reason = f"{len(dialect.header)} cells as in the header; a cell that holds a {dialect.delimiter_name}"
            record.refuse("", len(values), f"{reason} needs quotes")
        records.append(record)
    return Reading(records, _source(document.path), spreadsheet.notes(dialect, comma=comma))


def _check_header(document: Document, dialect: Dialect) -> None:
    problems = []
    for name in dialect.header:
        if name and name not in COLUMNS:
            near = difflib.get_close_matches(name, COLUMNS, n=1, cutoff=0.9)  # a typing error, not another name
            hint = f"did you mean {near[0]!r}?" if near else "leave it out"
            problems.append(
                Problem(
                    document.name, dialect.skip + 1, name, expected=f"expected a column of the points table; {hint}"
                )
            )
        elif name and dialect.header.count(name) > 1:
            problems.append(Problem(document.name, dialect.skip + 1, name, expected="expected each column once"))
    if problems:
        raise InputError(problems)


def _numeric(dialect: Dialect) -> list[bool]:
    """Which columns hold numbers."""
    return [name in COLUMNS and tables.POINTS.kind(name) in ("number", "integer") for name in dialect.header]


def _numbers(dialect: Dialect, rows: list[list[str]]) -> Iterator[str]:
    """The cells of the columns that hold numbers."""
    return (v for row in rows for v, is_number in zip(row, _numeric(dialect), strict=False) if is_number)


def _unclear_dots(dialect: Dialect, rows: list[list[str]]) -> set[str]:
    """The columns of numbers whose dots may be decimal points or separate thousands.

    Times are none of them: seconds to the millisecond are common, thousands of seconds are not.
    """
    return {
        name
        for i, (name, is_number) in enumerate(zip(dialect.header, _numeric(dialect), strict=True))
        if is_number
        and not name.endswith("_s")
        and spreadsheet.may_separate_thousands(dialect, (row[i] for row in rows if i < len(row)))
    }


UNCLEAR_DOT = (
    "a dot can be a decimal point or separate thousands, and no cell of this column shows which; write the numbers "
    "without separators, decimals with another number of digits than three (31848 or 31.8480)"
)


def _read_row(record: Record, row: dict[str, str], comma: bool, unclear: set[str], options: Options) -> None:
    for name, cell in row.items():
        if not cell:
            continue
        if not name:
            record.refuse("", cell, "a name in the header above this cell was expected")
            continue
        if name in unclear and "." in cell:
            record.refuse(name, cell, UNCLEAR_DOT)
            continue
        try:
            value = _READERS[tables.POINTS.kind(name)](cell, comma)
            setattr(record.point, name, _SPELT[name](value) if name in _SPELT else value)
        except ValueError as error:
            record.refuse(name, cell, str(error))
    if not record.refused:
        _complete(record, options)


def _complete(record: Record, options: Options) -> None:
    """Defaults, the user's options for blank cells, and what the table demands."""
    point = record.point
    for name in ("model", "system", "chips", "engine", "precision", "parallelism", "date"):
        if getattr(point, name) is None:
            setattr(point, name, getattr(options, name))
    point.isl_nominal, point.osl_nominal = point.isl_nominal or options.isl, point.osl_nominal or options.osl
    point.speculation = point.speculation or options.speculation or "none"
    point.workload = point.workload or "fixed-length"
    point.chip_power_mean_w = point.chip_power_mean_w or options.power
    point.evidence = point.evidence or options.evidence
    if point.statistic_note:
        record.notes.append(point.statistic_note)
    for name in _KEYS:
        value = getattr(point, name)
        if value is None and name != "source_id":
            record.refuse(name, "", f"a key was expected; fill in the cell or say --{name}")
        elif value is not None and names.slug(value) != value:
            record.refuse(name, value, f"a key was expected: small letters, digits, dots, dashes ({names.slug(value)})")
    if not (point.total_tok_s_per_chip or point.output_tok_s_per_chip):
        record.refuse("total_tok_s_per_chip", "", "a throughput was expected")
    for name, words in _CHOICES.items():
        if (value := getattr(point, name)) is not None and value not in words:
            record.refuse(name, value, f"one of {', '.join(words)} was expected")
    keep_medians_only(record)


_CHOICES = {
    "evidence": tuple(tables.EVIDENCE),
    "speculation": tuple(tables.SPECULATION),
    "workload": tuple(tables.WORKLOADS),
}


_SPELT: dict[str, Callable[[str], str]] = {
    "model": names.known_model,
    "system": names.known_system,
    "engine": names.engine_key,
    "precision": names.precision_key,
    "speculation": names.known_speculation,
    "workload": names.word,
    "evidence": names.word,
    "parallelism": names.layout,
}
"""How the text of a coded column becomes the one spelling that rows are compared by."""


def _number(cell: str, comma: bool) -> float:
    if "," in cell and not comma:
        raise ValueError("a number with a decimal point was expected; a comma can be one or separate thousands")
    if comma and "." in cell:
        raise ValueError("a number with a decimal comma was expected, as in the rest of the file")
    read = number(cell.replace(",", "."))
    if read is None:
        raise ValueError("a number above 0 was expected; leave the cell blank where it is not known")
    return read


def _integer(cell: str, comma: bool) -> int | None:
    return count(_number(cell, comma))


def _flag(cell: str, comma: bool) -> bool | None:
    if cell.lower() not in ("true", "false"):
        raise ValueError("true or false was expected")
    return flag(cell.lower())


def _moment(cell: str, comma: bool) -> str | None:
    try:
        if _DATE.match(cell):
            date.fromisoformat(cell + "-01-01"[len(cell) - 4 :] if len(cell) < len("YYYY-MM-DD") else cell)
            return cell
        if _TIME.match(cell):
            return moment(cell)
    except ValueError:
        pass
    raise ValueError("a date as YYYY-MM-DD, YYYY-MM or YYYY was expected, or YYYY-MM-DD HH:MM:SS")


def _text(cell: str, comma: bool) -> str:
    return cell


_READERS: dict[str, Any] = {"text": _text, "number": _number, "integer": _integer, "flag": _flag, "moment": _moment}


def _source(path: Path) -> Source:
    return Source(f"user-{names.slug(path.stem)}", "Table of operating points")


FORMAT = Format(
    "points-csv",
    "a header with columns of the points table, such as model, system, concurrency and total_tok_s_per_chip",
    matches,
    read,
)
