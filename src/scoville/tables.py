"""The tables of the data folder: each column once, with type, unit, meaning and check.

The loader checks files against these schemas and the book's data dictionary is printed from them, so a column
that is not described here does not exist.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

import pandera.pandas as pa

Kind = Literal["text", "number", "integer", "flag", "date", "moment"]

EVIDENCE = {
    "self-reported": "Produced and published by the maker of the system; nobody else took part.",
    "observed": "Produced by the maker; a third party watched runs but did not execute them.",
    "independently-executed": "Run by somebody who neither makes nor sells the system.",
    "digitised": "Read off a published chart; the numbers behind it were not published.",
    "modelled": "Computed from a model of the system, not measured.",
    "user-measured": "Brought by whoever built this copy of the book, from their own runs.",
}
CONFIDENCE = {
    "high": "The maker's own document, or several agreeing sources.",
    "medium": "One credible secondary source.",
    "low": "A transcription, a rumour or general knowledge.",
}
SPECULATION = {
    "none": "Single-token prediction (STP): each step yields one token per request.",
    "mtp": "Multi-token prediction: a draft proposes several tokens a step, the model accepts some.",
    "eagle": "A separate draft head proposes several tokens a step.",
    "other": "Another speculative method, named in `statistic_note`.",
}
WORKLOADS = {
    "fixed-length": "Random tokens at a nominal input and output length, one turn a request.",
    "agentic": "Recorded multi-turn agent traces, without a nominal length.",
}


class Metric(NamedTuple):
    """What a claim can be about.

    Attributes:
        label: a short label for tables.
        definition: what it means.
        unit: unit of a value of it; a ratio's is always ×.
        sides: whose number it can be.
        needs: columns that such a claim must fill in.
    """

    label: str
    definition: str
    unit: str
    sides: tuple[str, ...] = ("fact",)
    needs: tuple[str, ...] = ()


_COMPARED = ("candidate", "baseline", "ratio")
METRICS = {
    "peak_mixed_tok_s_per_kw": Metric(
        "Peak throughput per kW",
        "Highest mixed (input + output) tokens per second per kW of package rating.",
        "mixed tok/s/kW",
        _COMPARED,
        ("model",),
    ),
    "e2e_s": Metric(
        "End-to-end latency", "Mean request latency (E2E) at the lowest load, seconds.", "s", _COMPARED, ("model",)
    ),
    "min_tbt_ms": Metric(
        "Minimum TBT",
        "Lowest mean time between tokens (TPOT at the lowest load), milliseconds.",
        "ms",
        _COMPARED,
        ("model",),
    ),
    "max_interactivity_tok_s_user": Metric(
        "Highest interactivity",
        "Highest mean tokens per second per user: 1 / TBT.",
        "tok/s/user",
        _COMPARED,
        ("model",),
    ),
    "matched_mixed_tok_s_per_kw": Metric(
        "Throughput at previous TBT",
        "Mixed tokens per second per kW at the baseline’s highest interactivity.",
        "mixed tok/s/kW",
        _COMPARED,
        ("model", "paired_claim"),
    ),
    "matched_interactivity_tok_s_user": Metric(
        "Speed of that comparison",
        "The interactivity at which the matched throughput is stated.",
        "tok/s/user",
        ("candidate", "baseline"),
        ("model",),
    ),
    "interactive_performance": Metric(
        "“Highly interactive” performance", "The source does not define the measure.", "×", ("ratio",), ("range_end",)
    ),
    "package_power_w": Metric(
        "Package rating", "Rated power of one package, watts.", "W", ("candidate", "baseline"), ("system",)
    ),
    "sustained_power_w": Metric(
        "Sustained power",
        "Power drawn over a load, watts, as stated by the maker.",
        "W",
        ("candidate", "baseline"),
        ("system",),
    ),
    "kernel_speedup": Metric(
        "Kernel speed-up",
        "Speed of generated kernels over hand-written ones, for selected blocks.",
        "×",
        ("ratio",),
        ("range_end",),
    ),
    "design_months": Metric("Design time", "Months from initial design to tape-out.", "months"),
    "porting_months": Metric("Porting time", "Months to bring the three models to high performance.", "months"),
    "model_parameters": Metric(
        "Model size", "Parameters of a model, as its name or a document gives them.", "parameters", needs=("model",)
    ),
    "input_tokens": Metric("Input length", "Nominal input length, tokens.", "tok"),
    "output_tokens": Metric("Output length", "Nominal output length, tokens.", "tok"),
    "models_tested": Metric("Models tested", "Number of models in the published results.", "count"),
    "models_ported": Metric(
        "Models ported", "Number of models brought up that were not in the chip’s original plan.", "count"
    ),
    "chip_generation": Metric("Chip generation", "Which generation of the chip is meant.", "ordinal"),
    "announcement_date": Metric("Announcement", "When the chip or its development was announced.", "date"),
    "results_date": Metric("Presentation", "When the first results were presented.", "date"),
    "deployment_date": Metric("Deployment", "When deployment is said to begin or to grow.", "date"),
}


class Figure(NamedTuple):
    """What a published figure that is no operating point can be.

    Attributes:
        label: a short label for tables.
        unit: unit of its value.
        result: whether it tells of a run, and not of the system itself.
    """

    label: str
    unit: str
    result: bool = True


FIGURES = {
    "tok_s": Figure("Tokens per second of all chips", "tok/s"),
    "samples_s": Figure("Samples per second of all chips", "samples/s"),
    "queries_s": Figure("Queries per second of all chips", "queries/s"),
    "total_mtok_s_mw_utility": Figure("Input and output tokens per utility MW", "Mtok/s/MW"),
    "interactivity_p90_tok_s_user": Figure("Highest interactivity, 90th percentile", "tok/s/user"),
    "output_tok_s_mw_all_in": Figure("Output tokens per all-in MW", "tok/s/MW"),
    "ratio_per_mw_all_in": Figure("Output per all-in MW, over another system", "×"),
    "ratio_per_mw": Figure("Throughput per MW, over another system", "×"),
    "ratio_per_chip": Figure("Throughput per chip, over another system", "×"),
    "ratio_per_cost": Figure("Tokens per cost, over another system", "×"),
    "conversion_w": Figure("Watts per chip that a chart was converted by", "W", result=False),
    "rating_w": Figure("Package rating, another mode", "W", result=False),
    "memory_stacks": Figure("Memory stacks per package", "stacks", result=False),
    "memory_stack_sites": Figure("Sites for memory stacks, filled or not", "sites", result=False),
    "memory_pin_gbit_s": Figure("Data rate of a memory pin", "Gbit/s", result=False),
    "memory_bandwidth_tb_s": Figure("Memory bandwidth, a second figure", "TB/s", result=False),
    "cost_usd_chip_h": Figure("Estimated cost of owning, per chip and hour", "USD/h", result=False),
    "rental_usd_chip_h": Figure("Estimated rental, per chip and hour", "USD/h", result=False),
}
SIDES = {
    "candidate": "The system whose maker makes the claim.",
    "baseline": "The system it is compared with.",
    "ratio": "One against the other.",
    "fact": "Neither: a date, a size, a count.",
}
QUALIFIERS = ("about", "up to", "at or below", "below", "measured", "nominal", "from", "to", "by")
TOKEN_UNITS = ("tok/s", "tok/s/user", "mixed tok/s/kW", "tok")
CLAIM_UNITS = (*TOKEN_UNITS, "×", "s", "ms", "W", "months", "parameters", "count", "date", "ordinal")
UNPARSED_UNITS = ("date", "ordinal")


@dataclass(frozen=True)
class Reference:
    """A column whose values must stand in another table's key column (or in ``also``)."""

    column: str
    table: str
    also: tuple[str, ...] = ()


