"""Bring the pages of the book up to date, by pytask."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from scoville.pages import PageError
from scoville.problems import ScovilleError


class PagesError(ScovilleError):
    """Some pages could not be made: a line for each, with its cell and message."""

    def __init__(self, lines: list[str]) -> None:
        super().__init__(lines)
        self.lines = lines

    def __str__(self) -> str:
        """The lines."""
        return "\n".join(self.lines)


def update_pages(root: Path, jobs: int | None = None) -> None:
    """Run every stale page of the project at ``root``; pytask shows the progress.

    Args:
        root: the project's folder.
        jobs: pages at a time; as many as there are cores by default.

    Raises:
        PagesError: with a line for each page that failed; the others are done, and the old ones of these kept.
    """
    import pytask  # noqa: PLC0415 - half a second that other commands need not spend

    with _imported_from(root):
        session = pytask.build(
            paths=[root / "task_book.py"], config=root / "pyproject.toml", n_workers=jobs or os.cpu_count() or 1
        )
    if session.exit_code == pytask.ExitCode.OK:
        return
    failed = [r for r in session.execution_reports if r.outcome == pytask.TaskOutcome.FAIL and r.exc_info is not None]
    if not failed:
        raise PagesError(["pytask could not collect the pages; its messages stand above"])
    raise PagesError([_told(report) for report in failed])


def _told(report: Any) -> str:
    error = report.exc_info[1]
    if isinstance(error, PageError):
        return str(error)
    page = report.task.name.rpartition("[")[2].rstrip("]")
    return f"{page}: {type(error).__name__}: {error}"


@contextlib.contextmanager
def _imported_from(root: Path) -> Iterator[None]:
    """pytask imports ``task_book`` by its name: the one of ``root``, not that of the working directory."""
    sys.modules.pop("task_book", None)
    sys.path.insert(0, str(root))
    try:
        yield
    finally:
        sys.path.remove(str(root))
        sys.modules.pop("task_book", None)
