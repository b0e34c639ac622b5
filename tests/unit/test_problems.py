"""Errors as people read them, and as they travel between processes."""

import pickle

from scoville.pages import PageError
from scoville.problems import InputError, Problem


def test_problems_are_sorted_counted_and_told_once() -> None:
    later = Problem("b.csv", 2, "x", "1", "expected 2")
    error = InputError([later, Problem("a.csv", 0, expected="it is missing"), later])
    assert str(error) == (
        "2 problems in the input:\n  a.csv: it is missing\n  b.csv:2: column 'x': found '1'; expected 2"
    )


def test_errors_survive_the_way_back_from_a_worker() -> None:
    page = PageError("kimi-k2.5", "gaps", "it failed")
    given = InputError([Problem("a.csv", 3, expected="a value")])
    assert str(pickle.loads(pickle.dumps(page))) == str(page) == "kimi-k2.5, cell 'gaps': it failed"
    assert str(pickle.loads(pickle.dumps(given))) == str(given)
