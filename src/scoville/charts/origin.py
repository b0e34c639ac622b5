"""Where a mark comes from: what its tooltip says of the row behind it, and what a click on it opens."""

from __future__ import annotations

import altair as alt
import pandas as pd

SOURCE = [
    alt.Tooltip("evidence:N", title="Evidence"),
    alt.Tooltip("source_title:N", title="Source"),
    alt.Tooltip("address:N", title="A click opens"),
]
"""The end of every tooltip of a measured row."""
ORIGIN = [
    alt.Tooltip("configuration:N", title="Configuration"),
    alt.Tooltip("concurrency:Q", title="Concurrency"),
    alt.Tooltip("engine:N", title="Engine"),
    alt.Tooltip("date:N", title="Date"),
    *SOURCE,
]
"""What a tooltip says of the columns of `origin`."""
OPENS = alt.Href("address:N")
"""The run behind a mark, else its source; nothing where neither is public."""


def origin(rows: pd.DataFrame) -> dict[str, pd.Series]:
    """The columns that `ORIGIN` and `OPENS` read, of operating points as `scoville.facts` loads them."""
    chips = rows["chips"].map(lambda c: "" if pd.isna(c) else f", {c:.0f} chips")
    return {
        "configuration": rows["parallelism"].fillna("not recorded") + chips,
        "concurrency": rows["concurrency"],
        "engine": rows["engine"].fillna("not recorded"),
        "date": rows["date"].fillna("not recorded"),
        "evidence": rows["evidence"],
        "source_title": rows["source_title"],
        "address": rows["address"],
    }