@dataclass(frozen=True)
class Table:
    """One table of the data folder.

    Attributes:
        name: its name, and that of its file without ``.csv``.
        description: what a row is.
        schema: the columns, as pandera checks them; ``metadata`` holds kind and unit.
        key: the columns that together must not repeat.
        references: the columns that point into other tables.
        optional: whether a data folder may lack the file.
    """

    name: str
    description: str
    schema: pa.DataFrameSchema
    key: tuple[str, ...]
    references: tuple[Reference, ...] = field(default=())
    optional: bool = False

    @property
    def columns(self) -> dict[str, pa.Column]:
        """Column name to pandera column, in file order."""
        return dict(self.schema.columns)

    def kind(self, column: str) -> Kind:
        """How the text of a cell is read."""
        kind: Kind = self.columns[column].metadata["kind"]
        return kind

    def unit(self, column: str) -> str:
        """The unit of a column; empty where it has none."""
        unit: str = self.columns[column].metadata["unit"]
        return unit


_DTYPES = {"text": object, "date": object, "moment": object, "number": float, "integer": float, "flag": object}
_KEY = r"^[a-z0-9][a-z0-9.-]*$"


def _column(
    kind: Kind,
    description: str,
    *,
    unit: str = "",
    required: bool = False,
    among: Sequence[str] | None = None,
    pattern: str | None = None,
    above: float | None = None,
    least: float | None = None,
) -> pa.Column:
    checks: list[pa.Check] = []
    if among is not None:
        checks.append(pa.Check.isin(list(among), error=f"one of: {', '.join(among)}"))
    if pattern is not None:
        checks.append(pa.Check.str_matches(pattern, error="a key of small letters, digits, dots and dashes"))
    if above is not None:
        checks.append(pa.Check.gt(above, error=f"a number above {above:g}"))
    if least is not None:
        checks.append(pa.Check.ge(least, error=f"a number of at least {least:g}"))
    return pa.Column(
        _DTYPES[kind],
        checks=checks,
        nullable=not required,
        description=description,
        metadata={"kind": kind, "unit": unit},
    )


