"""Options and sub-commands of Go programs: flag, pflag, cobra, urfave/cli, kingpin, kong, go-flags, hand-written parsers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cached_property

import msgspec
from tree_sitter import Node

from docalign_actors.engine.code.options.common import (
    PASSTHROUGH,
    add_command,
    add_option,
    collect_quoted_flags,
    dashed,
    mark_opaque,
)
from docalign_actors.engine.code.options.go_tags import read_tags
from docalign_actors.engine.code.settings.common import literal
from docalign_actors.engine.code.source import Source, holds_any, line_of, text_of
from docalign_actors.engine.facts import FileFacts
from docalign_actors.engine.roles import is_own_code

_WORDS = (
    b'"-', b"`-", b'"flag"', b"os.Args", b"pflag", b"cobra", b"urfave/cli", b"kingpin", b"kong", b"go-flags", b"go-arg", b"Flags()",
    b".Flag(", b"flag.", b'long:"', b'cmd:"', b'arg:"', b"ffcli", b"flaggy", b"goflags", b"FlagSet", b"genericclioptions",
)  # fmt: skip
"""Without one of these nothing can match."""
_SURE_WORDS = (
    b'"flag"', b"os.Args", b"pflag", b"cobra", b"urfave/cli", b"kingpin", b"alecthomas/kong", b"go-flags", b"go-arg", b".Flag(",
    b"flag.", b"ffcli", b"flaggy", b"goflags", b"FlagSet", b"genericclioptions",
)  # fmt: skip
_WORTH_A_LOOK = re.compile(rb"""["`]--?[A-Za-z0-9]|\bFlags\(\)|`[^`\n]*\b(?:long|cmd|arg):\"""")
_PASSES_ON = (
    b"DisableFlagParsing", b"FParseErrWhitelist", b"UnknownFlags", b"SkipFlagParsing", b"ParsePassDoubleDash",
    b"PassAfterNonOption", b"IgnoreUnknown", b".AddGoFlagSet(",
)  # fmt: skip
"""What lets flags through that the file does not name; the last takes in those that libraries put into the standard set."""
_FLAG_METHOD = (
    "((String|(Ui|I)nt(8|16|32|64)?|Float(32|64)?|Bool|Duration|IP|IPNet|IPMask|Bytes|Time)"
    "(Slice|Array|ToString|ToInt|ToInt64|Hex|Base64)?|Count|Text|Func|BoolFunc)?(Var)?P?|[A-Z][A-Za-z0-9]*VarP?"
)
"""Those of the standard library and pflag, and whatever else a library calls so: `NormalizedStringSliceVarP`."""
_CLASSIC = re.compile(_FLAG_METHOD.rpartition("|")[0])
_FLAG_CALLS = f"""
(call_expression function: (selector_expression operand: (_) @receiver field: (field_identifier) @name)
  arguments: (argument_list) @arguments
  (#match? @name "^({_FLAG_METHOD})$")) @call
"""
_ANY_FLAG_CALL = re.compile(rf"\.\s*(?=\w)(?:{_FLAG_METHOD})\s*(?:/|\[|\(\s*[^)\s])".encode())
"""A call of such a method with an argument. Without one the syntax tree need not be searched."""
_OF_KUBERNETES = (
    "as", "as-group", "as-uid", "cache-dir", "certificate-authority", "client-certificate", "client-key", "cluster", "context",
    "disable-compression", "insecure-skip-tls-verify", "kubeconfig", "namespace", "password", "request-timeout", "server",
    "tls-server-name", "token", "user", "username",
)  # fmt: skip
"""The options that every plug-in of kubectl gets from the library, and names nowhere."""
_CHAIN_CALLS = """
(call_expression function: (selector_expression field: (field_identifier) @name) (#match? @name "^(Flag|Command)$")) @call
"""
_LITERALS = "(composite_literal type: (_) @type body: (literal_value) @body)"
_COMMAND_KEYS = frozenset(
    {
        "Use",
        "Run",
        "RunE",
        "Short",
        "Long",
        "Aliases",
        "Action",
        "Subcommands",
        "Commands",
        "Flags",
        "Usage",
        "UsageText",
        "Category",
    }
)
_CONSTANT = re.compile(rb'^\s*(?:const\s+|var\s+)?(\w+)(?:\s+string)?\s*:?=\s*"([^"\\\n]{0,80})"', re.MULTILINE)
_COBRA = re.compile(rb"\b(\w{1,80})\s*:?=\s*&?cobra\.Command\{")
_ADDED = re.compile(rb"(\w{1,80}|[\w.]{1,80}\(\))\.AddCommand\(([^()]{0,2000})\)")
_WORD = re.compile(rb"\w+")
_IDENTIFIER = re.compile(r"[A-Za-z0-9][\w.-]*\Z")


