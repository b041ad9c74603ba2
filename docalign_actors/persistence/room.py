"""Whether the data directory can take what the service wants to keep."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

LEAST_BYTES = 32 * 2**20
"""Two segments of PostgreSQL's log. With less, what is accepted one moment is refused the next."""


def trouble(directory: Path) -> tuple[str, ...]:
    """Why nothing more can be kept there; nothing if it can. Names no path: strangers may read it."""
    there = next(folder for folder in (directory, *directory.absolute().parents) if folder.exists())
    if not there.is_dir() or not os.access(there, os.W_OK | os.X_OK):
        return ("the data directory cannot be written by this user",)
    free = shutil.disk_usage(there).free
    if free < LEAST_BYTES:
        return (f"the disk of the data directory has {free >> 20} MB left; it needs {LEAST_BYTES >> 20}",)
    return ()
