"""The built book, once for all tests of it."""

from __future__ import annotations

import functools
import http.server
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from bs4 import BeautifulSoup

from scoville.html import build_html

ROOT = Path(__file__).resolve().parents[2]
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()


@pytest.fixture(scope="session")
def site() -> Path:
    """Folder of the built HTML."""
    return build_html(ROOT).parents[1]


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
    found = next((path for name in BROWSERS if (path := shutil.which(name))), None)
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
