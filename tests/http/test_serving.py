"""The socket that the service listens on, and what may come through it."""

from __future__ import annotations

import dataclasses
import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from docalign_actors.cli.service.link import Link
from docalign_actors.handle import Handle
from docalign_actors.http.protocol import MOST_HEAD_BYTES
from docalign_actors.http.server import make_app
from docalign_actors.http.services import HttpSettings
from docalign_actors.http.serving import Serving, run_loop
from tests.http.house import House


def test_answers_wait_for_no_acknowledgement(house: House) -> None:
    """An event loop sets TCP_NODELAY on connections of a socket that names its protocol; others cost 40 ms an answer."""
    services = dataclasses.replace(house.services, settings=HttpSettings(port=0))
    serving = Serving(make_app(services), services)
    serving.bind()
    try:
        assert serving._socket is not None
        assert serving._socket.proto == socket.IPPROTO_TCP
    finally:
        serving.close()


@contextmanager
def served(house: House) -> Iterator[int]:
    """The port of a server that serves until the end of the block."""
    services = dataclasses.replace(house.services, settings=HttpSettings(port=0))
    serving = Serving(make_app(services), services, stop_seconds=1.0)
    port = int(serving.bind().rpartition(":")[2])
    thread = threading.Thread(target=lambda: run_loop(serving.serve()))
    thread.start()
    try:
        yield port
    finally:
        serving.stop()
        thread.join(30)


def said(port: int, *parts: bytes) -> bytes:
    """All that the server answers before it closes the connection."""
    with socket.create_connection(("127.0.0.1", port), timeout=30) as connection:
        heard = b""
        try:
            for part in parts:
                connection.sendall(part)
            while piece := connection.recv(65_536):
                heard += piece
        except ConnectionError:
            pass  # closed while we were still talking
        return heard


_START = b"GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"


def test_a_large_head_is_taken_up_to_its_bound(house: House) -> None:
    with served(house) as port:
        answer = said(port, _START + b"X-Large: " + b"x" * (MOST_HEAD_BYTES - 1_000) + b"\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 200 ")


@pytest.mark.parametrize(
    "head",
    [
        pytest.param([b"X-Endless: "] + [b"x" * 8_192] * 8, id="one header without an end"),
        pytest.param([b"X-Many: 1\r\n" * 10_000], id="many small headers"),
        pytest.param([b"X-Large: " + b"x" * 60_000 + b"\r\n\r\n"], id="a whole head at once"),
    ],
)
def test_a_head_without_measure_is_refused_and_the_next_request_answered(house: House, head: list[bytes]) -> None:
    with served(house) as port:
        # Whoever is still talking when the connection is closed may lose the answer.
        assert said(port, _START, *head).partition(b" ")[2][:3] in (b"431", b"")
        assert said(port, _START + b"\r\n").startswith(b"HTTP/1.1 200 ")


@pytest.mark.parametrize(
    ("sent", "status", "code"),
    [
        pytest.param(_START + b"X-Large: " + b"x" * 33_000 + b"\r\n\r\n", 431, "DOCALIGN_E425", id="a large head"),
        pytest.param(b"\x16\x03\x01\x02\x00\x01\x00\r\n\r\n", 400, "DOCALIGN_E420", id="no HTTP at all"),
    ],
)
def test_what_never_becomes_a_request_is_refused_by_a_problem_document(
    house: House, sent: bytes, status: int, code: str
) -> None:
    with served(house) as port:
        head, _, body = said(port, sent).partition(b"\r\n\r\n")
    assert head.startswith(f"HTTP/1.1 {status} ".encode())
    assert b"content-type: application/problem+json" in head
    problem = json.loads(body)
    assert (problem["status"], problem["code"]) == (status, code)
    assert problem["hint"]
    assert f"x-request-id: {problem['trace']}".encode() in head


def test_a_command_is_told_why_the_service_cannot_work(house: House) -> None:
    house.services = dataclasses.replace(house.services, ready=lambda: ("the disk has 3 MB left",))
    with served(house) as port:
        assert Link(Handle(0, f"http://127.0.0.1:{port}", "")).trouble() == ["the disk has 3 MB left"]


def test_what_is_no_http_is_refused_and_the_next_request_answered(house: House) -> None:
    with served(house) as port:
        assert said(port, b"\x16\x03\x01\x02\x00\x01\x00\r\n\r\n").startswith(b"HTTP/1.1 400 ")
        assert said(port, _START + b"\r\n").startswith(b"HTTP/1.1 200 ")
