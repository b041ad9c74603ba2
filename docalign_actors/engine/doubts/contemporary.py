"""Whether the documentation named a thing while the thing was there.

What code once defined under some name and what a document calls by that name today need not be the same: a word comes
back in another sense, a tutorial has a file of its own that is called like one of ours of long ago. Where only the past
shows that a thing is gone, the document must have named it before it went. What was written later was never about it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence, Set

import msgspec

from docalign_actors.engine.claims import Claim, Judgement, Why, uncertain
from docalign_actors.engine.differential import VERY_FRESH
from docalign_actors.engine.documents.model import Document
from docalign_actors.engine.doubts.hedges import Hedges, is_of_generated_project
from docalign_actors.engine.judging import Judged
from docalign_actors.engine.longago import NAMING
from docalign_actors.engine.ports import Commit, History, PastBlob
from docalign_actors.findings.model import Evidence, Verdict

_KINDS = frozenset({"path", "symbol", "option", "environment", "configkey", "route"})
"""Kinds whose claims name a thing that may be somebody else's. A link, an import of our own package or a script of our own
manifest is false whenever it was written."""
_MOST = 300
"""Things that are looked up; a repository with more has other worries."""

_SURE = frozenset({"path", "anchor", "navigation", "version", "licence", "example"})
"""Kinds that do not lean on what code once defined: a path's history is its own, the others are judged by what is there today.
Of all else that went long ago, a sentence of today rarely means just that: a word comes back, a library reads the variable,
another package has the command, the script is one of the reader's."""
_ASKED_ELSEWHERE = _SURE | NAMING
LONG_AGO = 0.6
"""How sure one can be, at the most, that such a sentence is about a thing that only the past knows, and that went long ago."""
_HEDGED = uncertain("the text around it says that it is not there", Why.HEDGED)
_GENERATED = uncertain("the text around it speaks of a project that is generated", Why.HEDGED)

Group = tuple[str, str]


def keep_contemporary(
    judged: Sequence[Judged], documents: Mapping[str, Document], history: History, blobs: Sequence[PastBlob]
) -> list[Judged]:
    """The judgements, with doubt cast on what the documentation began to name only after it was gone, or says is gone."""
    by_place = {(blob.path, blob.after): blob for blob in blobs}
    recent = history.recent | {""}
    hedges = Hedges(documents)
    judged = [(c, _HEDGED if _is_of_long_ago(c, j, recent) and hedges.cover(c) else j) for c, j in judged]
    judged = [
        (c, _GENERATED if _may_be_generated(c, j, recent) and is_of_generated_project(c, documents) else j)
        for c, j in judged
    ]
    judged = [(c, _weakened(j) if _is_loose(c, j, recent) else j) for c, j in judged]
    groups: dict[Group, list[Judged]] = defaultdict(list)
    for claim, judgement in judged:
        if _rests_on_the_past(claim, judgement):
            groups[_group(claim, judgement)].append((claim, judgement))
    late = {group for group in list(groups)[:_MOST] if not _was_told(groups[group], history, by_place)}
    return [
        (c, uncertain("the documentation began to name it after it was gone"))
        if _rests_on_the_past(c, j) and _group(c, j) in late
        else (c, j)
        for c, j in judged
    ]


def _is_of_long_ago(claim: Claim, judgement: Judgement, recent: Set[str]) -> bool:
    return _rests_on_the_past(claim, judgement) and all(item.commit not in recent for item in judgement.evidence)


def _may_be_generated(claim: Claim, judgement: Judgement, recent: Set[str]) -> bool:
    """A script or a file that went long ago, by its name one that any project may have."""
    named = claim.kind in ("command", "path") and claim.form not in ("link", "image")
    return named and judgement.verdict is Verdict.DRIFTED and _went_long_ago(judgement, recent)


def _is_loose(claim: Claim, judgement: Judgement, recent: Set[str]) -> bool:
    drifted = judgement.verdict is Verdict.DRIFTED
    # Whose script it is, and whether a name is meant, depends on the document: `sureness.py` asks.
    asked = claim.kind not in _ASKED_ELSEWHERE and judgement.rule != "unknown-script"
    return drifted and asked and _went_long_ago(judgement, recent)


def _went_long_ago(judgement: Judgement, recent: Set[str]) -> bool:
    """All that is known of it is a commit of long ago."""
    return bool(judgement.evidence) and all(e.commit and e.commit not in recent for e in judgement.evidence)


def _weakened(judgement: Judgement) -> Judgement:
    return msgspec.structs.replace(judgement, confidence=min(judgement.confidence, LONG_AGO))


def _group(claim: Claim, judgement: Judgement) -> Group:
    return judgement.rule, judgement.subject or claim.subject


def _rests_on_the_past(claim: Claim, judgement: Judgement) -> bool:
    if judgement.verdict is not Verdict.DRIFTED or claim.kind not in _KINDS or not judgement.evidence:
        return False
    is_link = claim.form in ("link", "image") and not claim.subject.startswith("/")
    return not is_link and all(item.commit for item in judgement.evidence)


def _was_told(members: Sequence[Judged], history: History, blobs: Mapping[tuple[str, str], PastBlob]) -> bool:
    """Some mention of the thing stood in the documentation while it was there."""
    asked = {(claim.file, claim.text): judgement.evidence[0] for claim, judgement in members}
    return any(_was_told_before(text, file, item, history, blobs) for (file, text), item in asked.items())


def _was_told_before(
    text: str, file: str, item: Evidence, history: History, blobs: Mapping[tuple[str, str], PastBlob]
) -> bool:
    blob = blobs.get((item.file, item.commit))
    if blob is None:
        return history.told(text, file, f"{item.commit}^")
    # Whoever writes a line in the commit that takes the thing away knows of it, however lately that was.
    if not blob.after or history.told(text, file, blob.before):
        return True
    if not history.told(text, file, blob.after):
        return False
    # It was written, and the thing went, between two samples: which came first?
    remover: Commit | None = history.remover(_longest_word(text), blob)
    if remover is None:  # another word of the file has these letters: it is known only where the samples are neighbours
        return blob.age > VERY_FRESH
    return not remover.sha or history.told(text, file, f"{remover.sha}^")


def _longest_word(text: str) -> str:
    words = "".join(c if c.isalnum() or c == "_" else " " for c in text).split()
    return max(words, key=len, default=text)
