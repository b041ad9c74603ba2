from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.github import FakeGitHub


@pytest.fixture
def github(tmp_path: Path) -> Iterator[FakeGitHub]:
    """A GitHub of this test's own."""
    with FakeGitHub(tmp_path / "github") as served:
        yield served
