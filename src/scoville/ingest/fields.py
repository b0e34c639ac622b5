"""Typed cells: how the value of a foreign field becomes a number in our unit, a count, a flag or a text.

A format lists its fields as `Field` entries, “this column is that key, read so”; parsing, units and complaints
live here. Zero is what many exporters write for “not measured”, so a measured zero is read as missing.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any, TypeVar

from scoville.ingest.points import Record
from scoville.readers import LARGEST, SMALLEST

T = TypeVar("T")

_NUMBER = re.compile(r"^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$")
_THOUSANDS = re.compile(r"^[+-]?\d{1,3}(\.\d{3})+$")
"""A whole number as some countries write it: 2.000 is two thousand there, and two elsewhere."""

_WITH_COMMA = re.compile(r"^[+-]?[\d.]*,[\d.,]*([eE][+-]?\d+)?$")
_COMMA = "a number was expected; a comma may be a decimal comma or separate thousands"

_TRUE = ("true", "t", "1", "1.0")
_FALSE = ("false", "f", "0", "0.0")
_MOST = 10**12
"""Above any count that a result file can hold."""

_COMPACT_DAY = re.compile(r"^(\d{4})(\d{2})(\d{2})(?:-\d{6})?$")
_ADDRESS = re.compile(r"^https?://[^\s/]+\.[^\s/]+(/\S*)?$")
_ISO_DAY = re.compile(r"^(\d{4}-\d{2}-\d{2})(?:[T ].*)?$")


def _expected(what: str) -> ValueError:
    return ValueError(f"{what} was expected")


def number(value: Any) -> float | None:
    """A number above 0 that the data folder can hold, or None where nothing was measured (absent, blank, zero).

    Raises:
        ValueError: for anything else, with what was expected.
    """
    if type(value) is float and SMALLEST <= value <= LARGEST:
        return value  # nearly all of a large file
    if value is None or value == "":
        return None
    if isinstance(value, str):
        text = value.strip()
        if not _NUMBER.match(text):
            raise ValueError(_COMMA if _WITH_COMMA.match(text) else "a number was expected")
        value = float(text)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _expected("a number")
    try:
        result = float(value)
    except OverflowError:
        result = math.inf
    if math.isnan(result):
        raise _expected("a finite number")
    if result < 0:
        raise _expected("a number above 0")
    if result and not SMALLEST <= result <= LARGEST:
        raise _expected("a finite number" if math.isinf(result) else f"a number from {SMALLEST:g} to {LARGEST:g}")
    return result or None


def seconds(value: Any) -> float | None:
    """Seconds, from seconds."""
    return number(value)


def milliseconds(value: Any) -> float | None:
    """Seconds, from milliseconds."""
    read = number(value)
    return None if read is None else read / 1000


def count(value: Any) -> int | None:
    """A whole number of at least 0; None where there is none.

    Raises:
        ValueError: for anything else, with what was expected.
    """
    if value is None or value == "":
        return None
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < len(str(_MOST)):
        return int(value)
    if isinstance(value, str) and _THOUSANDS.match(value.strip()):
        raise _expected("a whole number without separators")
    read = number(value)
    if read is None:
        return 0
    if read != int(read) or read >= _MOST:
        raise _expected("a whole number")
    return int(read)


def flag(value: Any) -> bool | None:
    """True or false, also as the text of either or as 1 and 0; None where there is neither.

    Raises:
        ValueError: for anything else.
    """
    if value is None or isinstance(value, bool):
        return value
    word = str(value).strip().lower() if isinstance(value, str | int | float) else "?"
    if word == "":
        return None
    if word in _TRUE:
        return True
    if word in _FALSE:
        return False
    raise _expected("true or false")


def text(value: Any) -> str | None:
    """A text without blanks around it; None where it is empty.

    Raises:
        ValueError: for anything that is not a text.
    """
    if value is None:
        return None
    if not isinstance(value, str):
        raise _expected("a text")
    return value.strip() or None


def address(value: Any) -> str | None:
    """An address on the web; None where there is none.

    Raises:
        ValueError: for any other text.
    """
    found = text(value)
    if found is not None and not _ADDRESS.match(found):
        raise _expected("an address such as https://github.com/…")
    return found


def day(value: Any) -> str | None:
    """A day as YYYY-MM-DD, from ``20260610-205322``, ``2026-06-10T20:53:22Z`` or seconds since 1970 (UTC).

    Raises:
        ValueError: for anything else.
    """
    if value is None or value == "":
        return None
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < 2**33:
        return datetime.fromtimestamp(value, UTC).date().isoformat()
    word = value.strip() if isinstance(value, str) else ""
    compact, iso = _COMPACT_DAY.match(word), _ISO_DAY.match(word)
    found = "-".join(compact.groups()[:3]) if compact else iso.group(1) if iso else ""
    try:
        return date.fromisoformat(found).isoformat()
    except ValueError:
        raise _expected("a date such as 2026-06-10") from None


def moment(value: Any) -> str | None:
    """A day with its time as YYYY-MM-DD HH:MM:SS, or without where none is stated. What names a zone becomes UTC.

    Raises:
        ValueError: for anything else.
    """
    found = day(value)
    if found is None:
        return None
    try:
        if isinstance(value, int | float):
            when = datetime.fromtimestamp(value, UTC)
        elif len(word := str(value).strip()) <= len("YYYY-MM-DD"):
            return found
        else:
            when = datetime.fromisoformat(word.replace("-", "T", 1) if _COMPACT_DAY.match(word) else word)
    except ValueError:
        raise _expected("a date and time such as 2026-06-10T20:53:22") from None
    return (when.astimezone(UTC) if when.tzinfo else when).replace(tzinfo=None).isoformat(" ", "seconds")


@dataclass(frozen=True)
class Field:
    """One column of the point, and where a foreign row holds it.

    Attributes:
        column: column of `points.Point`.
        key: key in the foreign row.
        read: how its value is read.
    """

    column: str
    key: str
    read: Callable[[Any], Any]


def latencies(
    pattern: str, names: Mapping[str, str], statistics: Mapping[str, str], read: Callable[[Any], Any]
) -> tuple[Field, ...]:
    """The nine latency fields of a format.

    Args:
        pattern: how its keys are built, such as ``{statistic}_{name}_ms``.
        names: our ``ttft``, ``tpot`` and ``e2e`` to its names.
        statistics: our ``mean``, ``median`` and ``p99`` to its names.
        read: the unit, `seconds` or `milliseconds`.
    """
    return tuple(
        Field(f"{ours}_{statistic}_s", pattern.format(statistic=theirs, name=name), read)
        for ours, name in names.items()
        for statistic, theirs in statistics.items()
    )


def fill(record: Record, row: Mapping[str, Any], fields: Sequence[Field]) -> None:
    """Put the fields of a row into the record's point; what cannot be read is blanked, and said."""
    get, point = row.get, record.point
    for field in fields:
        value = get(field.key)
        if value is None:
            continue
        try:
            setattr(point, field.column, field.read(value))
        except ValueError as error:
            record.blank(field.key, value, str(error))


