"""What all pages share: the data, names, links, and the table of claims."""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import altair as alt
import pandas as pd

from scoville import tables
from scoville.audit import Finding, audit
from scoville.compare import DECODING, Line
from scoville.facts import Facts
from scoville.runs import run_at_github
from scoville.tabulate import CSV_PLACE, Column, Table, figures, markup, number, significant, span


@dataclass(frozen=True)
class Html:
    """A piece of HTML to show, with a text that stands for it elsewhere.

    Attributes:
        body: the HTML.
        summary: the text.
        csv: tables in it as one CSV, with the place of its download; empty where there is none.
    """

    body: str
    summary: str
    csv: str = ""

    def _repr_mimebundle_(self, **_wanted: Any) -> dict[str, str]:
        """What a notebook keeps."""
        html_and_text = {"text/html": self.body + (CSV_PLACE if self.csv else ""), "text/plain": self.summary}
        return html_and_text | ({"text/csv": self.csv} if self.csv else {})

    def _repr_html_(self) -> str:
        return self.body

    def __repr__(self) -> str:
        """The text."""
        return self.summary


def first_paragraph(shown: Html) -> str:
    """What stands in the first paragraph of a piece of HTML."""
    return shown.body.removeprefix("<p>").split("</p>")[0]


def glue(values: Mapping[str, str]) -> None:
    """Make values available to the prose of the page, as ``{glue:text}`key` ``.

    They are strings, formatted here, so that a sentence shows just the digits that it should.
    """
    from myst_nb import glue as store  # noqa: PLC0415 - half a second that only notebooks spend

    for key, value in values.items():
        store(key, Plain(value), display=False)


@dataclass(frozen=True)
class Plain:
    """Text whose representation has no quotation marks around it."""

    value: str

    def __repr__(self) -> str:
        """The text."""
        return self.value


# ------------------------------------------------------------------ what all pages share


@dataclass(frozen=True)
class Page:
    """A page of the book.

    Attributes:
        title: its heading, where other pages name it.
        facts: the data folder.
        root: relative address of the book's folder, for links (``../`` for a page one folder down).
    """

    title: ClassVar[str] = ""
    facts: Facts
    root: str = ""

    @cached_property
    def names(self) -> dict[str, str]:
        """System key to readable name."""
        return {str(k): str(v) for k, v in self.facts.systems["name"].items()}

    @cached_property
    def findings(self) -> list[Finding]:
        """The audit of every claim."""
        return audit(self.facts)

    def model_name(self, model: str | None) -> str:
        """Readable name of a model; blank where a claim is about none."""
        if not isinstance(model, str):
            return ""
        return "All three models" if model == "all" else str(self.facts.models.loc[model, "name"])

    def source_link(self, source_id: str, locator: str = "") -> str:
        """A link to the source's row on the sources page."""
        title = html.escape(str(self.facts.sources.loc[source_id, "title"]))
        place = f", {html.escape(locator)}" if locator else ""
        return f'<a href="{self.root}sources.html#{source_id}">{title}</a>{place}'

    def row_link(self, row: Mapping[Any, Any] | pd.Series) -> str:
        """A link to the public run of an operating point, else to the source that it comes from."""
        source_id, number = row["source_id"], run_at_github(row["address"])
        if number is None:
            return self.source_link(source_id)
        title = str(self.facts.sources.loc[source_id, "title"])
        named = title if str(number) in title else f"{title}, run {number}"
        return f'<a class="run" href="{html.escape(row["address"], quote=True)}">{html.escape(named)}</a>'

    def row_links(self, *rows: pd.Series | pd.DataFrame | None) -> str:
        """The same for the rows that a figure was made from, each link once."""
        known = [part for part in rows if part is not None]
        records = [r for p in known for r in (p.to_dict("records") if isinstance(p, pd.DataFrame) else [p])]
        return "; ".join(dict.fromkeys(self.row_link(r) for r in records))

    def dimensions_link(self, model: str) -> str:
        """A link to the source of a model's dimensions; empty where the data name none."""
        source_id = self.facts.models.loc[model, "source_id"]
        return self.source_link(source_id) if isinstance(source_id, str) else ""

    def rests_on(self, *source_ids: Iterable[Any]) -> tuple[str, ...]:
        """Links to sources, each once, in the order of the sources page; missing keys are left out.

        Args:
            source_ids: columns of ``source_id`` of the rows that a table was computed from.
        """
        used = {s for part in source_ids for s in part if isinstance(s, str)}
        return tuple(self.source_link(str(s)) for s in self.facts.sources.index if s in used)

    def source_line(self, points: pd.DataFrame) -> str:
        """The line under a chart: where its rows come from, and the credit that their owners ask for."""
        parts = self._credited(points["source_id"])
        if points["statistic_note"].fillna("").str.startswith("median over all runs").any():
            parts.append("Some rows are medians over runs, with labels recovered from a published encoder")
        return ". ".join(parts) + "."

    def sources_told(self, source_ids: Iterable[str]) -> str:
        """The same for sources by key, in the order given."""
        return ". ".join(self._credited(source_ids)) + "."

    def _credited(self, source_ids: Iterable[str]) -> list[str]:
        used = self.facts.sources.loc[list(dict.fromkeys(source_ids))]
        return ["Sources: " + "; ".join(used["title"]), *dict.fromkeys(used["attribution"].dropna())]

    def claim_link(self, claim_id: str, shown: str) -> str:
        """A link to the claim's row in the ledger."""
        return f'<a href="{self.root}claims.html#{claim_id}">{html.escape(shown)}</a>'


