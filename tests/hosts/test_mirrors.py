"""Mirrors of repositories that others own."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from docalign_actors.hosts.mirrors import Mirror
from tests.support.repository import Repository

_NOBODY = 65_534


def _given_away(root: Path) -> None:
    for folder, _, files in os.walk(root):
        for path in (folder, *(os.path.join(folder, file) for file in files)):
            os.chown(path, _NOBODY, _NOBODY)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
@pytest.mark.parametrize("name", ["plain", 'with "quotes" and \\ in it'])
def test_a_repository_of_another_user_can_be_mirrored_because_an_operator_named_it(tmp_path: Path, name: str) -> None:
    folder = tmp_path / name
    folder.mkdir()
    commit = Repository(folder, {"README.md": "Hello\n"}).git("rev-parse", "HEAD").strip()
    _given_away(folder)
    mirror = Mirror(tmp_path / "mirror.git")
    mirror.fetch(str(folder), timeout=30)
    assert mirror.has(commit)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_a_link_to_a_repository_of_another_user_is_followed(tmp_path: Path) -> None:
    folder = tmp_path / "real"
    folder.mkdir()
    commit = Repository(folder, {"README.md": "Hello\n"}).git("rev-parse", "HEAD").strip()
    _given_away(folder)
    (tmp_path / "link").symlink_to(folder)
    mirror = Mirror(tmp_path / "mirror.git")
    mirror.fetch(str(tmp_path / "link"), timeout=30)
    assert mirror.has(commit)
