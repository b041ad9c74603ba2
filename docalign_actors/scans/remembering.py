"""Decides which verdicts of agents still hold, and which are worth keeping. Pure: trees and texts are passed in.

A verdict is known by the claim with the lines around it, wherever in its document they stand. It rests on the files that were
sent along or hinted at and on those that the agent cited. It holds while each of these is the same to the byte and no other
file has come to name the thing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from docalign_actors.contracts import VERIFICATION, ClaimInQuestion, VerificationResult, VerificationTask
from docalign_actors.findings.report import Report
from docalign_actors.scans.answering import Understood, citations, locate, settle, understood
from docalign_actors.scans.messages import ScanFacts
from docalign_actors.scans.referrals import Answer, Kept, RememberedVerdict, Resumed
from docalign_actors.scans.referring import Read

Blobs = Mapping[str, str]
"""The blob of each file, "" for one that is not there."""


class Recalled(Struct, frozen=True):
    """A report with what agents decided earlier. `claims`: those that need not be asked about, decided or not."""

    report: Report
    claims: frozenset[str] = frozenset()


def key_of(claim: ClaimInQuestion) -> str:
    """By what one knows a claim again: its words, its document and the lines around it."""
    return hashlib.sha256(msgspec.json.encode(replace(claim, line=0))).hexdigest()


def files_of(task: VerificationTask) -> tuple[str, ...]:
    """The files that a question names: excerpts and hints."""
    named = (*(one.file for one in task.evidence), *(one.path for one in task.mapped_files))
    return tuple(dict.fromkeys(named))


def holds(known: RememberedVerdict, task: VerificationTask, blob_of: Callable[[str], str]) -> bool:
    """Whether a verdict answers this question too. Files that have come to name the thing might tell otherwise."""
    return set(files_of(task)) <= known.rests_on.keys() and all(blob_of(f) == b for f, b in known.rests_on.items())


def recall(
    report: Report, facts: ScanFacts, known: Sequence[tuple[VerificationTask, RememberedVerdict]], read: Read, sure: float
) -> Recalled:  # fmt: skip
    """The report with these verdicts. What they cite is looked up at this commit, as if they had come just now."""
    if not known:
        return Recalled(report)
    answers = tuple(
        Answer(
            task.claim.id, VERIFICATION, msgspec.json.encode(task).decode(), "COMPLETED", one.result, remembered=True
        )
        for task, one in known
    )
    lines = [locate(read(citation.file), citation) for citation in citations(answers)]
    settled = settle(Resumed(Kept(report, facts), answers), lines, sure)
    valid = {one.claim_id for one in understood(answers) if one.result is not None}
    return Recalled(settled.report, frozenset(valid))


def worth_keeping(resumed: Resumed, lines: Sequence[int] | None, blobs: Blobs) -> tuple[RememberedVerdict, ...]:
    """The verdicts that may answer a later scan. `blobs`: of the files that were cited.

    One that rests on no file could never be found wrong; a `drifted` whose citations do not stand there was no answer.
    """
    if lines is None:
        return ()
    known = {**resumed.kept.blobs, **blobs}
    where = iter(lines)
    found: list[RememberedVerdict] = []
    for one in understood(resumed.answers):
        cited = one.result.evidence if isinstance(one.result, VerificationResult) else ()
        stands = [next(where, 0) for _ in cited]
        verdict = _verdict(one, any(stands), known)
        if verdict is not None and not one.remembered:
            found.append(verdict)
    return tuple(found)


def _verdict(one: Understood, stands: bool, known: Blobs) -> RememberedVerdict | None:
    if not isinstance(one.task, VerificationTask) or not isinstance(one.result, VerificationResult):
        return None
    if one.result.verdict == "drifted" and not stands:
        return None
    files = dict.fromkeys((*files_of(one.task), *(citation.file for citation in one.result.evidence)))
    if not files or not files.keys() <= known.keys():
        return None
    result = msgspec.json.encode(one.result).decode()
    return RememberedVerdict(key_of(one.task.claim), one.claim_id, result, {file: known[file] for file in files})
