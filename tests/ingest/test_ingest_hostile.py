"""Damaged and absurd files of every format: cut off, of wrong types, with values from nowhere. No traceback."""

from __future__ import annotations

import copy
import json
import math
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from import_runs import Bring
from made_files import (
    CSV_NEW,
    CSV_OLD,
    Row,
    agentx_nested,
    agg_row,
    aiperf_run,
    api_row,
    config,
    csv_export,
    disagg_row,
    dump,
    guidellm_benchmark,
    guidellm_report,
    inference_perf_stage,
    own_row,
    own_table,
    result,
    sglang_run,
    vllm_run,
    write,
)

from scoville import tables
from scoville.ingest import identities, registry, selection
from scoville.ingest.documents import Document
from scoville.ingest.options import Options
from scoville.ingest.points import COLUMNS, Record, told
from scoville.ingest.selection import in_play
from scoville.problems import InputError

OPTIONS = Options(system="my-chip", chips=8, model="gpt-oss-120b")

JSON_FILES: dict[str, Any] = {
    "runs": [agg_row(), disagg_row()],
    "agentx": [agentx_nested()],
    "api": [api_row(model="gptoss120b")],
    "vllm": vllm_run(),
    "sglang": sglang_run(),
    "aiperf": aiperf_run(),
    "guidellm": guidellm_report(guidellm_benchmark(8)),
    "inference-perf": inference_perf_stage(),
}
CSV_FILES = {
    "export until July": csv_export(CSV_OLD, api_row(), api_row(16)),
    "export from August": csv_export(CSV_NEW, api_row(), api_row(16)),
    "own": own_table(own_row(), own_row(16)),
    "own with semicolons": own_table(own_row(), own_row(16), delimiter=";", comma=True),
}
ABSURD: list[Any] = [
    *(None, True, "x", "", "1e999", -1, 0, 1e308, 10**400, float("nan"), float("inf")),
    *([], [[]], {}, {"a": 1}, "NaN", "é\u2028"),
]


def read(path: Path, options: Options | None = None) -> list[Record] | str:
    """The rows of a file that pass every check, each fit for the table; or why the file cannot be used.

    Without options the file gets those that its format needs: `OPTIONS` for load generators, none for others.
    """
    try:
        document = Document.read(path)
        chosen = registry.recognise(document)
        records = chosen.read(document, options or (OPTIONS if chosen.sweep else Options())).records
    except InputError as error:
        return str(error)
    for record in in_play(records):
        identities.check(record)
        if not record.refused:
            assert unfit(record) == [], record
    return in_play(records)


def unfit(record: Record) -> list[str]:
    """Columns of a row that the table would not take, judged apart from the table's own checks."""
    found = []
    for column in COLUMNS:
        value, kind = getattr(record.point, column), tables.POINTS.kind(column)
        if value is None:
            continue
        if kind == "number" and not (isinstance(value, float) and 0 < value < math.inf):
            found.append(column)
        if kind == "integer" and not (type(value) is int and 0 < value < 10**12):
            found.append(column)
        if kind == "flag" and not isinstance(value, bool):
            found.append(column)
        if kind in ("text", "date") and not (isinstance(value, str) and value):
            found.append(column)
    needed = ("model", "system", "speculation", "workload")
    return [*found, *(column for column in needed if not getattr(record.point, column))]


