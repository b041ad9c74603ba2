"""The reader of shell lines."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from docalign_actors.engine.documents.model import Block, Inline
from docalign_actors.engine.kinds.shared.shell import Call, calls_of_block


def block(text: str, language: str = "sh") -> Block:
    lines = tuple(Inline("code", line, number, 1) for number, line in enumerate(text.split("\n"), 1))
    return Block("code", 1, language=language, lines=lines)


def said(calls: list[Call]) -> list[str]:
    return [" ".join(word.text for word in call.words) for call in calls]


def test_lines_without_a_prompt_are_output_where_others_have_one() -> None:
    assert said(calls_of_block(block("$ make test\nmake: done\n(venv) user@host:~$ tool\n% x y"))) == [
        "make test",
        "tool",
        "x y",
    ]


def test_operators_prefixes_comments_and_redirections_are_taken_off() -> None:
    text = "FOO=1 sudo -E time make a && env B=2 make b | tee log 2>&1; make c > out.txt # make d"
    assert said(calls_of_block(block(text))) == ["make a", "make b", "tee log", "make c"]


def test_continued_lines_are_one_command_and_keep_their_places() -> None:
    (call,) = calls_of_block(block("tool serve \\\n    --port 80 \\\n    --host x"))
    assert [(w.text, w.line, w.column) for w in call.words[2:]] == [
        ("--port", 2, 5),
        ("80", 2, 12),
        ("--host", 3, 5),
        ("x", 3, 12),
    ]


def test_cd_changes_the_folder_of_what_follows() -> None:
    calls = calls_of_block(block("make a\ncd docs && make b\ncd ../web\nmake c\ncd $HOME\nmake d"))
    assert [call.folder for call in calls] == ["", "docs", "web", "?"]


def test_heredocs_and_quotes_are_not_commands() -> None:
    assert said(calls_of_block(block("cat <<EOF\nmake a\nEOF\ntool -c 'make b; make c'\n"))) == [
        "cat",
        "tool -c make b; make c",
    ]


def test_placeholders_are_words() -> None:
    assert said(calls_of_block(block("tool <name> [--a|--b] < in"))) == ["tool <name> [--a|--b]"]


@given(st.text(alphabet="ab \\\"'$|&;<>()#=-\n`", max_size=200))
def test_plain_words_stand_where_they_say(text: str) -> None:
    lines = text.split("\n")
    for call in calls_of_block(block(text)):
        for word in call.words:
            if word.plain:
                assert lines[word.line - 1][word.column - 1 : word.column - 1 + len(word.text)] == word.text
