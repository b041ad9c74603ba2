"""Data directories that were made once and are copied: making a database takes longer than most tests that need one."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path

from docalign_actors.persistence.migrations import migrate
from docalign_actors.persistence.server import Server

_kept: list[tempfile.TemporaryDirectory[str]] = []


@cache
def made_once(*, migrated: bool) -> Path:
    """A data directory whose database was made, with or without the schema, and stopped in order."""
    _kept.append(tempfile.TemporaryDirectory(prefix="docalign-made-"))
    directory = Path(_kept[-1].name) / "data"
    with Server(directory, durable=False) as server:
        if migrated:
            migrate(server.url)
    for mark in ("socket", "postgres.lock", "postgres.users"):
        path = directory / mark
        shutil.rmtree(path, ignore_errors=True) if path.is_dir() else path.unlink(missing_ok=True)
    for log in directory.glob("*.log"):
        log.unlink()
    return directory


def prepare(data_dir: Path, *, migrated: bool = True) -> Path:
    """Puts a copy there."""
    data_dir.parent.mkdir(parents=True, exist_ok=True)
    # By the system's own program: Python takes several times as long for so many small files.
    subprocess.run(["cp", "-a", str(made_once(migrated=migrated)), str(data_dir)], check=True)
    return data_dir
