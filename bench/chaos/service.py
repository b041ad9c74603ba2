"""The service under test, as a process: started, killed, stopped, waited for."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

from bench.chaos.load import Client
from bench.chaos.watching import processes_with

_START = 120.0
_STEP = 0.02


class ServiceProcess:
    """`docalign serve` on a data directory of its own."""

    def __init__(self, data_dir: Path, port: int) -> None:
        self.data_dir = data_dir
        self.port = port
        self.log = data_dir.parent / "service.log"
        self._process: subprocess.Popen[bytes] | None = None
        self.environment = {
            **os.environ,
            "DOCALIGN_DATA_DIR": str(data_dir),
            "DOCALIGN_LIMITS_PER_REPOSITORY": "1000000",
            "DOCALIGN_LIMITS_PER_ORGANISATION": "1000000",
            "DOCALIGN_LIMITS_PER_USER": "1000000",
            "DOCALIGN_HTTP_PORT": str(port),
            # Every run has to be one that the load asked for.
            "DOCALIGN_WATCH_ENABLED": "false",
        }

    def docalign(self, *arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "docalign_actors", *arguments],
            env=self.environment, capture_output=True, timeout=120, check=True,
        )  # fmt: skip
        return done.stdout.decode().strip()

    def start(self, client: Client) -> float:
        """Starts it and waits until it is ready; the seconds that took."""
        began = time.monotonic()
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "docalign_actors", "serve", "--log-format", "json"],
                env=self.environment, stdout=log, stderr=log, stdin=subprocess.DEVNULL, start_new_session=True,
            )  # fmt: skip
        self.wait_ready(client)
        return time.monotonic() - began

    def wait_ready(self, client: Client) -> None:
        until = time.monotonic() + _START
        while client.call("GET", "/readyz")[0] != 200:
            if self._process is None or self._process.poll() is not None:
                raise RuntimeError(f"the service ended by itself:\n{self.log.read_text()[-3000:]}")
            if time.monotonic() > until:
                raise RuntimeError(f"the service is not ready:\n{self.log.read_text()[-3000:]}")
            time.sleep(_STEP)

    @property
    def running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def signal(self, number: signal.Signals) -> None:
        if self._process is not None:
            self._process.send_signal(number)

    def kill(self) -> None:
        self.signal(signal.SIGKILL)
        self.wait()

    def wait(self, seconds: float = 90.0) -> int:
        if self._process is None:
            return 0
        return self._process.wait(seconds)

    def postmasters(self) -> dict[int, list[bytes]]:
        return processes_with(b"postgres", str(self.data_dir).encode())

    def kill_postmaster(self) -> None:
        for line in (self.data_dir / "postgres" / "postmaster.pid").read_text().splitlines()[:1]:
            os.kill(int(line), signal.SIGKILL)

    def orphans(self, repos: set[str], seconds: float = 15.0) -> list[str]:
        """What is still there of a service that is gone, after a moment to notice."""
        until = time.monotonic() + seconds
        while True:
            scans = {
                pid: c for pid, c in processes_with(b"docalign_actors.scan_process").items()
                if len(c) > 2 and c[-2].decode() in repos
            }  # fmt: skip
            left = {**scans, **self.postmasters()}
            if not left:
                return []
            if time.monotonic() > until:
                return [
                    f"{pid}: {b' '.join(command)[:200].decode('utf-8', 'replace')}" for pid, command in left.items()
                ]
            time.sleep(_STEP)


def free_port() -> int:
    """One that nobody listens on just now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
