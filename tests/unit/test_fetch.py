"""Fetching from a local server that answers slowly, compressed, and with faults."""

from __future__ import annotations

import gzip
import hashlib
import http.server
import json
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from click.testing import CliRunner

from scoville.cli import cli
from scoville.fetch import FetchError, fetch_benchmarks, receipt_of
from scoville.problems import InputError

ROWS = [{"hardware": "gb200", "conc": c, "metrics": {"tput_per_gpu": 100.5 * c}} for c in (1, 2, 4)]
BODY = json.dumps(ROWS).encode()
Handler = http.server.BaseHTTPRequestHandler


class Server:
    """A server on this machine whose answers a test scripts; keeps the requests."""

    def __init__(self, answers: list[Callable[[Handler], None]]) -> None:
        self.requests: list[tuple[str, dict[str, str]]] = []
        outer = self

        class Scripted(Handler):
            def do_GET(self) -> None:  # noqa: N802 - the name that the base class calls
                outer.requests.append((self.path, dict(self.headers)))
                answers[min(len(outer.requests), len(answers)) - 1](self)

            def log_message(self, *_args: Any) -> None:
                """Say nothing."""

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Scripted)
        self.address = f"http://127.0.0.1:{self.server.server_port}/api/v1"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


def answering(
    status: int = 200, body: bytes = BODY, *, pause: float = 0.0, cut: int = 0, **headers: str
) -> Callable[[Handler], None]:
    def answer(handler: Handler) -> None:
        handler.send_response(status)
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        sent = body[: len(body) - cut]
        for start in range(0, len(sent), max(1, len(sent) // 3)):
            handler.wfile.write(sent[start : start + max(1, len(sent) // 3)])
            handler.wfile.flush()
            time.sleep(pause)

    return answer


@pytest.fixture
def serve() -> Iterator[Callable[..., Server]]:
    running: list[Server] = []

    def start(*answers: Callable[[Handler], None]) -> Server:
        running.append(Server(list(answers)))
        return running[-1]

    yield start
    for server in running:
        server.server.shutdown()
        server.server.server_close()


def get(server: Server, file: Path, **options: Any) -> Any:
    return fetch_benchmarks("DeepSeek-R1-0528", file, api=server.address, backoff_s=0.01, **options)


def test_a_slow_compressed_answer_is_saved_unpacked(serve: Callable[..., Server], tmp_path: Path) -> None:
    server = serve(answering(body=gzip.compress(BODY), pause=0.05, Content_Encoding="gzip", ETag='"v1"'))
    file, seen = tmp_path / "rows.json", []
    receipt = get(server, file, progress=seen.append)
    assert json.loads(file.read_text(encoding="utf-8")) == ROWS
    assert (receipt.rows, receipt.etag) == (3, '"v1"')
    assert receipt.sha256 == hashlib.sha256(BODY).hexdigest()
    assert seen[-1] == len(BODY)
    path, headers = server.requests[0]
    assert parse_qs(urlsplit(path).query) == {"model": ["DeepSeek-R1-0528"]}
    assert "gzip" in headers["Accept-Encoding"]


def test_parameters_and_history_reach_the_server(serve: Callable[..., Server], tmp_path: Path) -> None:
    server = serve(answering())
    get(server, tmp_path / "rows.json", parameters={"isl": "8192", "osl": "1024"}, history=True)
    path = urlsplit(server.requests[0][0])
    assert path.path == "/api/v1/benchmarks/history"
    assert parse_qs(path.query) == {"model": ["DeepSeek-R1-0528"], "isl": ["8192"], "osl": ["1024"]}


def test_an_unchanged_answer_is_not_fetched_again(serve: Callable[..., Server], tmp_path: Path) -> None:
    server = serve(answering(ETag='"v1"'), answering(status=304, body=b""))
    file = tmp_path / "rows.json"
    assert get(server, file) is not None
    assert get(server, file) is None
    assert server.requests[1][1]["If-None-Match"] == '"v1"'
    assert json.loads(file.read_text(encoding="utf-8")) == ROWS


def test_an_edited_file_is_fetched_again(serve: Callable[..., Server], tmp_path: Path) -> None:
    server = serve(answering(ETag='"v1"'))
    file = tmp_path / "rows.json"
    get(server, file)
    file.write_text("[]", encoding="utf-8")
    get(server, file)
    assert "If-None-Match" not in server.requests[1][1]
    assert json.loads(file.read_text(encoding="utf-8")) == ROWS


def test_a_failing_server_is_tried_again(serve: Callable[..., Server], tmp_path: Path) -> None:
    server = serve(answering(503, b"busy"), answering(429, b"slow down", Retry_After="0"), answering())
    assert get(server, tmp_path / "rows.json").rows == 3
    assert len(server.requests) == 3


def test_an_answer_that_broke_off_is_asked_for_again(serve: Callable[..., Server], tmp_path: Path) -> None:
    """Twice in the middle, once without a word of it; the fourth try is whole."""
    server = serve(answering(cut=20), answering(cut=len(BODY)), answering(body=BODY[:-20]), answering())
    assert get(server, tmp_path / "rows.json").rows == 3
    assert len(server.requests) == 4
    given_up = serve(answering(cut=20))
    with pytest.raises(FetchError, match="broke off every time"):
        get(given_up, tmp_path / "other.json")
    assert len(given_up.requests) == 4
    assert not (tmp_path / "other.json").exists()


def test_an_error_starts_on_a_line_of_its_own(serve: Callable[..., Server], tmp_path: Path) -> None:
    server = serve(answering(body=b"<html>down</html>"))
    arguments = ["fetch", "inferencex", "--model", "x", "--out", str(tmp_path / "a.json"), "--api", server.address]
    done = CliRunner().invoke(cli, arguments)
    assert done.exit_code == 1
    *_, progress, last = done.stderr.splitlines()
    assert last.startswith(f"{server.address}/benchmarks?model=x answered no list of rows")
    assert progress == "0.0 MB"


def test_a_server_that_keeps_failing_is_given_up(serve: Callable[..., Server], tmp_path: Path) -> None:
    server = serve(answering(502, b"bad"))
    with pytest.raises(FetchError, match="answered 502 Bad Gateway after 4 tries; nothing was saved"):
        get(server, tmp_path / "rows.json")
    assert len(server.requests) == 4
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (answering(404, b"no"), "answered 404 Not Found; nothing was saved"),
        (answering(body=b"<html>down for maintenance</html>"), "answered no list of rows but '<html>down for"),
        (answering(body=b'{"error": "odd"}'), 'answered no list of rows but \'{"error": "odd"}\''),
        (answering(cut=20), "the answer broke off every time it was asked for (4×). Nothing was saved."),
        (answering(body=BODY[:-20]), "the answer broke off every time it was asked for (4×). Nothing was saved."),
        (answering(body=b"not gzip", Content_Encoding="gzip"), "the answer could not be unpacked"),
    ],
)
def test_a_wrong_answer_keeps_the_old_file(
    serve: Callable[..., Server], tmp_path: Path, answer: Callable[[Handler], None], message: str
) -> None:
    file = tmp_path / "rows.json"
    file.write_text("the old answer", encoding="utf-8")
    with pytest.raises(FetchError) as caught:
        get(serve(answer), file)
    assert message in str(caught.value)
    assert file.read_text(encoding="utf-8") == "the old answer"
    assert not receipt_of(file).exists()


def test_an_unknown_model_lists_known_names(serve: Callable[..., Server], tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        get(serve(answering(400, b'{"error":"Unknown model"}')), tmp_path / "rows.json")
    assert "found 'DeepSeek-R1-0528'" in str(caught.value)
    assert "Unknown model" in str(caught.value)
    assert "Kimi-K2.5" in str(caught.value)


def test_without_a_network_the_message_says_so(tmp_path: Path) -> None:
    with pytest.raises(FetchError, match="could not be reached in 4 tries; is there a network"):
        fetch_benchmarks("x", tmp_path / "rows.json", api="http://127.0.0.1:9/api/v1", backoff_s=0.01)


def test_the_command_ends_with_1_without_a_network_and_2_for_an_unknown_model(
    serve: Callable[..., Server], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ask = ["fetch", "inferencex", "--model", "Kimi-K2.5", "--api"]
    monkeypatch.setattr("scoville.fetch.ATTEMPTS", 1)
    assert CliRunner().invoke(cli, [*ask, "http://127.0.0.1:9"]).exit_code == 1
    unknown = CliRunner().invoke(cli, [*ask, serve(answering(400, b'{"error":"Unknown model"}')).address])
    assert unknown.exit_code == 2
    assert list(tmp_path.iterdir()) == []
    fine = CliRunner().invoke(cli, [*ask, serve(answering()).address])
    assert fine.exit_code == 0
    assert fine.stdout.startswith("inferencex-Kimi-K2.5.json: 3 rows, sha256 ")
    assert json.loads((tmp_path / "inferencex-Kimi-K2.5.json").read_text(encoding="utf-8")) == ROWS


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--date", "notadate"], "column '--date': found 'notadate'; expected a day as YYYY-MM-DD"),
        (["--date", "2026-02-30"], "expected a day as YYYY-MM-DD"),
        (["--date", "20260201"], "expected a day as YYYY-MM-DD"),
        (["--isl", "8192"], "--isl and --osl go with --history"),
        (["--osl", "1024"], "--isl and --osl go with --history"),
        (["--history", "--isl", "-1"], "--isl"),
    ],
)
def test_what_the_api_would_not_understand_is_not_asked(
    serve: Callable[..., Server], tmp_path: Path, more: list[str], message: str
) -> None:
    server = serve(answering())
    out = tmp_path / "rows.json"
    ask = ["fetch", "inferencex", "--model", "x", "--api", server.address, "--out", str(out), *more]
    done = CliRunner().invoke(cli, ask)
    assert (done.exit_code, server.requests, out.exists()) == (2, [], False)
    assert message in done.stderr


def test_a_place_that_cannot_be_written_is_told_before_anything_is_asked(
    serve: Callable[..., Server], tmp_path: Path
) -> None:
    server = serve(answering())
    (tmp_path / "file").write_text("", encoding="utf-8")
    for out in ("/proc/none/rows.json", str(tmp_path / "file/rows.json")):
        done = CliRunner().invoke(cli, ["fetch", "inferencex", "--model", "x", "--api", server.address, "--out", out])
        assert (done.exit_code, server.requests) == (2, [])
        assert "expected a file that can be written (" in done.stderr
        assert "nothing was asked for" in done.stderr


def test_a_new_folder_is_made_only_for_an_answer(serve: Callable[..., Server], tmp_path: Path) -> None:
    with pytest.raises(InputError):
        fetch_benchmarks("x", tmp_path / "new/deep/rows.json", api=serve(answering(400, b"{}")).address)
    assert list(tmp_path.iterdir()) == []
    fetch_benchmarks("x", tmp_path / "new/deep/rows.json", api=serve(answering()).address)
    assert (tmp_path / "new/deep/rows.json").is_file()


def test_one_row_is_one_row(serve: Callable[..., Server], tmp_path: Path) -> None:
    server = serve(answering(body=json.dumps(ROWS[:1]).encode()))
    ask = ["fetch", "inferencex", "--model", "x", "--api", server.address, "--out", str(tmp_path / "rows.json")]
    assert ": 1 row, sha256 " in CliRunner().invoke(cli, ask).stdout
