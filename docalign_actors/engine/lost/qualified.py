"""Types by their whole names, `App\\Mail\\Sender` or `com.acme.mail.Sender`, that own code declared there until a moment ago.

A type that moves keeps its name, so that the name alone is still there; what documents import, configure in XML or write out
whole is not.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence

from docalign_actors.engine.claims import Judgement
from docalign_actors.engine.code.reader import SOURCE_LIMIT, language_of
from docalign_actors.engine.lost.commands import gone
from docalign_actors.engine.lost.lines import Edit
from docalign_actors.engine.world import World

_SPACES = {
    "php": re.compile(r"^\s*namespace\s+([\w\\]{2,200})\s*[;{]", re.MULTILINE),
    "java": re.compile(r"^\s*package\s+([\w.]{2,200})\s*;", re.MULTILINE),
    "kotlin": re.compile(r"^\s*package\s+([\w.]{2,200})\s*;?\s*$", re.MULTILINE),
    "csharp": re.compile(r"^\s*namespace\s+([\w.]{2,200})\s*[;{]?\s*$", re.MULTILINE),
}
_TYPE = re.compile(
    r"^\s*(?:(?:public|abstract|final|readonly|sealed|static|open|internal|partial|data)\s+){0,5}"
    r"(?:class|interface|trait|enum|record|object|struct)\s+([A-Z]\w{2,100})",
    re.MULTILINE,
)
_MOST = 40


def lost_qualified(edits: Sequence[Edit], world: World) -> dict[str, Judgement]:
    """The whole names of types that are not declared there any more, each with the one it has now."""
    found: dict[str, Judgement] = {}
    for edit in edits:
        space = _SPACES.get(language_of(edit.blob.path))
        if space is None or len(found) >= _MOST or not _may_have_moved(edit, world):
            continue
        for name in _declared("\n".join(edit.before), space):
            now = _now(name, edit.blob.path, space, world)
            if name not in now:
                found[name] = gone(name, now[0] if len(now) == 1 else "", edit)
    return found


def _may_have_moved(edit: Edit, world: World) -> bool:
    return edit.blob.path not in world.files or any(
        line.lstrip().startswith(("namespace", "package")) for line in edit.gone
    )


def _declared(text: str, space: re.Pattern[str]) -> Iterator[str]:
    match = space.search(text)
    if match is not None:
        mark = "\\" if "\\" in match[1] or "<?php" in text[:200] else "."
        yield from (f"{match[1]}{mark}{name}" for name in _TYPE.findall(text))


def _now(name: str, path: str, space: re.Pattern[str], world: World) -> list[str]:
    """The whole names of the types that are called so now."""
    last = re.split(r"[\\.]", name)[-1]
    suffix = posixpath.splitext(path)[1]
    defining = (
        found.path for found in world.index.definitions.get(last, ())
    )  # a file need not be called like its type
    paths = (*world.by_name.get(f"{last}{suffix}", ()), *([path] if path in world.files else ()), *defining)
    texts = (world.tree.read(p, SOURCE_LIMIT).decode("utf-8", "replace") for p in dict.fromkeys(paths))
    return [other for text in texts for other in _declared(text, space) if re.split(r"[\\.]", other)[-1] == last]
