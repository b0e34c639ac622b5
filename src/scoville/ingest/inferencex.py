"""Rows of InferenceX: what its four dialects have in common, and the dialect of the runs themselves.

The runs write ``agg_<name>.json``, one object a configuration and concurrency, and ``agg_bmk.json``, an array of
them (utils/process_result.py and utils/collect_results.py of SemiAnalysisAI/InferenceX). Generations:

* 2025-08: hw, tp, conc, model, the total rate and latencies; 2025-09 adds framework and precision; 2025-10 the
  output and input rate and ``mtp`` (on or off).
* 2025-11-05: ep and dp_attention; disaggregated rows have ``tp`` = all chips. Lengths only from 2025-11-21 on;
  before, they stand in the file's name.
* 2025-12-05: model prefix, spec_decoding, is_multinode and separate prefill and decode layouts.
* 2026-05-26: measured power. 2026-07: pp, dcp, pcp. 2026-08: power version 2.

Latencies are in seconds. Rates are per chip: the total per all chips, input per prefill and output per decode
chip. ``std_intvty`` is 1 / std(TPOT) and means nothing; ``*_itl`` is the gap between chunks. Neither is read.
An array is empty when every job of a run failed. The run's number and day are not in the file: the number is
taken from the name of the file or folder, the day from ``--date``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from scoville.ingest import agentx, lengths, names, power, rates
from scoville.ingest.documents import Document
from scoville.ingest.fields import Field, count, day, fill, flag, latencies, number, one, seconds, text
from scoville.ingest.formats import Format, Reading, Source
from scoville.ingest.identities import STEADY, in_flight, keep_medians_only
from scoville.ingest.layout import Layout, Pool, aggregated, disaggregated, split_only, unsplit
from scoville.ingest.options import Options
from scoville.ingest.options import flag as option
from scoville.ingest.points import NOT_ASKED_FOR, Record

PUBLISHER = "SemiAnalysis"
ATTRIBUTION = "Data from InferenceX (SemiAnalysis), https://github.com/SemiAnalysisAI/InferenceX, Apache License 2.0"
RUNS = "https://github.com/SemiAnalysisAI/InferenceX/actions/runs/"
OBSERVED = ("jalapeno",)
"""Systems whose rows SemiAnalysis shows but did not run: it watched."""

NO_LAYOUT = "layout not recorded"

METRICS = (
    *latencies(
        "{statistic}_{name}",
        {"ttft": "ttft", "tpot": "tpot", "e2e": "e2el"},
        {"mean": "mean", "median": "median", "p99": "p99"},
        seconds,
    ),
    Field("interactivity_mean_tok_s_user", "mean_intvty", number),
    Field("interactivity_median_tok_s_user", "median_intvty", number),
)

# All runs of InferenceX have eleven digits; seconds since 1970 have ten, a day with a time has twelve.
_RUN_NUMBER = re.compile(r"(?<!\d)([1-9]\d{10})(?!\d)")


@dataclass(slots=True)
class Stated:
    """What a row of any dialect says of its configuration; None where it says nothing.

    Attributes:
        model, hardware: names as the row spells them.
        prefill, decode: layouts of the two roles; the same one twice where the dialect mirrors it.
        single: layout of a row that has one.
        prefill_chips, decode_chips, all_chips: counts that the row states.
        multinode: whether several nodes served the load.
        agentic: whether the load was agent traces.
        offload: where the key-value cache was offloaded to; empty for nowhere.
        metrics: the measured values, still as the file has them.
    """

    model: str | None = None
    hardware: str | None = None
    engine: str | None = None
    precision: str | None = None
    speculation: Any = None
    disaggregated: bool | None = None
    multinode: bool | None = None
    isl: int | None = None
    osl: int | None = None
    concurrency: int | None = None
    date: str | None = None
    run_url: str | None = None
    prefill: Pool | None = None
    decode: Pool | None = None
    single: Pool | None = None
    prefill_chips: int | None = None
    decode_chips: int | None = None
    all_chips: int | None = None
    agentic: bool = False
    offload: str = ""
    metrics: Mapping[str, Any] = field(default_factory=dict)


def convert(record: Record, stated: Stated, options: Options) -> None:
    """Put a row of any dialect into the record's point.

    The order matters: chip counts are confirmed by the latencies, and rates are converted by the chip counts.
    """
    _configure(record, stated, options)
    if record.refused or record.aside:
        return
    if stated.agentic:
        agentx.fill_latencies(record, stated.metrics)
    else:
        fill(record, stated.metrics, METRICS)
        keep_medians_only(record)
    given = rates.read(record, stated.metrics)
    if record.refused:
        return
    if not _apply(record, _settle_layout(record, stated, given.total), stated, options):
        return
    rates.settle(record, given)
    if not record.refused:
        power.settle(record, stated.metrics, ambiguous=bool(stated.multinode or record.point.disaggregated))
        record.point.chip_power_mean_w = record.point.chip_power_mean_w or options.power


def _configure(record: Record, stated: Stated, options: Options) -> None:
    point = record.point
    point.model = _key(record, "model", stated.model, names.model_key, options.model)
    point.system = _key(record, "system", stated.hardware, names.system_key, options.system)
    point.engine = names.engine_key(stated.engine) if stated.engine else options.engine
    point.precision = names.precision_key(stated.precision or options.precision or "") or None
    if not isinstance(stated.speculation, str | bool | None):
        record.refuse("spec_decoding", stated.speculation, "a text was expected")
    point.speculation, note = names.speculation_key(stated.speculation or options.speculation)
    if note:
        record.note(note)
    point.workload = "agentic" if stated.agentic else "fixed-length"
    if not stated.agentic:
        point.isl_nominal, point.osl_nominal = stated.isl or options.isl, stated.osl or options.osl
    point.date, point.run_url = stated.date or options.date, stated.run_url
    point.concurrency = stated.concurrency
    if not stated.concurrency:
        wanted = "a concurrency of at least 1 was expected"
        record.refuse_missing("conc", stated.concurrency, wanted, "conc", "users", "Concurrency")
    if point.system in OBSERVED and options.evidence is None:
        point.evidence = "observed"


_NAMED_BY = {
    "model": ("model", "infmax_model_prefix", "Model"),
    "system": ("hw", "hardware", "Hardware", "Hardware Key"),
}


def _key(record: Record, name: str, stated: str | None, find: Any, wanted: str | None) -> str | None:
    """The key of a model or system: what the row says, or the option where it says nothing that is known."""
    if not stated:
        if wanted is None:
            record.refuse_missing(name, "", f"the row does not name the {name}; say {option(name)}", *_NAMED_BY[name])
        return wanted
    key, known = find(stated)
    if wanted is None or wanted == key:
        return str(key)
    if known:
        record.aside = f"{key}, not the {name} {NOT_ASKED_FOR}"
    return wanted


def _apply(record: Record, layout: Layout | None, stated: Stated, options: Options) -> bool:
    """Put a layout into the point; False when there is none, or it contradicts the user."""
    point = record.point
    if layout is None and options.chips is not None:
        layout = Layout(options.chips, options.parallelism or NO_LAYOUT, disaggregated=_runs_apart(stated))
    if layout is None:
        record.refuse("chips", "", f"the row does not say how many chips served the load; {option('chips')} does")
        return False
    if options.chips is not None and options.chips != layout.chips:
        record.refuse("chips", layout.chips, f"{option('chips')} says {options.chips}; leave it out for this file")
        return False
    point.chips, point.prefill_chips, point.decode_chips = layout.chips, layout.prefill_chips, layout.decode_chips
    point.disaggregated = layout.disaggregated
    point.parallelism = layout.label + (f", KV offload {stated.offload}" if stated.offload else "")
    if layout.note:
        record.note(layout.note)
    return True


def _settle_layout(record: Record, stated: Stated, total: float | None) -> Layout | None:
    """The layout of a row: the first of its possible readings that Little's law confirms, else the first."""
    candidates = _candidates(stated)
    for layout in candidates:
        share = in_flight(record, chips=layout.chips, total=total)
        if share is not None and share in STEADY:
            return layout
    return candidates[0] if candidates else None


