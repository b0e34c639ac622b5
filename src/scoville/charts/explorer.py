"""Throughput against interactivity, with what a reader may choose: basis, lines, a limit on TTFT, a speed to read at.

All of it is computed in the chart: which rows a limit leaves, what no other row beats, and the value between two
measured points. Nothing is read beyond a line's last point.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import altair as alt
import pandas as pd

from scoville.charts.look import BELOW, FILLED, HEIGHT, NAMES, SOLID, UNLIKE, finish, look, speed_axis, tick_values
from scoville.charts.origin import OPENS, ORIGIN, origin
from scoville.compare import Line

TOLD = "told"
"""Name of the layers whose texts stand under the inputs (``charts.js``): what is read at the speed chosen."""
_TIMED = " rows have a TTFT"
_TOOLTIP = [
    alt.Tooltip("line:N", title="Line"),
    alt.Tooltip("speed:Q", title="tok/s per user (median)", format=",.1f"),
    alt.Tooltip("high:Q", title="Mixed tok/s per kW or chip, as chosen", format=",.0f"),
    alt.Tooltip("ttft_told:N", title="Median TTFT"),
    *ORIGIN,
]


def rows_of(line: Line, name: str, timed: Line | None) -> pd.DataFrame:
    """The rows of a line as the explorer wants them.

    Args:
        line: one system and decoding method.
        name: as the chart calls it.
        timed: the same line with the rows that hold a TTFT alone; None where none does.

    Returns:
        ``line``, ``system``, ``speed``, ``chip`` (mixed tok/s per chip), ``ttft`` (median, s), ``counts`` and
        ``counts_timed`` (whether the row stands for its configuration, among all and among those with a TTFT),
        ``timed`` and ``rows`` (how many rows of the line have a TTFT, and how many there are), and what a tooltip
        shows.
    """
    p = line.points
    stands = set() if timed is None else set(timed.counted.index)
    return pd.DataFrame(
        {
            "line": name,
            "system": line.system,
            "speed": p["speed"].round(3),
            "chip": p["total_tok_s_per_chip"].round(3),
            "ttft": p["ttft_median_s"].round(4),
            "ttft_told": p["ttft_median_s"].map(lambda t: "not published" if pd.isna(t) else f"{t:,.3f} s"),
            "counts": p["counts"],
            "timed": int(p["ttft_median_s"].notna().sum()),
            "rows": len(p),
            "counts_timed": [i in stands for i in p.index],
            "filled": p["evidence"].isin(FILLED),
            "multi": p["speculation"] != "none",
            **origin(p),
        }
    )


def explorer(
    rows: pd.DataFrame,
    watts: Mapping[str, Mapping[str, tuple[float, float]]],
    bases: Mapping[str, str],
    marked: pd.DataFrame,
    at: float,
    *,
    always: int,
    title: str,
    subtitle: str,
    description: str,
    source: str,
) -> alt.TopLevelMixin:
    """Throughput against interactivity of many lines.

    Args:
        rows: as `rows_of` gives them, the candidate's first, then in the order of the boxes.
        watts: basis to system to its watts, both ends; 1,000 W stand for a chip.
        bases: basis to what the list of them says; the first is the first state.
        marked: the document's own points, which hold on the first basis: ``speed``, ``value``, ``label``, ``told``.
        at: speed read at in the first state, tok/s per user; no number for none.
        always: how many lines are always shown; the others have a box each.
        title, subtitle, description, source: the texts around it.
    """
    named = list(dict.fromkeys(rows["line"]))
    shown, asked = named[:always], named[always:]
    first = next(iter(bases))
    params = [
        alt.param(
            name="basis",
            value=first,
            bind=alt.binding_select(options=list(bases), labels=list(bases.values()), name="Basis "),
        ),
        alt.param(
            name="at",
            value=None if pd.isna(at) else at,
            bind=alt.binding(input="number", name="Read at, tok/s per user"),
        ),
        alt.param(name="ttft_max", value=None, bind=alt.binding(input="number", name="Median TTFT at most, s")),
        *(
            alt.param(name=f"show_{i}", value=False, bind=alt.binding_checkbox(name=f"{name} "))
            for i, name in enumerate(asked)
        ),
    ]
    kilowatts = json.dumps({b: {s: list(w) for s, w in by.items()} for b, by in watts.items()}, separators=(",", ":"))
    boxes = "{" + ",".join(f"{json.dumps(name)}:show_{i}" for i, name in enumerate(asked)) + "}"
    wanted = f"indexof({json.dumps(shown)}, datum.line) >= 0 || {boxes}[datum.line]"
    limited, reading = "toNumber(ttft_max) > 0", "toNumber(at)"
    domain = (float(rows["speed"].min()) * 0.8, float(rows["speed"].max()) * 3.6)
    x = speed_axis(domain)
    highest, lowest = _ends_of(rows, watts)
    # fixed, so that the axis stays where it is and has ends when a limit leaves no row
    scale = alt.Scale(type="log", domain=[lowest * 0.7, highest * 1.6], nice=False)
    axis = alt.Axis(values=tick_values(1, 200_000), format="~s", labelOverlap="greedy")
    y = alt.Y("high:Q", title="Mixed tok/s per kW or chip, as chosen (log)", scale=scale, axis=axis)
    systems = list(dict.fromkeys(rows["system"]))
    colours = alt.Scale(domain=systems, range=[look(s).colour for s in systems])
    shapes = alt.Scale(domain=systems, range=[look(s).shape for s in systems])
    colour = alt.Color("system:N", legend=None, scale=colours)
    shape = alt.Shape("system:N", legend=None, scale=shapes)
    dash = alt.StrokeDash("multi:N", legend=None, scale=alt.Scale(domain=[False, True], range=[SOLID, UNLIKE]))
    base = (
        alt.Chart(rows)
        .transform_filter(wanted)
        .transform_calculate(watts=f"({kilowatts})[basis][datum.system]")
        .transform_filter("isValid(datum.watts)")
        .transform_calculate(high="datum.chip * 1000 / datum.watts[0]", low="datum.chip * 1000 / datum.watts[1]")
    )
    base = _capped(base, reading)
    base = base.transform_filter(f"!({limited}) || (datum.counts_timed && datum.ttft <= toNumber(ttft_max))")
    base = _best(base, f"{limited} ? datum.counts_timed : datum.counts", "best")
    front = base.transform_filter("datum.best")
    layers: list[Any] = [
        front.mark_line(strokeWidth=2).encode(x=x, y=y, color=colour, strokeDash=dash, detail="line:N"),
        base.transform_filter("datum.low < datum.high")
        .mark_rule(strokeWidth=3, opacity=0.35)
        .encode(x=x, y=alt.Y("low:Q", scale=scale), y2="high:Q", color=colour),
    ]
    for filled in (True, False):
        size = alt.condition("datum.best", alt.value(55), alt.value(BELOW))
        mark = base.transform_filter(f"datum.filled == {json.dumps(filled)}")
        mark = mark.mark_point(filled=filled, opacity=1, strokeWidth=1.6)
        layers.append(mark.encode(x=x, y=y, color=colour, shape=shape, size=size, tooltip=_TOOLTIP, href=OPENS))
    layers = _marked(marked, f"basis == '{first}' && !({limited})", x, scale) + layers  # below: they are no rows
    layers.append(
        front.transform_joinaggregate(end="max(speed)", groupby=["line"])
        .transform_filter("datum.speed == datum.end")
        .mark_text(align="left", dx=10, fontWeight="bold", fontSize=13)
        .encode(x=x, y=y, color=colour, text="line:N")
        .properties(name=NAMES)
    )
    layers.append(_head(rows, reading, f"({limited})", bases))
    layers += _read(front, named, reading, f"({limited})", domain, x, scale)
    layers.append(_without(rows, wanted, reading, f"({limited})"))
    chart = alt.layer(*layers).add_params(*params).properties(width="container", height=HEIGHT)
    return finish(chart, title=title, subtitle=subtitle, description=description, source=source)


def _ends_of(rows: pd.DataFrame, watts: Mapping[str, Mapping[str, tuple[float, float]]]) -> tuple[float, float]:
    """Highest and lowest throughput that any basis can show."""
    values = [
        1000 * chip / end
        for by in watts.values()
        for system, chip in zip(rows["system"], rows["chip"], strict=True)
        for end in by.get(system, ())
    ]
    return max(values), min(values)


def _best(base: Any, counts: str, name: str) -> Any:
    """Marks the Pareto set of the rows that count as ``name``.

    Vega writes into its rows, and runs only what an input concerns: a field that two steps write holds the later one's
    value in the earlier one, too. So every step has fields of its own.
    """
    counted, up_to, faster = (f"{name}_{part}" for part in ("counted", "up_to", "faster"))
    fastest_first: dict[str, Any] = {
        "sort": [alt.SortField("speed", order="descending"), alt.SortField(counted, order="descending")],
        "groupby": ["line"],
        "ignorePeers": True,
    }
    return (
        base.transform_calculate(**{counted: f"({counts}) ? datum.high : 0"})
        # two steps, because Vega takes the end of a frame without its sign
        .transform_window(**{up_to: f"max({counted})"}, frame=[None, 0], **fastest_first)
        .transform_window(**{faster: f"lag({up_to})"}, **fastest_first)
        .transform_calculate(**{name: f"datum.{counted} > 0 && !(datum.{faster} >= datum.{counted})"})
    )


def _capped(base: Any, at: str) -> Any:
    """The value of every line of all rows at the speed chosen, as ``cap``: no limit on TTFT raises a reading.

    `scoville.compare.reading` does the same: the straight line across a gap that a limit made can lie above what was
    measured there.
    """
    return (
        _best(base, "datum.counts", "of_all")
        .transform_calculate(
            slower_of_all=f"datum.of_all && datum.speed <= {at} ? datum.speed : null",
            quicker_of_all=f"datum.of_all && datum.speed >= {at} ? datum.speed : null",
        )
        .transform_joinaggregate(under="max(slower_of_all)", over="min(quicker_of_all)", groupby=["line"])
        .transform_calculate(
            at_under="datum.of_all && datum.speed == datum.under ? datum.high : null",
            at_over="datum.of_all && datum.speed == datum.over ? datum.high : null",
        )
        .transform_joinaggregate(under_value="max(at_under)", over_value="max(at_over)", groupby=["line"])
        .transform_calculate(
            cap="!isValid(datum.under_value) || !isValid(datum.over_value) ? null : datum.over > datum.under ? "
            f"datum.under_value + ({at} - datum.under) * (datum.over_value - datum.under_value) / "
            "(datum.over - datum.under) : datum.under_value"
        )
    )


def _marked(marked: pd.DataFrame, when: str, x: alt.X, scale: alt.Scale) -> list[Any]:
    """The document's own points as rings with the printed number, on the basis that they were printed for."""
    if marked.empty:
        return []
    here = alt.Chart(marked).transform_filter(when)
    ring = here.mark_point(size=190, strokeWidth=1.3, shape="circle", color="#6B7280", opacity=1)
    y = alt.Y("value:Q", scale=scale)
    return [
        ring.encode(x=x, y=y, tooltip=[alt.Tooltip("told:N", title="Printed")]),
        here.mark_text(align="left", dx=5, dy=-14, fontSize=11).encode(x=x, y=y, text="label:N"),
    ]


