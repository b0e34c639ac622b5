"""One number of a row is changed, and the check that it breaks names it."""

from __future__ import annotations

from typing import Any

import pytest
from made_files import E2E, TPOT, TTFT, agg_row, disagg_row

from scoville.ingest import identities, inferencex, rates
from scoville.ingest.documents import Document
from scoville.ingest.options import Options
from scoville.ingest.points import Record
from scoville.ingest.registry import recognise


def converted(tmp_path: Any, *rows: dict[str, Any]) -> list[Record]:
    import json

    path = tmp_path / "agg_bmk.json"
    path.write_text(json.dumps(list(rows)), encoding="utf-8")
    document = Document.read(path)
    records = recognise(document).read(document, Options()).records
    for record in records:
        if not record.refused:
            identities.check(record)
    return records


def findings(tmp_path: Any, **changes: Any) -> list[str]:
    (record,) = converted(tmp_path, agg_row(**changes))
    return [f"{'refused' if f.refused else 'blanked'} {f.field} {f.value}: {f.reason}" for f in record.findings]


def test_a_sound_row_has_no_findings(tmp_path: Any) -> None:
    one_node, two_roles = converted(tmp_path, agg_row(), disagg_row())
    assert one_node.findings == []
    assert two_roles.findings == []
    assert one_node.notes == []


def test_the_made_rows_obey_littles_law(tmp_path: Any) -> None:
    (record,) = converted(tmp_path, agg_row())
    assert record.point.total_tok_s_per_chip == pytest.approx(8 * 8294.4 / E2E / 8)
    assert identities.in_flight(record) == pytest.approx(1)


def test_interactivity_that_is_not_one_over_tpot(tmp_path: Any) -> None:
    assert findings(tmp_path, mean_intvty=150.0) == [
        "blanked tpot_mean_s 0.005: 1 / TPOT is 200 tok/s/user, the file says 150; both are left out"
    ]
    (record,) = converted(tmp_path, agg_row(mean_intvty=150.0))
    point = record.point
    assert (point.tpot_mean_s, point.interactivity_mean_tok_s_user) == (None, None)
    assert point.tpot_median_s == pytest.approx(TPOT * 0.99)


def test_tpot_in_milliseconds(tmp_path: Any) -> None:
    assert findings(tmp_path, mean_tpot=5.0) == [
        "refused tpot_mean_s 5: 1 / TPOT is 0.2 tok/s/user, the file says 200: "
        "TPOT is in milliseconds where seconds were expected"
    ]


def test_interactivity_is_filled_in_where_the_file_gives_tpot_alone(tmp_path: Any) -> None:
    (record,) = converted(tmp_path, agg_row(mean_intvty=..., median_intvty=...))
    assert record.point.interactivity_mean_tok_s_user == pytest.approx(200)
    assert record.point.interactivity_median_tok_s_user == pytest.approx(200 / 0.99)


def test_parts_that_do_not_make_the_total_are_left_out(tmp_path: Any) -> None:
    row = agg_row()
    told = findings(tmp_path, output_tput_per_gpu=row["output_tput_per_gpu"] * 2)
    assert told == [
        "blanked input and output rate 1519.23 and 379.806: input 1519.23 and output 379.806 do not make the total "
        "1709.13; Little's law confirms the total, the parts are left out"
    ]
    (record,) = converted(tmp_path, agg_row(output_tput_per_gpu=row["output_tput_per_gpu"] * 2))
    point = record.point
    assert (point.input_tok_s_per_chip, point.output_tok_s_per_chip) == (None, None)
    assert point.total_tok_s_per_chip == row["tput_per_gpu"]
    assert record.notes == ["input and output rates dropped: they do not add up to the total"]


def test_a_total_that_nothing_confirms_is_refused(tmp_path: Any) -> None:
    assert findings(tmp_path, tput_per_gpu=3000.0) == [
        "refused total rate 3000: input 1519.23 and output 189.903 do not make the total 3000, "
        "and Little's law does not confirm the total"
    ]


