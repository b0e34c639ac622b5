"""Our own table by hand and from spreadsheets: recognised, or refused with a reason, never misread."""

from __future__ import annotations

from pathlib import Path

import pytest
from import_runs import Bring, read_csv
from made_files import E2E, changed, own_row, own_table, rates, vllm_run, write

from scoville import tables
from scoville.ingest import own_csv

ROOT = Path(__file__).resolve().parents[2]
DATE = "a date as YYYY-MM-DD, YYYY-MM or YYYY was expected, or YYYY-MM-DD HH:MM:SS"
COMMITTED = sorted((ROOT / "data/points").rglob("*.csv"))


def test_a_table_by_hand(tmp_path: Path, bring: Bring) -> None:
    done = bring(write(tmp_path / "my measurements.csv", own_table(own_row(8), own_row(16))))
    assert (done.file["format"], done.file["rows_kept"], done.file["refusals"]) == ("points-csv", 2, [])
    first = done.rows[0]
    assert (first["model"], first["system"], first["evidence"]) == ("my-model", "my-chip", "user-measured")
    assert (first["speculation"], first["workload"]) == ("none", "fixed-length")
    assert float(first["interactivity_mean_tok_s_user"]) == 200
    assert float(first["total_tok_s_per_chip"]) == pytest.approx(rates(8, 8)[0], abs=0.005)
    (source,) = done.table("sources")
    assert (source["source_id"], source["kind"], source["published"]) == ("user-my-measurements", "user", "2026-03-01")


@pytest.mark.parametrize(
    ("delimiter", "comma", "start", "notes"),
    [
        (",", False, "", []),
        (",", False, "\ufeff", []),
        (";", True, "", ["cells separated by semicolons", "decimal commas read as decimal points"]),
        (";", True, "\ufeffsep=;\n", ["cells separated by semicolons", "decimal commas read as decimal points"]),
        (";", False, "", ["cells separated by semicolons"]),
        ("\t", True, "", ["cells separated by tabs", "decimal commas read as decimal points"]),
        (",", False, "\n\n", []),
    ],
    ids=["comma", "mark", "semicolon", "excel", "points", "tab", "blank lines"],
)
def test_every_dialect_reads_the_same(
    tmp_path: Path, bring: Bring, delimiter: str, comma: bool, start: str, notes: list[str]
) -> None:
    plain = bring(write(tmp_path / "plain.csv", own_table(own_row())))
    text = start + own_table(own_row(), delimiter=delimiter, comma=comma)
    done = bring(write(tmp_path / "plain2.csv", text), into=tmp_path / "other")
    without = ("source_id",)
    assert [{k: v for k, v in r.items() if k not in without} for r in done.rows] == [
        {k: v for k, v in r.items() if k not in without} for r in plain.rows
    ]
    assert done.file["notes"] == notes


def test_windows_line_ends_empty_rows_and_empty_columns(tmp_path: Path, bring: Bring) -> None:
    text = own_table(own_row(), delimiter=";", comma=True)
    spread = "".join(f"{line};;\r\n" for line in text.splitlines()) + ";;;;\r\n" * 3
    path = tmp_path / "a.csv"
    path.write_bytes(spread.encode())
    done = bring(path)
    assert (done.file["rows_read"], done.file["rows_kept"]) == (1, 1)
    assert float(done.rows[0]["e2e_mean_s"]) == pytest.approx(E2E)


def test_a_comma_that_may_separate_thousands_is_refused(tmp_path: Path, bring: Bring) -> None:
    """1,709 is 1.709 in one country and 1709 in another; nothing in this file says which."""
    row = own_row(total_tok_s_per_chip="1,709", input_tok_s_per_chip="", output_tok_s_per_chip="")
    row |= {"ttft_mean_s": "", "tpot_mean_s": "", "e2e_mean_s": ""}
    done = bring(write(tmp_path / "a.csv", own_table(row, delimiter=";")))
    assert done.refusals() == [
        "refused total_tok_s_per_chip: a number with a decimal point was expected; "
        "a comma can be one or separate thousands"
    ]
    assert not done.folder.exists()


