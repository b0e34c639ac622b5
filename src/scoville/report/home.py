"""The first page: the short answer, computed."""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import pandas as pd

from scoville import charts
from scoville.audit import CANDIDATE, PRIMARY, VERDICTS, Finding
from scoville.book import parts, questions
from scoville.compare import Comparison, compare
from scoville.facts import load
from scoville.metrics import ISL_NOMINAL
from scoville.paths import data_folder
from scoville.report.baselines import BaselinesPage, Rival
from scoville.report.chapters import chapter
from scoville.report.page import Gallery, Html, Page, first_paragraph, glue, points_table, verdict_anchor
from scoville.tabulate import Column, Table, figures, span
from scoville.waits import NAMED_S, Waits
from scoville.words import ends, listed, pair, times

BASIS_LABEL = {
    "package": "Per kW of package rating",
    "all-in": "Per kW all-in",
    "chip": "Per chip",
}


@dataclass(frozen=True)
class HomePage(Page):
    """The first page."""

    @cached_property
    def _compared(self) -> dict[str, dict[str, Comparison]]:
        asked = questions(self.facts)
        return {b: {q.model: compare(self.facts, replace(q, basis=b)) for q in asked} for b in BASIS_LABEL}

    def comparisons(self, basis: str = "package") -> dict[str, Comparison]:
        """Every model's comparison on one basis, by model."""
        return self._compared[basis]

    @cached_property
    def _baselines(self) -> BaselinesPage:
        return BaselinesPage(self.facts, self.root)

    def verdict_counts(self) -> Html:
        """How many claims got which verdict, each linked to the ledger."""
        counts = Counter(f.verdict for f in self.findings)
        primary = Counter(f.verdict for f in self.findings if f.source_id == PRIMARY)
        items = "".join(
            f'<li class="verdict-count verdict-{v.replace(" ", "-")}">'
            f'<a href="{self.root}claims.html#{verdict_anchor(v)}">'
            f'<b>{counts[v]}</b> <span class="word">{v}</span></a>'
            f'<span class="meaning">{meaning}</span></li>'
            for v, meaning in VERDICTS.items()
        )
        told = ", ".join(f"{counts[v]} {v}" for v in VERDICTS)
        total, own = len(self.findings), sum(primary.values())
        note = f"{total} printed numbers in five documents, {own} of them in OpenAI’s own; the others repeat it."
        return Html(f'<ul class="verdict-strip">{items}</ul><p class="strip-note">{note}</p>', told)

    def frontiers(self) -> Gallery:
        """The three frontier charts, side by side on shared axes."""
        charts.use_renderer()
        comparisons = self.comparisons()
        rows = pd.concat([s.points for c in comparisons.values() for s in (c.candidate, c.baseline)])
        speeds = (float(rows["speed"].min()) * 0.8, float(rows["speed"].max()) * 7)
        values = (float(rows["low"].min()) * 0.6, float(rows["high"].max()) * 2)
        return Gallery(
            [
                charts.small_frontier(
                    [c.candidate, c.baseline],
                    self.names,
                    unit=c.question.unit,
                    title=f"{self.model_name(m)}: {times(c.peak_ratio)} at the peaks",
                    subtitle=f"{self.names[c.question.candidate]} and {self.names[c.question.baseline]}",
                    source="",
                    speeds=speeds,
                    values=values,
                )
                for m, c in comparisons.items()
            ]
        )

    def frontier_rows(self) -> Table:
        """The rows of the three charts."""
        comparisons = self.comparisons()
        sides = [(m, side) for m, c in comparisons.items() for side in (c.candidate, c.baseline)]
        return points_table(self, sides, next(iter(comparisons.values())).question.unit)

    def _matched_ratios(self) -> list[Finding]:
        """The primary document's ratios “at previous TBT”, in the order of its models."""
        claims = self.facts.claims
        mine = claims[(claims["source_id"] == PRIMARY) & (claims["metric"] == "matched_mixed_tok_s_per_kw")]
        ids = set(mine.index[mine["side"] == "ratio"])
        return [f for f in self.findings if f.claim_id in ids]

    def carry(self) -> Html:
        """The finding of every chapter of “How far the numbers carry”, in its own words, with a link."""
        return self._findings("how-far")

    def stops(self) -> Html:
        """The same of “Where the evidence stops”."""
        return self._findings("evidence-stops")

    def _findings(self, folder: str) -> Html:
        items = []
        for name in parts(self.facts).get(folder, ("", ()))[1]:
            page = chapter(name, self.facts, self.root)
            link = f'<a href="{self.root}{folder}/{name}.html">{html.escape(page.title)}</a>'
            items.append(f"<dt>{link}</dt><dd>{first_paragraph(page.finding())}</dd>")
        return Html(f'<dl class="carry">{"".join(items)}</dl>', f"findings of {len(items)} chapters")

    def peaks(self) -> Table:
        """The ratio of the peaks under several choices, one row a choice."""
        rows: list[dict[str, Any]] = []
        for basis in ("package", "all-in", "chip"):
            found = self.comparisons(basis)
            rows.append(
                {"choice": f"{BASIS_LABEL[basis]}, OpenAI’s baseline"}
                | {m: (c.peak_ratio.low, c.peak_ratio.high) for m, c in found.items()}
            )
        mine = self.facts.points[self.facts.points["system"] == CANDIDATE]
        if mine["chip_power_mean_w"].isna().all():  # the choice stays on the page, as a gap
            gap = "Per kW measured: what Jalapeño drew is not published"
            rows.append({"choice": gap} | dict.fromkeys(self.comparisons()))
        best = {m: self._baselines.best_nvidia(m) for m in self.comparisons()}
        rows.append(
            {"choice": "Per kW of package rating, best public NVIDIA row (single-token)"}
            | {m: pair(r.comparison.peak_ratio) for m, r in best.items()}
        )
        rows.append(
            {"choice": "Per kW of package rating, both at Jalapeño’s own peak speed, OpenAI’s baseline"}
            | {m: pair(self._baselines.named(m).at_candidates_peak) for m in self.comparisons()}
        )
        held = {m: self._waits.at_baselines_wait(m) for m in self.comparisons()}
        rows.append(
            {"choice": "Per kW of package rating, within the median TTFT that OpenAI’s baseline has at its own peak"}
            | {m: None if h is None else (h.ratio, h.ratio) for m, h in held.items()}
        )
        rows += self._within_rows()
        columns: dict[str, Column] = {"choice": Column("Choice")}
        columns |= {
            q.model: figures(f"{self.model_name(q.model)} (vs {self.names[q.baseline]})", span(2, "×"))
            for q in questions(self.facts)
        }
        named = "; ".join(f"{self.model_name(m)}: {self.names[r.line.system]}" for m, r in best.items())
        return Table(
            pd.DataFrame(rows),
            columns,
            f"Jalapeño over its baseline, under {len(rows)} choices. Best public NVIDIA rows: {named}.",
            rests_on=self.rests_on(*self._used(list(best.values()))),
        )

    def _used(self, best: list[Rival]) -> Iterator[Iterable[Any]]:
        """Sources of the lines and watts of the choices, and of the rows within a limit on the median TTFT."""
        sides = [side for c in self.comparisons().values() for side in (c.candidate, c.baseline)]
        sides += [rival.line for rival in best]
        yield from (side.best["source_id"] for side in sides)
        rated = self.facts.systems.loc[[side.system for side in sides]]
        yield from (rated["power_source_id"], rated["all_in_source_id"])
        for model in self.comparisons():
            held = self._waits.at_baselines_wait(model)
            found = [] if held is None else [held.mine, held.timed]
            found += [
                self._waits.candidate_within(model),
                self._waits.named_within(model),
                self._waits.best_within(model),
            ]
            yield [row["source_id"] for row in found if row is not None]

    def _within_rows(self) -> list[dict[str, Any]]:
        """The best rows within a limit on the median TTFT: against the appendix' baseline, and the best other."""
        found = [("OpenAI’s baseline", self._waits.named_within), ("best other public row", self._waits.best_within)]
        asked = f"Both with a median TTFT of at most {NAMED_S:g} s"
        return [{"choice": f"{asked}, {name} (rows with TTFT)"} | self._within(of) for name, of in found]

    def _within(self, of: Callable[[str], pd.Series | None]) -> dict[str, tuple[float, float] | None]:
        """By model, the candidate's best row within the limit over another's; None where one of them has none."""
        ratios: dict[str, tuple[float, float] | None] = {}
        for model in self.comparisons():
            mine, theirs = self._waits.candidate_within(model), of(model)
            known = mine is not None and theirs is not None
            ratios[model] = (ratio := mine["high"] / theirs["high"], ratio) if known else None  # type: ignore[index]
        return ratios

    @cached_property
    def _waits(self) -> Waits:
        return Waits(self.facts)

    def _printed(self, metric: str, end: str) -> str:
        """One end of a range that the primary document prints about all models."""
        claims = self.facts.claims
        mine = claims[(claims["source_id"] == PRIMARY) & (claims["metric"] == metric) & (claims["range_end"] == end)]
        return str(mine["printed"].iloc[0]) if len(mine) else "–"

    def _range(self, metric: str) -> str:
        return f"{self._printed(metric, 'low')} to {self._printed(metric, 'high')}"

    def _sustained(self) -> str:
        claims = self.facts.claims
        mine = claims[(claims["source_id"] == PRIMARY) & (claims["metric"] == "sustained_power_w")]
        return f"{mine['qualifier'].iloc[0]} {mine['printed'].iloc[0]} W" if len(mine) else "–"

    def _latency(self) -> str:
        """What the audit makes of the headline latencies, in a sentence."""
        claims = self.facts.claims
        ends = claims[(claims["source_id"] == PRIMARY) & (claims["metric"] == "e2e_s") & (claims["model"] == "all")]
        found = {f.claim_id: f for f in self.findings}
        verdicts = sorted({found[str(c)].verdict for c in ends.index})
        ours = claims[(claims["source_id"] == PRIMARY) & (claims["metric"] == "e2e_s") & (claims["side"] == "baseline")]
        public = [str(c) for c in ours.index if found[str(c)].verdict == "reproduced"]
        printed = "× to ".join(ends["printed"]) + "×"
        return (
            f"The {printed} lower latency is {' and '.join(verdicts)} with the printed seconds; "
            f"{len(public)} of {len(ours)} baseline latencies stand{'s' if len(public) == 1 else ''} in a public row."
        )

    def _holds(self) -> str:
        """Which of the primary document's ratios unrounded public rows give, in a sentence."""
        told = []
        for metric, name in (("peak_mixed_tok_s_per_kw", "peaks"), ("matched_mixed_tok_s_per_kw", "“at previous TBT”")):
            claims = self.facts.claims
            mine = claims[(claims["source_id"] == PRIMARY) & (claims["metric"] == metric) & (claims["side"] == "ratio")]
            one = {str(c) for c in mine.index[mine["model"].isin(list(self.comparisons()))]}
            by_model = {f.model: f for f in self.findings if f.claim_id in one}
            found = [by_model[m] for m in self.comparisons() if m in by_model]
            good = [f for f in found if f.verdict == "reproduced"]
            if found:
                ratios = listed(f"{f.ratio_printed}×" for f in good) if good else "none"
                told.append(f"{ratios} of {len(found)} {name}" if len(good) < len(found) else f"{ratios} ({name})")
        return f"From unrounded public rows follow the printed {' and '.join(told)}." if told else ""

    def _interactive(self) -> str:
        """The printed range for highly interactive work, where nothing was published that gives its low end."""
        claims = self.facts.claims
        mine = claims[(claims["source_id"] == PRIMARY) & (claims["metric"] == "interactive_performance")]
        low = [f for f in self.findings if f.claim_id in set(mine.index[mine["range_end"] == "low"])]
        if not low or low[0].verdict != "not derivable":
            return ""
        said = self._range("interactive_performance")
        what = f"The {low[0].printed}× of “{said}” times for highly interactive work"
        return f"{what}: no published pair of numbers gives it."

    def _peak_ttft(self, comparisons: dict[str, Comparison]) -> str:
        """The wait that comes with the candidate's peaks, where it is known for all of them."""
        waits = [c.candidate.peak["ttft_median_s"] for c in comparisons.values()]
        if any(pd.isna(w) for w in waits):
            return ""
        return f"at the peaks Jalapeño’s median is {listed(f'{w:.1f}' for w in waits)} s."

    def _least_at_equal_speed(self, basis: str) -> float:
        """The lowest ratio at any speed that both sides of a comparison have, by either interpolation."""
        tables = [c.at_equal_interactivity() for c in self.comparisons(basis).values()]
        return min(float(t[["ratio_low", "steffen_low"]].min().min()) for t in tables)

    def _within_told(self) -> str:
        """The candidate's best rows within a limit on the median TTFT over the best other public ones."""
        ratios = self._within(self._waits.best_within)
        told = [f"{ends[0]:.2f}× ({self.model_name(m)})" for m, ends in ratios.items() if ends is not None]
        if not told:
            return ""
        return f"Held to {NAMED_S:g} s, over the best other public rows: {listed(told)}."

    def _beyond(self) -> str:
        """That nothing longer and nothing of several turns is published, where that is so."""
        mine = self.facts.points[self.facts.points["system"] == CANDIDATE]
        longer = (mine["isl_nominal"] > ISL_NOMINAL) | (mine["workload"] == "agentic")
        return "" if longer.any() else "Long contexts and conversations: no run with either is published."

    def _contradicted(self) -> str:
        """Printed numbers that public rows do not give, in a sentence."""
        found = [f for f in self.findings if f.verdict == "contradicted" and f.reproduced_value is not None]
        if not found:
            return "No printed number is contradicted by a public row."
        told = listed(
            dict.fromkeys(
                f"{self.model_name(f.model)}’s {f.printed} {self.facts.claims.loc[f.claim_id, 'unit']} "
                f"(its row gives {f.reproduced_value:,.1f})"
                for f in found
            )
        )
        return f"Contradicted by its public row: {told}."

    def _rubin(self) -> str:
        points = self.facts.points
        rows = points[points["system"] == "vr200"]
        if rows.empty:
            return "no row of it is in this book"
        told = f"rows of it exist for {rows['model'].nunique()} of {len(questions(self.facts))} models"
        return f"{told}, all digitised from a chart" if (rows["evidence"] == "digitised").all() else told

    def home_numbers(self) -> None:
        """Glue the numbers of the home page's sentences."""
        comparisons = self.comparisons()
        peaks = {m: c.peak_ratio for m, c in comparisons.items()}
        chips = {m: c.peak_ratio for m, c in self.comparisons("chip").items()}
        everything = self.comparisons("all-in")
        all_in = [end for c in everything.values() for end in (c.peak_ratio.low, c.peak_ratio.high)]
        best = [self._baselines.best_nvidia(m).comparison.peak_ratio.low for m in comparisons]
        tables = [c.at_equal_interactivity() for c in comparisons.values()]
        fastest = [c.baseline.fastest for c in comparisons.values()]
        values = {
            "claims_total": str(len(self.findings)),
            "all_in_low": f"{min(all_in):.2f}×",
            "all_in_high": f"{max(all_in):.2f}×",
            "chip_least": f"{self._least_at_equal_speed('chip'):.2f}×",
            "best_low": f"{min(best):.2f}×",
            "best_high": f"{max(best):.2f}×",
            "said_work": self._range("peak_mixed_tok_s_per_kw"),
            "said_latency": self._range("e2e_s"),
            "said_watts": self._sustained(),
            "latency": self._latency(),
            "contradicted": self._contradicted(),
            "rubin": self._rubin(),
            "holds": self._holds(),
            "interactive": self._interactive(),
            "peak_ttft": self._peak_ttft(comparisons),
            "end_chips": listed(f"{row['chips']:.0f}" for row in fastest),
            "matched": listed(f"{f.ratio_printed}×" for f in self._matched_ratios()),
            "matched_requests": listed(f"{row['concurrency']:.0f}" for row in fastest),
            "start_low": ends(min(tables, key=lambda t: t["ratio_low"].iloc[0]), 0),
            "start_high": ends(max(tables, key=lambda t: t["ratio_low"].iloc[0]), 0),
        }
        for q in questions(self.facts):
            values[f"peak_{q.model}"] = times(peaks[q.model])
            values[f"chip_{q.model}"] = times(chips[q.model])
        values["baselines"] = listed(self.names[q.baseline] for q in questions(self.facts))
        values["per_chip"] = listed(
            f"{values[f'chip_{q.model}']} {self.names[q.baseline]} ({self.model_name(q.model)})"
            for q in questions(self.facts)
        )
        values["within"], values["beyond"] = self._within_told(), self._beyond()
        glue(values)


def home_page(data_dir: str, root: str = "") -> HomePage:
    """The first page.

    Args:
        data_dir: data folder; a relative path starts at the project's root.
        root: relative address of the book's folder.

    Raises:
        InputError: when the data are wrong.
    """
    return HomePage(load(data_folder(data_dir)), root)