def test_rates_of_roles_that_were_converted_before_are_recognised(tmp_path: Any) -> None:
    row = disagg_row()
    as_all = {"input_tput_per_gpu": row["tput_per_gpu"] * 8 / 9, "output_tput_per_gpu": row["tput_per_gpu"] / 9}
    by_role, already = converted(tmp_path, row, disagg_row(**as_all))
    assert by_role.notes == ["input and output rates converted to all chips"]
    assert already.notes == ["input and output rates were per all chips already"]
    assert already.point.output_tok_s_per_chip == pytest.approx(by_role.point.output_tok_s_per_chip)


def test_e2e_that_ttft_and_tpot_do_not_make(tmp_path: Any) -> None:
    told = findings(tmp_path, mean_e2el=E2E * 1000)
    assert told == [
        "blanked e2e_mean_s 4853: the median of E2E is 4.80447 s: one of the two seems to be in another unit"
    ]
    told = findings(tmp_path, mean_e2el=E2E * 3)
    assert told == [
        "blanked e2e_mean_s 14.559: TTFT 0.25 s and 921 × TPOT 0.005 s make 4.853 s, E2E is 14.559 s; "
        "Little's law confirms the sum"
    ]


def test_ttft_that_e2e_does_not_leave_room_for(tmp_path: Any) -> None:
    assert findings(tmp_path, mean_ttft=2.0, p99_ttft=4.0) == [
        "blanked ttft_mean_s 2: TTFT 2 s and 921 × TPOT 0.005 s make 6.603 s, E2E is 4.853 s; "
        "Little's law confirms E2E; TTFT is left out"
    ]


def test_ttft_in_milliseconds(tmp_path: Any) -> None:
    assert findings(tmp_path, mean_ttft=TTFT * 1000) == [
        "blanked ttft_mean_s 250: E2E 4.853 s less 921 tokens at 200 per second leave 0.25 s: "
        "milliseconds and seconds were probably confused; TTFT is left out"
    ]


def test_three_latencies_without_a_judge_are_refused(tmp_path: Any) -> None:
    (message,) = findings(tmp_path, mean_ttft=1.0, p99_ttft=2.0, isl=None)
    assert message.startswith("refused e2e_mean_s 4.853: TTFT 1 s and 921 × TPOT")
    assert message.endswith("it cannot be told which is wrong")


def test_more_requests_in_flight_than_were_sent(tmp_path: Any) -> None:
    assert findings(tmp_path, conc=4) == [
        "refused concurrency 4: 8 requests in flight by Little's law, more than were sent: "
        "the chip count or a unit is wrong"
    ]


def test_latencies_that_are_wrong_together_break_littles_law(tmp_path: Any) -> None:
    changes = {f"{s}_{n}": agg_row()[f"{s}_{n}"] * 3 for s in ("mean", "median", "p99") for n in ("ttft", "e2el")}
    changes |= {f"{s}_tpot": TPOT * 3 for s in ("mean", "median", "p99")}
    changes |= {f"{s}_intvty": 1 / (TPOT * 3) for s in ("mean", "median")}
    assert findings(tmp_path, **changes) == [
        "refused concurrency 8: 24 requests in flight by Little's law, more than were sent: "
        "the chip count or a unit is wrong"
    ]


def test_a_load_that_was_not_held(tmp_path: Any) -> None:
    assert findings(tmp_path, conc=64) == [
        "refused concurrency 64: 8 requests in flight by Little's law: "
        "the load was not held, or the chip count or a unit is wrong"
    ]


def test_a_load_that_was_nearly_held_is_kept_with_a_note(tmp_path: Any) -> None:
    (record,) = converted(tmp_path, agg_row(conc=13))
    assert record.findings == []
    assert record.notes == ["8 requests in flight by Little's law against the stated 13: not in a steady state"]


def test_rates_of_another_load_than_the_nominal(tmp_path: Any) -> None:
    row = agg_row()
    told = findings(
        tmp_path, input_tput_per_gpu=row["tput_per_gpu"] * 6 / 7, output_tput_per_gpu=row["tput_per_gpu"] / 7
    )
    assert told == [
        "blanked isl/osl 8192/1024: input and output rates are as 6 to 1: "
        "another load, its nominal lengths are left out"
    ]


