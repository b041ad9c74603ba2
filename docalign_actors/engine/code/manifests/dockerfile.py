"""Dockerfiles: variables, exposed ports, base images."""

from __future__ import annotations

import re

from docalign_actors.engine.code.manifests.lines import logical
from docalign_actors.engine.code.manifests.tree import short
from docalign_actors.engine.code.source import Source
from docalign_actors.engine.facts import EnvVar, FileFacts, Port, Version

_INSTRUCTION = re.compile(r"^\s*(ENV|ARG|EXPOSE|FROM)\s+(.*)$", re.IGNORECASE)
_PAIR = re.compile(r"""([A-Za-z_]\w*)=("(?:[^"\\]|\\.)*"|'[^']*'|[^\s"']*)""")
_IMAGE = re.compile(r"^(?:--\S+\s+)*(\S+?)(?::(\S+?))?(?:@\S+)?(?:\s+as\s+(\S+))?\s*$", re.IGNORECASE)


def collect(source: Source, facts: FileFacts) -> None:
    """ENV and ARG as variables, EXPOSE as ports, FROM as versions of images."""
    for number, line in logical(source.text):
        if match := _INSTRUCTION.match(line):
            _instruction(match[1].upper(), match[2].strip(), number, facts)


def _instruction(word: str, rest: str, number: int, facts: FileFacts) -> None:
    match word:
        case "ENV" | "ARG":
            _variables(rest, number, facts)
        case "EXPOSE":
            for part in rest.split():
                port = part.partition("/")[0]
                if port.isdecimal() and 0 < int(port[:6]) < 65536:
                    facts.ports.append(Port(int(port), number))
        case "FROM":
            match = _IMAGE.match(rest)
            if match and match[2] and re.match(r"v?\d", match[2]):
                facts.versions.append(Version(match[1].rpartition("/")[2], match[2], number, "image"))


def _variables(rest: str, number: int, facts: FileFacts) -> None:
    pairs = [(match[1], match[2].strip("\"'")) for match in _PAIR.finditer(rest)]
    if not pairs and (match := re.match(r"([A-Za-z_]\w*)(?:\s+(.*))?$", rest)):
        pairs = [(match[1], match[2] or "")]
    for name, value in pairs:
        facts.env.append(EnvVar(name, number, short(value) if value and "$" not in value else None))
