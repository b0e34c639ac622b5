"""The recipe of an import: read, recognise, convert, check identities, select, plan, write."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

from scoville import tables
from scoville.ingest import documents, folder, identities, names, registry, selection, sources
from scoville.ingest.documents import Document, Found
from scoville.ingest.fields import moment
from scoville.ingest.findings import FileResult, Outcome
from scoville.ingest.folder import Folder
from scoville.ingest.formats import Source
from scoville.ingest.options import Options, flag
from scoville.ingest.points import Record, configuration, told
from scoville.ingest.selection import Selected
from scoville.paths import shown
from scoville.problems import InputError, Problem
from scoville.units import plural

Read = tuple[FileResult, Source, bool]


def import_results(paths: list[Path], into: Path, options: Options, today: date) -> Outcome:
    """Import result files into a data folder.

    Args:
        paths: files, and folders that are searched for files.
        into: the data folder; it may be missing or empty.
        options: what the user says beside the files.
        today: the day that sources are marked as read on.

    Returns:
        What became of every file and row. Files that cannot be used do not keep others from being imported.

    Raises:
        InputError: for impossible options, for paths that are not there, for a data folder that has problems
            of its own, and when the folder would have problems afterwards. Nothing is written then.
    """
    options.check(today)
    options = _as_the_book_spells_it(options)
    target = Folder.read(into)
    found, problems = documents.find(paths)
    if problems:
        raise InputError(problems)
    outcome, read = _read_all(found, options)
    records = [record for result, _, _ in read for record in result.records]
    for result, _, _ in read:
        result.notes = [*result.notes, *_beyond_rating(selection.in_play(result.records), target)]
    _refuse_merged_models(records)
    selection.leave_out_known(records, target.rows)
    for result, _, _ in read:
        if target.source_of(result.sha256):
            _refuse_contradictions(result, target)
    groups = sources.assign(target, read, options)
    selected = _choose(records, target, options)
    _note_repeats(outcome, selected, target)
    _plan_and_write(outcome, target, groups, selected, options, today)
    return outcome


def _as_the_book_spells_it(options: Options) -> Options:
    """The options with engine, precision and time spelt as in every other row."""
    return replace(
        options,
        engine=options.engine and names.engine_key(options.engine),
        precision=options.precision and names.precision_key(options.precision),
        date=moment(options.date),
    )


def _refuse_merged_models(records: list[Record]) -> None:
    """One name given by the user must not make runs of different models look like runs of one."""
    renamed = [record for record in selection.in_play(records) if record.renamed]
    for model in {record.point.model for record in renamed}:
        mine = [record for record in renamed if record.point.model == model]
        named = sorted({record.renamed for record in mine})
        if len(named) > 1:
            for record in mine:
                reason = f"the files name different models ({', '.join(named)}); import those of one model at a time"
                record.refuse("model", record.renamed, reason)


def _choose(records: list[Record], target: Folder, options: Options) -> Selected:
    """Choose among the runs of a configuration, and refuse what the table could not tell apart."""
    selected = selection.choose(records, [row for row in target.rows if row.family], options.select)
    gone = {(row.held, row.row) for row in selected.gone}
    stay = [row for row in target.standing if (row.held, row.row) not in gone]
    taken = {tuple(getattr(row.point, c) for c in tables.POINT_KEY): f"{row.file}:{row.row}" for row in stay}
    selection.separate(selected.standing, taken)
    return Selected(
        [record for record in selected.standing if not record.refused],
        [record for record in selected.runs if not record.refused],
        selected.gone,
    )


def _note_repeats(outcome: Outcome, selected: Selected, target: Folder) -> None:
    """Say what became of rows that repeat a configuration that is there already."""
    gone = {(row.held, row.row) for row in selected.gone}
    there: dict[tuple[Any, ...], list[Record]] = {}
    for row in target.standing:
        if (row.held, row.row) not in gone:
            there.setdefault(configuration(row.point), []).append(row)
    count = sum(
        any(selection.are_one_load(row, record) for row in there.get(configuration(record.point), ()))
        for record in selected.standing
        if not record.held
    )
    if count:
        outcome.notes.append(
            f"{plural(count, 'row')} of a configuration that the folder holds already from a source that stays as it "
            "is: all stay, the pages use the newest run, and where nothing tells, that of the source published last"
        )
    moved = sum(record.held.startswith("points/") for record in selected.runs)
    if moved:
        outcome.notes.append(f"{plural(moved, 'row')} of earlier imports out of the points, kept under runs/")


def _read_all(found: list[Found], options: Options) -> tuple[Outcome, list[Read]]:
    results: list[FileResult] = []
    read: list[Read] = []
    first: dict[str, str] = {}
    for file in found:
        result = FileResult(shown(file.path))
        results.append(result)
        try:
            document = Document.read(file.path)
            result.sha256 = document.sha256
            if document.sha256 in first:
                result.passed_over = f"the same file as {first[document.sha256]}"
                continue
            first[document.sha256] = result.path
            read += _read_one(document, result, file.folder is None, options)
        except InputError as error:
            result.error = error
    results += _barren(found, results)
    return Outcome(results, dry_run=options.dry_run), read


ABOVE_RATING = 1.5
"""Mean watts of a chip over its package's rating beyond which they are hardly those of one chip."""


