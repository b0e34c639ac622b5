"""How far runs lie apart."""

from __future__ import annotations

from typing import Any

import altair as alt
import pandas as pd

from scoville.charts.look import FILLED, finish, look

_GOLDEN = 0.6180339887
"""Multiples of it, modulo 1, spread marks evenly without chance."""


def strips(rows: pd.DataFrame, measures: list[str], *, title: str, subtitle: str, source: str) -> alt.TopLevelMixin:
    """Relative spreads as marks on a log axis, one strip a measure.

    Args:
        rows: ``measure`` (label), ``spread`` (highest over lowest, minus 1, above 0), ``low``, ``high``, ``system``,
            ``name`` (of the system), ``evidence`` and the columns of a configuration; one row a mark.
        measures: labels of the strips, from the top.
        title, subtitle, source: the texts around it.
    """
    shown = rows.assign(
        percent=(100 * rows["spread"]).round(4),
        offset=[round((i * _GOLDEN) % 1, 3) for i in range(len(rows))],
        configuration=rows["parallelism"] + rows["concurrency"].map(", {:,.0f} at a time".format),
        lengths=rows["isl_nominal"].map("{:,.0f}".format) + " / " + rows["osl_nominal"].map("{:,.0f}".format),
        filled=rows["evidence"].isin(FILLED),
    )
    columns = ["measure", "percent", "offset", "system", "name", "engine", "configuration", "lengths", "runs"]
    low, high = float(shown["percent"].min()) * 0.8, float(shown["percent"].max()) * 1.25
    x = alt.X(
        "percent:Q",
        title="Apart, % (log)",
        scale=alt.Scale(type="log", domain=[low, high]),
        axis=alt.Axis(values=[0.01, 0.1, 1, 10, 100], format="~r"),
    )
    y = alt.Y("measure:N", title=None, sort=measures, axis=alt.Axis(labelLimit=160))
    tooltip = [
        alt.Tooltip("name:N", title="System"),
        alt.Tooltip("engine:N", title="Engine"),
        alt.Tooltip("lengths:N", title="Input / output"),
        alt.Tooltip("configuration:N", title="Configuration"),
        alt.Tooltip("runs:Q", title="Runs"),
        alt.Tooltip("percent:Q", title="Apart, %", format=".2f"),
    ]
    known = dict(zip(shown["system"], shown["name"], strict=True))
    names = list(known.values())
    colour = alt.Color(
        "name:N",
        title=None,
        scale=alt.Scale(domain=names, range=[look(s).colour for s in known]),
        legend=alt.Legend(orient="top", columns=2),
    )
    shape = alt.Shape("name:N", title=None, scale=alt.Scale(domain=names, range=[look(s).shape for s in known]))
    offset = alt.YOffset("offset:Q", scale=alt.Scale(domain=[-0.15, 1.15]))
    layers: list[Any] = []
    for part, filled in ((shown[shown["filled"]], True), (shown[~shown["filled"]], False)):
        if part.empty:
            continue
        mark = alt.Chart(part[columns]).mark_point(
            filled=filled, size=28, opacity=0.75 if filled else 1, strokeWidth=1.6
        )
        layers.append(mark.encode(x=x, y=y, yOffset=offset, color=colour, shape=shape, tooltip=tooltip))
    middles = shown.groupby("measure", as_index=False)["percent"].median()
    middle = alt.Chart(middles).mark_tick(thickness=3, size=34, color="#6B7280")
    layers.append(middle.encode(x=x, y=y, tooltip=[alt.Tooltip("percent:Q", title="Median, %", format=".2f")]))
    told = "; ".join(
        f"{m['measure']}: median {m['percent']:.2f} %, widest "
        f"{shown.loc[shown['measure'] == m['measure'], 'percent'].max():.0f} %"
        for m in middles.to_dict("records")
    )
    chart = alt.layer(*layers).properties(width="container", height=52 * len(measures))
    return finish(
        chart, title=title, subtitle=subtitle, description=f"Strips of marks on a log axis. {told}.", source=source
    )