def _text(description: str, **options: object) -> pa.Column:
    return _column("text", description, **options)  # type: ignore[arg-type]


def _number(description: str, unit: str, **options: object) -> pa.Column:
    return _column("number", description, unit=unit, **{"above": 0, **options})  # type: ignore[arg-type]


def _integer(description: str, unit: str = "", **options: object) -> pa.Column:
    return _column("integer", description, unit=unit, **{"least": 0, **options})  # type: ignore[arg-type]


def _date(description: str, **options: object) -> pa.Column:
    return _column("date", description + " (YYYY, YYYY-MM or YYYY-MM-DD)", **options)  # type: ignore[arg-type]


def _flag(description: str, **options: object) -> pa.Column:
    return _column("flag", description + " (`true` or `false`)", **options)  # type: ignore[arg-type]


SOURCES = Table(
    "sources",
    "A document or data set that a number can come from.",
    pa.DataFrameSchema(
        {
            "source_id": _text("Key of the source.", required=True, pattern=_KEY),
            "kind": _text(
                "What it is.",
                required=True,
                among=("document", "dataset", "registry", "specification", "paper", "user"),
            ),
            "title": _text("Title, or a description where it has none.", required=True),
            "publisher": _text("Who published it."),
            "published": _date("Date of publication or of the snapshot"),
            "retrieved": _date("Date on which it was read"),
            "url": _text("Where it stands."),
            "evidence": _text("Class of the numbers in it.", required=True, among=tuple(EVIDENCE)),
            "attribution": _text("Credit that its owner asks for."),
            "sha256": _text("Hash of the file that was read, where a file was read."),
            "note": _text("What a reader should know of it."),
        }
    ),
    key=("source_id",),
)

