"""What is wrong with an input, told to the person who made it.

Every reader gathers all that is wrong with its input as `Problem` records and raises them together, once, as
an `InputError`. The command line prints one line per problem and exits with status 2.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, order=True)
class Problem:
    """One thing that is wrong, and where.

    Attributes:
        file: path as the user would type it.
        line: 1-based line in the file; 0 where the whole file is meant.
        column: column or key; empty where the whole line is meant.
        found: what stands there.
        expected: what should stand there, and what to do.
    """

    file: str
    line: int = 0
    column: str = ""
    found: str = ""
    expected: str = ""

    def __str__(self) -> str:
        """One line: ``file:line: column: found …; expected …``."""
        place = f"{self.file}:{self.line}" if self.line else self.file
        parts = [place]
        if self.column:
            parts.append(f"column {self.column!r}")
        told = f"found {self.found!r}; " if self.found else ""
        return ": ".join([*parts, told + self.expected])


class ScovilleError(Exception):
    """Something could not be done, for a reason that is no defect: told in words, without a traceback."""


class InputError(Exception):
    """All the problems of an input, at once.

    Attributes:
        problems: sorted by file, line and column; never empty.
    """

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = sorted(set(problems))
        super().__init__(self.problems)  # as they came, so that it survives the way back from a worker

    def __str__(self) -> str:
        """A line that counts them, then one line each."""
        count = len(self.problems)
        noun = "problem" if count == 1 else "problems"
        return "\n".join([f"{count} {noun} in the input:", *(f"  {p}" for p in self.problems)])


def is_number(value: object) -> bool:
    """Whether a parameter is a number, which text that looks like one is not."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def refuse(*demands: tuple[str, object, bool, str]) -> None:
    """Refuse parameters of a notebook that nothing can be computed from, all at once.

    Args:
        demands: name of the parameter, its value, whether it will do, and what was expected.

    Raises:
        InputError: with a line for each that will not.
    """
    problems = [
        Problem("parameters", 0, name, str(value), f"expected {wanted}")
        for name, value, holds, wanted in demands
        if not holds
    ]
    if problems:
        raise InputError(problems)