def verdict_anchor(verdict: str) -> str:
    """Anchor of a verdict's section in the ledger."""
    return f"verdict-{verdict.replace(' ', '-')}"


def verdict_badge(verdict: str) -> str:
    """A verdict as a word; the colour only repeats it."""
    return f'<span class="verdict verdict-{verdict.replace(" ", "-")}">{verdict}</span>'


def printed(claim: pd.Series) -> str:
    """A claim as its document prints it, with qualifier and unit."""
    qualifier = f"{claim['qualifier']} " if isinstance(claim["qualifier"], str) else ""
    unit = "" if claim["unit"] in (*tables.UNPARSED_UNITS, "count", "parameters") else claim["unit"]
    space = "" if unit in ("×", "") else " "
    return html.escape(f"{qualifier}{claim['printed']}{space}{unit}")


def detail(text: str) -> str:
    """A second, smaller line in a cell; nothing where there is nothing to say."""
    return f'<span class="detail">{text}</span>' if text else ""


def line_evidence(page: Page, side: Line) -> str:
    """The classes of evidence of a line's rows, and the sources of its peak and of its fastest point below."""
    classes = ", ".join(sorted(side.points["evidence"].unique()))
    return html.escape(classes) + detail(page.row_links(side.peak, side.fastest))


def _compared(finding: Finding) -> str:
    if finding.ratio_printed and finding.candidate_printed:
        return html.escape(f"{finding.candidate_printed} vs. {finding.baseline_printed}")
    return ""


def _interval(finding: Finding) -> tuple[float, float] | None:
    return None if finding.interval is None else (finding.interval.low, finding.interval.high)


def _quantity(value: Any) -> str:
    """A recomputed number with a sensible number of digits."""
    if value is None or pd.isna(value):
        return "–"
    if abs(value) >= 1e6:
        return f"{value / 1e9:,.2f} B"
    if value == round(value):
        return number(0)(value)
    return number(1)(value) if abs(value) >= 1000 else significant(4)(value)


def claims_table(page: Page, claims: pd.DataFrame, caption: str, *, everywhere: bool) -> Table:
    """Claims with what the audit found.

    Args:
        page: the page it stands on.
        claims: rows of the claims table.
        caption: the table's caption.
        everywhere: False to leave out the columns that only the ledger needs.
    """
    by_id = {f.claim_id: f for f in page.findings}
    found = [by_id[str(c)] for c in claims.index]
    labels = [about(page, row) for _, row in claims.iterrows()]
    if everywhere:
        models = [page.model_name(row["model"]) for _, row in claims.iterrows()]
        heads = [html.escape(f"{m}: {text}" if m else text) for m, text in zip(models, labels, strict=True)]
    else:
        heads = [page.claim_link(str(c), text) for c, text in zip(claims.index, labels, strict=True)]
    frame = pd.DataFrame(
        {
            "claim_id": claims.index,
            "about": [
                head + detail(_sentence(page, f)) + detail(claim_place(page, row))
                for head, f, (_, row) in zip(heads, found, claims.iterrows(), strict=True)
            ],
            "printed": [
                f"{printed(row)}{detail(_compared(f))}" for (_, row), f in zip(claims.iterrows(), found, strict=True)
            ],
            "recomputed": [f"{_quantity(f.recomputed)}{detail(_show_interval(_interval(f)))}" for f in found],
            "rows": [f.reproduced_value for f in found],
            "verdict": [verdict_badge(f.verdict) for f in found],
        }
    )
    columns = {
        "about": Column("Claim, and what the verdict rests on", markup),
        "verdict": Column("Verdict", markup),
        "printed": Column("Printed", markup, numeric=True),
        "recomputed": Column("From print, and its interval", markup, numeric=True),
        "rows": figures("From rows", _quantity),
    }
    return Table(frame, columns, caption, row_ids="claim_id" if everywhere else "")


