"""Documents of the very piece of work that took a thing away: the plan of it, the audit before it, the report on it.

They are called anything and written in any language; their dates give them away. Such a document is written days before the thing
goes, in a repository that has been there for longer, and nobody touches it once the work is done. A page of a manual hardly ever
loses what it names within a fortnight of being written: of the findings that were judged, 49 such were wrong and five were right.
"""

from __future__ import annotations

import posixpath
from collections.abc import Collection, Mapping, Sequence

from docalign_actors.engine.claims import Claim, Judgement, uncertain
from docalign_actors.engine.documents.model import Document
from docalign_actors.engine.doubts.tending import is_standing
from docalign_actors.engine.judging import Judged
from docalign_actors.engine.ports import History, Tended
from docalign_actors.findings.model import Verdict

_DAY = 24 * 3600
_FORTNIGHT = 14 * _DAY
_BEGINNING = 10 * _DAY
"""In its first days a repository gets its manual too, and its code is still looking for its form."""
_MOST = 40
"""Documents that are asked about."""
_SAME_WORK = uncertain("the document was written in the days before this went, and nobody has touched it since")


def doubt_same_work(
    judged: Sequence[Judged],
    history: History,
    head: str,
    documents: Mapping[str, Document],
    written: Collection[str] = (),
) -> list[Judged]:
    """The judgements, in doubt where a document tells of the work that made it false.

    head      the commit under scan: what has no commit of its own went with it
    written   documents that the change under scan touches: they are of today
    """
    asked = {c.file for c, j in judged if _is_asked(c, j) and c.file not in written}
    tended = history.tended(sorted(asked)[:_MOST]) if asked and head else {}
    went = {id(c): _gone_with(j, head) for c, j in judged if _is_asked(c, j) and c.file in tended}
    times = history.times({commit for commits in went.values() for commit in commits}) if went else {}
    doubted = {
        id(c) for c, _ in judged if id(c) in went and _is_of_the_work(tended[c.file], _latest(went[id(c)], times))
    }
    if doubted and any(c.kind == "default" for c, _ in judged if id(c) in doubted):
        led = _led_to(documents)
        doubted -= {id(c) for c, _ in judged if c.kind == "default" and c.file in led}
    begun = history.begun() if doubted else 0
    doubted = {id(c) for c, _ in judged if id(c) in doubted and begun and tended[c.file].oldest - begun >= _BEGINNING}
    return [(c, _SAME_WORK if id(c) in doubted else j) for c, j in judged]


def _is_asked(claim: Claim, judgement: Judgement) -> bool:
    """What is said of code, false because of something that went, in a document that need not be of today."""
    return (
        judgement.verdict is Verdict.DRIFTED
        and claim.kind not in ("anchor", "navigation", "version", "licence", "example")
        and claim.form not in ("link", "image")
        and not is_standing(claim.file)
    )


def _led_to(documents: Mapping[str, Document]) -> set[str]:
    """The pages that a README or an index leads to: a page of a manual with values in it is no plan, however young."""
    found: set[str] = set()
    for path, document in documents.items() if documents else ():
        if is_standing(path) and not document.history:
            targets = (i.text for block in document.blocks for i in block.every_inline() if i.kind == "link")
            near = (text.partition("#")[0] for text in targets if "://" not in text[:12])
            found.update(posixpath.normpath(posixpath.join(posixpath.dirname(path), text)) for text in near if text)
    return found


def _gone_with(judgement: Judgement, head: str) -> frozenset[str]:
    """The commits that the evidence names, or the one under scan."""
    return frozenset(item.commit for item in judgement.evidence if item.commit) or frozenset({head})


def _latest(commits: Collection[str], times: Mapping[str, int]) -> int:
    return max((times.get(commit, 0) for commit in commits), default=0)


def _is_of_the_work(document: Tended, went: int) -> bool:
    """Written at most a fortnight before, and left alone since."""
    return not document.moved and 0 <= went - document.oldest <= _FORTNIGHT and document.newest <= went
