"""Making pages: whole, checked, byte-reproducible, or not at all."""

from __future__ import annotations

import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import nbformat
import pytest

from scoville.book import BookPage, pages
from scoville.facts import load
from scoville.pages import PageError, check_executed, make_page
from scoville.problems import InputError

ROOT = Path(__file__).resolve().parents[2]
PAGES = pages(load(ROOT / "data"))


def run(page: BookPage, output: Path, **parameters: str) -> bool:
    template = ROOT / "notebooks" / f"{page.template}.ipynb"
    return make_page(template, output, page.parameters | parameters, page.title)


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.output)
def test_a_fresh_run_is_byte_equal_to_the_committed_page(page: BookPage, tmp_path: Path) -> None:
    committed, fresh = ROOT / "book" / f"{page.output}.ipynb", tmp_path / "fresh.ipynb"
    run(page, fresh)
    assert fresh.read_bytes() == committed.read_bytes(), "the committed page is stale; run: make book"


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.output)
def test_every_committed_cell_was_run_and_none_failed(page: BookPage) -> None:
    notebook = nbformat.read(ROOT / "book" / f"{page.output}.ipynb", as_version=4)
    check_executed(notebook, page.output)
    shown = [c for c in notebook.cells if c.cell_type == "code" and c.outputs]
    assert len(shown) >= 1


@pytest.mark.parametrize("template", sorted(ROOT.glob("notebooks/*.ipynb")), ids=lambda p: p.stem)
def test_a_template_has_no_outputs_and_hand_written_ids(template: Path) -> None:
    notebook = nbformat.read(template, as_version=4)
    for cell in notebook.cells:
        assert not cell.get("outputs"), cell.id
        assert cell.get("execution_count") is None, cell.id
        assert cell.id.replace("-", "").isalpha(), cell.id


def small_template(folder: Path, *cells: Any) -> Path:
    path = folder / "template.ipynb"
    parameters = nbformat.v4.new_code_cell("word = 'one'", id="parameters", metadata={"tags": ["parameters"]})
    python = {"kernelspec": {"name": "python3", "language": "python", "display_name": "Python 3"}}
    nbformat.write(nbformat.v4.new_notebook(cells=[parameters, *cells], metadata=python), path)
    return path


def code(source: str) -> Any:
    return nbformat.v4.new_code_cell(source, id="the-cell")


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("1 / 0", "page, cell 'the-cell': ZeroDivisionError: division by zero"),
        ("import sys; print('odd', file=sys.stderr)", "page, cell 'the-cell': wrote to stderr: odd"),
        ("import os; os._exit(3)", "page, cell 'the-cell': DeadKernelError: Kernel died"),
    ],
)
def test_a_page_that_fails_leaves_the_old_one_and_names_the_cell(tmp_path: Path, source: str, message: str) -> None:
    output = tmp_path / "page.ipynb"
    output.write_text("the old page", encoding="utf-8")
    with pytest.raises(PageError) as caught:
        make_page(small_template(tmp_path, code(source)), output, {})
    assert str(caught.value) == message
    assert output.read_text(encoding="utf-8") == "the old page"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["page.ipynb", "template.ipynb"]


def test_a_page_that_did_not_change_is_not_written(tmp_path: Path) -> None:
    template, output = small_template(tmp_path, code("word")), tmp_path / "page.ipynb"
    assert make_page(template, output, {"word": "two"})
    before = output.stat().st_mtime_ns
    assert not make_page(template, output, {"word": "two"})
    assert output.stat().st_mtime_ns == before


def test_an_unknown_parameter_is_refused_with_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="found 'two'; expected one of the parameters word"):
        make_page(small_template(tmp_path), tmp_path / "page.ipynb", {"wrod": "two"})


def test_a_title_needs_a_heading_to_replace(tmp_path: Path) -> None:
    with pytest.raises(PageError, match="page, cell 'parameters': the first cell of a template is Markdown"):
        make_page(small_template(tmp_path), tmp_path / "page.ipynb", {}, "A title")


def test_the_kernel_is_of_this_environment(tmp_path: Path) -> None:
    output = tmp_path / "page.ipynb"
    make_page(small_template(tmp_path, code("import sys; print(sys.prefix)")), output, {})
    cell = nbformat.read(output, as_version=4).cells[-1]
    assert cell.outputs[0].text.strip() == sys.prefix


def test_a_wrong_parameter_stops_the_page_with_the_valid_values(tmp_path: Path) -> None:
    page = next(p for p in PAGES if p.output == "models/kimi-k2.5")
    with pytest.raises(PageError) as caught:
        run(page, tmp_path / "page.ipynb", baseline="gb400")
    assert "cell 'page': InputError" in str(caught.value)
    assert "found 'gb400'; expected a system with rows for kimi-k2.5; valid: b200, b300, gb200" in str(caught.value)