SYSTEMS = Table(
    "systems",
    "A chip as its package is sold or deployed; one row a package.",
    pa.DataFrameSchema(
        {
            "system": _text("Key of the system.", required=True, pattern=_KEY),
            "name": _text("Name as written in the book.", required=True),
            "vendor": _text("Maker.", required=True),
            "package_power_w": _number("Rated power of one package; the one that per-kW figures use.", "W"),
            "package_power_other_w": _number(
                "A second published rating of the same package (another mode or source).", "W"
            ),
            "all_in_power_low_w": _number(
                "Share of server, network and cooling included: lowest published figure.", "W"
            ),
            "all_in_power_high_w": _number("The same: highest published figure.", "W"),
            "memory_type": _text("Memory technology."),
            "memory_gb": _number("Memory per package, decimal gigabytes as the source gives them.", "GB"),
            "memory_bandwidth_tb_s": _number("Memory bandwidth per package.", "TB/s"),
            "fp4_dense_pflops": _number("Peak FP4 rate per package, without sparsity.", "PFLOP/s"),
            "fp8_dense_pflops": _number("Peak FP8 rate per package, without sparsity.", "PFLOP/s"),
            "scale_up_gb_s": _number("Scale-up bandwidth per package, one direction.", "GB/s"),
            "scale_up_chips": _integer("Packages in one scale-up domain.", "packages", least=1),
            "power_source_id": _text("Source of the rating."),
            "power_confidence": _text("Confidence in the rating.", among=tuple(CONFIDENCE)),
            "all_in_source_id": _text("Source of the all-in figures."),
            "all_in_confidence": _text("Confidence in the all-in figures.", among=tuple(CONFIDENCE)),
            "specs_source_id": _text("Source of memory, compute and network figures."),
            "specs_confidence": _text("Confidence in memory, compute and network figures.", among=tuple(CONFIDENCE)),
            "fp8_confidence": _text(
                "The same for the FP8 rate, where it rests on a weaker source.", among=tuple(CONFIDENCE)
            ),
            "note": _text("Where sources disagree, and what was not found."),
        }
    ),
    key=("system",),
    references=(
        Reference("power_source_id", "sources"),
        Reference("all_in_source_id", "sources"),
        Reference("specs_source_id", "sources"),
    ),
)

MODELS = Table(
    "models",
    "A language model, with the dimensions that bytes and FLOPs per token follow from.",
    pa.DataFrameSchema(
        {
            "model": _text("Key of the model.", required=True, pattern=_KEY),
            "name": _text("Name as written in the book.", required=True),
            "parameters_b": _number("Published total of parameters of the text model.", "10⁹"),
            "active_parameters_b": _number("Parameters used per token, as its model card rounds them.", "10⁹"),
            "attention": _text("Kind of attention.", among=("gqa", "mla")),
            "layers": _integer("Transformer layers.", least=1),
            "dense_layers": _integer("Layers with a dense feed-forward block instead of experts."),
            "hidden": _integer("Width of the residual stream.", least=1),
            "heads": _integer("Query heads.", least=1),
            "kv_heads": _integer("Key and value heads (GQA).", least=1),
            "head_dim": _integer("Dimension of a head (GQA).", least=1),
            "full_attention_layers": _integer("Layers that attend to the whole context."),
            "sliding_window": _integer("Window of the other layers.", "tokens", least=1),
            "q_lora_rank": _integer("Rank of the query projection (MLA).", least=1),
            "kv_lora_rank": _integer("Rank of the cached latent (MLA).", least=1),
            "qk_nope_dim": _integer("Query and key dimension without position (MLA).", least=1),
            "qk_rope_dim": _integer("Query and key dimension with position (MLA).", least=1),
            "v_dim": _integer("Value dimension (MLA).", least=1),
            "routed_experts": _integer("Routed experts per layer.", least=1),
            "experts_per_token": _integer("Routed experts used per token.", least=1),
            "shared_experts": _integer("Experts used by every token."),
            "moe_intermediate": _integer("Inner width of an expert.", least=1),
            "dense_intermediate": _integer("Inner width of a dense block.", least=1),
            "vocabulary": _integer("Tokens in the vocabulary.", "tokens", least=1),
            "max_context": _integer("Longest context that the model is released for.", "tokens", least=1),
            "attention_biases": _flag("Whether attention projections carry biases and sinks"),
            "native_expert_bits": _number("Bits per expert weight as released, scales included.", "bit"),
            "native_other_bits": _number("Bits per attention weight as released.", "bit"),
            "native_precision": _text("Precision as released, in words."),
            "source_id": _text("Source of the dimensions."),
            "note": _text("What a reader should know."),
        }
    ),
    key=("model",),
    references=(Reference("source_id", "sources"),),
)

