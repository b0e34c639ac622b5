"""Two editions of the book compared: verdicts that changed, points that came, went or moved, ratios that moved."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd

from scoville import tables
from scoville.audit import audit
from scoville.book import models_of, question_of
from scoville.compare import NO_BASELINE, candidate_line, compare
from scoville.facts import Facts, load
from scoville.problems import InputError, Problem

SNAPSHOT = "edition.json"
"""File in a built book that holds what `snapshot` says of its data."""

_FORMAT = 1
_VALUES = (
    "total_tok_s_per_chip output_tok_s_per_chip interactivity_mean_tok_s_user interactivity_median_tok_s_user "
    "ttft_median_s e2e_mean_s e2e_median_s chip_power_mean_w"
).split()


@dataclass(frozen=True)
class Change:
    """One thing that differs.

    Attributes:
        what: the claim, the point or the ratio, as a key that reads.
        column: the value that differs, for a point; empty otherwise.
        old, new: what it was and is; None where it was not there.
    """

    what: str
    column: str = ""
    old: Any = None
    new: Any = None

    @property
    def relative(self) -> float | None:
        """By how much a number moved, as a share of the old one; None for anything else."""
        numbers = isinstance(self.old, float) and isinstance(self.new, float)
        return self.new / self.old - 1 if numbers and self.old else None


@dataclass(frozen=True)
class Difference:
    """Everything that differs between two editions.

    Attributes:
        claims: verdicts that changed, and claims that came or went.
        added, gone, moved: operating points; a moved one has the same configuration, source and date but another value.
        ratios: default comparisons that moved.
    """

    claims: list[Change] = field(default_factory=list)
    added: list[Change] = field(default_factory=list)
    gone: list[Change] = field(default_factory=list)
    moved: list[Change] = field(default_factory=list)
    ratios: list[Change] = field(default_factory=list)

    def __bool__(self) -> bool:
        """Whether anything differs."""
        return any((self.claims, self.added, self.gone, self.moved, self.ratios))

    def as_dict(self) -> dict[str, list[dict[str, Any]]]:
        """Plain values, for JSON."""
        return {
            kind: [asdict(c) | {"relative": c.relative} for c in getattr(self, kind)]
            for kind in ("claims", "added", "gone", "moved", "ratios")
        }


def snapshot(facts: Facts) -> dict[str, Any]:
    """What an edition says, as plain values: verdicts, points and default ratios, each by a key that reads.

    It is dated by the day on which its latest source was read; None where no source says when it was.
    """
    return {
        "format": _FORMAT,
        "as_of": max(facts.sources["retrieved"].dropna(), default=None),
        "claims": {f.claim_id: [f.printed, f.verdict] for f in audit(facts)},
        "points": dict(_points(facts.points)),
        "ratios": dict(_ratios(facts)),
    }


def _points(points: pd.DataFrame) -> Iterator[tuple[str, dict[str, float]]]:
    for row in points.to_dict("records"):
        parts = [f"{c}={_plain(row[c])}" for c in tables.POINT_KEY if not pd.isna(row[c])]
        yield " ".join(parts), {c: row[c] for c in _VALUES if not pd.isna(row[c])}


def _plain(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def _ratios(facts: Facts) -> Iterator[tuple[str, list[float]]]:
    for model in models_of(facts):
        question = question_of(facts, model)
        try:
            peak = candidate_line(facts, question).peak
        except LookupError:
            continue
        yield f"{model}: peak of {question.candidate}, {question.unit}", [float(peak["low"]), float(peak["high"])]
        if question.baseline == NO_BASELINE:
            continue
        pair = f"{model}: {question.candidate} over {question.baseline}, {question.basis}"
        try:
            comparison = compare(facts, question)
        except LookupError:
            continue
        yield f"{pair}, at the peaks", [comparison.peak_ratio.low, comparison.peak_ratio.high]
        table = comparison.at_equal_interactivity()
        for name, row in (("slow", 0), ("fast", -1)):
            if len(table):
                ends = table.iloc[row]
                yield f"{pair}, at equal speed, {name} end", [float(ends["ratio_low"]), float(ends["ratio_high"])]


def read_edition(path: Path) -> dict[str, Any]:
    """The snapshot of an edition.

    Args:
        path: a data folder, a folder that holds one, a built book, or a file written by `snapshot`.

    Raises:
        InputError: when it is none of these, or the data are wrong.
    """
    for file in (path, path / SNAPSHOT, path / "_build" / "html" / SNAPSHOT):
        if file.is_file():
            return _read_snapshot(file)
    for folder in (path, path / "data"):
        if (folder / "sources.csv").is_file():
            return snapshot(load(folder))
    expected = f"a data folder (with sources.csv) or a built book (with {SNAPSHOT})"
    raise InputError([Problem(str(path), expected=expected)])


def _read_snapshot(file: Path) -> dict[str, Any]:
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except (ValueError, UnicodeDecodeError):
        found = None
    if not isinstance(found, dict) or found.get("format") != _FORMAT:
        raise InputError([Problem(str(file), expected="an edition written by this version of scoville")])
    return found


def kept_editions(folder: Path) -> dict[str, dict[str, Any]]:
    """Snapshots of released editions by version, oldest first.

    Args:
        folder: data folder; they lie in its ``editions``.

    Raises:
        InputError: when one was not written by this version of scoville.
    """
    files = sorted((folder / "editions").glob("*.json"), key=_version)
    return {file.stem: _read_snapshot(file) for file in files}


def _version(file: Path) -> list[int]:
    return [int(part) if part.isdigit() else 0 for part in file.stem.split(".")]


def difference(old: dict[str, Any], new: dict[str, Any]) -> Difference:
    """What differs between two snapshots."""
    result = Difference()
    for claim in _keys(old, new, "claims"):
        before, after = old["claims"].get(claim), new["claims"].get(claim)
        if before != after:
            result.claims.append(Change(claim, old=_said(before), new=_said(after)))
    for point in _keys(old, new, "points"):
        before, after = old["points"].get(point), new["points"].get(point)
        if before is None:
            result.added.append(Change(point))
        elif after is None:
            result.gone.append(Change(point))
        else:
            columns = [c for c in _VALUES if before.get(c) != after.get(c)]
            result.moved.extend(Change(point, c, before.get(c), after.get(c)) for c in columns)
    for ratio in _keys(old, new, "ratios"):
        before, after = old["ratios"].get(ratio), new["ratios"].get(ratio)
        if before != after:
            result.ratios.append(Change(ratio, old=_one(before), new=_one(after)))
    return result


def _keys(old: dict[str, Any], new: dict[str, Any], part: str) -> list[str]:
    return list(dict.fromkeys([*new[part], *old[part]]))


def _said(claim: list[str] | None) -> str | None:
    return None if claim is None else f"{claim[0]}: {claim[1]}"


def _one(ends: list[float] | None) -> float | str | None:
    """A ratio as one number, or as a range where the watts are one."""
    if ends is None:
        return None
    return ends[0] if ends[0] == ends[1] else f"{ends[0]:.4f} to {ends[1]:.4f}"


def told(changes: Difference) -> list[str]:
    """The difference in lines of text. Points are told by what tells most of them apart; JSON has whole keys."""
    if not changes:
        return ["nothing changed"]
    lines = []
    for kind, title in (("claims", "claims whose verdict changed"), ("ratios", "ratios that moved")):
        found: list[Change] = getattr(changes, kind)
        if found:
            lines.append(f"{title}: {len(found)}")
            lines.extend(f"  {change.what}: {_moved(change)}" for change in found)
    for kind, title in (("moved", "points that moved"), ("added", "points added"), ("gone", "points gone")):
        by_point: dict[str, list[Change]] = {}
        for change in getattr(changes, kind):
            by_point.setdefault(change.what, []).append(change)
        if by_point:
            lines.append(f"{title}: {len(by_point)}")
            lines.extend(_point_lines(by_point))
    return lines


def _point_lines(by_point: dict[str, list[Change]]) -> list[str]:
    """A line a point, in columns, and one below it for each number that moved."""
    rows = [_cells(point) for point in by_point]
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = []
    for row, changes in zip(rows, by_point.values(), strict=True):
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True) if width)
        lines.append(("  " + "  ".join(cells)).rstrip())
        lines.extend(f"    {change.column} {_moved(change)}" for change in changes if change.column)
    return lines


_KEY_PART = re.compile(rf"(?:^| )({'|'.join(tables.POINT_KEY)})=")


def _cells(point: str) -> tuple[str, ...]:
    """Model, system, engine, decoding, load, layout, concurrency and day of a point, from its key."""
    _, *parts = _KEY_PART.split(point)
    key = dict(zip(parts[::2], parts[1::2], strict=True))
    load = f"{key['isl_nominal']}/{key['osl_nominal']}" if {"isl_nominal", "osl_nominal"} <= set(key) else ""
    decoding = " ".join(key[c] for c in ("precision", "speculation") if c in key)
    layout = key.get("parallelism") or (f"{key['chips']} chips" if "chips" in key else "")
    concurrency = f"c{key['concurrency']}" if "concurrency" in key else ""
    named = (key["model"], key["system"], key.get("engine", ""), decoding)
    return (*named, load or key["workload"], layout[:_LAYOUT], concurrency, key.get("date", ""))


_LAYOUT = 32
"""Characters of a layout that a line shows."""


def _moved(change: Change) -> str:
    by = "" if change.relative is None else f" ({change.relative:+.2%})"
    return f"{_shown(change.old)} → {_shown(change.new)}{by}"


def _shown(value: Any) -> str:
    if value is None:
        return "not there"
    if isinstance(value, float):
        return f"{value:,.4g}" if abs(value) < 1000 else f"{value:,.1f}"
    return str(value)