def _beyond_rating(records: list[Record], target: Folder) -> list[str]:
    """Which measured watts are far above what the data folder says that a chip is rated at."""
    rated = dict(zip(target.systems["system"], target.systems["package_power_w"], strict=True))
    notes = []
    for system in dict.fromkeys(r.point.system for r in records):
        rating = rated.get(system)
        watts = [w for r in records if r.point.system == system and (w := r.point.chip_power_mean_w) is not None]
        above = [w for w in watts if rating is not None and w > ABOVE_RATING * rating]  # never for a blank rating
        if above:
            what = f"{plural(len(above), 'row')} of {system}: up to {max(above):,.0f} W measured per chip"
            notes.append(f"{what}, which is rated {rating:,.0f} W: watts of one chip were expected, not of several")
    return notes


def _barren(found: list[Found], results: list[FileResult]) -> list[FileResult]:
    """An entry for each folder in which nothing was recognised: the user meant it to hold results."""
    fruit: dict[Path, list[bool]] = {}
    for file, result in zip(found, results, strict=True):
        if file.folder is not None:
            known = bool(result.format or result.error) or result.passed_over.startswith("the same file")
            fruit.setdefault(file.folder, []).append(known)
    return [
        FileResult(shown(path), error=InputError([Problem(shown(path), expected=_nothing(len(known)))]))
        for path, known in fruit.items()
        if not any(known)
    ]


def _nothing(count: int) -> str:
    return f"expected a folder with result files; of {count} looked at none was recognised"


def _read_one(document: Document, result: FileResult, named: bool, options: Options) -> Iterable[Read]:
    """Read a file; one that was only found in a folder may be something else, which is no failure."""
    try:
        chosen = registry.recognise(document)
    except InputError:
        if not named and document.packed:
            result.passed_over = f"{document.packed}-compressed; unpack it first"
            return ()
        if named or not _is_readable(document):
            raise
        result.passed_over = registry.known_companion(document) or "not recognised"
        return ()
    result.format = chosen.name
    reading = chosen.read(document, options)
    result.records, result.notes = reading.records, reading.notes
    result.notes = [*result.notes, *_unused(selection.in_play(result.records), options)]
    for record in selection.in_play(result.records):
        identities.check(record)
    return ((result, reading.source, chosen.sweep),)


_FILLING = {
    "engine": "engine",
    "precision": "precision",
    "speculation": "speculation",
    "parallelism": "parallelism",
    "isl": "isl_nominal",
    "osl": "osl_nominal",
    "date": "date",
    "evidence": "evidence",
    "power": "chip_power_mean_w",
}
"""Options that say what a file does not, and the columns that they fill in."""


def _unused(records: list[Record], options: Options) -> list[str]:
    """Which options say otherwise than rows that say it themselves, and so are not used there."""
    notes = []
    for name, column in _FILLING.items():
        if (said := getattr(options, name)) is None:
            continue
        values = [value for r in records if (value := getattr(r.point, column)) is not None]
        unlike = [value for value in values if not _agrees(value, said)]
        if unlike:
            told_values = list(dict.fromkeys(map(told, unlike)))
            listed = ", ".join(told_values[:_LISTED]) + (" and others" if len(told_values) > _LISTED else "")
            where = "" if len(unlike) == len(values) else f" for {plural(len(unlike), 'row')}"
            notes.append(f"the file says {listed}; {flag(name)} {told(said)} is not used{where}")
    return notes


