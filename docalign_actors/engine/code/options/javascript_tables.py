"""Options that JavaScript programs declare as tables: oclif, meow, minimist, arg, citty, parseArgs, yargs command modules."""

from __future__ import annotations

import re

from tree_sitter import Node

from docalign_actors.engine.code.options.common import (
    FLAG,
    add_command,
    add_option,
    dashed,
    flags_in,
    kebab,
    mark_opaque,
)
from docalign_actors.engine.code.options.javascript_text import (
    arguments_of,
    entry,
    literal_value,
    method_of,
    pairs_of,
    string_value,
    strings_of,
)
from docalign_actors.engine.code.source import Source, holds_any, line_of, places, text_of
from docalign_actors.engine.facts import FileFacts, Option

_TABLE_CALL = re.compile(
    r"(^|[.])(meow|minimist|mri|parseArgs|getopts|arg|defineCommand|parse|parser|yargsParser|yargs)$"
    r"|^require.*(minimist|mri|getopts|yargs-parser|arg|meow).{2}$"
)
_STATIC = {
    "javascript": "(field_definition property: (_) @name value: (_) @value)",
    "typescript": "(public_field_definition name: (_) @name value: (_) @value)",
}
_EXPORTS = """
(assignment_expression left: (member_expression property: (property_identifier) @name) right: (_) @value
  (#match? @name "^(command|builder|aliases|flags|args)$"))
(variable_declarator name: (identifier) @name value: (_) @value (#match? @name "^(command|builder|aliases|flags|options)$"))
"""
_MODULES = '(object (pair key: (property_identifier) @key (#eq? @key "command"))) @object'
_ARGV = """
(member_expression object: (identifier) @object property: (property_identifier) @name
  (#match? @object "^(argv|args|flags|opts|options)$"))
(subscript_expression object: (identifier) @object index: (string (string_fragment) @name)
  (#match? @object "^(argv|args|flags|opts|options)$"))
"""
_HELD_ARGV = re.compile(rb"(?<!process)\.argv\.([A-Za-z]\w{1,60})\b(?!\s*\()")
"""`program.argv.outfile`, in a file that is handed what another one has parsed."""
_FLAG_PAIRS = """
(pair value: (call_expression function: (member_expression object: (identifier) @object)) @value (#eq? @object "Flags")) @pair
"""
_COMMAND_CLASS = re.compile(rb"export default (?:abstract )?class \w+ extends \w*Command\b")
_TABLE_WORDS = (b"meow", b"minimist", b"parseArgs", b"getopts", b"defineCommand", b"yargs-parser")
_FLAG_KEY = re.compile(rb"[\"'`]--?[\w-]+[\"'`]\s*:")
_LIST_KEYS = ("string", "boolean", "number", "array", "collect")
_PARSER_WORDS = re.compile(rb"minimist|optimist|\bmri\b|yargs-parser|yargs\b")


def collect(source: Source, facts: FileFacts) -> None:
    """Reads every kind of table that the file's words point to."""
    data = source.data
    if holds_any(data, _TABLE_WORDS) or re.search(rb"\bmri\b|[\"'`]arg[\"'`]", data):
        for call in source.nodes("call_expression"):
            function = call.child_by_field_name("function")
            if function is not None and function.is_named and _TABLE_CALL.search(text_of(function)):
                _read_table_call(call, facts)
    made = b"Flags." in data and re.search(rb"\bFlags\.\w+\(", data) is not None
    if made or holds_any(data, (b"oclif", b"clipanion")) or _is_command_file(source):
        _read_classes(source, facts)
    if made:
        _read_made_flags(source, facts)
    if b"builder" in data or b"yargs" in data:
        _read_modules(source, facts)
    if holds_any(data, (b"minimist", b"optimist", b"yargs-parser")) or re.search(rb"\bmri\b", data):
        _read_uses(source, facts)
    if b".argv." in data:
        _read_held(source, facts)
    if any(_FLAG_KEY.match(data, at) for start in (b'"-', b"'-", b"`-") for at in places(data, start)):
        _read_flag_keys(source, facts)


