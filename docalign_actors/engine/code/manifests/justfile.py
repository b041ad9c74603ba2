"""justfiles: recipes and their aliases."""

from __future__ import annotations

import re

from docalign_actors.engine.code.manifests.lines import numbered
from docalign_actors.engine.code.source import Source
from docalign_actors.engine.facts import EnvVar, FileFacts, Script

_RECIPE = re.compile(r"^@?([A-Za-z_][\w-]*)(?:\s+[^#]*?)?:(?!=)")
_ALIAS = re.compile(r"^alias\s+([A-Za-z_][\w-]*)\s*:=\s*([\w:-]+)")
_OTHER_FILES = re.compile(r"^(import|mod|!include)\??\s")
_EXPORT = re.compile(r"^export\s+([A-Za-z_]\w*)\s*:=\s*(.*)$")
_SETTING = re.compile(r"^(set|export|alias|import|mod)\s|^[A-Za-z_][\w-]*\s*:=")


def collect(source: Source, facts: FileFacts) -> None:
    """Recipes by name. Imported files may hold others: then scripts are opaque."""
    for number, line in numbered(source.text):
        if not line or line[0] in " \t#[":
            continue
        if _OTHER_FILES.match(line):
            facts.opaque.append("scripts")
        elif match := _ALIAS.match(line):
            facts.scripts.append(Script(match[1], "just", number, match[2]))
        elif match := _EXPORT.match(line):
            facts.env.append(EnvVar(match[1], number, match[2].strip("\"'") if match[2][:1] in "\"'" else None))
        elif not _SETTING.match(line) and (match := _RECIPE.match(line)):
            facts.scripts.append(Script(match[1], "just", number))
