"""What a change itself says for the first time: it is not about what the same change, or one before it, took away.

Whoever takes a name out of the code and writes it into a document in one go gives it to something else: a name that the reader
chooses, an example's own function, a value beside the default. What is given up: a change that describes a thing, and renames it
before it ends.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection, Mapping, Sequence

import msgspec

from docalign_actors.engine.claims import Claim, Judgement, uncertain
from docalign_actors.engine.difference import Difference
from docalign_actors.engine.differential import defines
from docalign_actors.engine.judging import LINKS, Judged
from docalign_actors.engine.kinds.path.served import leads_on_a_site
from docalign_actors.engine.ondemand import FactsOnDemand
from docalign_actors.engine.ports import Change
from docalign_actors.engine.reading import DOCUMENT_LIMIT
from docalign_actors.engine.world import World
from docalign_actors.findings.model import Verdict

_KINDS = frozenset({"path", "symbol", "option", "environment", "configkey", "route"})
"""Kinds whose claims name a thing that may be somebody else's; so does a parameter whose function is not named with it."""
_DECLARED = frozenset({"option", "symbol", "environment"})
"""Kinds whose claims are about what a file declares: whether it did so in the base can be read."""
_FIRST = uncertain("the change itself says it for the first time")

Written = Mapping[str, Collection[int]]


def is_said_first(claim: Claim, change: Change, written: Written) -> bool:
    """The claim stands on a line that the change wrote, and its document did not have the words before."""
    if claim.line not in written.get(claim.file, ()):
        return False
    return claim.text.encode() not in change.base.read(claim.file, DOCUMENT_LIMIT)


def doubt_said_first(judged: Sequence[Judged], change: Change, written: Written, world: World) -> list[Judged]:
    """The judgements, in doubt where only the past speaks against what the change says for the first time."""
    return [
        (c, _FIRST)
        if (_rests_on_the_past(c, j) or _is_of_a_site(c, j, change, world)) and is_said_first(c, change, written)
        else (c, j)
        for c, j in judged
    ]


def _is_of_a_site(claim: Claim, judgement: Judgement, change: Change, world: World) -> bool:
    """A link of a manual to what went before the base, and which leads somewhere if a site serves the page as a folder."""
    if judgement.verdict is not Verdict.DRIFTED or claim.kind != "path" or claim.form not in LINKS:
        return False
    return not _was_there(claim, judgement, change) and leads_on_a_site(claim, world)


def _was_there(claim: Claim, judgement: Judgement, change: Change) -> bool:
    gone = (judgement.subject or claim.subject).rstrip("/")
    return any(path == gone or path.startswith(f"{gone}/") for path in change.base.entries)


def was_said_before(
    claim: Claim, judgement: Judgement, change: Change, facts: FactsOnDemand, difference: Difference
) -> bool:
    """A link that leads nowhere, or a thing that went before the base, and that the document had before: only its line is new.

    A document that was renamed, or taken out of another, had what that one said.
    """
    source = difference.former.get(claim.file) or difference.split.get(claim.file)
    moved = source is not None and posixpath.dirname(source) != posixpath.dirname(claim.file)
    there = msgspec.structs.replace(claim, file=source) if source else claim
    if moved and claim.kind == "path" and claim.form in LINKS:
        # The same text led elsewhere from there.
        return judgement.verdict is Verdict.DRIFTED and _led_nowhere(there, change)
    return _was_said(there, judgement, change, facts, difference.taken.anchors)


def _was_said(claim: Claim, judgement: Judgement, change: Change, facts: FactsOnDemand, lost: Collection[str]) -> bool:
    if judgement.verdict is not Verdict.DRIFTED:
        return False
    if claim.kind in _DECLARED:
        return _went_before(claim, judgement, change, facts) and _had(claim, change)
    if claim.kind not in ("path", "anchor"):
        files = {item.file for item in judgement.evidence if item.commit and item.file}
        dated = len(files) == len({item.file for item in judgement.evidence}) and bool(files)
        return dated and files.isdisjoint(change.base.entries) and _had(claim, change)
    absent = claim.form in LINKS and not any(item.commit for item in judgement.evidence)
    if claim.kind == "anchor":
        absent = absent or claim.value not in lost
    elif not absent:
        absent = not _was_there(claim, judgement, change)
    return absent and (_had(claim, change) or (claim.kind == "path" and _led_nowhere(claim, change)))


def _led_nowhere(claim: Claim, change: Change) -> bool:
    """The document had links to a file of this name before, in other folders, and none of them led anywhere: a rename of folders
    rewrote a link that was wrong."""
    name = posixpath.basename(claim.text.partition("#")[0].rstrip("/"))
    if not name or claim.file not in change.base.entries:
        return False
    text = change.base.read(claim.file, DOCUMENT_LIMIT).decode("utf-8", "replace")
    linked = re.compile(rf"\]\(<?(?P<to>[^()\s<>#]{{1,300}}/)?{re.escape(name)}[)#>]")
    folder = posixpath.dirname(claim.file)
    then = [posixpath.normpath(posixpath.join(folder, (m["to"] or "") + name)) for m in linked.finditer(text)]
    return bool(then) and not any(path in change.base.entries for path in then)


def _had(claim: Claim, change: Change) -> bool:
    return claim.text.encode() in change.base.read(claim.file, DOCUMENT_LIMIT)


def _went_before(claim: Claim, judgement: Judgement, change: Change, base: FactsOnDemand) -> bool:
    """None of the files that once had it had it in the base."""
    if not judgement.evidence or not all(item.commit and item.file for item in judgement.evidence):
        return False
    name = (judgement.subject or claim.subject).rpartition(".")[2]
    for path in {item.file for item in judgement.evidence} & change.base.entries.keys():
        facts = base.of((path, change.base.entries[path].oid))
        declared = any(name in option.names for option in facts.options if not option.literal)
        if declared if claim.kind == "option" else defines(name, facts):
            return False
    return True


def _rests_on_the_past(claim: Claim, judgement: Judgement) -> bool:
    if judgement.verdict is not Verdict.DRIFTED or claim.form in LINKS or not judgement.evidence:
        return False
    if claim.kind == "version" and claim.hypothetical:
        return True  # a mere number, which only an earlier manifest could make a demand
    if claim.kind == "route":  # what stands in its place now speaks against it only if the route once was another
        return any(item.commit for item in judgement.evidence)
    vague = claim.kind in _KINDS or (claim.kind == "signature" and not claim.owner)
    return vague and all(item.commit for item in judgement.evidence)
