"""Small readers of JavaScript and TypeScript syntax trees: strings, objects, call chains."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from docalign_actors.engine.code.source import text_of

_LITERALS = frozenset({"number", "true", "false", "null", "undefined"})
_WRAPPERS = frozenset({"as_expression", "satisfies_expression", "parenthesized_expression", "non_null_expression"})


def bare(node: Node) -> Node:
    """The expression inside parentheses and type assertions."""
    while node.type in _WRAPPERS and node.named_children:
        node = node.named_children[0]
    return node


def string_value(node: Node | None) -> str | None:
    """The text of a plain string or of a template without holes."""
    if node is None:
        return None
    node = bare(node)
    if node.type == "string":
        return "".join(text_of(child) for child in node.named_children)
    if node.type == "template_string" and not any(c.type == "template_substitution" for c in node.named_children):
        return text_of(node)[1:-1]
    return None


def literal_value(node: Node | None) -> str | None:
    """A literal as source text without quotes; None where it is not a literal."""
    if node is None:
        return None
    node = bare(node)
    if node.type in _LITERALS or (node.type == "unary_expression" and text_of(node)[1:2].isdigit()):
        return text_of(node)
    return string_value(node)


def strings_of(node: Node | None) -> list[str]:
    """The strings of a string or an array."""
    if node is None:
        return []
    node = bare(node)
    value = string_value(node)
    if value is not None:
        return [value]
    return (
        [t for child in node.named_children if (t := string_value(child)) is not None] if node.type == "array" else []
    )


def arguments_of(call: Node) -> list[Node]:
    """A call's arguments, comments left out."""
    listed = call.child_by_field_name("arguments")
    return [a for a in listed.named_children if a.type != "comment"] if listed is not None else []


def pairs_of(node: Node | None) -> Iterator[tuple[str, Node]]:
    """The entries of an object literal. Spread entries give ("...", node)."""
    if node is None:
        return
    node = bare(node)
    for child in node.named_children if node.type == "object" else ():
        if child.type == "spread_element":
            yield "...", child
        elif child.type == "shorthand_property_identifier":
            yield text_of(child), child
        key, value = child.child_by_field_name("key"), child.child_by_field_name("value")
        if child.type == "pair" and key is not None and value is not None:
            text = string_value(key)
            yield (text if text is not None else text_of(key)), bare(value)


def entry(node: Node | None, *keys: str) -> Node | None:
    """The value of the first of these keys that an object has."""
    found = dict(pairs_of(node))
    return next((found[key] for key in keys if key in found), None)


def method_of(call: Node) -> str:
    """The last name of what is called: `option` for `a.b.option(...)`."""
    function = call.child_by_field_name("function") or call.child_by_field_name("constructor")
    if function is None:
        return ""
    if function.type == "member_expression":
        name = function.child_by_field_name("property")
        return text_of(name) if name is not None else ""
    return text_of(function) if function.type == "identifier" else ""


def calls_below(call: Node, limit: int = 60) -> Iterator[Node]:
    """The calls that a chained call hangs on, nearest first: of `a.b().c()`, asked at `c`, the call of `b`."""
    node: Node | None = call
    for _ in range(limit):
        function = node.child_by_field_name("function") if node is not None else None
        node = (
            function.child_by_field_name("object")
            if function is not None and function.type == "member_expression"
            else None
        )
        if node is None or node.type != "call_expression":
            return
        yield node


def calls_above(call: Node, limit: int = 60) -> Iterator[Node]:
    """The calls that are chained on this one: of `a.b().c()`, asked at `b`, the call of `c`."""
    node = call
    for _ in range(limit):
        member = node.parent
        if member is None or member.type != "member_expression" or member.parent is None:
            return
        node = member.parent
        if node.type != "call_expression":
            return
        yield node


def root_of(call: Node, limit: int = 200) -> str:
    """The variable that a chain of calls begins with."""
    node: Node | None = call
    for _ in range(limit):
        if node is None:
            return ""
        if node.type == "identifier":
            return text_of(node)
        node = node.child_by_field_name("function") or node.child_by_field_name("object")
    return ""
