"""One visual language for every chart: a system has the same colour and mark everywhere.

Every chart has a title that is its finding, a description made from its data, and its source. Filled marks were
executed independently, hollow ones were reported by the maker; a line is a Pareto set and stops at its last
points.
"""

from scoville.charts.agents import task_times
from scoville.charts.by_denominator import by_denominator
from scoville.charts.contexts import cache_shares
from scoville.charts.explorer import explorer, rows_of
from scoville.charts.frontiers import describe, every_frontier, frontier, small_frontier
from scoville.charts.limits import above_floor, scaling
from scoville.charts.look import DIGITISED, FILLED, HEIGHT, LOOKS, OTHER, PARTS, SOLID, UNLIKE, Look, look, use_renderer
from scoville.charts.origin import origin
from scoville.charts.predictions import predicted_frontiers
from scoville.charts.ratios import ratio_curves, ratio_rows, ratios_by_watts
from scoville.charts.shares import share_of_rating, split_bars
from scoville.charts.spreads import strips
from scoville.charts.waits import by_load, promises, splits

__all__ = [
    "DIGITISED",
    "FILLED",
    "HEIGHT",
    "LOOKS",
    "OTHER",
    "PARTS",
    "SOLID",
    "UNLIKE",
    "Look",
    "above_floor",
    "by_denominator",
    "by_load",
    "cache_shares",
    "describe",
    "every_frontier",
    "explorer",
    "frontier",
    "look",
    "origin",
    "predicted_frontiers",
    "promises",
    "ratio_curves",
    "ratio_rows",
    "ratios_by_watts",
    "rows_of",
    "scaling",
    "share_of_rating",
    "small_frontier",
    "split_bars",
    "splits",
    "strips",
    "task_times",
    "use_renderer",
]
