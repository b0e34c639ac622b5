"""The data folder: read it as far as it is there, plan what an import changes, check the plan, write it whole.

Lines that no import wrote are never touched. Of those that imports wrote, the ones that make way for another run
move from ``points/`` to ``runs/``, which has the same columns; of the
pages only that on repeatability reads it.
"""

from __future__ import annotations

import csv
import io
import re
import shutil
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import pandas as pd

from scoville import facts, tables
from scoville.ingest.points import COLUMNS, NOTES, Point, Record
from scoville.ingest.selection import RUNS, Selected, family
from scoville.paths import shown
from scoville.problems import InputError, Problem
from scoville.readers import empty, read_table
from scoville.units import plural

CAVEATS = "caveats.yml"
POINTS = "points"
_KEYED = (tables.SOURCES, tables.SYSTEMS, tables.MODELS)
_PROVENANCE = re.compile(r"Read as ([a-z-]+), --select (latest|median|all)\.")


def provenance(formats: Iterable[str], select: str) -> str:
    """The sentence in the note of a source that says how its rows came in.

    Its rows are chosen from again when another run comes; without this sentence, or with ``all`` in it, they stay.
    """
    return f"Read as {' and '.join(sorted(formats))}, --select {select}."


@dataclass(frozen=True)
class Folder:
    """A data folder before the import. What is not there yet is empty.

    Attributes:
        path: where it lies.
        sources, systems, models, points: frames in the columns of `scoville.tables`, and ``file_``, ``line_``.
        runs: single runs beside the points, in the same columns.
    """

    path: Path
    sources: pd.DataFrame
    systems: pd.DataFrame
    models: pd.DataFrame
    points: pd.DataFrame
    runs: pd.DataFrame

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
        points, runs = (_read_all(path / folder, problems) for folder in (POINTS, RUNS))
        if problems:
            raise InputError(problems)
        return cls(path, points=points, runs=runs, **frames)

    def keys(self, table: tables.Table) -> set[str]:
        """The keys that a table has."""
        return set(getattr(self, table.name)[table.key[0]])

    def source_of(self, sha256: str, likely: str | None = None) -> str:
        """The source that a file was filed under before; empty when it was not. With several, the ``likely`` one."""
        found = self._filed.get(sha256, [])
        return likely if likely in found else found[0] if found else ""

    @cached_property
    def _filed(self) -> dict[str, list[str]]:
        """Hash of a file to the sources that it was filed under."""
        found: dict[str, list[str]] = {}
        for key, hashes in zip(self.sources["source_id"], self.sources["sha256"], strict=True):
            for one in hashes.split() if isinstance(hashes, str) else ():
                found.setdefault(one, []).append(str(key))
        return found

    @cached_property
    def rows(self) -> list[Record]:
        """All rows, those of the points first. The family is empty for rows that stay as they are."""
        families = self._families()
        return [record for frame in (self.points, self.runs) for record in _records(frame, families)]

    @property
    def standing(self) -> list[Record]:
        """The rows of the table of points."""
        return [record for record in self.rows if record.held.startswith(f"{POINTS}/")]

    def _families(self) -> dict[str, str]:
        found = {}
        for source, note in zip(self.sources["source_id"], self.sources["note"], strict=True):
            said = _PROVENANCE.search(note) if isinstance(note, str) else None
            if said and said[2] != "all":
                found[str(source)] = family(said[1], str(source))
        return found


def _records(frame: pd.DataFrame, families: dict[str, str]) -> list[Record]:
    plain = frame.astype(object).where(frame.notna(), None).to_dict("records")
    records = []
    for row in plain:
        point = Point(**{column: row[column] for column in COLUMNS})
        for column in _WHOLE:
            value = getattr(point, column)
            setattr(point, column, None if value is None else int(value))
        records.append(
            Record(
                int(row["line_"]),
                point,
                notes=point.statistic_note.split(NOTES) if point.statistic_note else [],
                family=families.get(str(point.source_id), ""),
                file=row["file_"],
                held=row["held_"],
            )
        )
    return records


_WHOLE = tuple(f.name for f in fields(Point) if tables.POINTS.kind(f.name) == "integer")


def _read_all(folder: Path, problems: list[Problem]) -> pd.DataFrame:
    parts = []
    for file in sorted(folder.rglob("*.csv")):
        frame = read_table(file, tables.POINTS, problems)
        if not frame.empty:
            parts.append(frame.assign(held_=file.relative_to(folder.parent).as_posix()))
    return pd.concat(parts, ignore_index=True) if parts else empty(tables.POINTS).assign(held_=None)


def _read(path: Path, table: tables.Table, problems: list[Problem]) -> pd.DataFrame:
    return read_table(path, table, problems) if path.exists() else empty(table)


@dataclass(frozen=True)
class Plan:
    """What an import writes: whole new contents, by path below the folder, and what they are in words.

    A file whose last row has made way has None for its content: it goes.
    """

    folder: Path
    contents: dict[Path, bytes | None]
    words: list[str]


Row = dict[str, Any]


