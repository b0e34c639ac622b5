"""Tasks of several steps: how long every published point would take for one that the reader describes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import altair as alt
import pandas as pd

from scoville.agents import Task
from scoville.charts.look import HEIGHT, finish, look
from scoville.charts.origin import OPENS, SOURCE

_INPUTS = {
    "steps": "Steps",
    "first": "Input of the first step, tokens",
    "added": "New input before each further step, tokens",
    "written": "Output of each step, tokens",
    "reuse": "Context reused from a cache, %",
}
"""Parameter to its label; the names are those of `agents.Task`."""
_TICKS = [m * 10.0**e for e in range(-2, 6) for m in (1, 3)]


def task_times(
    points: pd.DataFrame,
    names: Mapping[str, str],
    task: Task,
    input_tokens: float,
    limits: Mapping[str, float],
    *,
    title: str,
    subtitle: str,
    source: str,
) -> alt.TopLevelMixin:
    """*Modelled* time of a task against measured throughput, every point a mark; the reader sets the task.

    Args:
        points: ``model`` (readable name; the first is shown first), ``system``, ``evidence``, ``throughput`` (mixed
            tok/s per kW), ``ttft`` and ``tbt`` (seconds), ``configuration``.
        names: system key to readable name, for the legend.
        task: the first state.
        input_tokens: input tokens of a request in these points.
        limits: model (readable name) to the longest context that it is released for, tokens; NaN where unknown.
        title, subtitle, source: the texts around it.
    """
    models = list(dict.fromkeys(points["model"]))
    first = {name: getattr(task, name) for name in _INPUTS} | {"reuse": 100 * task.reuse}
    params = [
        alt.param(name="model", value=models[0], bind=alt.binding_select(options=models, name="Model ")),
        *(
            alt.param(name=name, value=first[name], bind=alt.binding(input="number", name=label))
            for name, label in _INPUTS.items()
        ),
    ]
    # what is typed comes as text, which "+" would join
    steps, start, added, written, reuse = (f"toNumber({name})" for name in _INPUTS)
    seen = f"(({steps} - 1) * ({start} + {written}) + ({added} + {written}) * ({steps} - 1) * ({steps} - 2) / 2)"
    anew = f"({start} + ({steps} - 1) * {added} + (1 - {reuse} / 100) * {seen})"
    params += [
        alt.param(
            name="valid",
            expr=f"{steps} >= 1 && {start} >= 1 && {added} >= 0 && {written} >= 1 && {reuse} >= 0 && {reuse} <= 100",
        ),
        alt.param(name="waits", expr=f"{anew} / {input_tokens!r}"),
        alt.param(name="tokens", expr=f"{steps} * ({written} - 1)"),
    ]
    systems = list(dict.fromkeys(points["system"]))
    told = [
        f"(model == '{model}' ? '{names[system]} ' + {_seconds(_least(part))} + '; ' : '')"
        for model, of_model in points.groupby("model", sort=False)
        for system, part in of_model.groupby("system", sort=False)
    ]
    sentence = "'Least modelled time, ' + model + ': ' + " + " + ".join(told)
    last = f"({start} + ({steps} - 1) * ({added} + {written}))"
    beyond = " : ".join(
        f"model == '{model}' && {last} > {limit!r} ? ', more than the model is released for'"
        for model, limit in limits.items()
        if limit == limit  # noqa: PLR0124 - not NaN
    )
    sentence += (
        f" + 'the last step reads ' + format({last}, ',.0f') + ' tokens' + ({beyond + ' : ' if beyond else ''}'')"
    )
    wanted = "'No such task: steps, first input and output are 1 or more, new input 0 or more, reuse 0 to 100 %'"
    params.append(alt.param(name="told", expr=f"valid ? {sentence} : {wanted}"))
    looks, shown_names = [look(s) for s in systems], [names[s] for s in systems]
    legend = alt.Legend(orient="top", columns=2)
    styled: dict[str, Any] = {
        "x": alt.X(
            "throughput:Q",
            title="Mixed tok/s per rated kW, measured (log)",
            scale=alt.Scale(type="log", nice=True),
            axis=alt.Axis(values=_TICKS, format="~s", labelOverlap="greedy"),
        ),
        "y": alt.Y(
            "seconds:Q",
            title="Time of the task, s, modelled (log)",
            scale=alt.Scale(type="log", nice=True),
            axis=alt.Axis(values=_TICKS, format="~r", labelOverlap="greedy"),
        ),
        "color": alt.Color(
            "name:N", title=None, scale=alt.Scale(domain=shown_names, range=[e.colour for e in looks]), legend=legend
        ),
        "shape": alt.Shape(
            "name:N", title=None, scale=alt.Scale(domain=shown_names, range=[e.shape for e in looks]), legend=legend
        ),
        "tooltip": [
            alt.Tooltip("name:N", title="System"),
            alt.Tooltip("configuration:N", title="Configuration"),
            alt.Tooltip("seconds:Q", title="Time of the task, s (modelled)", format=",.1f"),
            alt.Tooltip("ttft:Q", title="Median TTFT, s", format=".3f"),
            alt.Tooltip("tbt:Q", title="Median TBT, s", format=".5f"),
            alt.Tooltip("throughput:Q", title="Mixed tok/s per kW", format=",.0f"),
            *SOURCE,
        ],
        "href": OPENS,
    }
    kept = ["model", "system", "evidence", "source_title", "address", "throughput", "ttft", "tbt", "configuration"]
    rows = points[kept].assign(name=points["system"].map(names))
    chart = (
        alt.Chart(rows)
        .transform_filter("datum.model == model")
        # without a task the marks are hidden, not gone: an axis without marks has no ends
        .transform_calculate(seconds="valid ? datum.ttft * waits + datum.tbt * tokens : datum.ttft")
        .mark_point(size=60, strokeWidth=1.8, opacity=alt.expr("valid ? 1 : 0"))
        .encode(**styled)
        .add_params(*params)
        .properties(width="container", height=HEIGHT)
    )
    shown = points[points["model"] == models[0]]
    least = "; ".join(
        f"{names[system]} {min(task.seconds(r.ttft, r.tbt, input_tokens) for r in part.itertuples()):,.1f} s"
        for system, part in shown.groupby("system", sort=False)
    )
    return finish(
        chart,
        title=title,
        subtitle=subtitle,
        description=(
            f"Scatter chart, log axes: modelled time of a task against measured throughput per kW, first state, "
            f"{models[0]}, least time of each system: {least}."
        ),
        source=source,
    )


def _least(points: pd.DataFrame) -> str:
    """Vega expression of the least time of some points: those that no other beats in both TTFT and TBT."""
    rows = points.sort_values(["ttft", "tbt"])
    hull = rows[rows["tbt"] < rows["tbt"].cummin().shift(fill_value=float("inf"))]
    each = ", ".join(f"{r.ttft!r} * waits + {r.tbt!r} * tokens" for r in hull.itertuples())
    return f"min({each})"


def _seconds(expression: str) -> str:
    return f"(isFinite({expression}) ? format({expression}, ',.1f') + ' s' : 'no time')"
