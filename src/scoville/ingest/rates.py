"""Input, output and total rates of a row, all divided by all chips.

InferenceX divides the input rate of a disaggregated row by its prefill chips and the output rate by its decode
chips (utils/process_result.py). Which convention a row follows is not taken on trust: it is the one under which
the two parts make the total.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from scoville.ingest.fields import number, one
from scoville.ingest.identities import RATE_SUM, STEADY, in_flight
from scoville.ingest.points import Record

CONVERTED = "input and output rates converted to all chips"
DROPPED = "input and output rates dropped: they do not add up to the total"
CHART = "rubin-july"
"""What InferenceX writes for an engine in Rubin's rows of July 2026, which were read off a chart of output rates."""

OUTPUT_ONLY = "read off a chart of output rates: input and total are not known"


KEYS = {"total": "tput_per_gpu", "input": "input_tput_per_gpu", "output": "output_tput_per_gpu"}
"""Which rate stands under which key of InferenceX."""


@dataclass(frozen=True)
class Rates:
    """Rates as the file states them, tokens per second per chip; None where it does not."""

    total: float | None
    input: float | None
    output: float | None


def read(record: Record, metrics: Mapping[str, Any]) -> Rates:
    """The rates of a row. If one of the parts cannot be read, neither is used: its absence would mean something."""
    total = one(record, metrics, KEYS["total"], number, needed=True)
    before = len(record.findings)
    parts = [one(record, metrics, KEYS[part], number) for part in ("input", "output")]
    return Rates(total, *parts) if len(record.findings) == before else Rates(total, None, None)


def settle(record: Record, rates: Rates) -> None:
    """Put the rates into the record's point, converted to all chips. Its chip counts must be there.

    A row whose parts do not make its total keeps the total if Little's law confirms it, and is refused
    otherwise. So is one whose total is below its output, but for rows of the digitised chart of output rates, which
    keep the output alone.
    """
    point = record.point
    if rates.output is not None and point.engine == CHART and _is_output_only(rates):
        point.output_tok_s_per_chip = rates.output
        point.evidence = "digitised"
        for name, value in (("input", 0), ("total", rates.total)):
            if value is not None:
                record.blank(
                    KEYS[name], value, f"the total is below the output rate, {rates.output:.6g}: {OUTPUT_ONLY}"
                )
        record.note(OUTPUT_ONLY)
        return
    if rates.total is None:
        reason = "no total throughput: nothing was measured, or no request succeeded"
        record.refuse_missing("total rate", "", reason, *KEYS.values())
        return
    point.total_tok_s_per_chip = rates.total
    if rates.output is not None and not point.disaggregated and _is_output_only(rates):
        _settle_parts(record, rates.total, 0.0, rates.output)
        return
    if rates.input is None or rates.output is None:
        if not point.disaggregated:
            point.input_tok_s_per_chip, point.output_tok_s_per_chip = rates.input, rates.output
        return
    _settle_parts(record, rates.total, rates.input, rates.output)


def _is_output_only(rates: Rates) -> bool:
    return rates.input is None and rates.output is not None and (rates.total is None or rates.total < rates.output)


def _settle_parts(record: Record, total: float, given_input: float, given_output: float) -> None:
    point = record.point
    for convention, (part_in, part_out) in _readings(record, given_input, given_output).items():
        if abs(part_in + part_out - total) <= RATE_SUM * total:
            point.input_tok_s_per_chip, point.output_tok_s_per_chip = part_in, part_out
            if convention:
                record.note(convention)
            return
    words = f"input {given_input:.6g} and output {given_output:.6g} do not make the total {total:.6g}"
    share = in_flight(record)
    if share is None or share not in STEADY:
        record.refuse("total rate", total, f"{words}, and Little's law does not confirm the total")
        return
    stated = f"{given_input:.6g} and {given_output:.6g}"
    record.blank("input and output rate", stated, f"{words}; Little's law confirms the total, the parts are left out")
    record.note(DROPPED)


def _readings(record: Record, given_input: float, given_output: float) -> dict[str, tuple[float, float]]:
    """Note to input and output rate per all chips, under each convention that the row may follow."""
    point = record.point
    if not point.disaggregated:
        return {"": (given_input, given_output)}
    every = {"input and output rates were per all chips already": (given_input, given_output)}
    if not (point.chips and point.prefill_chips and point.decode_chips):
        return every
    by_role = (given_input * point.prefill_chips / point.chips, given_output * point.decode_chips / point.chips)
    return {CONVERTED: by_role, **every}
