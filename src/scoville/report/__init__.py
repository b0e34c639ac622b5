"""What a notebook calls: one object a page, one method a section, each returning one thing to show."""

from scoville.report.baselines import baselines_page
from scoville.report.changes import changes_page
from scoville.report.edition import edition_page
from scoville.report.far_end import far_end_page
from scoville.report.home import home_page
from scoville.report.latency import latency_page
from scoville.report.ledger import ledger_page
from scoville.report.limits import limits_page
from scoville.report.mixed_tokens import mixed_tokens_page
from scoville.report.model import model_page
from scoville.report.other_models import other_models_page
from scoville.report.power import power_page
from scoville.report.predictions import predictions_page
from scoville.report.repeatability import repeatability_page
from scoville.report.rubin import rubin_page
from scoville.report.sources import sources_page
from scoville.report.workload import workload_page

__all__ = [
    "baselines_page",
    "changes_page",
    "edition_page",
    "far_end_page",
    "home_page",
    "latency_page",
    "ledger_page",
    "limits_page",
    "mixed_tokens_page",
    "model_page",
    "other_models_page",
    "power_page",
    "predictions_page",
    "repeatability_page",
    "rubin_page",
    "sources_page",
    "workload_page",
]