def _candidates(stated: Stated) -> list[Layout]:
    """The layouts that a row may mean, the likeliest first."""
    prefill_chips, decode_chips = stated.prefill_chips, stated.decode_chips
    if _runs_apart(stated):
        return _apart(stated, prefill_chips, decode_chips)
    pool = stated.single or stated.prefill or stated.decode
    if pool is None:
        return []
    counted = stated.all_chips or prefill_chips
    product = aggregated(pool)
    if counted is None or counted == product.chips:
        return [replace(product, note=f"EP{pool.ep} is more than its chips") if pool.ep > product.chips else product]
    words = f"the source counts {counted} chips, TP × PP × PCP makes {product.chips}"
    by_product = aggregated(pool, note=words)
    by_count = aggregated(pool, counted, f"{words}: taken as counted")
    return [by_product, by_count] if stated.all_chips is None else [by_count, by_product]


def _apart(stated: Stated, prefill_chips: int | None, decode_chips: int | None) -> list[Layout]:
    prefill, decode = stated.prefill, stated.decode
    if not (prefill_chips and decode_chips):
        return [unsplit(stated.single.tp)] if stated.single else []
    if prefill is None or decode is None:
        return [split_only(prefill_chips, decode_chips)]
    both = disaggregated(prefill, decode, prefill_chips, decode_chips)
    counted = (("prefill", prefill, prefill_chips), ("decode", decode, decode_chips))
    if over := [role for role, pool, chips in counted if pool.chips > chips or pool.ep > chips]:
        both = replace(both, note=f"the layout of {' and '.join(over)} takes more chips than the source counts")
    if _is_total(prefill, prefill_chips) and _is_total(decode, decode_chips) and prefill_chips == decode_chips:
        return [unsplit(prefill_chips, "early row: the source gives the total as prefill and as decode chips"), both]
    return [both]