def plan(folder: Folder, sources: list[Row], systems: list[Row], models: list[Row], selected: Selected) -> Plan:
    """Plan the import: appended lines, lines that make way, new tables, and the files that a folder cannot do without.

    Other bytes are kept, whatever their order of columns and line ends; without rows nothing is planned.
    """
    planned = Plan(folder.path, {}, [])
    if not (selected.standing or selected.runs or selected.gone):
        return planned
    for table, rows in ((tables.SOURCES, sources), (tables.SYSTEMS, systems), (tables.MODELS, models)):
        _change(planned, f"{table.name}.csv", table, rows)
    _change(planned, "claims.csv", tables.CLAIMS, [])
    if not (folder.path / CAVEATS).exists():
        planned.contents[Path(CAVEATS)] = b"[]\n"
        planned.words.append(f"{CAVEATS}: new, without caveats")
    added = {**_by_file(POINTS, selected.standing), **_by_file(RUNS, selected.runs)}
    for path in sorted({*added, *(record.held for record in selected.gone)}):
        gone = [record for record in selected.gone if record.held == path]
        again = sum(record.held == path == _place(RUNS, record) for record in selected.runs)
        again += sum(record.held == path == _place(POINTS, record) for record in selected.standing)
        _change(planned, path, tables.POINTS, added.get(path, []), {record.row for record in gone}, again)
    return planned


def _by_file(folder: str, records: Iterable[Record]) -> dict[str, list[Row]]:
    files: dict[str, list[Row]] = {}
    for record in records:
        point = record.point
        row = {column: getattr(point, column) for column in COLUMNS}
        row["statistic_note"] = NOTES.join(record.notes) or None
        files.setdefault(_place(folder, record), []).append(row)
    return files


def _place(folder: str, record: Record) -> str:
    return f"{folder}/{record.point.model}/{record.point.source_id}.csv"


def _change(
    planned: Plan, path: str, table: tables.Table, rows: list[Row], gone: Iterable[int] = (), again: int = 0
) -> None:
    """Plan what a file loses and what it gains at its end; one that is not there yet begins with its header.

    Args:
        planned: the plan.
        path: the file, below the folder.
        table: whose rows it holds.
        rows: what it gains.
        gone: the lines on which the rows stand that it loses.
        again: how many of its rows are only written anew.
    """
    file = planned.folder / path
    there = file.exists()
    if there and not rows and not gone:
        return
    before = file.read_bytes() if there else _csv([list(table.columns)], "\n").encode()
    left, kept = _without(before, set(gone)) if gone else (before, 1)
    planned.contents[Path(path)] = left + _lines(left, table, rows) if rows or kept or not there else None
    planned.words.append(f"{path}: {_words(there, len(rows), len(list(gone)), again, planned.contents[Path(path)])}")


def _words(there: bool, added: int, gone: int, again: int, content: bytes | None) -> str:
    if content is None:
        return "removed, no row of it is left"
    if not there:
        return f"new, {plural(added, 'row')}"
    counts = ((added - again, "added"), (again, "rewritten"), (gone - again, "taken out"))
    return ", ".join(f"{plural(count, 'row')} {what}" for count, what in counts if count) or "unchanged"


def _without(before: bytes, gone: set[int]) -> tuple[bytes, int]:
    """A file without the records that start on these lines, and how many records are left."""
    text = before.decode("utf-8")
    lines = io.StringIO(text, newline="").readlines()
    reader = csv.reader(io.StringIO(text, newline=""))
    kept, start, count = [], 1, -1
    for cells in reader:
        if start not in gone:
            kept += lines[start - 1 : reader.line_num]
            count += bool(cells)
        start = reader.line_num + 1
    return "".join(kept).encode(), count


def _lines(before: bytes, table: tables.Table, rows: list[Row]) -> bytes:
    """Rows as lines that fit below what is there: its columns in its order, and its line ends."""
    header = next(csv.reader(io.StringIO(before.decode("utf-8-sig"))))
    end = "\r\n" if b"\r\n" in before else "\n"
    start = "" if before.endswith((b"\n", b"\r")) else end
    kinds = [(name, table.kind(name)) for name in header]
    lines = _csv(([_cell(row.get(name), kind) for name, kind in kinds] for row in rows), end)
    return (start + lines).encode() if rows else b""


def _csv(rows: Iterable[list[str]], end: str) -> str:
    stream = io.StringIO(newline="")
    csv.writer(stream, lineterminator=end).writerows(rows)
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
            if content is None:
                (copy / path).unlink()
                continue
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
    gone = [planned.folder / path for path, content in planned.contents.items() if content is None]
    try:
        for path, content in planned.contents.items():
            if content is None:
                continue
            target = planned.folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            beside = target.with_name(f".{target.name}.new")
            moves.append((beside, target))
            beside.write_bytes(content)
        _move(moves, gone)
    except OSError as error:
        place = shown(Path(error.filename)) if error.filename else shown(planned.folder)
        raise InputError(
            [Problem(place, expected=f"expected a folder that can be written to ({error.strerror})")]
        ) from None
    finally:
        for beside, _ in moves:
            beside.unlink(missing_ok=True)


def _move(moves: list[tuple[Path, Path]], gone: list[Path]) -> None:
    targets = [*(target for _, target in moves), *gone]
    before = {target: target.read_bytes() if target.exists() else None for target in targets}
    done: list[Path] = []
    try:
        for beside, target in moves:
            beside.replace(target)
            done.append(target)
        for target in gone:
            target.unlink()
            done.append(target)
    except OSError:
        for target in done:
            old = before[target]
            if old is None:
                target.unlink()
            else:
                target.write_bytes(old)
        raise
