"""The book's configuration: no key that Jupyter Book ignores in silence, and a table of contents that is whole."""

from __future__ import annotations

from importlib import resources
from pathlib import Path
from typing import Any

import yaml

from scoville.book import pages
from scoville.facts import Facts

ROOT = Path(__file__).resolve().parents[2]


def keys(tree: Any, prefix: str = "") -> set[str]:
    if not isinstance(tree, dict):
        return set()
    return {f"{prefix}{k}" for k in tree} | {n for k, v in tree.items() for n in keys(v, f"{prefix}{k}.")}


def test_every_key_of_the_configuration_is_one_of_jupyter_books() -> None:
    text = resources.files("jupyter_book").joinpath("default_config.yml").read_text(encoding="utf-8")
    known = keys(yaml.safe_load(text))
    ours = keys(yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8")))
    free = {k for k in ours if k.startswith("sphinx.config.")}
    assert ours - known - free == set()


def test_every_executed_page_is_in_the_table_of_contents(facts: Facts) -> None:
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
    listed = [toc["root"], *(chapter["file"] for part in toc["parts"] for chapter in part["chapters"])]
    assert {f"book/{page.output}" for page in pages(facts)} <= set(listed)
    for name in listed:
        assert (ROOT / f"{name}.md").is_file() or (ROOT / f"{name}.ipynb").is_file(), name


def test_every_page_in_the_book_folder_is_in_the_table_of_contents() -> None:
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
    listed = {toc["root"], *(chapter["file"] for part in toc["parts"] for chapter in part["chapters"])}
    found = {str(p.relative_to(ROOT).with_suffix("")) for s in ("md", "ipynb") for p in (ROOT / "book").rglob(f"*.{s}")}
    assert found == listed
