"""Which runs of a configuration get into the table."""

from __future__ import annotations

import itertools
import json
import statistics
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from import_runs import Bring, read_csv
from made_files import (
    TTFT,
    agg_row,
    aiperf_run,
    api_row,
    config,
    distribution,
    dump,
    guidellm_benchmark,
    guidellm_report,
    metrics,
    own_row,
    own_table,
    result,
    sglang_run,
    status,
    vllm_run,
    write,
)

from scoville.compare import line
from scoville.facts import load
from scoville.ingest import selection
from scoville.ingest.points import Record


def scaled(factor: float) -> dict[str, Any]:
    """Metrics of a run that was a little faster or slower throughout."""
    values = metrics()
    rates = {k: v * factor for k, v in values.items() if "tput" in k or "intvty" in k}
    times = {k: v / factor for k, v in values.items() if "tput" not in k and "intvty" not in k}
    return rates | times


def three_runs(folder: Path) -> Path:
    for number, factor in (("20000000001", 1.01), ("20000000003", 1.0), ("20000000002", 1.03)):
        write(folder / f"run_{number}.json", [agg_row(**scaled(factor))])
    return folder


BASE = metrics()["tput_per_gpu"]


def total(row: dict[str, str]) -> float:
    return float(row["total_tok_s_per_chip"])


def test_latest_keeps_the_run_with_the_highest_number(tmp_path: Path, bring: Bring) -> None:
    (row,) = bring(three_runs(tmp_path / "runs")).rows
    assert total(row) == pytest.approx(BASE)
    assert row["source_id"] == "inferencex-run-20000000003"
    assert row["statistic_note"] == "newest of 3 runs, 1,709 to 1,760 total tok/s per chip"


def test_median_is_taken_of_every_number(tmp_path: Path, bring: Bring) -> None:
    done = bring(three_runs(tmp_path / "runs"), "--select", "median")
    (row,) = done.rows
    assert total(row) == pytest.approx(BASE * 1.01)
    assert float(row["e2e_mean_s"]) == pytest.approx(metrics()["mean_e2el"] / 1.01)
    assert (row["source_id"], row["run_url"]) == ("inferencex-run-20000000003", "")
    assert row["statistic_note"] == "median of 3 runs, 1,709 to 1,760 total tok/s per chip"
    assert [f["left_out"] for f in done.report["files"]] == [{"in the median of 3 runs": 1}] * 2 + [{}]


def test_all_keeps_every_run_in_its_own_source(tmp_path: Path, bring: Bring) -> None:
    done = bring(three_runs(tmp_path / "runs"), "--select", "all")
    assert sorted(total(row) / BASE for row in done.rows) == pytest.approx([1.0, 1.01, 1.03])
    assert len(done.table("sources")) == 3


def test_files_of_a_sweep_are_one_source_and_repeats_are_several(tmp_path: Path, client: Bring) -> None:
    for number, concurrency in enumerate((4, 8, 16)):
        write(tmp_path / f"sweep/{number}_8k1k.json", vllm_run(concurrency))
    done = client(tmp_path / "sweep")
    assert len(done.table("sources")) == 1
    assert len(done.table("sources")[0]["sha256"].split()) == 3
    for number in range(3):
        write(tmp_path / f"again/{number}_8k1k.json", vllm_run(8, mean_ttft_ms=250.0 + number))
    every = client(tmp_path / "again", "--select", "all", into=tmp_path / "all")
    assert (len(every.rows), len(every.table("sources"))) == (3, 3)


def test_a_day_decides_where_runs_have_no_number(tmp_path: Path, client: Bring) -> None:
    older = vllm_run(8, date="20260609-120000", mean_ttft_ms=251.0)
    first = write(tmp_path / "b_8k1k.json", vllm_run(8))
    done = client(first, write(tmp_path / "a_8k1k.json", older))
    (row,) = done.rows
    assert (row["date"], float(row["ttft_mean_s"])) == ("2026-06-10 20:53:22", 0.25)


def test_the_api_and_a_run_tell_of_the_same_run(tmp_path: Path, bring: Bring) -> None:
    run = agg_row(ep=1, dp_attention="false", infmax_model_prefix="dsr1", hw="b200")
    first = write(tmp_path / "run_22469096331.json", [run])
    second = write(tmp_path / "api.json", [api_row()])
    done = bring(first, second)
    assert len(done.rows) == 1
    assert done.report["files"][1]["left_out"] == {"the same measurement as another row of this import": 1}


