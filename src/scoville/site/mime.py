"""From an Altair chart to HTML that draws with the network off.

Altair's own renderers load Vega from a CDN, or put 1.8 MB in every page, or emit a MIME type that nbformat
refuses. So a chart is stored as plain JSON under a ``+json`` type (`altair_renderer`) and MyST-NB turns it into
static pictures for light and dark plus the specification, which ``charts.js`` brings to life
(`VegaLiteRenderer`).
"""

from __future__ import annotations

import copy
import hashlib
import html
import json
import math
import re
from functools import cache
from importlib import resources
from typing import Any, ClassVar

MIME = "application/vnd.vegalite.v6+json"
VEGALITE_VERSION = "6.4"
STATIC_WIDTH = 640
"""Width in pixels of the static picture unless ``usermeta.static_width`` says otherwise; live charts fill theirs."""


def altair_renderer(spec: dict[str, Any], **_metadata: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """Altair renderer ``scoville``: the specification, and its description as text."""
    return {MIME: _without_nan(spec), "text/plain": f"<chart: {spec.get('description', 'no description')}>"}, {}


def _without_nan(value: Any) -> Any:
    """A specification with nulls for NaN, which JSON does not have; Altair leaves it in columns of text."""
    if isinstance(value, dict):
        return {key: _without_nan(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_without_nan(part) for part in value]
    return None if isinstance(value, float) and math.isnan(value) else value


@cache
def themes() -> dict[str, Any]:
    """Vega configurations for light and dark pages; what they say is all that differs between the two."""
    text = resources.files("scoville.site").joinpath("static/chart-themes.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


def merged(base: dict[str, Any], over: dict[str, Any]) -> dict[str, Any]:
    """``base`` with every key of ``over``, nested dictionaries merged likewise."""
    result = dict(base)
    for key, value in over.items():
        both = isinstance(value, dict) and isinstance(result.get(key), dict)
        result[key] = merged(result[key], value) if both else value
    return result


def static_svg(spec: dict[str, Any], theme: str) -> str:
    """A picture of the chart's first state.

    Args:
        spec: Vega-Lite specification.
        theme: ``light`` or ``dark``.

    Returns:
        An ``<svg>`` element whose ids occur nowhere else in the page.
    """
    import vl_convert  # noqa: PLC0415 - 0.2 s that a notebook does not need

    drawn = copy.deepcopy(spec)
    width = spec.get("usermeta", {}).get("static_width", STATIC_WIDTH)
    config = merged(themes()[theme], {"aria": False, "view": {"continuousWidth": width}})
    # room beside the labels: what draws the picture measures text by another font than the reader's browser has
    drawn.setdefault("padding", {"left": 18, "right": 18, "top": 5, "bottom": 5})
    drawn["config"] = merged(spec.get("config", {}), config)
    svg: str = vl_convert.vegalite_to_svg(drawn, vl_version=VEGALITE_VERSION)
    mark = hashlib.sha256((theme + json.dumps(spec, sort_keys=True)).encode()).hexdigest()[:8]
    svg = re.sub(r"</?a\b[^>]*>", "", svg)  # links in a picture that is hidden from screen readers
    return re.sub(r'(id="|url\(#)((?:clip|gradient)_?\d+)', rf"\g<1>{mark}-\g<2>", svg)


def _hidden(spec: dict[str, Any], theme: str) -> str:
    """The picture as screen readers pass it over: the element around it says what it shows."""
    return static_svg(spec, theme).replace("<svg", '<svg aria-hidden="true"', 1)


def figure(spec: dict[str, Any]) -> str:
    """The chart as a ``<figure>``: title, pictures, specification, source.

    Title and source are HTML, not part of the drawing, so that they wrap on a phone and can be selected.
    """
    spec = copy.deepcopy(spec)
    title = spec.pop("title", "")
    heading = title if isinstance(title, str) else " ".join(title)
    subtitle = spec.get("usermeta", {}).get("subtitle", "")
    source = spec.get("usermeta", {}).get("source", "")
    script = json.dumps(spec, separators=(",", ":"), ensure_ascii=False).replace("</", "<\\/")
    described = html.escape(spec.get("description", ""), quote=True)
    parts = [
        '<figure class="chart">',
        f'<figcaption><span class="chart-title">{html.escape(heading)}</span>',
        f'<span class="chart-subtitle">{html.escape(subtitle)}</span></figcaption>',
        '<div class="chart-frame">',
        *(
            f'<div class="chart-static for-{theme}" role="img" aria-label="{described}">{_hidden(spec, theme)}</div>'
            for theme in themes()
        ),
        f'<script type="application/json" class="chart-spec">{script}</script></div>',
        f'<p class="chart-source">{html.escape(source)}</p>',
        "</figure>",
    ]
    return "".join(parts)


class VegaLiteRenderer:
    """MyST-NB plugin that writes `MIME` outputs as figures."""

    mime_priority_overrides: ClassVar[list[tuple[str, str, int]]] = [("html", MIME, 1)]

    @staticmethod
    def handle_mime(_renderer: Any, data: Any, inline: bool) -> list[Any] | None:
        """The figure as a raw node, nothing for a CSV (a file beside the page), or None for any other MIME type."""
        if data.mime_type == "text/csv":
            return []
        if inline or data.mime_type != MIME:
            return None
        from docutils import nodes  # noqa: PLC0415 - only Sphinx needs it

        return [nodes.raw(text=figure(data.content), format="html", classes=["output", "chart-output"])]
