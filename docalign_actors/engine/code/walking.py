"""Finds nodes by their kinds alone, without a query, where a file is small: to compile a query takes as long as to walk
through thousands of nodes, and a repository has two scripts of a language as often as it has two hundred.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from tree_sitter import Language, Node

_PIECE = re.compile(r"\s*(?:\((?P<one>\w+)\)|\[(?P<several>(?:\s*\(\w+\))+)\s*\])\s*@(?P<name>\w+)\s*")
_KIND = re.compile(r"\w+")
_walked: dict[tuple[str, str], int] = {}
"""How many nodes this process has walked through, by language and pattern."""


@cache
def kinds_of(grammar: Language, pattern: str) -> Mapping[str, tuple[str, ...]] | None:
    """The names of the captures by the kinds of node; None for a pattern that says more than kinds."""
    found: dict[str, tuple[str, ...]] = {}
    at = 0
    while at < len(pattern):
        piece = _PIECE.match(pattern, at)
        if piece is None:
            return None
        at = piece.end()
        for kind in _KIND.findall(piece["one"] or piece["several"]):
            number = grammar.id_for_node_kind(kind, True)
            if not number or not grammar.node_kind_is_visible(number):
                return None  # a name for several kinds, which no node has itself
            found[kind] = (*found.get(kind, ()), piece["name"])
    return found


def is_quicker(language: str, grammar: Language, pattern: str, root: Node) -> bool:
    """All that was walked through for the pattern so far, and this, is less than its query takes to compile.

    That grows with the states of the grammar, and with as many nodes it takes as long or longer.
    """
    if kinds_of(grammar, pattern) is None:
        return False
    walked = _walked.get((language, pattern), 0) + root.descendant_count
    if walked > grammar.parse_state_count:
        return False
    _walked[language, pattern] = walked
    return True


def walk(root: Node, kinds: Mapping[str, tuple[str, ...]]) -> dict[str, list[Node]]:
    """The nodes of these kinds by the names of their captures, in source order, the outer before the inner."""
    found: dict[str, list[Node]] = {}
    cursor = root.walk()
    while True:
        node = cursor.node
        names = kinds.get(node.type) if node is not None else None
        if node is not None and names and node.is_named:
            for name in names:
                found.setdefault(name, []).append(node)
        if cursor.goto_first_child():
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return found
