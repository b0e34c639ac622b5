"""One ratio along the speeds, divided by one thing after another."""

from __future__ import annotations

from typing import Any

import altair as alt
import pandas as pd

from scoville.charts.look import HEIGHT, apart, finish, speed_axis, tick_values

_COLOURS = {"chip": "#6B7280", "stack": "#6B7280", "bandwidth": "#6B7280", "all-in": "#966A00", "cost": "#7C6FD0"}
_OTHER = "#0072B2"
"""Parts of the package are grey; what is left is its rating."""


def by_denominator(
    curves: pd.DataFrame, *, candidate: str, rival: str, dash: list[int], title: str, subtitle: str, source: str
) -> alt.TopLevelMixin:
    """The candidate over a rival along all common speeds, one line a denominator, a band where that is an interval.

    Args:
        curves: ``key`` and ``label`` of the denominator, ``speed``, ``low``, ``high`` and ``mine`` (whether the
            candidate has a measured point there), one row a denominator and speed.
        candidate, rival: readable names, for the axis and the description.
        dash: pattern of the lines, from `look`: by the weaker evidence, else by whether the two decode unlike.
        title, subtitle, source: the texts around it.
    """
    rows = curves.round({"speed": 3, "low": 4, "high": 4})
    lowest, highest = float(rows["low"].min()) / 1.1, float(rows["high"].max()) * 1.1
    x = speed_axis((float(rows["speed"].min()) * 0.95, float(rows["speed"].max()) * 2.6), ticks=_SPEEDS)
    scale = alt.Scale(type="log", domain=[lowest, highest], nice=False)
    axis = alt.Axis(values=[0.2, 0.5, *tick_values(1, 200)], format="~r", labelOverlap="greedy")

    def y(field: str) -> alt.Y:
        return alt.Y(f"{field}:Q", title=f"{candidate} over {rival}, output (log)", scale=scale, axis=axis)

    ends_of_speed = {"speed": [float(rows["speed"].min())], "end": [float(rows["speed"].max())]}  # not under the names
    equal = alt.Chart(pd.DataFrame({"low": [1.0], **ends_of_speed})).mark_rule(strokeWidth=1.5)
    equal = equal.encode(x=x, x2="end:Q", y=y("low"))
    layers: list[Any] = [equal]
    order = list(dict.fromkeys(rows["key"]))
    last = {key: rows[rows["key"] == key].iloc[-1] for key in order}
    middle = [float((last[key]["low"] * last[key]["high"]) ** 0.5) for key in order]
    ends = dict(zip(order, apart(middle, HEIGHT / 14, highest / lowest), strict=True))
    tooltip = [
        alt.Tooltip("label:N", title="Divided by"),
        alt.Tooltip("speed:Q", title="tok/s per user", format=",.1f"),
        alt.Tooltip("low:Q", title="Ratio, low", format=",.2f"),
        alt.Tooltip("high:Q", title="Ratio, high", format=",.2f"),
    ]
    for key in order:
        part, colour = rows[rows["key"] == key], _COLOURS.get(key, _OTHER)
        drawn = alt.Chart(part)
        if (part["high"] > part["low"]).any():
            layers.append(drawn.mark_area(color=colour, opacity=0.22).encode(x=x, y=y("low"), y2="high:Q"))
            edges: tuple[str, ...] = ("low", "high")
        else:
            edges = ("low",)
        for edge in edges:
            line = drawn.mark_line(color=colour, strokeWidth=1.2 if len(edges) > 1 else 2, strokeDash=dash)
            layers.append(line.encode(x=x, y=y(edge), tooltip=tooltip))
        if len(edges) == 1:
            marks = alt.Chart(part[part["mine"]]).mark_point(color=colour, size=32, filled=False, opacity=1)
            layers.append(marks.encode(x=x, y=y("low"), tooltip=tooltip))
        name = pd.DataFrame({"speed": [float(last[key]["speed"])], "low": [ends[key]], "label": [last[key]["label"]]})
        text = alt.Chart(name).mark_text(align="left", dx=8, color=colour, fontWeight="bold", fontSize=12)
        layers.append(text.encode(x=x, y=y("low"), text="label:N"))
    told = "; ".join(
        f"divided by {part['label'].iloc[0]} {_span(part.iloc[0])}, from {part['low'].min():.2f} to "
        f"{part['high'].max():.2f} over all common speeds"
        for _, part in rows.groupby("key", sort=False)
    )
    chart = alt.layer(*layers).properties(width="container", height=HEIGHT)
    return finish(
        chart,
        title=title,
        subtitle=subtitle,
        description=f"Line chart of output of {candidate} over that of {rival}, log axes, one line for each thing that "
        f"output is divided by. At {rows['speed'].min():,.0f} tok/s per user: {told}.",
        source=source,
    )


_SPEEDS = [50.0, 100.0, 200.0, 400.0, 1000.0]


def _span(row: pd.Series) -> str:
    return f"{row['low']:.2f}" if row["low"] == row["high"] else f"{row['low']:.2f} to {row['high']:.2f}"
