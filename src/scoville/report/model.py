"""The page of one model: a candidate against a baseline."""

from __future__ import annotations

import html
import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import altair as alt
import pandas as pd

from scoville import charts, tables
from scoville.audit import CANDIDATE, PRIMARY
from scoville.book import question_of
from scoville.compare import (
    DECODING,
    NO_BASELINE,
    Comparison,
    Line,
    Question,
    candidate_line,
    compare,
    every_line,
    find_line,
    spread,
    workload_of,
)
from scoville.facts import load
from scoville.metrics import watts
from scoville.paths import data_folder
from scoville.report.page import Html, Page, about, claims_table, detail, line_evidence
from scoville.tabulate import Column, Table, figures, markup, number, sources, span, text
from scoville.units import Interval, Printed
from scoville.words import ends, inline, pair, times

_BASES = {"package": "per kW of package rating", "all-in": "per kW all-in", "chip": "per chip"}


@dataclass(frozen=True)
class ModelPage(Page):
    """The page of one model: a candidate against a baseline.

    Attributes:
        question: what is compared.
    """

    question: Question = None  # type: ignore[assignment]  # a dataclass field after one with a default

    @cached_property
    def comparison(self) -> Comparison | None:
        """Both lines; None where no second system has rows."""
        return None if self.question.baseline == NO_BASELINE else compare(self.facts, self.question)

    @cached_property
    def lines(self) -> list[Line]:
        """The candidate's line, and the baseline's where there is one."""
        if self.comparison is None:
            return [candidate_line(self.facts, self.question)]
        return [self.comparison.candidate, self.comparison.baseline]

    @cached_property
    def equal(self) -> pd.DataFrame:
        """The comparison at equal interactivity; empty where there is none."""
        return pd.DataFrame() if self.comparison is None else self.comparison.at_equal_interactivity()

    @property
    def pair(self) -> list[str]:
        """Candidate and baseline, as far as there are both."""
        return [side.system for side in self.lines]

    def name(self, system: str) -> str:
        """Readable name of a system."""
        return self.names[system]

    # -- sections, in the order of the page

    def caveats(self) -> Html:
        """What applies before any number is read."""
        concerned = [
            c
            for c in self.facts.caveats
            if c.concerns(
                model=self.question.model,
                systems=self.pair,
                basis=self.question.basis,
                speculation=self.question.speculation,
            )
        ]
        items = "".join(
            f"<li><strong>{html.escape(c.title)}.</strong> {inline(c.text)} "
            f'<span class="source">{self.source_link(c.source_id, c.locator)}</span></li>'
            for c in concerned
        )
        if self.question.speculation != "none":
            method = DECODING.get(self.question.speculation, self.question.speculation)
            items += (
                f"<li><strong>Unlike methods.</strong> The baseline’s rows are {method}, "
                "the candidate’s single-token: this comparison favours the baseline’s speed per user.</li>"
            )
        items += "".join(self._waits())
        if not items:
            return Html("<p>The data folder names no caveat for these rows.</p>", "no caveats")
        return Html(f'<ol class="caveats">{items}</ol>', f"{len(concerned)} caveats")

    def _waits(self) -> Iterator[str]:
        """A caveat for every system at whose peak a request waits longer for its first token than for all others."""
        for side in self.lines:
            peak = side.peak
            if peak["ttft_median_s"] > peak["e2e_median_s"] / 2:  # false where either is missing
                ttft, e2e = (number(1)(peak[f"{name}_median_s"]) for name in ("ttft", "e2e"))
                yield (
                    "<li><strong>At the peak a request mostly waits.</strong> "
                    f"At {html.escape(self.name(side.system))}’s highest throughput the median TTFT is {ttft} s of a "
                    f"median E2E of {e2e} s, at a concurrency of {number(0)(peak['concurrency'])}. "
                    f'<span class="source">{self.source_link(peak["source_id"])}</span></li>'
                )

    def opening(self) -> Html:
        """What is compared, on which workload and by which decoding."""
        sides = " against ".join(html.escape(self.name(s)) for s in self.pair)
        workload = workload_of(self.facts, self.question.model)
        asked = " This is the comparison of OpenAI’s appendix." if self._is_appendix() else ""
        return Html(f"<p>{sides}: {html.escape(workload.label)}.{asked}</p>", f"{sides}: {workload.label}")

    def _is_appendix(self) -> bool:
        """Whether this is the comparison that the primary document makes."""
        claims = self.facts.claims
        named = claims[(claims["model"] == self.question.model) & (claims["source_id"] == PRIMARY)]
        baselines = set(named["system"][named["side"] == "baseline"].dropna())
        asked = self.question
        like = asked.candidate == CANDIDATE and asked.basis == "package" and asked.speculation == "none"
        return like and baselines == {asked.baseline}

    def summary(self) -> Html:
        """The opening sentences, made from the comparison."""
        if self.comparison is None:
            (side,) = self.lines
            peak, fastest = side.peak, side.fastest
            told = (
                f"{self._b(self.name(side.system))} peaks at {self._b(number(0)(peak['high']))} {self.question.unit} "
                f"and {number(0)(peak['speed'])} tok/s per user; its fastest row gives "
                f"{self._b(number(0)(fastest['speed']))} tok/s per user. {self._alone()}"
            )
            return Html(f"<p>{told}</p>", "one system")
        return Html(f"<p>{' '.join(self._compared())}</p>", "two systems")

    def _alone(self) -> str:
        others = set(self.facts.points[self.facts.points["model"] == self.question.model]["system"]) - set(self.pair)
        if others:
            return "No baseline was asked for, so nothing is compared."
        return "No second system has rows for this model, so nothing is compared."

    def _compared(self) -> list[str]:
        comparison = self.comparison
        if comparison is None:
            return []
        candidate, baseline = (html.escape(self.name(s)) for s in self.pair)
        peaks = f"the peak of {candidate} is {self._b(times(comparison.peak_ratio))} that of {baseline}"
        others = [
            f"{BASIS_PHRASE[basis][0].lower()}{BASIS_PHRASE[basis][1:]} it is {self._b(times(self._peak_on(basis)))}"
            for basis in ("all-in", "chip")
            if basis != self.question.basis and self._rated(basis, self.pair)
        ]
        told = [
            f"{BASIS_PHRASE[self.question.basis]}, {'; '.join([peaks, *others])}.",
            f"The two peaks lie at different speeds, {number(0)(comparison.candidate.peak['speed'])} and "
            f"{number(0)(comparison.baseline.peak['speed'])} tok/s per user.",
        ]
        if self.equal.empty:
            return [*told, "There is no speed at which both were measured, so nothing is said of equal speed."]
        slow, fast = (number(0)(self.equal["speed"].iloc[end]) for end in (0, -1))
        told.append(
            f"At equal speed the ratio runs from {self._b(ends(self.equal, 0))} at {slow} "
            f"to {self._b(ends(self.equal, -1))} at {fast} tok/s per user."
        )
        last = comparison.baseline.fastest
        if last["speed"] == self.equal["speed"].iloc[-1] and pd.notna(last["chips"]):
            told.append(
                f"There the curve of {baseline} ends: its last point keeps {_requests(last['concurrency'])} "
                f"in flight on {number(0)(last['chips'])} chips."
            )
        printed = self._printed_end()
        if printed:
            told.append(f"OpenAI reads it at the baseline’s mean speed and prints {printed}×; speeds here are medians.")
        return told

    def _printed_end(self) -> str:
        """The printed ratio at the baseline's highest speed; empty where this is not the document's comparison."""
        claims = self.facts.claims
        mine = claims[(claims["model"] == self.question.model) & (claims["source_id"] == PRIMARY)]
        mine = mine[(mine["metric"] == "matched_mixed_tok_s_per_kw") & (mine["side"] == "ratio")]
        return str(mine["printed"].iloc[0]) if self._is_appendix() and len(mine) else ""

    @staticmethod
    def _b(text: str) -> str:
        return f"<b>{html.escape(text)}</b>"

    def _peak_on(self, basis: str) -> Interval:
        return compare(self.facts, replace(self.question, basis=basis)).peak_ratio

    def claims(self) -> Table | Html:
        """The primary document's claims about this model, with verdicts."""
        claims = self.facts.claims
        mine = claims[(claims["model"] == self.question.model) & (claims["source_id"] == PRIMARY)]
        mine = mine if CANDIDATE in self.pair else mine.iloc[:0]
        mine = mine[mine["side"].isin(["ratio", "candidate", "baseline"]) & (mine["metric"] != "package_power_w")]
        appendix = mine["section"].str.startswith("Appendix")
        mine = pd.concat([mine[appendix], mine[~appendix]])
        mine = mine[~mine.duplicated("topic")]
        if mine.empty:
            return Html("<p>None of the documents in this book prints a number about this comparison.</p>", "no claims")
        return claims_table(
            self, mine, f"What OpenAI printed about {self._model_name}, and what the audit found", everywhere=False
        )

    def frontier(self) -> alt.TopLevelMixin:
        """The frontier, with the document's own points; the reader chooses basis, lines, a limit and a speed."""
        charts.use_renderer()
        source = self.source_line(pd.concat([side.points for side in self.lines]))
        if self.question.basis == "measured":  # a row's own watts, which no other basis has
            return charts.frontier(
                self.lines,
                self.names,
                self._marked_points(),
                unit=self.question.unit,
                title=self._finding(),
                source=source,
            )
        sides = self._every_side()
        rows = [charts.rows_of(side, name, self._timed(side)) for name, side in sides.items()]
        systems = list(dict.fromkeys(side.system for side in sides.values()))
        bases = {b: label for b, label in _BASES.items() if self._rated(b, self.pair)}
        asked = self.question.basis
        bases = {asked: bases[asked]} | bases
        watts = {b: {s: self._ends_of_watts(b, s) for s in systems if self._rated(b, [s])} for b in bases}
        return charts.explorer(
            pd.concat(rows),
            watts,
            bases,
            self._marked_points(),
            self._middle(),
            always=len(self.lines),
            title=self._finding(),
            subtitle=self._explained(),
            description=charts.describe(self.lines, self.names, self.question.unit),
            source=source,
        )

    def _every_side(self) -> dict[str, Line]:
        """Every line of the model by the name that charts give it: this page's first, then the others."""
        found = {side.named(self.name(side.system)): side for side in self.lines}
        others = every_line(self.facts, self.question.model, "chip")
        for side in sorted(others, key=lambda o: (o.decoding != "none", self.name(o.system))):
            found.setdefault(side.named(self.name(side.system)), side)
        return found

    def _timed(self, side: Line) -> Line | None:
        """The rows of a line that hold a TTFT, with those that stand for their configuration among them."""
        return find_line(self.facts, self.question.model, side.system, "chip", side.decoding, ttft_max_s=math.inf)

    def _rated(self, basis: str, systems: list[str]) -> bool:
        return basis == "chip" or all(watts(self.facts.systems.loc[s], basis) is not None for s in systems)

    def _ends_of_watts(self, basis: str, system: str) -> tuple[float, float]:
        found = None if basis == "chip" else watts(self.facts.systems.loc[system], basis)
        return (1000.0, 1000.0) if found is None else (found.low, found.high)

    def _middle(self) -> float:
        """A speed that both sides have measured, to two digits; NaN where there is none."""
        if self.equal.empty:
            return math.nan
        middle = math.sqrt(float(self.equal["speed"].min()) * float(self.equal["speed"].max()))
        return float(f"{middle:.2g}")

    def _explained(self) -> str:
        rings = " Rings: points that the document prints." if len(self._marked_points()) else ""
        return (
            "Each mark is one measured row (hollow: not independently executed); lines join the best of each system, "
            f"dash-dotted where several tokens are predicted at a time; small marks are below their line.{rings} A "
            "limit on TTFT leaves the rows that publish one within it. Values between two points are read linearly."
        )

    def _finding(self) -> str:
        names = [self.name(s) for s in self.pair]
        if self.comparison is None:
            return f"{names[0]}: {number(0)(self.lines[0].peak['high'])} {self.question.unit} at its peak"
        candidate, baseline = names
        if self.equal.empty:
            return f"{candidate} and {baseline} share no speed at which both were measured"
        low, high = ends(self.equal, 0), ends(self.equal, -1)
        where = "at the slow end of their common speeds"
        unit = BASIS_PHRASE[self.question.basis][:1].lower() + BASIS_PHRASE[self.question.basis][1:]
        said = f"At equal speed {candidate} gives {low} the throughput of {baseline} {unit} {where}"
        return f"{said}, {high} at the fast end"

    def _marked_points(self) -> pd.DataFrame:
        """The appendix's printed points that can be placed: those with a value per kW and a speed."""
        if not self._is_appendix():
            return pd.DataFrame()
        claims = self.facts.claims
        mine = claims[(claims["model"] == self.question.model) & (claims["source_id"] == PRIMARY)]
        rows = []
        for _, claim in mine.iterrows():
            speed = self._printed_speed(claim)
            if speed is not None and claim["system"] in self.pair:
                told = f"{claim['printed']} {claim['unit']} ({self.name(claim['system'])})"
                value = float(Printed.parse(claim["printed"]))
                rows.append({"speed": round(speed, 3), "value": value, "label": claim["printed"], "told": told})
        return pd.DataFrame(rows)

    def _printed_speed(self, claim: pd.Series) -> float | None:
        if claim["metric"] == "peak_mixed_tok_s_per_kw" and claim["side"] in ("candidate", "baseline"):
            mine = [side for side in self.lines if side.system == claim["system"]]
            return float(mine[0].peak["speed"]) if mine else None
        if claim["metric"] == "matched_mixed_tok_s_per_kw" and claim["side"] in ("candidate", "baseline"):
            return float(Printed.parse(self.facts.claims.loc[claim["paired_claim"], "printed"]))
        return None

    def frontier_rows(self) -> Table:
        """The rows of the chart."""
        rows = pd.concat([side.points for side in self.lines])
        frame = pd.DataFrame(
            {
                "system": rows["system"].map(self.names),
                "engine": rows["engine"],
                "layout": [
                    text(p) + detail(text(n)) for p, n in zip(rows["parallelism"], rows["statistic_note"], strict=True)
                ],
                "chips": rows["chips"],
                "concurrency": rows["concurrency"],
                "speed": rows["speed"],
                "value": list(zip(rows["low"], rows["high"], strict=True)),
                "best": [
                    "yes" if p else ("repeat" if not c else "")
                    for p, c in zip(rows["pareto"], rows["counts"], strict=True)
                ],
                "evidence": [
                    text(row["evidence"]) + detail(self.row_link(row)) + detail(text(row["date"]))
                    for row in rows.to_dict("records")
                ],
            }
        )
        columns = {
            "system": Column("System"),
            "engine": Column("Engine"),
            "layout": Column("Parallelism, and notes", markup),
            "chips": figures("Chips", number()),
            "concurrency": figures("Concurrency", number()),
            "speed": figures("Interactivity, median tok/s/user", number(1)),
            "value": figures(f"Throughput, {self.question.unit}", span(0)),
            "best": Column("On the line"),
            "evidence": Column("Evidence, source and date", markup),
        }
        return Table(frame, columns, f"Data of this chart: {len(frame)} rows", folded=True)

    def equal_speed(self) -> Table | Html:
        """The comparison at every measured speed of the overlap."""
        table = self.equal
        if table.empty:
            return Html(
                "<p>No speed was measured on two systems, so nothing is compared here.</p>", "nothing to compare"
            )
        candidate, baseline = (self.name(s) for s in self.pair)
        sides = {"candidate": candidate, "baseline": baseline, "candidate and baseline": "both"}
        frame = pd.DataFrame({"speed": table["speed"], "measured": table["measured"].map(sides)})
        for name in ("candidate", "baseline", "ratio", "steffen"):
            frame[name] = list(zip(table[f"{name}_low"], table[f"{name}_high"], strict=True))
        frame["gap"] = table["gap"]
        frame["source"] = [self.row_links(*self._behind(speed)) for speed in table["speed"]]
        columns = {
            "speed": figures("Interactivity, tok/s/user", number(1)),
            "measured": Column("Measured point of"),
            "candidate": figures(f"{candidate}, {self.question.unit}", span(0)),
            "baseline": figures(f"{baseline}, {self.question.unit}", span(0)),
            "ratio": figures("Ratio (linear)", span(2, "×")),
            "steffen": figures("Ratio (monotone cubic)", span(2, "×")),
            "gap": figures("Gap between measured neighbours", number(2, "×")),
            "source": Column("Sources", sources),
        }
        caption = f"{candidate} and {baseline} at equal interactivity, slowest first"
        if self._is_appendix():
            caption += ". OpenAI reads the last ratio at the baseline’s mean speed; here all speeds are medians"
        return Table(frame, columns, caption)

    def _behind(self, speed: float) -> tuple[pd.DataFrame, ...]:
        """The rows between which both sides are read at a speed."""
        return () if self.comparison is None else self.comparison.behind(speed)

    def every_line(self) -> Table:
        """Every system and decoding method with rows for this model, best peak first."""
        found = every_line(self.facts, self.question.model, self.question.basis)
        best = spread(self.lines[0].peak)
        frame = pd.DataFrame(
            {
                "system": [self.name(side.system) for side in found],
                "decoding": [DECODING.get(side.decoding, side.decoding) for side in found],
                "engines": [", ".join(sorted(side.points["engine"].dropna().unique())) for side in found],
                "rows": [len(side.points) for side in found],
                "peak": [(side.peak["low"], side.peak["high"]) for side in found],
                "speed": [side.peak["speed"] for side in found],
                "fastest": [side.fastest["speed"] for side in found],
                "ratio": [pair(best / spread(side.peak)) for side in found],
                "evidence": [line_evidence(self, side) for side in found],
            }
        )
        frame = frame.iloc[sorted(range(len(frame)), key=lambda i: -frame["peak"].iloc[i][1])]
        columns = {
            "system": Column("System"),
            "decoding": Column("Decoding"),
            "engines": Column("Engines"),
            "rows": figures("Rows", number()),
            "peak": figures(f"Peak, {self.question.unit}", span(0)),
            "speed": figures("Its speed, tok/s/user", number(0)),
            "ratio": figures(f"{self.name(self.pair[0])}’s peak over it", span(2, "×")),
            "fastest": figures("Fastest, tok/s/user", number(0)),
            "evidence": Column("Evidence and sources", markup),
        }
        return Table(frame, columns, f"Every public line for {self._model_name}, each at its own peak")

    def gaps(self) -> Html:
        """What cannot be said, because nobody published it."""
        items = [*self._unpublished(), *self._underivable()]
        body = "".join(f"<li>{item}</li>" for item in items)
        return Html(f'<ul class="gaps">{body}</ul>', f"{len(items)} things that cannot be said")

    def _unpublished(self) -> list[str]:
        told = []
        for side in self.lines:
            blank = [label for column, label in _STATISTICS.items() if side.points[column].isna().all()]
            partly = [
                f"{label} ({side.points[column].notna().sum()} of {len(side.points)} rows)"
                for column, label in _STATISTICS.items()
                if side.points[column].notna().any() and side.points[column].isna().any()
            ]
            name = html.escape(self.name(side.system))
            if blank:
                told.append(f"For {name} no row holds: {', '.join(blank)}.")
            if partly:
                told.append(f"For {name} only some rows hold: {', '.join(partly)}.")
        points = self.facts.points
        mine = points[(points["model"] == self.question.model) & (points["system"] == self.question.candidate)]
        name = html.escape(self.name(self.question.candidate))
        if not (mine["speculation"] != "none").any():
            told.append(f"No result of {name} with speculative decoding was published.")
        repeated = mine.duplicated(list(tables.CONFIGURATION), keep=False).any()
        if not repeated and not mine["statistic_note"].fillna("").str.contains("runs").any():
            told.append(f"No configuration of {name} was measured twice: its spread between runs is not known.")
        rubin = points[(points["system"] == "vr200") & (points["model"] == self.question.model)]
        if CANDIDATE in self.pair and rubin.empty:
            told.append("No row of Rubin for this model is in the data.")
        elif CANDIDATE in self.pair and rubin["total_tok_s_per_chip"].isna().all():
            told.append("Rubin’s rows for this model hold output rates only and are not on this page’s charts.")
        others = len(points[points["model"] == self.question.model]) - int(
            workload_of(self.facts, self.question.model).mask(points[points["model"] == self.question.model]).sum()
        )
        if others:
            told.append(
                f"{others} further rows for this model are of another workload or precision and not shown here."
            )
        told.append("Accuracy at the precision used was not published beside the speeds.")
        return told

    def _underivable(self) -> list[str]:
        if CANDIDATE not in self.pair:
            return []
        claims = self.facts.claims
        mine = claims[claims["model"].isin([self.question.model, "all"]) & (claims["source_id"] == PRIMARY)]
        found = {f.claim_id: f for f in self.findings}
        return [
            f"{self.claim_link(str(c), f'{about(self, row)}: {row.printed}')}: {html.escape(found[str(c)].rests_on)}."
            for c, row in mine.iterrows()
            if found[str(c)].verdict == "not derivable"
        ]

    @property
    def _model_name(self) -> str:
        return str(self.facts.models.loc[self.question.model, "name"])


