"""What must hold between the numbers of a row, whatever file it came from.

Every check has a stated tolerance. A row that breaks one is refused when the numbers that break it cannot be
told apart, and kept with a field blanked when the others confirm one another.

The tolerances were set on 1,153 rows of InferenceX (12 runs and one capture of its API): there interactivity is
1 / TPOT to the last digit, rates add up to 2e-16, the three latencies agree within 2.3 %, and Little's law gives
86 % to 100 % of the stated concurrency. The only rows outside are eight that count their chips twice.
"""

from __future__ import annotations

from collections.abc import Callable

from scoville.ingest.points import Record
from scoville.metrics import mean_length, requests_in_flight
from scoville.units import Interval

RATE_SUM = 0.001
"""Input plus output rate against the total rate, relative."""

INTERACTIVITY = 0.01
"""Interactivity times TPOT against 1. Files agree to all digits; tables that were typed round to three or so."""

PARTS = 0.01
"""Input plus output rate against the total rate, relative, once all are per all chips: what the data folder
demands of every row."""

LATENCY_SUM = 0.10
"""TTFT + (output tokens - 1) × TPOT against E2E, all means, relative."""

IN_FLIGHT = Interval(0.5, 1.25)
"""Requests in flight by Little's law over the stated concurrency. Above it more requests would run than were
sent; below it the load was not held."""

STEADY = Interval(0.7, 1.15)
"""The same for a row that can decide between two readings of another of its numbers."""

DECODING = Interval(0.002, 1.25)
"""Requests that are being decoded (output rate × TPOT) over the stated concurrency. They are part of those in flight;
where TTFT is long they are few: 1.5 % to 100 % in 1,987 rows."""

MEDIANS = Interval(0.5, 1.5)
"""Median TTFT + (output tokens - 1) × median TPOT over median E2E. Medians need not add up: 71 % to 106 % in 1,281
rows."""

LENGTH_RATIO = 0.10
"""Input over output rate against nominal input over nominal output length, relative."""

MEAN_LENGTH = Interval(0.8, 1.05)
"""Mean over nominal length: InferenceX draws from 0.8 to 1 of the nominal length, others use it exactly, and a
chat template may add a little."""

POWER = 0.05
"""Measured watts against joules per output token times output rate, relative."""

CHIP_WATTS = Interval(1, 20_000)
"""What one chip can draw, watts; those of the data draw 256 to 1,442."""

SPREAD = 200
"""Mean over median of one latency. TTFT at saturation reaches 52; milliseconds for seconds are 1000."""

MEDIAN_OVER_MEAN, P99_OVER_MEAN = 2.0, 100.0
"""By Markov's inequality no more than 1 / k of what cannot be negative is above k means."""

THOUSANDFOLD = Interval(500, 2000)
"""What E2E and TPOT leave for TTFT over the stated TTFT, where one is in milliseconds and the other in seconds. It is
not exactly 1000, as the three agree to a few percent only. Sound rows stay far below, since TTFT is at least about as
long as a TPOT."""

_PAIRS = (("ttft", "TTFT"), ("tpot", "TPOT"), ("e2e", "E2E"))
_STATISTICS = ("mean", "median", "p99")
_TTFT = tuple(f"ttft_{statistic}_s" for statistic in _STATISTICS)


def check(record: Record) -> None:
    """Check every identity; stop at the first that refuses the row."""
    for identity in IDENTITIES:
        if record.refused:
            return
        identity(record)


def tokens_per_request(record: Record) -> float | None:
    """Mean input and output tokens of a request: as measured, else by the nominal lengths, else None."""
    point = record.point
    if point.isl_mean and point.osl_mean:
        return point.isl_mean + point.osl_mean
    if point.isl_nominal and point.osl_nominal:
        return mean_length(point.isl_nominal) + mean_length(point.osl_nominal)
    return None


def in_flight(record: Record, chips: int | None = None, total: float | None = None) -> float | None:
    """Requests in flight by Little's law over the stated concurrency; None where it cannot be computed.

    Args:
        record: the row; its mean E2E is used, or the median where the mean is not there.
        chips: another chip count to try.
        total: another total rate per chip to try.
    """
    point, tokens = record.point, tokens_per_request(record)
    rate, latency = total or point.total_tok_s_per_chip, point.e2e_mean_s or point.e2e_median_s
    chips = chips or point.chips
    if not (tokens and rate and latency and chips and point.concurrency) or point.workload == "agentic":
        return None
    return requests_in_flight(rate, chips, latency, tokens) / point.concurrency


