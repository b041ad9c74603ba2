"""Environment variables, configuration keys and their defaults in Python."""

from __future__ import annotations

import re

from tree_sitter import Node

from docalign_actors.engine.code.settings.common import (
    FALLBACK,
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
    keyword,
    literal,
    node_at,
    unquote,
    upper_strings,
)
from docalign_actors.engine.code.source import Source, holds_any, line_of, lines_with, matches_from, text_of
from docalign_actors.engine.facts import FileFacts
from docalign_actors.engine.roles import is_test

_READER = re.compile(r"(?i)env|^(?:de)?couple|(?:^|\.)(?:config|cfg|secret)$")
_DEFAULT = ("default", "fallback", "default_value")
_ENV_KEYWORDS = frozenset(
    {"env", "envvar", "env_var", "alias", "validation_alias", "auto_envvar_prefix", "env_prefix", "show_envvar"}
)
_PREFIX = re.compile(
    rb"""(?i)\b(auto_envvar_prefix|envvar_prefix|env_prefix)["']?\s{0,3}[=:]\s{0,3}["']([a-z]\w{0,40})["']"""
)
_SETTINGS_CLASS = re.compile(r"Config|Settings|Options|Prefs|Preferences|Parameters|Schema|Defaults")
_SETTINGS_BASE = re.compile(r"BaseSettings|Settings|Config|TypedDict|Struct|BaseModel|NamedTuple")
_ANY_CLASS = re.compile(
    rb"(?m)^[ \t]*class .{0,200}(?:Config|Settings|Options|Pref|Parameters|Schema|Defaults|TypedDict|Struct|BaseModel|NamedTuple)"
)
_CLASS_WORDS = (
    b"Config", b"Settings", b"Options", b"Pref", b"Parameters", b"Schema", b"Defaults", b"TypedDict", b"Struct", b"BaseModel",
    b"NamedTuple",
)  # fmt: skip
_ANY_DICT = re.compile(rb"(?mi)^\w{0,60}(?:default|config|setting|option|schema|prefs)\w{0,60}[^=\n]{0,80}=\s*\{")
_DICT_WORDS = (b"default", b"config", b"setting", b"option", b"schema", b"prefs")
_CLASSES = "(class_definition name: (identifier) @name) @class"
_DICTS = "(module (expression_statement (assignment left: (identifier) @name right: (dictionary) @dict)))"
_DICT_NAME = re.compile(r"(?i)default|config|setting|option|schema|prefs")
_TEXT = re.compile(rb"""(["'])([A-Za-z][\w.\-]{1,60})\1""")
_HELD = re.compile(rb"""(\w{1,60})(?:\(\))?(\.(?:get\w{0,20}|pop|setdefault)\(|\[)\s{0,20}$""")
_GETTERS = (b".get", b".pop(", b".setdefault(")
"""Most strings are arguments of other calls, which this tells many times faster."""
_KEY_AFTER = re.compile(rb"\s?(?::|in\b)")
_ATTRIBUTE = re.compile(rb"\b(?:settings|config|conf|cfg)\.([A-Z][A-Z0-9_]{2,60})\b")
_PLAIN = rb"""(-?[\d][\d_.]{0,20}|"[^"\n]{0,60}"|'[^'\n]{0,60}'|True|False)[ \t]{0,4}(?:\#[^\n]{0,200})?$"""
_HOLDERS = (b"settings.", b"config.", b"conf.", b"cfg.")
_OR = re.compile(rb"(?m)^[ \t]{1,40}(?:self\.)?_?(\w{2,60}) = _?\1 or " + _PLAIN)
_IF_NONE = re.compile(rb"(?m)^[ \t]{1,40}if (?:self\.)?_?(\w{2,60}) is None:\s{1,40}(?:self\.)?_?\1 = " + _PLAIN)
_HOLDER = re.compile(r"(?i)conf|cfg|setting|option|opts|pref|default|param|kwargs")


