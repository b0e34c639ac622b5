"""Small words: how ratios, counts and lists read in a sentence."""

from __future__ import annotations

import html
from collections.abc import Iterable
from datetime import date

import pandas as pd

from scoville.tabulate import span
from scoville.units import Interval, plural


def times(ratio: Interval) -> str:
    """A ratio as ``1.90×``, or as a range where it is an interval."""
    return span(2, "×")((ratio.low, ratio.high))


def ends(table: pd.DataFrame, row: int) -> str:
    """The ratio in one row of a comparison at equal interactivity."""
    if table.empty:
        return "–"
    found = table.iloc[row]
    places = 1 if found["ratio_low"] >= 10 else 2
    return span(places, "×")((found["ratio_low"], found["ratio_high"]))


def listed(items: Iterable[str]) -> str:
    """``a, b and c``."""
    *first, last = items
    return f"{', '.join(first)} and {last}" if first else last


def percent(share: float) -> str:
    """A share as ``31 %``."""
    return f"{100 * share:.0f} %"


def counted(count: float, noun: str) -> str:
    """``1 chip``, ``36 chips``; ``an unrecorded number of chips`` where the count is missing."""
    if pd.isna(count):
        return f"an unrecorded number of {noun}s"
    return plural(round(count), noun)


def dated(published: str) -> str:
    """``2026-08-17`` as ``17 August 2026``, ``2026-08`` as ``August 2026``, ``2026`` as it is."""
    if len(published) < len("2026-08"):
        return published
    found = date.fromisoformat(published if len(published) > len("2026-08") else f"{published}-01")
    month = f"{found:%B %Y}"
    return f"{found.day} {month}" if len(published) > len("2026-08") else month


def pair(interval: Interval | None) -> tuple[float, float] | None:
    """Both ends of an interval, as tables show them."""
    return None if interval is None else (interval.low, interval.high)


def inline(markdown: str) -> str:
    """Escaped text with ``*emphasis*`` as the only markup."""
    parts = html.escape(markdown).split("*")
    return "".join(f"<em>{p}</em>" if i % 2 else p for i, p in enumerate(parts))
