"""The three ways into the environment say the same, and set-up speaks plainly."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

ROOT = Path(__file__).resolve().parents[2]
LOCK = (ROOT / "requirements.lock").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def locked() -> dict[str, list[Requirement]]:
    found: dict[str, list[Requirement]] = {}
    for line in re.findall(r"^([A-Za-z0-9].*?)\s*\\$", LOCK, flags=re.MULTILINE):
        requirement = Requirement(line)
        found.setdefault(requirement.name.lower().replace("_", "-"), []).append(requirement)
    return found


def wanted() -> list[Requirement]:
    return [Requirement(r) for r in [*PROJECT["project"]["dependencies"], *PROJECT["dependency-groups"]["dev"]]]


@pytest.mark.parametrize("requirement", wanted(), ids=str)
def test_every_dependency_is_locked_within_its_bounds(requirement: Requirement) -> None:
    pins = locked()[requirement.name.lower()]
    for pin in pins:
        (specifier,) = pin.specifier
        assert specifier.operator == "=="
        assert requirement.specifier.contains(specifier.version, prereleases=True)


def test_every_pin_has_a_hash_and_no_address() -> None:
    entries = re.split(r"^(?=[A-Za-z0-9])", LOCK, flags=re.MULTILINE)[1:]
    assert len(entries) > 100
    for entry in entries:
        assert "--hash=sha256:" in entry, entry
    assert "://" not in LOCK
    assert not re.search(r"^--", LOCK, flags=re.MULTILINE)


def test_this_environment_is_the_locked_one() -> None:
    wrong = []
    for name, pins in locked().items():
        here = [p for p in pins if p.marker is None or p.marker.evaluate()]
        for pin in here:
            (specifier,) = pin.specifier
            installed = metadata.version(name)
            if installed != specifier.version:
                wrong.append(f"{name} {installed}, locked {specifier.version}")
    assert not wrong, wrong


def test_conda_reads_the_same_lock_and_the_same_python() -> None:
    environment = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))
    python, pip, section = environment["dependencies"]
    assert pip == "pip"
    assert section == {"pip": ["--require-hashes", "-r requirements.lock"]}
    minimum = SpecifierSet(PROJECT["project"]["requires-python"])
    offered = SpecifierSet(python.removeprefix("python"))
    for version in ("3.10", "3.11", "3.12", "3.13"):
        assert minimum.contains(version) == offered.contains(version), version


def old_python(folder: Path, version: str) -> Path:
    """A folder with a ``python3`` that says it is old, and the few tools that the script needs."""
    for tool in ("dirname", "head", "sh", "rm", "touch"):
        (folder / tool).symlink_to(shutil.which(tool) or "")
    fake = folder / "python3"
    fake.write_text(f'#!/bin/sh\n[ "$1" = --version ] && echo "Python {version}" && exit 0\nexit 1\n', encoding="utf-8")
    fake.chmod(0o755)
    return folder


def test_set_up_says_in_plain_words_that_python_is_too_old(tmp_path: Path) -> None:
    project, path = tmp_path / "a project", tmp_path / "bin"
    (project / "scripts").mkdir(parents=True)
    path.mkdir()
    shutil.copy(ROOT / "scripts" / "setup.sh", project / "scripts")
    done = subprocess.run(
        ["/bin/sh", "scripts/setup.sh"],
        cwd=project,
        env={"PATH": str(old_python(path, "3.9.2"))},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "Scoville cannot be set up: it needs Python 3.11 or newer, and found: Python 3.9.2." in done.stderr
    assert "PYTHON_FOR_SCOVILLE=" in done.stderr
    assert not (project / ".venv").exists()


def test_set_up_says_that_there_is_no_python(tmp_path: Path) -> None:
    path = old_python(tmp_path, "3.9.2")
    (path / "python3").unlink()
    done = subprocess.run(
        ["/bin/sh", str(ROOT / "scripts" / "setup.sh")],
        env={"PATH": str(path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "found: no Python at all" in done.stderr


def test_make_help_lists_the_targets() -> None:
    done = subprocess.run(["make", "help"], cwd=ROOT, capture_output=True, text=True, check=False, env=os.environ)
    assert done.returncode == 0
    named = {line.split()[0] for line in done.stdout.splitlines()}
    assert {"book", "test", "check", "serve", "clean"} <= named


def test_the_version_is_the_same_everywhere() -> None:
    from scoville import __version__

    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert __version__ == PROJECT["project"]["version"] == citation["version"]
    assert f"version {__version__}." in (ROOT / "book" / "cite.md").read_text(encoding="utf-8")
    assert f"## {__version__}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_a_python_that_was_asked_for_is_not_replaced_by_another(tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    old = old_python(tmp_path / "bin", "3.9.2")
    done = subprocess.run(
        ["/bin/sh", str(ROOT / "scripts" / "setup.sh")],
        env={"PATH": f"{os.environ['PATH']}", "PYTHON_FOR_SCOVILLE": str(old / "python3")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert f"PYTHON_FOR_SCOVILLE is {old / 'python3'}, which is not a Python 3.11 or newer" in done.stderr
    assert Path(sys.executable).exists()
