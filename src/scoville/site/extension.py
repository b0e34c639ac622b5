"""What Sphinx does beyond Jupyter Book.

Chart scripts where charts are, one Vega bundle, nothing from a CDN; what links to a page show elsewhere; a feed; and at
the foot of every page what it rests on.
"""

from __future__ import annotations

import html
import json
import re
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from docutils import nodes

from scoville.site import PDF_PLACE, downloads, feed, previews, provenance, search, terms
from scoville.site.mime import VEGALITE_VERSION, themes


def connect(app: Any) -> dict[str, Any]:
    """Hang the functions below on Sphinx' events."""
    app.connect("config-inited", _drop_thebe, priority=10)
    app.connect("config-inited", _add_templates)
    app.connect("builder-inited", _add_static_folder)
    app.connect("html-page-context", _add_chart_files)
    app.connect("html-page-context", _add_tables, priority=300)  # before anything is added to the body
    app.connect("html-page-context", _link_terms, priority=350)
    app.connect("html-page-context", _add_foot)
    app.connect("html-page-context", _add_preview)
    app.connect("html-page-context", _mark_addresses)
    app.connect("html-page-context", _name_search_scripts)
    app.connect("html-page-context", _keep_place_for_pdf, priority=400)
    app.connect("html-page-context", _add_feed, priority=400)  # before the foot
    app.connect("build-finished", _write_bundle)
    app.connect("build-finished", _publish_data)
    app.connect("build-finished", _write_sections)
    app.add_css_file("book.css")
    app.add_css_file("print.css", media="print")
    app.add_js_file("keyboard.js", loading_method="defer")
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}


def _drop_thebe(app: Any, _config: Any) -> None:
    """Jupyter Book always loads sphinx-thebe, whose script comes from a CDN."""
    for event, listeners in app.events.listeners.items():
        app.events.listeners[event] = [
            found for found in listeners if not found.handler.__module__.startswith("sphinx_thebe")
        ]
    app.registry.css_files[:] = [entry for entry in app.registry.css_files if "thebe" not in entry[0]]


def _add_templates(_app: Any, config: Any) -> None:
    config.templates_path.append(str(resources.files("scoville.site").joinpath("templates")))


def _name_search_scripts(_app: Any, page: str, _template: str, context: dict[str, Any], _doctree: Any) -> None:
    if page == "search":
        context["search_scripts"] = search.SCRIPTS


def _add_static_folder(app: Any) -> None:
    app.config.html_static_path.append(str(resources.files("scoville.site").joinpath("static")))


def _add_chart_files(app: Any, _page: str, _template: str, _context: Any, doctree: Any) -> None:
    if doctree is not None and any("chart-output" in node.get("classes", []) for node in doctree.findall(nodes.raw)):
        app.add_js_file("charts.js", loading_method="defer")


def _add_tables(app: Any, page: str, _template: str, context: dict[str, Any], _doctree: Any) -> None:
    notebook = Path(app.srcdir) / f"{page}.ipynb"
    if notebook.is_file():
        tables, name = downloads.tables_of(notebook), page.removeprefix("book/")
        context["body"] = downloads.linked(
            context["body"], name, tables, lambda place: str(context["pathto"](place, resource=True))
        )
        downloads.write(Path(app.outdir), name, tables)
    if '<table class="data">' in context.get("body", ""):
        app.add_js_file("tables.js", loading_method="defer")


def _link_terms(app: Any, page: str, _template: str, context: dict[str, Any], doctree: Any) -> None:
    if doctree is not None and page != terms.PAGE:
        context["body"] = terms.linked(context["body"], _meanings(app.env), str(context["pathto"](terms.PAGE)))


@cache
def _meanings(env: Any) -> dict[str, tuple[str, str]]:
    return terms.meanings(env)


@cache
def _made_from(root: Path) -> dict[str, dict[str, str]]:
    return provenance.made_from(root)


def _add_foot(app: Any, page: str, _template: str, context: dict[str, Any], doctree: Any) -> None:
    """What the page rests on; ``search`` and the like have no doctree, and rest on nothing."""
    if doctree is None:
        return
    root, name = Path(app.srcdir), page.removeprefix("book/")
    files = _made_from(root).get(name)

    def address(place: str) -> str:
        return str(context["pathto"](place, resource=True))

    context["body"] += (
        provenance.foot_of_prose(root, name, address)
        if files is None
        else provenance.foot_of_executed(root, name, files, address)
    )


def _add_preview(app: Any, page: str, _template: str, context: dict[str, Any], doctree: Any) -> None:
    if doctree is None:
        return
    first = next((node.astext() for node in doctree.findall(nodes.paragraph)), "")
    title, site = app.env.titles[page].astext(), app.config.html_title
    found = previews.preview(title, first, Path(app.srcdir) / f"{page}.ipynb")
    context["metatags"] += previews.tags(found, page, site, app.config.html_baseurl)
    path = Path(app.outdir) / previews.FOLDER / f"{page}.png"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(previews.picture(found, site))


def _add_feed(app: Any, page: str, _template: str, context: dict[str, Any], doctree: Any) -> None:
    if not _has_feed(Path(app.srcdir)):
        return
    address = html.escape(context["pathto"](feed.FILE, resource=True), quote=True)
    titled = f'type="application/atom+xml" title="{html.escape(app.config.html_title, quote=True)}: what changed"'
    context["metatags"] = context.get("metatags", "") + f'\n    <link rel="alternate" {titled} href="{address}" />'
    if doctree is not None and page == "book/changes":
        context["body"] += f'<p>New editions are announced in a <a {titled} href="{address}">feed (Atom)</a>.</p>'


@cache
def _has_feed(root: Path) -> bool:
    return feed.is_dated(root)


def _keep_place_for_pdf(app: Any, page: str, _template: str, context: dict[str, Any], _doctree: Any) -> None:
    if page == app.config.root_doc:
        context["body"] += PDF_PLACE


_LINK = re.compile(r'(<a )([^>]*href="https?://([^"]{1,70})")')


def _mark_addresses(_app: Any, _page: str, _template: str, context: dict[str, Any], doctree: Any) -> None:
    """Give ``print.css`` the addresses of links elsewhere that are short enough to be typed from paper."""
    if doctree is not None:
        context["body"] = _LINK.sub(r'\1data-address="\3" \2', context["body"])


def _publish_data(app: Any, exception: Exception | None) -> None:
    if exception is None and app.builder.format == "html":
        root = Path(app.srcdir)
        provenance.publish_data(root, _made_from(root), Path(app.outdir))


def _write_sections(app: Any, exception: Exception | None) -> None:
    if exception is None and app.builder.format == "html":
        search.write(Path(app.outdir), [f"{page}.html" for page in sorted(app.env.all_docs)])


def _write_bundle(app: Any, exception: Exception | None) -> None:
    """One file for the whole book; ``charts.js`` loads it when a chart comes into view."""
    if exception is not None or app.builder.format != "html":
        return
    import vl_convert  # noqa: PLC0415 - only needed once a build

    bundle = vl_convert.javascript_bundle("window.vegaEmbed=vegaEmbed;", vl_version=VEGALITE_VERSION)
    chart_themes = json.dumps(themes(), separators=(",", ":"))
    # wrapped, because the bundle declares names that the page's other scripts use as well
    text = f"(()=>{{{bundle}\nwindow.scovilleThemes={chart_themes};}})();"
    (Path(app.outdir) / "_static" / "vega-bundle.js").write_text(text, encoding="utf-8")
