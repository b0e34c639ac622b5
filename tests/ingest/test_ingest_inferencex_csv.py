"""The CSV export of the dashboard: what its headers say, and what its cells hold."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import pytest
from import_runs import Bring
from made_files import CSV_NEW, CSV_OLD, E2E, TPOT, TTFT, api_row, csv_export, metrics, role, write


def test_the_real_export_says_milliseconds_and_holds_seconds(originals: Path, bring: Bring) -> None:
    path = originals / "inferencex/csv_export/InferenceX_results_snapshot__InferenceX_gpt-oss-120b_e2e.csv"
    with path.open(encoding="utf-8", newline="") as file:
        published = list(csv.DictReader(line for line in file if not line.startswith("#")))
    done = bring(path)
    assert (done.file["format"], done.file["rows_read"], done.file["rows_kept"]) == ("inferencex-csv", 16, 16)
    assert done.file["refusals"] == []
    for ours, theirs in zip(done.rows, published, strict=True):
        assert float(ours["tpot_mean_s"]) == float(theirs["Mean TPOT (ms)"])
        assert float(ours["e2e_p99_s"]) == float(theirs["P99 E2E Latency (ms)"])
        assert float(ours["total_tok_s_per_chip"]) == float(theirs["Throughput/GPU (tok/s)"])
        assert (ours["chips"], ours["date"]) == (theirs["TP"], theirs["Date"])
    assert 0.003 < float(done.rows[0]["tpot_mean_s"]) < 0.005


def test_both_real_exports(originals: Path, bring: Bring) -> None:
    done = bring(originals / "inferencex/csv_export")
    kept = {Path(f["path"]).stem.rpartition("_InferenceX_")[2]: f["rows_kept"] for f in done.report["files"]}
    assert kept == {"DeepSeek-R1-0528_interactivity": 5, "gpt-oss-120b_e2e": 16}
    assert {row["model"] for row in done.rows} == {"deepseek-r1", "gpt-oss-120b"}


@pytest.mark.parametrize("header", [CSV_OLD, CSV_NEW], ids=["until July 2026", "from August 2026"])
@pytest.mark.parametrize("scale", [1, 1000], ids=["seconds", "milliseconds"])
def test_the_unit_is_what_the_numbers_say(tmp_path: Path, bring: Bring, header: str, scale: float) -> None:
    done = bring(write(tmp_path / "a.csv", csv_export(header, api_row(), scale=scale)))
    (row,) = done.rows
    assert float(row["ttft_mean_s"]) == pytest.approx(TTFT)
    assert float(row["tpot_mean_s"]) == pytest.approx(TPOT)
    assert float(row["e2e_mean_s"]) == pytest.approx(E2E)
    assert row["statistic_note"] == ("latencies converted from milliseconds" if scale == 1000 else "")
    assert done.file["refusals"] == []


@pytest.mark.parametrize("scale", [1, 1000], ids=["seconds", "milliseconds"])
def test_littles_law_tells_the_unit_where_there_is_no_interactivity(tmp_path: Path, bring: Bring, scale: float) -> None:
    columns = [n for n in CSV_OLD.split(",") if "Interactivity" not in n and not n.startswith("Std")]
    done = bring(write(tmp_path / "a.csv", csv_export(",".join(columns), api_row(), scale=scale)))
    assert float(done.rows[0]["e2e_mean_s"]) == pytest.approx(E2E)


def test_latencies_without_a_unit_that_anything_confirms_are_left_out(tmp_path: Path, bring: Bring) -> None:
    columns = [n for n in CSV_OLD.split(",") if "Interactivity" not in n and "E2E" not in n]
    done = bring(write(tmp_path / "a.csv", csv_export(",".join(columns), api_row())))
    (row,) = done.rows
    assert (row["ttft_mean_s"], row["tpot_mean_s"]) == ("", "")
    assert done.refusals() == [
        "blanked latencies: the header's unit is not to be trusted, "
        "and nothing in the row tells seconds from milliseconds"
    ]


def test_zeros_of_the_first_generation_are_not_measured(tmp_path: Path, bring: Bring) -> None:
    values = metrics() | {"p99_ttft": 0, "mean_ttft": 0}
    (row,) = bring(write(tmp_path / "a.csv", csv_export(CSV_OLD, api_row(metrics=values)))).rows
    assert (row["ttft_mean_s"], row["ttft_p99_s"]) == ("", "")
    assert float(row["ttft_median_s"]) == pytest.approx(TTFT * 0.99)


def test_a_disaggregated_row_has_counts_but_no_layout(tmp_path: Path, bring: Bring) -> None:
    both = {**role("prefill", 4, 1, 1, dpa=False), **role("decode", 8, 8, 1, dpa=True)}
    counts = {"num_prefill_gpu": 4, "num_decode_gpu": 8, "hardware": "gb300", "framework": "dynamo-trt", "disagg": True}
    row = api_row(metrics=metrics(8, 12, 4, 8), **both, **counts)
    for header in (CSV_OLD, CSV_NEW):
        done = bring(write(tmp_path / "a.csv", csv_export(header, row)))
        (kept,) = done.rows
        assert (kept["chips"], kept["prefill_chips"], kept["decode_chips"]) == ("12", "4", "8")
        assert kept["parallelism"] == "P 4 + D 8 chips, layout not recorded"
        assert float(kept["output_tok_s_per_chip"]) * 12 == pytest.approx(8 * 921.6 / E2E)


def test_the_run_and_the_physical_chips_of_the_second_generation(tmp_path: Path, bring: Bring) -> None:
    text = csv_export(CSV_NEW, api_row(), **{"Physical Chips": 8})
    (row,) = bring(write(tmp_path / "a.csv", text)).rows
    assert row["run_url"].endswith("/actions/runs/22469096331/attempts/1")
    assert row["chips"] == "8"


def test_rows_without_lengths_are_agent_traces(tmp_path: Path, bring: Bring) -> None:
    (row,) = bring(write(tmp_path / "a.csv", csv_export(CSV_NEW, api_row(), ISL="", OSL=""))).rows
    assert (row["workload"], row["isl_nominal"]) == ("agentic", "")
    assert row["statistic_note"] == "no lengths in the export: taken as agent traces"


def test_a_warning_of_the_dashboard_goes_with_the_source(tmp_path: Path, bring: Bring) -> None:
    text = "# WARNING: accuracy issues reported for gb300 fp8 mtp\n" + csv_export(CSV_OLD, api_row())
    done = bring(write(tmp_path / "a.csv", text))
    warning = "WARNING: accuracy issues reported for gb300 fp8 mtp"
    assert done.file["notes"] == [warning]
    assert warning in done.table("sources")[0]["note"]
    assert warning in done.output


def test_pooled_point_releases_are_told(tmp_path: Path, bring: Bring) -> None:
    done = bring(write(tmp_path / "a.csv", csv_export(CSV_OLD, api_row(), Model="Kimi-K2.5")))
    assert done.table("sources")[0]["note"].endswith(
        "The dashboard pools point releases of this model under one name. Read as inferencex-csv, --select latest."
    )


def test_a_row_that_was_cut_off(tmp_path: Path, bring: Bring) -> None:
    text = csv_export(CSV_OLD, api_row(), api_row(16))
    done = bring(write(tmp_path / "a.csv", text[: text.rindex(",none,")]))
    assert (done.file["rows_read"], done.file["rows_kept"]) == (2, 1)
    assert done.refusals() == ["refused : 40 cells as in the header; the file may have been cut off"]
    assert done.file["refusals"][0]["row"] == 5


def test_rows_are_numbered_by_their_line(tmp_path: Path, bring: Bring) -> None:
    rows: list[Any] = [api_row(), api_row(16, metrics=metrics(16) | {"mean_intvty": 3.0})]
    done = bring(write(tmp_path / "a.csv", csv_export(CSV_OLD, *rows)))
    assert [(r["row"], r["field"]) for r in done.file["refusals"]] == [(5, "tpot_mean_s")]


# Saved again by a spreadsheet


def saved_again(text: str, delimiter: str, *, comma: bool, preamble: str = "kept") -> str:
    """An export as a spreadsheet saves it: other delimiters, quotes, decimal commas, the preamble as cells or gone."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\r\n")
    lines = text.splitlines()
    body = [line for line in lines if not line.startswith("#")]
    width = body[0].count(",") + 1
    for line in lines if preamble == "kept" else ():
        if line.startswith("#"):
            writer.writerow([line, *[""] * (width - 1)])
    for cells in csv.reader(body):
        numbers = [c.replace(".", ",") if comma and c.replace(".", "", 1).isdigit() else c for c in cells]
        writer.writerow(numbers)
    return out.getvalue()


