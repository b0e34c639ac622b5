"""Chapter: models that the primary document does not compare, every line of each beside the candidate's."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import altair as alt
import pandas as pd

from scoville import charts
from scoville.book import other_questions
from scoville.compare import DECODING, Question, workload_of
from scoville.facts import load
from scoville.paths import data_folder
from scoville.report.baselines import Rival, rivals_of
from scoville.report.page import Gallery, Html, Page, line_evidence, points_table
from scoville.tabulate import Column, Table, figures, markup, number, span
from scoville.words import listed, times


@dataclass(frozen=True)
class OtherModelsPage(Page):
    """Models that the primary document does not compare."""

    title: ClassVar[str] = "Other models"

    @cached_property
    def models(self) -> dict[str, tuple[Question, list[Rival]]]:
        """The question of each model, and every other line beside the candidate's."""
        asked = {q.model: q for q in other_questions(self.facts)}
        return {model: (q, rivals_of(self.facts, q, q.basis)) for model, q in asked.items()}

    def finding(self) -> Html:
        """The finding, made from the rows."""
        told = []
        for model, (question, rivals) in self.models.items():
            asked = (question.baseline, question.speculation)
            nearest = next(r for r in rivals if (r.line.system, r.question.speculation) == asked)
            mine, theirs = self.names[question.candidate], self.names[question.baseline]
            decoding = DECODING.get(question.speculation, question.speculation)
            ratio = times(nearest.comparison.peak_ratio)
            told.append(f"{self.model_name(model)}: {mine} <b>{ratio}</b> over {theirs} ({decoding}), {_per(question)}")
        if not told:
            return Html("<p>The primary document compares every model of the data.</p>", "no other models")
        return Html(f"<p>Peak over peak: {listed(told)}.</p>", "finding")

    def frontiers(self) -> Gallery:
        """All lines of each model, one chart a model."""
        charts.use_renderer()
        return Gallery([self._frontier(model) for model in self.models])

    def _frontier(self, model: str) -> alt.TopLevelMixin:
        question, rivals = self.models[model]
        return charts.every_frontier(
            [rivals[0].comparison.candidate, *(r.line for r in rivals)],
            self.names,
            unit=question.unit,
            title=f"{self.model_name(model)}: {self.names[question.candidate]} against all others, {_per(question)}",
            subtitle=f"The best points of every line. {workload_of(self.facts, model).label}.",
            source=self.source_line(self.facts.points[self.facts.points["model"] == model]),
        )

    def frontier_rows(self) -> Table:
        """The rows of the charts."""
        sides = [
            (model, side)
            for model, (_, rivals) in self.models.items()
            for side in (rivals[0].comparison.candidate, *(r.line for r in rivals))
        ]
        return points_table(self, sides, "mixed tok/s, in the unit of the chart")

    def table(self) -> Table:
        """Every line, and what the candidate's line is over it."""
        rows = []
        for model, (question, rivals) in self.models.items():
            for rival in rivals:
                equal, peak = rival.comparison.at_equal_interactivity(), rival.line.peak
                ratio = rival.comparison.peak_ratio
                rows.append(
                    {
                        "model": self.model_name(model),
                        "candidate": self.names[question.candidate],
                        "system": self.names[rival.line.system],
                        "decoding": DECODING.get(rival.question.speculation, rival.question.speculation),
                        "unit": question.unit,
                        "peak": (peak["low"], peak["high"]),
                        "speed": peak["speed"],
                        "ratio": (ratio.low, ratio.high),
                        "overlap": None if equal.empty else (equal["speed"].iloc[0], equal["speed"].iloc[-1]),
                        "range": None if equal.empty else (equal["ratio_low"].min(), equal["ratio_high"].max()),
                        "cubic": None if equal.empty else (equal["steffen_low"].min(), equal["steffen_high"].max()),
                        "evidence": line_evidence(self, rival.line),
                    }
                )
        columns = {
            "model": Column("Model"),
            "candidate": Column("Candidate"),
            "system": Column("over"),
            "decoding": Column("Decoding"),
            "unit": Column("Unit"),
            "peak": figures("Its peak", span(0)),
            "speed": figures("at tok/s/user", number(0)),
            "ratio": figures("Ratio of peaks", span(2, "×")),
            "overlap": figures("Common speeds, tok/s/user", span(0)),
            "range": figures("Ratio over them (linear)", span(2, "×")),
            "cubic": figures("(monotone cubic)", span(2, "×")),
            "evidence": Column("Evidence and sources", markup),
        }
        frame = pd.DataFrame(rows, columns=list(columns))
        return Table(
            frame,
            columns,
            "The candidate’s line, or that of the highest peak, against every other; best peak of each model first",
        )


def _per(question: Question) -> str:
    return "per chip" if question.basis == "chip" else "per rated kW"


def other_models_page(data_dir: str, root: str = "../") -> OtherModelsPage:
    """Models that the primary document does not compare.

    Args:
        data_dir: data folder; a relative path starts at the project's root.
        root: relative address of the book's folder.

    Raises:
        InputError: when the data are wrong.
    """
    return OtherModelsPage(load(data_folder(data_dir)), root)
