"""Load the data folder into typed frames, or say everything that is wrong with it.

Missing is missing (NaN or None), never 0 and never an empty string.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd

from scoville import tables
from scoville.caveats import Caveat, read_caveats
from scoville.paths import shown
from scoville.problems import InputError, Problem
from scoville.readers import empty, read_table
from scoville.units import Printed


@dataclass(frozen=True)
class Facts:
    """Everything in the data folder, checked.

    Attributes:
        folder: where it was read from.
        sources, systems, models, claims: frames in the columns of `scoville.tables`, indexed by key.
        published: the same for figures that are no operating points; empty where the folder has none.
        traffic: workloads without fixed lengths, indexed by key; many folders have none.
        points: all operating points; columns of `tables.POINTS` and ``file_``, ``line_``, ``source_title``, and
            ``address`` (of the public run, else of the source).
        runs: single runs that an import keeps beside the points that stand for their configuration, in the same
            columns; most folders have none.
        predictions: *modelled* operating points, which no line, peak or verdict uses; many folders have none.
        caveats: in file order.
        made: what `compare.line` has made of these rows; a copy with other rows begins without.
    """

    folder: Path
    sources: pd.DataFrame
    systems: pd.DataFrame
    models: pd.DataFrame
    claims: pd.DataFrame
    published: pd.DataFrame
    traffic: pd.DataFrame
    points: pd.DataFrame
    runs: pd.DataFrame
    predictions: pd.DataFrame
    caveats: tuple[Caveat, ...]
    made: dict[tuple[object, ...], Any] = field(default_factory=dict, init=False, repr=False, compare=False)


def load(folder: Path) -> Facts:
    """Read and check the whole data folder.

    Raises:
        InputError: with every problem of every file.
    """
    problems: list[Problem] = []
    frames = {t.name: _read_file(folder / f"{t.name}.csv", t, problems) for t in tables.TABLES if t.name in _KEYS}
    points = _read_rows(_point_files(folder, problems), problems)
    runs = _read_rows(sorted((folder / "runs").rglob("*.csv")), problems)
    caveats = read_caveats(folder / "caveats.yml", problems)
    frames["points"] = points
    predicted = sorted((folder / "predictions").rglob("*.csv"))
    frames["predictions"] = _read_rows(predicted, problems, tables.PREDICTIONS)
    for table in tables.TABLES:
        _check_key(frames[table.name], table, problems)
    for table in tables.TABLES:
        _check_references(frames, table, problems)
    _check_references({**frames, "points": runs}, tables.POINTS, problems)
    _check_claims(frames["claims"], problems)
    _check_points(points, problems)
    _check_caveats(caveats, frames, problems)
    if problems:
        raise InputError(problems)
    keyed = {name: frames[name].set_index(key) for name, key in _KEYS.items()}
    rows = {"points": points, "runs": runs, "predictions": frames["predictions"]}
    rows = {name: _addressed(frame.reset_index(drop=True), keyed["sources"]) for name, frame in rows.items()}
    return Facts(folder=folder, caveats=tuple(caveats), **rows, **keyed)


_KEYS = {t.name: t.key[0] for t in tables.TABLES if t.name not in ("points", "predictions")}
"""The tables of one file each, with their key; the others are folders of files."""


def _addressed(rows: pd.DataFrame, sources: pd.DataFrame) -> pd.DataFrame:
    address = rows["source_id"].map(sources["url"])
    return rows.assign(
        source_title=rows["source_id"].map(sources["title"]),
        address=rows["run_url"].fillna(address) if "run_url" in rows else address,
    )


def _read_file(path: Path, table: tables.Table, problems: list[Problem]) -> pd.DataFrame:
    return empty(table) if table.optional and not path.exists() else read_table(path, table, problems)


def _read_rows(files: list[Path], problems: list[Problem], table: tables.Table = tables.POINTS) -> pd.DataFrame:
    parts = [read_table(path, table, problems) for path in files]
    return pd.concat(parts) if parts else empty(table)


def _point_files(folder: Path, problems: list[Problem]) -> list[Path]:
    root = folder / "points"
    found = sorted(root.rglob("*.csv"))
    for other in sorted(root.rglob("*")):
        if other.is_file() and other.suffix != ".csv" and not other.name.startswith("."):
            problems.append(Problem(shown(other), expected="only tables named *.csv below points; rename or move it"))
    if not found:
        problems.append(Problem(shown(root), expected="at least one table points/<model>/<dataset>.csv; none is there"))
    return found


def _check_key(frame: pd.DataFrame, table: tables.Table, problems: list[Problem]) -> None:
    keys = list(table.key)
    repeated = frame[frame[keys[0]].notna() & frame.duplicated(keys, keep=False)]
    for _, same in repeated.groupby(keys, dropna=False, sort=False):
        first, *others = same.to_dict("records")
        named = {k: first[k] for k in keys if not pd.isna(first[k])}
        shown_key = ", ".join(f"{k}={v:g}" if isinstance(v, float) else f"{k}={v}" for k, v in named.items())
        expected = f"a key that is not used yet; the same stands in {first['file_']}:{first['line_']}"
        problems.extend(Problem(row["file_"], row["line_"], keys[0], shown_key, expected) for row in others)


def _check_references(frames: dict[str, pd.DataFrame], table: tables.Table, problems: list[Problem]) -> None:
    frame = frames[table.name]
    for reference in table.references:
        target = next(t for t in tables.TABLES if t.name == reference.table)
        if frames[reference.table].attrs.get("unread"):
            continue  # that the table could not be read is told once, not for every row that points into it
        keys = [str(k) for k in frames[reference.table][target.key[0]].dropna()]
        allowed = {*keys, *reference.also}
        named = frame[frame[reference.column].notna() & ~frame[reference.column].isin(allowed)]
        for row in named.to_dict("records"):
            value = row[reference.column]
            problems.append(
                Problem(row["file_"], row["line_"], reference.column, value, _suggest(value, allowed, target.name))
            )


def _suggest(value: str, allowed: set[str], table: str) -> str:
    near = difflib.get_close_matches(str(value), sorted(allowed), n=1)
    known = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(sorted(allowed)[:12])}"
    return f"expected a key of {table}.csv; {known} Correct it or add a row there"


def _check_claims(claims: pd.DataFrame, problems: list[Problem]) -> None:
    """What a claim's metric demands of it, and that the claims it points to are numbers of the same thing."""
    rows = claims.astype(object).where(claims.notna(), None).to_dict("records")
    by_id = {row["claim_id"]: row for row in rows}
    for row in rows:
        metric = tables.METRICS.get(row["metric"])
        if metric is None or row["side"] not in tables.SIDES:
            continue  # told already, by the schema
        for column, found, expected in [*_claim_faults(row, metric), *_pointer_faults(row, by_id)]:
            problems.append(Problem(row["file_"], row["line_"], column, str(found or ""), f"expected {expected}"))


