from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.support.database import database, database_url, empty_database_url, fresh_database, shared_database
from tests.support.repository import Repository

# A property holds however slow the machine is.
settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")

__all__ = ["database", "database_url", "empty_database_url", "fresh_database", "shared_database"]


@pytest.fixture
def repository(tmp_path: Path) -> Callable[[dict[str, str | bytes]], Repository]:
    """Makes a git repository with one commit out of a dictionary of files."""

    def make(files: dict[str, str | bytes]) -> Repository:
        root = tmp_path / "repository"
        root.mkdir()
        return Repository(root, files)

    return make
