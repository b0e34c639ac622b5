"""Load generators: what their files have in common, and how a run becomes a row.

They measure the server as a whole from outside. They do not know the chips behind it, so the user says how many
there are (``--chips``) and of which system (``--system``); every rate is divided by that count.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from scoville.ingest import names
from scoville.ingest.documents import Document
from scoville.ingest.fields import count, number, one
from scoville.ingest.options import Options, flag
from scoville.ingest.points import Record
from scoville.problems import InputError, Problem

RATE_TIMES_DURATION = 0.02
"""A rate times the duration against the tokens or requests that were counted, relative."""

RETOKENISED = 0.05
"""Output tokens as the server counted them against those that the client counted again, relative."""


@dataclass(slots=True)
class Run:
    """One run of a load generator over the whole deployment; None where the file does not say.

    Attributes:
        model: name as served.
        completed, failed: requests.
        duration_s: from the first request to the last answer.
        input_tokens, output_tokens: over all completed requests.
        requests_per_s, input_tok_s, output_tok_s, total_tok_s: rates as the file states them.
        concurrency: requests in flight that the client allowed; None without a limit.
        request_rate: requests per second that the client aimed at; None for as fast as possible.
        speculation_seen: whether the file shows that tokens were drafted and accepted.
        isl_nominal, osl_nominal: lengths that the client was asked for.
        parallelism: layout of the server, where it told the client.
        chip_power_w: mean watts of one chip, where the client measured all of them.
        keys: names under which the file holds the rates and the counts that they follow from.
    """

    model: str | None = None
    completed: int | None = None
    failed: int | None = None
    duration_s: float | None = None
    input_tokens: float | None = None
    output_tokens: float | None = None
    requests_per_s: float | None = None
    input_tok_s: float | None = None
    output_tok_s: float | None = None
    total_tok_s: float | None = None
    concurrency: int | None = None
    request_rate: float | None = None
    speculation_seen: bool = False
    isl_nominal: int | None = None
    osl_nominal: int | None = None
    parallelism: str | None = None
    chip_power_w: float | None = None
    keys: tuple[str, ...] = ()


def read_run(record: Record, row: Mapping[str, Any], keys: Mapping[str, tuple[str, Any]]) -> Run:
    """A run, from a mapping of its attributes to keys of the file and how each is read."""
    run = Run(keys=tuple(key for key, _ in keys.values()))
    for name, (key, read) in keys.items():
        setattr(run, name, one(record, row, key, read, needed=name in ("completed", "failed")))
    return run


def require(document: Document, options: Options) -> None:
    """Ask for the options that no load generator can do without.

    Raises:
        InputError: that names each missing option.
    """
    missing = [
        (options.system, "system", "which system was measured; give its key, such as b200"),
        (options.chips, "chips", "how many chips served the load; count prefill chips too"),
    ]
    problems = [
        Problem(document.name, expected=f"expected {flag(name)}: a load generator does not know {what}")
        for value, name, what in missing
        if value is None
    ]
    if problems:
        raise InputError(problems)


def assumed(options: Options) -> list[str]:
    """What the rows of a load generator lack without the user's word, and what that keeps them from."""
    notes = []
    if options.speculation is None:
        notes.append(f"decoding taken as single-token; {flag('speculation')} says otherwise")
    if options.precision is None:
        notes.append(f"no precision: the model pages compare FP4 rows; {flag('precision')} states it")
    if options.engine is None:
        notes.append(f"no engine; {flag('engine')} states it")
    return notes


def convert(record: Record, run: Run, options: Options) -> None:
    """Put a run into the record's point: per-chip rates, mean lengths, configuration.

    Refused are runs without a completed request, with more failures than allowed, without a held concurrency,
    and with rates that do not follow from their own counts.
    """
    if record.refused:
        return  # for a value that could not be read: nothing is missing
    _check_failures(record, run, options)
    _check_load(record, run)
    _check_rates(record, run)
    if record.refused:
        return
    _configure(record, run, options)
    _fill(record, run, options)


def check_failures(record: Record, succeeded: int | None, failed: int | None, options: Options) -> None:
    """Note failed requests, and refuse the row when their share is above ``--allow-failures``."""
    if not failed or succeeded is None:
        return
    everything = succeeded + failed
    share = 100 * failed / everything
    words = f"{failed:,} of {everything:,} requests failed ({share:.2g} %)"
    if share > options.allow_failures:
        limit = f"more than {options.allow_failures:g} %; say {flag('allow_failures')} to keep it"
        record.refuse("failed", failed, f"{words}, {limit}")
    else:
        record.note(words)


