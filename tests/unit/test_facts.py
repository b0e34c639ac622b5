"""Bad data: every fault is told once, with file, line, column, value and what to do; all at once."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

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
    assert len(facts.points) == 802
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
    first, second = told(folder)
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
    assert message.startswith("data/models.csv:2: 30 cells as in the header, not 31")


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
    assert "column 'printed': found '1,03'; expected '1,03' is not a printed number" in message


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("systems: [jalapeno]", "systems: [jalapenno]", "did you mean 'jalapeno'?"),
        ("source_id: 001-news-brief", "source_id: 001-news", "did you mean '001-news-brief'?"),
        ("applies_to: {systems", "applies_to: {chips", "a mapping with keys among all, models, systems, basis"),
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
