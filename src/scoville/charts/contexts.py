"""What grows with the context: KV cache beside the weights."""

from __future__ import annotations

from typing import Any

import altair as alt
import pandas as pd

from scoville.charts.look import LOWER, MODELLED, OTHER, finish
from scoville.words import counted


def cache_shares(
    curves: pd.DataFrame, marked: dict[str, float], *, title: str, subtitle: str, source: str
) -> alt.TopLevelMixin:
    """Share of a step's bytes that KV cache takes against the context, a dotted line a batch; all of it modelled.

    Args:
        curves: ascending in ``context`` (tokens): ``batch`` (requests in the step), ``ranks`` (copies of MLA's
            latent; the first kind is the first state), ``share`` (0 to 1) and ``named`` (where a line has its name).
        marked: label to a context worth a rule, tokens, from left to right.
        title, subtitle, source: the texts around it.
    """
    ends = [float(curves["context"].min()), float(curves["context"].max())]
    kinds = [int(r) for r in curves["ranks"].unique()]
    ticks = [t for t in (1024.0 * 4**e for e in range(6)) if ends[0] <= t <= ends[1]]
    x = alt.X(
        "context:Q",
        title="Context of every request, tokens (log)",
        scale=alt.Scale(type="log", base=2, domain=ends, nice=False),
        axis=alt.Axis(values=ticks, labelExpr="datum.value / 1024 + 'K'", labelOverlap="greedy"),
    )
    y = alt.Y(
        "share:Q",
        title="KV cache’s share of the bytes of a step",
        scale=alt.Scale(domain=[0, 1]),
        axis=alt.Axis(format=".0%", tickCount=5),
    )
    rows = curves.assign(told=[counted(b, "request") for b in curves["batch"]])
    shown = alt.Chart(rows)
    params = []
    if len(kinds) > 1:
        labels = ["kept once", *(f"a copy on each of {k} chips" for k in kinds[1:])]
        bind = alt.binding_select(options=kinds, labels=labels, name="MLA’s latent: ")
        params = [alt.param(name="ranks", value=kinds[0], bind=bind)]
        shown = shown.transform_filter("datum.ranks == ranks")
    tooltip = [
        alt.Tooltip("told:N", title="Step"),
        alt.Tooltip("context:Q", title="Context, tokens", format=",.0f"),
        alt.Tooltip("share:Q", title="KV cache’s share (modelled)", format=".1%"),
    ]
    rules = pd.DataFrame({"context": list(marked.values()), "label": list(marked)})
    layers: list[Any] = [
        alt.Chart(rules).mark_rule(strokeDash=[4, 3], strokeWidth=1).encode(x=x),
        alt.Chart(rules).mark_text(fontSize=12).encode(x=x, y=alt.value(-8), text="label:N"),
        shown.mark_line(strokeDash=MODELLED, strokeWidth=2, color=OTHER.colour).encode(x=x, y=y, detail="batch:N"),
        shown.mark_point(size=90, opacity=0).encode(x=x, y=y, tooltip=tooltip),
        shown.transform_filter("datum.named")
        .mark_text(align="left", dx=7, dy=5, fontSize=12, fontWeight="bold")
        .encode(x=x, y=y, text=alt.Text("batch:Q", format=",.0f")),
    ]
    chart = alt.layer(*layers).properties(width="container", height=LOWER)
    first = rows[rows["ranks"] == kinds[0]]
    told = "; ".join(
        f"{counted(batch, 'request')}: {part['share'].iloc[0]:.0%} at {part['context'].iloc[0]:,.0f} tokens, "
        f"{part['share'].iloc[-1]:.0%} at {part['context'].iloc[-1]:,.0f}"
        for batch, part in first.groupby("batch")
    )
    return finish(
        chart.add_params(*params) if params else chart,
        title=title,
        subtitle=subtitle,
        description=f"Modelled share of a step’s bytes that KV cache takes, against context. {told}.",
        source=source,
    )
