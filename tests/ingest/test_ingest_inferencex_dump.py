"""The database dump as CSV, with PostgreSQL's spellings, and one of the size of the real one."""

from __future__ import annotations

import csv
import json
import time
from pathlib import Path

import pytest
from import_runs import Bring
from made_files import E2E, config, dump, large_dump, metrics, result, role, table

from scoville.ingest import identities, registry, selection
from scoville.ingest.documents import CELL_LIMIT, Document
from scoville.ingest.options import Options


def test_results_with_their_configurations(tmp_path: Path, bring: Bring) -> None:
    path = dump(tmp_path / "dump", [config()], [result()])
    done = bring(path)
    assert done.file["format"] == "inferencex-dump"
    (row,) = done.rows
    assert (row["model"], row["system"], row["engine"]) == ("deepseek-r1", "b200", "trt")
    assert (row["disaggregated"], row["parallelism"], row["chips"]) == ("false", "TP8", "8")
    assert (row["date"], row["run_url"]) == ("2026-03-01", "")
    assert float(row["total_tok_s_per_chip"]) == pytest.approx(8294.4 / E2E)
    assert float(row["e2e_mean_s"]) == pytest.approx(E2E)
    assert done.table("sources")[0]["source_id"] == "inferencex-dump-2026-03-01"


def test_a_folder_with_the_three_tables(tmp_path: Path, bring: Bring) -> None:
    runs = [{"id": 4711, "github_run_id": 22469096331, "run_attempt": 2}]
    dump(tmp_path / "dump", [config()], [result()], runs)
    done = bring(tmp_path / "dump")
    assert done.status == 0
    passed = {Path(f["path"]).name: f["passed_over"] for f in done.report["files"]}
    assert passed == {
        "benchmark_results_raw.csv": None,
        "configs.csv": "the configurations of a database dump, read beside its results",
        "workflow_runs.csv": "the runs of a database dump, read beside its results",
    }
    url = "https://github.com/SemiAnalysisAI/InferenceX/actions/runs/22469096331/attempts/2"
    assert done.rows[0]["run_url"] == url


def test_two_roles_with_postgresqls_booleans(tmp_path: Path, bring: Bring) -> None:
    both = {**role("prefill", 4, 4, 2, dpa=True), **role("decode", 16, 16, 1, dpa=False)}
    shape = config(disagg=True, is_multinode=True, num_prefill_gpu=8, num_decode_gpu=16, framework="dynamo-trt", **both)
    assert shape["prefill_dp_attention"] == "t"
    values = json.dumps(metrics(8, 24, 8, 16))
    (row,) = bring(dump(tmp_path / "dump", [shape], [result(metrics=values)])).rows
    assert (row["parallelism"], row["chips"]) == ("P 2×TP4 EP4 DPA + D 1×TP16 EP16", "24")
    assert float(row["output_tok_s_per_chip"]) * 24 == pytest.approx(8 * 921.6 / E2E)


def test_the_flattened_variant_beside_its_configurations(tmp_path: Path, bring: Bring) -> None:
    flat = {f"metrics_{k}": v for k, v in metrics().items()}
    row = {**{k: v for k, v in result().items() if k != "metrics"}, **flat}
    (tmp_path / "dump").mkdir()
    table(tmp_path / "dump/configs.csv", list(config()), [config()])
    path = table(tmp_path / "dump/benchmark_results.csv", list(row), [row])
    (kept,) = bring(path).rows
    assert float(kept["tpot_p99_s"]) == pytest.approx(0.0075)
    assert kept["parallelism"] == "TP8"


def test_the_flattened_variant_with_the_configuration_joined_in(tmp_path: Path, bring: Bring) -> None:
    joined = {f"config_{k}": v for k, v in config().items() if k != "id"}
    flat = {f"metrics_{k}": v for k, v in metrics().items()}
    row = {"config_id": 7, "isl": "8192.0", "osl": "1024.0", "conc": 8, **joined, **flat}
    row["config_disagg"] = 0
    path = table(tmp_path / "joined.csv", list(row), [row])
    (kept,) = bring(path).rows
    assert (kept["isl_nominal"], kept["system"], kept["disaggregated"]) == ("8192", "b200", "false")


def test_without_configurations_the_message_says_where_they_must_be(tmp_path: Path, bring: Bring) -> None:
    path = table(tmp_path / "benchmark_results_raw.csv", list(result()), [result()])
    done = bring(path)
    assert done.status == 2
    assert done.file["error"] == [
        f"{path}: expected configs.csv in the same folder, "
        "with columns id, hardware, framework, spec_method, prefill_tp"
    ]


