"""A source file as collectors see it: bytes, text, and a syntax tree made once for all of them."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, cached_property
from operator import attrgetter

from tree_sitter import Language, Node, Parser, Query, QueryCursor, Tree

from docalign_actors.engine.code.walking import is_quicker, kinds_of, walk

_start, _end = attrgetter("start_byte"), attrgetter("end_byte")
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


def query(language: str, text: str) -> Query:
    """A compiled query; compiling costs milliseconds, so each is made once a process."""
    if (language, text) not in _queries:
        _queries[language, text] = Query(grammar(language), text)
    return _queries[language, text]


_queries: dict[tuple[str, str], Query] = {}


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
        """All captures of a query, by capture name, in source order, the outer before the inner."""
        found = self.found(pattern).items()
        return {name: sorted(sorted(nodes, key=_end, reverse=True), key=_start) for name, nodes in found}

    def found(self, pattern: str, root: Node | None = None) -> Mapping[str, list[Node]]:
        """All captures of a query in no order. `root` is another tree than the file's own, of the same bytes.

        A file without a byte is how a process is told to make ready what those that it starts will need.
        """
        root = root or self.tree.root_node
        known, language = grammar(self.language), self.language
        if self.data and (language, pattern) not in _queries and is_quicker(language, known, pattern, root):
            return walk(root, kinds_of(known, pattern) or {})
        return QueryCursor(query(language, pattern)).captures(root)

    def nodes(self, kind: str) -> list[Node]:
        """All nodes of a kind. A query that looks into them takes up to ten times as long to compile."""
        return self.captures(f"({kind}) @node").get("node", [])

    def matches(self, pattern: str) -> list[tuple[int, dict[str, list[Node]]]]:
        """All matches of a query: (index of the pattern, captures)."""
        return QueryCursor(query(self.language, pattern)).matches(self.tree.root_node)


def line_of(node: Node) -> int:
    """The line a node starts on, from 1."""
    return node.start_point[0] + 1
