"""Parallel layouts: how they are written, and how many chips they take.

Chips of one worker are TP × PP × PCP. Expert parallelism and decode context parallelism reuse the same chips,
so they never multiply (InferenceX, utils/process_result.py: ``num_gpus = tp * pp * pcp_size``).
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Pool:
    """Equal workers that each hold the whole model.

    Attributes:
        tp, pp, pcp, dcp, ep: tensor, pipeline, prefill-context, decode-context and expert parallel sizes.
        dpa: whether attention is data parallel.
        workers: how many; 0 and 1 both mean one where the source counts none.
    """

    tp: int = 1
    pp: int = 1
    pcp: int = 1
    dcp: int = 1
    ep: int = 1
    dpa: bool = False
    workers: int = 1

    @property
    def chips(self) -> int:
        """All chips of the pool."""
        return self.tp * self.pp * self.pcp * max(self.workers, 1)

    @property
    def label(self) -> str:
        """One worker, as the data folder writes it: ``TP4 EP4 DPA``; sizes of 1 are left out, but for TP."""
        sizes = (("PP", self.pp), ("PCP", self.pcp), ("DCP", self.dcp), ("EP", self.ep))
        parts = [f"TP{self.tp}", *(f"{name}{size}" for name, size in sizes if size > 1)]
        return " ".join([*parts, "DPA"] if self.dpa else parts)


@dataclass(frozen=True)
class Layout:
    """A layout with its chip counts.

    Attributes:
        chips: all of them.
        label: the parallelism column.
        prefill_chips, decode_chips: None when both phases share the chips, or where the split is not recorded.
        disaggregated: whether prefill and decode run on separate chips.
        note: what a reader should know; empty for most.
    """

    chips: int
    label: str
    prefill_chips: int | None = None
    decode_chips: int | None = None
    disaggregated: bool = False
    note: str = ""


def aggregated(pool: Pool, chips: int | None = None, note: str = "") -> Layout:
    """Prefill and decode on the same chips; ``chips`` overrides the product."""
    prefix = f"{pool.workers}×" if pool.workers > 1 else ""
    return Layout(chips or pool.chips, prefix + pool.label, note=note)


def disaggregated(prefill: Pool, decode: Pool, prefill_chips: int, decode_chips: int) -> Layout:
    """Prefill and decode on separate chips, counted by the source."""
    label = f"P {max(prefill.workers, 1)}×{prefill.label} + D {max(decode.workers, 1)}×{decode.label}"
    return Layout(prefill_chips + decode_chips, label, prefill_chips, decode_chips, disaggregated=True)


def unsplit(chips: int, note: str = "") -> Layout:
    """Prefill and decode on separate chips of which only the total is known."""
    return Layout(chips, f"{chips} chips, split not recorded", disaggregated=True, note=note)


def split_only(prefill_chips: int, decode_chips: int) -> Layout:
    """Prefill and decode on separate chips, of which only the two counts are known."""
    label = f"P {prefill_chips} + D {decode_chips} chips, layout not recorded"
    return Layout(prefill_chips + decode_chips, label, prefill_chips, decode_chips, disaggregated=True)
