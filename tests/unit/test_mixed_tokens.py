"""What a mixed token is: figures against the rows of the files and against sums by hand."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest
from bs4 import BeautifulSoup
from changed_data import Row, edit, set_cell

from scoville.report import mixed_tokens_page
from scoville.report.mixed_tokens import MixedTokensPage

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def page() -> MixedTokensPage:
    return mixed_tokens_page("data")


def jalapeno(model: str) -> list[dict[str, str]]:
    text = (ROOT / f"data/points/{model}/jalapeno-2026-08.csv").read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines()))


def rows(table: Any, **wanted: str) -> Any:
    frame = table.frame
    for column, value in wanted.items():
        frame = frame[frame[column] == value]
    return frame


@pytest.mark.parametrize(
    ("model", "name", "joules"),
    [
        ("gpt-oss-120b", "GPT-OSS 120B", 0.105),
        ("deepseek-r1", "DeepSeek R1", 0.458),
        ("kimi-k2.5", "Kimi K2.5", 0.493),
    ],
)
def test_output_tokens_and_rated_joules_at_the_peak(
    page: MixedTokensPage, model: str, name: str, joules: float
) -> None:
    best = max(jalapeno(model), key=lambda r: float(r["total_tok_s_per_chip"]))
    written = float(best["output_tok_s_per_chip"])
    found = rows(page.energy(), model=name, system="Jalapeño", what="peak").iloc[0]
    assert found["output"][0] == pytest.approx(written / 0.7)
    assert found["per_output"] == pytest.approx(700 / written)
    assert round(found["per_output"], 3) == joules
    assert found["input"][0] + found["output"][0] == pytest.approx(found["mixed"][0])


def test_rows_without_an_output_rate_are_parted_by_their_lengths(page: MixedTokensPage) -> None:
    found = rows(page.energy(), model="GPT-OSS 120B", system="GB200", what="peak").iloc[0]
    assert found["split"] == "by mean lengths"
    # 44,960.39 mixed tok/s/kW, a ninth of it written
    assert found["output"][0] == pytest.approx(44960.39 / 9, rel=1e-4)
    assert found["per_output"] == pytest.approx(9 * 1000 / 44960.39, rel=1e-4)


def test_the_finding(page: MixedTokensPage) -> None:
    told = BeautifulSoup(page.finding().body, "html.parser").text
    assert told == (
        "Of the tokens behind the headline 88.9 % are input: Jalapeño’s peaks of 85,448, 19,641 and 18,239 mixed "
        "tokens per second and rated kW are 9,503, 2,184 and 2,028 output tokens. Both sides are counted alike, so the "
        "ratios of the peaks stay 1.90×, 1.67× and 1.54× in output tokens."
        "Counted from the models’ dimensions (modelled), 87 %, 78–86 % and 81–87 % of the work is reading. At those "
        "peaks a user’s request spends 72 %, 63 % and 63 % of its time before the first token."
    )


def test_work_at_the_peak(page: MixedTokensPage) -> None:
    found = rows(page.flops(), model="GPT-OSS 120B", system="Jalapeño").iloc[0]
    # 75,946 input tok/s/kW at 10.23 GFLOP and 9,503 output tok/s/kW at 12.61
    assert found["read"] == pytest.approx(75.946e3 * 10.23e9 / 1e12, rel=1e-3)
    assert found["written"][1] == pytest.approx(9.503e3 * 12.61e9 / 1e12, rel=1e-3)
    assert found["written"][0] == found["written"][1]
    latent = rows(page.flops(), model="DeepSeek R1", system="Jalapeño").iloc[0]
    assert latent["written"][0] < latent["written"][1]


def test_prefill_and_decode_chips_do_all_of_a_rows_work(page: MixedTokensPage) -> None:
    found = rows(page.parts(), model="DeepSeek R1", what="fastest").iloc[0]
    assert (found["prefill_chips"], found["decode_chips"]) == (2, 32)
    whole = found["read"] * 2 + found["written"] * 32
    assert whole == pytest.approx(117.530867 * 1.4 * 34, rel=1e-6)
    assert found["read"] * 2 / whole == pytest.approx(8 / 9)


def test_without_dimensions_the_work_is_a_gap(data_copy: Path) -> None:
    set_cell(data_copy, "models", "kimi-k2.5", "hidden", "")
    page = mixed_tokens_page(str(data_copy))
    assert "Kimi K2.5" not in set(page.flops().frame["model"])
    assert "of the work" not in page.finding().body
    assert "of its time before the first token" in page.finding().body
    assert len(page.shares().charts) == 3


def test_other_lengths_change_the_share(data_copy: Path) -> None:
    """An output rate twice as high at the peak: a fifth of the tokens, and twice the output tokens per kW."""

    def changed(row: Row) -> Row:
        written, read = (float(row[f"{side}_tok_s_per_chip"]) for side in ("output", "input"))
        other = {"output_tok_s_per_chip": str(2 * written), "input_tok_s_per_chip": str(read - written)}
        return row | other if row["concurrency"] == "2048" else row

    assert edit(data_copy / "points/gpt-oss-120b/jalapeno-2026-08.csv", changed) == 1
    told = mixed_tokens_page(str(data_copy)).finding().body
    assert "77.8–88.9 % are input" in told
    assert "<b>19,006, 2,184 and 2,028</b>" in told
    assert "are 1.90×, 1.67× and 1.54× in mixed tokens and <b>3.80×, 1.67× and 1.54×</b> in output" in told
    assert "stay" not in told
