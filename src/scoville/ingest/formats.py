"""The interface of a foreign format, and the line that a file gets in the table of sources."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from scoville.ingest.documents import Document
from scoville.ingest.options import Options
from scoville.ingest.points import Record


@dataclass(frozen=True)
class Source:
    """What a format knows of the source that its file is: the columns of `tables.SOURCES` that follow from it.

    Attributes:
        stem: what its key starts with; made unique where another file has it already.
        title: what it is, for the table.
        kind: `dataset` for published files, `user` for the user's own.
        publisher, url, attribution, evidence, note: as in the table; empty where there is nothing to say.
    """

    stem: str
    title: str
    kind: str = "user"
    publisher: str = ""
    url: str = ""
    evidence: str = "user-measured"
    attribution: str = ""
    note: str = ""


@dataclass(frozen=True)
class Reading:
    """What a format made of a file.

    Attributes:
        records: one for every row of the file, refused ones among them.
        source: the file as a source.
        notes: what the user should know of the file as a whole.
    """

    records: list[Record]
    source: Source
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Format:
    """A foreign format.

    Attributes:
        name: what reports call it.
        looks_for: what makes a file one of this format, in words; told when nothing was recognised.
        matches: whether a file is of this format, judged by its content.
        read: its rows, with the numbers of the file converted to our columns. It raises an `InputError` when
            the file as a whole cannot be used, and refuses or blanks what is wrong with single rows. Identities
            are checked afterwards, the same for all formats.
        sweep: whether a file holds one run of a sweep, so that several of them together make one source.
    """

    name: str
    looks_for: str
    matches: Callable[[Document], bool]
    read: Callable[[Document, Options], Reading]
    sweep: bool = False
