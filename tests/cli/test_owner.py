"""Commands that are given as root."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from docalign_actors.cli.service.owner import work_as_owner

_NOBODY = 65_534


def in_a_child(work: Callable[[], object]) -> str:
    """What this gives, in a process of its own: there is no way back to root."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(writing, repr(work()).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as answer:
        text = answer.read()
    os.waitpid(child, 0)
    return text


def _who(folder: Path) -> tuple[bool, int, int, list[int]]:
    return work_as_owner(folder), os.geteuid(), os.getegid(), [g for g in os.getgroups() if g == 0]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give rights up")
def test_root_works_as_the_owner_of_the_data_directory(tmp_path: Path) -> None:
    os.chown(tmp_path, _NOBODY, _NOBODY)
    assert in_a_child(lambda: _who(tmp_path)) == repr((True, _NOBODY, _NOBODY, []))


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give rights up")
def test_an_owner_without_a_name_will_do(tmp_path: Path) -> None:
    os.chown(tmp_path, 54_321, 54_321)
    assert in_a_child(lambda: _who(tmp_path)) == repr((True, 54_321, 54_321, []))


def test_nothing_is_given_up_for_a_directory_of_ones_own_or_one_that_is_not_there(tmp_path: Path) -> None:
    before = os.geteuid()
    assert in_a_child(lambda: (work_as_owner(tmp_path), os.geteuid())) == repr((False, before))
    assert in_a_child(lambda: (work_as_owner(tmp_path / "none"), os.geteuid())) == repr((False, before))
