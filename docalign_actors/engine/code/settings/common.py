"""What the collectors of settings share: literals, upper-case strings and where they stand, calls and their arguments.

A regular expression finds the few places that matter in a file, the syntax tree says what stands there. That costs far
less than visiting every call of every file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from tree_sitter import Node

from docalign_actors.engine.code.source import Source, line_of, lines_with, matches_from, places, text_of
from docalign_actors.engine.facts import EnvVar, FileFacts, Key, Port

STRINGS = frozenset({"string", "template_string", "interpreted_string_literal", "raw_string_literal", "string_literal"})
_NUMBERS = frozenset({
    "integer", "float", "number", "int_literal", "float_literal", "integer_literal", "decimal_integer_literal",
    "hex_integer_literal", "decimal_floating_point_literal", "octal_integer_literal", "binary_integer_literal",
})  # fmt: skip
_WORDS = frozenset({"true", "false", "none", "null", "nil", "undefined", "boolean_literal", "null_literal"})
_UNARY = frozenset({"unary_operator", "unary_expression"})
_BINARY = frozenset({"binary_operator", "binary_expression"})
_COLLECTIONS = frozenset({"list", "tuple", "array", "dictionary", "object", "set", "array_expression"})
_ARGUMENTS = frozenset({"argument_list", "arguments"})
CALLS = frozenset({"call", "call_expression", "method_invocation", "new_expression", "object_creation_expression"})
_DURATION_UNIT = re.compile(r"^(time\.)?(Nanosecond|Microsecond|Millisecond|Second|Minute|Hour)$")
_DURATION_CALL = re.compile(
    r"^(?:[\w.]+(?:::|\.))?(?:Duration(?:::|\.)(?:from_\w+|of\w+)|timedelta|from_secs|from_millis)$"
)
_WRAPPED = re.compile(
    r"^(?:String::from|Some|Path|PathBuf::from|Cow::from|str|int|float|bool|Path\.of|Optional\.of|cast)$"
)
_UNWRAPPING = re.compile(r"\.(?:to_string|to_owned|into|as_str)$")
_STRING_PREFIX = re.compile(r"^[rbuRBUfFc]{1,2}#{0,8}(?=[\"'])")
_LONGEST_VALUE = 120
LITERAL_KEYS = 400
"""Keys of no known purpose that one file may yield: a table of data must not fill the index."""

UPPER = re.compile(rb"""(["'`])([A-Z][A-Z0-9_]{1,80})(\1|\{|\$\{|%s)""")
_PARTS = re.compile(r"^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$")


def unquote(text: str) -> str:
    """A string literal's content; the prefix letters that some languages put before the quote are dropped too."""
    before = _STRING_PREFIX.match(text)
    text = text[before.end() :] if before else text
    for quote in ('"""', "'''"):
        if len(text) >= 6 and text.startswith(quote) and text.endswith(quote):
            return text[3:-3]
    text = text.rstrip("#") if before and "#" in before[0] else text
    return text[1:-1] if len(text) >= 2 and text[0] in "\"'`" and text[-1] == text[0] else text


def literal(node: Node | None, source: Source | None = None, depth: int = 0) -> str | None:
    """A literal's source text without quotes, or None. Arithmetic of literals and durations are kept as written.

    With `source` the name of a constant of the same file stands for the constant's value.
    """
    if node is None or depth > 6 or node.end_byte - node.start_byte > _LONGEST_VALUE:
        return None
    kind = node.type
    if kind in STRINGS:
        return None if _interpolated(node) else unquote(text_of(node))
    if kind in _NUMBERS or kind in _WORDS:
        return text_of(node)
    if kind in _UNARY or kind in (
        "parenthesized_expression",
        "as_expression",
        "reference_expression",
        "satisfies_expression",
    ):
        inner = node.named_children[-1] if kind in _UNARY and node.named_children else _first(node)
        if literal(inner, source, depth + 1) is None:
            return None
        return text_of(node) if kind in _UNARY else literal(inner, source, depth + 1)
    if kind in _BINARY:
        sides = (node.child_by_field_name("left"), node.child_by_field_name("right"))
        return " ".join(text_of(node).split()) if all(_operand(side, depth) for side in sides) else None
    if kind in _COLLECTIONS:
        return (
            " ".join(text_of(node).split())
            if all(_literal_item(child, depth) for child in node.named_children)
            else None
        )
    if kind in CALLS:
        return _literal_call(node, source, depth)
    if kind in ("identifier", "field_identifier") and source is not None:
        return constant(source, text_of(node))
    if kind == "selector_expression" and _DURATION_UNIT.match(text_of(node)):
        return text_of(node)
    return None


def _interpolated(node: Node) -> bool:
    return any(
        child.type in ("interpolation", "template_substitution", "string_interpolation")
        for child in node.named_children
    )


def _first(node: Node) -> Node | None:
    return node.named_children[0] if node.named_children else None


def _operand(node: Node | None, depth: int) -> bool:
    if node is None or node.type in STRINGS:
        return False
    return literal(node, None, depth + 1) is not None


def _literal_item(node: Node, depth: int) -> bool:
    if node.type in ("pair", "comment"):
        value = node.child_by_field_name("value")
        return value is None or literal(value, None, depth + 1) is not None
    return literal(node, None, depth + 1) is not None


def _literal_call(node: Node, source: Source | None, depth: int) -> str | None:
    name, arguments = callee(node), call_arguments(node)
    if _DURATION_CALL.match(name):
        plain = all(a.type == "keyword_argument" or literal(a, None, depth + 1) is not None for a in arguments)
        return " ".join(text_of(node).split()) if plain and arguments else None
    if _WRAPPED.match(name) and len(arguments) == 1:
        return literal(arguments[0], source, depth + 1)
    function = node.child_by_field_name("function")
    if not arguments and function is not None and _UNWRAPPING.search(name):
        return literal(function.child_by_field_name("value"), source, depth + 1)
    return None


def constant(source: Source, name: str) -> str | None:
    """The literal that a constant of this file is given, if it is given exactly one."""
    if not _NAME.fullmatch(name):
        return None
    found = list(_assigned(source.data, name.encode()))
    if len(found) != 1:
        return None
    node = source.tree.root_node.descendant_for_byte_range(found[0], found[0] + 1)
    while node is not None and node.parent is not None and node.parent.start_byte == found[0]:
        if node.parent.type in ("expression_list", "expression_statement"):
            break
        node = node.parent
    return literal(node)


_NAME = re.compile(r"[A-Za-z_]\w{1,80}")
_BEFORE_NAME = re.compile(rb"[ \t]*(?:[\w<>,:&'\[\]]{1,40}[ \t]{1,4}){0,5}")
_AFTER_NAME = re.compile(rb"[ \t]{0,4}(?::[^=\n]{1,60})?=[ \t]{0,4}(?=[^=\s])")


def _assigned(data: bytes, name: bytes) -> Iterator[int]:
    """Where the values start that a name is given at the beginning of a line, types and the like before it."""
    for at in places(data, name):
        after = _AFTER_NAME.match(data, at + len(name))
        if after and _BEFORE_NAME.fullmatch(data, data.rfind(b"\n", 0, at) + 1, at):
            yield after.end()


def callee(call: Node) -> str:
    """What a call calls, as written: `os.environ.get`."""
    if call.type == "method_invocation":
        target, name = call.child_by_field_name("object"), call.child_by_field_name("name")
        return (text_of(target)[-80:] + "." if target else "") + (text_of(name) if name else "")
    function = call.child_by_field_name("function") or call.child_by_field_name("constructor")
    return " ".join(text_of(function)[-120:].split()) if function else ""


def call_arguments(call: Node) -> list[Node]:
    """A call's arguments, comments left out."""
    arguments = call.child_by_field_name("arguments")
    return (
        [child for child in arguments.named_children if child.type not in ("comment", "line_comment")]
        if arguments
        else []
    )


def keyword(call: Node, *names: str) -> Node | None:
    """The value of the first keyword argument of one of these names."""
    for argument in call_arguments(call):
        if argument.type == "keyword_argument":
            name = argument.child_by_field_name("name")
            if name is not None and text_of(name) in names:
                return argument.child_by_field_name("value")
    return None


def node_at(source: Source, start: int, end: int, types: frozenset[str], climb: int = 3) -> Node | None:
    """The node of one of these types that covers a range of bytes; None in a comment or deep inside something else."""
    node = source.tree.root_node.descendant_for_byte_range(start, end)
    for _ in range(climb):
        if node is None or node.type in types:
            return node
        node = node.parent
    return node if node is not None and node.type in types else None


def upper_strings(source: Source) -> Iterator[tuple[str, Node, bool]]:
    """Every string that looks like an environment variable's name, or like the start of one: (name, node, is a prefix)."""
    for match in UPPER.finditer(source.data):
        node = node_at(source, match.start(2), match.end(2), STRINGS)
        name, whole = match.group(2).decode(), match.group(3) == match.group(1)
        if node is None or node.start_byte + 4 < match.start():
            continue
        if whole and node.end_byte != match.end():
            continue
        prefix = name.endswith("_")
        if whole or prefix:
            yield name, node, prefix


def first_argument_of(node: Node) -> Node | None:
    """The call whose first argument this node is."""
    parent = node.parent
    if parent is None or parent.type not in _ARGUMENTS or parent.parent is None:
        return None
    first = next((c for c in parent.named_children if "comment" not in c.type), None)
    return parent.parent if first is not None and first.id == node.id and parent.parent.type in CALLS else None


def is_variable_name(name: str) -> bool:
    """Two parts at least, so that it may be taken for an environment variable wherever it stands."""
    return bool(_PARTS.match(name))


def add_env(facts: FileFacts, name: str, node: Node | int, default: str | None = None, prefix: bool = False) -> None:
    """Notes a variable. A mention with a default outranks one without."""
    line = node if isinstance(node, int) else line_of(node)
    for index, known in enumerate(facts.env):
        if known.name == name and known.prefix == prefix:
            if default is None or known.default == default:
                return
            if known.default is None:
                facts.env[index] = EnvVar(name, line, default, prefix)
                return
    facts.env.append(EnvVar(name, line, default, prefix))


def add_key(facts: FileFacts, name: str, node: Node | int, default: str | None = None, origin: str = "lookup") -> None:
    """Notes a configuration key."""
    if name and len(name) <= 120:
        facts.keys.append(Key(name, node if isinstance(node, int) else line_of(node), default, origin))


_NAMED_DEFAULT = re.compile(
    rb"(?i)[ \t]*(?:[\w<>,:&'\[\]()]{1,40}[ \t]{1,4}){0,5}(\w{0,40}default\w{1,40}|\w{1,40}default)"
    rb"[ \t]{0,4}(?::[^=\n]{1,60})?=[ \t]"
)
FALLBACK = "fallback"
"""The origin of a default that code puts in where nothing is given: proof of a value, none of a configuration key."""


def _named_defaults(data: bytes) -> Iterator[re.Match[bytes]]:
    """The lines that give a value to something called a default, in their order."""
    starts = lines_with(data, (b"efault", b"EFAULT"))
    return (match for start in starts if (match := _NAMED_DEFAULT.match(data, start)))


def add_default_constants(source: Source, facts: FileFacts) -> None:
    """`DefaultTimeout = 30 * time.Second`: constants that call themselves defaults and are more than plain literals."""
    for match in islice(_named_defaults(source.data), 200):
        name = match.group(1).decode("utf-8", "replace")
        value = constant(source, name)
        if value is not None:
            add_key(facts, name, source.data.count(b"\n", 0, match.start()) + 1, value, FALLBACK)


_PORT = re.compile(
    rb"""(?:\blisten\(\s*|\bListenAndServe(?:TLS)?\(\s*"[\w.]{0,60}:|\bbind\(\s*\(?["'][\w.]{0,60}(?:["'],\s*|:)"""
    rb"""|(?:(?<![a-zA-Z])port|Port|PORT)\s?[=:]\s?|\.Run\(\s*":|"0\.0\.0\.0:|"127\.0\.0\.1:)(\d{2,5})\b"""
)
_PORT_WORDS = (b"listen(", b"ListenAndServe", b"bind(", b".Run(", b'"0.0.0.0:', b'"127.0.0.1:')
_PORT_VALUES = (re.compile(rb"ort\s?[=:]\s?\d"), re.compile(rb"ORT\s?[=:]\s?\d"))
"""Two, because a pattern that begins with plain letters is many times faster."""


def add_ports(source: Source, facts: FileFacts) -> None:
    """Notes the literal ports that code binds."""
    starts = {at for word in _PORT_WORDS for at in places(source.data, word)}
    starts.update(match.start() - 1 for value in _PORT_VALUES for match in value.finditer(source.data))
    for match in matches_from(_PORT, source.data, starts):
        number = int(match.group(1))
        if 80 <= number <= 65535:
            facts.ports.append(
                Port(number, source.data.count(b"\n", 0, match.start()) + 1, "port" if b"ort" in match.group(0) else "")
            )
