"""A row on its way from a foreign file into the table of operating points, with what was found out about it."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from typing import Any

from scoville import tables


@dataclass(slots=True)
class Point:
    """An operating point: the columns of `tables.POINTS`, in their order. None is “not known”."""

    model: str | None = None
    system: str | None = None
    source_id: str | None = None
    evidence: str | None = None
    date: str | None = None
    engine: str | None = None
    precision: str | None = None
    speculation: str | None = None
    disaggregated: bool | None = None
    parallelism: str | None = None
    run_url: str | None = None
    workload: str | None = None
    chips: int | None = None
    prefill_chips: int | None = None
    decode_chips: int | None = None
    concurrency: int | None = None
    isl_nominal: int | None = None
    osl_nominal: int | None = None
    isl_mean: float | None = None
    osl_mean: float | None = None
    total_tok_s_per_chip: float | None = None
    input_tok_s_per_chip: float | None = None
    output_tok_s_per_chip: float | None = None
    interactivity_mean_tok_s_user: float | None = None
    interactivity_median_tok_s_user: float | None = None
    ttft_mean_s: float | None = None
    ttft_median_s: float | None = None
    ttft_p99_s: float | None = None
    tpot_mean_s: float | None = None
    tpot_median_s: float | None = None
    tpot_p99_s: float | None = None
    e2e_mean_s: float | None = None
    e2e_median_s: float | None = None
    e2e_p99_s: float | None = None
    chip_power_mean_w: float | None = None
    statistic_note: str | None = None


COLUMNS = tuple(f.name for f in fields(Point))
NOT_ASKED_FOR = "asked for"
"""How the reason ends for which a row of another model or system is left out."""

NOTES = "; "
"""Between the parts of a note."""

_LONGEST_VALUE = 80


@dataclass(frozen=True)
class Finding:
    """One thing that was wrong with a row, and what was done about it.

    Attributes:
        row: 1-based number of the row in its file; the line for CSV and JSONL.
        field: name as the file spells it; empty where the whole row is meant.
        value: what stands there.
        reason: what was expected, in a sentence.
        refused: True when the row was refused, False when it was kept with the field blanked.
    """

    row: int
    field: str
    value: str
    reason: str
    refused: bool


@dataclass(slots=True)
class Record:
    """One row of a foreign file.

    Attributes:
        row: 1-based number of the row in its file.
        point: what the table gets.
        findings: what was refused or blanked.
        notes: parts of `Point.statistic_note`: what a reader of the row should know.
        aside: why the row is left out although nothing is wrong with it; empty for most.
        open_loop: how requests arrived, when not at a held concurrency.
        renamed: the model that the file names, where the user names another; empty for most.
        family: rows of one family and configuration are runs of one another; see `selection.family`.
        file: the file that it was read from, as the user would type it.
        held: the file of the data folder that holds it, below the folder; empty for a row of a foreign file.
    """

    row: int
    point: Point = field(default_factory=Point)
    findings: list[Finding] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    aside: str = ""
    open_loop: str = ""
    renamed: str = ""
    family: str = ""
    file: str = ""
    held: str = ""

    @property
    def refused(self) -> bool:
        """Whether the row must not get into the table."""
        return bool(self.findings) and any(finding.refused for finding in self.findings)

    def refuse(self, name: str, value: Any, reason: str) -> None:
        """Refuse the row for the value of a field."""
        self.findings.append(Finding(self.row, name, told(value), reason, refused=True))

    def refuse_missing(self, name: str, value: Any, reason: str, *keys: str) -> None:
        """Refuse the row for a value that it cannot do without.

        Where one of the ``keys`` that hold it could not be read, what stands there is the reason, and not that nothing
        would stand there.
        """
        unread = [f for f in self.findings if f.field in keys]
        if not unread:
            self.refuse(name, value, reason)
        self.findings[:] = [replace(f, refused=True) if f in unread else f for f in self.findings]

    def blank(self, name: str, value: Any, reason: str, *columns: str) -> None:
        """Keep the row, but blank ``columns`` of the point for the value of a field."""
        for column in columns:
            setattr(self.point, column, None)
        self.findings.append(Finding(self.row, name, told(value), reason, refused=False))

    def note(self, text: str) -> None:
        """Add a part to the row's note, once."""
        if text not in self.notes:
            self.notes.append(text)


def told(value: Any) -> str:
    """A value as a message shows it: short, and numbers without their last digits of noise."""
    if isinstance(value, float):
        return f"{value:.6g}"
    text = "" if value is None else str(value)
    return text if len(text) <= _LONGEST_VALUE else text[: _LONGEST_VALUE - 1] + "…"


def configuration(point: Point) -> tuple[Any, ...]:
    """What makes two rows runs of the same configuration: the columns of `tables.CONFIGURATION`."""
    return tuple(getattr(point, column) for column in tables.CONFIGURATION)
