"""The page of one model: a candidate against a baseline."""

from __future__ import annotations

import html
from dataclasses import dataclass
from functools import cached_property

import altair as alt
import pandas as pd

from scoville import charts
from scoville.audit import PRIMARY
from scoville.compare import DECODING, Comparison, Question, compare
from scoville.facts import load
from scoville.paths import data_folder
from scoville.report.page import ATTRIBUTION, Html, Page, about, claims_table, glue
from scoville.tabulate import Column, Table, figures, markup, number, span
from scoville.units import Interval, Printed
from scoville.words import direction, ends, inline, times


@dataclass(frozen=True)
class ModelPage(Page):
    """The page of one model: a candidate against a baseline.

    Attributes:
        question: what is compared.
    """

    question: Question = None  # type: ignore[assignment]  # a dataclass field after one with a default

    @cached_property
    def comparison(self) -> Comparison:
        """Both lines."""
        return compare(self.facts, self.question)

    @property
    def pair(self) -> list[str]:
        """Candidate and baseline."""
        return [self.question.candidate, self.question.baseline]

    def name(self, system: str) -> str:
        """Readable name of a system."""
        return self.names[system]

    # -- sections, in the order of the page

    def caveats(self) -> Html:
        """What applies before any number is read."""
        concerned = [
            c
            for c in self.facts.caveats
            if c.concerns(model=self.question.model, systems=self.pair, basis=self.question.basis)
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
        return Html(f'<ol class="caveats">{items}</ol>', f"{len(concerned)} caveats")

    def summary(self) -> None:
        """Glue the numbers of the opening paragraph."""
        table = self.comparison.at_equal_interactivity()
        rated, chip = self.peak_on(self.question.basis), self.peak_on("chip")
        glue(
            {
                "basis": BASIS_PHRASE[self.question.basis],
                "peak_ratio": times(rated),
                "chip_ratio": times(chip),
                "chip_direction": direction(chip),
                "lowest_ratio": ends(table, 0),
                "highest_ratio": ends(table, -1),
                "slow_speed": number(0)(table["speed"].iloc[0]) if len(table) else "–",
                "fast_speed": number(0)(table["speed"].iloc[-1]) if len(table) else "–",
                "fastest_requests": _requests(self.comparison.baseline.fastest["concurrency"]),
                "fastest_chips": number(0)(self.comparison.baseline.fastest["chips"]),
                "candidate_peak_speed": number(0)(self.comparison.candidate.peak["speed"]),
                "baseline_peak_speed": number(0)(self.comparison.baseline.peak["speed"]),
            }
        )

    def peak_on(self, basis: str) -> Interval:
        """Ratio of the peaks on another power basis."""
        other = Question(
            self.question.model, self.question.candidate, self.question.baseline, basis, self.question.speculation
        )
        return compare(self.facts, other).peak_ratio

    def claims(self) -> Table:
        """The primary document's claims about this model, with verdicts."""
        claims = self.facts.claims
        mine = claims[(claims["model"] == self.question.model) & (claims["source_id"] == PRIMARY)]
        mine = mine[mine["side"].isin(["ratio", "candidate", "baseline"]) & (mine["metric"] != "package_power_w")]
        appendix = mine["section"].str.startswith("Appendix")
        mine = pd.concat([mine[appendix], mine[~appendix]])
        mine = mine[~mine.duplicated("topic")]
        return claims_table(
            self, mine, f"What OpenAI printed about {self._model_name}, and what the audit found", everywhere=False
        )

    def frontier(self) -> alt.TopLevelMixin:
        """The frontier chart, with the document's own points marked."""
        charts.use_renderer()
        table = self.comparison.at_equal_interactivity()
        candidate, baseline = (self.name(s) for s in self.pair)
        if table.empty:
            title = f"{candidate} and {baseline} share no speed at which both were measured"
        else:
            low, high = ends(table, 0), ends(table, -1)
            title = (
                f"At equal speed {candidate} gives {low} to {high} the throughput of {baseline}: "
                f"the ratio grows to where {baseline}’s curve ends"
            )
        return charts.frontier(
            self.comparison, self.names, self._marked_points(), title=title, source=self._chart_source()
        )

    def _marked_points(self) -> pd.DataFrame:
        """The appendix's printed points that can be placed: those with a value per kW and a speed."""
        if self.question.basis != "package":
            return pd.DataFrame()
        claims = self.facts.claims
        mine = claims[(claims["model"] == self.question.model) & (claims["source_id"] == PRIMARY)]
        rows = []
        for claim_id, claim in mine.iterrows():
            speed = self._printed_speed(claim)
            if speed is not None and claim["system"] in self.pair:
                told = f"{claim['printed']} {claim['unit']} ({self.name(claim['system'])}, {claim_id})"
                value = float(Printed.parse(claim["printed"]))
                rows.append({"speed": round(speed, 3), "value": value, "label": claim["printed"], "told": told})
        return pd.DataFrame(rows)

    def _printed_speed(self, claim: pd.Series) -> float | None:
        if claim["metric"] == "peak_mixed_tok_s_per_kw" and claim["side"] in ("candidate", "baseline"):
            side = self.comparison.candidate if claim["side"] == "candidate" else self.comparison.baseline
            return float(side.peak["speed"])
        if claim["metric"] == "matched_mixed_tok_s_per_kw" and claim["side"] in ("candidate", "baseline"):
            return float(Printed.parse(self.facts.claims.loc[claim["paired_claim"], "printed"]))
        return None

    def frontier_rows(self) -> Table:
        """The rows of the chart."""
        rows = pd.concat([side.points for side in (self.comparison.candidate, self.comparison.baseline)])
        frame = pd.DataFrame(
            {
                "system": rows["system"].map(self.names),
                "engine": rows["engine"],
                "layout": rows["parallelism"],
                "chips": rows["chips"],
                "concurrency": rows["concurrency"],
                "speed": rows["speed"],
                "value": list(zip(rows["low"], rows["high"], strict=True)),
                "best": [
                    "yes" if p else ("repeat" if not c else "")
                    for p, c in zip(rows["pareto"], rows["counts"], strict=True)
                ],
                "evidence": rows["evidence"],
                "date": rows["date"],
                "note": rows["statistic_note"],
                "source": [self.source_link(s) for s in rows["source_id"]],
            }
        )
        columns = {
            "system": Column("System"),
            "engine": Column("Engine"),
            "layout": Column("Parallelism"),
            "chips": figures("Chips", number()),
            "concurrency": figures("Concurrency", number()),
            "speed": figures("Interactivity, median tok/s/user", number(1)),
            "value": figures(f"Throughput, {self.question.unit}", span(0)),
            "best": Column("On the line"),
            "evidence": Column("Evidence"),
            "date": Column("Date"),
            "note": Column("Note"),
            "source": Column("Source", markup),
        }
        return Table(frame, columns, f"Data of this chart: {len(frame)} rows", folded=True)

    def equal_speed(self) -> Table:
        """The comparison at every measured speed of the overlap."""
        table = self.comparison.at_equal_interactivity()
        candidate, baseline = (self.name(s) for s in self.pair)
        sides = {"candidate": candidate, "baseline": baseline, "candidate and baseline": "both"}
        frame = pd.DataFrame({"speed": table["speed"], "measured": table["measured"].map(sides)})
        for name in ("candidate", "baseline", "ratio", "steffen"):
            frame[name] = list(zip(table[f"{name}_low"], table[f"{name}_high"], strict=True))
        frame["gap"] = table["gap"]
        columns = {
            "speed": figures("Interactivity, tok/s/user", number(1)),
            "measured": Column("Measured point of"),
            "candidate": figures(f"{candidate}, {self.question.unit}", span(0)),
            "baseline": figures(f"{baseline}, {self.question.unit}", span(0)),
            "ratio": figures("Ratio (linear)", span(2, "×")),
            "steffen": figures("Ratio (monotone cubic)", span(2, "×")),
            "gap": figures("Gap between measured neighbours", number(2, "×")),
        }
        return Table(frame, columns, f"{candidate} and {baseline} at equal interactivity, slowest first")

    def gaps(self) -> Html:
        """What cannot be said, because nobody published it."""
        items = [*self._unpublished(), *self._underivable()]
        body = "".join(f"<li>{item}</li>" for item in items)
        return Html(f'<ul class="gaps">{body}</ul>', f"{len(items)} things that cannot be said")

    def _unpublished(self) -> list[str]:
        told = []
        for side in (self.comparison.candidate, self.comparison.baseline):
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
        if mine["date"].nunique() <= 1:
            told.append(f"No configuration of {name} was measured on two days: its spread between runs is not known.")
        if not (points["system"] == "vr200").any():
            told.append("No row of Rubin at this workload is in the data.")
        told.append("Accuracy at the precision used was not published beside the speeds.")
        return told

    def _underivable(self) -> list[str]:
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

    def _chart_source(self) -> str:
        rows = pd.concat([self.comparison.candidate.points, self.comparison.baseline.points])
        titles = [str(self.facts.sources.loc[s, "title"]) for s in dict.fromkeys(rows["source_id"])]
        return f"Sources: {'; '.join(titles)}. {ATTRIBUTION}. Some rows are medians over runs; see the table."


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
        model, candidate, baseline: keys of the data folder.
        power_basis: one of `metrics.BASES`.
        speculation: decoding of the baseline's rows, such as ``none`` or ``mtp``.
        data_dir: data folder; a relative path starts at the project's root.
        root: relative address of the book's folder.

    Raises:
        InputError: when the data are wrong or a parameter is not among the valid values, which it lists.
    """
    facts = load(data_folder(data_dir))
    question = Question.ask(
        facts,
        model=model,
        candidate=candidate,
        baseline=baseline,
        power_basis=power_basis,
        speculation=speculation,
    )
    return ModelPage(facts, root, question)
