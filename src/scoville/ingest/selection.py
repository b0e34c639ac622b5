"""One row a configuration, or all of them: which runs of a configuration get into the table.

A folder keeps every single run that an import brought: those that do not stand in the table of points lie under
``runs/``. What stands is chosen anew, among all of them, whenever an import brings another run. So it makes no
difference whether files are imported together or one by one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import partial
from statistics import median
from typing import Any

from scoville import tables
from scoville.ingest.identities import RATE_SUM
from scoville.ingest.points import NOTES, Record, configuration
from scoville.runs import MEASURED, Run, representative, same_load, without_serial

SAME = 1e-9
"""Two rows are the same measurement when their numbers agree to this, relative. Repeated runs never do."""

RUNS = "runs"
"""Folder of the single runs that do not stand in the table of points."""

_PARTS = ("input_tok_s_per_chip", "output_tok_s_per_chip")
_CHOSEN = re.compile(r"(newest|median|one) of \d+ runs\b")


@dataclass(frozen=True)
class Selected:
    """What a choice among runs does to the data folder.

    Attributes:
        standing: rows for the table of points.
        runs: single runs that are kept beside it.
        gone: rows of the folder that make way for these.
    """

    standing: list[Record] = field(default_factory=list)
    runs: list[Record] = field(default_factory=list)
    gone: list[Record] = field(default_factory=list)


def in_play(records: Iterable[Record]) -> list[Record]:
    """The records that are neither refused nor left out."""
    return [r for r in records if not r.refused and not r.aside]


def family(format_name: str, source_id: str | None) -> str:
    """What rows have in common that may be runs of one another.

    The dialects of InferenceX tell of the same runs, other tools each of their own; a table of ours names its sources.
    """
    first = format_name.split("-", maxsplit=1)[0]
    return f"{first}/{source_id}" if first == "points" else first


def leave_out_known(records: list[Record], held: Iterable[Record]) -> None:
    """Leave out the rows that the data folder has already, and all but one of those that were read twice.

    Args:
        records: all that were read.
        held: the rows of the folder, single runs among them.
    """
    known: dict[tuple[Any, ...], list[tuple[dict[str, float], str]]] = {}
    for row in held:
        place = f"already there, {row.file}:{row.row}"
        known.setdefault(configuration(row.point), []).append((measured(row), place))
    for record in in_play(records):
        same = known.setdefault(configuration(record.point), [])
        numbers = measured(record)
        record.aside = next((place for row, place in same if _holds(row, numbers)), "")
        if not record.aside:
            same.append((numbers, "the same measurement as another row of this import"))


def measured(record: Record) -> dict[str, float]:
    """The numbers that a row measured, by column."""
    found = {column: getattr(record.point, column) for column in MEASURED}
    return {column: value for column, value in found.items() if value is not None}


def _holds(row: dict[str, float], numbers: dict[str, float]) -> bool:
    """Whether a row has all these numbers."""
    for column, value in numbers.items():
        other = row.get(column)
        if other is None or not abs(other - value) <= SAME * value:
            return False
    return True


def choose(records: list[Record], held: list[Record], how: str) -> Selected:
    """Keep one run of each configuration in the table, or all.

    Args:
        records: what was read, with sources and families, oldest file first.
        held: the rows of the folder that came with earlier imports and may be chosen from again.
        how: ``latest`` keeps the newest run (`scoville.runs.representative`); ``median`` puts the median over the runs
            of every number into the newest one; ``all`` keeps all.

    With more than one run, the note of the row that stands says how many there are and how far apart, and whether
    it is known to be the newest.
    """
    selected = Selected()
    known = {(r.family, configuration(r.point)) for r in records if r.aside}
    for group in _groups([*held, *in_play(records)]):
        brought = any(not record.held for record in group)
        if brought or ((group[0].family, configuration(group[0].point)) in known and not _is_arranged(group, how)):
            _arrange(group, how, selected)
    return selected


def _groups(records: list[Record]) -> list[list[Record]]:
    """Records by family and configuration. Where the nominal lengths are not known, mean lengths tell loads apart."""
    groups: dict[tuple[Any, ...], list[list[Record]]] = {}
    for record in records:
        same = groups.setdefault((record.family, *configuration(record.point)), [])
        group = next((g for g in same if are_one_load(g[0], record)), None)
        if group is None:
            same.append([record])
        else:
            group.append(record)
    return [group for same in groups.values() for group in same]


def are_one_load(one: Record, other: Record) -> bool:
    """Whether rows of one configuration are of one load: where nominal lengths are not known, by the mean ones."""
    if one.point.isl_nominal or one.point.workload == "agentic":
        return True
    return same_load((one.point.isl_mean, one.point.osl_mean), (other.point.isl_mean, other.point.osl_mean))


def _is_arranged(group: list[Record], how: str) -> bool:
    """Whether the folder holds the runs of a configuration as this choice leaves them."""
    beside, standing = _split(group)
    medians = sum(_chosen(record) == "median" for record in standing) if beside else 0
    if how == "all":
        return not beside
    return len(standing) == 1 and (medians == (how == "median") if beside else True)


def _split(group: list[Record]) -> tuple[list[Record], list[Record]]:
    """The runs beside the table, and what stands in it or is new."""
    beside = [r for r in group if r.held.startswith(f"{RUNS}/")]
    return beside, [r for r in group if not r.held.startswith(f"{RUNS}/")]


def _chosen(record: Record) -> str:
    """How a row was chosen among several runs, by its note: ``newest``, ``one`` or ``median``; else empty."""
    found = [m[1] for note in record.notes if (m := _CHOSEN.match(note))]
    return found[-1] if found else ""


def _arrange(group: list[Record], how: str, selected: Selected) -> None:
    """Decide what stands, and note what changes in the folder."""
    beside, standing = _split(group)
    medians = [r for r in standing if beside and r.held and _chosen(r) == "median"]
    runs = [(r, _bare(r) if beside and r.held else r) for r in standing if r not in medians]
    runs = _drop_poorer([*((r, r) for r in beside), *runs], selected)
    selected.gone.extend(medians)
    if how == "all" or len(runs) == 1:
        for before, run in runs:
            _put(before, run, selected.standing, selected)
        return
    everything = [run for _, run in runs]
    count = len(runs)
    chosen, older = representative(list(map(_when, everything)))
    is_newest = len(older) == count - 1
    kind = "median" if how == "median" else "newest" if is_newest else "one"
    doubt = "" if is_newest or how == "median" else f" ({UNORDERED})"
    words = f"{kind} of {count} runs{doubt}{_spread(everything)}"
    before, newest = runs[chosen]
    for i, (original, run) in enumerate(runs):
        if i == chosen:
            continue
        if not original.held:
            reason = OLDER if i in older else OTHER
            original.aside = f"in the median of {count} runs" if how == "median" else reason
        _put(original, run, selected.runs, selected)
    if how == "median":
        _put(before, newest, selected.runs, selected)
        selected.standing.append(_median(newest, everything, words))
    else:
        _put(before, replace(newest, notes=[*newest.notes, words]), selected.standing, selected)


OLDER = "a newer run of the same configuration"
OTHER = "another run of the same configuration, and nothing tells which of them is newer"
UNORDERED = "nothing tells which is the newest"
_Pair = tuple[Record, Record]


def _drop_poorer(runs: list[_Pair], selected: Selected) -> list[_Pair]:
    """Leave out the rows of measurements that another row holds with more numbers, as another dialect may."""
    if len(runs) == 1:
        return runs
    numbers = [measured(run) for _, run in runs]
    kept = []
    for i, (before, run) in enumerate(runs):
        if any(len(numbers[i]) < len(other) and _holds(other, numbers[i]) for other in numbers):
            before.aside = before.aside or "the same measurement as a row with more numbers"
            selected.gone.extend([before] if before.held else [])
        else:
            kept.append((before, run))
    return kept


def _bare(record: Record) -> Record:
    """A row that was chosen among several, as the single run that it is."""
    last = max((i for i, note in enumerate(record.notes) if _CHOSEN.match(note)), default=None)
    return replace(record, notes=[note for i, note in enumerate(record.notes) if i != last])


def _put(before: Record, run: Record, rows: list[Record], selected: Selected) -> None:
    """Put a run among the rows of a table, unless the folder holds it there just so."""
    there = before.held.startswith(f"{RUNS}/") == (rows is selected.runs)
    if before.held and there and before.notes == run.notes:
        return
    if before.held:
        selected.gone.append(before)
    rows.append(run)


def _when(record: Record) -> Run:
    return Run.of(partial(getattr, record.point), NOTES.join(record.notes))


def _spread(group: list[Record]) -> str:
    for column, words in (("total_tok_s_per_chip", "total"), ("output_tok_s_per_chip", "output")):
        values = [v for r in group if (v := getattr(r.point, column)) is not None]
        if len(values) == len(group):
            return f", {_short(min(values))} to {_short(max(values))} {words} tok/s per chip"
    return ""


def _short(value: float) -> str:
    return f"{value:,.0f}" if value >= 1000 else f"{value:.4g}"


def _median(newest: Record, group: list[Record], words: str) -> Record:
    """The medians of a group's numbers, filed where its newest run is."""
    point = replace(newest.point, run_url=None)  # it is no single run any more
    for column in MEASURED:
        values = [v for r in group if (v := getattr(r.point, column)) is not None]
        setattr(point, column, median(values) if values else None)
    made = replace(newest, point=point, notes=[*without_serial(newest.notes), words], held="")
    total, parts = point.total_tok_s_per_chip, [getattr(point, p) for p in _PARTS]
    if total and all(parts) and abs(sum(parts) - total) > RATE_SUM * total:
        point.input_tok_s_per_chip = point.output_tok_s_per_chip = None
        made.note("medians of input and output rate left out: they do not make the median of the total")
    return made


def separate(standing: list[Record], taken: dict[tuple[Any, ...], str]) -> None:
    """Refuse the rows that the table could not tell from others: same source, day, run and configuration.

    Args:
        standing: rows for the table.
        taken: keys of the rows that stay in it, and where they stand.
    """
    places = dict(taken)
    for record in reversed(standing):
        key = tuple(getattr(record.point, column) for column in tables.POINT_KEY)
        if key in places and not record.held:
            hint = "choose --select latest or median" if record.point.isl_nominal else "say --isl and --osl"
            reason = f"the table tells runs apart by source, date and address, and {places[key]} has the same"
            record.refuse("date", record.point.date, f"{reason}; {hint}")
        else:
            places[key] = f"{record.file}, row {record.row},"


def repeats(records: Iterable[Record]) -> list[tuple[Record, int]]:
    """Records, and how many earlier ones of their file the table could not tell them from."""
    seen: Counter[tuple[Any, ...]] = Counter()
    numbered = []
    for record in records:
        key = tuple(getattr(record.point, c) for c in tables.POINT_KEY if c != "source_id")
        numbered.append((record, seen[key]))
        seen[key] += 1
    return numbered
