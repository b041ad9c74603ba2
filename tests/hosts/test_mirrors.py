"""Mirrors of repositories that others own."""

from __future__ import annotations

import os
import shutil
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from docalign_actors.errors import DiskFullError, GitError
from docalign_actors.hosts.mirrors import HALF_MADE, Mirror
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


def _origin(tmp_path: Path) -> tuple[Path, str]:
    folder = tmp_path / "origin"
    folder.mkdir()
    return folder, Repository(folder, {"README.md": "Hello\n"}).git("rev-parse", "HEAD").strip()


def _without_its_objects(mirror: Path) -> None:
    """As far as `git init` had come when it was killed."""
    shutil.rmtree(mirror / "objects")


def _with_an_empty_object(mirror: Path) -> None:
    """As a power cut leaves it."""
    for path in mirror.glob("objects/??/*"):
        path.chmod(0o600)
        path.write_bytes(b"")


def _with_a_torn_branch(mirror: Path) -> None:
    (mirror / "refs" / "heads" / "main").write_bytes(b"\0" * 41)


def _with_an_empty_config(mirror: Path) -> None:
    (mirror / "config").write_bytes(b"\0" * 60)


@pytest.mark.parametrize(
    "damage", [_without_its_objects, _with_an_empty_object, _with_a_torn_branch, _with_an_empty_config]
)
def test_a_damaged_mirror_is_made_anew(tmp_path: Path, damage: Callable[[Path], None]) -> None:
    folder, commit = _origin(tmp_path)
    mirror = Mirror(tmp_path / "mirror.git")
    mirror.fetch(str(folder), timeout=30)
    damage(mirror.path)
    mirror.fetch(str(folder), [commit], timeout=30)
    assert mirror.resolve("main") == commit
    assert mirror.git.run("cat-file", "-p", f"{commit}:README.md") == b"Hello\n"


def test_a_mirror_is_not_given_up_because_its_origin_is_damaged(tmp_path: Path) -> None:
    folder, commit = _origin(tmp_path)
    mirror = Mirror(tmp_path / "mirror.git")
    mirror.fetch(str(folder), timeout=30)
    _without_its_objects(folder / ".git")
    with pytest.raises(GitError, match=r"not a git repository|does not appear to be"):
        mirror.fetch(str(folder), timeout=30)
    assert mirror.has(commit)


def test_a_mirror_has_its_name_only_when_it_is_whole(tmp_path: Path) -> None:
    folder, commit = _origin(tmp_path)
    mirror = Mirror(tmp_path / "mirror.git")
    half = tmp_path / f"mirror.git{HALF_MADE}"
    half.mkdir()
    (half / "HEAD").write_text("ref: refs/heads/main\n")
    mirror.fetch(str(folder), timeout=30)
    assert mirror.has(commit)
    assert not half.exists()


def test_a_damaged_mirror_inside_another_repository_leaves_that_one_alone(tmp_path: Path) -> None:
    """git would look further up, find it, and prune its branches."""
    folder, commit = _origin(tmp_path)
    outer = tmp_path / "outer"
    outer.mkdir()
    around = Repository(outer, {"README.md": "Mine\n"})
    around.git("branch", "precious")
    before = around.git("for-each-ref")
    mirror = Mirror(outer / "data" / "mirror.git")
    mirror.fetch(str(folder), timeout=30)
    _without_its_objects(mirror.path)
    mirror.fetch(str(folder), timeout=30)
    assert around.git("for-each-ref") == before
    assert mirror.has(commit)


def test_a_full_disk_is_not_taken_for_an_address_that_cannot_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mirror = Mirror(tmp_path / "mirror.git")
    said = b"error: unable to write file: No space left on device\nfatal: unpack-objects failed\n"
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: subprocess.CompletedProcess((), 128, b"", said))
    with pytest.raises(DiskFullError) as raised:
        mirror.default_branch("https://example.org/a.git", timeout=5)
    assert "room" in raised.value.hint
