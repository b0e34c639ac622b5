"""The commands. Each says in one sentence what it does; results go to stdout, everything else to stderr.

Relative paths start at the working directory; without a data folder the book's is meant.

Exit status: 0 when all is well, 1 when a build failed, 2 when an input is wrong.
"""

from __future__ import annotations

import io
import json
import math
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from scoville import __version__
from scoville.bases import BASES
from scoville.ingest.command import import_command
from scoville.paths import data_folder, project_root, shown
from scoville.problems import InputError, Problem, ScovilleError
from scoville.units import plural

if TYPE_CHECKING:
    from scoville.facts import Facts

BAD_INPUT, FAILED = 2, 1


def main() -> NoReturn:
    """Run the command line."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a terminal that cannot show × or → gets a question mark
            stream.reconfigure(errors="replace")
    cli(prog_name="scoville")
    raise SystemExit(0)


@contextmanager
def _told_to_the_user() -> Iterator[None]:
    """Expected errors are printed and end the command; defects keep their traceback."""
    try:
        yield
    except InputError as error:
        click.echo(str(error), err=True)
        sys.exit(BAD_INPUT)
    except (ScovilleError, OSError) as error:
        click.echo(str(error), err=True)
        sys.exit(FAILED)


@contextmanager
def _on_one_line() -> Iterator[Callable[[str], None]]:
    """Words on stderr that replace one another; what is said afterwards, errors too, starts on a new line."""
    said = []

    def say(words: str) -> None:
        click.echo(f"\r{words}", nl=False, err=True)
        said.append(words)

    try:
        yield say
    finally:
        if said:
            click.echo("", err=True)


class Above0(click.FloatRange):
    """A finite number above 0; click's own range lets ``nan`` and ``inf`` pass."""

    name = "number above 0"

    def __init__(self) -> None:
        super().__init__(min=0, min_open=True)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The number, or a usage error."""
        found = super().convert(value, param, ctx)
        if not math.isfinite(found):
            self.fail(f"{value} is not a finite number.", param, ctx)
        return found


data_option = click.option(
    "--data", type=click.Path(path_type=Path), metavar="DIR", help="Data folder; that of the book by default."
)


def _facts(data: Path | None) -> Facts:
    """The data folder that was named, else the book's.

    Raises:
        InputError: when it is not there, or the data in it are wrong.
    """
    from scoville.facts import load  # noqa: PLC0415

    return load(_existing(data_folder() if data is None else data))


def _existing(data: Path) -> Path:
    if not data.is_dir():
        what = "this is a file" if data.exists() else "nothing is there"
        raise InputError([Problem(shown(data), expected=f"expected a data folder; {what}")])
    return data.resolve()


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__)
def cli() -> None:
    """Check the published results of inference chips.

    \b
    Example: scoville audit --format json
    """


@cli.command()
@data_option
def check(data: Path | None) -> None:
    """Check the data folder and say everything that is wrong with it.

    \b
    Example: scoville check --data data
    """
    with _told_to_the_user():
        facts = _facts(data)
        click.echo(
            f"{shown(facts.folder)} is clean: {plural(len(facts.sources), 'source')}, "
            f"{plural(len(facts.systems), 'system')}, {plural(len(facts.models), 'model')}, "
            f"{plural(len(facts.claims), 'claim')}, {plural(len(facts.points), 'operating point')}"
        )


@cli.command()
@data_option
@click.option("--format", "style", type=click.Choice(["table", "json"]), default="table", show_default=True)
def audit(data: Path | None, style: str) -> None:
    """Print what the audit found of every claim.

    \b
    Example: scoville audit --format json > findings.json
    """
    from scoville import audit as auditing  # noqa: PLC0415

    with _told_to_the_user():
        findings = auditing.audit(_facts(data))
    if style == "json":
        click.echo(json.dumps([f.as_dict() for f in findings], indent=2, ensure_ascii=False))
        return
    width = max(len(f.claim_id) for f in findings) if findings else 0
    for found in findings:
        click.echo(f"{found.claim_id:{width}}  {found.printed:>10}  {found.verdict:14}  {found.rests_on}")
        if found.note:
            click.echo(f"{'':{width}}  {'':>10}  {'':14}  {found.note}")
    counts = {v: sum(f.verdict == v for f in findings) for v in auditing.VERDICTS}
    click.echo(", ".join(f"{count} {verdict}" for verdict, count in counts.items()))


@cli.command()
@click.option("--data", type=click.Path(path_type=Path), metavar="DIR", help="Data folder of another edition.")
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), help="Folder of that edition.")
@click.option("--jobs", type=click.IntRange(min=1), default=None, help="Pages at a time; one per core by default.")
def build(data: Path | None, out: Path | None, jobs: int | None) -> None:
    """Bring every stale page up to date, build the HTML and print the address of the first page.

    With --data and --out the whole book is made from another data folder, in a folder of its own; the committed
    pages are not touched.

    \b
    Example: scoville build
    Example: scoville build --data mine --out edition
    """
    from scoville import editions, pipeline  # noqa: PLC0415
    from scoville.html import build_html  # noqa: PLC0415

    if (data is None) != (out is None):
        raise click.UsageError("--data and --out go together: an edition has data and a folder of its own")
    with _told_to_the_user():
        root = project_root()
        if data is not None and out is not None:
            editions.lay_out(root, _existing(data), out.resolve())
            root = out.resolve()
        elif editions.write_contents(root):
            click.echo("_toc.yml brought in step with the data", err=True)
        pipeline.update_pages(root, jobs)
        click.echo("Building the HTML", err=True)
        click.echo(build_html(root).as_uri())


@cli.command()
def pdf() -> None:
    """Print the built book into one PDF and link it from the home page; needs Chromium.

    \b
    Example: scoville pdf
    """
    from scoville.pdf import make_pdf  # noqa: PLC0415

    with _told_to_the_user():
        click.echo(shown(make_pdf(project_root())))


@cli.command()
@click.argument("output", type=click.Path(path_type=Path, dir_okay=False))
@data_option
@click.option("--model", required=True, help="Key of the model, as in models.csv.")
@click.option("--candidate", default="jalapeno", show_default=True)
@click.option("--baseline", required=True)
@click.option("--basis", "power_basis", default="package", show_default=True)
@click.option("--speculation", default="none", show_default=True, help="Decoding of the baseline's rows.")
def page(
    output: Path, data: Path | None, model: str, candidate: str, baseline: str, power_basis: str, speculation: str
) -> None:
    """Run the model template with other parameters into the notebook OUTPUT.

    \b
    Example: scoville page b200.ipynb --model gpt-oss-120b --baseline b200 --basis chip
    """
    from scoville.book import model_book_page  # noqa: PLC0415
    from scoville.compare import Question  # noqa: PLC0415
    from scoville.pages import make_page  # noqa: PLC0415

    with _told_to_the_user():
        facts = _facts(data)
        question = Question.ask(
            facts,
            model=model,
            candidate=candidate,
            baseline=baseline,
            power_basis=power_basis,
            speculation=speculation,
        )
        filled = model_book_page(facts, question, str(facts.folder))
        make_page(project_root() / "notebooks" / "model_report.ipynb", output, filled.parameters, filled.title)
        click.echo(shown(output))


@cli.command("compare")
@data_option
@click.option("--model", required=True, help="Key of the model, as in models.csv.")
@click.option("--candidate", default="jalapeno", show_default=True)
@click.option("--baseline", required=True)
@click.option("--basis", type=click.Choice(list(BASES)), default="package", show_default=True)
@click.option("--at", type=Above0(), metavar="TOK_S_USER", help="Compare at this speed.")
@click.option("--peak", is_flag=True, help="Compare the peaks, each at its own speed; the default.")
@click.option("--speculation", type=click.Choice(["none", "mtp", "any"]), default="none", show_default=True)
@click.option("--engine", help="One serving engine, of the sides that have it; all are pooled by default.")
@click.option("--precision", help="Label of the weights' precision; that of the model's page by default.")
@click.option("--ttft-max", type=Above0(), metavar="S", help="Longest median TTFT.")
@click.option("--interpolation", type=click.Choice(["linear", "steffen"]), default="linear", show_default=True)
@click.option("--format", "style", type=click.Choice(["table", "json"]), default="table", show_default=True)
def compare_command(
    data: Path | None, style: str, peak: bool, at: float | None, ttft_max: float | None, **terms: Any
) -> None:
    """Answer one question about two systems, with everything that qualifies the answer.

    \b
    Example: scoville compare --model deepseek-r1 --baseline gb300 --at 100 --basis chip
    """
    from scoville.answers import Terms, answer  # noqa: PLC0415

    if peak and at is not None:
        raise click.UsageError("--at and --peak exclude each other")
    with _told_to_the_user():
        asked = Terms(at=at, ttft_max_s=ttft_max, **terms)
        found = answer(_facts(data), asked)
    if style == "json":
        click.echo(json.dumps(found.as_dict(), indent=2, ensure_ascii=False))
        return
    unit = "mixed tok/s per chip" if asked.basis == "chip" else "mixed tok/s per kW"
    where = "at the peaks" if at is None else f"at {at:g} tok/s per user"
    for system, value in ((asked.candidate, found.candidate_value), (asked.baseline, found.baseline_value)):
        click.echo(f"{system:12} {'not measured there' if value is None else f'{value:,.1f} {unit}'} ({where})")
    if found.ratio is not None and found.low is not None and found.high is not None:
        single = abs(found.high - found.low) < 1e-9 * found.high
        click.echo(
            f"{'ratio':12} {found.ratio:.4f}" + ("" if single else f", from {found.low:.4f} to {found.high:.4f}")
        )
    for warning in found.warnings:
        click.echo(f"{'note':12} {warning}")


@cli.command()
@click.argument("service", type=click.Choice(["inferencex"]))
@click.option("--model", required=True, help="Display name, as the dashboard writes it.")
@click.option("--out", "file", type=click.Path(path_type=Path, dir_okay=False), help="File to save to.")
@click.option("--date", metavar="DAY", help="The rows as of this day, YYYY-MM-DD.")
@click.option("--history", is_flag=True, help="All runs over time; these rows hold fewer metrics.")
@click.option("--isl", type=click.IntRange(min=1), metavar="N", help="Nominal input length, with --history only.")
@click.option("--osl", type=click.IntRange(min=1), metavar="N", help="Nominal output length, with --history only.")
@click.option("--api", envvar="SCOVILLE_INFERENCEX_API", help="Another address of the API.")
def fetch(
    service: str,
    model: str,
    file: Path | None,
    date: str | None,
    history: bool,
    isl: int | None,
    osl: int | None,
    api: str | None,
) -> None:
    """Save the public API's rows for a model as a file that `scoville import` reads.

    \b
    Example: scoville fetch inferencex --model DeepSeek-R1-0528
    """
    from scoville import fetch as fetching  # noqa: PLC0415

    if not history and (isl is not None or osl is not None):
        raise click.UsageError("--isl and --osl go with --history: without it the API answers for all lengths")
    target = file or Path(f"{service}-{model}.json")
    given = {"date": date, "isl": isl, "osl": osl}
    with _told_to_the_user():
        click.echo(f"Asking for {model}", err=True)
        with _on_one_line() as progress:
            receipt = fetching.fetch_benchmarks(
                model,
                target,
                parameters={name: str(value) for name, value in given.items() if value is not None},
                history=history,
                api=api or fetching.API,
                progress=lambda size: progress(f"{size / 1e6:.1f} MB"),
            )
    told = "has not changed" if receipt is None else f"{plural(receipt.rows, 'row')}, sha256 {receipt.sha256[:12]}…"
    click.echo(f"{shown(target)}: {told}")


@cli.command()
@click.argument("old", type=click.Path(path_type=Path, exists=True))
@click.argument("new", type=click.Path(path_type=Path, exists=True))
@click.option("--format", "style", type=click.Choice(["table", "json"]), default="table", show_default=True)
def diff(old: Path, new: Path, style: str) -> None:
    """Compare two editions: data folders or built books. Exit status 1 when something changed.

    \b
    Example: scoville diff data edition/data
    """
    from scoville import difference as differing  # noqa: PLC0415

    with _told_to_the_user():
        changes = differing.difference(differing.read_edition(old), differing.read_edition(new))
    if style == "json":
        click.echo(json.dumps(changes.as_dict(), indent=2, ensure_ascii=False))
    else:
        click.echo("\n".join(differing.told(changes)))
    sys.exit(FAILED if changes else 0)


cli.add_command(import_command)


@cli.command()
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True)
def serve(port: int) -> None:
    """Show the built book on this machine, until interrupted.

    \b
    Example: scoville serve --port 8080
    """
    import http.server  # noqa: PLC0415
    from functools import partial  # noqa: PLC0415

    from scoville.html import HTML  # noqa: PLC0415

    with _told_to_the_user():
        folder = project_root() / HTML
        if not folder.is_dir():
            raise ScovilleError("there is no built book yet; run: make book")
        handler = partial(http.server.SimpleHTTPRequestHandler, directory=str(folder))
        server = http.server.ThreadingHTTPServer(("127.0.0.1", port), handler)
    with server:
        click.echo(f"http://127.0.0.1:{server.server_port}/book/index.html (stop with Ctrl-C)")
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            click.echo("stopped", err=True)