CLAIMS = Table(
    "claims",
    "One printed number of one document.",
    pa.DataFrameSchema(
        {
            "claim_id": _text("Key of the claim.", required=True, pattern=_KEY),
            "source_id": _text("The document.", required=True),
            "section": _text("Section or paragraph of the document.", required=True),
            "line": _integer("Line in the plain text of the document, title line first.", least=1),
            "topic": _text("What the claim is about; claims with the same topic say the same thing.", required=True),
            "model": _text("Model that it is about, or `all` for the three together.", required=False),
            "metric": _text("What was measured.", required=True, among=tuple(METRICS)),
            "side": _text("Whose number it is.", required=True, among=tuple(SIDES)),
            "system": _text("The system, for a candidate's or baseline's number."),
            "range_end": _text("Which end of a printed range it is.", among=("low", "high")),
            "qualifier": _text("The document's own qualification.", among=QUALIFIERS),
            "printed": _text("The number as printed, digits and separators kept.", required=True),
            "unit": _text("Unit as meant by the document.", required=True, among=CLAIM_UNITS),
            "candidate_claim": _text("For a ratio: the claim that is its numerator's number."),
            "baseline_claim": _text("For a ratio: the claim that is its denominator's number."),
            "paired_claim": _text("The same quantity in another unit, or the speed at which a matched value holds."),
            "note": _text("What a reader should know."),
        }
    ),
    key=("claim_id",),
    references=(
        Reference("source_id", "sources"),
        Reference("model", "models", also=("all",)),
        Reference("system", "systems"),
        Reference("candidate_claim", "claims"),
        Reference("baseline_claim", "claims"),
        Reference("paired_claim", "claims"),
    ),
)

PUBLISHED = Table(
    "published",
    "A published figure of a system that is no operating point: what a page can show but not put on a curve.",
    pa.DataFrameSchema(
        {
            "published_id": _text("Key of the figure.", required=True, pattern=_KEY),
            "system": _text("The system that it is about.", required=True),
            "metric": _text("What it is; the unit follows from it.", required=True, among=tuple(FIGURES)),
            "value": _number("The value, in the unit of the metric.", "", required=True),
            "qualifier": _text("The source's own qualification.", among=QUALIFIERS),
            "compared_with": _text("For a ratio: over what, as the source says."),
            "model": _text("The model served, where it is one of the models table."),
            "served": _text("The model served, as the source names it."),
            "benchmark": _text("The benchmark, where the source names one."),
            "scenario": _text("Scenario of the benchmark, or the software where one benchmark has several."),
            "speed_tok_s_user": _number("Interactivity that the value holds at.", "tok/s/user"),
            "chips": _integer("Packages behind the value.", "packages", least=1),
            "package_power_w": _number("Rated power of one of these packages, as the source states it.", "W"),
            "speculation": _text("Decoding method, where it is stated.", among=tuple(SPECULATION)),
            "conditions": _text("The other conditions, in words.", required=True),
            "evidence": _text("Class of the figure.", required=True, among=tuple(EVIDENCE)),
            "confidence": _text("Confidence that it was published so.", required=True, among=tuple(CONFIDENCE)),
            "source_id": _text("Where it was published.", required=True),
            "locator": _text("Where it stands in the source.", required=True),
            "note": _text("What a reader should know."),
        }
    ),
    key=("published_id",),
    references=(
        Reference("system", "systems"),
        Reference("model", "models"),
        Reference("source_id", "sources"),
    ),
    optional=True,
)

