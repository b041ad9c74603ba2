"""Parameters in the languages whose names alone are read: as far as one look at the list tells."""

from __future__ import annotations

from tree_sitter import Node

from docalign_actors.engine.code.symbols.nesting import literal, name_of
from docalign_actors.engine.facts import Param

_LISTS = frozenset(
    {"parameter_list", "method_parameters", "formal_parameters", "function_value_parameters", "preproc_params"}
)
_VARIADIC = frozenset({"variadic_parameter", "variadic_parameter_declaration", "splat_parameter", "..."})
_KEYWORDS = frozenset({"hash_splat_parameter"})
_SKIPPED = frozenset({"comment", "block_parameter", "line_comment", "attribute_list", "multiline_comment"})
_LONGEST_CHAIN = 12


def parameters(node: Node, language: str) -> tuple[Param, ...] | None:
    """The parameters of a function, None where nothing tells them."""
    if language == "shell" or node.type in ("preproc_def", "call", "alias"):
        return None
    if language == "swift":
        return _swift(node)
    listed = node.child_by_field_name("parameters")
    if listed is None:
        listed = next((child for child in node.named_children if child.type in _LISTS), None)
    if listed is None:
        return ()
    children = [child for child in listed.named_children if child.type not in _SKIPPED]
    if language in ("c", "cpp"):
        return _c(children)
    if language == "kotlin":
        return _kotlin(listed)
    if language == "csharp" and any(child.type == "params" for child in listed.children):
        # The grammar leaves a `params` array flat in the list.
        named = [_param(child) for child in children if child.type == "parameter"]
        last = listed.children_by_field_name("name")
        return (*named, Param(name_of(last[-1]) if last else "_", "varargs", None, False))
    return tuple(_param(child) for child in children)


def _param(node: Node) -> Param:
    name = name_of(node.child_by_field_name("name") or node).lstrip("$&*.")
    if node.type in _VARIADIC:
        return Param(name or "_", "varargs", None, False)
    if node.type in _KEYWORDS:
        return Param(name or "_", "kwargs", None, False)
    default = node.child_by_field_name("value") or node.child_by_field_name("default_value")
    if default is None and node.type == "parameter" and any(child.type == "=" for child in node.children):
        default = node.named_children[-1]
    kind = "keyword" if node.type == "keyword_parameter" else "positional"
    return Param(name or "_", kind, literal(default), default is None)


def _c(children: list[Node]) -> tuple[Param, ...]:
    found: list[Param] = []
    for child in children:
        declarator = child.child_by_field_name("declarator")
        if child.type in _VARIADIC:
            found.append(Param(_c_name(declarator) or "...", "varargs", None, False))
        elif child.type == "identifier":
            found.append(Param(name_of(child)))
        elif declarator is not None or name_of(child) != "void":
            default = child.child_by_field_name("default_value")
            found.append(Param(_c_name(declarator) or "_", "positional", literal(default), default is None))
    return tuple(found)


def _c_name(node: Node | None) -> str:
    for _ in range(_LONGEST_CHAIN):
        if node is None:
            return ""
        if node.type == "identifier":
            return name_of(node)
        inside = node.named_children
        node = node.child_by_field_name("declarator") or (inside[-1] if inside else None)
    return ""


def _kotlin(listed: Node) -> tuple[Param, ...]:
    """Modifiers stand before a parameter, its default after it, all of them side by side."""
    found: list[Param] = []
    many = False
    for child in listed.named_children:
        if child.type == "parameter_modifiers":
            many = b"vararg" in (child.text or b"")[:100]
        elif child.type == "parameter":
            name = next((name_of(part) for part in child.named_children if part.type == "identifier"), "_")
            found.append(Param(name, "varargs", None, False) if many else Param(name))
            many = False
        elif found and child.type not in _SKIPPED:
            found[-1] = Param(found[-1].name, found[-1].kind, literal(child), False)
    return tuple(found)


def _swift(node: Node) -> tuple[Param, ...]:
    """A caller writes the outer name, where there is one."""
    found: list[Param] = []
    for index, child in enumerate(node.children):
        if child.type == "parameter":
            outer, inner = (
                name_of(child.child_by_field_name("external_name")),
                name_of(child.child_by_field_name("name")),
            )
            many = any(part.type == "..." for part in child.children)
            name = inner if outer in ("", "_") else outer
            kind = "varargs" if many else "positional" if outer == "_" else "keyword"
            found.append(Param(name or "_", kind, None, not many))
        elif found and node.field_name_for_child(index) == "default_value":
            found[-1] = Param(found[-1].name, found[-1].kind, literal(child), False)
    return tuple(found)
