"""Options that own code took until a moment ago, also where no kind reads a claim: in what a program prints of itself."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from docalign_actors.engine.claims import Judgement
from docalign_actors.engine.code.reader import language_of
from docalign_actors.engine.documents.model import Document
from docalign_actors.engine.judging import PastAsker
from docalign_actors.engine.kinds.filesnow import facts_now
from docalign_actors.engine.lost.commands import gone
from docalign_actors.engine.lost.lines import LONGEST_LINE, TOKEN, Edit
from docalign_actors.engine.world import World

_FLAG = re.compile(r"(?<![\w-])--[A-Za-z][A-Za-z0-9]*(?:[-_][A-Za-z0-9]+)+(?![\w-])")
"""Of two words at least: one of a single word may be any program's."""
_READ = frozenset({"python", "javascript", "typescript", "tsx", "go", "rust", "java"})


def parsed_options(edits: Sequence[Edit], world: World, asker: PastAsker) -> dict[str, Judgement]:
    """The options by their flags, each with the one that came in its place where only one did."""
    told = _told(world.documents) if any(map(_may_tell, edits)) else {}
    telling = [edit for edit in edits if _may_tell(edit) and any(map(told.__contains__, _words(edit)))]
    facts = asker.reader.on_demand(asker.history.source)
    facts.expect((edit.blob.path, edit.blob.oid) for edit in telling)
    found: dict[str, Judgement] = {}
    for edit in telling:
        now = facts_now(world, edit.blob.path)
        taken = {name for option in now.options if not option.literal for name in option.names} if now else set()
        then = facts.of((edit.blob.path, edit.blob.oid)).options
        taken_then = {name for option in then if not option.literal for name in option.names}
        went, came = sorted(taken_then - taken), sorted(taken - taken_then)
        for flag in went:
            if flag in told.values() and flag not in world.index.options:
                found[flag] = gone(flag, came[0] if len(went) == len(came) == 1 else "", edit)
    return found


def _may_tell(edit: Edit) -> bool:
    return language_of(edit.blob.path) in _READ


def _told(documents: Mapping[str, Document]) -> dict[str, str]:
    """The flags that documents have, by their words as code may spell them."""
    flags = {
        flag
        for document in documents.values()
        for block in document.blocks
        for text in (block.text,)
        if "--" in text
        for flag in _FLAG.findall(text[: 60 * LONGEST_LINE])
    }
    return {flag[2:].replace("-", "_"): flag for flag in sorted(flags)}


def _words(edit: Edit) -> set[str]:
    return {word.replace("-", "_") for line in edit.gone for word in TOKEN.findall(line)}
