"""AgentX rows: recorded agent traces replayed by AIPerf, with many turns and no nominal lengths.

They are a workload of their own, ``agentic``, and are never mixed with 8K/1K. Two shapes
(utils/agentic/aggregation/process_agentic_result.py of SemiAnalysisAI/InferenceX):

* flat, before July 2026: keys as in other rows, without medians, with ``users`` or ``conc``.
* nested, from 2 July 2026: ``request_metrics`` and ``server_metrics``; medians are called ``p50``.

TPOT is AIPerf's inter-token latency, over the whole response where the row has it (``full_response_itl``).
Interactivity was once averaged over requests and once inverted from the latency, so it is always computed from
TPOT here. All three rates are per all chips. Input tokens include those that the prefix cache served.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scoville.ingest.clients import check_failures
from scoville.ingest.fields import Field, count, fill, number, one, part, seconds, text
from scoville.ingest.options import Options
from scoville.ingest.points import Record

TPOT_KEYS = ("full_response_itl", "itl", "tpot")
"""Names of the time per output token, the best definition first."""

_STATISTICS = {"mean": "mean", "median": "median", "p99": "p99"}
_NESTED_STATISTICS = {"mean": "mean", "p50": "median", "median": "median", "p99": "p99"}
_LENGTHS = (
    Field("isl_mean", "mean_input_tokens", number),
    Field("osl_mean", "mean_output_tokens_actual", number),
)
_RATES = {
    "total_tput_tps": "tput_per_gpu",
    "input_tput_tps": "input_tput_per_gpu",
    "output_tput_tps": "output_tput_per_gpu",
}
_OFFLOAD_OFF = ("", "none", "off", "false")


def is_agentic(row: Mapping[str, Any]) -> bool:
    """Whether a row of a run is a replay of agent traces."""
    return str(row.get("scenario_type", "")).startswith("agentic") or isinstance(row.get("request_metrics"), dict)


def flatten(record: Record, row: Mapping[str, Any]) -> Mapping[str, Any]:
    """A nested row in the keys of flat ones; a flat row as it is."""
    metrics = part(record, row, "request_metrics", needed=True)
    if not metrics:
        return row
    flat = {k: v for k, v in row.items() if not isinstance(v, dict | list)}
    for name, block in _blocks(record, metrics, "latency"):
        flat |= {f"{_NESTED_STATISTICS[s]}_{name}": v for s, v in block.items() if s in _NESTED_STATISTICS}
    for name, block in _blocks(record, metrics, "tokens") + _blocks(record, metrics, "workload"):
        if "mean" in block:
            flat["mean_input_tokens" if name == "input" else "mean_output_tokens_actual"] = block["mean"]
    for _, block in _blocks(record, metrics, "throughput", needed=True):
        flat |= {ours: block[theirs] for theirs, ours in _RATES.items() if theirs in block}
    return flat


_BLOCKS = ("ttft", "e2el", *TPOT_KEYS, "input", "output_actual", "per_gpu")
"""Names of the blocks that are read; others may hold anything."""


def _blocks(
    record: Record, metrics: Mapping[str, Any], key: str, *, needed: bool = False
) -> list[tuple[str, dict[str, Any]]]:
    inner = part(record, metrics, key, needed=needed)
    return [(name, part(record, inner, name, needed=needed)) for name in _BLOCKS if name in inner]


def fill_latencies(record: Record, metrics: Mapping[str, Any]) -> None:
    """Latencies and mean lengths of a flat row; interactivity follows from TPOT when identities are checked."""
    fill(record, metrics, _LENGTHS)
    for statistic in _STATISTICS:
        tpot = next((k for k in TPOT_KEYS if metrics.get(f"{statistic}_{k}") is not None), TPOT_KEYS[-1])
        fill(
            record,
            metrics,
            (
                Field(f"ttft_{statistic}_s", f"{statistic}_ttft", seconds),
                Field(f"tpot_{statistic}_s", f"{statistic}_{tpot}", seconds),
                Field(f"e2e_{statistic}_s", f"{statistic}_e2el", seconds),
            ),
        )


def offload(record: Record, row: Mapping[str, Any]) -> str:
    """Where the key-value cache was offloaded to; empty for nowhere. It makes a configuration of its own."""
    for key in ("kv_offloading", "offloading", "offload_mode"):
        word = (one(record, row, key, _word, needed=True) or "").lower()
        if word not in _OFFLOAD_OFF:
            return word
    return ""


def _word(value: Any) -> str | None:
    return "on" if value is True else None if value is False else text(value)


def check_requests(record: Record, row: Mapping[str, Any], options: Options) -> None:
    """Refuse a row without a successful request, or with too many failed ones.

    Records that were dropped as warm-up are no failures, so errors are taken from ``request_accounting`` where
    the row has it.
    """
    succeeded = one(record, row, "num_requests_successful", count, needed=True)
    total = one(record, row, "num_requests_total", count, needed=True)
    if succeeded == 0:
        record.refuse("num_requests_successful", 0, "no request succeeded")
        return
    if accounting := part(record, row, "request_accounting"):
        failed = one(record, accounting, "records_error_dropped", count, needed=True)
    else:
        failed = total - succeeded if total and succeeded else None
    check_failures(record, succeeded, failed, options)
