"""Words that are more than a comment: a quick look says yes only where a parser says so too."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docalign_actors.engine.code.source import Source
from docalign_actors.engine.kinds.uncommented import stands_in_code

_PIECES = st.sampled_from(
    ["word", "wordy", "/*", "*/", "//", "\n", " ", '"', "'", "`", "x = 1;", "/", "*", "/* word */", "// word\n", "http://word"]
)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "stands"),
    [
        ("f(word);", True),
        ("/* a licence */\nf(word);", True),
        ("// word\n", False),
        ("/* word */", False),
        ("/*/ word */", False),
        ("wordy()", False),
        ("x(); // says word\nword()", True),
    ],
)
def test_a_word_in_a_comment_alone_is_not_taken_for_code(text: str, stands: bool) -> None:
    assert stands_in_code(text.encode(), b"word") is stands


@given(st.lists(_PIECES, max_size=14).map("".join), st.sampled_from(["javascript", "go", "java"]))
def test_what_a_look_calls_code_is_in_no_comment_of_the_syntax_tree(text: str, language: str) -> None:
    data = text.encode()
    if not stands_in_code(data, b"word"):
        return
    pattern = "(line_comment) @c (block_comment) @c" if language == "java" else "(comment) @c"
    code = bytearray(data)
    for node in Source("x", language, data).captures(pattern).get("c", []):
        code[node.start_byte : node.end_byte] = b" " * (node.end_byte - node.start_byte)
    assert re.search(rb"(?<!\w)word(?!\w)", bytes(code))