def test_the_median_of_an_even_number_may_not_add_up_and_says_so() -> None:
    def chosen(*parts: tuple[float, float]) -> Record:
        records = [Record(n) for n, _ in enumerate(parts)]
        for record, (part_in, part_out) in zip(records, parts, strict=True):
            record.point.total_tok_s_per_chip = part_in + part_out
            record.point.input_tok_s_per_chip, record.point.output_tok_s_per_chip = part_in, part_out
        selected = selection.choose(records, [], "median")
        assert sorted(selected.runs, key=lambda r: r.row) == records
        return selected.standing[0]

    even = chosen((90.0, 10.0), (80.0, 40.0)).point
    assert even.total_tok_s_per_chip == 110
    assert even.input_tok_s_per_chip == 85  # 85 + 25 = 110
    skewed = chosen((90.0, 10.0), (50.0, 60.0), (20.0, 20.0))
    assert (skewed.point.total_tok_s_per_chip, skewed.point.input_tok_s_per_chip) == (100, None)
    assert skewed.notes[-1] == "medians of input and output rate left out: they do not make the median of the total"


def test_the_same_measurement_has_all_its_numbers() -> None:
    record = Record(1)
    record.point.total_tok_s_per_chip, record.point.ttft_mean_s = 100.0, 0.25
    poorer, richer = Record(2, file="a.csv"), Record(7, file="b.csv")
    poorer.point.total_tok_s_per_chip = richer.point.total_tok_s_per_chip = 100.0
    selection.leave_out_known([record], [poorer])
    assert record.aside == ""
    richer.point.ttft_mean_s, richer.point.ttft_p99_s = 0.25, 0.4
    selection.leave_out_known([record], [poorer, richer])
    assert record.aside == "already there, b.csv:7"


# One by one or together


def state(folder: Path) -> dict[str, list[tuple[str, ...]]]:
    """What a data folder holds, but for the order of lines and the day of the import."""
    held = {}
    for path in folder.rglob("*.csv"):
        rows = [tuple(v for k, v in row.items() if k != "retrieved") for row in read_csv(path)]
        held[str(path.relative_to(folder))] = sorted(rows)
    return held


REAL_RUNS = ("20308883467", "20737128080", "20742072203", "20786863188")
"""Runs that repeat 8 configurations all four, 11 in the last three (GB200, GPT-OSS at 8K/1K), 55 in two or three."""


@pytest.mark.parametrize("how", ["latest", "median", "all"])
@pytest.mark.parametrize("order", [(0, 1, 2, 3), (3, 2, 1, 0), (2, 0, 3, 1)])
def test_one_by_one_is_the_same_as_together(
    originals: Path, tmp_path: Path, bring: Bring, how: str, order: tuple[int, ...]
) -> None:
    files = [originals / f"inferencex/agg_bmk/run_{number}.json" for number in REAL_RUNS]
    together = state(bring(*files, "--select", how, into=tmp_path / "together").folder)
    for index in order:
        done = bring(files[index], "--select", how)
        assert done.status == 0, done.output
    assert state(done.folder) == together
    before = {p: p.read_bytes() for p in done.folder.rglob("*") if p.is_file()}
    for index in order:
        assert bring(files[index], "--select", how).report["written"] == []
    assert {p: p.read_bytes() for p in done.folder.rglob("*") if p.is_file()} == before
    assert load(done.folder).points.shape[0] == sum(len(r) for p, r in together.items() if p.startswith("points/"))


