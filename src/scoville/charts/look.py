"""Colour and mark of every system, and what all charts share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import altair as alt


@dataclass(frozen=True)
class Look:
    """Colour and mark of a system; both, so that nothing depends on colour vision."""

    colour: str
    shape: str


_STAR = "M0,-1L.29,-.4L.95,-.31L.48,.15L.59,.81L0,.5L-.59,.81L-.48,.15L-.95,-.31L-.29,-.4Z"
_HEXAGON = "M0,-1L.87,-.5L.87,.5L0,1L-.87,.5L-.87,-.5Z"
LOOKS = {
    "jalapeno": Look("#1A8A5F", "circle"),
    "gb300": Look("#C2410C", "square"),
    "gb200": Look("#D97706", "diamond"),
    "b300": Look("#A8497F", "triangle-up"),
    "b200": Look("#7C6FD0", "triangle-down"),
    "vr200": Look("#0072B2", "cross"),
    "mi355x": Look("#8A7A00", "triangle-right"),
    "h200": Look("#5B84B1", "triangle-left"),
    "h100": Look("#7A7F9A", _HEXAGON),
    "mi325x": Look("#A9653B", "arrow"),
    "mi300x": Look("#C06C84", _STAR),
}

OTHER = Look("#6B7280", "stroke")

FILLED = ("independently-executed", "user-measured")

SOLID, DIGITISED, MODELLED, UNLIKE = [1, 0], [6, 4], [2, 3], [9, 3, 2, 3]
"""Lines of what was measured, read off a chart, or modelled; and of several tokens at a time (dash-dotted)."""

PARTS = ("#0072B2", "#966A00")
"""Two parts of a whole that belong to no system: input and output, prefill and decode."""

NAMES = "names"
"""Name of a layer with the names of lines: where they would lie on each other, ``charts.js`` moves them apart."""

BELOW = 16
"""Size of marks below their line: small, not pale, so that their contrast is that of the others."""

HEIGHT = 380

LOWER = 320


def look(system: str) -> Look:
    """Colour and mark of a system; grey strokes for one that has none of its own."""
    return LOOKS.get(system, OTHER)


def use_renderer() -> None:
    """Draw with the offline renderer of this package."""
    alt.renderers.enable("scoville")


def finish(
    chart: Any, *, title: str, subtitle: str, description: str, source: str, **usermeta: Any
) -> alt.TopLevelMixin:
    """A chart with its texts; subtitle and source travel as ``usermeta`` and become HTML around it."""
    done: alt.TopLevelMixin = chart.properties(
        title=title,
        description=description,
        autosize=alt.AutoSizeParams(type="fit-x", contains="padding"),
        usermeta={"subtitle": subtitle, "source": source, **usermeta},
    )
    return done


def speed_axis(domain: tuple[float, float], ticks: list[float] | None = None) -> alt.X:
    """The axis of interactivity, the same in every chart that has one."""
    scale = alt.Scale(type="log", domain=list(domain))
    return alt.X(
        "speed:Q",
        title="Interactivity, tok/s per user (log)",
        scale=scale,
        axis=alt.Axis(values=ticks or tick_values(10, 2000), format=",.0f", grid=True, labelOverlap="greedy"),
    )


def tick_values(low: float, high: float) -> list[float]:
    """1, 2 and 5 in every decade from 1, between two ends."""
    steps = [m * 10**e for e in range(6) for m in (1, 2, 5)]
    return [float(s) for s in steps if low <= s <= high]


def apart(values: list[float], steps: float, span: float) -> list[float]:
    """Label positions on a log axis: as near to their values as a distance of ``span ** (1 / steps)`` allows.

    Args:
        values: positions wanted, any order.
        steps: how many labels the whole axis has room for.
        span: ratio of the axis' ends.
    """
    factor = span ** (1 / steps)
    placed: dict[int, float] = {}
    above = float("inf")
    for index in sorted(range(len(values)), key=lambda i: -values[i]):
        placed[index] = min(values[index], above / factor)
        above = placed[index]
    return [placed[i] for i in range(len(values))]


def unlike_methods() -> alt.Parameter:
    """A box that brings in what uses speculative decoding; marks filter by ``datum.like || show_mtp``."""
    box = alt.binding_checkbox(name="Show rows with multi-token prediction (unlike methods) ")
    return alt.param(name="show_mtp", value=False, bind=box)
