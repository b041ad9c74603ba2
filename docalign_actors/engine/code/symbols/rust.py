"""Rust: functions, methods, traits, structs, enums, constants, macros, modules, `use` with its re-exports.

Items inside an item-level macro call (`cfg_rt! { pub fn spawn() … }`, `lazy_static! { … }`) are read as if the macro were
not there; of what a macro's own rules write, only the names are taken. Whatever is compiled for tests only is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec
from tree_sitter import Node, Parser, Range

from docalign_actors.engine.code.source import Source, grammar, line_of, text_of
from docalign_actors.engine.code.symbols.nesting import (
    Nesting,
    Scope,
    add,
    bare,
    decorator,
    in_order,
    literal,
    name_of,
    sort_nodes,
    within,
)
from docalign_actors.engine.code.symbols.recovery import recovered
from docalign_actors.engine.facts import Definition, FileFacts, Import, Param

_QUERY = """
[(function_item) (function_signature_item) (impl_item) (trait_item) (struct_item) (union_item) (enum_item) (enum_variant)
 (const_item) (static_item) (macro_definition) (mod_item) (type_item) (associated_type) (field_declaration)
 (use_declaration) (extern_crate_declaration)] @item
(source_file (attribute_item) @attribute)
(declaration_list (attribute_item) @attribute)
(field_declaration_list (attribute_item) @attribute)
(enum_variant_list (attribute_item) @attribute)
(source_file (macro_invocation (token_tree) @macro))
(source_file (expression_statement (macro_invocation (token_tree) @macro)))
(declaration_list (macro_invocation (token_tree) @macro))
"""
_KINDS = {
    "function_item": "function", "function_signature_item": "function", "trait_item": "class", "struct_item": "class",
    "union_item": "class", "enum_item": "class", "enum_variant": "member", "const_item": "constant",
    "static_item": "constant", "macro_definition": "macro", "mod_item": "module", "type_item": "type",
    "associated_type": "type", "field_declaration": "field",
}  # fmt: skip
_OPENS = frozenset(
    {"trait_item", "struct_item", "union_item", "enum_item", "enum_variant", "mod_item", "function_item"}
)
_TESTS_ONLY = re.compile(r"^(cfg\s*\(\s*(all\s*\(\s*)?test\b|(\w+::)?test\b)")
_ITEM_WORD = re.compile(rb"\b(fn|struct|enum|trait|const|static|type|mod|use|impl)\s")
_ITEM_NAME = re.compile(rb"\b(fn|struct|enum|trait|const|static|mod)\s+([A-Za-z_]\w{0,100})\b(?!\s*!)")
_WORD_KINDS = {
    b"fn": "function", b"struct": "class", b"enum": "class", b"trait": "class", b"const": "constant", b"static": "constant",
    b"mod": "module",
}  # fmt: skip
_MACRO_DEPTH = 3
_MOST_MACROS = 1_000
_USE_DEPTH = 16
_TESTS = "tests"


def collect(source: Source, facts: FileFacts) -> None:
    """Fills `definitions` and `imports`."""
    reader = _Reader(facts)
    nodes = _nodes(source)
    for node, capture in nodes:
        reader.read(node, capture)
    reader.finish()
    add(facts, _written_by_macros(nodes, {definition.name for definition in facts.definitions}))
    add(facts, recovered(source, facts.definitions))


def _nodes(source: Source) -> list[tuple[Node, str]]:
    """The items and attributes of the file, those inside macro calls included, in source order."""
    found = in_order(source, _QUERY)
    macros = [node for node, capture in found if capture == "macro" and _holds_items(node)]
    if not macros:
        return found
    inside: list[tuple[Node, str]] = []
    waiting = [(node, 1) for node in reversed(macros)]
    for _ in range(_MOST_MACROS):
        if not waiting:
            break
        node, depth = waiting.pop()
        root = _parse_inside(source, node)
        for item, capture in in_order(source, _QUERY, root=root):
            inside.append((item, capture))
            if capture == "macro" and depth < _MACRO_DEPTH and _holds_items(item):
                waiting.append((item, depth + 1))
    groups: dict[str, list[Node]] = {}
    for node, capture in found + inside:
        groups.setdefault(capture, []).append(node)
    return sort_nodes(groups)


def _written_by_macros(nodes: list[tuple[Node, str]], known: set[str]) -> Iterator[Definition]:
    """Names of items in macro definitions and calls that nothing else told: the tokens there need not be whole items."""
    done = 0
    for node, capture in nodes:
        if (capture == "macro" or node.type == "macro_definition") and node.start_byte >= done:
            done = node.end_byte
            text = node.text or b""
            line, counted = line_of(node), 0
            for found in _ITEM_NAME.finditer(text):
                name = found[2].decode()
                line, counted = line + text.count(b"\n", counted, found.start(2)), found.start(2)
                if name not in known and len(name) > 1:
                    known.add(name)
                    yield Definition(name, name, _WORD_KINDS[found[1]], line, public=False)


def _holds_items(tokens: Node) -> bool:
    return bool(_ITEM_WORD.search(tokens.text or b""))


def _parse_inside(source: Source, tokens: Node) -> Node:
    """The content of a macro call parsed as items; lines and offsets are the file's."""
    start, end = tokens.start_point, tokens.end_point
    inside = Range((start[0], start[1] + 1), (end[0], max(end[1] - 1, 0)), tokens.start_byte + 1, tokens.end_byte - 1)
    return Parser(grammar("rust"), included_ranges=[inside]).parse(source.data).root_node