def add_table_option(name: str, table: Node | None, line: int, facts: FileFacts, *, command: str = "") -> None:
    """One entry of a table: `port: {alias: "p", default: 8080}`; the name may be written in camel case."""
    names = [dashed(name), dashed(kebab(name))] if len(name) > 1 else [f"-{name}"]
    default, env, choices, kind = None, "", list[str](), ""
    for key, value in pairs_of(table):
        if key in ("alias", "aliases", "short", "shortFlag", "char", "shorthand"):
            names += [dashed(alias) for alias in strings_of(value)]
        elif key in ("default", "defaultValue"):
            default = literal_value(value)
        elif key in ("env", "envVar"):
            env = string_value(value) or ""
        elif key in ("choices", "options", "enum"):
            choices = strings_of(value)
        elif key == "type":
            kind = text_of(value).strip("'\"").lower()
        elif key == "boolean" and text_of(value) == "true":
            kind = "boolean"
    if kind == "boolean":
        names += [f"--no-{n[2:]}" for n in names if n.startswith("--")]
    add_option(
        facts, names, line, default=default, command=command, takes_value=(kind != "boolean") if kind else None,
        env=env, choices=choices,
    )  # fmt: skip


def _read_table_call(call: Node, facts: FileFacts) -> None:
    name = method_of(call)
    arguments = arguments_of(call)
    tables = [a for a in arguments if a.type == "object"]
    if name == "meow":
        _read_help_text(string_value(arguments[0]) if arguments else None, line_of(call), facts)
    for table in tables[-1:]:
        for key, value in pairs_of(table):
            if key in ("flags", "options", "args") and value.type == "object":
                _read_entries(value, facts, positional_too=key != "args")
            elif key in _LIST_KEYS:
                for flag in strings_of(value):
                    add_option(facts, [dashed(flag), dashed(kebab(flag))], line_of(value), takes_value=key != "boolean")
            elif key == "alias":
                for flag, others in pairs_of(value):
                    add_option(facts, [dashed(flag), *(dashed(other) for other in strings_of(others))], line_of(others))
            elif key == "default":
                for flag, given in pairs_of(value):
                    add_option(facts, [dashed(flag)], line_of(given), default=literal_value(given))
            elif key == "subCommands":
                for sub, given in pairs_of(value):
                    add_command(facts, sub, line_of(given))
            elif key == "meta" and name == "defineCommand":
                meta = string_value(entry(value, "name"))
                if meta:
                    add_command(facts, meta, line_of(value))


def _read_entries(table: Node, facts: FileFacts, *, positional_too: bool, command: str = "") -> None:
    for name, value in pairs_of(table):
        if name == "...":
            mark_opaque(facts, "options")
        elif positional_too or string_value(entry(value, "type")) != "positional":
            add_table_option(name, value, line_of(value), facts, command=command)


def _read_help_text(text: str | None, line: int, facts: FileFacts) -> None:
    for number, row in enumerate((text or "").split("\n")):
        stripped = row[:500].strip()
        if stripped.startswith("-") and (names := flags_in(stripped)):
            add_option(facts, names, line + number)


def _read_classes(source: Source, facts: FileFacts) -> None:
    """oclif: `static flags = {port: Flags.integer({char: "p"})}`, the command's name is the file's; clipanion: `static paths`."""
    command = ""
    if (place := f"/{source.path}".find("/commands/")) >= 0:
        words = source.path[place + len("commands/") :].rsplit(".", 1)[0].split("/")
        words = words[:-1] if words[-1] == "index" else words
        command = " ".join(words)
        if words and (b"extends" in source.data):
            add_command(facts, words[-1], 1, parent=" ".join(words[:-1]), aliases=[":".join(words)])
    for _, captures in source.matches(_STATIC["javascript" if source.language == "javascript" else "typescript"]):
        name, value = text_of(captures["name"][0]), captures["value"][0]
        if name in ("flags", "baseFlags", "globalFlags") and value.type == "object":
            _read_oclif_flags(value, command, facts)
        elif name == "aliases":
            for alias in strings_of(value):
                add_command(facts, alias, line_of(value))
        elif name == "paths" and value.type == "array":
            for path in value.named_children:
                words = strings_of(path)
                if words:
                    add_command(facts, words[-1], line_of(path), parent=" ".join(words[:-1]))