def _is_total(pool: Pool, chips: int) -> bool:
    """Whether a role's layout is the mark of the rows of early December 2025: all chips as TP, no workers."""
    return pool.workers == 0 and pool.tp == chips and pool.ep == 1


def _runs_apart(stated: Stated) -> bool:
    """Whether prefill and decode run on separate chips. The counts decide; the flag is wrong in some rows."""
    if stated.engine and names.engine_disaggregates(stated.engine):
        return True
    if stated.decode_chips == 0 or stated.prefill_chips == 0:
        return False  # labelled disaggregated with all chips in one role
    workers = bool(stated.decode and stated.decode.workers and stated.prefill and stated.prefill.workers)
    if stated.disaggregated is False:
        mirrored = stated.prefill == stated.decode and stated.prefill_chips == stated.decode_chips
        return workers and not mirrored
    if stated.disaggregated is None:
        return bool(stated.engine and stated.engine.lower().startswith("dynamo-"))
    return True


def pool(record: Record, row: Mapping[str, Any], prefix: str = "") -> Pool | None:
    """The layout under keys such as ``prefill_tp``; None when there is no TP. A size that cannot be read refuses the
    row: it would be filed as another configuration."""
    tp = one(record, row, f"{prefix}tp", count, needed=True)
    if not tp:
        return None
    sizes = {
        "pp": one(record, row, f"{prefix}pp", count, needed=True),
        "pcp": one(record, row, f"{prefix}pcp_size", count, needed=True),
        "dcp": one(record, row, f"{prefix}dcp_size", count, needed=True),
        "ep": one(record, row, f"{prefix}ep", count, needed=True),
    }
    dpa = one(record, row, f"{prefix}dp_attention", flag, needed=True)
    workers = one(record, row, f"{prefix}num_workers", count, needed=True)
    return Pool(
        tp=tp, dpa=bool(dpa), workers=1 if workers is None else workers, **{n: s or 1 for n, s in sizes.items()}
    )


# The dialect of the runs


def rows(document: Document) -> list[Any]:
    """The rows of a file: the elements of its array, or its objects."""
    values = document.values
    return values[0] if len(values) == 1 and isinstance(values[0], list) else values


def matches(document: Document) -> bool:
    """Whether the file is an empty array, or has a row with the keys that all generations share."""
    if not document.is_json:
        return False
    found = rows(document)
    return document.values == [[]] or any(map(_is_row, found))


def _is_row(row: Any) -> bool:
    if not isinstance(row, dict) or "hw" not in row:
        return False
    return "tput_per_gpu" in row or agentx.is_agentic(row)


def read(document: Document, options: Options) -> Reading:
    """One record a row. Rows that a run's folder collects by mistake are refused one by one."""
    number_of_run = run_in_name(document)
    url = f"{RUNS}{number_of_run}" if number_of_run else None
    nominal = lengths.from_name(document.path)
    records = []
    for index, row in enumerate(rows(document), start=1):
        record = Record(index)
        if _is_row(row):
            _read_row(record, row, url, nominal, options)
        else:
            record.refuse("", type(row).__name__, "an object with hw and tput_per_gpu was expected")
        records.append(record)
    return Reading(records, _source(number_of_run), _notes(records, number_of_run, options))