def test_the_values_of_repeated_real_runs(originals: Path, tmp_path: Path, bring: Bring) -> None:
    """GB200, GPT-OSS 120B, 8K/1K at 512: what stands after three imports, against the files themselves."""
    numbers, totals = REAL_RUNS[1:], {}
    for number in numbers:
        path = originals / f"inferencex/agg_bmk/run_{number}.json"
        for row in json.loads(path.read_text(encoding="utf-8")):
            if (row["hw"], row["osl"], row["isl"], row["conc"]) == ("gb200", 1024, 8192, 512):
                totals.setdefault(number, []).append(row["tput_per_gpu"])
        for how in ("latest", "median", "all"):
            done = bring(path, "--select", how, into=tmp_path / how)
            assert done.status == 0
    best = {number: max(values) for number, values in totals.items()}
    assert best["20786863188"] == pytest.approx(53952.468, abs=5e-4)

    def peaks(how: str) -> list[dict[str, str]]:
        files = sorted((tmp_path / how / "points").rglob("*.csv"))
        rows = [row for file in files for row in read_csv(file)]
        return [
            r
            for r in rows
            if (r["system"], r["concurrency"], r["isl_nominal"]) == ("gb200", "512", "8192")
            and min(best.values()) <= total(r) <= max(best.values())
        ]

    (latest,), (middle,), every = peaks("latest"), peaks("median"), peaks("all")
    spread = f"{min(best.values()):,.0f} to {max(best.values()):,.0f} total tok/s per chip"
    assert total(latest) == best["20786863188"]
    assert latest["statistic_note"].endswith(f"; newest of 3 runs, {spread}")
    assert total(middle) == statistics.median(best.values())
    assert middle["statistic_note"].endswith(f"; median of 3 runs, {spread}")
    assert {row["run_url"].rsplit("/", 1)[1]: total(row) for row in every} == best


def test_another_choice_rearranges_what_is_there(tmp_path: Path, bring: Bring) -> None:
    folder = three_runs(tmp_path / "runs")
    alone = {how: state(bring(folder, "--select", how, into=tmp_path / how).folder) for how in ("latest", "median")}
    for how in ("latest", "median", "latest"):
        done = bring(folder, "--select", how)
        told = {k: v for k, v in state(done.folder).items() if k != "sources.csv"}
        assert told == {k: v for k, v in alone[how].items() if k != "sources.csv"}
    every = bring(folder, "--select", "all")
    assert sorted(total(row) / BASE for row in every.rows) == pytest.approx([1.0, 1.01, 1.03])
    assert {row["statistic_note"] for row in every.rows} == {""}
    assert not list((every.folder / "runs").rglob("*.csv"))


def test_rows_that_no_import_chose_are_only_added_to(tmp_path: Path, bring: Bring, data_copy: Path) -> None:
    """The rows that ship with the book, and those of ``--select all``, stay byte for byte."""
    files = sorted(three_runs(tmp_path / "runs").iterdir())
    bring(files[0], "--select", "all", into=data_copy)
    before = {p: p.read_bytes() for p in data_copy.rglob("*.csv")}
    done = bring(files[1], into=data_copy)
    done = bring(files[2], into=data_copy)
    for path, content in before.items():
        assert path.read_bytes().startswith(content)
    assert [r["statistic_note"] for r in done.rows if r["source_id"] == "inferencex-run-20000000003"] == [
        "newest of 2 runs, 1,709 to 1,760 total tok/s per chip"
    ]


def test_a_source_whose_note_lost_its_provenance_stays(tmp_path: Path, bring: Bring) -> None:
    files = sorted(three_runs(tmp_path / "runs").iterdir())
    first = bring(files[0])
    path = first.folder / "sources.csv"
    path.write_text(path.read_text(encoding="utf-8").replace("Read as inferencex-run", "Mine"), encoding="utf-8")
    rows = bring(files[2]).rows
    assert len(rows) == 2
    assert {row["statistic_note"] for row in rows} == {""}


def test_lines_around_a_row_that_makes_way_keep_their_bytes(tmp_path: Path, bring: Bring) -> None:
    old = write(tmp_path / "run_20000000001.json", [agg_row(4), agg_row(8), agg_row(16)])
    path = next((bring(old).folder / "points").rglob("*.csv"))
    header, first, second, third = path.read_bytes().splitlines()
    mine = b"\xef\xbb\xbf" + b"\r\n".join([header, first + b'"two\nlines, by hand"', second, third]) + b"\r\n"
    path.write_bytes(mine)
    newer = write(tmp_path / "run_20000000002.json", [agg_row(8, **scaled(1.01))])
    done = bring(newer)
    assert done.status == 0, done.output
    assert path.read_bytes() == mine.replace(second + b"\r\n", b"")
    (run,) = read_csv(done.folder / "runs/gpt-oss-120b/inferencex-run-20000000001.csv")
    assert (run["concurrency"], run["statistic_note"]) == ("8", "")


