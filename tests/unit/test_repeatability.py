"""Repeatability: spreads against the rows of the files, read by other code, and by hand."""

from __future__ import annotations

import csv
import statistics
from collections import defaultdict
from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from scoville import tables
from scoville.facts import Facts
from scoville.problems import InputError
from scoville.repeats import exceeded, single_runs, spreads
from scoville.report import repeatability_page
from scoville.report.repeatability import RepeatabilityPage

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def page() -> RepeatabilityPage:
    return repeatability_page("data")


def by_configuration(folder: Path = ROOT / "data") -> dict[tuple[str, ...], list[dict[str, str]]]:
    """Rows of single runs by configuration, straight from the files; only those with several different rows."""
    found: dict[tuple[str, ...], list[dict[str, str]]] = defaultdict(list)
    for file in sorted((folder / "points").rglob("*.csv")):
        for row in csv.DictReader(file.read_text(encoding="utf-8").splitlines()):
            if row["workload"] == "fixed-length" and not row["statistic_note"].startswith("median over all runs"):
                key = tuple(row[c] for c in tables.CONFIGURATION)
                if not any(r["total_tok_s_per_chip"] == row["total_tok_s_per_chip"] for r in found[key]):
                    found[key].append(row)
    return {key: rows for key, rows in found.items() if len(rows) > 1}


def test_spreads_of_all_repeated_configurations(facts: Facts) -> None:
    expected = by_configuration()
    throughput = []
    for rows in expected.values():
        values = [float(r["total_tok_s_per_chip"]) for r in rows]
        throughput.append(max(values) / min(values) - 1)
    found = spreads(facts.points)
    assert len(found) == len(expected) == 168
    assert len(single_runs(facts.points)) == sum(map(len, expected.values())) == 394
    assert sorted(found["throughput"]) == pytest.approx(sorted(throughput))
    assert found["throughput"].median() == pytest.approx(statistics.median(throughput))


def test_the_three_runs_of_the_appendix_baseline(facts: Facts) -> None:
    """GB200 at 512 requests: from 53,952 to 54,062 tokens per second and chip."""
    found = spreads(facts.points)
    row = found[
        (found["system"] == "gb200")
        & (found["model"] == "gpt-oss-120b")
        & (found["concurrency"] == 512)
        & (found["isl_nominal"] == 8192)
        & (found["chips"] == 4)
    ].iloc[0]
    assert (round(row["throughput_low"]), round(row["throughput_high"]), row["runs"]) == (53952, 54062, 3)
    assert row["throughput"] == pytest.approx(54062 / 53952 - 1, abs=1e-5)


def test_jalapenos_own_repeat_by_hand(page: RepeatabilityPage) -> None:
    table = page.candidate().frame.set_index("concurrency")
    assert list(table.index) == [1, 2]
    # 17 to 22 August: 653.39 to 628.97 tok/s per chip, 1.5685 to 1.6413 s; 719.54 to 702.72
    assert table.loc[1, "throughput"] == pytest.approx(628.97 / 653.39 - 1, abs=1e-5)
    assert table.loc[1, "e2e_median"] == pytest.approx(1.6413 / 1.5685 - 1, abs=1e-4)
    assert table.loc[2, "throughput"] == pytest.approx(702.717 / 719.536 - 1, abs=1e-5)
    assert table.loc[1, "dates"] == "2026-08-17 to 2026-08-22"


def test_the_finding(page: RepeatabilityPage) -> None:
    told = BeautifulSoup(page.finding().body, "html.parser").text.replace("\u00a0", " ")
    assert told == (
        "168 configurations were published more than once: the throughput of their runs lies within 0.9 % in half of "
        "them, within 4.8 % in nine of ten, within 17.3 % in nineteen of twenty; the widest pair is 72 % apart. "
        "Without B200 under sglang (34 of them) nineteen of twenty lie within 5.1 %.Jalapeño has 2 such "
        "configurations: DeepSeek R1 at 1 and 2 requests, throughput −3.7 % and −2.3 % and median E2E +4.6 % and +2.6 "
        "% from 2026-08-17 to 2026-08-22. Of 17 ratios between peaks of systems that follow each other, those smaller "
        "than the median spread of runs: B300 over B200 on DeepSeek R1 (1.006×). Smaller than what nineteen of twenty "
        "keep to: 7. Further apart than the ratios of Jalapeño’s peaks to the appendix’ baselines (1.90×, 1.67× and "
        "1.54×) are 0, 1 and 1 of the 168."
    )