def test_a_comma_in_a_comma_separated_file_is_refused(tmp_path: Path, bring: Bring) -> None:
    row = own_row(ttft_mean_s='"0,25"')
    done = bring(write(tmp_path / "a.csv", own_table(row)))
    assert [(r["field"], r["value"]) for r in done.file["refusals"]] == [("ttft_mean_s", "0,25")]
    unquoted = bring(write(tmp_path / "b.csv", own_table(own_row(ttft_mean_s="0,25"))))
    assert unquoted.refusals() == ["refused : 15 cells as in the header; a cell that holds a comma needs quotes"]


def test_thousands_separators_beside_decimal_commas_are_refused(tmp_path: Path, bring: Bring) -> None:
    text = own_table(own_row(), delimiter=";", comma=True)
    done = bring(write(tmp_path / "a.csv", text.replace("1709,13", "1.709,13")))
    assert [r["field"] for r in done.file["refusals"]] == ["total_tok_s_per_chip"]
    mixed = text.replace("0,250", "0.250")
    told = bring(write(tmp_path / "b.csv", mixed)).file["refusals"]
    assert {r["field"] for r in told} >= {"total_tok_s_per_chip", "tpot_mean_s"}


@pytest.mark.parametrize(
    ("column", "cell", "reason"),
    [
        ("total_tok_s_per_chip", "1709 tok/s", "a number was expected"),
        ("chips", "8.5", "a whole number was expected"),
        ("chips", "eight", "a number was expected"),
        ("concurrency", "0", "a number above 0 was expected; leave the cell blank where it is not known"),
        ("ttft_mean_s", "-0.2", "a number above 0 was expected"),
        ("ttft_mean_s", "nan", "a number was expected"),
        ("date", "01.03.2026", DATE),
        ("date", "46082", DATE),
        ("date", "2026-02-30", DATE),
        ("date", "2026-02-03 25:00", DATE),
        ("disaggregated", "ja", "true or false was expected"),
        ("speculation", "medusa", "one of none, mtp, eagle, other was expected"),
        ("workload", "chat", "one of fixed-length, agentic was expected"),
        ("model", "My Model", "a key was expected: small letters, digits, dots, dashes (my-model)"),
        ("model", "../../etc", "a key was expected: small letters, digits, dots, dashes (etc)"),
        ("model", "", "a key was expected; fill in the cell or say --model"),
        ("source_id", "a b", "a key was expected: small letters, digits, dots, dashes (a-b)"),
    ],
)
def test_a_cell_that_cannot_be_read_refuses_its_row(
    tmp_path: Path, bring: Bring, column: str, cell: str, reason: str
) -> None:
    done = bring(write(tmp_path / "a.csv", own_table(changed(own_row(), {column: cell}))))
    assert (done.status, done.refusals()) == (2, [f"refused {column}: {reason}"])
    assert done.file["refusals"][0]["row"] == 2


def test_excels_flags(tmp_path: Path, bring: Bring) -> None:
    done = bring(write(tmp_path / "a.csv", own_table(own_row(disaggregated="FALSE"))))
    assert done.rows[0]["disaggregated"] == "false"


def test_a_column_that_is_not_ours(tmp_path: Path, bring: Bring) -> None:
    path = write(tmp_path / "a.csv", own_table(own_row(ttft_mean_ms=250, comment="x")))
    done = bring(path)
    assert done.status == 2
    assert done.file["error"] == [
        f"{path}:1: column 'comment': expected a column of the points table; leave it out",
        f"{path}:1: column 'ttft_mean_ms': expected a column of the points table; did you mean 'ttft_mean_s'?",
    ]


def test_a_column_twice(tmp_path: Path, bring: Bring) -> None:
    text = own_table(own_row()).replace("osl_nominal", "isl_nominal", 1)
    done = bring(write(tmp_path / "a.csv", text))
    assert done.status == 2
    assert "column 'isl_nominal': expected each column once" in done.file["error"][0]


