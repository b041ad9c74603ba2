"""Callbacks are always signed: a secret is made where nobody has set one, and nobody else can read it."""

from __future__ import annotations

import os
import stat
import threading
from pathlib import Path

import pytest

from docalign_actors.errors import ConfigurationError
from docalign_actors.outbound.secrets import FILE_NAME, own_secret


def test_the_first_start_makes_a_secret_and_the_next_finds_it(tmp_path: Path) -> None:
    made = own_secret(tmp_path)
    assert len(made.reveal()) == 43
    assert own_secret(tmp_path) == made
    assert os.listdir(tmp_path) == [FILE_NAME]
    assert stat.S_IMODE((tmp_path / FILE_NAME).stat().st_mode) == 0o600


def test_two_starts_at_once_agree_on_one_secret(tmp_path: Path) -> None:
    found: list[str] = []
    threads = [threading.Thread(target=lambda: found.append(own_secret(tmp_path).reveal())) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(found)) == 1


def test_a_secret_that_others_may_read_is_none(tmp_path: Path) -> None:
    own_secret(tmp_path)
    (tmp_path / FILE_NAME).chmod(0o644)
    with pytest.raises(ConfigurationError, match="may be read by others"):
        own_secret(tmp_path)


def test_a_file_with_something_else_in_it_is_not_taken_for_a_secret(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_text("changeme\n")
    (tmp_path / FILE_NAME).chmod(0o600)
    with pytest.raises(ConfigurationError, match="does not hold a secret"):
        own_secret(tmp_path)
