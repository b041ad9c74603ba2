"""Decides what agents' answers come to. Pure: where cited texts really stand is passed in.

1. What code decided stands, whatever an agent says.
2. Drifted needs evidence: at least one cited text that stands at the commit where it is said to stand, or close by.
3. An answer that is not sure enough leaves the claim undecided; so does one that does not fit its task, and none at all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from docalign_actors.contracts import (
    CLAIM_EXTRACTION,
    VERIFICATION,
    BadResultError,
    Citation,
    ClaimExtractionResult,
    ClaimExtractionTask,
    ClaimInQuestion,
    ExtractedClaim,
    FileHint,
    Result,
    TaskPayload,
    VerificationResult,
    VerificationTask,
    check_result,
    read_task,
)
from docalign_actors.contracts.checking import folded
from docalign_actors.findings.fingerprint import fingerprint
from docalign_actors.findings.model import Evidence, Finding, Fix, Mention, Severity, Verdict
from docalign_actors.findings.report import Report, Summary
from docalign_actors.scans.referrals import Answer, Resumed

RULE = "agent-verdict"
AGENT = "agent"
_OFF_BY = 3
"""Lines by which an agent may miscount."""
_LONGEST_MESSAGE = 600


class Outcome(Struct, frozen=True):
    """What a run reports when its agents have answered, and how many of its questions they did."""

    report: Report
    asked: int = 0
    answered: int = 0
    decided: int = 0
    tokens: int = 0
    undecided: int = 0
    """Claims about which agents said something that decides nothing."""

    @property
    def notice(self) -> str:
        """What people are told when some questions stay open, "" if none do."""
        if self.answered >= self.asked:
            return ""
        return f"Agents answered {self.answered} of {self.asked} questions; what the others ask stays undecided."


class Understood(Struct, frozen=True):
    """A task and its result, as far as it has one that fits."""

    claim_id: str
    task: TaskPayload
    result: Result | None
    remembered: bool = False


def understood(answers: Sequence[Answer]) -> list[Understood]:
    """Every answer with its task. A payload that cannot be read any more is left out."""
    found: list[Understood] = []
    for answer in answers:
        try:
            task = read_task(answer.command, answer.payload)
        except ValueError:
            continue
        found.append(Understood(answer.claim_id, task, _result(task, answer), answer.remembered))
    return found


def _result(task: TaskPayload, answer: Answer) -> Result | None:
    if answer.status != "COMPLETED" or not answer.result:
        return None
    try:
        return check_result(task, answer.result)
    except BadResultError:  # it was taken before the rules changed
        return None


def citations(answers: Sequence[Answer]) -> tuple[Citation, ...]:
    """Every cited text, in the order of the answers: what has to be looked up."""
    return tuple(citation for one in understood(answers) for citation in _cited(one))


def _cited(one: Understood) -> tuple[Citation, ...]:
    return one.result.evidence if isinstance(one.result, VerificationResult) else ()


def locate(lines: Sequence[str], citation: Citation) -> int:
    """The line at which the quoted text begins, 0 if it does not stand where it is said to."""
    wanted = folded(citation.quote)
    height = citation.quote.strip("\n").count("\n") + 1
    if not wanted or citation.line > len(lines):
        return 0
    near = sorted(range(citation.line - _OFF_BY, citation.line + _OFF_BY + 1), key=lambda n: abs(n - citation.line))
    for number in near:
        if 0 < number <= len(lines) and wanted in folded("\n".join(lines[number - 1 : number - 1 + height])):
            return number
    return 0


def settle(resumed: Resumed, lines: Sequence[int] | None, sure: float) -> Outcome:
    """The report with what agents decided. `lines`: where the citations stand; None if nobody could look."""
    kept = resumed.kept.report
    where = iter(lines if lines is not None else ())
    open_claims = {f.claim_id: f for f in kept.findings if f.verdict is Verdict.UNCERTAIN}
    decided_claims = {f.claim_id for f in kept.findings if f.verdict is not Verdict.UNCERTAIN}
    changed: dict[str, Finding] = {}
    asked = answered = tokens = 0
    for one in understood(resumed.answers):
        tokens += one.result.tokens if one.result is not None and not one.remembered else 0
        places = [next(where, 0) for _ in _cited(one)]
        asked += 1
        answered += one.result is not None and lines is not None
        if not isinstance(one.task, VerificationTask) or not isinstance(one.result, VerificationResult):
            continue
        if lines is None or one.claim_id in decided_claims:
            continue
        known = open_claims.get(one.claim_id) or _from_prose(one.task)
        changed[one.claim_id] = judged(known, one.result, _evidence(one.result, places), sure)
    report = _with(kept, changed)
    decided = sum(f.verdict is not Verdict.UNCERTAIN for f in changed.values())
    return Outcome(report, asked, answered, decided, tokens, len(changed) - decided)


def judged(claim: Finding, result: VerificationResult, evidence: tuple[Evidence, ...], sure: float) -> Finding:
    """The claim as an agent's answer leaves it."""
    reasoning = _plain(result.reasoning)
    if result.verdict == "uncertain" or result.confidence < sure:
        return replace(claim, message=f"An agent could not decide it: {reasoning}")
    if result.verdict == "verified":
        return replace(
            claim,
            verdict=Verdict.VERIFIED,
            confidence=result.confidence,
            message="",
            evidence=evidence,
            decided_by=AGENT,
        )
    if not evidence:
        return replace(claim, message=f"An agent called it false, and what it cited does not stand there: {reasoning}")
    fix = Fix(result.suggestion, safe=False) if _usable(result.suggestion, claim.claim) else None
    return replace(
        claim, id=fingerprint(RULE, claim.claim_id), rule=RULE, verdict=Verdict.DRIFTED, severity=Severity(result.severity),
        confidence=result.confidence, message=f"An agent found it false: {reasoning}", evidence=evidence, fix=fix,
        decided_by=AGENT,
    )  # fmt: skip


