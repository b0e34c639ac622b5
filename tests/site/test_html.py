"""The finished HTML, read as text: links resolve, nothing comes from elsewhere, nothing failed quietly."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urldefrag

import yaml
from bs4 import BeautifulSoup

from scoville.site.mime import MIME

ROOT = Path(__file__).resolve().parents[2]
LOADED = [("script", "src"), ("link", "href"), ("img", "src"), ("iframe", "src"), ("source", "src"), ("video", "src")]


def pages_of_toc() -> list[str]:
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
    return [toc["root"], *(chapter["file"] for part in toc["parts"] for chapter in part["chapters"])]


def test_every_page_of_the_contents_is_there_and_nothing_else(soups: dict[str, BeautifulSoup]) -> None:
    made = {name.removesuffix(".html") for name in soups} - {"search", "index"}
    assert made == set(pages_of_toc())


def test_every_internal_link_and_anchor_resolves(site: Path, soups: dict[str, BeautifulSoup]) -> None:
    ids = {name: {tag["id"] for tag in soup.find_all(id=True)} for name, soup in soups.items()}
    broken = []
    for name, soup in soups.items():
        for link in soup.find_all("a", href=True):
            target, anchor = urldefrag(link["href"])
            if "://" in target or target.startswith("mailto:"):
                continue
            path = ((site / name).parent / unquote(target)).resolve() if target else site / name
            if not path.is_file():  # a folder would be listed, or refused
                broken.append(f"{name}: {link['href']}")
            elif anchor and path.suffix == ".html" and unquote(anchor) not in ids[str(path.relative_to(site))]:
                broken.append(f"{name}: {link['href']} (no such anchor)")
    assert not broken, sorted(set(broken))


def test_nothing_is_loaded_from_another_host(soups: dict[str, BeautifulSoup]) -> None:
    foreign = [
        f"{name}: {tag[attribute]}"
        for name, soup in soups.items()
        for element, attribute in LOADED
        for tag in soup.find_all(element, attrs={attribute: True})
        if "://" in tag[attribute] or tag[attribute].startswith("//")
    ]
    assert not foreign, foreign


def test_every_file_that_a_page_loads_is_there(site: Path, soups: dict[str, BeautifulSoup]) -> None:
    missing = [
        f"{name}: {tag[attribute]}"
        for name, soup in soups.items()
        for element, attribute in LOADED
        for tag in soup.find_all(element, attrs={attribute: True})
        if tag.get("rel") not in (["next"], ["prev"], ["search"], ["index"])
        and not ((site / name).parent / tag[attribute].split("?")[0]).exists()
    ]
    assert not missing, missing


def test_nothing_failed_quietly(soups: dict[str, BeautifulSoup]) -> None:
    for name, soup in soups.items():
        text = soup.get_text()
        for bad in ("Traceback", "{{", "np.float", "NaN", "{glue", "<chart:", "Infinity"):
            assert bad not in text, f"{name} shows {bad!r}"
        assert not {"None", "nan", "inf"} & {cell.text.strip() for cell in soup.find_all("td")}, name


def test_every_chart_has_pictures_a_description_and_a_specification(soups: dict[str, BeautifulSoup]) -> None:
    counts = {name: len(soup.select("figure.chart")) for name, soup in soups.items()}
    stored = {
        f"book/{path.relative_to(ROOT / 'book').with_suffix('.html')}": path.read_text(encoding="utf-8").count(
            f'"{MIME}": {{'
        )
        for path in (ROOT / "book").rglob("*.ipynb")
    }
    assert {n: c for n, c in counts.items() if c} == {n: c for n, c in stored.items() if c}
    assert counts["book/index.html"] == 3
    for name, soup in soups.items():
        for chart in soup.select("figure.chart"):
            assert chart.select_one(".chart-title").text.strip(), name  # type: ignore[union-attr]
            spec = json.loads(chart.select_one("script.chart-spec").string)  # type: ignore[union-attr, arg-type]
            pictures = chart.select(".chart-static[role=img]:has(> svg)")
            assert [p["aria-label"] for p in pictures] == [spec["description"]] * 2, name
            assert len(spec["description"]) > 60, name
            assert len(re.findall(r"\d+", spec["description"])) >= 2, name  # its ends, at least
            assert spec["$schema"].endswith("/v6.4.1.json")


def test_every_chart_is_followed_by_its_data(soups: dict[str, BeautifulSoup]) -> None:
    """A table before the next section begins; charts beside each other share one."""
    bare = []
    for name, soup in soups.items():
        for chart in soup.select("figure.chart"):
            after = chart.find_next(lambda tag: tag.name in ("h1", "h2") or "data" in tag.get("class", []))
            if after is None or after.name != "table" or after.find_parent("section", class_="page-foot"):
                bare.append(f"{name}: {chart.figcaption.text}")  # type: ignore[union-attr]
    assert bare == []


def marks_of(spec: Any) -> Iterator[dict[str, Any]]:
    """Every encoding of a specification that has a tooltip."""
    if isinstance(spec, dict):
        if "tooltip" in spec.get("encoding", {}):
            yield spec["encoding"]
        for part in spec.values():
            yield from marks_of(part)
    elif isinstance(spec, list):
        for part in spec:
            yield from marks_of(part)


def test_every_mark_of_one_run_names_its_source_and_opens_it(soups: dict[str, BeautifulSoup]) -> None:
    """A mark whose tooltip names a configuration stands for one row, but for the strips of repeated runs."""
    opening = 0
    for name, soup in soups.items():
        for script in soup.select("script.chart-spec"):
            for encoding in marks_of(json.loads(script.string)):  # type: ignore[arg-type]
                told = {t["field"] for t in encoding["tooltip"]} if isinstance(encoding["tooltip"], list) else set()
                if "configuration" in told and "runs" not in told:
                    assert {"evidence", "source_title", "address"} <= told, (name, told)
                    assert encoding["href"]["field"] == "address", name
                    opening += 1
    assert opening >= 20


def test_headings_are_in_order_and_the_page_says_what_it_is(soups: dict[str, BeautifulSoup]) -> None:
    for name, soup in soups.items():
        if name == "index.html":  # leads to the first page, and is never seen
            continue
        assert soup.html is not None
        assert soup.html["lang"] == "en", name
        seen = ":not(#jb-print-docs-body *)"  # the theme's own print head is never shown
        levels = [int(tag.name[1]) for tag in soup.select(f":is(h1, h2, h3, h4, h5, h6){seen}")]
        assert (levels[0], levels.count(1)) == (1, 1), name
        assert all(after <= before + 1 for before, after in pairwise(levels)), (name, levels)
        skip = soup.select_one("body a[href]")
        assert skip is not None
        assert (skip.text.strip(), skip["href"]) == ("Skip to main content", "#main-content"), name
        main = soup.select("main")
        assert [tag.get("id") for tag in main] == ["main-content"], name


def test_chart_scripts_are_loaded_only_where_charts_are(soups: dict[str, BeautifulSoup]) -> None:
    for name, soup in soups.items():
        loads = any("charts.js" in tag["src"] for tag in soup.find_all("script", src=True))
        assert loads == bool(soup.select("figure.chart")), name


def test_one_vega_bundle_for_the_whole_book(site: Path) -> None:
    bundles = [p for p in site.rglob("*.js") if "vegaEmbed" in p.read_text(encoding="utf-8", errors="ignore")]
    assert sorted(p.name for p in bundles) == ["charts.js", "vega-bundle.js"]
    assert len(gzip.compress((site / "_static/vega-bundle.js").read_bytes())) < 350_000


def test_pages_are_light(site: Path) -> None:
    sizes = {p.name: len(gzip.compress(p.read_bytes())) for p in site.rglob("*.html")}
    assert max(sizes.values()) < 150_000, sizes


def test_titles_are_those_of_the_pages(soups: dict[str, BeautifulSoup]) -> None:
    titles = {name: soup.title.text.strip() for name, soup in soups.items() if soup.title and name.startswith("book/")}
    assert titles["book/models/kimi-k2.5.html"].startswith("Kimi K2.5")
    assert len(set(titles.values())) == len(titles)
    for name, soup in soups.items():
        if name.startswith("book/"):
            assert len(soup.select("article h1")) == 1, name


def test_a_model_page_has_its_parts_in_order(soups: dict[str, BeautifulSoup]) -> None:
    for model in ("gpt-oss-120b", "deepseek-r1", "kimi-k2.5"):
        soup = soups[f"book/models/{model}.html"]
        headings = [h.text.rstrip("#") for h in soup.select("article h2")]
        assert headings == [
            "Before any number is read",
            "What was claimed, and what holds",
            "The frontier",
            "At equal interactivity",
            "Every public line",
            "What cannot be said",
        ]
        text = soup.select_one("article").text  # type: ignore[union-attr]
        assert text.index("The raw data came from OpenAI") < text.index("1.")


def test_the_home_page_says_that_it_is_unofficial_and_credits_inferencex(soups: dict[str, BeautifulSoup]) -> None:
    text = " ".join(soups["book/index.html"].select_one("article").text.split())  # type: ignore[union-attr]
    assert "unofficial re-analysis. It is not material of InferenceX, SemiAnalysis, OpenAI or NVIDIA" in text
    assert "data from InferenceX (SemiAnalysis)" in text
    for figure in ("1.90×", "1.67×", "1.54×", "1.11×", "0.83×", "0.77×", "53.7×, 104.3× and 56.1×"):
        assert figure in text


def test_the_frontpage_leads_to_the_book(site: Path) -> None:
    assert "book/index.html" in (site / "index.html").read_text(encoding="utf-8")


def test_thebe_and_mathjax_are_gone(site: Path, soups: dict[str, BeautifulSoup]) -> None:
    for name, soup in soups.items():
        sources = " ".join(t.get("src", "") for t in soup.find_all("script"))
        assert "thebe" not in sources, name
        assert "mathjax" not in sources.lower(), name
    assert not list(site.rglob("*thebe*.css"))
