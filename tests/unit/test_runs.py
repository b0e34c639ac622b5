"""Which run of a configuration stands for all: known cases by hand, and no dependence on order."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoville import tables
from scoville.runs import Run, precedes, representative, serial_note, without_serial

RUNS_URL = "https://github.com/SemiAnalysisAI/InferenceX/actions/runs/"


def run_of(statistic_note: str | None = None, **cells: Any) -> Run:
    row = dict.fromkeys(tables.POINTS.columns) | cells
    return Run.of(row.__getitem__, statistic_note)


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        (Run("2026-06-10"), Run("2026-06-11 00:00:00")),
        (Run("2026-06-10 19:59:59"), Run("2026-06-10 20:00:00")),
        (Run("2026-05"), Run("2026-06-01")),
        (Run("2026-07-01", number=(20000000001, 1)), Run("2026-06-01", number=(20000000002, 1))),
        (Run(number=(20000000001, 1)), Run(number=(20000000001, 2))),
        (Run("2026-06-10", serial=9), Run("2026-06-10", serial=10)),
        (Run("2026-06-10", serial=10), Run("2026-06-11", serial=9)),
    ],
)
def test_what_is_known_to_be_older(older: Run, newer: Run) -> None:
    assert precedes(older, newer)
    assert not precedes(newer, older)
    assert representative([older, newer]) == (1, {0})
    assert representative([newer, older]) == (0, {1})


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (Run("2026-06-10", numbers=(1.0,)), Run("2026-06-10 20:00:00", numbers=(2.0,))),
        (Run("2026-06", numbers=(1.0,)), Run("2026-06-10", numbers=(2.0,))),
        (Run(numbers=(1.0,)), Run("2026-06-10", numbers=(2.0,))),
        (Run("2026-06-10", numbers=(1.0,)), Run("2026-06-10", numbers=(2.0,))),
        (Run(number=(20000000001, 1)), Run("2026-06-10")),
        (Run(serial=9), Run("2026-06-10")),
    ],
)
def test_what_cannot_be_ordered(one: Run, other: Run) -> None:
    assert not precedes(one, other)
    assert not precedes(other, one)
    first, older = representative([one, other])
    assert (1 - first, older) == (representative([other, one])[0], set())


def test_the_middle_one_stands_where_nothing_tells() -> None:
    runs = [Run("2026-06-10", numbers=(n,)) for n in (5.0, 1.0, 3.0)]
    assert representative(runs) == (2, set())
    assert representative(runs[:2]) == (1, set())  # of two the lower
    later = [*runs, Run("2026-06-11", numbers=(9.0,))]
    assert representative(later) == (3, {0, 1, 2})


def test_the_source_published_last_decides_only_what_the_runs_leave_open() -> None:
    assert representative([Run(published="2026-01"), Run(published="2026-02")]) == (1, set())
    assert representative([Run("2026-03-02", published="2026-03"), Run("2026-03-01", published="2026-09")]) == (0, {1})


def test_the_run_of_a_row() -> None:
    found = run_of(run_url=f"{RUNS_URL}22469096331/attempts/3", date="2026-03-01", total_tok_s_per_chip=2.0)
    assert (found.number, found.serial, found.date, found.measured()[0]) == ((22469096331, 3), 0, "2026-03-01", 2.0)
    assert run_of(run_url=f"{RUNS_URL}22469096331").number == (22469096331, 1)
    assert run_of(run_url="https://ci.example.org/runs/12").serial == 12
    kept = run_of(statistic_note=f"one thing; {serial_note(4711)}; another")
    assert (kept.number, kept.serial) == ((0, 0), 4711)
    assert without_serial(["one thing", serial_note(4711)]) == ["one thing"]


DATES = st.sampled_from(["", "2026-06", "2026-06-10", "2026-06-10 20:00:00", "2026-06-10 21:00:00", "2026-06-11"])
NUMBERS = st.sampled_from([(0, 0), (20000000001, 1), (20000000001, 2), (20000000002, 1)])
ANY_RUN = st.builds(
    Run, DATES, NUMBERS, st.integers(0, 2), st.sampled_from(["", "2026"]), st.tuples(st.floats(1, 9, width=16))
)


@given(st.lists(ANY_RUN, min_size=1, max_size=6, unique=True), st.randoms())
def test_the_order_of_the_runs_plays_no_part(runs: list[Run], chance: Any) -> None:
    shuffled = list(runs)
    chance.shuffle(shuffled)
    first, older = representative(runs)
    again, older_again = representative(shuffled)
    assert runs[first] == shuffled[again]
    assert {runs[i] for i in older} == {shuffled[i] for i in older_again}


@given(st.lists(ANY_RUN, min_size=2, max_size=6, unique=True))
def test_none_that_is_known_to_be_newer_in_every_way_is_passed_over(runs: list[Run]) -> None:
    chosen = runs[representative(runs)[0]]
    numbered = all(run.number[0] for run in runs)
    for run in runs:
        later = run.number > chosen.number if numbered else run.date[:10] > chosen.date[:10] and len(chosen.date) > 9
        assert not later
