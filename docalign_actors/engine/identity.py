"""What made a cached value: the version, and the very files of the engine, so that a changed rule never meets old facts."""

from __future__ import annotations

import hashlib
import os
from functools import cache

from docalign_actors import __version__


@cache
def engine_identity() -> str:
    """Changes whenever any module of the engine does."""
    return identity("engine", "findings")


def identity(*folders: str) -> str:
    """Changes whenever any module in these folders of the package does. Reads no file, only their sizes and times."""
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    digest = hashlib.sha256(__version__.encode())
    for folder in folders:
        digest.update("".join(_modules(os.path.join(root, folder))).encode())
    return digest.hexdigest()[:16]


def _modules(folder: str) -> list[str]:
    """Each module below a folder with its size and time."""
    told: list[str] = []
    with os.scandir(folder) as entries:
        for entry in sorted(entries, key=lambda one: one.name):
            if entry.name.endswith(".py"):
                status = entry.stat()
                told.append(f"{entry.name}:{status.st_size}:{status.st_mtime_ns};")
            elif "." not in entry.name and entry.name != "__pycache__" and entry.is_dir():
                told.append(f"{entry.name}/")
                told += _modules(entry.path)
    return told