def collect(source: Source, facts: FileFacts) -> None:
    """The options and sub-commands that a Go file registers."""
    data = source.data
    if not is_own_code(source.path) or not holds_any(data, _WORDS):
        return
    if not holds_any(data, _SURE_WORDS) and not _WORTH_A_LOOK.search(data):
        return
    if holds_any(data, _PASSES_ON):
        mark_opaque(facts, PASSTHROUGH)
    if b"genericclioptions.NewConfigFlags(" in data:
        for name in _OF_KUBERNETES:
            add_option(facts, [f"--{name}"], data.count(b"\n", 0, data.index(b"genericclioptions.NewConfigFlags(")) + 1)
    constants = _Constants(source)
    _read_flag_calls(source, constants, facts)
    if b"cobra" in data or b"/cli" in data or b"ffcli" in data or b"Flag{" in data or b"Command{" in data:
        for _, captures in source.matches(_LITERALS):
            _read_literal(text_of(captures["type"][0]), captures["body"][0], constants, facts, depth=0)
    if b".AddCommand(" in data:
        _join_commands(data, facts)
    if b"kingpin" in data or (b".Flag(" in data and b").Short(" in data):
        for _, captures in source.matches(_CHAIN_CALLS):
            _read_kingpin(captures["call"][0], constants, facts)
    if b':"' in data and re.search(rb'`[^`\n]*\b(help|long|cmd|arg|short|command|default):"', data):
        read_tags(source, facts)
    collect_quoted_flags(source, facts)


def _join_commands(data: bytes, facts: FileFacts) -> None:
    """Which commands of the file hang below another of it, as `jobsCmd.AddCommand(jobsListCmd)` tells.

    Only below one that itself hangs below something: whatever a program's root is called, it is typed as the program.
    """
    lines = {data.count(b"\n", 0, match.end()) + 1: match[1] for match in _COBRA.finditer(data)}
    names = {lines[command.line]: command.name for command in facts.commands if command.line in lines}
    single = {variable for variable, count in Counter(lines.values()).items() if count == 1}
    added = [(match[1], set(_WORD.findall(match[2]))) for match in _ADDED.finditer(data)]
    below = {child: parent for parent, children in added for child in children if parent in names}
    hanging = {child for _, children in added for child in children}
    for number, command in enumerate(facts.commands):
        parent = below.get(lines.get(command.line, b""), b"")
        if parent in single & hanging and not command.program:
            facts.commands[number] = msgspec.structs.replace(command, parent=names[parent])


class _Constants:
    """String constants and variables of the file, looked for when the first is asked for."""

    def __init__(self, source: Source) -> None:
        self._source = source

    @cached_property
    def _values(self) -> dict[str, str]:
        found = _CONSTANT.finditer(self._source.data)
        return {match[1].decode(): match[2].decode("utf-8", "replace") for match in found}

    def get(self, name: str) -> str | None:
        return self._values.get(name)


def _string(node: Node | None, constants: _Constants) -> str | None:
    if node is None:
        return None
    if node.type == "interpreted_string_literal":
        return text_of(node)[1:-1]
    if node.type == "raw_string_literal":
        return text_of(node)[1:-1]
    if node.type == "identifier":
        return constants.get(text_of(node))
    return None


