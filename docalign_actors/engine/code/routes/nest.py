"""Nest: decorators on controllers and their methods."""

from __future__ import annotations

from tree_sitter import Node

from docalign_actors.engine.code.routes.ancestry import Ancestry
from docalign_actors.engine.code.routes.javascript_values import Values, arguments, option
from docalign_actors.engine.code.source import Source, line_of, text_of
from docalign_actors.engine.facts import FileFacts, Mount, Route

_DECORATORS = """(decorator (call_expression function: (identifier) @name
  (#match? @name "^(Get|Post|Put|Patch|Delete|Head|Options|All|Sse|Controller)$")) @call) @decorator"""
_METHODS = {"All": "*", "Sse": "GET"}


def collect_nest(source: Source, facts: FileFacts) -> None:
    """Adds the routes of controllers; their router is `@` and the class's name, which `setGlobalPrefix` mounts."""
    if b"Controller" not in source.data:
        return
    values, around = Values(source), Ancestry()
    for _, found in source.matches(_DECORATORS):
        call, name = found["call"][0], text_of(found["name"][0])
        router = _class_name(around, found["decorator"][0], name == "Controller")
        if not router:
            continue
        given = arguments(call)
        if name == "Controller":
            for prefix in _prefixes(values, given):
                facts.mounts.append(Mount(prefix, line_of(call), "@" + router, ""))
            continue
        for path in values.strings(given[0]) if given else [""]:
            method = _METHODS.get(name, name.upper())
            facts.routes.append(Route(method, path, line_of(call), "@" + router, _method_name(found["decorator"][0])))


def _prefixes(values: Values, given: list[Node]) -> list[str]:
    if not given:
        return [""]
    if given[0].type != "object":
        return values.strings(given[0]) or ["${_}"]
    paths = values.strings(option(given[0], "path")) or [""]
    return [f"${{_}}/{path}" for path in paths] if option(given[0], "version") is not None else paths


def _class_name(around: Ancestry, decorator: Node, own: bool) -> str:
    for parent in around.of(decorator):
        if parent.type in ("class_declaration", "abstract_class_declaration"):
            return text_of(parent.child_by_field_name("name") or parent)
        if own and parent.type == "export_statement":
            declared = parent.child_by_field_name("declaration")
            name = declared.child_by_field_name("name") if declared is not None else None
            return text_of(name) if name is not None else ""
    return ""


def _method_name(decorator: Node) -> str:
    sibling = decorator.next_named_sibling
    for _ in range(20):
        if sibling is None:
            return ""
        if sibling.type == "method_definition":
            return text_of(sibling.child_by_field_name("name") or sibling)
        sibling = sibling.next_named_sibling
    return ""
