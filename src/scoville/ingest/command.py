"""``scoville import``: the command. What it does is in `scoville.ingest.pipeline`."""

from __future__ import annotations

import errno
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

BAD_INPUT = 2


@click.command(name="import")
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="PATH...")
@click.option(
    "--into", type=click.Path(path_type=Path), metavar="DIR", help="Data folder; data/ of the book by default."
)
@click.option("--model", metavar="KEY", help="Model, where the file does not name one that is known.")
@click.option("--system", metavar="KEY", help="System that was measured, such as b200.")
@click.option("--chips", type=int, metavar="N", help="All chips that served the load, where the file cannot know.")
@click.option("--power", type=float, metavar="W", help="Mean watts of one chip, measured over the load (no rating).")
@click.option("--engine", metavar="NAME", help="Serving software, such as vllm.")
@click.option("--precision", metavar="NAME", help="Weight precision, such as fp4.")
@click.option("--speculation", metavar="NAME", help="Decoding method: none, mtp, eagle or other.")
@click.option("--parallelism", metavar="TEXT", help="Parallel layout, such as “TP8 EP8 DPA”.")
@click.option("--isl", type=int, metavar="N", help="Nominal input length, tokens.")
@click.option("--osl", type=int, metavar="N", help="Nominal output length, tokens.")
@click.option("--date", metavar="DAY", help="Day of the runs (YYYY-MM-DD, or with HH:MM), where files lack it.")
@click.option("--source-id", metavar="KEY", help="Key of the source that the rows are filed under.")
@click.option("--evidence", metavar="CLASS", help="Class of evidence, such as user-measured.")
@click.option(
    "--select",
    default="latest",
    show_default=True,
    metavar="WHICH",
    help="What stands for a configuration with several runs: latest, median or all.",
)
@click.option(
    "--allow-failures",
    type=float,
    default=5.0,
    show_default=True,
    metavar="PERCENT",
    help="Refuse runs with a larger share of failed requests.",
)
@click.option("--strict", is_flag=True, help="Write nothing, and exit with 2, when a row is refused.")
@click.option("--dry-run", is_flag=True, help="Say what would be written, and write nothing.")
@click.option(
    "--report", "report_path", type=click.Path(path_type=Path), metavar="FILE.json", help="Write the findings as JSON."
)
@click.pass_context
def import_command(
    context: click.Context, /, paths: tuple[Path, ...], into: Path | None, report_path: Path | None, **said: Any
) -> None:
    """Import result files, or all result files of a folder, into a data folder.

    Every format is recognised by content. Rows that break an identity, such as input + output = total, are
    refused or kept without the field, and the table says which and why.

    \b
    Example: scoville import run_20786863188.json --into mydata
    Example: scoville import results/ --into mydata --model gpt-oss-120b --system b200 --chips 8 \\
             --engine vllm --precision fp4 --isl 8192 --osl 1024

    Exit status: 0 when every file could be used, also when some of its rows were refused or were there already;
    2 when a file could not be used at all, which includes a file with nothing but refused rows, or when a row was
    refused under --strict.
    """
    context.exit(run(list(paths), into, report_path, said))


def run(paths: list[Path], into: Path | None, report_path: Path | None, said: dict[str, Any]) -> int:
    """Do what the command says.

    Returns:
        The exit status.
    """
    # Imported here, so that the help of other commands does not wait for pandas.
    from datetime import date  # noqa: PLC0415

    from scoville.ingest import findings  # noqa: PLC0415
    from scoville.ingest.options import Options  # noqa: PLC0415
    from scoville.ingest.pipeline import import_results  # noqa: PLC0415
    from scoville.problems import InputError  # noqa: PLC0415

    try:
        if report_path is not None:
            _write_report(report_path, "")  # before anything else is written: it may not be possible
        outcome = import_results(paths, into or _default_folder(), Options(**said), date.today())
        if report_path is not None:
            _write_report(report_path, findings.report(outcome))
    except InputError as error:
        click.echo(str(error), err=True)
        return BAD_INPUT
    click.echo(findings.text(outcome))
    return BAD_INPUT if outcome.unusable or (said["strict"] and outcome.refused) else 0


def _default_folder() -> Path:
    from scoville.paths import data_folder  # noqa: PLC0415

    try:
        return data_folder()
    except FileNotFoundError:
        return Path("data")


def _write_report(path: Path, content: str) -> None:
    """Write the report beside its place and move it there; without content only see whether that is possible."""
    from scoville.paths import shown  # noqa: PLC0415
    from scoville.problems import InputError, Problem  # noqa: PLC0415

    beside = path.with_name(f".{path.name}.new")
    try:
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, "it is a folder")
        path.parent.mkdir(parents=True, exist_ok=True)
        beside.write_text(content, encoding="utf-8")
        if content:
            beside.replace(path)
    except OSError as error:
        what = f"expected a file that can be written ({error.strerror})"
        raise InputError([Problem(shown(path), expected=what)]) from None
    finally:
        with suppress(OSError):  # what stands in the way of writing also stands in the way here, and was told
            beside.unlink(missing_ok=True)
