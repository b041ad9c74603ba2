"""The service of the demo: `docalign serve` as a process of its own, on a data directory that goes with it."""

from __future__ import annotations

import contextlib
import os
import queue
import re
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path

from docalign_actors.demo.errors import DemoError
from docalign_actors.demo.github import FakeGitHub

_START = 120.0
_STOP = 20.0
_TRIES = 2
_KEPT = ("DOCALIGN_POSTGRES_BIN", "DOCALIGN_DEBUG")
_SIGN_IN = re.compile(r"(https?://\S+/sign-in\?token=\S+)")


class ServiceChild:
    """Started by `start`, ended by `stop`."""

    def __init__(self, folder: Path, github: FakeGitHub) -> None:
        self._data = folder / "data"
        self._log = folder / "service.log"
        self._key = folder / "app.pem"
        self._github = github
        self._process: subprocess.Popen[str] | None = None
        self.address = ""
        self.sign_in = ""

    def start(self, port: int = 0) -> None:
        """On this port if it is free, on another one otherwise."""
        self._key.touch(mode=0o600)
        self._key.write_text(self._github.app.private_key)
        for _ in range(_TRIES):
            found = free_port(port)
            if self._started(found):
                return
            port = 0  # somebody was faster
        raise DemoError(f"The service did not start. Its last words:\n{self.said()}")

    def said(self) -> str:
        """The end of its log."""
        with contextlib.suppress(OSError):
            return self._log.read_text(encoding="utf-8", errors="replace")[-2_000:]
        return ""

    def stop(self) -> None:
        process = self._process
        if process is None:
            return
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(_STOP)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait(_STOP)
        if process.stdout is not None:
            process.stdout.close()

    def _started(self, port: int) -> bool:
        self.address = f"http://127.0.0.1:{port}"
        words = (
            "serve",
            "--data-dir",
            str(self._data),
            "--host",
            "127.0.0.1",
            "--port",
            str(port),
            "--log-format",
            "console",
        )
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", "docalign_actors.demo.launch", str(os.getpid()), *words],
                env=self._environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log, text=True,
                start_new_session=True,
            )  # fmt: skip
        lines: queue.Queue[str] = queue.Queue()
        threading.Thread(target=self._read, args=(self._process, lines), daemon=True).start()
        with contextlib.suppress(queue.Empty):
            while line := lines.get(timeout=_START):
                found = _SIGN_IN.search(line)
                if found is not None:
                    self.sign_in = found[1]
                    return True
        self.stop()
        return False

    @staticmethod
    def _read(process: subprocess.Popen[str], lines: queue.Queue[str]) -> None:
        with contextlib.suppress(OSError, ValueError):
            for line in process.stdout or ():
                lines.put(line)
        lines.put("")

    def _environment(self) -> dict[str, str]:
        """Nothing of this machine's own settings."""
        foreign = ("DOCALIGN_", "DATABASE_URL")
        kept = {k: v for k, v in os.environ.items() if k in _KEPT or not k.startswith(foreign)}
        github = self._github
        return {
            **kept, "DOCALIGN_GITHUB_APP_ID": str(github.app.id), "DOCALIGN_GITHUB_PRIVATE_KEY_FILE": str(self._key),
            "DOCALIGN_GITHUB_WEBHOOK_SECRET": github.hooks.secret, "DOCALIGN_GITHUB_API_URL": github.base,
            "DOCALIGN_GITHUB_WEB_URL": github.address, "DOCALIGN_GITHUB_WRITE_INTERVAL": "0",
            "DOCALIGN_HTTP_PUBLIC_URL": self.address, "PYTHONUNBUFFERED": "1",
        }  # fmt: skip


def free_port(wanted: int) -> int:
    """The port that is wanted, if nobody has it; any other otherwise."""
    for port in dict.fromkeys((wanted, 0)):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            with contextlib.suppress(OSError, OverflowError):
                probe.bind(("127.0.0.1", port))
                return int(probe.getsockname()[1])
    raise DemoError("No port of this machine is free.")
