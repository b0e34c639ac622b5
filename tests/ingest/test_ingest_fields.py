"""Cells of foreign files: what is read, what is missing, and what is refused with which words."""

from __future__ import annotations

import re
from typing import Any

import pytest

from scoville import tables
from scoville.ingest.fields import count, day, flag, milliseconds, moment, number, one, text
from scoville.ingest.points import COLUMNS, Finding, Record, told

COMMA = "a number was expected; a comma may be a decimal comma or separate thousands"


def test_a_point_has_the_columns_of_the_table_in_their_order() -> None:
    assert tuple(tables.POINTS.columns) == COLUMNS


@pytest.mark.parametrize(
    ("value", "read"),
    [(2.5, 2.5), (3, 3.0), ("1e-3", 0.001), (" 12.5 ", 12.5), (0, None), (0.0, None), ("", None), (None, None)],
)
def test_numbers(value: Any, read: float | None) -> None:
    assert number(value) == read


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (float("nan"), "a finite number was expected"),
        (float("inf"), "a finite number was expected"),
        (-1.0, "a number above 0 was expected"),
        (True, "a number was expected"),
        ("12 ms", "a number was expected"),
        ("1,5", COMMA),
        ("1.709,13", COMMA),
        ("1,709.5", COMMA),
        ("x,y", "a number was expected"),
        ("nan", "a number was expected"),
        ([1], "a number was expected"),
        ({}, "a number was expected"),
        (10**400, "a finite number was expected"),
        (1e16, "a number from 1e-09 to 1e+15 was expected"),
        ("1e-10", "a number from 1e-09 to 1e+15 was expected"),
        ("1e999", "a finite number was expected"),
    ],
)
def test_what_is_no_number(value: Any, words: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(words)}$"):
        number(value)


def test_milliseconds_become_seconds() -> None:
    assert milliseconds(4.853) == 0.004853


@pytest.mark.parametrize(
    ("value", "read"), [(8, 8), ("8", 8), ("8192.0", 8192), (0, 0), ("0", 0), (8.0, 8), (None, None), ("", None)]
)
def test_counts(value: Any, read: int | None) -> None:
    assert count(value) == read


@pytest.mark.parametrize(
    "value", [1.5, "1.5", -1, 10**15, "9" * 30, "2.000", "12.000.000", True, "eight", [8], float("nan")]
)
def test_what_is_no_count(value: Any) -> None:
    with pytest.raises(ValueError, match="was expected"):
        count(value)


@pytest.mark.parametrize(
    ("value", "read"),
    [
        (True, True),
        ("true", True),
        ("True", True),
        ("t", True),
        (1, True),
        ("false", False),
        ("f", False),
        ("0", False),
        ("", None),
        (None, None),
    ],
)
def test_flags_in_the_spellings_of_json_python_and_postgresql(value: Any, read: bool | None) -> None:
    assert flag(value) is read


@pytest.mark.parametrize("value", ["yes", "2", 2, "wahr", [], {}])
def test_what_is_no_flag(value: Any) -> None:
    with pytest.raises(ValueError, match=r"^true or false was expected$"):
        flag(value)


@pytest.mark.parametrize(
    ("value", "read"),
    [
        ("20260610-205322", "2026-06-10"),
        ("2026-06-10", "2026-06-10"),
        ("2026-06-10T20:53:22.5Z", "2026-06-10"),
        ("2026-06-10 20:53:22", "2026-06-10"),
        (1781124671.9, "2026-06-10"),
        ("", None),
    ],
)
def test_days(value: Any, read: str | None) -> None:
    assert day(value) == read


@pytest.mark.parametrize("value", ["10.06.2026", "2026-02-30", "20261399", "46183", -5, 1e300, float("nan"), True, []])
def test_what_is_no_day(value: Any) -> None:
    with pytest.raises(ValueError, match=r"^a date such as 2026-06-10 was expected$"):
        day(value)


def test_a_value_that_cannot_be_read_is_a_finding_and_not_a_value() -> None:
    record = Record(3)
    assert one(record, {"hw": 7}, "hw", text) is None
    assert one(record, {"hw": " b200 "}, "hw", text) == "b200"
    assert record.findings == [Finding(3, "hw", "7", "a text was expected", refused=False)]


def test_values_in_messages_are_short() -> None:
    assert told(0.123456789) == "0.123457"
    assert told(None) == ""
    assert told("x" * 500) == "x" * 79 + "…"


@pytest.mark.parametrize(
    ("value", "read"),
    [
        ("20260610-205322", "2026-06-10 20:53:22"),
        ("2026-06-10T20:53:22.5Z", "2026-06-10 20:53:22"),
        ("2026-06-10T22:53:22+02:00", "2026-06-10 20:53:22"),
        ("2026-06-11T00:10:00+02:00", "2026-06-10 22:10:00"),
        ("2026-06-10T20:53", "2026-06-10 20:53:00"),
        ("2026-06-10", "2026-06-10"),
        (1781124671.9, "2026-06-10 20:51:11"),  # 86,400 × 20,614 days and 75,071.9 s
        ("", None),
    ],
)
def test_moments(value: Any, read: str | None) -> None:
    assert moment(value) == read


@pytest.mark.parametrize("value", ["20260610-256000", "2026-06-10T", "2026-06-10 noon"])
def test_what_is_no_moment(value: Any) -> None:
    with pytest.raises(ValueError, match=r"was expected$"):
        moment(value)