def _is_command_file(source: Source) -> bool:
    """A file below `commands` that offers a command's class, whatever class of the program's own it extends."""
    return "/commands/" in f"/{source.path}" and _COMMAND_CLASS.search(source.data) is not None


def _read_made_flags(source: Source, facts: FileFacts) -> None:
    """Flags of oclif in a table that stands by itself, or that a function returns for several commands."""
    known = {option.line for option in facts.options}
    for _, captures in source.matches(_FLAG_PAIRS):
        table = captures["pair"][0].parent
        line = line_of(captures["value"][0])
        if table is not None and line not in known:
            known |= {line_of(value) for _, value in pairs_of(table)}
            _read_oclif_flags(table, "", facts)


def _read_oclif_flags(table: Node, command: str, facts: FileFacts) -> None:
    for name, value in pairs_of(table):
        if name == "...":
            continue
        arguments = arguments_of(value) if value.type == "call_expression" else []
        before = len(facts.options)
        add_table_option(name, arguments[0] if arguments else None, line_of(value), facts, command=command)
        if method_of(value) == "boolean" and len(facts.options) > before:
            option = facts.options.pop()
            negated = [f"--no-{n[2:]}" for n in option.names if n.startswith("--")]
            add_option(
                facts, [*option.names, *negated], option.line, default=option.default, command=command,
                takes_value=False, env=option.env,
            )  # fmt: skip


def _read_modules(source: Source, facts: FileFacts) -> None:
    """yargs command modules: `exports.command = "serve"`, `exports.builder = {…}`, `{command: "serve", builder: {…}}`."""
    for _, captures in source.matches(_EXPORTS):
        _read_module_entry(text_of(captures["name"][0]), captures["value"][0], facts)
    if b"handler" in source.data:
        for _, captures in source.matches(_MODULES):
            for key, value in pairs_of(captures["object"][0]):
                if key in ("command", "builder"):
                    _read_module_entry(key, value, facts)


def _read_module_entry(name: str, value: Node, facts: FileFacts) -> None:
    if name == "command":
        names = [words[0] for text in strings_of(value) if (words := text.split()) and words[0] != "$0"]
        if names:
            add_command(facts, names[0], line_of(value), aliases=names[1:])
    elif name == "builder" and value.type == "object":
        _read_entries(value, facts, positional_too=True)


def _read_uses(source: Source, facts: FileFacts) -> None:
    """minimist and the like accept anything; what the program looks up in the result is what it takes."""
    named = set(
        re.findall(
            rb"(\w+)\s*=\s*(?:require\(['\"](?:minimist|optimist|mri|yargs-parser|yargs)['\"]\)|minimist|mri|parser|yargs|optimist)\b",
            source.data,
        )
    )
    names = {name.decode() for name in named} | {"argv"}
    seen: set[str] = set()
    for _, captures in source.matches(_ARGV):
        name = text_of(captures["name"][0])
        if (
            text_of(captures["object"][0]) in names
            and name not in seen
            and name not in ("_", "length", "slice", "forEach", "map")
        ):
            seen.add(name)
            flags = [dashed(name), dashed(kebab(name))] if len(name) > 1 else [f"-{name}"]
            add_option(facts, flags, line_of(captures["name"][0]))


def _read_held(source: Source, facts: FileFacts) -> None:
    """What a file looks up in arguments that were parsed elsewhere: nobody is to call it missing."""
    known = {name for option in facts.options for name in option.names}
    line, position = 1, 0
    for match in _HELD_ARGV.finditer(source.data):
        line, position = line + source.data.count(b"\n", position, match.start()), match.start()
        name = match[1].decode()
        flags = tuple(dict.fromkeys((dashed(name), dashed(kebab(name)))))
        if name != "length" and known.isdisjoint(flags):
            known.update(flags)
            facts.options.append(Option(flags, line, literal=True))


def _read_flag_keys(source: Source, facts: FileFacts) -> None:
    """arg: `{"--port": Number, "-p": "--port"}`."""
    for _, captures in source.matches("(pair key: (string (string_fragment) @key) value: (_) @value)"):
        key, value = text_of(captures["key"][0]), captures["value"][0]
        if FLAG.match(key):
            add_option(facts, [key, *(n for n in strings_of(value) if FLAG.match(n))], line_of(value))