@pytest.mark.parametrize(
    ("model", "changes", "expected"),
    [
        ("deepseek-r1", {"power_basis": "all-in"}, "1.29–1.57×"),
        ("deepseek-r1", {"power_basis": "chip"}, "0.83×"),
        ("deepseek-r1", {"baseline": "b200", "speculation": "mtp"}, "Unlike methods"),
        ("gpt-oss-120b", {"baseline": "mi355x"}, "MI355X"),
    ],
)
def test_the_template_serves_other_parameters(
    tmp_path: Path, model: str, changes: dict[str, str], expected: str
) -> None:
    page = next(p for p in PAGES if p.output == f"models/{model}")
    output = tmp_path / "page.ipynb"
    run(page, output, **changes)
    assert expected in output.read_text(encoding="utf-8")


def nbval_failures(project: Path, notebook: Path) -> set[str]:
    """Ids of the cells that nbval fails, when the notebook runs in ``project``."""
    report = project / "report.xml"
    command = [sys.executable, "-m", "pytest", "--nbval", str(notebook), "-q", f"--junitxml={report}"]
    command += ["-p", "no:cacheprovider", "-c", str(project / "empty.ini"), f"--rootdir={project}"]
    (project / "empty.ini").write_text("[pytest]\n", encoding="utf-8")
    environment = {"SCOVILLE_ROOT": str(project), "JUPYTER_PREFER_ENV_PATH": "1", "PATH": ""}
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=project, env=environment)
    assert report.is_file(), done.stdout + done.stderr
    cells = [c for c in nbformat.read(notebook, as_version=4).cells if c.cell_type == "code"]
    failed = set()
    for case in ET.parse(report).getroot().iter("testcase"):
        if case.find("failure") is not None or case.find("error") is not None:
            failed.add(str(cells[int(case.attrib["name"].split()[-1])].id))
    return failed


@pytest.mark.parametrize(
    ("file", "old", "new", "cells"),
    [
        # nothing changed: nothing fails, so the failures below come from the digit
        ("points/deepseek-r1/jalapeno-2026-08.csv", "6709.483077637271", "6709.483077637271", set()),
        # a row below the frontier is shown by the chart and its table only
        (
            "points/deepseek-r1/jalapeno-2026-08.csv",
            "6709.483077637271",
            "6759.483077637271",
            {"frontier", "frontier-rows"},
        ),
        # the peak is in the opening sentence, the claims, the chart, its table and the comparison
        (
            "points/deepseek-r1/jalapeno-2026-08.csv",
            "13748.393106670877,12219.406206969097",
            "13848.393106670877,12319.406206969097",
            {"summary", "claims", "frontier", "frontier-rows", "equal-speed", "every-line"},
        ),
        # a printed figure that no chart places
        ("claims.csv", "jalapeno,,,1.65,s", "jalapeno,,,1.66,s", {"claims"}),
    ],
    ids=["unchanged", "below-the-frontier", "peak", "claim"],
)
def test_one_changed_digit_fails_exactly_the_cells_that_show_it(
    tmp_path: Path, file: str, old: str, new: str, cells: set[str]
) -> None:
    for name in ("data", "notebooks"):
        shutil.copytree(ROOT / name, tmp_path / name)
    shutil.copy(ROOT / "_toc.yml", tmp_path)
    notebook = tmp_path / "book" / "models" / "deepseek-r1.ipynb"
    notebook.parent.mkdir(parents=True)
    shutil.copy(ROOT / "book" / "models" / "deepseek-r1.ipynb", notebook)
    path = tmp_path / "data" / file
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), encoding="utf-8")
    assert nbval_failures(tmp_path, notebook) == cells


@pytest.mark.parametrize(
    ("outputs", "count", "message"),
    [
        ([nbformat.v4.new_output("error", ename="E", evalue="bad")], 1, "E: bad"),
        ([nbformat.v4.new_output("stream", name="stderr", text="odd")], 1, "wrote to stderr: odd"),
        ([], None, "was run as number None, expected 1"),
        ([], 2, "was run as number 2, expected 1"),
    ],
)
def test_an_executed_page_is_checked_cell_by_cell(outputs: list[Any], count: int | None, message: str) -> None:
    cell = nbformat.v4.new_code_cell("x", id="it", execution_count=count, outputs=outputs)
    with pytest.raises(PageError, match=message):
        check_executed(nbformat.v4.new_notebook(cells=[cell]), "page")


def test_the_users_own_jupyter_and_ipython_do_not_matter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    foreign = tmp_path / "jupyter" / "kernels" / "python3"
    foreign.mkdir(parents=True)
    (foreign / "kernel.json").write_text('{"argv": ["/bin/false"], "display_name": "x", "language": "python"}')
    startup = tmp_path / "ipython" / "profile_default" / "startup"
    startup.mkdir(parents=True)
    (startup / "00.py").write_text("import sys; print('hello', file=sys.stderr)")
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path / "jupyter"))
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    output = tmp_path / "page.ipynb"
    assert make_page(small_template(tmp_path, code("1 + 1")), output, {})


def test_a_page_is_put_in_place_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    output = tmp_path / "page.ipynb"
    output.write_text("the old page", encoding="utf-8")
    seen: list[str] = []
    replace = Path.replace

    def watched(self: Path, target: Path) -> Path:
        seen.append(Path(target).read_text(encoding="utf-8"))
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", watched)
    make_page(small_template(tmp_path, code("1")), output, {})
    assert seen == ["the old page"]
