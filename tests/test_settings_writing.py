"""Settings are written into a file of people's own without touching anything else in it."""

from __future__ import annotations

import stat
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docalign_actors.errors import ConfigurationError
from docalign_actors.settings.writing import with_values, write_private

KEYS = st.sampled_from(["app_id", "api_url", "other"])
LINES = st.lists(
    st.sampled_from([
        "[github]", "[http]", "[scans]", "app_id = 3", 'api_url = "x"', "# app_id = 9", "", "other = 1 # why",
        'long = """', "a = 1", "github.app_id = 2", "github = {app_id = 1}", "[[github]]", "b = [1,", "2]",
    ]),
    max_size=8,
)  # fmt: skip


@given(LINES, st.dictionaries(KEYS, st.one_of(st.text(max_size=20), st.integers(0, 10**9)), min_size=1))
def test_a_file_is_changed_as_asked_or_refused(lines: list[str], values: dict[str, str | int]) -> None:
    text = "\n".join(lines)
    try:
        before = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        before = None
    try:
        made = with_values(text, "github", values)
    except ConfigurationError:
        return
    assert before is not None
    assert tomllib.loads(made) == {**before, "github": {**before.get("github", {}), **values}}
    assert all(line in made.split("\n") for line in lines if line.startswith("#"))


def test_a_table_of_its_own_is_added_or_filled() -> None:
    assert with_values("", "github", {"app_id": 1}) == "[github]\napp_id = 1\n"
    text = "# first\n[github]\n# mine\napp_id = 1\ntimeout = 3\n\n[http]\nport = 1\n"
    assert with_values(text, "github", {"app_id": 2, "web_url": 'a"b'}) == (
        '# first\n[github]\napp_id = 2\nweb_url = "a\\"b"\n# mine\ntimeout = 3\n\n[http]\nport = 1\n'
    )


def test_what_cannot_be_changed_safely_is_left_alone() -> None:
    for text in ("github = {app_id = 1}", "github.app_id = 1", "[github", "[[github]]\na = 1"):
        with pytest.raises(ConfigurationError):
            with_values(text, "github", {"app_id": 2})


def test_a_private_file_is_its_owners_alone_even_where_another_was(tmp_path: Path) -> None:
    file = tmp_path / "folder" / "docalign.toml"
    write_private(file, "a = 1\n")
    file.chmod(0o644)
    write_private(file, "b = 2\n")
    assert (file.read_text(), stat.S_IMODE(file.stat().st_mode)) == ("b = 2\n", 0o600)
    assert list(file.parent.iterdir()) == [file]
