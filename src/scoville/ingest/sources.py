"""The sources that imported files become: their keys, and their lines in ``sources.csv``."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

from scoville import tables
from scoville.ingest.findings import FileResult
from scoville.ingest.folder import Folder, provenance
from scoville.ingest.formats import Source
from scoville.ingest.options import Options
from scoville.ingest.points import Record
from scoville.ingest.selection import family, in_play, repeats

_LISTED = 3
"""File names in the title of a source of several files."""


@dataclass
class Group:
    """Files, or rows of a file, that make one source.

    Attributes:
        source: what the format knows of it.
        files: the files.
        records: the rows.
        key: the key of the source.
        known: whether ``sources.csv`` has it already.
    """

    source: Source
    files: list[FileResult] = field(default_factory=list)
    records: list[Record] = field(default_factory=list)
    key: str = ""
    known: bool = False


def assign(folder: Folder, read: list[tuple[FileResult, Source, bool]], options: Options) -> list[Group]:
    """Give every row that is in play its source and evidence.

    Args:
        folder: the data folder.
        read: the files that were read, what each is as a source, and whether it holds one run of a sweep.
        options: `source_id` files everything under one key; with ``--select all`` every file of a sweep stays a
            source of its own, and so do repeats within a file that no day or address tells apart.

    A file that was imported before keeps the source it has. A key that another file has is made unique with the
    first digits of the hash.
    """
    groups: dict[str, Group] = {}
    for result, source, sweep in read:
        for record, repeat in repeats(in_play(result.records)):
            name = _group_name(folder, result, record, sweep, options)
            if options.select == "all" and repeat and not name.startswith("="):
                name = f"{name} {repeat + 1}"
            group = groups.setdefault(name, Group(source))
            group.records.append(record)
            if result not in group.files:
                group.files.append(result)
    taken = folder.keys(tables.SOURCES)
    for name, group in groups.items():
        _name(name, group, folder, taken, options)
        taken.add(group.key)
        _label(group, options)
    for result, _, _ in read:
        for record in result.records:
            record.file = result.path
            record.family = family(result.format, record.point.source_id)
    return list(groups.values())


def _group_name(folder: Folder, result: FileResult, record: Record, sweep: bool, options: Options) -> str:
    """What puts rows into one source: ``=key`` for a given key, else something that only tells groups apart."""
    given = options.source_id or record.point.source_id
    if known := folder.source_of(result.sha256, given):
        return f"={known}"
    if given:
        return f"={given}"
    return result.format if sweep and options.select != "all" else result.sha256


def _name(name: str, group: Group, folder: Folder, taken: set[str], options: Options) -> None:
    if name.startswith("="):
        group.key = name[1:]
        group.known = group.key in folder.keys(tables.SOURCES)
        _refuse_strangers(group, folder, options)
        return
    stem, mark = group.source.stem, group.files[0].sha256[:8]
    unique = stem if group.source.kind == "dataset" or stem.startswith("user-") else f"{stem}-{mark}"
    unique = f"{unique}-{mark}" if unique in taken and unique == stem else unique
    repeat = name.partition(" ")[2]
    group.key = f"{unique}-{repeat}" if repeat else unique


def _refuse_strangers(group: Group, folder: Folder, options: Options) -> None:
    """Refuse rows that claim the source of another file: one source is what one set of files says."""
    for result in group.files if group.known else ():
        if folder.source_of(result.sha256, group.key) == group.key:
            continue
        for record in in_play(result.records):
            where = "--source-id" if options.source_id else "source_id"
            record.refuse(where, group.key, "this source stands for other files already; choose another key")
    group.records = in_play(group.records)


def _label(group: Group, options: Options) -> None:
    for record in group.records:
        record.point.source_id = group.key
        record.point.evidence = record.point.evidence or options.evidence or group.source.evidence


def row(group: Group, options: Options, today: date) -> dict[str, Any]:
    """The line of a source. Published is the day of its newest row, and blank where no row has one: the pages let
    the source that was published last stand for a configuration."""
    source, rows = group.source, [r for r in group.records if not r.refused]
    read = provenance({f.format for f in group.files}, options.select)
    return {
        "source_id": group.key,
        "kind": source.kind,
        "title": _title(group),
        "publisher": source.publisher or None,
        "published": max((r.point.date[: len("YYYY-MM-DD")] for r in rows if r.point.date), default=None),
        "retrieved": today.isoformat(),
        "url": source.url or None,
        "evidence": options.evidence or source.evidence,
        "attribution": source.attribution or None,
        "sha256": " ".join(f.sha256 for f in group.files),
        "note": f"{source.note} {read}".strip(),
    }


def _title(group: Group) -> str:
    names = [Path(f.path).name for f in group.files]
    more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    return f"{group.source.title}: {', '.join(names[:_LISTED])}{more}"
