"""A book from another data folder: its own pages, and nothing of ours touched."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import yaml
from bs4 import BeautifulSoup
from click.testing import CliRunner

from scoville import tables
from scoville.book import pages, question_of, table_of_contents
from scoville.cli import cli
from scoville.compare import Workload, workload_of
from scoville.difference import read_edition
from scoville.editions import lay_out
from scoville.facts import Facts, load
from scoville.problems import InputError
from scoville.report import other_models_page

ROOT = Path(__file__).resolve().parents[2]


def write(path: Path, table: tables.Table, *rows: dict[str, object]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    columns = list(table.columns)
    lines = [",".join(columns), *(",".join(str(row.get(c, "")) for c in columns) for row in rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def point(system: str, concurrency: int, total: float, speed: float, **more: object) -> dict[str, object]:
    return {
        "model": "my-model",
        "system": system,
        "source_id": "mine",
        "evidence": "user-measured",
        "engine": "vllm",
        "precision": "fp8",
        "speculation": "none",
        "workload": "fixed-length",
        "isl_nominal": 1024,
        "osl_nominal": 1024,
        "chips": 8,
        "concurrency": concurrency,
        "total_tok_s_per_chip": total,
        "interactivity_median_tok_s_user": speed,
    } | more


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """A small data folder of a user: one model, two systems, one without a rating, no claims."""
    data = tmp_path / "mine"
    write(
        data / "sources.csv",
        tables.SOURCES,
        {"source_id": "mine", "kind": "user", "title": "My runs", "evidence": "user-measured"},
    )
    write(
        data / "systems.csv",
        tables.SYSTEMS,
        {"system": "box-a", "name": "Box A", "vendor": "me", "package_power_w": 500},
        {"system": "box-b", "name": "Box B", "vendor": "me"},
    )
    write(data / "models.csv", tables.MODELS, {"model": "my-model", "name": "My model"})
    write(data / "claims.csv", tables.CLAIMS)
    (data / "caveats.yml").write_text("[]\n", encoding="utf-8")
    write(
        data / "points/my-model/runs.csv",
        tables.POINTS,
        point("box-a", 1, 100, 50),
        point("box-a", 64, 1000, 20),
        point("box-b", 1, 50, 40),
        point("box-b", 64, 400, 10),
    )
    return data


def test_what_a_page_compares_follows_from_the_data(mine: Path) -> None:
    facts = load(mine)
    assert workload_of(facts, "my-model") == Workload("fixed-length", 1024, 1024, "fp8")
    question = question_of(facts, "my-model")
    # box-b has no rating, so the comparison is per chip; box-a has the higher peak
    assert (question.candidate, question.baseline, question.basis) == ("box-a", "box-b", "chip")
    expected = ["edition", "claims", "sources", "data", "changes", "other_models", "model_report"]
    assert [p.template for p in pages(facts)] == expected


def test_the_committed_contents_follow_from_the_data(facts: Facts) -> None:
    assert (ROOT / "_toc.yml").read_text(encoding="utf-8") == table_of_contents(facts), "stale; run: make book"


def test_an_edition_has_its_pages_and_leaves_ours_alone(mine: Path, tmp_path: Path) -> None:
    out = tmp_path / "my edition"
    before = {p: p.read_bytes() for p in (ROOT / "book").rglob("*.ipynb")}
    done = CliRunner().invoke(cli, ["build", "--data", str(mine), "--out", str(out)], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    assert done.stdout.splitlines()[-1] == (out / "_build/html/book/index.html").as_uri()
    assert {p: p.read_bytes() for p in (ROOT / "book").rglob("*.ipynb")} == before
    page = BeautifulSoup((out / "_build/html/book/models/my-model.html").read_text(encoding="utf-8"), "html.parser")
    text = " ".join(page.select_one("article").text.split())  # type: ignore[union-attr]
    assert "Box A against Box B: nominally 1,024 input and 1,024 output tokens, FP8 weights." in text
    assert "Per chip, the peak of Box A is 2.50× that of Box B." in text
    # at 20 tok/s per user: 1000 against 400 - 10/30 * 350 = 283.3; at 40: 1000 - 20/30 * 900 = 400 against 50
    assert "At equal speed the ratio runs from 3.53× at 20 to 8.00× at 40 tok/s per user." in text
    assert "None of the documents in this book prints a number about this comparison." in text
    assert "OpenAI" not in text
    toc = yaml.safe_load((out / "_toc.yml").read_text(encoding="utf-8"))
    assert {"file": "book/models/my-model"} in toc["parts"][1]["chapters"]
    compared = BeautifulSoup((out / "_build/html/book/how-far/other_models.html").read_text("utf-8"), "html.parser")
    told = " ".join(compared.select_one("article").text.split())  # type: ignore[union-attr]
    assert "Peak over peak: My model: Box A 2.50× over Box B (single-token), per chip." in told
    assert list(read_edition(out)["ratios"]) == list(read_edition(mine)["ratios"])


def test_a_second_model_joins_the_committed_book_by_data_alone(mine: Path, data_copy: Path) -> None:
    shutil.copytree(mine / "points/my-model", data_copy / "points/my-model")
    for name in ("sources.csv", "systems.csv", "models.csv"):
        rows = (mine / name).read_text(encoding="utf-8").splitlines()[1:]
        with (data_copy / name).open("a", encoding="utf-8") as file:
            file.write("\n".join(rows) + "\n")
    joined = load(data_copy)
    assert [p.output for p in pages(joined)][-4:] == [
        "models/gpt-oss-120b",
        "models/deepseek-r1",
        "models/kimi-k2.5",
        "models/my-model",
    ]
    assert pages(joined)[0].template == "home"
    assert "how-far/other_models" in [p.output for p in pages(joined)]
    table = other_models_page(str(data_copy)).table().frame
    # 1,000 over 400 tokens per second and chip; from 1000 / (400 - 350 / 3) at 20 to 400 / 50 at 40 tok/s per user
    (row,) = table.to_dict("records")
    assert (row["candidate"], row["system"], row["ratio"]) == ("Box A", "Box B", (2.5, 2.5))
    assert row["range"] == pytest.approx((1000 / (400 - 350 / 3), 8))
    assert "book/models/my-model" in table_of_contents(joined)


def test_pages_of_models_that_are_gone_are_removed(mine: Path, tmp_path: Path) -> None:
    out = tmp_path / "edition"
    lay_out(ROOT, mine, out)
    old = out / "book/models/old-model.ipynb"
    old.parent.mkdir(exist_ok=True)
    old.write_text("{}", encoding="utf-8")
    lay_out(ROOT, mine, out)
    assert not old.exists()
    assert (out / "book/methods.md").is_file()


def test_a_folder_of_somebody_elses_is_left_as_it_is(mine: Path, tmp_path: Path) -> None:
    out = tmp_path / "work"
    (out / "data").mkdir(parents=True)
    (out / "data/important.csv").write_text("precious", encoding="utf-8")
    with pytest.raises(InputError, match=r"holds files but no EDITION\.txt"):
        lay_out(ROOT, mine, out)
    assert [p.name for p in out.rglob("*") if p.is_file()] == ["important.csv"]
    lay_out(ROOT, mine, tmp_path / "fresh")
    lay_out(ROOT, mine, tmp_path / "fresh")  # its own folder is rebuilt


@pytest.mark.parametrize("where", ["project", "data", "above", "below the data"])
def test_an_edition_never_overwrites_the_book_or_its_data(mine: Path, where: str) -> None:
    out = {"project": ROOT, "data": mine, "above": mine.parent, "below the data": mine / "out"}[where]
    with pytest.raises(InputError, match="a folder of its own for the edition"):
        lay_out(ROOT, mine, out)


def test_bad_data_make_no_edition(mine: Path, tmp_path: Path) -> None:
    (mine / "models.csv").unlink()
    out = tmp_path / "edition"
    done = CliRunner().invoke(cli, ["build", "--data", str(mine), "--out", str(out)])
    assert done.exit_code == 2
    assert not out.exists()


def test_data_and_out_go_together(mine: Path) -> None:
    done = CliRunner().invoke(cli, ["build", "--data", str(mine)])
    assert done.exit_code == 2
    assert "--data and --out go together" in done.stderr
