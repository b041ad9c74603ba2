"""Environment variables, configuration keys and their defaults in Go."""

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
    call_arguments,
    callee,
    first_argument_of,
    is_variable_name,
    literal,
    node_at,
    upper_strings,
)
from docalign_actors.engine.code.source import Source, holds_any, places, text_of
from docalign_actors.engine.facts import FileFacts
from docalign_actors.engine.roles import is_test

_FIELDS = "(field_declaration name: (field_identifier) @name tag: (_) @tag) @field"
_TAG = re.compile(r'(\w+):"([^"]{0,200})"')
_KEY_TAGS = ("yaml", "toml", "mapstructure", "koanf", "json", "hcl", "ini", "env-key")
_ENV_TAGS = ("env", "envconfig", "envvar", "split_words_env")
_SPLIT_TAG = "split_words"
_TAG_WORDS = tuple(f'{tag}:"'.encode() for tag in (*_KEY_TAGS, *_ENV_TAGS, _SPLIT_TAG))
_DEFAULT_TAGS = ("envDefault", "default", "env-default")
_WORD = re.compile(r"[A-Z]+(?=[A-Z][^A-Z])|[A-Z]+[^A-Z]+|[^A-Z]+|[A-Z]+")
"""What envconfig takes for a word of a field's name: `SSHHostName` has three."""
_VIPER = re.compile(
    rb'\.(SetDefault|BindEnv|BindPFlag|IsSet|Get\w{0,20}|Set|UnmarshalKey|SetEnvPrefix|String|Int|Bool|Duration)\(\s*"([\w.\-]{1,80})"'
)
_NAMESPACE = re.compile(rb'\b(?:env-namespace|envPrefix|envprefix):"([A-Z][A-Z0-9_]{0,40})"')
_PROCESS = re.compile(rb'\benvconfig\.(?:Must)?Process\(\s*"(\w{1,40})"')
_COMPOSITES = "(composite_literal type: (type_identifier) @type body: (literal_value) @body)"
_SETTINGS_TYPE = re.compile(r"(?i)config|options|settings|opts|params")
_ANY_COMPOSITE = re.compile(
    rb"(?:[cC]onfig|CONFIG|[oO]ptions|OPTIONS|[sS]ettings|SETTINGS|[oO]pts|OPTS|[pP]arams|PARAMS)\w{0,80}\s{0,8}\{"
)
_COMPOSITE_WORDS = (
    (b"onfig", 1), (b"CONFIG", 0), (b"ptions", 1), (b"OPTIONS", 0), (b"ettings", 1), (b"SETTINGS", 0), (b"pts", 1), (b"OPTS", 0),
    (b"arams", 1), (b"PARAMS", 0),
)  # fmt: skip
"""How the words of such a type go on, and how many letters stand before that."""
_NAMESPACE_WORDS = (b"env-namespace", b"envPrefix", b"envprefix")
_GIVEN_PREFIX = re.compile(rb'(?i)env(?:var)?_?prefix(?::\s{0,8}|\s?=\s?|\()"([a-z][a-z0-9_]{0,40})"')
"""A library is told what the names begin with: `configor.Config{ENVPrefix: "APP"}`, `WithEnvPrefix("app")`."""
_PREFIX_WORDS = (b"nvPrefix", b"NVPrefix", b"nvVarPrefix", b"NV_PREFIX")
_ASSIGNED = re.compile(rb"(?m)^[ \t]*\w{1,30}\.(?:\w{1,40}\.)?([A-Z]\w{1,60}) = ")


_IF_EMPTY = re.compile(
    rb"""\bif ((?:\w{1,40}\.){1,3}([A-Z]\w{1,60})) (?:==|<=) (?:0|nil|"") \{\s{1,40}\1 = ([^\n]{1,80})\n"""
)
_EMPTY_WORDS = (b"== 0 {", b"== nil {", b'== "" {', b"<= 0 {", b"<= nil {", b'<= "" {')


def collect(source: Source, facts: FileFacts) -> None:
    """Adds what this file reads and declares."""
    _variables(source, facts)
    for match in _PROCESS.finditer(source.data) if b"envconfig" in source.data else ():
        add_env(
            facts, match.group(1).decode().upper() + "_", source.data.count(b"\n", 0, match.start()) + 1, prefix=True
        )
    starts = [*_NAMESPACE.finditer(source.data)] if holds_any(source.data, _NAMESPACE_WORDS) else []
    starts += _GIVEN_PREFIX.finditer(source.data) if holds_any(source.data, _PREFIX_WORDS) else ()
    for match in starts:
        start = match.group(1).decode().upper().rstrip("_") + "_"
        add_env(facts, start, source.data.count(b"\n", 0, match.start()) + 1, prefix=True)
    if is_test(source.path):
        return
    names = _tags(source, facts) if b"`" in source.data and holds_any(source.data, _TAG_WORDS) else {}
    _viper(source, facts)
    _literals(source, facts, names)
    _put_in(source, facts, names)
    add_default_constants(source, facts)
    add_ports(source, facts)


