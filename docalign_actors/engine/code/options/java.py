"""Options and sub-commands of Java programs: picocli, JCommander, args4j, argparse4j, commons-cli, jopt-simple, own parsers."""

from __future__ import annotations

import re

from tree_sitter import Node

from docalign_actors.engine.code.options.common import (
    PASSTHROUGH,
    add_command,
    add_option,
    collect_quoted_flags,
    dashed,
    mark_opaque,
)
from docalign_actors.engine.code.source import Source, holds_any, line_of, text_of
from docalign_actors.engine.facts import FileFacts
from docalign_actors.engine.roles import is_own_code

_WORDS = (
    b'"-', b"'-", b"picocli", b"jcommander", b"args4j", b"commons.cli", b"joptsimple", b"Option", b"longOpt", b"acceptsAll",
)  # fmt: skip
"""Without one of these nothing can match."""
_WORTH_A_LOOK = re.compile(
    rb"""["']--?[A-Za-z0-9]|picocli|jcommander|args4j|commons\.cli|joptsimple|@(?:CommandLine\.)?Option\b|addOption|longOpt|acceptsAll"""
)
_ANNOTATIONS = """
(annotation name: (_) @name arguments: (annotation_argument_list) @arguments
  (#match? @name "(^|[.])(Option(List|Group)?|Parameters?|Command|(Group)?CommandDefinition|Argument|ShellOption)$")) @annotation
"""
_CALLS = """
(method_invocation name: (identifier) @name arguments: (argument_list) @arguments (#match? @name
  "^(addOption|addRequiredOption|longOpt|withLongOpt|builder|accepts|acceptsAll|addSubcommand|addCommand|addArgument)$")) @call
(object_creation_expression type: (_) @name arguments: (argument_list) @arguments (#match? @name "(^|\\\\.)Option$")) @call
"""


def collect(source: Source, facts: FileFacts) -> None:
    """The options and sub-commands that a Java file registers."""
    data = source.data
    if not is_own_code(source.path) or not holds_any(data, _WORDS) or not _WORTH_A_LOOK.search(data):
        return
    if re.search(
        rb"setUnmatchedArgumentsAllowed|@(?:CommandLine\.)?Unmatched|setAcceptUnknownOptions|acceptUnknownOptions|setStopAtUnmatched|allowsUnrecognizedOptions",
        data,
    ):
        mark_opaque(facts, PASSTHROUGH)
    if b"@" in data:
        for _, captures in source.matches(_ANNOTATIONS):
            name = text_of(captures["name"][0]).rpartition(".")[2]
            _read_annotation(name, captures["arguments"][0], captures["annotation"][0], facts, starts=b" main(" in data)
    if re.search(
        rb"addOption|addRequiredOption|[lL]ongOpt|acceptsAll|\.accepts\(|new Option\(|addSubcommand|addCommand|addArgument",
        data,
    ):
        for _, captures in source.matches(_CALLS):
            _read_call(text_of(captures["name"][0]), captures["arguments"][0], captures["call"][0], facts)
    collect_quoted_flags(source, facts)


def _string(node: Node | None) -> str | None:
    if node is not None and node.type == "string_literal":
        return text_of(node)[1:-1]
    return None


def _literal(node: Node | None) -> str | None:
    if node is None:
        return None
    if node.type.endswith(("integer_literal", "floating_point_literal")) or node.type in (
        "true",
        "false",
        "null_literal",
    ):
        return text_of(node)
    return _string(node)


def _strings(node: Node | None, limit: int = 200) -> list[str]:
    """Every string below a node: one string, or those of `{"a", "b"}`."""
    found: list[str] = []
    stack = [node] if node is not None else []
    while stack and limit:
        limit -= 1
        current = stack.pop()
        text = _string(current)
        if text is not None:
            found.append(text)
        else:
            stack.extend(reversed(current.named_children))
    return found


def _elements(arguments: Node) -> dict[str, Node]:
    """The named values of an annotation."""
    found: dict[str, Node] = {}
    for pair in arguments.named_children:
        key, value = pair.child_by_field_name("key"), pair.child_by_field_name("value")
        if pair.type == "element_value_pair" and key is not None and value is not None:
            found[text_of(key)] = value
    return found


