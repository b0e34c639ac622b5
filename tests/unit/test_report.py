"""What pages say, against values worked out elsewhere."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from scoville import report
from scoville.audit import audit
from scoville.facts import Facts
from scoville.report.page import Plain


def cells(html: str) -> list[list[str]]:
    soup = BeautifulSoup(html, "html.parser")
    return [[td.get_text(" ", strip=True) for td in tr.find_all("td")] for tr in soup.select("tbody tr")]


def test_the_peaks_under_every_choice() -> None:
    rows = {row[0]: row[1:] for row in cells(report.home_page("data").peaks()._repr_html_())}
    assert rows == {
        "Per kW of package rating, OpenAI’s baseline": ["1.90×", "1.67×", "1.54×"],
        "Per kW all-in, OpenAI’s baseline": ["1.51–1.84×", "1.29–1.57×", "1.19–1.45×"],
        "Per chip, OpenAI’s baseline": ["1.11×", "0.83×", "0.77×"],
        # 85,448.4 / 63,536 (B200), 19,640.6 / 13,029 (B300), 18,238.6 / 13,967 (GB200)
        "Per kW of package rating, best public NVIDIA row (single-token)": ["1.34×", "1.51×", "1.31×"],
        "Per kW of package rating, both at Jalapeño’s own peak speed, OpenAI’s baseline": ["2.17×", "3.92×", "2.37×"],
        # 58,112 / 44,960 at 5.0 s and 7,350 / 11,781 at 2.3 s; no row of GB300 on Kimi holds a TTFT
        "Per kW of package rating, within the median TTFT that OpenAI’s baseline has at its own peak": [
            "1.29×",
            "0.62×",
            "–",
        ],
        "Per kW measured: what Jalapeño drew is not published": ["–", "–", "–"],
        # 42,388 / 44,375 and 7,350 / 982; 42,388 / 50,633 (B200) and 7,350 / 11,610 (B300)
        "Both with a median TTFT of at most 2 s, OpenAI’s baseline (rows with TTFT)": ["0.96×", "7.49×", "–"],
        "Both with a median TTFT of at most 2 s, best other public row (rows with TTFT)": ["0.84×", "0.63×", "–"],
    }


def test_verdict_counts_are_those_of_the_audit(facts: Facts) -> None:
    counts = Counter(f.verdict for f in audit(facts))
    soup = BeautifulSoup(report.home_page("data").verdict_counts()._repr_html_(), "html.parser")
    shown = {li.select_one(".word").text: int(li.b.text) for li in soup.select("li")}  # type: ignore[union-attr]
    assert shown == dict(counts)
    assert sum(shown.values()) == len(facts.claims)


def glued(monkeypatch: pytest.MonkeyPatch, page: object, method: str) -> dict[str, str]:
    stored: dict[str, str] = {}

    def store(key: str, value: Plain, *, display: bool) -> None:
        assert not display
        stored[key] = repr(value)

    monkeypatch.setattr("myst_nb.glue", store)
    getattr(page, method)()
    return stored


def test_numbers_of_the_home_pages_sentences(monkeypatch: pytest.MonkeyPatch) -> None:
    values = glued(monkeypatch, report.home_page("data"), "home_numbers")
    assert values["peak_gpt-oss-120b"] == "1.90×"
    assert values["chip_kimi-k2.5"] == "0.77×"
    assert values["latency"] == (
        "The 1.7× to 3.6× lower latency is consistent with the printed seconds; "
        "1 of 3 baseline latencies stands in a public row."
    )
    assert values["contradicted"] == (
        "Contradicted by its public row: Kimi K2.5’s 18,195 mixed tok/s/kW (its row gives 18,238.6)."
    )
    assert (values["said_work"], values["said_latency"]) == ("1.5 to 1.9", "1.7 to 3.6")
    assert values["interactive"].startswith("The 2.1× of “2.1 to 4.1” times for highly interactive work")
    assert values["holds"] == (
        "From unrounded public rows follow the printed 1.9×, 1.7× and 1.5× (peaks) and 53.7×, 104.3× and 56.1× "
        "(“at previous TBT”)."
    )
    assert values["peak_ttft"].endswith("is 24.4, 23.8 and 26.0 s.")
    assert values["matched"] == "53.7×, 104.3× and 56.1×"
    assert values["matched_requests"] == "1, 5 and 4"
    assert values["end_chips"] == "9, 34 and 36"
    assert (values["all_in_low"], values["all_in_high"]) == ("1.19×", "1.84×")
    assert (values["best_low"], values["best_high"]) == ("1.31×", "1.51×")
    assert values["chip_least"] == "1.18×"  # as the chapter on the power basis says
    assert (values["start_low"], values["start_high"]) == ("2.17×", "3.92×")


def test_a_models_opening_sentences() -> None:
    page = report.model_page("deepseek-r1", "jalapeno", "gb300", "package", "none", "data")
    told = BeautifulSoup(page.summary()._repr_html_(), "html.parser").text
    assert told == (
        "Per kW of package rating, the peak of Jalapeño is 1.67× that of GB300; per kW with a share of server, network "
        "and cooling it is 1.29–1.57×; per chip it is 0.83×. "
        "The two peaks lie at different speeds, 65 and 22 tok/s per user. "
        "At equal speed the ratio runs from 3.92× at 65 to 103.9× at 170 tok/s per user. "
        "There the curve of GB300 ends: its last point keeps 5 requests in flight on 34 chips. "
        "OpenAI reads it at the baseline’s mean speed and prints 104.3×; speeds here are medians."
    )
    opening = BeautifulSoup(page.opening()._repr_html_(), "html.parser").text
    assert opening == (
        "Jalapeño against GB300: nominally 8,192 input and 1,024 output tokens, FP4 weights. "
        "This is the comparison of OpenAI’s appendix."
    )


def test_a_page_without_a_second_system_compares_nothing() -> None:
    page = report.model_page("kimi-k2.5", "jalapeno", "none", "package", "none", "data")
    assert "so nothing is compared" in page.summary()._repr_html_()
    assert "so nothing is compared here" in page.equal_speed()._repr_html_()
    assert page.frontier().to_dict()["title"] == "Jalapeño: 18,239 mixed tok/s per kW at its peak"


def test_every_public_line_best_peak_first() -> None:
    page = report.model_page("gpt-oss-120b", "jalapeno", "gb200", "package", "none", "data")
    rows = cells(page.every_line()._repr_html_())
    assert [row[0] for row in rows][:3] == ["Jalapeño", "B200", "GB200"]
    assert rows[1][4] == "63,536"
    assert rows[1][6] == "1.34×"
    peaks = [float(row[4].replace(",", "")) for row in rows]
    assert peaks == sorted(peaks, reverse=True)
    assert {row[0] for row in rows[3:]} == {"H200 SXM", "MI355X", "MI325X", "H100 SXM", "MI300X"}


@pytest.mark.parametrize(
    ("basis", "expected"),
    [
        (
            "package",
            ["raw data", "single-turn", "package", "drew", "Blackwell", "Single-token", "not for sale", "waits"],
        ),
        ("chip", ["raw data", "single-turn", "Blackwell", "Single-token", "not for sale", "waits"]),
        ("all-in", ["raw data", "single-turn", "Blackwell", "Single-token", "not for sale", "interval", "waits"]),
    ],
)
def test_caveats_that_concern_the_basis(basis: str, expected: list[str]) -> None:
    page = report.model_page("deepseek-r1", "jalapeno", "gb300", basis, "none", "data")
    soup = BeautifulSoup(page.caveats()._repr_html_(), "html.parser")
    titles = [li.strong.text for li in soup.select("li")]  # type: ignore[union-attr]
    assert len(titles) == len(expected)
    for title, word in zip(titles, expected, strict=True):
        assert word in title


def test_caveats_about_jalapeno_stay_off_pages_without_it() -> None:
    page = report.model_page("deepseek-r1", "b300", "b200", "package", "none", "data")
    soup = BeautifulSoup(page.caveats()._repr_html_(), "html.parser")
    titles = [li.strong.text for li in soup.select("li")]  # type: ignore[union-attr]
    assert any("package ratings" in title for title in titles)
    assert not any("Rubin" in title or "Jalapeño" in title for title in titles)


def test_unlike_decoding_is_said_before_any_number() -> None:
    page = report.model_page("deepseek-r1", "jalapeno", "gb300", "package", "mtp", "data")
    assert "Unlike methods." in page.caveats()._repr_html_()


def test_the_claims_of_a_model_show_verdict_and_recomputation() -> None:
    page = report.model_page("kimi-k2.5", "jalapeno", "gb300", "package", "none", "data")
    rows = {re.split(r" (?=[A-Z0-9][a-z0-9]* )", row[0])[0]: row for row in cells(page.claims()._repr_html_())}
    peak = next(row for row in cells(page.claims()._repr_html_()) if row[0].startswith("Peak throughput per kW, Jal"))
    assert peak[1] == "contradicted"
    assert peak[2] == "18,195 mixed tok/s/kW"
    assert peak[4] == "18,238.6"
    ratio = next(
        row for row in cells(page.claims()._repr_html_()) if row[0].startswith("Throughput at previous TBT, ra")
    )
    assert ratio[1:] == ["reproduced", "about 56.1× 6,744 vs. 120", "56.20 in 55.96–56.44", "56.11"]
    assert len(rows) >= 12


def test_gaps_name_what_nobody_published() -> None:
    page = report.model_page("gpt-oss-120b", "jalapeno", "gb200", "package", "none", "data")
    told = page.gaps()._repr_html_()
    assert "For Jalapeño no row holds: mean interactivity, mean TTFT, p99 TTFT, mean E2E, measured chip power." in told
    assert "No result of Jalapeño with speculative decoding was published." in told
    assert "2.1" in told


def test_the_ledger_shows_every_claim_once(facts: Facts) -> None:
    soup = BeautifulSoup(report.ledger_page("data").ledger()._repr_html_(), "html.parser")
    ids = [tr["id"] for tr in soup.select("tbody tr")]
    assert sorted(ids) == sorted(facts.claims.index)


def test_the_dictionary_shows_every_column() -> None:
    from scoville import tables

    soup = BeautifulSoup(report.sources_page("data").dictionary()._repr_html_(), "html.parser")
    for table in tables.TABLES:
        shown = [tr.td.text for tr in soup.select(f"#table-{table.name} tbody tr")]  # type: ignore[union-attr]
        assert shown == list(table.columns)
        assert all(column.description for column in table.columns.values())


def test_another_comparison_carries_none_of_openais_claims() -> None:
    page = report.model_page("deepseek-r1", "mi355x", "b300", "package", "none", "data")
    assert "prints a number about this comparison" in page.claims()._repr_html_()
    assert "appendix" not in page.opening()._repr_html_()
    assert "OpenAI" not in page.summary()._repr_html_()
    assert "Jalapeño" not in page.gaps()._repr_html_()


def test_turning_the_comparison_round_is_not_the_appendix() -> None:
    page = report.model_page("deepseek-r1", "gb300", "jalapeno", "package", "none", "data")
    assert "appendix" not in page.opening()._repr_html_()
    assert page._marked_points().empty


def test_multi_token_rows_carry_no_printed_points_and_no_single_token_caveat() -> None:
    page = report.model_page("deepseek-r1", "jalapeno", "gb300", "package", "mtp", "data")
    assert page._marked_points().empty
    told = page.caveats()._repr_html_()
    assert "Single-token prediction on both sides" not in told
    assert "Unlike methods" in told


def test_a_caveat_is_shown_where_its_scopes_fit() -> None:
    from scoville.caveats import Caveat

    def caveat(**scopes: list[str]) -> Caveat:
        return Caveat("x", "t", "t", scopes, "", "", "f", 1)

    here = {"model": "m", "systems": ["a", "b"], "basis": "package"}
    assert caveat(all=[]).concerns(**here)  # type: ignore[arg-type]
    assert caveat(systems=["b", "c"]).concerns(**here)  # type: ignore[arg-type]
    assert not caveat(systems=["c"]).concerns(**here)  # type: ignore[arg-type]
    assert not caveat(models=["n"]).concerns(**here)  # type: ignore[arg-type]
    assert not caveat(systems=["a"], basis=["chip"]).concerns(**here)  # type: ignore[arg-type]
    assert not caveat(speculation=["mtp"]).concerns(**here)  # type: ignore[arg-type]


def test_charts_of_the_first_page_and_of_baselines_have_their_data_beside_them() -> None:
    home = cells(report.home_page("data").frontier_rows()._repr_html_())
    # 10 + 13 + 29 single runs for GPT-OSS, 17 + 26 for DeepSeek R1, 9 + 18 for Kimi
    assert len(home) == 122
    assert ["GPT-OSS 120B", "GB200", "single-token"] in [row[:3] for row in home]
    page = report.baselines_page("data")
    drawn = sum(
        len(rows)
        for chart in page.curves().charts
        for rows in chart.to_dict()["datasets"].values()
        if rows and "speed" in rows[0]
    )
    assert len(cells(page.curve_rows()._repr_html_())) == drawn
    assert len(cells(page.frontier_rows()._repr_html_())) > 700


def test_what_holds_follows_the_verdicts(data_copy: Path) -> None:
    """Jalapeño's peak on GPT-OSS halved: two of three printed ratios still follow from rows."""
    path = data_copy / "points/gpt-oss-120b/jalapeno-2026-08.csv"
    text = path.read_text(encoding="utf-8")
    assert "59813.91" in text
    rows = [line for line in text.splitlines() if "59813.91" not in line]
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    told = report.home_page(str(data_copy))._holds()
    assert told.startswith("From unrounded public rows follow the printed 1.7× and 1.5× of 3 peaks and")
