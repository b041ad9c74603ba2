from __future__ import annotations

import pytest

from docalign_actors.engine.documents.model import Suppression
from tests.documents.reading import read


def _of(text: str, format: str = "markdown") -> list[Suppression]:
    return list(read(text, format).suppressions)


@pytest.mark.parametrize(
    ("text", "format"),
    [
        ("<!-- docalign: ignore[missing-path] not yet -->\n\nSee `a`.\n", "markdown"),
        ("{/* docalign: ignore[missing-path] not yet */}\n\nSee `a`.\n", "mdx"),
        (".. docalign: ignore[missing-path] not yet\n\nSee ``a``.\n", "rst"),
        ("// docalign: ignore[missing-path] not yet\n\nSee `a`.\n", "asciidoc"),
    ],
)
def test_a_comment_covers_the_next_line_that_says_something(text: str, format: str) -> None:
    column = text.index("docalign") + 1
    assert _of(text, format) == [Suppression(("missing-path",), "not yet", 1, 3, 3, column)]


def test_a_comment_at_the_end_of_a_line_covers_that_line() -> None:
    assert _of("a\n\nSee `a`. <!-- docalign: ignore[x] why -->\nmore\n") == [Suppression(("x",), "why", 3, 3, 3, 15)]


def test_without_brackets_every_rule_is_meant() -> None:
    assert _of("<!-- docalign: ignore -->\nSee `a`.\n") == [Suppression((), "", 1, 2, 2, 6)]


def test_two_comments_in_a_row_cover_the_same_line() -> None:
    found = _of("<!-- docalign: ignore[a] -->\n<!-- docalign: ignore[b] -->\n\nText.\n")
    assert [(s.rules, s.first) for s in found] == [(("a",), 4), (("b",), 4)]


def test_a_block_is_all_of_a_list_or_a_table() -> None:
    assert _of("<!-- docalign: ignore-block[a, b] why -->\n\n- one\n- two\n  more\n\nAfter.\n") == [
        Suppression(("a", "b"), "why", 1, 3, 5, 6)
    ]
    assert [(s.first, s.last) for s in _of("<!-- docalign: ignore-block -->\n\n```sh\nmake\n```\n")] == [(3, 5)]


def test_a_range_ends_where_it_is_ended() -> None:
    found = _of("<!-- docalign: ignore-start[a] why -->\n\nx\n\n<!-- docalign: ignore-end -->\n\ny\n")
    assert found == [Suppression(("a",), "why", 1, 1, 5, 6)]


def test_a_range_that_is_not_ended_goes_to_the_end_of_the_file() -> None:
    assert [s.last for s in _of("<!-- docalign: ignore-start[a] -->\n\nx\n")] == [0]


def test_a_whole_file_is_covered_from_anywhere() -> None:
    assert [(s.first, s.last) for s in _of("x\n\n<!-- docalign: ignore-file[a] -->\n")] == [(1, 0)]


@pytest.mark.parametrize("format", ["markdown", "mdx"])
def test_a_comment_in_a_code_span_shows_how_one_is_written(format: str) -> None:
    assert (
        _of(
            "Write `{/* docalign: ignore[a] why */}` there.\n\n| a |\n|---|\n| `{/* docalign: ignore[b] */}` |\n",
            format,
        )
        == []
    )
    assert [s.rules for s in _of("See `a` and `b`. {/* docalign: ignore[c] why */}\n", format)] == [("c",)]


def test_an_example_of_a_suppression_is_none() -> None:
    assert _of("```html\n<!-- docalign: ignore[a] -->\n```\n\nWrite `<!-- docalign: ignore[a] -->`.\n") == []
