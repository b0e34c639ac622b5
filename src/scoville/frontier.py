"""Pareto sets, and values at equal interactivity. Nothing here extrapolates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


def pareto_mask(x: Sequence[float] | Floats, y: Sequence[float] | Floats) -> npt.NDArray[np.bool_]:
    """Which points no other point beats: higher is better on both axes.

    A point is dropped only when another is at least as good on both axes and better on one, so exact
    duplicates are all kept. Points with a missing or non-positive coordinate never belong to the set and never
    displace another.

    Args:
        x: n values.
        y: n values.

    Returns:
        n booleans, in the order of the input.

    Raises:
        ValueError: when the lengths differ.
    """
    xs, ys = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    if xs.shape != ys.shape or xs.ndim != 1:
        raise ValueError(f"x and y must be of one length, not {xs.shape} and {ys.shape}")
    mask = np.zeros(xs.size, dtype=bool)
    usable = np.flatnonzero(np.isfinite(xs) & np.isfinite(ys) & (xs > 0) & (ys > 0))
    order = usable[np.lexsort((-ys[usable], -xs[usable]))]
    best, best_x = -np.inf, np.nan
    for index in order:
        if ys[index] > best or (ys[index] == best and xs[index] == best_x):
            mask[index] = True
            best, best_x = ys[index], xs[index]
    return mask


@dataclass(frozen=True)
class Reading:
    """A value read off a frontier at a given x.

    Attributes:
        x: where it was read.
        value: the value; NaN outside the measured range.
        measured: whether a measured point lies exactly there.
        below, above: x of the measured neighbours; NaN outside the range.
    """

    x: float
    value: float
    measured: bool
    below: float
    above: float

    @property
    def gap(self) -> float:
        """How many times further the upper neighbour is than the lower: 1 on a measured point."""
        return 1.0 if self.measured else self.above / self.below


@dataclass(frozen=True)
class Frontier:
    """A Pareto set as a curve, x ascending, y descending.

    Attributes:
        x: n values, strictly ascending.
        y: n values.
    """

    x: Floats
    y: Floats

    @classmethod
    def of(cls, x: Sequence[float] | Floats, y: Sequence[float] | Floats) -> Frontier:
        """The Pareto set of points in any order; duplicates count once."""
        xs, ys = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
        kept = pareto_mask(xs, ys)
        unique = np.unique(np.column_stack([xs[kept], ys[kept]]), axis=0)
        return cls(unique[:, 0], unique[:, 1])

    def __len__(self) -> int:
        """How many distinct points it has."""
        return self.x.size

    def read(self, x: float, method: str = "linear") -> Reading:
        """The value at ``x``, between the two measured neighbours; NaN outside the measured range.

        Args:
            x: where to read.
            method: ``linear`` in x and y, which reproduces OpenAI's appendix, or ``steffen``, the monotone
                cubic that InferenceX draws.

        Raises:
            ValueError: for another method.
        """
        if method not in ("linear", "steffen"):
            raise ValueError(f"method is linear or steffen, not {method!r}")
        if not len(self) or not self.x[0] <= x <= self.x[-1]:
            return Reading(x, np.nan, measured=False, below=np.nan, above=np.nan)
        upper = int(np.searchsorted(self.x, x))
        if self.x[upper] == x:
            return Reading(x, float(self.y[upper]), measured=True, below=x, above=x)
        value = np.interp(x, self.x, self.y) if method == "linear" else steffen(self.x, self.y, x)
        return Reading(x, float(value), measured=False, below=float(self.x[upper - 1]), above=float(self.x[upper]))

    def neighbours(self, x: float) -> tuple[float, float] | None:
        """Values of the next faster and the next slower measured point: low and high end without interpolation.

        The low end is safe: who asks for speed ``x`` can be served by the point that is faster. The high end holds
        for the points that were measured; a configuration that nobody ran could lie above it.

        Returns:
            Both ends, equal on a measured point; None outside the measured range.
        """
        found = self.read(x)
        if np.isnan(found.value):
            return None
        return float(self.y[self.x == found.above][0]), float(self.y[self.x == found.below][0])

    def overlap(self, other: Frontier) -> tuple[float, float] | None:
        """The range of x that both have measured; None where there is none."""
        if not len(self) or not len(other):
            return None
        low, high = max(self.x[0], other.x[0]), min(self.x[-1], other.x[-1])
        return (float(low), float(high)) if low <= high else None


def steffen(x: Floats, y: Floats, at: float) -> float:
    """Monotone cubic interpolation after Steffen (1990), Astronomy and Astrophysics 239, 443.

    The same curve as ``curveMonotoneX`` of d3, which the InferenceX app draws: one-sided end slopes of
    (3 s - m) / 2, all others limited so that no interval overshoots.

    Args:
        x: n ≥ 2 values, strictly ascending.
        y: n values.
        at: a position inside the range of x.
    """
    steps = np.diff(x)
    secants = np.diff(y) / steps
    slopes = np.empty_like(x)
    if x.size == 2:
        slopes[:] = secants[0]
    else:
        left, right, h_left, h_right = secants[:-1], secants[1:], steps[:-1], steps[1:]
        parabola = (left * h_right + right * h_left) / (h_left + h_right)
        limit = np.minimum(np.minimum(np.abs(left), np.abs(right)), 0.5 * np.abs(parabola))
        slopes[1:-1] = (np.sign(left) + np.sign(right)) * limit
        slopes[0] = (3 * secants[0] - slopes[1]) / 2
        slopes[-1] = (3 * secants[-1] - slopes[-2]) / 2
    i = min(int(np.searchsorted(x, at, side="right")) - 1, x.size - 2)
    h, t = steps[i], (at - x[i]) / steps[i]
    return float(
        (1 + 2 * t) * (1 - t) ** 2 * y[i]
        + t * (1 - t) ** 2 * h * slopes[i]
        + t**2 * (3 - 2 * t) * y[i + 1]
        + t**2 * (t - 1) * h * slopes[i + 1]
    )
