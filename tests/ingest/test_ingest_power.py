"""Power of InferenceX rows: three meanings of the same keys, two of them unambiguous."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from import_runs import Bring
from made_files import agg_row, disagg_row, write

OUTPUT = agg_row()["output_tput_per_gpu"]
"""Output tokens per second per chip of the made row: watts over it are joules per output token."""


def power(bring: Bring, path: Path, row: dict[str, Any]) -> tuple[str, list[str]]:
    done = bring(write(path, [row]))
    (kept,) = done.rows
    return kept["chip_power_mean_w"], done.refusals()


def test_version_1_on_one_node(tmp_path: Path, bring: Bring) -> None:
    row = agg_row(avg_power_w=750.0, joules_per_output_token=750 / OUTPUT, joules_per_total_token=750 / OUTPUT / 9)
    assert power(bring, tmp_path / "a.json", row) == ("750", [])


def test_version_1_on_several_nodes_is_left_out(tmp_path: Path, bring: Bring) -> None:
    row = disagg_row(
        avg_power_w=750.0, joules_per_output_token=1.0, prefill_avg_power_w=700.0, decode_avg_power_w=770.0
    )
    watts, told = power(bring, tmp_path / "a.json", row)
    assert watts == ""
    assert told == [
        "blanked avg_power_w: power without power_metric_schema_version on several nodes has two meanings; "
        "it is left out"
    ]


def test_version_2_on_several_nodes(tmp_path: Path, bring: Bring) -> None:
    row = disagg_row(power_metric_schema_version=2, power_valid=1, avg_power_w=750.0, avg_total_gpu_power_w=9000.0)
    assert power(bring, tmp_path / "a.json", row) == ("750", [])


def test_version_2_withdrawn(tmp_path: Path, bring: Bring) -> None:
    row = agg_row(power_metric_schema_version=2, power_valid=0, avg_power_w=750.0)
    assert power(bring, tmp_path / "a.json", row) == (
        "",
        ["blanked avg_power_w: power_valid is not 1: the source withdraws its power"],
    )


def test_version_2_without_power_is_no_finding(tmp_path: Path, bring: Bring) -> None:
    assert power(bring, tmp_path / "a.json", agg_row(power_metric_schema_version=2, power_valid=0)) == ("", [])


def test_watts_that_do_not_follow_from_the_energy(tmp_path: Path, bring: Bring) -> None:
    row = agg_row(avg_power_w=750.0, joules_per_output_token=2 * 750 / OUTPUT)
    watts, told = power(bring, tmp_path / "a.json", row)
    assert watts == ""
    assert told == ["blanked avg_power_w: 7.89876 J per output token make 1500 W per chip; power is left out"]


def test_watts_that_do_not_follow_from_the_sum_of_all_chips(tmp_path: Path, bring: Bring) -> None:
    row = agg_row(power_metric_schema_version=2, power_valid=1, avg_power_w=750.0, avg_total_gpu_power_w=750.0)
    watts, told = power(bring, tmp_path / "a.json", row)
    assert watts == ""
    assert told == ["blanked avg_power_w: 750 W of all 8 chips make 93.75 W; power is left out"]


def test_the_user_states_the_power_of_files_that_carry_none(tmp_path: Path, bring: Bring) -> None:
    done = bring(write(tmp_path / "a.json", [agg_row()]), "--power", "612.5")
    assert done.rows[0]["chip_power_mean_w"] == "612.5"
    measured = bring(write(tmp_path / "b.json", [agg_row(9, avg_power_w=750.0)]), "--power", "612.5")
    assert pytest.approx(750) == float(next(r for r in measured.rows if r["concurrency"] == "9")["chip_power_mean_w"])
