"""Read one CSV file of the data folder into a typed frame; note every cell that is wrong.

pandas' own readers guess types and lose line numbers, so cells are read as text here, one by one, by the kind
that `scoville.tables` declares; pandera then checks ranges and allowed values.
"""

from __future__ import annotations

import csv
import difflib
import io
import math
import re
from collections.abc import Callable
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pandas as pd
import pandera.errors

from scoville import tables
from scoville.paths import shown
from scoville.problems import Problem

PLACE = ("file_", "line_")
"""Where a row stands; the underscore keeps these apart from columns of the tables."""

_DATE = re.compile(r"^[0-9]{4}(-[0-9]{2}(-[0-9]{2})?)?$")
_MOMENT = re.compile(r"^[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}:[0-9]{2}$")
SMALLEST, LARGEST = 1e-9, 1e15
"""What a number of the data folder lies between, apart from 0."""

_NUMBER = re.compile(r"^[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?$")


def empty(table: tables.Table) -> pd.DataFrame:
    """A frame of the table without rows."""
    return pd.DataFrame(columns=[*table.columns, *PLACE])


def read_table(path: Path, table: tables.Table, problems: list[Problem]) -> pd.DataFrame:
    """Read and check one file.

    Args:
        path: the file.
        table: its schema.
        problems: what is wrong is added here.

    Returns:
        The columns of the schema and `PLACE`, one row a record; empty when the file could not be used.
    """
    records = _read_records(path, table, problems)
    if records is None:
        unread = empty(table)
        unread.attrs["unread"] = True  # what points into it is not told as well
        return unread
    file = shown(path)
    rows = []
    for line, cells in records:
        row: dict[str, Any] = dict(zip(PLACE, (file, line), strict=True))
        for name, text in cells.items():
            try:
                row[name] = _READERS[table.kind(name)](text.strip()) if text.strip() else None
            except ValueError as error:
                row[name] = None
                problems.append(Problem(file, line, name, text, f"expected {error}"))
        rows.append(row)
    frame = pd.DataFrame(rows, columns=[*table.columns, *PLACE])
    for name in table.columns:
        kind = table.kind(name)
        frame[name] = frame[name].astype(float if kind in ("number", "integer") else object)
    _check_columns(frame, table, problems)
    return frame


def _read_records(path: Path, table: tables.Table, problems: list[Problem]) -> list[tuple[int, dict[str, str]]] | None:
    file = shown(path)
    text = _read_text(path, table, problems)
    if text is None:
        return None
    reader = csv.reader(io.StringIO(text), strict=True)
    try:
        header = next(reader, [])
        if not _check_header(file, header, table, problems):
            return None
        records = []
        start = reader.line_num + 1
        for cells in reader:
            if len(cells) != len(header) and cells:
                problems.append(
                    Problem(
                        file,
                        start,
                        expected=f"{len(header)} cells as in the header, not {len(cells)}; "
                        "quote a cell that holds a comma",
                    )
                )
                records.append((start, {header[0]: cells[0]}))  # its key still counts for rows that point to it
            elif cells:
                records.append((start, dict(zip(header, cells, strict=True))))
            start = reader.line_num + 1
    except csv.Error as error:
        problems.append(Problem(file, reader.line_num, expected=f"comma-separated values ({error})"))
        return None
    return records


def _read_text(path: Path, table: tables.Table, problems: list[Problem]) -> str | None:
    file = shown(path)
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        problems.append(Problem(file, expected=f"the {table.name} table; it is missing"))
        return None
    except OSError as error:
        problems.append(Problem(file, expected=f"a file that can be read ({error.strerror})"))
        return None
    except UnicodeDecodeError as error:
        problems.append(Problem(file, expected=f"UTF-8 text ({error.reason} at byte {error.start}); save it as UTF-8"))
        return None
    if "\0" in text:
        line = text[: text.index("\0")].count("\n") + 1
        problems.append(Problem(file, line, expected="text; there is a NUL byte, the file may be damaged"))
        return None
    return text


def _check_header(file: str, header: list[str], table: tables.Table, problems: list[Problem]) -> bool:
    if not any(header):
        problems.append(Problem(file, 1, expected=f"a line with the columns {', '.join(table.columns)}"))
        return False
    if len(header) == 1 and ";" in header[0]:
        problems.append(Problem(file, 1, found=header[0][:40], expected="commas between columns, not semicolons"))
        return False
    before = len(problems)
    for name in header:
        if name not in table.columns:
            near = difflib.get_close_matches(name, list(table.columns), n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"the columns are {', '.join(table.columns)}"
            problems.append(Problem(file, 1, name, expected=f"a column of the {table.name} table; {hint}"))
    for name in table.columns:
        if name not in header:
            problems.append(Problem(file, 1, name, expected="this column; it is missing (leave cells blank instead)"))
    for name in {n for n in header if header.count(n) > 1}:
        problems.append(Problem(file, 1, name, expected="each column once"))
    return len(problems) == before


def _read_number(text: str) -> float:
    if not _NUMBER.match(text) or not math.isfinite(float(text)):
        raise ValueError("a number such as 1234.5, without separators or units; blank where it is not known")
    if float(text) and not SMALLEST <= abs(float(text)) <= LARGEST:
        raise ValueError(f"a number between {SMALLEST:g} and {LARGEST:g}")
    return float(text)


def _read_integer(text: str) -> float:
    value = _read_number(text)
    if value != int(value):
        raise ValueError("a whole number")
    return value


def _read_flag(text: str) -> bool:
    if text not in ("true", "false"):
        raise ValueError("true or false; blank where it is not known")
    return text == "true"


def _read_date(text: str) -> str:
    problem = "a date as YYYY-MM-DD, YYYY-MM or YYYY"
    if not _DATE.match(text):
        raise ValueError(problem)
    try:
        date.fromisoformat((text + "-01-01")[:10] if len(text) == 4 else (text + "-01")[:10])
    except ValueError:
        raise ValueError(problem) from None
    return text


def _read_moment(text: str) -> str:
    if len(text) <= len("YYYY-MM-DD"):
        return _read_date(text)
    try:
        if _MOMENT.match(text):
            return datetime.fromisoformat(text).isoformat(" ")
    except ValueError:
        pass
    raise ValueError("a date as YYYY-MM-DD, YYYY-MM or YYYY, or with its time as YYYY-MM-DD HH:MM:SS")


_READERS: dict[tables.Kind, Callable[[str], Any]] = {
    "text": str,
    "number": _read_number,
    "integer": _read_integer,
    "flag": _read_flag,
    "date": _read_date,
    "moment": _read_moment,
}


def _check_columns(frame: pd.DataFrame, table: tables.Table, problems: list[Problem]) -> None:
    try:
        table.schema.validate(frame[list(table.columns)], lazy=True)
    except pandera.errors.SchemaErrors as errors:
        already = {(p.file, p.line, p.column) for p in problems}
        for failure in errors.failure_cases.to_dict("records"):
            row, name = frame.loc[failure["index"]], str(failure["column"])
            place = (row["file_"], int(row["line_"]), name)
            if {place, (*place[:2], "")} & already:
                continue
            if failure["check"] == "not_nullable":
                problems.append(Problem(*place, expected="a value; the cell is blank"))
            else:
                problems.append(Problem(*place, str(failure["failure_case"]), f"expected {failure['check']}"))