class _Reader:
    """Reads nodes in source order. Attributes wait for the item that follows them."""

    def __init__(self, facts: FileFacts) -> None:
        self._facts = facts
        self._nesting = Nesting()
        self._attributes: list[str] = []
        self._traits: dict[str, list[str]] = {}
        """Implemented traits by the type that implements them."""

    def read(self, node: Node, capture: str) -> None:
        if capture == "attribute":
            self._attributes.append(decorator(text_of(node).strip()[2:-1]))
            return
        attributes, self._attributes = tuple(self._attributes), []
        scope = self._nesting.at(node)
        if scope is None or capture == "macro" or scope.kind == _TESTS:
            return
        if any(_TESTS_ONLY.match(attribute) for attribute in attributes):
            self._nesting.open(node, scope.qualname, _TESTS)
        elif node.type == "impl_item":
            self._implementation(node, scope)
        elif node.type == "use_declaration":
            if scope.kind != "function":
                self._facts.imports.extend(_imports(node))
        elif node.type == "extern_crate_declaration":
            name, alias = name_of(node.child_by_field_name("name")), name_of(node.child_by_field_name("alias"))
            self._facts.imports.append(Import(name, "", alias or name, line_of(node), _visible(node)))
        else:
            self._item(node, scope, attributes)

    def finish(self) -> None:
        """Adds to each type the traits that this file implements for it."""
        for index, definition in enumerate(self._facts.definitions):
            traits = self._traits.get(definition.qualname)
            if traits and definition.kind == "class":
                bases = tuple(dict.fromkeys((*definition.bases, *traits)))
                self._facts.definitions[index] = msgspec.structs.replace(definition, bases=bases)

    def _implementation(self, node: Node, scope: Scope) -> None:
        owner = _path_end(node.child_by_field_name("type"))
        trait = node.child_by_field_name("trait")
        qualname = within(scope, owner) if owner else scope.qualname
        if trait is not None and owner and (name := bare(name_of(trait))):
            self._traits.setdefault(qualname, []).append(name)
        self._nesting.open(node, qualname, "trait" if trait is not None else "class")

    def _item(self, node: Node, scope: Scope, attributes: tuple[str, ...]) -> None:
        name_node = node.child_by_field_name("name")
        name = name_of(name_node).removeprefix("r#")
        if name_node is None or not name or name == "_":
            return
        kind = _KINDS[node.type]
        if scope.kind == "function" and kind == "type":
            return
        if kind == "function" and scope.kind in ("class", "trait"):
            kind = "method"
        public = scope.public and (_visible(node) or scope.kind in ("trait", "member") or kind == "member")
        if node.type == "macro_definition":
            public = any(attribute.startswith("macro_export") for attribute in attributes)
        qualname = within(scope, name)
        params = _params(node) if kind in ("function", "method") else None
        value = literal(node.child_by_field_name("value"))
        self._facts.definitions.append(
            Definition(name, qualname, kind, line_of(name_node), params, value, _bounds(node), public, attributes)
        )
        if node.type in _OPENS:
            # What a trait declares and what a variant holds is as visible as itself.
            inner = {"trait_item": "trait", "function_item": "function"}.get(node.type, kind)
            self._nesting.open(node, qualname, inner, public or inner == "module")