def _literal(node: Node | None, constants: _Constants) -> str | None:
    if node is None:
        return None
    if node.type in ("int_literal", "float_literal", "true", "false", "nil") or (
        node.type == "unary_expression" and text_of(node)[1:2].isdigit()
    ):
        return text_of(node)
    if node.type in ("binary_expression", "selector_expression"):
        return literal(node)
    return _string(node, constants)


def _strings(node: Node | None, constants: _Constants) -> list[str]:
    """The strings of a literal such as `[]string{"a", "b"}`."""
    if node is None:
        return []
    found = []
    for child in _descend(node):
        text = _string(child, constants) if child.type.endswith("string_literal") else None
        if text is not None:
            found.append(text)
    return found


def _descend(node: Node, limit: int = 400) -> Iterator[Node]:
    stack = [node]
    while stack and limit:
        limit -= 1
        current = stack.pop()
        yield current
        stack.extend(reversed(current.named_children))


def _arguments(call: Node) -> list[Node]:
    listed = call.child_by_field_name("arguments")
    return [a for a in listed.named_children if a.type != "comment"] if listed is not None else []


def _read_flag_calls(source: Source, constants: _Constants, facts: FileFacts) -> None:
    """`flag.String("port", "8080", usage)`, `Flags().StringVarP(&x, "port", "p", "8080", usage)`."""
    if not _ANY_FLAG_CALL.search(source.data):
        return
    standard = b'"flag"' in source.data and bool(re.search(rb'[\s(]"flag"\s', source.data))
    standard = standard or b"/goflags" in source.data  # one dash before a whole word, too
    for _, captures in source.matches(_FLAG_CALLS):
        name = text_of(captures["name"][0])
        receiver = text_of(captures["receiver"][0])[-60:]
        arguments = _arguments(captures["call"][0])
        by_variable, short = "Var" in name, name.endswith("P")
        at = 1 if by_variable else 0
        if len(arguments) < (
            2 if name in ("Func", "BoolFunc", "Var", "VarP", "Count", "CountP") else 3
        ) + at or name in ("", "P"):
            continue
        if not _CLASSIC.fullmatch(name) and arguments[0].type != "unary_expression":
            continue  # no `&options.port`: something else that is called so
        flag = _string(arguments[at], constants)
        if flag is None:
            if re.search(r"[Ff]lag|Flags\(\)$", receiver):
                mark_opaque(facts, "options")
            continue
        if not _IDENTIFIER.match(flag):
            continue
        _add_flag(
            flag,
            arguments[at + 1 :],
            name,
            short,
            standard and "Flags()" not in receiver,
            captures["call"][0],
            constants,
            facts,
        )


def _add_flag(
    flag: str,
    rest: list[Node],
    name: str,
    short: bool,
    standard: bool,
    call: Node,
    constants: _Constants,
    facts: FileFacts,
) -> None:
    names = [f"--{flag}"]
    if standard:
        names.append(f"-{flag}")
    if short and rest and (letter := _string(rest[0], constants)):
        names.append(f"-{letter}")
    after = rest[1:] if short else rest
    has_default = not name.startswith(("Func", "BoolFunc", "Count", "Var", "Text"))
    default = _literal(after[0], constants) if has_default and after else None
    add_option(facts, names, line_of(call), default=default, takes_value=not name.startswith(("Bool", "Count")))


def _keyed(body: Node) -> dict[str, Node]:
    """The keyed elements of a literal: name and value."""
    found: dict[str, Node] = {}
    for element in body.named_children:
        if element.type != "keyed_element" or len(element.named_children) < 2:
            continue
        key, value = element.named_children[0], element.named_children[-1]
        inner = value.named_children[0] if value.type == "literal_element" and value.named_children else value
        found[text_of(key)] = inner
    return found


