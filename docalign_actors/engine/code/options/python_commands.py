"""Commands that are Python functions: click, typer, cyclopts. Typer and cyclopts make options out of their parameters."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from docalign_actors.engine.code.options.common import add_command, add_option, mark_opaque
from docalign_actors.engine.code.options.python_text import (
    Parameter,
    callee,
    keywords,
    literal_value,
    parameters,
    positional,
    string_value,
    strings_of,
)
from docalign_actors.engine.code.source import Source, holds_any, line_of, text_of
from docalign_actors.engine.facts import FileFacts

_COMMANDS = """
(decorated_definition (decorator) @decorator definition: (function_definition) @function) @whole
"""
_MOUNTS = """
(call function: (attribute attribute: (identifier) @name) (#match? @name "^(add_command|add_typer|command)$")) @call
"""
_APPS = '(assignment right: (call function: (_) @name) @call (#match? @name "(Typer|App|Group|Command)$"))'
_TABLES = """
(assignment left: (identifier) @name right: (dictionary) @value (#match? @name "(^|_)([Cc]ommands|COMMANDS)$"))
"""
_FRAMEWORKS = re.compile(rb"\bclick\b|\btyper\b|\bcyclopts\b|\.command\b|\.group\b|add_command|add_typer")
_FRAMEWORK_WORDS = (b"click", b"typer", b"cyclopts", b".command", b".group", b"add_command", b"add_typer")
_SUFFIX = re.compile(r"-(command|cmd|group|grp)$")
_LOADED_LATE = re.compile(rb"def (get_command|list_commands)\(|MultiCommand|with_plugins|lazy_subcommands|LazyGroup")
_NOT_OPTIONS = re.compile(r"\b(Context|Argument|CallbackParam)\b")
_EXPLICIT = re.compile(r"""["'](--?[A-Za-z0-9][\w/ -]*)["']""")


def collect_tables(source: Source, facts: FileFacts) -> None:
    """`COMMANDS = {"serve": …}`: a table that sub-commands are made from. The keys of nested tables are commands too."""
    for _, captures in source.matches(_TABLES):
        _read_table(captures["value"][0], "", facts, depth=0)


def _read_table(table: Node, parent: str, facts: FileFacts, depth: int) -> None:
    for pair in table.named_children[:200]:
        key, value = pair.child_by_field_name("key"), pair.child_by_field_name("value")
        name = string_value(key) if pair.type == "pair" else None
        if name is None or not re.fullmatch(r"[a-z][a-z0-9]*(?:[-_:][a-z0-9]+)*", name):
            continue
        add_command(facts, name, line_of(pair), parent=parent)
        if value is not None and value.type == "dictionary" and depth < 3:
            _read_table(value, f"{parent} {name}".strip(), facts, depth + 1)


def collect(source: Source, facts: FileFacts) -> dict[int, str]:
    """Sub-commands, and the options that parameters stand for. Gives the command of each decorated function by node id."""
    owners: dict[int, str] = {}
    if not holds_any(source.data, _FRAMEWORK_WORDS) or not _FRAMEWORKS.search(source.data):
        return owners
    if _LOADED_LATE.search(source.data) or (b"click" in source.data and b"entry_points" in source.data):
        mark_opaque(facts, "commands", "options")
    by_function: dict[str, str] = {}
    roots = _application_names(source, facts)
    by_parameters = b"typer" in source.data or b"cyclopts" in source.data
    for whole, decorator, call, function in _decorated(source):
        receiver, role = _role(decorator)
        name = function.child_by_field_name("name")
        if role not in ("command", "group", "callback", "default", "meta") or name is None:
            continue
        parent = by_function.get(receiver, roots.get(receiver, ""))
        path = parent
        if role in ("command", "group"):
            path = _read_command(call, text_of(name), parent, facts)
            by_function[text_of(name)] = "" if receiver in ("click", "") and role == "group" else path
            if receiver in ("click", "") and role == "group":
                path = ""
        owners[whole.id] = path
        if by_parameters and receiver != "click":
            _read_parameters(function, path, facts, every=b"cyclopts" in source.data)
    _read_mounts(source, facts)
    return owners


def _application_names(source: Source, facts: FileFacts) -> dict[str, str]:
    """`app = typer.Typer(name="db")`: the commands of `app` hang below `db`, unless it is the root; the name alone is kept."""
    found: dict[str, str] = {}
    for _, captures in source.matches(_APPS):
        call = captures["call"][0]
        name = string_value(keywords(call).get("name"))
        left = call.parent.child_by_field_name("left") if call.parent is not None else None
        if name and left is not None and callee(call)[1] in ("Typer", "App"):
            add_command(facts, name, line_of(call), program=name)
            found[text_of(left)] = ""
    return found


def _decorated(source: Source) -> Iterator[tuple[Node, Node, Node | None, Node]]:
    """(definition, the decorator's expression, its call if it is one, the function)."""
    for _, captures in source.matches(_COMMANDS):
        expression = captures["decorator"][0].named_children[0]
        call = expression if expression.type == "call" else None
        yield captures["whole"][0], expression, call, captures["function"][0]


def _role(expression: Node) -> tuple[str, str]:
    """(receiver, `command` or `group` …) of a decorator."""
    if expression.type == "call":
        return callee(expression)
    if expression.type == "attribute":
        receiver, _, name = text_of(expression).rpartition(".")
        return receiver, name
    return "", text_of(expression)[:80]


def _read_command(call: Node | None, function: str, parent: str, facts: FileFacts) -> str:
    """Writes the command down; gives its path."""
    arguments = positional(call) if call is not None else []
    named = keywords(call) if call is not None else {}
    names = strings_of(arguments[0]) if arguments else strings_of(named.get("name"))
    aliases = [*names[1:], *strings_of(named.get("alias")), *strings_of(named.get("aliases"))]
    if not names:
        plain = function.lower().strip("_").replace("_", "-")
        names = [_SUFFIX.sub("", plain)]
        aliases.append(plain)
    line = line_of(call) if call is not None else 1
    add_command(facts, names[0], line, parent=parent, aliases=aliases)
    return f"{parent} {names[0]}".strip()


def _read_mounts(source: Source, facts: FileFacts) -> None:
    """`cli.add_command(fn, name="x")`, `app.add_typer(sub, name="db")`, `app.command(fn, name="x")`, `app.command(name=…)(fn)`."""
    for _, captures in source.matches(_MOUNTS):
        call = captures["call"][0]
        if call.parent is not None and call.parent.type == "decorator":
            continue
        arguments = positional(call)
        named = keywords(call)
        name = string_value(named.get("name"))
        if name is None and len(arguments) > 1:
            name = string_value(arguments[1])
        if name is None and arguments and callee(call)[1] == "command" and callee(call)[0] != "click":
            name = string_value(arguments[0])
        if name is not None:
            add_command(facts, name, line_of(call))
        elif "name" in named or (callee(call)[1] == "add_command" and len(arguments) > 1):
            mark_opaque(facts, "commands")


def _read_parameters(function: Node, path: str, facts: FileFacts, *, every: bool) -> None:
    """Parameters as options. `every`: the framework lets any parameter be given by name."""
    for parameter, keyword_only in parameters(function):
        written = parameter.annotation + (text_of(parameter.default)[:400] if parameter.default is not None else "")
        if parameter.name in ("self", "ctx") or (_NOT_OPTIONS.search(written) and "Option(" not in written):
            continue
        if 'name="*"' in written or 'Parameter("*")' in written:
            mark_opaque(facts, "options")
            continue
        declared = [part.strip() for text in _EXPLICIT.findall(written) for part in text.split("/")]
        explicit = [flag for flag in declared if flag.startswith("-")]
        if not (
            explicit
            or every
            or keyword_only
            or parameter.default is not None
            or "Option" in written
            or parameter.type is not None
        ):
            continue
        _add_parameter(parameter, explicit, written, path, facts)


def _add_parameter(parameter: Parameter, explicit: list[str], written: str, path: str, facts: FileFacts) -> None:
    flag = "--" + parameter.name.strip("_").replace("_", "-").lower()
    names = list(explicit)
    if not any(name.startswith("--") for name in explicit):
        names.append(flag)
    boolean = bool(re.match(r"(Annotated\[\s*)?(Optional\[\s*)?bool\b", parameter.annotation))
    if boolean and not any(name.startswith("--no-") for name in names):
        names += [f"--no-{name[2:]}" for name in names if name.startswith("--")]
    env = re.search(r"""env_?var\s*=\s*\[?\s*["'](\w+)["']""", written)
    add_option(
        facts, names, parameter.line, default=_default(parameter), command=path, takes_value=not boolean,
        env=env[1] if env else "",
    )  # fmt: skip


def _default(parameter: Parameter) -> str | None:
    node = parameter.default
    if node is not None and node.type == "call" and callee(node)[1] == "Option":
        arguments = positional(node)
        return literal_value(arguments[0] if arguments else keywords(node).get("default"))
    return literal_value(node)
