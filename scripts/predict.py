# /// script
# requires-python = ">=3.11,<3.14"
# dependencies = [
#   "aiconfigurator==0.12.0",
#   "aiconfigurator-core==0.12.0",
#   "numpy==2.4.6",
#   "pandas==3.1.1",
#   "pyarrow==26.0.1",
#   "pydantic==2.14.4",
#   "scipy==1.17.1",
# ]
# ///
"""Make the rows of ``data/predictions`` again: ``uv run --script scripts/predict.py``.

NVIDIA's aiconfigurator is no dependency of the book: it is being retired, and its tables of measured kernels weigh more
than everything else together. The block above pins an environment of its own. No GPU is needed; one
combination takes 10 to 60 seconds.

The lengths are the true means of the nominal 8K/1K workload. Limits on latency are set so high that they leave nothing
out: the whole frontier of each serving mode is kept.
"""

from __future__ import annotations

import csv
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

SOURCE = "aiconfigurator-0.12.0"
ISL, OSL = 7373, 922
MODELS = {
    # model: checkpoint, system of the appendix' baseline, engines. vLLM on DeepSeek is left out: its attention rests on
    # tables scaled from other shapes or borrowed, and the tool expects a fraction of the larger Kimi's throughput
    "gpt-oss-120b": ("openai/gpt-oss-120b", "gb200", ("trtllm", "sglang", "vllm")),
    "deepseek-r1": ("nvidia/DeepSeek-V3.1-NVFP4", "gb300", ("trtllm", "sglang")),
    "kimi-k2.5": ("nvidia/Kimi-K2.5-NVFP4", "gb300", ("trtllm", "sglang", "vllm")),
}
VARIANTS = ((8, "auto", True), (72, "disagg", True), (72, "disagg", False))
"""Chips that a deployment may use, serving modes, and whether the tool's discounts on disaggregated rows apply.

A larger budget changes no aggregated worker. Without the discounts only the baselines' engine is asked for.
"""
DISCOUNTS = (
    *("prefill_latency_correction", "decode_latency_correction"),
    *("rate_match_prefill_degradation", "rate_match_decode_degradation"),
)


def main(folder: Path) -> None:
    """Write one file a model into ``folder``."""
    folder.mkdir(parents=True, exist_ok=True)
    for model, (checkpoint, system, engines) in MODELS.items():
        rows = [
            {"model": model, "system": system, "source_id": SOURCE, "evidence": "modelled", "checkpoint": checkpoint}
            | {"engine": engine, "chips_budget": budget, "discounted": str(discounted).lower()}
            | row
            for engine in engines
            for budget, mode, discounted in VARIANTS
            if discounted or engine == engines[0]
            for row in predicted(checkpoint, system, engine, budget, mode, discounted=discounted)
        ]
        columns = list(rows[0])
        with (folder / f"{model}.csv").open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, columns, lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)


def predicted(
    checkpoint: str, system: str, engine: str, budget: int, mode: str, *, discounted: bool
) -> Iterator[dict[str, object]]:
    """The rows of every serving mode that the tool writes for one combination."""
    asked: dict[str, object] = {"isl": ISL, "osl": OSL, "ttft": 100_000.0, "tpot": 1_000.0}
    with tempfile.TemporaryDirectory() as scratch:
        if discounted:
            options = {"model-path": checkpoint, "system": system, "backend": engine, "total-gpus": budget}
            command = ["default", *_flags(options | {"serving-mode": mode} | asked)]
        else:  # these cannot be set on the command line
            settings = asked | {"serving_mode": mode, "total_gpus": budget} | dict.fromkeys(DISCOUNTS, 1.0)
            for part in ("prefill", "decode"):
                settings |= {f"{part}_model_path": checkpoint, f"{part}_system_name": system}
                settings |= {f"{part}_backend_name": engine}
            path = Path(scratch) / "asked.yaml"
            path.write_text(json.dumps({"exps": [mode], mode: settings}), encoding="utf-8")  # JSON is YAML
            command = ["exp", "--yaml-path", str(path)]
        tool = str(Path(sys.executable).parent / "aiconfigurator")
        kept = _flags({"save-dir": scratch, "top-n": 1, "log-level": "ERROR"})
        subprocess.run([tool, "cli", *command, *kept], check=True, stdout=subprocess.DEVNULL)
        for kind in ("disagg", "agg"):
            for path in Path(scratch).rglob(f"{kind}/pareto.csv"):
                for row in csv.DictReader(path.read_text(encoding="utf-8").splitlines()):
                    yield as_row(row, disaggregated=kind == "disagg")


def _flags(options: dict[str, object]) -> list[str]:
    return [text for name, value in options.items() for text in (f"--{name}", str(value))]


def as_row(row: dict[str, str], *, disaggregated: bool) -> dict[str, object]:
    """One row of the tool in the columns and units of the book."""
    if disaggregated:
        parts = {part: int(row[f"({part})workers"]) * chips(row, f"({part})") for part in "pd"}
        layout = " + ".join(f"{p.upper()} {row[f'({p})workers']}×{workers(row, f'({p})')}" for p in "pd")
        version, total = row["(d)version"], sum(parts.values())
    else:
        parts, layout, version, total = {}, workers(row, ""), row["version"], chips(row, "")
    rate = float(row["seq/s"]) / total
    return {
        "engine_version": version,
        "disaggregated": str(disaggregated).lower(),
        "isl": row["isl"],
        "osl": row["osl"],
        "concurrency": row["concurrency"],
        "chips": total,
        "prefill_chips": parts.get("p", ""),
        "decode_chips": parts.get("d", ""),
        "parallelism": layout,
        # requests per second times tokens of a request: the tool's own token rate counts output only
        "total_tok_s_per_chip": round(rate * (int(row["isl"]) + int(row["osl"])), 3),
        "output_tok_s_per_chip": round(rate * int(row["osl"]), 3),
        "interactivity_tok_s_user": row["tokens/s/user"],
        "ttft_s": round(float(row["ttft"]) / 1000, 6),
        "tpot_s": round(float(row["tpot"]) / 1000, 6),
        "e2e_s": round(float(row["request_latency"]) / 1000, 6),
    }


def chips(row: dict[str, str], part: str) -> int:
    """Chips of one worker."""
    sizes = [int(row.get(f"{part}{name}") or 1) for name in ("tp", "pp", "dp", "cp")]
    return sizes[0] * sizes[1] * sizes[2] * sizes[3]


def workers(row: dict[str, str], part: str) -> str:
    """Layout of one worker; sizes of 1 are left out, but for TP."""
    sizes = {name.upper(): int(row.get(f"{part}{name}") or 1) for name in ("tp", "dp", "cp")}
    sizes["EP"] = int(row[f"{part}moe_ep"])
    return " ".join(f"{name}{size}" for name, size in sizes.items() if size > 1 or name == "TP")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent / "data" / "predictions")
