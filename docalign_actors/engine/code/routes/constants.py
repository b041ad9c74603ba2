"""What evaluating strings has in common in every language: the file's own constants, looked up once."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

from tree_sitter import Node

from docalign_actors.engine.code.source import Source, text_of

DEPTH = 12
"""How far one constant may lead to the next."""


class Constants(ABC):
    """Evaluates string expressions by the file's own constants; other names stay as `${NAME}` for the index to resolve.

    A language gives `query`, which captures `@name` and `@value` of its constants, and `text`.
    """

    query: ClassVar[str]

    def __init__(self, source: Source) -> None:
        self._source = source
        self._nodes: dict[str, Node] | None = None

    def _constant(self, name: str) -> Node | None:
        if self._nodes is None:
            self._nodes = {}
            for _, found in self._source.matches(self.query):
                self._nodes.setdefault(text_of(found["name"][0]), found["value"][0])
        return self._nodes.get(name)

    @abstractmethod
    def text(self, node: Node | None, depth: int = 0) -> str | None:
        """The string a node stands for; None if it is no string that can be told."""

    def named(self, node: Node, depth: int) -> str:
        """What a name stands for: its constant's string, or the name itself to be resolved later."""
        constant = self._constant(text_of(node))
        value = self.text(constant, depth + 1) if constant is not None else None
        return value if value is not None else "${" + text_of(node) + "}"

    def added(self, node: Node, depth: int) -> str | None:
        """Two strings put together, one of which may be unknown."""
        left = self.text(node.child_by_field_name("left"), depth + 1)
        right = self.text(node.child_by_field_name("right"), depth + 1)
        return None if left is None and right is None else (left or "${_}") + (right or "${_}")
