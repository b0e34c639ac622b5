"""Tables of pages: numbers at their precision, gaps as dashes, text escaped."""

import pandas as pd
import pytest
from bs4 import BeautifulSoup

from scoville.tabulate import CSV_PLACE, Column, Table, figures, markup, number, significant, sources, span, text


@pytest.mark.parametrize(
    ("show", "value", "expected"),
    [
        (number(), 85448.44, "85,448"),
        (number(2, "×"), 1.9005, "1.90×"),
        (number(), float("nan"), "–"),
        (significant(4), 1.9005, "1.901"),
        (significant(4), 535.2754, "535.3"),
        (significant(3), 0.6854, "0.685"),
        (significant(3), 12258.8, "12,259"),
        (significant(3), None, "–"),
        (span(2, "×"), (1.5077, 1.8428), "1.51–1.84×"),
        (span(2, "×"), (1.9005, 1.9006), "1.90×"),
        (span(), None, "–"),
        (text, "<b>", "&lt;b&gt;"),
        (text, float("nan"), ""),
        (markup, "<b>", "<b>"),
        (markup, None, ""),
    ],
)
def test_how_a_value_is_shown(show: object, value: object, expected: str) -> None:
    assert show(value) == expected  # type: ignore[operator]


def table(**options: object) -> Table:
    frame = pd.DataFrame({"key": ["a", "b"], "x": [1.25, float("nan")], "unused": [1, 2]})
    return Table(frame, {"key": Column("Key"), "x": figures("X, W", number(1))}, "Two <rows>", **options)  # type: ignore[arg-type]


def test_a_table_has_scoped_headings_a_caption_and_aligned_numbers() -> None:
    soup = BeautifulSoup(table()._repr_html_(), "html.parser")
    assert [(th.text, th["scope"], th.get("class")) for th in soup.find_all("th")] == [
        ("Key", "col", None),
        ("X, W", "col", ["n"]),
    ]
    assert soup.p is not None
    assert soup.p.text == "Two <rows>"
    assert [[td.text for td in tr.find_all("td")] for tr in soup.select("tbody tr")] == [["a", "1.2"], ["b", "–"]]
    assert soup.div is not None
    assert soup.div["tabindex"] == "0"


def test_rows_can_be_anchors() -> None:
    soup = BeautifulSoup(table(row_ids="key")._repr_html_(), "html.parser")
    assert [tr["id"] for tr in soup.select("tbody tr")] == ["a", "b"]


def test_a_folded_table_is_a_closed_details() -> None:
    soup = BeautifulSoup(table(folded=True)._repr_html_(), "html.parser")
    assert soup.details is not None
    assert soup.details.summary is not None
    assert soup.details.summary.text == "Two <rows>"
    assert not soup.details.has_attr("open")
    assert soup.p is None


def test_csv_has_numbers_to_ten_digits_and_both_ends_of_intervals() -> None:
    frame = pd.DataFrame(
        {
            "id": ["a", "b"],
            "name": ["<b>GB200</b>" + '<span class="detail">P 2×TP1</span>', "x, y"],
            "value": [12345.67890123, None],
            "ends": [(0.5, 1.25e-7), None],
            "same": [(3.0, 3.0), (4.0, 4.0)],
            "shown": ["<em>1,234</em>", "–"],
        }
    )
    columns = {
        "name": Column("Name", markup),
        "value": figures("Rate, tok/s", number(0)),
        "ends": figures("Ratio", span(2)),
        "same": figures("Peak", span(2)),
        "shown": Column("Contexts", markup, numeric=True),
    }
    assert Table(frame, columns, "caption", row_ids="id").csv().splitlines() == [
        'id,Name,"Rate, tok/s",Ratio (low),Ratio (high),Peak,Contexts',
        "a,GB200; P 2×TP1,12345.6789,0.5,0.000000125,3,1234",
        'b,"x, y",,,,4,',
    ]


def test_csv_says_where_the_links_of_a_cell_lead() -> None:
    frame = pd.DataFrame(
        {
            "what": ["one", "two", "three"],
            "evidence": [
                'measured<span class="detail"><a href="../sources.html#dump-2026">The dump</a></span>',
                'read<br><a class="run" href="https://example.org/runs/7?a=1&amp;b=2">run 7</a>; '
                '<a href="sources.html#dump-2026">The dump</a>; <a href="../sources.html#dump-2026">again</a>',
                "not published",
            ],
            "rule": ["by hand", '<a href="../methods.html">methods</a>', None],
            "price": ['<div>1,200 W</div><div><a href="claims.html#002.watts">550 W</a></div>', "–", "–"],
        }
    )
    columns = {
        "what": Column("What"),
        "evidence": Column("Evidence", markup),
        "rule": Column("Rule", markup),
        "price": figures("Price", markup),
    }
    assert Table(frame, columns, "caption").csv().splitlines() == [
        "What,Evidence,Evidence (address or key),Rule,Rule (address or key),Price,Price (address or key)",
        "one,measured; The dump,dump-2026,by hand,,1200 W; 550 W,002.watts",
        "two,read; run 7; The dump; again,https://example.org/runs/7?a=1&b=2 dump-2026,methods,methods,,",
        "three,not published,,,,,",
    ]


def test_a_table_of_computed_rows_tells_its_sources_below() -> None:
    links = ('<a href="sources.html#a">A</a>', '<a href="sources.html#b">B</a>')
    for folded in (False, True):
        soup = BeautifulSoup(table(rests_on=links, folded=folded)._repr_html_(), "html.parser")
        told = soup.select_one("p.table-rests")
        assert told is not None
        assert told.text == "Computed from: A; B."
        assert [a["href"] for a in told.select("a")] == ["sources.html#a", "sources.html#b"]
        assert told.find_previous_sibling("div", class_="table-scroll") is not None
        assert bool(told.find_parent("details")) == folded
    assert "table-rests" not in table()._repr_html_()


def test_links_to_sources_are_smaller_and_nothing_where_there_are_none() -> None:
    assert sources("<a>A</a>") == '<span class="sources"><a>A</a></span>'
    assert [sources(value) for value in ("", None, float("nan"))] == ["", "", ""]


def test_a_notebook_keeps_the_csv_beside_the_html() -> None:
    table = Table(pd.DataFrame({"n": [1]}), {"n": figures("n", number())}, "one")
    kept = table._repr_mimebundle_()
    assert kept["text/html"].count(CSV_PLACE) == 1
    assert kept["text/csv"] == "n\n1\n"
