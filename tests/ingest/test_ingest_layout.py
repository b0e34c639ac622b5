"""Layouts as the data folder writes them, and their chips."""

from __future__ import annotations

import pytest

from scoville.facts import Facts
from scoville.ingest.layout import Pool, aggregated, disaggregated, split_only, unsplit


@pytest.mark.parametrize(
    ("pool", "label", "chips"),
    [
        (Pool(tp=8), "TP8", 8),
        (Pool(tp=8, ep=8, dpa=True), "TP8 EP8 DPA", 8),
        (Pool(tp=1), "TP1", 1),
        (Pool(tp=4, pp=2, pcp=2, dcp=4, ep=8), "TP4 PP2 PCP2 DCP4 EP8", 16),
        (Pool(tp=8, workers=0), "TP8", 8),
        (Pool(tp=8, workers=2), "2×TP8", 16),
    ],
)
def test_one_pool(pool: Pool, label: str, chips: int) -> None:
    layout = aggregated(pool)
    assert (layout.label, layout.chips) == (label, chips)
    assert not layout.disaggregated


def test_two_roles_are_written_as_in_the_committed_data(facts: Facts) -> None:
    layout = disaggregated(Pool(tp=1, workers=2), Pool(tp=2, ep=2, dpa=True), 2, 2)
    assert (layout.label, layout.chips, layout.prefill_chips, layout.decode_chips) == (
        "P 2×TP1 + D 1×TP2 EP2 DPA",
        4,
        2,
        2,
    )
    assert layout.label in set(facts.points["parallelism"])


def test_what_is_not_recorded_is_not_made_up(facts: Facts) -> None:
    assert unsplit(28).label in set(facts.points["parallelism"])
    assert (unsplit(28).prefill_chips, unsplit(28).decode_chips) == (None, None)
    assert split_only(4, 8).label == "P 4 + D 8 chips, layout not recorded"