def _read_annotation(name: str, arguments: Node, annotation: Node, facts: FileFacts, *, starts: bool) -> None:
    """`starts`: the program starts in this file, so that the command which has others below it is the program itself."""
    elements = _elements(arguments)
    if name.endswith(("Command", "Parameters", "CommandDefinition")):
        names = _strings(elements.get("name")) or _strings(elements.get("commandNames"))
        if names:
            aliases = [*names[1:], *_strings(elements.get("aliases"))]
            program = names[0] if starts and "subcommands" in elements else ""
            add_command(facts, names[0], line_of(annotation), aliases=aliases, program=program)
        elif name.endswith("Command") and (method := _method_of(annotation)):
            add_command(facts, method, line_of(annotation), aliases=_strings(elements.get("aliases")))
        return
    names = [*_strings(elements.get("names")), *_strings(elements.get("name")), *_strings(elements.get("aliases"))]
    if name.startswith("Option") and "names" not in elements and names and not any(n.startswith("-") for n in names):
        # Some annotations name the option without its dashes.
        names = [f"--{n}" for n in names]
        short = text_of(elements["shortName"]).strip("'\"") if "shortName" in elements else ""
        names += [f"-{short}"] if short else []
    if not any(text.startswith("-") for text in names):
        if name == "Option" and "names" in elements:
            mark_opaque(facts, "options")
        return
    if text_of(elements["negatable"]) == "true" if "negatable" in elements else False:
        names += [f"--no-{n[2:]}" for n in names if n.startswith("--") and not n.startswith("--no-")]
    default = _literal(elements.get("defaultValue"))
    env = re.fullmatch(r"\$\{(?:env:)?([A-Z]\w*)(?::-(.*))?\}", default or "")
    kind, initial = _declared(annotation)
    if env:
        default = env[2]
    add_option(
        facts, [n.split("=")[0] for n in names], line_of(annotation), default=default if default is not None else initial,
        command=_command_of(annotation), takes_value=kind.lower() != "boolean" and kind != "boolean[]", env=env[1] if env else "",
    )  # fmt: skip


def _declared(annotation: Node) -> tuple[str, str | None]:
    """The type of the field that an annotation stands on, and the literal that it starts with."""
    node = annotation.parent
    while node is not None and node.type not in (
        "field_declaration",
        "formal_parameter",
        "method_declaration",
        "class_declaration",
    ):
        node = node.parent
    if node is None or node.type == "class_declaration":
        return "", None
    kind = node.child_by_field_name("type")
    declarator = node.child_by_field_name("declarator")
    initial = _literal(declarator.child_by_field_name("value")) if declarator is not None else None
    return (text_of(kind) if kind is not None else ""), initial


def _method_of(annotation: Node) -> str:
    """The method that an annotation stands on: without a name of its own, a command of picocli is called like it."""
    node = annotation.parent.parent if annotation.parent is not None else None
    name = node.child_by_field_name("name") if node is not None and node.type == "method_declaration" else None
    return text_of(name) if name is not None else ""


def _command_of(annotation: Node) -> str:
    """The name that the enclosing class's or method's `@Command` gives."""
    node = annotation.parent
    while node is not None:
        if node.type in ("class_declaration", "method_declaration"):
            head = text_of(node)[:1500].split("{\n")[0]
            match = re.search(r'@(?:\w+\.)?Command\(\s*(?:[^)]*?\b)?name\s*=\s*"([\w.-]+)"', head)
            if match:
                return match[1]
        node = node.parent
    return ""


def _read_call(name: str, arguments: Node, call: Node, facts: FileFacts) -> None:
    values = [a for a in arguments.named_children if not a.type.endswith("comment")]
    first = _string(values[0]) if values else None
    second = _string(values[1]) if len(values) > 1 else None
    line = line_of(call)
    if name in ("addSubcommand", "addCommand"):
        if first:
            add_command(facts, first, line)
    elif name == "addArgument":  # argparse4j
        add_option(facts, [text for v in values if (text := _string(v)) is not None and text.startswith("-")], line)
    elif name in ("longOpt", "withLongOpt"):
        if first:
            add_option(facts, [f"--{first}"], line)
    elif name == "builder":
        if first and text_of(call).startswith("Option") and re.fullmatch(r"\w+", first):
            add_option(facts, [dashed(first), f"-{first}"], line)
    elif name in ("accepts", "acceptsAll"):
        add_option(facts, [dashed(text) for text in (_strings(values[0]) if values else [])], line)
    elif first is not None and re.fullmatch(r"[\w?-]*", first) and len(values) >= 2:
        # commons-cli: the short name, the long name unless the description comes next, whether there is an argument.
        long = second if second and re.fullmatch(r"[\w.-]+", second) and len(values) >= 3 else None
        names = [f"-{first}"] if first else []
        add_option(
            facts,
            [*names, *([f"--{long}"] if long else [])],
            line,
            takes_value=any(text_of(v) == "true" for v in values),
        )
