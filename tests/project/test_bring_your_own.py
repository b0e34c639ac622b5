"""The page “Bring your own results”, followed literally: each of its commands is run, in order."""

from __future__ import annotations

import http.server
import json
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "book" / "bring-your-own.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^\$ (.+)$", PAGE, flags=re.MULTILINE)

sys.path.insert(0, str(ROOT / "tests" / "ingest"))
import made_files  # noqa: E402 - a module of the tests next door


@pytest.fixture(scope="module")
def api() -> Iterator[str]:
    """A server on this machine in the place of the public API: B200 rows of a model, at two concurrencies."""
    rows = [made_files.api_row(c) | {"model": "dsr1"} for c in (8, 64)]
    body = json.dumps(rows).encode()

    class Answer(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_args: Any) -> None:
            """Say nothing."""

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answer) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project with a result file of one's own in it."""
    folder = tmp_path_factory.mktemp("a project")
    for name in ("data", "book", "notebooks"):
        shutil.copytree(ROOT / name, folder / name)
    for name in ("_toc.yml", "_config.yml", "task_book.py", "pyproject.toml", "requirements.lock"):
        shutil.copy(ROOT / name, folder / name)
    (folder / "results").mkdir()
    (folder / ".venv").symlink_to(sys.prefix)  # what `make book` sets up
    days = {"my-run": 10, "other-run": 10, "later-run": 12, "mistaken-run": 13}
    for requests, (name, day) in enumerate(days.items(), start=80):
        made = made_files.vllm_run(16, requests, model_id="me/my-model", date=f"202606{day}-205322")
        (folder / "results" / f"{name}.json").write_text(json.dumps(made), encoding="utf-8")
    for number, more in ((20786863188, 1.0), (20786863189, 1.001)):
        rates = {key: rate * more for key, rate in made_files.agg_row().items() if "tput" in key}
        made_files.write(folder / f"results/runs/run_{number}/agg_bmk.json", [made_files.agg_row(**rates)])
    return folder


def run(command: str, project: Path, api: str) -> subprocess.CompletedProcess[str]:
    """Run a line as it is printed, in a shell that knows nothing of the project's environment."""
    environment = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(project.parent), "SCOVILLE_INFERENCEX_API": api}
    return subprocess.run(
        ["/bin/sh", "-c", command], cwd=project, env=environment, capture_output=True, text=True, check=False
    )


def test_the_page_has_the_commands_of_the_whole_way() -> None:
    verbs = [" ".join(command.removeprefix(".venv/bin/").split()[:2]) for command in COMMANDS]
    assert verbs == [
        "scoville fetch",
        "scoville import",
        "scoville import",
        "scoville import",
        "scoville import",
        "scoville check",
        "scoville compare",
        "scoville build",
        "papermill notebooks/model_report.ipynb",
        "scoville import",
        "scoville import",
        "scoville diff",
        "scoville import",
        "rm mine/points/my-model/my-mistake.csv",
        "grep -v",
        "mv sources.csv",
        "scoville check",
    ]


def test_every_command_of_the_page_works_in_order(project: Path, api: str) -> None:
    done = {}
    for command in COMMANDS:
        answer = run(command, project, api)
        expected = 1 if "scoville diff" in command else 0
        assert answer.returncode == expected, f"{command}\n{answer.stdout}{answer.stderr}"
        assert "Traceback" not in answer.stderr
        done[command] = answer.stdout
        if "my-mistake" in command and "import" in command:
            _the_right_options_are_refused_as_the_page_says(command, project, api)
    repeats = [path.read_text(encoding="utf-8") for path in (project / "repeats/points").rglob("*.csv")]
    assert sorted(text.count("actions/runs/2078686318") for text in repeats) == [1, 1]
    assert not (project / "nowhere").exists()
    kept = list((project / "mine/points").rglob("*.csv"))
    assert {p.parent.name for p in kept} == {"deepseek-r1", "my-model"}
    report = json.loads((project / "report.json").read_text(encoding="utf-8"))
    assert [(f["rows_read"], f["rows_kept"], f["rows_refused"]) for f in report["files"]] == [(2, 2, 0)]
    chapter = project / "my-edition/_build/html/book/models/my-model.html"
    assert "my-chip" in chapter.read_text(encoding="utf-8")
    assert "my-chip" in (project / "my-model.ipynb").read_text(encoding="utf-8")
    (changes,) = (told for command, told in done.items() if "scoville diff" in command)
    assert "points added" in changes
    assert "my-model" in changes
    assert "jalapeno" not in changes  # nothing of the book's own data is in it
    assert "my-mistake" not in "".join(p.read_text(encoding="utf-8") for p in (project / "mine").rglob("*.csv"))
    (again,) = (command for command in COMMANDS if "my-mistake" in command and "import" in command)
    right = run(again.replace("--isl 1024", "--isl 8192"), project, api)
    assert right.returncode == 0, right.stdout


def _the_right_options_are_refused_as_the_page_says(command: str, project: Path, api: str) -> None:
    right = run(command.replace("--isl 1024", "--isl 8192"), project, api)
    assert right.returncode == 2
    assert "remove the rows of source my-mistake" in right.stdout


def test_an_older_run_stands_again_when_the_newer_one_was_taken_back(project: Path, api: str, tmp_path: Path) -> None:
    """As the page says of what lies under ``runs/``."""
    assert run(f".venv/bin/scoville import results/runs --into {tmp_path}/mine", project, api).returncode == 0
    (newer,) = (tmp_path / "mine/points").rglob("*.csv")
    (older,) = (tmp_path / "mine/runs").rglob("*.csv")
    newer.unlink()
    sources = tmp_path / "mine/sources.csv"
    lines = sources.read_text(encoding="utf-8").splitlines(keepends=True)
    sources.write_text("".join(line for line in lines if not line.startswith(newer.stem)), encoding="utf-8")
    file = f"results/runs/{older.stem.replace('inferencex-', '').replace('-', '_')}/agg_bmk.json"
    answer = run(f".venv/bin/scoville import {file} --into {tmp_path}/mine", project, api)
    assert answer.returncode == 0, answer.stdout
    (row,) = (tmp_path / "mine/points").rglob("*.csv")
    assert row.stem == older.stem
    assert "newest" not in row.read_text(encoding="utf-8")


def test_a_relative_data_folder_of_a_notebook_starts_at_the_project(project: Path, api: str) -> None:
    """As the page says of ``data_dir``: from a folder below, ``of-mine`` is still the one of the project."""
    (project / "below").mkdir()
    say = "--model my-model --system my-chip --chips 8 --engine vllm --precision fp4 --isl 8192 --osl 1024"
    done = run(f".venv/bin/scoville import results/my-run.json --into of-mine {say}", project, api)
    assert done.returncode == 0, done.stderr
    command = "../.venv/bin/papermill ../notebooks/model_report.ipynb out.ipynb -p model my-model -p data_dir of-mine"
    answer = run(f"cd below && {command}", project, api)
    assert answer.returncode == 0, answer.stderr
    assert "my-chip" in (project / "below/out.ipynb").read_text(encoding="utf-8")


def test_a_dry_run_writes_nothing(project: Path, api: str, tmp_path: Path) -> None:
    source = tmp_path / "rows.json"
    source.write_text(json.dumps([made_files.api_row(8)]), encoding="utf-8")
    answer = run(f".venv/bin/scoville import {source} --into {tmp_path / 'empty'} --dry-run", project, api)
    assert answer.returncode == 0, answer.stderr
    assert not (tmp_path / "empty").exists()