def test_wide_gaps_whose_medians_agree(page: RepeatabilityPage) -> None:
    far = alike = 0
    for rows in by_configuration().values():
        spread = {
            column: max(values) / min(values) - 1
            for column in ("total_tok_s_per_chip", "e2e_median_s", "e2e_mean_s")
            if (values := [float(r[column]) for r in rows if r[column]])
        }
        if spread["total_tok_s_per_chip"] > 0.1:
            far += 1
            alike += spread["e2e_median_s"] < 0.03 and spread["e2e_mean_s"] > 0.1
    assert (far, alike) == (11, 7)
    assert "<b>7</b> of the 11 configurations" in page.widest_told().body


def test_differences_that_are_smaller_than_the_spread(page: RepeatabilityPage, facts: Facts) -> None:
    table = page.differences().frame
    first = table.iloc[0]
    # 13,029 over 12,951 mixed tokens per second and rated kW
    assert (first["higher"], first["lower"], round(first["ratio"], 3)) == ("B300", "B200", 1.006)
    known = spreads(facts.points)["throughput"]
    assert first["exceeded"] == sum(v > first["ratio"] - 1 for v in known) == 110
    assert exceeded(known, 1 / 1.9) == exceeded(known, 1.9) == 0


def test_the_same_run_in_two_sources_is_one_run(data_copy: Path) -> None:
    """A copy of a run's rows under another source and day adds nothing."""
    path = data_copy / "points/gpt-oss-120b/inferencex-run-20308883467.csv"
    before = repeatability_page(str(data_copy)).spreads
    text = path.read_text(encoding="utf-8").splitlines()
    copy = [text[0], *(t.replace("inferencex-run-20308883467", "inferencex-run-20737128080") for t in text[1:])]
    path.with_name("copy.csv").write_text("\n".join(copy) + "\n", encoding="utf-8")
    after = repeatability_page(str(data_copy)).spreads
    assert after["runs"].sum() == before["runs"].sum()


def test_without_repeats_there_is_no_finding(data_copy: Path) -> None:
    for path in (data_copy / "points").rglob("*.csv"):
        if "run-" in path.name or "power-" in path.name or "api-" in path.name or "jalapeno" in path.name:
            path.unlink()
    page = repeatability_page(str(data_copy))
    assert "no configuration that was run more than once" in page.finding().body
    assert page.widest_told().body == ""


def test_a_candidate_without_repeats_is_told_so(data_copy: Path) -> None:
    path = data_copy / "points/deepseek-r1/jalapeno-2026-08.csv"
    kept = [line for line in path.read_text(encoding="utf-8").splitlines() if "2026-08-22" not in line]
    path.write_text("\n".join(kept) + "\n", encoding="utf-8")
    assert "No configuration of Jalapeño was published twice." in repeatability_page(str(data_copy)).finding().body


def test_runs_that_an_import_keeps_beside_the_points_count(data_copy: Path) -> None:
    """The same rows, some of them moved to where an import puts runs that do not stand: the same spreads."""
    before = repeatability_page(str(data_copy)).spreads
    moved = data_copy / "points/gpt-oss-120b/inferencex-run-20737128080.csv"
    (data_copy / "runs/gpt-oss-120b").mkdir(parents=True)
    moved.rename(data_copy / "runs/gpt-oss-120b" / moved.name)
    page = repeatability_page(str(data_copy))
    assert len(page.facts.runs) == 74
    assert len(page.facts.points) == 1550 - 74
    assert sorted(page.spreads["throughput"]) == sorted(before["throughput"])


def test_runs_beside_the_points_are_checked_like_these(data_copy: Path) -> None:
    path = data_copy / "runs/kimi-k2.5/mine.csv"
    path.parent.mkdir(parents=True)
    text = (data_copy / "points/kimi-k2.5/jalapeno-2026-08.csv").read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join([text[0], text[1].replace("jalapeno", "jalapenyo", 1)]) + "\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"mine.csv:2: column 'system': found 'jalapenyo'"):
        repeatability_page(str(data_copy))
