from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from docalign_actors.persistence.server import Server


@pytest.fixture(scope="session")
def made_once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A data directory whose database was made and stopped in order."""
    directory = tmp_path_factory.mktemp("made") / "data"
    with Server(directory, durable=False):
        pass
    yield directory
    shutil.rmtree(directory)


@pytest.fixture
def data_dir(made_once: Path, tmp_path: Path) -> Iterator[Path]:
    """A data directory of this test's own."""
    own = shutil.copytree(made_once, tmp_path / "data", ignore=shutil.ignore_patterns("socket", "*.lock", "*.log"))
    yield own
    shutil.rmtree(own)


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], None]:
    """Writes a shell script in the place of a PostgreSQL program."""
    folder = tmp_path / "programs"
    folder.mkdir()
    monkeypatch.setenv("DOCALIGN_POSTGRES_BIN", str(folder))

    def write(name: str, body: str) -> None:
        file = folder / name
        file.write_text(f"#!/bin/sh\n{body}\n")
        file.chmod(0o755)

    return write
