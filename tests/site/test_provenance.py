"""The foot of every page: what it rests on, told as the files are, and its downloads."""

from __future__ import annotations

import csv
import hashlib
import shutil
from pathlib import Path

import pytest
from bs4 import BeautifulSoup, Tag

from scoville import __version__
from scoville.book import BookPage, pages
from scoville.facts import load
from scoville.html import BuildError, build_html
from scoville.site.provenance import data_rows

ROOT = Path(__file__).resolve().parents[2]
EXECUTED = pages(load(ROOT / "data"))
PROSE = sorted(p.stem for p in (ROOT / "book").glob("*.md"))


def foot(soups: dict[str, BeautifulSoup], page: str) -> Tag:
    (found,) = soups[f"book/{page}.html"].select("article aside.page-foot")
    return found


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def linked(site: Path, page: str, link: Tag) -> Path:
    return (site / f"book/{page}.html").parent / str(link["href"])


@pytest.mark.parametrize("page", EXECUTED, ids=lambda p: p.output)
def test_an_executed_page_names_its_data_files_as_they_are(
    site: Path, soups: dict[str, BeautifulSoup], page: BookPage
) -> None:
    told = {}
    for row in foot(soups, page.output).select("tbody tr"):
        file, rows, _, digest = (cell.text for cell in row.select("td"))
        told[file] = (rows, digest)
        assert linked(site, page.output, row.select("a")[0]).read_bytes() == (ROOT / file).read_bytes()
    points = [p for folder in page.reads for p in (ROOT / "data/points" / folder).glob("*.csv")]
    others = [*(ROOT / "data").glob("*.csv"), *(ROOT / "data/predictions").glob("*.csv"), ROOT / "data/caveats.yml"]
    others += [*(ROOT / "data/runs").rglob("*.csv"), *(ROOT / "data/editions").glob("*.json")]
    expected = {}
    for path in [*points, *others]:
        with path.open(encoding="utf-8", newline="") as lines:
            rows = f"{len(list(csv.reader(lines))) - 1:,}" if path.suffix == ".csv" else "–"
        expected[str(path.relative_to(ROOT))] = (rows, sha256(path)[:12])
    assert told == expected


@pytest.mark.parametrize("page", EXECUTED, ids=lambda p: p.output)
def test_an_executed_page_names_template_and_parameters_and_offers_the_notebook(
    site: Path, soups: dict[str, BeautifulSoup], page: BookPage
) -> None:
    block = foot(soups, page.output)
    template = f"notebooks/{page.template}.ipynb"
    words = " ".join(block.text.split())
    assert f"Template {template} (sha256 {sha256(ROOT / template)[:12]})" in words
    assert ", ".join(f'{name} = "{value}"' for name, value in page.parameters.items()) in words
    assert f"scoville {__version__} with the packages of requirements.lock" in words
    assert f"(sha256 {sha256(ROOT / 'requirements.lock')[:12]})" in words
    (notebook,) = (a for a in block.select("a") if a.text == "Download this notebook")
    assert linked(site, page.output, notebook).read_bytes() == (ROOT / f"book/{page.output}.ipynb").read_bytes()


@pytest.mark.parametrize("page", PROSE)
def test_a_page_of_prose_names_its_text(site: Path, soups: dict[str, BeautifulSoup], page: str) -> None:
    block = foot(soups, page)
    assert f"book/{page}.md (sha256 {sha256(ROOT / f'book/{page}.md')[:12]})" in block.text
    (text,) = block.select("a")
    assert linked(site, page, text).read_bytes() == (ROOT / f"book/{page}.md").read_bytes()
    assert not block.select("table")


def test_the_evidence_of_a_file_is_that_of_its_rows(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data/sources.csv").write_text("source_id,evidence\na,modelled\nb,self-reported\nc,digitised\n")
    (tmp_path / "data/own.csv").write_text("evidence,source_id\nobserved,a\nobserved,a\n")
    (tmp_path / "data/by_source.csv").write_text("claim,source_id\n1,a\n2,b\n3,\n")
    (tmp_path / "data/neither.csv").write_text("system,watts\nx,1\n")
    files = [f"data/{name}.csv" for name in ("own", "by_source", "neither")]
    told = data_rows(tmp_path, dict.fromkeys(files, ""))
    assert list(told["evidence"]) == ["observed", "self-reported, modelled", ""]
    assert list(told["rows"]) == [2, 3, 1]


def test_no_site_is_built_from_data_that_the_pages_do_not_show(tmp_path: Path) -> None:
    for name in ("data", "book", "notebooks"):
        shutil.copytree(ROOT / name, tmp_path / name)
    for name in ("_toc.yml", "_config.yml", "pytask.lock", "requirements.lock"):
        shutil.copy(ROOT / name, tmp_path / name)
    with (tmp_path / "data/claims.csv").open("a", encoding="utf-8") as file:
        file.write("\n")
    (tmp_path / "data/predictions/kimi-k2.5.csv").unlink()
    with pytest.raises(BuildError) as caught:
        build_html(tmp_path)
    changed = "data/claims.csv, data/predictions/kimi-k2.5.csv"
    assert str(caught.value) == f"changed since the pages were made from it: {changed}; run: scoville build"
    assert not (tmp_path / "_build").exists()
