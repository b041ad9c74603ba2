"""Words that are more than a comment: a quick look says yes only where a parser says so too."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docalign_actors.engine.code.source import Source
from docalign_actors.engine.kinds.shared.uncommented import stands_in_code, without_comments

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


@pytest.mark.parametrize(
    ("language", "text", "stands"),
    [
        ("python", "f(word)  # said", True),
        ("python", "# word", False),
        ("python", 'def f():\n    """Takes a word."""\n', False),
        ("python", "def f():\n    'word'\n", False),
        ("python", '"""About a word.\n\n# word\n"""\nimport os\n', False),
        ("python", 'WAYS = [\n    "a",\n    "word"\n]\n', True),
        ("python", 'run(\n    """\n    word\n    """\n)\n', True),
        ("python", 'x = "# no comment"; word', True),
        ("python", "x = '''\nword'''", True),
        ("javascript", "x = '// no comment'; word()", True),
        ("javascript", "`\n// ${word}`", True),
        ("javascript", "a /* b // c */ ; word", True),
        ("javascript", "/** @param word */ f()", False),
        ("go", "x := `/*`; word()", True),
        ("java", "// it's a word", False),
        ("rust", "fn f<'a>(x: &'a str) {} // word", False),
        ("rust", 'r#"// "word"#', True),
        ("rust", "let c = '\"'; // word\n", False),
        ("rust", '"a\n// word"', True),
    ],
)
def test_a_word_is_used_only_outside_of_comments_and_docstrings(language: str, text: str, stands: bool) -> None:
    assert (b"word" in without_comments(text.encode(), language)) is stands


@pytest.mark.parametrize("language", ["python", "javascript", "rust"])
@pytest.mark.parametrize("piece", ["/*", '"', "'", "`", '"""', "\\", '"\\', "r#", 'r#"', "// ", "#", "# \n", '"\n'])
def test_marks_without_an_end_are_gone_through_once(language: str, piece: str) -> None:
    data = (piece * 200_000).encode()[:400_000]
    assert len(without_comments(data, language)) <= len(data)
