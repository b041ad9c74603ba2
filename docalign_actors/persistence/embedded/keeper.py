"""The thread that forks the server, sees it end at once, and starts it again.

It is the server's parent and lives as long as the server: the signal that ends the server with its owner follows the
thread that forked it.
"""

from __future__ import annotations

import os
import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from signal import SIGCONT, SIGINT, SIGKILL, SIGQUIT, Signals

from docalign_actors.errors import DatabaseError, DatabaseTimeoutError, ServerStartError
from docalign_actors.persistence.embedded import diagnosis, processes
from docalign_actors.persistence.embedded.serverlog import ServerLog
from docalign_actors.telemetry.events import Event

_STEP = 0.005
_LEAVING_PATIENCE = 2.0  # after this, what is left of a killed server is stuck and is killed too
_BACKOFF_FIRST, _BACKOFF_MOST = 0.1, 5.0


class PostgresStarted(Event, frozen=True, tag="postgres.started"):
    """The server takes connections."""

    pid: int
    seconds: float
    restarts: int

    def __str__(self) -> str:
        again = f", restart {self.restarts}" if self.restarts else ""
        return f"process {self.pid} takes connections after {self.seconds:.1f} s{again}"


class PostgresDied(Event, frozen=True, tag="postgres.died"):
    """The server ended although nobody stopped it; it is being started again."""

    pid: int
    code: int

    def __str__(self) -> str:
        return f"process {self.pid} ended with {self.code} and is started again"


class PostgresFailed(Event, frozen=True, tag="postgres.failed"):
    """The server could not be started again; the next attempt follows."""

    error: str
    next_attempt_in: float

    def __str__(self) -> str:
        return f"it cannot be started, tried again in {self.next_attempt_in:.1f} s: {self.error}"


Listener = Callable[[Event], None]


class Keeper:
    """Keeps one server running until it is told to stop."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        data: Path,
        socket: Path,
        log: ServerLog,
        listener: Listener,
        recovery: float,
    ) -> None:
        self._command = command
        self._data = data
        self._socket = socket
        self._log = log
        self._listener = listener
        self._recovery = recovery
        self._process: subprocess.Popen[bytes] | None = None
        self._stopping = threading.Event()
        self._settled = threading.Event()  # the first start has succeeded or failed
        self._failure: DatabaseError | None = None
        self._thread = threading.Thread(target=self._keep, name="postgres-keeper", daemon=True)
        self.ready = threading.Event()
        self.restarts = 0

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process is not None and self.ready.is_set() else None

    def start(self) -> None:
        """Start the server and wait until it takes connections."""
        self._thread.start()
        if not self._settled.wait(self._recovery * 2 + _LEAVING_PATIENCE):
            self.stop(1.0)
            raise DatabaseTimeoutError("PostgreSQL neither started nor failed to.")
        if self._failure is not None:
            self._thread.join()
            raise self._failure

    def stop(self, patience: float) -> None:
        """End the server: in order first, then less and less politely."""
        self._stopping.set()
        for number in (SIGINT, SIGQUIT, SIGKILL):
            self._signal(number)
            self._thread.join(patience)
            if not self._thread.is_alive():
                return

    def _signal(self, number: Signals) -> None:
        process = self._process
        if process is not None:
            with suppress(ProcessLookupError):
                process.send_signal(number)
                process.send_signal(SIGCONT)  # a stopped process takes no signal but this one

    def _keep(self) -> None:
        try:
            self._launch()
        except DatabaseError as error:
            self._failure = error
            return
        finally:
            self._settled.set()
        while not self._stopping.is_set():
            self._watch()

    def _watch(self) -> None:
        """Wait for the server's end; unless it was told to end, start it again, however often that takes."""
        process = self._process
        assert process is not None  # noqa: S101 - set by _launch
        code = process.wait()
        self.ready.clear()
        if self._stopping.is_set():
            return
        self._tell(PostgresDied(process.pid, code))
        self.restarts += 1
        delay = _BACKOFF_FIRST
        while not self._stopping.is_set():
            try:
                self._launch()
            except DatabaseError as error:
                self._tell(PostgresFailed(str(error), delay))
                self._stopping.wait(delay)
                delay = min(delay * 2, _BACKOFF_MOST)
            else:
                return

    def _launch(self) -> None:
        """Start the server; whatever goes wrong is a DatabaseError, and no half started server is left."""
        try:
            self._launch_patiently()
        except Exception as error:
            if self._process is not None and self._process.poll() is None:
                self._process.kill()
                self._process.wait()
            if isinstance(error, DatabaseError):
                raise
            raise ServerStartError(f"PostgreSQL could not be started: {error}") from error

    def _launch_patiently(self) -> None:
        """One start, repeated while processes of a killed server are still leaving."""
        began = time.monotonic()
        while True:
            processes.forget(self._data, self._socket)
            process = self._process = self._spawn()
            if self._stopping.is_set():  # told to stop while there was nothing to signal
                self._signal(SIGINT)
            if self._became_ready(process, began + self._recovery):
                self.ready.set()
                self._tell(PostgresStarted(process.pid, time.monotonic() - began, self.restarts))
                return
            if self._stopping.is_set():
                return
            output = self._log.tail()
            waited = time.monotonic() - began
            if diagnosis.STILL_LEAVING not in output or waited > self._recovery:
                raise diagnosis.explain(process.returncode, output, self._data)
            if waited > _LEAVING_PATIENCE:
                processes.kill_leftovers(self._data)

    def _spawn(self) -> subprocess.Popen[bytes]:
        output = self._log.follow()
        try:
            return subprocess.Popen(
                self._command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True
            )
        finally:
            os.close(output)

    def _became_ready(self, process: subprocess.Popen[bytes], end: float) -> bool:
        """Whether the server got ready, rather than ended. A dead server's pid file may say "ready": look at the pid."""
        while process.poll() is None:
            found = processes.postmaster(self._data)
            if found is not None and found.pid == process.pid and found.ready:
                return True
            if time.monotonic() > end:
                raise DatabaseTimeoutError(
                    f"PostgreSQL was not ready after {self._recovery:.0f} s.",
                    hint="It may be recovering after a crash: look at postgres.log in the data directory.",
                )
            time.sleep(_STEP)
        return False

    def _tell(self, event: Event) -> None:
        with suppress(Exception):  # a listener's mistake must not end the one thread that keeps the server
            self._listener(event)
