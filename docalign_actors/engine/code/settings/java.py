"""Environment variables, configuration keys and their defaults in Java."""

from __future__ import annotations

import re
from collections.abc import Mapping

from tree_sitter import Node

from docalign_actors.engine.code.settings.common import (
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
    upper_strings,
)
from docalign_actors.engine.code.source import Source, holds_any, text_of
from docalign_actors.engine.facts import FileFacts
from docalign_actors.engine.roles import is_test

_PLACEHOLDER = re.compile(rb"\$\{([A-Za-z][\w.\-]{1,100})(?::([^}\n\"]{0,100}))?\}")
_ENVIRONMENT = re.compile(rb"\$\{env:([A-Z][A-Z0-9_]{1,100})(?::-([^}\n\"]{0,100}))?\}")
"""As picocli and Log4j write it: `${env:TOOL_URL:-https://example.org}`."""
_KEYED = re.compile(rb"""(?:get\w{0,24}|containsKey|name)\(?\s{0,40}=?\s{0,40}\(?"([a-zA-Z][\w.\-]{1,100})\"""")
_CLASSES = "(class_declaration name: (identifier) @name body: (class_body) @body) @class"
_PREFIX = re.compile(r'@ConfigurationProperties\(\s*(?:(?:prefix|value)\s*=\s*)?"([\w.\-]{1,100})"')
_SETTINGS_CLASS = re.compile(r"Config|Settings|Options|Properties")
_SETTINGS_WORDS = (b"Config", b"Settings", b"Options", b"Properties")
"""The annotation and each such class have one of these in their names."""


def collect(source: Source, facts: FileFacts) -> None:
    """Adds what this file reads and declares."""
    _variables(source, facts)
    if is_test(source.path):
        return
    for match in _PLACEHOLDER.finditer(source.data):
        name, line = match.group(1).decode(), source.data.count(b"\n", 0, match.start()) + 1
        value = match.group(2).decode("utf-8", "replace") if match.group(2) is not None else None
        if name.isupper():
            add_env(facts, name, line, value)
        elif name != "env":
            add_key(facts, name, line, value)
    for match in _ENVIRONMENT.finditer(source.data):
        default = match.group(2).decode("utf-8", "replace") if match.group(2) is not None else None
        add_env(facts, match.group(1).decode(), source.data.count(b"\n", 0, match.start()) + 1, default)
    _lookups(source, facts)
    _classes(source, facts)
    add_default_constants(source, facts)
    add_ports(source, facts)


def _variables(source: Source, facts: FileFacts) -> None:
    for name, node, prefix in upper_strings(source):
        call = first_argument_of(node)
        if prefix:
            add_env(facts, name, node, prefix=True)
        elif call is not None and re.search(r"(?i)env", callee(call)):
            add_env(facts, name, node, _second(call, source))
        elif is_variable_name(name):
            add_env(facts, name, node)


def _second(call: Node, source: Source) -> str | None:
    arguments = call_arguments(call)
    return literal(arguments[1], source) if len(arguments) > 1 else None


def _lookups(source: Source, facts: FileFacts) -> None:
    for match in _KEYED.finditer(source.data):
        name = match.group(1).decode()
        node = node_at(source, match.start(1), match.end(1), STRINGS)
        call = first_argument_of(node) if node is not None else None
        if node is not None and not name.isupper():
            add_key(facts, name, node, _second(call, source) if call is not None else None)


def _classes(source: Source, facts: FileFacts) -> None:
    """Fields of `@ConfigurationProperties` classes, in the kebab-case that Spring's documentation writes."""
    if b"class" not in source.data or not holds_any(source.data, _SETTINGS_WORDS):
        return
    bodies: dict[str, Node] = {}
    prefixes: dict[str, str] = {}
    for _, found in source.matches(_CLASSES):
        name, node = text_of(found["name"][0]), found["class"][0]
        modifiers = next((child for child in node.children if child.type == "modifiers"), None)
        prefix = _PREFIX.search(text_of(modifiers)[:600]) if modifiers is not None else None
        if prefix is not None:
            prefixes[name] = prefix.group(1)
        bodies[name] = found["body"][0]
    _nest(bodies, prefixes)
    for name, body in bodies.items():
        if name in prefixes or _SETTINGS_CLASS.search(name):
            for field in _fields(body):
                _field(field, prefixes.get(name, ""), source, facts)


def _nest(bodies: Mapping[str, Node], prefixes: dict[str, str]) -> None:
    """Classes of the file that a field of such a class has for its type: their fields stand below its key."""
    waiting = list(prefixes)
    while waiting:
        owner = waiting.pop()
        for field in _fields(bodies[owner]):
            kind, declarator = field.child_by_field_name("type"), field.child_by_field_name("declarator")
            name = declarator.child_by_field_name("name") if declarator is not None else None
            inner = text_of(kind) if kind is not None else ""
            if name is not None and inner in bodies and inner not in prefixes:
                prefixes[inner] = f"{prefixes[owner]}.{_kebab(text_of(name))}"
                waiting.append(inner)


def _fields(body: Node) -> list[Node]:
    return [field for field in body.named_children if field.type == "field_declaration"]


def _field(field: Node, prefix: str, source: Source, facts: FileFacts) -> None:
    declarator = field.child_by_field_name("declarator")
    name = declarator.child_by_field_name("name") if declarator is not None else None
    if declarator is None or name is None:
        return
    default = literal(declarator.child_by_field_name("value"), source)
    plain = text_of(name)
    if prefix:
        add_key(facts, f"{prefix}.{_kebab(plain)}", field, default, "settings")
    add_key(facts, plain, field, default, "settings")


def _kebab(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])([A-Z])", lambda found: "-" + found.group(1).lower(), name)
