"""Files whose names tell nothing of their kind, `create_user` or `.valgrind.suppressions`, that a moment ago were there.

What is no path by its looks is none for the kind that reads paths. That a file of just this name went with the last commits or
with the change under scan, and that none is called so any more, says that it was one.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from docalign_actors.engine.claims import Claim, Judgement
from docalign_actors.engine.documents.model import Block, Document, Inline
from docalign_actors.engine.judging import Judged
from docalign_actors.engine.kinds.path_fixes import gone
from docalign_actors.engine.kinds.path_text import KNOWN_ENDING
from docalign_actors.engine.lost.commands import programs_of
from docalign_actors.engine.lost.lines import LONGEST_LINE, code_in
from docalign_actors.engine.ports import History
from docalign_actors.engine.roles import is_own_code
from docalign_actors.engine.world import World
from docalign_actors.findings.model import Verdict

_NAME = re.compile(r"\.?[A-Za-z][\w+]*(?:[._-][\w+]+){1,8}")
_WORD = re.compile(r"(?<![^\s\"'`])(?:\./)?(?P<name>\.?[A-Za-z][\w+]*(?:[._-][\w+]+){1,8})(?![^\s\"'`;)])")
_SHELLS = frozenset(("sh", "bash", "shell", "console", "zsh", "powershell", "ps1", "cmd", "bat", ""))
_LEAST = 6

_Place = tuple[Document, Block, Inline, int]


def lost_paths(judged: Sequence[Judged], world: World, history: History) -> list[Judged]:
    """Claims that no kind made: names of files that have just gone."""
    named: dict[str, list[_Place]] = defaultdict(list)
    lately = {path.rpartition("/")[2] for path in history.lately_removed()}
    lately = {
        name for name in lately if len(name) >= _LEAST and name not in world.by_name and not KNOWN_ENDING.search(name)
    }
    for document in world.documents.values() if lately else ():
        for block in document.blocks if not document.history else ():
            for name, inline, start in _names(block):
                if name in lately:
                    named[name].append((document, block, inline, start))
    asked = {f"**/{name}": name for name in named}
    removals = (
        {asked[key]: removal for key, removal in history.removed(asked).items() if removal.recent} if asked else {}
    )
    went = {name: removal for name, removal in removals.items() if is_own_code(removal.path)}
    if went:  # a completion or a service's file is called like its program
        called = programs_of(world) | world.index.package_names
        went = {name: removal for name, removal in went.items() if name not in called}
    lines: dict[tuple[str, int], list[Judged]] = defaultdict(list)
    for claim, judgement in judged if went else ():
        lines[claim.file, claim.line].append((claim, judgement))
    found: list[Judged] = []
    for name, removal in went.items():
        heir = removal.successor.rpartition("/")[2] if "/" in removal.path else removal.successor
        told = gone(removal, "missing-path", 0.9, heir)
        for place in named[name]:
            claim = _claim(name, *place)
            if not any(_settles(claim, other, verdict) for other, verdict in lines[claim.file, claim.line]):
                found.append((claim, told))
    return found


def _names(block: Block) -> Iterator[tuple[str, Inline, int]]:
    """Spans of nothing but such a name, and the words of commands."""
    for inline in code_in(block):
        if inline.kind == "code" and _NAME.fullmatch(inline.text):
            yield inline.text, inline, 0
        elif block.kind == "code" and block.language.lower() in _SHELLS:
            for match in _WORD.finditer(inline.text[:LONGEST_LINE]):
                yield match["name"], inline, match.start("name")


def _claim(name: str, document: Document, block: Block, inline: Inline, start: int) -> Claim:
    form = "shell" if block.kind == "code" else "span"
    return Claim(
        "path",
        name,
        name,
        document.path,
        inline.line,
        inline.column + start,
        form=form,
        words=(),
        section=block.section,
    )


def _settles(claim: Claim, other: Claim, judgement: Judgement) -> bool:
    """Another claim on the same text has an answer, or the kind that reads paths has its doubts."""
    if not claim.overlaps(other):
        return False
    return judgement.verdict is not Verdict.UNCERTAIN or other.kind in ("path", "environment")
