"""Save an answer of the public InferenceX API as a file that ``scoville import`` reads."""

from __future__ import annotations

import errno
import hashlib
import json
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path

import requests
from requests.adapters import HTTPAdapter
from urllib3.util import Retry

from scoville.paths import shown
from scoville.problems import InputError, Problem, ScovilleError

API = "https://inferencex.semianalysis.com/api/v1"
"""Public address of the InferenceX API; it asks for no key and answers compressed."""

ATTEMPTS = 4
TIMEOUT_S = (10, 60)
"""Seconds to wait for a connection, and for the next bytes of an answer."""

NAMES = ("gpt-oss-120b", "DeepSeek-R1-0528", "Kimi-K2.5", "DeepSeek-V4-Pro", "Qwen-3.5-397B-A17B", "GLM-5")
"""Display names that the API was seen to know; there are more."""


class FetchError(ScovilleError):
    """The answer could not be had; nothing was saved."""


class _BrokeOffError(FetchError):
    """An answer that did not come to its end; the next one may."""


@dataclass(frozen=True)
class Receipt:
    """What is kept beside a saved answer, in ``<file>.receipt.json``.

    Attributes:
        url: what was asked.
        etag: version of the answer as the server names it; empty where it names none.
        date: the server's date of the answer.
        rows: how many rows it holds.
        sha256: hash of the saved file.
    """

    url: str
    etag: str
    date: str
    rows: int
    sha256: str


def receipt_of(file: Path) -> Path:
    """Where the receipt of a saved answer lies."""
    return file.with_name(f"{file.name}.receipt.json")


def fetch_benchmarks(
    model: str,
    file: Path,
    *,
    parameters: dict[str, str] | None = None,
    history: bool = False,
    api: str = API,
    backoff_s: float = 1.0,
    progress: Callable[[int], None] = lambda _bytes: None,
) -> Receipt | None:
    """Ask for the rows of a model and save them, whole or not at all.

    Args:
        model: display name, as the dashboard writes it.
        file: where the answer goes; its receipt goes beside it.
        parameters: further ones, such as ``date`` or ``runId``.
        history: ask for ``/benchmarks/history``, whose rows hold fewer metrics.
        api: address of the API.
        backoff_s: wait before the second try, doubled each time; a Retry-After of the server counts more.
        progress: called with the number of bytes read so far.

    Returns:
        The receipt; None when the server says that the saved answer is still the current one.

    Raises:
        InputError: for a day that is none and a file that cannot be written, before anything is asked for; and when the
            API does not know the model or a parameter.
        FetchError: without a network, after repeated failures of the server, or when the answer is not what an
            API of this kind answers.
    """
    _check_day((parameters or {}).get("date"))
    _check_place(file)
    address = f"{api.rstrip('/')}/benchmarks{'/history' if history else ''}"
    asked = {"model": model, **(parameters or {})}
    with _session(backoff_s) as session:
        for attempt in range(ATTEMPTS):
            try:
                found = _ask(session, address, asked, file, progress)
            except _BrokeOffError:
                if attempt == ATTEMPTS - 1:
                    raise
                time.sleep(backoff_s * 2**attempt)
            else:
                break
    if found is None:
        return None
    body, receipt = found
    _save(file, body, receipt)
    return receipt


def _check_day(day: str | None) -> None:
    if day is None:
        return
    try:
        known = date.fromisoformat(day).isoformat() == day
    except ValueError:
        known = False
    if not known:
        raise InputError([Problem("fetch", 0, "--date", day, "expected a day as YYYY-MM-DD")])


def _check_place(file: Path) -> None:
    """See before anything is asked for whether the answer can be saved; nothing stays behind."""
    fresh = _beside(file)
    made = [folder for folder in file.parents if not folder.exists()]
    try:
        if file.is_dir():
            raise IsADirectoryError(errno.EISDIR, "it is a folder")
        file.parent.mkdir(parents=True, exist_ok=True)
        fresh.touch()
        fresh.unlink()
        for folder in made:
            folder.rmdir()
    except OSError as error:
        what = f"expected a file that can be written ({error.strerror}); nothing was asked for"
        raise InputError([Problem(shown(file), expected=what)]) from None


def _beside(file: Path) -> Path:
    return file.with_name(f".{file.name}.new")


