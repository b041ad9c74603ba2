"""Java: types, methods, constructors, fields, enum constants, annotations, package, imports, and what Lombok generates."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from docalign_actors.engine.code.source import Source, line_of, text_of
from docalign_actors.engine.code.symbols.lombok import generated
from docalign_actors.engine.code.symbols.nesting import (
    Nesting,
    Scope,
    add,
    bare,
    decorator,
    in_order,
    literal,
    name_of,
    within,
)
from docalign_actors.engine.code.symbols.recovery import recovered
from docalign_actors.engine.facts import Definition, FileFacts, Import, Param

_QUERY = """
[(package_declaration) (import_declaration) (class_declaration) (interface_declaration) (record_declaration)
 (enum_declaration) (annotation_type_declaration) (method_declaration) (constructor_declaration)
 (compact_constructor_declaration) (field_declaration) (constant_declaration) (enum_constant)
 (annotation_type_element_declaration)] @definition
(object_creation_expression (class_body) @anonymous)
"""
_TYPES = frozenset(
    {
        "class_declaration",
        "interface_declaration",
        "record_declaration",
        "enum_declaration",
        "annotation_type_declaration",
    }
)
_ALL_PUBLIC = frozenset({"interface_declaration", "annotation_type_declaration"})
_ANNOTATIONS = ("marker_annotation", "annotation")


def collect(source: Source, facts: FileFacts) -> None:
    """Fills `definitions` and `imports`."""
    nesting = Nesting()
    marks: dict[str, frozenset[str]] = {}
    for node, capture in in_order(source, _QUERY):
        kind = node.type
        scope = nesting.at(node)
        if scope is None:
            continue
        if capture == "anonymous":
            nesting.open(node, scope.qualname, "class", public=False)
        elif kind in _TYPES:
            facts.definitions.extend(_type(node, scope, nesting))
        elif kind == "package_declaration":
            facts.definitions.extend(_package(node))
        elif kind == "import_declaration":
            facts.imports.extend(_import(node))
        elif kind in ("field_declaration", "constant_declaration"):
            facts.definitions.extend(_fields(node, scope, marks))
        else:
            facts.definitions.extend(_member(node, scope, nesting))
    if b"lombok" in source.data:
        add(facts, generated(facts.definitions, marks))
    add(facts, recovered(source, facts.definitions))


def _package(node: Node) -> Iterator[Definition]:
    for child in node.named_children:
        if "identifier" in child.type and (name := "".join(name_of(child).split())):
            yield Definition(name.rpartition(".")[2], name, "module", line_of(child))


def _import(node: Node) -> Iterator[Import]:
    path = next((name_of(child) for child in node.named_children if "identifier" in child.type), "")
    if not path:
        return
    if any(child.type == "asterisk" for child in node.named_children):
        yield Import(path, "*", "", line_of(node))
    else:
        module, _, name = path.rpartition(".")
        yield Import(module, name, name, line_of(node))


def _type(node: Node, scope: Scope, nesting: Nesting) -> Iterator[Definition]:
    name_node = node.child_by_field_name("name")
    name = name_of(name_node)
    if name_node is None or not name:
        return
    decorators, modifiers = _modifiers(node)
    public = scope.public and (scope.kind == "interface" or _visible(modifiers))
    qualname = within(scope, name)
    params = _params(node) if node.type == "record_declaration" else None
    yield Definition(name, qualname, "class", line_of(name_node), params, None, tuple(_bases(node)), public, decorators)
    for child in _parameter_nodes(node) if node.type == "record_declaration" else ():
        part = _parameter_name(child)
        if part is not None and (text := name_of(part)):
            yield Definition(
                text, f"{qualname}.{text}", "field", line_of(part), public=public, decorators=_modifiers(child)[0]
            )
    nesting.open(node, qualname, "interface" if node.type in _ALL_PUBLIC else "class", public)


def _member(node: Node, scope: Scope, nesting: Nesting) -> Iterator[Definition]:
    """A method, a constructor, an enum constant or an element of an annotation type."""
    name_node = node.child_by_field_name("name")
    name = name_of(name_node)
    if name_node is None or not name:
        return
    decorators, modifiers = _modifiers(node)
    constant = node.type == "enum_constant"
    public = scope.public and (constant or scope.kind == "interface" or _visible(modifiers))
    params = None if constant or node.type.startswith("compact") else _params(node)
    value = literal(node.child_by_field_name("value")) if node.type.startswith("annotation") else None
    qualname = within(scope, name)
    kind = "member" if constant else "method"
    yield Definition(name, qualname, kind, line_of(name_node), params, value, (), public, decorators)
    nesting.open(node, qualname, kind, public=False)


def _fields(node: Node, scope: Scope, marks: dict[str, frozenset[str]]) -> Iterator[Definition]:
    """Fields; `marks` takes down what Lombok looks at: static, final, boolean."""
    decorators, modifiers = _modifiers(node)
    public = scope.public and (scope.kind == "interface" or _visible(modifiers))
    constant = scope.kind == "interface" or {"static", "final"} <= modifiers
    boolean = name_of(node.child_by_field_name("type")) == "boolean"
    for declarator in node.children_by_field_name("declarator"):
        name_node = declarator.child_by_field_name("name")
        if name_node is not None and (name := name_of(name_node)):
            value = literal(declarator.child_by_field_name("value"))
            kind = "constant" if constant else "field"
            qualname = within(scope, name)
            marks[qualname] = modifiers | {"boolean"} if boolean else modifiers
            yield Definition(name, qualname, kind, line_of(name_node), None, value, (), public, decorators)


def _modifiers(node: Node) -> tuple[tuple[str, ...], frozenset[str]]:
    """(annotations without their `@`, keywords such as `public`)."""
    for child in node.children:
        if child.type == "modifiers":
            annotations = tuple(
                decorator(text_of(part)[1:]) for part in child.named_children if part.type in _ANNOTATIONS
            )
            return annotations, frozenset(part.type for part in child.children if not part.is_named)
    return (), frozenset()


def _visible(modifiers: frozenset[str]) -> bool:
    """Reachable from another package: a subclass sees what is protected."""
    return "public" in modifiers or "protected" in modifiers


def _bases(node: Node) -> Iterator[str]:
    for child in node.named_children:
        if child.type == "superclass":
            yield from (bare(name_of(part)) for part in child.named_children)
        elif child.type in ("super_interfaces", "extends_interfaces"):
            for listed in child.named_children:
                yield from (bare(name_of(part)) for part in listed.named_children)


def _parameter_nodes(node: Node) -> list[Node]:
    listed = node.child_by_field_name("parameters")
    return listed.named_children if listed is not None else []


def _parameter_name(node: Node) -> Node | None:
    if node.type == "formal_parameter":
        return node.child_by_field_name("name")
    if node.type == "spread_parameter":
        inside = [child for child in node.named_children if child.type == "variable_declarator"]
        return inside[0].child_by_field_name("name") if inside else None
    return None


def _params(node: Node) -> tuple[Param, ...]:
    found: list[Param] = []
    for child in _parameter_nodes(node):
        if name := name_of(_parameter_name(child)):
            found.append(Param(name, "varargs", None, False) if child.type == "spread_parameter" else Param(name))
    return tuple(found)
