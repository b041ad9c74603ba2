"""Parts of routes that a file of routes had until a moment ago, in frameworks whose routes no collector reads.

`namespace :v1 do` that became `namespace :v2 do`: no line has the whole path. But the other parts of `/api/v1/stats/app` stand in
the file still, and this one stood among them.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence

from docalign_actors.engine.claims import Claim, Judgement
from docalign_actors.engine.code.reader import SOURCE_LIMIT, language_of
from docalign_actors.engine.code.routes.paths import segments, statics
from docalign_actors.engine.judging import Judged
from docalign_actors.engine.kinds.route.kind import is_open
from docalign_actors.engine.lost.lines import Edit
from docalign_actors.engine.world import World
from docalign_actors.findings.model import Evidence, Fix, Verdict

_UNREAD = frozenset({"ruby", "php", "csharp", "kotlin", "swift", "searched"})
_ROUTES = re.compile(r"(?i)rout(?:es?|er|ing)|urls")
_NESTS = re.compile(r"(?i)\b(?:namespace|scope|prefix|group|path|mount|resources?|nest|pipe_through)\b")
_WORD = re.compile(r"[A-Za-z][\w-]*")
_LEAST_BESIDE = 2


def lost_segments(judged: Sequence[Judged], edits: Sequence[Edit], world: World) -> list[Judged]:
    """Claims of routes that have a part which went, among others that did not."""
    found: list[Judged] = []
    telling = [edit for edit in edits if _is_of_routes(edit)]
    claims = [c for c, j in judged if c.kind == "route" and is_open(j) and not c.hypothetical] if telling else []
    for edit in telling:
        now = world.tree.read(edit.blob.path, SOURCE_LIMIT).decode("utf-8", "replace")
        words = set(_WORD.findall(now))
        for old, new in _renamed(edit):
            for claim in claims if old not in words else ():
                parts = statics(segments(claim.subject))
                others = [part for part in parts if part != old]
                if old in parts and len(others) >= _LEAST_BESIDE and words.issuperset(others):
                    found.append((claim, _judged(claim, old, new, edit)))
    return found


def _is_of_routes(edit: Edit) -> bool:
    name = posixpath.basename(edit.blob.path)
    return not edit.data and language_of(edit.blob.path) in _UNREAD and _ROUTES.search(name) is not None


def _renamed(edit: Edit) -> Iterator[tuple[str, str]]:
    """The words of lines that routes lie below, and what stands in their place on a line that is otherwise the same."""
    for line in edit.gone:
        for match in _WORD.finditer(line) if _NESTS.search(line) else ():
            before, after = line[: match.start()], line[match.end() :]
            heirs = {
                heir
                for other in edit.come
                if other.startswith(before) and other.endswith(after) and len(other) > len(before) + len(after)
                if _WORD.fullmatch(heir := other[len(before) : len(other) - len(after)])
            }
            if len(heirs) == 1 and match.group() not in heirs:
                yield match.group(), heirs.pop()


def _judged(claim: Claim, old: str, new: str, edit: Edit) -> Judgement:
    evidence = Evidence(f"`{old}` stood here until then, `{new}` does now", edit.blob.path, 0, edit.blob.after)
    fix = Fix(claim.text.replace(f"/{old}/", f"/{new}/"), True) if claim.text.count(f"/{old}/") == 1 else None
    message = f"No route has the part `{old}` any more: it is `{new}` now"
    return Judgement(Verdict.DRIFTED, "unknown-route", message, (evidence,), 0.85, fix=fix, subject=claim.subject)
