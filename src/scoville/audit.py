"""Each claim held against the evidence: reproduced, consistent, not derivable or contradicted.

A verdict says what can be shown, not who is right:

* *reproduced*: the printed digits follow from unrounded public rows;
* *consistent*: no unrounded rows give it, but printed endpoints, a printed pair, an identity or an independent
  publication contain it within their rounding intervals;
* *not derivable*: nothing was published to derive it from;
* *contradicted*: public rows, or the printed numbers themselves, give something outside every interval.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from datetime import date
from functools import cached_property
from typing import Any, Literal

import pandas as pd

from scoville import metrics
from scoville.compare import Line, line, spread
from scoville.facts import Facts
from scoville.units import Interval, Printed

Verdict = Literal["reproduced", "consistent", "not derivable", "contradicted"]
VERDICTS: dict[Verdict, str] = {
    "reproduced": "follows from unrounded public rows",
    "consistent": "lies within the interval of what was printed or published elsewhere",
    "not derivable": "nothing was published to derive it from",
    "contradicted": "lies outside every interval",
}
ANNOUNCEMENT = "openai-2025-10-13"
"""The source that announced the development of the candidate."""
REQUESTS_PER_CLIENT = 10
"""InferenceX sends ten requests for each one that it holds in flight."""
_TELLING_QUALIFIERS = ("at or below", "below", "measured")  # the others do not change what is meant
PRIMARY = "002-openai-first-results"
CANDIDATE = "jalapeno"


@dataclass(frozen=True)
class Finding:
    """What the audit found of one claim.

    Attributes:
        claim_id, model, metric, source_id: as in the claims table; model may be empty.
        printed: the claim as printed, with qualifier and unit left out.
        candidate_printed, baseline_printed, ratio_printed: the printed numbers involved; empty where none.
        recomputed: the number recomputed from printed numbers; None where that is not possible.
        interval_low, interval_high: its rounding interval.
        verdict: one of `VERDICTS`.
        reproduced_value: the number recomputed from unrounded public rows; None where there are none.
        rests_on: what the verdict rests on, in a few words.
        note: what else a reader must know.
    """

    claim_id: str
    model: str
    metric: str
    source_id: str
    printed: str
    candidate_printed: str = ""
    baseline_printed: str = ""
    ratio_printed: str = ""
    recomputed: float | None = None
    interval_low: float | None = None
    interval_high: float | None = None
    verdict: Verdict = "not derivable"
    reproduced_value: float | None = None
    rests_on: str = ""
    note: str = ""

    @property
    def interval(self) -> Interval | None:
        """The rounding interval of `recomputed`."""
        if self.interval_low is None or self.interval_high is None:
            return None
        return Interval(self.interval_low, self.interval_high)

    def noted(self, text: str) -> Finding:
        """The same finding with a sentence added to its note."""
        return replace(self, note=" ".join(t for t in (self.note, text) if t))

    def as_dict(self) -> dict[str, Any]:
        """Plain values, for JSON and frames."""
        return asdict(self)


@dataclass(frozen=True)
class Evidence:
    """What claims are held against: public rows on package ratings, and the claims themselves."""

    facts: Facts
    _lines: dict[tuple[str, str], Line | None] = field(default_factory=dict, repr=False)

    def line(self, model: str, system: str) -> Line | None:
        """Single-token rows of a system on package ratings; None where there are none."""
        key = (model, system)
        if key not in self._lines:
            try:
                self._lines[key] = line(self.facts, model, system)
            except LookupError:
                self._lines[key] = None
        return self._lines[key]

    @cached_property
    def claims(self) -> dict[str, dict[str, Any]]:
        """Every claim as plain values, None where a cell is blank, by claim id."""
        frame = self.facts.claims.reset_index().astype(object)
        records = frame.where(frame.notna(), None).to_dict("records")
        return {str(r["claim_id"]): {str(k): v for k, v in r.items()} for r in records}

    def printed(self, claim_id: str | None) -> Printed | None:
        """The printed number of another claim."""
        return Printed.parse(self.claims[claim_id]["printed"]) if claim_id else None

    def primary_ratios(self, metric: str) -> list[dict[str, Any]]:
        """The primary document's ratios of a metric, one a model."""
        return [
            c
            for c in self.claims.values()
            if c["source_id"] == PRIMARY
            and c["metric"] == metric
            and c["side"] == "ratio"
            and c["section"].startswith("Appendix")
        ]

    def mean_at_fastest(self, model: str, system: str, column: str) -> tuple[float, str] | None:
        """A mean statistic at the configuration of the system's fastest row, where some source has it.

        Returns:
            The value and the id of its source.
        """
        side = self.line(model, system)
        if side is None:
            return None
        fastest = side.fastest
        same = side.points[
            (side.points["concurrency"] == fastest["concurrency"])
            & (side.points["chips"] == fastest["chips"])
            & (side.points["parallelism"] == fastest["parallelism"])
            & side.points[column].notna()
        ]
        if same.empty:
            return None
        return float(same.iloc[-1][column]), str(same.iloc[-1]["source_id"])


