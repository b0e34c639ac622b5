"""From executed pages to the static site, by Jupyter Book: whole, or not at all."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from scoville.difference import SNAPSHOT, snapshot
from scoville.facts import load
from scoville.problems import ScovilleError
from scoville.site import provenance
from scoville.site.feed import write_feed

HTML = Path("_build") / "html"
_STAGE = Path("_build") / "stage"
_STAMP = "made-with"
_UNUSED = (".buildinfo", "*.map", "*webpack-macros.html", "*thebe*")
"""What the theme leaves in the output folder though no page loads it."""


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
    made = stage / "_build" / "html"
    said = snapshot(load(root / "data"))
    (made / SNAPSHOT).write_text(json.dumps(said), encoding="utf-8")
    write_feed(root, said, made)
    _publish(made, root / HTML)
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
    if public.exists():
        public.rename(old)
    fresh.rename(public)
    shutil.rmtree(old, ignore_errors=True)
