"""Literals, property names, parameters, parents and `require` of JavaScript and TypeScript."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from docalign_actors.engine.code.source import text_of
from docalign_actors.engine.facts import Param

_FUNCTIONS = frozenset((
    "function_declaration", "generator_function_declaration", "function_expression", "function", "generator_function",
    "arrow_function", "method_definition", "function_signature", "method_signature", "abstract_method_signature",
))  # fmt: skip
_LITERALS = frozenset({"number", "true", "false", "null", "undefined", "regex"})


def field_text(node: Node, field: str) -> str:
    """The text of a named child, "" if there is none."""
    child = node.child_by_field_name(field)
    return text_of(child) if child is not None else ""


def is_function(node: Node) -> bool:
    """It can be called, and its parameters stand here."""
    return node.type in _FUNCTIONS


def property_name(node: Node, field: str) -> str:
    """A key without its quotes; "" for a computed one."""
    child = node.child_by_field_name(field)
    if child is None or child.type == "computed_property_name":
        return ""
    return literal(child) or "" if child.type == "string" else text_of(child)


def literal(node: Node | None) -> str | None:
    """The value as text, if it is a literal."""
    if node is None:
        return None
    if node.type == "string":
        return "".join(text_of(child) for child in node.named_children)
    if node.type == "template_string":
        whole = all(child.type == "string_fragment" for child in node.named_children)
        return text_of(node)[1:-1] if whole else None
    if node.type == "unary_expression" and node.named_child_count == 1 and node.named_children[0].type == "number":
        return text_of(node).replace(" ", "")
    return text_of(node) if node.type in _LITERALS else None


def read_params(node: Node) -> tuple[Param, ...]:
    """The parameters of a function; the keys of a destructured object count as keyword parameters."""
    single = node.child_by_field_name("parameter")
    if single is not None:
        return tuple(_param(single, None, True))
    parameters = node.child_by_field_name("parameters")
    found: list[Param] = []
    for child in parameters.named_children if parameters else ():
        if child.type in ("required_parameter", "optional_parameter"):
            pattern, value = child.child_by_field_name("pattern"), child.child_by_field_name("value")
            if pattern is not None and text_of(pattern) != "this":
                found.extend(_param(pattern, value, child.type == "required_parameter"))
        elif child.type == "assignment_pattern":
            left = child.child_by_field_name("left")
            if left is not None:
                found.extend(_param(left, child.child_by_field_name("right"), False))
        elif child.type not in ("comment", "decorator"):
            found.extend(_param(child, None, True))
    return tuple(found)


def _param(pattern: Node, value: Node | None, required: bool) -> Iterator[Param]:
    required = required and value is None
    if pattern.type == "identifier":
        yield Param(text_of(pattern), "positional", literal(value), required)
    elif pattern.type == "rest_pattern":
        yield Param(text_of(pattern).lstrip(". "), "varargs", required=False)
    elif pattern.type == "object_pattern":
        yield from _keys(pattern)
    elif pattern.type == "array_pattern":
        yield Param("", "positional", None, required)


def _keys(pattern: Node) -> Iterator[Param]:
    for child in pattern.named_children:
        if child.type == "shorthand_property_identifier_pattern":
            yield Param(text_of(child), "keyword")
        elif child.type == "object_assignment_pattern":
            yield Param(field_text(child, "left"), "keyword", literal(child.child_by_field_name("right")), False)
        elif child.type == "pair_pattern":
            inner = child.child_by_field_name("value")
            default = (
                inner.child_by_field_name("right") if inner is not None and inner.type == "assignment_pattern" else None
            )
            yield Param(property_name(child, "key"), "keyword", literal(default), default is None)
        elif child.type == "rest_pattern":
            yield Param(text_of(child).lstrip(". "), "kwargs", required=False)


def required_module(node: Node) -> str:
    """The module of `require('module')`, "" for anything else."""
    if node.type != "call_expression" or field_text(node, "function") != "require":
        return ""
    arguments = node.child_by_field_name("arguments")
    first = arguments.named_children[0] if arguments and arguments.named_children else None
    return (literal(first) or "") if first is not None and first.type == "string" else ""


def unwrap(node: Node | None) -> Node | None:
    """The inside of parentheses, `as const`, `satisfies T`, and of a chain of assignments."""
    for _ in range(8):
        if node is None:
            return None
        if node.type == "assignment_expression":
            node = node.child_by_field_name("right")
        elif node.type in ("parenthesized_expression", "as_expression", "satisfies_expression") and node.named_children:
            node = node.named_children[0]
        else:
            return node
    return node


def bases(node: Node) -> Iterator[str]:
    """What a class or an interface extends, as written; `?` for an expression."""
    for child in node.named_children:
        if child.type in ("class_heritage", "extends_clause", "extends_type_clause", "implements_clause"):
            yield from bases(child)
        elif (
            node.type in ("class_heritage", "extends_clause", "extends_type_clause") and child.type != "type_arguments"
        ):
            text = text_of(child)
            yield text.partition("<")[0] if re.match(r"[\w$.]+(<|$)", text) else "?"


def alias_bases(node: Node, depth: int = 0) -> Iterator[str]:
    """What a type is made of besides its own members: `A & B`, `Omit<A, "x">`; `?` for what cannot be told."""
    if node.type in ("intersection_type", "parenthesized_type") and depth < 40:
        for child in node.named_children:
            yield from alias_bases(child, depth + 1)
    elif node.type == "object_type":
        if any(child.type == "index_signature" for child in node.named_children):
            yield "?"
    elif node.type == "type_identifier":
        yield text_of(node)
    elif node.type not in ("union_type", "literal_type", "predefined_type", "function_type", "template_literal_type"):
        yield "?"


def declared(node: Node) -> Iterator[str]:
    """The names that a declaration gives."""
    if node.type in ("lexical_declaration", "variable_declaration"):
        for child in node.named_children:
            name = child.child_by_field_name("name") if child.type == "variable_declarator" else None
            if name is not None and name.type == "identifier":
                yield text_of(name)
    else:
        name = node.child_by_field_name("name")
        if name is not None:
            yield text_of(name)