def points_table(
    page: Page, lines: Iterable[tuple[str, Line]], unit: str, caption: str = "Data of these charts"
) -> Table:
    """The rows behind charts of several models, folded.

    Args:
        page: the page it stands on.
        lines: model and line, in display order.
        unit: unit of the compared value.
        caption: what they are; how many there are is added.
    """
    parts = [side.points.assign(shown=page.model_name(model)) for model, side in lines]
    rows = pd.concat(parts)
    frame = pd.DataFrame(
        {
            "model": rows["shown"],
            "system": rows["system"].map(page.names),
            "decoding": rows["speculation"].map(lambda s: DECODING.get(s, s)),
            "layout": rows["parallelism"],
            "concurrency": rows["concurrency"],
            "speed": rows["speed"],
            "value": list(zip(rows["low"], rows["high"], strict=True)),
            "best": rows["pareto"].map({True: "yes", False: ""}),
            "evidence": [html.escape(row["evidence"]) + detail(page.row_link(row)) for row in rows.to_dict("records")],
        }
    )
    columns = {
        "model": Column("Model"),
        "system": Column("System"),
        "decoding": Column("Decoding"),
        "layout": Column("Parallelism"),
        "concurrency": figures("Concurrency", number()),
        "speed": figures("Interactivity, median tok/s/user", number(1)),
        "value": figures(f"Throughput, {unit}", span(0)),
        "best": Column("On the line"),
        "evidence": Column("Evidence and source", markup),
    }
    return Table(frame, columns, f"{caption}: {len(frame)} rows", folded=True)


def claim_place(page: Page, claim: pd.Series) -> str:
    """Where a claim stands, with a link to its source."""
    line = "" if pd.isna(claim["line"]) else f"; line {claim['line']:.0f}"
    return page.source_link(claim["source_id"], f"{claim['section']}{line}")


def _show_interval(value: Any) -> str:
    if value is None:
        return ""
    places = 2 if value[0] < 1000 else 1
    places = 4 if abs(value[1] - value[0]) < 5e-3 else places
    return f"in {span(places)(value)}"


def about(page: Page, claim: pd.Series) -> str:
    """What a claim is about, in a few words."""
    label = tables.METRICS[claim["metric"]].label
    system = page.names.get(claim["system"], "") if isinstance(claim["system"], str) else ""
    end = {"low": ", lower end", "high": ", upper end"}.get(claim["range_end"], "")
    who = f", {system}" if system else (", ratio" if claim["side"] == "ratio" else "")
    return f"{label}{who}{end}"


def _sentence(page: Page, finding: Finding) -> str:
    """What a verdict rests on, and the note, with sources by their titles."""
    note = f" {finding.note}" if finding.note else ""
    rests = finding.rests_on[:1].upper() + finding.rests_on[1:]
    told = f"{rests}.{note}"
    for source_id in sorted(page.facts.sources.index, key=len, reverse=True):
        told = told.replace(f"({source_id})", f"({page.facts.sources.loc[source_id, 'title']})")
    return html.escape(told)


class Gallery:
    """Several charts that stand side by side where there is room."""

    def __init__(self, charts: Iterable[alt.TopLevelMixin]) -> None:
        self.charts = list(charts)

    def _ipython_display_(self) -> None:
        from IPython.display import display  # noqa: PLC0415 - a notebook has it loaded

        for chart in self.charts:
            display(chart)  # type: ignore[no-untyped-call]