def test_repeats_appended_to_one_file_are_all_kept_when_all_are_wanted(tmp_path: Path, client: Bring) -> None:
    runs = [vllm_run(8, mean_ttft_ms=250.0 + n) for n in range(3)]
    path = write(tmp_path / "appended_8k1k.json", "\n".join(map(json.dumps, runs)))
    done = client(path, "--select", "all")
    assert (done.file["rows_kept"], done.file["rows_refused"]) == (3, 0)
    assert len({row["source_id"] for row in done.rows}) == 3
    assert client(path, "--select", "all").report["written"] == []


def test_a_damaged_file_of_single_runs_is_told(tmp_path: Path, bring: Bring) -> None:
    folder = bring(three_runs(tmp_path / "runs")).folder
    path = next((folder / "runs").rglob("*.csv"))
    path.write_text(path.read_text(encoding="utf-8").replace("fixed-length", "fixed"), encoding="utf-8")
    done = bring(tmp_path / "runs/run_20000000001.json")
    assert done.status == 2
    assert f"{path}:2: column 'workload': found 'fixed'" in done.output


def test_a_dialect_with_more_numbers_replaces_a_poorer_row_of_the_same_run(tmp_path: Path, bring: Bring) -> None:
    """The history of the API has no means; the same row of ``/benchmarks`` comes later, and is no second run."""
    poorer = {k: v for k, v in metrics().items() if not k.startswith("mean_")}
    history = write(tmp_path / "history.json", [api_row(metrics=poorer)])
    full = write(tmp_path / "full.json", [api_row()])
    together = state(bring(history, full, into=tmp_path / "together").folder)
    assert bring(history).rows[0]["tpot_mean_s"] == ""
    done = bring(full)
    (row,) = done.rows
    assert (row["tpot_mean_s"], row["statistic_note"]) == ("0.005", "")
    points = [p for p in state(done.folder) if p.startswith(("points/", "runs/"))]
    assert {p: state(done.folder)[p] for p in points} == {
        p: rows for p, rows in together.items() if p.startswith(("points/", "runs/"))
    }
    assert bring(history).report["written"] == []


def test_the_newest_run_counts_on_the_pages_whatever_came_last(tmp_path: Path, bring: Bring) -> None:
    """All three runs are kept; none has a date, so their numbers decide, not the order of import."""
    files = {path.stem: path for path in three_runs(tmp_path / "runs").iterdir()}
    for name in ("run_20000000003", "run_20000000001", "run_20000000002"):
        done = bring(files[name], "--select", "all", "--source-id", f"source-{name[-1:]}" if name[-1] != "3" else "a")
    rows = line(load(done.folder), "gpt-oss-120b", "b200", "chip").points
    assert len(rows) == 3
    assert rows.loc[rows["counts"], "run_url"].str[-1].tolist() == ["3"]


# Runs of one day


def vllm_at(hour: int, **changes: Any) -> dict[str, Any]:
    return vllm_run(8, date=f"20260610-{hour:02d}0000", **changes)


def aiperf_at(hour: int, **changes: Any) -> dict[str, Any]:
    return aiperf_run(8, start_time=f"2026-06-10T{hour:02d}:00:00.25", **changes)


def guidellm_at(hour: int, **changes: Any) -> dict[str, Any]:
    start = datetime(2026, 6, 10, hour, tzinfo=UTC).timestamp()
    return guidellm_report(guidellm_benchmark(8, start_time=start, **changes))


def slower(make: Callable[..., dict[str, Any]], hour: int, percent: int) -> dict[str, Any]:
    """The same run with a TTFT that is longer by some percent, so that it is another."""
    factor = 1 + percent / 100
    if make is vllm_at:
        return make(hour, mean_ttft_ms=TTFT * 1000 * factor)
    if make is aiperf_at:
        return make(hour, time_to_first_token=distribution("ms", TTFT * 1000 * factor))
    metrics_of = guidellm_benchmark(8)["metrics"]
    return make(hour, metrics={**metrics_of, "time_to_first_token_ms": status(TTFT * 1000 * factor)})


