"""Latency: its parts, its limits, and what follows from load."""

from __future__ import annotations

from typing import Any

import altair as alt
import pandas as pd

from scoville.charts.look import FILLED, HEIGHT, LOWER, OTHER, apart, finish, look, tick_values
from scoville.charts.origin import OPENS, ORIGIN


def splits(parts: pd.DataFrame, *, title: str, subtitle: str, source: str) -> alt.TopLevelMixin:
    """E2E as the time to the first token and the time after it, one bar a printed E2E, on a linear axis.

    Args:
        parts: in display order: ``label`` (over the bar), ``system``, ``filled`` (independently executed), ``ttft``,
            ``ttft_low``, ``ttft_high``, ``e2e`` and ``measured`` (TTFT of its public row; missing where none has it),
            all in seconds.
        title, subtitle, source: the texts around it.
    """
    rows = parts.assign(
        place=range(len(parts)),
        start=0.0,
        colour=[look(s).colour for s in parts["system"]],
        shape=[look(s).shape for s in parts["system"]],
    )
    y = alt.Y("place:O", axis=None)
    scale = alt.Scale(domain=[0, float(parts["e2e"].max()) * 1.04], nice=False)

    def x(field: str) -> alt.X:
        return alt.X(f"{field}:Q", title="Seconds from sending the request", scale=scale)

    colour = alt.Color("colour:N", scale=None)
    shape = alt.Shape("shape:N", scale=None)
    tooltip = [
        alt.Tooltip("label:N", title="Printed E2E"),
        alt.Tooltip("ttft_low:Q", title="TTFT from, s", format=".3f"),
        alt.Tooltip("ttft_high:Q", title="TTFT to, s", format=".3f"),
        alt.Tooltip("e2e:Q", title="E2E, s", format=".2f"),
    ]
    bars = alt.Chart(rows)
    layers: list[Any] = [
        bars.mark_rule(strokeWidth=5, opacity=0.35).encode(x=x("ttft"), x2="e2e:Q", y=y, color=colour),
        bars.mark_rule(strokeWidth=11).encode(x=x("start"), x2="ttft:Q", y=y, color=colour),
        bars.mark_rule(strokeWidth=1.5, color=OTHER.colour).encode(x=x("ttft_low"), x2="ttft_high:Q", y=y),
        bars.mark_text(align="left", dy=-17, fontSize=12).encode(x=x("start"), y=y, text="label:N"),
    ]
    for part, filled in ((rows[rows["filled"]], True), (rows[~rows["filled"]], False)):
        for field in ("ttft", "e2e"):
            mark = alt.Chart(part).mark_point(size=60, strokeWidth=1.8, opacity=1, filled=filled)
            layers.append(mark.encode(x=x(field), y=y, color=colour, shape=shape, tooltip=tooltip))
    known = alt.Chart(rows.dropna(subset=["measured"]))
    cross = known.mark_point(shape="cross", size=75, strokeWidth=1.2, color=OTHER.colour, filled=True, opacity=1)
    layers.append(
        cross.encode(
            x=x("measured"), y=y, tooltip=[alt.Tooltip("measured:Q", title="TTFT in the row, s", format=".3f")]
        )
    )
    chart = alt.layer(*layers).properties(width="container", height=48 * len(parts))
    return finish(
        chart,
        title=title,
        subtitle=subtitle,
        description=f"Bars in seconds. {'; '.join(parts['label'])}.",
        source=source,
    )