def collect(source: Source, facts: FileFacts) -> None:
    """Adds what this file reads and declares."""
    _variables(source, facts)
    data = source.data
    for match in _PREFIX.finditer(data) if b"_prefix" in data or b"_PREFIX" in data else ():
        name = match.group(2).decode().upper()
        add_env(
            facts,
            name if name.endswith("_") else name + "_",
            source.data.count(b"\n", 0, match.start()) + 1,
            prefix=True,
        )
    if is_test(source.path):
        return
    if holds_any(data, _CLASS_WORDS) and _ANY_CLASS.search(data):
        _classes(source, facts)
    if any(_ANY_DICT.match(data, start) for start in lines_with(data.lower(), _DICT_WORDS)):
        _dicts(source, facts)
    _lookups(source, facts)
    for pattern, word in ((_OR, b" or "), (_IF_NONE, b" is None:")):
        for match in matches_from(pattern, data, lines_with(data, (word,))):
            line = source.data.count(b"\n", 0, match.start(2)) + 1
            add_key(facts, match.group(1).decode(), line, unquote(match.group(2).decode("utf-8", "replace")), FALLBACK)
    add_default_constants(source, facts)
    add_ports(source, facts)


def _variables(source: Source, facts: FileFacts) -> None:
    for name, node, prefix in upper_strings(source):
        call = first_argument_of(node)
        if prefix:
            add_env(facts, name, node, prefix=True)
        elif call is not None and _READER.search(callee(call)):
            add_env(facts, name, node, _default_of_call(call, source))
        elif is_variable_name(name):
            add_env(facts, name, node, _default_beside(node, source))
        elif _is_environ_access(node):
            add_env(facts, name, node)


def _default_of_call(call: Node, source: Source) -> str | None:
    """`getenv("X", "d")`, `env.int("X", default=5)`, `os.environ.get("X") or "d"`."""
    given = keyword(call, *_DEFAULT)
    if given is None:
        positional = [a for a in call_arguments(call) if a.type != "keyword_argument"]
        given = positional[1] if len(positional) > 1 and positional[1].type != "identifier" else None
        given = positional[1] if given is None and len(positional) > 1 and text_of(positional[1]).isupper() else given
    if given is not None:
        return literal(given, source)
    parent = call.parent
    if parent is not None and parent.type == "boolean_operator" and b" or " in (parent.text or b""):
        right = parent.child_by_field_name("right")
        return literal(right, source) if right is not None and right.id != call.id else None
    return None


def _default_beside(node: Node, source: Source) -> str | None:
    """The default of the field or option that names the variable by a keyword: `Field(5, alias="APP_X")`."""
    argument = node.parent
    if argument is None or argument.type != "keyword_argument" or argument.parent is None:
        return None
    name, call = argument.child_by_field_name("name"), argument.parent.parent
    if name is None or text_of(name) not in _ENV_KEYWORDS or call is None or call.type != "call":
        return None
    return _field_default(call, source)


def _field_default(call: Node, source: Source) -> str | None:
    given = keyword(call, *_DEFAULT)
    if given is None and re.search(r"(?i)(?:^|\.)(?:field|var|convert|attrib|ib)$", callee(call)):
        positional = [a for a in call_arguments(call) if a.type != "keyword_argument"]
        given = positional[0] if positional else None
    return literal(given, source)


def _is_environ_access(node: Node) -> bool:
    parent = node.parent
    if parent is None or parent.type not in ("subscript", "comparison_operator"):
        return False
    return b"environ" in (parent.text or b"")[:200] or bool(re.search(rb"\benv\b", (parent.text or b"")[:200]))


def _classes(source: Source, facts: FileFacts) -> None:
    """Fields of settings classes: keys, and the variables that pydantic makes of them."""
    for _, found in source.matches(_CLASSES):
        node, name = found["class"][0], text_of(found["name"][0])
        parents = node.child_by_field_name("superclasses")
        bases = text_of(parents) if parents is not None and parents.end_byte - parents.start_byte < 400 else ""
        reads_env = "Settings" in bases
        if not (_SETTINGS_CLASS.search(name) or (bases and _SETTINGS_BASE.search(bases))):
            continue
        body = node.child_by_field_name("body")
        if body is None:
            continue
        prefix = _env_prefix(text_of(node)[:20_000]) if reads_env else ""
        for statement in body.named_children:
            _field(statement, source, facts, prefix if reads_env else None)


def _env_prefix(text: str) -> str:
    found = re.search(r"""env_prefix["']?\s{0,4}[=:]\s{0,4}f?["']([A-Za-z_]\w{0,60})["']""", text)
    return found.group(1) if found else ""


