"""The executed notebook behind a page, read once a build for all that ask it."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

import nbformat


def cells_of(notebook: Path) -> list[Any]:
    """Its cells, in order; none where there is no such file."""
    return _read(notebook, notebook.stat().st_mtime_ns) if notebook.is_file() else []


@lru_cache(maxsize=4)  # a page is asked about several times, one after the other
def _read(notebook: Path, _changed: int) -> list[Any]:
    cells: list[Any] = nbformat.read(notebook, as_version=4).cells  # type: ignore[no-untyped-call]
    return cells
