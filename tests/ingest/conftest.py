"""What the tests of the importers share: the originals, and the command run on made files."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from import_runs import Bring, Imported

from scoville.ingest.command import import_command

ORIGINALS = Path(os.environ.get("SCOVILLE_ORIGINALS", Path(__file__).resolve().parents[3] / "shared"))


@pytest.fixture
def originals() -> Path:
    """The folder of real result files; the test is skipped, with a reason, where it is not at hand."""
    if not (ORIGINALS / "data/inferencex").is_dir():
        pytest.skip(f"the real result files are not at {ORIGINALS}; set SCOVILLE_ORIGINALS to their folder")
    return ORIGINALS / "data"


@pytest.fixture
def bring(tmp_path: Path) -> Bring:
    """Run ``scoville import`` on files, into ``into`` (a new folder by default), with a report."""

    def run(*arguments: Any, into: Path | None = None, report: bool = True) -> Imported:
        folder, findings = into or tmp_path / "book", tmp_path / "findings.json"
        findings.unlink(missing_ok=True)
        extra = ["--report", str(findings)] if report else []
        done = CliRunner().invoke(import_command, [*map(str, arguments), "--into", str(folder), *extra])
        if done.exception is not None and not isinstance(done.exception, SystemExit):
            raise done.exception
        told = json.loads(findings.read_text(encoding="utf-8")) if findings.exists() else {}
        return Imported(done.exit_code, done.output, told, folder)

    return run


CLIENT = ("--system", "my-chip", "--chips", "8", "--precision", "fp4", "--engine", "vllm", "--speculation", "none")
"""What a load generator cannot know, as most tests say it."""


@pytest.fixture
def client(bring: Bring) -> Bring:
    """The same for files of load generators, with their options."""

    def run(*arguments: Any, **keywords: Any) -> Imported:
        return bring(*CLIENT, *arguments, **keywords)

    return run
