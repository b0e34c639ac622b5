"""What a model of a system predicts: lines beside the measured ones, never among them."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd

from scoville.compare import Comparison, Line, Question, line
from scoville.facts import Facts
from scoville.frontier import pareto_mask
from scoville.metrics import per_kw, watts
from scoville.units import Interval

ENGINES = {"trtllm": "TensorRT-LLM", "sglang": "SGLang", "vllm": "vLLM"}
"""How a tool's spelling of a serving engine reads."""
FOLLOWS = {"trtllm": "dynamo-trt", "sglang": "dynamo-sglang", "vllm": "dynamo-vllm"}
"""Its disaggregated engine as InferenceX spells it."""
SYSTEMS = ("gb200", "gb300", "b200", "b300", "h200", "h100")
"""Systems of its vendor that the tool has timings of kernels for."""
NOT_PUBLIC = ("user-measured", "modelled")
"""Classes of evidence of rows that nobody published from a run."""


def predicted_line(
    facts: Facts,
    model: str,
    system: str,
    basis: str,
    *,
    engine: str,
    disaggregated: bool,
    budget: int | None,
    discounted: bool,
) -> Line:
    """The *modelled* rows of a system in the columns of a measured line, so that both are read alike.

    Args:
        facts: the data folder.
        model, system: keys.
        basis: a key of `bases.BASES` that has no need of measured power.
        engine: serving engine as the tool spells it.
        disaggregated: whether prefill and decode run on chips of their own.
        budget: chips that a deployment was allowed; None for any.
        discounted: whether the tool's own discounts on disaggregated rows apply.

    Raises:
        LookupError: when there are no such rows, or no watts on this basis.
    """
    rows = facts.predictions
    wanted: dict[str, object] = {"model": model, "system": system, "engine": engine, "discounted": discounted}
    wanted |= {} if budget is None else {"chips_budget": budget}
    for column, value in wanted.items():
        rows = rows[rows[column] == value]
    rows = rows[rows["disaggregated"].eq(disaggregated)]
    interval = watts(facts.systems.loc[system], basis)
    if rows.empty or interval is None:
        raise LookupError(
            f"no {engine} rows predicted for {model} on {system} within {budget or 'any'} chips on basis {basis}"
        )
    points = rows.assign(
        speed=rows["interactivity_tok_s_user"],
        low=per_kw(rows["total_tok_s_per_chip"], interval.high),
        high=per_kw(rows["total_tok_s_per_chip"], interval.low),
        counts=True,
        speculation="none",
        date=None,
        statistic_note=None,
    ).dropna(subset=["speed", "low", "high"])
    if points.empty:
        raise LookupError(f"the rows predicted for {model} on {system} have no speed or no throughput")
    return _drawn(Line(system, "modelled" if disaggregated else "modelled, aggregated", points))


def beside(predicted: Line, measured: Line, model: str, basis: str) -> Comparison:
    """Predicted over measured: the comparison's candidate is the prediction, its baseline what was run."""
    return Comparison(Question(model, predicted.system, measured.system, basis, "none"), predicted, measured)


def aggregated_line(facts: Facts, model: str, basis: str) -> Line:
    """The public aggregated single-token line with the highest peak, of the systems that the tool knows.

    Raises:
        LookupError: when there is none.
    """
    points = facts.points
    alone = replace(facts, points=points[points["disaggregated"].eq(False) & ~points["evidence"].isin(NOT_PUBLIC)])
    found = []
    for system in set(SYSTEMS) & set(alone.points["system"]):
        try:
            found.append(line(alone, model, system, basis))
        except LookupError:
            continue
    if not found:
        raise LookupError(f"no public aggregated rows for {model} on basis {basis} of {', '.join(SYSTEMS)}")
    best = max(found, key=lambda side: (float(side.peak["high"]), side.system))
    return replace(best, label=str(facts.systems.loc[best.system, "name"]))


def at_mean_speeds(side: Line) -> Line | None:
    """A measured line read at 1 / mean TPOT; None where no row that counts has one."""
    points = side.points.assign(speed=side.points["interactivity_mean_tok_s_user"])
    points["speed"] = points["speed"].fillna(1 / points["tpot_mean_s"])
    points = points[points["counts"]].dropna(subset=["speed"])
    return None if points.empty else _drawn(replace(side, points=points))


def times_factor(side: Line, factor: float) -> Line:
    """A line with every compared value times a factor: on other watts, for example."""
    changed = {column: side.points[column] * factor for column in ("low", "high")}
    return replace(side, points=side.points.assign(**changed))


def at_measured(comparison: Comparison) -> pd.DataFrame:
    """`Comparison.at_equal_interactivity` at the speeds of measured points only."""
    table = comparison.at_equal_interactivity()
    return table[table["measured"].str.contains("baseline")].reset_index(drop=True)


def above(table: pd.DataFrame) -> int:
    """At how many rows of a table more is predicted than was measured, by either interpolation."""
    return int((table[["ratio_high", "steffen_high"]] > 1).any(axis=1).sum())


def reach(table: pd.DataFrame) -> Interval | None:
    """Lowest and highest ratio of a table, linear and monotone cubic together; None where it has no row."""
    columns = ["ratio_low", "ratio_high", "steffen_low", "steffen_high"]
    return None if table.empty else Interval(float(table[columns].min().min()), float(table[columns].max().max()))


def lightest(side: Line) -> pd.Series:
    """The row with the fewest requests per chip; of several the fastest."""
    rows = side.points.assign(load=side.points["concurrency"] / side.points["chips"])
    return rows.sort_values(["load", "speed"], ascending=[True, False]).iloc[0]


def per_request(row: pd.Series) -> float:
    """Mixed tok/s that one request in flight stands for: throughput of the deployment over its concurrency."""
    return float(row["total_tok_s_per_chip"] * row["chips"] / row["concurrency"])


def _drawn(side: Line) -> Line:
    """The line with its Pareto set marked anew."""
    points = side.points
    return replace(side, points=points.assign(pareto=pareto_mask(points["speed"], points["high"])))