@pytest.mark.parametrize("make", [vllm_at, aiperf_at, guidellm_at])
@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_the_hour_decides_among_runs_of_one_day(
    tmp_path: Path, client: Bring, make: Callable[..., dict[str, Any]], order: tuple[int, ...]
) -> None:
    hours = (9, 21, 13)
    files = [write(tmp_path / f"{i}_8k1k.json", slower(make, hour, i)) for i, hour in enumerate(hours)]
    together = client(*(files[i] for i in order), into=tmp_path / "together")
    for index in order:
        one_by_one = client(files[index], into=tmp_path / "single")
        assert one_by_one.status == 0, one_by_one.output
    for done in (together, one_by_one):
        (row,) = done.rows
        assert float(row["ttft_mean_s"]) == pytest.approx(TTFT * 1.01)
        assert row["date"] == "2026-06-10 21:00:00"
        assert "newest of 3 runs" in row["statistic_note"]
    assert {why for f in together.report["files"] for why in f["left_out"]} == {selection.OLDER}
    every = client(*(files[i] for i in order), "--select", "all", into=tmp_path / "every")
    rows = line(load(every.folder), "gpt-oss-120b", "my-chip", "chip").points
    assert rows.loc[rows["counts"], "date"].tolist() == ["2026-06-10 21:00:00"]


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_runs_that_nothing_orders_say_so_and_the_middle_one_stands(
    tmp_path: Path, client: Bring, order: tuple[int, ...]
) -> None:
    """SGLang writes no date. 1.00, 1.02 and 1.01 times the throughput: the last is the middle one."""
    files = []
    for i, factor in enumerate((1.0, 1.02, 1.01)):
        run = sglang_run(8)
        run |= {k: v * factor for k, v in run.items() if "throughput" in k} | {"duration": run["duration"] / factor}
        files.append(write(tmp_path / f"{i}.jsonl", run))
    say = ("--model", "my-model")
    together = client(*(files[i] for i in order), *say, into=tmp_path / "together")
    for index in order:
        one_by_one = client(files[index], *say, into=tmp_path / "single")
    for done in (together, one_by_one):
        (row,) = done.rows
        assert total(row) == pytest.approx(BASE * 1.01)
        assert "one of 3 runs (nothing tells which is the newest), 1,709 to 1,743" in row["statistic_note"]
        assert "newer" not in row["statistic_note"]
    assert {why for f in together.report["files"] for why in f["left_out"]} == {selection.OTHER}
    every = client(*(files[i] for i in order), *say, "--select", "all", into=tmp_path / "every")
    rows = line(load(every.folder), "my-model", "my-chip", "chip").points
    assert rows.loc[rows["counts"], "total_tok_s_per_chip"].tolist() == pytest.approx([BASE * 1.01])
    assert client(*files, *say, into=tmp_path / "single").report["written"] == []


def test_the_time_of_a_run_may_be_said(tmp_path: Path, client: Bring) -> None:
    """Where a tool writes no time, ``--date`` can: with it the later call is the newer run, whatever came first."""
    fast, slow = sglang_run(8), sglang_run(8, mean_ttft_ms=TTFT * 1010)
    client(write(tmp_path / "b.jsonl", slow), "--model", "m", "--date", "2026-06-10 21:00")
    (row,) = client(write(tmp_path / "a.jsonl", fast), "--model", "m", "--date", "2026-06-10 09:30").rows
    assert (row["date"], float(row["ttft_mean_s"])) == ("2026-06-10 21:00:00", pytest.approx(TTFT * 1.01))
    assert "newest of 2 runs" in row["statistic_note"]
    refused = client(tmp_path / "a.jsonl", "--model", "m", "--date", "2026-06-10 9am")
    assert refused.status == 2
    assert "expected a day as YYYY-MM-DD, or with its time as YYYY-MM-DD HH:MM" in refused.output


def test_a_day_alone_is_no_later_than_a_time_on_it(tmp_path: Path, client: Bring) -> None:
    """A folder of earlier imports holds days; what comes on that day cannot be called newer."""
    first = client(write(tmp_path / "a_8k1k.json", vllm_at(9)))
    (path,) = (first.folder / "points").rglob("*.csv")
    path.write_text(path.read_text(encoding="utf-8").replace("2026-06-10 09:00:00", "2026-06-10"), encoding="utf-8")
    (row,) = client(write(tmp_path / "b_8k1k.json", slower(vllm_at, 21, 1))).rows
    assert "one of 2 runs (nothing tells which is the newest)" in row["statistic_note"]


