"""Pareto sets against a naive method and moocore; interpolation against hand values and published ones."""

import math

import moocore
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoville.frontier import Frontier, pareto_mask, steffen

coordinate = st.one_of(st.integers(-2, 6).map(float), st.just(math.nan), st.just(math.inf))
points = st.lists(st.tuples(coordinate, coordinate), max_size=30)


def naive(pairs: list[tuple[float, float]]) -> list[bool]:
    def usable(p: tuple[float, float]) -> bool:
        return all(math.isfinite(v) and v > 0 for v in p)

    def beats(p: tuple[float, float], q: tuple[float, float]) -> bool:
        return usable(p) and p[0] >= q[0] and p[1] >= q[1] and p != q

    return [usable(p) and not any(beats(q, p) for q in pairs) for p in pairs]


@given(points)
def test_the_mask_agrees_with_comparing_every_pair(pairs: list[tuple[float, float]]) -> None:
    x, y = [p[0] for p in pairs], [p[1] for p in pairs]
    assert pareto_mask(x, y).tolist() == naive(pairs)


@given(points, st.randoms())
def test_the_order_of_rows_does_not_matter(pairs: list[tuple[float, float]], random: object) -> None:
    shuffled = pairs.copy()
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    one, two = (Frontier.of([p[0] for p in ps], [p[1] for p in ps]) for ps in (pairs, shuffled))
    assert one.x.tolist() == two.x.tolist()
    assert one.y.tolist() == two.y.tolist()


def test_moocore_keeps_the_same_points() -> None:
    values = np.random.default_rng(20260825).uniform(1, 100, size=(500, 2))
    assert pareto_mask(values[:, 0], values[:, 1]).tolist() == moocore.is_nondominated(values, maximise=True).tolist()


def test_exact_duplicates_are_all_kept() -> None:
    assert pareto_mask([1, 2, 2], [5, 3, 3]).tolist() == [True, True, True]


def test_points_of_different_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match="one length"):
        pareto_mask([1, 2], [1])


def test_linear_reading_by_hand_and_no_extrapolation() -> None:
    front = Frontier.of([10, 20, 40], [100, 60, 20])
    assert front.read(15).value == 80
    assert front.read(30).value == 40
    assert front.read(20).measured
    assert math.isnan(front.read(9.99).value)
    assert math.isnan(front.read(40.01).value)
    assert front.read(30).gap == 2


def test_steffen_by_hand() -> None:
    # x 0 1 3, y 0 1 2: secants 1 and 1/2; p = (1*2 + 1/2*1)/3 = 5/6; slope 2*min(1, 1/2, 5/12) = 5/6;
    # ends (3-5/6)/2 = 13/12 and (3/2-5/6)/2 = 1/3. At x = 2 (t = 1/2, h = 2):
    # 1/2*1 + 1/8*2*5/6 + 1/2*2 - 1/8*2*1/3 = 0.5 + 0.208333 + 1 - 0.083333 = 1.625
    assert steffen(np.array([0.0, 1, 3]), np.array([0.0, 1, 2]), 2.0) == pytest.approx(1.625)


def test_steffen_at_the_ends_by_hand() -> None:
    # x 0 1 3, y 0 1 2 as above: end slopes 13/12 and 1/3, inner slope 5/6
    # at x = 0.5 (t = 1/2, h = 1): 0 + 1/8*13/12 + 1/2*1 - 1/8*5/6 = 0.53125
    assert steffen(np.array([0.0, 1, 3]), np.array([0.0, 1, 2]), 0.5) == pytest.approx(0.53125)


def test_of_two_points_at_one_height_the_faster_stays() -> None:
    assert pareto_mask([1, 2], [5, 5]).tolist() == [False, True]


@given(st.lists(st.integers(1, 50), min_size=2, max_size=8, unique=True), st.floats(0, 1))
def test_steffen_stays_between_its_neighbours(ys: list[int], t: float) -> None:
    x = np.arange(len(ys), dtype=float)
    y = np.array(sorted(ys, reverse=True), dtype=float)
    i = min(int(t * (len(ys) - 1)), len(ys) - 2)
    value = steffen(x, y, i + t)
    assert y[i + 1] - 1e-9 <= value <= y[i] + 1e-9


def test_overlap_is_what_both_measured() -> None:
    a, b = Frontier.of([1, 5], [9, 2]), Frontier.of([3, 9], [8, 1])
    assert a.overlap(b) == (3, 5)
    assert a.overlap(Frontier.of([6, 7], [2, 1])) is None