def keep_medians_only(record: Record) -> None:
    """Blank the means and percentiles of a snapshot that has only medians and repeats them as everything else.

    For formats that published snapshots travel in; a load generator with one request does the same honestly.
    """
    point = record.point
    if point.tpot_mean_s is not None and point.tpot_mean_s != point.tpot_median_s:
        return
    triples = [[getattr(point, f"{name}_{s}_s") for s in _STATISTICS] for name, _ in _PAIRS]
    known = [[value for value in triple if value is not None] for triple in triples]
    if not any(len(triple) == 3 for triple in known) or any(len(set(t)) > 1 for t in known):
        return
    repeating = [f"{name}_{statistic}_s" for name, _ in _PAIRS for statistic in ("mean", "p99")]
    for column in (*repeating, "interactivity_mean_tok_s_user", "tpot_median_s"):
        if (value := getattr(point, column)) is not None:
            again = "interactivity says the same" if column == "tpot_median_s" else "it repeats the median"
            record.blank(column, value, f"{again}; only medians are carried over", column)
    record.note("the source repeats the median as mean, p90 and p99; only medians are carried over")


def interactivity(record: Record) -> None:
    """Interactivity is 1 / TPOT of the same statistic; it is filled in where the file gives TPOT alone."""
    point = record.point
    for statistic in ("mean", "median"):
        speed_column, time_column = f"interactivity_{statistic}_tok_s_user", f"tpot_{statistic}_s"
        speed, time = getattr(point, speed_column), getattr(point, time_column)
        if time is None:
            continue
        if speed is None:
            setattr(point, speed_column, 1 / time)
            continue
        product = speed * time
        if abs(product - 1) <= INTERACTIVITY:
            continue
        words = f"1 / TPOT is {1 / time:.6g} tok/s/user, the file says {speed:.6g}"
        if 900 < product < 1100:
            record.refuse(time_column, time, f"{words}: TPOT is in milliseconds where seconds were expected")
            return
        record.blank(time_column, time, f"{words}; both are left out", speed_column, time_column)


def parts_and_wholes(record: Record) -> None:
    """Chips of both roles make all chips, and both rates make the total."""
    point = record.point
    roles = (point.prefill_chips or 0) + (point.decode_chips or 0)
    if point.prefill_chips and point.decode_chips and point.chips != roles:
        record.refuse("chips", point.chips, f"prefill and decode chips make {roles}")
    total, parts = point.total_tok_s_per_chip, (point.input_tok_s_per_chip, point.output_tok_s_per_chip)
    if total and parts[0] and parts[1] and abs(parts[0] + parts[1] - total) > PARTS * total:
        record.refuse("total_tok_s_per_chip", total, f"input and output rate make {parts[0] + parts[1]:.6g}")


def first_token_unit(record: Record) -> None:
    """TTFT is what E2E and TPOT leave for it, not a thousandth or a thousand times as much.

    By means; by medians where a mean is not there. Too short a TTFT is lost in the tolerance of `latency_sum`.
    """
    point = record.point
    tokens = point.osl_mean or (mean_length(point.osl_nominal) if point.osl_nominal else None)
    if not tokens or point.workload == "agentic":
        return
    for statistic in ("mean", "median"):
        ttft, speed, e2e = (
            getattr(point, column)
            for column in (f"ttft_{statistic}_s", f"interactivity_{statistic}_tok_s_user", f"e2e_{statistic}_s")
        )
        if not (ttft and speed and e2e):
            continue
        left = e2e - (tokens - 1) / speed
        if left > 0 and (left / ttft in THOUSANDFOLD or (ttft > e2e and ttft / left in THOUSANDFOLD)):
            words = f"E2E {e2e:.6g} s less {tokens - 1:.0f} tokens at {speed:.6g} per second leave {left:.6g} s"
            reason = f"{words}: milliseconds and seconds were probably confused; TTFT is left out"
            record.blank(f"ttft_{statistic}_s", ttft, reason, *_TTFT)
        return


def order(record: Record) -> None:
    """A 99th percentile lies between the median and 100 means, a median below 2 means, and no E2E below the TTFT."""
    point = record.point
    for name, shown in _PAIRS:
        mean, median, p99 = (getattr(point, f"{name}_{s}_s") for s in _STATISTICS)
        most = P99_OVER_MEAN * mean if mean else SPREAD * median if median and name != "ttft" else None
        if most and p99 and p99 > most:
            reason = f"the mean of {shown} is {mean:.6g} s" if mean else f"the median of {shown} is {median:.6g} s"
            record.blank(f"{name}_p99_s", p99, f"{reason}: the two cannot be of one run", f"{name}_p99_s")
        if median and p99 and p99 < median:
            reason = f"the 99th percentile of {shown} is below its median, {median:.6g} s"
            record.blank(f"{name}_p99_s", p99, reason, f"{name}_p99_s")
        if mean and median and not 1 / MEDIAN_OVER_MEAN <= mean / median < SPREAD:
            reason = f"the median of {shown} is {median:.6g} s: one of the two seems to be in another unit"
            record.blank(f"{name}_mean_s", mean, reason, f"{name}_mean_s", f"{name}_median_s")
    for statistic in _STATISTICS:
        ttft, e2e = getattr(point, f"ttft_{statistic}_s"), getattr(point, f"e2e_{statistic}_s")
        if ttft and e2e and ttft > e2e:
            reason = f"TTFT is above E2E, {e2e:.6g} s; both are left out"
            record.blank(f"ttft_{statistic}_s", ttft, reason, f"ttft_{statistic}_s", f"e2e_{statistic}_s")


