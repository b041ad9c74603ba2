"""Compiled patterns on disk: they match as they would, and hold nothing but what stands in the source."""

from __future__ import annotations

import importlib
import marshal
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docalign_actors.persistence import patterns
from docalign_actors.persistence.patterns import PatternStore

_MODULE = """
import re
OURS = re.compile(r"(?P<name>[a-z_]+)=(\\d+)", re.IGNORECASE)
def seek(text):
    return re.compile(re.escape(text) + "!")
class Reader:
    def find(self, text):
        return re.search(r"inner_(\\d+)", text, re.IGNORECASE), re.sub("[ab]{2}", "told to nobody", text)
"""


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "patterns"


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    (tmp_path / "with_patterns.py").write_text(_MODULE)
    monkeypatch.syspath_prepend(tmp_path)
    re.purge()
    yield "with_patterns"
    sys.modules.pop("with_patterns", None)
    re.purge()


def _load(module: str, place: Path) -> PatternStore:
    """Loads the module as a new process would, with a store in place."""
    sys.modules.pop(module, None)
    re.purge()
    store = PatternStore(str(place))
    store.install()
    try:
        loaded = importlib.import_module(module)
        loaded.seek("secret_of_the_repository")
    finally:
        store.remove()
    return store


def test_what_a_module_compiles_is_compiled_once_for_all_processes(
    module: str, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _load(module, place).save()

    def refuse(*arguments: object) -> None:
        raise AssertionError("parsed again")

    parser = importlib.import_module("re._parser")
    real = parser.parse
    monkeypatch.setattr(parser, "parse", lambda text, flags: refuse() if "name" in text else real(text, flags))
    _load(module, place)
    found = sys.modules[module].OURS.search("A=1 Level=42")
    assert found is not None
    assert found.groupdict() == {"name": "A"}


def test_what_stands_in_a_function_is_compiled_once_for_all_processes_too(
    module: str, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = _load(module, place)
    store.learn_what_stands_in([module])
    store.save()
    assert b"told to nobody" not in place.read_bytes()

    def refuse(*arguments: object) -> None:
        raise AssertionError("parsed again")

    store = _load(module, place)
    store.install()
    try:
        monkeypatch.setattr(importlib.import_module("re._parser"), "parse", refuse)
        found, replaced = sys.modules[module].Reader().find("INNER_42 ab")
    finally:
        store.remove()
    assert (found[1], replaced) == ("42", "INNER_42 told to nobody")


def test_a_pattern_that_is_made_of_what_a_repository_holds_is_not_kept(module: str, place: Path) -> None:
    _load(module, place).save()
    assert b"secret_of_the_repository" not in place.read_bytes()
    assert b"name" in place.read_bytes()


@pytest.mark.parametrize("content", [b"", b"garbage", marshal.dumps((("another interpreter",), {}))])
def test_a_file_that_is_no_good_is_as_none_and_is_replaced(module: str, place: Path, content: bytes) -> None:
    place.parent.mkdir()
    place.write_bytes(content)
    _load(module, place).save()
    assert b"name" in place.read_bytes()


def test_nothing_is_written_if_nothing_was_learned(place: Path) -> None:
    PatternStore(str(place)).save()
    assert not place.exists()


def test_where_no_bytecode_may_be_written_patterns_are_kept_in_the_folder_of_the_user(
    module: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    with patterns.kept_patterns(str(tmp_path)):
        importlib.import_module(module)
    (kept,) = tmp_path.glob("patterns.*")
    assert b"name" in kept.read_bytes()


def test_nothing_is_written_where_neither_is_wanted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert patterns.place("") == ""


def test_a_file_that_others_may_have_written_is_not_read(module: str, place: Path) -> None:
    _load(module, place).save()
    known = PatternStore(str(place))._known
    place.chmod(0o666)
    assert any("name" in str(text) for text, _ in known)
    assert not PatternStore(str(place))._known


def test_with_a_re_of_another_making_patterns_are_compiled_as_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: object) -> None:
        raise ImportError

    monkeypatch.setattr(patterns, "PatternStore", refuse)
    with patterns.kept_patterns():
        assert re.compile("a_pattern_of_this_test")


def test_a_pattern_that_is_wrong_is_refused_as_ever(place: Path) -> None:
    store = PatternStore(str(place))
    with pytest.raises(re.error, match="unterminated"):
        store.compile("(?P<a>[a-z", 0)


_PATTERNS = [
    r"(?P<name>\w+)(?:-(?P<rest>\w+))?", r"^\s*(a|bc)+?$", r"[^\W\d_]{2,4}", r"(?<=x)y|(?!z)[A-Zé]", rb"\b[a-f]+(\d)\1",
]  # fmt: skip


@given(
    st.sampled_from(_PATTERNS),
    st.sampled_from([0, re.IGNORECASE, re.MULTILINE | re.DOTALL]),
    st.text("abcxyzABC é12-_\n", max_size=30),
)
def test_what_is_kept_matches_as_what_is_compiled_anew(pattern: str | bytes, flags: int, text: str) -> None:
    store = PatternStore("/nowhere")
    kept, anew = store.compile(pattern, flags), re.compile(pattern, flags)
    given_text = text if isinstance(pattern, str) else text.encode()
    spans = [[(m.span(), m.groups(), m.lastgroup) for m in p.finditer(given_text)] for p in (kept, anew)]  # type: ignore[arg-type]  # one of two kinds of text
    assert spans[0] == spans[1]
    assert kept == anew
