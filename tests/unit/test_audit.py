"""The audit against the values that were worked out from the documents and the rows."""

import json
import shutil
from pathlib import Path

import pytest
from changed_data import set_cell

from scoville.audit import VERDICTS, Finding, audit, disagreements
from scoville.facts import Facts, load


@pytest.fixture(scope="module")
def findings(facts: Facts) -> dict[str, Finding]:
    return {f.claim_id: f for f in audit(facts)}


RATIOS = {  # printed, recomputed from printed endpoints, interval, verdict, from unrounded rows
    "gpt-oss-120b.peak": ("1.9", 1.90053, 1.90050, 1.90057, "reproduced", 1.90053),
    "deepseek-r1.peak": ("1.7", 1.66718, 1.66706, 1.66729, "reproduced", 1.66717),
    "kimi-k2.5.peak": ("1.5", 1.53389, 1.53378, 1.53400, "reproduced", 1.53763),
    "gpt-oss-120b.e2e": ("1.7", 1.748, 1.734, 1.761, "consistent", None),
    "deepseek-r1.e2e": ("3.6", 3.630, 3.616, 3.644, "consistent", None),
    "kimi-k2.5.e2e": ("3.4", 3.404, 3.390, 3.418, "consistent", None),
    "gpt-oss-120b.min-tbt": ("2.7", 2.710, 2.683, 2.737, "consistent", None),
    "deepseek-r1.min-tbt": ("4.1", 4.126, 4.108, 4.144, "consistent", None),
    "kimi-k2.5.min-tbt": ("3.8", 3.806, 3.789, 3.822, "consistent", None),
    "gpt-oss-120b.matched": ("53.7", 53.71, 53.65, 53.78, "reproduced", 53.73),
    "deepseek-r1.matched": ("104.3", 103.88, 103.44, 104.33, "reproduced", 104.30),
    "kimi-k2.5.matched": ("56.1", 56.20, 55.96, 56.44, "reproduced", 56.11),
}


@pytest.mark.parametrize("name", RATIOS)
def test_the_twelve_appendix_ratios(findings: dict[str, Finding], name: str) -> None:
    printed, recomputed, low, high, verdict, unrounded = RATIOS[name]
    found = findings[f"002.{name}.ratio"]
    digits = 5e-3 if recomputed > 10 else (5e-6 if "peak" in name else 5e-4)
    assert found.ratio_printed == printed
    assert found.recomputed == pytest.approx(recomputed, abs=digits)
    assert found.interval_low == pytest.approx(low, abs=1.1 * digits)
    assert found.interval_high == pytest.approx(high, abs=1.1 * digits)
    assert found.verdict == verdict
    assert found.reproduced_value == (unrounded and pytest.approx(unrounded, abs=digits))


def test_both_endpoints_stand_beside_a_ratio(findings: dict[str, Finding]) -> None:
    found = findings["002.deepseek-r1.matched.ratio"]
    assert (found.candidate_printed, found.baseline_printed) == ("12,258", "118")
    assert "The printed numbers divide to 103.88, not 104.3." in found.note


def test_printed_integers_of_kimi_divide_to_56_20(findings: dict[str, Finding]) -> None:
    assert "The printed numbers divide to 56.20, not 56.1." in findings["002.kimi-k2.5.matched.ratio"].note


def test_the_lower_end_of_highly_interactive_cannot_be_derived(findings: dict[str, Finding]) -> None:
    found = findings["002.headline.interactive.low"]
    assert found.verdict == "not derivable"
    assert found.reproduced_value is None
    assert "2.71, 4.13, 3.81" in found.note


def test_kimis_printed_peak_does_not_match_its_public_row_while_the_ratio_stands(
    findings: dict[str, Finding],
) -> None:
    endpoint, ratio = findings["002.kimi-k2.5.peak.candidate"], findings["002.kimi-k2.5.peak.ratio"]
    assert endpoint.verdict == "contradicted"
    assert endpoint.reproduced_value == pytest.approx(18238.6, abs=0.05)
    assert "+0.24 %" in endpoint.note
    assert ratio.verdict == "reproduced"
    assert "Endpoint mismatch: printed 18,195, public rows give 18,238.6 (+0.24 %)." in ratio.note


