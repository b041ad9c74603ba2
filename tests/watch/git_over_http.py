"""A git server over HTTP that asks for a name and a password, and can be told to fall silent."""

from __future__ import annotations

import base64
import os
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path


class GitServer:
    """Serves the repositories below a folder."""

    def __init__(self, folder: Path, user: str, password: str) -> None:
        self.folder = folder
        self.user, self.password = user, password
        self.silent = threading.Event()
        self.asked = threading.Event()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                outer.answer(self)

            do_POST = do_GET  # noqa: N815 - the name that the standard library looks for

            def log_message(self, format: str, *args: object) -> None: ...

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._released = threading.Event()
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        self.address = f"http://127.0.0.1:{self._server.server_port}"

    def answer(self, request: BaseHTTPRequestHandler) -> None:
        self.asked.set()
        if self.silent.is_set():
            self._released.wait(60)
            return
        wanted = base64.b64encode(f"{self.user}:{self.password}".encode()).decode()
        body = request.rfile.read(int(request.headers.get("Content-Length") or 0))
        if request.headers.get("Authorization") != f"Basic {wanted}":
            request.send_response(401)
            request.send_header("WWW-Authenticate", 'Basic realm="git"')
            request.send_header("Content-Length", "0")
            request.end_headers()
            return
        path, _, query = request.path.partition("?")
        environment = {
            "PATH": os.environ["PATH"], "GIT_PROJECT_ROOT": str(self.folder), "GIT_HTTP_EXPORT_ALL": "1", "PATH_INFO": path,
            "QUERY_STRING": query, "REQUEST_METHOD": request.command, "CONTENT_TYPE": request.headers.get("Content-Type", ""),
            "GIT_PROTOCOL": request.headers.get("Git-Protocol", ""), "HTTP_CONTENT_ENCODING": request.headers.get("Content-Encoding", ""),
            "GIT_CONFIG_GLOBAL": os.devnull,
        }  # fmt: skip
        done = subprocess.run(["git", "http-backend"], input=body, env=environment, capture_output=True, check=False)
        head, _, content = done.stdout.partition(b"\r\n\r\n")
        headers = dict(line.split(": ", 1) for line in head.decode().splitlines())
        request.send_response(int(headers.pop("Status", "200")[:3]))
        for name, value in headers.items():
            request.send_header(name, value)
        request.send_header("Content-Length", str(len(content)))
        request.end_headers()
        request.wfile.write(content)

    def close(self) -> None:
        self._released.set()
        self._server.shutdown()
        self._server.server_close()
