"""Charts: they draw what the data say, in colours that can be told apart."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import altair as alt
import pandas as pd
import pytest

from scoville import charts, report
from scoville.report.model import ModelPage
from scoville.site.mime import MIME, altair_renderer, figure, static_svg, themes

MODELS = [("gpt-oss-120b", "gb200"), ("deepseek-r1", "gb300"), ("kimi-k2.5", "gb300")]


def page(model: str, baseline: str, **options: str) -> ModelPage:
    chosen = {"power_basis": "package", "speculation": "none", "data_dir": "data", **options}
    return report.model_page(model, "jalapeno", baseline, **chosen)


def luminance(colour: str) -> float:
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, two: str) -> float:
    """WCAG 2 contrast ratio."""
    high, low = sorted((luminance(one), luminance(two)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_contrast_of_black_on_white_is_21() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)


@pytest.mark.parametrize("background", ["#ffffff", "#121212"])
@pytest.mark.parametrize("system", [*charts.LOOKS, "another"])
def test_every_colour_is_at_least_3_to_1_on_both_backgrounds(system: str, background: str) -> None:
    assert contrast(charts.look(system).colour, background) >= 3


def test_no_two_systems_share_a_colour_or_a_mark() -> None:
    assert len({look.colour for look in charts.LOOKS.values()}) == len(charts.LOOKS)
    assert len({look.shape for look in charts.LOOKS.values()}) == len(charts.LOOKS)


@pytest.mark.parametrize(("model", "baseline"), MODELS)
def test_every_measured_row_is_a_mark(model: str, baseline: str) -> None:
    found = page(model, baseline)
    rows = len(found.comparison.candidate.points) + len(found.comparison.baseline.points)
    spec = found.frontier().to_dict()
    drawn = next(v for v in spec["datasets"].values() if v and "counts" in v[0])
    names = [found.name(s) for s in found.pair]
    assert sum(r["line"] in names for r in drawn) == rows
    every = {
        line["system"]: line["rows"]
        for line in found.every_line().frame.to_dict("records")
        if line["decoding"] == "single-token"
    }
    shown = Counter(r["line"] for r in drawn)
    assert {name: shown[name] for name in every} == every


def marks(svg: str, colour: str) -> tuple[int, int]:
    """How many point marks of a colour are hollow and filled."""
    paths = re.findall(r"<path[^>]*>", svg)
    mine = [p for p in paths if 'stroke-width="1.6"' in p]
    return sum(f'stroke="{colour}"' in p for p in mine), sum(f'fill="{colour}"' in p for p in mine)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_picture_shows_hollow_and_filled_marks(theme: str) -> None:
    found = page("gpt-oss-120b", "gb200")
    svg = static_svg(found.frontier().to_dict(), theme)
    assert marks(svg, charts.look("jalapeno").colour) == (10, 0)
    assert marks(svg, charts.look("gb200").colour) == (0, 42)


@pytest.mark.parametrize(("model", "baseline"), MODELS)
def test_the_documents_own_points_are_marked_with_their_printed_numbers(model: str, baseline: str) -> None:
    printed = {
        "gpt-oss-120b": {"85,448", "44,960", "22,935", "427"},
        "deepseek-r1": {"19,641", "11,781", "12,258", "118"},
        "kimi-k2.5": {"18,195", "11,862", "6,744", "120"},
    }
    svg = static_svg(page(model, baseline).frontier().to_dict(), "light")
    texts = set(re.findall(r">([\d,]+)</text>", svg))
    assert printed[model] <= texts


def test_other_bases_carry_no_printed_points() -> None:
    svg = static_svg(page("gpt-oss-120b", "gb200", power_basis="chip").frontier().to_dict(), "light")
    assert "85,448" not in svg


def test_an_interval_of_watts_is_drawn_as_rules() -> None:
    spec = page("gpt-oss-120b", "gb200", power_basis="all-in").frontier().to_dict()
    (domain,) = {
        tuple(layer["encoding"]["y"]["scale"]["domain"])
        for layer in spec["layer"]
        if "low" in str(layer["encoding"].get("y"))
    }
    lines = re.findall(r'<line[^>]*y2="(-?[\d.]+)" stroke="([^"]+)" stroke-width="3"', static_svg(spec, "light"))
    assert [colour for _, colour in lines] == [charts.look("jalapeno").colour] * 10  # the baseline's are one number
    for height, _ in lines:
        share = abs(float(height)) / charts.HEIGHT
        assert (domain[1] / domain[0]) ** share == pytest.approx(1375 / 1125, rel=1e-4)


def test_the_description_states_the_range_of_each_frontier() -> None:
    described: Any = page("gpt-oss-120b", "gb200").frontier().to_dict()["description"]
    assert "Jalapeño: 10 rows, Pareto set of 10 from 85,448 mixed tok/s per kW at 97" in described
    assert "to 427 at 535" in described


def test_the_title_is_the_finding() -> None:
    title = page("deepseek-r1", "gb300").frontier().to_dict()["title"]
    assert title == (
        "At equal speed Jalapeño gives 3.92× the throughput of GB300 per kW of package rating "
        "at the slow end of their common speeds, 103.9× at the fast end"
    )


def test_systems_that_share_no_speed_are_not_compared() -> None:
    found = page("deepseek-r1", "mi355x")
    table = found.comparison.at_equal_interactivity()
    overlap = found.comparison.candidate.frontier.overlap(found.comparison.baseline.frontier)
    assert overlap is not None
    assert table["speed"].between(*overlap).all()


def test_the_figure_has_its_title_once_and_ids_of_its_own() -> None:
    spec = page("gpt-oss-120b", "gb200").frontier().to_dict()
    html = figure(spec)
    assert html.count("the slow end of their common speeds") == 1
    ids = re.findall(r'\bid="([^"]+)"', html)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r"url\(#([^)]+)\)", html)) <= set(ids)
    assert not re.search(r"""(?:href|src|url)\s*[=(:]\s*["']?(?:https?:)?//""", re.sub(r"xmlns:\w+", "", html))


def test_both_themes_define_the_same_things() -> None:
    assert set(themes()) == {"light", "dark"}
    assert {k: set(v) for k, v in themes()["light"].items() if isinstance(v, dict)} == {
        k: set(v) for k, v in themes()["dark"].items() if isinstance(v, dict)
    }


@pytest.mark.parametrize(("selector", "background"), [("html {", "#ffffff"), ('html[data-theme="dark"] {', "#121212")])
def test_verdict_colours_can_be_read_on_their_background(selector: str, background: str) -> None:
    css = (Path(charts.__file__).parents[1] / "site/static/book.css").read_text(encoding="utf-8")
    block = css[css.index(selector) : css.index("}", css.index(selector))]
    colours = dict(re.findall(r"--sc-([a-z-]+): (#[0-9a-f]{6})", block))
    for verdict in ("reproduced", "consistent", "not-derivable", "contradicted"):
        assert contrast(colours[verdict], background) >= 4.5, verdict


def vertical(spec: Any) -> list[dict[str, Any]]:
    """Every quantitative y encoding of a chart, layers and all."""
    own = spec.get("encoding", {}).get("y", {})
    return [own] * (own.get("type") == "quantitative") + [y for layer in spec.get("layer", []) for y in vertical(layer)]


def test_all_layers_of_a_chart_use_its_one_scale() -> None:
    """A layer without the scale would widen the axis by what Vega makes of its own data."""
    found = page("gpt-oss-120b", "gb200", power_basis="all-in").frontier().to_dict()
    drawn = [found, *(c.to_dict() for c in report.far_end_page("data").curves().charts)]
    for spec in drawn:
        assert len(vertical(spec)) >= 4
        assert len({str(y.get("scale")) for y in vertical(spec)}) == 1


def test_what_is_missing_is_null_in_a_specification() -> None:
    """Altair leaves NaN in columns of text: the address of a source that has none."""
    rows = pd.DataFrame({"address": pd.Series([float("nan"), "https://example.org"], dtype=object), "n": [1.0, None]})
    spec = alt.Chart(rows).mark_point().encode(href="address:N", x="n:Q").to_dict()
    stored = altair_renderer(spec)[0][MIME]
    (kept,) = json.loads(json.dumps(stored, allow_nan=False))["datasets"].values()
    assert kept == [{"address": None, "n": 1.0}, {"address": "https://example.org", "n": None}]