def latency_sum(record: Record) -> None:
    """E2E is TTFT and then a TPOT for each further token, in means.

    When the three disagree, Little's law says whether E2E is the odd one; if it is not, TTFT is, since TPOT has
    been checked against interactivity.
    """
    point = record.point
    ttft, tpot, e2e = point.ttft_mean_s, point.tpot_mean_s, point.e2e_mean_s
    tokens = point.osl_mean or (mean_length(point.osl_nominal) if point.osl_nominal else None)
    if not (ttft and tpot and e2e and tokens) or point.workload == "agentic":
        return
    expected = ttft + (tokens - 1) * tpot
    if abs(expected - e2e) <= LATENCY_SUM * e2e:
        return
    words = f"TTFT {ttft:.6g} s and {tokens - 1:.0f} × TPOT {tpot:.6g} s make {expected:.6g} s, E2E is {e2e:.6g} s"
    point.e2e_mean_s = expected
    by_parts = in_flight(record)
    point.e2e_mean_s = e2e
    by_e2e = in_flight(record)
    if by_e2e is None or by_parts is None or (by_e2e in STEADY) == (by_parts in STEADY):
        record.refuse("e2e_mean_s", e2e, f"{words}; it cannot be told which is wrong")
    elif by_parts in STEADY:
        record.blank("e2e_mean_s", e2e, f"{words}; Little's law confirms the sum", "e2e_mean_s")
    else:
        record.blank("ttft_mean_s", ttft, f"{words}; Little's law confirms E2E; TTFT is left out", *_TTFT)


def median_sum(record: Record) -> None:
    """The medians of the three latencies are of one run and in one unit, as far as medians can tell."""
    point = record.point
    ttft, speed, e2e = point.ttft_median_s, point.interactivity_median_tok_s_user, point.e2e_median_s
    tokens = point.osl_mean or (mean_length(point.osl_nominal) if point.osl_nominal else None)
    if not (ttft and speed and e2e and tokens) or point.workload == "agentic":
        return
    expected = ttft + (tokens - 1) / speed
    if expected / e2e not in MEDIANS:
        words = f"median TTFT {ttft:.6g} s and {tokens - 1:.0f} tokens at {speed:.6g} per second make {expected:.6g} s"
        reason = f"{words}, the median of E2E is {e2e:.6g} s; the medians are left out"
        columns = ("ttft_median_s", "tpot_median_s", "interactivity_median_tok_s_user", "e2e_median_s")
        record.blank("e2e_median_s", e2e, reason, *columns)


def decoding(record: Record) -> None:
    """No more requests are being decoded than are in flight: output rate × chips × TPOT."""
    point = record.point
    tpot = point.tpot_mean_s or point.tpot_median_s
    speed = point.interactivity_mean_tok_s_user or point.interactivity_median_tok_s_user or (1 / tpot if tpot else None)
    rate = _output_rate(record)
    if not (speed and rate and point.chips and point.concurrency) or point.evidence == "digitised":
        return
    mean = rate * point.chips / speed
    share = mean / point.concurrency
    if share > DECODING.high or (share < DECODING.low and not record.open_loop and point.workload != "agentic"):
        words = f"output rate and interactivity make {mean:.3g} requests being decoded at a time"
        record.refuse("concurrency", point.concurrency, f"{words}: the chip count or a unit is wrong")


