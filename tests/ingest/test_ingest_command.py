"""The command: exit status, table, report, dry run and strictness."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from import_runs import Bring
from made_files import agg_row, vllm_run, write

from scoville.ingest.command import import_command

BROKEN = {"mean_intvty": 150.0}
REFUSED = {"conc": 64}


def test_the_table_and_what_was_refused(tmp_path: Path, bring: Bring, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "a.json", [agg_row(), agg_row(**REFUSED), agg_row(32, conc=65), agg_row(4, **BROKEN)])
    done = bring("a.json", "--date", "2026-01-07", into=Path("book"))
    assert done.status == 0
    table, details, whose, notes, written = done.output.rstrip().split("\n\n")
    assert whose.startswith("note: a.json: no run number in the name of the file or its folder")
    assert table.splitlines() == [
        "file    format          read  kept  refused  left out",
        "a.json  inferencex-run     4     2        2         0",
    ]
    assert details.splitlines() == [
        "a.json:",
        "  refused 2 rows: concurrency 64: 8 requests in flight by Little's law: the load was not held, "
        "or the chip count or a unit is wrong (first in row 2)",
        "  blanked 1 row: tpot_mean_s 0.005: 1 / TPOT is 200 tok/s/user, the file says 150; both are left out (row 4)",
    ]
    assert notes.startswith("note: new system b200 in systems.csv: until package_power_w")
    assert written.splitlines()[0] == "written: sources.csv: new, 1 row"
    assert written.splitlines()[-1].endswith(".csv: new, 2 rows")


def test_a_file_with_nothing_but_refused_rows_could_not_be_used(tmp_path: Path, bring: Bring) -> None:
    """The others are imported all the same; what was there already is no failure."""
    bad = write(tmp_path / "bad.json", [agg_row(**REFUSED), agg_row(4, conc=65), agg_row(tput_per_gpu=0)])
    good = write(tmp_path / "good.json", [agg_row(), agg_row(**REFUSED)])
    done = bring(bad, good)
    assert (done.status, len(done.rows)) == (2, 1)
    said = f"{bad}: no row could be used, 3 rows refused: concurrency (2), total rate (1)"
    assert said in done.output.splitlines()
    assert [f["error"] for f in done.report["files"]] == [[said], None]
    assert bring(good).status == 0
    assert "nothing was written: there is nothing new" in bring(good).output
    alone = bring(bad)
    assert (alone.status, "nothing was written: no row could be used" in alone.output) == (2, True)


def test_a_filter_that_leaves_nothing_is_no_failure_and_says_so(tmp_path: Path, bring: Bring) -> None:
    done = bring(write(tmp_path / "a.json", [agg_row(hw="gb200")]), "--system", "b200")
    assert done.status == 0
    assert "nothing was written: no row is of the model or system asked for" in done.output


def test_reasons_of_one_field_are_told_apart(tmp_path: Path, bring: Bring) -> None:
    """Two values that are no numbers and one that is negative: two kinds, with their counts, the larger first."""
    rows = [agg_row(4, mean_ttft=-1), agg_row(8, mean_ttft="soon"), agg_row(16, mean_ttft="later")]
    done = bring(write(tmp_path / "a.json", rows))
    told = [line for line in done.output.splitlines() if "mean_ttft" in line]
    assert told == [
        "  blanked 2 rows: mean_ttft soon: a number was expected (first in row 2)",
        "  blanked 1 row: mean_ttft -1: a number above 0 was expected (row 1)",
    ]


def test_the_report(tmp_path: Path, bring: Bring) -> None:
    path = write(tmp_path / "a.json", [agg_row(), agg_row(**REFUSED)])
    done = bring(path)
    assert set(done.report) == {"files", "written", "notes", "held_back", "dry_run"}
    file = done.file
    assert {key: file[key] for key in ("path", "format", "rows_read", "rows_kept", "rows_refused")} == {
        "path": str(path),
        "format": "inferencex-run",
        "rows_read": 2,
        "rows_kept": 1,
        "rows_refused": 1,
    }
    assert file["refusals"] == [
        {
            "row": 2,
            "field": "concurrency",
            "value": "64",
            "reason": "8 requests in flight by Little's law: "
            "the load was not held, or the chip count or a unit is wrong",
            "action": "refused",
        }
    ]


def test_strict_writes_nothing_when_a_row_is_refused(tmp_path: Path, bring: Bring) -> None:
    path = write(tmp_path / "a.json", [agg_row(), agg_row(**REFUSED)])
    done = bring(path, "--strict")
    assert (done.status, done.folder.exists()) == (2, False)
    assert "nothing was written: rows were refused, and --strict wants all or nothing" in done.output
    assert done.report["held_back"].startswith("rows were refused")


def test_strict_is_content_with_a_blanked_field(tmp_path: Path, bring: Bring) -> None:
    done = bring(write(tmp_path / "a.json", [agg_row(**BROKEN)]), "--strict")
    assert (done.status, len(done.rows)) == (0, 1)


def test_a_dry_run_writes_nothing(tmp_path: Path, bring: Bring, data_copy: Path) -> None:
    before = {p: p.read_bytes() for p in data_copy.rglob("*") if p.is_file()}
    path = write(tmp_path / "a.json", [agg_row()])
    done = bring(path, "--dry-run", into=data_copy)
    assert done.status == 0
    assert "would write: sources.csv: 1 row added" in done.output
    assert {p: p.read_bytes() for p in data_copy.rglob("*") if p.is_file()} == before
    new = bring(path, "--dry-run")
    assert not new.folder.exists()
    assert new.report["dry_run"] is True
    assert new.report["written"][0] == "sources.csv: new, 1 row"


def test_a_dry_run_fails_where_the_run_would(tmp_path: Path, bring: Bring, data_copy: Path) -> None:
    (data_copy / "caveats.yml").write_text("{}", encoding="utf-8")
    done = bring(write(tmp_path / "a.json", [agg_row()]), "--dry-run", into=data_copy)
    assert done.status == 2


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--select", "best"), "--select: found 'best'; expected one of latest, median, all"),
        (("--evidence", "trust-me"), "--evidence: found 'trust-me'; expected one of self-reported, observed"),
        (("--speculation", "medusa"), "--speculation: found 'medusa'; expected one of none, mtp, eagle, other"),
        (
            ("--model", "My Model"),
            "--model: found 'My Model'; expected a key of small letters, digits, dots and dashes",
        ),
        (("--source-id", "../x"), "--source-id: found '../x'; expected a key of small letters"),
        (("--chips", "0"), "--chips: found '0'; expected a whole number above 0"),
        (("--isl", "-1"), "--isl: found '-1'; expected a whole number above 0"),
        (("--power", "nan"), "--power: found 'nan'; expected watts above 0"),
        (("--allow-failures", "101"), "--allow-failures: found '101.0'; expected a share from 0 to 100 percent"),
        (("--date", "7 January"), "--date: found '7 January'; expected a day as YYYY-MM-DD"),
    ],
)
def test_impossible_options(tmp_path: Path, bring: Bring, options: tuple[str, ...], message: str) -> None:
    done = bring(write(tmp_path / "a.json", [agg_row()]), *options)
    assert (done.status, done.folder.exists()) == (2, False)
    assert message in done.output


def test_all_wrong_options_are_told_at_once(tmp_path: Path, bring: Bring) -> None:
    done = bring(write(tmp_path / "a.json", [agg_row()]), "--chips", "0", "--select", "best", "--date", "now")
    assert done.output.splitlines()[0] == "3 problems in the input:"


def test_words_that_many_files_share_are_told_once(tmp_path: Path, bring: Bring) -> None:
    for concurrency in (1, 2, 4):
        write(tmp_path / f"runs/{concurrency}.json", vllm_run(concurrency))
    done = bring(tmp_path / "runs")
    assert done.status == 2
    assert done.output.count("expected --chips") == 1
    assert f"not usable: {tmp_path / 'runs/1.json'} and 2 more: expected --chips" in done.output


def test_a_report_that_cannot_be_written_stops_before_anything_is(tmp_path: Path, bring: Bring) -> None:
    (tmp_path / "report.json").mkdir()
    path = write(tmp_path / "a.json", [agg_row()])
    into = tmp_path / "book"
    done = CliRunner().invoke(
        import_command, [str(path), "--into", str(into), "--report", str(tmp_path / "report.json")]
    )
    assert done.exit_code == 2
    assert f"{tmp_path / 'report.json'}: expected a file that can be written" in done.output
    assert not into.exists()


def test_every_option_is_explained() -> None:
    told = CliRunner().invoke(import_command, ["--help"]).output
    wanted = "into model system chips power source-id evidence select strict dry-run report allow-failures".split()
    assert [name for name in wanted if f"--{name}" not in told] == []
    assert "Exit status: 0" in told


def test_the_default_folder_is_that_of_the_book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "book").mkdir()
    path = write(tmp_path / "a.json", [agg_row()])
    monkeypatch.setenv("SCOVILLE_ROOT", str(tmp_path / "book"))
    assert CliRunner().invoke(import_command, [str(path)]).exit_code == 0
    assert (tmp_path / "book/data/sources.csv").is_file()


def test_the_command_does_not_wait_for_pandas() -> None:
    code = "import sys, scoville.ingest.command; print('pandas' in sys.modules or 'pandera' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=os.environ)
    assert done.stdout.strip() == "False"


def test_json_and_text_are_printers_of_the_same_findings(tmp_path: Path, bring: Bring) -> None:
    done = bring(write(tmp_path / "a.json", [agg_row(), agg_row(9, **BROKEN), agg_row(**REFUSED)]))
    for refusal in json.loads(json.dumps(done.file["refusals"])):
        assert refusal["reason"] in done.output


def test_a_report_below_a_file_stops_before_anything_is(tmp_path: Path) -> None:
    (tmp_path / "ff").write_text("a file", encoding="utf-8")
    run = write(tmp_path / "a.json", [agg_row()])
    asked = [str(run), "--into", str(tmp_path / "book"), "--report", str(tmp_path / "ff/x.json")]
    done = CliRunner().invoke(import_command, asked)
    assert (done.exit_code, (tmp_path / "book").exists()) == (2, False)
    assert "x.json: expected a file that can be written (" in done.stderr
    assert isinstance(done.exception, SystemExit)


def test_options_that_the_file_contradicts_are_told(tmp_path: Path, bring: Bring) -> None:
    rows = [agg_row(framework="trt", precision="fp4", date="2026-02-03")]
    path = write(tmp_path / "a.json", rows)
    done = bring(path, "--engine", "vllm", "--precision", "fp8", "--date", "2026-03-01", "--isl", "1024", "--osl", "99")
    (row,) = done.rows
    assert (row["engine"], row["precision"], row["date"], row["isl_nominal"]) == ("trt", "fp4", "2026-02-03", "8192")
    for told in (
        "the file says trt; --engine vllm is not used",
        "the file says fp4; --precision fp8 is not used",
        "the file says 2026-02-03; --date 2026-03-01 is not used",
        "the file says 8192; --isl 1024 is not used",
        "the file says 1024; --osl 99 is not used",
    ):
        assert told in done.file["notes"]
        assert told in done.output


def test_options_that_the_file_confirms_or_leaves_open_are_not_told(tmp_path: Path, bring: Bring) -> None:
    path = write(tmp_path / "a.json", [agg_row(framework="trt", date="2026-02-03")])
    done = bring(path, "--engine", "TRT-LLM", "--precision", "FP4", "--date", "2026-02-03", "--power", "700")
    assert not [note for note in done.file["notes"] if "not used" in note]
    assert done.rows[0]["chip_power_mean_w"] == "700"


def test_an_option_is_unused_for_some_rows_only(tmp_path: Path, bring: Bring) -> None:
    path = write(tmp_path / "a.json", [agg_row(4, framework="trt"), agg_row(8, framework="vllm")])
    done = bring(path, "--engine", "vllm")
    assert "the file says trt; --engine vllm is not used for 1 row" in done.file["notes"]


def test_watts_far_above_the_rating_are_told(tmp_path: Path, bring: Bring, data_copy: Path) -> None:
    """A B200 is rated 1,000 W; 1,442 W were measured of some chips beyond theirs, 9,000 W are those of eight."""
    told = "1 row of b200: up to 9,000 W measured per chip, which is rated 1,000 W"
    path = write(tmp_path / "a.json", [agg_row()])
    assert told in bring(path, "--power", "9000", "--dry-run", into=data_copy).output
    own = write(tmp_path / "b.json", [agg_row(avg_power_w=5000.0)])
    assert "up to 5,000 W measured per chip" in bring(own, "--dry-run", into=data_copy).file["notes"][-1]
    assert "measured per chip" not in bring(path, "--power", "1500", "--dry-run", into=data_copy).output


def test_a_day_after_today_is_refused(tmp_path: Path, bring: Bring) -> None:
    done = bring(write(tmp_path / "a.json", [agg_row()]), "--date", "2099-01-01")
    assert (done.status, done.folder.exists()) == (2, False)
    assert "--date" in done.output
    assert "expected a day up to today" in done.output


@pytest.mark.parametrize(("said", "other"), [("--isl", "--osl"), ("--osl", "--isl")])
def test_one_length_without_the_other_is_refused(tmp_path: Path, bring: Bring, said: str, other: str) -> None:
    done = bring(write(tmp_path / "a.json", [agg_row()]), said, "8192")
    assert (done.status, done.folder.exists()) == (2, False)
    assert f"expected {other} beside it" in done.output
    assert said in done.output
