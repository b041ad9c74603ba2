"""The nodes around a node. tree-sitter finds a parent by descending from the root, so each is asked for once a file."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

_HIGHEST = 200
"""Steps up. Deeper nesting is generated or hostile."""


class Ancestry:
    """Parents of one syntax tree's nodes, remembered."""

    def __init__(self) -> None:
        self._parents: dict[int, Node | None] = {}

    def of(self, node: Node) -> Iterator[Node]:
        """The nodes around a node, innermost first."""
        for _ in range(_HIGHEST):
            if node.id not in self._parents:
                self._parents[node.id] = node.parent
            parent = self._parents[node.id]
            if parent is None:
                return
            yield parent
            node = parent
