"""Makes a scan's questions for agents out of the repository at hand: finds places in the code, reads texts. Decides nothing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache, partial

import msgspec
from msgspec import Struct

from docalign_actors.contracts.tasks import (
    CLAIM_EXTRACTION,
    VERIFICATION,
    ClaimExtractionTask,
    Passage,
    RepositoryAtCommit,
    VerificationTask,
)
from docalign_actors.engine.code.reader import SOURCE_LIMIT
from docalign_actors.engine.difference import Gone, new_lines
from docalign_actors.engine.documents.reader import read_document, source_lines
from docalign_actors.engine.ports import Change, Tree
from docalign_actors.engine.roles import document_format
from docalign_actors.findings.model import Finding, Verdict
from docalign_actors.findings.report import Report
from docalign_actors.hosts.localgit.git import Git, joined
from docalign_actors.hosts.mirrors import shown
from docalign_actors.scans.messages import Referral, ScanFacts
from docalign_actors.scans.passages import passages
from docalign_actors.scans.ports import Job
from docalign_actors.scans.referring import Place, Read, question_about, referred, verification, words_of, worth
from docalign_actors.scans.remembering import files_of, holds, key_of, recall

_MOST_READ = 64
"""Files whose lines are remembered while tasks are made."""
_MOST_OUTPUT = 8_000_000
_MOST_DOCUMENTS = 40
_MOST_NAMED = 40
_TAIL = "…"


class Referred(Struct, frozen=True):
    """The report with what agents decided earlier, what is asked of them now, and the blobs of the files that this names."""

    report: Report
    referrals: tuple[Referral, ...] = ()
    blobs: dict[str, str] = {}
    remembered: int = 0


def refer(job: Job, git: Git, tree: Tree, change: Change | None, report: Report, facts: ScanFacts) -> Referred:
    """What agents decided for earlier scans and what this one asks, within its limits."""
    asking = job.asking
    if asking is None:
        return Referred(report)
    base = change.base.commit if change is not None else ""
    repository = RepositoryAtCommit(job.repo_id, asking.repository, shown(job.url), tree.commit, base)
    read = reader_of(tree)
    touched = frozenset((*facts.code, *facts.docs))

    def tasks_for(claims: Sequence[Finding]) -> list[VerificationTask]:
        words = {finding.claim_id: words_of(finding) for finding in claims}
        places = places_of(git, tree.commit, {word for group in words.values() for word in group})
        near = {claim: [place for word in group for place in places.get(word, ())] for claim, group in words.items()}
        return [verification(f, job.run_id, repository, near[f.claim_id], touched, read) for f in claims]

    known = {one.claim_key: one for one in asking.known}
    undecided = referred(report.findings, len(report.findings)) if known else []
    asked_before = tasks_for([f for f in undecided if key_of(question_about(f, read)) in known])
    matches = [(task, known[key_of(task.claim)]) for task in asked_before]
    still = [(task, one) for task, one in matches if holds(one, task, partial(blob_of, tree))]
    recalled = recall(report, facts, still, read, asking.sure)
    open_claims = [f for f in recalled.report.findings if f.claim_id not in recalled.claims or f.decided_by]
    tasks = tasks_for(referred(open_claims, min(asking.claims, facts.max_claims or asking.claims)))
    found = [Referral(task.claim.id, VERIFICATION, _json(task)) for task in tasks]
    blobs = {file: blob_of(tree, file) for task in tasks for file in files_of(task)}
    prose = unread(change, report, facts.docs, asking.passages) if change is not None and asking.passages else ()
    if prose:
        extraction = ClaimExtractionTask(job.run_id, repository, tuple(prose), _project(tree))
        found.append(Referral("", CLAIM_EXTRACTION, _json(extraction)))
    return Referred(recalled.report, tuple(found), blobs, len(recalled.claims))


def blob_of(tree: Tree, path: str) -> str:
    """The blob of a file, "" if it is not there."""
    entry = tree.entries.get(path)
    return entry.oid if entry is not None else ""


def _json(task: msgspec.Struct) -> str:
    return msgspec.json.encode(task).decode()


def _project(tree: Tree) -> str:
    """What there is at the root: enough to know what sort of project it is."""
    names = sorted({path.partition("/")[0] + ("/" if "/" in path else "") for path in tree.entries})
    return "At the root: " + ", ".join(names[:_MOST_NAMED]) + (_TAIL if len(names) > _MOST_NAMED else "")


def reader_of(tree: Tree) -> Read:
    """Lines of files at the tree's commit, as people count them; none of what is absent, too large or no text."""

    @lru_cache(_MOST_READ)
    def read(path: str) -> Sequence[str]:
        data = tree.read(path, SOURCE_LIMIT + 1)
        if not data or len(data) > SOURCE_LIMIT or b"\0" in data:
            return ()
        lines = source_lines(data)
        return lines[:-1] if lines[-1] == "" else lines

    return read


def places_of(git: Git, commit: str, words: Iterable[str]) -> Mapping[str, list[Place]]:
    """Where these words stand in the files of a commit, a few places of each file."""
    wanted = sorted(set(words))
    if not wanted:
        return {}
    arguments = ("grep", "-n", "-z", "-I", "-w", "-F", "--max-count=20", "-f", "-", commit)
    output = git.run(*arguments, stdin=joined(wanted), check=False)[:_MOST_OUTPUT].decode("utf-8", "replace")
    either = re.compile(r"(?<!\w)(" + "|".join(map(re.escape, sorted(wanted, key=len, reverse=True))) + r")(?!\w)")
    found: dict[str, list[Place]] = {}
    for record in output.split("\n"):
        parts = record.split("\0", 2)
        if len(parts) != 3 or not parts[1].isdigit():
            continue
        place = Place(parts[0].removeprefix(f"{commit}:"), int(parts[1]))
        for word in set(either.findall(parts[2])):
            found.setdefault(word, []).append(place)
    return found


def unread(change: Change, report: Report, documents: Sequence[str], most: int) -> list[Passage]:
    """New prose that speaks of the code and makes no claim which code decides or an agent is asked about."""
    dealt: dict[str, set[int]] = {}
    for finding in report.findings:
        if finding.verdict is not Verdict.UNCERTAIN or worth(finding):
            for mention in finding.mentions:
                dealt.setdefault(mention.file, set()).add(mention.line)
    went = [path for path in change.base.entries if path not in change.head.entries and document_format(path)]
    gone = Gone(change, went)
    found: list[Passage] = []
    for path in documents[:_MOST_DOCUMENTS]:
        form = document_format(path)
        if not form or path not in change.head.entries or len(found) >= most:
            continue
        data = change.head.read(path, SOURCE_LIMIT)
        document = read_document(path, form, data)
        written = new_lines(change, path, gone)
        found += passages(document, source_lines(data), written, dealt.get(path, set()), most - len(found))
    return found
