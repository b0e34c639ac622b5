"""Candidate over baseline: along the speeds, and by basis and watts."""

from __future__ import annotations

import re
from typing import Any

import altair as alt
import pandas as pd

from scoville.charts.look import LOWER, SOLID, UNLIKE, apart, finish, look, speed_axis, tick_values, unlike_methods


def ratio_curves(
    curves: pd.DataFrame, looks: dict[str, str], *, title: str, subtitle: str, source: str
) -> alt.TopLevelMixin:
    """The candidate over each baseline, along the whole overlap of speeds.

    Args:
        curves: ``baseline`` (label), ``speed``, ``ratio``, one row a measured speed. Optional: ``low`` and ``high``,
            drawn as a bar where they are there, and ``like``; curves that are not are dash-dotted and come on request.
        looks: label of a baseline to system key, for its colour.
        title, subtitle, source: the texts around it.
    """
    curves = curves.assign(like=curves.get("like", True))
    extent = curves[[c for c in ("low", "ratio", "high") if c in curves]]
    lowest, highest = float(extent.min().min()), float(extent.max().max())
    x = speed_axis((float(curves["speed"].min()) * 0.9, float(curves["speed"].max()) * 1.4))
    scale = alt.Scale(type="log", domain=[min(0.9, lowest), highest * 1.1])
    y = alt.Y(
        "ratio:Q",
        title="Candidate over baseline (log)",
        scale=scale,
        axis=alt.Axis(values=tick_values(0.1, 200), format="~r", labelOverlap="greedy"),
    )
    equal = pd.DataFrame({"ratio": [1.0]})
    layers: list[Any] = [alt.Chart(equal).mark_rule(strokeDash=[4, 3], strokeWidth=1).encode(y=y)]
    last = {
        label: float(curves[curves["baseline"] == label]["ratio"].iloc[-1]) for label in curves["baseline"].unique()
    }
    ends = dict(zip(last, apart(list(last.values()), LOWER / 14, highest), strict=True))
    tooltip = [
        alt.Tooltip("baseline:N", title="Baseline"),
        alt.Tooltip("speed:Q", title="tok/s per user", format=",.1f"),
        alt.Tooltip("ratio:Q", title="Ratio", format=",.2f"),
    ]
    for label, system in looks.items():
        rows = curves[curves["baseline"] == label].round({"speed": 3, "ratio": 4, "low": 4, "high": 4})
        if rows.empty:
            continue
        style, dash = look(system), SOLID if rows["like"].all() else UNLIKE
        drawn = (
            alt.Chart(rows).transform_filter("datum.like || show_mtp") if not curves["like"].all() else alt.Chart(rows)
        )
        if "low" in rows and rows["low"].notna().any():
            bar = drawn.mark_rule(color=style.colour, strokeWidth=4, opacity=0.35)
            layers.append(bar.encode(x=x, y=alt.Y("low:Q", scale=scale), y2="high:Q", tooltip=tooltip))
        layers += [
            drawn.mark_line(color=style.colour, strokeWidth=2, strokeDash=dash).encode(x=x, y=y),
            drawn.mark_point(color=style.colour, shape=style.shape, size=35, fill=style.colour, opacity=1).encode(
                x=x, y=y, tooltip=tooltip
            ),
            drawn.transform_filter(alt.datum.speed == float(rows["speed"].iloc[-1]))
            .transform_calculate(ratio=str(ends[label]))
            .mark_text(align="left", dx=9, color=style.colour, fontWeight="bold", fontSize=12)
            .encode(x=x, y=y, text="baseline:N"),
        ]
    told = "; ".join(
        f"over {label}: {rows['ratio'].iloc[0]:.2f} at {rows['speed'].iloc[0]:,.0f} to {rows['ratio'].iloc[-1]:.2f} "
        f"at {rows['speed'].iloc[-1]:,.0f} tok/s per user"
        for label, rows in curves.groupby("baseline", sort=False)
    )
    chart = alt.layer(*layers).properties(width="container", height=LOWER)
    if not curves["like"].all():
        chart = chart.add_params(unlike_methods())
    return finish(
        chart,
        title=title,
        subtitle=subtitle,
        description=f"Line chart of ratios, log axes. {told}.",
        source=source,
    )


_ROW_STEP = 23


def ratio_rows(rows: pd.DataFrame, *, title: str, subtitle: str, source: str) -> alt.TopLevelMixin:
    """Ratios as marks in labelled rows, grouped under headings; an interval is a bar between two marks.

    Args:
        rows: one a ratio, in display order: ``group`` (heading), ``label``, ``system`` (whose colour and mark),
            ``low``, ``high`` (missing where there is no ratio) and ``shown`` (the text beside the mark).
        title, subtitle, source: the texts around it.
    """
    described = "; ".join(f"{r.group}, {r.label}: {r.shown}" for r in rows.itertuples())
    kept = rows.assign(at=rows["high"].fillna(1.0))
    chart = _ratio_rows(kept, (float(rows["low"].min()) * 0.5, float(rows["high"].max()) * 2.5))
    return finish(
        chart, title=title, subtitle=subtitle, description=f"Dot chart, log axis. {described}.", source=source
    )


