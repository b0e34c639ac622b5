"""A file that may hold results: its bytes, its hash, and its content as JSON values or CSV lines."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from scoville.paths import shown
from scoville.problems import InputError, Problem

SUFFIXES = (".json", ".jsonl", ".ndjson", ".csv", ".tsv")
"""Files that are looked at inside a folder. A file that is named is looked at whatever its name is."""

CELL_LIMIT = 16 * 2**20
"""Longest cell of a CSV file, characters: the JSON column of a database dump is far above csv's default."""

_PACKED_NAMES = (".gz", ".zip", ".zst", ".bz2", ".xz")
_HEAD = 2**16
_LINE_END = re.compile(r"\r\n|\n|\r")
# What can be left of a value at the end of a file that was cut off.
_UNFINISHED = re.compile(r"[-+.eE\d]*|t(r(ue?)?)?|f(a(l(se?)?)?)?|n(u(ll?)?)?|N(aN?)?|-?I(n(f(i(n(i(ty?)?)?)?)?)?)?")
_WEB_PAGE = re.compile(
    r"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)?<(?:!doctype\s+html|html)\b", re.IGNORECASE | re.DOTALL
)
_PACKED = {b"\x1f\x8b": "gzip", b"PK\x03\x04": "zip", b"\x28\xb5\x2f\xfd": "zstd", b"BZh": "bzip2", b"\xfd7zXZ": "xz"}
_WIDE = {b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16"}


@dataclass(frozen=True)
class Document:
    """One file as it was read.

    Attributes:
        path: where it lies.
        data: its bytes.
    """

    path: Path
    data: bytes

    @classmethod
    def read(cls, path: Path) -> Document:
        """Read a file.

        Raises:
            InputError: when it is not there or cannot be read.
        """
        try:
            return cls(path, path.read_bytes())
        except OSError as error:
            raise InputError(
                [Problem(shown(path), expected=f"expected a file that can be read ({error.strerror})")]
            ) from None

    @property
    def name(self) -> str:
        """Path as the user would type it."""
        return shown(self.path)

    @cached_property
    def sha256(self) -> str:
        """Hash of the bytes, hexadecimal."""
        return hashlib.sha256(self.data).hexdigest()

    def unusable(self, reason: str, line: int = 0, found: str = "") -> InputError:
        """The error that says why this whole file cannot be used."""
        return InputError([Problem(self.name, line, found=found, expected=f"expected {reason}")])

    @property
    def packed(self) -> str:
        """How the file is compressed; empty when it is not."""
        return next((kind for start, kind in _PACKED.items() if self.data.startswith(start)), "")

    @cached_property
    def text(self) -> str:
        """Content as text, without a byte order mark.

        Raises:
            InputError: for packed files, for UTF-16 and for anything else that is not UTF-8.
        """
        if self.packed:
            raise self.unusable(f"an unpacked file; this one is {self.packed}-compressed: unpack it first")
        for start, kind in _WIDE.items():
            if self.data.startswith(start):
                raise self.unusable(f"UTF-8 text; this is {kind}: save it as UTF-8")
        try:
            return self.data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise self.unusable(f"UTF-8 text ({error.reason} at byte {error.start}); save it as UTF-8") from None

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing in the file but blanks."""
        return not self.text.strip()

    @property
    def is_web_page(self) -> bool:
        """Whether the file is HTML: what a server or a proxy answers when it does not give the file."""
        return bool(_WEB_PAGE.match(self.text))

    @property
    def is_json(self) -> bool:
        """Whether the text starts like JSON; what does not is read as CSV."""
        return self.text.lstrip()[:1] in ("{", "[")

    @cached_property
    def values(self) -> list[Any]:
        """The JSON values of the file: one in most files, one a line in JSONL, several one after the other in
        files that a client appended to.

        ``NaN`` and ``Infinity`` are accepted here, as clients write them; the fields refuse them.

        Raises:
            InputError: with line and reason when the text is not JSON, or ends too early.
        """
        text, position, values = self.text, 0, []
        decoder = json.JSONDecoder()
        try:
            while (position := _skip_blanks(text, position)) < len(text):
                value, position = decoder.raw_decode(text, position)
                values.append(value)
        except json.JSONDecodeError as error:
            raise self._not_json(error) from None
        except RecursionError:
            raise self.unusable("a result file; this JSON is nested too deeply to be one") from None
        except ValueError as error:  # an integer with thousands of digits
            raise self.unusable(f"JSON with ordinary numbers ({error})") from None
        return values

    def _not_json(self, error: json.JSONDecodeError) -> InputError:
        rest = self.text[error.pos :].strip()
        if _UNFINISHED.fullmatch(rest) or error.msg.startswith("Unterminated"):
            reason = "JSON; the file ends in the middle of a value. It was cut off: copy or download it again"
        else:
            reason = f"JSON ({error.msg} at column {error.colno})"
        return self.unusable(reason, error.lineno, rest[:30])

    @cached_property
    def head(self) -> list[str]:
        """The first lines of the text, without line ends: enough for comments and a header."""
        return _LINE_END.split(self.text[:_HEAD])

    def cells(self, delimiter: str = ",", skip: int = 0) -> Iterator[tuple[int, list[str]]]:
        """The records of a CSV file: the line each starts on, and its cells.

        Args:
            delimiter: between cells.
            skip: lines before the header.

        Raises:
            InputError: for text that breaks the rules of CSV.
        """
        csv.field_size_limit(CELL_LIMIT)
        stream = io.StringIO(self.text, newline="")
        for _ in range(skip):
            stream.readline()
        reader = csv.reader(stream, delimiter=delimiter, strict=True)
        start = skip + 1
        try:
            for cells in reader:
                if any(cell.strip() for cell in cells):
                    yield start, cells
                start = skip + reader.line_num + 1
        except csv.Error as error:
            line = skip + reader.line_num
            raise self.unusable(f"comma-separated values ({error}); the file may have been cut off", line) from None


def _skip_blanks(text: str, position: int) -> int:
    while position < len(text) and text[position] in " \t\r\n":
        position += 1
    return position


@dataclass(frozen=True)
class Found:
    """A file to look at.

    Attributes:
        path: where it lies.
        folder: the folder that was given, for a file that was found in one; None for a file that was named.
    """

    path: Path
    folder: Path | None = None


def find(paths: list[Path]) -> tuple[list[Found], list[Problem]]:
    """The files that the given paths stand for.

    Returns:
        Files in the order given and sorted inside folders, each once; hidden ones are left out. And a problem
        for every path that is not there, and every folder without a file that could hold results.
    """
    found: dict[Path, Found] = {}
    problems = []
    for path in paths:
        if path.is_dir():
            inside = [p for p in sorted(path.rglob("*")) if _may_hold_results(p) and p.is_file()]
            inside = [p for p in inside if not _hidden(p, path)]
            if not inside:
                what = f"expected a folder with result files ({', '.join(SUFFIXES)}); this one has none"
                problems.append(Problem(shown(path), expected=what))
            for file in inside:
                found.setdefault(file.resolve(), Found(file, path))
        elif path.exists():
            found[path.resolve()] = Found(path)
        else:
            problems.append(Problem(shown(path), expected="expected a file or a folder; nothing is there"))
    return list(found.values()), problems


def _may_hold_results(path: Path) -> bool:
    """By its name, or by the name it had before it was packed: that is not read, but must not go unnoticed."""
    name = path.name.lower()
    packed = next((suffix for suffix in _PACKED_NAMES if name.endswith(suffix)), "")
    return packed == ".zip" or name.removesuffix(packed).endswith(SUFFIXES)


def _hidden(path: Path, root: Path) -> bool:
    return any(part.startswith(".") for part in path.relative_to(root).parts)
