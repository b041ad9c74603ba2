"""requirements.txt and its relatives."""

from __future__ import annotations

import re

from docalign_actors.engine.code.manifests.lines import numbered
from docalign_actors.engine.code.manifests.requirement import requirement
from docalign_actors.engine.code.source import Source
from docalign_actors.engine.facts import FileFacts, Version

_DEVELOPMENT = re.compile(r"dev|test|doc|lint|ci|build|typing|release", re.IGNORECASE)


def collect(source: Source, facts: FileFacts) -> None:
    """One version for each requirement; an exact pin says what is installed, not what is demanded."""
    name = source.path.rpartition("/")[2]
    folder = source.path.rpartition("/")[0].rpartition("/")[2]
    origin = "dev" if _DEVELOPMENT.search(name) or _DEVELOPMENT.search(folder) else "dependency"
    for number, line in numbered(source.text):
        text = line.partition(" #")[0].strip()
        if text and text[0] not in "#-" and (found := requirement(text)):
            pinned = found[1].startswith("==") and "*" not in found[1]
            facts.versions.append(Version(found[0], found[1], number, "pin" if pinned else origin))
