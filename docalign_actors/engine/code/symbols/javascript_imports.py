"""What a JavaScript or TypeScript file takes from other modules, by `import` and by `require`."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from docalign_actors.engine.code.source import line_of, text_of
from docalign_actors.engine.code.symbols.javascript_values import field_text, literal, property_name, required_module
from docalign_actors.engine.facts import Import


def required(name: Node, value: Node) -> list[Import] | None:
    """`const x = require('m')`, `const {a, b: c} = require('m')`, `require('m').x`; None where nothing is required."""
    member = ""
    if value.type == "member_expression":
        member = field_text(value, "property")
        value = value.child_by_field_name("object") or value
    module = required_module(value)
    if not module:
        return None
    if name.type == "identifier":
        return [Import(module, member, text_of(name), line_of(name))]
    found = []
    for child in name.named_children if name.type == "object_pattern" else ():
        key = property_name(child, "key") if child.type == "pair_pattern" else text_of(child)
        alias = field_text(child, "value") if child.type == "pair_pattern" else key
        found.append(Import(module, key, alias, line_of(name)))
    return found


def imported(statement: Node) -> Iterator[Import]:
    """`import x, {a as b} from 'm'`, `import * as n from 'm'`."""
    module = literal(statement.child_by_field_name("source")) or ""
    for clause in statement.named_children:
        if clause.type == "import_clause":
            for child in clause.named_children:
                yield from _names(module, child)


def _names(module: str, node: Node) -> Iterator[Import]:
    if node.type == "identifier":
        yield Import(module, "default", text_of(node), line_of(node))
    elif node.type == "namespace_import":
        yield Import(module, "", text_of(node.named_children[0]), line_of(node))
    for child in node.named_children if node.type == "named_imports" else ():
        name = field_text(child, "name")
        yield Import(module, name, field_text(child, "alias") or name, line_of(child))
