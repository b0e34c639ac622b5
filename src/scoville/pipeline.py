"""Bring the pages of the book up to date, by pytask."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from scoville.pages import PageError


def update_pages(root: Path, jobs: int | None = None) -> None:
    """Run every stale page of the project at ``root``; pytask shows the progress.

    Args:
        root: the project's folder.
        jobs: pages at a time; as many as there are cores by default.

    Raises:
        PageError: for the first page that failed; the other pages are done, and the old ones kept.
    """
    import pytask  # noqa: PLC0415 - half a second that other commands need not spend

    with _imported_from(root):
        session = pytask.build(
            paths=[root / "task_book.py"], config=root / "pyproject.toml", n_workers=jobs or os.cpu_count() or 1
        )
    if session.exit_code == pytask.ExitCode.OK:
        return
    for report in session.execution_reports:
        if report.exc_info is not None and report.outcome == pytask.TaskOutcome.FAIL:
            error = report.exc_info[1]
            if isinstance(error, PageError):
                raise error
            raise PageError(report.task.name.rpartition("[")[2].rstrip("]"), "", f"{type(error).__name__}: {error}")
    raise PageError("pipeline", "", "pytask could not collect the pages; its messages stand above")


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