def ratios_by_watts(
    rows: pd.DataFrame, watts: dict[str, float], names: dict[str, str], candidate: str, **texts: str
) -> alt.TopLevelMixin:
    """Ratios per watt that follow the watts which the reader types, one input a system; `ratio_rows` otherwise.

    Args:
        rows: as for `ratio_rows`, without ``low``, ``high`` and ``shown`` but with ``per_chip`` (ratio per chip) and
            ``told`` (before the ratio in a sentence under the inputs; missing where that leaves it out).
        watts: watts of a package in the first state, by system, in the order of the inputs; the candidate's among them.
        names: system key to readable name.
        candidate: the system in the numerator.
        texts: ``title``, ``subtitle`` and ``source``.
    """
    params = [
        alt.param(name=_watts_param(system), value=value, bind=alt.binding(input="number", name=f"{names[system]}, W"))
        for system, value in watts.items()
    ]

    def shown(ratio: str) -> str:
        return f"({mine} > 0 && isFinite({ratio}) && {ratio} > 0 ? format({ratio}, '.2f') + '×' : 'no ratio')"

    mine = _watts_param(candidate)
    sentence = [
        f"'{r.told} ' + " + shown(f"({r.per_chip!r} * {_watts_param(r.system)} / {mine})")
        for r in rows.dropna(subset="told").itertuples()
    ]
    params.append(
        alt.param(name="told", expr=" + '; ' + ".join(["'With these watts: '" + " + " + sentence[0], *sentence[1:]]))
    )
    theirs = "{" + ", ".join(f"'{system}': {_watts_param(system)}" for system in watts) + "}[datum.system]"
    first = rows["per_chip"] * rows["system"].map(watts) / watts[candidate]
    chart = _ratio_rows(
        rows.drop(columns="told"),
        (float(first.min()) * 0.4, float(first.max()) * 2.5),
        ratio=f"datum.per_chip * {theirs} / {mine}",
        shown=shown("datum.low"),
    ).add_params(*params)
    described = "; ".join(f"{r.group}, {r.label}: {f:.2f}×" for r, f in zip(rows.itertuples(), first, strict=True))
    return finish(chart, description=f"Dot chart, log axis, first state. {described}.", **texts)


def _ratio_rows(rows: pd.DataFrame, domain: tuple[float, float], ratio: str = "", shown: str = "") -> Any:
    """The marks of both; with ``ratio`` and ``shown`` as Vega expressions, these come from parameters."""
    keyed = rows.assign(row=rows["group"] + "|" + rows["label"])
    order = [key for group, part in keyed.groupby("group", sort=False) for key in (f"{group}|", *part["row"])]
    heads = pd.DataFrame({"row": [f"{g}|" for g in keyed["group"].unique()], "group": keyed["group"].unique()})
    systems = list(dict.fromkeys(keyed["system"]))
    y = alt.Y(
        "row:N",
        sort=order,
        title=None,
        scale=alt.Scale(domain=order),
        axis=alt.Axis(labelExpr="split(datum.value, '|')[1]", ticks=False, domain=False, labelLimit=150, grid=False),
    )
    scale = alt.Scale(type="log", domain=list(domain), clamp=True)  # marks stay in sight, whatever is typed
    axis = alt.Axis(values=tick_values(0.1, 200), format="~r", labelOverlap="greedy")

    def x(field: str) -> alt.X:
        return alt.X(f"{field}:Q", title="Ratio of peaks (log)", scale=scale, axis=axis)

    colours = alt.Scale(domain=systems, range=[look(s).colour for s in systems])
    shapes = alt.Scale(domain=systems, range=[look(s).shape for s in systems])
    styled: dict[str, Any] = {
        "stroke": alt.Stroke("system:N", legend=None, scale=colours),
        "fill": alt.Fill("system:N", legend=None, scale=colours),
        "shape": alt.Shape("system:N", legend=None, scale=shapes),
    }
    base = alt.Chart(keyed.drop(columns="group"))
    if ratio:
        base = (
            base.transform_calculate(low=ratio)
            .transform_calculate(shown=shown)
            .transform_calculate(high="datum.low", at="isFinite(datum.low) && datum.low > 0 ? datum.low : 1")
        )
    drawn = base.transform_filter("isFinite(datum.low) && datum.low > 0")
    marks = [drawn.mark_point(size=60, opacity=1).encode(x=x("low"), y=y, **styled)]
    if not ratio and not rows["low"].equals(rows["high"]):
        upper = drawn.transform_filter("datum.high > datum.low")
        bar = upper.mark_rule(strokeWidth=4, opacity=0.4)
        marks += [
            bar.encode(x=x("low"), x2="high:Q", y=y, stroke=styled["stroke"]),
            upper.mark_point(size=60, opacity=1).encode(x=x("high"), y=y, **styled),
        ]
    ahead, behind = (base.transform_filter(f"datum.at {than} 1") for than in (">=", "<"))
    texts = [
        ahead.mark_text(align="left", dx=9, fontSize=12).encode(x=x("at"), y=y, text="shown:N"),
        behind.mark_text(align="right", dx=-9, fontSize=12).encode(x=x("low"), y=y, text="shown:N"),
    ]
    equal = alt.Chart(pd.DataFrame({"low": [1.0]})).mark_rule(strokeDash=[4, 3])
    head = alt.Chart(heads).mark_text(align="left", fontWeight="bold", fontSize=12)
    return alt.layer(
        equal.encode(x=x("low")), head.encode(x=alt.value(4), y=y, text="group:N"), *marks, *texts
    ).properties(width="container", height=_ROW_STEP * len(order))


def _watts_param(system: str) -> str:
    """Name of the Vega parameter that holds the watts of one package of a system."""
    return "watts_" + re.sub(r"\W", "_", system)
