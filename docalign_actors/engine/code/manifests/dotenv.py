"""`.env.example` and its like: variables with the values they show, commented ones included."""

from __future__ import annotations

import re

from docalign_actors.engine.code.manifests.lines import numbered
from docalign_actors.engine.code.manifests.tree import short
from docalign_actors.engine.code.source import Source
from docalign_actors.engine.facts import EnvVar, FileFacts

_PAIR = re.compile(r"^\s*(#\s*)?(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(.*)$")
_COMMENT = re.compile(r"\s#.*$")


def collect(source: Source, facts: FileFacts) -> None:
    """One variable for each line that gives one a value. A commented line counts only if its name is in capitals."""
    for number, line in numbered(source.text):
        match = _PAIR.match(line)
        if match and (not match[1] or match[2].isupper()):
            facts.env.append(EnvVar(match[2], number, short(_value(match[3]))))


def _value(text: str) -> str:
    text = text.strip()
    if len(text) > 1 and text[0] in "\"'" and (end := text.find(text[0], 1)) > 0:
        return text[1:end]
    return _COMMENT.sub("", text).strip()
