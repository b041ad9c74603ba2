"""Environment variables, configuration keys and their defaults in Rust."""

from __future__ import annotations

import re

from tree_sitter import Node

from docalign_actors.engine.code.settings.common import (
    FALLBACK,
    STRINGS,
    add_default_constants,
    add_env,
    add_key,
    add_ports,
    callee,
    first_argument_of,
    is_variable_name,
    literal,
    node_at,
    upper_strings,
)
from docalign_actors.engine.code.source import Source, line_of, matches_from, places, text_of
from docalign_actors.engine.facts import FileFacts
from docalign_actors.engine.roles import is_test

_STRUCTS = "(struct_item name: (type_identifier) @name body: (field_declaration_list) @body) @struct"
_DEFAULTS = """
(impl_item trait: (_) @trait type: (type_identifier) @type body: (declaration_list (function_item body: (block) @body)))
"""
_SETTINGS_TYPE = re.compile(r"Config|Settings|Options|Opts|Prefs")
_STRUCT_NAME = re.compile(rb"\bstruct\s+(?:/[^\n]{0,200}\s+)?([^\s({;<]{1,200})")
_RENAME = re.compile(r'\brename\s*=\s*"([\w.\-]{1,80})"')
_RENAME_ALL = re.compile(r'rename_all\s*=\s*"([\w\-]{1,30})"')
_DEFAULT_FN = re.compile(r'\bdefault\s*=\s*"([\w:]{1,80})"')
_LOOKUP = re.compile(rb'\.(?:get|get_\w{1,20}|set_default)(?:::<[\w<>]{1,40}>)?\(\s*"([\w.\-]{2,80})"')

_PREFIXED = re.compile(rb'(?:Env::prefixed\(|with_prefix\(|envy::prefixed\(|prefix\s*=\s*)"([A-Z][A-Z0-9]{1,40}_?)"')
_OR = re.compile(rb"""\.unwrap_or(?:_else)?\(\s{0,4}(?:\|\| ?)?([\d][\w.]{0,20}|"[^"\n]{0,60}"|true|false)[.)]""")
_NAME_BEFORE = re.compile(rb"(?<!\w)\w{2,60}$")


def collect(source: Source, facts: FileFacts) -> None:
    """Adds what this file reads and declares."""
    _variables(source, facts)
    if is_test(source.path):
        return
    if b"Deserialize" in source.data or any(
        _SETTINGS_TYPE.search(name.decode("utf-8", "replace"))
        for name in (found[1] for found in matches_from(_STRUCT_NAME, source.data, places(source.data, b"struct")))
    ):
        _structs(source, facts)
    if b"Default for" in source.data:
        _defaults(source, facts)
    for match in _LOOKUP.finditer(source.data) if b".get" in source.data or b".set_default" in source.data else ():
        node = node_at(source, match.start(1), match.end(1), STRINGS)
        call = first_argument_of(node) if node is not None else None
        if call is not None:
            arguments = call.child_by_field_name("arguments")
            given = arguments.named_children[1] if arguments is not None and len(arguments.named_children) > 1 else None
            add_key(facts, match.group(1).decode(), call, literal(given, source))
    for match in _OR.finditer(source.data) if b".unwrap_or" in source.data else ():
        name = _NAME_BEFORE.search(source.data[max(0, match.start() - 61) : match.start()])
        if name is None:
            continue
        given_instead = match.group(1).decode("utf-8", "replace").strip('"')
        add_key(facts, name[0].decode(), source.data.count(b"\n", 0, match.start()) + 1, given_instead, FALLBACK)
    add_default_constants(source, facts)
    add_ports(source, facts)


def _variables(source: Source, facts: FileFacts) -> None:
    for name, node, prefix in upper_strings(source):
        call = first_argument_of(node)
        if prefix:
            add_env(facts, name, node, prefix=True)
        elif call is not None and re.search(r"(?i)env|(?:^|::)var(?:_os)?$", callee(call)):
            add_env(facts, name, node, _unwrapped(call, source))
        elif is_variable_name(name) or _in_env_macro(node):
            add_env(facts, name, node)
    for match in _PREFIXED.finditer(source.data) if b"prefix" in source.data else ():
        line = source.data.count(b"\n", 0, match.start()) + 1
        add_env(facts, match.group(1).decode().rstrip("_") + "_", line, prefix=True)


