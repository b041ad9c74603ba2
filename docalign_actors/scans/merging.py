"""Decides what a run reports: without what is suppressed, the most important first, no more than is asked for. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from docalign_actors.findings.model import Finding
from docalign_actors.findings.report import Report
from docalign_actors.scans.messages import Referral, ReportMade, ScanFacts
from docalign_actors.scans.model import Counts
from docalign_actors.scans.ports import Results

Together = Mapping[tuple[str, str], int]
"""How often a code file and a document were changed together."""
_A_CO_CHANGE = 0.02
_MOST_CO_CHANGES = 0.1


def merge(
    report: Report, facts: ScanFacts, suppressed: Sequence[tuple[str, str]], together: Together | None = None, *, knowledge: bool
) -> Results:  # fmt: skip
    """`knowledge`: the scan is of the default branch. Only the scan of a change is capped."""
    drifted = [f for f in report.drifted if not is_suppressed(f, suppressed)]
    found = prioritised(drifted, together or {})
    most = facts.max_claims if not knowledge and facts.max_claims else len(found)
    summary = report.summary
    left_out = [f for f in report.drifted if is_suppressed(f, suppressed)]
    false = max(0, summary.drifted - sum(len(f.mentions) for f in left_out))
    cut = max(0, len(found) - most)
    counts = Counts(summary.claims, summary.verified, false, summary.uncertain, len(left_out), cut)
    return Results(report, tuple(found[:most]), facts, counts, knowledge)


def to_refer(made: ReportMade, suppressed: Sequence[tuple[str, str]]) -> tuple[Referral, ...]:
    """What is asked of agents: not what nobody wants to hear of."""
    quiet = {f.claim_id for f in made.report.findings if is_suppressed(f, suppressed)}
    return tuple(one for one in made.referrals if not one.claim_id or one.claim_id not in quiet)


def prioritised(findings: Sequence[Finding], together: Together | None = None) -> list[Finding]:
    """By severity times confidence, ties by file and line."""
    known = together or {}
    return sorted(findings, key=lambda f: (-f.severity.weight * certainty(f, known), f.file, f.line))


def certainty(finding: Finding, together: Together) -> float:
    """How sure a finding is, once it is known how often its document was changed together with the code that it rests on."""
    times = max((together.get(pair, 0) for pair in pairs_of([finding])), default=0)
    return min(1.0, finding.confidence + min(_A_CO_CHANGE * times, _MOST_CO_CHANGES))


def pairs_of(findings: Sequence[Finding]) -> set[tuple[str, str]]:
    """The mappings of findings: code files that they rest on, and documents that they stand in."""
    return {(e.file, m.file) for f in findings for e in f.evidence if e.file for m in f.mentions}


def is_suppressed(finding: Finding, suppressed: Sequence[tuple[str, str]]) -> bool:
    """A claim by its id or its finding's, a file if all mentions stand in suppressed files, a kind by its name or rule."""
    files = {value for scope, value in suppressed if scope == "file"}
    for scope, value in suppressed:
        if scope == "claim" and value in (finding.id, finding.claim_id):
            return True
        if scope == "kind" and value in (finding.kind, finding.rule):
            return True
    return bool(files) and all(mention.file in files for mention in finding.mentions)
