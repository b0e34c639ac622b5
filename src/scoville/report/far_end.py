"""Chapter: the far end of the frontier. What a ratio says that is read where one curve stops."""

from __future__ import annotations

import html
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import altair as alt
import pandas as pd

from scoville import charts
from scoville.audit import PRIMARY
from scoville.book import questions
from scoville.compare import Comparison, compare, spread
from scoville.facts import load
from scoville.paths import data_folder
from scoville.report.page import Gallery, Html, Page, detail
from scoville.tabulate import Column, Table, figures, markup, number, sources, span
from scoville.units import Interval, Printed
from scoville.words import counted, listed, pair

_SAME_SPEED = 0.01
"""A printed mean speed and a public median one are the same point when they agree to this."""
METRIC = "matched_mixed_tok_s_per_kw"


@dataclass(frozen=True)
class End:
    """One model's comparison, seen from the last common point of the baseline's curve.

    Attributes:
        comparison: candidate and baseline, single-token.
        unlike: the same with the baseline's multi-token rows; None where it has none.
        claim: the ratio that the primary document prints there; None where it prints none at that speed.
    """

    comparison: Comparison
    unlike: Comparison | None
    claim: pd.Series | None

    @cached_property
    def table(self) -> pd.DataFrame:
        """The comparison at the speeds of the baseline's measured points, slowest first."""
        everywhere = self.comparison.at_equal_interactivity()
        return everywhere[everywhere["measured"].str.contains("baseline")].reset_index(drop=True)

    @cached_property
    def common(self) -> pd.DataFrame:
        """The comparison at every measured speed of the overlap."""
        return self.comparison.at_equal_interactivity()

    @property
    def speed(self) -> float:
        """Interactivity of the last common measured point of the baseline, tok/s/user."""
        return float(self.table["speed"].iloc[-1])

    @property
    def last(self) -> pd.Series:
        """The baseline's row at that point."""
        return self.comparison.baseline.behind(self.speed).iloc[0]

    @property
    def neighbours(self) -> tuple[pd.Series, pd.Series]:
        """The candidate's measured points around that speed: the slower and the faster one."""
        rows = self.comparison.candidate.behind(self.speed).sort_values("speed")
        return rows.iloc[0], rows.iloc[-1]

    def ratio(self, row: int) -> str:
        """The ratio at one of the baseline's points, as a sentence prints it."""
        found = self.table.iloc[row]
        return shown(Interval(found["ratio_low"], found["ratio_high"]))

    @property
    def ends(self) -> Interval:
        """Each side at its own highest speed: the ratio of their throughput."""
        return spread(self.comparison.candidate.fastest) / spread(self.comparison.baseline.fastest)


def shown(ratio: Interval | None) -> str:
    """A ratio with one decimal from ten on, else two."""
    if ratio is None:
        return "–"
    return span(1 if ratio.low >= 10 else 2, "×")((ratio.low, ratio.high))


