"""Sources in the rows of tables, and below computed ones: against the files, read by other code."""

from __future__ import annotations

import csv
from collections import Counter, defaultdict
from itertools import pairwise
from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from scoville import tables
from scoville.report import baselines_page, limits_page, model_page, power_page, predictions_page, repeatability_page
from scoville.tabulate import Table

ROOT = Path(__file__).resolve().parents[2]
RATED = {"gb200": 1200, "gb300": 1400, "b200": 1000, "b300": 1200, "jalapeno": 700, "h100": 700, "h200": 700}
Row = dict[str, str]


def rows_of(pattern: str) -> list[Row]:
    """Rows of files of the data folder, as text."""
    texts = [file.read_text(encoding="utf-8") for file in sorted((ROOT / "data").glob(pattern))]
    return [row for text in texts for row in csv.DictReader(text.splitlines())]


PUBLISHED = {s["source_id"]: s["published"] for s in rows_of("sources.csv")}


def public(row: Row) -> str:
    """Where a row should lead: to its run at GitHub where it names one, else to its source."""
    return row["run_url"] if "github.com" in row["run_url"] else row["source_id"]


def told_last(rows: list[Row]) -> str:
    """The same for a number that several sources repeat: that of the source published last."""
    return public(max(rows, key=lambda row: PUBLISHED[row["source_id"]]))


def shown(table: Table) -> list[Row]:
    """What a reader downloads."""
    return list(csv.DictReader(table.csv().splitlines()))


def led_to(row: Row, column: str = "Sources") -> set[str]:
    return set(row[f"{column} (address or key)"].split())


def below(table: Table) -> set[str]:
    """Keys of the sources in the line below a table."""
    found = BeautifulSoup(table._repr_html_(), "html.parser").select("p.table-rests a")
    return {str(a["href"]).removeprefix("../sources.html#") for a in found}


@pytest.mark.parametrize(
    ("model", "baseline", "name"),
    [("gpt-oss-120b", "gb200", "GB200"), ("deepseek-r1", "gb300", "GB300"), ("kimi-k2.5", "gb300", "GB300")],
)
def test_at_equal_speed_both_sides_are_named(model: str, baseline: str, name: str) -> None:
    table = shown(model_page(model, "", "", "", "", "data").equal_speed())  # type: ignore[arg-type]
    at_speed = defaultdict(list)
    for row in rows_of(f"points/{model}/*.csv"):
        if row["system"] == baseline and row["speculation"] == "none" and row["isl_nominal"] == "8192":
            at_speed[f"{float(row['interactivity_median_tok_s_user']):.10g}"].append(row)
    measured = [i for i, row in enumerate(table) if row["Measured point of"] in (name, "both")]
    assert len(measured) >= 5
    for i in measured:
        theirs = told_last(at_speed[table[i]["Interactivity, tok/s/user"]])
        assert led_to(table[i]) == {"inferencex-supplemental-2026-08", theirs}
    for slower, faster in pairwise(measured):  # between two points of the baseline both of them are behind it
        for i in range(slower + 1, faster):
            assert led_to(table[i]) == led_to(table[slower]) | led_to(table[faster])


def test_a_lines_row_leads_to_its_peak_and_its_fastest_point() -> None:
    rows = [r for r in rows_of("points/*/*.csv") if (r["isl_nominal"], r["precision"]) == ("8192", "fp4")]
    checked = 0
    page = baselines_page("data")
    for model, rivals in page.rivals.items():
        table = [r for r in shown(page.table()) if r["Model"] == page.model_name(model)]
        for rival, row in zip(rivals, table[1:], strict=True):  # the first is the candidate's own
            system, decoding = rival.line.system, rival.question.speculation
            mine = [r for r in rows if (r["model"], r["system"], r["speculation"]) == (model, system, decoding)]
            if system in RATED:
                peak = float(row["Its peak, mixed tok/s per kW"]) * RATED[system] / 1000
                at_peak = [r for r in mine if float(r["total_tok_s_per_chip"]) == pytest.approx(peak, rel=1e-6)]
                assert told_last(at_peak) in led_to(row, "Evidence and sources")
                checked += 1
    assert checked >= 15


