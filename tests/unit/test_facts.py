"""Bad data: every fault is told once, with file, line, column, value and what to do; all at once."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from changed_data import set_cell

from scoville.facts import Facts, load
from scoville.problems import InputError


@pytest.fixture
def folder(data_copy: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(data_copy.parent)
    return data_copy


def edit(path: Path, line: int, old: str, new: str) -> None:
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    assert old in lines[line - 1], lines[line - 1]
    lines[line - 1] = lines[line - 1].replace(old, new, 1)
    path.write_text("".join(lines), encoding="utf-8")


def told(folder: Path) -> list[str]:
    with pytest.raises(InputError) as caught:
        load(folder)
    return [str(problem) for problem in caught.value.problems]


def line_of(path: Path, start: str) -> int:
    return next(n for n, t in enumerate(path.read_text(encoding="utf-8").splitlines(), 1) if t.startswith(start))


def test_the_committed_data_are_clean(facts: Facts) -> None:
    assert len(facts.points) == 1550
    assert facts.points.groupby("source_id").size()["inferencex-supplemental-2026-08"] == 36


def test_a_claim_without_a_source(folder: Path) -> None:
    path = folder / "claims.csv"
    line = line_of(path, "002.design-months")
    edit(path, line, "002-openai-first-results", "")
    assert told(folder) == [f"data/claims.csv:{line}: column 'source_id': a value; the cell is blank"]


def test_a_claim_with_an_unknown_source(folder: Path) -> None:
    path = folder / "claims.csv"
    line = line_of(path, "002.design-months")
    edit(path, line, "002-openai-first-results", "002-openai-first-result")
    assert told(folder) == [
        f"data/claims.csv:{line}: column 'source_id': found '002-openai-first-result'; "
        "expected a key of sources.csv; did you mean '002-openai-first-results'? Correct it or add a row there"
    ]


def test_a_value_that_is_not_a_number(folder: Path) -> None:
    edit(folder / "systems.csv", 2, ",700,", ",700 W,")
    assert told(folder) == [
        "data/systems.csv:2: column 'package_power_w': found '700 W'; expected a number such as 1234.5, "
        "without separators or units; blank where it is not known"
    ]


def test_a_negative_number(folder: Path) -> None:
    edit(folder / "systems.csv", 2, ",700,", ",-700,")
    assert told(folder) == ["data/systems.csv:2: column 'package_power_w': found '-700.0'; expected a number above 0"]


@pytest.mark.parametrize("text", ["NaN", "inf", "1_000", "0x10", "1,000"])
def test_texts_that_python_would_take_for_numbers(folder: Path, text: str) -> None:
    quoted = f'"{text}"' if "," in text else text
    edit(folder / "systems.csv", 2, ",700,", f",{quoted},")
    (message,) = told(folder)
    assert f"column 'package_power_w': found {text!r}; expected a number" in message


def test_an_unknown_model_and_system(folder: Path) -> None:
    path = folder / "claims.csv"
    line = line_of(path, "002.gpt-oss-120b.peak.candidate")
    edit(path, line, ",gpt-oss-120b,peak", ",gpt-oss-20b,peak")
    edit(path, line, ",jalapeno,", ",jalapenio,")
    first, second = [m for m in told(folder) if "a key of" in m]
    assert first.startswith(
        f"data/claims.csv:{line}: column 'model': found 'gpt-oss-20b'; expected a key of models.csv"
    )
    assert second.startswith(
        f"data/claims.csv:{line}: column 'system': found 'jalapenio'; expected a key of systems.csv"
    )
    assert "did you mean 'jalapeno'?" in second


def test_a_duplicate_key_names_both_lines(folder: Path) -> None:
    path = folder / "systems.csv"
    text = path.read_text(encoding="utf-8")
    path.write_text(text + text.splitlines()[1] + "\n", encoding="utf-8")
    last = len(text.splitlines()) + 1
    assert told(folder) == [
        f"data/systems.csv:{last}: column 'system': found 'system=jalapeno'; "
        "a key that is not used yet; the same stands in data/systems.csv:2"
    ]


def test_a_duplicate_operating_point(folder: Path) -> None:
    path = folder / "points/kimi-k2.5/jalapeno-2026-08.csv"
    text = path.read_text(encoding="utf-8")
    path.write_text(text + text.splitlines()[-1] + "\n", encoding="utf-8")
    (message,) = told(folder)
    assert "the same stands in data/points/kimi-k2.5/jalapeno-2026-08.csv:10" in message


@pytest.mark.parametrize("name", ["sources.csv", "systems.csv", "models.csv", "claims.csv", "caveats.yml"])
def test_a_missing_file_is_one_message(folder: Path, name: str) -> None:
    (folder / name).unlink()
    (message,) = told(folder)
    assert message.startswith(f"data/{name}: ")
    assert message.endswith("missing")


def test_no_points_at_all(folder: Path) -> None:
    for path in (folder / "points").rglob("*.csv"):
        path.unlink()
    (message,) = told(folder)
    assert message == "data/points: at least one table points/<model>/<dataset>.csv; none is there"


def test_an_unknown_and_a_missing_column(folder: Path) -> None:
    edit(folder / "models.csv", 1, "vocabulary", "vocab")
    messages = told(folder)
    assert "data/models.csv:1: column 'vocab': a column of the models table; did you mean 'vocabulary'?" in messages
    assert "data/models.csv:1: column 'vocabulary': this column; it is missing (leave cells blank instead)" in messages


def test_a_row_with_a_cell_too_many(folder: Path) -> None:
    edit(folder / "models.csv", 2, "gpt-oss-120b,", "gpt-oss-120b,,")
    (message,) = told(folder)
    assert message.startswith("data/models.csv:2: 31 cells as in the header, not 32")


def test_semicolons_are_refused_and_not_misread(folder: Path) -> None:
    path = folder / "systems.csv"
    path.write_text(path.read_text(encoding="utf-8").replace(",", ";"), encoding="utf-8")
    (message,) = [m for m in told(folder) if "systems.csv:1" in m]
    assert "commas between columns, not semicolons" in message


def test_a_byte_order_mark_is_not_part_of_the_first_column(folder: Path) -> None:
    path = folder / "systems.csv"
    path.write_text("\ufeff" + path.read_text(encoding="utf-8"), encoding="utf-8")
    assert len(load(folder).systems) == 11


def test_bytes_that_are_not_utf8(folder: Path) -> None:
    path = folder / "systems.csv"
    path.write_bytes(path.read_text(encoding="utf-8").encode("latin-1", errors="replace"))
    (message,) = told(folder)
    assert "UTF-8 text" in message


def test_line_numbers_count_lines_inside_quoted_cells(folder: Path) -> None:
    path = folder / "systems.csv"
    edit(path, 2, "Stepping A0", "Stepping\nA0")
    edit(path, 4, "1200", "twelve hundred")
    (message,) = told(folder)
    assert message.startswith("data/systems.csv:4: column 'package_power_w'")


def test_an_impossible_date_and_flag(folder: Path) -> None:
    path = folder / "points/kimi-k2.5/jalapeno-2026-08.csv"
    edit(path, 2, "2026-08-22", "2026-02-30")
    edit(path, 3, ",false,", ",no,")
    date, flag = told(folder)
    assert "column 'date': found '2026-02-30'; expected a date as YYYY-MM-DD" in date
    assert "column 'disaggregated': found 'no'; expected true or false" in flag


def test_parts_that_do_not_add_up(folder: Path) -> None:
    path = folder / "points/gpt-oss-120b/inferencex-run-20786863188.csv"
    line = line_of(path, "gpt-oss-120b,gb200")
    edit(path, line, ",9,1,8,", ",9,2,8,")
    (message,) = told(folder)
    assert "column 'chips': found '9'; expected prefill_chips + decode_chips = 10" in message


def test_a_row_in_another_models_folder(folder: Path) -> None:
    path = folder / "points/kimi-k2.5/jalapeno-2026-08.csv"
    edit(path, 2, "kimi-k2.5,", "gpt-oss-120b,")
    (message,) = told(folder)
    assert message.endswith("expected 'kimi-k2.5', as the folder says; move the row to points/gpt-oss-120b/")


def test_a_printed_number_that_is_none(folder: Path) -> None:
    path = folder / "claims.csv"
    line = line_of(path, "002.gpt-oss-120b.e2e.candidate")
    edit(path, line, "1.03", '"1,03"')
    (message,) = told(folder)
    assert "column 'printed': found '1,03'; expected a printed number such as 85,448, 1.9, 8K or nine" in message


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("systems: [jalapeno]", "systems: [jalapenno]", "did you mean 'jalapeno'?"),
        ("source_id: 001-news-brief", "source_id: 001-news", "did you mean '001-news-brief'?"),
        ("applies_to: {systems", "applies_to: {chips", "a mapping with keys among all, models, systems, beside, basis"),
        ("- id: raw-data\n", "- name: raw-data\n", "exactly the keys id, title"),
        ("- id: raw-data", "- id: [raw-data", "YAML ("),
    ],
)
def test_a_wrong_caveat(folder: Path, old: str, new: str, expected: str) -> None:
    path = folder / "caveats.yml"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    (message,) = told(folder)
    assert message.startswith("data/caveats.yml:")
    assert expected in message


def test_all_problems_of_all_files_come_at_once(folder: Path) -> None:
    edit(folder / "systems.csv", 2, ",700,", ",many,")
    edit(folder / "models.csv", 2, ",36,", ",36.5,")
    (folder / "caveats.yml").unlink()
    messages = told(folder)
    assert [m.split(":")[0] for m in messages] == ["data/caveats.yml", "data/models.csv", "data/systems.csv"]


def test_nothing_is_read_as_zero_or_empty_text(facts: Facts) -> None:
    assert facts.points["ttft_mean_s"].isna().any()
    assert not (facts.points == "").any().any()
    numbers = facts.points.select_dtypes("number")
    assert not (numbers == 0).any().any()
    assert os.sep not in str(facts.points["model"].iloc[0])


PEAK = "002.gpt-oss-120b.peak"


@pytest.mark.parametrize(
    ("claim", "column", "value", "expected"),
    [
        (f"{PEAK}.ratio", "candidate_claim", f"{PEAK}.ratio", "another claim, not the claim itself"),
        (f"{PEAK}.ratio", "candidate_claim", "004.results-date", "a claim that prints a value, not a ratio, a date"),
        (f"{PEAK}.ratio", "candidate_claim", "", "a value: a ratio of peak_mixed_tok_s_per_kw needs it"),
        (
            f"{PEAK}.ratio",
            "candidate_claim",
            "002.kimi-k2.5.peak.candidate",
            "a claim about gpt-oss-120b, not about kimi",
        ),
        (f"{PEAK}.ratio", "candidate_claim", "002.gpt-oss-120b.e2e.candidate", "the candidate’s number of peak_mixed"),
        (f"{PEAK}.ratio", "baseline_claim", f"{PEAK}.candidate", "the baseline’s number of peak_mixed"),
        (f"{PEAK}.baseline", "printed", "0", "a number above 0"),
        (f"{PEAK}.baseline", "printed", "9" * 400, "a printed number such as"),
        (f"{PEAK}.baseline", "unit", "ms", "mixed tok/s/kW for the baseline of peak_mixed_tok_s_per_kw"),
        (f"{PEAK}.baseline", "unit", "date", "mixed tok/s/kW for the baseline"),
        (f"{PEAK}.baseline", "side", "fact", "one of candidate, baseline, ratio for peak_mixed_tok_s_per_kw"),
        (f"{PEAK}.baseline", "system", "", "a value: a baseline of peak_mixed_tok_s_per_kw needs it"),
        (f"{PEAK}.baseline", "model", "all", "one model; a single number is not about all of them"),
        ("002.headline.interactive.low", "side", "candidate", "one of ratio for interactive_performance"),
        ("002.gpt-oss-120b.parameters", "model", "", "a value: a fact of model_parameters needs it"),
        ("002.gpt-oss-120b.matched.ratio", "paired_claim", "004.results-date", "not a ratio, a date or an ordinal"),
        ("002.package-power.jalapeno", "system", "", "a value: a candidate of package_power_w needs it"),
    ],
)
def test_a_claim_that_could_not_be_judged(folder: Path, claim: str, column: str, value: str, expected: str) -> None:
    path = folder / "claims.csv"
    line = line_of(path, f"{claim},")
    set_cell(folder, "claims", claim, column, value)
    (message, *others) = [m for m in told(folder) if m.startswith(f"data/claims.csv:{line}:") and expected in m]
    assert f"column '{column}'" in message
    assert not others


@pytest.mark.parametrize("name", ["sources.csv", "models.csv"])
def test_a_table_without_rows_is_told_by_what_points_into_it(folder: Path, name: str) -> None:
    path = folder / name
    path.write_text(path.read_text(encoding="utf-8").splitlines()[0] + "\n", encoding="utf-8")
    assert any(f"a key of {name}" in message for message in told(folder))


@pytest.mark.parametrize("name", ["claims.csv", "points/kimi-k2.5/x.csv", "caveats.yml"])
def test_a_folder_in_the_place_of_a_file(folder: Path, name: str) -> None:
    path = folder / name
    path.unlink(missing_ok=True)
    path.mkdir()
    assert any(m.startswith(f"data/{name}: a file that can be read") for m in told(folder))


def test_an_empty_file_is_one_message(folder: Path) -> None:
    (folder / "models.csv").write_text("", encoding="utf-8")
    (message,) = told(folder)
    assert message.startswith("data/models.csv:1: a line with the columns model, name")


@pytest.mark.parametrize("text", ["1e-320", "1e300", "７００"])
def test_numbers_out_of_all_measure_and_foreign_digits(folder: Path, text: str) -> None:
    edit(folder / "systems.csv", 2, ",700,", f",{text},")
    (message,) = told(folder)
    assert f"column 'package_power_w': found '{text}'; expected a number" in message


def test_a_nul_byte(folder: Path) -> None:
    edit(folder / "systems.csv", 2, ",700,", ",70\x000,")
    (message,) = told(folder)
    assert message == "data/systems.csv:2: text; there is a NUL byte, the file may be damaged"


@pytest.mark.parametrize("name", ["rows.CSV", "rows.txt"])
def test_a_points_file_that_would_be_passed_over(folder: Path, name: str) -> None:
    path = folder / "points/kimi-k2.5" / name
    (folder / "points/kimi-k2.5/jalapeno-2026-08.csv").rename(path)
    (message,) = told(folder)
    assert message == f"data/points/kimi-k2.5/{name}: only tables named *.csv below points; rename or move it"


@pytest.mark.parametrize(
    ("new", "expected"),
    [
        ("applies_to: {systems: [[jalapeno]]}", "a list of keys under every scope"),
        ("applies_to: {systems: [{a: 1}]}", "a list of keys under every scope"),
        ("applies_to: {[1]: []}", ""),
        (
            "applies_to: {systems: [jalapeno], basis: [pakage]}",
            "basis among package, measured, all-in, chip, not",
        ),
        ("applies_to: !foo {}", "YAML ("),
        ("applies_to: {<<: 5}", "YAML ("),
        ("applies_to: {systems: 2026-13-45}", ""),
        ("applies_to: {}", "a mapping with keys among"),
        ("applies_to: {systems: jalapeno}", "a list of keys under every scope"),
    ],
)
def test_odd_types_in_a_caveat(folder: Path, new: str, expected: str) -> None:
    path = folder / "caveats.yml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("applies_to: {systems: [jalapeno]}", new, 1), encoding="utf-8")
    messages = told(folder)
    assert messages[0].startswith("data/caveats.yml:")
    assert expected in messages[0]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("title: The raw data came from OpenAI", "title:", "text under title, not None"),
        ("title: The raw data came from OpenAI", "title: [a]", "text under title, not ['a']"),
        ("- id: single-turn", "- id: raw-data", "an id that is not used yet; 'raw-data' stands in line"),
        ("  locator: paragraph 4", "  locator: paragraph 4\n  5: x", "check 5"),
    ],
)
def test_texts_and_ids_of_caveats(folder: Path, old: str, new: str, expected: str) -> None:
    path = folder / "caveats.yml"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    (message,) = told(folder)
    assert expected in message


def test_caveats_that_are_not_utf8(folder: Path) -> None:
    path = folder / "caveats.yml"
    path.write_bytes(path.read_text(encoding="utf-8").encode("latin-1", errors="replace"))
    (message,) = told(folder)
    assert message.startswith("data/caveats.yml: UTF-8 text")
