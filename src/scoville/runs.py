"""Runs of one configuration: which of them is the newest, as far as anything says, and which one stands for all."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from scoville import tables

GITHUB_RUN = 10**9
"""Below the number of any run on GitHub; a database counts its runs from 1."""

MEASURED = tuple(tables.POINTS.columns)[
    list(tables.POINTS.columns).index("isl_mean") : list(tables.POINTS.columns).index("statistic_note")
]
"""The columns of `tables.POINTS` that hold measured numbers."""

SAME_LOAD = 0.05
"""Mean lengths of two runs of the same load, relative."""

Lengths = tuple[float | None, float | None]
"""Mean input and output tokens of a request; None where a row does not say."""

_BY_THROUGHPUT = ("total_tok_s_per_chip", "output_tok_s_per_chip", *MEASURED)

_RUN_IN_URL = re.compile(r"/runs/(\d+)(?:/attempts/(\d+))?")
_SERIAL = re.compile(r"(?:^|; )run (\d+) of the database(?:;|$)")


def run_at_github(address: Any) -> int | None:
    """Number of the run that an address at GitHub names; None where it names none."""
    found = _RUN_IN_URL.search(_text(address))
    return int(found[1]) if found and int(found[1]) > GITHUB_RUN else None


@dataclass(frozen=True)
class Run:
    """What tells when a run was, and what it measured.

    Attributes:
        date: its day, with the time where that is known, as in `tables.POINTS`; empty where neither is.
        number: number of the run and of its attempt at GitHub, where later ones are higher; zeros without one.
        serial: number of the run in another list of runs; 0 without one.
        published: when its source was published; decides only what nothing else does.
        numbers: what it measured, the throughput first; read from the row when they are wanted, as few are.
    """

    date: str = ""
    number: tuple[int, int] = (0, 0)
    serial: int = 0
    published: str = ""
    numbers: tuple[float, ...] = ()
    cell: Callable[[str], Any] | None = field(default=None, compare=False, repr=False)

    @classmethod
    def of(cls, cell: Callable[[str], Any], note: Any, published: str = "") -> Run:
        """The run of a row.

        Args:
            cell: gives what stands in a column of `tables.POINTS`.
            note: its ``statistic_note``.
            published: when its source was published.
        """
        run = attempt = serial = 0
        if found := _RUN_IN_URL.search(_text(cell("run_url"))):
            run, attempt = int(found[1]), int(found[2] or 1)
        if note and (told := _SERIAL.search(_text(note))):
            serial = int(told[1])
        if run <= GITHUB_RUN:
            run, attempt, serial = 0, 0, serial or run
        return cls(_text(cell("date")), (run, attempt), serial, published, cell=cell)

    def measured(self) -> tuple[float, ...]:
        """What it measured, -1 for what it did not."""
        if self.cell is None:
            return self.numbers
        values = [self.cell(column) for column in _BY_THROUGHPUT]
        return tuple(v if isinstance(v, float) and not math.isnan(v) else -1.0 for v in values)


def serial_note(number: int) -> str:
    """How the note of a row keeps the number of a run that has no address."""
    return f"run {number} of the database"


def without_serial(notes: list[str]) -> list[str]:
    """Parts of a note, but for the number of a single run."""
    return [note for note in notes if not _SERIAL.search(note)]


def precedes(one: Run, other: Run) -> bool:
    """Whether a run is known to be older than another. A day says nothing of a time within it."""
    if one.number[0] and other.number[0] and one.number != other.number:
        return one.number < other.number
    if _ends_before(one, other) or _ends_before(other, one):
        return _ends_before(one, other)
    return 0 < one.serial < other.serial


def same_load(one: Lengths, other: Lengths) -> bool:
    """Whether mean lengths do not tell two loads apart. What is not known tells nothing."""
    pairs = zip(one, other, strict=True)
    return all(a is None or b is None or abs(a - b) <= SAME_LOAD * a for a, b in pairs)


def loads(lengths: Iterable[Lengths]) -> list[int]:
    """Number of the load that each row is of, by mean lengths; a row is of the first load that it may be of.

    Loads are numbered as rows bring them, those with both lengths before others.
    """
    rows = list(lengths)
    found: list[Lengths] = []
    numbers = [0] * len(rows)
    for i in sorted(range(len(rows)), key=lambda i: None in rows[i]):
        load = next((n for n, first in enumerate(found) if same_load(first, rows[i])), len(found))
        if load == len(found):
            found.append(rows[i])
        numbers[i] = load
    return numbers


def unstated(points: pd.DataFrame) -> pd.Series:
    """Which rows of fixed lengths state no nominal ones, so that their mean lengths must tell loads apart."""
    return points["workload"].eq("fixed-length") & (points["isl_nominal"].isna() | points["osl_nominal"].isna())


def mean_lengths(points: pd.DataFrame) -> list[Lengths]:
    """Mean input and output tokens of a request, row by row."""
    columns = ([None if pd.isna(v) else float(v) for v in points[c]] for c in ("isl_mean", "osl_mean"))
    return list(zip(*columns, strict=True))


def _ends_before(one: Run, other: Run) -> bool:
    if one.date.startswith(other.date) or other.date.startswith(one.date):
        return False  # the same day or time, one of them part of the other, or none known
    return one.date < other.date


def representative(runs: Sequence[Run]) -> tuple[int, set[int]]:
    """Which run stands for all, whatever their order, and which ones are known to be older than it.

    By the numbers of GitHub where all have one, else by date; where that leaves several, by their numbers. Where
    nothing tells which of them is the newest, the one counts whose source was published last, whose time is known
    best, and at last the one in the middle by throughput: no end of their range.
    """
    left = list(range(len(runs)))
    if all(run.number[0] for run in runs):
        left = _highest(left, [run.number for run in runs])
    latest = runs[max(left, key=lambda i: runs[i].date)]  # what ends before any of them ends before this one
    left = [i for i in left if not _ends_before(runs[i], latest)]
    if all(runs[i].number[0] for i in left):
        left = _highest(left, [run.number for run in runs])
    if all(runs[i].serial for i in left):
        left = _highest(left, [run.serial for run in runs])
    left = _highest(left, [(run.published, run.date, run.number, run.serial) for run in runs])
    if len(left) > 1:
        left.sort(key=lambda i: runs[i].measured())
    chosen = left[(len(left) - 1) // 2]
    return chosen, {i for i, run in enumerate(runs) if precedes(run, runs[chosen])}


def _highest(left: list[int], keys: Sequence[Any]) -> list[int]:
    most = max(keys[i] for i in left)
    return [i for i in left if keys[i] == most]


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