@dataclass(frozen=True)
class FarEndPage(Page):
    """The far end of the frontier."""

    title: ClassVar[str] = "The far end of the frontier"

    @cached_property
    def model_ends(self) -> dict[str, End]:
        """By model; those whose curves have no speed in common are left out."""
        found = {}
        for question in questions(self.facts):
            comparison = compare(self.facts, question)
            end = End(comparison, self._unlike(comparison), self._claim(comparison))
            if len(end.table):
                found[question.model] = end
        return found

    def _unlike(self, comparison: Comparison) -> Comparison | None:
        try:
            return compare(self.facts, replace(comparison.question, speculation="mtp"))
        except LookupError:
            return None

    def _claim(self, comparison: Comparison) -> pd.Series | None:
        """The ratio that the primary document prints at the speed where the baseline's curve ends."""
        claims = self.facts.claims
        mine = claims[
            (claims["source_id"] == PRIMARY)
            & (claims["metric"] == METRIC)
            & (claims["side"] == "ratio")
            & (claims["model"] == comparison.question.model)
        ]
        speed = float(comparison.baseline.fastest["speed"])
        at = claims[
            (claims["source_id"] == PRIMARY)
            & (claims["metric"] == "matched_interactivity_tok_s_user")
            & (claims["side"] == "baseline")
            & (claims["model"] == comparison.question.model)
        ]
        ends_there = [abs(float(Printed.parse(str(c)).value) / speed - 1) < _SAME_SPEED for c in at["printed"]]
        return mine.iloc[0] if len(mine) and any(ends_there) else None

    def finding(self) -> Html:
        """The finding, made from the rows."""
        ends = self.model_ends
        if not ends:
            return Html("<p>The data hold no comparison of the default candidate.</p>", "no comparison")
        first = f"{self._where()} {self._earlier()}".strip()
        second = " ".join([self._bounds(), *self._crossings(), *self._with_mtp()])
        return Html(f"<p>{first}</p><p>{second}</p>", "finding")

    def _where(self) -> str:
        ends = self.model_ends.values()
        claimed = [e.claim for e in ends]
        requests = listed(number(0)(e.last["concurrency"]) for e in ends)
        chips = listed(number(0)(e.last["chips"]) for e in ends)
        where = (
            "read at the last point of each baseline’s curve, where it serves "
            f"<b>{requests}</b> requests at a time on <b>{chips}</b> chips."
        )
        read = listed(e.ratio(-1) for e in ends)
        if any(c is None for c in claimed):
            return f"The ratios <b>{read}</b> are {where}"
        printed = listed(f"{c['printed']}×" for c in claimed if c is not None)
        also = "" if printed == read else f" At the median speed of that row, not the printed mean, they are {read}."
        return f"The printed <b>{printed}</b> are {where}{also}"

    def _earlier(self) -> str:
        ends = list(self.model_ends.values())
        if any(len(e.table) < 2 for e in ends):
            return ""
        speeds = listed(number(0)(e.table["speed"].iloc[-2]) for e in ends)
        first = listed(number(0)(e.common["speed"].iloc[0]) for e in ends)
        return (
            f"One measured point of the baseline earlier, at {speeds} tok/s per user, the same reading gives "
            f"<b>{listed(e.ratio(-2) for e in ends)}</b>; where the common speeds begin, at {first}, "
            f"<b>{listed(shown(_first(e)) for e in ends)}</b>."
        )

    def _bounds(self) -> str:
        bounds = [shown(e.comparison.bounds_at(e.speed)) for e in self.model_ends.values()]
        return f"At the last point the measured rows alone, without interpolation, allow {listed(bounds)}."

    def _crossings(self) -> list[str]:
        """Readings between two deployments of different size: nothing that was measured sits there."""
        told = []
        for model, end in self.model_ends.items():
            slower, faster = end.neighbours
            if slower["chips"] != faster["chips"]:
                there, here = (f"{r['speed']:,.0f} on {counted(r['chips'], 'chip')}" for r in (slower, faster))
                told.append(f"{self.model_name(model)}’s reading crosses from {there} to {here}, in tok/s per user.")
        return told

    def _with_mtp(self) -> list[str]:
        told = []
        for model, end in self.model_ends.items():
            ratio = end.unlike.ratio_at(end.speed) if end.unlike else None
            if ratio is not None:
                told.append(
                    f"Against the same system’s rows with multi-token prediction, an unlike method, "
                    f"{self.model_name(model)}’s {end.ratio(-1)} is {shown(ratio)} at that speed."
                )
        return told

    def curves(self) -> Gallery:
        """The ratio along the whole overlap, one chart a model."""
        charts.use_renderer()
        return Gallery([self._curve(model, end) for model, end in self.model_ends.items()])

    def _curve(self, model: str, end: End) -> alt.TopLevelMixin:
        name = self.names[end.comparison.baseline.system]
        sides = {name: end.comparison} | ({f"{name} MTP": end.unlike} if end.unlike else {})
        rows: list[dict[str, Any]] = []
        for label, comparison in sides.items():
            like = comparison is end.comparison
            for at in comparison.at_equal_interactivity().to_dict("records"):
                mine = {"baseline": label, "speed": at["speed"], "ratio": at["ratio_low"], "like": like}
                allowed = comparison.bounds_at(at["speed"]) if like and "baseline" in at["measured"] else None
                low, high = pair(allowed) or (None, None)
                rows.append(mine | {"low": low, "high": high})
        at = end.last
        requests = counted(at["concurrency"], "request")
        return charts.ratio_curves(
            pd.DataFrame(rows).astype({"low": float, "high": float}),
            dict.fromkeys(sides, end.comparison.baseline.system),
            title=(
                f"{self.model_name(model)}: {shown(_first(end))} where the common speeds begin, {end.ratio(-1)} where "
                f"the baseline serves {requests} on {counted(at['chips'], 'chip')}"
            ),
            subtitle=(
                f"{self.names[end.comparison.candidate.system]} over {name}, per kW of package rating, read linearly. "
                "Pale bars: what the measured points allow without interpolation."
            ),
            source=self.source_line(pd.concat([end.comparison.candidate.points, end.comparison.baseline.points])),
        )

    def curve_rows(self) -> Table:
        """The ratios of the charts, by every way of reading them."""
        rows = []
        for model, end in self.model_ends.items():
            for label, comparison in (("single-token", end.comparison), ("multi-token (MTP)", end.unlike)):
                table = comparison.at_equal_interactivity() if comparison else pd.DataFrame()
                rows += [
                    {
                        "model": self.model_name(model),
                        "decoding": label,
                        "speed": at["speed"],
                        "measured": at["measured"],
                        "linear": (at["ratio_low"], at["ratio_high"]),
                        "cubic": (at["steffen_low"], at["steffen_high"]),
                        "bounds": pair(comparison.bounds_at(at["speed"])) if comparison else None,
                        "gap": at["gap"],
                        "source": self.row_links(*comparison.behind(at["speed"])) if comparison else "",
                    }
                    for at in table.to_dict("records")
                ]
        columns = {
            "model": Column("Model"),
            "decoding": Column("Decoding of the baseline"),
            "speed": figures("Interactivity, median tok/s/user", number(1)),
            "measured": Column("Measured point of"),
            "linear": figures("Ratio (linear)", span(2, "×")),
            "cubic": figures("Ratio (monotone cubic)", span(2, "×")),
            "bounds": figures("Ratio from measured points alone", span(2, "×")),
            "gap": figures("Gap between measured neighbours", number(2, "×")),
            "source": Column("Sources", sources),
        }
        return Table(
            pd.DataFrame(rows, columns=list(columns)), columns, f"Data of these charts: {len(rows)} rows", True
        )

    def ends(self) -> Table:
        """The rows that meet at the last point: the baseline's, and the candidate's neighbours."""
        rows = []
        for model, end in self.model_ends.items():
            slower, faster = end.neighbours
            for what, row in (("last point", end.last), ("next slower", slower), ("next faster", faster)):
                rows.append(
                    {
                        "model": self.model_name(model),
                        "system": self.names[row["system"]],
                        "what": what,
                        "speed": row["speed"],
                        "value": (row["low"], row["high"]),
                        "ratio": pair(spread(row) / spread(end.last)),
                        "requests": row["concurrency"],
                        "chips": row["chips"],
                        "each": row["concurrency"] / row["chips"],
                        "layout": row["parallelism"],
                        "source": self.row_link(row),
                    }
                )
        columns = {
            "model": Column("Model"),
            "system": Column("System"),
            "what": Column("Measured point"),
            "speed": figures("Interactivity, median tok/s/user", number(1)),
            "value": figures("Mixed tok/s per kW", span(0)),
            "ratio": figures("over the last point’s", span(1, "×")),
            "requests": figures("Requests at a time", number(0)),
            "chips": figures("Chips", number(0)),
            "each": figures("Requests per chip", number(2)),
            "layout": Column("Parallelism"),
            "source": Column("Source", sources),
        }
        return Table(
            pd.DataFrame(rows, columns=list(columns)),
            columns,
            "The last point of each baseline’s curve, and the measured points of Jalapeño around it",
        )

    def choices(self) -> Table:
        """One row a choice, one column a model."""
        ends = self.model_ends
        rows: list[dict[str, Any]] = [
            {"choice": choice} | {m: read(e) for m, e in ends.items()}
            for choice, read in (
                ("As printed, at the baseline’s last point", self._as_printed),
                ("There, linear interpolation at the median speed", lambda e: shown(e.comparison.ratio_at(e.speed))),
                ("There, monotone cubic", lambda e: shown(e.comparison.ratio_at(e.speed, "steffen"))),
                ("There, measured points alone", lambda e: shown(e.comparison.bounds_at(e.speed))),
                ("One measured point of the baseline earlier", lambda e: e.ratio(-2) if len(e.table) > 1 else "–"),
                ("At half of the baseline’s last speed", lambda e: shown(e.comparison.ratio_at(e.speed / 2))),
                ("Where the common speeds begin", lambda e: shown(_first(e))),
                ("Each at its own highest speed", lambda e: shown(e.ends)),
                (
                    "At the single-token baseline’s last speed, its MTP rows (unlike)",
                    lambda e: shown(e.unlike.ratio_at(e.speed)) if e.unlike else "no such rows",
                ),
                ("At the last point of its MTP rows (unlike)", _mtp_end),
            )
        ]
        columns = {"choice": Column("Choice")} | {
            m: Column(f"{self.model_name(m)} (vs {self.names[e.comparison.baseline.system]})", markup, numeric=True)
            for m, e in ends.items()
        }
        return Table(
            pd.DataFrame(rows),
            columns,
            "Jalapeño over the appendix’ baseline per kW of package rating, by where it is read",
            rests_on=self.rests_on(self._used()),
        )

    def _used(self) -> list[str]:
        """Sources of what the choices are read from: the lines, and the claim that prints a ratio."""
        ends = self.model_ends.values()
        lines = [side for end in ends for c in (end.comparison, end.unlike) if c for side in (c.candidate, c.baseline)]
        printed = [str(end.claim["source_id"]) for end in ends if end.claim is not None]
        return [*printed, *(source for side in lines for source in side.best["source_id"])]

    def _as_printed(self, end: End) -> str:
        if end.claim is None:
            return "none printed"
        return self.claim_link(str(end.claim.name), f"{end.claim['printed']}×")

    def gaps(self) -> Table:
        """Neighbouring points of every candidate's curve, widest gap first."""
        rows = []
        for model, end in self.model_ends.items():
            best = end.comparison.candidate.best.sort_values("speed")
            for (_, slower), (_, faster) in zip(best.iloc[:-1].iterrows(), best.iloc[1:].iterrows(), strict=True):
                rows.append(
                    {
                        "model": self.model_name(model),
                        "from": slower["speed"],
                        "from_layout": _layout(slower) + detail(self.row_link(slower)),
                        "to": faster["speed"],
                        "to_layout": _layout(faster) + detail(self.row_link(faster)),
                        "gap": faster["speed"] / slower["speed"],
                        "fall": (slower["high"] / faster["high"]),
                        "holds": "yes" if slower["speed"] < end.speed < faster["speed"] else "",
                    }
                )
        frame = pd.DataFrame(
            rows, columns=["model", "from", "from_layout", "to", "to_layout", "gap", "fall", "holds"]
        ).sort_values("gap", ascending=False, kind="stable")
        columns = {
            "model": Column("Model"),
            "from": figures("From, tok/s/user", number(0)),
            "from_layout": Column("Configuration and source", markup),
            "to": figures("To, tok/s/user", number(0)),
            "to_layout": Column("Configuration and source", markup),
            "gap": figures("Times faster", number(2, "×")),
            "fall": figures("Throughput falls by", number(2, "×")),
            "holds": Column("The printed ratio is read here"),
        }
        return Table(frame, columns, f"Neighbouring measured points of Jalapeño: {len(frame)} gaps, widest first", True)


def _first(end: End) -> Interval:
    row = end.common.iloc[0]
    return Interval(row["ratio_low"], row["ratio_high"])


def _mtp_end(end: End) -> str:
    if end.unlike is None:
        return "no such rows"
    speed = float(end.unlike.baseline.fastest["speed"])
    return html.escape(f"{shown(end.unlike.ratio_at(speed))} at {number(0)(speed)} tok/s/user")


def _layout(row: pd.Series) -> str:
    told = f"{row['parallelism']}, {counted(row['chips'], 'chip')}, {counted(row['concurrency'], 'request')}"
    return html.escape(told)


def far_end_page(data_dir: str, root: str = "../") -> FarEndPage:
    """The far end of the frontier.

    Args:
        data_dir: data folder; a relative path starts at the project's root.
        root: relative address of the book's folder.

    Raises:
        InputError: when the data are wrong.
    """
    return FarEndPage(load(data_folder(data_dir)), root)
