"""Files that a change made unreadable: a bundle was written into one, it grew too long, or a link to another file took its place.

What it had may be there still.
"""

from __future__ import annotations

from collections.abc import Sequence

from docalign_actors.engine.claims import uncertain
from docalign_actors.engine.facts import FileFacts
from docalign_actors.engine.judging import Judged
from docalign_actors.engine.kinds.filesnow import facts_now
from docalign_actors.engine.world import World
from docalign_actors.findings.model import Verdict

_READ = frozenset(
    {"symbol", "option", "environment", "configkey", "command", "route", "signature", "imports", "default"}
)
"""Kinds whose evidence is what a file defines, not that it is there."""
_UNREAD = uncertain("the file that had it is there, and is not read")


def doubt_unread(judged: Sequence[Judged], world: World) -> list[Judged]:
    """The judgements, in doubt where all that speaks against a claim is a file that cannot be read as it is now."""
    unread: dict[str, bool] = {}
    result: list[Judged] = []
    for claim, judgement in judged:
        if judgement.verdict is Verdict.DRIFTED and claim.kind in _READ:
            paths = {item.file for item in judgement.evidence if item.file}
            for path in paths - unread.keys():
                facts = facts_now(world, path) if path in world.files else None
                unread[path] = path in world.doors or (facts is not None and _is_noted(facts))
            if paths and all(unread[path] for path in paths):
                judgement = _UNREAD
        result.append((claim, judgement))
    return result


def _is_noted(facts: FileFacts) -> bool:
    """What is opaque every collector may tell: all have run before their notes are looked at."""
    return bool((facts.opaque, facts.notes)[1])