def test_a_percentile_below_the_median(tmp_path: Any) -> None:
    assert findings(tmp_path, p99_ttft=0.1) == [
        "blanked ttft_p99_s 0.1: the 99th percentile of TTFT is below its median, 0.2475 s"
    ]


def test_a_ttft_above_e2e(tmp_path: Any) -> None:
    assert findings(tmp_path, p99_ttft=19.0) == [
        "blanked ttft_p99_s 19: TTFT is above E2E, 7.2795 s; both are left out",
    ]


def test_what_markov_rules_out(tmp_path: Any) -> None:
    """Half of what is not negative is at most 2 means, 99 % of it at most 100 means."""
    row = agg_row()
    assert findings(tmp_path, median_ttft=TTFT * 2.001, p99_ttft=1.0) == [
        f"blanked ttft_mean_s {TTFT:g}: the median of TTFT is {TTFT * 2.001:.6g} s: "
        "one of the two seems to be in another unit"
    ]
    assert findings(tmp_path, median_ttft=TTFT * 1.999, p99_ttft=1.0) == []
    assert findings(tmp_path, p99_tpot=TPOT * 100.1) == [
        f"blanked tpot_p99_s {TPOT * 100.1:.6g}: the mean of TPOT is {TPOT:g} s: the two cannot be of one run"
    ]
    assert findings(tmp_path, p99_tpot=TPOT * 99.9, p99_e2el=row["mean_e2el"] * 99.9) == []


def test_medians_of_another_unit(tmp_path: Any) -> None:
    """Without means, as in the history of the API, the medians still have to be of one run."""
    gone = dict.fromkeys([f"mean_{name}" for name in ("ttft", "tpot", "e2el", "intvty")])
    assert findings(tmp_path, **gone) == []
    (told,) = findings(tmp_path, **gone, median_e2el=E2E * 990, p99_e2el=E2E * 1500)
    assert told.startswith("blanked e2e_median_s")
    assert "the medians are left out" in told


def test_more_requests_being_decoded_than_in_flight(tmp_path: Any) -> None:
    """A row without E2E: Little's law cannot be computed, but rate × TPOT can."""
    none = {f"{s}_{name}": None for s in ("mean", "median", "p99") for name in ("e2el", "ttft")}
    assert findings(tmp_path, **none) == []
    thousand = {f"{s}_tpot": agg_row()[f"{s}_tpot"] * 1000 for s in ("mean", "median", "p99")}
    speeds = {f"{s}_intvty": agg_row()[f"{s}_intvty"] / 1000 for s in ("mean", "median")}
    (slow,) = findings(tmp_path, **none, **thousand, **speeds)
    # 921.6 output tokens a request, 8 requests in 4.853 s: 1,519 tokens per second at 0.2 each
    assert slow == (
        "refused concurrency 8: output rate and interactivity make 7.6e+03 requests being decoded at a time: "
        "the chip count or a unit is wrong"
    )
    rates = {k: v / 1000 for k, v in agg_row().items() if "tput" in k}
    (few,) = findings(tmp_path, **none, **rates)
    assert few.startswith("refused concurrency 8: output rate and interactivity make 0.0076 requests")


@pytest.mark.parametrize(("value", "kept"), [(0.5, False), (501.0, True), (500_861.0, False)])
def test_watts_that_no_chip_draws(tmp_path: Any, value: float, kept: bool) -> None:
    (record,) = converted(tmp_path, agg_row(avg_power_w=value))
    assert (record.point.chip_power_mean_w == value) is kept
    assert [f.field for f in record.findings] == ([] if kept else ["chip_power_mean_w"])


def test_chips_that_the_roles_do_not_make() -> None:
    record = Record(1)
    record.point.chips, record.point.prefill_chips, record.point.decode_chips = 12, 4, 4
    identities.check(record)
    (finding,) = record.findings
    assert (finding.field, finding.value, finding.reason) == ("chips", "12", "prefill and decode chips make 8")


