"""Options and sub-commands of Python programs: argparse and its kin, wrappers round them, hand-written parsers."""

from __future__ import annotations

import re

from tree_sitter import Node, QueryCursor

from docalign_actors.engine.code.options import python_commands
from docalign_actors.engine.code.options.common import (
    PASSTHROUGH,
    add_command,
    add_option,
    collect_quoted_flags,
    flags_in,
    mark_opaque,
)
from docalign_actors.engine.code.options.python_text import (
    Scopes,
    callee,
    enclosing_function,
    keywords,
    literal_value,
    parameters,
    positional,
    string_value,
    strings_of,
)
from docalign_actors.engine.code.source import Source, holds_any, line_of, query, text_of
from docalign_actors.engine.facts import FileFacts
from docalign_actors.engine.roles import is_own_code

_WORDS = (
    *(quote + space + b"-" for quote in (b'"', b"'") for space in (b"", b" ", b"/", b"  ", b" /", b"/ ", b"//")),
    b"argparse", b"sys.argv", b"optparse", b"add_argument", b"click", b"typer", b"cyclopts", b"fire", b"absl", b"tornado.options",
    b"DEFINE_", b"docopt", b"add_parser", b".command(", b"getopt", b"ommands", b"OMMANDS",
)  # fmt: skip
"""Without one of these nothing can match."""
_WORTH_A_LOOK = re.compile(
    rb"""["'][ /]{0,2}--?[A-Za-z0-9]|argparse|sys\.argv|optparse|add_argument|\bclick\b|\btyper\b"""
    rb"|cyclopts|\bfire\b|\babsl\b|tornado\.options|DEFINE_|docopt|add_parser|\.command\(|getopt|(?i:commands\s{0,4}=)"
)
_NAMED = re.compile(rb"add_parser|add_subparsers|add_argument|add_option|DEFINE_|getopt|docopt|tornado")
_QUOTED_DASH = re.compile(rb"""["'][ /]{0,2}--?[A-Za-z0-9]""")
_FLAG_CALLS = """
(call arguments: (argument_list (string (string_content) @text (#match? @text "^[ /]?[ /]?--?[A-Za-z0-9]")))) @call
"""
_NAMED_CALLS = """
(call function: (_) @name (#match? @name
  "(add_parser|add_subparsers|add_argument(_group)?|add_mutually_exclusive_group|add_option|DEFINE_[a-z_]+|getopt|docopt|define)$"))
  @call
"""
_NOT_REGISTRATION = frozenset(
    [
        "startswith", "endswith", "append", "replace", "split", "rsplit", "join", "index", "count", "get", "find", "strip",
        "lstrip", "rstrip", "removeprefix", "removesuffix", "remove", "insert", "extend", "print", "echo", "secho", "format",
        "partition", "rpartition", "run", "call", "check_call", "check_output", "Popen", "getattr", "setattr", "execute",
        "system", "invoke", "main", "info", "debug", "warning", "error", "warn", "exception", "fail", "search", "match", "sub",
        "compile", "fullmatch", "findall", "ljust", "rjust", "encode", "has_option", "parametrize", "skipif", "exit",
        "session_run"
    ]
)  # fmt: skip
_NO_VALUE = frozenset({"store_true", "store_false", "store_const", "append_const", "count", "help", "version"})
_OPAQUE_MODULES = re.compile(
    rb"^\s*(?:from|import)\s+(fire|jsonargparse|tyro|simple_parsing|tap|defopt|plac|hydra|traitlets|pydantic_cli|configargparse_ext)\b",
    re.MULTILINE,
)
_PASSES_ON = re.compile(
    rb"parse_known_args|REMAINDER|ignore_unknown_options|allow_extra_args|allow_interspersed_args|UNPROCESSED|parse_known_intermixed"
)


def collect(source: Source, facts: FileFacts) -> None:
    """The options and sub-commands that a Python file registers."""
    data = source.data
    in_django_command = "/management/commands/" in f"/{source.path}"
    if not is_own_code(source.path) or not (
        in_django_command or (holds_any(data, _WORDS) and _WORTH_A_LOOK.search(data))
    ):
        return
    if in_django_command and (b"BaseCommand" in data or b"handle(" in data):
        add_command(facts, source.path.rsplit("/", 1)[-1].removesuffix(".py"), 1)
    if _OPAQUE_MODULES.search(data) or b"CliApp" in data or b"cli_parse_args" in data:
        mark_opaque(facts, "options", "commands")
    if _PASSES_ON.search(data):
        mark_opaque(facts, PASSTHROUGH)
    scopes = _read_named_calls(source, facts) if _NAMED.search(data) else Scopes()
    owners = python_commands.collect(source, facts)
    if re.search(rb"(?i)commands\b[^=\n]{0,60}=\s{0,4}\{", data):
        python_commands.collect_tables(source, facts)
    if _QUOTED_DASH.search(data):
        _read_flag_calls(source, facts, scopes, owners)
    collect_quoted_flags(source, facts)


