"""8K/1K and what it leaves out: memory and chains of steps worked out here, and sentences on altered data."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from bs4 import BeautifulSoup
from changed_data import edit, edit_where, read

from scoville.problems import InputError
from scoville.report import workload_page
from scoville.report.workload import WorkloadPage

ROOT = Path(__file__).resolve().parents[2]
CONTEXT = 0.9 * 8192 + 0.9 * 1024 / 2
LONG = 128 * 1024
CACHE = {  # bytes of one context in FP8: 18 layers of 2 x 8 x 64 numbers and 18 of 128 tokens; 61 of 512 + 64
    "gpt-oss-120b": lambda t: 18 * 1024 * (t + 128),
    "deepseek-r1": lambda t: 61 * 576 * t,
    "kimi-k2.5": lambda t: 61 * 576 * t,
}
HELD = {  # bytes of all weights: experts, attention, shared experts and dense blocks, router, embedding and head
    "gpt-oss-120b": lambda copies: (
        36 * 128 * 3 * 2880**2 * 4.25 / 8 + copies * 36 * 26_550_080 * 2 + 36 * 2880 * 128 * 2 + 2 * 201088 * 2880 * 2
    ),
    "deepseek-r1": lambda copies: (
        (58 * 257 * 3 * 7168 * 2048 + 3 * 3 * 7168 * 18432) * 4.25 / 8
        + copies * 61 * 187_105_280
        + 58 * 7168 * 256 * 2
        + 2 * 129280 * 7168 * 2
    ),
    "kimi-k2.5": lambda copies: (
        (60 * 385 * 3 * 7168 * 2048 + 3 * 7168 * 18432) * 4.25 / 8
        + copies * 61 * 101_122_048
        + 60 * 7168 * 384 * 2
        + 2 * 163840 * 7168 * 2
    ),
}


@pytest.fixture(scope="module")
def page() -> WorkloadPage:
    return workload_page("data")


def paragraphs(page: WorkloadPage) -> list[str]:
    return [p.text for p in BeautifulSoup(page.finding().body, "html.parser").find_all("p")]


def plain(value: Any) -> str:
    return BeautifulSoup(str(value), "html.parser").get_text(" ")


def row_of(table: Any, **wanted: str) -> Any:
    """The one row whose cells start so."""
    frame = table.frame
    for column, value in wanted.items():
        frame = frame[[plain(cell).startswith(value) for cell in frame[column]]]
    assert len(frame) == 1, frame
    return frame.iloc[0]


def fastest(model: str) -> dict[str, str]:
    path = ROOT / f"data/points/{model}/jalapeno-2026-08.csv"
    return max(read(path), key=lambda r: float(r["interactivity_median_tok_s_user"]))


def test_the_finding(page: WorkloadPage) -> None:
    first, second, third = paragraphs(page)
    assert first == (
        "No published run of Jalapeño has a long context, a second turn or a shared prefix: all 36 rows are random "
        "tokens at nominal 8K/1K (7,373 in and 922 out on average), one turn a request. Agents on public record read "
        "93–294 tokens for each that they write; 8K/1K reads 8."
    )
    assert "takes 14 %, 5 % and 4 % at the measured mean context of 7,834 tokens and 73 %, 48 % and 42 % at" in second
    assert "DeepSeek R1: 42.8 a chip on Jalapeño’s 32 (1.3 with MLA’s latent on every chip) and 32.5 a chip" in second
    assert "GPT-OSS 120B 3.5 s against 7.7 s on GB200" in third
    assert third.endswith("No row of another system publishes a TTFT for Kimi K2.5.")


@pytest.mark.parametrize(
    ("model", "name", "line", "gigabytes", "chips", "workers", "copies"),
    [
        ("gpt-oss-120b", "GPT-OSS", "Jalapeño, peak", 232, 8, 1, 8),  # TP1 EP8: attention on each of eight
        ("gpt-oss-120b", "GPT-OSS", "GB200, peak", 186, 2, 1, 2),  # data-parallel attention on two
        ("deepseek-r1", "DeepSeek", "Jalapeño, peak", 232, 32, 1, 1),
        ("deepseek-r1", "DeepSeek", "GB300, peak", 278, 4, 3, 4),
        ("kimi-k2.5", "Kimi", "Jalapeño, lowest TBT", 232, 8, 1, 1),
        ("kimi-k2.5", "Kimi", "GB300, lowest TBT", 278, 8, 4, 1),
    ],
)
def test_contexts_beside_the_weights(
    page: WorkloadPage, model: str, name: str, line: str, gigabytes: int, chips: int, workers: int, copies: int
) -> None:
    row = row_of(page.fit_table(), model=name, line=line)
    assert row["chips"] == chips * workers
    assert row["weights"] * 1e12 == pytest.approx(workers * HELD[model](copies), rel=1e-3)
    for label, context in (("8K", 8192), ("128K", LONG), ("1M", 2**20)):
        room = 0.9 * gigabytes * 1e9 * chips - HELD[model](copies)
        fit = workers * (room // CACHE[model](context))
        shown = float(plain(row[label]).split()[0].replace(",", ""))
        assert shown == pytest.approx(fit, abs=workers)


def test_copies_of_the_latent_divide_what_fits(page: WorkloadPage) -> None:
    row = row_of(page.fit_table(), model="DeepSeek", line="Jalapeño, peak")
    room = 0.9 * 7424e9 - HELD["deepseek-r1"](1)
    assert plain(row["128K"]).split()[1:] == [f"{room // (32 * CACHE['deepseek-r1'](LONG)):.0f}", "copied"]
    copied = workload_page("data", latent_replicated=True)
    assert "1.3 a chip on Jalapeño’s 32 (42.8 with MLA’s latent kept once)" in paragraphs(copied)[1]


def test_what_the_peak_rules_out(page: WorkloadPage) -> None:
    peak = max(
        read(ROOT / "data/points/deepseek-r1/jalapeno-2026-08.csv"), key=lambda r: float(r["total_tok_s_per_chip"])
    )
    decoding = float(peak["output_tok_s_per_chip"]) * 32 / float(peak["interactivity_median_tok_s_user"])
    row = row_of(page.taken_table(), model="DeepSeek", line="Jalapeño")
    assert row["batch"] == pytest.approx(decoding)
    for bits, found in zip((1, 2), row["copied"], strict=True):
        taken = HELD["deepseek-r1"](1) + decoding * 32 * bits * CACHE["deepseek-r1"](CONTEXT)
        assert found == pytest.approx(100 * taken / 7424e9, rel=1e-3)
    assert "take 94–183 % of the rated memory, FP8 to BF16: possible in FP8, not in BF16" in page.taken_told().body


def test_share_of_a_step(page: WorkloadPage) -> None:
    row = row_of(page.share_table(), model="DeepSeek", batch="1024", latent="on each of 8")
    # 1 - (1 - 8/256)^1024 is 1: every weight but embedding is read
    weights = HELD["deepseek-r1"](1) - 129280 * 7168 * 2
    cache = 1024 * 8 * CACHE["deepseek-r1"](CONTEXT)
    assert row["measured"][0] == pytest.approx(100 * cache / (cache + weights), rel=1e-3)
    assert row["measured"][1] == pytest.approx(100 * 2 * cache / (2 * cache + weights), rel=1e-3)


@pytest.mark.parametrize("model", list(CACHE))
def test_the_crossing_is_where_both_halves_are_equal(page: WorkloadPage, model: str) -> None:
    context = page.capacity.crossing(model, 64)
    assert page.capacity.weights_read(model, 64) == pytest.approx(64 * CACHE[model](context))


@pytest.mark.parametrize(("model", "name"), [("gpt-oss-120b", "GPT-OSS"), ("kimi-k2.5", "Kimi")])
def test_a_task_step_by_step(page: WorkloadPage, model: str, name: str) -> None:
    point = fastest(model)
    ttft, tbt = float(point["ttft_median_s"]), 1 / float(point["interactivity_median_tok_s_user"])
    table = page.task_table()
    for column, reuse in (("anew", 0.0), ("cached", 1.0)):
        context, held, seconds = 7373.0, 0.0, 0.0
        for _ in range(8):
            seconds += ttft * (context - reuse * held) / 7372.8 + 499 * tbt
            held = context + 500
            context = held + 1000
        found = row_of(table, model=name, system="Jalapeño")[column]
        assert found == pytest.approx(seconds) or found < seconds  # another point may be quicker without reuse
        if column == "cached":
            assert found == pytest.approx(seconds)
    assert row_of(table, model=name, system="Jalapeño")["fixed"] <= 8 * (ttft + 499 * tbt) + 1e-9


def test_a_system_without_ttft_is_a_gap(page: WorkloadPage) -> None:
    row = row_of(page.task_table(), model="Kimi", system="GB300")
    assert "no row with a TTFT is published" in plain(row["system"])
    assert row[["ttft", "seconds", "anew", "fixed"]].isna().all()


def test_recorded_traffic(page: WorkloadPage) -> None:
    row = row_of(page.workloads(), name="Coding agents in use")
    assert row["input"] == pytest.approx(54.9e9 / 357161)
    assert row["ratio"][0] == pytest.approx(54.9e9 / 186.9e6)
    assert row["reuse"][0] == pytest.approx(95.81, abs=0.01)
    agents = row_of(page.workloads(), name="AgentX, Qwen3.5 397B-A17B on GB200")
    assert round(agents["ratio"][1]) == 118


def test_ends_of_the_assumptions(page: WorkloadPage) -> None:
    table = page.assumptions()
    here = row_of(table, what="As set")
    kept = row_of(table, value="on every chip")
    assert here["mine deepseek-r1"] == pytest.approx(32 * kept["mine deepseek-r1"], rel=0.03)
    assert row_of(table, value="16 bits")["mine deepseek-r1"] == pytest.approx(here["mine deepseek-r1"] / 2, abs=0.04)


def test_a_long_or_agentic_row_changes_the_sentence(data_copy: Path) -> None:
    path = data_copy / "points/kimi-k2.5/jalapeno-2026-08.csv"
    changed = edit(path, lambda r: r | {"isl_nominal": "131072"} if r["concurrency"] == "1" else r)
    found = workload_page(str(data_copy))
    assert changed
    assert paragraphs(found)[0].startswith(f"Of 36 rows of Jalapeño, {changed} are longer than 8K and none agentic")
    assert row_of(found.wanted(), what="More than 8K")["mine"] == changed


def test_without_recorded_traffic_nothing_is_said_of_agents(data_copy: Path) -> None:
    (data_copy / "traffic.csv").unlink()
    edit_where(
        data_copy / "points/qwen3.5/inferencex-power-2026-09.csv", {"workload": "agentic"}, {"input_tok_s_per_chip": ""}
    )
    assert "Agents" not in paragraphs(workload_page(str(data_copy)))[0]


def test_memory_that_is_not_published_is_a_gap(data_copy: Path) -> None:
    edit_where(data_copy / "systems.csv", {"system": "jalapeno"}, {"memory_gb": ""})
    found = workload_page(str(data_copy))
    row = row_of(found.fit_table(), model="DeepSeek", line="Jalapeño, peak")
    assert plain(row["128K"]).startswith("–")
    assert row["range"] is None
    assert "a chip on Jalapeño" not in paragraphs(found)[1]


def test_every_wrong_parameter_is_told_at_once() -> None:
    with pytest.raises(InputError) as raised:
        workload_page("data", usable_memory=1.5, steps=0, reuse=2)
    told = str(raised.value)
    assert all(name in told for name in ("usable", "steps", "reuse"))


def test_the_charts_say_that_they_are_modelled(page: WorkloadPage) -> None:
    specs = [chart.to_dict() for chart in page.share_charts().charts] + [page.task_chart().to_dict()]  # type: ignore[union-attr]
    assert len(specs) == 4
    for spec in specs:
        assert "modelled" in str(spec["title"])
        assert "odelled" in spec["description"]
