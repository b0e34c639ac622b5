"""Parts of a whole, and shares of a rating."""

from __future__ import annotations

from typing import Any

import altair as alt
import pandas as pd

from scoville.charts.look import HEIGHT, PARTS, SOLID, UNLIKE, finish, look, tick_values
from scoville.charts.origin import OPENS, SOURCE


def split_bars(
    shares: pd.DataFrame, parts: tuple[str, str], *, title: str, subtitle: str, source: str
) -> alt.TopLevelMixin:
    """What a whole is made of, one bar a whole, from 0 to 100 %.

    Args:
        shares: ``what`` (label of the bar) and ``first`` (share of the first part, 0 to 1), in order.
        parts: names of both parts.
        title, subtitle, source: the texts around it.
    """
    first = shares.assign(part=parts[0], low=0.0, high=shares["first"])
    second = shares.assign(part=parts[1], low=shares["first"], high=1.0)
    rows = pd.concat([first, second]).assign(low=lambda f: 100 * f["low"], high=lambda f: 100 * f["high"]).round(2)
    rows["told"] = (rows["high"] - rows["low"]).map("{:.0f}".format)
    y = alt.Y("what:N", title=None, sort=list(shares["what"]), axis=alt.Axis(labelLimit=200))
    scale = alt.Scale(domain=[0, 100])
    x = alt.X("low:Q", title="Share, %", scale=scale, axis=alt.Axis(tickCount=5))
    colour = alt.Color(
        "part:N",
        title=None,
        scale=alt.Scale(domain=list(parts), range=list(PARTS)),
        legend=alt.Legend(orient="top", columns=1),
    )
    tooltip = [alt.Tooltip("part:N", title="Part"), alt.Tooltip("told:N", title="Share, %")]
    bars = alt.Chart(rows).mark_bar(height=18).encode(x=x, x2="high:Q", y=y, color=colour, tooltip=tooltip)
    inside: dict[str, Any] = {"color": "#FFFFFF", "fontWeight": "bold", "fontSize": 11}
    left = alt.Chart(rows).transform_filter(alt.datum.low == 0).mark_text(align="left", dx=4, **inside)
    right = alt.Chart(rows).transform_filter(alt.datum.high == 100).mark_text(align="right", dx=-2, **inside)
    end = alt.X("high:Q", title="Share, %", scale=scale)
    chart = alt.layer(bars, left.encode(x=x, y=y, text="told:N"), right.encode(x=end, y=y, text="told:N")).properties(
        width="container", height=32 * len(shares)
    )
    told = "; ".join(f"{what}: {100 * part:.0f} %" for what, part in zip(shares["what"], shares["first"], strict=True))
    described = f"Stacked bars from 0 to 100 %: “{parts[0]}”, and the rest “{parts[1]}”. The first takes {told}."
    return finish(chart, title=title, subtitle=subtitle, description=described, source=source)


def share_of_rating(
    rows: pd.DataFrame, looks: dict[str, str], marked: pd.DataFrame, *, title: str, subtitle: str, source: str
) -> alt.TopLevelMixin:
    """Measured watts as a share of the package rating against load, every row a mark, configurations joined.

    Args:
        rows: ``name`` (of the system), ``model``, ``configuration`` (rows of one are joined), ``concurrency``,
            ``load`` (requests in flight per chip), ``watts``, ``share`` (1 is the rating), ``read`` (the source read
            the watts itself; else they are implied), ``multi`` (multi-token), ``evidence``, ``source_title`` and
            ``address``.
        looks: name of a system to its key, for colour and mark.
        marked: rows to be named beside their marks: ``name``, ``load``, ``share`` and ``label``.
        title, subtitle, source: the texts around it.
    """
    x = alt.X(
        "load:Q",
        title="Requests in flight per chip (log)",
        scale=alt.Scale(type="log", domain=[float(rows["load"].min()) * 0.7, float(rows["load"].max()) * 1.6]),
        axis=alt.Axis(values=[0.1, 0.2, 0.5, *tick_values(1, 1000)], format="~r", labelOverlap="greedy"),
    )
    y = alt.Y(
        "share:Q",
        title="Share of package rating",
        scale=alt.Scale(domain=[0, max(1.1, float(rows["share"].max()) * 1.05)]),
        axis=alt.Axis(labelExpr="format(100 * datum.value, '.0f') + ' %'"),
    )
    tooltip = [
        alt.Tooltip("name:N", title="System"),
        alt.Tooltip("model:N", title="Model"),
        alt.Tooltip("configuration:N", title="Configuration"),
        alt.Tooltip("concurrency:Q", title="Concurrency"),
        alt.Tooltip("watts:Q", title="Watts per chip", format=",.0f"),
        alt.Tooltip("share:Q", title="Share of rating", format=".1%"),
        *SOURCE,
    ]
    layers: list[Any] = [
        alt.Chart(pd.DataFrame({"share": [1.0]})).mark_rule(strokeDash=[4, 3]).encode(y=y),
    ]
    for name, system in looks.items():
        mine, style = rows[rows["name"] == name], look(system)
        for multi, part in mine.groupby("multi"):
            joined = alt.Chart(part).mark_line(
                color=style.colour, strokeWidth=1, opacity=0.5, strokeDash=UNLIKE if multi else SOLID
            )
            layers.append(joined.encode(x=x, y=y, detail=["model:N", "configuration:N"]))
        mark = alt.Chart(mine).mark_point(color=style.colour, fill=style.colour, shape=style.shape, size=40, opacity=1)
        layers.append(mark.encode(x=x, y=y, tooltip=tooltip, href=OPENS))
        if mine["read"].any():
            ring = alt.Chart(mine[mine["read"]]).mark_point(size=130, strokeWidth=1.2, shape="circle", color="#6B7280")
            layers.append(ring.encode(x=x, y=y))
    for place, row in enumerate(marked[["name", "load", "share", "label"]].itertuples(index=False)):
        right = row.load > 0.3 * rows["load"].max()
        text = alt.Chart(pd.DataFrame([row])).mark_text(
            align="right" if right else "left",
            dx=-2 if right else 8,
            dy=-13 if right or place % 2 else 9,
            color=look(looks[row.name]).colour,
            fontWeight="bold",
            fontSize=12,
        )
        layers.append(text.encode(x=x, y=y, text="label:N"))
    told = "; ".join(
        f"{name}: {len(part)} rows, {100 * part['share'].min():.0f} to {100 * part['share'].max():.0f} % of the rating"
        for name, part in rows.groupby("name", sort=False)
    )
    chart = alt.layer(*layers).properties(width="container", height=HEIGHT)
    return finish(
        chart,
        title=title,
        subtitle=subtitle,
        description=f"Scatter chart of share of package rating against requests in flight per chip. {told}.",
        source=source,
    )
