"""A whole book from another data folder, without touching the committed one.

An edition is a project folder of its own: the same templates, prose and configuration, its own data, pages, table of
contents and site. Building it again runs only what changed.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from scoville.book import pages, table_of_contents
from scoville.facts import load
from scoville.problems import InputError, Problem

MARK = "EDITION.txt"
_MARKED = "Made by scoville build --data … --out …, which replaces data, notebooks and pages here each time.\n"
_COPIED = ("_config.yml", "task_book.py", "pyproject.toml", "requirements.lock", "notebooks")


def lay_out(project: Path, data: Path, out: Path) -> None:
    """Make or refresh the folder of an edition; its pages are not run yet.

    Args:
        project: folder of the book whose templates, prose and configuration are used.
        data: data folder of the edition.
        out: folder of the edition; made where it is missing.

    Raises:
        InputError: when the data are wrong, ``out`` overlaps with the book or the data, or it is a folder of
            somebody else's: not empty, and not made here before.
    """
    facts = load(data)
    _refuse_foreign(project, data, out)
    out.mkdir(parents=True, exist_ok=True)
    (out / MARK).write_text(_MARKED, encoding="utf-8")
    for name in _COPIED:
        _copy(project / name, out / name)
    _copy(data, out / "data")
    for path in sorted((project / "book").iterdir()):
        if path.suffix == ".md" or (path.is_dir() and path.name.startswith("_")):
            _copy(path, out / "book" / path.name)
    wanted = {out / "book" / f"{page.output}.ipynb" for page in pages(facts)}
    for left in set((out / "book").rglob("*.ipynb")) - wanted:
        left.unlink()
    write_contents(out)


def _refuse_foreign(project: Path, data: Path, out: Path) -> None:
    place = out.resolve()
    overlap = place.is_relative_to(data.resolve()) or place == project.resolve()
    if overlap or any(taken.resolve().is_relative_to(place) for taken in (project, data)):
        raise InputError([Problem(str(out), expected="a folder of its own for the edition (--out)")])
    if out.exists() and not out.is_dir():
        raise InputError([Problem(str(out), expected="a folder for the edition (--out); this is a file")])
    if out.is_dir() and any(out.iterdir()) and not (out / MARK).is_file():
        what = (
            "an empty folder, or one that an edition was built in before (--out): its data and pages are replaced, and "
            f"this one holds files but no {MARK}"
        )
        raise InputError([Problem(str(out), expected=what)])


def _copy(source: Path, target: Path) -> None:
    if source.is_dir():
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(source, target, ignore=shutil.ignore_patterns(".ipynb_checkpoints"))
    else:
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)


def write_contents(root: Path) -> bool:
    """Bring ``_toc.yml`` in step with the data; whether it changed.

    Raises:
        InputError: when the data are wrong.
    """
    path, contents = root / "_toc.yml", table_of_contents(load(root / "data"))
    if path.is_file() and path.read_text(encoding="utf-8") == contents:
        return False
    path.write_text(contents, encoding="utf-8")
    return True
