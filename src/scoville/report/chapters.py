"""Chapters by name: what the first page asks for their findings."""

from __future__ import annotations

from typing import Protocol

from scoville.facts import Facts
from scoville.report.baselines import BaselinesPage
from scoville.report.far_end import FarEndPage
from scoville.report.latency import LatencyPage
from scoville.report.limits import LimitsPage
from scoville.report.mixed_tokens import MixedTokensPage
from scoville.report.other_models import OtherModelsPage
from scoville.report.page import Html
from scoville.report.power import PowerPage
from scoville.report.predictions import PredictionsPage
from scoville.report.repeatability import RepeatabilityPage
from scoville.report.rubin import RubinPage
from scoville.report.workload import WorkloadPage


class Chapter(Protocol):
    """A page that has a heading and a finding."""

    @property
    def title(self) -> str:
        """Its heading."""

    def finding(self) -> Html:
        """What it finds, made from the data; the first paragraph can stand alone."""


def chapter(name: str, facts: Facts, root: str) -> Chapter:
    """The chapter of a name in `book.parts`.

    Args:
        name: as the template is called.
        facts: the data folder.
        root: relative address of the book's folder, for links.
    """
    return _PAGES[name](facts, root)


_PAGES: dict[
    str,
    type[
        BaselinesPage
        | PowerPage
        | LatencyPage
        | FarEndPage
        | MixedTokensPage
        | OtherModelsPage
        | RepeatabilityPage
        | RubinPage
        | LimitsPage
        | PredictionsPage
        | WorkloadPage
    ],
] = {
    "baselines": BaselinesPage,
    "power": PowerPage,
    "latency": LatencyPage,
    "far_end": FarEndPage,
    "mixed_tokens": MixedTokensPage,
    "other_models": OtherModelsPage,
    "repeatability": RepeatabilityPage,
    "workload": WorkloadPage,
    "rubin": RubinPage,
    "limits": LimitsPage,
    "predictions": PredictionsPage,
}
