"""How much of a scan of a change is shown: the most important findings, and the number of the others."""

from __future__ import annotations

import msgspec

from docalign_actors.findings.model import Verdict
from docalign_actors.findings.report import Report


def cut_to(report: Report, most: int) -> Report:
    """The report with no more false claims than asked for, the most severe and certain, in the order of the documentation."""
    drifted = report.drifted
    if len(drifted) <= most:
        return report
    ranked = sorted(drifted, key=lambda f: (-f.severity.weight * f.confidence, f.file, f.line))
    left_out = {id(finding) for finding in ranked[most:]}
    kept = [f for f in report.findings if f.verdict is not Verdict.DRIFTED or id(f) not in left_out]
    summary = msgspec.structs.replace(report.summary, cut=len(left_out))
    return msgspec.structs.replace(report, findings=kept, summary=summary)