def numbers_of(rows: list[dict[str, str]]) -> list[dict[str, str]]:
    return [{k: v for k, v in row.items() if k != "source_id"} for row in rows]


@pytest.mark.parametrize("header", [CSV_OLD, CSV_NEW], ids=["until July 2026", "from August 2026"])
@pytest.mark.parametrize(("delimiter", "comma"), [(",", False), (";", False), (";", True), ("\t", False), ("\t", True)])
@pytest.mark.parametrize("preamble", ["kept", "gone"])
def test_an_export_that_a_spreadsheet_saved_again(
    tmp_path: Path, bring: Bring, header: str, delimiter: str, comma: bool, preamble: str
) -> None:
    text = csv_export(header, api_row(), api_row(16))
    plain = bring(write(tmp_path / "plain.csv", text))
    again = write(tmp_path / "again.csv", saved_again(text, delimiter, comma=comma, preamble=preamble))
    done = bring(again, into=tmp_path / "again")
    assert (done.file["format"], done.file["rows_kept"], done.file["refusals"]) == ("inferencex-csv", 2, [])
    assert numbers_of(done.rows) == numbers_of(plain.rows)
    cells = {",": [], ";": ["cells separated by semicolons"], "\t": ["cells separated by tabs"]}[delimiter]
    assert done.file["notes"] == [*cells, *(["decimal commas read as decimal points"] if comma else [])]


