"""Findings that are alike: one folder that moved makes the hundred links of a page false, and three of them tell it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence

from docalign_actors.findings.model import Finding, Verdict

LEAST_ALIKE = 8
"""Fewer are read faster than what is said instead of them."""


def heaps(findings: Sequence[Finding]) -> list[list[Finding]]:
    """The findings in their order; many that are alike are together where the first of them stands."""
    likeness = [_likeness(finding) for finding in findings]
    sizes = Counter(likeness)
    found: dict[Hashable, list[Finding]] = {}
    for place, (finding, alike) in enumerate(zip(findings, likeness, strict=True)):
        found.setdefault(alike if alike and sizes[alike] >= LEAST_ALIKE else place, []).append(finding)
    return list(found.values())


def _likeness(finding: Finding) -> tuple[str, ...]:
    """One rule, one document, one target's folder or page, one commit; () for what each time tells something of its own."""
    target, anchor, _ = finding.claim.partition("#")
    common = target if anchor else target.rpartition("/")[0]
    if finding.verdict is not Verdict.DRIFTED or not common:
        return ()
    commit = next((item.commit for item in finding.evidence if item.commit), "")
    return finding.rule, finding.file, common, commit