Claim = dict[str, Any]


def audit(facts: Facts) -> list[Finding]:
    """One finding for each claim, in the order of the claims table."""
    evidence = Evidence(facts)
    return [_judge(claim, evidence) for claim in evidence.claims.values()]


def disagreements(facts: Facts) -> pd.DataFrame:
    """Topics on which documents print different numbers or qualify the same number differently.

    Returns:
        One row per claim of such a topic: ``topic``, ``source_id``, ``qualifier``, ``printed``, ``unit``.
    """
    claims = facts.claims.reset_index()
    claims = claims[claims["unit"] != "ordinal"]
    qualifier = claims["qualifier"].where(claims["qualifier"].isin(_TELLING_QUALIFIERS)).fillna("")
    said = qualifier + "|" + claims["printed"].str.lower()
    differs = said.groupby(claims["topic"]).transform("nunique") > 1
    several = claims.groupby("topic")["source_id"].transform("nunique") > 1
    columns = ["topic", "claim_id", "source_id", "section", "qualifier", "printed", "unit"]
    return claims[differs & several][columns].sort_values(["topic", "source_id"], kind="stable")


def _judge(claim: Claim, evidence: Evidence) -> Finding:
    blank = Finding(
        claim_id=claim["claim_id"],
        model=claim["model"] or "",
        metric=claim["metric"],
        source_id=claim["source_id"],
        printed=claim["printed"],
        note=claim["note"] or "",
    )
    if claim["side"] == "ratio":
        rule = _RANGE_RULE if claim["range_end"] else _RATIO_RULE
        return rule(replace(blank, ratio_printed=claim["printed"]), claim, evidence)
    if claim["side"] in ("candidate", "baseline"):
        blank = replace(blank, **{f"{claim['side']}_printed": claim["printed"]})
    return _VALUE_RULES[claim["metric"]](blank, claim, evidence)


# ------------------------------------------------------------------ shared steps


def _from_rows(finding: Finding, value: float, rests_on: str) -> Finding:
    """Verdict of a printed number that public rows give directly."""
    printed = Printed.parse(finding.printed)
    found = replace(finding, reproduced_value=value, rests_on=rests_on)
    if printed.rounds_from(value):
        return replace(found, verdict="reproduced")
    off = 100 * (value / float(printed) - 1)
    return replace(found, verdict="contradicted").noted(
        f"The public row gives {_digits(value, printed)}, {off:+.2f} %."
    )


def _from_pair(finding: Finding, claim: Claim, evidence: Evidence) -> Finding:
    """Verdict of ms against tok/s/user or the other way: 1000 / one must reach the other's interval."""
    pair = evidence.printed(claim["paired_claim"])
    if pair is None:
        return replace(finding, rests_on="no second figure to hold it against")
    other = evidence.claims[claim["paired_claim"]]
    interval = Interval(1000, 1000) / pair.interval
    fits = interval.overlaps(Printed.parse(finding.printed).interval)
    return replace(
        finding,
        recomputed=1000 / float(pair),
        interval_low=interval.low,
        interval_high=interval.high,
        verdict="consistent" if fits else "contradicted",
        rests_on=f"1000 / {pair.text} {other['unit']}",
    )


def _digits(value: float, like: Printed) -> str:
    """``value`` with one digit more than ``like`` has, so that a difference shows."""
    places = max(0, -int(like.half_unit.adjusted()) - 1) + 1
    return f"{value:,.{places}f}"


# ------------------------------------------------------------------ values


