"""Repeats: how far single runs of one configuration lie apart."""

from __future__ import annotations

import pandas as pd

from scoville import tables
from scoville.facts import Facts
from scoville.metrics import interactivity
from scoville.runs import loads, mean_lengths, unstated

MEASURES = {
    "throughput": "total_tok_s_per_chip",
    "interactivity": "speed",
    "e2e_mean": "e2e_mean_s",
    "e2e_median": "e2e_median_s",
    "ttft_median": "ttft_median_s",
}
"""What is compared between runs, and the column it stands in (``speed``: median tok/s/user)."""

_POOLED = ("median over all runs", "median of ")
"""How the note of a row begins that stands for several runs and so is no single one."""


def rows_of(facts: Facts) -> pd.DataFrame:
    """All operating points, and the single runs that imports keep beside them."""
    return facts.points if facts.runs.empty else pd.concat([facts.points, facts.runs], ignore_index=True)


def single_runs(points: pd.DataFrame) -> pd.DataFrame:
    """Rows that were one run each and belong to a configuration that was run more than once.

    Where no nominal lengths are stated, mean lengths tell loads apart (`runs.same_load`).
    Rows that pool several runs are left out, as are modelled and digitised ones, agentic traces (two of their
    windows are not the same load), and rows that repeat another's numbers: the same run in a second source.

    Args:
        points: the table of operating points.

    Returns:
        The rows, with ``speed`` (median tok/s/user) and ``repeat`` (number of the configuration, from 0).
    """
    pooled = points["statistic_note"].fillna("").str.startswith(_POOLED)
    measured = ~points["evidence"].isin(["modelled", "digitised"]) & points["total_tok_s_per_chip"].notna()
    rows = points[measured & ~pooled & (points["workload"] == "fixed-length")].assign(speed=interactivity)
    key = list(tables.CONFIGURATION)
    numbers = rows[list(MEASURES.values())].map(lambda v: f"{v:.9g}")
    rows = rows[~pd.concat([rows[key], numbers], axis=1).duplicated()]
    rows = rows.assign(load=_loads(rows))
    rows = rows.assign(repeat=rows.groupby([*key, "load"], dropna=False, sort=False).ngroup()).drop(columns="load")
    rows = rows[rows.groupby("repeat")["repeat"].transform("size") > 1]
    return rows.assign(repeat=rows["repeat"].rank(method="dense").astype(int) - 1)


def _loads(rows: pd.DataFrame) -> pd.Series:
    """Number of the load among the rows of a configuration; 0 where nominal lengths are stated."""
    found = pd.Series(0, index=rows.index)
    for _, same in rows[unstated(rows)].groupby(list(tables.CONFIGURATION), dropna=False, sort=False):
        found[same.index] = loads(mean_lengths(same))
    return found


def spreads(points: pd.DataFrame) -> pd.DataFrame:
    """How far the runs of each repeated configuration lie apart.

    Args:
        points: the table of operating points.

    Returns:
        One row a configuration: the columns of `tables.CONFIGURATION`, ``evidence``, ``runs`` (how many) and for
        every measure of `MEASURES` its ``low`` and ``high`` over the runs, as ``throughput_low``, and
        ``throughput``: the highest over the lowest, minus 1; missing unless two runs have the number.
    """
    rows = single_runs(points)
    groups = rows.groupby("repeat", sort=True)
    found = groups[list(tables.CONFIGURATION)].first().assign(evidence=groups["evidence"].first(), runs=groups.size())
    for name, column in MEASURES.items():
        low, high = groups[column].min(), groups[column].max()
        found[f"{name}_low"], found[f"{name}_high"] = low, high
        found[name] = (high / low - 1).where(groups[column].count() > 1)
    return found.reset_index(drop=True)


def exceeded(spread: pd.Series, ratio: float) -> int:
    """How many repeated configurations have runs that lie further apart than a ratio between two systems.

    Args:
        spread: highest over lowest, minus 1, one value a configuration.
        ratio: either way up: 0.8 counts as 1.25.
    """
    known = spread.dropna()
    return int((known > max(ratio, 1 / ratio) - 1).sum())
