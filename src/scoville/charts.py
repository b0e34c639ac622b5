"""One visual language for every chart: a system has the same colour and mark everywhere.

Every chart has a title that is its finding, a description made from its data, and its source. Filled marks were
executed independently, hollow ones were reported by the maker; a line is a Pareto set and stops at its last
points.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import altair as alt
import pandas as pd

from scoville.compare import Line


@dataclass(frozen=True)
class Look:
    """Colour and mark of a system; both, so that nothing depends on colour vision."""

    colour: str
    shape: str


LOOKS = {
    "jalapeno": Look("#1A8A5F", "circle"),
    "gb300": Look("#C2410C", "square"),
    "gb200": Look("#D97706", "diamond"),
    "b300": Look("#A8497F", "triangle-up"),
    "b200": Look("#7C6FD0", "triangle-down"),
    "vr200": Look("#0072B2", "cross"),
    "mi355x": Look("#8A7A00", "triangle-right"),
}
OTHER = Look("#6B7280", "stroke")
FILLED = ("independently-executed", "user-measured")
HEIGHT = 380


def look(system: str) -> Look:
    """Colour and mark of a system; grey strokes for one that has none of its own."""
    return LOOKS.get(system, OTHER)


def use_renderer() -> None:
    """Draw with the offline renderer of this package."""
    alt.renderers.enable("scoville")


def _finish(
    chart: Any, *, title: str, subtitle: str, description: str, source: str, **usermeta: Any
) -> alt.TopLevelMixin:
    done: alt.TopLevelMixin = chart.properties(
        title=title,
        description=description,
        autosize=alt.AutoSizeParams(type="fit-x", contains="padding"),
        usermeta={"subtitle": subtitle, "source": source, **usermeta},
    )
    return done


def _speed_axis(domain: tuple[float, float] | None = None) -> alt.X:
    scale = alt.Scale(type="log", domain=list(domain)) if domain else alt.Scale(type="log", padding=18)
    return alt.X(
        "speed:Q",
        title="Interactivity, tok/s per user (log)",
        scale=scale,
        axis=alt.Axis(values=_ticks(10, 2000), format=",.0f", grid=True, labelOverlap="greedy"),
    )


def _ticks(low: float, high: float) -> list[float]:
    steps = [m * 10**e for e in range(6) for m in (1, 2, 5)]
    return [float(s) for s in steps if low <= s <= high]


def _rows(line: Line, name: str) -> pd.DataFrame:
    rows = line.points.sort_values(["speed", "high"])
    return pd.DataFrame(
        {
            "system": name,
            "speed": rows["speed"].round(3),
            "low": rows["low"].round(2),
            "high": rows["high"].round(2),
            "evidence": rows["evidence"],
            "pareto": rows["pareto"],
            "configuration": rows["parallelism"].fillna("not recorded")
            + rows["chips"].map(lambda c: "" if pd.isna(c) else f", {c:.0f} chips"),
            "concurrency": rows["concurrency"],
            "engine": rows["engine"],
            "date": rows["date"].fillna("not recorded"),
            "source": rows["source_id"],
        }
    )


_TOOLTIP = [
    alt.Tooltip("system:N", title="System"),
    alt.Tooltip("speed:Q", title="tok/s per user (median)", format=",.1f"),
    alt.Tooltip("high:Q", title="Throughput", format=",.0f"),
    alt.Tooltip("configuration:N", title="Configuration"),
    alt.Tooltip("concurrency:Q", title="Concurrency"),
    alt.Tooltip("engine:N", title="Engine"),
    alt.Tooltip("date:N", title="Date"),
    alt.Tooltip("evidence:N", title="Evidence"),
    alt.Tooltip("source:N", title="Source"),
]


def _line_layers(line: Line, name: str, y: alt.Y, x: alt.X) -> list[alt.Chart]:
    """Points, Pareto line, spread over the watts where they are an interval, and a direct label."""
    style, rows = look(line.system), _rows(line, name)
    front = rows[rows["pareto"]]
    filled = rows["evidence"].isin(FILLED)
    layers = [
        alt.Chart(front).mark_line(color=style.colour, strokeWidth=2).encode(x=x, y=y),
    ]
    if not rows["low"].equals(rows["high"]):
        spread = alt.Chart(rows).mark_rule(color=style.colour, strokeWidth=3, opacity=0.35)
        layers.append(spread.encode(x=x, y=alt.Y("low:Q"), y2="high:Q"))
    for part, is_filled in ((rows[filled], True), (rows[~filled], False)):
        if part.empty:
            continue
        mark = alt.Chart(part).mark_point(
            color=style.colour,
            fill=style.colour if is_filled else None,
            shape=style.shape,
            size=55,
            strokeWidth=1.8,
            opacity=1,
        )
        shade = alt.condition("datum.pareto", alt.value(1.0), alt.value(0.4))
        layers.append(mark.encode(x=x, y=y, opacity=shade, tooltip=_TOOLTIP))
    end = front.iloc[[-1]]  # the fastest point: there the lines lie apart
    label = alt.Chart(end).mark_text(align="left", dx=10, color=style.colour, fontWeight="bold", fontSize=13)
    layers.append(label.encode(x=x, y=y, text="system:N"))
    return layers


def frontier(
    lines: list[Line], names: dict[str, str], marked: pd.DataFrame, *, unit: str, title: str, source: str
) -> alt.TopLevelMixin:
    """Throughput against interactivity of a candidate and a baseline, every measured row shown.

    Args:
        lines: the candidate's line, and the baseline's where there is one.
        names: system key to readable name.
        marked: the document's own points: ``speed``, ``value``, ``label``; drawn as rings with the printed
            number beside them. May be empty.
        unit: unit of the throughput.
        title: the finding.
        source: the line under the chart.
    """
    x = _speed_axis()
    y = alt.Y(
        "high:Q",
        title=f"Throughput, {unit} (log)",
        scale=alt.Scale(type="log", padding=18),
        axis=alt.Axis(values=_ticks(1, 200_000), format="~s", labelOverlap="greedy"),
    )
    layers = [layer for line in reversed(lines) for layer in _line_layers(line, names[line.system], y, x)]
    if not marked.empty:
        ring = alt.Chart(marked).mark_point(size=190, strokeWidth=1.3, shape="circle", color="#6B7280", opacity=1)
        text = alt.Chart(marked).mark_text(align="left", dx=5, dy=-14, fontSize=11)
        layers += [
            ring.encode(x=x, y=alt.Y("value:Q"), tooltip=[alt.Tooltip("told:N", title="Printed")]),
            text.encode(x=x, y=alt.Y("value:Q"), text="label:N"),
        ]
    chart = alt.layer(*layers).properties(width="container", height=HEIGHT)
    return _finish(
        chart,
        title=title,
        subtitle=_legend(lines, names, has_marked=not marked.empty),
        description=_describe_frontier(lines, names, unit),
        source=source,
    )


def _legend(lines: list[Line], names: dict[str, str], *, has_marked: bool) -> str:
    evidence = {names[line.system]: sorted(line.points["evidence"].unique()) for line in lines}
    told = "; ".join(f"{name}: {', '.join(classes)}" for name, classes in evidence.items())
    rings = " Rings: points that the document prints." if has_marked else ""
    return (
        f"Each mark is one measured row ({told}; hollow = not independently executed); "
        f"lines join the best of each system, pale marks are below the line.{rings}"
    )


def _describe_frontier(lines: list[Line], names: dict[str, str], unit: str) -> str:
    parts = []
    for line in lines:
        front = line.frontier
        parts.append(
            f"{names[line.system]}: {len(line.points)} rows, Pareto set of {len(front)} from {front.y[0]:,.0f} "
            f"{unit} at {front.x[0]:,.0f} tok/s per user "
            f"to {front.y[-1]:,.0f} at {front.x[-1]:,.0f}"
        )
    return "Scatter chart, log axes. " + "; ".join(parts) + "."


def small_frontier(
    lines: list[Line],
    names: dict[str, str],
    *,
    unit: str,
    title: str,
    subtitle: str,
    source: str,
    speeds: tuple[float, float],
    values: tuple[float, float],
) -> alt.TopLevelMixin:
    """One of several frontier charts side by side, on axes that all of them share.

    Args:
        lines: the candidate's line, and the baseline's where there is one.
        names: system key to readable name.
        unit: unit of the throughput.
        title, subtitle, source: the texts around it.
        speeds, values: shared domains of the axes.
    """
    x = _speed_axis(speeds)
    y = alt.Y(
        "high:Q",
        title=f"{unit} (log)",
        scale=alt.Scale(type="log", domain=list(values)),
        axis=alt.Axis(values=[v for e in range(1, 7) for v in (10.0**e,) if values[0] <= v <= values[1]], format="~s"),
    )
    layers = [layer for line in reversed(lines) for layer in _line_layers(line, names[line.system], y, x)]
    chart = alt.layer(*layers).properties(width="container", height=180)
    return _finish(
        chart,
        title=title,
        subtitle=subtitle,
        description=_describe_frontier(lines, names, unit),
        source=source,
        static_width=300,
    )
