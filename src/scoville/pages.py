"""Run a template into a page of the book: whole, checked and byte-reproducible, or not at all.

A page is filled, executed and checked in a temporary folder; only then does it replace the old one. So a run that
fails leaves the book as it was, and an executed notebook is at once the page, the cache and the reference that
nbval holds later runs against.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import nbformat
from traitlets.config import Config

from scoville.paths import ROOT_VARIABLE, project_root
from scoville.problems import InputError, Problem, ScovilleError

_HEADING = re.compile(r"^# .*$", re.MULTILINE)
_KERNEL = "python3"
CELL_TIMEOUT_S = 600
_IPC = Config({"KernelManager": {"transport": "ipc"}})
"""Local sockets: parallel kernels cannot collide on a port, and nothing listens on the network."""


class PageError(ScovilleError):
    """A page could not be made; the old one is untouched.

    Attributes:
        page: the page.
        cell: id of the cell that failed; empty when it was none.
    """

    def __init__(self, page: str, cell: str, message: str) -> None:
        super().__init__(page, cell, message)  # as they came, so that it survives the way back from a worker
        self.page, self.cell, self.message = page, cell, message

    def __str__(self) -> str:
        """Page, cell, message."""
        place = f"{self.page}, cell {self.cell!r}" if self.cell else self.page
        return f"{place}: {self.message}"


def make_page(template: Path, output: Path, parameters: Mapping[str, str], title: str = "") -> bool:
    """Fill, execute, check and put in place one page.

    Args:
        template: notebook without outputs.
        output: where the executed notebook goes.
        parameters: values for the cell tagged ``parameters``.
        title: heading of the page, in the place of the template's; empty to keep that.

    Returns:
        Whether the page differs from the one that was there.

    Raises:
        InputError: when a parameter is not one of the template's.
        PageError: when the template has no heading to replace, or a cell fails or writes to stderr.
    """
    page = output.stem
    filled = _titled(template, title, page)
    _check_parameters(template, filled, parameters)
    with tempfile.TemporaryDirectory(prefix="scoville-") as folder:
        source, result = Path(folder) / "filled.ipynb", Path(folder) / "executed.ipynb"
        nbformat.write(filled, source)
        _execute(source, result, parameters, page, template)
        notebook = normalised(nbformat.read(result, as_version=4))
    check_executed(notebook, page)
    return _replace(output, nbformat.writes(notebook, indent=1) + "\n")


def _titled(template: Path, title: str, page: str) -> Any:
    """The template, with another heading: papermill fills code cells only, and Sphinx needs a heading in prose."""
    notebook = nbformat.read(template, as_version=4)
    if title:
        first = notebook.cells[0]
        if first.cell_type != "markdown" or not _HEADING.match(first.source):
            raise PageError(page, str(first.id), "the first cell of a template is Markdown and starts with its heading")
        first.source = _HEADING.sub(lambda _: f"# {title}", first.source, count=1)
    return notebook


def _check_parameters(template: Path, notebook: Any, parameters: Mapping[str, str]) -> None:
    """papermill only warns about a parameter that the template does not have."""
    cells = [c for c in notebook.cells if "parameters" in c.metadata.get("tags", [])]
    known = [name for cell in cells for name in re.findall(r"^(\w+)\s*=", cell.source, flags=re.MULTILINE)]
    unknown = [name for name in parameters if name not in known]
    if unknown:
        raise InputError(
            Problem(template.name, 0, name, str(parameters[name]), f"expected one of the parameters {', '.join(known)}")
            for name in unknown
        )


def _execute(source: Path, result: Path, parameters: Mapping[str, str], page: str, template: Path) -> None:
    import papermill  # noqa: PLC0415 - a second that the other commands need not spend
    from nbclient.exceptions import CellTimeoutError, DeadKernelError  # noqa: PLC0415
    from papermill.exceptions import PapermillExecutionError  # noqa: PLC0415

    with _own_environment(_root_of(template)):
        try:
            papermill.execute_notebook(
                source,
                result,
                parameters=dict(parameters),
                kernel_name=_KERNEL,
                progress_bar=False,
                execution_timeout=CELL_TIMEOUT_S,
                cwd=str(source.parent),
                config=_IPC,
            )
        except PapermillExecutionError as error:
            raise PageError(page, _failing_cell(result), f"{error.ename}: {error.evalue}") from None
        except (DeadKernelError, CellTimeoutError) as error:
            raise PageError(page, _failing_cell(result), f"{type(error).__name__}: {error}") from None


def _failing_cell(result: Path) -> str:
    notebook = nbformat.read(result, as_version=4)
    last = ""
    for cell in notebook.cells:
        if any(out.output_type == "error" for out in cell.get("outputs", [])):
            return str(cell.id)
        if cell.metadata.get("papermill", {}).get("start_time"):
            last = str(cell.id)
    return last  # a kernel that died leaves no error: it was in the last cell that had begun


def _root_of(template: Path) -> Path:
    """The project that a template belongs to; that of the working directory for one that lies outside of any."""
    try:
        return project_root(template.parent)
    except FileNotFoundError:
        return project_root()


@contextmanager
def _own_environment(root: Path) -> Iterator[None]:
    """A kernel of this environment and no other, in this project, without the user's IPython profile."""
    with tempfile.TemporaryDirectory(prefix="scoville-ipython-") as profile:
        wanted = {
            "JUPYTER_PREFER_ENV_PATH": "1",
            "JUPYTER_PATH": "",
            "IPYTHONDIR": profile,
            "JUPYTER_RUNTIME_DIR": profile,
            "PYDEVD_DISABLE_FILE_VALIDATION": "1",
            ROOT_VARIABLE: str(root),
            "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")]),
        }
        before = {name: os.environ.get(name) for name in wanted}
        os.environ.update(wanted)
        try:
            yield
        finally:
            for name, value in before.items():
                if value is None:
                    os.environ.pop(name, None)
                else:
                    os.environ[name] = value