def one(
    record: Record, row: Mapping[str, Any], key: str, read: Callable[[Any], T | None], *, needed: bool = False
) -> T | None:
    """The value of one key; None, and a finding, when it cannot be read: the row is refused if the value is needed."""
    value = row.get(key)
    if value is None:
        return None
    try:
        return read(value)
    except ValueError as error:
        if needed:
            record.refuse(key, value, str(error))
        else:
            record.blank(key, value, str(error))
        return None


def part(record: Record, row: Mapping[str, Any], key: str, *, needed: bool = False) -> dict[str, Any]:
    """The object under a key; empty, and a finding, when something else stands there."""
    return one(record, row, key, _object, needed=needed) or {}


def inside(record: Record, row: Mapping[str, Any], *keys: str) -> dict[str, Any]:
    """The object at the end of a chain of keys; empty when it ends early. Anything else on the way refuses the row."""
    found: Mapping[str, Any] = row
    for key in keys:
        found = part(record, found, key, needed=True)
    return dict(found)


def items(record: Record, row: Mapping[str, Any], key: str) -> list[Any]:
    """The list under a key; empty when nothing stands there, and the row refused when something else does."""
    return one(record, row, key, _list, needed=True) or []


def _object(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise _expected("an object")
    return value


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise _expected("a list")
    return value
