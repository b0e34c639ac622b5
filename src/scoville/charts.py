"""One visual language for every chart: a system has the same colour and mark everywhere.

Every chart has a title that is its finding, a description made from its data, and its source. Filled marks were
executed independently, hollow ones were reported by the maker; a line is a Pareto set and stops at its last
points.
"""

from __future__ import annotations

import re
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
_CURVES_HEIGHT = 320


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


def _speed_axis(domain: tuple[float, float], ticks: list[float] | None = None) -> alt.X:
    scale = alt.Scale(type="log", domain=list(domain))
    return alt.X(
        "speed:Q",
        title="Interactivity, tok/s per user (log)",
        scale=scale,
        axis=alt.Axis(values=ticks or _ticks(10, 2000), format=",.0f", grid=True, labelOverlap="greedy"),
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
        layers.append(spread.encode(x=x, y=alt.Y("low:Q", scale=y["scale"]), y2="high:Q"))
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
        shade = alt.condition("datum.pareto", alt.value(1.0), alt.value(0.55))
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
    speeds = pd.concat([line.points["speed"] for line in lines])
    x = _speed_axis((float(speeds.min()) * 0.8, float(speeds.max()) * 2.2))  # room for the label at the right
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
            ring.encode(x=x, y=alt.Y("value:Q", scale=y["scale"]), tooltip=[alt.Tooltip("told:N", title="Printed")]),
            text.encode(x=x, y=alt.Y("value:Q", scale=y["scale"]), text="label:N"),
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
    x = _speed_axis(speeds, [10.0, 30.0, 100.0, 300.0, 1000.0])
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


def _apart(values: list[float], steps: float, span: float) -> list[float]:
    """Label positions on a log axis: as near to their values as a distance of ``span ** (1 / steps)`` allows.

    Args:
        values: positions wanted, any order.
        steps: how many labels the whole axis has room for.
        span: ratio of the axis' ends.
    """
    factor = span ** (1 / steps)
    placed: dict[int, float] = {}
    above = float("inf")
    for index in sorted(range(len(values)), key=lambda i: -values[i]):
        placed[index] = min(values[index], above / factor)
        above = placed[index]
    return [placed[i] for i in range(len(values))]


def _unlike_methods() -> alt.Parameter:
    """A box that brings in what uses speculative decoding; marks filter by ``datum.like || show_mtp``."""
    box = alt.binding_checkbox(name="Show rows with multi-token prediction (unlike methods) ")
    return alt.param(name="show_mtp", value=False, bind=box)


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
    return _finish(
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
        rows: ``system``, ``concurrency``, ``value``, ``statistic``, ``configuration``, ``evidence``.
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
        alt.Tooltip("configuration:N", title="Configuration"),
        alt.Tooltip("concurrency:Q", title="Concurrency"),
        alt.Tooltip("value:Q", title=quantity, format=",.3~f"),
        alt.Tooltip("statistic:N", title="From"),
        alt.Tooltip("evidence:N", title="Evidence"),
    ]
    independent = shown["evidence"].isin(FILLED)
    for part, filled in ((shown[independent], True), (shown[~independent], False)):
        if not part.empty:
            mark = alt.Chart(part).mark_point(size=45, strokeWidth=1.6, opacity=0.9, filled=filled)
            layers.append(mark.encode(x=x, y=y, color=colour, shape=shape, tooltip=tooltip))
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
    chart = alt.layer(*layers).properties(width="container", height=_CURVES_HEIGHT)
    return _finish(
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
        rows: every row: ``system``, ``ttft`` (median, s), ``value``, ``speed`` (median tok/s per user),
            ``configuration``, ``concurrency``, ``evidence``.
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
        axis=alt.Axis(values=_ticks(1, 200_000), format="~s", labelOverlap="greedy"),
    )
    layers: list[Any] = [
        alt.Chart(pd.DataFrame({"ttft": [marked_s]})).mark_rule(strokeDash=[4, 3], strokeWidth=1).encode(x=x)
    ]
    tooltip = [
        alt.Tooltip("name:N", title="System"),
        alt.Tooltip("ttft:Q", title="TTFT, s (median)", format=".3~f"),
        alt.Tooltip("value:Q", title="Throughput", format=",.0f"),
        alt.Tooltip("speed:Q", title="tok/s per user (median)", format=",.1f"),
        alt.Tooltip("configuration:N", title="Configuration"),
        alt.Tooltip("concurrency:Q", title="Concurrency"),
        alt.Tooltip("evidence:N", title="Evidence"),
    ]
    tops = {key: part.groupby("system", sort=False)["value"].max() for key, part in stairs.groupby("floor")}
    placed = {
        (system, floor): label
        for floor, best in tops.items()
        for system, label in zip(best.index, _apart(list(best), HEIGHT / 15, ends[1] / ends[0]), strict=True)
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
            .encode(x=x, y=y, tooltip=tooltip),
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
    return _finish(
        chart, title=title, subtitle=subtitle, description=f"Step chart, log axes, {unit}. {told}.", source=source
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
    x = _speed_axis((float(shown["speed"].min()) * 0.85, float(shown["speed"].max()) * 2))
    y = alt.Y(
        "high:Q",
        title=f"Throughput, {unit} (log)",
        scale=alt.Scale(type="log", domain=[float(shown["high"].min()) * 0.8, float(shown["high"].max()) * 1.25]),
        axis=alt.Axis(values=_ticks(1, 200_000), format="~s", labelOverlap="greedy"),
    )
    layers: list[Any] = []
    reach = float(shown["high"].max() / shown["high"].min())
    ends = _apart([float(line.fastest["high"]) for line in lines], HEIGHT / 14, reach)
    for line, label in zip(reversed(lines), reversed(ends), strict=True):
        single = bool((line.points["speculation"] == "none").all())
        name = names[line.system] if single else f"{names[line.system]} MTP"
        style, rows = look(line.system), _rows(line, name)
        front = rows[rows["pareto"]].assign(like=single)
        kept = alt.Chart(front).transform_filter("datum.like || show_mtp")
        layers += [
            kept.mark_line(color=style.colour, strokeWidth=2, strokeDash=[1, 0] if single else [5, 3]).encode(x=x, y=y),
            kept.mark_point(
                color=style.colour,
                fill=style.colour if rows["evidence"].isin(FILLED).all() else None,
                shape=style.shape,
                size=45,
                strokeWidth=1.6,
                opacity=1,
            ).encode(x=x, y=y, tooltip=_TOOLTIP),
            alt.Chart(front.iloc[[-1]].assign(high=label))
            .transform_filter("datum.like || show_mtp")
            .mark_text(align="left", dx=9, color=style.colour, fontWeight="bold", fontSize=12)
            .encode(x=x, y=y, text="system:N"),
        ]
    chart = alt.layer(*layers).add_params(_unlike_methods()).properties(width="container", height=HEIGHT)
    told = "; ".join(
        f"{names[line.system]} {'single-token' if (line.points['speculation'] == 'none').all() else 'MTP'} "
        f"peaks at {line.peak['high']:,.0f} at {line.peak['speed']:,.0f} tok/s per user"
        for line in lines
    )
    return _finish(
        chart, title=title, subtitle=subtitle, description=f"Line chart, log axes, {unit}. {told}.", source=source
    )


def _watts_param(system: str) -> str:
    """Name of the Vega parameter that holds the watts of one package of a system."""
    return "watts_" + re.sub(r"\W", "_", system)


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
    return _finish(
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
        return f"(isFinite({ratio}) && {ratio} > 0 ? format({ratio}, '.2f') + '×' : 'no ratio')"

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
    return _finish(chart, description=f"Dot chart, log axis, first state. {described}.", **texts)


_ROW_STEP = 23


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
    axis = alt.Axis(values=_ticks(0.1, 200), format="~r", labelOverlap="greedy")

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


def share_of_rating(
    rows: pd.DataFrame, looks: dict[str, str], marked: pd.DataFrame, *, title: str, subtitle: str, source: str
) -> alt.TopLevelMixin:
    """Measured watts as a share of the package rating against load, every row a mark, configurations joined.

    Args:
        rows: ``name`` (of the system), ``model``, ``configuration`` (rows of one are joined), ``concurrency``,
            ``load`` (requests in flight per chip), ``watts``, ``share`` (1 is the rating), ``read`` (the source read
            the watts itself; else they are implied) and ``multi`` (multi-token).
        looks: name of a system to its key, for colour and mark.
        marked: rows to be named beside their marks: ``name``, ``load``, ``share`` and ``label``.
        title, subtitle, source: the texts around it.
    """
    x = alt.X(
        "load:Q",
        title="Requests in flight per chip (log)",
        scale=alt.Scale(type="log", domain=[float(rows["load"].min()) * 0.7, float(rows["load"].max()) * 1.6]),
        axis=alt.Axis(values=[0.1, 0.2, 0.5, *_ticks(1, 1000)], format="~r", labelOverlap="greedy"),
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
    ]
    layers: list[Any] = [
        alt.Chart(pd.DataFrame({"share": [1.0]})).mark_rule(strokeDash=[4, 3]).encode(y=y),
    ]
    for name, system in looks.items():
        mine, style = rows[rows["name"] == name], look(system)
        for multi, part in mine.groupby("multi"):
            joined = alt.Chart(part).mark_line(
                color=style.colour, strokeWidth=1, opacity=0.5, strokeDash=[5, 3] if multi else [1, 0]
            )
            layers.append(joined.encode(x=x, y=y, detail=["model:N", "configuration:N"]))
        mark = alt.Chart(mine).mark_point(color=style.colour, fill=style.colour, shape=style.shape, size=40, opacity=1)
        layers.append(mark.encode(x=x, y=y, tooltip=tooltip))
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
    return _finish(
        chart,
        title=title,
        subtitle=subtitle,
        description=f"Scatter chart of share of package rating against requests in flight per chip. {told}.",
        source=source,
    )


def ratio_curves(
    curves: pd.DataFrame, looks: dict[str, str], *, title: str, subtitle: str, source: str
) -> alt.TopLevelMixin:
    """The candidate over each baseline, along the whole overlap of speeds.

    Args:
        curves: ``baseline`` (label), ``speed``, ``ratio``, one row a measured speed. Optional: ``low`` and ``high``,
            drawn as a bar where they are there, and ``like``; curves that are not are dashed and come on request.
        looks: label of a baseline to system key, for its colour.
        title, subtitle, source: the texts around it.
    """
    curves = curves.assign(like=curves.get("like", True))
    extent = curves[[c for c in ("low", "ratio", "high") if c in curves]]
    lowest, highest = float(extent.min().min()), float(extent.max().max())
    x = _speed_axis((float(curves["speed"].min()) * 0.9, float(curves["speed"].max()) * 1.4))
    scale = alt.Scale(type="log", domain=[min(0.9, lowest), highest * 1.1])
    y = alt.Y(
        "ratio:Q",
        title="Candidate over baseline (log)",
        scale=scale,
        axis=alt.Axis(values=_ticks(0.1, 200), format="~r", labelOverlap="greedy"),
    )
    equal = pd.DataFrame({"ratio": [1.0]})
    layers: list[Any] = [alt.Chart(equal).mark_rule(strokeDash=[4, 3], strokeWidth=1).encode(y=y)]
    last = {
        label: float(curves[curves["baseline"] == label]["ratio"].iloc[-1]) for label in curves["baseline"].unique()
    }
    ends = dict(zip(last, _apart(list(last.values()), _CURVES_HEIGHT / 14, highest), strict=True))
    tooltip = [
        alt.Tooltip("baseline:N", title="Baseline"),
        alt.Tooltip("speed:Q", title="tok/s per user", format=",.1f"),
        alt.Tooltip("ratio:Q", title="Ratio", format=",.2f"),
    ]
    for label, system in looks.items():
        rows = curves[curves["baseline"] == label].round({"speed": 3, "ratio": 4, "low": 4, "high": 4})
        if rows.empty:
            continue
        style, dash = look(system), [1, 0] if rows["like"].all() else [5, 3]
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
    chart = alt.layer(*layers).properties(width="container", height=_CURVES_HEIGHT)
    if not curves["like"].all():
        chart = chart.add_params(_unlike_methods())
    return _finish(
        chart,
        title=title,
        subtitle=subtitle,
        description=f"Line chart of ratios, log axes. {told}.",
        source=source,
    )


PARTS = ("#0072B2", "#966A00")
"""Two parts of a whole that belong to no system: input and output, prefill and decode."""


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
    told = "; ".join(
        f"{what}: {100 * part:.0f} % {parts[0]}" for what, part in zip(shares["what"], shares["first"], strict=True)
    )
    return _finish(
        chart, title=title, subtitle=subtitle, description=f"Stacked bars from 0 to 100 %. {told}.", source=source
    )


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
    return _finish(
        chart, title=title, subtitle=subtitle, description=f"Strips of marks on a log axis. {told}.", source=source
    )
