"""The commands: what they print, and the status they end with."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
from click.testing import CliRunner

from scoville.cli import cli
from scoville.tabulate import Column, Table

ROOT = Path(__file__).resolve().parents[2]
KEYS = (
    "claim_id model metric source_id candidate_printed baseline_printed ratio_printed recomputed interval_low "
    "interval_high verdict reproduced_value note"
).split()


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> CliRunner:
    monkeypatch.chdir(ROOT)
    return CliRunner()


def test_audit_as_json(run: CliRunner) -> None:
    done = run.invoke(cli, ["audit", "--format", "json"])
    assert done.exit_code == 0
    found = {row["claim_id"]: row for row in json.loads(done.stdout)}
    assert len(found) == 141
    row = found["002.deepseek-r1.matched.ratio"]
    assert set(KEYS) <= set(row)
    assert (row["candidate_printed"], row["baseline_printed"], row["ratio_printed"]) == ("12,258", "118", "104.3")
    assert row["verdict"] == "reproduced"
    assert row["recomputed"] == pytest.approx(103.88, abs=0.005)
    assert row["reproduced_value"] == pytest.approx(104.30, abs=0.005)


def test_audit_as_a_table(run: CliRunner) -> None:
    done = run.invoke(cli, ["audit"])
    assert done.exit_code == 0
    assert done.stdout.splitlines()[-1] == "38 reproduced, 61 consistent, 41 not derivable, 1 contradicted"
    (line,) = [t for t in done.stdout.splitlines() if t.startswith("002.kimi-k2.5.peak.candidate")]
    assert "18,195  contradicted" in line


def test_every_command_also_runs_as_a_module() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "scoville", "check"], capture_output=True, text=True, check=False, cwd=ROOT
    )
    assert done.returncode == 0
    assert done.stdout == "data is clean: 41 sources, 11 systems, 4 models, 141 claims, 1,550 operating points\n"


@pytest.mark.parametrize("command", [["check"], ["audit"]])
def test_bad_data_ends_with_status_2_and_every_problem(run: CliRunner, data_copy: Path, command: list[str]) -> None:
    path = data_copy / "systems.csv"
    path.write_text(path.read_text(encoding="utf-8").replace(",700,", ",many,", 1), encoding="utf-8")
    (data_copy / "models.csv").unlink()
    done = run.invoke(cli, [*command, "--data", str(data_copy)])
    assert done.exit_code == 2
    assert done.stdout == ""
    first, *rest = done.stderr.splitlines()
    assert first == "2 problems in the input:"
    assert f"{data_copy}/models.csv: the models table; it is missing" in rest[0]
    assert f"{data_copy}/systems.csv:2: column 'package_power_w': found 'many'" in rest[1]


def test_bad_data_touch_no_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import shutil

    for name in ("data", "book", "notebooks"):
        shutil.copytree(ROOT / name, tmp_path / name)
    for name in ("_toc.yml", "_config.yml", "task_book.py", "pyproject.toml", "requirements.lock", "pytask.lock"):
        shutil.copy(ROOT / name, tmp_path / name)
    path = tmp_path / "data" / "claims.csv"
    path.write_text(path.read_text(encoding="utf-8").replace("002-openai-first-results", "nobody", 1), encoding="utf-8")
    monkeypatch.setenv("SCOVILLE_ROOT", str(tmp_path))
    before = {p: p.read_bytes() for p in (tmp_path / "book").rglob("*.ipynb")}
    done = CliRunner().invoke(cli, ["build"])
    assert done.exit_code == 2
    assert "data/claims.csv:2: column 'source_id': found 'nobody'" in done.stderr
    assert {p: p.read_bytes() for p in (tmp_path / "book").rglob("*.ipynb")} == before
    assert not (tmp_path / "_build").exists()


def test_a_page_with_other_parameters(run: CliRunner, tmp_path: Path) -> None:
    output = tmp_path / "b200.ipynb"
    done = run.invoke(cli, ["page", str(output), "--model", "gpt-oss-120b", "--baseline", "b200", "--basis", "chip"])
    assert done.exit_code == 0, done.stderr
    assert "GPT-OSS 120B" in output.read_text(encoding="utf-8")


def test_a_page_with_a_wrong_parameter(run: CliRunner, tmp_path: Path) -> None:
    output = tmp_path / "page.ipynb"
    done = run.invoke(cli, ["page", str(output), "--model", "gpt-oss-120b", "--baseline", "gb400"])
    assert done.exit_code == 2
    assert "found 'gb400'; expected a system with rows for gpt-oss-120b; valid: b200, gb200" in done.stderr
    assert not output.exists()


@pytest.mark.parametrize("name", sorted(cli.commands))
def test_every_command_has_a_sentence_and_an_example(name: str) -> None:
    shown = CliRunner().invoke(cli, [name, "--help"])
    assert shown.exit_code == 0
    assert f"Example: scoville {name}" in shown.stdout


def test_serve_needs_a_built_book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCOVILLE_ROOT", str(tmp_path))
    done = CliRunner().invoke(cli, ["serve"])
    assert done.exit_code == 1
    assert done.stderr == "there is no built book yet; run: make book\n"


def test_outside_a_project_the_message_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SCOVILLE_ROOT", raising=False)
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(cli, ["check"])
    assert done.exit_code == 1
    assert "run inside the project folder, or set SCOVILLE_ROOT to it" in done.stderr


def test_relative_paths_start_at_the_working_directory(
    data_copy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From anywhere, also below the project: a folder of the same name there is not meant."""
    last = data_copy / "points/kimi-k2.5/jalapeno-2026-08.csv"
    lines = last.read_text(encoding="utf-8").splitlines(keepends=True)
    last.write_text("".join(lines[:-1]), encoding="utf-8")
    monkeypatch.setenv("SCOVILLE_ROOT", str(ROOT))
    monkeypatch.chdir(tmp_path)
    assert CliRunner().invoke(cli, ["check", "--data", "data"]).stdout.endswith("1,549 operating points\n")
    assert CliRunner().invoke(cli, ["check"]).stdout.endswith("1,550 operating points\n")


