"""Measured curves beside modelled ones."""

from __future__ import annotations

from typing import Any, Literal

import altair as alt
import pandas as pd

from scoville.charts.look import FILLED, HEIGHT, MODELLED, SOLID, apart, finish, look, speed_axis, tick_values
from scoville.charts.origin import OPENS, ORIGIN, origin
from scoville.compare import Line

_TOOLTIP = [
    alt.Tooltip("curve:N", title="Curve"),
    alt.Tooltip("speed:Q", title="tok/s per user", format=",.1f"),
    alt.Tooltip("high:Q", title="Throughput", format=",.0f"),
    *ORIGIN,
]


def predicted_frontiers(
    lines: list[Line], asked: list[Line], *, unit: str, title: str, subtitle: str, source: str
) -> alt.TopLevelMixin:
    """Pareto sets, measured ones solid and modelled ones dotted; some only on request.

    Args:
        lines: what is always shown; ``label`` names each.
        asked: what a box brings in, drawn thin.
        unit: unit of the throughput.
        title, subtitle, source: the texts around it.
    """
    everything = [*lines, *asked]
    shown = pd.concat([_rows(side) for side in everything])
    low, high = float(shown["high"].min()) * 0.7, float(shown["high"].max()) * 1.6
    x = speed_axis((float(shown["speed"].min()) * 0.4, float(shown["speed"].max()) * 3))  # room for labels
    y = alt.Y(
        "high:Q",
        title=f"Throughput, {unit} (log)",
        scale=alt.Scale(type="log", domain=[low, high]),
        axis=alt.Axis(values=tick_values(1, 200_000), format="~s", labelOverlap="greedy"),
    )
    measured = [side for side in everything if not _modelled(side)]
    ends = apart([float(side.fastest["high"]) for side in measured], HEIGHT / 16, high / low)
    heights = dict(zip((side.label for side in measured), ends, strict=True))
    layers: list[Any] = []
    for side in everything:
        style, rows = look(side.system), _rows(side)
        modelled, thin = _modelled(side), any(side is other for other in asked)
        filled = rows["evidence"].isin(FILLED).all()
        # measured curves are named where they end, modelled ones where they begin: there nothing else lies
        named = rows.iloc[[0]] if modelled else rows.iloc[[-1]].assign(high=heights.get(side.label))
        align: Literal["left", "right"] = "left" if thin else "right"
        right, down = (0, -12) if thin else (14, 16)
        if not modelled:
            align, right, down = "left", 9, 0
        drawn, last = alt.Chart(rows), alt.Chart(named)
        if thin:
            drawn, last = (part.transform_filter("show_aggregated") for part in (drawn, last))
        layers += [
            drawn.mark_line(
                color=style.colour, strokeWidth=1.2 if thin else 2, strokeDash=MODELLED if modelled else SOLID
            ).encode(x=x, y=y),
            drawn.mark_point(
                color=style.colour,
                fill=style.colour if filled else None,
                shape=style.shape,
                size=22 if thin else 40,
                strokeWidth=1.3,
                opacity=1,
            ).encode(x=x, y=y, tooltip=_TOOLTIP, href=OPENS),
            last.mark_text(align=align, dx=right, dy=down, color=style.colour, fontWeight="bold", fontSize=12).encode(
                x=x, y=y, text="curve:N"
            ),
        ]
    chart = alt.layer(*layers).properties(width="container", height=HEIGHT)
    if asked:
        box = alt.binding_checkbox(name="Show aggregated deployments, predicted and public ")
        chart = chart.add_params(alt.param(name="show_aggregated", value=False, bind=box))
    told = "; ".join(
        f"{side.label}: from {side.frontier.y[0]:,.0f} at {side.frontier.x[0]:,.0f} tok/s per user to "
        f"{side.frontier.y[-1]:,.0f} at {side.frontier.x[-1]:,.0f}"
        for side in everything
    )
    return finish(
        chart, title=title, subtitle=subtitle, description=f"Line chart, log axes, {unit}. {told}.", source=source
    )


def _modelled(side: Line) -> bool:
    return bool((side.points["evidence"] == "modelled").all())


def _rows(side: Line) -> pd.DataFrame:
    rows = side.points[side.points["pareto"]].sort_values(["speed", "high"])
    return pd.DataFrame(
        {
            "curve": side.label,
            "speed": rows["speed"].round(3),
            "high": rows["high"].round(2),
            **origin(rows),
        }
    )
