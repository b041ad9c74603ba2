"""Mirrors of repositories that others own."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from docalign_actors.hosts.mirrors import Mirror
from docalign_actors.hosts.processes import LocalProcesses
from docalign_actors.scans.messages import ProcessEnded
from docalign_actors.scans.ports import Job
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


_LEFTOVERS = (
    "shallow.lock", "refs/heads/main.lock", "objects/pack/tmp_pack_x", "objects/pack/pack-1.lock",
    "objects/tmp_objdir-incoming-x/ab/c", "objects/96/tmp_obj_x",
)  # fmt: skip


def _left_in(mirror: Path) -> list[Path]:
    made = [mirror / name for name in _LEFTOVERS]
    for path in made:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"half")
    return made


def test_what_a_killed_git_left_behind_is_gone_at_the_next_fetch_and_nothing_else_is(tmp_path: Path) -> None:
    folder = tmp_path / "origin"
    folder.mkdir()
    commit = Repository(folder, {"README.md": "Hello\n"}).git("rev-parse", "HEAD").strip()
    mirror = Mirror(tmp_path / "mirror.git")
    mirror.fetch(str(folder), timeout=30)
    left = _left_in(mirror.path)
    mirror.fetch(str(folder), timeout=30)
    assert [path for path in left if path.exists()] == []
    assert mirror.has(commit)


def test_a_scan_s_process_that_was_killed_leaves_a_tidy_mirror(tmp_path: Path) -> None:
    ended = threading.Event()

    def told(message: object) -> None:
        if isinstance(message, ProcessEnded):
            ended.set()

    mirror = tmp_path / "mirror.git"
    left = _left_in(mirror)
    # The module waits for its standard input to close: it stands for a scan in the middle of a fetch.
    job = Job("run", "repo", str(tmp_path), "full", str(mirror), "", "", "", 30.0)
    process = LocalProcesses("tests.support.waits_for_ever").start(job, told)
    process.end()
    assert ended.wait(60)
    assert [path for path in left if path.exists()] == []