def _read_literal(kind: str, body: Node, constants: _Constants, facts: FileFacts, depth: int) -> None:
    """`cobra.Command{Use: …}`, `&cli.StringFlag{Name: …}`, and the elements of `[]*cli.Command{{Name: …}}`."""
    keyed = _keyed(body)
    if not keyed:
        if re.search(r"\[\]\*?\w*\.?Command$", kind) and depth < 3:
            for child in body.named_children:
                inner = child.named_children[0] if child.named_children else child
                if inner.type == "literal_value":
                    _read_literal(kind, inner, constants, facts, depth + 1)
        return
    name = _string(keyed.get("Name"), constants)
    if kind.endswith("Flag") and "Name" in keyed:
        _read_flag_literal(kind, keyed, name, constants, facts)
    elif "Use" in keyed and kind.endswith("Command"):
        use = (_string(keyed["Use"], constants) or "").split()
        if use:
            program = use[0] if "root" in _owner_name(body).lower() else ""
            add_command(
                facts, use[0], line_of(body), aliases=_strings(keyed.get("Aliases"), constants), program=program
            )
        elif keyed["Use"].type != "interpreted_string_literal":
            mark_opaque(facts, "commands")
    elif name and "Command" in kind and keyed.keys() & _COMMAND_KEYS:
        add_command(facts, name.split(",")[0], line_of(body), aliases=_strings(keyed.get("Aliases"), constants))


def _read_flag_literal(
    kind: str, keyed: dict[str, Node], name: str | None, constants: _Constants, facts: FileFacts
) -> None:
    if name is None:
        mark_opaque(facts, "options")
        return
    names = [dashed(part.strip()) for part in name.split(",")]
    names += [dashed(alias) for alias in _strings(keyed.get("Aliases"), constants)]
    env = [v for key in ("EnvVars", "EnvVar", "Sources") for v in _strings(keyed.get(key), constants)]
    names += [f"-{n[2:]}" for n in names if n.startswith("--")]
    add_option(
        facts, names, line_of(keyed["Name"]), default=_literal(keyed.get("Value"), constants),
        takes_value="Bool" not in kind, env=env[0].split(",")[0] if env else "",
    )  # fmt: skip


def _owner_name(body: Node) -> str:
    """The variable or function that a literal is given to."""
    node = body.parent
    for _ in range(8):
        if node is None:
            return ""
        if node.type in ("var_spec", "short_var_declaration", "assignment_statement", "function_declaration"):
            return text_of(node)[:60].split("{")[0]
        node = node.parent
    return ""


def _read_kingpin(call: Node, constants: _Constants, facts: FileFacts) -> None:
    """`app.Flag("port", "help").Short('p').Default("8080").Envar("PORT").Int()`, `app.Command("serve", "help")`."""
    arguments = _arguments(call)
    name = _string(arguments[0], constants) if len(arguments) >= 2 else None
    if name is None or not _IDENTIFIER.match(name):
        return
    names, default, env, aliases = [f"--{name}"], None, "", list[str]()
    node: Node | None = call.parent
    kind = "Command" if (call.child_by_field_name("function") or call).named_children[-1].text == b"Command" else "Flag"
    boolean = False
    for _ in range(20):
        if (
            node is None
            or node.type != "selector_expression"
            or node.parent is None
            or node.parent.type != "call_expression"
        ):
            break
        method, values = text_of(node.named_children[-1]), _arguments(node.parent)
        boolean = boolean or method.startswith(("Bool", "NegatableBool"))
        if method == "Short" and values:
            names.append("-" + text_of(values[0]).strip("'"))
        elif method == "Default" and values:
            default = _literal(values[0], constants)
        elif method in ("Envar", "OverrideDefaultFromEnvar") and values:
            env = _string(values[0], constants) or ""
        elif method == "Alias" and values:
            aliases += _strings(values[0], constants)
        node = node.parent.parent
    if kind == "Command":
        add_command(facts, name, line_of(call), aliases=aliases)
    else:
        names += [f"--no-{name}"] if boolean else []
        add_option(facts, names, line_of(call), default=default, env=env, takes_value=not boolean)
