"""A receiver in a process of its own that fails on demand: `python -m tests.applications.receiver_process [CERTIFICATE]`.

Every path is a receiver. What it does is said by POST /control/PATH with a list of manners, one for each request to come; the last one
stays. GET /log/PATH gives what arrived.
    200, 422, 503 …   answers with that status        hang    never answers        reset    breaks the connection
    slow              answers after a while           nonsense   answers with something that is no HTTP
"""

from __future__ import annotations

import json
import os
import socket
import ssl
import struct
import subprocess
import sys
import threading
from collections import defaultdict
from collections.abc import Sequence
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.support.waiting import until

_SLOW = 0.3
_LONG = 30.0


class Book:
    """What arrived at each path, and how it is to be met."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.manners: dict[str, list[str]] = defaultdict(lambda: ["200"])
        self.arrived: dict[str, list[dict[str, Any]]] = defaultdict(list)
        self.ending = threading.Event()

    def meet(self, path: str, headers: dict[str, str], body: bytes) -> str:
        with self.lock:
            manners = self.manners[path]
            manner = manners.pop(0) if len(manners) > 1 else manners[0]
            self.arrived[path].append({"headers": headers, "body": body.decode(), "manner": manner})
            return manner


class Handler(BaseHTTPRequestHandler):
    book: Book

    def do_GET(self) -> None:
        with self.book.lock:
            self._say(200, json.dumps(self.book.arrived[self.path.removeprefix("/log")]).encode())

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.path.startswith("/control/"):
            with self.book.lock:
                self.book.manners[self.path.removeprefix("/control")] = json.loads(body)
            self._say(200, b"")
            return
        manner = self.book.meet(self.path, {k.lower(): v for k, v in self.headers.items()}, body)
        if manner == "hang":
            self.book.ending.wait(_LONG)
        elif manner == "reset":
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.close_connection = True
        elif manner == "nonsense":
            self.wfile.write(b"hello\r\n\r\n")
        else:
            if manner == "slow":
                self.book.ending.wait(_SLOW)
            status = int(manner) if manner.isdigit() else 200
            self._say(status, b"ok" if status < 300 else b'{"error": "no \x1b[31m%d"}' % status)

    def _say(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None: ...


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 1024

    def handle_error(self, *_: object) -> None: ...


def serve(certificate: str) -> None:
    Handler.book = Book()
    server = Server(("127.0.0.1", 0), Handler)
    if certificate:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        server.socket = context.wrap_socket(server.socket, server_side=True)
    print(server.server_port, flush=True)
    threading.Thread(target=_end_with_the_parent, daemon=True).start()
    server.serve_forever()


def _end_with_the_parent() -> None:
    sys.stdin.read()
    os._exit(0)


class ReceiverProcess:
    """The process, as a test sees it."""

    def __init__(self, certificate: str = "") -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", __name__, certificate], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert self._process.stdout is not None
        self.port = int(self._process.stdout.readline())
        self._scheme = "https" if certificate else "http"

    def url(self, path: str) -> str:
        return f"{self._scheme}://127.0.0.1:{self.port}/{path}"

    def meet(self, path: str, *manners: str) -> str:
        """From now on, one after the other; the last one stays. Gives the address."""
        self._ask("POST", f"/control/{path}", json.dumps(manners).encode())
        return self.url(path)

    def arrived(self, path: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = json.loads(self._ask("GET", f"/log/{path}"))
        return found

    def events(self, path: str, manners: Sequence[str] = ()) -> list[dict[str, Any]]:
        """What arrived; only what was met in these manners, if any are named."""
        return [json.loads(one["body"]) for one in self.arrived(path) if not manners or one["manner"] in manners]

    def wait_for(self, path: str, count: int) -> list[dict[str, Any]]:
        until(lambda: len(self.arrived(path)) >= count)
        return self.arrived(path)

    def _ask(self, method: str, path: str, body: bytes = b"") -> bytes:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=10)
        try:
            connection.request(method, path, body, {"Content-Length": str(len(body))})
            return connection.getresponse().read()
        finally:
            connection.close()

    def close(self) -> None:
        self._process.kill()
        self._process.communicate(timeout=10)


if __name__ == "__main__":
    serve(sys.argv[1] if len(sys.argv) > 1 else "")
