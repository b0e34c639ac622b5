"""Files that are damaged, packed, or no result files at all: a clear refusal, never a traceback."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from import_runs import Bring
from made_files import agg_row, own_row, own_table, vllm_run, write

from scoville.ingest import registry
from scoville.ingest.documents import Document
from scoville.problems import InputError


def said(path: Path) -> str:
    """Why a file is refused, without its path."""
    with pytest.raises(InputError) as caught:
        registry.recognise(Document.read(path))
    (problem,) = caught.value.problems
    return str(problem).replace(str(path), "FILE")


def test_json_that_was_cut_off_anywhere(tmp_path: Path) -> None:
    text = json.dumps([agg_row(disagg=None)], indent=1)
    for end in range(2, len(text) - 1, 7):
        path = write(tmp_path / "a.json", text[:end])
        line = text[:end].rstrip().count("\n") + 1
        message = said(path)
        assert message.endswith("the file ends in the middle of a value. It was cut off: copy or download it again"), (
            end
        )
        assert message.startswith((f"FILE:{line}: ", f"FILE:{line + 1}: ")), end


def test_json_with_a_fault_in_it(tmp_path: Path) -> None:
    path = write(tmp_path / "a.json", '[{"hw": "b200",\n "conc" 8}]')
    assert said(path) == "FILE:2: found '8}]'; expected JSON (Expecting ':' delimiter at column 9)"


def test_packed_and_foreign_encodings(tmp_path: Path) -> None:
    packed = tmp_path / "a.json"
    packed.write_bytes(gzip.compress(b"[]"))
    assert said(packed) == "FILE: expected an unpacked file; this one is gzip-compressed: unpack it first"
    wide = tmp_path / "b.json"
    wide.write_bytes("[]".encode("utf-16"))
    assert said(wide) == "FILE: expected UTF-8 text; this is UTF-16: save it as UTF-8"
    latin = tmp_path / "c.csv"
    latin.write_bytes("model,système\n".encode("latin-1"))
    assert said(latin) == "FILE: expected UTF-8 text (invalid continuation byte at byte 10); save it as UTF-8"


def test_json_that_no_client_writes(tmp_path: Path) -> None:
    deep = write(tmp_path / "deep.json", "[" * 100_000)
    assert said(deep) == "FILE: expected a result file; this JSON is nested too deeply to be one"
    digits = write(tmp_path / "digits.json", '{"hw": ' + "9" * 5000 + "}")
    assert said(digits).startswith("FILE: expected JSON with ordinary numbers (Exceeds the limit")


def test_nothing_recognised_says_what_was_looked_for(tmp_path: Path) -> None:
    path = write(tmp_path / "package.json", {"name": "a", "scripts": {}})
    first, *formats = said(path).splitlines()
    assert first == "FILE: expected a result file. This is none of these:"
    assert [line.strip() for line in formats] == [known.looks_for for known in registry.FORMATS]


@pytest.mark.parametrize(("content", "size"), [("", 0), ("\n\n", 2), ("\ufeff", 3)])
def test_an_empty_file_has_words_of_its_own(tmp_path: Path, bring: Bring, content: str, size: int) -> None:
    path = write(tmp_path / "results/a.json", content)
    told = f"an empty file ({size} bytes); the run or download that was to fill it may have failed"
    assert said(path) == f"FILE: expected a result file; this is {told}"
    write(tmp_path / "results/b.json", [agg_row()])
    done = bring(tmp_path / "results")
    assert done.status == 0
    assert f"passed over: {path}: {told}" in done.output


@pytest.mark.parametrize(
    "content",
    [
        "<!DOCTYPE html>\n<html><head><title>504</title></head></html>",
        "  <HTML lang='en'>",
        '<?xml version="1.0"?>\n<!-- proxy -->\n<!doctype html>',
    ],
)
@pytest.mark.parametrize("name", ["a.json", "a.csv"])
def test_a_web_page_in_place_of_a_file_is_a_failed_download(
    tmp_path: Path, bring: Bring, content: str, name: str
) -> None:
    """Also among the files of a folder, where other strangers are passed over."""
    path = write(tmp_path / "results" / name, content)
    told = "expected a result file; this is a web page (HTML), such as a server answers instead of a file"
    assert said(path) == f"FILE: {told}; download the file again"
    write(tmp_path / "results/b.json", [agg_row()])
    done = bring(tmp_path / "results")
    assert (done.status, len(done.rows)) == (2, 1)
    assert told in done.output


@pytest.mark.parametrize("content", ["{}", "[1, 2]", '["a"]', "null", "[[]]", "a,b\n1,2\n", "{}{}"])
def test_empty_and_unrelated_content(tmp_path: Path, content: str) -> None:
    assert "This is none of these" in said(write(tmp_path / "a.json", content))


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ('{"error": "Unknown model"}', "an error message of the InferenceX API, not its rows; ask it again"),
        (
            '{"url": "https://a", "etag": "", "date": "", "rows": 1, "sha256": "0"}',
            "the receipt of an answer that scoville fetch saved; use the answer",
        ),
        ('[{"task": "gsm8k", "score": 0.9, "hw": "b200"}]', "accuracy results of InferenceX (agg_eval_all.json)"),
        (
            '{"metadata": {}, "metrics": {}}\n{"metadata": {}, "metrics": {}}',
            "single requests of AIPerf; use profile_export_aiperf.json beside it",
        ),
        (
            "timestamp, index, power.draw [W]\n1, 0, 76.14 W\n",
            "GPU telemetry; say the mean watts of a chip with --power",
        ),
        (
            "Metric,avg,min,max,sum,p99\nRequest Latency (ms),1,1,1,1,1\n",
            "the table of an AIPerf run; profile_export_aiperf.json beside it holds more",
        ),
    ],
)
def test_neighbours_of_result_files_are_told_apart(tmp_path: Path, content: str, told: str) -> None:
    assert said(write(tmp_path / "a.json", content)) == f"FILE: expected a result file; this is {told}"


def test_two_matches_name_both(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path / "a.json", [agg_row()])
    monkeypatch.setattr(registry, "FORMATS", (*registry.FORMATS, registry.FORMATS[0]))
    assert said(path) == "FILE: expected a file of one format; this one looks like inferencex-run and inferencex-run"


def test_the_name_plays_no_part(tmp_path: Path) -> None:
    path = write(tmp_path / "profile_export_aiperf.csv", vllm_run())
    assert registry.recognise(Document.read(path)).name == "vllm-bench"


def test_a_folder_is_searched_and_what_is_no_result_is_passed_over(tmp_path: Path, bring: Bring) -> None:
    folder = tmp_path / "results"
    write(folder / "deep/agg_bmk.json", [agg_row()])
    write(folder / "package.json", {"name": "a"})
    write(folder / ".hidden/agg_bmk.json", [agg_row(16)])
    write(folder / "notes.txt", "not looked at")
    done = bring(folder)
    assert done.status == 0
    told = {Path(f["path"]).name: (f["format"], f["rows_kept"], f["passed_over"]) for f in done.report["files"]}
    assert told == {"agg_bmk.json": ("inferencex-run", 1, None), "package.json": (None, 0, "not recognised")}


def test_a_folder_without_any_result_is_an_error(tmp_path: Path, bring: Bring) -> None:
    write(tmp_path / "results/package.json", {"name": "a"})
    done = bring(tmp_path / "results")
    assert done.status == 2
    assert "expected a folder with result files; of 1 looked at none was recognised" in done.output
    (tmp_path / "empty").mkdir()
    done = bring(tmp_path / "empty")
    assert done.status == 2
    assert "expected a folder with result files (.json, .jsonl, .ndjson, .csv, .tsv); this one has none" in done.output


def test_a_damaged_file_in_a_folder_is_an_error_and_the_others_are_imported(tmp_path: Path, bring: Bring) -> None:
    folder = tmp_path / "results"
    write(folder / "a.json", [agg_row()])
    write(folder / "b.json", json.dumps([agg_row(16)])[:-40])
    done = bring(folder)
    assert done.status == 2
    assert [f["error"] is None for f in done.report["files"]] == [True, False]
    assert [row["concurrency"] for row in done.rows] == ["8"]


def test_a_path_that_is_not_there(tmp_path: Path, bring: Bring) -> None:
    done = bring(tmp_path / "nowhere.json")
    assert done.status == 2
    assert f"{tmp_path / 'nowhere.json'}: expected a file or a folder; nothing is there" in done.output
    assert not done.folder.exists()


def test_the_same_file_twice_is_read_once(tmp_path: Path, bring: Bring) -> None:
    first = write(tmp_path / "a.json", [agg_row()])
    second = write(tmp_path / "b.json", [agg_row()])
    done = bring(first, second, first)
    assert [f["passed_over"] for f in done.report["files"]] == [None, f"the same file as {first}"]
    assert len(done.rows) == 1


def test_a_byte_order_mark_is_passed_over(tmp_path: Path, bring: Bring) -> None:
    path = tmp_path / "a.csv"
    path.write_text("\ufeff" + own_table(own_row()), encoding="utf-8")
    assert [row["concurrency"] for row in bring(path).rows] == ["8"]


def test_packed_files_in_a_folder_are_told(tmp_path: Path, bring: Bring) -> None:
    """They may stand beside what was unpacked from them, so they are no failure; alone they are."""
    folder = tmp_path / "results"
    for name, content in (("agg.json.gz", gzip.compress(b"[]")), ("results_bmk.zip", b"PK\x03\x04"), ("x.tar.gz", b"")):
        write(folder / name, "")
        (folder / name).write_bytes(content)
    done = bring(folder)
    assert done.status == 2
    assert "of 2 looked at none was recognised" in done.output
    write(folder / "agg.json", [agg_row()])
    done = bring(folder)
    assert done.status == 0
    assert f"passed over: {folder / 'agg.json.gz'}: gzip-compressed; unpack it first" in done.output
    assert f"passed over: {folder / 'results_bmk.zip'}: zip-compressed; unpack it first" in done.output
