"""Which questions the book asks, and which pages it has: all of it follows from the data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pandas as pd
import yaml

from scoville.audit import CANDIDATE, PRIMARY
from scoville.compare import NO_BASELINE, Question, candidate_line, workload_of
from scoville.facts import Facts
from scoville.metrics import interactivity, watts
from scoville.repeats import rows_of, spreads

_CHAPTERS = ("baselines", "power", "latency", "far_end", "mixed_tokens")
"""Chapters of “How far the numbers carry”: they take up comparisons that the primary document prints."""
_STOPS: tuple[str, ...] = ("workload", "rubin", "limits", "predictions")
"""Chapters of “Where the evidence stops”; each where the data hold what it is about (`_stops`)."""
HOW_FAR, EVIDENCE_STOPS = "How far the numbers carry", "Where the evidence stops"
_ABOUT_ALL = ("claims", "sources", "data", "changes")


def models_of(facts: Facts) -> list[str]:
    """Models with rows that can be compared, in the order of the models table: those with a speed and a total."""
    have = set(facts.points["model"][interactivity(facts.points).notna() & _comparable(facts.points)])
    return [str(m) for m in facts.models.index if m in have]


def _comparable(points: pd.DataFrame) -> pd.Series:
    """Rows with a total: those of output alone are on no page's line."""
    return points["total_tok_s_per_chip"].notna()


def question_of(facts: Facts, model: str) -> Question:
    """What the page of a model compares by default.

    The candidate is Jalapeño where it has rows, else the system whose peak is highest; the baseline is the one that
    the primary document names, else the system with the next highest peak. Without ratings of both, the comparison
    is per chip. A model with rows of one system only has no baseline.
    """
    workload = workload_of(facts, model)
    mine = (facts.points["model"] == model) & workload.mask(facts.points)
    rows = facts.points[mine & _comparable(facts.points)]
    systems = [str(s) for s in rows["system"].unique()]
    rated = all(watts(facts.systems.loc[s], "package") is not None for s in systems)
    basis = "package" if rated else "chip"
    ranked = sorted(systems, key=lambda s: -_peak(facts, model, s, basis))
    candidate = CANDIDATE if CANDIDATE in systems else ranked[0]
    others = [s for s in ranked if s != candidate]
    named = _named_baseline(facts, model)
    baseline = named if named in others else (others[0] if others else NO_BASELINE)
    compared = rows[rows["system"] == (candidate if baseline == NO_BASELINE else baseline)]
    speculation = "none" if (compared["speculation"] == "none").any() else str(compared["speculation"].iloc[0])
    return Question(model, candidate, baseline, basis, speculation)


def _peak(facts: Facts, model: str, system: str, basis: str) -> float:
    try:
        return float(candidate_line(facts, Question(model, system, NO_BASELINE, basis, "none")).peak["high"])
    except LookupError:
        return 0.0


def _named_baseline(facts: Facts, model: str) -> str | None:
    """The baseline that the primary document compares with, for one model; None where it names none."""
    claims = facts.claims
    named = claims[(claims["model"] == model) & (claims["source_id"] == PRIMARY) & (claims["side"] == "baseline")]
    return None if named.empty else str(named["system"].dropna().iloc[0])


def questions(facts: Facts) -> list[Question]:
    """The comparisons that the primary document makes, where the data hold single-token rows of both sides."""
    asked = [question_of(facts, model) for model in models_of(facts)]
    return [q for q in asked if _is_printed(facts, q)]


def other_questions(facts: Facts) -> list[Question]:
    """The comparisons of all other models with two systems: the candidate, or the highest peak, against the next."""
    asked = [question_of(facts, model) for model in models_of(facts)]
    return [q for q in asked if q.baseline != NO_BASELINE and not _is_printed(facts, q)]


def _is_printed(facts: Facts, question: Question) -> bool:
    named = _named_baseline(facts, question.model)
    return (question.candidate, question.baseline, question.speculation) == (CANDIDATE, named, "none")


@dataclass(frozen=True)
class BookPage:
    """A page that papermill makes.

    Attributes:
        template: file in ``notebooks``, without its ending.
        output: file in ``book``, without its ending.
        parameters: what papermill fills in.
        title: heading of the page, in the place of the template's; empty to keep that.
        reads: folders of ``data/points`` whose rows the page shows; all pages read the other tables.
    """

    template: str
    output: str
    parameters: dict[str, str]
    title: str = ""
    reads: tuple[str, ...] = ()


def pages(facts: Facts, data_dir: str = "data") -> list[BookPage]:
    """Every executed page of the book.

    Args:
        facts: the data folder.
        data_dir: how the notebooks name it.
    """
    models = tuple(models_of(facts))
    home = "home" if (facts.claims["source_id"] == PRIMARY).any() else "edition"
    shared = [
        BookPage(template, output, {"data_dir": data_dir}, reads=models)
        for template, output in {home: "index", **{name: name for name in _ABOUT_ALL}}.items()
    ]
    argued = [
        BookPage(name, f"{folder}/{name}", {"data_dir": data_dir}, reads=models)
        for folder, (_, names) in parts(facts).items()
        for name in names
    ]
    return [*shared, *argued, *(model_book_page(facts, question_of(facts, model), data_dir) for model in models)]


def parts(facts: Facts) -> dict[str, tuple[str, tuple[str, ...]]]:
    """The parts that argue: folder to caption and the chapters that the data have something for."""
    compared = bool(questions(facts))
    others = ("other_models",) if other_questions(facts) else ()
    repeated = ("repeatability",) if compared or len(spreads(rows_of(facts))) else ()
    carried = (*(_CHAPTERS if compared else ()), *others, *repeated)
    found = {"how-far": (HOW_FAR, carried), "evidence-stops": (EVIDENCE_STOPS, _stops(facts) if compared else ())}
    return {folder: part for folder, part in found.items() if part[1]}


def _stops(facts: Facts) -> tuple[str, ...]:
    """Chapters of the second part that the data have something for."""
    without = () if len(facts.predictions) else ("predictions",)
    return tuple(name for name in _STOPS if name not in without)


def model_book_page(facts: Facts, question: Question, data_dir: str = "data") -> BookPage:
    """The page that answers one question."""
    return BookPage(
        template="model_report",
        output=f"models/{question.model}",
        parameters={
            "model": question.model,
            "candidate": question.candidate,
            "baseline": question.baseline,
            "power_basis": question.basis,
            "speculation": question.speculation,
            "data_dir": data_dir,
        },
        title=str(facts.models.loc[question.model, "name"]),
        reads=(question.model,),
    )


def table_of_contents(facts: Facts) -> str:
    """``_toc.yml`` of a book made from these facts."""

    def part(caption: str, *files: str) -> dict[str, Any]:
        return {"caption": caption, "chapters": [{"file": f"book/{file}"} for file in files]}

    contents = {
        "format": "jb-book",
        "root": "book/index",
        "parts": [
            part("What was claimed", "claims", "sources"),
            part("Model by model", *(f"models/{model}" for model in models_of(facts))),
            *(part(caption, *(f"{f}/{c}" for c in names)) for f, (caption, names) in parts(facts).items()),
            part("Do it yourself", "bring-your-own", "methods", "data", "glossary", "cite", "changes"),
        ],
    }
    return yaml.safe_dump(contents, sort_keys=False, allow_unicode=True)