def _claim_faults(row: dict[str, Any], metric: tables.Metric) -> Iterator[tuple[str, Any, str]]:
    side, unit = row["side"], "×" if row["side"] == "ratio" else metric.unit
    if side not in metric.sides:
        yield "side", side, f"one of {', '.join(metric.sides)} for {row['metric']}"
    elif row["unit"] is not None and row["unit"] != unit:
        yield "unit", row["unit"], f"{unit} for the {side} of {row['metric']}"
    needs = set(metric.needs) - ({"paired_claim"} if row["range_end"] else set())
    needs |= {"system"} if side in ("candidate", "baseline") else set()
    if side == "ratio" and not row["range_end"]:
        needs |= {"candidate_claim", "baseline_claim"}
    for column in sorted(needs):
        if row[column] is None:
            yield column, None, f"a value: a {side} of {row['metric']} needs it"
    whole = (side in ("candidate", "baseline") and "model" in metric.needs) or row["metric"] == "model_parameters"
    if whole and row["model"] == "all":
        yield "model", "all", "one model; a single number is not about all of them"
    if row["unit"] not in tables.UNPARSED_UNITS and row["printed"] is not None:
        try:
            if Printed.parse(row["printed"]).value <= 0:
                yield "printed", row["printed"], "a number above 0"
        except ValueError:
            yield "printed", row["printed"], "a printed number such as 85,448, 1.9, 8K or nine"


def _pointer_faults(row: dict[str, Any], by_id: dict[str, dict[str, Any]]) -> Iterator[tuple[str, Any, str]]:
    for column, side in (("candidate_claim", "candidate"), ("baseline_claim", "baseline"), ("paired_claim", None)):
        other = by_id.get(row[column])
        if other is None:
            continue
        if other is row:
            yield column, row[column], "another claim, not the claim itself"
        elif other["unit"] in tables.UNPARSED_UNITS or other["side"] == "ratio":
            yield column, row[column], "a claim that prints a value, not a ratio, a date or an ordinal"
        elif other["model"] != row["model"]:
            yield column, row[column], f"a claim about {row['model']}, not about {other['model']}"
        elif side is not None and (other["metric"], other["side"]) != (row["metric"], side):
            yield (
                column,
                row[column],
                f"the {side}’s number of {row['metric']}, not the {other['side']}’s of {other['metric']}",
            )


def _check_points(points: pd.DataFrame, problems: list[Problem]) -> None:
    """A row's folder names its model, and its parts add up to its wholes."""
    folders = points["file_"].map(lambda file: Path(file).parent.name)
    for row in points[points["model"].notna() & (points["model"] != folders)].to_dict("records"):
        folder = Path(row["file_"]).parent.name
        expected = f"expected {folder!r}, as the folder says; move the row to points/{row['model']}/"
        problems.append(Problem(row["file_"], row["line_"], "model", row["model"], expected))
    for whole, first, second, tolerance in _PARTS:
        total = points[first] + points[second]
        wrong = (total - points[whole]).abs() > tolerance * points[whole]  # false where a part is missing
        for row in points[wrong].to_dict("records"):
            found = row[first] + row[second]
            expected = f"expected {first} + {second} = {found:g}; correct one of the three or blank the parts"
            problems.append(Problem(row["file_"], row["line_"], whole, f"{row[whole]:g}", expected))


_PARTS = (
    ("chips", "prefill_chips", "decode_chips", 0.0),
    ("total_tok_s_per_chip", "input_tok_s_per_chip", "output_tok_s_per_chip", 0.01),
)


def _check_caveats(caveats: list[Caveat], frames: dict[str, pd.DataFrame], problems: list[Problem]) -> None:
    known = {
        name: set(frames[name][key].dropna()) for name, key in _KEYS.items() if not frames[name].attrs.get("unread")
    }
    for caveat in caveats:
        pointers = [("sources", caveat.source_id)] if caveat.source_id else []
        scoped = (("models", "models"), ("systems", "systems"), ("systems", "beside"))
        pointers += [(table, key) for table, scope in scoped for key in caveat.applies_to.get(scope, [])]
        for table, key in pointers:
            if table in known and key not in known[table]:
                problems.append(Problem(caveat.file, caveat.line, caveat.id, key, _suggest(key, known[table], table)))
