"""What the user says beside the files: facts that a format cannot know, and how to choose among rows."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from datetime import date as day
from datetime import datetime

from scoville import tables
from scoville.problems import InputError, Problem

SELECTIONS = ("latest", "median", "all")
_KEY = re.compile(r"^[a-z0-9][a-z0-9.-]{0,79}$")
_DAY = re.compile(r"^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2})?)?$")
_KEYED = ("model", "system", "source_id")
_COUNTED = ("chips", "isl", "osl")


@dataclass(frozen=True)
class Options:
    """The options of ``scoville import``.

    Attributes:
        model, system: keys. They fill in what a file does not say; where a file names a known model or system,
            rows of others are left out.
        chips: all chips that served the load; for files of load generators, which cannot know, and for rows of
            InferenceX that do not say.
        power: mean measured watts of one chip over the load; for files that carry none.
        engine, precision, speculation, parallelism: configuration that load generators do not record.
        isl, osl: nominal lengths, tokens, where the file does not state them.
        date: day of the runs (YYYY-MM-DD), or day and time (YYYY-MM-DD HH:MM), for files without one.
        source_id: key of the source that the rows are filed under.
        evidence: class of evidence, a key of `tables.EVIDENCE`.
        select: which runs of a configuration are kept, one of `SELECTIONS`.
        allow_failures: share of failed requests, in percent, above which a run is refused.
        strict: write nothing when a row is refused.
        dry_run: write nothing at all.
    """

    model: str | None = None
    system: str | None = None
    chips: int | None = None
    power: float | None = None
    engine: str | None = None
    precision: str | None = None
    speculation: str | None = None
    parallelism: str | None = None
    isl: int | None = None
    osl: int | None = None
    date: str | None = None
    source_id: str | None = None
    evidence: str | None = None
    select: str = "latest"
    allow_failures: float = 5.0
    strict: bool = False
    dry_run: bool = False

    def check(self, today: day) -> None:
        """Raise an `InputError` that names every option with an impossible value; no run is later than ``today``."""
        problems = [*self._key_problems(), *self._choice_problems(), *self._number_problems()]
        if self.date is not None and not _is_day(self.date):
            problems.append(_wrong("date", self.date, "a day as YYYY-MM-DD, or with its time as YYYY-MM-DD HH:MM"))
        elif self.date is not None and datetime.fromisoformat(self.date).date() > today:
            problems.append(_wrong("date", self.date, f"a day up to today, {today.isoformat()}"))
        if problems:
            raise InputError(problems)

    def _key_problems(self) -> list[Problem]:
        wanted = "a key of small letters, digits, dots and dashes"
        values = {name: getattr(self, name) for name in _KEYED}
        return [_wrong(n, v, wanted) for n, v in values.items() if v is not None and not _KEY.match(v)]

    def _choice_problems(self) -> list[Problem]:
        choices = {
            "evidence": tuple(tables.EVIDENCE),
            "speculation": tuple(tables.SPECULATION),
            "select": SELECTIONS,
        }
        values = {name: getattr(self, name) for name in choices}
        return [
            _wrong(name, value, f"one of {', '.join(choices[name])}")
            for name, value in values.items()
            if value is not None and value not in choices[name]
        ]

    def _number_problems(self) -> list[Problem]:
        values = {name: getattr(self, name) for name in _COUNTED}
        problems = [_wrong(n, v, "a whole number above 0") for n, v in values.items() if v is not None and v < 1]
        if self.power is not None and not 0 < self.power < float("inf"):
            problems.append(_wrong("power", self.power, "watts above 0"))
        if (self.isl is None) != (self.osl is None):
            said, other = ("isl", "osl") if self.osl is None else ("osl", "isl")
            problems.append(_wrong(said, getattr(self, said), f"{flag(other)} beside it: lengths are stated in pairs"))
        if not 0 <= self.allow_failures <= 100:
            problems.append(_wrong("allow_failures", self.allow_failures, "a share from 0 to 100 percent"))
        return problems


def flag(name: str) -> str:
    """How an option is written on the command line: ``--source-id``."""
    assert name in {f.name for f in fields(Options)}, name
    return "--" + name.replace("_", "-")


def _wrong(name: str, value: object, wanted: str) -> Problem:
    return Problem(flag(name), found=str(value), expected=f"expected {wanted}")


def _is_day(text: str) -> bool:
    try:
        return bool(_DAY.match(text)) and bool(datetime.fromisoformat(text))
    except ValueError:
        return False
