"""Chapter: repeatability. How far apart runs of one thing lie, and which differences between things are smaller."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, ClassVar

import altair as alt
import pandas as pd

from scoville import charts
from scoville.audit import CANDIDATE
from scoville.book import models_of, questions
from scoville.compare import Line, compare, line, spread
from scoville.facts import load
from scoville.metrics import ISL_NOMINAL, OSL_NOMINAL, requests_in_flight, tokens_per_request
from scoville.paths import data_folder
from scoville.repeats import MEASURES, exceeded, rows_of, single_runs, spreads
from scoville.report.page import Html, Page
from scoville.tabulate import Column, Formatter, Table, figures, number, sources
from scoville.words import counted, listed, times

LABELS = {
    "throughput": "Throughput per chip",
    "interactivity": "Interactivity (median)",
    "e2e_mean": "E2E (mean)",
    "e2e_median": "E2E (median)",
    "ttft_median": "TTFT (median)",
}
_WIDEST = 8
_FAR, _NEAR = 0.10, 0.03
"""Throughput that lies far apart, and median E2E that agrees, for the sentence about stalled requests."""


def percent(places: int = 1) -> Formatter:
    """A share as ``0.9 %``, unbroken; a dash where it is missing."""
    return lambda value: "–" if pd.isna(value) else f"{100 * value:,.{places}f}\u00a0%"


def change(value: Any) -> str:
    """A relative change with its sign, as ``−3.7 %``."""
    return "–" if pd.isna(value) else f"{100 * value:+.1f}\u00a0%".replace("-", "−")


@dataclass(frozen=True)
class RepeatabilityPage(Page):
    """Repeatability."""

    title: ClassVar[str] = "Repeatability"

    @cached_property
    def _rows(self) -> pd.DataFrame:
        return rows_of(self.facts)

    @cached_property
    def spreads(self) -> pd.DataFrame:
        """Repeated configurations, as `repeats.spreads` has them."""
        return spreads(self._rows)

    @cached_property
    def runs(self) -> pd.DataFrame:
        """Their runs, as `repeats.single_runs` has them."""
        return single_runs(self._rows)

    def finding(self) -> Html:
        """The finding, made from the rows."""
        known = self.spreads["throughput"].dropna()
        if known.empty:
            return Html("<p>The data hold no configuration that was run more than once.</p>", "no repeats")
        half, most, nearly = (percent(1)(known.quantile(q)) for q in (0.5, 0.9, 0.95))
        first = (
            f"<b>{len(known)}</b> configurations were published more than once: the throughput of their runs lies "
            f"within <b>{half}</b> in half of them, within {most} in nine of ten, within {nearly} in nineteen of "
            f"twenty; the widest pair is {percent(0)(known.max())} apart. {self._tail_told()}"
        )
        return Html(f"<p>{first.strip()}</p><p>{self._candidate_told()} {self._differences_told()}</p>", "finding")

    def _tail_told(self) -> str:
        """The system and engine that the wide gaps come from, where one of them carries them."""
        frame = self.spreads.dropna(subset=["throughput"])
        keys = frame["system"].astype(str) + "|" + frame["engine"].fillna("no engine").astype(str)
        if keys.nunique() < 2:
            return ""
        without = {key: frame.loc[keys != key, "throughput"].quantile(0.95) for key in keys.unique()}
        key = min(without, key=lambda k: without[k])
        if without[key] > frame["throughput"].quantile(0.95) / 2:
            return ""
        system, engine = key.split("|")
        return (
            f"Without {self.names[system]} under {engine} ({int((keys == key).sum())} of them) nineteen of twenty lie "
            f"within {percent(1)(without[key])}."
        )

    def _candidate_told(self) -> str:
        name = self.names.get(CANDIDATE, CANDIDATE)
        rows = self._candidate_runs()
        if not (self._rows["system"] == CANDIDATE).any():
            return ""
        if not rows:
            return f"No configuration of {name} was published twice."
        first = rows[0]
        what = (
            f"{first['model']} at {listed(number(0)(r['concurrency']) for r in rows if r['model'] == first['model'])}"
        )
        return (
            f"{name} has {counted(len(rows), 'such configuration')}: {what} requests, throughput "
            f"<b>{listed(change(r['throughput']) for r in rows)}</b> and median E2E "
            f"{listed(change(r['e2e_median']) for r in rows)} from {first['dates']}."
        )

    def _differences_told(self) -> str:
        pairs = self._neighbours()
        if not pairs:
            return ""
        known = self.spreads["throughput"].dropna()
        headline = [compare(self.facts, q).peak_ratio for q in questions(self.facts)]
        counts = listed(str(exceeded(known, r.low)) for r in headline) if headline else ""
        smaller = [p for p in pairs if p["ratio"] - 1 < known.quantile(0.5)]
        wide = [p for p in pairs if p["ratio"] - 1 < known.quantile(0.95)]
        named = (
            listed(f"{p['higher']} over {p['lower']} on {p['model']} ({p['ratio']:.3f}×)" for p in smaller)
            if smaller
            else "none"
        )
        told = (
            f"Of {len(pairs)} ratios between peaks of systems that follow each other, those smaller than the median "
            f"spread of runs: {named}. Smaller than what nineteen of twenty keep to: {len(wide)}."
        )
        if headline:
            told += (
                f" Further apart than the ratios of Jalapeño’s peaks to the appendix’ baselines "
                f"({listed(map(times, headline))}) are {counts} of the {len(known)}."
            )
        return told

    # ------------------------------------------------------------------ the spread

    def strip(self) -> alt.TopLevelMixin | Html:
        """Every repeated configuration as a mark, one line a measure; nothing where there is none."""
        if self.spreads.empty:
            return Html("", "no repeats")
        charts.use_renderer()
        frame = self.spreads
        known = frame["throughput"].dropna()
        parts = [
            frame.assign(measure=LABELS[name], spread=frame[name], low=frame[f"{name}_low"], high=frame[f"{name}_high"])
            for name in MEASURES
        ]
        rows = pd.concat(parts).dropna(subset=["spread"])
        rows = rows[rows["spread"] > 0].assign(name=lambda f: f["system"].map(self.names))
        return charts.strips(
            rows,
            list(LABELS.values()),
            title=(
                f"Runs of one configuration: throughput within {percent(1)(known.median())} for half of "
                f"{len(known)}, TTFT within {percent(1)(frame['ttft_median'].median())}"
            ),
            subtitle=(
                "Each mark is one configuration: its highest run over its lowest, minus 1. Bars: medians. Hollow: not "
                "independently executed."
            ),
            source=self.source_line(self.runs),
        )

    def strip_rows(self) -> Table:
        """The data of the chart."""
        columns = {
            "model": Column("Model", self.model_name),
            "system": Column("System", lambda s: self.names[s]),
            "engine": Column("Engine"),
            "precision": Column("Precision"),
            "isl_nominal": figures("Input", number(0)),
            "osl_nominal": figures("Output", number(0)),
            "parallelism": Column("Parallelism"),
            "concurrency": figures("Concurrency", number(0)),
            "runs": figures("Runs", number(0)),
            **{name: figures(f"{label}, apart", percent(1)) for name, label in LABELS.items()},
            "source": Column("Sources", sources),
        }
        links = {repeat: self.row_links(runs) for repeat, runs in self.runs.groupby("repeat")}
        frame = self.spreads.assign(source=[links[repeat] for repeat in self.spreads.index])
        frame = frame.sort_values("throughput", ascending=False)
        return Table(frame, columns, f"Data of this chart: {len(frame)} configurations, widest first", folded=True)

    def quantiles(self) -> Table:
        """Median, 90th and 95th percentile and maximum of the spreads, for all and by kind."""
        frame = self.spreads
        long = (frame["isl_nominal"] == ISL_NOMINAL) & (frame["osl_nominal"] == OSL_NOMINAL)
        kinds = {"All": frame, "8K/1K": frame[long], "Other lengths": frame[~long]}
        for (system, engine), group in frame.groupby(["system", "engine"]):
            kinds[f"{self.names[str(system)]}, {engine}"] = group
        rows = []
        for kind, group in kinds.items():
            known = group["throughput"].dropna()
            row = {"kind": kind, "count": len(group), "runs": int(group["runs"].sum())}
            row |= {f"q{q}": known.quantile(q / 100) for q in (50, 90, 95)} | {"most": known.max()}
            row |= {name: group[name].median() for name in MEASURES if name != "throughput"}
            rows.append(row)
        columns = {
            "kind": Column("Configurations"),
            "count": figures("How many", number(0)),
            "runs": figures("Runs", number(0)),
            "q50": figures("Throughput: median", percent(1)),
            "q90": figures("90th percentile", percent(1)),
            "q95": figures("95th percentile", percent(1)),
            "most": figures("widest", percent(1)),
        } | {n: figures(f"{LABELS[n]}: median", percent(1)) for n in MEASURES if n != "throughput"}
        caption = "Highest over lowest run, minus 1"
        return Table(
            pd.DataFrame(rows, columns=list(columns)), columns, caption, rests_on=self.rests_on(self.runs["source_id"])
        )

    def widest_told(self) -> Html:
        """How many of the wide gaps are gaps of means only."""
        far = self.spreads[self.spreads["throughput"] > _FAR]
        if far.empty:
            return Html("", "no wide gaps")
        alike = far[(far["e2e_median"] < _NEAR) & (far["e2e_mean"] > _FAR)]
        return Html(
            f"<p>In <b>{len(alike)}</b> of the {len(far)} configurations whose throughput lies more than "
            f"{percent(0)(_FAR)} apart, the median E2E agrees within {percent(0)(_NEAR)} while the mean does not: most "
            "requests ran alike, and some took so much longer that the mean, and with it the throughput, moved. A "
            "median hides such requests.</p>",
            "wide gaps",
        )

    def widest(self) -> Table:
        """The runs of the configurations whose throughput lies furthest apart."""
        order = self.spreads.sort_values("throughput", ascending=False).index[:_WIDEST]
        rows = []
        for repeat in order:
            runs = self.runs[self.runs["repeat"] == repeat].sort_values("total_tok_s_per_chip")
            for place, (_, run) in enumerate(runs.iterrows()):
                first = place == 0
                tokens = tokens_per_request(run["isl_nominal"], run["osl_nominal"])
                flight = requests_in_flight(run["total_tok_s_per_chip"], run["chips"], run["e2e_mean_s"], tokens)
                rows.append(
                    {
                        "model": self.model_name(run["model"]) if first else "",
                        "what": _configuration(run, self.names) if first else "",
                        "throughput": run["total_tok_s_per_chip"],
                        "speed": run["speed"],
                        "e2e_median": run["e2e_median_s"],
                        "e2e_mean": run["e2e_mean_s"],
                        "flight": flight,
                        "source": self.row_link(run),
                    }
                )
        columns = {
            "model": Column("Model"),
            "what": Column("Configuration"),
            "throughput": figures("Mixed tok/s per chip", number(0)),
            "speed": figures("Interactivity, median tok/s/user", number(1)),
            "e2e_median": figures("E2E median, s", number(2)),
            "e2e_mean": figures("E2E mean, s", number(2)),
            "flight": figures("In flight, by Little’s law", number(1)),
            "source": Column("Run", sources),
        }
        caption = f"The {len(order)} configurations whose runs lie furthest apart, slowest run first"
        return Table(pd.DataFrame(rows, columns=list(columns)), columns, caption)

    # ------------------------------------------------------------------ the candidate's own

    def _candidate_runs(self) -> list[dict[str, Any]]:
        """The candidate's repeats: relative change from the first to the last date."""
        rows = []
        mine = self.runs[self.runs["system"] == CANDIDATE]
        for _, runs in mine.groupby("repeat"):
            ordered = runs.sort_values("date", kind="stable")
            first, last = ordered.iloc[0], ordered.iloc[-1]
            rows.append(
                {
                    "model": self.model_name(first["model"]),
                    "layout": first["parallelism"],
                    "concurrency": first["concurrency"],
                    "dates": f"{first['date']} to {last['date']}",
                    "from": first["total_tok_s_per_chip"],
                    "to": last["total_tok_s_per_chip"],
                    "source": self.row_links(ordered),
                }
                | {name: last[column] / first[column] - 1 for name, column in MEASURES.items()}
            )
        return rows

    def candidate(self) -> Table | Html:
        """The candidate's repeats."""
        rows = self._candidate_runs()
        if not rows:
            return Html("<p>The data hold none.</p>", "none")
        columns = {
            "model": Column("Model"),
            "layout": Column("Parallelism"),
            "concurrency": figures("Requests at a time", number(0)),
            "dates": Column("Dates"),
            "from": figures("Mixed tok/s per chip, first", number(1)),
            "to": figures("last", number(1)),
            **{n: figures(label, change) for n, label in LABELS.items() if n != "e2e_mean"},
            "source": Column("Source", sources),
        }
        return Table(
            pd.DataFrame(rows, columns=list(columns)),
            columns,
            "Jalapeño’s repeated configurations: change from first to last",
        )

    # ------------------------------------------------------------------ what is smaller than the spread

    def _lines(self, model: str) -> list[Line]:
        """Single-token lines of a model per kW of package rating, highest peak first."""
        found = []
        for system in self.facts.points.loc[self.facts.points["model"] == model, "system"].unique():
            try:
                found.append(line(self.facts, model, str(system)))
            except LookupError:
                continue
        return sorted(found, key=lambda side: -float(side.peak["high"]))

    def _neighbours(self) -> list[dict[str, Any]]:
        """Systems whose peaks follow each other, and how their ratio compares with the spread of repeats."""
        return [
            self._pair(model, higher, lower)
            for model in models_of(self.facts)
            for higher, lower in pairwise(self._lines(model))
        ]

    def _pair(self, model: str, higher: Line, lower: Line) -> dict[str, Any]:
        ratio = spread(higher.peak) / spread(lower.peak)
        return {
            "model": self.model_name(model),
            "higher": self.names[higher.system],
            "lower": self.names[lower.system],
            "ratio": ratio.low,
            "exceeded": exceeded(self.spreads["throughput"], ratio.low),
            "speeds": (float(higher.peak["speed"]), float(lower.peak["speed"])),
            "source": self.row_links(higher.peak, lower.peak),
        }

    def differences(self) -> Table:
        """Ratios of peaks beside the spread of repeats, smallest first, and the headline's."""
        rows = self._neighbours()
        for question in questions(self.facts):
            both = compare(self.facts, question)
            pair = self._pair(question.model, both.candidate, both.baseline)
            rows += [] if pair["ratio"] in [r["ratio"] for r in rows] else [pair]
        columns = {
            "model": Column("Model"),
            "higher": Column("System"),
            "lower": Column("over"),
            "ratio": figures("Ratio of peaks per rated kW", number(3, "×")),
            "exceeded": figures(f"Repeats further apart, of {len(self.spreads)}", number(0)),
            "speeds": figures("Peaks at tok/s/user", lambda pair: " and ".join(number(0)(v) for v in pair)),
            "source": Column("Sources of both peaks", sources),
        }
        frame = pd.DataFrame(rows, columns=list(columns)).sort_values("ratio", kind="stable")
        return Table(
            frame,
            columns,
            "Neighbouring peaks of each model and the appendix’ pairs (single-token), smallest difference first",
        )


def _configuration(run: pd.Series, names: dict[str, str]) -> str:
    lengths = "/".join(f"{run[c] / 1024:g}K" for c in ("isl_nominal", "osl_nominal"))
    parts = (names[run["system"]], run["engine"], run["precision"], lengths, run["parallelism"])
    return f"{', '.join(str(p) for p in parts)}, {counted(run['concurrency'], 'request')}"


def repeatability_page(data_dir: str, root: str = "../") -> RepeatabilityPage:
    """Repeatability.

    Args:
        data_dir: data folder; a relative path starts at the project's root.
        root: relative address of the book's folder.

    Raises:
        InputError: when the data are wrong.
    """
    return RepeatabilityPage(load(data_folder(data_dir)), root)
