from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support.prepared import prepare


@pytest.fixture
def data_dir(tmp_path: Path) -> Iterator[Path]:
    """A data directory of this test's own."""
    own = prepare(tmp_path / "data", migrated=False)
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