def test_every_metric_that_is_read_is_guarded_by_a_check(tmp_path: Any) -> None:
    """A tenfold value of any field is noticed: no single number of a row is taken on trust."""
    row = agg_row()
    unguarded = []
    for key in (*(f.key for f in inferencex.METRICS), *rates.KEYS.values()):
        (record,) = converted(tmp_path, agg_row(**{key: row[key] * 10}))
        if not record.findings:
            unguarded.append(key)
    # A percentile may be as high as it likes.
    assert unguarded == ["p99_ttft", "p99_tpot", "p99_e2el"]


GONE = dict.fromkeys(f"{s}_e2el" for s in ("mean", "median", "p99"))
THOUSAND = {f"{s}_ttft": agg_row()[f"{s}_ttft"] * 1000 for s in ("mean", "median", "p99")}


def test_ttft_in_milliseconds_without_e2e(tmp_path: Any) -> None:
    """8 requests in 4.853 s are 1.648 a second; with 250 s before the first token 420 would be there at once."""
    assert findings(tmp_path, **GONE) == []
    (told,) = findings(tmp_path, **GONE, **THOUSAND)
    assert told == (
        "blanked ttft_mean_s 250: TTFT and 921 tokens at 200 per second would keep 420 requests in flight, "
        "more than were sent: milliseconds and seconds were probably confused; TTFT is left out"
    )
    (record,) = converted(tmp_path, agg_row(**GONE, **THOUSAND))
    point = record.point
    assert (point.ttft_mean_s, point.ttft_median_s, point.ttft_p99_s) == (None, None, None)
    assert point.tpot_mean_s == TPOT
    assert not record.refused


def test_a_median_ttft_in_milliseconds_alone(tmp_path: Any) -> None:
    """As in the history of the API, which has no means; and beside an E2E whose median allows for it."""
    none = dict.fromkeys([f"mean_{name}" for name in ("ttft", "tpot", "e2el", "intvty")])
    (told,) = findings(tmp_path, **{**none, **GONE}, median_ttft=247.5, p99_ttft=375.0)
    assert told.startswith("blanked ttft_median_s 247.5: TTFT and 921 tokens at 202.02 per second would keep 416")
    quick = {"median_ttft": 2.2, "p99_ttft": 3.3}  # 2.2 ms read as seconds: 1.4 medians of E2E, which medians may be
    (told,) = findings(tmp_path, **{**none, **quick}, p99_e2el=E2E * 2)
    assert told.startswith("blanked ttft_median_s 2.2:")


def test_ttft_without_tpot_and_e2e(tmp_path: Any) -> None:
    none = dict.fromkeys([f"{s}_{name}" for s in ("mean", "median", "p99") for name in ("tpot", "e2el", "intvty")])
    assert findings(tmp_path, **none) == []
    (told,) = findings(tmp_path, **none, **THOUSAND)
    assert told == (
        "blanked ttft_mean_s 250: TTFT would keep 412 requests in flight, more than were sent: "
        "milliseconds and seconds were probably confused; TTFT is left out"
    )


def test_a_ttft_that_no_change_of_unit_explains(tmp_path: Any) -> None:
    """Twenty seconds before tokens that take a fifth of the time that the load allows for."""
    fast = {f"{s}_{n}": v for s in ("mean", "median") for n, v in (("tpot", TPOT / 5), ("intvty", 5 / TPOT))}
    (told,) = findings(tmp_path, **GONE, **fast, mean_ttft=20.0, median_ttft=20.0, p99_ttft=21.0, p99_tpot=TPOT)
    assert told.endswith("more than were sent: it is of another run or unit; TTFT is left out")


def test_a_long_wait_at_saturation_is_honest(tmp_path: Any) -> None:
    """Half of the time in the queue: TTFT 5 s, then 921 tokens; 16 requests in flight as many as were sent."""
    long = {"mean_ttft": 4.853 + TTFT, "median_ttft": 4.8, "p99_ttft": 9.0}
    assert findings(tmp_path, conc=16, **GONE, **long) == []


