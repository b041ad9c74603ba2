"""Types by their whole names, `App\\Mail\\Sender` or `com.acme.mail.Sender`, that own code declared there until a moment ago,
and what packages of Go offered.

A type that moves keeps its name, so that the name alone is still there; what documents import, configure in XML or write out
whole is not.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence

from docalign_actors.engine.claims import Judgement
from docalign_actors.engine.code.reader import SOURCE_LIMIT, language_of
from docalign_actors.engine.kinds.shared.examples_text import GO_STANDARD
from docalign_actors.engine.lost.commands import gone, successor
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
_GO_PACKAGE = re.compile(r"^package (\w{2,60})", re.MULTILINE)
_GO_OFFERED = re.compile(r"^(?:func|type) (?P<text>[A-Z]\w{2,100})\b")
_MOST = 40


def lost_qualified(edits: Sequence[Edit], world: World) -> dict[str, Judgement]:
    """The whole names of types that are not declared there any more, each with the one it has now."""
    found = dict(_lost_of_go(edits, world))
    for edit in edits:
        space = _SPACES.get(language_of(edit.blob.path))
        if space is None or len(found) >= _MOST or not _may_have_moved(edit, world):
            continue
        for name in _declared("\n".join(edit.before), space):
            now = _now(name, edit.blob.path, space, world)
            if name not in now:
                found[name] = gone(name, now[0] if len(now) == 1 else "", edit)
    return found


def _lost_of_go(edits: Sequence[Edit], world: World) -> Iterator[tuple[str, Judgement]]:
    """`agent.Listen`: what a package of Go offered, however common the word is elsewhere."""
    for edit in edits:
        package = _GO_PACKAGE.search("\n".join(edit.before)) if edit.blob.path.endswith(".go") else None
        went = [match for line in edit.gone if (match := _GO_OFFERED.match(line))] if package is not None else []
        if package is None or package[1] == "main" or package[1] in GO_STANDARD or not went:
            continue  # `log.Fatal` is Go's own, unless an example imports ours, which its kind judges
        folder = posixpath.dirname(edit.blob.path)
        here = [p for p in world.files if p.endswith(".go") and posixpath.dirname(p) == folder]
        now = {m["text"] for p in here for line in _text(p, world).split("\n") if (m := _GO_OFFERED.match(line))}
        for match in went[:_MOST]:
            if match["text"] not in now and not _is_offered_elsewhere(match["text"], package[1], edit.blob.path, world):
                name = f"{package[1]}.{match['text']}"
                new = successor(match.string, match, edit.come)
                yield name, gone(name, f"{package[1]}.{new}" if new else "", edit)


def _is_offered_elsewhere(name: str, package: str, path: str, world: World) -> bool:
    """A package that is called alike has it: the folder moved, and what code writes before the name stayed as it was."""
    places = (*(found.path for found in world.index.definitions.get(name, ())), *_namesakes(path, world))
    for other in dict.fromkeys(places):
        text = _text(other, world) if other.endswith(".go") else ""
        called = _GO_PACKAGE.search(text)
        if (
            called is not None
            and called[1] == package
            and any(match["text"] == name for line in text.split("\n") if (match := _GO_OFFERED.match(line)))
        ):
            return True
    return False


def _namesakes(path: str, world: World) -> Sequence[str]:
    return world.by_name.get(posixpath.basename(path), ())[:_MOST]


def _text(path: str, world: World) -> str:
    return world.tree.read(path, SOURCE_LIMIT).decode("utf-8", "replace")


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
    texts = (_text(path, world) for path in dict.fromkeys(paths))
    return [other for text in texts for other in _declared(text, space) if re.split(r"[\\.]", other)[-1] == last]
