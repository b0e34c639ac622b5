"""Nominal lengths that stand only in the name of a file or of its folder.

The artifacts of InferenceX carried them nowhere else until 21 November 2025, and the raw files of its client
never do: ``gptoss_8k1k_fp4_…``, ``…_isl8192_osl1024``. A name may be wrong, so `identities.nominal_lengths` checks
what it says against the measured tokens.
"""

from __future__ import annotations

import re
from pathlib import Path

_WRITTEN_OUT = re.compile(r"isl[_-]?(\d{2,6})[_-]osl[_-]?(\d{2,6})(?!\d)", re.IGNORECASE)
_IN_K = re.compile(r"(?:^|[_-])(\d{1,3})k[_-]?(\d{1,3})k(?=[_.-]|$)", re.IGNORECASE)

_FOLDERS = 2
"""How many folders above the file are looked at."""


def from_name(path: Path) -> tuple[int, int] | None:
    """Nominal input and output length, tokens; None where neither the name nor the folders say."""
    for part in (path.stem, *(p.name for p in list(path.resolve().parents)[:_FOLDERS])):
        if written := _WRITTEN_OUT.search(part):
            return int(written[1]), int(written[2])
        if in_k := _IN_K.search(part):
            return int(in_k[1]) * 1024, int(in_k[2]) * 1024
    return None
