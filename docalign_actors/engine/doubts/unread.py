"""Files that are not read any more, so that what they had may be there still.

A change made one unreadable: a bundle was written into it, it grew too long, or a link to another file took its place. Or a
submodule took the place of its folder, or it moved into one that is taken for somebody else's by its name, `src/utils/external`.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence, Set

from docalign_actors.engine.claims import Judgement, uncertain
from docalign_actors.engine.code.reader import SOURCE_LIMIT
from docalign_actors.engine.facts import FileFacts
from docalign_actors.engine.judging import Judged
from docalign_actors.engine.kinds.path.targets import ancestors
from docalign_actors.engine.kinds.shared.filesnow import facts_now
from docalign_actors.engine.roles import is_foreign
from docalign_actors.engine.world import World
from docalign_actors.findings.model import Verdict

_READ = frozenset(
    {"symbol", "option", "environment", "configkey", "command", "route", "signature", "imports", "default"}
)
"""Kinds whose evidence is what a file defines, not that it is there."""
_UNREAD = uncertain("the file that had it is there, and is not read")
_WORD = re.compile(r"\w+")


def doubt_unread(judged: Sequence[Judged], world: World) -> list[Judged]:
    """The judgements, in doubt where all that speaks against a claim is a file that cannot be read as it is now."""
    unread: dict[str, bool] = {}
    result: list[Judged] = []
    for claim, judgement in judged:
        if judgement.verdict is Verdict.DRIFTED and claim.kind in _READ:
            paths = {item.file for item in judgement.evidence if item.file}
            for path in paths - unread.keys():
                facts = facts_now(world, path) if path in world.files else None
                unread[path] = _is_behind(path, world.doors) or (facts is not None and _is_noted(facts))
            if paths and all(unread[path] for path in paths):
                judgement = _UNREAD
        elif (
            judgement.verdict is Verdict.DRIFTED and claim.kind == "path" and _is_behind(judgement.subject, world.doors)
        ):
            judgement = _UNREAD
        result.append((claim, judgement))
    return result


def _is_behind(path: str, doors: Set[str]) -> bool:
    """It is a submodule or a link to another file, or lies in one: what is behind is not listed."""
    return bool(doors) and any(door in doors for door in (path, *ancestors(posixpath.dirname(path))))


def doubt_moved_aside(judged: Sequence[Judged], world: World) -> list[Judged]:
    """The judgements, in doubt where the file that had a name lies in a folder that is not read, and has the name there."""
    return [
        (c, _UNREAD if j.verdict is Verdict.DRIFTED and c.kind in _READ and _lies_aside(j, world) else j)
        for c, j in judged
    ]


def _lies_aside(judgement: Judgement, world: World) -> bool:
    word = (_WORD.findall(judgement.subject) or [""])[-1].encode()
    paths = {item.file for item in judgement.evidence if item.file and item.file not in world.files}
    aside = (path for old in paths for path in world.by_name.get(posixpath.basename(old), ()) if is_foreign(path))
    return bool(word) and any(path in world.files and word in world.tree.read(path, SOURCE_LIMIT) for path in aside)


def _is_noted(facts: FileFacts) -> bool:
    """What is opaque every collector may tell: all have run before their notes are looked at."""
    return bool((facts.opaque, facts.notes)[1])