def by_load(
    rows: pd.DataFrame,
    names: dict[str, str],
    *,
    quantity: str,
    lines: dict[str, float],
    domain: tuple[float, float],
    band: pd.DataFrame,
    ringed: pd.DataFrame,
    title: str,
    subtitle: str,
    source: str,
) -> alt.TopLevelMixin:
    """A quantity of every row against the requests that its client holds; a cloud of marks, so it has a legend.

    Args:
        rows: ``system``, ``value``, ``statistic`` and the columns of `origin`.
        names: system key to readable name.
        quantity: what the value is, with its unit.
        lines: label to a value that rows may be held against, drawn across; from top to bottom.
        domain: ends of the value's axis.
        band: ``concurrency``, ``low``, ``high``: where chance may put the value; may be empty.
        ringed: ``concurrency``, ``value``, ``label`` (blank for none): printed numbers; may be empty.
        title, subtitle, source: the texts around it.
    """
    highest = float(rows["concurrency"].max()) * 1.6
    scale = alt.Scale(type="log", domain=[0.7, highest], nice=False)
    axis = alt.Axis(values=[4.0**e for e in range(8)], format=",.0f", labelOverlap="greedy")
    x = alt.X("concurrency:Q", title="Concurrency, requests (log)", scale=scale, axis=axis)
    up = alt.Scale(domain=list(domain), nice=False, zero=False)
    y = alt.Y("value:Q", title=quantity, scale=up)
    layers: list[Any] = []
    if not band.empty:
        area = alt.Chart(band).mark_area(color=OTHER.colour, opacity=0.18, clip=True)
        layers.append(area.encode(x=x, y=alt.Y("low:Q", title=quantity, scale=up), y2="high:Q"))
    held = pd.DataFrame({"label": list(lines), "value": list(lines.values()), "concurrency": highest})
    layers.append(alt.Chart(held).mark_rule(strokeDash=[4, 3], strokeWidth=1).encode(y=y))
    for place in range(len(held)):  # the first label over its line, the others under theirs
        mark = alt.Chart(held.iloc[[place]]).mark_text(align="right", dy=12 if place else -8, dx=-4, fontSize=12)
        layers.append(mark.encode(x=x, y=y, text="label:N"))
    shown = rows.assign(name=rows["system"].map(names))
    order = list(dict.fromkeys(rows["system"]))
    legend = alt.Legend(orient="top", title=None, columns=3)
    keys = [names[s] for s in order]
    colour = alt.Color("name:N", legend=legend, scale=alt.Scale(domain=keys, range=[look(s).colour for s in order]))
    shape = alt.Shape("name:N", legend=legend, scale=alt.Scale(domain=keys, range=[look(s).shape for s in order]))
    tooltip = [
        alt.Tooltip("name:N", title="System"),
        alt.Tooltip("value:Q", title=quantity, format=",.3~f"),
        alt.Tooltip("statistic:N", title="From"),
        *ORIGIN,
    ]
    independent = shown["evidence"].isin(FILLED)
    for part, filled in ((shown[independent], True), (shown[~independent], False)):
        if not part.empty:
            mark = alt.Chart(part).mark_point(size=45, strokeWidth=1.6, opacity=0.9, filled=filled)
            layers.append(mark.encode(x=x, y=y, color=colour, shape=shape, tooltip=tooltip, href=OPENS))
    if not ringed.empty:
        layers += [
            alt.Chart(ringed).mark_point(size=190, strokeWidth=1.3, shape="circle", color=OTHER.colour, opacity=1),
            alt.Chart(ringed).mark_text(align="left", dx=12, fontSize=12).encode(text="label:N"),
        ]
        layers[-2:] = [layer.encode(x=x, y=y) for layer in layers[-2:]]
    told = "; ".join(
        f"{names[s]}: {len(part)} rows from {part['value'].min():,.4g} to {part['value'].max():,.4g}"
        for s, part in rows.groupby("system", sort=False)
    )
    chart = alt.layer(*layers).properties(width="container", height=LOWER)
    return finish(
        chart,
        title=title,
        subtitle=subtitle,
        description=f"Scatter chart of {quantity}, against concurrency on a log axis. {told}.",
        source=source,
    )


