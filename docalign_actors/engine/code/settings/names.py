"""Environment variables and their defaults in languages that are read by pattern: C#, Ruby, PHP, Kotlin, Swift, shell, C."""

from __future__ import annotations

import re

from docalign_actors.engine.code.settings.common import LITERAL_KEYS, add_env, add_key, add_ports
from docalign_actors.engine.code.source import Source
from docalign_actors.engine.facts import FileFacts

_NAMED = re.compile(
    r"""(?P<call>(?i:[\w.:]{0,60}env[\w.:]{0,40}|\$_ENV|\$_SERVER)\s?[(\[]\s?)?(?P<quote>["'])(?P<name>[A-Z][A-Z0-9_]{1,80})(?P=quote)"""
    r"""(?:\s?[)\]]?\s?(?:,|\?\?|\?:|\|\|)\s?(?:(?P<q>["'])(?P<text>[^"'\n]{0,100})(?P=q)|(?P<plain>-?[\w.]{1,40})))?"""
)
_SHELL_DEFAULT = re.compile(r"\$\{([A-Z][A-Z0-9_]{1,80})(?::?[-=]([^}\n]{0,100}))?[}:%#/\[?+^,]")
_SHELL_INNER = re.compile(r"^\$\{[A-Z][A-Z0-9_]{1,80}:?-([^${}\n]{1,100})$")
"""The fall-back of a fall-back: `${INTERVAL:=${SECONDS_BETWEEN:-24h}}`."""
_SHELL_NAME = re.compile(r"\$([A-Z][A-Z0-9_]{1,80})\b")
_SHELL_SET = re.compile(r"(?m)^[ \t]*(?:export[ \t]+|readonly[ \t]+|declare[ \t]+-x[ \t]+)?([A-Z][A-Z0-9_]{1,80})=")
_KEYED = re.compile(r"""(?:\[|\bget\w{0,20}\(|\bfetch\(|\bconfig\()\s?:?(["'])([A-Za-z][\w.\-]{2,60})\1""")
_LONGEST_LINE = 2000


def collect(source: Source, facts: FileFacts) -> None:
    """Adds what this file reads and sets."""
    own: dict[str, bool] = {}
    for number, line in enumerate(source.text.splitlines(), 1):
        line = line[:_LONGEST_LINE]
        if source.language == "shell":
            _shell(line, number, facts, own)
            continue
        if '"' not in line and "'" not in line:
            continue
        for found in _NAMED.finditer(line):
            name = found["name"]
            default = found["text"] if found["q"] else found["plain"]
            if found["call"]:
                add_env(
                    facts,
                    name,
                    number,
                    default if default is None or found["q"] or not default[:1].isalpha() else _word(default),
                )
            elif "_" in name.strip("_"):
                add_env(
                    facts, name.rstrip("_") + "_" if name.endswith("_") else name, number, prefix=name.endswith("_")
                )
        if len(facts.keys) < LITERAL_KEYS:
            for found in _KEYED.finditer(line) if '"' in line or "'" in line else ():
                if not found[2].isupper():
                    add_key(facts, found[2], number, origin="literal")
    add_ports(source, facts)


def _word(text: str) -> str | None:
    return text if text.lower() in ("true", "false", "null", "nil", "none") else None


def _shell(line: str, number: int, facts: FileFacts, own: dict[str, bool]) -> None:
    """`own`: of each name of one word, whether the script gives it a value before it looks at it: a variable of its own."""
    if ("$" not in line and "=" not in line) or line.lstrip().startswith("#"):
        return
    given = {found[1] for found in _SHELL_SET.finditer(line)}
    read = {found[1] for pattern in (_SHELL_DEFAULT, _SHELL_NAME) for found in pattern.finditer(line)}
    for name in given | read:
        own.setdefault(name, "_" not in name and name not in read)
    for found in _SHELL_DEFAULT.finditer(line):
        fallback = _SHELL_INNER.sub(r"\1", found[2]).strip("\"'") if found[2] is not None else "$"
        default = fallback if "$" not in fallback else None
        if not own[found[1]]:
            add_env(facts, found[1], number, default)
    for name in (found[1] for pattern in (_SHELL_NAME, _SHELL_SET) for found in pattern.finditer(line)):
        if not own[name]:
            add_env(facts, name, number)