OWN = (
    "no run number in the name of the file or its folder, so the rows are filed as your own (user-measured, without "
    "attribution). If the run is public, take them out and import the file from a folder run_NUMBER, with its number"
)


def _notes(records: list[Record], number_of_run: str, options: Options) -> list[str]:
    if not records:
        return ["an empty list: InferenceX writes this when every job of a run failed"]
    notes = []
    if not number_of_run and not (options.evidence and options.source_id):
        notes.append(f"{OWN} on GitHub; else {option('evidence')} and {option('source_id')} say what it is")
    if options.date is None:
        day_is = "the day of the run is not in the file, so its rows count as older than any dated ones"
        notes.append(f"{day_is}; {option('date')} states it")
    if any(r.point.workload == "fixed-length" and not r.point.isl_nominal for r in records if not r.refused):
        kept_apart = "rows without nominal lengths are never set beside rows that state them"
        notes.append(f"{kept_apart}; {option('isl')} and {option('osl')} state them")
    return notes


def _source(number_of_run: str) -> Source:
    if not number_of_run:
        note = f"No run number in the name: filed as the user's own; {option('evidence')} says otherwise."
        return Source("inferencex-agg", "Result of an InferenceX run", note=note)
    return Source(
        f"inferencex-run-{number_of_run}",
        f"InferenceX run {number_of_run}",
        "dataset",
        PUBLISHER,
        RUNS + number_of_run,
        "independently-executed",
        ATTRIBUTION,
    )


def run_in_name(document: Document) -> str:
    """Number of the run in the name of the file or its folder; empty without one."""
    for part in (document.path.stem, document.path.resolve().parent.name):
        if found := _RUN_NUMBER.search(part):
            return found[1]
    return ""


def _read_row(
    record: Record, row: dict[str, Any], url: str | None, nominal: tuple[int, int] | None, options: Options
) -> None:
    agentic = agentx.is_agentic(row)
    isl, osl = nominal or (None, None)
    two = "prefill_tp" in row
    stated = Stated(
        model=_model(record, row),
        hardware=_hardware(record, row),
        engine=one(record, row, "framework", text),
        precision=one(record, row, "precision", text),
        speculation=row.get("spec_decoding", row.get("mtp")),
        disaggregated=one(record, row, "disagg", flag, needed=True),
        multinode=one(record, row, "is_multinode", flag, needed=True),
        isl=one(record, row, "isl", count) or isl,
        osl=one(record, row, "osl", count) or osl,
        concurrency=one(record, row, "users" if agentic and "users" in row else "conc", count),
        date=one(record, row, "date", day),
        run_url=url,
        prefill=pool(record, row, "prefill_") if two else None,
        decode=pool(record, row, "decode_") if two else None,
        single=None if two else pool(record, row),
        prefill_chips=one(record, row, "num_prefill_gpu", count, needed=True),
        decode_chips=one(record, row, "num_decode_gpu", count, needed=True),
        all_chips=one(record, row, "num_gpus", count, needed=True) or None,
        agentic=agentic,
        offload=agentx.offload(record, row) if agentic else "",
        metrics=agentx.flatten(record, row) if agentic else row,
    )
    if agentic:
        agentx.check_requests(record, row, options)
    convert(record, stated, options)


def _model(record: Record, row: dict[str, Any]) -> str | None:
    """The prefix where its model is known, else the model's name: a path or an address."""
    prefix: str | None = one(record, row, "infmax_model_prefix", text)
    model: str | None = one(record, row, "model", text)
    if prefix and (names.model_key(prefix)[1] or not model):
        return prefix
    return model


def _hardware(record: Record, row: dict[str, Any]) -> str | None:
    hardware: str | None = one(record, row, "hw", text)
    roles = [one(record, row, f"{role}_hw", text) for role in ("prefill", "decode")]
    keys = {names.system_key(role)[0] for role in roles if role}
    if len(keys) > 1:
        record.refuse("prefill_hw", " and ".join(sorted(keys)), "prefill and decode on one kind of chip were expected")
    return hardware


FORMAT = Format(
    "inferencex-run",
    "objects with hw and tput_per_gpu, alone or in an array (InferenceX agg_*.json, agg_bmk.json)",
    matches,
    read,
)
