"""Strings, options objects and names of JavaScript and TypeScript calls, as far as a file tells them."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from docalign_actors.engine.code.routes.ancestry import Ancestry
from docalign_actors.engine.code.routes.constants import DEPTH, Constants
from docalign_actors.engine.code.source import text_of

_CONSTANTS = (
    "(variable_declarator name: (identifier) @name value: [(string) (template_string) (binary_expression)] @value)"
)
_FUNCTIONS = frozenset(
    {
        "function_declaration",
        "function_expression",
        "arrow_function",
        "method_definition",
        "generator_function_declaration",
    }
)


class Values(Constants):
    """The strings of JavaScript and TypeScript."""

    query = _CONSTANTS

    def text(self, node: Node | None, depth: int = 0) -> str | None:
        """The string a node stands for; None if it is no string that can be told."""
        if node is None or depth > DEPTH:
            return None
        match node.type:
            case "string":
                return "".join(text_of(child) for child in node.named_children)
            case "template_string":
                return "".join(self._piece(child, depth) for child in node.named_children)
            case "binary_expression":
                return self.added(node, depth)
            case "identifier":
                return self.named(node, depth)
            case "member_expression":
                return "${" + text_of(node.child_by_field_name("property") or node) + "}"
            case "regex":
                return text_of(node.child_by_field_name("pattern") or node).replace("\\/", "/")
            case "as_expression" | "satisfies_expression" | "parenthesized_expression" | "non_null_expression":
                return self.text(node.named_children[0], depth + 1) if node.named_children else None
        return None

    def _piece(self, child: Node, depth: int) -> str:
        if child.type == "template_substitution":
            return self.text(child.named_children[0] if child.named_children else None, depth + 1) or "${_}"
        return text_of(child)

    def strings(self, node: Node | None) -> list[str]:
        """One string or an array of them."""
        nodes = node.named_children if node is not None and node.type == "array" else [node]
        return [text for one in nodes if (text := self.text(one)) is not None]


def arguments(call: Node) -> list[Node]:
    """The arguments of a call or of `new`."""
    listed = call.child_by_field_name("arguments")
    return [child for child in listed.named_children if child.type != "comment"] if listed is not None else []


def chain(call: Node, longest: int) -> Iterator[Node]:
    """The calls of a chain, the given one first: `a.b().c()` gives `a.b().c()` and `a.b()`."""
    for _ in range(longest):
        yield call
        function = call.child_by_field_name("function")
        inner = (
            function.child_by_field_name("object")
            if function is not None and function.type == "member_expression"
            else None
        )
        if inner is None or inner.type != "call_expression":
            return
        call = inner


def option(node: Node | None, *names: str) -> Node | None:
    """The value of a property of an object literal."""
    for pair in node.named_children if node is not None and node.type == "object" else ():
        key = pair.child_by_field_name("key")
        if key is not None and text_of(key).strip("\"'") in names:
            return pair.child_by_field_name("value")
        if pair.type == "method_definition" and text_of(pair.child_by_field_name("name") or pair) in names:
            return pair
    return None


def assigned_name(node: Node, around: Ancestry) -> str:
    """The variable that the whole expression around a node is assigned to; `default` for a default export."""
    for parent in around.of(node):
        if parent.type == "variable_declarator":
            return text_of(parent.child_by_field_name("name") or parent)
        if parent.type == "assignment_expression":
            return _exported(text_of(parent.child_by_field_name("left") or parent))
        if parent.type == "public_field_definition":
            return text_of(parent.child_by_field_name("name") or parent)
        if parent.type == "export_statement":
            return "default"
        if parent.type in _FUNCTIONS or parent.type in (
            "arguments",
            "statement_block",
            "program",
            "class_body",
            "return_statement",
        ):
            return ""
    return ""


def _exported(left: str) -> str:
    if left in ("module.exports", "exports", "exports.default"):
        return "default"
    return left.removeprefix("module.exports.").removeprefix("exports.")


def parameters(function: Node) -> list[str]:
    """The names of a function's plain parameters."""
    listed = function.child_by_field_name("parameters")
    single = function.child_by_field_name("parameter")
    found = [single] if single is not None else []
    for child in listed.named_children if listed is not None else ():
        pattern = (
            child.child_by_field_name("pattern")
            if child.type in ("required_parameter", "optional_parameter")
            else child
        )
        found.append(pattern if pattern is not None else child)
    return [text_of(node) for node in found if node.type == "identifier"]


def function_name(function: Node, around: Ancestry) -> str:
    """The name that others call a function by; its place if it has none."""
    parent = function.parent
    if (
        parent is not None
        and parent.type == "export_statement"
        and any(child.type == "default" for child in parent.children)
    ):
        return "default"
    name = function.child_by_field_name("name")
    if name is not None and function.type != "function_expression":
        return text_of(name)
    return assigned_name(function, around) or place(function)


def place(node: Node) -> str:
    """A name for what has none."""
    return f"@{node.start_point[0] + 1}:{node.start_point[1]}"


def owner(name: str, node: Node, around: Ancestry) -> str:
    """The router that a name means at a place: itself, or the function that takes it as a parameter."""
    for parent in around.of(node):
        if parent.type in _FUNCTIONS and name in parameters(parent):
            return function_name(parent, around)
    return name


def is_function(node: Node) -> bool:
    return node.type in _FUNCTIONS
