"""The built book: charts that draw offline, and checks of the finished pages.

Loaded by Sphinx as the extension ``scoville.site`` (see ``_config.yml``); nothing in here is imported by a
notebook but the Altair renderer, through its entry point.
"""

from __future__ import annotations

from typing import Any

PDF_PLACE = "<!-- the whole book as PDF -->"
"""Where the home page names the PDF, once there is one."""


def setup(app: Any) -> dict[str, Any]:
    """Sphinx' entry point of an extension; the work is in `scoville.site.extension`."""
    from scoville.site.extension import connect  # noqa: PLC0415 - Sphinx is not needed to draw a chart

    return connect(app)