def test_the_real_exports_saved_again(originals: Path, tmp_path: Path, bring: Bring) -> None:
    """Every number of both files, with decimal commas and an exponent: 4,4778387866632994E-05."""
    for path in sorted((originals / "inferencex/csv_export").glob("*.csv")):
        text = path.read_text(encoding="utf-8")
        plain = bring(path, into=tmp_path / path.stem)
        for preamble in ("kept", "gone"):
            text_again = saved_again(text, ";", comma=True, preamble=preamble)
            done = bring(write(tmp_path / "again.csv", text_again), into=tmp_path / f"{path.stem} {preamble}")
            assert done.file["refusals"] == []
            assert numbers_of(done.rows) == numbers_of(plain.rows)


def test_a_warning_survives_a_spreadsheet(tmp_path: Path, bring: Bring) -> None:
    text = "# WARNING: accuracy issues reported for gb300, fp8\n" + csv_export(CSV_OLD, api_row())
    done = bring(write(tmp_path / "a.csv", saved_again(text, ";", comma=True)))
    assert done.file["notes"][0] == "WARNING: accuracy issues reported for gb300, fp8"
    done = bring(write(tmp_path / "b.csv", saved_again(text, ",", comma=False)), into=tmp_path / "b")
    assert done.file["notes"][0] == "WARNING: accuracy issues reported for gb300, fp8"


def test_a_comma_that_may_separate_thousands_is_named(tmp_path: Path, bring: Bring) -> None:
    """Nothing in the file says whether 1,709 is 1709 or 1.709."""
    text = saved_again(csv_export(CSV_OLD, api_row(), **{"Throughput": "1709"}), ";", comma=False)
    done = bring(write(tmp_path / "a.csv", text.replace(";1709;", ";1,709;")))
    assert (done.status, done.file["rows_kept"]) == (2, 0)
    assert done.refusals() == [
        "refused Throughput/GPU (tok/s): a number was expected; a comma may be a decimal comma or separate thousands"
    ]
    assert done.file["refusals"][0]["value"] == "1,709"
    quoted = bring(write(tmp_path / "b.csv", csv_export(CSV_OLD, api_row(), **{"Throughput": '"1709,13"'})))
    assert [(r["field"], r["value"]) for r in quoted.file["refusals"]] == [("Throughput/GPU (tok/s)", "1709,13")]


def test_thousands_separators_beside_decimal_commas_are_named(tmp_path: Path, bring: Bring) -> None:
    text = saved_again(csv_export(CSV_OLD, api_row()), ";", comma=True)
    total = next(c for c in text.splitlines()[-1].split(";") if c.startswith("1709,"))
    done = bring(write(tmp_path / "a.csv", text.replace(total, "1.709,13")))
    assert [(r["field"], r["value"]) for r in done.file["refusals"]] == [("Throughput/GPU (tok/s)", "1.709,13")]
    assert done.file["rows_kept"] == 0