def test_rows_that_cannot_be_used(tmp_path: Path, bring: Bring) -> None:
    rows = [
        result(1),
        result(2, error="server died"),
        result(3, config_id=99),
        result(4, metrics='{"tput_per_gpu": '),
        result(5, metrics="[]"),
        result(6, metrics="{}"),
    ]
    done = bring(dump(tmp_path / "dump", [config()], rows))
    assert [(r["row"], r["field"], r["reason"]) for r in done.file["refusals"]] == [
        (3, "error", "the run failed"),
        (4, "config_id", "a row of configs.csv was expected"),
        (5, "metrics", "an object in JSON was expected"),
        (6, "metrics", "an object in JSON was expected"),
        (7, "total rate", "no total throughput: nothing was measured, or no request succeeded"),
    ]
    assert done.file["rows_kept"] == 1


def test_a_configuration_that_is_wrong_is_told_for_each_of_its_rows(tmp_path: Path, bring: Bring) -> None:
    rows = [result(1, 8), result(2, 16)]
    done = bring(dump(tmp_path / "dump", [config(prefill_ep="many")], rows))
    assert [(r["row"], r["field"], r["value"]) for r in done.file["refusals"]] == [
        (2, "prefill_ep", "many"),
        (3, "prefill_ep", "many"),
    ]


def test_the_newest_run_of_the_database_is_kept(tmp_path: Path, bring: Bring) -> None:
    older, newer = metrics(), {k: v * 1.001 if "tput" in k else v for k, v in metrics().items()}
    rows = [
        result(1, metrics=json.dumps(newer), workflow_run_id=20),
        result(2, metrics=json.dumps(older), workflow_run_id=10),
    ]
    done = bring(dump(tmp_path / "dump", [config()], rows))
    assert float(done.rows[0]["total_tok_s_per_chip"]) == pytest.approx(newer["tput_per_gpu"])
    every = bring(tmp_path / "dump/benchmark_results_raw.csv", "--select", "all", into=tmp_path / "all")
    assert sorted(float(r["total_tok_s_per_chip"]) for r in every.rows) == pytest.approx(
        [older["tput_per_gpu"], newer["tput_per_gpu"]]
    )
    assert every.file["notes"] == ["no workflow_runs.csv beside the file: runs of one day cannot be told apart"]


def test_rows_without_chips_take_the_users_count(tmp_path: Path, bring: Bring) -> None:
    shape = config(prefill_tp="", decode_tp="", num_prefill_gpu="", num_decode_gpu="")
    path = dump(tmp_path / "dump", [shape], [result()])
    done = bring(path)
    assert (done.status, done.refusals()) == (
        2,
        ["refused chips: the row does not say how many chips served the load; --chips does"],
    )
    (row,) = bring(path, "--chips", "8").rows
    assert (row["chips"], row["parallelism"], row["disaggregated"]) == ("8", "layout not recorded", "false")
    wrong = bring(path, "--chips", "16", into=tmp_path / "other")
    assert wrong.refusals()[0].startswith("refused concurrency: 16 requests in flight by Little's law")


def test_82_000_rows_are_read_in_a_small_multiple_of_parsing_them(tmp_path: Path) -> None:
    """Converting and checking costs a few times what csv and json need for the same file in the same run."""
    path, expected = large_dump(tmp_path / "dump", 82_000)
    start = time.perf_counter()
    csv.field_size_limit(CELL_LIMIT)
    with path.open(encoding="utf-8", newline="") as file:
        parsed = sum(1 for row in csv.DictReader(file) if json.loads(row["metrics"]))
    plain = time.perf_counter() - start
    start = time.perf_counter()
    document = Document.read(path)
    records = registry.recognise(document).read(document, Options()).records
    for record in records:
        identities.check(record)
    selection.choose(records, [], "latest")
    ours = time.perf_counter() - start
    assert parsed == len(records) == 82_000
    assert [f for r in records for f in r.findings] == []
    by_line = {record.row: record.point for record in records}
    for row in expected:
        point = by_line[row["line"]]
        assert (point.chips, point.date) == (row["chips"], row["day"])
        assert point.total_tok_s_per_chip == row["total"]
        assert point.e2e_mean_s == E2E
        assert point.output_tok_s_per_chip == pytest.approx(row["total"] / 9)
    assert len(expected) == 82
    assert ours < 12 * plain, f"{ours:.1f} s against {plain:.1f} s for parsing alone"


@pytest.mark.parametrize("delimiter", [";", "\t"])
def test_a_dump_that_a_spreadsheet_saved_again_is_refused_with_the_reason(
    tmp_path: Path, bring: Bring, delimiter: str
) -> None:
    path = dump(tmp_path / "dump", [config()], [result()])
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, delimiter=delimiter).writerows(rows)
    done = bring(path)
    assert done.status == 2
    assert "a database dump that a spreadsheet saved again; use the file as it was published" in done.file["error"][0]
