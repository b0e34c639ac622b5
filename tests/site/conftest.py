"""The built book, once for all tests of it."""

from __future__ import annotations

import fcntl
import functools
import http.server
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from bs4 import BeautifulSoup

from scoville.html import HTML, build_html
from scoville.pdf import BROWSERS, find_browser

ROOT = Path(__file__).resolve().parents[2]
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()


@pytest.fixture(scope="session")
def site(testrun_uid: str) -> Path:
    """Folder of the built HTML; built once, however many processes run the tests."""
    folder = ROOT / "_build"
    folder.mkdir(exist_ok=True)
    with (folder / ".tests").open("a+", encoding="utf-8") as built_for:
        fcntl.flock(built_for, fcntl.LOCK_EX)
        built_for.seek(0)
        if built_for.read() != testrun_uid:
            build_html(ROOT)
            built_for.truncate(0)
            built_for.write(testrun_uid)
    return ROOT / HTML


@pytest.fixture(scope="session")
def soups(site: Path) -> dict[str, BeautifulSoup]:
    """Every page of the site, parsed, by its path in the site."""
    return {
        str(path.relative_to(site)): BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")
        for path in sorted(site.rglob("*.html"))
    }


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """A Chromium; the tests that need one are skipped, and say so, where there is none."""
    found = find_browser()
    if found is None:
        pytest.skip(f"no browser on the PATH ({', '.join(BROWSERS)}): pages are not looked at in one")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=found, args=FLAGS)
        yield running
        running.close()


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_args: Any) -> None:
        """Say nothing."""


@pytest.fixture(scope="session")
def served(site: Path) -> Iterator[str]:
    """Address of the site over HTTP on this machine."""
    handler = functools.partial(_Quiet, directory=str(site))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
