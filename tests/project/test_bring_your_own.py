"""The page “Bring your own results”, followed literally: each of its commands is run, in order."""

from __future__ import annotations

import http.server
import json
import os
import re
import shlex
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
    for name, requests in (("my-run", 80), ("other-run", 90)):
        made = made_files.vllm_run(16, requests, model_id="me/my-model")
        (folder / "results" / f"{name}.json").write_text(json.dumps(made), encoding="utf-8")
    for number, more in ((20786863188, 1.0), (20786863189, 1.001)):
        rates = {key: rate * more for key, rate in made_files.agg_row().items() if "tput" in key}
        made_files.write(folder / f"results/runs/run_{number}/agg_bmk.json", [made_files.agg_row(**rates)])
    return folder


def run(command: str, project: Path, api: str) -> subprocess.CompletedProcess[str]:
    tool, *arguments = shlex.split(command.replace("$PWD", str(project)))
    module = {"scoville": ["-m", "scoville"], "papermill": ["-m", "papermill"]}[tool]
    environment = os.environ | {"SCOVILLE_INFERENCEX_API": api, "JUPYTER_PREFER_ENV_PATH": "1"}
    environment.pop("SCOVILLE_ROOT", None)
    return subprocess.run(
        [sys.executable, *module, *arguments], cwd=project, env=environment, capture_output=True, text=True, check=False
    )


def test_the_page_has_the_commands_of_the_whole_way() -> None:
    verbs = [" ".join(command.split()[:2]) for command in COMMANDS]
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
        "scoville diff",
    ]


def test_every_command_of_the_page_works_in_order(project: Path, api: str) -> None:
    done = []
    for command in COMMANDS:
        answer = run(command, project, api)
        expected = 1 if command.startswith("scoville diff") else 0
        assert answer.returncode == expected, f"{command}\n{answer.stdout}{answer.stderr}"
        assert "Traceback" not in answer.stderr
        done.append(answer.stdout)
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
    assert "points gone" in done[-1]


def test_a_dry_run_writes_nothing(project: Path, api: str, tmp_path: Path) -> None:
    source = tmp_path / "rows.json"
    source.write_text(json.dumps([made_files.api_row(8)]), encoding="utf-8")
    answer = run(f"scoville import {source} --into {tmp_path / 'empty'} --dry-run", project, api)
    assert answer.returncode == 0, answer.stderr
    assert not (tmp_path / "empty").exists()