@pytest.mark.parametrize("command", [["check"], ["audit"], ["compare", "--model", "x", "--baseline", "y"]])
def test_a_data_folder_that_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: list[str]) -> None:
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(cli, [*command, "--data", "nowhere"])
    assert (done.exit_code, done.stderr) == (
        2,
        "1 problem in the input:\n  nowhere: expected a data folder; nothing is there\n",
    )


@pytest.mark.parametrize("option", ["--at", "--ttft-max"])
@pytest.mark.parametrize("value", ["nan", "inf", "-inf", "1e999", "0"])
def test_a_speed_or_a_limit_is_a_finite_number(run: CliRunner, option: str, value: str) -> None:
    done = run.invoke(cli, ["compare", "--model", "kimi-k2.5", "--baseline", "gb300", option, value])
    assert done.exit_code == 2
    assert option in done.stderr
    assert "Traceback" not in done.stderr


def test_one_of_anything_is_singular(run: CliRunner, tmp_path: Path) -> None:
    cells = {"model": "m", "system": "s", "chips": 8, "concurrency": 8, "total_tok_s_per_chip": 100}
    table = "\n".join(",".join(map(str, line)) for line in (cells, cells.values()))
    (tmp_path / "rows.csv").write_text(table, encoding="utf-8")
    assert run.invoke(cli, ["import", str(tmp_path / "rows.csv"), "--into", str(tmp_path / "mine")]).exit_code == 0
    done = run.invoke(cli, ["check", "--data", str(tmp_path / "mine")])
    assert done.stdout.endswith("mine is clean: 1 source, 1 system, 1 model, 0 claims, 1 operating point\n")
    assert repr(Table(pd.DataFrame({"a": [1]}), {"a": Column("A")}, "One")) == "One (1 row)"
