"""From executed pages to the static site, by Jupyter Book: whole, or not at all."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from scoville.difference import SNAPSHOT, snapshot
from scoville.facts import load
from scoville.problems import ScovilleError
from scoville.site import PDF_PLACE, provenance
from scoville.site.feed import write_feed

HTML = Path("_build") / "html"
PDF = Path("_build") / "scoville.pdf"
_STAGE = Path("_build") / "stage"
MADE = _STAGE / "_build" / "html"
"""The site as Sphinx left it, before it is published."""
_STAMP = "made-with"
_UNUSED = (
    *(".buildinfo", "*.map", "*webpack-macros.html", "*thebe*"),
    *("locales", "logo_*", "copybutton_funcs.js", "check-solid.svg", "copy-button.svg"),  # of the theme and extensions
    *("*.ttf", "fontawesome.js"),  # the same icons as in the WOFF2 files
    *("searchtools.js", "searchindex.js", "language_data.js"),  # `site.search` is in their place
    *("chart-themes.json", "first-page.png"),  # for the build, and for the README
)
"""What is in the output folder though no page loads it."""
_IDLE_SCRIPT = re.compile(
    r'\s*<script (defer )?src="[^"]*\b(fontawesome|searchtools|language_data|searchindex)\.js[^"]*"></script>'
)
"""The theme's 1.5 MB that draw its icons anew, which its style sheet has shown already; and on every page the index of
Sphinx, for a search as one types that this book does not have."""


class BuildError(ScovilleError):
    """The site could not be built; the old one is untouched."""


def build_html(root: Path) -> Path:
    """Build the site of the project at ``root`` into ``_build/html``.

    Sphinx works in a stage folder, where it keeps what it knows of unchanged pages; the finished site replaces the
    old one at the end. The stage is thrown away when the package or the configuration changed, because Sphinx
    watches pages only.

    Returns:
        The first page.

    Raises:
        BuildError: with Sphinx' messages, warnings count as errors; or when the data changed since the pages were made.
    """
    changed = provenance.out_of_step(root, provenance.made_from(root))
    if changed:
        raise BuildError(f"changed since the pages were made from it: {', '.join(changed)}; run: scoville build")
    stage, made_with = root / _STAGE, _made_with(root)
    stamp = stage / _STAMP
    if not stamp.is_file() or stamp.read_text(encoding="utf-8") != made_with:
        shutil.rmtree(stage, ignore_errors=True)
    stage.mkdir(parents=True, exist_ok=True)
    options = ["--path-output", str(stage), "-W", "-n", "--keep-going", "-q"]
    command = [sys.executable, "-c", "from jupyter_book.cli.main import main; main()", "build", str(root)]
    speaking = os.environ | {"PYTHONUTF8": "1", "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(
        [*command, *options],
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        check=False,
        cwd=root,
        env=speaking,
    )
    if done.returncode != 0:
        shutil.rmtree(stage, ignore_errors=True)
        raise BuildError(f"Jupyter Book did not accept the pages:\n{done.stdout}{done.stderr}".rstrip())
    stamp.write_text(made_with, encoding="utf-8")
    made = root / MADE
    said = snapshot(load(root / "data"))
    (made / SNAPSHOT).write_text(json.dumps(said), encoding="utf-8")
    write_feed(root, said, made)
    _publish(made, root / HTML)
    link_pdf(root)
    return root / HTML / "book" / "index.html"


def _made_with(root: Path) -> str:
    """Hash of everything but the pages that the site depends on."""
    package = Path(__file__).parent
    files = [p for p in sorted(package.rglob("*")) if p.is_file() and "__pycache__" not in p.parts]
    files += [root / name for name in ("_config.yml", "_toc.yml", "requirements.lock", provenance.LOCK)]
    digest = hashlib.sha256()
    for path in files:
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _publish(made: Path, public: Path) -> None:
    fresh, old = public.with_name("html.new"), public.with_name("html.old")
    for leftover in (fresh, old):
        shutil.rmtree(leftover, ignore_errors=True)
    shutil.copytree(made, fresh, ignore=shutil.ignore_patterns(*_UNUSED))
    for page in fresh.rglob("*.html"):
        page.write_text(_IDLE_SCRIPT.sub("", page.read_text(encoding="utf-8")), encoding="utf-8")
    if public.exists():
        public.rename(old)
    fresh.rename(public)
    shutil.rmtree(old, ignore_errors=True)


def link_pdf(root: Path) -> bool:
    """Put the PDF of the whole book into the site and name it on the home page, where it was made from these pages.

    Returns:
        Whether it was: a book that changed since then has no link to it.
    """
    pdf, made = root / PDF, root / MADE
    if not pdf.is_file() or not stamp_of(pdf).is_file() or stamp_of(pdf).read_text(encoding="utf-8") != digest_of(made):
        return False
    shutil.copyfile(pdf, root / HTML / pdf.name)
    size = f"{pdf.stat().st_size / 1e6:.1f} MB"
    link = f'<p class="whole-book"><a href="../{pdf.name}" download>The whole book as one PDF</a> ({size})</p>'
    home = root / HTML / "book" / "index.html"
    text = re.sub(f'{PDF_PLACE}(<p class="whole-book">.*?</p>)?', PDF_PLACE + link, home.read_text(encoding="utf-8"))
    home.write_text(text, encoding="utf-8")
    return True


def stamp_of(pdf: Path) -> Path:
    """The file beside a PDF that says what it was made from."""
    return pdf.with_suffix(".made-from")


def digest_of(made: Path) -> str:
    """Hash of all pages of a site and of how they look."""
    digest = hashlib.sha256()
    for path in [*sorted(made.rglob("*.html")), *sorted((made / "_static").rglob("*.css"))]:
        digest.update(path.read_bytes())
    return digest.hexdigest()
