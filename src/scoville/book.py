"""Which questions the book asks, and which pages it has: all of it follows from the data."""

from __future__ import annotations

from dataclasses import dataclass, field

from scoville.audit import PRIMARY
from scoville.compare import Question
from scoville.facts import Facts

CANDIDATE = "jalapeno"


def models_of(facts: Facts) -> list[str]:
    """Models with rows of the candidate, in the order of the models table."""
    mine = set(facts.points[facts.points["system"] == CANDIDATE]["model"])
    return [str(m) for m in facts.models.index if m in mine]


def baseline_of(facts: Facts, model: str) -> str:
    """The baseline that the primary document compares with, for one model.

    Raises:
        LookupError: when it names none.
    """
    claims = facts.claims
    named = claims[(claims["model"] == model) & (claims["source_id"] == PRIMARY) & (claims["side"] == "baseline")]
    if named.empty:
        raise LookupError(f"{PRIMARY} names no baseline for {model}")
    return str(named["system"].dropna().iloc[0])


def questions(facts: Facts) -> list[Question]:
    """The primary document's own comparison of each model."""
    return [Question(m, CANDIDATE, baseline_of(facts, m), "package", "none") for m in models_of(facts)]


@dataclass(frozen=True)
class BookPage:
    """A page that papermill makes.

    Attributes:
        template: file in ``notebooks``, without its ending.
        output: file in ``book``, without its ending.
        parameters: what papermill fills in.
        texts: what stands in the place of ``{{ name }}`` in the template's prose.
        reads: folders of ``data/points`` whose rows the page shows; all pages read the other tables.
    """

    template: str
    output: str
    parameters: dict[str, str]
    texts: dict[str, str] = field(default_factory=dict)
    reads: tuple[str, ...] = ()


def pages(facts: Facts, data_dir: str = "data") -> list[BookPage]:
    """Every executed page of the book.

    Args:
        facts: the data folder.
        data_dir: how the notebooks name it.
    """
    models = tuple(models_of(facts))
    shared = [
        BookPage(template, output, {"data_dir": data_dir}, reads=models)
        for template, output in (("home", "index"), ("claims", "claims"), ("sources", "sources"), ("data", "data"))
    ]
    return [*shared, *(model_book_page(facts, question, data_dir) for question in questions(facts))]


def model_book_page(facts: Facts, question: Question, data_dir: str = "data") -> BookPage:
    """The page that answers one question."""
    names = facts.systems["name"]
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
        texts={
            "title": str(facts.models.loc[question.model, "name"]),
            "candidate": str(names[question.candidate]),
            "baseline": str(names[question.baseline]),
        },
        reads=(question.model,),
    )
