from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def docalign(tmp_path: Path) -> Run:
    """Runs the real command in a process of its own, with a cache of its own."""

    def run(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "DOCALIGN_CACHE_DIR": str(tmp_path / "cache"), "NO_COLOR": "1"}
        command = [sys.executable, "-m", "docalign_actors", *arguments]
        return subprocess.run(
            command, cwd=cwd, env=environment, capture_output=True, text=True, timeout=60, check=False
        )

    return run