def _variables(source: Source, facts: FileFacts) -> None:
    for name, node, prefix in upper_strings(source):
        call = first_argument_of(node)
        if prefix:
            add_env(facts, name, node, prefix=True)
        elif call is not None and re.search(r"(?i)env", callee(call)):
            arguments = call_arguments(call)
            add_env(
                facts,
                name,
                node,
                literal(arguments[1], source) if len(arguments) > 1 else _assigned_if_empty(call, source),
            )
        elif is_variable_name(name):
            add_env(facts, name, node)


def _assigned_if_empty(call: Node, source: Source) -> str | None:
    """`port := os.Getenv("PORT")` followed by `if port == "" { port = "8080" }`."""
    declaration = call.parent.parent if call.parent is not None else None
    if declaration is None or declaration.type not in ("short_var_declaration", "assignment_statement"):
        return None
    left, following = declaration.child_by_field_name("left"), declaration.next_named_sibling
    if left is None or following is None or following.type != "if_statement":
        return None
    name = re.escape(text_of(left)[:60])
    found = re.match(
        rf'if {name} == ""\s*\{{\s*{name} = (?:"([^"\n]{{0,100}})"|(\w{{1,60}}))\s*\}}', text_of(following)[:400]
    )
    return (found.group(1) if found.group(1) is not None else None) if found else None


def _tags(source: Source, facts: FileFacts) -> dict[str, str]:
    """Keys and variables of struct tags; the answer says which key each field's name stands for."""
    names: dict[str, str] = {}
    for _, found in source.matches(_FIELDS):
        field, node = text_of(found["name"][0]), found["field"][0]
        tags = dict(_TAG.findall(text_of(found["tag"][0])[:600]))
        default = next((tags[t] for t in _DEFAULT_TAGS if t in tags), None)
        for tag in _KEY_TAGS:
            key = tags.get(tag, "").split(",")[0]
            if key and key != "-":
                add_key(facts, key, node, default, "settings")
                names.setdefault(field, key)
        for tag in _ENV_TAGS:
            for part in tags.get(tag, "").split(","):
                if re.fullmatch(r"[A-Z][A-Z0-9_]*", part):
                    add_env(facts, part, node, default)
        if tags.get(_SPLIT_TAG) == "true" and "envconfig" not in tags:
            add_env(facts, "_".join(_WORD.findall(field)).upper(), node, default)
    return names


def _viper(source: Source, facts: FileFacts) -> None:
    if b"viper" not in source.data and b"koanf" not in source.data and b"onfig" not in source.data:
        return
    for match in _VIPER.finditer(source.data):
        method, key = match.group(1).decode(), match.group(2).decode()
        node = node_at(source, match.start(2), match.end(2), STRINGS)
        call = first_argument_of(node) if node is not None else None
        if call is None:
            continue
        arguments = call_arguments(call)
        if method == "SetEnvPrefix":
            add_env(facts, key.upper().rstrip("_") + "_", call, prefix=True)
        elif method == "SetDefault":
            add_key(facts, key, call, literal(arguments[1], source) if len(arguments) > 1 else None, "settings")
        else:
            add_key(facts, key, call)


def _literals(source: Source, facts: FileFacts, names: dict[str, str]) -> None:
    """Settings structs filled with literals: `Config{Timeout: 30 * time.Second}`, and `c.Timeout = 30`."""
    for _, found in source.matches(_COMPOSITES) if _has_composite(source.data) else ():
        if not _SETTINGS_TYPE.search(text_of(found["type"][0])):
            continue
        for element in found["body"][0].named_children:
            parts = element.named_children
            if element.type == "keyed_element" and len(parts) == 2:
                field, value = text_of(parts[0]), parts[1].named_children[0] if parts[1].named_children else None
                if re.fullmatch(r"\w{1,80}", field):
                    add_key(facts, names.get(field, field), element, literal(value, source), "settings")
    for match in _ASSIGNED.finditer(source.data) if names or _SETTINGS_TYPE.search(source.path) else ():
        node = source.tree.root_node.descendant_for_byte_range(match.end(), match.end() + 1)
        while node is not None and node.parent is not None and node.parent.start_byte == match.end():
            if node.parent.type == "expression_list":
                break
            node = node.parent
        filled = literal(node)
        field = match.group(1).decode()
        if filled is not None and (field in names or _SETTINGS_TYPE.search(source.path)):
            add_key(facts, names.get(field, field), source.data.count(b"\n", 0, match.start()) + 1, filled, "settings")


def _has_composite(data: bytes) -> bool:
    starts = (at - before for word, before in _COMPOSITE_WORDS for at in places(data, word) if at >= before)
    return any(_ANY_COMPOSITE.match(data, start) for start in starts)


def _put_in(source: Source, facts: FileFacts, names: dict[str, str]) -> None:
    """`if c.Timeout == 0 { c.Timeout = 30 }`."""
    for match in _IF_EMPTY.finditer(source.data) if holds_any(source.data, _EMPTY_WORDS) else ():
        value, field = match.group(3).decode("utf-8", "replace").strip(), match.group(2).decode()
        plain = re.fullmatch(r'"[^"]*"|[\d_.]+(?: \* time\.\w+)?|time\.\w+|true|false', value)
        if plain:
            line = source.data.count(b"\n", 0, match.start(3)) + 1
            add_key(facts, names.get(field, field), line, value.strip('"'), FALLBACK)
