"""Chapter: power basis. The same throughputs divided by other watts, and what ratings hide."""

from __future__ import annotations

import html
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import altair as alt
import pandas as pd

from scoville import charts
from scoville.audit import CANDIDATE, PRIMARY
from scoville.bases import BASES
from scoville.book import questions
from scoville.compare import Comparison, Line
from scoville.facts import load
from scoville.metrics import watts
from scoville.paths import data_folder
from scoville.report.baselines import rivals_of
from scoville.report.draw import DrawPage, how
from scoville.report.page import Html, detail
from scoville.tabulate import Column, Formatter, Table, figures, markup, number, sources, span, text
from scoville.units import Interval, Printed
from scoville.words import listed, percent, times
from scoville.words import pair as ends_of

PHRASES = {
    "package": "per rated kW",
    "other": "per kW of a second rating",
    "all-in": "per all-in kW",
    "chip": "per chip",
    "measured": "per measured kW",
}
"""How a choice of watts reads in a sentence: the keys of `bases.BASES`, and ``other`` for a second rating."""
_MLPERF = "mlperf-inference-v6.1"


def both(places: int) -> Formatter:
    """Two ratios, each with its ends, one below the other: by linear interpolation and by the monotone cubic."""
    show = span(places, "×")
    return lambda value: "–" if value is None else show(value[0]) + detail(show(value[1]))


