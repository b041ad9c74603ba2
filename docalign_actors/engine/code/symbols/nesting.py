"""What the collectors of definitions share: which scope a node stands in, and what a literal says.

Nodes come from a query in source order, so the scopes that are open at a node are a stack swept along by byte offsets:
no walk to the parents, no recursion. Depth and length are bounded, for input that nobody wrote by hand.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from operator import attrgetter, itemgetter
from typing import NamedTuple

from tree_sitter import Node, QueryCursor

from docalign_actors.engine.code.source import Source, query, text_of
from docalign_actors.engine.facts import Definition, FileFacts

_DEEPEST = 24
_MOST_UNCLOSED = 2_000
_BRACKETS = ((b"(", b")"), (b"[", b"]"), (b"{", b"}"))
_LONGEST_NAME = 200
_LONGEST_VALUE = 400
_LONGEST_DECORATOR = 300

_PLAIN_LITERALS = frozenset({
    "int_literal", "float_literal", "imaginary_literal", "rune_literal", "integer_literal",
    "decimal_integer_literal", "hex_integer_literal", "octal_integer_literal", "binary_integer_literal",
    "decimal_floating_point_literal", "hex_floating_point_literal", "boolean_literal", "null_literal",
    "real_literal", "number_literal", "char_literal", "character_literal", "true", "false", "nil", "null",
    "integer", "float", "boolean", "number", "bang",
})  # fmt: skip
_STRING_LITERALS = frozenset({
    "interpreted_string_literal", "raw_string_literal", "string_literal", "verbatim_string_literal",
    "line_string_literal", "multi_line_string_literal", "encapsed_string", "string", "raw_string", "simple_symbol",
    "concatenated_string",
})  # fmt: skip
_QUOTED = re.compile(r"""^(?:[A-Za-z@$]{0,3}#*)("{3}|["'`])(.*)\1#*$""", re.DOTALL)


class Scope(NamedTuple):
    """Something that definitions stand in. `kind` is a definition's kind, or `local` for a body whose content is private."""

    end: int
    qualname: str
    kind: str
    public: bool = True


FILE = Scope(1 << 60, "", "module")


class Nesting:
    """The scopes that are open while nodes pass by in source order."""

    def __init__(self) -> None:
        self._open: list[Scope] = []

    def at(self, node: Node) -> Scope | None:
        """The innermost scope round a node, the file itself if there is none; None where it is too deep to be of use."""
        start = node.start_byte
        while self._open and self._open[-1].end <= start:
            self._open.pop()
        if len(self._open) >= _DEEPEST:
            return None
        return self._open[-1] if self._open else FILE

    def open(self, node: Node, qualname: str, kind: str, public: bool = True) -> None:
        """A scope as wide as the node. Called after `at` for the same node."""
        self._open.append(Scope(node.end_byte, qualname, kind, public))


def is_hopeless(source: Source) -> bool:
    """More brackets are open than any program leaves open. Such a tree takes time in the square of its width to search."""
    data = source.data
    return any(abs(data.count(left) - data.count(right)) > _MOST_UNCLOSED for left, right in _BRACKETS)


def in_order(
    source: Source, pattern: str, depth: int | None = None, root: Node | None = None
) -> list[tuple[Node, str]]:
    """The captures of a query as (node, capture name) in source order, the outer before the inner.

    `depth` bounds how deep in the tree a match may begin: what cannot stand deeper is then found at a fraction of the cost.
    A hopeless file has no captures. `root` is another tree than the file's own, of the same bytes.
    """
    if root is None and is_hopeless(source):
        return []
    if depth is None:
        return sort_nodes(source.found(pattern, root))
    cursor = QueryCursor(query(source.language, pattern))
    cursor.set_max_start_depth(depth)
    return sort_nodes(cursor.captures(root or source.tree.root_node))


def sort_nodes(captures: Mapping[str, Iterable[Node]]) -> list[tuple[Node, str]]:
    """Captures as one list in source order (a cursor gives them in none), the outer before the inner."""
    found = [(node.start_byte, -node.end_byte, node, name) for name, nodes in captures.items() for node in nodes]
    found.sort(key=itemgetter(0, 1))
    return [(node, name) for _, _, node, name in found]


def add(facts: FileFacts, further: Iterable[Definition]) -> None:
    """Adds definitions that were not met in source order, each where its line puts it."""
    before = len(facts.definitions)
    facts.definitions.extend(list(further))
    if len(facts.definitions) > before:
        facts.definitions.sort(key=attrgetter("line"))


def within(scope: Scope, name: str) -> str:
    """The qualified name of something in a scope."""
    return f"{scope.qualname}.{name}" if scope.qualname else name


def name_of(node: Node | None) -> str:
    """A node's text as a name; "" where it is none, or longer than any name is."""
    if node is None or node.end_byte - node.start_byte > _LONGEST_NAME:
        return ""
    return text_of(node).strip()


def bare(type_name: str) -> str:
    """A type as written, without what it is applied to: `&'a m::S<T>` gives `m::S`, `Map<K, V>` gives `Map`."""
    return type_name.split("<", 1)[0].split("[", 1)[0].lstrip("&*?").strip()


def decorator(text: str) -> str:
    """A decorator's text on one line, cut where it becomes long."""
    return " ".join(text[:_LONGEST_DECORATOR].split())


def literal(node: Node | None) -> str | None:
    """A literal as source text without quotes; None for whatever is not one."""
    if node is None or node.end_byte - node.start_byte > _LONGEST_VALUE:
        return None
    kind = node.type
    if kind in _PLAIN_LITERALS:
        return text_of(node)
    if kind in _STRING_LITERALS:
        return unquoted(text_of(node))
    if kind in ("unary_expression", "prefix_expression", "unary", "unary_op_expression"):
        inside = node.named_children
        return text_of(node) if len(inside) == 1 and inside[0].type in _PLAIN_LITERALS else None
    return None


def unquoted(text: str) -> str:
    """A string literal without its quotes and prefix."""
    found = _QUOTED.match(text)
    return found[2] if found else text
