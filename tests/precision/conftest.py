"""What these tests share."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.precision.aged import FILES
from tests.support.repository import Repository


@pytest.fixture
def repo(tmp_path: Path) -> Repository:
    return Repository(tmp_path, FILES)
