"""Choice of baseline: main figures against an independent calculation from the rows."""

from __future__ import annotations

import csv
import shutil
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from changed_data import Row, edit

from scoville.charts.look import apart
from scoville.report import baselines_page

ROOT = Path(__file__).resolve().parents[2]
RATED = {"gb200": 1200, "gb300": 1400, "b200": 1000, "b300": 1200, "jalapeno": 700, "h100": 700, "h200": 700}


def peaks(model: str, speculation: str = "none") -> dict[str, tuple[float, float]]:
    """Highest tokens per second per rated kW of every system, and its speed, straight from the files."""
    best: dict[str, tuple[float, float]] = {}
    for file in (ROOT / "data/points" / model).glob("*.csv"):
        for row in csv.DictReader(file.read_text(encoding="utf-8").splitlines()):
            if row["speculation"] == speculation and row["system"] in RATED and row["precision"] == "fp4":
                value = float(row["total_tok_s_per_chip"]) * 1000 / RATED[row["system"]]
                if value > best.get(row["system"], (0.0, 0.0))[0]:
                    best[row["system"]] = (value, float(row["interactivity_median_tok_s_user"]))
    return best


@pytest.mark.parametrize(
    ("model", "system", "ratio", "speed"),
    [("gpt-oss-120b", "b200", 1.34, 28), ("deepseek-r1", "b300", 1.51, 23), ("kimi-k2.5", "gb200", 1.31, 25)],
)
def test_the_best_public_nvidia_row(model: str, system: str, ratio: float, speed: int) -> None:
    found = peaks(model)
    rivals = {s: v for s, v in found.items() if s != "jalapeno"}
    assert max(rivals, key=lambda s: rivals[s][0]) == system
    page = baselines_page("data")
    best = page.best_nvidia(model)
    assert best.line.system == system
    assert best.comparison.peak_ratio.low == pytest.approx(found["jalapeno"][0] / found[system][0], rel=1e-9)
    assert round(best.comparison.peak_ratio.low, 2) == ratio
    assert round(best.line.peak["speed"]) == round(found[system][1]) == speed


def test_the_finding_says_it_in_its_first_sentences() -> None:
    told = BeautifulSoup(baselines_page("data").finding()._repr_html_(), "html.parser").text
    assert told == (
        "Against the baselines of OpenAI’s appendix, Jalapeño’s peaks per rated kW are 1.90×, 1.67× and 1.54×. "
        "Against the best public NVIDIA row of each model (B200, B300 and GB200) they are 1.34×, 1.51× and 1.31×; "
        "those rows peak at 28, 23 and 25 tok/s per user, Jalapeño at 97, 65 and 60.In the other direction, at "
        "Jalapeño’s own peak speed the appendix’ baselines give 2.17×, 3.92× and 2.37×. Jalapeño’s rows: 2026-08-17 "
        "to 2026-08-22 (engine teacup). The appendix’ baselines: GB200 on GPT-OSS 120B 2026-01; medians to "
        "2026-07-18; 26 rows without a date, GB300 on DeepSeek R1 2026-02-03 to 2026-02-12; medians to 2026-07-18 and "
        "GB300 on Kimi K2.5 medians to 2026-07-18."
    )


def test_the_finding_follows_the_data(data_copy: Path) -> None:
    def doubled(row: Row) -> Row:
        total = str(float(row["total_tok_s_per_chip"]) * 2)
        return row | {"total_tok_s_per_chip": total} if row["system"] == "gb200" else row

    assert edit(data_copy / "points/kimi-k2.5/inferencex-2026-07-20.csv", doubled)
    told = baselines_page(str(data_copy)).finding()._repr_html_()
    assert "1.34×, 1.51× and 0.65×" in told


def test_without_the_candidate_there_is_no_finding(data_copy: Path) -> None:
    for path in (data_copy / "points").rglob("jalapeno-*.csv"):
        path.unlink()
    assert "no comparison of the default candidate" in baselines_page(str(data_copy)).finding()._repr_html_()


def test_the_table_holds_every_line_and_marks_the_appendix() -> None:
    table = baselines_page("data").table().frame
    assert len(table) == 22 + 3  # and Jalapeño's own line of each model
    own = table[table["system"] == "Jalapeño"]
    assert list(own["dates"]) == ["2026-08-22", "2026-08-17 to 2026-08-22", "2026-08-22"]
    assert set(own["engines"]) == {"teacup"}
    (kimi,) = table[(table["model"] == "Kimi K2.5") & (table["system"] == "GB300")]["dates"]
    assert kimi == "medians to 2026-07-18"
    (h100,) = table[table["system"] == "H100 SXM"]["dates"]
    assert h100 == "medians to 2026-07-18; 13 rows without a date"  # the single run of that system
    named = table[table["named"] == "yes"]
    assert list(named["system"]) == ["GB200", "GB300", "GB300"]
    mtp = table[
        (table["model"] == "DeepSeek R1") & (table["system"] == "GB300") & table["decoding"].str.contains("MTP")
    ]
    # 19,640.56 / 12,951.11, and at 65 tok/s per user 1.8 times
    assert mtp["ratio"].iloc[0][0] == pytest.approx(19640.56 / 12951.11, rel=1e-5)
    assert mtp["there"].iloc[0][0] == pytest.approx(1.85, abs=0.005)


def test_labels_keep_their_order_and_their_distance() -> None:
    placed = apart([10.0, 100.0, 99.0, 98.0], steps=10, span=1000)
    assert placed[1] == 100
    assert placed[2] == pytest.approx(100 / 1000**0.1)
    assert placed[3] == pytest.approx(100 / 1000**0.2)
    assert placed[0] == 10


def test_rows_with_multi_token_prediction_come_on_request_only() -> None:
    spec = baselines_page("data").frontiers().charts[1].to_dict()
    (box,) = [p for p in spec["params"] if p["name"] == "show_mtp"]
    assert box["value"] is False
    assert box["bind"]["input"] == "checkbox"
    kinds = {row["like"] for rows in spec["datasets"].values() for row in rows if "like" in row}
    assert kinds == {True, False}


def test_a_copy_of_the_data_gives_the_same_page(tmp_path: Path) -> None:
    copy = shutil.copytree(ROOT / "data", tmp_path / "data")
    assert baselines_page(str(copy)).finding().body == baselines_page("data").finding().body