def _peak(finding: Finding, claim: Claim, evidence: Evidence) -> Finding:
    side = evidence.line(claim["model"], claim["system"])
    if side is None:
        return replace(finding, rests_on="no public rows")
    row = side.peak
    return _from_rows(
        finding,
        spread(row).high,
        f"{row['total_tok_s_per_chip']:,.2f} tok/s per chip ({row['source_id']}) over the rating",
    )


def _e2e(finding: Finding, claim: Claim, evidence: Evidence) -> Finding:
    mean = evidence.mean_at_fastest(claim["model"], claim["system"], "e2e_mean_s")
    if mean is not None:
        return _from_rows(finding, mean[0], f"mean E2E of the row ({mean[1]})")
    side = evidence.line(claim["model"], claim["system"])
    if side is None or pd.isna(side.fastest["chips"]):
        return replace(finding, rests_on="no public rows")
    return _by_littles_law(finding, side.fastest)


def _by_littles_law(finding: Finding, row: pd.Series) -> Finding:
    """Verdict of a printed mean latency from the throughput of a row whose latency is not published.

    No more requests can be in flight than the client holds, so more contradicts the printed latency; fewer means
    that the run was not in a steady state, and nothing follows.
    """
    tokens, held = metrics.tokens_per_request(), float(row["concurrency"])
    rate, chips = float(row["total_tok_s_per_chip"]), float(row["chips"])
    estimate = metrics.e2e_by_littles_law(rate, chips, held, tokens)
    implied = metrics.requests_in_flight(rate, chips, float(Printed.parse(finding.printed)), tokens)
    slack = metrics.length_spread(REQUESTS_PER_CLIENT * held)
    rests_on = f"Little’s law on the public row ({row['source_id']}): {estimate:.4f} s"
    if Printed.parse(finding.printed).rounds_from(estimate) or abs(implied / held - 1) <= slack:
        note = "The public row gives no mean latency; the lengths of a short run are random."
        return replace(finding, verdict="consistent", rests_on=rests_on).noted(note)
    meant = (
        f"With the public throughput it means {implied:.2f} requests in flight at a stated concurrency of {held:.0f}"
    )
    if implied > held:
        return replace(finding, verdict="contradicted", rests_on=rests_on).noted(f"{meant}.")
    return replace(finding, rests_on="no public row with E2E at this configuration").noted(
        f"{meant}: the run was not in a steady state, or the two figures are of different runs."
    )


def _min_tbt(finding: Finding, claim: Claim, evidence: Evidence) -> Finding:
    mean = evidence.mean_at_fastest(claim["model"], claim["system"], "tpot_mean_s")
    if mean is not None:
        return _from_rows(finding, mean[0] * 1000, f"mean TPOT of the row ({mean[1]})")
    return _median_beside(_from_pair(finding, claim, evidence), claim, evidence, lambda speed: 1000 / speed, "ms")


def _speed(finding: Finding, claim: Claim, evidence: Evidence) -> Finding:
    mean = evidence.mean_at_fastest(claim["model"], claim["system"], "interactivity_mean_tok_s_user")
    if mean is not None:
        return _from_rows(finding, mean[0], f"mean interactivity of the row ({mean[1]})")
    return _median_beside(_from_pair(finding, claim, evidence), claim, evidence, float, "tok/s/user")


def _median_beside(
    finding: Finding, claim: Claim, evidence: Evidence, convert: Callable[[float], float], unit: str
) -> Finding:
    side = evidence.line(claim["model"], claim["system"])
    if side is None:
        return finding
    value = convert(side.fastest["speed"])
    return finding.noted(
        f"The public row holds the median only: {_digits(value, Printed.parse(finding.printed))} {unit}."
    )


