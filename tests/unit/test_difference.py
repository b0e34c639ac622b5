"""Two editions compared: one change at a time, each found and nothing else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from scoville.cli import cli
from scoville.difference import Difference, difference, read_edition, told
from scoville.problems import InputError

ROOT = Path(__file__).resolve().parents[2]


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def compared(changed: Path) -> Difference:
    return difference(read_edition(ROOT / "data"), read_edition(changed))


def test_the_same_data_differ_in_nothing(data_copy: Path) -> None:
    changes = compared(data_copy)
    assert not changes
    assert told(changes) == ["nothing changed"]


def test_a_changed_digit_of_a_claim(data_copy: Path) -> None:
    edit(data_copy / "claims.csv", ",about,1.9,×,002.gpt", ",about,2.0,×,002.gpt")
    changes = compared(data_copy)
    (claim,) = changes.claims
    assert (claim.what, claim.old, claim.new) == ("002.gpt-oss-120b.peak.ratio", "1.9: reproduced", "2.0: contradicted")
    assert not changes.moved
    assert not changes.ratios


def test_a_moved_peak_moves_ratios_and_verdicts(data_copy: Path) -> None:
    rows = data_copy / "points/deepseek-r1/jalapeno-2026-08.csv"
    edit(rows, "13748.393106670877,12219.406206969097,1528.9868997017807", "27496.786213341754,,")
    changes = compared(data_copy)
    moved = {c.column: c for c in changes.moved}
    assert moved["total_tok_s_per_chip"].relative == pytest.approx(1.0)
    assert moved["output_tok_s_per_chip"].new is None
    ratios = {c.what: c for c in changes.ratios}
    peak = ratios["deepseek-r1: jalapeno over gb300, package, at the peaks"]
    assert (peak.old, peak.new) == (pytest.approx(1.6672, abs=5e-5), pytest.approx(3.3343, abs=5e-5))
    assert "002.deepseek-r1.peak.candidate" in {c.what for c in changes.claims}


def test_a_point_added_and_a_point_gone(data_copy: Path) -> None:
    rows = data_copy / "points/kimi-k2.5/jalapeno-2026-08.csv"
    lines = rows.read_text(encoding="utf-8").splitlines(keepends=True)
    rows.write_text("".join([*lines[:-1], lines[-1].replace("2026-08-22", "2026-08-23")]), encoding="utf-8")
    changes = compared(data_copy)
    (added,), (gone,) = changes.added, changes.gone
    assert added.what.startswith("source_id=inferencex-supplemental-2026-08 date=2026-08-23")
    assert gone.what == added.what.replace("2026-08-23", "2026-08-22")


def test_points_are_told_in_short_aligned_lines(data_copy: Path) -> None:
    rows = data_copy / "points/deepseek-r1/jalapeno-2026-08.csv"
    edit(rows, "13748.393106670877,12219.406206969097,1528.9868997017807", "27496.786213341754,,")
    old = data_copy / "points/deepseek-r1/inferencex-2026-07-20.csv"
    lines = old.read_text(encoding="utf-8").splitlines(keepends=True)
    old.write_text("".join([lines[0], *lines[5:]]), encoding="utf-8")
    words = told(compared(data_copy))
    assert "points that moved: 1" in words
    assert "    total_tok_s_per_chip 13,748.4 → 27,496.8 (+100.00%)" in words
    assert "    output_tok_s_per_chip 1,529.0 → not there" in words
    gone = words[words.index("points gone: 4") + 1 :]
    assert len(gone) == 4
    assert max(map(len, words)) <= 120
    written = [dict(zip(lines[0].strip().split(","), line.split(","), strict=False)) for line in lines[1:5]]
    for line, row in zip(sorted(gone), sorted(written, key=lambda r: r["parallelism"]), strict=True):
        assert line.split()[:3] == [row["model"], row["system"], row["engine"]]
        assert " 8192/1024 " in line
    assert len({line.index(" 8192/1024 ") for line in gone}) == 1
    assert sorted(line.split()[-1] for line in gone) == sorted(f"c{row['concurrency']}" for row in written)


def test_every_point_of_the_book_is_told_in_one_short_line(tmp_path: Path) -> None:
    everything = read_edition(ROOT / "data")
    nothing = {**everything, "points": {}}
    _, *lines = told(difference(nothing, everything))
    assert len(lines) == len(everything["points"]) == 1550
    assert max(map(len, lines)) <= 120


def test_the_command_ends_with_1_when_something_changed(data_copy: Path) -> None:
    same = CliRunner().invoke(cli, ["diff", str(ROOT / "data"), str(data_copy)])
    assert (same.exit_code, same.stdout) == (0, "nothing changed\n")
    edit(data_copy / "claims.csv", ",about,1.9,×,002.gpt", ",about,2.0,×,002.gpt")
    text = CliRunner().invoke(cli, ["diff", str(ROOT / "data"), str(data_copy)])
    assert text.exit_code == 1
    assert text.stdout == (
        "claims whose verdict changed: 1\n  002.gpt-oss-120b.peak.ratio: 1.9: reproduced → 2.0: contradicted\n"
    )
    found = json.loads(CliRunner().invoke(cli, ["diff", str(ROOT / "data"), str(data_copy), "--format", "json"]).stdout)
    assert set(found) == {"claims", "added", "gone", "moved", "ratios"}
    assert [c["what"] for c in found["claims"]] == ["002.gpt-oss-120b.peak.ratio"]


@pytest.mark.parametrize("content", [None, "not json", '{"format": 99}', "[]"])
def test_what_is_no_edition_is_refused(tmp_path: Path, content: str | None) -> None:
    if content is not None:
        (tmp_path / "edition.json").write_text(content, encoding="utf-8")
    with pytest.raises(InputError):
        read_edition(tmp_path)
    assert CliRunner().invoke(cli, ["diff", str(tmp_path), str(ROOT / "data")]).exit_code == 2
