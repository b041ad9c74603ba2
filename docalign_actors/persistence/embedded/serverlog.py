"""The server's log: a file of bounded size, and the last lines at hand for error messages."""

from __future__ import annotations

import os
import threading
from collections import deque
from contextlib import suppress
from pathlib import Path
from typing import IO

_MOST_BYTES = 4 * 1024 * 1024
_LINES_KEPT = 40


class ServerLog:
    """Reads what the server prints and writes it to a file that starts anew, one older file kept, when it is full."""

    def __init__(self, path: Path, most_bytes: int = _MOST_BYTES) -> None:
        self.path = path
        self._most_bytes = most_bytes
        self._lines: deque[str] = deque(maxlen=_LINES_KEPT)
        self._reader: threading.Thread | None = None

    def follow(self) -> int:
        """A file descriptor for a new server to print to; the caller closes it once the server has it."""
        reading, writing = os.pipe()
        self._lines.clear()
        self._reader = threading.Thread(
            target=self._read, args=(os.fdopen(reading, "rb"),), name="postgres-log", daemon=True
        )
        self._reader.start()
        return writing

    def tail(self, settle: float = 1.0) -> str:
        """The last lines; waits a moment for a server that has just ended to be read to its end."""
        if self._reader is not None:
            self._reader.join(settle)
        return "\n".join(list(self._lines))

    def _read(self, stream: IO[bytes]) -> None:
        with stream:
            for line in stream:
                self._lines.append(line.decode(errors="replace").rstrip())
                # A full disk must not stop the reading: the server would block on a full pipe.
                with suppress(OSError):
                    self._write(line)

    def _write(self, line: bytes) -> None:
        if self.path.exists() and self.path.stat().st_size + len(line) > self._most_bytes:
            self.path.replace(self.path.with_suffix(self.path.suffix + ".1"))
        with self.path.open("ab") as file:
            file.write(line)
