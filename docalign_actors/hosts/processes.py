"""Starts a scan's process and turns what it says into messages.

The process leads a session of its own, so that ending it ends whatever it started. It ends by itself when this process
does: its standard input closes, and on Linux the kernel tells it as well.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import msgspec

from docalign_actors.hosts.mirrors import tidy
from docalign_actors.scans.messages import CitationsChecked, ProcessEnded, ReportMade, ScanFailed, StageReached
from docalign_actors.scans.ports import Job

Said = StageReached | ReportMade | CitationsChecked | ScanFailed
_DECODER = msgspec.json.Decoder(Said)
_TAIL = 2_000
_PATIENCE = 10.0
"""Seconds to wait for a killed process; one that is not gone by then hangs in the kernel, and no waiting helps."""


class LocalProcesses:
    """Runs scans on this machine."""

    def __init__(self, module: str = "docalign_actors.scan_process") -> None:
        self._module = module

    def start(self, job: Job, tell: Callable[[object], None]) -> LocalProcess:
        process = subprocess.Popen(
            # The ids are for people who look at the list of processes; the job itself comes over standard input.
            [sys.executable, "-P", "-m", self._module, job.repo_id, job.run_id],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
        return LocalProcess(process, msgspec.structs.replace(job, parent=os.getpid()), tell)


class LocalProcess:
    """One scan at work."""

    def __init__(self, process: subprocess.Popen[bytes], job: Job, tell: Callable[[object], None]) -> None:
        self._process = process
        self._mirror = Path(job.mirror)
        self._tell = tell
        self._errors = b""
        self._lock = threading.Lock()
        self._send(msgspec.json.encode(job) + b"\n")
        self._listening = threading.Thread(target=self._listen, name=f"scan-{job.run_id}-output", daemon=True)
        self._draining = threading.Thread(target=self._drain, name=f"scan-{job.run_id}-errors", daemon=True)
        self._draining.start()
        self._listening.start()

    def hurry(self) -> None:
        self._send(b"hurry\n")

    def end(self) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)

    def _send(self, data: bytes) -> None:
        with self._lock, contextlib.suppress(OSError, ValueError):
            if self._process.stdin is not None:
                self._process.stdin.write(data)
                self._process.stdin.flush()

    def _listen(self) -> None:
        assert self._process.stdout is not None  # noqa: S101 - it was opened as a pipe
        for line in self._process.stdout:
            try:
                self._tell(_DECODER.decode(line))
            except msgspec.DecodeError:
                self._errors += line[:_TAIL]
        # Whatever it started and did not end itself goes with it.
        self.end()
        try:
            code = self._process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            code = -signal.SIGKILL
        self._draining.join(_PATIENCE)
        for pipe in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(OSError):
                if pipe is not None:
                    pipe.close()
        if code:
            tidy(self._mirror)
        self._tell(ProcessEnded(code, self._errors[-_TAIL:].decode("utf-8", "replace")))

    def _drain(self) -> None:
        assert self._process.stderr is not None  # noqa: S101 - it was opened as a pipe
        with self._process.stderr as errors:
            for line in errors:
                self._errors = (self._errors + line)[-_TAIL:]
