"""Measured times against what a model of the hardware allows."""

from __future__ import annotations

from typing import Any

import altair as alt
import pandas as pd

from scoville.charts.look import FILLED, LOWER, MODELLED, OTHER, finish, look, tick_values
from scoville.charts.origin import OPENS, ORIGIN
from scoville.units import plural

_ROW_STEP = 24


def above_floor(rows: pd.DataFrame, *, title: str, subtitle: str, source: str) -> alt.TopLevelMixin:
    """How many times a modelled floor a measured time is: a mark with its interval, in rows under headings.

    Args:
        rows: in display order: ``group`` (heading), ``label``, ``system``, the columns of `origin`, ``times`` (at
            the page's assumptions), ``low``, ``high`` (over all of them), ``shown`` (the text beside the bar) and
            ``told`` (the same with its interval, for the description).
        title, subtitle, source: the texts around it.
    """
    kept = rows.assign(
        row=rows["group"] + "|" + rows["label"],
        colour=[look(s).colour for s in rows["system"]],
        shape=[look(s).shape for s in rows["system"]],
    )
    order = [key for group, part in kept.groupby("group", sort=False) for key in (f"{group}|", *part["row"])]
    heads = pd.DataFrame({"row": [f"{g}|" for g in kept["group"].unique()], "group": kept["group"].unique()})
    y = alt.Y(
        "row:N",
        sort=order,
        title=None,
        scale=alt.Scale(domain=order),
        axis=alt.Axis(
            labelExpr="split(datum.value, '|')[1]", ticks=False, domain=False, labelLimit=150, minExtent=112, grid=False
        ),
    )
    scale = alt.Scale(type="log", domain=[0.9, float(rows["high"].max()) * 2.5], nice=False)
    axis = alt.Axis(values=tick_values(1, float(rows["high"].max()) * 2), format="~r", labelOverlap="greedy")

    def x(field: str) -> alt.X:
        return alt.X(f"{field}:Q", title="TBT over modelled floor (log)", scale=scale, axis=axis)

    colour = alt.Color("colour:N", scale=None)
    shape = alt.Shape("shape:N", scale=None)
    tooltip = [
        alt.Tooltip("label:N", title="Point"),
        alt.Tooltip("times:Q", title="Times the floor", format=",.3~r"),
        alt.Tooltip("low:Q", title="from", format=",.3~r"),
        alt.Tooltip("high:Q", title="to", format=",.3~r"),
        *ORIGIN,
    ]
    base = alt.Chart(kept)
    floor = alt.Chart(pd.DataFrame({"times": [1.0]})).mark_rule(strokeDash=[4, 3])
    layers: list[Any] = [
        floor.encode(x=x("times")),
        alt.Chart(heads)
        .mark_text(align="left", fontWeight="bold", fontSize=12)
        .encode(x=alt.value(4), y=y, text="group:N"),
        base.mark_rule(strokeWidth=4, opacity=0.4).encode(x=x("low"), x2="high:Q", y=y, color=colour),
        base.mark_text(align="left", dx=6, fontSize=12).encode(x=x("high"), y=y, text="shown:N"),
    ]
    independent = kept["evidence"].isin(FILLED)
    for part, filled in ((kept[independent], True), (kept[~independent], False)):
        if not part.empty:
            mark = alt.Chart(part).mark_point(size=70, strokeWidth=1.8, opacity=1, filled=filled)
            layers.append(mark.encode(x=x("times"), y=y, color=colour, shape=shape, tooltip=tooltip, href=OPENS))
    told = "; ".join(f"{r.group}, {r.label}: {r.told}" for r in rows.itertuples())
    chart = alt.layer(*layers).properties(width="container", height=_ROW_STEP * len(order))
    return finish(
        chart,
        title=title,
        subtitle=subtitle,
        description=f"Dot chart of measured TBT over a modelled floor, log axis. {told}.",
        source=source,
    )


def scaling(
    points: pd.DataFrame, curve: pd.DataFrame, system: str, fixed: float, *, title: str, subtitle: str, source: str
) -> alt.TopLevelMixin:
    """TBT over chips: measured marks, a fitted curve, and the modelled memory floor as a band.

    Args:
        points: ``chips``, ``tbt`` (ms), the columns of `origin` and ``shown`` (text beside the mark).
        curve: ascending in ``chips``: ``fitted``, ``low`` and ``high`` (the floor's interval), ms.
        system: whose colour and mark the points have.
        fixed: what the fit leaves at any number of chips, ms; marked by a rule.
        title, subtitle, source: the texts around it.
    """
    style = look(system)
    ends = [float(curve["chips"].min()), float(curve["chips"].max())]
    x = alt.X(
        "chips:Q",
        title="Chips (log)",
        scale=alt.Scale(type="log", base=2, domain=ends, nice=False),
        axis=alt.Axis(values=sorted(points["chips"].unique()), format=",.0f"),
    )
    scale = alt.Scale(domain=[0, float(points["tbt"].max()) * 1.15], nice=False)
    y = alt.Y("tbt:Q", title="Median TBT, ms", scale=scale)
    tooltip = [
        alt.Tooltip("chips:Q", title="Chips"),
        alt.Tooltip("tbt:Q", title="Median TBT, ms", format=".3f"),
        *ORIGIN,
    ]
    last = curve.iloc[[-1]]
    rule = pd.DataFrame({"tbt": [fixed], "chips": [ends[1]], "shown": [f"fixed part {fixed:.2f} ms"]})
    filled = bool(points["evidence"].isin(FILLED).all())
    layers: list[Any] = [
        alt.Chart(curve)
        .mark_area(color=OTHER.colour, opacity=0.3)
        .encode(x=x, y=alt.Y("low:Q", title="Median TBT, ms", scale=scale), y2="high:Q"),
        alt.Chart(last.assign(tbt=last["high"], shown="memory floor (modelled)"))
        .mark_text(align="right", dx=-4, dy=-24, fontSize=12)
        .encode(x=x, y=y, text="shown:N"),
        alt.Chart(rule).mark_rule(strokeDash=[4, 3], strokeWidth=1).encode(y=y),
        alt.Chart(rule).mark_text(align="right", dx=-4, dy=12, fontSize=12).encode(x=x, y=y, text="shown:N"),
        alt.Chart(curve.assign(tbt=curve["fitted"]))
        .mark_line(color=OTHER.colour, strokeWidth=1.5, strokeDash=MODELLED)
        .encode(x=x, y=y),
        alt.Chart(points)
        .mark_point(color=style.colour, shape=style.shape, size=80, strokeWidth=1.8, opacity=1, filled=filled)
        .encode(x=x, y=y, tooltip=tooltip, href=OPENS),
        alt.Chart(points).mark_text(align="left", dx=9, dy=-9, fontSize=12).encode(x=x, y=y, text="shown:N"),
    ]
    told = "; ".join(f"{plural(int(r.chips), 'chip')}: {r.tbt:.3f} ms" for r in points.itertuples())
    chart = alt.layer(*layers).properties(width="container", height=LOWER)
    return finish(
        chart,
        title=title,
        subtitle=subtitle,
        description=f"Chart of TBT against chips with a fitted curve. {told}; fixed part {fixed:.2f} ms.",
        source=source,
    )