def _read(
    front: alt.Chart,
    named: list[str],
    at: str,
    limited: str,
    domain: tuple[float, float],
    x: alt.X,
    scale: alt.Scale,
) -> list[Any]:
    """A rule at the speed chosen, the value of every line there by linear interpolation, and the ratios in words."""
    candidate = named[0]
    read = (
        front.transform_joinaggregate(peak="max(high)", peak_low="max(low)", groupby=["line"])
        .transform_calculate(
            slower=f"datum.speed <= {at} ? datum.speed : null", quicker=f"datum.speed >= {at} ? datum.speed : null"
        )
        .transform_joinaggregate(below="max(slower)", above="min(quicker)", groupby=["line"])
        .transform_filter("datum.speed == datum.below || datum.speed == datum.above")
        # a Pareto set falls, so the slower neighbour has the higher value
        .transform_aggregate(
            slow="min(speed)",
            fast="max(speed)",
            most="max(high)",
            least="min(high)",
            most_low="max(low)",
            below="min(below)",
            above="min(above)",
            peak="max(peak)",
            peak_low="max(peak_low)",
            cap="max(cap)",
            groupby=["line", "system", "multi", "timed", "rows"],
        )
        .transform_calculate(place=f"indexof({json.dumps(named)}, datum.line)")
        .transform_calculate(known=f"isValid(datum.below) && isValid(datum.above) && {at} > 0")
        .transform_calculate(
            high=f"datum.fast > datum.slow ? datum.most + ({at} - datum.slow) * (datum.least - datum.most) / "
            "(datum.fast - datum.slow) : datum.most",
            speed=at,
        )
        .transform_calculate(
            high="datum.fast > datum.slow && isValid(datum.cap) ? min(datum.high, datum.cap) : datum.high"
        )
        .transform_calculate(
            high="datum.known ? datum.high : null",
            low="datum.known ? datum.high * datum.most_low / datum.most : null",
        )
        .transform_calculate(
            mine=f"datum.line == {json.dumps(candidate)} ? datum.high : null",
            mine_low=f"datum.line == {json.dumps(candidate)} ? datum.low : null",
            mine_multi=f"datum.line == {json.dumps(candidate)} && datum.multi",
            mine_peak=f"datum.line == {json.dumps(candidate)} ? datum.peak : null",
            mine_peak_low=f"datum.line == {json.dumps(candidate)} ? datum.peak_low : null",
        )
        .transform_joinaggregate(mine="max(mine)", mine_low="max(mine_low)", mine_multi="max(mine_multi)")
        .transform_joinaggregate(mine_peak="max(mine_peak)", mine_peak_low="max(mine_peak_low)")
    )
    other, named_ratio = f"datum.line != {json.dumps(candidate)}", json.dumps(f" ({candidate} ")
    unlike = "datum.multi == datum.mine_multi ? '' : ', unlike methods'"
    ratio = _ends("datum.mine_low / datum.high", "datum.mine / datum.low", ".2f", "×")
    peak_ratio = _ends("datum.mine_peak_low / datum.peak", "datum.mine_peak / datum.peak_low", ".2f", "×")
    value = _ends("datum.low", "datum.high", ",.0f", "")
    unknown = f"({limited} ? 'no row within the limit at this speed' : 'not measured at this speed')"
    compared = f"{other} && isValid(datum.mine) ? {named_ratio} + {ratio} + ')' : ''"
    at_peak = (
        f"', at its peak ' + {_ends('datum.peak_low', 'datum.peak', ',.0f', '')} + "
        f"({other} && isValid(datum.mine_peak) ? {named_ratio} + {peak_ratio} + ')' : '') + ({other} ? {unlike} : '')"
    )
    gaps = f"{limited} && datum.timed < datum.rows ? '; ' + datum.timed + ' of ' + datum.rows + {_TIMED!r} : ''"
    told = f"datum.line + ' ' + (datum.known ? {value} + ({compared}) : {unknown}) + {at_peak} + ({gaps})"
    y = alt.Y("high:Q", scale=scale)
    rule = alt.Chart(pd.DataFrame({"one": [1]})).transform_calculate(speed=at)
    inside = f"datum.speed >= {domain[0]!r} && datum.speed <= {domain[1]!r}"
    return [
        rule.transform_filter(inside).mark_rule(strokeDash=[4, 3], strokeWidth=1).encode(x=x),
        read.transform_filter("datum.known")
        .mark_point(shape="stroke", size=260, strokeWidth=2.5, opacity=1)
        .encode(x=x, y=y, color=alt.value("#6B7280")),
        read.transform_calculate(told=told)
        .transform_filter(f"{at} > 0")
        .mark_text(opacity=0, fontSize=1)
        .encode(x=alt.value(0), y=alt.value(0), text="told:N", order="place:Q")
        .properties(name=TOLD),
    ]


