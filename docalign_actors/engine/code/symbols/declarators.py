"""C and C++: what a declaration declares. The name stands at the bottom of a chain of declarators: `int (*f[3])(void)`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from docalign_actors.engine.code.source import text_of
from docalign_actors.engine.code.symbols.nesting import Scope, name_of, unquoted, within
from docalign_actors.engine.code.symbols.recovery import RESERVED

C_QUERY = """
[(preproc_def) (preproc_function_def)] @macro
[(struct_specifier name: (_) body: (_)) (union_specifier name: (_) body: (_)) (enum_specifier name: (_) body: (_))] @class
(type_definition) @type
(function_definition) @function
(declaration) @constant
(field_declaration) @field
(enumerator) @member
"""
CPP_QUERY = (
    C_QUERY
    + """
(class_specifier name: (_) body: (_)) @class
(namespace_definition name: (_)) @module
[(alias_declaration) (concept_definition)] @type
(lambda_expression) @local
"""
)
STRAY_QUERY = """
(ERROR (declaration) @broken)
(compound_statement (declaration) @local)
"""
"""Declarations that a broken function leaves lying about: they look as if they stood at the top of the file."""
_ENDS = frozenset({
    "identifier", "field_identifier", "type_identifier", "qualified_identifier", "destructor_name", "operator_name",
    "template_function", "template_type", "primitive_type", "namespace_identifier", "nested_namespace_specifier",
})  # fmt: skip
_NUMBER_OR_STRING = re.compile(r'^(-?(0[xX])?[\da-fA-F.]+[uUlLfF]{0,3}|"[^"]*"|\'[^\']*\')$')
_NAME = re.compile(r"(?:^|\.)(?:~?\w+|operator[^.]+)$")
_LONGEST_CHAIN = 32

Found = tuple[str, Node, str, Node | str | None, Node]
"""Kind, node of the name, qualified name, value, and the node that holds the parameters."""


def read(node: Node, kind: str, scope: Scope) -> Iterator[Found]:
    """What one node of the queries defines."""
    name = node.child_by_field_name("name")
    if kind == "macro":
        value = node.child_by_field_name("value") if node.type == "preproc_def" else None
        if name is not None:
            yield kind, name, name_of(name), _constant(value), node
    elif name is not None and kind in ("class", "module", "type", "member"):
        yield kind, name, _qualified(name, scope), node.child_by_field_name("value"), node
    else:
        yield from _declared(node, kind, scope)


def _declared(node: Node, kind: str, scope: Scope) -> Iterator[Found]:
    for declarator in node.children_by_field_name("declarator"):
        value = node.child_by_field_name("default_value")
        if declarator.type == "init_declarator":
            value = declarator.child_by_field_name("value")
        name, function = _bottom(declarator)
        if name is None:
            continue
        qualname = _qualified(name, scope)
        if kind == "type":
            yield _typedef_kind(node), name, qualname, None, node
        elif function is not None:
            inside = scope.kind == "class" or name.type == "qualified_identifier"
            yield "method" if inside else "function", name, qualname, None, function
        elif kind != "function":
            yield "field" if scope.kind == "class" else kind, name, qualname, value, node


def _typedef_kind(node: Node) -> str:
    """`typedef struct { … } name` is the struct's only name."""
    named = node.child_by_field_name("type")
    nameless = (
        named is not None
        and named.child_by_field_name("name") is None
        and named.child_by_field_name("body") is not None
    )
    return "class" if nameless else "type"


def _bottom(declarator: Node) -> tuple[Node | None, Node | None]:
    """(the name, the function declarator above it; None for a pointer to a function, which is a variable)."""
    function: Node | None = None
    node: Node | None = declarator
    for _ in range(_LONGEST_CHAIN):
        if node is None:
            return None, None
        if node.type in _ENDS:
            return node, function
        if node.type == "function_declarator":
            function = node
        elif node.type == "parenthesized_declarator" and function is not None:
            function = None
        inside = node.named_children
        node = node.child_by_field_name("declarator") or (inside[-1] if inside else None)
    return None, None


def _qualified(name: Node, scope: Scope) -> str:
    """`a::Foo<T>::run` inside namespace n is `n.a.Foo.run`."""
    text = name_of(name)
    if "<" in text and "operator" not in text:
        text = _without_arguments(text)
    text = ".".join(part.strip() for part in text.split("::") if part.strip())
    return within(scope, text) if text not in RESERVED and _NAME.search(text) else ""


def _without_arguments(text: str) -> str:
    """A name without its template arguments, which may hold further ones."""
    depth, kept = 0, []
    for character in text:
        depth += (character == "<") - (character == ">")
        if depth <= 0 and character != ">":
            kept.append(character)
    return "".join(kept)


def _constant(value: Node | None) -> str | None:
    """What a macro stands for, where that is a number or a string."""
    text = text_of(value)[:400].split("//")[0].split("/*")[0].strip() if value is not None else ""
    return unquoted(text) if _NUMBER_OR_STRING.match(text) else None