def _field(statement: Node, source: Source, facts: FileFacts, prefix: str | None) -> None:
    assignment = (
        statement.named_children[0] if statement.type == "expression_statement" and statement.named_children else None
    )
    if assignment is None or assignment.type != "assignment":
        return
    left, right = assignment.child_by_field_name("left"), assignment.child_by_field_name("right")
    if left is None or left.type != "identifier" or (right is None and assignment.child_by_field_name("type") is None):
        return
    name = text_of(left)
    if name.startswith("__") or name in ("model_config", "Config"):
        return
    default = _field_default(right, source) if right is not None and right.type == "call" else literal(right, source)
    if right is not None and right.type == "call" and default is None:
        default = literal(right, source)
    add_key(facts, name, assignment, default, "settings")
    alias = keyword(right, "alias", "validation_alias", "name") if right is not None and right.type == "call" else None
    if alias is not None and alias.type == "string":
        add_key(facts, unquote(text_of(alias)), assignment, default, "settings")
    if prefix is not None:
        add_env(facts, (prefix + name).upper(), assignment, default)


def _dicts(source: Source, facts: FileFacts) -> None:
    """Dictionaries of defaults at module level: nested ones give dotted keys."""
    for _, found in source.matches(_DICTS):
        if _DICT_NAME.search(text_of(found["name"][0])):
            _pairs(found["dict"][0], "", source, facts, 0)


def _pairs(node: Node, prefix: str, source: Source, facts: FileFacts, depth: int) -> None:
    for pair in node.named_children:
        key, value = pair.child_by_field_name("key"), pair.child_by_field_name("value")
        if pair.type != "pair" or key is None or value is None or key.type != "string":
            continue
        name = prefix + unquote(text_of(key))
        if not re.fullmatch(r"[\w.\-]{1,120}", name):
            continue
        add_key(facts, name, pair, literal(value, source), "schema")
        if value.type == "dictionary" and depth < 6:
            _pairs(value, name + ".", source, facts, depth + 1)


def _lookups(source: Source, facts: FileFacts) -> None:
    """`config.get("a.b", 5)`, `settings["x"]`, `parser.getint("section", "key", fallback=3)`, and plain string keys."""
    plain = 0
    for match in _TEXT.finditer(source.data):
        held = _holder(source.data, match.start())
        if held is None and not _KEY_AFTER.match(source.data, match.end()):
            continue
        name, known = match.group(2).decode(), bool(held and _HOLDER.search(held[0]))
        plain += not known
        if not known and (plain > LITERAL_KEYS or name.isupper()):
            continue
        node = node_at(source, match.start(2), match.end(2), STRINGS)
        if node is None or node.end_byte - node.start_byte > len(name) + 4:
            continue
        call = first_argument_of(node) if held and held[1] else None
        if not known:
            add_key(facts, name, node, _default_of_call(call, source) if call is not None else None, "literal")
        elif call is not None:
            _configured(call, name, source, facts)
        else:
            add_key(facts, name, node)
    for match in _ATTRIBUTE.finditer(source.data) if holds_any(source.data, _HOLDERS) else ():
        add_key(facts, match.group(1).decode(), source.data.count(b"\n", 0, match.start()) + 1)


def _holder(data: bytes, start: int) -> tuple[str, bool] | None:
    """What a key is looked up in, and whether by a call: `config.get(` or `config[` before the string."""
    if data[start - 1 : start] not in (b"(", b"[", b" ", b"\n"):
        return None
    bracket = data[max(0, start - 22) : start].rstrip()[-1:]
    if bracket not in (b"(", b"[") or (bracket == b"(" and not holds_any(data[max(0, start - 50) : start], _GETTERS)):
        return None
    found = _HELD.search(data, max(0, start - 110), start)
    return (found.group(1).decode("utf-8", "replace"), found.group(2) != b"[") if found else None


def _configured(call: Node, name: str, source: Source, facts: FileFacts) -> None:
    arguments = [a for a in call_arguments(call) if a.type != "keyword_argument"]
    method = callee(call).rpartition(".")[2]
    if (
        len(arguments) > 1
        and arguments[1].type == "string"
        and (method != "get" or keyword(call, "fallback") is not None)
    ):
        option = unquote(text_of(arguments[1]))
        add_key(facts, f"{name}.{option}", line_of(call), literal(keyword(call, "fallback"), source))
    add_key(facts, name, line_of(call), _default_of_call(call, source))