_LISTED = 3
"""Values of a file that a note names."""


def _agrees(value: Any, said: Any) -> bool:
    """Whether a cell is what an option says: the same number, or the same text in whatever case; a day holds a time."""
    if not isinstance(value, str):
        return bool(value == said)
    one, other = value.casefold(), " ".join(str(said).casefold().split())
    return one == other or (_is_day(one) and _is_day(other) and (one.startswith(other) or other.startswith(one)))


def _is_day(text: str) -> bool:
    return len(text) >= len("YYYY-MM-DD") and text[:4].isdigit() and text[4] == "-"


def _is_readable(document: Document) -> bool:
    """Whether the content is whole, though it is no result: text, and whole JSON where it starts like JSON.

    A web page under the name of a data file is a download that failed.
    """
    try:
        return not document.is_web_page and (not document.is_json or document.values is not None)
    except InputError:
        return False


_SIGNATURE = ("concurrency", "ttft_mean_s", "tpot_mean_s", "tpot_median_s", "e2e_mean_s", "e2e_median_s")


def _refuse_contradictions(result: FileResult, target: Folder) -> None:
    """Refuse rows of a file that was imported before with other options: the same run would stand there twice."""
    source = target.source_of(result.sha256)
    rows = [row for row in target.rows if row.point.source_id == source]
    there = {tuple(getattr(row.point, c) for c in _SIGNATURE): f"{row.file}:{row.row}" for row in rows}
    for record in selection.in_play(result.records):
        signature = tuple(getattr(record.point, c) for c in _SIGNATURE)
        if any(value is not None for value in signature[1:]) and signature in there:
            words = f"this run stands in {there[signature]} with another configuration"
            reason = f"{words}: remove the rows of source {source} before importing it with other options"
            record.refuse("", record.point.parallelism, reason)


def _plan_and_write(
    outcome: Outcome,
    target: Folder,
    groups: list[sources.Group],
    selected: Selected,
    options: Options,
    today: date,
) -> None:
    records = [*selected.standing, *selected.runs]
    filed = {record.point.source_id for record in records}
    new = [sources.row(group, options, today) for group in groups if not group.known and group.key in filed]
    systems, models = _stubs(records, target)
    planned = folder.plan(target, new, systems, models, selected)
    if not planned.contents:
        return
    folder.check(planned)
    if options.strict and outcome.refused:
        outcome.held_back = f"rows were refused, and {flag('strict')} wants all or nothing"
        return
    outcome.written = planned.words
    outcome.notes += _stub_notes(systems, models)
    if not options.dry_run:
        folder.write(planned)


def _stubs(records: list[Record], target: Folder) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Rows for the systems and models that the folder does not know yet."""
    systems = sorted({str(r.point.system) for r in records} - target.keys(tables.SYSTEMS))
    models = sorted({str(r.point.model) for r in records} - target.keys(tables.MODELS))
    return [
        {"system": key, "name": names.system_name(key), "vendor": names.system_vendor(key), "note": STUB_SYSTEM}
        for key in systems
    ], [{"model": key, "name": names.model_name(key), "note": STUB_MODEL} for key in models]


STUB_SYSTEM = "Added by an import. No rating, memory or compute is recorded yet."
STUB_MODEL = "Added by an import. No dimensions are recorded yet."


def _stub_notes(systems: list[dict[str, Any]], models: list[dict[str, Any]]) -> list[str]:
    """What the blanks of new rows keep the pages from saying."""
    notes = []
    if systems:
        what = f"{_listed('system', [row['system'] for row in systems])} in systems.csv"
        notes.append(
            f"{what}: until package_power_w and its source are filled in, no page says anything per kW; "
            "until memory and compute are, none draws limits"
        )
    if models:
        what = f"{_listed('model', [row['model'] for row in models])} in models.csv"
        notes.append(f"{what}: until dimensions are filled in, no page draws limits")
    return notes


def _listed(noun: str, keys: list[str]) -> str:
    return f"new {noun}{'s' if len(keys) > 1 else ''} {', '.join(keys)}"
