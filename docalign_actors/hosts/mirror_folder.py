"""The folder of mirrors: those of repositories that are gone go too, and the longest unused when there is too little room."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Collection
from pathlib import Path
from uuid import UUID

from docalign_actors.hosts.credentials import CredentialFiles
from docalign_actors.hosts.mirrors import HALF_MADE, tidy

_IN_USE = 3600.0
"""Seconds since its last use within which a mirror may belong to a scan under way."""


class MirrorFolder:
    """What `upkeep.ports.MirrorKeeper` asks for. A mirror's folder is named after its repository's id."""

    def __init__(
        self, folder: Path, known: Callable[[], Collection[UUID]], credentials: CredentialFiles | None = None
    ) -> None:
        """`credentials`: they go with their repositories, too."""
        self._folder = folder
        self._known = known
        self._credentials = credentials

    def sweep(self, most_bytes: int) -> list[str]:
        known = {str(repo) for repo in self._known()}
        if self._credentials is not None:
            self._credentials.keep_only(known)
        if not self._folder.is_dir():
            return []
        mirrors = [path for path in self._folder.iterdir() if path.suffix == ".git"]
        doomed = [path for path in mirrors if path.stem not in known]
        doomed += [p for p in self._folder.glob(f"*.git{HALF_MADE}") if time.time() - _last_used(p) > _IN_USE]
        kept = sorted((p for p in mirrors if p.stem in known), key=_last_used, reverse=True)
        total = 0
        for path in kept:
            total += size_of(path)
            if time.time() - _last_used(path) > _IN_USE:
                tidy(path)
                if total > most_bytes:
                    doomed.append(path)
        for path in doomed:
            shutil.rmtree(path, ignore_errors=True)
        return [path.name for path in doomed]


def _last_used(path: Path) -> float:
    try:
        return max(path.stat().st_mtime, (path / "used").stat().st_mtime if (path / "used").exists() else 0.0)
    except OSError:
        return 0.0


def size_of(path: Path) -> int:
    """Bytes on disk of everything below a folder."""
    total = 0
    for file in path.rglob("*"):
        try:
            total += file.lstat().st_blocks * 512
        except OSError:
            continue
    return total
