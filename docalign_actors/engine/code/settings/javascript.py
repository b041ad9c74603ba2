"""Environment variables, configuration keys and their defaults in JavaScript and TypeScript."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from docalign_actors.engine.code.settings.common import (
    LITERAL_KEYS,
    STRINGS,
    add_default_constants,
    add_env,
    add_key,
    add_ports,
    call_arguments,
    callee,
    first_argument_of,
    is_variable_name,
    literal,
    node_at,
    unquote,
    upper_strings,
)
from docalign_actors.engine.code.source import Source, holds_any, line_of, matches_from, places, text_of
from docalign_actors.engine.facts import FileFacts
from docalign_actors.engine.roles import is_test

_ACCESS = re.compile(rb"\b(?:process\.env|import\.meta\.env|Bun\.env|env)(?:\?\.|\.)([A-Za-z_][A-Za-z0-9_]{1,80})\b")
_FROM_ENV = re.compile(rb"\{([^{}]{1,2000})\}\s*=\s*(?:process\.env|import\.meta\.env|Bun\.env)\b")
_ENV_OBJECTS = (b"process.env", b"import.meta.env", b"Bun.env")
_TAKEN = re.compile(
    r"""([A-Z][A-Z0-9_]*)\s*(?::\s*\w+\s*)?(?:=\s*(?:(["'`])([^"'`\n]{0,100})\2|([\w.\-]{1,40})))?\s*(?:,|$)"""
)
_SCHEMA_KEY = re.compile(rb"(?m)(?:^|[{,])[ \t]*([A-Z][A-Z0-9_]{2,80})\s?:")
_DEFAULTED = re.compile(r"""(?:\.default\(|\bdefault:)\s*(?:(["'`])([^"'`\n]{0,100})\1|(-?[\w.]{1,40}))""")
_OBJECTS = "(variable_declarator name: (identifier) @name value: (object) @object)"
_ANY_OBJECT = re.compile(rb"(?i)(?:default|config|setting|option|schema|prefs)\w{0,60}[ \t]*(?::[^=\n]{1,80})?=\s*\{")
_OBJECT_WORDS = (
    b"efault", b"onfig", b"etting", b"ption", b"chema", b"refs", b"EFAULT", b"ONFIG", b"ETTING", b"PTION", b"CHEMA", b"REFS",
)  # fmt: skip
_PASSED_OBJECT = re.compile(
    rb"\b(?:(?:z|yup|Joi|joi|v)\.object|Object\.assign|(?:_|lodash)\.defaults(?:Deep)?|merge|[dD]efaults)\(\s*\{(?!\s*\})"
)
_NAMES_OF_OBJECTS = (b"default", b"config", b"setting", b"option", b"schema", b"prefs")
_OBJECT_NAME = re.compile(r"(?i)default|config|setting|option|schema|prefs")
_INTERFACES = """
[(interface_declaration name: (type_identifier) @name body: (interface_body) @body)
 (type_alias_declaration name: (type_identifier) @name value: (object_type) @body)]
"""
_INTERFACE_NAME = re.compile(r"Config|Options|Opts|Settings|Props|Params|Preferences")
_JSDOC_DEFAULT = re.compile(r"@default(?:Value)?[ \t]+\[?`?([^\s*`\[][^*\n`]{0,100})")
_MEMBER = re.compile(
    rb"(?:[oO]ptions|[oO]pts|[cC]onfig|[sS]ettings|[pP]refs|params|argv|flags)\??\.([A-Za-z_]\w{1,60})\b"
)
_MEMBERS = (
    (b"ptions", 1), (b"pts", 1), (b"onfig", 1), (b"ettings", 1), (b"refs", 1), (b"params", 0), (b"argv", 0), (b"flags", 0),
)  # fmt: skip
"""How those names go on, and how many letters stand before that."""
_TEXT = re.compile(rb"""(["'`])([A-Za-z][\w.\-]{1,60})\1""")
_HELD = re.compile(rb"""(\w{1,60})(?:\.(?:get|has|getOrDefault|int|string|bool)\(|\[)\s{0,20}$""")
_ANY_PATTERN = re.compile(rb"[{,]\s{0,40}\w{1,40} ?= ?[^=>\s]")
_PATTERNS = "(object_pattern (object_assignment_pattern left: (_) @name right: (_) @value))"


def collect(source: Source, facts: FileFacts) -> None:
    """Adds what this file reads and declares."""
    data = source.data
    if b"env" in data or b"ENV" in data:
        _accesses(source, facts)
    _strings(source, facts)
    _schema_variables(source, facts)
    if is_test(source.path):
        return
    _objects(source, facts)
    if source.language != "javascript":
        _interfaces(source, facts)
    _lookups(source, facts)
    _taken_apart(source, facts)
    add_default_constants(source, facts)
    add_ports(source, facts)


def _accesses(source: Source, facts: FileFacts) -> None:
    for match in _ACCESS.finditer(source.data):
        name = match.group(1).decode()
        if match.group(0).startswith(b"env") and not name.isupper():
            continue
        node = source.tree.root_node.descendant_for_byte_range(match.start(1), match.end(1))
        if node is not None and node.type == "property_identifier":
            add_env(facts, name, node, _fallback(node.parent, source))
    for match in _FROM_ENV.finditer(source.data) if holds_any(source.data, _ENV_OBJECTS) else ():
        line = source.data.count(b"\n", 0, match.start()) + 1
        for taken in _TAKEN.finditer(match.group(1).decode("utf-8", "replace")):
            add_env(facts, taken.group(1), line, taken.group(3) if taken.group(2) else taken.group(4))


def _fallback(node: Node | None, source: Source) -> str | None:
    """The right side of `process.env.X || 3000`, also through `Number(process.env.X) ?? 3000` and `parseInt(…, 10)`."""
    for _ in range(8):
        if node is None or node.parent is None:
            return None
        parent = node.parent
        if parent.type in ("binary_expression", "ternary_expression"):
            right = parent.child_by_field_name("right") or parent.child_by_field_name("alternative")
            operator = parent.child_by_field_name("operator")
            if operator is not None and text_of(operator) not in ("||", "??"):
                return None
            if right is not None and right.id == node.id:
                # `x === undefined ? 5 : x`
                right = parent.child_by_field_name("consequence")
            given = literal(right, source) if right is not None else None
            if given is not None or parent.type == "ternary_expression":
                return given
            node = parent
            continue
        if parent.type not in (
            "arguments",
            "call_expression",
            "parenthesized_expression",
            "unary_expression",
            "non_null_expression",
        ):
            return None
        node = parent
    return None


def _strings(source: Source, facts: FileFacts) -> None:
    for name, node, prefix in upper_strings(source):
        call = first_argument_of(node)
        parent = node.parent
        if prefix:
            add_env(facts, name, node, prefix=True)
        elif call is not None and re.search(r"(?i)env|config", callee(call)):
            arguments = call_arguments(call)
            default = literal(arguments[1], source) if len(arguments) > 1 else _fallback(call, source)
            add_env(facts, name, node, default)
        elif parent is not None and parent.type == "pair" and parent.parent is not None and _key_of(parent) == "env":
            add_env(facts, name, node, _sibling(parent.parent, "default", source))
            _convict_key(parent.parent, source, facts)
        elif parent is not None and parent.type == "subscript_expression" and b"env" in (parent.text or b"")[:60]:
            add_env(facts, name, node, _fallback(parent, source))
        elif is_variable_name(name):
            add_env(facts, name, node)


def _key_of(pair: Node) -> str:
    key = pair.child_by_field_name("key")
    return unquote(text_of(key)) if key is not None and key.end_byte - key.start_byte < 120 else ""


def _sibling(holder: Node, name: str, source: Source) -> str | None:
    for pair in holder.named_children:
        if pair.type == "pair" and _key_of(pair) == name:
            return literal(pair.child_by_field_name("value"), source)
    return None


def _convict_key(holder: Node, source: Source, facts: FileFacts) -> None:
    """The dotted name under which a schema's entry hangs."""
    parts: list[str] = []
    node: Node | None = holder
    for _ in range(16):
        if node is None or node.type not in ("object", "pair"):
            break
        if node.type == "pair":
            parts.append(_key_of(node))
        node = node.parent
    if parts:
        add_key(facts, ".".join(reversed(parts)), line_of(holder), _sibling(holder, "default", source), "schema")


def _schema_variables(source: Source, facts: FileFacts) -> None:
    """`PORT: z.coerce.number().default(3000)`, `HOST: str({ default: "localhost" })`."""
    if b"env" not in source.data.lower() and b"z." not in source.data:
        return
    for match in _SCHEMA_KEY.finditer(source.data):
        pair = node_at(source, match.start(1), match.end(1), frozenset({"pair"}))
        value = pair.child_by_field_name("value") if pair is not None else None
        if value is not None and value.type == "call_expression":
            add_env(facts, match.group(1).decode(), match_line(source, match.start()), _default_in(value))


def match_line(source: Source, offset: int) -> int:
    """The line on which a byte stands."""
    return source.data.count(b"\n", 0, offset) + 1


def _default_in(value: Node) -> str | None:
    found = _DEFAULTED.search(text_of(value)[:600])
    if found is None:
        return None
    return found.group(2) if found.group(1) else found.group(3)


def _objects(source: Source, facts: FileFacts) -> None:
    any_object = holds_any(source.data, _OBJECT_WORDS) and _has_object(source.data)
    for _, found in source.matches(_OBJECTS) if any_object else ():
        if _OBJECT_NAME.search(text_of(found["name"][0])):
            _pairs(found["object"][0], "", source, facts, 0)
    for match in _PASSED_OBJECT.finditer(source.data):
        node = node_at(source, match.end() - 1, match.end(), frozenset({"object"}))
        if node is not None:
            _pairs(node, "", source, facts, 0)


def _pairs(node: Node, prefix: str, source: Source, facts: FileFacts, depth: int) -> None:
    for pair in node.named_children:
        value = pair.child_by_field_name("value") if pair.type == "pair" else None
        name = _key_of(pair) if value is not None else ""
        if value is None or not re.fullmatch(r"[\w.\-]{1,80}", name):
            continue
        default = _default_in(value) if value.type == "call_expression" else literal(value, source)
        add_key(facts, prefix + name, pair, default, "schema")
        if value.type == "object" and depth < 6:
            _pairs(value, f"{prefix}{name}.", source, facts, depth + 1)


def _interfaces(source: Source, facts: FileFacts) -> None:
    for _, found in source.matches(_INTERFACES):
        if _INTERFACE_NAME.search(text_of(found["name"][0])):
            for member, comment in _members(found["body"][0]):
                name = member.child_by_field_name("name")
                documented = _JSDOC_DEFAULT.search(comment)
                default = documented.group(1).strip().strip("'\"") if documented else None
                add_key(facts, text_of(name) if name else "", member, default, "settings")


def _members(body: Node) -> Iterator[tuple[Node, str]]:
    comment = ""
    for child in body.named_children:
        if child.type == "comment":
            comment = text_of(child)[:2000]
        elif child.type == "property_signature":
            yield child, comment
            comment = ""


def _lookups(source: Source, facts: FileFacts) -> None:
    starts = (
        at - n for word, n in _MEMBERS for dot in (b".", b"?.") for at in places(source.data, word + dot) if at >= n
    )
    for match in matches_from(_MEMBER, source.data, starts):
        node = source.tree.root_node.descendant_for_byte_range(match.start(1), match.end(1))
        if node is not None and node.type == "property_identifier":
            add_key(facts, match.group(1).decode(), node, _fallback(node.parent, source))
    plain = 0
    for match in _TEXT.finditer(source.data):
        if source.data[match.start() - 1 : match.start()] not in (b"(", b"[", b" ", b"\n"):
            continue
        if source.data[max(0, match.start() - 30) : match.start()].rstrip()[-1:] not in (b"(", b"["):
            continue
        held = _HELD.search(source.data, max(0, match.start() - 100), match.start())
        node = node_at(source, match.start(2), match.end(2), STRINGS) if held and plain < LITERAL_KEYS else None
        if node is None or held is None:
            continue
        plain += 1
        call = first_argument_of(node)
        arguments = call_arguments(call) if call is not None else []
        default = literal(arguments[1], source) if len(arguments) > 1 else None
        known = _OBJECT_NAME.search(held.group(1).decode("utf-8", "replace"))
        add_key(facts, match.group(2).decode(), node, default, "lookup" if known else "literal")


def _has_object(data: bytes) -> bool:
    lower = data.lower()
    return any(_ANY_OBJECT.match(data, at) for word in _NAMES_OF_OBJECTS for at in places(lower, word))


def _taken_apart(source: Source, facts: FileFacts) -> None:
    """`const { timeout = 5000 } = options`, also as a parameter."""
    if not _ANY_PATTERN.search(source.data):
        return
    for _, found in source.matches(_PATTERNS):
        name, value = found["name"][0], found["value"][0]
        if name.type.endswith("identifier_pattern"):
            add_key(facts, text_of(name), name, literal(value, source), "settings")
