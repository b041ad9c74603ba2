"""Options and sub-commands of JavaScript and TypeScript programs: commander, yargs, oclif, minimist and their kin."""

from __future__ import annotations

import re
from operator import itemgetter

from tree_sitter import Node

from docalign_actors.engine.code.options import javascript_tables
from docalign_actors.engine.code.options.common import (
    PASSTHROUGH,
    add_command,
    add_option,
    collect_quoted_flags,
    dashed,
    flags_in,
    kebab,
    mark_opaque,
)
from docalign_actors.engine.code.options.javascript_text import (
    arguments_of,
    bare,
    calls_above,
    calls_below,
    literal_value,
    method_of,
    pairs_of,
    root_of,
    string_value,
    strings_of,
)
from docalign_actors.engine.code.source import Source, holds_any, line_of, places
from docalign_actors.engine.facts import FileFacts
from docalign_actors.engine.roles import is_own_code

_WORDS = (
    b'"-', b"'-", b"`-", b"commander", b"process.argv", b"yargs", b"oclif", b"meow", b"minimist", b"mri", b"parseArgs", b"cac",
    b"builder", b"citty", b"clipanion", b"sade", b"optimist", b"getopts", b"caporal", b".command(", b"defineCommand", b".argv.",
)  # fmt: skip
"""Without one of these nothing can match."""
_WORTH_A_LOOK = re.compile(
    rb"""["'`]--?[A-Za-z0-9]|commander|process\.argv|yargs|oclif|\bmeow\b|minimist|\bmri\b|parseArgs|\bcac\b|citty|clipanion|\bsade\b|optimist|getopts|caporal|\bcommand\s?[:=]\s?[\["'`]"""
    rb"""|\.command\(|defineCommand|\.argv\."""
)
_METHODS = frozenset(
    b"option options requiredOption command alias aliases boolean string number array count default describe demandOption".split()
)
_YARGS = re.compile(rb"\byargs\b|\boptimist\b|Argv\b|\.positional\(|\bbuilder\b")
_PASSES_ON = re.compile(
    rb"allowUnknownOption|passThroughOptions|unknownOptions|stopEarly|stopAtPositional|populate--|strict: false"
    rb"|Option\.Proxy|strict\(false\)"
)
_TABLE_KEYS = frozenset(
    [
        "alias", "aliases", "default", "describe", "description", "desc", "demandOption", "demand", "type", "choices",
        "boolean", "string", "requiresArg", "hidden", "group", "nargs"
    ]
)  # fmt: skip


def collect(source: Source, facts: FileFacts) -> None:
    """The options and sub-commands that a JavaScript or TypeScript file registers."""
    data = source.data
    if not is_own_code(source.path) or not holds_any(data, _WORDS) or not _WORTH_A_LOOK.search(data):
        return
    if _PASSES_ON.search(data):
        mark_opaque(facts, PASSTHROUGH)
    yargs = bool(_YARGS.search(data))
    for call in _calls(source):
        method = method_of(call)
        if method in ("option", "requiredOption", "Option", "createOption"):
            _read_option(call, yargs, facts)
        elif method == "options":
            # yargs: `.options("port", {…})` is another name for `.option`.
            (_read_option if len(arguments_of(call)) > 1 else _read_options)(call, yargs, facts)
        elif method == "command":
            _read_command(call, facts)
        elif yargs and method in (
            "boolean",
            "string",
            "number",
            "array",
            "count",
            "describe",
            "default",
            "demandOption",
            "alias",
        ):
            _read_yargs_list(call, method, facts)
    javascript_tables.collect(source, facts)
    collect_quoted_flags(source, facts)


def _calls(source: Source) -> list[Node]:
    """Calls that register something: by the place of the method's name; what makes an option, by that of the whole callee."""
    found: list[tuple[int, int, Node]] = []
    for node in (*source.nodes("call_expression"), *source.nodes("new_expression")):
        callee = node.child_by_field_name("function" if node.type == "call_expression" else "constructor")
        if callee is None or not callee.is_named:
            continue
        name = callee.child_by_field_name("property") if callee.type == "member_expression" else None
        if (callee.text or b"").endswith(b"Option"):
            found.append((callee.start_byte, -callee.end_byte, node))
        is_method = name is not None and name.type == "property_identifier" and node.type == "call_expression"
        if name is not None and is_method and name.text in _METHODS:
            found.append((name.start_byte, -name.end_byte, node))
    return [node for _, _, node in sorted(found, key=itemgetter(0, 1))]


def _read_option(call: Node, yargs: bool, facts: FileFacts) -> None:
    arguments = arguments_of(call)
    first = string_value(arguments[0]) if arguments else None
    if first is None:
        if yargs and arguments and arguments[0].type == "object":  # yargs: another name for `.options`
            _read_options(call, yargs, facts)
        elif (
            arguments
            and method_of(call) in ("option", "requiredOption")
            and arguments[0].type in ("identifier", "template_string")
        ):
            mark_opaque(facts, "options")
        return
    if first.startswith("-"):
        _read_declared(call, first, arguments, facts)
        return
    table = arguments[1] if len(arguments) > 1 else None
    keys = {key for key, _ in pairs_of(table)}
    if re.fullmatch(r"[\w.-]+", first) and (keys & _TABLE_KEYS or (yargs and method_of(call) == "option")):
        javascript_tables.add_table_option(first, table, line_of(call), facts, command=_command_of(call))