def _matched(finding: Finding, claim: Claim, evidence: Evidence) -> Finding:
    side = evidence.line(claim["model"], claim["system"])
    speed = evidence.printed(claim["paired_claim"])
    if side is None or speed is None:
        return replace(finding, rests_on="no public rows")
    if claim["side"] == "baseline":
        return _from_rows(
            finding, spread(side.fastest).high, f"the baseline’s fastest row ({side.fastest['source_id']})"
        )
    ends = speed.interval
    linear = [side.frontier.read(x).value for x in (ends.low, float(speed), ends.high)]
    cubic = side.frontier.read(float(speed), "steffen").value
    if math.isnan(linear[1]):
        return replace(finding, rests_on="outside the measured range")
    printed = Printed.parse(finding.printed)
    reach = Interval.around(linear)
    found = replace(
        finding,
        reproduced_value=linear[1],
        interval_low=reach.low,
        interval_high=reach.high,
        rests_on=f"linear interpolation between public rows at {speed.text} tok/s/user",
    ).noted(f"Linear interpolation gives {linear[1]:,.1f}, the monotone cubic that InferenceX draws {cubic:,.1f}.")
    if reach.overlaps(printed.interval):
        return replace(found, verdict="reproduced").noted(
            f"The printed speed stands for a range, over which it is {reach.low:,.1f} to {reach.high:,.1f}."
        )
    off = f"{100 * (linear[1] / float(printed) - 1):+.2f} %"
    told = found.noted(f"Neither gives the printed digits ({off} by the linear one); the document names no method.")
    within = _ratio_times_baseline(claim, evidence)
    if within is None:
        return replace(told, verdict="contradicted")
    fits = within.overlaps(printed.interval)
    return replace(
        told,
        interval_low=within.low,
        interval_high=within.high,
        verdict="consistent" if fits else "contradicted",
        rests_on="the printed ratio times the printed baseline",
    )


def _ratio_times_baseline(claim: Claim, evidence: Evidence) -> Interval | None:
    """What the ratio that names this claim as its endpoint allows it to be, from print alone."""
    for other in evidence.claims.values():
        if other["candidate_claim"] == claim["claim_id"] and other["metric"] == claim["metric"]:
            ratio, baseline = Printed.parse(other["printed"]), evidence.printed(other["baseline_claim"])
            return None if baseline is None else ratio.interval * baseline.interval
    return None


def _rating(finding: Finding, claim: Claim, evidence: Evidence) -> Finding:
    system = evidence.facts.systems.loc[claim["system"]]
    if claim["system"] == CANDIDATE:
        return replace(finding, rests_on="stated by its maker; every other document repeats it")
    listed, source = float(system["package_power_w"]), system["power_source_id"]
    if math.isnan(listed):
        return replace(finding, rests_on="no rating in the systems table")
    fits = listed in Printed.parse(finding.printed).interval
    return replace(
        finding,
        verdict="consistent" if fits else "contradicted",
        recomputed=listed,
        rests_on=f"{listed:,.0f} W in another publication ({source})",
    )


def _sustained(finding: Finding, claim: Claim, evidence: Evidence) -> Finding:
    rating = float(evidence.facts.systems.loc[claim["system"], "package_power_w"])
    share = float(Printed.parse(finding.printed)) / rating
    wording = {"at or below": "a bound", "below": "a bound, without equality", "measured": "a measured point"}
    return replace(finding, rests_on="no power trace was published").noted(
        f"Worded as {wording.get(claim['qualifier'], 'a value')}; {share:.0%} of the rating."
    )


def _parameters(finding: Finding, claim: Claim, evidence: Evidence) -> Finding:
    counted = metrics.model_parameters(evidence.facts.models.loc[claim["model"]])
    if not math.isfinite(counted):
        return replace(finding, rests_on="dimensions of the model are missing in the models table")
    printed = Printed.parse(finding.printed)
    found = replace(finding, recomputed=counted, rests_on=f"{counted / 1e9:,.2f} B counted from the model’s dimensions")
    if counted in printed.interval:
        return replace(found, verdict="consistent")
    if counted in printed.widest:
        return replace(found, verdict="consistent").noted("Only if the trailing zero is a placeholder.")
    return replace(found, verdict="contradicted")


def _length(finding: Finding, claim: Claim, evidence: Evidence) -> Finding:
    column = "isl_nominal" if claim["metric"] == "input_tokens" else "osl_nominal"
    points = evidence.facts.points
    mine = points[points["system"] == CANDIDATE][column].dropna()
    if mine.empty:
        return replace(finding, rests_on="no public rows")
    nominal = float(mine.mode().iloc[0])
    fits = nominal in Printed.parse(finding.printed).interval
    return replace(
        finding,
        verdict="consistent" if fits else "contradicted",
        recomputed=nominal,
        rests_on=f"nominal length of the public rows: {nominal:,.0f} tokens",
    ).noted(f"Lengths are drawn from 80 to 100 % of it: {metrics.mean_length(nominal):,.0f} tokens on average.")


def _models_tested(finding: Finding, _claim: Claim, evidence: Evidence) -> Finding:
    points = evidence.facts.points
    count = points[points["system"] == CANDIDATE]["model"].nunique()
    return _from_rows(finding, float(count), "models with public Jalapeño rows")


