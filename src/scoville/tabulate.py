"""Tables for pages: readable names, units, aligned numbers at their printed precision.

Not pandas' Styler: it cannot give a row an anchor or a heading its scope, and it writes ids into every cell.
"""

from __future__ import annotations

import csv
import html
import io
import numbers
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from scoville.units import plural

Formatter = Callable[[Any], str]


def number(places: int = 0, unit: str = "") -> Formatter:
    """A number with thousands separators and a fixed number of decimals; a dash where it is missing."""
    return lambda value: "–" if pd.isna(value) else f"{value:,.{places}f}{unit}"


def significant(digits: int = 3, unit: str = "") -> Formatter:
    """A number with a fixed number of significant digits, never in scientific notation."""

    def show(value: Any) -> str:
        if pd.isna(value):
            return "–"
        places = max(0, digits - len(f"{abs(value):.0f}".lstrip("0"))) if abs(value) >= 1 else digits
        return f"{value:,.{places}f}{unit}"

    return show


def span(places: int = 2, unit: str = "") -> Formatter:
    """An interval as ``low–high``, or one number where both print the same."""

    def show(value: Any) -> str:
        if value is None or (isinstance(value, float) and pd.isna(value)):
            return "–"
        low, high = (f"{end:,.{places}f}" for end in value)
        return f"{low}{unit}" if low == high else f"{low}–{high}{unit}"

    return show


def text(value: Any) -> str:
    """Text, escaped; blank where it is missing."""
    return "" if value is None or (isinstance(value, float) and pd.isna(value)) else html.escape(str(value))


def markup(value: Any) -> str:
    """HTML made by this package, passed through."""
    return "" if value is None or (isinstance(value, float) and pd.isna(value)) else str(value)


def sources(value: Any) -> str:
    """Links to where a row comes from, smaller than the row; blank where there is none."""
    return f'<span class="sources">{value}</span>' if markup(value) else ""


@dataclass(frozen=True)
class Column:
    """How one column is shown.

    Attributes:
        label: heading, with the unit where there is one.
        show: from value to HTML.
        numeric: whether it is set flush right.
    """

    label: str
    show: Formatter = text
    numeric: bool = False


def figures(label: str, show: Formatter) -> Column:
    """A numeric column."""
    return Column(label, show, numeric=True)


@dataclass(frozen=True)
class Table:
    """A frame as a table of a page.

    Attributes:
        frame: the data.
        columns: frame column to how it is shown, in order; columns not named are left out.
        caption: what the table says, in plain words.
        folded: whether it starts as a closed ``<details>``: for the data behind a chart.
        row_ids: column whose values become anchors of the rows; empty for none.
        rests_on: links to the sources of what the rows were computed from, told below the table; for tables whose
            rows have no source of their own.
    """

    frame: pd.DataFrame
    columns: Mapping[str, Column]
    caption: str
    folded: bool = False
    row_ids: str = ""
    rests_on: tuple[str, ...] = ()

    def _repr_mimebundle_(self, **_wanted: Any) -> dict[str, str]:
        """What a notebook keeps: the table as HTML with the place of its download, as CSV, and as a line of text."""
        return {"text/html": self._repr_html_() + CSV_PLACE, "text/csv": self.csv(), "text/plain": repr(self)}

    def csv(self) -> str:
        """The table as CSV: headings as on the page, numbers to ten digits, both ends of an interval.

        Where cells of a column have links, the next column holds where these lead (`_addresses`).
        """
        heads, cells = ([self.row_ids], [list(self.frame[self.row_ids])]) if self.row_ids else ([], [])
        for name, column in self.columns.items():
            values = list(self.frame[name])
            if any(_is_interval(v) for v in values) and column.numeric:
                low, high = ([_digits(v[end]) if _is_interval(v) else "" for v in values] for end in (0, -1))
                same = low == high
                heads += [column.label] if same else [f"{column.label} (low)", f"{column.label} (high)"]
                cells += [low] if same else [low, high]
            else:
                heads.append(column.label)
                cells.append([_digits(v) if column.numeric and _is_number(v) else _plain(column, v) for v in values])
            addresses = [_addresses(column.show(v)) for v in values]
            if any(addresses):
                heads.append(f"{column.label} (address or key)")
                cells.append(addresses)
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerows([heads, *zip(*cells, strict=True)])
        return out.getvalue()

    def _repr_html_(self) -> str:
        """HTML for notebooks and the book."""
        label = html.escape(self.caption, quote=True)
        scroll = f'<div class="table-scroll" tabindex="0" role="region" aria-label="{label}">'
        table = f"{scroll}{self._table()}</div>{self._rests()}"
        if not self.folded:
            # not a <caption>: that is as wide as the table, and would be cut off with it
            return f'<p class="table-caption">{html.escape(self.caption)}</p>{table}'
        return f'<details class="table-folded"><summary>{html.escape(self.caption)}</summary>{table}</details>'

    def _table(self) -> str:
        head = "".join(
            f'<th scope="col"{_class(column)}>{html.escape(column.label)}</th>' for column in self.columns.values()
        )
        rows = []
        for record in self.frame.to_dict("records"):
            anchor = f' id="{html.escape(str(record[self.row_ids]), quote=True)}"' if self.row_ids else ""
            cells = "".join(f"<td{_class(c)}>{c.show(record[name])}</td>" for name, c in self.columns.items())
            rows.append(f"<tr{anchor}>{cells}</tr>")
        return f'<table class="data"><thead><tr>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table>'

    def _rests(self) -> str:
        return f'<p class="table-rests">Computed from: {"; ".join(self.rests_on)}.</p>' if self.rests_on else ""

    def __repr__(self) -> str:
        """Plain text for terminals and for readers of the raw notebook."""
        return f"{self.caption} ({plural(len(self.frame), 'row')})"


CSV_PLACE = '<span class="table-csv"></span>'
"""Where the built page links the table's CSV; `scoville.site.downloads` fills it."""


def _is_number(value: Any) -> bool:
    return isinstance(value, numbers.Real) and not isinstance(value, bool)


def _is_interval(value: Any) -> bool:
    return isinstance(value, tuple) and len(value) == 2 and all(_is_number(end) for end in value)


def _digits(value: Any) -> str:
    """Ten significant digits, without an exponent; blank where the value is missing."""
    if value is None or pd.isna(value):
        return ""
    digits = f"{value:.10g}"
    return digits if "e" not in digits else f"{value:.10f}".rstrip("0").rstrip(".")


def _plain(column: Column, value: Any) -> str:
    """What a cell shows, without markup; what begins a line of its own after a semicolon."""
    shown = re.sub(r"(?<!^)<span class=\"detail\">|<br>|</div><div>", "; ", column.show(value))
    told = html.unescape(re.sub(r"<[^>]+>", "", shown)).strip()
    if column.numeric:
        told = re.sub(r"(?<=\d),(?=\d{3})", "", told)
    return "" if told == "–" else told


def _addresses(shown: str) -> str:
    """Where the links of a cell lead, apart by spaces: in the book the key of a source or claim, else the address."""
    found = (html.unescape(address) for address in re.findall(r'<a [^>]*?href="([^"]*)"', shown))
    return " ".join(dict.fromkeys(a if "://" in a else re.sub(r"^.*[#/]|\.html$", "", a) for a in found))


def _class(column: Column) -> str:
    return ' class="n"' if column.numeric else ""