def _read_declared(call: Node, declared: str, arguments: list[Node], facts: FileFacts) -> None:
    """`.option("-p, --port <n>", text, default)`, `new Option("--port <n>").default(1).env("PORT")`, clipanion."""
    names = flags_in(declared)
    names += [f"--{name[5:]}" for name in names if name.startswith("--no-")]
    default = next((value for a in arguments[2:5] if (value := literal_value(a)) is not None), None)
    env, choices = "", list[str]()
    for table in arguments[1:3]:
        for key, given in pairs_of(table):
            if key == "default":
                default = literal_value(given)
    for chained in calls_above(call):
        values = arguments_of(chained)
        match method_of(chained):
            case "default" if values:
                default = literal_value(values[0])
            case "env" if values:
                env = string_value(values[0]) or ""
            case "choices" if values:
                choices = strings_of(values[0])
            case "option" | "command":
                break
            case _:
                pass
    takes_value = "<" in declared or "[" in declared.replace("[no-]", "") or "=" in declared
    add_option(
        facts, names, line_of(call), default=default, command=_command_of(call), takes_value=takes_value, env=env, choices=choices,
    )  # fmt: skip


def _read_options(call: Node, yargs: bool, facts: FileFacts) -> None:
    """yargs: `.options({port: {alias: "p"}})`, `.options(FLAGS)` with a table of the same file."""
    arguments = arguments_of(call)
    if len(arguments) != 1:
        return
    given = arguments[0]
    if given.type == "identifier":
        given = _declared_table(given) or given
        if yargs and given.type == "identifier":
            mark_opaque(facts, "options")
    for name, table in pairs_of(given) if given.type == "object" else ():
        if name == "..." and yargs:
            mark_opaque(facts, "options")
        if {key for key, _ in pairs_of(table)} & _TABLE_KEYS:
            javascript_tables.add_table_option(name, table, line_of(table), facts, command=_command_of(call))


def _declared_table(name: Node) -> Node | None:
    """The object literal that a variable of the file's top level starts with."""
    root = name
    while root.parent is not None:
        root = root.parent
    for statement in root.named_children:
        declaration = statement.child_by_field_name("declaration") or statement
        for declarator in declaration.named_children if declaration.type.endswith("_declaration") else ():
            value = declarator.child_by_field_name("value")
            if value is not None and declarator.child_by_field_name("name").text == name.text:  # type: ignore[union-attr]
                return bare(value) if bare(value).type == "object" else None
    return None


def _read_yargs_list(call: Node, method: str, facts: FileFacts) -> None:
    """yargs: `.boolean(["a", "b"])`, `.alias("p", "port")`, `.default("port", 1)`."""
    arguments = arguments_of(call)
    names = strings_of(arguments[0]) if arguments else []
    if method == "alias":
        names += strings_of(arguments[1]) if len(arguments) > 1 else []
        add_option(facts, [dashed(name) for name in names], line_of(call))
        return
    default = literal_value(arguments[1]) if method == "default" and len(arguments) > 1 else None
    for name in names:
        if re.fullmatch(r"[\w.-]+", name):
            add_option(
                facts, [dashed(name), dashed(kebab(name))], line_of(call), default=default, takes_value=method != "boolean",
            )  # fmt: skip


def _read_command(call: Node, facts: FileFacts) -> None:
    """commander, cac, sade and yargs: `.command("serve <dir>", …)` with `.alias("s")` further down the chain."""
    arguments = arguments_of(call)
    declared = strings_of(arguments[0]) if arguments else []
    names = [words[0] for text in declared if (words := text.split()) and words[0] != "$0"]
    if not names:
        if arguments and not declared and arguments[0].type in ("identifier", "member_expression", "template_string"):
            mark_opaque(facts, "commands")
        return
    aliases = names[1:]
    for chained in calls_above(call):
        if method_of(chained) == "command":
            break
        if method_of(chained) in ("alias", "aliases"):
            aliases += [alias for argument in arguments_of(chained) for alias in strings_of(argument)]
    for table in arguments[1:]:
        for key, value in pairs_of(table):
            if key in ("alias", "aliases"):
                aliases += strings_of(value)
    add_command(facts, names[0], line_of(call), parent=_command_of(call, nested=True), aliases=aliases)


def _command_of(call: Node, *, nested: bool = False) -> str:
    """The sub-command that a chained `.option` belongs to: the nearest `.command` below it, or its variable's.

    nested: what a chained `.command` belongs to. One that was given more than its name hands the program on, not itself.
    """
    for below in calls_below(call):
        if method_of(below) == "command" and (arguments := arguments_of(below)):
            if nested and len(arguments) > 1:
                continue
            words = (strings_of(arguments[0]) or [""])[0].split()
            return words[0] if words and words[0] != "$0" else ""
    root = root_of(call)
    return _declared_command(call, root) if root else ""


def _declared_command(call: Node, variable: str) -> str:
    """`const serve = program.command("serve")` in an enclosing block, where `serve.option(…)` is called later."""
    block = call.parent
    while block is not None and block.type not in ("program", "statement_block"):
        block = block.parent
    pattern = rf"\b{re.escape(variable)}\s*=\s*[\w.]+\s*\.command\(\s*[\"'`]([\w:-]+)"
    if block is None:
        return ""
    text = (block.text or b"")[:200_000]
    whole = re.compile(pattern.encode())
    found = next((m for at in places(text, variable.encode()) if (m := whole.match(text, at))), None)
    return found[1].decode() if found else ""