def promises(
    rows: pd.DataFrame,
    stairs: pd.DataFrame,
    names: dict[str, str],
    floors: dict[float, str],
    *,
    unit: str,
    marked_s: float,
    title: str,
    subtitle: str,
    source: str,
) -> alt.TopLevelMixin:
    """Best throughput under a limit on TTFT, as steps; the reader can ask for a speed per user as well.

    Args:
        rows: every row: ``system``, ``ttft`` (median, s), ``value``, ``speed`` (median tok/s per user) and the
            columns of `origin`.
        stairs: the corners of the steps: ``system``, ``floor``, ``ttft``, ``value``, ascending in ``ttft``.
        names: system key to readable name.
        floors: least speeds per user that can be asked for, tok/s, and how each reads; the first is shown first.
        unit: unit of the throughput.
        marked_s: a limit marked by a rule, seconds.
        title, subtitle, source: the texts around it.
    """
    least = alt.param(
        name="least",
        value=next(iter(floors)),
        bind=alt.binding_radio(options=list(floors), labels=list(floors.values()), name="Speed per user, tok/s: "),
    )
    low, high = float(rows["ttft"].min()) * 0.8, float(rows["ttft"].max()) * 1.1
    room = (high / low) ** 1.4 * low  # for the labels at the right
    ticks = [m * 10.0**e for e in range(-2, 4) for m in (1, 2, 5)]
    x = alt.X(
        "ttft:Q",
        title="Promised limit of the median TTFT, s (log)",
        scale=alt.Scale(type="log", domain=[low, room], nice=False),
        axis=alt.Axis(values=[t for t in ticks if low <= t <= high], format="~g", labelOverlap="greedy"),
    )
    ends = (float(rows["value"].min()) * 0.8, float(rows["value"].max()) * 1.3)
    y = alt.Y(
        "value:Q",
        title=f"Best throughput, {unit} (log)",
        scale=alt.Scale(type="log", domain=list(ends), nice=False),
        axis=alt.Axis(values=tick_values(1, 200_000), format="~s", labelOverlap="greedy"),
    )
    layers: list[Any] = [
        alt.Chart(pd.DataFrame({"ttft": [marked_s]})).mark_rule(strokeDash=[4, 3], strokeWidth=1).encode(x=x)
    ]
    tooltip = [
        alt.Tooltip("name:N", title="System"),
        alt.Tooltip("ttft:Q", title="TTFT, s (median)", format=".3~f"),
        alt.Tooltip("value:Q", title="Throughput", format=",.0f"),
        alt.Tooltip("speed:Q", title="tok/s per user (median)", format=",.1f"),
        *ORIGIN,
    ]
    tops = {key: part.groupby("system", sort=False)["value"].max() for key, part in stairs.groupby("floor")}
    placed = {
        (system, floor): label
        for floor, best in tops.items()
        for system, label in zip(best.index, apart(list(best), HEIGHT / 15, ends[1] / ends[0]), strict=True)
    }
    for system in reversed(list(dict.fromkeys(rows["system"]))):
        style, name = look(system), names[system]
        mine = rows[rows["system"] == system].assign(name=name)
        steps = stairs[stairs["system"] == system]
        far = steps.groupby("floor", as_index=False)["value"].max().assign(ttft=high)
        ended = far.assign(value=[placed[(system, f)] for f in far["floor"]], name=name)
        chosen = "datum.floor == least"
        layers += [
            alt.Chart(pd.concat([steps, far]))
            .transform_filter(chosen)
            .mark_line(color=style.colour, strokeWidth=2, interpolate="step-after")
            .encode(x=x, y=y),
            alt.Chart(mine)
            .transform_filter("datum.speed >= least")
            .mark_point(
                color=style.colour,
                fill=style.colour if mine["evidence"].isin(FILLED).all() else None,
                shape=style.shape,
                size=50,
                strokeWidth=1.6,
                opacity=1,
            )
            .encode(x=x, y=y, tooltip=tooltip, href=OPENS),
            alt.Chart(ended)
            .transform_filter(chosen)
            .mark_text(align="left", dx=6, color=style.colour, fontWeight="bold", fontSize=12)
            .encode(x=x, y=y, text="name:N"),
        ]
    first = next(iter(floors))
    told = "; ".join(
        f"{names[s]}: from {part['value'].iloc[0]:,.0f} at a limit of {part['ttft'].iloc[0]:.2g} s "
        f"to {part['value'].iloc[-1]:,.0f} at {part['ttft'].iloc[-1]:.2g} s"
        for s, part in stairs[stairs["floor"] == first].groupby("system", sort=False)
    )
    chart = alt.layer(*layers).add_params(least).properties(width="container", height=HEIGHT)
    return finish(
        chart, title=title, subtitle=subtitle, description=f"Step chart, log axes, {unit}. {told}.", source=source
    )
