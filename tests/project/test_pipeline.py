"""The pipeline: contents decide; a failure keeps the old page and is told with its cell."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from scoville.book import pages
from scoville.facts import load

ROOT = Path(__file__).resolve().parents[2]
COUNT = len(pages(load(ROOT / "data")))
CHAPTERS = ("baselines", "power", "latency", "far_end", "mixed_tokens", "repeatability")
STOPS = ("workload", "rubin", "limits", "predictions")
RAN = (
    *(f"how-far/{c}" for c in CHAPTERS),
    *(f"evidence-stops/{c}" for c in STOPS),
    *("changes", "claims", "data", "index", "models/kimi-k2.5", "sources"),
)
FILES = ("_toc.yml", "_config.yml", "task_book.py", "pyproject.toml", "requirements.lock", "pytask.lock")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A copy of the project, under a path with a space in it."""
    folder = tmp_path / "my project"
    folder.mkdir()
    for name in ("data", "book", "notebooks", "src"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in FILES:
        shutil.copy(ROOT / name, folder / name)
    return folder


def build(project: Path) -> subprocess.CompletedProcess[str]:
    code = "from pathlib import Path; from scoville.pipeline import update_pages; update_pages(Path.cwd())"
    return subprocess.run([sys.executable, "-c", code], cwd=project, capture_output=True, text=True, check=False)


def outcome(done: subprocess.CompletedProcess[str]) -> str:
    return " ".join(done.stdout.split())


def replace(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_in_a_fresh_clone_no_page_needs_to_run(project: Path) -> None:
    done = build(project)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{COUNT} Skipped because unchanged (100.0%)" in outcome(done), "pytask.lock is stale; run: make book"
    assert (project / "pytask.lock").read_bytes() == (ROOT / "pytask.lock").read_bytes()


def test_one_models_data_run_its_page_and_those_that_compare(project: Path) -> None:
    rows = project / "data/points/kimi-k2.5/jalapeno-2026-08.csv"
    replace(rows, "906.2857383609748", "906.3857383609748")
    before = {p: p.read_bytes() for p in (project / "book").rglob("*.ipynb")}
    done = build(project)
    assert done.returncode == 0, done.stdout + done.stderr
    ran = {word for word in done.stdout.split() if word.startswith("task_book.py::make[")}
    assert ran == {f"task_book.py::make[{page}]" for page in RAN}
    changed = {p.stem for p, content in before.items() if p.read_bytes() != content}
    assert changed == {"kimi-k2.5", "index", "baselines", "latency", "far_end", "workload"}  # or their CSV


def test_a_page_that_fails_keeps_the_old_one_and_names_cell_and_message(project: Path) -> None:
    template = project / "notebooks/model_report.ipynb"
    replace(template, '"page.gaps()"', '"page.gasp()"')
    before = {p: p.read_bytes() for p in (project / "book").rglob("*.ipynb")}
    done = build(project)
    assert done.returncode == 1
    assert "cell 'gaps': AttributeError: 'ModelPage' object has no attribute 'gasp'" in done.stderr
    assert {p: p.read_bytes() for p in (project / "book").rglob("*.ipynb")} == before


def test_a_deleted_page_is_made_again(project: Path) -> None:
    page = project / "book/sources.ipynb"
    content = page.read_bytes()
    page.unlink()
    done = build(project)
    assert done.returncode == 0, done.stdout + done.stderr
    assert page.read_bytes() == content
    assert f"{COUNT - 1} Skipped because unchanged" in outcome(done)


def test_an_edited_page_is_made_again(project: Path) -> None:
    page = project / "book/sources.ipynb"
    content = page.read_bytes()
    page.write_bytes(content.replace(b"Who says so", b"Who says nothing", 1))
    assert build(project).returncode == 0
    assert page.read_bytes() == content


def test_every_failed_page_is_named(project: Path) -> None:
    replace(project / "notebooks/model_report.ipynb", '"page.gaps()"', '"page.gasp()"')
    replace(project / "notebooks/claims.ipynb", '"page.wordings()"', '"page.words()"')
    done = build(project)
    assert done.returncode == 1
    for page in ("claims, cell 'wordings'", "gpt-oss-120b, cell 'gaps'", "deepseek-r1, cell 'gaps'", "kimi-k2.5, cell"):
        assert page in done.stderr
