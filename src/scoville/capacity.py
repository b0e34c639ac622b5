"""How many contexts fit beside the weights, and how much of a decode step they are. All of it *modelled*."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from itertools import product

import pandas as pd

from scoville.book import questions
from scoville.compare import Comparison, Line, compare
from scoville.deployments import Assumed, Reading, readings
from scoville.facts import Facts
from scoville.roofline import (
    CASES,
    KV_BITS,
    case_of,
    fitting,
    held_bytes,
    kv_bytes,
    kv_share,
    precision,
    weight_bytes,
)
from scoville.units import Interval

USABLE = (0.8, 1.0)
"""Ends of the share of its memory that a server gives to weights and caches; the rest is for what it computes in."""
PEAK, FASTEST = "peak", "lowest TBT"


@dataclass(frozen=True)
class Deployment:
    """The decode chips of one published point.

    Attributes:
        which: which point of its line it is, in words.
        side: the line.
        reading: one worker of the point.
    """

    which: str
    side: Line
    reading: Reading

    @property
    def chips(self) -> float:
        """All its decode chips."""
        return self.reading.chips * self.reading.workers


@dataclass(frozen=True)
class Capacity:
    """What the memory of published deployments holds.

    Attributes:
        facts: the data folder.
        assumed: precision of weights and cache, and where MLA's latent lies; every interval runs over all of them.
        usable: share of a chip's memory that weights and caches may take, 0 to 1.
    """

    facts: Facts
    assumed: Assumed = field(default_factory=Assumed)
    usable: float = 0.9

    @cached_property
    def comparisons(self) -> dict[str, Comparison]:
        """By model, as on its page; only models whose dimensions are published."""
        return {q.model: compare(self.facts, q) for q in questions(self.facts) if self._known(q.model)}

    def _known(self, model: str) -> bool:
        row = self.facts.models.loc[model]
        return isinstance(row["attention"], str) and bool(pd.notna(held_bytes(row, precision(row, "mixed"))))

    @cached_property
    def deployments(self) -> list[Deployment]:
        """Both lines' points of the peak and of the lowest TBT, model by model, where their chips are recorded."""
        found = []
        for model, c in self.comparisons.items():
            for which, side in product((PEAK, FASTEST), (c.candidate, c.baseline)):
                row = side.peak if which == PEAK else side.fastest
                found += [Deployment(which, side, reading) for reading in readings(model, row)[:1]]
        return found

    def peak(self, model: str, system: str) -> Deployment | None:
        """The deployment of a line's peak; None where its chips are not recorded."""
        found = [d for d in self.deployments if (d.reading.model, d.side.system, d.which) == (model, system, PEAK)]
        return found[0] if found else None

    def memory(self, deployment: Deployment) -> float:
        """Rated bytes of one worker's memory; NaN where they are not published."""
        return float(self.facts.systems.loc[deployment.side.system, "memory_gb"] * 1e9 * deployment.reading.chips)

    def held(self, deployment: Deployment, assumed: Assumed | None = None) -> float:
        """Bytes of weights in one worker."""
        reading = deployment.reading
        model = self.facts.models.loc[reading.model]
        return held_bytes(model, precision(model, case_of(model, (assumed or self.assumed).case)), reading.groups)

    def cached(self, deployment: Deployment, context: float, assumed: Assumed | None = None) -> float:
        """Bytes of the KV cache of one context there, tokens, with every copy of it."""
        assumed, reading = assumed or self.assumed, deployment.reading
        ranks = reading.ranks if assumed.replicated or by_heads(self.facts.models.loc[reading.model]) else 1
        return kv_bytes(self.facts.models.loc[reading.model], context, assumed.kv_bits, ranks)

    def fit(
        self, deployment: Deployment, context: float, assumed: Assumed | None = None, usable: float | None = None
    ) -> float:
        """Contexts of so many tokens that fit beside the weights of all workers; NaN where memory is not published."""
        room = (usable or self.usable) * self.memory(deployment)
        each = fitting(room, self.held(deployment, assumed), self.cached(deployment, context, assumed))
        return each * deployment.reading.workers

    def fits(self, deployment: Deployment, context: float) -> Interval | None:
        """The same over every combination of the assumptions; None where memory is not published."""
        options = product(CASES, sorted({*KV_BITS, self.assumed.kv_bits}), (False, True), (*USABLE, self.usable))
        found = [self.fit(deployment, context, Assumed(c, b, r), u) for c, b, r, u in options]
        return Interval.around(found) if pd.notna(pd.Series(found)).all() else None

    def copied(self, deployment: Deployment) -> bool:
        """Whether it matters there if every chip of a head-split group holds MLA's latent."""
        reading = deployment.reading
        return reading.ranks > 1 and not by_heads(self.facts.models.loc[reading.model])

    def taken(self, deployment: Deployment, decoding: float, context: float, assumed: Assumed) -> float:
        """Share of rated memory that weights and the caches of so many requests a worker take; above 1, none fits."""
        return (self.held(deployment, assumed) + decoding * self.cached(deployment, context, assumed)) / self.memory(
            deployment
        )

    def share(self, model: str, context: float, batch: float, assumed: Assumed | None = None, ranks: int = 1) -> float:
        """Share of a step's bytes that KV cache takes, 0 to 1; ``ranks`` as for `roofline.kv_bytes`."""
        assumed, row = assumed or self.assumed, self.facts.models.loc[model]
        bits = precision(row, case_of(row, assumed.case))
        return kv_share(row, bits, context=context, kv_bits=assumed.kv_bits, batch=batch, ranks=ranks)

    def weights_read(self, model: str, batch: float) -> float:
        """Bytes of weights that a step of so many requests reads."""
        row = self.facts.models.loc[model]
        return weight_bytes(row, precision(row, case_of(row, self.assumed.case)), batch).total

    def crossing(self, model: str, batch: float) -> float:
        """The context from which KV cache is half of a step's bytes, tokens."""
        row, weights = self.facts.models.loc[model], self.weights_read(model, batch)
        low, high = 1.0, 1e9
        while high / low > 1 + 1e-9:  # a cache grows with its context, so the ends close in on one place
            middle = (low * high) ** 0.5
            more = batch * kv_bytes(row, middle, self.assumed.kv_bits) > weights
            low, high = (low, middle) if more else (middle, high)
        return low


def by_heads(model: pd.Series) -> bool:
    """Whether what is cached belongs to heads, so that chips which split these split it too; MLA's latent does not."""
    return bool(model["attention"] != "mla")