def _check_failures(record: Record, run: Run, options: Options) -> None:
    if not run.completed:
        record.refuse("completed", run.completed or 0, "no request succeeded")
        return
    check_failures(record, run.completed, run.failed, options)


def _check_load(record: Record, run: Run) -> None:
    arrival = "as fast as the client could" if run.request_rate is None else f"at {run.request_rate:g} per second"
    if run.concurrency:
        record.open_loop = "" if run.request_rate is None else f"requests came {arrival}"
        return
    record.refuse(
        "concurrency",
        "",
        f"requests came {arrival}, without a limit on those in flight; the points of the book hold a "
        "concurrency: run the client with a limit",
    )


def _check_rates(record: Record, run: Run) -> None:
    """Each stated rate is what was counted over the duration; a missing one is computed so."""
    stated_total = run.total_tok_s
    tokens = (run.input_tokens or 0) + (run.output_tokens or 0)
    counted = {
        "requests_per_s": run.completed,
        "input_tok_s": run.input_tokens,
        "output_tok_s": run.output_tokens,
        "total_tok_s": tokens if run.input_tokens and run.output_tokens else None,
    }
    for name, amount in counted.items():
        stated = getattr(run, name)
        computed = amount / run.duration_s if amount and run.duration_s else None
        if stated is None:
            setattr(run, name, computed)
        elif computed is not None and abs(stated - computed) > RATE_TIMES_DURATION * computed:
            words = f"{amount:g} in {run.duration_s:.6g} s make {computed:.6g} per second"
            record.refuse(name, stated, f"{words}; it cannot be told which is wrong")
    if run.input_tok_s and run.output_tok_s and stated_total is None:
        run.total_tok_s = run.input_tok_s + run.output_tok_s
    if run.total_tok_s is None and not record.refused:
        reason = "no token throughput, and no counts that it follows from"
        record.refuse_missing("total_tok_s", "", reason, *run.keys)


def _configure(record: Record, run: Run, options: Options) -> None:
    point = record.point
    point.system, point.chips, point.engine = options.system, options.chips, options.engine
    point.precision = names.precision_key(options.precision) if options.precision else None
    point.parallelism = options.parallelism or run.parallelism
    if point.parallelism:
        point.disaggregated = point.parallelism.startswith("P ")
    point.workload = point.workload or "fixed-length"
    point.model = _model(record, run.model, options)
    point.speculation = options.speculation or "none"
    if options.speculation is None and run.speculation_seen:
        record.refuse("speculation", "", f"tokens were drafted and accepted; say {flag('speculation')} how")


def _model(record: Record, stated: str | None, options: Options) -> str | None:
    if stated is None:
        if options.model is None:
            reason = f"the file does not name the model; say {flag('model')}"
            record.refuse_missing("model", "", reason, "model", "model_id", "model_path")
        return options.model
    key, known = names.model_key(stated)
    if options.model is None or options.model == key:
        return key
    if known and names.model_key(options.model)[1]:
        record.refuse("model", stated, f"the file is of {key}, not of {options.model} as {flag('model')} says")
    record.renamed = key
    return options.model


def _fill(record: Record, run: Run, options: Options) -> None:
    point, chips = record.point, options.chips or 1
    point.concurrency = run.concurrency
    point.date = point.date or options.date
    point.isl_nominal, point.osl_nominal = options.isl or run.isl_nominal, options.osl or run.osl_nominal
    if run.completed and run.input_tokens:
        point.isl_mean = run.input_tokens / run.completed
    if run.completed and run.output_tokens:
        point.osl_mean = run.output_tokens / run.completed
    for column, rate in (("total", run.total_tok_s), ("input", run.input_tok_s), ("output", run.output_tok_s)):
        setattr(point, f"{column}_tok_s_per_chip", None if rate is None else rate / chips)
    point.chip_power_mean_w = run.chip_power_w or options.power


def limit(record: Record, row: Mapping[str, Any], key: str = "max_concurrency") -> int | None:
    """The concurrency limit of a client; 0 and null both mean none."""
    return one(record, row, key, count, needed=True) or None


def arrival_rate(record: Record, row: Mapping[str, Any], key: str = "request_rate") -> float | None:
    """The request rate of a client; None for “as fast as possible”, which vLLM writes as the text ``inf`` and
    SGLang as the bare word ``Infinity``."""
    value = row.get(key)
    if value in ("inf", float("inf"), None):
        return None
    return one(record, {key: value}, key, number, needed=True)


MEAN_MEDIAN_P99 = {"mean": "mean", "median": "median", "p99": "p99"}
