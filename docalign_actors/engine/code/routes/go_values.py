"""Strings and scopes of Go, as far as a file tells them."""

from __future__ import annotations

import re
from functools import cached_property

from tree_sitter import Node

from docalign_actors.engine.code.routes.ancestry import Ancestry
from docalign_actors.engine.code.routes.constants import DEPTH, Constants
from docalign_actors.engine.code.routes.paths import METHODS
from docalign_actors.engine.code.source import Source, text_of

_CONSTANTS = """[
  (const_spec name: (identifier) @name value: (expression_list . (_) @value))
  (var_spec name: (identifier) @name value: (expression_list . (_) @value))
  (short_var_declaration left: (expression_list . (identifier) @name)
    right: (expression_list . [(interpreted_string_literal) (raw_string_literal) (binary_expression)] @value))
]"""
_DECLARED = "(short_var_declaration left: (expression_list (identifier) @name))"
_FUNCTIONS = ("function_declaration", "method_declaration", "func_literal")


class Values(Constants):
    """The strings of Go."""

    query = _CONSTANTS

    def text(self, node: Node | None, depth: int = 0) -> str | None:
        """The string a node stands for; None if it is no string that can be told. `http.MethodGet` is a method's name."""
        if node is None or depth > DEPTH:
            return None
        match node.type:
            case "interpreted_string_literal" | "raw_string_literal":
                return text_of(node)[1:-1]
            case "binary_expression":
                return self.added(node, depth)
            case "identifier":
                return self.named(node, depth)
            case "selector_expression":
                field = text_of(node.child_by_field_name("field") or node)
                verb = field.removeprefix("Method").upper()
                return verb if field.startswith("Method") and verb in METHODS else "${" + field + "}"
            case "unary_expression" | "parenthesized_expression":
                return self.text(node.named_children[-1], depth + 1) if node.named_children else None
            case "call_expression":
                return self._formatted(node, depth)
        return None

    def _formatted(self, node: Node, depth: int) -> str | None:
        given = arguments(node)
        if not given:
            return None
        if text_of(node.child_by_field_name("function") or node) not in ("fmt.Sprintf", "path.Join"):
            return self._prefixed(given)
        if text_of(node)[:4] == "path":
            return "/".join(self.text(one, depth + 1) or "${_}" for one in given)
        text = self.text(given[0], depth + 1)
        for one in given[1:]:
            value = self.text(one, depth + 1) or "${_}"
            text = re.sub(r"%[sdvq]", lambda _, value=value: value, text, count=1) if text is not None else None  # type: ignore[misc]
        return text

    @staticmethod
    def _prefixed(given: list[Node]) -> str | None:
        """`s.withPrefix("/users")`: a helper puts something before the one path that it is given."""
        text = text_of(given[0])
        quoted = given[0].type in ("interpreted_string_literal", "raw_string_literal")
        return "${_}" + text[1:-1] if len(given) == 1 and quoted and text[1:2] == "/" else None


def arguments(call: Node) -> list[Node]:
    """The arguments of a call."""
    listed = call.child_by_field_name("arguments")
    return [child for child in listed.named_children if child.type != "comment"] if listed is not None else []


def call_name(call: Node) -> tuple[Node | None, str]:
    """(operand, field) of a call: `r.Get(…)` gives `r` and `Get`; a plain function has no operand."""
    function = call.child_by_field_name("function")
    if function is None:
        return None, ""
    if function.type == "selector_expression":
        return function.child_by_field_name("operand"), text_of(function.child_by_field_name("field") or function)
    return None, text_of(function)


def function_name(function: Node) -> str:
    """`Register`, `Server.routes` for a method, a place for a literal."""
    if function.type == "func_literal":
        return f"@{function.start_point[0] + 1}:{function.start_point[1]}"
    name = text_of(function.child_by_field_name("name") or function)
    receiver = function.child_by_field_name("receiver")
    kind = re.search(r"(\w+)(?:\[[^\]]*\])?\s*\)$", text_of(receiver)) if receiver is not None else None
    return f"{kind[1]}.{name}" if kind else name


class Scopes:
    """What a variable's router is called: `F` for a parameter of F, `F:r` for a variable of F, its bare name otherwise."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._around = Ancestry()

    @cached_property
    def _declared(self) -> set[tuple[int, str]]:
        """Where each function begins, with the names that it declares."""
        found: set[tuple[int, str]] = set()
        for node in self._source.captures(_DECLARED).get("name", []):
            function = next((a for a in self._around.of(node) if a.type in _FUNCTIONS), None)
            if function is not None:
                found.add((function.start_byte, text_of(node)))
        return found

    def router(self, node: Node) -> str:
        """The name of the router that an identifier or a field stands for."""
        text = text_of(node)
        if node.type == "selector_expression":
            return text.rpartition(".")[2]
        for function in self._around.of(node):
            if function.type not in _FUNCTIONS:
                continue
            if re.search(
                rf"[(,]\s*(?:\w+\s*,\s*)*{re.escape(text)}\b",
                text_of(function.child_by_field_name("parameters") or function)[:2000],
            ):
                return function_name(function)
            if (function.start_byte, text) in self._declared:
                return f"{function_name(function)}:{text}"
        return text
