"""One owner for each data directory: a lock that the kernel gives back when the owner ends, however it ends."""

from __future__ import annotations

import fcntl
import os
import time
import weakref
from contextlib import suppress
from pathlib import Path

from docalign_actors.errors import DataDirectoryBusyError, DataDirectoryError

_held: weakref.WeakSet[FileLock] = weakref.WeakSet()
_STEP = 0.05


class FileLock:
    """An flock on a file that holds the owner's process id."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file: int | None = None

    def try_acquire(self, *, shared: bool = False) -> bool:
        """Take the lock if it is free."""
        try:
            file = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise DataDirectoryError(f"{self.path} cannot be opened: {error.strerror}.") from error
        try:
            fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(file)
            return False
        except OSError as error:
            os.close(file)
            raise DataDirectoryError(f"{self.path} cannot be locked: {error.strerror}.") from error
        self._file = file
        _held.add(self)
        if not shared:
            with suppress(OSError):  # the disk may be full; the id is for people, the lock is what counts
                os.ftruncate(file, 0)
                os.pwrite(file, str(os.getpid()).encode(), 0)
        return True

    def acquire(self, wait: float) -> None:
        """Take the lock, waiting for the one who has it; names that process when the time is over."""
        end = time.monotonic() + wait
        while not self.try_acquire():
            if time.monotonic() >= end:
                raise DataDirectoryBusyError(
                    f"The database in {self.path.parent} belongs to process {self.holder() or 'unknown'}."
                )
            time.sleep(_STEP)

    def holder(self) -> int | None:
        """The process id that the last owner wrote."""
        try:
            return int(self.path.read_text(encoding="ascii"))
        except (OSError, ValueError):
            return None

    def release(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None
            _held.discard(self)


def _let_go_in_child() -> None:
    # A forked child shares the lock: it would keep the data directory locked after the owner was killed.
    for lock in list(_held):
        lock.release()


os.register_at_fork(after_in_child=_let_go_in_child)