def _nothing(rows: pd.DataFrame) -> str:
    """Vega expression: whether no row at all keeps the limit."""
    least = rows["ttft"][rows["counts_timed"]].min()
    return "true" if pd.isna(least) else f"toNumber(ttft_max) < {float(least)!r}"


def _without(rows: pd.DataFrame, wanted: str, at: str, limited: str) -> Any:
    """The lines that are gone because no row of theirs keeps the limit, and whether any could."""
    told = f"datum.line + (datum.timed ? ' has no row within the limit' : ' has 0 of ' + datum.rows + {_TIMED!r})"
    return (
        alt.Chart(rows)
        .transform_filter(wanted)
        .transform_calculate(kept="datum.counts_timed ? datum.ttft : null")
        .transform_aggregate(least="min(kept)", groupby=["line", "timed", "rows"])
        .transform_filter(f"{limited} && {at} > 0 && !({_nothing(rows)})")
        .transform_filter("!isValid(datum.least) || datum.least > toNumber(ttft_max)")
        .transform_calculate(told=told)
        .mark_text(opacity=0, fontSize=1)
        .encode(x=alt.value(0), y=alt.value(0), text="told:N")
        .properties(name=f"{TOLD}_without")
    )


def _head(rows: pd.DataFrame, at: str, limited: str, bases: Mapping[str, str]) -> Any:
    """What the values are, or why there are none: no speed, or a limit that no row keeps."""
    units = json.dumps({basis: f" tok/s per user, mixed tok/s {label}:" for basis, label in bases.items()})
    told = (
        f"isValid(ttft_max) && ttft_max != '' && !{limited} ? 'A limit on TTFT is above 0 s; this one is left out' : "
        f"{limited} && {_nothing(rows)} ? 'No row publishes a median TTFT of at most ' + ttft_max + ' s' : "
        f"!({at} > 0) ? 'Type a speed above 0 to read the lines there' : 'At ' + format({at}, ',') + ({units})[basis]"
    )
    said = alt.Chart(pd.DataFrame({"one": [1]})).transform_calculate(told=told)
    return (
        said.mark_text(opacity=0, fontSize=1)
        .encode(x=alt.value(0), y=alt.value(0), text="told:N")
        .properties(name=f"{TOLD}_head")
    )


def _ends(low: str, high: str, form: str, unit: str) -> str:
    """Vega expression of an interval in words: one number where both ends print the same."""
    first, last = (f"format({end}, '{form}')" for end in (low, high))
    return f"({first} == {last} ? {first} : {first} + '–' + {last}) + '{unit}'"