def test_every_repeated_configuration_leads_to_all_its_runs() -> None:
    found = defaultdict(list)
    for row in rows_of("points/*/*.csv"):
        if row["workload"] == "fixed-length" and not row["statistic_note"].startswith("median over all runs"):
            key = tuple(row[c] for c in tables.CONFIGURATION)
            if not any(r["total_tok_s_per_chip"] == row["total_tok_s_per_chip"] for r in found[key]):
                found[key].append(row)
    expected = Counter(frozenset(public(r) for r in runs) for runs in found.values() if len(runs) > 1)
    assert Counter(frozenset(led_to(row)) for row in shown(repeatability_page("data").strip_rows())) == expected
    assert max(map(len, expected)) >= 3


def test_a_prediction_leads_to_the_tool_and_a_measured_row_to_its_source() -> None:
    page = predictions_page("data")
    tool = {"aiconfigurator-0.12.0"}
    assert [led_to(row, "Evidence and source") for row in shown(page.rows())] == [tool] * len(page.rows().frame)
    speeds = defaultdict(list)
    for row in rows_of("points/*/*.csv"):
        speeds[f"{float(row['interactivity_median_tok_s_user'] or 0):.10g}"].append(row)
    with_prediction = 0
    for row in shown(page.ratios()):
        expected = {told_last(speeds[row["Interactivity, median tok/s/user"]])}
        predicted = bool(row.get("Modelled, linear, mixed tok/s per kW"))
        with_prediction += predicted
        assert led_to(row) == (expected | tool if predicted else expected)
    assert 0 < with_prediction < len(page.ratios().frame)


def test_computed_tables_name_what_they_were_computed_from() -> None:
    models = {row["model"]: row["source_id"] for row in rows_of("models.csv")}
    dimensions = {models[m] for m in ("gpt-oss-120b", "deepseek-r1", "kimi-k2.5")}
    assert below(limits_page("data").bytes_table()) == dimensions
    assert below(limits_page("data").batches()) == dimensions
    systems = {row["system"]: row for row in rows_of("systems.csv")}
    specified = {systems[s]["specs_source_id"] for s in ("jalapeno", "gb200", "gb300")}
    told = below(limits_page("data").assumptions())
    assert dimensions | specified <= told
    (stated,) = {c["source_id"] for c in rows_of("claims.csv") if c["claim_id"] == "002.sustained-power.jalapeno"}
    rated = {systems[s]["power_source_id"] for s in ("jalapeno", "gb200", "gb300")}
    told = below(power_page("data").if_measured())  # type: ignore[arg-type]
    assert {stated, "inferencex-supplemental-2026-08"} | rated <= told
    assert told.isdisjoint(dimensions)


def test_only_a_run_at_github_is_named_as_one() -> None:
    page = baselines_page("data")
    row = {"source_id": "inferencex-api-2026-05-05", "address": "https://github.com/a/b/actions/runs/21925849644"}
    assert page.row_link(row) == (
        '<a class="run" href="https://github.com/a/b/actions/runs/21925849644">'
        "InferenceX, API of 5 May 2026, run 21925849644</a>"
    )
    own = {"source_id": "inferencex-run-20613446912", "address": "https://github.com/a/b/actions/runs/20613446912"}
    assert BeautifulSoup(page.row_link(own), "html.parser").text == "InferenceX, run 20613446912"
    for address in ("https://www.coreweave.com/blog/rubin", "https://example.org/runs/7", float("nan"), None):
        linked = page.row_link(row | {"address": address})  # type: ignore[dict-item]
        assert 'href="../sources.html#inferencex-api-2026-05-05"' in linked
    twice = page.row_links(page.facts.points.head(3), None, page.facts.points.iloc[0])
    assert twice.count("<a ") == len({public(r) for r in rows_of("points/deepseek-r1/inferencex-2026-07-20.csv")[:3]})
