"""A source file as collectors see it: bytes, text, and a syntax tree made once for all of them."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterable, Iterator
from functools import cache, cached_property
from operator import attrgetter

from tree_sitter import Language, Node, Parser, Query, QueryCursor, Tree

_start = attrgetter("start_byte")
_GRAMMARS = {
    "python": "tree_sitter_python:language",
    "javascript": "tree_sitter_javascript:language",
    "typescript": "tree_sitter_typescript:language_typescript",
    "tsx": "tree_sitter_typescript:language_tsx",
    "go": "tree_sitter_go:language",
    "rust": "tree_sitter_rust:language",
    "java": "tree_sitter_java:language",
    "c": "tree_sitter_c:language",
    "cpp": "tree_sitter_cpp:language",
    "csharp": "tree_sitter_c_sharp:language",
    "ruby": "tree_sitter_ruby:language",
    "php": "tree_sitter_php:language_php",
    "kotlin": "tree_sitter_kotlin:language",
    "swift": "tree_sitter_swift:language",
    "shell": "tree_sitter_bash:language",
}


@cache
def grammar(language: str) -> Language:
    """The tree-sitter grammar of a language."""
    module, _, function = _GRAMMARS[language].partition(":")
    return Language(getattr(importlib.import_module(module), function)())


@cache
def query(language: str, text: str) -> Query:
    """A compiled query; compiling costs milliseconds, so each is made once a process."""
    return Query(grammar(language), text)


def holds_any(data: bytes, words: Iterable[bytes]) -> bool:
    """One of these stands in the data. Many times faster than a pattern that says the same: ask this first."""
    for word in words:  # noqa: SIM110 - asked of every file many times; a generator takes twice as long
        if word in data:
            return True
    return False


def places(data: bytes, word: bytes) -> Iterator[int]:
    """Where a word stands."""
    at = data.find(word)
    while at >= 0:
        yield at
        at = data.find(word, at + 1)


def lines_with(data: bytes, words: Iterable[bytes]) -> list[int]:
    """Where the lines begin that hold one of these, in their order."""
    return sorted({data.rfind(b"\n", 0, at) + 1 for word in words for at in places(data, word)})


def matches_from(pattern: re.Pattern[bytes], data: bytes, starts: Iterable[int]) -> Iterator[re.Match[bytes]]:
    """What `finditer` gives, for a pattern whose matches begin at some of these places only. Far faster, where it may be used."""
    end = 0
    for start in sorted(starts):
        match = pattern.match(data, start) if start >= end else None
        if match:
            yield match
            end = match.end()


def text_of(node: Node) -> str:
    """The source text of a node."""
    return (node.text or b"").decode("utf-8", "replace")


class Source:
    """One file under examination."""

    def __init__(self, path: str, language: str, data: bytes) -> None:
        self.path = path
        self.language = language
        self.data = data

    @cached_property
    def text(self) -> str:
        return self.data.decode("utf-8", "replace")

    @cached_property
    def tree(self) -> Tree:
        return Parser(grammar(self.language)).parse(self.data)

    def captures(self, pattern: str) -> dict[str, list[Node]]:
        """All captures of a query, by capture name, in source order."""
        found = QueryCursor(query(self.language, pattern)).captures(self.tree.root_node)
        return {name: sorted(nodes, key=_start) for name, nodes in found.items()}

    def matches(self, pattern: str) -> list[tuple[int, dict[str, list[Node]]]]:
        """All matches of a query: (index of the pattern, captures)."""
        return QueryCursor(query(self.language, pattern)).matches(self.tree.root_node)


def line_of(node: Node) -> int:
    """The line a node starts on, from 1."""
    return node.start_point[0] + 1
