"""Manifests made to hurt: each must end soon, in a note rather than an exception."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docalign_actors.engine.code.manifests.json import UnreadableError, read_json
from docalign_actors.engine.code.manifests.tox import expand
from docalign_actors.engine.code.reader import read_facts

_BOMB = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{c}: &{c} [*{p},*{p},*{p},*{p},*{p},*{p},*{p}]\n" for p, c in zip("abcdefgh", "bcdefghi", strict=True)
)
_NAMES = ["pyproject.toml", "Cargo.toml", "package.json", "a.json", "a.yml", "docker-compose.yml", "mkdocs.yml", "tox.ini", "setup.cfg", "Makefile", "justfile",
          "Dockerfile", "go.mod", "pom.xml", "build.gradle", "requirements.txt", ".env", "LICENSE", ".tool-versions", "a.properties"]  # fmt: skip


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.yml", _BOMB),
        ("a.yml", "[" * 100_000),
        ("a.yml", "\t- x"),
        ("values.yaml", "{{ if .Values.x }}\na: {{ .b }}\n"),
        ("a.json", "[" * 150_000),
        ("a.json", '{"a":' * 30_000),
        ("a.toml", "a." * 90_000 + "b = 1"),
        ("a.toml", "a = " + "[" * 90_000),
        ("pom.xml", "<a>" * 100_000),
        ("Makefile", "A = $(A)$(A)\n" * 500 + "$(A): x"),
        ("tox.ini", "[tox]\nenvlist = " + "{a,b}" * 5000),
    ],
)
def test_a_hostile_file_yields_no_exception_and_few_facts(path: str, text: str) -> None:
    facts = read_facts(path, text.encode())
    assert len(facts.keys) <= 500
    assert len(facts.scripts) <= 500
    assert not any("facts not read" in note for note in facts.notes)


def test_a_key_of_many_parts_is_refused_before_the_standard_library_sees_it() -> None:
    assert read_facts("a.toml", b"a." * 5000 + b"b = 1").notes == ["TOML not read: a key of more than 64 parts"]


def test_aliases_are_not_followed() -> None:
    facts = read_facts("app.yml", b"base: &b {x: 1}\nother: *b\n")
    assert {k.name for k in facts.keys} == {"base", "base.x", "other"}


@given(st.sampled_from(_NAMES), st.text(max_size=400))
def test_no_text_makes_a_collector_raise(path: str, text: str) -> None:
    assert not any("facts not read" in note for note in read_facts(path, text.encode("utf-8", "surrogatepass")).notes)


@given(
    st.recursive(
        st.integers() | st.text(max_size=5) | st.booleans(),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
        max_leaves=10,
    )
)
def test_every_json_value_is_read_with_lines_inside_the_text(value: object) -> None:
    import json

    text = json.dumps(value, indent=1)
    node = read_json(text)
    assert 1 <= node.line <= text.count("\n") + 1
    if isinstance(value, dict):
        assert [name for name, _ in node.pairs()] == list(value)
    elif isinstance(value, list):
        assert len(node.elements()) == len(value)


def test_half_a_json_text_is_refused() -> None:
    with pytest.raises(UnreadableError):
        read_json('{"a": 1')


@given(st.text(alphabet="ab{},-1 ", max_size=60))
def test_expanding_environments_is_bounded_and_leaves_no_braces(text: str) -> None:
    found = expand(text)
    assert len(found) <= 200
    assert not any(set(name) & set("{}, ") for name in found)