_CONFIGURATION = (
    "model",
    "system",
    "engine",
    "precision",
    "speculation",
    "workload",
    "isl_nominal",
    "osl_nominal",
    "disaggregated",
    "parallelism",
    "chips",
    "concurrency",
)
POINT_KEY = ("source_id", "date", "run_url", *_CONFIGURATION)

POINTS = Table(
    "points",
    "An operating point: one system serving one model under one fixed load.",
    pa.DataFrameSchema(
        {
            "model": _text("The model served.", required=True),
            "system": _text("The system that serves it.", required=True),
            "source_id": _text("Where the row comes from.", required=True),
            "evidence": _text("Class of the row's numbers.", required=True, among=tuple(EVIDENCE)),
            "date": _column(
                "moment",
                "Day of the run, with its time where the source gives one; blank where it gives neither "
                "(YYYY, YYYY-MM, YYYY-MM-DD or YYYY-MM-DD HH:MM:SS)",
            ),
            "engine": _text("Serving software, as InferenceX spells it."),
            "precision": _text("Weight precision, as labelled by the source."),
            "speculation": _text("Decoding method.", required=True, among=tuple(SPECULATION)),
            "disaggregated": _flag("Whether prefill and decode run on separate chips"),
            "parallelism": _text("Parallel layout: TP, EP, DPA; P for prefill and D for decode workers."),
            "run_url": _text("The run, where it is public."),
            "workload": _text("Kind of load.", required=True, among=tuple(WORKLOADS)),
            "chips": _integer("All chips that serve the load.", "packages", least=1),
            "prefill_chips": _integer("Chips that only prefill.", "packages", least=1),
            "decode_chips": _integer("Chips that only decode.", "packages", least=1),
            "concurrency": _integer("Requests in flight, held constant.", "requests", least=1),
            "isl_nominal": _integer("Requested input length.", "tokens", least=1),
            "osl_nominal": _integer("Requested output length.", "tokens", least=1),
            "isl_mean": _number("Actual mean input length.", "tokens"),
            "osl_mean": _number("Actual mean output length.", "tokens"),
            "total_tok_s_per_chip": _number(
                "Input and output tokens per second, divided by all chips.", "tok/s per chip"
            ),
            "input_tok_s_per_chip": _number("Input tokens per second, divided by all chips.", "tok/s per chip"),
            "output_tok_s_per_chip": _number("Output tokens per second, divided by all chips.", "tok/s per chip"),
            "interactivity_mean_tok_s_user": _number("1 / mean TPOT.", "tok/s/user"),
            "interactivity_median_tok_s_user": _number("1 / median TPOT.", "tok/s/user"),
            "ttft_mean_s": _number("Time to first token, mean.", "s"),
            "ttft_median_s": _number("Time to first token, median.", "s"),
            "ttft_p99_s": _number("Time to first token, 99th percentile.", "s"),
            "tpot_mean_s": _number("Time per output token after the first, mean.", "s"),
            "tpot_median_s": _number("The same, median.", "s"),
            "tpot_p99_s": _number("The same, 99th percentile.", "s"),
            "e2e_mean_s": _number("Request latency, mean.", "s"),
            "e2e_median_s": _number("Request latency, median.", "s"),
            "e2e_p99_s": _number("Request latency, 99th percentile.", "s"),
            "chip_power_mean_w": _number("Mean measured power of one chip over the load.", "W"),
            "statistic_note": _text("Which fields the source only filled in, or how the row was made."),
        }
    ),
    key=POINT_KEY,
    references=(
        Reference("model", "models"),
        Reference("system", "systems"),
        Reference("source_id", "sources"),
    ),
)