def test_milliseconds_in_a_column_of_seconds(tmp_path: Path, bring: Bring) -> None:
    row = own_row(tpot_mean_s="5", interactivity_mean_tok_s_user="200")
    done = bring(write(tmp_path / "a.csv", own_table(row)))
    assert done.refusals() == [
        "refused tpot_mean_s: 1 / TPOT is 0.2 tok/s/user, the file says 200: "
        "TPOT is in milliseconds where seconds were expected"
    ]


def test_parts_that_do_not_make_the_whole_are_refused_and_not_left_to_the_loader(tmp_path: Path, bring: Bring) -> None:
    rows = [own_row(8, output_tok_s_per_chip="500"), own_row(16, prefill_chips=4, decode_chips=8)]
    for number, row in enumerate(rows):
        done = bring(write(tmp_path / f"{number}.csv", own_table(row)))
        assert (done.status, done.file["rows_refused"]) == (2, 1)


def test_options_fill_blank_cells(tmp_path: Path, bring: Bring) -> None:
    text = own_table(own_row(model="", system="", precision="", chips=""))
    options = ("--model", "m", "--system", "s", "--precision", "fp8", "--chips", "8")
    (row,) = bring(write(tmp_path / "a.csv", text), *options).rows
    assert (row["model"], row["system"], row["precision"], row["chips"]) == ("m", "s", "fp8", "8")


def test_the_committed_points_come_back_unchanged(tmp_path: Path, bring: Bring) -> None:
    """Every row of the data folder passes every check, and is written as it stands."""
    done = bring(ROOT / "data/points", "--select", "all")
    committed = [row for path in COMMITTED for row in read_csv(path)]
    assert {f["rows_refused"] for f in done.report["files"]} == {0}
    assert sum(f["rows_kept"] for f in done.report["files"]) == len(committed) == 1550
    assert [f["refusals"] for f in done.report["files"]] == [[]] * len(COMMITTED)

    def order(row: dict[str, str]) -> str:
        return ",".join(row.values())

    assert sorted(done.rows, key=order) == sorted(committed, key=order)


def test_a_row_that_claims_the_source_of_other_files(tmp_path: Path, bring: Bring, data_copy: Path) -> None:
    text = own_table(own_row(model="gpt-oss-120b", system="b200", source_id="inferencex-supplemental-2026-08"))
    done = bring(write(tmp_path / "a.csv", text), into=data_copy)
    assert done.refusals() == ["refused source_id: this source stands for other files already; choose another key"]


@pytest.mark.parametrize(
    ("column", "typed", "stored"),
    [
        ("precision", "FP4", "fp4"),
        ("precision", "NVFP4", "fp4"),
        ("precision", "fp-8", "fp8"),
        ("precision", "BF16", "bf16"),
        ("engine", "vLLM", "vllm"),
        ("engine", "TensorRT-LLM", "trt"),
        ("engine", "TensorRT LLM", "trt"),
        ("engine", "Dynamo_TRTLLM", "dynamo-trt"),
        ("speculation", "MTP", "mtp"),
        ("speculation", "None", "none"),
        ("speculation", "off", "none"),
        ("speculation", "EAGLE", "eagle"),
        ("evidence", "User-Measured", "user-measured"),
        ("evidence", "self reported", "self-reported"),
        ("workload", "Fixed length", "fixed-length"),
        ("workload", "FIXED_LENGTH", "fixed-length"),
        ("model", "DeepSeek-R1", "deepseek-r1"),
        ("system", "B200", "b200"),
        ("parallelism", "tp8  ep8 dpa", "TP8 EP8 DPA"),
        ("parallelism", "P 2×tp4 + D 1×tp8", "P 2×TP4 + D 1×TP8"),
        ("parallelism", "my own layout", "my own layout"),
    ],
)
def test_coded_columns_have_one_spelling(tmp_path: Path, bring: Bring, column: str, typed: str, stored: str) -> None:
    """Rows that only capitals keep apart would be two configurations, and on no common line."""
    rows = own_row(8, **{column: typed}), own_row(16, **{column: stored})
    done = bring(write(tmp_path / "a.csv", own_table(*rows)))
    assert done.file["refusals"] == []
    assert [row[column] for row in done.rows] == [stored, stored]