def _visible(node: Node) -> bool:
    """`pub`, without a restriction such as `pub(crate)`."""
    for child in node.children:
        if child.type == "visibility_modifier":
            return child.end_byte - child.start_byte == 3
        if child.type not in ("attribute_item", "line_comment", "block_comment"):
            return False
    return False


def _bounds(node: Node) -> tuple[str, ...]:
    """The traits that a trait demands."""
    bounds = node.child_by_field_name("bounds") if node.type == "trait_item" else None
    if bounds is None:
        return ()
    return tuple(bare(name_of(b)) for b in bounds.named_children if "identifier" in b.type or b.type == "generic_type")


def _path_end(kind: Node | None) -> str:
    """The last part of a type's path: `&'a m::S<T>` gives `S`."""
    for _ in range(8):
        if kind is None:
            return ""
        if kind.type in ("type_identifier", "primitive_type"):
            return name_of(kind)
        kind = kind.child_by_field_name("name" if kind.type == "scoped_type_identifier" else "type")
    return ""


def _params(node: Node) -> tuple[Param, ...]:
    listed = node.child_by_field_name("parameters")
    found: list[Param] = []
    for child in listed.named_children if listed is not None else ():
        if child.type == "parameter":
            found.append(Param(name_of(child.child_by_field_name("pattern")) or "_"))
        elif child.type == "variadic_parameter":
            found.append(Param("...", "varargs", None, False))
    return tuple(found)


def _imports(node: Node) -> Iterator[Import]:
    """A `use` tree as single imports; module paths keep their `::`."""
    argument = node.child_by_field_name("argument")
    exported = _visible(node)
    waiting = [(argument, "", 0)] if argument is not None else []
    while waiting:
        part, prefix, depth = waiting.pop()
        if part.type in ("scoped_use_list", "use_list"):
            path = part.child_by_field_name("path")
            inner = _joined(prefix, name_of(path))
            listed = part.child_by_field_name("list") if part.type == "scoped_use_list" else part
            if listed is not None and depth < _USE_DEPTH:
                waiting.extend((child, inner, depth + 1) for child in reversed(listed.named_children))
        elif part.type == "use_wildcard":
            inside = part.named_children
            yield Import(_joined(prefix, name_of(inside[0]) if inside else ""), "*", "", line_of(part), exported)
        elif part.type in ("use_as_clause", "identifier", "scoped_identifier", "self", "crate", "super"):
            path = part.child_by_field_name("path") if part.type == "use_as_clause" else part
            alias = name_of(part.child_by_field_name("alias")) if part.type == "use_as_clause" else ""
            full = _joined(prefix, name_of(path)).removesuffix("::self")
            module, _, name = full.rpartition("::")
            yield Import(module, name, alias or name, line_of(part), exported)


def _joined(prefix: str, path: str) -> str:
    path = "".join(path.split())
    return f"{prefix}::{path}" if prefix and path else prefix or path
