"""Throughput against interactivity."""

from __future__ import annotations

from typing import Any

import altair as alt
import pandas as pd

from scoville.charts.look import (
    BELOW,
    FILLED,
    HEIGHT,
    SOLID,
    UNLIKE,
    apart,
    finish,
    look,
    speed_axis,
    tick_values,
    unlike_methods,
)
from scoville.charts.origin import OPENS, ORIGIN, origin
from scoville.compare import Line

_TOOLTIP = [
    alt.Tooltip("system:N", title="System"),
    alt.Tooltip("speed:Q", title="tok/s per user (median)", format=",.1f"),
    alt.Tooltip("high:Q", title="Throughput", format=",.0f"),
    *ORIGIN,
]


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
    speeds = pd.concat([line.points["speed"] for line in lines])
    x = speed_axis((float(speeds.min()) * 0.8, float(speeds.max()) * 3.4))  # room for the label at the right
    y = alt.Y(
        "high:Q",
        title=f"Throughput, {unit} (log)",
        scale=alt.Scale(type="log", padding=18),
        axis=alt.Axis(values=tick_values(1, 200_000), format="~s", labelOverlap="greedy"),
    )
    layers = [layer for line in reversed(lines) for layer in _line_layers(line, names[line.system], y, x)]
    if not marked.empty:  # below the marks, which open their runs
        ring = alt.Chart(marked).mark_point(size=190, strokeWidth=1.3, shape="circle", color="#6B7280", opacity=1)
        text = alt.Chart(marked).mark_text(align="left", dx=5, dy=-14, fontSize=11)
        layers = [
            ring.encode(x=x, y=alt.Y("value:Q", scale=y["scale"]), tooltip=[alt.Tooltip("told:N", title="Printed")]),
            text.encode(x=x, y=alt.Y("value:Q", scale=y["scale"]), text="label:N"),
            *layers,
        ]
    chart = alt.layer(*layers).properties(width="container", height=HEIGHT)
    return finish(
        chart,
        title=title,
        subtitle=_legend(lines, names, has_marked=not marked.empty),
        description=describe(lines, names, unit),
        source=source,
    )


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
    x = speed_axis(speeds, [10.0, 30.0, 100.0, 300.0, 1000.0])
    y = alt.Y(
        "high:Q",
        title=f"{unit} (log)",
        scale=alt.Scale(type="log", domain=list(values)),
        axis=alt.Axis(values=[v for e in range(1, 7) for v in (10.0**e,) if values[0] <= v <= values[1]], format="~s"),
    )
    layers = [layer for line in reversed(lines) for layer in _line_layers(line, names[line.system], y, x)]
    chart = alt.layer(*layers).properties(width="container", height=180)
    return finish(
        chart,
        title=title,
        subtitle=subtitle,
        description=describe(lines, names, unit),
        source=source,
        static_width=300,
    )


