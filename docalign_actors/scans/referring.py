"""Decides which claims are referred to agents, and what each task says. Pure: the code's places and texts are passed in.

A claim is referred if it is undecided for a reason that somebody who reads the code could get past: two values that cannot
be compared, a name that is used but not seen to be defined, an option registered in a way that cannot be read. A claim that
is undecided because it is none of this repository's business is not. The reasons are those of the kinds; a test sees to it
that each of them is still given somewhere.

Path 1: few files name the thing, and what they say of it fits into the task. Path 2: the agent has to look for itself, and
gets the likeliest files as hints.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from docalign_actors.contracts.tasks import (
    LONGEST_CLAIM,
    LONGEST_CONTEXT,
    LONGEST_EXCERPT,
    MOST_EVIDENCE,
    MOST_EXCERPTS,
    MOST_HINTS,
    ClaimInQuestion,
    Excerpt,
    FileHint,
    RepositoryAtCommit,
    VerificationTask,
)
from docalign_actors.engine.roles import is_own_code
from docalign_actors.findings.model import Finding, Verdict

REASONS: Mapping[str, int] = {
    "cannot be compared with": 3,
    "is gone, and this text does not name it": 3,
    "the code has several defaults": 3,
    "the code's value may stand for one that is worked out later": 3,
    "manifests disagree": 3,
    "too little evidence": 3,
    "it may take more than its definition lists": 2,
    "which default is meant cannot be told": 2,
    "whose default it is cannot be told": 2,
    "something on the way cannot be read": 2,
    "the program's options cannot all be read": 2,
    "the manifest may define it in a way that cannot be read": 2,
    "code may build it out of parts": 2,
    "code builds names that begin like this one": 2,
    "a prefix is not known": 2,
    "no such route, and too few of its neighbours are registered here": 2,
    "its owner has no such member, but the code uses the word": 2,
    "a parent of the class cannot be read": 2,
    "its class has a parent that cannot be read": 2,
    "not defined here, but the code uses the word": 1,
    "an object of unknown class": 1,
    "nothing shows that it is a key of this project's configuration": 1,
    "nothing shows that it is this project's variable": 1,
    "no parser of this repository is seen to take it": 1,
    "the sentence may speak of something else": 1,
}
"""Why a claim is undecided, and how much an answer is worth."""

_LOOK_FOR_YOURSELF = 2
_FEW = 3
"""Files: what more of them say is too much to be evidence."""
_AROUND = 12
"""Lines of code on each side of a place."""
_BESIDE = 5
"""Lines of a document on each side of a claim."""
_MOST_WORDS = 4
_MOST_PLACES = 3
"""Of one file."""
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:-[A-Za-z0-9_]+)*")
_SPAN = re.compile(r"`([^`]{1,200})`")
_COMMON = frozenset(
    "true false none null http https default defaults value values name type file path with from this that then when will must "
    "should option options setting settings string number integer boolean list requires returns version".split()
)

Read = Callable[[str], Sequence[str]]
"""The lines of a file at the commit, none if it is not there or is no text."""


class Place(Struct, frozen=True, order=True):
    """Where a word stands."""

    file: str
    line: int


def referred(findings: Sequence[Finding], most: int) -> list[Finding]:
    """The claims to refer, most worth asking first. What code decided about a claim, or about its text, stands.

    Several kinds may read the same words: one question about them is enough.
    """
    decided = [f for f in findings if f.verdict is not Verdict.UNCERTAIN]
    known = {f.claim_id for f in decided}
    taken = _Taken(decided)
    chosen: list[Finding] = []
    open_claims = [f for f in findings if f.verdict is Verdict.UNCERTAIN and worth(f)]
    for finding in sorted(open_claims, key=lambda f: (-worth(f), f.file, f.line, f.column, -len(f.claim))):
        if len(chosen) >= most:
            break
        if finding.claim_id not in known and taken.add(finding):
            known.add(finding.claim_id)
            chosen.append(finding)
    return chosen


class _Taken:
    """The words that somebody speaks of already, by their first mentions."""

    def __init__(self, findings: Sequence[Finding]) -> None:
        self._spans: dict[tuple[str, int], list[tuple[int, int]]] = {}
        for finding in findings:
            self.add(finding)

    def add(self, finding: Finding) -> bool:
        """False if some of its words are taken."""
        mention = finding.mentions[0]
        first, last = mention.column, mention.column + max(1, len(mention.text)) - 1
        spans = self._spans.setdefault((mention.file, mention.line), [])
        free = all(last < a or b < first for a, b in spans)
        spans.append((first, last))
        return free


def worth(finding: Finding) -> int:
    """How much an answer is worth, 0 if nothing."""
    said = finding.message.casefold()
    return max((weight for reason, weight in REASONS.items() if reason in said), default=0)


def words_of(finding: Finding) -> tuple[str, ...]:
    """The names by which the code may speak of what a claim speaks of: its own first, then those beside it."""
    source = finding.mentions[0].source
    texts = (finding.claim, *_SPAN.findall(source))
    found: dict[str, None] = {}
    for text in texts:
        for word in _WORD.findall(text):
            if len(word) > 3 and word.casefold() not in _COMMON:
                found.setdefault(word)
                found.setdefault(word.replace("-", "_"))
    return tuple(found)[:_MOST_WORDS]


def verification(
    finding: Finding, run_id: str, repository: RepositoryAtCommit, places: Sequence[Place], changed: frozenset[str], read: Read
) -> VerificationTask:  # fmt: skip
    """The task for one claim. `places`: where its words stand in the code; `changed`: files that the change touched."""
    claim = question_about(finding, read)
    by_file: dict[str, list[int]] = {}
    for place in sorted(set(places)):
        if is_own_code(place.file) and place.file != claim.file:
            by_file.setdefault(place.file, []).append(place.line)
    evidence = excerpts(by_file, read) if 0 < len(by_file) <= _FEW else ()
    if evidence:
        reason = f"{finding.message} {_files(len(by_file))} of the code may tell."
        return VerificationTask(run_id, repository, claim, 1, reason, evidence=evidence)
    reason = f"{finding.message} " + (
        f"{_files(len(by_file))} of the code name it: too much to send along."
        if by_file
        else "No file is seen to name it."
    )
    return VerificationTask(run_id, repository, claim, 2, reason, mapped_files=hints(by_file, changed))


def question_about(finding: Finding, read: Read) -> ClaimInQuestion:
    """The claim, with the lines around its first mention."""
    mention = finding.mentions[0]
    lines = read(mention.file)
    first = max(0, mention.line - 1 - _BESIDE)
    return ClaimInQuestion(
        finding.claim_id, finding.kind, finding.claim[:LONGEST_CLAIM], mention.file, mention.line,
        "\n".join(lines[first : mention.line + _BESIDE])[:LONGEST_CONTEXT],
    )  # fmt: skip


def question_of(task: VerificationTask) -> str:
    """By what one knows the same question: all that its answer rests on. Whoever looks for himself looks at a commit."""
    commit = task.repository.commit if task.verification_path == _LOOK_FOR_YOURSELF else ""
    repository = RepositoryAtCommit(task.repository.id, "", "", commit)
    return hashlib.sha256(msgspec.json.encode(replace(task, run_id="", repository=repository))).hexdigest()


def _files(number: int) -> str:
    return "One file" if number == 1 else f"{number} files"


def excerpts(by_file: Mapping[str, Sequence[int]], read: Read) -> tuple[Excerpt, ...]:
    """The code around the places; nothing, if all of it does not fit into a task."""
    found: list[Excerpt] = []
    for file, numbers in by_file.items():
        lines = read(file)
        for first, last in windows(numbers[:_MOST_PLACES], len(lines)):
            text = "\n".join(lines[first - 1 : last])
            if len(text) > LONGEST_EXCERPT:
                return ()
            found.append(Excerpt(file, first, text))
    fits = len(found) <= MOST_EXCERPTS and sum(len(one.text) for one in found) <= MOST_EVIDENCE
    return tuple(found) if fits else ()


def windows(numbers: Sequence[int], length: int) -> list[tuple[int, int]]:
    """First and last line of the pieces around these lines; pieces that meet are one."""
    found: list[tuple[int, int]] = []
    for number in sorted(numbers):
        if not 0 < number <= length:
            continue
        first, last = max(1, number - _AROUND), min(length, number + _AROUND)
        if found and first <= found[-1][1] + 1:
            found[-1] = (found[-1][0], last)
        else:
            found.append((first, last))
    return found


def hints(by_file: Mapping[str, Sequence[int]], changed: frozenset[str]) -> tuple[FileHint, ...]:
    """The likeliest files: what the change touched, then what names the thing most often."""
    ranked = sorted(by_file.items(), key=lambda item: (item[0] not in changed, -len(item[1]), item[0]))
    return tuple(FileHint(file, 0.9 if file in changed else 0.5, line=lines[0]) for file, lines in ranked[:MOST_HINTS])
