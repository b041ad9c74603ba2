"""From what a PostgreSQL program printed to an error that says what to do."""

from __future__ import annotations

from pathlib import Path

from docalign_actors.errors import (
    DatabaseError,
    DataDirectoryError,
    DiskFullError,
    ServerStartError,
    UserNotPossibleError,
    WrongVersionError,
)
from docalign_actors.persistence.embedded import launcher

STILL_LEAVING = "shared memory block"  # processes of the server that was killed have not all gone yet
_MOST_SHOWN = 600


def explain(code: int, output: str, data: Path) -> DatabaseError:
    """The error for a program that ended with this code and these last lines."""
    if code == launcher.NO_NAMESPACE:
        return UserNotPossibleError()
    if "No space left on device" in output or "Check free disk space" in output or "Disk quota exceeded" in output:
        return DiskFullError(f"There is no room left on the disk of {data}.")
    if "database files are incompatible with server" in output:
        return WrongVersionError(f"{data} was made by another version of PostgreSQL. {_last(output)}")
    if "Permission denied" in output or "wrong ownership" in output or "Read-only file system" in output:
        return DataDirectoryError(f"PostgreSQL may not use {data}: {_last(output)}")
    return ServerStartError(f"PostgreSQL ended with code {code}: {_last(output) or 'it printed nothing'}")


def _last(output: str) -> str:
    """The lines that say what was wrong, or the last ones."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    telling = [line for line in lines if "FATAL" in line or "error:" in line or "PANIC" in line or "HINT" in line]
    return " ".join(telling or lines[-3:])[-_MOST_SHOWN:]