BASIS_PHRASE = {
    "package": "Per kW of package rating",
    "measured": "Per kW of measured chip power",
    "all-in": "Per kW with a share of server, network and cooling",
    "chip": "Per chip",
}


def _requests(concurrency: float) -> str:
    return f"{concurrency:.0f} request" + ("" if concurrency == 1 else "s")


_STATISTICS = {
    "interactivity_mean_tok_s_user": "mean interactivity",
    "ttft_mean_s": "mean TTFT",
    "ttft_median_s": "median TTFT",
    "ttft_p99_s": "p99 TTFT",
    "e2e_mean_s": "mean E2E",
    "chip_power_mean_w": "measured chip power",
    "date": "the day of the run",
}


def model_page(
    model: str, candidate: str, baseline: str, power_basis: str, speculation: str, data_dir: str, root: str = "../"
) -> ModelPage:
    """The page of one model.

    Args:
        model, candidate, baseline: keys of the data folder; all but the model may be empty, which asks for what the
            page of this model compares by default. So may the next two.
        power_basis: one of `bases.BASES`.
        speculation: decoding of the baseline's rows, such as ``none`` or ``mtp``.
        data_dir: data folder; a relative path starts at the project's root.
        root: relative address of the book's folder.

    Raises:
        InputError: when the data are wrong or a parameter is not among the valid values, which it lists.
    """
    facts = load(data_folder(data_dir))
    usual = question_of(facts, model) if model in set(facts.points["model"]) else None
    question = Question.ask(
        facts,
        model=model,
        candidate=candidate or (usual.candidate if usual else ""),
        baseline=baseline or (usual.baseline if usual else ""),
        power_basis=power_basis or (usual.basis if usual else ""),
        speculation=speculation or (usual.speculation if usual else ""),
    )
    return ModelPage(facts, root, question)
