"""Options that a change took away all at once: a file read several, and no code of the repository reads any now.

Then the program is another package's, or a library reads its options in a way that is not known here; `gulp` became a line that
runs `gulp-cli`. Whoever drops options one by one leaves others, and whoever renames them all leaves new ones. What is given up:
a program that had options and was taken away for good.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from docalign_actors.engine.claims import uncertain
from docalign_actors.engine.judging import LINKS, Judged
from docalign_actors.engine.kinds.shared.filesnow import facts_now
from docalign_actors.engine.world import World
from docalign_actors.findings.model import Verdict

_SEVERAL = 3
_HANDED_OVER = uncertain("no code here reads options any more: another package may do so")


def doubt_handed_over(judged: Sequence[Judged], world: World) -> list[Judged]:
    """The judgements, in doubt where all that speaks against a claim is a file that read several options and reads none now."""
    gone: dict[str, set[str]] = defaultdict(set)
    for claim, judgement in judged:
        if judgement.verdict is Verdict.DRIFTED and claim.kind == "option":
            for item in judgement.evidence:
                gone[item.file].add(claim.subject)
    emptied = {path for path, options in gone.items() if path and len(options) >= _SEVERAL and not _reads(path, world)}
    if not emptied or any(facts.options for _, facts in world.index.own_files()):
        return list(judged)
    result: list[Judged] = []
    for claim, judgement in judged:
        sources = {item.file for item in judgement.evidence if item.file}
        doubted = judgement.verdict is Verdict.DRIFTED and claim.form not in LINKS and claim.kind != "path"
        result.append((claim, _HANDED_OVER if doubted and sources and sources <= emptied else judgement))
    return result


def _reads(path: str, world: World) -> bool:
    facts = facts_now(world, path)
    return facts is not None and bool(facts.options)
