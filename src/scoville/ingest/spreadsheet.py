"""What a spreadsheet does to a table of comma-separated values, undone where it is certain.

* A byte order mark, ``sep=;``, empty lines and lines of comments before the header are passed over.
* Semicolons and tabs between cells are recognised by the header.
* Decimal commas are recognised when the file shows that they are: a comma that cannot separate thousands (``0,5``,
  ``12,25``), and no decimal point. ``1,234`` alone could be either.
* Where cells are not separated by commas, dots may separate thousands: ``1.234`` alone could be either.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from scoville.ingest.documents import Document

_DELIMITERS = {",": "comma", ";": "semicolon", "\t": "tab"}
_LINES_LOOKED_AT = 50
_SEPARATOR_HINT = re.compile(r"^\"?sep=(.)\"?\s*$", re.IGNORECASE)
_EXPONENT = r"([eE][+-]?\d+)?$"
_COMMA_NUMBER = re.compile(r"^[+-]?\d+,\d+" + _EXPONENT)
_THOUSANDS = re.compile(r"^[+-]?[1-9]\d{0,2},\d{3}$")
_DOTTED_THOUSANDS = re.compile(r"^[+-]?[1-9]\d{0,2}(\.\d{3})+$")
_POINT_NUMBER = re.compile(r"^[+-]?\d*\.\d+" + _EXPONENT)


@dataclass(frozen=True)
class Dialect:
    """How a table was saved.

    Attributes:
        delimiter: between cells.
        skip: lines before the header.
        header: its column names.
    """

    delimiter: str
    skip: int
    header: list[str]

    @property
    def delimiter_name(self) -> str:
        """For a sentence: ``semicolon``."""
        return _DELIMITERS[self.delimiter]


def dialect(document: Document, known: Callable[[str], bool]) -> Dialect:
    """The dialect under which the header has most of the names that are ``known``; commas where it has none."""
    lines = document.head[:_LINES_LOOKED_AT]
    skip = 1 if lines and _SEPARATOR_HINT.match(lines[0]) else 0
    while skip < len(lines) and _is_before_header(lines[skip]):
        skip += 1
    first = lines[skip] if skip < len(lines) else ""
    found = [Dialect(delimiter, skip, _cells(first, delimiter)) for delimiter in _DELIMITERS]
    return max(found, key=lambda d: len({name for name in d.header if known(name)}))


def _is_before_header(line: str) -> bool:
    return not line.strip(',;\t "') or line.lstrip('"').startswith("#")


def _cells(line: str, delimiter: str) -> list[str]:
    try:
        return [cell.strip() for cell in next(csv.reader([line], delimiter=delimiter), [])]
    except csv.Error:
        return []


def has_decimal_commas(used: Dialect, numbers: Iterable[str]) -> bool:
    """Whether commas in the cells that hold numbers are decimal commas, for certain."""
    if used.delimiter == ",":
        return False
    certain = False
    for cell in numbers:
        if _POINT_NUMBER.match(cell):
            return False
        certain = certain or bool(_COMMA_NUMBER.match(cell) and not _THOUSANDS.match(cell))
    return certain


def may_separate_thousands(used: Dialect, column: Iterable[str]) -> bool:
    """Whether the dots in a column of numbers may separate thousands: there are some, and none that cannot."""
    dotted = [cell for cell in column if "." in cell]
    return used.delimiter != "," and bool(dotted) and all(map(_DOTTED_THOUSANDS.match, dotted))


def notes(used: Dialect, *, comma: bool) -> list[str]:
    """What was recognised, where it is not the ordinary."""
    found = [] if used.delimiter == "," else [f"cells separated by {used.delimiter_name}s"]
    return [*found, "decimal commas read as decimal points"] if comma else found
