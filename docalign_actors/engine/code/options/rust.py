"""Options and sub-commands of Rust programs: clap (derive and builder), structopt, argh, getopts, hand-written parsers."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from docalign_actors.engine.code.options import rust_derive
from docalign_actors.engine.code.options.common import (
    PASSTHROUGH,
    add_command,
    add_option,
    collect_quoted_flags,
    dashed,
    flags_in,
    mark_opaque,
)
from docalign_actors.engine.code.source import Source, holds_any, line_of, text_of
from docalign_actors.engine.facts import FileFacts
from docalign_actors.engine.roles import is_own_code

_WORDS = (
    b'"-', b"'-", b"clap", b"env::args", b"structopt", b"StructOpt", b"argh", b"lexopt",
    b"pico_args", b"getopts", b"gumdrop", b"bpaf",
    b"Arg::", b"Long(", b"fn long", b"fn name_long", b"#[arg(", b"#[command(",
)  # fmt: skip
"""Without one of these nothing can match."""
_PASSES_ON = (
    b"external_subcommand", b"AllowExternalSubcommands", b"trailing_var_arg", b"TrailingVarArg", b"allow_hyphen_values",
)  # fmt: skip
_MAKES = (b"Arg::", b"Command::", b"App::", b"Flag::")
_NAMING = tuple(
    b"fn " + before + name for before in (b"", b"name_") for name in (b"long", b"short", b"negated", b"aliases")
)
_WORTH_A_LOOK = re.compile(
    rb"""["']--?[A-Za-z0-9]|\bclap\b|env::args|structopt|StructOpt|\bargh\b|lexopt|pico_args|getopts|gumdrop|bpaf"""
    rb"|Arg::|Long\(|fn (?:name_)?long|#\[(?:arg|clap|command|structopt|argh)\("
)
_BUILDERS = """
(call_expression function: (scoped_identifier path: (_) @path name: (identifier) @name)
  (#match? @path "(^|::)(Arg|Command|App|SubCommand|Flag)$") (#match? @name "^(new|with_name|from_usage)$")) @call
"""
_PATTERNS = """
(tuple_struct_pattern type: (_) @name (#match? @name "(^|::)(Long|Short)$")) @pattern
"""
_CALLS = """
(call_expression
  function: [(field_expression field: (field_identifier) @name) (identifier) @name (scoped_identifier name: (identifier) @name)]
  (#match? @name "^(opt(opt|flag|multi|flagopt|flagmulti)|reqopt|long|contains|(opt_)?values?_from_(str|fn|os_str))$")) @call
"""
_CLAP_METHODS = frozenset(
    {"about", "long_about", "subcommand", "subcommands", "version", "author", "get_matches", "visible_alias"}
)
_PROCESS_METHODS = frozenset(
    {"output", "status", "spawn", "current_dir", "stdin", "stdout", "stderr", "env", "envs", "env_clear"}
)
_METHODS = """
(function_item name: (identifier) @name body: (block) @body
  (#match? @name "^(name_)?(long|short|negated|long_name|short_name|aliases)$"))
"""


def collect(source: Source, facts: FileFacts) -> None:
    """The options and sub-commands that a Rust file registers."""
    data = source.data
    if not is_own_code(source.path) or not holds_any(data, _WORDS) or not _WORTH_A_LOOK.search(data):
        return
    if holds_any(data, _PASSES_ON) or (b"last = true" in data and re.search(rb"\blast = true", data)):
        mark_opaque(facts, PASSTHROUGH)
    if b"clap_app!" in data or b"load_yaml!" in data:
        mark_opaque(facts, "options", "commands")
    if rust_derive.ATTRIBUTES.search(data):
        rust_derive.collect(source, facts)
    if holds_any(data, _MAKES) and re.search(rb"\b(Arg|Command|App|SubCommand|Flag)::(new|with_name|from_usage)", data):
        runs_programs = b"process::Command" in data and b"clap::Command" not in data
        for _, captures in source.matches(_BUILDERS):
            path = text_of(captures["path"][0])
            if not (path.endswith("Command") and (runs_programs or "process" in path)):
                _read_builder(captures["call"][0], path.rpartition(":")[2], facts, clap=b"clap" in data)
    if b"arg!(" in data and re.search(rb"\barg!\(", data):
        _read_arg_macros(source, facts)
    if holds_any(data, (b"Long(", b"Short(")) and re.search(rb"\b(Long|Short)\(", data):
        _read_patterns(source, facts)
    if holds_any(data, (b"getopts", b"pico_args", b"bpaf")) or (
        holds_any(data, (b"optopt", b"optflag")) and re.search(rb"\boptopt\b|\boptflag\b", data)
    ):
        _read_calls(source, facts)
    if holds_any(data, _NAMING):
        _read_methods(source, facts)
    collect_quoted_flags(source, facts)


def _string(node: Node | None) -> str | None:
    if node is None:
        return None
    text = text_of(node)
    if node.type == "string_literal":
        return text[1:-1]
    if node.type == "raw_string_literal":
        return text[text.find('"') + 1 : text.rfind('"')]
    if node.type == "char_literal":
        return text.strip("b'")
    return None