def first_token(record: Record) -> None:
    """TTFT and the tokens after it take no more requests than were sent, also where there is no E2E.

    By means and by medians: 1,402 and 1,438 rows give up to 1.06 of the stated concurrency, and 1.43 at least once
    their TTFT is multiplied by 1000.
    """
    point = record.point
    tokens = point.osl_mean or (mean_length(point.osl_nominal) if point.osl_nominal else None)
    requests = _requests_per_s(record)
    if not (tokens and requests and point.concurrency) or point.workload == "agentic":
        return
    for statistic in ("mean", "median"):
        ttft, speed = getattr(point, f"ttft_{statistic}_s"), getattr(point, f"interactivity_{statistic}_tok_s_user")
        speed = speed or point.interactivity_mean_tok_s_user or point.interactivity_median_tok_s_user
        decode_s = (tokens - 1) / speed if speed else 0.0
        if not ttft or requests * (ttft + decode_s) <= IN_FLIGHT.high * point.concurrency:
            continue
        after = f" and {tokens - 1:.0f} tokens at {speed:.6g} per second" if speed else ""
        words = f"TTFT{after} would keep {requests * (ttft + decode_s):.3g} requests in flight, more than were sent"
        as_milliseconds = requests * (ttft / 1000 + decode_s) / point.concurrency
        confused = not speed or as_milliseconds in IN_FLIGHT
        why = "milliseconds and seconds were probably confused" if confused else "it is of another run or unit"
        record.blank(f"ttft_{statistic}_s", ttft, f"{words}: {why}; TTFT is left out", *_TTFT)
        return


def _requests_per_s(record: Record) -> float | None:
    """Requests per second of the whole deployment."""
    point, tokens = record.point, tokens_per_request(record)
    if not (tokens and point.chips):
        return None
    if point.total_tok_s_per_chip:
        return point.total_tok_s_per_chip * point.chips / tokens
    length = point.osl_mean or (mean_length(point.osl_nominal) if point.osl_nominal else None)
    if point.output_tok_s_per_chip and length and point.evidence != "digitised":
        return point.output_tok_s_per_chip * point.chips / length
    return None


def _output_rate(record: Record) -> float | None:
    """Output tokens per second per chip: as measured, else the nominal share of the total."""
    point = record.point
    if point.output_tok_s_per_chip or not (point.total_tok_s_per_chip and point.isl_nominal and point.osl_nominal):
        return point.output_tok_s_per_chip
    return point.total_tok_s_per_chip * point.osl_nominal / (point.isl_nominal + point.osl_nominal)


def watts(record: Record) -> None:
    """Measured power is that of one chip."""
    measured = record.point.chip_power_mean_w
    if measured and measured not in CHIP_WATTS:
        reason = f"mean watts of one chip, {CHIP_WATTS.low:g} to {CHIP_WATTS.high:,g}, were expected"
        record.blank("chip_power_mean_w", measured, reason, "chip_power_mean_w")


def littles_law(record: Record) -> None:
    """Requests in flight are what the client held: total rate × chips × E2E / tokens per request."""
    share = in_flight(record)
    if share is None:
        return
    point = record.point
    mean = share * (point.concurrency or 0)
    words = f"{mean:.3g} requests in flight by Little's law"
    if share > IN_FLIGHT.high:
        hint = "the chip count or a unit is wrong"
        record.refuse("concurrency", point.concurrency, f"{words}, more than were sent: {hint}")
    elif share < IN_FLIGHT.low and record.open_loop:
        hint = "the points of the book hold a concurrency; run the client with a limit that is reached"
        record.refuse("concurrency", point.concurrency, f"{words}: {record.open_loop}; {hint}")
    elif share < IN_FLIGHT.low:
        hint = "the load was not held, or the chip count or a unit is wrong"
        record.refuse("concurrency", point.concurrency, f"{words}: {hint}")
    elif share < STEADY.low:
        record.note(f"{words} against the stated {point.concurrency}: not in a steady state")


def nominal_lengths(record: Record) -> None:
    """The load is the one that the nominal lengths name, by mean lengths or by the ratio of rates."""
    point = record.point
    if not (point.isl_nominal and point.osl_nominal):
        return
    for column in ("isl", "osl"):
        mean, nominal = getattr(point, f"{column}_mean"), getattr(point, f"{column}_nominal")
        if mean and mean / nominal not in MEAN_LENGTH:
            reason = f"the mean length is {mean:.6g} tokens: this is another load, its nominal lengths are left out"
            record.blank(f"{column}_nominal", nominal, reason, "isl_nominal", "osl_nominal")
            return
    if point.isl_mean or not (point.input_tok_s_per_chip and point.output_tok_s_per_chip):
        return
    rates = point.input_tok_s_per_chip / point.output_tok_s_per_chip
    if abs(rates / (point.isl_nominal / point.osl_nominal) - 1) > LENGTH_RATIO:
        load = f"{point.isl_nominal}/{point.osl_nominal}"
        reason = f"input and output rates are as {rates:.3g} to 1: another load, its nominal lengths are left out"
        record.blank("isl/osl", load, reason, "isl_nominal", "osl_nominal")


Identity = Callable[[Record], None]
IDENTITIES: tuple[Identity, ...] = (
    parts_and_wholes,
    interactivity,
    first_token_unit,
    order,
    latency_sum,
    median_sum,
    littles_law,
    decoding,
    watts,
    nominal_lengths,
    first_token,  # by the lengths, so after these were checked
)
