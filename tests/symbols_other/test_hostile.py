"""Input that nobody wrote by hand: collectors never raise, and every line they name is in the file."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.symbols_other import test_go, test_java, test_names, test_rust
from tests.symbols_other.reading import collected

SOURCES = {
    "a.go": test_go.SOURCE,
    "a.rs": test_rust.SOURCE,
    "A.java": test_java.SOURCE + test_java.LOMBOK,
    "a.c": test_names.C,
    "a.h": test_names.CPP,
    "a.cpp": test_names.CPP,
    "a.cs": test_names.CSHARP,
    "a.rb": test_names.RUBY,
    "a.php": test_names.PHP,
    "a.kt": test_names.KOTLIN,
    "a.swift": test_names.SWIFT,
    "a.sh": test_names.SHELL,
}
paths = st.sampled_from(sorted(SOURCES))


def assert_sound(path: str, data: bytes) -> None:
    facts = collected(path, data)
    last = data.count(b"\n") + 1
    for definition in facts.definitions:
        assert 1 <= definition.line <= last
        assert definition.name
        assert definition.qualname == definition.name or definition.qualname.endswith(definition.name)
    for line in (i.line for i in facts.imports):
        assert 1 <= line <= last


@settings(max_examples=100, deadline=None)
@given(paths, st.binary(max_size=400))
def test_random_bytes_are_read_without_an_exception(path: str, data: bytes) -> None:
    assert_sound(path, data)


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_truncated_and_spliced_files_are_read_without_an_exception(data: st.DataObject) -> None:
    path = data.draw(paths)
    whole = SOURCES[path].encode()
    cut = data.draw(st.integers(0, len(whole)))
    skip = data.draw(st.integers(cut, len(whole)))
    noise = data.draw(
        st.binary(max_size=12) | st.sampled_from([b"{", b"}", b"(", b")", b"<", b'"', b"\x00", b"/*", b"\n#if X\n"])
    )
    assert_sound(path, whole[:cut] + noise + whole[skip:])


@pytest.mark.parametrize("path", sorted(SOURCES))
@pytest.mark.parametrize(
    "text", ["(" * 100_000, "{" * 20_000, "[" * 20_000, "<" * 5_000], ids=["round", "curly", "square", "angle"]
)
def test_deeply_nested_brackets_are_read_without_an_exception(path: str, text: str) -> None:
    assert_sound(path, text.encode())


@pytest.mark.parametrize(
    ("path", "opening"),
    [
        ("a.rs", "mod m {\n"),
        ("a.rs", "m! { fn f() {}\n"),
        ("a.go", "type T struct { A struct {\n"),
        ("A.java", "class C {\n"),
        ("a.cpp", "namespace n {\n"),
        ("a.cs", "class C {\n"),
        ("a.rb", "module M\n"),
        ("a.kt", "class C {\n"),
        ("a.swift", "class C {\n"),
        ("a.php", "<?php class C { function f() {\n"),
    ],
)
def test_scopes_nested_without_end_do_not_make_names_without_end(path: str, opening: str) -> None:
    facts = collected(path, opening * 1_500)
    assert max((len(d.qualname) for d in facts.definitions), default=0) < 6_000
    assert_sound(path, (opening * 1_500).encode())


def test_a_name_longer_than_any_name_is_not_one() -> None:
    assert all(len(d.name) < 300 for d in collected("a.go", f"package p\nfunc {'x' * 5_000}() {{}}\n").definitions)
