"""`docalign serve` as a process of its own, for tests."""

from __future__ import annotations

import http.client
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from tests.support.prepared import prepare

_PATIENCE = 60.0
_STEP = 0.02
Answer = tuple[int, Any]


class ServiceProcess:
    """A service on a data directory of its own, on a free port."""

    def __init__(self, data_dir: Path, **environment: str) -> None:
        self.data_dir = data_dir
        self.log = data_dir.with_name("service.log")
        self.environment = {**os.environ, "DOCALIGN_DATA_DIR": str(data_dir), "DOCALIGN_HTTP_PORT": "0", **environment}
        self.process: subprocess.Popen[bytes] | None = None

    @classmethod
    def prepared(cls, data_dir: Path, **environment: str) -> ServiceProcess:
        """One whose database was made before."""
        return cls(prepare(data_dir), **environment)

    def start(self, *arguments: str) -> ServiceProcess:
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "docalign_actors", "serve", *arguments],
                env=self.environment, stdout=log, stderr=log, stdin=subprocess.DEVNULL, start_new_session=True,
            )  # fmt: skip
        process = self.process.pid  # what an earlier one left there, killed, is not of this start
        self.until(lambda: (self.handle() or {}).get("pid") == process and self.get("/readyz")[0] == 200)
        return self

    def handle(self) -> dict[str, Any] | None:
        try:
            found: dict[str, Any] = json.loads((self.data_dir / "service.json").read_text())
            return found
        except (OSError, ValueError):
            return None

    def until(self, look: Any) -> None:
        """Looks again and again at another process; it tells nobody when it is ready."""
        end = time.monotonic() + _PATIENCE
        while not look():
            assert self.process is not None
            assert self.process.poll() is None or not look, self.said()
            assert time.monotonic() < end, self.said()
            time.sleep(_STEP)

    def said(self) -> str:
        return self.log.read_text()[-3000:] if self.log.exists() else ""

    def get(self, path: str) -> Answer:
        return self.call("GET", path)

    def call(self, method: str, path: str, body: Any = None) -> Answer:
        handle = self.handle()
        if handle is None:
            return 0, None
        connection = http.client.HTTPConnection(handle["address"].removeprefix("http://"), timeout=20)
        headers = {"Authorization": f"Bearer {handle['token']}", "Content-Type": "application/json"}
        try:
            connection.request(method, path, None if body is None else json.dumps(body), headers)
            answer = connection.getresponse()
            data = answer.read()
            return answer.status, json.loads(data) if data else None
        except (OSError, ValueError, http.client.HTTPException):
            return 0, None
        finally:
            connection.close()

    def docalign(self, *arguments: str, code: int | None = 0) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "docalign_actors", *arguments], env=self.environment, capture_output=True, timeout=_PATIENCE, check=False
        )  # fmt: skip
        text = done.stdout.decode() + done.stderr.decode()
        assert code is None or done.returncode == code, text + self.said()
        return text

    def wait_for_end(self, run: str) -> dict[str, Any]:
        found: dict[str, Any] = {}

        def look() -> bool:
            nonlocal found
            status, answer = self.get(f"/api/scans/{run}")
            found = answer if status == 200 else {}
            return found.get("status") in ("completed", "partial", "failed", "cancelled")

        self.until(look)
        return found

    def signal(self, number: signal.Signals) -> None:
        assert self.process is not None
        self.process.send_signal(number)

    def wait(self) -> int:
        assert self.process is not None
        return self.process.wait(_PATIENCE)

    def kill(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.kill()
            self.process.wait(_PATIENCE)

    def leftovers(self) -> list[str]:
        """Processes that still have to do with this data directory, or are scans without a parent."""
        found = []
        for entry in Path("/proc").iterdir():
            if not entry.name.isdigit():
                continue
            try:
                command = (entry / "cmdline").read_bytes()
                state = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            orphan = b"scan_process" in command and state[1] == "1"
            if state[0] != "Z" and (str(self.data_dir).encode() in command or orphan):
                found.append(command.replace(b"\0", b" ").decode("utf-8", "replace"))
        return found

    def wait_until_nothing_is_left(self) -> None:
        end = time.monotonic() + _PATIENCE
        while self.leftovers():
            assert time.monotonic() < end, self.leftovers()
            time.sleep(_STEP)
