"""A document of which links want much and find little is not what its source shows: it is filled in when the site is built."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from docalign_actors.engine.claims import uncertain
from docalign_actors.engine.judging import Judged
from docalign_actors.engine.past import HELD
from docalign_actors.findings.model import Verdict

_LEAST = 3
_DOUBT = uncertain("most links to that document find nothing in its source: it is made when the site is built")


def doubt_crowds(judged: Sequence[Judged]) -> list[Judged]:
    """The judgements, with doubt cast on anchors of a document that is mostly linked to for what it does not show.

    A document's links to itself do not count: who writes them sees what is there.
    """
    wanted: dict[str, dict[Verdict, set[str]]] = defaultdict(lambda: defaultdict(set))
    for claim, judgement in judged:
        target = judgement.evidence[0].file if claim.kind == "anchor" and judgement.evidence else ""
        if target and target != claim.file:
            wanted[target][judgement.verdict].add(claim.value)
    hollow = {
        target
        for target, found in wanted.items()
        if len(found[Verdict.DRIFTED]) >= _LEAST and len(found[Verdict.DRIFTED]) > len(found[Verdict.VERIFIED])
    }
    return [
        (c, _DOUBT)
        if c.kind == "anchor"
        and j.verdict is Verdict.DRIFTED
        and j.evidence[0].file in hollow
        and c.file != j.evidence[0].file
        and not any(item.commit and item.text != HELD for item in j.evidence)
        else (c, j)
        for c, j in judged
    ]
