"""All foreign formats, and which one a file is. A file is recognised by its content; its name plays no part."""

from __future__ import annotations

from collections.abc import Callable

from scoville.ingest import (
    aiperf,
    guidellm,
    inference_perf,
    inferencex,
    inferencex_api,
    inferencex_csv,
    inferencex_dump,
    own_csv,
    sglang,
    vllm,
)
from scoville.ingest.documents import Document
from scoville.ingest.formats import Format

FORMATS: tuple[Format, ...] = (
    inferencex.FORMAT,
    inferencex_api.FORMAT,
    inferencex_csv.FORMAT,
    inferencex_dump.FORMAT,
    vllm.FORMAT,
    sglang.FORMAT,
    aiperf.FORMAT,
    guidellm.FORMAT,
    inference_perf.FORMAT,
    own_csv.FORMAT,
)


def recognise(document: Document) -> Format:
    """The one format that a file is of.

    Raises:
        InputError: when it is of none (with what was looked for, or with what else the file is) or of several.
    """
    found = [f for f in FORMATS if f.matches(document)]
    if len(found) == 1:
        return found[0]
    if found:
        raise document.unusable(f"a file of one format; this one looks like {' and '.join(f.name for f in found)}")
    if companion := known_companion(document):
        raise document.unusable(f"a result file; this is {companion}")
    wanted = "".join(f"\n    {f.looks_for}" for f in FORMATS)
    raise document.unusable(f"a result file. This is none of these:{wanted}")


def known_companion(document: Document) -> str:
    """What a file is that belongs to a known tool but holds no operating points; else empty."""
    if document.is_empty:
        return f"an empty file ({len(document.data)} bytes); the run or download that was to fill it may have failed"
    if document.is_web_page:
        return "a web page (HTML), such as a server answers instead of a file; download the file again"
    if document.is_json:
        first = document.values[0] if document.values else None
        sample = first[0] if isinstance(first, list) and first else first
        keys = set(sample) if isinstance(sample, dict) else set()
        return next((told for test, told in _JSON_COMPANIONS if test(keys)), "")
    if inferencex_dump.saved_again(document):
        return "a database dump that a spreadsheet saved again; use the file as it was published, with commas"
    header = set(inferencex_dump.header(document))
    return next((told for test, told in _CSV_COMPANIONS if test(header)), "")


def _has(*keys: str) -> Callable[[set[str]], bool]:
    return lambda found: set(keys) <= found


_Companions = tuple[tuple[Callable[[set[str]], bool], str], ...]

_JSON_COMPANIONS: _Companions = (
    (_has("error"), "an error message of the InferenceX API, not its rows; ask it again"),
    (_has("url", "etag", "rows", "sha256"), "the receipt of an answer that scoville fetch saved; use the answer"),
    (_has("task", "score", "hw"), "accuracy results of InferenceX (agg_eval_all.json)"),
    (_has("metadata", "metrics"), "single requests of AIPerf; use profile_export_aiperf.json beside it"),
    (_has("request", "response", "start_time"), "single requests; use the stage_N_lifecycle_metrics.json beside it"),
    (_has("UsedModel", "Performance_Result"), "MLPerf results, which hold no concurrency"),
    (_has("results", "version", "name"), "a result of llmperf, whose token latency includes the first token"),
    (_has("power_valid", "reasons"), "the check of a run's power; its verdict is in the agg file"),
    (_has("combined", "per_run"), "several runs of AIPerf pooled; use the profile_export_aiperf.json of each"),
)
_CSV_COMPANIONS: _Companions = (
    (_has(*inferencex_dump.CONFIG_KEYS), "the configurations of a database dump, read beside its results"),
    (_has(*inferencex_dump.RUN_KEYS), "the runs of a database dump, read beside its results"),
    (_has("timestamp", "index", "power.draw [W]"), "GPU telemetry; say the mean watts of a chip with --power"),
    (_has("Metric", "avg", "p99"), "the table of an AIPerf run; profile_export_aiperf.json beside it holds more"),
)