def test_attempts_of_one_run_are_in_order(tmp_path: Path, bring: Bring) -> None:
    url = "https://github.com/SemiAnalysisAI/InferenceX/actions/runs/22469096331/attempts/{}"
    second, first = api_row(metrics=scaled(1.01), run_url=url.format(2)), api_row(run_url=url.format(1))
    for rows in ([second, first], [first, second]):
        (row,) = bring(write(tmp_path / "api.json", rows), into=tmp_path / str(rows.index(first))).rows
        assert row["run_url"].endswith("/attempts/2")
        assert "newest of 2 runs" in row["statistic_note"]


def test_numbers_of_runs_count_before_the_day_of_a_source(tmp_path: Path, bring: Bring) -> None:
    """A run's file has no day, an answer of the API has one: the pages choose as an import would."""
    newer = agg_row(ep=1, dp_attention="false", infmax_model_prefix="dsr1", hw="b200", **scaled(1.01))
    files = write(tmp_path / "run_22469096332.json", [newer]), write(tmp_path / "api.json", [api_row()])
    (latest,) = bring(*files).rows
    assert latest["run_url"].endswith("/22469096332")
    every = bring(*files, "--select", "all", into=tmp_path / "every")
    rows = line(load(every.folder), "deepseek-r1", "b200", "chip").points
    assert rows.loc[rows["counts"], "run_url"].str[-11:].tolist() == ["22469096332"]


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_numbers_of_a_database_are_kept(tmp_path: Path, bring: Bring, order: tuple[int, int]) -> None:
    for number, factor in ((20, 1.01), (10, 1.0)):
        values = json.dumps(scaled(factor))
        dump(tmp_path / str(number), [config()], [result(metrics=values, workflow_run_id=number)])
    folders = [tmp_path / "20", tmp_path / "10"]
    for index in order:
        done = bring(folders[index])
    (row,) = done.rows
    assert total(row) == pytest.approx(BASE * 1.01)
    assert row["statistic_note"].startswith("run 20 of the database; newest of 2 runs")
    (middle,) = bring(*folders, "--select", "median", into=tmp_path / "middle").rows
    assert middle["statistic_note"].startswith("median of 2 runs")


def test_rows_that_move_are_counted_where_they_go(tmp_path: Path, bring: Bring) -> None:
    """A part of the runs under ``runs/`` goes back to the points: none is added there, and none is rewritten."""
    older = write(tmp_path / "run_20000000001.json", [agg_row(4), agg_row(8)])
    newer = [agg_row(4, **scaled_for(4, 1.01)), agg_row(8, **scaled_for(8, 1.01))]
    bring(older)
    bring(write(tmp_path / "run_20000000002.json", newer))
    done = bring(write(tmp_path / "again/run_20000000001.json", [agg_row(4)]), "--select", "all")
    assert done.report["written"] == [
        "points/gpt-oss-120b/inferencex-run-20000000001.csv: new, 1 row",
        "points/gpt-oss-120b/inferencex-run-20000000002.csv: 1 row rewritten",
        "runs/gpt-oss-120b/inferencex-run-20000000001.csv: 1 row taken out",
    ]


def scaled_for(concurrency: int, factor: float) -> dict[str, Any]:
    """Metrics at a concurrency of a run that was a little faster."""
    return {k: v * (factor if "tput" in k else 1) for k, v in metrics(concurrency).items()}


@pytest.mark.parametrize(("isl_mean", "is_told"), [("930", True), ("124.3", False)])
def test_rows_of_another_load_are_not_called_repeats(
    tmp_path: Path, bring: Bring, isl_mean: str, is_told: bool
) -> None:
    """Without nominal lengths 927 and 930 tokens in are one load, 927 and 124 are two."""
    blank = dict.fromkeys(("isl_nominal", "osl_nominal", "input_tok_s_per_chip", "output_tok_s_per_chip"), "")
    blank |= dict.fromkeys(("ttft_mean_s", "tpot_mean_s", "e2e_mean_s"), "")
    rows = [
        own_row(isl_mean=m, osl_mean="917.7", total_tok_s_per_chip=t, **blank)
        for m, t in (("926.7", 90), (isl_mean, 80))
    ]
    bring(write(tmp_path / "a.csv", own_table(rows[0])))
    done = bring(write(tmp_path / "b.csv", own_table(rows[1])))
    assert len(done.rows) == 2
    assert any("of a configuration that the folder holds already" in note for note in done.report["notes"]) is is_told
