"""The first page of an edition that has no claims to check: what its data hold, model by model."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from scoville import charts
from scoville.book import models_of, question_of
from scoville.compare import workload_of
from scoville.facts import load
from scoville.paths import data_folder
from scoville.report.model import ModelPage
from scoville.report.page import Gallery, Page
from scoville.tabulate import Column, Table, figures, markup, number, span


@dataclass(frozen=True)
class EditionPage(Page):
    """The first page of an edition without claims."""

    def _model_pages(self) -> list[ModelPage]:
        return [ModelPage(self.facts, self.root, question_of(self.facts, m)) for m in models_of(self.facts)]

    def frontiers(self) -> Gallery:
        """One small frontier chart a model."""
        charts.use_renderer()
        made = []
        for page in self._model_pages():
            rows = pd.concat([side.points for side in page.lines])
            made.append(
                charts.small_frontier(
                    page.lines,
                    self.names,
                    unit=page.question.unit,
                    title=self.model_name(page.question.model),
                    subtitle=" and ".join(self.names[s] for s in page.pair),
                    source="",
                    speeds=(float(rows["speed"].min()) * 0.8, float(rows["speed"].max()) * 4),
                    values=(float(rows["low"].min()) * 0.6, float(rows["high"].max()) * 2),
                )
            )
        return Gallery(made)

    def models(self) -> Table:
        """The models of the edition, with a link to the page of each."""
        rows = []
        for page in self._model_pages():
            model = page.question.model
            ratio = None if page.comparison is None else page.comparison.peak_ratio
            mine = self.facts.points[self.facts.points["model"] == model]
            rows.append(
                {
                    "model": f'<a href="{self.root}models/{model}.html">{self.model_name(model)}</a>',
                    "workload": workload_of(self.facts, model).label,
                    "rows": len(mine),
                    "systems": ", ".join(sorted(self.names[s] for s in mine["system"].unique())),
                    "compared": " over ".join(self.names[s] for s in page.pair),
                    "ratio": None if ratio is None else (ratio.low, ratio.high),
                    "unit": page.question.unit,
                    "evidence": ", ".join(sorted(mine["evidence"].unique())),
                }
            )
        columns = {
            "model": Column("Model", markup),
            "workload": Column("Workload"),
            "rows": figures("Rows", number()),
            "systems": Column("Systems"),
            "compared": Column("Compared"),
            "ratio": figures("Ratio of the peaks", span(2, "×")),
            "unit": Column("Unit"),
            "evidence": Column("Evidence"),
        }
        used = self.rests_on(self.facts.points["source_id"])
        return Table(pd.DataFrame(rows), columns, "Models of this edition", rests_on=used)


def edition_page(data_dir: str, root: str = "") -> EditionPage:
    """The first page of an edition without claims.

    Args:
        data_dir: data folder; a relative path starts at the project's root.
        root: relative address of the book's folder.

    Raises:
        InputError: when the data are wrong.
    """
    return EditionPage(load(data_folder(data_dir)), root)
