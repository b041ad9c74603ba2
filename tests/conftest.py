from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.database import database, database_url, empty_database_url
from tests.support.repository import Repository

__all__ = ["database", "database_url", "empty_database_url"]


@pytest.fixture
def repository(tmp_path: Path) -> Callable[[dict[str, str | bytes]], Repository]:
    """Makes a git repository with one commit out of a dictionary of files."""

    def make(files: dict[str, str | bytes]) -> Repository:
        root = tmp_path / "repository"
        root.mkdir()
        return Repository(root, files)

    return make
