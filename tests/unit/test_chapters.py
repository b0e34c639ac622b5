"""Chapters on data that lack what they look for: every cell shows something, and none breaks off."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from bs4 import BeautifulSoup
from changed_data import Row, edit, edit_points

from scoville.book import pages
from scoville.facts import load
from scoville.report import home_page
from scoville.report.chapters import chapter

ROOT = Path(__file__).resolve().parents[2]
PARTS = ("how-far", "evidence-stops")
OUTPUTS = {p.template: p.output for p in pages(load(ROOT / "data")) if p.output.startswith(PARTS)}
CHAPTERS = list(OUTPUTS)


def only_the_appendix(folder: Path) -> int:
    """Jalapeño and the appendix' baselines, single-token, medians over runs: no repeats, no other lines."""
    kept = {("gpt-oss-120b", "gb200"), ("deepseek-r1", "gb300"), ("kimi-k2.5", "gb300")}

    def change(row: Row) -> Row | None:
        mine = row["system"] == "jalapeno" and row["date"] != "2026-08-17"
        theirs = (row["model"], row["system"]) in kept and row["statistic_note"].startswith("median over all runs")
        return row if row["speculation"] == "none" and (mine or theirs) else None

    return edit_points(folder, change)


def no_latencies(folder: Path) -> int:
    """No row says anything of TTFT or E2E."""
    columns = [f"{what}_{s}_s" for what in ("ttft", "e2e") for s in ("mean", "median", "p99")]
    return edit_points(folder, lambda row: row | dict.fromkeys(columns, ""))


def no_measured_power(folder: Path) -> int:
    return edit_points(folder, lambda row: row | {"chip_power_mean_w": ""})


def no_chip_counts(folder: Path) -> int:
    """Without single runs: two of them differ by the number of chips only."""
    blank = dict.fromkeys(("chips", "prefill_chips", "decode_chips"), "")
    return edit_points(folder, lambda row: None if "-run-" in row["source_id"] else row | blank)


def one_model(folder: Path) -> int:
    return edit_points(folder, lambda row: row if row["model"] == "kimi-k2.5" else None)


def no_dimensions(folder: Path) -> int:
    blank = dict.fromkeys(("hidden", "layers", "attention", "heads"), "")
    return edit(folder / "models.csv", lambda row: row | blank)


def ratings_of_the_appendix_only(folder: Path) -> int:
    def change(row: Row) -> Row:
        blank = ("package_power_w", "package_power_other_w", "all_in_power_low_w", "all_in_power_high_w")
        return row if row["system"] in ("jalapeno", "gb200", "gb300") else row | dict.fromkeys(blank, "")

    return edit(folder / "systems.csv", change)


def no_claims(folder: Path) -> int:
    return edit(folder / "claims.csv", lambda row: None)


@pytest.fixture(scope="module")
def first_page() -> BeautifulSoup:
    """What the first page tells of the chapters; it computes them all, so once for all tests here."""
    home = home_page("data")
    return BeautifulSoup(home.carry().body + home.stops().body, "html.parser")


@pytest.mark.parametrize("name", CHAPTERS)
def test_the_first_page_names_a_chapter_by_its_heading_and_tells_its_finding(
    name: str, first_page: BeautifulSoup
) -> None:
    heading = json.loads((ROOT / f"notebooks/{name}.ipynb").read_text(encoding="utf-8"))["cells"][0]["source"][0]
    page = chapter(name, load(ROOT / "data"), "")
    assert heading.strip() == f"# {page.title}"
    (link,) = [a for a in first_page.select("dt a") if a["href"] == f"{OUTPUTS[name]}.html"]
    told = link.find_parent("dt").find_next_sibling("dd").text  # type: ignore[union-attr]
    assert told == BeautifulSoup(page.finding().body, "html.parser").p.text  # type: ignore[union-attr]
    assert link.text == page.title


def test_a_finding_without_its_rows_leaves_the_first_page_too(data_copy: Path) -> None:
    only_the_appendix(data_copy)
    told = home_page(str(data_copy)).carry().body
    assert "no configuration that was run more than once" in told
    # only the baselines of the appendix are left, so the best NVIDIA row is theirs
    assert "(GB200, GB300 and GB300) they are <b>1.90×, 1.67× and 1.54×</b>" in told


LACKS = [
    only_the_appendix,
    no_latencies,
    no_measured_power,
    no_chip_counts,
    one_model,
    no_dimensions,
    ratings_of_the_appendix_only,
    no_claims,
]


def shown(value: Any) -> str:
    """What a cell's value puts on the page."""
    if hasattr(value, "charts"):
        return "".join(str(chart.to_dict()) for chart in value.charts) or "no charts"
    return str(value.to_dict()) if hasattr(value, "to_dict") else f"{value!r}{value._repr_html_()}"


@pytest.mark.parametrize("lack", LACKS, ids=lambda f: f.__name__)
def test_every_cell_of_every_chapter_shows_something(
    data_copy: Path, lack: Callable[[Path], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert lack(data_copy)
    facts = load(data_copy)
    for name, module in list(sys.modules.items()):
        if name.startswith("scoville.report.") and hasattr(module, "load"):
            monkeypatch.setattr(module, "load", lambda _: facts)  # every chapter would read the same folder again
    for name in [p.template for p in pages(facts) if p.output.startswith(PARTS)]:
        cells = json.loads((ROOT / f"notebooks/{name}.ipynb").read_text(encoding="utf-8"))["cells"]
        sources = {c["id"]: "".join(c["source"]) for c in cells if c["cell_type"] == "code"}
        scope: dict[str, Any] = {}
        exec(sources.pop("parameters"), scope)
        scope["data_dir"] = str(data_copy)
        exec(sources.pop("page"), scope)
        for cell, source in sources.items():
            try:
                told = shown(eval(source, scope))
            except Exception as error:
                raise AssertionError(f"{name}, cell {cell}, breaks off") from error
            assert told, f"{name}, cell {cell}"
            assert "nan" not in told.replace("tenant", "").split(), f"{name}, cell {cell}"
