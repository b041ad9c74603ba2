"""Options in languages that are read for names only: flags in strings, tables of `getopt_long`, case labels of shell scripts."""

from __future__ import annotations

import re

from docalign_actors.engine.code.options.common import add_option, collect_quoted_flags, flags_in
from docalign_actors.engine.code.source import Source
from docalign_actors.engine.facts import FileFacts
from docalign_actors.engine.roles import is_own_code

_GETOPT_LONG = re.compile(
    rb"\{\s{0,8}\"([A-Za-z][\w-]{1,60})\"\s{0,4},\s{0,4}(no_argument|required_argument|optional_argument|[012])\s{0,4},"
)
_REGISTERED = re.compile(
    rb"""\b(?:on|option|method_option|class_option|addOption|Option(?:<[\w?\[\]]{1,40}>)?|add_option|add_flag|add_options)"""
    rb"""\s{0,2}[( ]\s{0,40}((?:["']--?[^"'\n]{1,80}["']\s{0,4},?\s{0,40}){1,4})"""
)
_SHELL_CASE = re.compile(rb"^[ \t]*((?:--?[A-Za-z][\w-]{0,60}(?:=\*|=)?\s{0,2}\|?\s{0,2}){1,6})\)", re.MULTILINE)
_QUOTED = re.compile(r"""["'](--?[^"']*)["']""")


def collect(source: Source, facts: FileFacts) -> None:
    """The options that can be told without a syntax tree."""
    data = source.data
    if not is_own_code(source.path):
        return
    for match in _GETOPT_LONG.finditer(data):
        takes_value = match[2] not in (b"no_argument", b"0")
        add_option(facts, ["--" + match[1].decode()], _line(data, match), takes_value=takes_value)
    for match in _REGISTERED.finditer(data):
        declared = _QUOTED.findall(match[1].decode("utf-8", "replace"))
        add_option(facts, [flag for text in declared for flag in flags_in(text)], _line(data, match))
    if source.language == "shell":
        for match in _SHELL_CASE.finditer(data):
            names = re.findall(r"--?[A-Za-z][\w-]*", match[1].decode())
            add_option(facts, names, _line(data, match))
    collect_quoted_flags(source, facts)


def _line(data: bytes, match: re.Match[bytes]) -> int:
    return data.count(b"\n", 0, match.start()) + 1
