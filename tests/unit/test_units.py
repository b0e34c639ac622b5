"""Printed numbers and intervals, against values worked out by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoville.units import Interval, Printed


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("1.43", 1.425, 1.435),
        ("85,448", 85447.5, 85448.5),
        ("≈1.9×", 1.85, 1.95),
        ("0.69", 0.685, 0.695),
        ("535.28", 535.275, 535.285),
        ("8K", 7500, 8500),
        ("1T", 0.5e12, 1.5e12),
        ("670B", 669.5e9, 670.5e9),
        ("nine", 8.5, 9.5),
    ],
)
def test_a_printed_number_stands_for_half_a_unit_either_way(text: str, low: float, high: float) -> None:
    interval = Printed.parse(text).interval
    assert (interval.low, interval.high) == (low, high)


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [("670B", 665e9, 675e9), ("8,500", 8450, 8550), ("700", 650, 750), ("1.50", 1.495, 1.505)],
)
def test_trailing_zeros_before_the_point_may_be_placeholders(text: str, low: float, high: float) -> None:
    widest = Printed.parse(text).widest
    assert (widest.low, widest.high) == (low, high)


@pytest.mark.parametrize("text", ["", "1,43", "85.448,0", "12,34", "abc", "1.2.3", "-1", "1e3", "thirteen", "1 000"])
def test_what_is_not_a_printed_number_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not a printed number"):
        Printed.parse(text)


def test_rounding_is_half_open_at_the_upper_end() -> None:
    printed = Printed.parse("1.5")  # 1.4375, 1.5625 and the like are exact in binary; 1.45 is not
    half = Printed.parse("3")
    assert half.rounds_from(2.5)
    assert not half.rounds_from(3.5)
    assert printed.rounds_from(1.4501)
    assert not printed.rounds_from(1.5501)


def test_a_lone_zero_is_no_placeholder() -> None:
    assert Printed.parse("0").widest == Interval(-0.5, 0.5)


def test_a_product_of_intervals_by_hand() -> None:
    assert Interval(2, 3) * Interval(5, 7) == Interval(10, 21)
    with pytest.raises(ValueError, match="at least 0"):
        _ = Interval(-1, 1) * Interval(1, 2)


def test_ratio_of_intervals_by_hand() -> None:
    # 12,258 / 118: 12257.5/118.5 = 103.4388…, 12258.5/117.5 = 104.3276…
    ratio = Printed.parse("12,258").interval / Printed.parse("118").interval
    assert ratio.low == pytest.approx(103.43881856540084, rel=1e-12)
    assert ratio.high == pytest.approx(104.32765957446809, rel=1e-12)


def test_a_ratio_needs_a_positive_denominator() -> None:
    with pytest.raises(ValueError, match="positive denominator"):
        _ = Interval(1, 2) / Interval(0, 1)


def test_an_interval_upside_down_is_refused() -> None:
    with pytest.raises(ValueError, match="low ≤ high"):
        Interval(2, 1)


positive = st.floats(min_value=1e-3, max_value=1e6)


@given(
    st.lists(positive, min_size=2, max_size=2),
    st.lists(positive, min_size=2, max_size=2),
    st.floats(0, 1),
    st.floats(0, 1),
)
def test_every_quotient_of_members_lies_in_the_ratio(a: list[float], b: list[float], s: float, t: float) -> None:
    top, bottom = Interval.around(a), Interval.around(b)
    member = (top.low + s * (top.high - top.low)) / (bottom.low + t * (bottom.high - bottom.low))
    ratio = top / bottom
    assert ratio.low * (1 - 1e-9) <= member <= ratio.high * (1 + 1e-9)


@given(st.decimals(min_value=0, max_value=10**6, places=2))
def test_what_is_printed_contains_what_was_rounded(value: object) -> None:
    assert Printed.parse(f"{value:.1f}".replace("-", "")).widest.overlaps(
        Interval(float(str(value)), float(str(value)))
    )


def test_common_numbers_and_differences() -> None:
    assert Interval(1, 3).common(Interval(2, 5)) == Interval(2, 3)
    assert Interval(1, 2).common(Interval(3, 4)) is None
    assert Interval(1, 3) - Interval(2, 5) == Interval(-4, 1)