TTFT_COLUMNS = ("ttft_mean_s", "ttft_median_s", "ttft_p99_s")


@pytest.mark.parametrize("factor", [1000, 1 / 1000])
def test_ttft_in_another_unit_is_left_out_whole(tmp_path: Any, factor: float) -> None:
    """E2E and TPOT leave 0.25 s for TTFT; a thousandth of it hides in the tolerance of their sum."""
    row = agg_row()
    keys = ("mean_ttft", "median_ttft", "p99_ttft")
    (record,) = converted(tmp_path, agg_row(**{key: row[key] * factor for key in keys}))
    assert not record.refused
    assert [getattr(record.point, column) for column in TTFT_COLUMNS] == [None, None, None]
    assert record.point.e2e_mean_s == pytest.approx(E2E)
    (finding,) = record.findings
    assert (finding.field, finding.value) == ("ttft_mean_s", f"{TTFT * factor:.6g}")
    assert "milliseconds and seconds were probably confused" in finding.reason


@pytest.mark.parametrize("factor", [1000, 1 / 1000])
def test_ttft_in_another_unit_is_seen_by_the_medians_alone(tmp_path: Any, factor: float) -> None:
    means = dict.fromkeys(("mean_ttft", "mean_tpot", "mean_e2el", "mean_intvty", "p99_ttft"), ...)
    (record,) = converted(tmp_path, agg_row(**means, median_ttft=TTFT * factor))
    assert not record.refused
    assert record.point.ttft_median_s is None
    assert record.point.e2e_median_s == pytest.approx(E2E * 0.99)


def test_a_ttft_that_littles_law_denies_is_left_out_with_its_median_and_p99(tmp_path: Any) -> None:
    row = agg_row()
    keys = ("mean_ttft", "median_ttft", "p99_ttft")
    (record,) = converted(tmp_path, agg_row(**{key: row[key] + E2E / 2 for key in keys}))
    assert [getattr(record.point, column) for column in TTFT_COLUMNS] == [None, None, None]
    assert [(f.refused, f.field) for f in record.findings] == [(False, "ttft_mean_s")]


def test_what_repeats_the_median_is_reported(tmp_path: Any) -> None:
    row = agg_row()
    names = ("ttft", "tpot", "e2el", "intvty")
    same = {f"{s}_{name}": row[f"median_{name}"] for s in ("mean", "p99") for name in names}
    (record,) = converted(tmp_path, agg_row(**same))
    assert not record.refused
    blanked = {f.field: f.value for f in record.findings}
    assert blanked == {
        **{f"ttft_{s}_s": f"{row['median_ttft']:.6g}" for s in ("mean", "p99")},
        **{f"tpot_{s}_s": f"{row['median_tpot']:.6g}" for s in ("mean", "median", "p99")},
        **{f"e2e_{s}_s": f"{row['median_e2el']:.6g}" for s in ("mean", "p99")},
        "interactivity_mean_tok_s_user": f"{row['median_intvty']:.6g}",
    }


def test_a_run_with_a_broken_input_rate_is_not_called_digitised(tmp_path: Any) -> None:
    """Total below output: without Little's law for the total nothing says which is wrong."""
    row = agg_row()
    (record,) = converted(tmp_path, agg_row(input_tput_per_gpu=0, tput_per_gpu=row["output_tput_per_gpu"] * 0.9))
    assert record.refused
    assert record.point.evidence is None
    (record,) = converted(tmp_path, agg_row(input_tput_per_gpu=0, output_tput_per_gpu=2 * row["tput_per_gpu"]))
    assert (record.refused, record.point.evidence) == (False, None)
    assert record.point.total_tok_s_per_chip == pytest.approx(row["tput_per_gpu"])
    (finding,) = record.findings
    assert finding.field == "input and output rate"
    assert finding.value == f"0 and {2 * row['tput_per_gpu']:.6g}"
