"""What `.gitignore` names is told without its library where no pattern can fit, and just as the library tells it."""

from __future__ import annotations

import pathspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docalign_actors.engine.ignored import _IgnoreFile, _plain_text

_NAMES = st.sampled_from(["dist", "build", "a.log", "b", "node_modules", "src", "x.tmp"])
_PATHS = st.lists(_NAMES, min_size=1, max_size=4).map("/".join)
_PARTS = st.sampled_from(["dist", "build", "*.log", "*", "**", "b?ild", "[ab]", "node_modules", "\\*", "src", "x.*"])
_PATTERNS = st.tuples(
    st.sampled_from(["", "", "/", "!", "**/"]), st.lists(_PARTS, min_size=1, max_size=3), st.sampled_from(["", "/", "/**", " "])
).map(lambda found: found[0] + "/".join(found[1]) + found[2])  # fmt: skip


@given(lines=st.lists(_PATTERNS | st.just("# dist") | st.just(""), max_size=5), path=_PATHS)
def test_a_path_is_named_just_where_the_library_says_so(lines: list[str], path: str) -> None:
    spec = pathspec.GitIgnoreSpec.from_lines(lines)
    assert _IgnoreFile("", lines).names(path) is (spec.match_file(path) or spec.match_file(path + "/"))


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("dist/", "dist"),
        ("*.log", ".log"),
        ("/a/**/long-name", "long-name"),
        ("*", ""),
        ("[ab]c", ""),
        ("b?ild", "ild"),
    ],
)
def test_a_pattern_fits_only_what_has_its_longest_plain_text(pattern: str, text: str) -> None:
    assert _plain_text(pattern) == text
