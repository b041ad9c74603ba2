"""Java properties: configuration keys with their values, and Gradle's own version."""

from __future__ import annotations

import re

from docalign_actors.engine.code.manifests.lines import logical
from docalign_actors.engine.code.manifests.tree import GENERIC_LIMIT, KEY_LIMIT, short
from docalign_actors.engine.code.source import Source
from docalign_actors.engine.facts import FileFacts, Key, Port, Version
from docalign_actors.engine.roles import is_own_code

_PAIR = re.compile(r"^\s*([^\s=:#!][^\s=:]{0,199})\s*[=:]\s*(.*)$")


def collect(source: Source, facts: FileFacts) -> None:
    """Keys of own configuration; `server.port` is a port as well."""
    if len(source.data) > GENERIC_LIMIT or not is_own_code(source.path):
        return
    name = source.path.rpartition("/")[2]
    for number, line in logical(source.text):
        match = _PAIR.match(line)
        if match is None or len(facts.keys) >= KEY_LIMIT:
            continue
        key, value = match[1], match[2].strip()
        facts.keys.append(Key(key, number, None if "${" in value else short(value), "file"))
        if key == "server.port" and value.isdecimal() and 0 < int(value[:6]) < 65536:
            facts.ports.append(Port(int(value), number, "server"))
        if name == "gradle.properties" and key == "version":
            facts.versions.append(Version("self", value, number, "self"))
        if name == "gradle-wrapper.properties" and (found := re.search(r"gradle-(\d+(?:\.\d+)+)-", value)):
            facts.versions.append(Version("gradle", found[1], number, "toolchain"))
