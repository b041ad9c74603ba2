"""Go: functions, methods, types with their fields and methods, constants, variables, imports."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from docalign_actors.engine.code.manifests.gomod import package_name
from docalign_actors.engine.code.source import Source, line_of, text_of
from docalign_actors.engine.code.symbols.nesting import add, bare, decorator, in_order, literal, name_of, unquoted
from docalign_actors.engine.code.symbols.recovery import recovered
from docalign_actors.engine.facts import Definition, FileFacts, Import, Param

_QUERY = """
[(package_clause) (import_spec) (function_declaration) (method_declaration) (type_spec) (type_alias)
 (const_spec) (var_spec)] @definition
"""
# Specs at the top of a file begin at depth 2 or 3, those inside a function at 5: the bound leaves out what is local.
_DEPTH = 4
_STRUCT_DEPTH = 6


def collect(source: Source, facts: FileFacts) -> None:
    """Fills `definitions` and `imports`."""
    for node, _ in in_order(source, _QUERY, _DEPTH):
        if node.type == "import_spec":
            facts.imports.append(_import(node))
        else:
            facts.definitions.extend(d for d in _READERS[node.type](node) if d.name)
    add(facts, recovered(source, facts.definitions))


def _package(node: Node) -> Iterator[Definition]:
    for child in node.named_children:
        if child.type == "package_identifier":
            yield Definition(name_of(child), name_of(child), "module", line_of(child))


def _import(node: Node) -> Import:
    path = node.child_by_field_name("path")
    module = unquoted(text_of(path)) if path else ""
    alias = name_of(node.child_by_field_name("name"))
    if alias == ".":
        return Import(module, "*", "", line_of(node))
    return Import(module, "", alias or package_name(module), line_of(node))


def _function(node: Node) -> Iterator[Definition]:
    name = node.child_by_field_name("name")
    if name is not None:
        yield _definition(name, "", "function", params=_params(node))


def _method(node: Node) -> Iterator[Definition]:
    name, receiver = node.child_by_field_name("name"), node.child_by_field_name("receiver")
    if name is None or receiver is None:
        return
    kinds = [
        child.child_by_field_name("type") for child in receiver.named_children if child.type == "parameter_declaration"
    ]
    owner = _type_name(kinds[0]) if kinds and kinds[0] is not None else ""
    yield _definition(name, owner, "method", params=_params(node))


def _type(node: Node) -> Iterator[Definition]:
    name, body = node.child_by_field_name("name"), node.child_by_field_name("type")
    if name is None:
        return
    owner = name_of(name)
    if body is not None and body.type == "struct_type":
        yield _definition(name, "", "class", bases=tuple(_embedded(body)))
        yield from _fields(body, owner)
    elif body is not None and body.type == "interface_type":
        yield _definition(name, "", "class", bases=tuple(_embedded(body)))
        for child in body.named_children:
            method = child.child_by_field_name("name")
            if child.type == "method_elem" and method is not None:
                yield _definition(method, owner, "method", params=_params(child))
    else:
        yield _definition(
            name, "", "type", bases=(_type_name(body),) if body is not None and "identifier" in body.type else ()
        )


def _fields(struct: Node, owner: str) -> Iterator[Definition]:
    """The fields of a struct, and those of structs written inside it, to a bounded depth."""
    for field in _field_declarations(struct):
        names, kind = field.children_by_field_name("name"), field.child_by_field_name("type")
        tag = field.child_by_field_name("tag")
        decorators = (decorator(unquoted(text_of(tag))),) if tag is not None else ()
        inner = _inner_struct(kind) if owner.count(".") < _STRUCT_DEPTH else None
        for name in names:
            yield _definition(name, owner, "field", decorators=decorators)
            if inner is not None:
                yield from _fields(inner, f"{owner}.{name_of(name)}")
        if not names and kind is not None and (embedded := _type_name(kind)):
            short = embedded.rpartition(".")[2]
            public = short[:1].isupper()
            yield Definition(short, f"{owner}.{short}", "field", line_of(kind), public=public, decorators=decorators)


def _field_declarations(struct: Node) -> Iterator[Node]:
    for block in struct.named_children:
        yield from (child for child in block.named_children if child.type == "field_declaration")


def _inner_struct(kind: Node | None) -> Node | None:
    """The struct that a field's type is made of: `struct{…}`, `[]struct{…}`, `map[string]*struct{…}`."""
    for _ in range(_STRUCT_DEPTH):
        if kind is None or kind.type == "struct_type":
            return kind
        if kind.type not in ("pointer_type", "slice_type", "array_type", "map_type") or not kind.named_children:
            return None
        kind = kind.named_children[-1]
    return None


def _embedded(body: Node) -> Iterator[str]:
    """The types whose fields and methods a struct or an interface takes over."""
    if body.type == "struct_type":
        parts = [
            f.child_by_field_name("type") for f in _field_declarations(body) if f.child_by_field_name("name") is None
        ]
    else:
        parts = [
            child.named_children[0]
            for child in body.named_children
            if child.type == "type_elem" and child.named_child_count == 1
        ]
    yield from (name for part in parts if part is not None and (name := _type_name(part)))


def _values(node: Node) -> Iterator[Definition]:
    """Constants and variables. A function kept in a variable is a function."""
    listed = node.child_by_field_name("value")
    values = listed.named_children if listed is not None else []
    names = [name for name in node.children_by_field_name("name") if name.type == "identifier" and name_of(name) != "_"]
    for index, name in enumerate(names):
        value = values[index] if len(values) == len(names) else None
        if value is not None and value.type == "func_literal":
            yield _definition(name, "", "function", params=_params(value))
        else:
            yield _definition(name, "", "constant", value=literal(value))


def _params(node: Node) -> tuple[Param, ...]:
    listed = node.child_by_field_name("parameters")
    found: list[Param] = []
    for child in listed.named_children if listed is not None else ():
        if child.type in ("parameter_declaration", "variadic_parameter_declaration"):
            many = child.type == "variadic_parameter_declaration"
            for name in [name_of(n) for n in child.children_by_field_name("name")] or ["_"]:
                found.append(Param(name, "varargs", None, False) if many else Param(name))
    return tuple(found)


def _type_name(kind: Node) -> str:
    """A named type without pointer and type arguments: `*pkg.Type[K]` gives `pkg.Type`; "" for a type without a name."""
    name = bare(name_of(kind).strip("() "))
    return name if re.fullmatch(r"[\w.]+", name) else ""


def _definition(
    name: Node,
    owner: str,
    kind: str,
    *,
    params: tuple[Param, ...] | None = None,
    value: str | None = None,
    bases: tuple[str, ...] = (),
    decorators: tuple[str, ...] = (),
) -> Definition:
    text = name_of(name)
    qualname = f"{owner}.{text}" if owner else text
    return Definition(text, qualname, kind, line_of(name), params, value, bases, text[:1].isupper(), decorators)


_READERS = {
    "package_clause": _package,
    "function_declaration": _function,
    "method_declaration": _method,
    "type_spec": _type,
    "type_alias": _type,
    "const_spec": _values,
    "var_spec": _values,
}