def every_frontier(
    lines: list[Line], names: dict[str, str], *, unit: str, title: str, subtitle: str, source: str
) -> alt.TopLevelMixin:
    """The Pareto sets of many lines for one model; those of speculative decoding appear on request.

    Args:
        lines: one a system and decoding method; the first is the candidate's.
        names: system key to readable name.
        unit: unit of the throughput.
        title, subtitle, source: the texts around it.
    """
    shown = pd.concat([line.points[line.points["pareto"]] for line in lines])
    # fixed domains: the axes stay where they are when lines come and go, and a label has room at the right
    x = speed_axis((float(shown["speed"].min()) * 0.85, float(shown["speed"].max()) * 3.4))
    y = alt.Y(
        "high:Q",
        title=f"Throughput, {unit} (log)",
        scale=alt.Scale(type="log", domain=[float(shown["high"].min()) * 0.8, float(shown["high"].max()) * 1.25]),
        axis=alt.Axis(values=tick_values(1, 200_000), format="~s", labelOverlap="greedy"),
    )
    layers: list[Any] = []
    reach = float(shown["high"].max() / shown["high"].min())
    ends = apart([float(line.fastest["high"]) for line in lines], HEIGHT / 14, reach)
    for line, label in zip(reversed(lines), reversed(ends), strict=True):
        single, name = line.decoding == "none", line.named(names[line.system])
        style, rows = look(line.system), _rows(line, name)
        front = rows[rows["pareto"]].assign(like=single)
        kept = alt.Chart(front).transform_filter("datum.like || show_mtp")
        layers += [
            kept.mark_line(color=style.colour, strokeWidth=2, strokeDash=SOLID if single else UNLIKE).encode(x=x, y=y),
            kept.mark_point(
                color=style.colour,
                fill=style.colour if rows["evidence"].isin(FILLED).all() else None,
                shape=style.shape,
                size=45,
                strokeWidth=1.6,
                opacity=1,
            ).encode(x=x, y=y, tooltip=_TOOLTIP, href=OPENS),
            alt.Chart(front.iloc[[-1]].assign(high=label))
            .transform_filter("datum.like || show_mtp")
            .mark_text(align="left", dx=9, color=style.colour, fontWeight="bold", fontSize=12)
            .encode(x=x, y=y, text="system:N"),
        ]
    chart = alt.layer(*layers).add_params(unlike_methods()).properties(width="container", height=HEIGHT)
    told = "; ".join(
        f"{line.named(names[line.system])}{' single-token' if line.decoding == 'none' else ''} "
        f"peaks at {line.peak['high']:,.0f} at {line.peak['speed']:,.0f} tok/s per user"
        for line in lines
    )
    return finish(
        chart, title=title, subtitle=subtitle, description=f"Line chart, log axes, {unit}. {told}.", source=source
    )


def _rows(line: Line, name: str) -> pd.DataFrame:
    rows = line.points.sort_values(["speed", "high"])
    return pd.DataFrame(
        {
            "system": name,
            "speed": rows["speed"].round(3),
            "low": rows["low"].round(2),
            "high": rows["high"].round(2),
            "pareto": rows["pareto"],
            **origin(rows),
        }
    )


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
        layers.append(spread.encode(x=x, y=alt.Y("low:Q", scale=y["scale"]), y2="high:Q"))
    for part, is_filled in ((rows[filled], True), (rows[~filled], False)):
        if part.empty:
            continue
        mark = alt.Chart(part).mark_point(
            color=style.colour,
            fill=style.colour if is_filled else None,
            shape=style.shape,
            strokeWidth=1.6,
            opacity=1,
        )
        size = alt.condition("datum.pareto", alt.value(55), alt.value(BELOW))
        layers.append(mark.encode(x=x, y=y, size=size, tooltip=_TOOLTIP, href=OPENS))
    end = front.iloc[[-1]]  # the fastest point: there the lines lie apart
    label = alt.Chart(end).mark_text(align="left", dx=10, color=style.colour, fontWeight="bold", fontSize=13)
    layers.append(label.encode(x=x, y=y, text="system:N"))
    return layers


def _legend(lines: list[Line], names: dict[str, str], *, has_marked: bool) -> str:
    evidence = {names[line.system]: sorted(line.points["evidence"].unique()) for line in lines}
    told = "; ".join(f"{name}: {', '.join(classes)}" for name, classes in evidence.items())
    rings = " Rings: points that the document prints." if has_marked else ""
    return (
        f"Each mark is one measured row ({told}; hollow = not independently executed); "
        f"lines join the best of each system, small marks are below the line.{rings}"
    )


def describe(lines: list[Line], names: dict[str, str], unit: str) -> str:
    """What a chart of these lines shows, for who cannot see it."""
    parts = []
    for line in lines:
        front = line.frontier
        parts.append(
            f"{names[line.system]}: {len(line.points)} rows, Pareto set of {len(front)} from {front.y[0]:,.0f} "
            f"{unit} at {front.x[0]:,.0f} tok/s per user "
            f"to {front.y[-1]:,.0f} at {front.x[-1]:,.0f}"
        )
    return "Scatter chart, log axes. " + "; ".join(parts) + "."
