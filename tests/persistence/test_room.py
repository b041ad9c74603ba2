"""Whether the data directory can take more."""

from __future__ import annotations

import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest

from docalign_actors.persistence.room import LEAST_BYTES, trouble


def test_a_folder_that_can_be_made_is_no_trouble(tmp_path: Path) -> None:
    assert trouble(tmp_path / "not" / "yet" / "there") == ()


def test_a_disk_that_is_nearly_full_is_said_with_what_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=LEAST_BYTES - 1))
    (reason,) = trouble(tmp_path)
    assert "31 MB left" in reason
    assert str(tmp_path) not in reason


def test_what_is_no_folder_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert trouble(tmp_path / "file") == ("the data directory cannot be written by this user",)
    assert trouble(tmp_path / "file" / "data") == ("the data directory cannot be written by this user",)
