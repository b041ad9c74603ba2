from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from docalign_actors.clock import SystemClock
from docalign_actors.demo.github import FakeGitHub
from docalign_actors.github import telling
from docalign_actors.hosts.github.client import GitHubClient
from docalign_actors.hosts.github.credentials import AppCredentials
from docalign_actors.persistence.database import Database
from docalign_actors.settings.kinds import Secret
from tests.support.github.workshop import Workshop
from tests.support.spine import SteppedProcesses


@pytest.fixture
def github(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeGitHub]:
    """A GitHub of this test's own. What it refuses is tried again at once: how slowly, test_steps.py asks."""
    monkeypatch.setattr(telling, "FIRST_DELAY", 0.05)
    with FakeGitHub(tmp_path / "github") as served:
        yield served


@pytest.fixture
def client(github: FakeGitHub) -> GitHubClient:
    """Our client of this GitHub."""
    credentials = AppCredentials(github.app.id, Secret(github.app.private_key), github.base)
    return GitHubClient(credentials, SystemClock(), timeout=5)


@pytest.fixture
def processes() -> SteppedProcesses:
    return SteppedProcesses()


@pytest.fixture
def shop(database: Database, github: FakeGitHub, processes: SteppedProcesses) -> Iterator[Workshop]:
    """The service around this GitHub, with scans that the test steps."""
    with Workshop(database, github, processes) as opened:
        yield opened
