"""What the service keeps of a repository outside the database: its mirror and its credentials. Nothing of them outlives it."""

from __future__ import annotations

import shutil
from pathlib import Path
from uuid import UUID

from docalign_actors.hosts.credentials import CredentialFiles


class Belongings:
    """The folders of a data directory that hold something of a repository's."""

    def __init__(self, data_dir: Path) -> None:
        self._mirrors = data_dir / "mirrors"
        self.credentials = CredentialFiles(data_dir / "credentials")

    def mirror(self, repo: UUID) -> Path:
        return self._mirrors / f"{repo}.git"

    def forget(self, repo: UUID, running: bool = False) -> None:
        """Removes them. The mirror of a scan that is only about to stop is left to the sweeper."""
        self.credentials.remove(repo)
        if not running:
            shutil.rmtree(self.mirror(repo), ignore_errors=True)
