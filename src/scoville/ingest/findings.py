"""What an import tells the user: for every file what was read, kept, refused and why; as text and as JSON."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from scoville.ingest.points import NOT_ASKED_FOR, Finding, Record
from scoville.problems import InputError, Problem
from scoville.units import plural

_SHOWN = 6
"""Kinds of findings of a file that the terminal shows; the report has all."""

_HEADER = ("file", "format", "read", "kept", "refused", "left out")


@dataclass
class FileResult:
    """What became of one file.

    Attributes:
        path: as the user would type it.
        format: name of the format; empty when it was not recognised.
        sha256: hash of its bytes.
        records: its rows.
        notes: what the user should know of the file.
        error: why it could not be used at all.
        passed_over: why a file that was found in a folder was not read; such files are no failure.
    """

    path: str
    format: str = ""
    sha256: str = ""
    records: list[Record] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    error: InputError | None = None
    passed_over: str = ""

    @property
    def kept(self) -> int:
        """Rows that get into the table."""
        return sum(1 for r in self.records if not r.refused and not r.aside)

    @property
    def refused(self) -> int:
        """Rows that were refused."""
        return sum(1 for r in self.records if r.refused)

    @property
    def left_out(self) -> Counter[str]:
        """Why rows were left out although nothing is wrong with them, and how many."""
        return Counter(_kind(r.aside) for r in self.records if r.aside and not r.refused)

    @property
    def useless(self) -> str:
        """That every row was refused, in words; empty for any other file."""
        if not self.refused or self.kept or self.left_out:
            return ""
        first = Counter(next(f.field or "the row as a whole" for f in r.findings if f.refused) for r in self.records)
        named = ", ".join(f"{name} ({count:,})" for name, count in first.most_common(3))
        return f"no row could be used, {plural(self.refused, 'row')} refused: {named}"


def _kind(aside: str) -> str:
    return aside.split(",", maxsplit=1)[0] if aside.startswith("already there") else aside


@dataclass
class Outcome:
    """The result of an import.

    Attributes:
        files: one a file, in the order given.
        written: what was written, in words; what would be, in a dry run.
        notes: what the user should know of the data folder.
        held_back: why nothing was written although rows were kept; empty otherwise.
        dry_run: whether nothing was to be written.
    """

    files: list[FileResult]
    written: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    held_back: str = ""
    dry_run: bool = False

    @property
    def unusable(self) -> list[FileResult]:
        """The files that could not be used at all, those with nothing but refused rows among them."""
        return [f for f in self.files if f.error or f.useless]

    @property
    def refused(self) -> int:
        """Refused rows of all files."""
        return sum(f.refused for f in self.files)


def report(outcome: Outcome) -> str:
    """The outcome as JSON: ``files`` with ``path``, ``format``, ``rows_read``, ``rows_kept``, ``rows_refused`` and
    ``refusals``. A refusal has ``row``, ``field``, ``value``, ``reason`` and ``action``, which is ``refused`` for the
    row and ``blanked`` for a row that was kept without the field."""
    content = {
        "files": [_file(f) for f in outcome.files],
        "written": outcome.written,
        "notes": outcome.notes,
        "held_back": outcome.held_back,
        "dry_run": outcome.dry_run,
    }
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"


def _file(result: FileResult) -> dict[str, Any]:
    return {
        "path": result.path,
        "format": result.format or None,
        "sha256": result.sha256 or None,
        "rows_read": len(result.records),
        "rows_kept": result.kept,
        "rows_refused": result.refused,
        "rows_left_out": sum(result.left_out.values()),
        "refusals": [_refusal(f) for r in result.records for f in r.findings],
        "left_out": dict(result.left_out),
        "notes": result.notes,
        "error": _errors(result) or None,
        "passed_over": result.passed_over or None,
    }


def _errors(result: FileResult) -> list[str]:
    if result.error:
        return [str(problem) for problem in result.error.problems]
    return [f"{result.path}: {result.useless}"] if result.useless else []


def _refusal(finding: Finding) -> dict[str, Any]:
    action = "refused" if finding.refused else "blanked"
    return {
        "row": finding.row,
        "field": finding.field,
        "value": finding.value,
        "reason": finding.reason,
        "action": action,
    }


def text(outcome: Outcome) -> str:
    """The outcome as a table, with what was refused below it. What many files share is told once."""
    results = [f for f in outcome.files if not f.passed_over]
    rows = [_HEADER, *map(_cells, results)]
    widths = [max(len(row[i]) for row in rows) for i in range(len(_HEADER))]
    lines = ["  ".join(_aligned(row, widths)).rstrip() for row in rows] if results else []
    for result in results:
        lines += _details(result)
    lines += _shared(
        "not usable", [(f, str(p.expected)) for f in results if f.error for p in f.error.problems if _whole(p)]
    )
    lines += _shared("note", [(f, note) for f in results for note in f.notes])
    lines += _shared("passed over", [(f, f.passed_over) for f in outcome.files if f.passed_over])
    return "\n".join([*lines, *_closing(outcome)])


def _whole(problem: Problem) -> bool:
    """Whether a problem is one of the whole file, which several files may share."""
    return not (problem.line or problem.column or problem.found)


def _cells(result: FileResult) -> tuple[str, ...]:
    if result.error:
        return (result.path, result.format or "not usable", "-", "-", "-", "-")
    counts = (len(result.records), result.kept, result.refused, sum(result.left_out.values()))
    return (result.path, result.format, *(f"{n:,}" for n in counts))


def _aligned(row: tuple[str, ...], widths: list[int]) -> list[str]:
    return [c.ljust(w) if i < 2 else c.rjust(w) for i, (c, w) in enumerate(zip(row, widths, strict=True))]


def _details(result: FileResult) -> list[str]:
    """Findings of one file: refused rows first, by field and reason, with the first of each as an example."""
    if result.error:
        told = [str(p) for p in result.error.problems if not _whole(p)]
        return ["", *told] if told else []
    groups: dict[tuple[bool, str, str], list[Finding]] = {}
    for record in result.records:
        for finding in record.findings if record.refused or not record.aside else ():
            if finding.refused or not record.refused:
                kind = (not finding.refused, finding.field, _DIGITS.sub("#", finding.reason))
                groups.setdefault(kind, []).append(finding)
    order = sorted(groups, key=lambda kind: (kind[0], -len(groups[kind])))
    lines = [_told(groups[kind]) for kind in order[:_SHOWN]]
    if len(groups) > _SHOWN:
        lines.append(f"  … and {len(groups) - _SHOWN} more kinds; --report has them all")
    lines += [f"  left out: {plural(n, 'row')}, {why}" for why, n in result.left_out.items()]
    what = f"{result.path}: {result.useless}" if result.useless else f"{result.path}:"
    return ["", what, *lines] if lines else []


_DIGITS = re.compile(r"\d[\d.,]*(?:e[+-]?\d+)?")
"""What differs between reasons of one kind."""


def _told(found: list[Finding]) -> str:
    first = found[0]
    action = "refused" if first.refused else "blanked"
    where = f"row {first.row}" if len(found) == 1 else f"first in row {first.row}"
    what = " ".join(part for part in (first.field, first.value) if part)
    return ": ".join(
        part for part in (f"  {action} {plural(len(found), 'row')}", what, f"{first.reason} ({where})") if part
    )


def _shared(word: str, told: list[tuple[FileResult, str]]) -> list[str]:
    """Words about files, each once, with the files that they are about."""
    groups: dict[str, list[str]] = {}
    for result, words in told:
        groups.setdefault(words, []).append(result.path)
    lines = []
    for words, paths in list(groups.items())[:_SHOWN]:
        more = f" and {len(paths) - 1} more" if len(paths) > 1 else ""
        lines.append(f"{word}: {paths[0]}{more}: {words}")
    if len(groups) > _SHOWN:
        lines.append(f"… and {len(groups) - _SHOWN} more kinds; --report has them all")
    return ["", *lines] if lines else []


def _closing(outcome: Outcome) -> list[str]:
    lines = ["", *(f"note: {note}" for note in outcome.notes)] if outcome.notes else []
    if outcome.held_back:
        return [*lines, "", f"nothing was written: {outcome.held_back}"]
    if not outcome.written:
        return [*lines, "", f"nothing was written: {_nothing_new(outcome)}"]
    verb = "would write" if outcome.dry_run else "written"
    return [*lines, "", *(f"{verb}: {line}" for line in outcome.written)]


def _nothing_new(outcome: Outcome) -> str:
    records = [record for file in outcome.files for record in file.records if not record.refused]
    if not records:
        return "no row could be used" if outcome.unusable else "there is nothing new"
    other = all(record.aside.endswith(NOT_ASKED_FOR) for record in records)
    return "no row is of the model or system asked for" if other else "there is nothing new"
