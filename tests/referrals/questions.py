"""Reports with claims that code could not decide, and what is asked about them."""

from __future__ import annotations

from typing import Any

import msgspec

from docalign_actors.contracts import (
    ClaimExtractionTask,
    ClaimInQuestion,
    Excerpt,
    Passage,
    RepositoryAtCommit,
    VerificationTask,
)
from docalign_actors.findings.fingerprint import fingerprint
from docalign_actors.findings.model import Evidence, Finding, Mention, Severity, Verdict
from docalign_actors.findings.report import Report, Summary
from docalign_actors.scans.messages import Referral
from docalign_actors.scans.referring import question_of

COMMIT = "c" * 40
REPOSITORY = RepositoryAtCommit("r", "acme/widget", "https://example.org/acme/widget", COMMIT)
REASON = "The code has several defaults."


def claim(
    text: str, verdict: Verdict = Verdict.UNCERTAIN, message: str = REASON, *, line: int = 3, kind: str = "default", times: int = 1
) -> Finding:  # fmt: skip
    mentions = tuple(Mention("README.md", line + n, 1, text, f"It is `{text}`.") for n in range(times))
    evidence = (Evidence("it is gone", "src/old.py", 1),) if verdict is Verdict.DRIFTED else ()
    return Finding(
        fingerprint(kind, text), kind, kind, verdict, Severity.LOW, 1.0, text, message, mentions, evidence,
        claim_id=fingerprint(kind, text),
    )  # fmt: skip


def report(*claims: Finding) -> Report:
    counts = {verdict: sum(len(c.mentions) for c in claims if c.verdict is verdict) for verdict in Verdict}
    summary = Summary(
        claims=sum(counts.values()), verified=counts[Verdict.VERIFIED], drifted=counts[Verdict.DRIFTED],
        uncertain=counts[Verdict.UNCERTAIN],
    )  # fmt: skip
    return Report(summary, list(claims), commit=COMMIT)


TIMEOUT = claim("timeout")
REPORT_OF_ONE = report(TIMEOUT)


def question(about: Finding) -> Referral:
    asked = ClaimInQuestion(about.claim_id, about.kind, about.claim, about.file, about.line, about.mentions[0].source)
    task = VerificationTask("run", REPOSITORY, asked, 1, evidence=(Excerpt("src/app.py", 1, "RETRIES = 3"),))
    return Referral(about.claim_id, "verification", msgspec.json.encode(task).decode(), question_of(task))


def reading(text: str = "The queue is kept in memory. It is fast.") -> Referral:
    task = ClaimExtractionTask("run", REPOSITORY, (Passage("README.md", 9, text),))
    return Referral("", "claim_extraction", msgspec.json.encode(task).decode())


def says(verdict: str, confidence: float = 0.9, *, cites: bool = True, **more: Any) -> dict[str, Any]:
    evidence = [{"file": "src/app.py", "line": 1, "quote": "RETRIES = 3"}] if cites else []
    return {
        "type": "verification", "verdict": verdict, "confidence": confidence, "reasoning": "It is 3.", "evidence": evidence, **more,
    }  # fmt: skip