@pytest.mark.parametrize(
    ("claim", "value"),
    [
        ("gpt-oss-120b.peak.candidate", 59813.91166996877 / 0.7),
        ("deepseek-r1.peak.candidate", 13748.393106670877 / 0.7),
        ("gpt-oss-120b.peak.baseline", 44960.39),
        ("deepseek-r1.peak.baseline", 11780.79),
        ("kimi-k2.5.peak.baseline", 11861.52),
        ("deepseek-r1.matched.candidate", 12258.8),
        ("kimi-k2.5.matched.candidate", 6744.456),
        ("gpt-oss-120b.matched.baseline", 427.489),
        ("deepseek-r1.matched.baseline", 117.531),
        ("kimi-k2.5.matched.baseline", 120.209),
    ],
)
def test_endpoints_reproduced_from_unrounded_rows(findings: dict[str, Finding], claim: str, value: float) -> None:
    found = findings[f"002.{claim}"]
    assert found.verdict == "reproduced"
    assert found.reproduced_value == pytest.approx(value, rel=5e-6)


def test_gpt_oss_matched_throughput_follows_from_print_but_not_from_rows(findings: dict[str, Finding]) -> None:
    found = findings["002.gpt-oss-120b.matched.candidate"]
    assert found.verdict == "consistent"
    # 53.7 x 427, each with its rounding: 53.65 * 426.5 to 53.75 * 427.5
    assert (found.interval_low, found.interval_high) == pytest.approx((22881.7, 22978.1), abs=0.05)
    assert found.reproduced_value == pytest.approx(22970.6, abs=0.05)
    assert "+0.16 %" in found.note


def test_milliseconds_against_tokens_per_second(findings: dict[str, Finding]) -> None:
    # 0.69 ms means [1438.8, 1459.9] tok/s/user: 1,459 lies in it, though 1000 / 0.69 is 1,449
    found = findings["002.gpt-oss-120b.speed.candidate"]
    assert found.verdict == "consistent"
    assert (found.interval_low, found.interval_high) == pytest.approx((1438.85, 1459.85), abs=0.01)


def test_deepseeks_baseline_was_not_in_a_steady_state(findings: dict[str, Finding]) -> None:
    found = findings["002.deepseek-r1.e2e.baseline"]
    assert found.verdict == "not derivable"
    assert "4.04 requests in flight at a stated concurrency of 5" in found.note


def test_the_three_wordings_of_550_watts_show_as_a_disagreement(facts: Facts) -> None:
    table = disagreements(facts)
    wordings = table[table["topic"] == "jalapeno/sustained-power"].set_index("source_id")["qualifier"].to_dict()
    assert wordings == {
        "000-trade-analysis": "at or below",
        "001-news-brief": "below",
        "002-openai-first-results": "at or below",
        "003-commentary": "measured",
    }


def test_every_verdict_is_known_and_says_what_it_rests_on(findings: dict[str, Finding]) -> None:
    for found in findings.values():
        assert found.verdict in VERDICTS, found.claim_id
        assert found.rests_on, found.claim_id


def test_the_same_number_gets_the_same_verdict_in_every_document(facts: Facts, findings: dict[str, Finding]) -> None:
    claims = facts.claims.assign(verdict=[findings[c].verdict for c in facts.claims.index])
    by_number = claims.groupby(["topic", claims["printed"].str.lower(), "unit"])["verdict"].nunique()
    assert by_number[by_number > 1].empty, by_number[by_number > 1]


def spoiled(tmp_path: Path, facts: Facts, old: str, new: str) -> dict[str, Finding]:
    folder = Path(shutil.copytree(facts.folder, tmp_path / "data"))
    path = folder / "claims.csv"
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), encoding="utf-8")
    return {f.claim_id: f for f in audit(load(folder))}


