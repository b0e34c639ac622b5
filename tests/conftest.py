"""What every test may use."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from scoville.facts import Facts, load

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def facts() -> Facts:
    """The committed data folder."""
    return load(ROOT / "data")


@pytest.fixture
def data_copy(tmp_path: Path) -> Path:
    """A copy of the data folder that a test may spoil."""
    return Path(shutil.copytree(ROOT / "data", tmp_path / "data"))
