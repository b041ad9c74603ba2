"""Decides what a run reports: without what is suppressed, the most important first, no more than is asked for. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from docalign_actors.findings.model import Finding
from docalign_actors.findings.report import Report
from docalign_actors.scans.messages import Referral, ReportMade, ScanFacts
from docalign_actors.scans.model import Counts
from docalign_actors.scans.ports import Results


def merge(report: Report, facts: ScanFacts, suppressed: Sequence[tuple[str, str]], *, knowledge: bool) -> Results:
    """`knowledge`: the scan is of the default branch. Only the scan of a change is capped."""
    drifted = [f for f in report.drifted if not is_suppressed(f, suppressed)]
    found = prioritised(drifted)
    if not knowledge and facts.max_claims:
        found = found[: facts.max_claims]
    summary = report.summary
    counts = Counts(summary.claims, summary.verified, summary.drifted, summary.uncertain)
    return Results(report, tuple(found), facts, counts, knowledge)


def to_refer(made: ReportMade, suppressed: Sequence[tuple[str, str]]) -> tuple[Referral, ...]:
    """What is asked of agents: not what nobody wants to hear of."""
    quiet = {f.claim_id for f in made.report.findings if is_suppressed(f, suppressed)}
    return tuple(one for one in made.referrals if not one.claim_id or one.claim_id not in quiet)


def prioritised(findings: Sequence[Finding]) -> list[Finding]:
    """By severity times confidence, ties by file and line."""
    return sorted(findings, key=lambda f: (-f.severity.weight * f.confidence, f.file, f.line))


def is_suppressed(finding: Finding, suppressed: Sequence[tuple[str, str]]) -> bool:
    """A claim by its id or its finding's, a file if all mentions stand in suppressed files, a kind by its name or rule."""
    files = {value for scope, value in suppressed if scope == "file"}
    for scope, value in suppressed:
        if scope == "claim" and value in (finding.id, finding.claim_id):
            return True
        if scope == "kind" and value in (finding.kind, finding.rule):
            return True
    return bool(files) and all(mention.file in files for mention in finding.mentions)