@pytest.mark.parametrize(
    ("old", "new", "claim", "verdict"),
    [
        (",about,1.9,×,002.gpt", ",about,2.0,×,002.gpt", "002.gpt-oss-120b.peak.ratio", "contradicted"),
        (",about,3.6,×,002", ",about,3.7,×,002", "002.deepseek-r1.e2e.ratio", "contradicted"),
        (",about,104.3,×,", ",about,104.4,×,", "002.deepseek-r1.matched.ratio", "contradicted"),
        (',,"6,744",', ',,"6,800",', "002.kimi-k2.5.matched.candidate", "contradicted"),
        (",gb200,,,1.87,ms", ",gb200,,,1.88,ms", "002.gpt-oss-120b.min-tbt.baseline", "contradicted"),
        (",about,3.8,×,002", ",about,3.7,×,002", "002.kimi-k2.5.min-tbt.ratio", "contradicted"),
    ],
)
def test_a_wrong_number_is_contradicted(
    tmp_path: Path, facts: Facts, old: str, new: str, claim: str, verdict: str
) -> None:
    assert spoiled(tmp_path, facts, old, new)[claim].verdict == verdict


def judged(tmp_path: Path, facts: Facts, table: str, key: str, column: str, value: str) -> dict[str, Finding]:
    """The audit of a copy of the data with one cell changed."""
    folder = Path(shutil.copytree(facts.folder, tmp_path / "data"))
    set_cell(folder, table, key, column, value)
    return {f.claim_id: f for f in audit(load(folder))}


@pytest.mark.parametrize(
    ("claim", "printed", "verdict"),
    [
        ("002.deepseek-r1.e2e.candidate", "9.03", "contradicted"),  # 5.5 requests in flight of 1
        ("002.deepseek-r1.e2e.candidate", "1.66", "consistent"),  # within two standard errors of ten lengths
        ("002.kimi-k2.5.e2e.baseline", "53.1", "contradicted"),  # 38.8 requests in flight of 4
        ("002.kimi-k2.5.speed.candidate", "750", "contradicted"),  # 1.44 ms is 692 to 697
        ("002.gpt-oss-120b.package-power.baseline", "1,250", "contradicted"),
        ("002.gpt-oss-120b.input-length", "16k", "contradicted"),
        ("002.deepseek-r1.parameters", "600B", "contradicted"),
        ("004.results-date", "Monday", "contradicted"),
        ("004.announcement-date", "last November", "contradicted"),
        ("002.headline.e2e.high", "3.9", "contradicted"),
        ("002.headline.work-per-watt.low", "1.6", "contradicted"),
        ("002.gpt-oss-120b.matched.candidate", "21,000", "contradicted"),
    ],
)
def test_each_rule_can_contradict(tmp_path: Path, facts: Facts, claim: str, printed: str, verdict: str) -> None:
    assert judged(tmp_path, facts, "claims", claim, "printed", printed)[claim].verdict == verdict


@pytest.mark.parametrize(
    ("table", "key", "column", "claim"),
    [
        ("models", "gpt-oss-120b", "layers", "002.gpt-oss-120b.parameters"),
        ("models", "gpt-oss-120b", "attention", "002.gpt-oss-120b.parameters"),
        ("systems", "gb200", "package_power_w", "002.gpt-oss-120b.package-power.baseline"),
        ("sources", "002-openai-first-results", "published", "004.results-date"),
        ("sources", "openai-2025-10-13", "published", "004.announcement-date"),
    ],
)
def test_a_blank_makes_a_gap_and_not_a_contradiction(
    tmp_path: Path, facts: Facts, table: str, key: str, column: str, claim: str
) -> None:
    found = judged(tmp_path, facts, table, key, column, "")
    assert found[claim].verdict == "not derivable"
    json.dumps([f.as_dict() for f in found.values()], allow_nan=False)
