"""The editions of the book as an Atom feed (RFC 4287): what changed from each to the next.

Some forty lines on the standard library: feedgen would do the same and bring lxml.
"""

from __future__ import annotations

import html
import re
import uuid
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
import yaml
from markdown_it import MarkdownIt

from scoville import __version__
from scoville.difference import difference, kept_editions, told

FILE = "changes.xml"
_ATOM = "http://www.w3.org/2005/Atom"
_PAGE = "book/changes.html"
_MOST = 40
"""Lines of changes that an entry lists; the rest are counted."""


@dataclass(frozen=True)
class Edition:
    """One entry of the feed.

    Attributes:
        version: of the edition.
        as_of: day on which its latest source was read, as YYYY-MM-DD.
        notes: what its heading in the change log says, in Markdown; empty where there is none.
        changes: what differs from the edition before it, a line each.
    """

    version: str
    as_of: str
    notes: str
    changes: tuple[str, ...]


def is_dated(root: Path) -> bool:
    """Whether the book at ``root`` has a feed: Atom demands a date, and not all data folders hold one."""
    sources = pd.read_csv(root / "data" / "sources.csv", dtype=str, index_col=False)
    return bool(sources["retrieved"].notna().any())


def editions(root: Path, now: Mapping[str, Any]) -> list[Edition]:
    """Released editions and, where it is none of them, the one that is built; the newest first, undated ones left out.

    Args:
        root: the project's folder.
        now: snapshot of the edition that is built.

    Raises:
        InputError: when a kept snapshot cannot be read.
    """
    notes = _notes(root / "CHANGELOG.md")
    kept = kept_editions(root / "data")
    all_of_them = [*kept.items(), *([] if __version__ in kept else [(__version__, dict(now))])]
    found, before = [], None
    for version, said in all_of_them:
        changes = () if before is None else tuple(told(difference(before, said)))
        if said.get("as_of"):
            found.append(Edition(version, said["as_of"], notes.get(version, ""), changes))
        before = said
    return found[::-1]


def _notes(changelog: Path) -> dict[str, str]:
    """Version to what stands below its heading; empty for a book without a change log."""
    if not changelog.is_file():
        return {}
    _, *parts = re.split(r"^## (\S+).*$", changelog.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {version: text.strip() for version, text in zip(parts[::2], parts[1::2], strict=True)}


def atom(found: list[Edition], config: Mapping[str, Any]) -> str:
    """The feed.

    Its ids follow from author and title of the book, so that they outlive a move to another address. Whoever
    publishes a book of their own gives it a title of its own.

    Args:
        found: at least one edition, the newest first.
        config: ``_config.yml``.
    """
    ET.register_namespace("", _ATOM)
    author, title = str(config["author"]), str(config["title"])
    base = str(config.get("html", {}).get("baseurl") or "")
    address = f"{base.rstrip('/')}/" if base else ""
    feed = ET.Element(_name("feed"), {"xml:lang": "en"})
    _add(feed, "id", _id(author, title))
    _add(feed, "title", f"{title}: what changed")
    _add(feed, "updated", _moment(found[0].as_of))
    _add(_add(feed, "author"), "name", author)
    _add(feed, "link", rel="alternate", type="text/html", href=address + _PAGE)
    if address:
        _add(feed, "link", rel="self", type="application/atom+xml", href=address + FILE)
    for edition in found:
        entry = _add(feed, "entry")
        _add(entry, "id", _id(author, title, edition.version))
        _add(entry, "title", f"{title} {edition.version}")
        _add(entry, "updated", _moment(edition.as_of))
        _add(entry, "link", rel="alternate", type="text/html", href=address + _PAGE)
        _add(entry, "content", "".join(_told(edition)), type="html")
    ET.indent(feed)
    return ET.tostring(feed, encoding="unicode", xml_declaration=False) + "\n"


def _told(edition: Edition) -> Iterator[str]:
    if edition.notes:
        yield MarkdownIt().render(edition.notes)
    if edition.changes:
        more = len(edition.changes) - _MOST
        lines = [*edition.changes[:_MOST], *([f"and {more} lines more"] if more > 0 else [])]
        yield f"<p>Compared with the edition before:</p><pre>{html.escape(chr(10).join(lines))}</pre>"
    if not edition.notes and not edition.changes:
        yield "<p>The first edition.</p>"


def _add(parent: ET.Element, tag: str, text: str | None = None, **attributes: str) -> ET.Element:
    added = ET.SubElement(parent, _name(tag), attributes)
    added.text = text
    return added


def _name(tag: str) -> str:
    return f"{{{_ATOM}}}{tag}"


def _id(*parts: str) -> str:
    return uuid.uuid5(uuid.NAMESPACE_URL, "/".join(parts)).urn


def _moment(day: str) -> str:
    return f"{day}T00:00:00Z"


def write_feed(root: Path, now: Mapping[str, Any], folder: Path) -> None:
    """Write the feed of the book at ``root`` into its site, or remove it where no edition is dated.

    Args:
        root: the project's folder.
        now: snapshot of the edition that is built.
        folder: the site.

    Raises:
        InputError: when a kept snapshot cannot be read.
    """
    found = editions(root, now)
    if found:
        config = yaml.safe_load((root / "_config.yml").read_text(encoding="utf-8"))
        text = '<?xml version="1.0" encoding="utf-8"?>\n' + atom(found, config)
        (folder / FILE).write_text(text, encoding="utf-8")
    else:
        (folder / FILE).unlink(missing_ok=True)
