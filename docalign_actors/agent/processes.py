"""Runs a command that nobody vouches for: bounded in time and output, ended with everything it started."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO

from msgspec import Struct

from docalign_actors.agent.halting import Halt

_ALLOWED = frozenset(
    {"PATH", "HOME", "USER", "LOGNAME", "LANG", "LANGUAGE", "TZ", "TERM", "TMPDIR", "SSL_CERT_FILE", "SSL_CERT_DIR"}
)
_STDERR = 2_000
"""Characters of what it complained that are kept: the last ones."""
_LAST_MOMENTS = 5.0


class Ended(Struct, frozen=True):
    """How a command ended. `why` is empty if it ended by itself, otherwise `time`, `output` or `halted`."""

    code: int
    stdout: bytes
    stderr: str
    why: str = ""


def environment_for(environ: Mapping[str, str], also: Sequence[str] = ()) -> dict[str, str]:
    """What a command sees of our environment: what it needs to run at all, and what the operator names. No secret of ours."""
    return {
        name: value
        for name, value in environ.items()
        if (name in _ALLOWED or name.startswith("LC_") or name in also) and not name.startswith("DOCALIGN_")
    }


def run_bounded(
    command: Sequence[str], given: bytes, folder: Path, environment: Mapping[str, str], *, seconds: float, most: int, halt: Halt
) -> Ended:  # fmt: skip
    """Gives a command something to read and takes what it says. In a session of its own, which is killed at the end."""
    process = subprocess.Popen(
        tied_to_us(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=folder,
        env=dict(environment), start_new_session=True,
    )  # fmt: skip
    running = _Running(process, most)
    with halt.ending(lambda: running.end("halted")):
        running.start(given)
        if not running.over.wait(seconds):
            running.end("time")
            running.over.wait(_LAST_MOMENTS)
    return running.collect()


def tied_to_us(command: Sequence[str]) -> list[str]:
    """The command so that it ends when we are killed, where the machine has a program for that."""
    setpriv = shutil.which("setpriv")
    return [setpriv, "--pdeathsig", "KILL", "--", *command] if setpriv else list(command)


class _Running:
    """One process with its threads: one writes, two read, one waits for its end."""

    def __init__(self, process: subprocess.Popen[bytes], most: int) -> None:
        self._process = process
        self._most = most
        self._out: list[bytes] = []
        self._complaint = b""
        self._why = ""
        self._lock = threading.Lock()
        self._threads: list[threading.Thread] = []
        self.over = threading.Event()

    def start(self, given: bytes) -> None:
        for target, arguments in (
            (self._write, (given,)), (self._read, ()), (self._read_complaint, ()), (self._wait, ())
        ):  # fmt: skip
            thread = threading.Thread(target=target, args=arguments, daemon=True, name="agent-command")
            self._threads.append(thread)
            thread.start()

    def end(self, why: str) -> None:
        """Kills it and whatever it started. Who is first says why."""
        with self._lock:
            self._why = self._why or why
        self._kill()

    def collect(self) -> Ended:
        self._kill()  # what it left behind holds our pipes open
        code = self._process.wait(_LAST_MOMENTS)
        for thread in self._threads:
            thread.join(_LAST_MOMENTS)
        for pipe in (self._process.stdout, self._process.stderr):
            if pipe is not None:
                pipe.close()
        return Ended(code, b"".join(self._out), self._complaint.decode("utf-8", "replace").strip(), self._why)

    def _kill(self) -> None:
        # Until it is waited for, its number belongs to it, and its session's to its session.
        if self._process.returncode is None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)

    def _wait(self) -> None:
        with suppress(ChildProcessError):
            os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOWAIT)
        self.over.set()

    def _write(self, given: bytes) -> None:
        pipe = self._process.stdin
        if pipe is None:
            return
        with suppress(OSError):  # one that does not want to read need not
            pipe.write(given)
        with suppress(OSError):
            pipe.close()

    def _read(self) -> None:
        size = 0
        for part in _parts(self._process.stdout):
            size += len(part)
            if size > self._most:
                self.end("output")
                return
            self._out.append(part)

    def _read_complaint(self) -> None:
        for part in _parts(self._process.stderr):
            self._complaint = (self._complaint + part)[-_STDERR:]


def _parts(pipe: IO[bytes] | None) -> Iterator[bytes]:
    """What comes out of a pipe, as it comes."""
    if pipe is None:
        return
    descriptor = pipe.fileno()
    while True:
        try:
            part = os.read(descriptor, 65_536)
        except OSError:
            return
        if not part:
            return
        yield part