def _read_named_calls(source: Source, facts: FileFacts) -> Scopes:
    """Sub-parsers and everything else that is known by its name. Gives the sub-command that each parser variable stands for."""
    scopes = Scopes()
    for _, captures in source.matches(_NAMED_CALLS):
        call = captures["call"][0]
        receiver, name = callee(call)
        if name == "add_parser":
            _read_sub_parser(call, receiver, scopes, facts)
        elif name == "add_subparsers" or name == "add_argument_group" or name == "add_mutually_exclusive_group":
            scopes.assign(call, scopes.find(call, receiver) or "")
        elif name in ("add_argument", "add_option"):
            _note_unreadable(call, facts)
        elif name.startswith("DEFINE_"):
            _read_absl(call, name, facts)
        elif name in ("getopt", "gnu_getopt"):
            _read_getopt(call, facts)
        elif name == "define" and b"tornado" in source.data:
            _read_tornado(call, facts)
        elif name == "docopt":
            _read_docopt(source, facts)
    return scopes


def _read_sub_parser(call: Node, receiver: str, scopes: Scopes, facts: FileFacts) -> None:
    arguments = positional(call)
    named = keywords(call)
    name = string_value(arguments[0]) if arguments else string_value(named.get("name"))
    if name is None:
        if not _read_wrapped_parser(call, arguments, facts):
            mark_opaque(facts, "commands", "options")
        return
    parent = scopes.find(call, receiver) or ""
    add_command(facts, name, line_of(call), parent=parent, aliases=strings_of(named.get("aliases")))
    scopes.assign(call, f"{parent} {name}".strip())


def _read_wrapped_parser(call: Node, arguments: list[Node], facts: FileFacts) -> bool:
    """`def add(name): return subparsers.add_parser(name)`: the calls of `add` name the sub-commands."""
    function = enclosing_function(call)
    if function is None or not arguments or arguments[0].type != "identifier":
        return False
    named = [parameter.name for parameter, _ in parameters(function)]
    name, wrapper = text_of(arguments[0]), function.child_by_field_name("name")
    if name not in named or wrapper is None:
        return False
    outer, root = named.index(name), function
    while root.parent is not None:
        root = root.parent
    pattern = query("python", f'(call function: (_) @f (#match? @f "(^|[.]){text_of(wrapper)}$")) @call')
    for inner in QueryCursor(pattern).captures(root).get("call", ()):
        given = positional(inner)
        at = outer - 1 if named[0] in ("self", "cls") else outer
        text = string_value(given[at]) if at < len(given) else string_value(keywords(inner).get(name))
        if text is not None:
            add_command(facts, text, line_of(inner))
    return True


def _note_unreadable(call: Node, facts: FileFacts) -> None:
    """`add_argument(name)` in a loop hides its flags; `add_argument(*args)` in a wrapper does not: its callers show them."""
    arguments = positional(call)
    if not arguments or string_value(arguments[0]) is not None:
        return
    first = arguments[0]
    if first.type in ("list_splat", "identifier"):
        name = text_of(first).lstrip("*")
        function = enclosing_function(call)
        listed = function.child_by_field_name("parameters") if function is not None else None
        if listed is not None and re.search(rf"\b{re.escape(name)}\b", text_of(listed)):
            return
    if first.type == "call" and callee(first)[1] in ("make_option", "Option"):
        return
    mark_opaque(facts, "options")


def _read_absl(call: Node, name: str, facts: FileFacts) -> None:
    arguments = positional(call)
    named = keywords(call)
    flag = string_value(arguments[0]) if arguments else string_value(named.get("name"))
    if flag is None:
        return
    boolean = name in ("DEFINE_bool", "DEFINE_boolean")
    names = [f"--{flag}", f"--no{flag}"] if boolean else [f"--{flag}"]
    short = string_value(named.get("short_name"))
    default = arguments[1] if len(arguments) > 1 else named.get("default")
    choices = strings_of(arguments[2]) if name == "DEFINE_enum" and len(arguments) > 2 else []
    add_option(
        facts, [*names, *([f"-{short}"] if short else [])], line_of(call),
        default=literal_value(default), takes_value=not boolean, choices=choices,
    )  # fmt: skip


