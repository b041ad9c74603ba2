"""In a small file nodes are found by walking through it: to compile a query would take longer."""

from __future__ import annotations

import pytest
from tree_sitter import QueryCursor

from docalign_actors.engine.code import source as sources
from docalign_actors.engine.code import walking
from docalign_actors.engine.code.source import Source, grammar, query
from docalign_actors.engine.code.walking import kinds_of, walk

_RUBY = b"""
module Tool
  class Server
    attr_reader :port
    def self.start(port = 80) = new(port).run { |x| x.class }
  end
end
"""
_PATTERN = "(module) @module [(class) (singleton_class)] @class [(method) (singleton_method)] @function (call) @call"


@pytest.fixture(autouse=True)
def _nothing_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "_queries", {})
    monkeypatch.setattr(walking, "_walked", {})


def test_a_walk_finds_what_the_query_finds() -> None:
    root = Source("a.rb", "ruby", _RUBY).tree.root_node
    found = walk(root, kinds_of(grammar("ruby"), _PATTERN) or {})
    asked = QueryCursor(query("ruby", _PATTERN)).captures(root)
    assert {name: {node.id for node in nodes} for name, nodes in found.items()} == {
        name: {node.id for node in nodes} for name, nodes in asked.items()
    }
    assert [(node.type, node.start_point.row) for node in found["class"]] == [("class", 2)]  # not its keyword


def test_no_query_is_compiled_for_a_small_file() -> None:
    assert len(Source("a.rb", "ruby", _RUBY).captures(_PATTERN)["call"]) == 4
    assert not sources._queries


def test_for_many_small_files_the_query_is_compiled() -> None:
    known = [len(Source("a.rb", "ruby", _RUBY).captures(_PATTERN)["call"]) for _ in range(200)]
    assert set(known) == {4}
    assert list(sources._queries) == [("ruby", _PATTERN)]


def test_an_empty_file_has_the_query_compiled_for_the_processes_that_are_started_next() -> None:
    Source("a.rb", "ruby", b"").captures(_PATTERN)
    assert list(sources._queries) == [("ruby", _PATTERN)]


@pytest.mark.parametrize(
    "pattern",
    ["(call function: (identifier) @name)", "(expression) @any", '((call) @c (#eq? @c "f"))', "(call) @a (block (call) @b)", "(_) @x"],
)  # fmt: skip
def test_a_pattern_that_says_more_than_kinds_is_left_to_the_query(pattern: str) -> None:
    assert kinds_of(grammar("python"), pattern) is None
    assert kinds_of(grammar("python"), "(call) @a\n[(tuple) (list)] @b") == {
        "call": ("a",),
        "tuple": ("b",),
        "list": ("b",),
    }
