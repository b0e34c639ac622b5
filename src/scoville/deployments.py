"""How the chips of a published point are arranged, and what must be assumed about them."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
import pandas as pd

from scoville.problems import is_number, refuse
from scoville.roofline import CASES, FP4


@dataclass(frozen=True)
class Assumed:
    """What the runs do not publish and a memory floor needs.

    Attributes:
        case: precision of the weights, a key of `CASES` or `FP4`.
        kv_bits: bits per cached number.
        replicated: whether MLA's latent lies on every chip of a head-split group; else it is kept once.
        alone: whether a step serves one request; else the deployment's requests are spread evenly over its workers.
    """

    case: str = FP4
    kv_bits: float = 8.0
    replicated: bool = False
    alone: bool = False

    def __post_init__(self) -> None:
        """Refuse what no run can have.

        Raises:
            InputError: for an unknown precision, or cached numbers of no size.
        """
        refuse(
            ("precision", self.case, self.case in (FP4, *CASES), f"one of {', '.join((FP4, *CASES))}"),
            (
                "kv_bits",
                self.kv_bits,
                is_number(self.kv_bits) and self.kv_bits > 0,
                "a number above 0, which is no text",
            ),
            (
                "latent_replicated",
                self.replicated,
                isinstance(self.replicated, bool),
                "True or False, which is no text",
            ),
        )


@dataclass(frozen=True)
class Reading:
    """A published point, and the chips that its decode steps are spread over.

    Attributes:
        model: key of the model.
        row: the point, with ``speed``.
        chips: chips whose memory one step is read from.
        batch: requests of that step, at least 1; NaN where the row does not tell.
        ranks: chips over which the heads of attention are split.
        workers: groups of so many chips that the row has.
        whole: whether these are all decode chips of several workers, which no step of the run could use together.
    """

    model: str
    row: pd.Series
    chips: float
    batch: float
    ranks: int
    workers: int = 1
    whole: bool = False

    @property
    def tbt(self) -> float:
        """Median time between tokens, seconds."""
        return 1 / float(self.row["speed"])

    @property
    def groups(self) -> float:
        """Groups of chips with heads of their own: how often attention is held."""
        return self.chips / self.ranks

    def decoding(self, output_share: float) -> float:
        """Requests that one of the groups decodes at a time by Little's law, at least 1: output rate times TBT.

        Args:
            output_share: output's share of the row's tokens, 0 to 1.
        """
        rate = float(self.row["total_tok_s_per_chip"]) * output_share * float(self.row["chips"])
        return float(np.maximum(1, rate * self.tbt / self.workers))


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
    one = Reading(model, row, chips / workers, float(np.maximum(1, requests / workers)), ranks, workers)
    return [one] if workers == 1 else [one, Reading(model, row, chips, requests, ranks, whole=True)]