def _ask(
    session: requests.Session, address: str, asked: dict[str, str], file: Path, progress: Callable[[int], None]
) -> tuple[bytes, Receipt] | None:
    """One whole answer with its receipt; None when the saved one is still current."""
    try:
        with session.get(address, params=asked, headers=_known_version(file), timeout=TIMEOUT_S, stream=True) as answer:
            if answer.status_code == requests.codes.not_modified:
                return None
            _check_status(answer, asked["model"])
            try:
                body = _read(answer, progress)
            except (requests.exceptions.ChunkedEncodingError, requests.ConnectionError):
                raise _BrokeOffError(_broke_off(address)) from None
            url, headers = answer.url, answer.headers
    except requests.RequestException as error:
        raise FetchError(_in_words(error, address)) from None
    rows = _rows(body, url)
    return body, Receipt(url, headers.get("ETag", ""), headers.get("Date", ""), rows, hashlib.sha256(body).hexdigest())


def _session(backoff_s: float) -> requests.Session:
    retry = Retry(
        total=ATTEMPTS - 1,
        backoff_factor=backoff_s,
        status_forcelist=(429, 500, 502, 503, 504),
        allowed_methods=("GET",),
        raise_on_status=False,
    )
    session = requests.Session()
    for scheme in ("https://", "http://"):
        session.mount(scheme, HTTPAdapter(max_retries=retry))
    return session


def _known_version(file: Path) -> dict[str, str]:
    """Ask for a change only, when the saved file is still the one that its receipt describes."""
    receipt = receipt_of(file)
    if not file.is_file() or not receipt.is_file():
        return {}
    try:
        known = Receipt(**json.loads(receipt.read_text(encoding="utf-8")))
    except (ValueError, TypeError):
        return {}
    same = hashlib.sha256(file.read_bytes()).hexdigest() == known.sha256
    return {"If-None-Match": known.etag} if same and known.etag else {}


def _check_status(answer: requests.Response, model: str) -> None:
    if answer.ok:
        return
    if answer.status_code == requests.codes.bad_request:
        said = answer.text[:200]
        expected = f"a model and parameters that the API knows ({said}); display names it knows: {', '.join(NAMES)}, …"
        raise InputError([Problem("fetch", 0, "--model", model, expected)])
    after = f" after {ATTEMPTS} tries" if answer.status_code in (429, 500, 502, 503, 504) else ""
    raise FetchError(f"{answer.url} answered {answer.status_code} {answer.reason}{after}; nothing was saved")


def _read(answer: requests.Response, progress: Callable[[int], None]) -> bytes:
    parts, size = [], 0
    for part in answer.iter_content(1 << 16):
        parts.append(part)
        size += len(part)
        progress(size)
    return b"".join(parts)


def _rows(body: bytes, url: str) -> int:
    try:
        found = json.loads(body)
    except ValueError:
        found = None
    if found is None and body.lstrip()[:1] == b"[":
        raise _BrokeOffError(_broke_off(url))
    if not isinstance(found, list):
        start = body[:60].decode("utf-8", errors="replace")
        raise FetchError(f"{url} answered no list of rows but {start!r}; nothing was saved")
    return len(found)


def _save(file: Path, body: bytes, receipt: Receipt) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    for path, content in ((file, body), (receipt_of(file), json.dumps(asdict(receipt), indent=2).encode())):
        fresh = _beside(path)
        fresh.write_bytes(content)
        fresh.replace(path)


def _in_words(error: requests.RequestException, address: str) -> str:
    if isinstance(error, requests.exceptions.SSLError):
        reason = "its certificate could not be checked."
    elif isinstance(error, requests.exceptions.Timeout):
        reason = f"it did not answer within {TIMEOUT_S[1]} seconds."
    elif isinstance(error, requests.exceptions.ContentDecodingError):
        reason = "the answer could not be unpacked."
    elif isinstance(error, requests.ConnectionError):
        reason = f"it could not be reached in {ATTEMPTS} tries; is there a network?"
    else:
        reason = f"{error}."
    return f"{address}: {reason} Nothing was saved."


def _broke_off(address: str) -> str:
    return f"{address}: the answer broke off every time it was asked for ({ATTEMPTS}×). Nothing was saved."
