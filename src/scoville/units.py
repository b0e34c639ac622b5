"""Numbers as printed in a document, and the intervals that they stand for.

A value printed as ``1.43`` was rounded: it stands for every number in [1.425, 1.435). A claim is checked
against such intervals, never by rounding a quotient and comparing it for equality.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

_WORDS = {
    word: number
    for number, word in enumerate("one two three four five six seven eight nine ten eleven twelve".split(), start=1)
}
_SCALES = {"": 0, "k": 3, "m": 6, "b": 9, "t": 12}
_PRINTED = re.compile(
    r"^[≈~]?\s*(?P<whole>[0-9]{1,3}(?:,[0-9]{3}){1,4}|[0-9]{1,15})(?:\.(?P<fraction>[0-9]{1,9}))?\s*(?P<scale>[kKMBT]?)\s*[×x]?$"
)


@dataclass(frozen=True)
class Interval:
    """A closed interval of real numbers. ``low == high`` is a single value.

    Raises:
        ValueError: when ``low > high``.
    """

    low: float
    high: float

    def __post_init__(self) -> None:
        """Refuse an interval that is upside down."""
        if not self.low <= self.high:
            raise ValueError(f"an interval needs low ≤ high, not [{self.low}, {self.high}]")

    @classmethod
    def around(cls, values: list[float]) -> Interval:
        """The smallest interval that holds all of ``values``."""
        return cls(min(values), max(values))

    def __contains__(self, value: float) -> bool:
        """Whether ``value`` lies in the interval, ends included."""
        return self.low <= value <= self.high

    def overlaps(self, other: Interval) -> bool:
        """Whether some number lies in both."""
        return self.low <= other.high and other.low <= self.high

    def common(self, other: Interval) -> Interval | None:
        """The numbers that lie in both; None where there are none."""
        return Interval(max(self.low, other.low), min(self.high, other.high)) if self.overlaps(other) else None

    def __sub__(self, other: Interval) -> Interval:
        """All differences of a number in self and a number in other; they may be negative."""
        return Interval(self.low - other.high, self.high - other.low)

    def __truediv__(self, other: Interval) -> Interval:
        """All quotients of a number in self by a number in other, both positive.

        For half-units h and h' this is [(a-h)/(b+h'), (a+h)/(b-h')].

        Raises:
            ValueError: when either interval reaches zero or below.
        """
        if self.low < 0 or other.low <= 0:
            raise ValueError("a ratio of intervals needs a numerator of at least 0 and a positive denominator")
        return Interval(self.low / other.high, self.high / other.low)

    def __mul__(self, other: Interval) -> Interval:
        """All products of a number in self and a number in other, both at least 0.

        Raises:
            ValueError: when either interval reaches below zero.
        """
        if self.low < 0 or other.low < 0:
            raise ValueError("a product of intervals needs numbers of at least 0")
        return Interval(self.low * other.low, self.high * other.high)


@dataclass(frozen=True)
class Printed:
    """A number as it is printed in a document.

    Attributes:
        text: as printed, digits and thousands separators kept.
        value: the number (``8K`` is 8000).
        half_unit: half of one unit in the last printed digit.
        zeros: how many trailing zeros before the decimal point may be mere placeholders (2 for ``8,500``).
    """

    text: str
    value: Decimal
    half_unit: Decimal
    zeros: int

    @classmethod
    def parse(cls, text: str) -> Printed:
        """Read ``85,448``, ``≈1.9×``, ``0.69``, ``8K``, ``120B`` or ``nine``.

        Raises:
            ValueError: for anything else, decimal commas among it: they cannot be told from thousands.
        """
        word = _WORDS.get(text.strip().lower())
        if word is not None:
            return cls(text, Decimal(word), Decimal("0.5"), 0)
        match = _PRINTED.match(text.strip())
        if match is None:
            raise ValueError(f"{text!r} is not a printed number such as 85,448, 1.9, 8K or nine")
        whole, fraction = match["whole"].replace(",", ""), match["fraction"] or ""
        power = _SCALES[match["scale"].lower()]
        zeros = 0 if fraction else len(whole) - len(whole.rstrip("0"))
        return cls(
            text,
            Decimal(f"{whole}.{fraction or 0}").scaleb(power),
            Decimal("0.5").scaleb(power - len(fraction)),
            min(zeros, len(whole) - 1),
        )

    @property
    def interval(self) -> Interval:
        """What the number stands for when every printed digit counts."""
        return Interval(float(self.value - self.half_unit), float(self.value + self.half_unit))

    @property
    def widest(self) -> Interval:
        """What it stands for when trailing zeros are placeholders: ``670`` is then [665, 675]."""
        half = self.half_unit.scaleb(self.zeros)
        return Interval(float(self.value - half), float(self.value + half))

    def __float__(self) -> float:
        """The number itself."""
        return float(self.value)

    def rounds_from(self, value: float) -> bool:
        """Whether ``value``, rounded to the printed digits, gives this number: low ≤ value < high."""
        return self.value - self.half_unit <= Decimal(value) < self.value + self.half_unit


def plural(count: int, noun: str) -> str:
    """A count with its noun: ``1 row``, ``1,204 rows``."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
