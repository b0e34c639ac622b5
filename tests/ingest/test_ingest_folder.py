"""The data folder: made when it is missing, added to without touching what is there, written whole or not at all."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest
from import_runs import Bring
from made_files import agg_row, changed, disagg_row, own_row, own_table, vllm_run, write

from scoville import tables
from scoville.caveats import read_caveats
from scoville.facts import load


def contents(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def test_a_missing_folder_becomes_one_that_loads(tmp_path: Path, bring: Bring) -> None:
    done = bring(write(tmp_path / "a.json", [agg_row()]), into=tmp_path / "deep/new")
    assert sorted(contents(done.folder)) == [
        "caveats.yml",
        "claims.csv",
        "models.csv",
        "points/gpt-oss-120b/inferencex-agg-"
        + hashlib.sha256((tmp_path / "a.json").read_bytes()).hexdigest()[:8]
        + ".csv",
        "sources.csv",
        "systems.csv",
    ]
    facts = load(done.folder)
    assert len(facts.points) == 1
    assert read_caveats(done.folder / "caveats.yml", []) == []
    assert (done.folder / "claims.csv").read_text(encoding="utf-8").startswith("claim_id,source_id,")


def test_an_empty_folder_is_fine(tmp_path: Path, bring: Bring) -> None:
    (tmp_path / "empty").mkdir()
    done = bring(write(tmp_path / "a.json", [agg_row()]), into=tmp_path / "empty")
    assert done.status == 0
    assert len(load(done.folder).points) == 1


def test_the_source_carries_the_hash_of_the_file(tmp_path: Path, bring: Bring) -> None:
    path = write(tmp_path / "a.json", [agg_row()])
    (source,) = bring(path).table("sources")
    assert source["sha256"] == hashlib.sha256(path.read_bytes()).hexdigest()
    assert source["title"] == "Result of an InferenceX run: a.json"


def test_new_systems_and_models_get_a_row_and_a_word_about_the_blanks(tmp_path: Path, bring: Bring) -> None:
    done = bring(write(tmp_path / "a.csv", own_table(own_row())))
    (system,), (model,) = done.table("systems"), done.table("models")
    assert (system["system"], system["name"], system["vendor"]) == ("my-chip", "my-chip", "not recorded")
    assert (system["package_power_w"], model["layers"]) == ("", "")
    assert (model["model"], model["name"]) == ("my-model", "my-model")
    assert done.report["notes"] == [
        "new system my-chip in systems.csv: until package_power_w and its source are filled in, "
        "no page says anything per kW; until memory and compute are, none draws limits",
        "new model my-model in models.csv: until dimensions are filled in, no page draws limits",
    ]
    assert done.report["notes"][0] in done.output


def test_known_systems_and_models_are_not_added_again(tmp_path: Path, bring: Bring, data_copy: Path) -> None:
    before = contents(data_copy)
    done = bring(write(tmp_path / "a.json", [agg_row()]), into=data_copy)
    after = contents(data_copy)
    assert done.report["notes"] == []
    assert {name for name in before if before[name] != after[name]} == {"sources.csv"}
    assert after["sources.csv"].startswith(before["sources.csv"])
    assert after["sources.csv"].count(b"\n") == before["sources.csv"].count(b"\n") + 1


def test_lines_are_added_in_the_order_of_columns_and_line_ends_that_stand_there(tmp_path: Path, bring: Bring) -> None:
    columns = list(reversed(tables.SOURCES.columns))
    there = {"source_id": "mine", "kind": "user", "title": "Mine", "evidence": "user-measured"}
    lines = [",".join(columns), ",".join(there.get(c, "") for c in columns)]
    before = b"\xef\xbb\xbf" + "\r\n".join(lines).encode()  # and no line end after the last line
    (tmp_path / "book").mkdir()
    (tmp_path / "book/sources.csv").write_bytes(before)
    done = bring(write(tmp_path / "run_20786863188.json", [agg_row()]))
    assert done.status == 0, done.output
    after = (tmp_path / "book/sources.csv").read_bytes()
    assert after.startswith(before + b"\r\n")
    added = after.removeprefix(before + b"\r\n")
    assert added.endswith(b",inferencex-run-20786863188\r\n")
    assert added.count(b"\n") == 1
    assert list(load(done.folder).sources.index) == ["mine", "inferencex-run-20786863188"]


def test_the_same_file_again_adds_nothing(tmp_path: Path, bring: Bring) -> None:
    path = write(tmp_path / "a.json", [agg_row(), disagg_row()])
    first = bring(path)
    before = contents(first.folder)
    again = bring(path)
    assert again.status == 0
    assert again.file["left_out"] == {"already there": 2}
    assert again.report["written"] == []
    assert "nothing was written: there is nothing new" in again.output
    assert contents(first.folder) == before


def test_a_file_that_grew_adds_only_its_new_rows(tmp_path: Path, bring: Bring) -> None:
    path = write(tmp_path / "run_20000000001.json", [agg_row()])
    bring(path)
    done = bring(write(path, [agg_row(), agg_row(16)]))
    assert (done.file["rows_kept"], done.file["left_out"]) == (1, {"already there": 1})
    assert sorted(row["concurrency"] for row in done.rows) == ["16", "8"]
    ids = [s["source_id"] for s in done.table("sources")]
    assert ids[0] == "inferencex-run-20000000001"
    assert ids[1].startswith("inferencex-run-20000000001-")


def test_rows_refused_before_are_added_to_the_source_of_their_file(tmp_path: Path, client: Bring) -> None:
    bad = changed(vllm_run(16, 90), {"failed": 10, "num_prompts": 100})
    path = write(tmp_path / "a_8k1k.json", "\n".join(json.dumps(r) for r in (vllm_run(8), bad)))
    assert client(path).file["rows_refused"] == 1
    done = client(path, "--allow-failures", "10")
    assert (done.file["rows_kept"], done.file["left_out"]) == (1, {"already there": 1})
    assert len(done.table("sources")) == 1
    assert {row["source_id"] for row in done.rows} == {done.table("sources")[0]["source_id"]}


def test_the_same_file_with_other_options_is_a_contradiction(tmp_path: Path, client: Bring) -> None:
    path = write(tmp_path / "a_8k1k.json", vllm_run())
    first = client(path)
    before = contents(first.folder)
    done = client(path, "--chips", "4")
    (told,) = done.refusals()
    source = done.table("sources")[0]["source_id"]
    assert told.endswith(
        f"with another configuration: remove the rows of source {source} before importing it with other options"
    )
    assert contents(first.folder) == before


def test_a_source_id_of_the_users(tmp_path: Path, client: Bring) -> None:
    paths = [write(tmp_path / f"{c}_8k1k.json", vllm_run(c)) for c in (8, 16)]
    done = client(*paths, "--source-id", "my-sweep")
    assert {row["source_id"] for row in done.rows} == {"my-sweep"}
    third = client(write(tmp_path / "32_8k1k.json", vllm_run(32)), "--source-id", "my-sweep")
    assert third.refusals() == ["refused --source-id: this source stands for other files already; choose another key"]


def test_evidence_of_the_users(tmp_path: Path, bring: Bring) -> None:
    done = bring(write(tmp_path / "a.json", [agg_row()]), "--evidence", "self-reported")
    assert done.rows[0]["evidence"] == done.table("sources")[0]["evidence"] == "self-reported"


def test_a_folder_that_has_problems_of_its_own_is_told_and_left_alone(
    tmp_path: Path, bring: Bring, data_copy: Path
) -> None:
    path = data_copy / "systems.csv"
    path.write_text(path.read_text(encoding="utf-8").replace(",700,", ",many,", 1), encoding="utf-8")
    before = contents(data_copy)
    done = bring(write(tmp_path / "a.json", [agg_row()]), into=data_copy)
    assert done.status == 2
    assert f"{path}:2: column 'package_power_w': found 'many'; expected a number" in done.output
    assert contents(data_copy) == before


def test_a_folder_that_would_not_load_afterwards_is_left_alone(tmp_path: Path, bring: Bring, data_copy: Path) -> None:
    """Problems that only the whole folder shows are told under its own path, not that of the copy."""
    path = data_copy / "claims.csv"
    path.write_text(path.read_text(encoding="utf-8").replace("002-openai-first-results", "002-x"), encoding="utf-8")
    before = contents(data_copy)
    done = bring(write(tmp_path / "a.json", [agg_row()]), into=data_copy)
    assert done.status == 2
    assert f"{path}:" in done.output
    assert "expected a key of sources.csv" in done.output
    assert "scoville-" not in done.output
    assert contents(data_copy) == before


def test_a_file_in_place_of_the_folder(tmp_path: Path, bring: Bring) -> None:
    into = write(tmp_path / "book", "x")
    done = bring(write(tmp_path / "a.json", [agg_row()]), into=into)
    assert done.status == 2
    assert f"{into}: expected a data folder; this is a file" in done.output


def test_a_move_that_fails_is_undone(
    tmp_path: Path, bring: Bring, data_copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = contents(data_copy)
    moved: list[Path] = []
    real = Path.replace

    def replace(self: Path, target: Path) -> Path:
        if moved:
            raise OSError(28, "No space left on device", str(target))
        moved.append(target)
        return real(self, target)

    monkeypatch.setattr(Path, "replace", replace)
    done = bring(write(tmp_path / "a.json", [agg_row()]), into=data_copy, report=False)
    assert done.status == 2
    assert "expected a folder that can be written to (No space left on device)" in done.output
    assert len(moved) == 1
    assert contents(data_copy) == before


def test_a_row_that_cannot_make_way_leaves_all_as_it_was(
    tmp_path: Path, bring: Bring, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The newer run takes the only row of a file, which would go last of all."""
    folder = bring(write(tmp_path / "run_20000000001.json", [agg_row(mean_ttft=0.251)])).folder
    before = contents(folder)
    (old,) = [folder / name for name in before if name.startswith("points/")]
    real = Path.unlink

    def unlink(self: Path, missing_ok: bool = False) -> None:
        if self == old:
            raise PermissionError(13, "Permission denied", str(self))
        real(self, missing_ok=missing_ok)

    monkeypatch.setattr(Path, "unlink", unlink)
    done = bring(write(tmp_path / "run_20000000002.json", [agg_row()]), report=False)
    assert done.status == 2
    assert "expected a folder that can be written to (Permission denied)" in done.output
    assert contents(folder) == before
    monkeypatch.undo()
    assert bring(tmp_path / "run_20000000002.json").status == 0
    assert not old.exists()
    assert [name for name in contents(folder) if name.startswith("runs/")] == [
        "runs/gpt-oss-120b/inferencex-run-20000000001.csv"
    ]


def test_numbers_are_written_to_their_last_digit(tmp_path: Path, bring: Bring) -> None:
    row = agg_row()
    (kept,) = bring(write(tmp_path / "a.json", [row])).rows
    assert float(kept["total_tok_s_per_chip"]) == row["tput_per_gpu"]
    assert kept["total_tok_s_per_chip"] == repr(row["tput_per_gpu"])
    assert (kept["tpot_mean_s"], kept["interactivity_mean_tok_s_user"], kept["chips"]) == ("0.005", "200", "8")
