"""The feed of editions, held against what RFC 4287 demands."""

from __future__ import annotations

import json
import re
import shutil
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest
from bs4 import BeautifulSoup

from scoville import __version__
from scoville.problems import InputError
from scoville.site.feed import is_dated, write_feed

ROOT = Path(__file__).resolve().parents[2]
ATOM = {"a": "http://www.w3.org/2005/Atom"}
DATE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)")  # RFC 3339, section 4.1.1 and 3.3 of RFC 4287


def said(as_of: str | None, *claims: str, points: int = 0) -> dict[str, Any]:
    key = "source_id=s model=m system=x workload=agentic concurrency="
    rows = {f"{key}{n}": {"ttft_median_s": 1.0} for n in range(points)}
    return {
        "format": 1,
        "as_of": as_of,
        "claims": {c: ["1.9", "consistent"] for c in claims},
        "points": rows,
        "ratios": {},
    }


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """A book with one edition behind it."""
    (tmp_path / "data/editions").mkdir(parents=True)
    (tmp_path / "data/editions/0.0.9.json").write_text(json.dumps(said("2026-09-01", "a")))
    (tmp_path / "CHANGELOG.md").write_text(f"# Changes\n\n## {__version__}\n\n- New & `good`.\n\n## 0.0.9\n\n- Old.\n")
    shutil.copy(ROOT / "_config.yml", tmp_path)
    (tmp_path / "site").mkdir()
    return tmp_path


def written(book: Path, now: dict[str, Any]) -> ET.Element:
    write_feed(book, now, book / "site")
    return ET.parse(book / "site/changes.xml").getroot()


def check_atom(feed: ET.Element) -> None:
    """The elements that section 4.1.1 and 4.1.2 of RFC 4287 require, and how many of each they allow."""
    assert feed.tag == "{http://www.w3.org/2005/Atom}feed"
    for holder in (feed, *feed.findall("a:entry", ATOM)):
        for name in ("id", "title", "updated"):
            (element,) = holder.findall(f"a:{name}", ATOM)
            assert (element.text or "").strip(), name
        assert DATE.fullmatch(holder.findtext("a:updated", "", ATOM))
        assert re.fullmatch(r"[a-z][a-z0-9+.-]*:\S+", holder.findtext("a:id", "", ATOM))
        alternates = holder.findall("a:link[@rel='alternate']", ATOM)
        assert len({(link.get("type"), link.get("hreflang")) for link in alternates}) == len(alternates) == 1
    assert feed.findtext("a:author/a:name", "", ATOM)  # which entries without an author of their own inherit
    ids = [e.findtext("a:id", "", ATOM) for e in (feed, *feed.findall("a:entry", ATOM))]
    assert len(set(ids)) == len(ids)
    for content in feed.findall("a:entry/a:content", ATOM):
        assert content.get("type") == "html"
        assert not list(content)  # escaped, as that type demands


def test_the_feed_of_the_book_is_atom(site: Path) -> None:
    feed = ET.parse(site / "changes.xml").getroot()
    check_atom(feed)
    newest = feed.find("a:entry", ATOM)
    assert newest is not None
    assert newest.findtext("a:title", "", ATOM) == f"Scoville {__version__}"
    assert feed.findtext("a:id", "", ATOM) == "urn:uuid:893b506b-535b-5409-b1f2-f3a192f88828"  # for ever
    for link in feed.iterfind(".//a:link", ATOM):
        assert (site / link.attrib["href"]).is_file()


def test_its_date_is_that_of_the_latest_source(site: Path) -> None:
    lines = (ROOT / "data/sources.csv").read_text(encoding="utf-8")
    latest = max(re.findall(r",(\d{4}-\d\d-\d\d),(?:https?:|,)", lines))
    assert ET.parse(site / "changes.xml").getroot().findtext("a:updated", "", ATOM) == f"{latest}T00:00:00Z"


def test_every_page_names_the_feed_and_the_changes_page_in_words(site: Path, soups: dict[str, BeautifulSoup]) -> None:
    for name, soup in soups.items():
        if name != "index.html":
            (link,) = soup.select('head link[rel=alternate][type="application/atom+xml"]')
            assert ((site / name).parent / str(link["href"])).resolve() == site.resolve() / "changes.xml"
    (link,) = soups["book/changes.html"].select('article a[href$="changes.xml"]')
    assert "feed" in link.text


def test_an_entry_an_edition_the_newest_first_with_notes_and_changes(book: Path) -> None:
    feed = written(book, said("2026-11-30", "a", "b"))
    check_atom(feed)
    new, old = feed.findall("a:entry", ATOM)
    assert [e.findtext("a:updated", "", ATOM) for e in (feed, new, old)] == [
        "2026-11-30T00:00:00Z",
        "2026-11-30T00:00:00Z",
        "2026-09-01T00:00:00Z",
    ]
    told = BeautifulSoup(new.findtext("a:content", "", ATOM), "html.parser")
    assert [item.text for item in told.select("li")] == ["New & good."]
    assert told.pre is not None
    assert told.pre.text == "claims whose verdict changed: 1\n  b: not there → 1.9: consistent"
    assert "Old." in old.findtext("a:content", "", ATOM)


def test_an_edition_keeps_its_id_when_another_follows(book: Path) -> None:
    before = written(book, said("2026-10-01", "a"))
    (book / f"data/editions/{__version__}.json").write_text(json.dumps(said("2026-10-01", "a")))
    after = written(book, said("2026-11-30", "a", "b"))
    ids = [[e.findtext("a:id", "", ATOM) for e in feed.findall("a:entry", ATOM)] for feed in (before, after)]
    assert ids[0] == ids[1]
    assert after.findtext("a:updated", "", ATOM) == "2026-10-01T00:00:00Z"  # what is not released is no news


def test_many_changes_are_counted(book: Path) -> None:
    entry = written(book, said("2026-11-30", "a", points=100)).find("a:entry", ATOM)
    assert entry is not None
    shown = BeautifulSoup(entry.findtext("a:content", "", ATOM), "html.parser").pre
    assert shown is not None
    assert len(shown.text.splitlines()) == 41
    assert shown.text.endswith("and 61 lines more")  # a heading and 100 points, less 40 lines


def test_a_known_address_stands_in_every_link(book: Path) -> None:
    config = book / "_config.yml"
    config.write_text(config.read_text().replace('baseurl: ""', "baseurl: https://a.example/b/"))
    links = {(e.get("rel"), e.get("href")) for e in written(book, said("2026-11-30")).iterfind(".//a:link", ATOM)}
    base = "https://a.example/b"
    assert links == {("alternate", f"{base}/book/changes.html"), ("self", f"{base}/changes.xml")}


def test_without_a_date_there_is_no_feed(book: Path) -> None:
    written(book, said("2026-11-30"))
    (book / "data/editions/0.0.9.json").unlink()
    write_feed(book, said(None), book / "site")
    assert not (book / "site/changes.xml").exists()
    (book / "data/sources.csv").write_text("source_id,retrieved\na,\n")
    assert not is_dated(book)
    (book / "data/sources.csv").write_text("source_id,retrieved\na,\nb,2026-01-01\n")
    assert is_dated(book)


def test_a_snapshot_that_cannot_be_read_is_named(book: Path) -> None:
    (book / "data/editions/0.0.9.json").write_text("{}")
    with pytest.raises(InputError, match=r"0\.0\.9\.json: an edition written by this version of scoville"):
        write_feed(book, said("2026-11-30"), book / "site")
