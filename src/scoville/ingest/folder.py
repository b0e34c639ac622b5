"""The data folder: read it as far as it is there, plan what an import adds, check the plan, write it whole."""

from __future__ import annotations

import csv
import io
import shutil
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pandas as pd

from scoville import facts, tables
from scoville.ingest.points import COLUMNS, Record
from scoville.paths import shown
from scoville.problems import InputError, Problem
from scoville.readers import empty, read_table

CAVEATS = "caveats.yml"
_KEYED = (tables.SOURCES, tables.SYSTEMS, tables.MODELS)


@dataclass(frozen=True)
class Folder:
    """A data folder before the import. What is not there yet is empty.

    Attributes:
        path: where it lies.
        sources, systems, models, points: frames in the columns of `scoville.tables`, and ``file_``, ``line_``.
    """

    path: Path
    sources: pd.DataFrame
    systems: pd.DataFrame
    models: pd.DataFrame
    points: pd.DataFrame

    @classmethod
    def read(cls, path: Path) -> Folder:
        """Read the tables that an import compares with.

        Raises:
            InputError: with every problem that they have already.
        """
        if path.exists() and not path.is_dir():
            raise InputError([Problem(shown(path), expected="expected a data folder; this is a file")])
        problems: list[Problem] = []
        frames = {t.name: _read(path / f"{t.name}.csv", t, problems) for t in _KEYED}
        files = sorted((path / "points").rglob("*.csv"))
        parts = [frame for file in files if not (frame := read_table(file, tables.POINTS, problems)).empty]
        if problems:
            raise InputError(problems)
        points = pd.concat(parts, ignore_index=True) if parts else empty(tables.POINTS)
        return cls(path, points=points, **frames)

    def keys(self, table: tables.Table) -> set[str]:
        """The keys that a table has."""
        return set(getattr(self, table.name)[table.key[0]])

    def source_of(self, sha256: str, likely: str | None = None) -> str:
        """The source that a file was filed under before; empty when it was not. With several, the ``likely`` one."""
        pairs = zip(self.sources["source_id"], self.sources["sha256"], strict=True)
        found = [str(key) for key, hashes in pairs if isinstance(hashes, str) and sha256 in hashes.split()]
        return likely if likely in found else found[0] if found else ""

    def rows(self) -> list[tuple[dict[str, Any], str]]:
        """All operating points as columns, None for blank, and where each stands."""
        records = self.points.astype(object).where(self.points.notna(), None).to_dict("records")
        return [({str(k): v for k, v in row.items()}, f"{row['file_']}:{row['line_']}") for row in records]


def _read(path: Path, table: tables.Table, problems: list[Problem]) -> pd.DataFrame:
    return read_table(path, table, problems) if path.exists() else empty(table)


@dataclass(frozen=True)
class Plan:
    """What an import writes: whole new contents, by path below the folder, and what they are in words."""

    folder: Path
    contents: dict[Path, bytes]
    words: list[str]


Row = dict[str, Any]


def plan(folder: Folder, sources: list[Row], systems: list[Row], models: list[Row], records: list[Record]) -> Plan:
    """Plan the import: appended lines, new tables, and the files that a folder cannot do without.

    Existing bytes are kept, whatever their order of columns and line ends; without records nothing is planned.
    """
    contents: dict[Path, bytes] = {}
    words: list[str] = []
    if not records:
        return Plan(folder.path, contents, words)
    for table, rows in ((tables.SOURCES, sources), (tables.SYSTEMS, systems), (tables.MODELS, models)):
        _add(folder.path, Path(f"{table.name}.csv"), table, rows, contents, words)
    _add(folder.path, Path("claims.csv"), tables.CLAIMS, [], contents, words)
    if not (folder.path / CAVEATS).exists():
        contents[Path(CAVEATS)] = b"[]\n"
        words.append(f"{CAVEATS}: new, without caveats")
    for path, rows in _by_file(records).items():
        _add(folder.path, path, tables.POINTS, rows, contents, words)
    return Plan(folder.path, contents, words)


