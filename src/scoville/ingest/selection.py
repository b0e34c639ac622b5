"""One row a configuration, or all of them: which runs of a configuration get into the table."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from statistics import median
from typing import Any

from scoville import tables
from scoville.ingest.identities import RATE_SUM
from scoville.ingest.points import MEASURED, Record, configuration

SAME = 1e-9
"""Two rows are the same measurement when their numbers agree to this, relative. Repeated runs never do."""

SAME_LOAD = 0.05
"""Mean lengths of two runs of the same load, relative."""

GITHUB_RUN = 10**9
"""Below the number of any run on GitHub; a database counts its runs from 1."""

_PARTS = ("input_tok_s_per_chip", "output_tok_s_per_chip")


def in_play(records: Iterable[Record]) -> list[Record]:
    """The records that are neither refused nor left out."""
    return [r for r in records if not r.refused and not r.aside]


def leave_out_known(records: list[Record], known: dict[tuple[Any, ...], list[tuple[dict[str, Any], str]]]) -> None:
    """Leave out the rows that the data folder has already, and all but one of those that were read twice.

    Args:
        records: all that were read.
        known: configuration to the rows of the folder, each as columns and with its place.
    """
    seen: dict[tuple[Any, ...], list[Record]] = {}
    for record in in_play(records):
        key = configuration(record.point)
        numbers = measured(record)
        place = next((p for row, p in known.get(key, []) if _holds(row, numbers)), "")
        if place:
            record.aside = f"already there, {place}"
        elif any(_holds(measured(other), numbers) for other in seen.get(key, [])):
            record.aside = "the same measurement as another row of this import"
        else:
            seen.setdefault(key, []).append(record)


def measured(record: Record) -> dict[str, float]:
    """The numbers that a row measured, by column."""
    found = {column: getattr(record.point, column) for column in MEASURED}
    return {column: value for column, value in found.items() if value is not None}


def _holds(row: dict[str, Any], numbers: dict[str, float]) -> bool:
    """Whether a row has all these numbers."""
    for column, value in numbers.items():
        other = row.get(column)
        if other is None or not abs(other - value) <= SAME * value:
            return False
    return True


def choose(records: list[Record], how: str) -> None:
    """Keep one run of each configuration and leave the others out, or keep all.

    Args:
        records: what was read from files of one kind, oldest file first.
        how: ``latest`` keeps the newest run (by number of the run, or by day); ``median`` puts the median over
            the runs of every number into the newest one; ``all`` keeps all.

    With more than one run, the note of the row that is kept says how many there were and how far apart.
    """
    if how == "all":
        return
    for group in _runs(in_play(records)):
        if len(group) > 1:
            _reduce(sorted(group, key=_age(group)), how)


def _runs(records: list[Record]) -> list[list[Record]]:
    """Records by configuration. Where the nominal lengths are not known, mean lengths tell loads apart."""
    groups: dict[tuple[Any, ...], list[list[Record]]] = {}
    for record in records:
        same = groups.setdefault(configuration(record.point), [])
        group = next((g for g in same if _same_load(g[0], record)), None)
        if group is None:
            same.append([record])
        else:
            group.append(record)
    return [group for same in groups.values() for group in same]


def _same_load(one: Record, other: Record) -> bool:
    if one.point.isl_nominal or one.point.workload == "agentic":
        return True
    pairs = [(getattr(one.point, c), getattr(other.point, c)) for c in ("isl_mean", "osl_mean")]
    return all(a is None or b is None or abs(a - b) <= SAME_LOAD * a for a, b in pairs)


def _age(group: list[Record]) -> Callable[[Record], tuple[Any, ...]]:
    """How the runs of a group are ordered: by number where all are numbered by GitHub, else by day first."""
    if all(record.run > GITHUB_RUN for record in group):
        return lambda record: (record.run,)
    return lambda record: (record.point.date or "", record.run)


def _reduce(group: list[Record], how: str) -> None:
    """Keep the last of a group; it becomes the median where that is asked for."""
    newest, count = group[-1], len(group)
    newest.note(f"{'median' if how == 'median' else 'newest'} of {count} runs{_spread(group)}")
    if how == "median":
        _put_medians(newest, group)
    for record in group[:-1]:
        record.aside = f"in the median of {count} runs" if how == "median" else "a newer run of the same configuration"


def _spread(group: list[Record]) -> str:
    for column, words in (("total_tok_s_per_chip", "total"), ("output_tok_s_per_chip", "output")):
        values = [v for r in group if (v := getattr(r.point, column)) is not None]
        if len(values) == len(group):
            return f", {_short(min(values))} to {_short(max(values))} {words} tok/s per chip"
    return ""


def _short(value: float) -> str:
    return f"{value:,.0f}" if value >= 1000 else f"{value:.4g}"


def _put_medians(newest: Record, group: list[Record]) -> None:
    point = newest.point
    for column in MEASURED:
        values = [v for r in group if (v := getattr(r.point, column)) is not None]
        setattr(point, column, median(values) if values else None)
    point.run_url = None  # it is no single run any more
    total, parts = point.total_tok_s_per_chip, [getattr(point, p) for p in _PARTS]
    if total and all(parts) and abs(sum(parts) - total) > RATE_SUM * total:
        point.input_tok_s_per_chip = point.output_tok_s_per_chip = None
        newest.note("medians of input and output rate left out: they do not make the median of the total")


def separate(read: list[tuple[str, list[Record]]], taken: dict[tuple[Any, ...], str]) -> None:
    """Refuse the rows that the table could not tell from others: same source, day, run and configuration.

    Args:
        read: files and their rows, with sources.
        taken: keys of the rows of the folder, and where they stand.
    """
    places = dict(taken)
    for file, records in reversed(read):
        for record in reversed(in_play(records)):
            key = tuple(getattr(record.point, column) for column in tables.POINT_KEY)
            if key in places:
                hint = "choose --select latest or median" if record.point.isl_nominal else "say --isl and --osl"
                reason = f"the table tells runs apart by source, day and address, and {places[key]} has the same"
                record.refuse("date", record.point.date, f"{reason}; {hint}")
            else:
                places[key] = f"{file}, row {record.row},"