@pytest.mark.parametrize("name", JSON_FILES)
def test_json_that_was_cut_off(tmp_path: Path, name: str) -> None:
    text = json.dumps(JSON_FILES[name])
    for end in range(1, len(text), max(1, len(text) // 97)):
        told = read(write(tmp_path / "a.json", text[:end]))
        assert isinstance(told, str)
        assert "It was cut off: copy or download it again" in told, text[:end][-30:]


@pytest.mark.parametrize("name", JSON_FILES)
def test_a_cut_off_file_leaves_no_trace(tmp_path: Path, bring: Bring, name: str) -> None:
    done = bring(write(tmp_path / "a.json", json.dumps(JSON_FILES[name])[:-20]), "--system", "s", "--chips", "8")
    assert (done.status, done.folder.exists()) == (2, False)


@pytest.mark.parametrize("name", CSV_FILES)
def test_csv_that_was_cut_off(tmp_path: Path, name: str) -> None:
    text = CSV_FILES[name]
    whole = read(write(tmp_path / "a.csv", text), Options())
    assert len(whole) == 2
    totals = {record.point.total_tok_s_per_chip for record in whole if isinstance(record, Record)}
    for end in range(1, len(text), max(1, len(text) // 211)):
        rows = read(write(tmp_path / "a.csv", text[:end]), Options())
        for record in rows if isinstance(rows, list) else ():  # a row is there as it should be, or not at all
            assert record.point.total_tok_s_per_chip in totals


def test_the_real_files_cut_off(originals: Path, tmp_path: Path) -> None:
    files = [p for folder in ("clients", "inferencex") for p in (originals / folder).rglob("*.json*")]
    assert len(files) >= 25
    for path in sorted(files):
        data = path.read_bytes()
        for share in (0.01, *(n / 10 for n in range(1, 10)), 0.999):
            cut = tmp_path / path.name
            cut.write_bytes(data[: int(len(data) * share)])
            told = read(cut)
            if len(data) < 10:
                assert isinstance(told, str)
            elif path.suffix == ".json":
                assert "It was cut off" in told, (path, share)


def test_the_real_tables_cut_off(originals: Path, tmp_path: Path) -> None:
    """A row is there as it should be, or not at all; only the last cell of the last row can have been shortened."""
    exports = (originals / "inferencex/csv_export").glob("*.csv")
    files = [*exports, originals / "facts/inferencex_points_2026-07-20.csv"]
    assert len(files) >= 3
    for path in files:
        data = path.read_bytes()
        whole = read(path, Options())
        assert isinstance(whole, list)
        rows = [record.point for record in whole]
        for share in range(1, 10):
            (tmp_path / path.name).write_bytes(data[: len(data) * share // 10])
            told = read(tmp_path / path.name, Options())
            assert isinstance(told, list)
            assert [record.point for record in told if record.point not in rows] == []


def nameless(path: Path) -> str | None:
    """A model for the files of clients that do not record one."""
    return "mock" if path.parent.name in ("sglang_bench_serving", "inference_perf") else None


@pytest.mark.parametrize("factor", [1000.0, 0.001, -1.0, 1e300])
def test_the_real_numbers_in_another_unit(originals: Path, tmp_path: Path, factor: float) -> None:
    """Each number of each real file, one at a time: no row keeps a wrong one without a word."""
    files = [p for folder in ("clients", "inferencex") for p in sorted((originals / folder).rglob("*.json*"))]
    looked_at = silent = 0
    for path in files:
        if path.stat().st_size > 900_000 or "guidellm" in path.parts:
            continue  # the one that holds every single request
        base = Document.read(path).values[0]
        base = base[:1] if isinstance(base, list) else base
        named = isinstance(base, list) or "hw" in base
        options = Options() if named else Options(system="my-chip", chips=8, model=nameless(path), allow_failures=50)
        copy_of = tmp_path / path.parent.name / path.name
        sound = read(write(copy_of, json.dumps(base)), options)
        if not isinstance(sound, list) or not sound:
            continue
        known = selection.measured(sound[0])
        for place in places(base):
            value = base
            for key in place:
                value = value[key]
            if not isinstance(value, float) or value == 0:
                continue
            rows = read(write(copy_of, json.dumps(put(base, place, value * factor))), options)
            looked_at += 1
            for record in rows if isinstance(rows, list) else ():
                wrong = [
                    c for c, v in selection.measured(record).items() if c not in known or abs(v / known[c] - 1) > 1e-6
                ]
                assert not wrong or record.findings, (path.name, place, wrong)
                silent += bool(not wrong and not record.findings)
    assert looked_at > 500
    assert silent < looked_at  # many numbers are not read at all


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place in a JSON value."""
    yield path
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in inner:
        yield from places(child, (*path, key))


def put(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    """A copy with another value at a place; what is beside the way there is shared with the original."""
    if not path:
        return new
    changed = copy.copy(value)
    changed[path[0]] = put(value[path[0]], path[1:], new)
    return changed


@pytest.mark.parametrize("name", JSON_FILES)
def test_every_absurd_value_in_every_place(tmp_path: Path, name: str) -> None:
    """The file is refused, or the row is, or the field is; what is left is fit for the table."""
    whole = JSON_FILES[name]
    outcomes = set()
    for path in places(whole):
        for value in ABSURD:
            rows = read(write(tmp_path / "a.json", put(whole, path, value)))
            outcomes.add("unusable" if isinstance(rows, str) else len(rows))
    assert {"unusable", 0, 1} <= outcomes


@pytest.mark.parametrize("name", JSON_FILES)
def test_every_pair_of_absurd_values_by_chance(tmp_path: Path, name: str) -> None:
    rng = random.Random(name)
    whole = JSON_FILES[name]
    everywhere = [path for path in places(whole) if path]
    for _ in range(300):
        content = whole
        for _ in range(2):
            path = rng.choice(everywhere)
            try:
                content = put(content, path, rng.choice(ABSURD))
            except (TypeError, KeyError, IndexError):
                continue  # the first change took this place away
        read(write(tmp_path / "a.json", content))


@pytest.mark.parametrize("name", JSON_FILES)
def test_every_key_missing_once(tmp_path: Path, name: str) -> None:
    for path in places(JSON_FILES[name]):
        if not path or not isinstance(path[-1], str):
            continue
        content = copy.deepcopy(JSON_FILES[name])
        parent = content
        for key in path[:-1]:
            parent = parent[key]
        del parent[path[-1]]
        read(write(tmp_path / "a.json", content))


@pytest.mark.parametrize("name", CSV_FILES)
def test_every_absurd_cell_in_every_column(tmp_path: Path, name: str) -> None:
    lines = CSV_FILES[name].splitlines()
    delimiter = ";" if "semicolons" in name else ","
    for column in range(lines[-1].count(delimiter) + 1):
        for word in ("x", "-1", "1e999", "NaN", '"', "=1+1", "9" * 400, "0", "é\u2028", "../../x"):
            cells = lines[-1].split(delimiter)
            cells[column] = word
            rows = read(write(tmp_path / "a.csv", "\n".join([*lines[:-1], delimiter.join(cells)])), Options())
            assert rows, (column, word)  # an error message, or at least the row that was left alone


def test_absurd_cells_of_a_dump(tmp_path: Path) -> None:
    for make, base in ((config, config()), (result, result())):
        for key in base:
            for word in ("", "x", "-1", "9" * 400, "{}", "[1", "\u2028"):
                changed: Row = {key: word}
                rows = ([config(**changed)], [result()]) if make is config else ([config()], [result(**changed)])
                read(dump(tmp_path / "dump", *rows), Options())
    for metrics in (
        "null",
        "1",
        '"x"',
        '{"tput_per_gpu": {}}',
        '{"prefill_pp": [1], "tput_per_gpu": 5}',
        '{"mean_ttft": [1], "tput_per_gpu": 5}',
    ):
        kept = read(dump(tmp_path / "dump", [config()], [result(metrics=metrics)]), Options())
        assert len(kept) == (1 if "mean_ttft" in metrics else 0)


@pytest.mark.parametrize("word", ["9" * 400, "a/b", "..", "con\u0000trol", "é", "a" * 300 + ".csv"])
def test_a_name_that_no_folder_can_have(tmp_path: Path, bring: Bring, word: str) -> None:
    done = bring(write(tmp_path / "a.json", [agg_row(infmax_model_prefix=None, model=word, hw=word)]))
    assert done.status == 0
    (row,) = done.rows
    assert (done.folder / "points" / row["model"]).is_dir()
    assert len(row["model"]) <= 80


@pytest.mark.parametrize("name", ["runs", "api"])
def test_ten_thousand_rows_of_nonsense_are_told_in_a_few_lines(tmp_path: Path, bring: Bring, name: str) -> None:
    rows = [{**JSON_FILES[name][0], "conc": value} for value in range(10_000)]
    done = bring(write(tmp_path / "a.json", rows))
    assert done.status == 0
    assert done.file["rows_read"] == 10_000
    assert len(done.output.splitlines()) < 25


def without_e2e(value: Any) -> Any:
    """A file whose TTFT is in milliseconds where seconds belong, a thousand times too much, and without E2E."""
    if isinstance(value, list):
        return [without_e2e(item) for item in value]
    if not isinstance(value, dict):
        return value
    changed = {k: without_e2e(v) for k, v in value.items() if "e2e" not in k and k != "request_latency"}
    for key, inner in changed.items():
        if "ttft" in key or "time_to_first_token" in key:
            changed[key] = times_thousand(inner)
    return changed


def times_thousand(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: v if k == "unit" else times_thousand(v) for k, v in value.items()}
    return value * 1000 if isinstance(value, int | float) else value


@pytest.mark.parametrize("name", [n for n in JSON_FILES if n not in ("agentx", "sglang", "aiperf")])
def test_a_ttft_a_thousand_times_too_long_is_noticed_without_e2e(tmp_path: Path, name: str) -> None:
    """In every format; SGLang and AIPerf are recognised by their E2E, agent traces think between their turns."""
    rows = read(write(tmp_path / "a.json", without_e2e(JSON_FILES[name])))
    assert isinstance(rows, list)
    assert rows
    for record in rows:
        assert (record.point.ttft_mean_s, record.point.ttft_median_s, record.point.ttft_p99_s) == (None, None, None)
        assert any("milliseconds and seconds were probably confused" in f.reason for f in record.findings)


@pytest.mark.parametrize("name", ["sglang", "aiperf"])
def test_a_ttft_a_thousand_times_too_long_is_noticed_where_e2e_is_blank(tmp_path: Path, name: str) -> None:
    content = copy.deepcopy(JSON_FILES[name])
    if name == "sglang":
        content |= dict.fromkeys(f"{s}_e2e_latency_ms" for s in ("mean", "median", "p99"))
        content |= {f"{s}_ttft_ms": content[f"{s}_ttft_ms"] * 1000 for s in ("mean", "median", "p99")}
    else:
        content["request_latency"] = {"unit": "ms", "avg": None}
        content["time_to_first_token"] = times_thousand(content["time_to_first_token"])
    (record,) = read(write(tmp_path / "a.json", content))
    assert isinstance(record, Record)
    assert record.point.ttft_mean_s is None
    assert any("milliseconds and seconds were probably confused" in f.reason for f in record.findings)


def test_a_ttft_in_milliseconds_in_the_csv_formats(tmp_path: Path) -> None:
    columns = [n for n in CSV_OLD.split(",") if "E2E" not in n]
    slow = {f"{s}_ttft": v * 1000 for s, v in (("mean", 0.25), ("median", 0.2475), ("p99", 0.375))}
    row = api_row()
    row["metrics"] |= slow
    own = own_row(e2e_mean_s="", ttft_mean_s=250)
    for text in (csv_export(",".join(columns), row), own_table(own)):
        (record,) = read(write(tmp_path / "a.csv", text), Options())
        assert isinstance(record, Record)
        assert record.point.ttft_mean_s is None
        assert any("milliseconds and seconds were probably confused" in f.reason for f in record.findings)


WRONG_FOR_A_NUMBER: list[Any] = ["512,99", "12 ms", -5, -0.25, True, {"a": 1}, [1]]
WRONG_FOR_A_TEXT: list[Any] = [{"a": 1}, [1]]
WRONG_FOR_AN_OBJECT: list[Any] = ["512,99", -5, True, [1]]
ABSENT = (
    "nothing was measured",
    "no request succeeded",
    "does not name",
    "does not say how many",
    "without a limit",
    "no token throughput",
)
"""What is said where nothing stands."""


def everything(path: Path) -> list[Record]:
    """All rows of a file, refused ones among them; none where it is not of its format any more."""
    try:
        document = Document.read(path)
        chosen = registry.recognise(document)
        records = chosen.read(document, OPTIONS_WITHOUT_MODEL if chosen.sweep else Options()).records
    except InputError:
        return []
    for record in in_play(records):
        identities.check(record)
    return records


OPTIONS_WITHOUT_MODEL = Options(system="my-chip", chips=8)


def wrong_for(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return WRONG_FOR_AN_OBJECT
    if isinstance(value, str):
        return WRONG_FOR_A_TEXT
    return WRONG_FOR_A_NUMBER if isinstance(value, int | float) and not isinstance(value, bool) else []


@pytest.mark.parametrize("name", JSON_FILES)
def test_a_value_of_the_wrong_kind_is_named_and_never_called_absent(tmp_path: Path, name: str) -> None:
    """Text, a negative number, a boolean, an object where a number belongs, and so on: the row says field and value."""
    whole = JSON_FILES[name]
    sound = everything(write(tmp_path / "a.json", whole))
    named = 0
    for path in places(whole):
        value = whole
        for key in path:
            value = value[key]
        is_row = not path or isinstance(path[-1], int)
        may_be_object = path[-1:] in (("prompt_tokens",), ("output_tokens",)) and "spec" in path  # a distribution
        for wrong in () if is_row else wrong_for(value):
            if may_be_object and isinstance(wrong, dict):
                continue
            records = everything(write(tmp_path / "a.json", put(whole, path, wrong)))
            for record, before in zip(records, sound, strict=False):
                lies = [f for f in record.findings if any(a in f.reason for a in ABSENT) and f not in before.findings]
                assert not lies, (path, wrong, lies)
                told_of = [f for f in record.findings if "expected" in f.reason and f.value == told(wrong)]
                assert told_of or (record.point, record.findings) == (before.point, before.findings), (
                    path,
                    wrong,
                    record.findings,
                )
                assert all(f.field for f in told_of)
                named += bool(told_of)
    assert named > 50