@pytest.mark.parametrize(
    ("column", "typed", "words"),
    [
        ("speculation", "on", "one of none, mtp, eagle, other was expected"),
        ("speculation", "Medusa", "one of none, mtp, eagle, other was expected"),
        ("evidence", "mine", "one of self-reported, observed,"),
        ("workload", "chat", "one of fixed-length, agentic was expected"),
    ],
)
def test_a_word_that_is_in_no_list_is_refused_with_the_list(
    tmp_path: Path, bring: Bring, column: str, typed: str, words: str
) -> None:
    done = bring(write(tmp_path / "a.csv", own_table(own_row(**{column: typed}))))
    assert done.status == 2
    assert done.refusals()[0].startswith(f"refused {column}: {words}")


def test_every_coded_column_is_spelt_in_one_way() -> None:
    """What makes a configuration and is text, and what is taken from a list."""
    listed = {"evidence", "speculation", "workload"}
    coded = {c for c in tables.CONFIGURATION if tables.POINTS.kind(c) == "text"} | listed
    assert set(own_csv._SPELT) == coded


def test_options_are_spelt_as_the_rows_are(tmp_path: Path, bring: Bring) -> None:
    text = own_table(own_row(engine="", precision=""))
    options = ("--engine", "vLLM", "--precision", "NVFP4")
    (row,) = bring(write(tmp_path / "a.csv", text), *options).rows
    assert (row["engine"], row["precision"]) == ("vllm", "fp4")
    run = write(tmp_path / "b.json", vllm_run())
    (row,) = bring(run, *options, "--system", "x", "--chips", "8", into=tmp_path / "client").rows
    assert (row["engine"], row["precision"]) == ("vllm", "fp4")


@pytest.mark.parametrize("delimiter", [";", "\t"])
def test_a_dot_that_may_separate_thousands_is_refused(tmp_path: Path, bring: Bring, delimiter: str) -> None:
    """A German spreadsheet shows 31848 as 31.848; read as a decimal point it would be a thousandth."""
    blank = ("input_tok_s_per_chip", "output_tok_s_per_chip", "ttft_mean_s", "tpot_mean_s", "e2e_mean_s")
    shared = {**dict.fromkeys(blank, ""), "interactivity_median_tok_s_user": "122.5"}
    rows = [own_row(8 * n, total_tok_s_per_chip=total, **shared) for n, total in enumerate(("31.848", "900"), start=1)]
    done = bring(write(tmp_path / "a.csv", own_table(*rows, delimiter=delimiter)))
    (refused,) = done.file["refusals"]
    assert (refused["row"], refused["field"], refused["value"]) == (2, "total_tok_s_per_chip", "31.848")
    assert "write the numbers without separators" in refused["reason"]
    assert [float(row["total_tok_s_per_chip"]) for row in done.rows] == [900]


def test_a_dot_that_others_show_to_be_a_decimal_point_is_read(tmp_path: Path, bring: Bring) -> None:
    blank = dict.fromkeys(("input_tok_s_per_chip", "output_tok_s_per_chip", "ttft_mean_s", "tpot_mean_s"), "")
    totals, times = ("1731.848", "900.5"), ("10.125", "0.250")
    rows = [
        own_row(8 * n, total_tok_s_per_chip=total, e2e_mean_s=e2e, isl_nominal="", osl_nominal="", **blank)
        for n, (total, e2e) in enumerate(zip(totals, times, strict=True), start=1)
    ]
    done = bring(write(tmp_path / "a.csv", own_table(*rows, delimiter=";")))
    assert [(float(r["total_tok_s_per_chip"]), float(r["e2e_mean_s"])) for r in done.rows] == [
        (1731.848, 10.125),
        (900.5, 0.25),
    ]