PREDICTIONS = Table(
    "predictions",
    "An operating point that a model of the system predicts, not one that was run; enters no line, peak or verdict.",
    pa.DataFrameSchema(
        {
            "model": _text("The model served.", required=True),
            "system": _text("The system predicted.", required=True),
            "source_id": _text("The tool that predicts.", required=True),
            "evidence": _text("Class of the row's numbers.", required=True, among=("modelled",)),
            "checkpoint": _text("Weights that the tool was asked for; another of equal dimensions may stand in."),
            "engine": _text("Serving software predicted, as the tool spells it.", required=True),
            "chips_budget": _integer("Chips that a deployment was allowed.", "packages", required=True, least=1),
            "discounted": _flag("Whether the tool's own discounts on disaggregated rows apply", required=True),
            "engine_version": _text("Version of the software whose kernels were timed."),
            "disaggregated": _flag("Whether prefill and decode run on separate chips", required=True),
            "isl": _integer("Input length of every request.", "tokens", least=1),
            "osl": _integer("Output length of every request.", "tokens", least=1),
            "concurrency": _integer("Requests in flight.", "requests", least=1),
            "chips": _integer("All chips that serve the load.", "packages", least=1),
            "prefill_chips": _integer("Chips that only prefill.", "packages", least=1),
            "decode_chips": _integer("Chips that only decode.", "packages", least=1),
            "parallelism": _text("Layout of a worker: TP, DP of attention, CP, EP; P: prefill, D: decode workers."),
            "total_tok_s_per_chip": _number(
                "Requests per second times tokens of a request, input and output, divided by all chips.",
                "tok/s per chip",
            ),
            "output_tok_s_per_chip": _number("The same, output tokens only.", "tok/s per chip"),
            "interactivity_tok_s_user": _number("1 / TPOT.", "tok/s/user"),
            "ttft_s": _number("Time to first token.", "s"),
            "tpot_s": _number("Time per output token after the first.", "s"),
            "e2e_s": _number("Request latency.", "s"),
        }
    ),
    key=(
        *("model", "system", "source_id", "engine", "chips_budget", "discounted", "disaggregated", "parallelism"),
        *("concurrency", "ttft_s", "tpot_s"),
    ),
    references=(
        Reference("model", "models"),
        Reference("system", "systems"),
        Reference("source_id", "sources"),
    ),
)

TRAFFIC = Table(
    "traffic",
    "What a workload that is no run at fixed lengths asks of a server: requests, tokens, how much repeats.",
    pa.DataFrameSchema(
        {
            "traffic_id": _text("Key of the workload.", required=True, pattern=_KEY),
            "name": _text("Name as written in the book.", required=True),
            "sessions": _integer("Sessions, traces or conversations in it.", least=1),
            "requests": _integer("Model calls in it.", "requests", least=1),
            "input_tokens": _number("Input tokens of all requests, repeated ones included.", "tokens"),
            "cached_tokens": _number("Those of them that were read from a prefix cache.", "tokens"),
            "output_tokens": _number("Output tokens of all requests.", "tokens"),
            "hit_low": _number("Share of input tokens that a prefix cache can serve, lower figure.", "0 to 1"),
            "hit_high": _number("The same, upper figure.", "0 to 1"),
            "context_limit": _integer("Longest context for which the share holds; blank: any.", "tokens", least=1),
            "conditions": _text("What it is, and how the figures came about.", required=True),
            "evidence": _text("Class of the figures.", required=True, among=tuple(EVIDENCE)),
            "source_id": _text("Where they were published.", required=True),
            "locator": _text("Where they stand in the source.", required=True),
            "note": _text("What a reader should know."),
        }
    ),
    key=("traffic_id",),
    references=(Reference("source_id", "sources"),),
    optional=True,
)

TABLES = (SOURCES, SYSTEMS, MODELS, CLAIMS, PUBLISHED, TRAFFIC, POINTS, PREDICTIONS)
CONFIGURATION = _CONFIGURATION