def _by_file(records: Iterable[Record]) -> dict[Path, list[Row]]:
    files: dict[Path, list[Row]] = {}
    for record in records:
        point = record.point
        row = {column: getattr(point, column) for column in COLUMNS}
        row["statistic_note"] = "; ".join(record.notes) or None
        files.setdefault(Path("points") / str(point.model) / f"{point.source_id}.csv", []).append(row)
    return dict(sorted(files.items()))


def _add(
    root: Path, path: Path, table: tables.Table, rows: list[Row], contents: dict[Path, bytes], words: list[str]
) -> None:
    """Plan rows for the end of a file; a file that is not there yet begins with its header."""
    there = (root / path).exists()
    if there and not rows:
        return
    before = (root / path).read_bytes() if there else _line(list(table.columns), "\n").encode()
    contents[path] = before + _lines(before, table, rows)
    added = f"{len(rows):,} row{'s' if len(rows) != 1 else ''}"
    words.append(f"{path.as_posix()}: {added} added" if there else f"{path.as_posix()}: new, {added}")


def _lines(before: bytes, table: tables.Table, rows: list[Row]) -> bytes:
    """Rows as lines that fit below what is there: its columns in its order, and its line ends."""
    header = next(csv.reader(io.StringIO(before.decode("utf-8-sig"))))
    end = "\r\n" if b"\r\n" in before else "\n"
    start = "" if before.endswith((b"\n", b"\r")) else end
    lines = [_line([_cell(row.get(name), table.kind(name)) for name in header], end) for row in rows]
    return (start + "".join(lines)).encode() if rows else b""


def _line(cells: list[str], end: str) -> str:
    stream = io.StringIO(newline="")
    csv.writer(stream, lineterminator=end).writerow(cells)
    return stream.getvalue()


def _cell(value: Any, kind: str) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if kind == "integer":
        return str(int(value))
    if kind == "number":
        return repr(float(value)).removesuffix(".0")
    return " ".join(str(value).split())


def check(planned: Plan) -> None:
    """Load a copy of the folder as it will be.

    Raises:
        InputError: with every problem that the folder would have, under the paths of the real one.
    """
    with tempfile.TemporaryDirectory(prefix="scoville-") as temporary:
        copy = Path(temporary) / "data"
        if planned.folder.exists():
            shutil.copytree(planned.folder, copy)
        for path, content in planned.contents.items():
            (copy / path).parent.mkdir(parents=True, exist_ok=True)
            (copy / path).write_bytes(content)
        try:
            facts.load(copy)
        except InputError as error:
            real = [_relocated(p, shown(copy), shown(planned.folder)) for p in error.problems]
            raise InputError(real) from None


def _relocated(problem: Problem, copy: str, real: str) -> Problem:
    return replace(problem, file=problem.file.replace(copy, real), expected=problem.expected.replace(copy, real))


def write(planned: Plan) -> None:
    """Write every file of the plan beside its place, then move all of them there; undo it when a move fails.

    Raises:
        InputError: when the folder cannot be written to. It is then as it was before.
    """
    moves: list[tuple[Path, Path]] = []
    try:
        for path, content in planned.contents.items():
            target = planned.folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            beside = target.with_name(f".{target.name}.new")
            moves.append((beside, target))
            beside.write_bytes(content)
        _move(moves)
    except OSError as error:
        place = shown(Path(error.filename)) if error.filename else shown(planned.folder)
        raise InputError(
            [Problem(place, expected=f"expected a folder that can be written to ({error.strerror})")]
        ) from None
    finally:
        for beside, _ in moves:
            beside.unlink(missing_ok=True)


def _move(moves: list[tuple[Path, Path]]) -> None:
    before = {target: target.read_bytes() if target.exists() else None for _, target in moves}
    done: list[Path] = []
    try:
        for beside, target in moves:
            beside.replace(target)
            done.append(target)
    except OSError:
        for target in done:
            old = before[target]
            if old is None:
                target.unlink()
            else:
                target.write_bytes(old)
        raise
