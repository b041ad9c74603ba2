"""A server that gets callbacks, on this machine."""

from __future__ import annotations

import ssl
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Receiver:
    """Keeps what it gets; `answer` says with which status it answers the n-th."""

    def __init__(self, answer: Callable[[int], int] = lambda _: 200, tls: ssl.SSLContext | None = None) -> None:
        self.got: list[tuple[dict[str, str], bytes]] = []
        self.changed = threading.Condition()
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                with receiver.changed:
                    receiver.got.append(({k.lower(): v for k, v in self.headers.items()}, body))
                    number = len(receiver.got)
                    receiver.changed.notify_all()
                status = answer(number)
                self.send_response(status)
                if 300 <= status < 400:
                    self.send_header("Location", "http://169.254.169.254/latest")
                self.send_header("Content-Length", "2")
                self.end_headers()
                self.wfile.write(b"ok")

            def log_message(self, *_: Any) -> None: ...

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.handle_error = lambda *_: None  # type: ignore[method-assign]  # who is refused may leave at any point
        if tls is not None:
            self._server.socket = tls.wrap_socket(self._server.socket, server_side=True)
        self.url = f"http://127.0.0.1:{self._server.server_port}/hook"

    def __enter__(self) -> Receiver:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def wait_for(self, count: int) -> list[tuple[dict[str, str], bytes]]:
        with self.changed:
            assert self.changed.wait_for(lambda: len(self.got) >= count, 60), f"{len(self.got)} of {count}"
            return list(self.got)
