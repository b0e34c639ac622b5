"""An agent's task: steps that wait for each other, each with a longer context. How long it takes is *modelled*.

A step reads its context, of which a prefix cache may hold the part that it has seen before, and writes some tokens;
a tool adds new ones. What one step reads anew is what a server must prefill. Two numbers of a published point carry
over: its TTFT, in proportion to the tokens read anew, and its TBT, unchanged. Neither was measured for such a task:
TBT grows with the context, and the part of a TTFT that is not prefill does not shrink with it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from scoville.audit import CANDIDATE
from scoville.facts import Facts
from scoville.metrics import ISL
from scoville.waits import Waits


@dataclass(frozen=True)
class Task:
    """A chain of model calls.

    Attributes:
        steps: model calls, one after the other.
        first: input tokens of the first.
        added: input tokens that come new before each further one, as a tool's answer does.
        written: output tokens of each.
        reuse: share of the context already seen that a prefix cache serves, 0 to 1.
    """

    steps: int
    first: float
    added: float
    written: float
    reuse: float

    @property
    def last_input(self) -> float:
        """Input tokens of the last step."""
        return self.first + (self.steps - 1) * (self.added + self.written)

    @property
    def read(self) -> float:
        """Input tokens of all steps, repeated ones included."""
        return self.steps * (self.first + self.last_input) / 2

    @property
    def read_anew(self) -> float:
        """Input tokens of all steps that no cache serves.

        Step i of n brings ``added`` tokens that are new, and of the context of the step before, its answer included,
        the cache misses a share of 1 - ``reuse``. Summed: first + (n-1)*added + (1-reuse)*((n-1)*(first+written)
        + (added+written)*(n-1)*(n-2)/2).
        """
        n = self.steps - 1
        seen = n * (self.first + self.written) + (self.added + self.written) * n * (n - 1) / 2
        return self.first + n * self.added + (1 - self.reuse) * seen

    @property
    def output(self) -> float:
        """Output tokens of all steps."""
        return self.steps * self.written

    def seconds(self, ttft_s: float, tbt_s: float, input_tokens: float) -> float:
        """*Modelled* time of the task: waits in proportion to what is read anew, and decoding at an unchanged TBT.

        Args:
            ttft_s: TTFT of a point, seconds.
            tbt_s: its time between tokens, seconds.
            input_tokens: input tokens of a request there, all read anew.
        """
        return ttft_s * self.read_anew / input_tokens + self.decoding(tbt_s)

    def seconds_at_fixed_wait(self, ttft_s: float, tbt_s: float) -> float:
        """The same where every step waits the measured TTFT, however much it reads: nothing of it is prefill."""
        return self.steps * ttft_s + self.decoding(tbt_s)

    def decoding(self, tbt_s: float) -> float:
        """Seconds from the first to the last token of every step."""
        return self.steps * (self.written - 1) * tbt_s


@dataclass(frozen=True)
class Chains:
    """*Modelled* times of tasks at published points.

    Attributes:
        facts: the data folder.
    """

    facts: Facts

    @cached_property
    def rows(self) -> pd.DataFrame:
        """Every single-token row with a median TTFT and a TBT, one a configuration.

        Returns:
            ``model`` and ``system`` (keys), ``evidence``, ``source_id``, ``source_title``, ``address``,
            ``statistic_note``, ``configuration``, ``throughput`` (mixed tok/s per rated kW), ``ttft`` and ``tbt``
            (medians, s).
        """
        kept = ["model", "system", "evidence", "source_id", "source_title", "address", "statistic_note"]
        made = ["throughput", "ttft", "tbt", "configuration"]
        parts = [
            promise.rows.assign(model=model)
            for model, promised in Waits(self.facts).promised.items()
            for promise in promised
            if promise.speculation == "none" and len(promise.rows)
        ]
        if not parts:
            return pd.DataFrame(columns=[*kept, *made])
        rows = pd.concat(parts)
        layout = [rows[name].fillna("not recorded") for name in ("engine", "parallelism")]
        rows = rows.assign(
            throughput=rows["high"],
            ttft=rows["ttft_median_s"],
            tbt=1 / rows["speed"],
            configuration=layout[0] + ", " + layout[1] + ", concurrency " + rows["concurrency"].map("{:.0f}".format),
        )
        return rows.dropna(subset=made[:3])[[*kept, *made]].reset_index(drop=True)

    def quickest(self, model: str, system: str, task: Task, *, fixed: bool = False) -> pd.Series | None:
        """The row of a system that would finish a task first, with ``seconds``; None where no row has a TTFT.

        Args:
            model, system: keys.
            task: the task.
            fixed: whether every step waits the measured TTFT.
        """
        rows = self.rows[(self.rows["model"] == model) & (self.rows["system"] == system)]
        if rows.empty:
            return None
        seconds = [
            task.seconds_at_fixed_wait(r["ttft"], r["tbt"]) if fixed else task.seconds(r["ttft"], r["tbt"], ISL)
            for _, r in rows.iterrows()
        ]
        timed = rows.assign(seconds=seconds)
        return timed.loc[timed["seconds"].idxmin()]

    def rivals(self, model: str, task: Task, *, fixed: bool = False) -> list[pd.Series]:
        """The quickest row of every system but the candidate, quickest first."""
        rows = self.rows[(self.rows["model"] == model) & (self.rows["system"] != CANDIDATE)]
        found = [self.quickest(model, str(system), task, fixed=fixed) for system in rows["system"].unique()]
        return sorted((row for row in found if row is not None), key=lambda row: float(row["seconds"]))

    def ratio(self, model: str, task: Task, *, fixed: bool = False) -> float | None:
        """Time of the quickest other system over the candidate's; None where one of them has no TTFT."""
        mine, theirs = self.quickest(model, CANDIDATE, task, fixed=fixed), self.rivals(model, task, fixed=fixed)
        return None if mine is None or not theirs else float(theirs[0]["seconds"] / mine["seconds"])

    def bounds(self, model: str) -> tuple[float, float] | None:
        """Time of the quickest other system over the candidate's for tasks that only read, and that only write.

        No other task has a ratio outside these, as long as its time is the sum of a TTFT in proportion to tokens read
        and of an unchanged TBT. None where one of them has no TTFT.
        """
        mine, theirs = self._sides(model)
        if mine.empty or theirs.empty:
            return None
        return float(theirs["ttft"].min() / mine["ttft"].min()), float(theirs["tbt"].min() / mine["tbt"].min())

    def balance(self, model: str) -> float | None:
        """Tokens read anew for each written at which both take as long; None where that is nowhere, or at several."""
        mine, theirs = self._sides(model)
        if mine.empty or theirs.empty:
            return None
        read = np.logspace(-3, 6, 9001)
        apart = np.log(_least(theirs, read) / _least(mine, read))
        turns = np.flatnonzero(np.diff(np.sign(apart)))
        if len(turns) != 1:
            return None
        ends = slice(turns[0], turns[0] + 2)
        order = np.argsort(apart[ends])
        return float(np.exp(np.interp(0, apart[ends][order], np.log(read[ends])[order])))

    def _sides(self, model: str) -> tuple[pd.DataFrame, pd.DataFrame]:
        rows = self.rows[self.rows["model"] == model]
        return rows[rows["system"] == CANDIDATE], rows[rows["system"] != CANDIDATE]


def _least(rows: pd.DataFrame, read: np.ndarray) -> np.ndarray:
    """Seconds a written token at the quickest of some rows, by tokens read anew for each."""
    ttft, tbt = (rows[name].to_numpy(dtype=float)[:, None] for name in ("ttft", "tbt"))
    least: np.ndarray = (ttft * read / ISL + tbt).min(axis=0)
    return least