def _results_date(finding: Finding, _claim: Claim, evidence: Evidence) -> Finding:
    day = _published(evidence, PRIMARY)
    if len(day) != len("YYYY-MM-DD"):
        return replace(finding, rests_on="the day of OpenAI’s post is not recorded")
    published = date.fromisoformat(day)
    fits = published.strftime("%A") == finding.printed
    return replace(
        finding,
        verdict="consistent" if fits else "contradicted",
        rests_on=f"OpenAI’s post is dated {published.isoformat()}, a {published:%A}",
    )


def _announcement_date(finding: Finding, _claim: Claim, evidence: Evidence) -> Finding:
    day = _published(evidence, ANNOUNCEMENT)
    if len(day) < len("YYYY-MM"):
        return replace(finding, rests_on="no dated announcement is recorded")
    month = date.fromisoformat(f"{day[:7]}-01").strftime("%B")
    fits = month in finding.printed
    rests_on = f"the collaboration was announced on {day} ({ANNOUNCEMENT})"
    return replace(finding, verdict="consistent" if fits else "contradicted", rests_on=rests_on)


def _published(evidence: Evidence, source_id: str) -> str:
    """Date of a source; empty where the source or its date is not recorded."""
    sources = evidence.facts.sources
    found = sources.loc[source_id, "published"] if source_id in sources.index else None
    return found if isinstance(found, str) else ""


def _reported(reason: str) -> Callable[[Finding, Claim, Evidence], Finding]:
    def rule(finding: Finding, _claim: Claim, _evidence: Evidence) -> Finding:
        return replace(finding, rests_on=reason)

    return rule


_VALUE_RULES: dict[str, Callable[[Finding, Claim, Evidence], Finding]] = {
    "peak_mixed_tok_s_per_kw": _peak,
    "e2e_s": _e2e,
    "min_tbt_ms": _min_tbt,
    "max_interactivity_tok_s_user": _speed,
    "matched_mixed_tok_s_per_kw": _matched,
    "matched_interactivity_tok_s_user": _speed,
    "package_power_w": _rating,
    "sustained_power_w": _sustained,
    "design_months": _reported("no dates of the design’s stages were published"),
    "porting_months": _reported("no dates of the work were published"),
    "model_parameters": _parameters,
    "input_tokens": _length,
    "output_tokens": _length,
    "models_tested": _models_tested,
    "models_ported": _reported("the chip’s original plan was not published"),
    "chip_generation": _reported("a plan, not a measurement"),
    "announcement_date": _announcement_date,
    "results_date": _results_date,
    "deployment_date": _reported("a plan, not a measurement"),
}


# ------------------------------------------------------------------ ratios


def _unrounded_ratio(claim: Claim, evidence: Evidence) -> tuple[float | None, str]:
    """The ratio from unrounded public rows of both sides, same statistic on both; and a remark beside it."""
    model, metric = claim["model"], claim["metric"]
    baseline = evidence.claims[claim["baseline_claim"]]["system"]
    mine, theirs = evidence.line(model, CANDIDATE), evidence.line(model, baseline)
    if mine is None or theirs is None:
        return None, ""
    if metric == "peak_mixed_tok_s_per_kw":
        return spread(mine.peak).high / spread(theirs.peak).high, ""
    if metric == "matched_mixed_tok_s_per_kw":
        speed = evidence.printed(claim["paired_claim"])
        value = mine.frontier.read(float(speed)).value if speed else math.nan
        return (None, "") if math.isnan(value) else (value / spread(theirs.fastest).high, "")
    if metric == "min_tbt_ms":
        medians = mine.fastest["speed"] / theirs.fastest["speed"]
        return None, f"The medians of the public rows give {medians:.3f}; the printed values are means."
    return None, _e2e_remark(claim, evidence, mine, baseline)


def _e2e_remark(claim: Claim, evidence: Evidence, mine: Line, baseline: str) -> str:
    mean = evidence.mean_at_fastest(claim["model"], baseline, "e2e_mean_s")
    if mean is None:
        return ""
    row = mine.fastest
    estimate = metrics.e2e_by_littles_law(
        row["total_tok_s_per_chip"], row["chips"], row["concurrency"], metrics.tokens_per_request()
    )
    ratio = mean[0] / estimate
    printed = Printed.parse(claim["printed"])
    would = "" if printed.rounds_from(ratio) else ", which would print as " + f"{ratio:.1f}×"
    return f"The baseline’s public mean over Little’s law on Jalapeño’s row gives {ratio:.3f}{would}."


