"""The tables against the documents and data sets that they were taken from.

The originals are not part of this project (they are other people's texts). Where they are not at hand, these
tests are skipped, and say so.
"""

from __future__ import annotations

import csv
import json
import os
import re
from collections import defaultdict
from pathlib import Path

import pytest

from scoville.facts import Facts

ORIGINALS = Path(os.environ.get("SCOVILLE_ORIGINALS", Path(__file__).resolve().parents[3] / "shared"))
pytestmark = pytest.mark.skipif(
    not (ORIGINALS / "sources").is_dir(),
    reason=f"the original documents are not at {ORIGINALS}; set SCOVILLE_ORIGINALS to their folder",
)

NAMES = re.compile(r"K2\.5|R1\b|GB\d+|HBM\d|Gen \d|InferenceX|MXFP4")
NUMBER = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?")
WORDS = re.compile(r"\b(two|three|nine)\b", re.IGNORECASE)
DATES = re.compile(r"\b(Tuesday|last October|end of the year|later this year)\b")
NOT_CLAIMS = {
    # said of figures in general or of throughput and latency, not of a result
    ("002-openai-first-results", 3, "two"),
    ("004-hot-chips-report", 15, "two"),
}


def documents() -> dict[str, list[str]]:
    found = {}
    for path in sorted((ORIGINALS / "sources").glob("*.txt")):
        found[path.name[:3]] = path.read_text(encoding="utf-8").splitlines()
    return found


def test_every_claim_stands_on_its_line(facts: Facts) -> None:
    texts = documents()
    missing = [
        f"{claim_id}: {row['printed']!r} is not on line {row['line']:.0f}"
        for claim_id, row in facts.claims.iterrows()
        if row["printed"] not in texts[str(row["source_id"])[:3]][int(row["line"]) - 1]
    ]
    assert not missing, missing


def test_every_number_in_the_documents_is_a_claim(facts: Facts) -> None:
    claimed: dict[tuple[str, int], list[str]] = defaultdict(list)
    said: dict[str, set[str]] = defaultdict(set)
    for _, row in facts.claims.iterrows():
        document = str(row["source_id"])[:3]
        claimed[document, int(row["line"])].append(row["printed"])
        said[document].add(row["printed"])
    uncovered = []
    for document, lines in documents().items():
        first_seen: dict[str, int] = {}
        for number, line in enumerate(lines, start=1):
            same = first_seen.setdefault(line, number)  # subtitles of the appendix stand there twice
            printed = " ".join(claimed[document, number] + claimed[document, same])
            text = NAMES.sub("", line)
            found = NUMBER.findall(text) + WORDS.findall(text) + DATES.findall(text)
            for token in found:
                if token.isalpha() and token.lower() in {p.lower() for p in said[document]}:
                    continue  # the same count again, in the same document
                size = re.search(rf"\b{re.escape(token)}[BT]\b", text)
                if size and size.group() in said[document]:
                    continue  # a model's size in its name, claimed once a document
                source = next(s for s in facts.sources.index if str(s).startswith(document))
                if token not in printed and (source, number, token) not in NOT_CLAIMS:
                    uncovered.append(f"{document} line {number}: {token!r}")
    assert not uncovered, uncovered


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


MODEL = {"gptoss120b": "gpt-oss-120b", "dsr1": "deepseek-r1", "kimik2.5": "kimi-k2.5"}


def test_the_36_jalapeno_rows_carry_the_published_figures(facts: Facts) -> None:
    ours = facts.points[facts.points["system"] == "jalapeno"]
    published = rows(ORIGINALS / "data/facts/jalapeno_points.csv")
    assert len(ours) == len(published) == 36
    for row in published:
        (mine,) = ours[
            (ours["model"] == MODEL[row["model"]])
            & (ours["date"] == row["date"])
            & (ours["chips"] == float(row["chips"]))
            & (ours["concurrency"] == float(row["concurrency"]))
        ].to_dict("records")
        pairs = {
            "total_tok_s_per_chip": "total_tok_s_per_chip",
            "output_tok_s_per_chip": "output_tok_s_per_chip",
            "input_tok_s_per_chip": "input_tok_s_per_chip",
            "interactivity_median_tok_s_user": "median_interactivity_tok_s_user",
            "ttft_median_s": "median_ttft_s",
            "e2e_median_s": "median_e2el_s",
        }
        for column, theirs in pairs.items():
            assert mine[column] == float(row[theirs]), (row, column)


def test_every_fp4_row_of_the_dump_is_there_with_its_figures(facts: Facts) -> None:
    ours = facts.points[facts.points["source_id"] == "inferencex-dump-2026-07-20"]
    published = [
        r for r in rows(ORIGINALS / "data/facts/inferencex_points_2026-07-20.csv") if r["config_precision"] == "fp4"
    ]

    def key(model: str, system: str, engine: str, spec: str, total: float, speed: float) -> tuple[object, ...]:
        return model, system, engine, spec, total, speed

    theirs = sorted(
        key(
            MODEL[r["config_model"]],
            r["config_hardware"],
            r["config_framework"],
            r["config_spec_method"],
            float(r["metrics_tput_per_gpu"]),
            float(r["median_interactivity_tok_s_user"]),
        )
        for r in published
    )
    mine = sorted(
        key(r.model, r.system, r.engine, r.speculation, r.total_tok_s_per_chip, r.interactivity_median_tok_s_user)
        for r in ours.itertuples()
    )
    assert mine == theirs
    assert len(mine) == 695


def test_the_gb200_rows_of_the_public_run_convert_rates_to_all_chips(facts: Facts) -> None:
    ours = facts.points[facts.points["source_id"] == "inferencex-run-20786863188"]
    run = json.loads((ORIGINALS / "data/inferencex/agg_bmk/run_20786863188.json").read_text(encoding="utf-8"))
    published = [r for r in run if (r["isl"], r["osl"], r["hw"]) == (8192, 1024, "gb200")]
    assert len(published) == 3
    for row in published:
        (mine,) = ours[(ours["total_tok_s_per_chip"] == row["tput_per_gpu"])].to_dict("records")
        chips = row["num_prefill_gpu"] + row["num_decode_gpu"]
        assert mine["chips"] == chips
        assert mine["output_tok_s_per_chip"] * chips == pytest.approx(
            row["output_tput_per_gpu"] * row["num_decode_gpu"]
        )
        assert mine["e2e_mean_s"] == row["mean_e2el"]
        assert mine["interactivity_mean_tok_s_user"] == row["mean_intvty"]


def test_system_figures_follow_the_hardware_table(facts: Facts) -> None:
    hardware = {r["name"]: r for r in rows(ORIGINALS / "data/facts/hardware.csv")}
    names = {
        "jalapeno": "Jalapeño (Gen 1, A0)",
        "gb200": "GB200 (per GPU)",
        "gb300": "GB300 (per GPU)",
        "b200": "B200",
        "b300": "B300",
        "mi355x": "MI355X",
        "h200": "H200 SXM",
        "h100": "H100 SXM",
        "vr200": "Rubin GPU / VR200 (Vera Rubin NVL72)",
    }
    columns = {
        "package_power_w": "package_tdp_w",
        "memory_bandwidth_tb_s": "hbm_bandwidth_tb_s",
        "fp8_dense_pflops": "dense_fp8_pflops",
    }
    for system, name in names.items():
        for ours, theirs in columns.items():
            leading = re.match(r"[\d.]+", hardware[name][theirs])
            assert leading, (name, theirs)
            assert facts.systems.loc[system, ours] == float(leading.group()), (system, ours)
