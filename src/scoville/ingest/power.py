"""Measured power of InferenceX rows. The same keys have had three meanings, and only two are unambiguous.

* version 1, 26 May 2026, single node: ``avg_power_w`` is the mean over the chips that served the load.
* version 1 as several vendors ran it on several nodes, May to July 2026: joules per output token count only the
  decode chips. These rows cannot be told from others without a version, so their power is left out.
* version 2, August 2026: ``power_metric_schema_version`` is 2 and every unprefixed key means the whole
  deployment. ``power_valid`` 0 withdraws all of them.

All are board power (nvidia-smi, amd-smi or DCGM) over the load, without host, network and cooling.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scoville.ingest.fields import count, number, one
from scoville.ingest.identities import POWER
from scoville.ingest.points import Record

AMBIGUOUS = "power without power_metric_schema_version on several nodes has two meanings; it is left out"


def settle(record: Record, metrics: Mapping[str, Any], *, ambiguous: bool) -> None:
    """Put measured watts per chip into the record's point, where they mean one thing and agree with the energy.

    Args:
        record: the row, with rates and chips.
        metrics: its values.
        ambiguous: whether a row without a version has two meanings: several nodes, or separate roles.
    """
    if metrics.get("avg_power_w") is None:
        return
    watts = one(record, metrics, "avg_power_w", number)
    if watts is None:
        return
    version = one(record, metrics, "power_metric_schema_version", count)
    if version and metrics.get("power_valid") not in (1, 1.0, "1", True):
        record.blank("avg_power_w", watts, "power_valid is not 1: the source withdraws its power")
    elif not version and ambiguous:
        record.blank("avg_power_w", watts, AMBIGUOUS)
    elif reason := _contradiction(record, metrics, watts):
        record.blank("avg_power_w", watts, reason)
    else:
        record.point.chip_power_mean_w = watts


def _contradiction(record: Record, metrics: Mapping[str, Any], watts: float) -> str:
    """Why the watts do not follow from the energy of the same row; empty when they do, or nothing is known."""
    point = record.point
    energy = one(record, metrics, "joules_per_output_token", number)
    if energy and point.output_tok_s_per_chip:
        implied = energy * point.output_tok_s_per_chip
        if abs(implied - watts) > POWER * watts:
            return f"{energy:.6g} J per output token make {implied:.6g} W per chip; power is left out"
    everything = one(record, metrics, "avg_total_gpu_power_w", number)
    if everything and point.chips and abs(everything / point.chips - watts) > POWER * watts:
        return f"{everything:.6g} W of all {point.chips} chips make {everything / point.chips:.6g} W; power is left out"
    return ""