def _read_tornado(call: Node, facts: FileFacts) -> None:
    """`define("max_tasks", default=5)` takes `--max_tasks` and `--max-tasks`."""
    arguments = positional(call)
    name = string_value(arguments[0]) if arguments else None
    if name is not None:
        default = keywords(call).get("default") or (arguments[1] if len(arguments) > 1 else None)
        add_option(facts, [f"--{name}", f"--{name.replace('_', '-')}"], line_of(call), default=literal_value(default))


def _read_getopt(call: Node, facts: FileFacts) -> None:
    arguments = positional(call)
    shorts = string_value(arguments[1]) if len(arguments) > 1 else None
    for letter in re.findall(r"[A-Za-z0-9]", shorts or ""):
        add_option(facts, [f"-{letter}"], line_of(call))
    for name in strings_of(arguments[2]) if len(arguments) > 2 else []:
        add_option(facts, [f"--{name.rstrip('=')}"], line_of(call), takes_value=name.endswith("="))


def _read_docopt(source: Source, facts: FileFacts) -> None:
    """Options and words of the usage text, from the first string of the file that has one."""
    start = re.search(rb"usage:", source.data, re.IGNORECASE)
    if start is None:
        return
    line = source.data.count(b"\n", 0, start.start()) + 1
    text = source.data[start.start() : start.start() + 20_000].split(b'"""')[0].decode("utf-8", "replace")
    for number, row in enumerate(text.split("\n")):
        for flag in re.findall(r"(?<![\w-])--?[A-Za-z][\w-]*", row[:2000]):
            add_option(facts, [flag], line + number)
        words = re.sub(r"[\[\]()|]", " ", row[:2000]).split()
        if number and words and not row.lstrip().startswith("-"):
            for word in words[1:]:
                if not re.fullmatch(r"[a-z][a-z0-9_-]*", word):
                    break
                add_command(facts, word, line + number)


def _read_flag_calls(source: Source, facts: FileFacts, scopes: Scopes, owners: dict[int, str]) -> None:
    """Every call with flags among its arguments: `add_argument`, `click.option`, or whatever wrapper is put round them."""
    seen: set[int] = set()
    for _, captures in source.matches(_FLAG_CALLS):
        call = captures["call"][0]
        if call.id in seen:
            continue
        seen.add(call.id)
        receiver, name = callee(call)
        if name not in _NOT_REGISTRATION:
            _read_flag_call(call, receiver, name, scopes, owners, facts)


def _read_flag_call(
    call: Node, receiver: str, name: str, scopes: Scopes, owners: dict[int, str], facts: FileFacts
) -> None:
    arguments = positional(call)
    texts = [string_value(argument) for argument in arguments]
    first = next((i for i, t in enumerate(texts) if t is not None and re.match(r"[ /]*-", t)), -1)
    registers = name in ("Option", "option", "add_argument", "add_option", "addoption", "Parameter")
    if first < 0 or (first and not registers and any(t is not None for t in texts[:first])):
        return
    names = [flag for text in texts if text and re.match(r"[ /]*-", text) for flag in flags_in(text.lstrip(" /"))]
    named = keywords(call)
    action = text_of(named["action"]).strip("'\"") if "action" in named else ""
    if action.endswith("BooleanOptionalAction"):
        names += [f"--no-{n[2:]}" for n in names if n.startswith("--")]
    is_flag = action in _NO_VALUE or action.endswith("BooleanOptionalAction") or any("/" in (t or "") for t in texts)
    is_flag = is_flag or text_of(named["is_flag"]) == "True" if "is_flag" in named else is_flag
    default = named.get("default")
    if default is None and name == "Option" and first == 1:
        default = arguments[0]
    envs = strings_of(named.get("envvar") or named.get("env_var") or named.get("env"))
    add_option(
        facts, names, line_of(call),
        default=literal_value(default), command=_command_of(call, receiver, scopes, owners),
        takes_value=not (is_flag or "count" in named), env=envs[0] if envs else "", choices=_choices(named),
    )  # fmt: skip


def _choices(named: dict[str, Node]) -> list[str]:
    """`choices=[...]`, or `type=click.Choice([...])`."""
    if "choices" in named:
        return strings_of(named["choices"])
    kind = named.get("type")
    if kind is not None and kind.type == "call" and callee(kind)[1] == "Choice":
        arguments = positional(kind)
        return strings_of(arguments[0]) if arguments else []
    return []


def _command_of(call: Node, receiver: str, scopes: Scopes, owners: dict[int, str]) -> str:
    """The sub-command an option belongs to: by its parser's variable, or by the decorated function."""
    known = scopes.find(call, receiver)
    if known is not None:
        return known
    parent = call.parent
    while parent is not None:
        if parent.id in owners:
            return owners[parent.id]
        if parent.type in ("class_definition", "module"):
            break
        parent = parent.parent
    return ""