def _ratio(finding: Finding, claim: Claim, evidence: Evidence) -> Finding:
    top, bottom = evidence.printed(claim["candidate_claim"]), evidence.printed(claim["baseline_claim"])
    if top is None or bottom is None:
        return replace(finding, rests_on="no endpoints were printed")
    found = replace(finding, candidate_printed=top.text, baseline_printed=bottom.text)
    if claim["metric"] in ("e2e_s", "min_tbt_ms"):  # lower is better: the baseline's number is the numerator
        top, bottom = bottom, top
    interval = top.interval / bottom.interval
    unrounded, remark = _unrounded_ratio(claim, evidence)
    quotient = float(top) / float(bottom)
    printed = Printed.parse(finding.printed)
    found = replace(
        found,
        recomputed=quotient,
        interval_low=interval.low,
        interval_high=interval.high,
        reproduced_value=unrounded,
    ).noted(remark)
    if not printed.rounds_from(quotient):
        found = found.noted(f"The printed numbers divide to {_digits(quotient, printed)}, not {printed.text}.")
    found = _endpoint_note(found, claim, evidence)
    if unrounded is not None and printed.rounds_from(unrounded):
        return replace(found, verdict="reproduced", rests_on="unrounded public rows of both systems")
    if interval.overlaps(printed.interval):
        return replace(found, verdict="consistent", rests_on="the printed endpoints")
    return replace(found, verdict="contradicted", rests_on="the printed endpoints")


def _endpoint_note(finding: Finding, claim: Claim, evidence: Evidence) -> Finding:
    """Say when an endpoint does not match its public row although the ratio may stand."""
    for side in ("candidate", "baseline"):
        other = _judge(evidence.claims[claim[f"{side}_claim"]], evidence)
        printed = Printed.parse(other.printed)
        value = other.reproduced_value
        if value is None or other.verdict == "reproduced":
            continue
        off = 100 * (value / float(printed) - 1)
        finding = finding.noted(
            f"Endpoint mismatch: printed {other.printed}, public rows give {_digits(value, printed)} ({off:+.2f} %)."
        )
    return finding


def _range_end(finding: Finding, claim: Claim, evidence: Evidence) -> Finding:
    """One end of a printed range: the smallest or largest of the models' ratios."""
    metric = "min_tbt_ms" if claim["metric"] == "interactive_performance" else claim["metric"]
    members = evidence.primary_ratios(metric)
    if claim["metric"] == "kernel_speedup" or not members:
        kernels, ratios = "no kernel times were published", "the document’s own ratios are not in the claims table"
        return replace(finding, rests_on=kernels if claim["metric"] == "kernel_speedup" else ratios)
    pick = min if claim["range_end"] == "low" else max
    judged = [_ratio(replace(finding, note=""), member, evidence) for member in members]
    chosen = pick(judged, key=lambda f: f.recomputed or 0.0)
    printed = Printed.parse(finding.printed)
    interval = chosen.interval
    if interval is None:
        return replace(finding, rests_on="no endpoints were printed")
    fits = interval.overlaps(printed.interval)
    listed = ", ".join(f"{f.recomputed:.2f}" for f in judged)
    found = replace(finding, recomputed=chosen.recomputed, interval_low=interval.low, interval_high=interval.high)
    if claim["metric"] == "interactive_performance":
        found = found.noted(f"The document does not define the measure; its minimum-TBT ratios are {listed}.")
        if not fits:
            empty = replace(found, recomputed=None, interval_low=None, interval_high=None)
            return replace(empty, rests_on="no published pair of numbers gives it")
        return replace(found, verdict="consistent", rests_on="the largest minimum-TBT ratio")
    which = "smallest" if claim["range_end"] == "low" else "largest"
    value = chosen.reproduced_value
    found = replace(found, reproduced_value=value, rests_on=f"the {which} of the models’ ratios ({listed})")
    if value is not None and printed.rounds_from(value):
        return replace(found, verdict="reproduced")
    return replace(found, verdict="consistent" if fits else "contradicted")


_RATIO_RULE = _ratio
_RANGE_RULE = _range_end