def _literal(node: Node | None) -> str | None:
    if node is None:
        return None
    if node.type in ("integer_literal", "float_literal", "boolean_literal", "negative_literal"):
        return text_of(node)
    return _string(node)


def _arguments(call: Node) -> list[Node]:
    listed = call.child_by_field_name("arguments")
    return [a for a in listed.named_children if not a.type.endswith("comment")] if listed is not None else []


def _strings(node: Node | None, limit: int = 100) -> list[str]:
    """Every string and character below a node."""
    found: list[str] = []
    stack = [node] if node is not None else []
    while stack and limit:
        limit -= 1
        current = stack.pop()
        text = _string(current)
        if text is not None:
            found.append(text)
        stack.extend(reversed(current.named_children))
    return found


def _chain(call: Node) -> Iterator[tuple[str, list[Node]]]:
    """The methods that are chained on a call, with their arguments."""
    node = call
    for _ in range(200):
        member = node.parent
        if (
            member is None
            or member.type != "field_expression"
            or member.parent is None
            or member.parent.type != "call_expression"
        ):
            return
        node = member.parent
        yield text_of(member.named_children[-1]), _arguments(node)


def _read_builder(call: Node, kind: str, facts: FileFacts, *, clap: bool) -> None:
    """`Arg::new("x").long("x").short('x').default_value("1")`, `Command::new("sub").alias("s")`."""
    arguments = _arguments(call)
    first = _string(arguments[0]) if arguments else None
    if kind in ("Command", "App", "SubCommand"):
        methods = {method for method, _ in _chain(call)}
        if methods & _PROCESS_METHODS or not (clap or methods & _CLAP_METHODS):
            return
        aliases = [
            alias
            for method, values in _chain(call)
            if "alias" in method
            for value in values
            for alias in _strings(value)
        ]
        if first is not None:
            add_command(facts, first, line_of(call), aliases=aliases, program=first if kind == "App" else "")
        elif kind == "SubCommand":
            mark_opaque(facts, "commands")
        return
    names = flags_in(first) if first and first.startswith("-") else []
    default, env, choices, takes_value = None, "", list[str](), None
    for method, values in _chain(call):
        given = _strings(values[0]) if values else []
        if method in (
            "long",
            "short",
            "visible_alias",
            "alias",
            "visible_aliases",
            "aliases",
            "short_alias",
            "visible_short_alias",
        ):
            names += [dashed(name) for name in given]
            if method == "long" and not given:
                mark_opaque(facts, "options")
        elif method == "default_value" and values:
            default = _literal(values[0])
        elif method == "env" and given:
            env = given[0]
        elif method in ("value_parser", "possible_values") and values:
            choices = given
        elif method == "action" and values:
            takes_value = not re.search(r"SetTrue|SetFalse|Count|Help|Version", text_of(values[0]))
        elif method == "takes_value" and values:
            takes_value = text_of(values[0]) == "true"
    add_option(facts, names, line_of(call), default=default, env=env, choices=choices, takes_value=takes_value)


def _read_arg_macros(source: Source, facts: FileFacts) -> None:
    """`arg!(-p --port <PORT> "The port")`."""
    for match in re.finditer(rb"\barg!\(([^;{}]{1,300})", source.data):
        text = match[1].decode("utf-8", "replace").split('"')[0]
        names = re.findall(r"(?<![\w-])--?[A-Za-z0-9][\w-]*", text)
        add_option(facts, names, source.data.count(b"\n", 0, match.start()) + 1, takes_value="<" in text or "[" in text)


def _read_patterns(source: Source, facts: FileFacts) -> None:
    """lexopt: `Short('p') | Long("port") => …`."""
    for _, captures in source.matches(_PATTERNS):
        pattern = captures["pattern"][0]
        add_option(facts, [dashed(name) for name in _strings(pattern)], line_of(pattern))


def _read_calls(source: Source, facts: FileFacts) -> None:
    """getopts: `opts.optopt("p", "port", …)`; pico-args: `contains(["-p", "--port"])`; bpaf: `long("port")`."""
    for _, captures in source.matches(_CALLS):
        call, method = captures["call"][0], text_of(captures["name"][0])
        arguments = _arguments(call)
        given = [text for argument in arguments[:2] for text in _strings(argument)]
        if method.startswith(("opt", "req")) and "_" not in method:
            names = [dashed(name) for name in given if name]
        elif method == "long":
            names = [dashed(name) for name in given] if b"bpaf" in source.data else []
        else:
            names = [name for name in given if name.startswith("-")]
        add_option(
            facts,
            names,
            line_of(call),
            takes_value=None if method == "long" else not method.startswith(("optflag", "contains")),
        )


def _read_methods(source: Source, facts: FileFacts) -> None:
    """A trait of one's own: `fn name_long(&self) -> &'static str { "port" }`."""
    for _, captures in source.matches(_METHODS):
        names = [name for name in _strings(captures["body"][0]) if re.fullmatch(r"[A-Za-z0-9?.][\w-]*", name)]
        for name in names:
            add_option(facts, [dashed(name)], line_of(captures["name"][0]))