def _usable(suggestion: str, claim: str) -> bool:
    """A suggestion that can stand in the place of the claim: one line of text, no markup that its place does not bear."""
    return bool(suggestion.strip()) and suggestion.isprintable() and ("`" in claim or "`" not in suggestion)


def _evidence(result: VerificationResult, places: Sequence[int]) -> tuple[Evidence, ...]:
    """What was cited and stands there."""
    return tuple(
        Evidence(_words(citation), citation.file, line)
        for citation, line in zip(result.evidence, places, strict=True)
        if line
    )


def _words(citation: Citation) -> str:
    return _plain(citation.note) or _plain(citation.quote)


def _plain(text: str) -> str:
    """An agent's words on one line, without control characters, within bounds."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())[:_LONGEST_MESSAGE]


def _from_prose(task: VerificationTask) -> Finding:
    """A claim that an agent read out of prose, before it is judged."""
    claim = task.claim
    lines = claim.context.split("\n")
    source = next((line for line in lines if claim.text.split("\n")[0] in line), "")
    column = source.find(claim.text) + 1 if claim.text in source else 1
    mention = Mention(claim.file, claim.line, column, claim.text if claim.text in source else "", source[:600])
    return Finding(
        claim.id, claim.kind, claim.kind, Verdict.UNCERTAIN, Severity.LOW, 1.0, claim.text, "", (mention,), claim_id=claim.id
    )  # fmt: skip


def _with(kept: Report, changed: dict[str, Finding]) -> Report:
    """The report with these claims as they are now. Claims are counted by mention."""
    summary = replace(kept.summary)
    left = dict(changed)
    findings: list[Finding] = []
    for finding in kept.findings:
        new = left.pop(finding.claim_id, None) if finding.verdict is Verdict.UNCERTAIN else None
        if new is not None:
            _count(summary, finding.verdict, -len(finding.mentions))
            _count(summary, new.verdict, len(new.mentions))
        findings.append(new if new is not None else finding)
    for new in left.values():
        summary.claims += len(new.mentions)
        _count(summary, new.verdict, len(new.mentions))
        findings.append(new)
    findings.sort(key=lambda f: (f.file, f.line, f.column, f.rule))
    return Report(summary, findings, kept.notes, kept.commit, kept.changed_since)


def _count(summary: Summary, verdict: Verdict, number: int) -> None:
    match verdict:
        case Verdict.VERIFIED:
            summary.verified += number
        case Verdict.DRIFTED:
            summary.drifted += number
        case Verdict.UNCERTAIN:
            summary.uncertain += number


def follow_ups(answers: Sequence[Answer], most: int) -> list[VerificationTask]:
    """What agents read out of prose, as questions of their own, each claim once; at most so many."""
    found: dict[str, VerificationTask] = {}
    for one in understood(answers):
        if isinstance(one.task, ClaimExtractionTask) and isinstance(one.result, ClaimExtractionResult):
            for task in _questions(one.task, one.result):
                found.setdefault(task.claim.id, task)
    known = {one.claim_id for one in understood(answers)}
    return [task for identity, task in found.items() if identity not in known][: max(0, most)]


def _questions(task: ClaimExtractionTask, result: ClaimExtractionResult) -> Iterator[VerificationTask]:
    for claim in result.claims:
        passage = next((p for p in task.passages if _within(claim, p.file, p.line, p.text)), None)
        if passage is None:
            continue
        identity = fingerprint(claim.aspect, f"{claim.file}\0{folded(claim.text)}")
        yield VerificationTask(
            task.run_id, task.repository,
            ClaimInQuestion(identity, claim.aspect, claim.text, claim.file, claim.line, passage.text[:3_000], passage.section),
            2, "An agent read it out of prose.", mapped_files=tuple(FileHint(path) for path in claim.mapped_files),
        )  # fmt: skip


def _within(claim: ExtractedClaim, file: str, line: int, text: str) -> bool:
    return claim.file == file and line <= claim.line < line + text.count("\n") + 1


def command_of(task: TaskPayload) -> str:
    """The queue that a task goes to."""
    return VERIFICATION if isinstance(task, VerificationTask) else CLAIM_EXTRACTION
