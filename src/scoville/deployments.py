"""How the chips of a published point are arranged: one worker's, all of them, and over how many heads are split."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
import pandas as pd


@dataclass(frozen=True)
class Reading:
    """A published point, and the chips that its decode steps are spread over.

    Attributes:
        model: key of the model.
        row: the point, with ``speed``.
        chips: chips whose memory one step is read from.
        batch: requests of that step, at least 1; NaN where the row does not tell.
        ranks: chips over which the heads of attention are split.
        whole: whether these are all decode chips of several workers, which no step of the run could use together.
    """

    model: str
    row: pd.Series
    chips: float
    batch: float
    ranks: int
    whole: bool = False

    @property
    def tbt(self) -> float:
        """Median time between tokens, seconds."""
        return 1 / float(self.row["speed"])


def readings(model: str, row: pd.Series) -> list[Reading]:
    """How a row's decode chips can be counted: one worker's first, then all where it has several.

    A row that parts its chips is read at its decode chips, another at all of them. Empty where they are not recorded.
    """
    label = row["parallelism"] if isinstance(row["parallelism"], str) else ""
    workers = 1
    chips = float(row["decode_chips"])
    if pd.notna(chips):
        found = re.search(r"\bD (\d+)×(.+)", label)
        workers, label = (int(found[1]), found[2]) if found else (1, "")
    elif pd.notna(row["disaggregated"]) and row["disaggregated"]:
        return []
    else:
        chips = float(row["chips"])
    if pd.isna(chips):
        return []
    split = re.search(r"\bTP(\d+)", label)
    ranks = int(split[1]) if split and "DPA" not in label else 1
    requests = float(row["concurrency"])
    one = Reading(model, row, chips / workers, float(np.maximum(1, requests / workers)), ranks)
    return [one] if workers == 1 else [one, Reading(model, row, chips, requests, ranks, whole=True)]
