"""The far end of the frontier: its figures against the rows of the files, read by other code."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest
from bs4 import BeautifulSoup
from changed_data import edit_points

from scoville.report import far_end_page
from scoville.report.far_end import FarEndPage

ROOT = Path(__file__).resolve().parents[2]
RATED = {"gb200": 1200, "gb300": 1400, "jalapeno": 700}


def curve(model: str, system: str, speculation: str = "none") -> tuple[np.ndarray, np.ndarray]:
    """Pareto set by comparing every pair: speed ascending, and tokens per second per rated kW."""
    found = set()
    for file in (ROOT / "data/points" / model).glob("*.csv"):
        if "-api-" in file.name or "-run-" in file.name:  # the same configurations as the dump, published earlier
            continue
        for row in csv.DictReader(file.read_text(encoding="utf-8").splitlines()):
            if (row["system"], row["speculation"], row["precision"]) == (system, speculation, "fp4"):
                value = float(row["total_tok_s_per_chip"]) * 1000 / RATED[system]
                found.add((float(row["interactivity_median_tok_s_user"]), value))
    best = sorted(p for p in found if not any(q[0] >= p[0] and q[1] >= p[1] and q != p for q in found))
    return np.array([p[0] for p in best]), np.array([p[1] for p in best])


@pytest.fixture(scope="module")
def page() -> FarEndPage:
    return far_end_page("data")


@pytest.mark.parametrize(
    ("model", "baseline", "requests", "chips", "ratio"),
    [
        ("gpt-oss-120b", "gb200", 1, 9, 53.7),
        ("deepseek-r1", "gb300", 5, 34, 103.9),
        ("kimi-k2.5", "gb300", 4, 36, 56.1),
    ],
)
def test_the_last_point_and_what_is_read_there(
    page: FarEndPage, model: str, baseline: str, requests: int, chips: int, ratio: float
) -> None:
    end = page.model_ends[model]
    mine, theirs = curve(model, "jalapeno"), curve(model, baseline)
    assert end.speed == theirs[0][-1]
    assert (end.last["concurrency"], end.last["chips"]) == (requests, chips)
    there = end.comparison.ratio_at(end.speed)
    assert there is not None
    assert there.low == pytest.approx(np.interp(end.speed, *mine) / theirs[1][-1], rel=1e-9)
    assert round(there.low, 1) == ratio
    before = np.interp(theirs[0][-2], *mine) / theirs[1][-2]
    assert end.table["ratio_low"].iloc[-2] == pytest.approx(before, rel=1e-9)
    bounds = end.comparison.bounds_at(end.speed)
    assert bounds is not None
    assert bounds.low == pytest.approx(mine[1][mine[0] >= end.speed][0] / theirs[1][-1], rel=1e-9)
    assert bounds.high == pytest.approx(mine[1][mine[0] <= end.speed][-1] / theirs[1][-1], rel=1e-9)


def test_each_at_its_own_highest_speed(page: FarEndPage) -> None:
    for model, baseline in (("gpt-oss-120b", "gb200"), ("deepseek-r1", "gb300"), ("kimi-k2.5", "gb300")):
        expected = curve(model, "jalapeno")[1][-1] / curve(model, baseline)[1][-1]
        assert page.model_ends[model].ends.low == pytest.approx(expected, rel=1e-9)


def test_multi_token_rows_of_the_baseline(page: FarEndPage) -> None:
    end = page.model_ends["deepseek-r1"]
    mine, theirs = curve("deepseek-r1", "jalapeno"), curve("deepseek-r1", "gb300", "mtp")
    assert end.unlike is not None
    found = end.unlike.ratio_at(end.speed)
    assert found is not None
    assert found.low == pytest.approx(np.interp(end.speed, *mine) / np.interp(end.speed, *theirs), rel=1e-9)
    # at the last multi-token point: 1,198.5 by hand between 272.28 and 404.31 tok/s/user, over 225.18
    assert dict(page.choices().frame["deepseek-r1"])[9] == "5.32× at 312 tok/s/user"
    assert page.model_ends["kimi-k2.5"].unlike is None


def test_the_finding(page: FarEndPage) -> None:
    told = BeautifulSoup(page.finding().body, "html.parser").text
    assert told.startswith(
        "The printed 53.7×, 104.3× and 56.1× are read at the last point of each baseline’s curve, where it serves 1, "
        "5 and 4 requests at a time on 9, 34 and 36 chips. At the median speed of that row, not the printed mean, "
        "they are 53.7×, 103.9× and 56.1×. One measured point of the baseline earlier, at 479, 165 and 168 tok/s per "
        "user, the same reading gives 19.1×, 57.6× and 38.6×; where the common speeds begin, at 97, 65 and 60, 2.17×, "
        "3.92× and 2.37×."
    )
    assert "GPT-OSS 120B’s reading crosses from 431 on 8 chips to 694 on 1 chip, in tok/s per user." in told
    assert "DeepSeek R1’s 103.9× is 3.86× at that speed." in told


def test_a_shorter_baseline_changes_the_finding(data_copy: Path) -> None:
    """Without the row at one request the curve ends a point earlier, and the ratio there is the smaller one."""
    gone = edit_points(
        data_copy,
        lambda r: None if (r["model"], r["system"], r["concurrency"]) == ("gpt-oss-120b", "gb200", "1") else r,
    )
    assert gone
    page = far_end_page(str(data_copy))
    end = page.model_ends["gpt-oss-120b"]
    assert (end.last["concurrency"], end.last["chips"]) == (2, 5)
    told = BeautifulSoup(page.finding().body, "html.parser").text
    # the printed ratio is of a point that is not the last one any more
    assert told.startswith("The ratios 19.1×, 103.9× and 56.1× are read")
    assert "where it serves 2, 5 and 4 requests at a time on 5, 34 and 36 chips" in told
    assert end.ratio(-1) == "19.1×"


def test_without_the_candidate_there_is_no_finding(data_copy: Path) -> None:
    for path in (data_copy / "points").rglob("jalapeno-*.csv"):
        path.unlink()
    assert "no comparison of the default candidate" in far_end_page(str(data_copy)).finding().body


def test_unlike_rows_come_on_request_only(page: FarEndPage) -> None:
    specs = [chart.to_dict() for chart in page.curves().charts]
    boxes = [[p["name"] for p in spec.get("params", []) if p["name"] == "show_mtp"] for spec in specs]
    assert boxes == [[], ["show_mtp"], []]