def normalised(notebook: Any) -> Any:
    """The notebook without anything that differs between two runs of the same template on the same data."""
    for_theme = {k: v for k, v in notebook.metadata.items() if k.startswith("html_theme")}
    notebook.metadata = nbformat.from_dict(
        {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": _KERNEL},
            "language_info": {"name": "python"},
            **for_theme,
        }
    )
    for cell in notebook.cells:
        tags = cell.metadata.get("tags", [])
        if "injected-parameters" in tags:
            cell.id = "injected-parameters"
            cell.source = "\n".join(line for line in cell.source.splitlines() if not line.startswith("# Parameters"))
            tags = [*tags, "remove-cell"]
        cell.metadata = nbformat.from_dict({"tags": tags} if tags else {})
        for output in cell.get("outputs", []):
            if "metadata" in output:
                output.metadata = nbformat.from_dict({k: v for k, v in output.metadata.items() if k == "scrapbook"})
    return notebook


def check_executed(notebook: Any, page: str) -> None:
    """Demand that every code cell was run, in order, and that none failed or wrote to stderr.

    Raises:
        PageError: naming the first cell that does not comply.
    """
    count = 0
    for cell in notebook.cells:
        if cell.cell_type != "code":
            continue
        count += 1
        if cell.execution_count != count:
            raise PageError(page, cell.id, f"was run as number {cell.execution_count}, expected {count}")
        for output in cell.outputs:
            if output.output_type == "error":
                raise PageError(page, cell.id, f"{output.ename}: {output.evalue}")
            if output.output_type == "stream" and output.name == "stderr":
                raise PageError(page, cell.id, f"wrote to stderr: {output.text.strip()}")


def _replace(output: Path, text: str) -> bool:
    if output.is_file() and output.read_text(encoding="utf-8") == text:
        return False
    output.parent.mkdir(parents=True, exist_ok=True)
    fresh = output.with_name(f".{output.name}.new")
    fresh.write_text(text, encoding="utf-8")
    fresh.replace(output)
    return True
