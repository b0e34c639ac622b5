"""What a page rests on, told at its foot: data files, template, parameters and versions.

All of it comes from the pipeline's lock and from the page itself, never from the day of the build, so that two builds
of one commit agree byte for byte.
"""

from __future__ import annotations

import hashlib
import html
import re
import shutil
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path

import pandas as pd

from scoville import __version__
from scoville.site.executed import cells_of
from scoville.tables import EVIDENCE
from scoville.tabulate import Column, Table, figures, number

LOCK = "pytask.lock"
_TASK = re.compile(r"task_book\.py::make\[(.+)\]")
_DIGITS = 12
"""Digits of a hash that a page shows."""

Address = Callable[[str], str]
"""From a file's place in the site to its address relative to the page."""


def made_from(root: Path) -> dict[str, dict[str, str]]:
    """The files that each executed page was made from.

    Returns:
        Page (``models/deepseek-r1``) to file (relative to the project at ``root``) to its sha256.
    """
    lock = tomllib.loads((root / LOCK).read_text(encoding="utf-8"))
    found = {}
    for task in lock["task"]:
        named = _TASK.fullmatch(task["id"])
        if named:
            found[named[1]] = dict(task["depends_on"])
    return found


def data_files(made: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    """Every data file that a page was made from, and its sha256."""
    return {f: digest for files in made.values() for f, digest in files.items() if f.startswith("data/")}


def out_of_step(root: Path, made: Mapping[str, Mapping[str, str]]) -> list[str]:
    """Data files that are no longer what the pages were made from."""
    wanted = data_files(made)
    return [f for f, digest in sorted(wanted.items()) if not (root / f).is_file() or _sha256(root / f) != digest]


def publish_data(root: Path, made: Mapping[str, Mapping[str, str]], outdir: Path) -> None:
    """Put the data files of all pages into the site, in the folders that they have in the project."""
    shutil.rmtree(outdir / "data", ignore_errors=True)
    for file in data_files(made):
        (outdir / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(root / file, outdir / file)


def data_rows(root: Path, files: Mapping[str, str]) -> pd.DataFrame:
    """What the data files of a page hold.

    Args:
        root: the project's folder.
        files: file to sha256.

    Returns:
        A row a file: ``file``, ``rows`` (missing for what is no table), ``evidence`` (classes of its rows, in
        the order of `tables.EVIDENCE`; blank where they have none) and ``sha256``.
    """
    sources = _texts(root / "data" / "sources.csv").set_index("source_id")["evidence"]
    found = []
    for file, digest in files.items():
        rows = _texts(root / file) if file.endswith(".csv") else None
        found.append(
            {
                "file": file,
                "rows": None if rows is None else len(rows),
                "evidence": "" if rows is None else ", ".join(_classes(rows, sources)),
                "sha256": digest,
            }
        )
    return pd.DataFrame(found, columns=["file", "rows", "evidence", "sha256"])


def _texts(path: Path) -> pd.DataFrame:
    return pd.read_csv(path, dtype=str, index_col=False)


def _classes(rows: pd.DataFrame, sources: pd.Series) -> list[str]:
    if "evidence" in rows:
        present = set(rows["evidence"].dropna())
    elif "source_id" in rows:
        present = set(rows["source_id"].dropna().map(sources))
    else:
        return []
    return [name for name in EVIDENCE if name in present]


def foot_of_executed(root: Path, page: str, files: Mapping[str, str], address: Address) -> str:
    """The foot of a page that was made from a template.

    Args:
        root: the project's folder.
        page: the page, as in `made_from`.
        files: what it was made from.
        address: from a place in the site to an address on the page.
    """
    data = {f: digest for f, digest in files.items() if f.startswith("data/")}
    (template,) = (f for f in files if f.startswith("notebooks/"))
    columns = {
        "file": Column(
            "File", lambda f: f'<a href="{html.escape(address(f), quote=True)}" download>{html.escape(f)}</a>'
        ),
        "rows": figures("Rows", number()),
        "evidence": Column("Evidence of its rows"),
        "sha256": Column("sha256 begins", lambda digest: _code(digest[:_DIGITS])),
    }
    table = Table(data_rows(root, data), columns, "Data files that this page was made from")
    said = [
        f"Template {_code(template)} (sha256 {_code(files[template][:_DIGITS])}), "
        f"run with {_code(_parameters(root / 'book' / f'{page}.ipynb'))}.",
        f"Made by scoville {__version__} with the packages of {_code('requirements.lock')} "
        f"(sha256 {_code(files['requirements.lock'][:_DIGITS])}).",
        "The page is made anew when any of these files changes.",
    ]
    source = f"_sources/book/{page}.ipynb"
    return _foot(
        f'<p>{" ".join(said)}</p><div id="page-data">{table._repr_html_()}</div>',
        f'<a href="{html.escape(address(source), quote=True)}" download>Download this notebook</a>',
        '<a href="#page-data">Download its data</a>',
    )


def foot_of_prose(root: Path, page: str, address: Address) -> str:
    """The foot of a page that was written by hand; arguments as in `foot_of_executed`."""
    text = f"book/{page}.md"
    said = (
        f"This page was written by hand and reads no data file. Its text is {_code(text)} "
        f"(sha256 {_code(_sha256(root / text)[:_DIGITS])}); it belongs to scoville {__version__}."
    )
    source = f"_sources/{text}"
    return _foot(
        f"<p>{said}</p>", f'<a href="{html.escape(address(source), quote=True)}" download>Download this text</a>'
    )


def _foot(body: str, *downloads: str) -> str:
    links = "".join(f"<li>{link}</li>" for link in downloads)
    return (
        '<section class="page-foot" aria-label="What this page rests on">'
        f'<details id="rests-on"><summary>What this page rests on</summary>{body}</details>'
        f'<ul class="page-downloads">{links}</ul></section>'
    )


def _parameters(notebook: Path) -> str:
    """What papermill filled in, as the page's own cell has it."""
    filled = next(c.source for c in cells_of(notebook) if "injected-parameters" in c.metadata.get("tags", []))
    return ", ".join(filled.splitlines())


def _code(value: str) -> str:
    return f"<code>{html.escape(value)}</code>"


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