@dataclass(frozen=True)
class PowerPage(DrawPage):
    """Power basis."""

    title: ClassVar[str] = "Power basis"

    @cached_property
    def comparisons(self) -> dict[str, dict[tuple[str, str], Comparison]]:
        """The candidate beside every public single-token line: by basis, then by model and system."""
        found: dict[str, dict[tuple[str, str], Comparison]] = {basis: {} for basis in BASES}
        for question in questions(self.facts):
            for basis, pairs in found.items():
                try:
                    rivals = rivals_of(self.facts, question, basis)
                except LookupError:  # the candidate has no watts on it
                    continue
                single = [r for r in rivals if r.question.speculation == "none"]
                pairs |= {(question.model, r.line.system): r.comparison for r in single}
        return found

    @cached_property
    def named(self) -> list[tuple[str, str]]:
        """Model and baseline of the appendix' pairs."""
        asked = [(q.model, q.baseline) for q in questions(self.facts)]
        return [pair for pair in asked if pair in self.comparisons["chip"]]

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """Model and other system of every pair: by model, the appendix' first, then the best peak per chip."""
        models = list(dict.fromkeys(model for model, _ in self.comparisons["chip"]))
        return sorted(self.comparisons["chip"], key=lambda pair: (models.index(pair[0]), pair not in self.named))

    def sides(self, pair: tuple[str, str]) -> tuple[Line, Line]:
        """The candidate's and the other line of a pair, per chip."""
        found = self.comparisons["chip"][pair]
        return found.candidate, found.baseline

    def watts_of(self, system: str, basis: str) -> Interval | None:
        """Watts of a package on a basis of `PHRASES`; None where nobody published them, and for ``measured``."""
        row = self.facts.systems.loc[system]
        if basis == "measured":  # one number a row, none a package
            return None
        if basis == "other":
            other = row["package_power_other_w"]
            return None if pd.isna(other) else Interval(float(other), float(other))
        return watts(row, basis)

    def peak(self, pair: tuple[str, str], basis: str) -> Interval | None:
        """Peak of the candidate over the other's on a basis of `PHRASES`; None where a side has no watts on it.

        On ``other``, a side without a second rating keeps its only one where the other side has two.
        """
        if basis != "other":
            found = self.comparisons[basis].get(pair)
            return None if found is None else found.peak_ratio
        second = [self.watts_of(system, "other") for system in (pair[1], CANDIDATE)]
        theirs, mine = (s or self.watts_of(p, "package") for s, p in zip(second, (pair[1], CANDIDATE), strict=True))
        if not any(second) or theirs is None or mine is None:
            return None
        return self.comparisons["chip"][pair].peak_ratio * (theirs / mine)

    @cached_property
    def answered(self) -> dict[str, dict[str, Interval]]:
        """Peak ratio by basis and model, for the bases with figures for every one of the appendix' pairs."""
        found = {b: {p[0]: peak for p in self.named if (peak := self.peak(p, b))} for b in BASES}
        return {b: peaks for b, peaks in found.items() if len(peaks) == len(self.named)}

    # ------------------------------------------------------------------ sections, in the order of the page

    def finding(self) -> Html:
        """The finding, made from the rows."""
        if not self.named:
            return Html("<p>The data hold no comparison of the default candidate.</p>", "no comparison")
        models = listed(self.model_name(model) for model, _ in self.named)
        ratios = listed(
            f"<b>{listed(map(times, peaks.values()))}</b> {PHRASES[b]}" for b, peaks in self.answered.items()
        )
        told = f"{self.names[CANDIDATE]}’s peaks over the baselines of OpenAI’s appendix ({models}) are {ratios}."
        first = f"{told} {self._turns()} {self._unmeasured()}"
        second = " ".join(part for part in (self._equal_speed(), self._rating_is_no_draw()) if part)
        return Html(f"<p>{first.strip()}</p>" + (f"<p>{second}</p>" if second else ""), "finding")

    def _turns(self) -> str:
        """On which bases a peak falls below the baseline's."""
        behind = {b: [self.model_name(m) for m, p in peaks.items() if p.low < 1] for b, peaks in self.answered.items()}
        turned = [f"{PHRASES[b]} on {listed(models)}" for b, models in behind.items() if models]
        return f"They fall below 1 {listed(turned)}." if turned else "They fall below 1 on none of these bases."

    def _equal_speed(self) -> str:
        """The lowest ratio at equal speed on any basis, whichever interpolation gives it."""
        lows = [
            (row[f"{method}_low"], row["speed"], basis, model)
            for basis in self.answered
            for model, system in self.named
            for row in self.comparisons[basis][model, system].at_equal_interactivity().to_dict("records")
            for method in ("ratio", "steffen")
        ]
        if not lows:
            return ""
        low, speed, basis, model = min(lows)
        where = f"{low:.2f}× ({self.model_name(model)}, {PHRASES[basis]}, at {speed:.0f} tok/s per user)"
        return f"At equal speed the lowest ratio on any of these bases is {where}."

    def _unmeasured(self) -> str:
        if "measured" in self.answered:
            return ""
        lines = [side for pair in self.named for side in self.sides(pair)]
        blank = dict.fromkeys(self.names[s.system] for s in lines if s.points["chip_power_mean_w"].isna().all())
        return f"Per measured kW there is no ratio: no row of {listed(blank)} behind them holds watts."

    def _rating_is_no_draw(self) -> str:
        if self.extremes is None:
            return ""
        low, high = self.extremes
        ends = [
            f"<b>{percent(e['share'])}</b> of its rating ({e['model']}, {e['load']:.3g} per chip, {how(e)})"
            for e in (low, high)
        ]
        told = f"A rating is not a draw: the public rows of {low['name']} go from {ends[0]} to {ends[1]}"
        if self.widest is not None:
            share, row = self.widest["share"], self.widest.iloc[0]
            one = f"one configuration ({row['model']}, {row['configuration']}) from {percent(share.min())} to"
            told += f"; those of {one} {percent(share.max())}"
        return f"{told}."

    def bases(self) -> alt.TopLevelMixin:
        """Peak ratios of the appendix' pairs, one row a basis."""
        charts.use_renderer()
        rows = [
            {
                "group": f"{self.model_name(model)} over {self.names[system]}",
                "label": PHRASES[basis],
                "system": system,
                "low": None if ratio is None else ratio.low,
                "high": None if ratio is None else ratio.high,
                "shown": "not published" if ratio is None else times(ratio),
            }
            for model, system in self.named
            for basis in BASES
            for ratio in (self.peak((model, system), basis),)
        ]
        count = len(self.named)
        by_count: dict[int, list[str]] = {}
        for basis, peaks in self.answered.items():
            by_count.setdefault(sum(p.low > 1 for p in peaks.values()), []).append(PHRASES[basis])
        ahead = [f"{listed(bases)} on {n} of {count} models" for n, bases in by_count.items()]
        return charts.ratio_rows(
            pd.DataFrame(rows).astype({"low": float, "high": float}),
            title=(f"{self.names[CANDIDATE]}’s peak is above that of the appendix’ baseline {'; '.join(ahead)}"),
            subtitle="Its peak over the baseline’s, each at its own speed. A bar spans an interval of watts.",
            source=self._sources(self.named),
        )

    def _sources(self, pairs: list[tuple[str, str]]) -> str:
        lines = [side for pair in pairs for side in self.sides(pair)]
        systems = self.facts.systems.loc[[side.system for side in lines]]
        used = {*pd.concat([side.points["source_id"] for side in lines])}
        used |= {*systems["power_source_id"], *systems["all_in_source_id"]}
        return self.sources_told(s for s in self.facts.sources.index if s in used)

    def bases_table(self) -> Table:
        """The appendix' pairs on every basis: peaks, and the ratio at equal speed by both interpolations."""
        rows = [self._basis_row(pair, basis) for pair in self.named for basis in BASES]
        same = all(row["own"] == row["slow"] for row in rows)
        name = self.names[CANDIDATE]
        columns = {
            "model": Column("Model"),
            "system": Column("Baseline"),
            "basis": Column("Basis"),
            "behind": Column(f"{name} behind", markup),
            "mine": figures(f"{name}, W", span(0)),
            "theirs": figures("Baseline, W", span(0)),
            "peak": figures("Peak over peak", span(2, "×")),
            **({} if same else {"own": figures(f"At {name}’s peak speed", both(2))}),
            "slow": figures(f"At the slow end{f', {name}’s peak speed' if same else ''}", both(2)),
            "fast": figures("At the fast end", both(1)),
            "source": Column("Sources of rates and watts", sources),
        }
        caption = (
            "The appendix’ pairs on every basis. Ends: of the speeds that both sides have measured; linear, and "
            "below it monotone cubic"
        )
        return Table(pd.DataFrame(rows), columns, caption)

    def _basis_row(self, pair: tuple[str, str], basis: str) -> dict[str, Any]:
        model, system = pair
        row: dict[str, Any] = dict.fromkeys(("mine", "theirs", "peak", "own", "slow", "fast"))
        row |= {
            "model": self.model_name(model),
            "system": self.names[system],
            "basis": PHRASES[basis],
            "source": self._rests(pair, basis),
        }
        if basis != "chip":  # which counts as 1,000 W
            row |= {"mine": ends_of(self.watts_of(CANDIDATE, basis)), "theirs": ends_of(self.watts_of(system, basis))}
        found = self.comparisons[basis].get(pair)
        if found is None:
            return row | {"behind": "not known" + detail(f"no watts: {html.escape(self._why_not(pair, basis))}")}
        equal = found.at_equal_interactivity()
        speeds = {"own": float(found.candidate.peak["speed"])}
        if len(equal):
            speeds |= {"slow": float(equal["speed"].iloc[0]), "fast": float(equal["speed"].iloc[-1])}
        row |= {at: tuple(ends_of(found.ratio_at(s, m)) for m in ("linear", "steffen")) for at, s in speeds.items()}
        return row | {"peak": ends_of(found.peak_ratio), "behind": self._behind(found.peak_ratio, equal)}

    def _rests(self, pair: tuple[str, str], basis: str) -> str:
        """Links to the sources of a pair's peaks and of the readings at both ends, and of the watts on a basis."""
        chip = self.comparisons["chip"][pair]
        speeds = chip.at_equal_interactivity()["speed"]
        ends = [part for speed in (*speeds.head(1), *speeds.tail(1)) for part in chip.behind(speed)]
        watts = self.rests_on(self._watts_sources([CANDIDATE, pair[1]], basis))
        return "; ".join([self.row_links(chip.candidate.peak, chip.baseline.peak, *ends), *watts])

    def _watts_sources(self, systems: Iterable[str], basis: str) -> list[Any]:
        """Keys of the sources of the watts of packages; none per chip, and where every row has its own watts."""
        columns = {"package": "power_source_id", "all-in": "all_in_source_id"}
        return list(self.facts.systems.loc[list(systems), columns[basis]]) if basis in columns else []

    @staticmethod
    def _behind(peak: Interval, equal: pd.DataFrame) -> str:
        """Where the ratio is below 1: at the peaks, and at which measured speeds."""
        told = []
        if peak.low < 1:
            told.append("at the peaks" if peak.high < 1 else "at the peaks, at some of the watts")
        below = equal[equal["ratio_low"] < 1]
        if len(below):
            told.append(f"at {len(below)} of {len(equal)} common speeds, up to {below['speed'].max():.0f} tok/s/user")
        return "; ".join(told) or "nowhere"

    def _why_not(self, pair: tuple[str, str], basis: str) -> str:
        """Why a pair has no ratio on a basis."""
        told = []
        for side in self.sides(pair):
            name = self.names[side.system]
            if basis == "measured":
                have = int(side.points["chip_power_mean_w"].notna().sum())
                told.append(f"{have} of {len(side.points)} rows of {name}")
            elif self.watts_of(side.system, basis) is None:
                told.append(f"no figure for {name}")
        return ", ".join(told)

    def own_watts(self) -> alt.TopLevelMixin:
        """Peak ratios against every public line, at watts that the reader types."""
        charts.use_renderer()
        rated = [pair for pair in self.pairs if self.peak(pair, "package")]
        systems = dict.fromkeys([CANDIDATE, *(system for _, system in rated)])
        ratings = {s: w.low for s in systems if (w := self.watts_of(s, "package"))}
        rows = [
            {
                "group": f"{self.model_name(model)}: {self.names[CANDIDATE]} over",
                "label": self.names[system] + (" (appendix)" if (model, system) in self.named else ""),
                "system": system,
                "per_chip": self.comparisons["chip"][model, system].peak_ratio.low,
                "told": f"{self.model_name(model)} over {self.names[system]}"
                if (model, system) in self.named
                else None,
            }
            for model, system in rated
        ]
        first = [p.low for pair in rated if (p := self.peak(pair, "package"))]
        return charts.ratios_by_watts(
            pd.DataFrame(rows),
            ratings,
            self.names,
            CANDIDATE,
            title=(
                f"At package ratings {self.names[CANDIDATE]}’s peak is {min(first):.2f} to {max(first):.1f} times that "
                "of the public lines; other watts move every mark"
            ),
            subtitle=(
                "Type the watts of one package of each system under the chart, and the same kind of figure for all of "
                "them: a rating beside a rating, a reading beside a reading."
            ),
            source=self._sources(rated),
        )

    def every_line(self) -> Table:
        """Every public line on every basis, and the watts at which the peaks are equal."""
        rows = []
        for model, system in self.pairs:
            chip, rating = self.comparisons["chip"][model, system], self.watts_of(system, "package")
            row = {
                "model": self.model_name(model),
                "system": self.names[system],
                "named": "yes" if (model, system) in self.named else "",
                "equal": None if rating is None else chip.peak_ratio.low * rating.low,
            }
            row["source"] = self.row_links(chip.candidate.peak, chip.baseline.peak)
            rows.append(row | {basis: ends_of(self.peak((model, system), basis)) for basis in PHRASES})
        columns = {
            "model": Column("Model"),
            "system": Column("Other system"),
            "named": Column("In the appendix"),
            **{b: figures(p[:1].upper() + p[1:], span(2, "×")) for b, p in PHRASES.items()},
            "equal": figures(f"Equal peaks where {self.names[CANDIDATE]} has, W, and the other its rating", number(0)),
            "source": Column("Sources of both peaks", sources),
        }
        caption = f"{self.names[CANDIDATE]}’s peak over that of every public single-token line, on every basis"
        return Table(pd.DataFrame(rows), columns, caption)

    def watts(self) -> Table:
        """The watts themselves, who says so, and how sure that is."""
        shown = dict.fromkeys([CANDIDATE, *(system for _, system in self.pairs)])
        rows = self.facts.systems.loc[list(shown)]
        frame = rows.assign(
            all_in=[ends_of(watts(row, "all-in")) for _, row in rows.iterrows()],
            rated_by=[self._said(row, "power") for _, row in rows.iterrows()],
            estimated_by=[self._said(row, "all_in") for _, row in rows.iterrows()],
        )
        columns = {
            "name": Column("System"),
            "package_power_w": figures("Rating, W", number(0)),
            "package_power_other_w": figures("Second rating, W", number(0)),
            "rated_by": Column("Source of the rating, confidence", markup),
            "all_in": figures("All-in, W", span(0)),
            "estimated_by": Column("Source of all-in, confidence", markup),
            "note": Column("Note"),
        }
        return Table(frame, columns, "Watts of one package, as published", folded=True)

    def _said(self, row: pd.Series, kind: str) -> str:
        source = row[f"{kind}_source_id"]
        return self.source_link(source) + detail(text(row[f"{kind}_confidence"])) if isinstance(source, str) else ""

    # ------------------------------------------------------------------ the stated draw

    @cached_property
    def stated(self) -> tuple[str, float, float] | None:
        """OpenAI's claim of a sustained draw: its key, its watts, and these as a share of the candidate's rating."""
        claims = self.facts.claims
        mine = claims[(claims["metric"] == "sustained_power_w") & (claims["source_id"] == PRIMARY)]
        mine = mine[mine["system"] == CANDIDATE]
        rating = self.watts_of(CANDIDATE, "package")
        if mine.empty or rating is None:
            return None
        drawn = float(Printed.parse(mine["printed"].iloc[0]))
        return str(mine.index[0]), drawn, drawn / rating.low

    def stated_draw(self) -> Html:
        """What the stated draw is, and what it may be set against."""
        if self.stated is None or not self.named:
            return Html("<p>The primary document states no draw.</p>", "no stated draw")
        claim_id, drawn, share = self.stated
        name, claim = self.names[CANDIDATE], self.facts.claims.loc[claim_id]
        theirs = pd.concat([self.sides(pair)[1].points for pair in self.named])
        have = int(theirs["chip_power_mean_w"].notna().sum())
        said = self.claim_link(claim_id, f"{claim['qualifier']} {claim['printed']} W")
        told = (
            f"OpenAI states a sustained draw of {name} {said}: {percent(share)} of its rating, without meter, load or "
            f"interval. It tells of a measurement, so it can stand beside measurements and beside no rating; "
            f"{have or 'none'} of the {len(theirs)} rows of the appendix’ baselines hold one. If both sides were "
            f"measured and {name} drew {drawn:,.0f} W at its peaks, the ratio per measured kW would be the rated one "
            f"where the baseline drew {percent(share)} of its rating too, lower where it drew less, higher where it "
            "drew more."
        )
        return Html(f"<p>{told}</p>", "the stated draw")

    def if_measured(self) -> Table | Html:
        """What would follow from the stated draw for each baseline, if that were measured as well."""
        if self.stated is None:
            return Html("", "no stated draw")
        claim_id, drawn, share = self.stated
        rows = []
        used: list[Any] = [self.facts.claims.loc[claim_id, "source_id"]]
        for model, system in self.named:
            rated, rating = self.peak((model, system), "package"), self.watts_of(system, "package")
            if rated is None or rating is None:
                continue
            tops = self.tops(model, str(self.facts.systems.loc[system, "vendor"]))
            row = {
                "model": self.model_name(model),
                "system": self.names[system],
                "rated": rated.low,
                "same": share * rating.low,
                "same_share": 100 * share,
                "equal": share / rated.low * rating.low,
                "equal_share": 100 * share / rated.low,
                "full": rated.low / share,
                "scale": ", ".join(f"{top['name']} {percent(top['share'])}" for top in tops),
            }
            rows.append(row)
            used += [side.peak["source_id"] for side in self.sides((model, system))]
            used += self._watts_sources([CANDIDATE, system], "package")
            used += [top["source_id"] for top in tops]
        columns = {
            "model": Column("Model"),
            "system": Column("Baseline"),
            "rated": figures("Peak ratio per rated kW", number(2, "×")),
            "same": figures("The same per measured kW if the baseline drew, W", number(0)),
            "same_share": figures("of its rating", number(0, " %")),
            "equal": figures("Equal peaks if it drew, W", number(0)),
            "equal_share": figures("of its rating", number(0, " %")),
            "full": figures("Ratio if it drew all of its rating", number(2, "×")),
            "scale": Column(
                "For scale: what other systems of its vendor drew of their rating, in their best rows that hold watts"
            ),
        }
        caption = f"If {self.names[CANDIDATE]} drew {drawn:,.0f} W at its peaks; if it drew less, every ratio is higher"
        return Table(pd.DataFrame(rows, columns=list(columns)), columns, caption, rests_on=self.rests_on(used))

    # ------------------------------------------------------------------ what cannot be said

    def gaps(self) -> Html:
        """What cannot be said, because nobody published it."""
        systems = dict.fromkeys([CANDIDATE, *(system for _, system in self.named)])
        items = [*map(self._undrawn, systems), *self._inexact(), *self._estimates(list(systems)), *self._rules()]
        items = [item for item in items if item]
        body = "".join(f"<li>{item}</li>" for item in items)
        return Html(f'<ul class="gaps">{body}</ul>', f"{len(items)} things that cannot be said")

    def _undrawn(self, system: str) -> str:
        """That a system was not measured at all, or not at the workload of the ratios."""
        mine = self.draw[self.draw["system"] == system]
        if mine.empty:
            return f"What {html.escape(self.names[system])} drew: no row of it at any load holds watts."
        if mine["key"].isin([model for model, _ in self.named]).any():
            return ""
        shares = f"{percent(mine['share'].min())} to {percent(mine['share'].max())}"
        return (
            f"What {html.escape(self.names[system])} drew at this workload: its {len(mine)} measured rows are of "
            f"{listed(mine['model'].unique())}, {listed(mine['decoding'].unique())}, another load, at {shares} of its "
            "rating."
        )

    def _inexact(self) -> list[str]:
        implied = self.draw[~self.draw["read"]]
        above = implied[implied["share"] > 1]
        if above.empty:
            return []
        return [
            f"How exact the implied watts are. They are the product of two medians over runs, energy per token and "
            f"throughput: {len(above)} of {len(implied)} ({listed(above['name'].unique())}) come out above the rating, "
            f"up to {percent(above['share'].max())} of it."
        ]

    def _estimates(self, systems: list[str]) -> list[str]:
        rows = self.facts.systems.loc[systems]
        told = [
            f"{html.escape(row['name'])} {span(0, ' W')(ends_of(found))}, {self.source_link(row['all_in_source_id'])}, "
            f"confidence {row['all_in_confidence']}"
            for _, row in rows[rows["all_in_source_id"].notna()].iterrows()
            if (found := watts(row, "all-in"))
        ]
        if not told:
            return []
        return [
            f"What a chip with its share of server and hall draws: all-in figures are estimates ({'; '.join(told)})."
        ]

    def _rules(self) -> list[str]:
        if _MLPERF not in self.facts.sources.index:
            return []
        return [
            f"A result by the rules of {self.source_link(_MLPERF)}. They leave no room for performance per watt that "
            "rests on ratings, so neither the ratios per rated kW here nor the appendix’ could be published there."
        ]


def power_page(data_dir: str, root: str = "../") -> PowerPage:
    """Power basis.

    Args:
        data_dir: data folder; a relative path starts at the project's root.
        root: relative address of the book's folder.

    Raises:
        InputError: when the data are wrong.
    """
    return PowerPage(load(data_folder(data_dir)), root)
