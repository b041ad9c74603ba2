"""Whether what is called broken looks like mistakes in the documentation, or like rules of a site that are not understood.

A link or an anchor is called broken because nothing offers its target. That rests on knowing how the site finds its pages and
makes its anchors. Where a large share of them seems broken, the site has rules of its own: then only what the history
shows to have been there is certain.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from docalign_actors.engine.claims import Claim, Judgement, uncertain
from docalign_actors.engine.judging import Judged
from docalign_actors.engine.past import HELD
from docalign_actors.findings.model import Verdict

_RULES = frozenset({"missing-anchor", "missing-link-target", "missing-page", "broken-example"})
_LEAST_IN_DOCUMENT, _SHARE_IN_DOCUMENT = 4, 0.5
_LEAST_OF_ALL, _SHARE_OF_ALL = 6, 0.2
_MANY_LINKS, _SHARE_OF_MANY = 12, 0.2
"""Of one document: nobody leaves so many links to files that never were there."""
_MANY_ANCHORS, _SHARE_OF_ANCHORS = 12, 0.02
"""Of one document, likewise: a program wrote it, or it is shown with headings that its source does not have."""
_MOST_ADDRESSES, _SHARE_OF_ADDRESSES = 8, 0.01
"""Of a repository, and differently written: files that never were there are linked to by oversight, not by the dozen, unless
they are few among thousands of links that lead somewhere."""

Place = tuple[str, str]
"""A kind of claim and a document, "" for all documents."""


def keep_plausible(judged: Sequence[Judged]) -> list[Judged]:
    """The judgements, with doubt cast on what would mean that the documentation is broken throughout."""
    broken: dict[Place, set[str]] = defaultdict(set)
    sound: dict[Place, set[str]] = defaultdict(set)
    addresses: set[str] = set()
    for claim, judgement in judged:
        if _is_linked(claim) and judgement.verdict is not Verdict.UNCERTAIN:
            into = broken if _rests_on_absence(judgement) else sound
            for file in ("", claim.file):
                into[claim.kind, file].add(_target(claim))
            if into is broken and claim.kind == "path":
                addresses.add(claim.subject)
    suspect = {place for place in broken if _is_suspect(place, broken[place], sound[place])}
    if len(addresses) >= max(_MOST_ADDRESSES, _SHARE_OF_ADDRESSES * len(sound["path", ""])):
        suspect.add(("path", ""))
    if not suspect:
        return list(judged)
    return [
        (claim, uncertain("so much of its kind seems broken that the site must have rules of its own"))
        if _is_linked(claim)
        and _rests_on_absence(judgement)
        and not suspect.isdisjoint({(claim.kind, ""), (claim.kind, claim.file)})
        else (claim, judgement)
        for claim, judgement in judged
    ]


def _is_linked(claim: Claim) -> bool:
    return claim.kind in ("anchor", "navigation", "example") or (
        claim.kind == "path" and claim.form in ("link", "image")
    )


def _target(claim: Claim) -> str:
    """Mentions of one target count once; links are told apart by document, for each is read from its own folder."""
    return (
        claim.subject
        if claim.kind == "anchor"
        else f"{claim.file}:{claim.subject}:{claim.line * (claim.kind == 'example')}"
    )


def _rests_on_absence(judgement: Judgement) -> bool:
    """Called broken, and no earlier version shows that it ever held."""
    if judgement.verdict is not Verdict.DRIFTED or judgement.rule not in _RULES:
        return False
    return not any(item.commit or item.text == HELD for item in judgement.evidence)


def _is_suspect(place: Place, broken: set[str], sound: set[str]) -> bool:
    least, share = (_LEAST_IN_DOCUMENT, _SHARE_IN_DOCUMENT) if place[1] else (_LEAST_OF_ALL, _SHARE_OF_ALL)
    if place[0] == "path" and len(broken) >= _MANY_LINKS:
        share = _SHARE_OF_MANY
    if place[0] == "anchor" and place[1] and len(broken) >= _MANY_ANCHORS:
        share = _SHARE_OF_ANCHORS
    return len(broken) >= least and len(broken) >= share * (len(broken) + len(sound - broken))