def _in_env_macro(node: Node) -> bool:
    tree = node.parent
    macro = tree.parent if tree is not None and tree.type == "token_tree" else None
    return macro is not None and macro.type == "macro_invocation" and b"env" in (macro.text or b"")[:20]


def _unwrapped(call: Node, source: Source) -> str | None:
    """`env::var("X").unwrap_or("d".into())`, also through `.ok().and_then(…)`."""
    node = call
    for _ in range(6):
        access = node.parent
        if (
            access is None
            or access.type != "field_expression"
            or access.parent is None
            or access.parent.type != "call_expression"
        ):
            return None
        outer = access.parent
        field = access.child_by_field_name("field")
        if field is not None and text_of(field).startswith("unwrap_or"):
            arguments = outer.child_by_field_name("arguments")
            given = arguments.named_children[0] if arguments is not None and arguments.named_children else None
            if given is not None and given.type == "closure_expression":
                given = given.child_by_field_name("body")
            return literal(given, source)
        node = outer
    return None


def _structs(source: Source, facts: FileFacts) -> None:
    """Fields of structs that serde reads, under the names that serde gives them."""
    for _, found in source.matches(_STRUCTS):
        attributes = _attributes_before(found["struct"][0])
        if "Deserialize" not in attributes and not _SETTINGS_TYPE.search(text_of(found["name"][0])):
            continue
        style = _RENAME_ALL.search(attributes)
        for field in found["body"][0].named_children:
            if field.type != "field_declaration":
                continue
            name, own = field.child_by_field_name("name"), _attributes_before(field)
            renamed, made_by = _RENAME.search(own), _DEFAULT_FN.search(own)
            default = _returned(source, made_by.group(1)) if made_by else None
            key = (
                renamed.group(1) if renamed else _styled(text_of(name) if name else "", style.group(1) if style else "")
            )
            add_key(facts, key, field, default, "settings")


def _attributes_before(node: Node) -> str:
    parts: list[str] = []
    before = node.prev_named_sibling
    while before is not None and before.type in ("attribute_item", "line_comment", "block_comment") and len(parts) < 30:
        if before.type == "attribute_item":
            parts.append(text_of(before)[:400])
        before = before.prev_named_sibling
    return "\n".join(parts)


def _styled(name: str, style: str) -> str:
    name = name.removeprefix("r#")
    if style == "kebab-case":
        return name.replace("_", "-")
    if style in ("camelCase", "PascalCase"):
        first, *rest = name.split("_")
        return (first.capitalize() if style == "PascalCase" else first) + "".join(part.capitalize() for part in rest)
    return name.upper() if style == "SCREAMING_SNAKE_CASE" else name


def _returned(source: Source, function: str) -> str | None:
    """The literal that a function of this file consists of."""
    name = function.rpartition("::")[2].encode()
    found = re.search(rb"\bfn " + re.escape(name) + rb"\(\)\s*->\s*[^{\n]{1,80}\{\s*", source.data)
    if found is None:
        return None
    node = source.tree.root_node.descendant_for_byte_range(found.end(), found.end() + 1)
    while (
        node is not None
        and node.parent is not None
        and node.parent.start_byte == found.end()
        and node.parent.type != "block"
    ):
        node = node.parent
    return literal(node, source)


def _defaults(source: Source, facts: FileFacts) -> None:
    for _, found in source.matches(_DEFAULTS):
        if text_of(found["trait"][0]) != "Default":
            continue
        for field in _initialisers(found["body"][0]):
            name, value = field.child_by_field_name("field"), field.child_by_field_name("value")
            default = literal(value, source)
            if name is not None and default is not None:
                add_key(facts, text_of(name), line_of(field), default, "settings")


def _initialisers(block: Node) -> list[Node]:
    for statement in block.named_children:
        node = (
            statement.named_children[0]
            if statement.type == "expression_statement" and statement.named_children
            else statement
        )
        body = node.child_by_field_name("body") if node.type == "struct_expression" else None
        if body is not None:
            return [child for child in body.named_children if child.type == "field_initializer"]
    return []
