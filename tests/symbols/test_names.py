"""How a name in a document is taken apart."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docalign_actors.engine.kinds.shared.names import is_distinctive, last_part_replaced, parse_name, snake


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Foo.bar()", ("Foo", "bar")),
        ("pkg.mod.func", ("pkg", "mod", "func")),
        (".close()", ("close",)),
        ("Type::method", ("Type", "method")),
        ("Class#method", ("Class", "method")),
        ("vec_of!", ("vec_of",)),
        ("await client.send(x)", ("client", "send")),
        ("new Server()", ("Server",)),
        ("Array.prototype.flat_all()", ("Array", "flat_all")),
    ],
)
def test_names(text: str, parts: tuple[str, ...]) -> None:
    name = parse_name(text)
    assert name is not None
    assert name.parts == parts
    assert text[name.start : name.start + len(name.text)] == name.text


@pytest.mark.parametrize(
    "text", ["src/app.py", "app.py", ".gitignore", "example.com", "--flag", "True", "a b", "x", "", "3.11", "self"]
)
def test_what_is_no_name(text: str) -> None:
    assert parse_name(text) is None


@given(st.text(max_size=80))
def test_a_name_stands_where_it_says(text: str) -> None:
    name = parse_name(text)
    if name is not None:
        assert text[name.start : name.start + len(name.text)] == name.text


def test_only_the_last_whole_word_is_replaced() -> None:
    assert last_part_replaced("run.runner.run()", "run", "go") == "run.runner.go()"


def test_distinctive_names_are_made_of_two_words() -> None:
    assert [is_distinctive(n) for n in ("add_route", "TestClient", "route", "_x", "Client")] == [
        True,
        True,
        False,
        False,
        False,
    ]


def test_snake_case_of_a_class() -> None:
    assert (snake("HTTPServer"), snake("TestClient")) == ("http_server", "test_client")
