"""The versioned JSON form, for programs. Fields are added, never changed; anything else is a new version."""

from __future__ import annotations

from typing import Any

import msgspec

from docalign_actors.findings.model import Finding, Mention
from docalign_actors.findings.report import Report

VERSION = 1


def render(report: Report) -> str:
    """The report as JSON, indented."""
    return msgspec.json.format(msgspec.json.encode(to_dict(report)), indent=2).decode() + "\n"


def to_dict(report: Report) -> dict[str, Any]:
    """The report as plain values, in the order that the format's documentation gives."""
    summary = report.summary
    return {
        "version": VERSION,
        "summary": {
            "documents": summary.documents,
            "claims": summary.claims,
            "verified": summary.verified,
            "drifted": summary.drifted,
            "uncertain": summary.uncertain,
            "aside": summary.aside,
            "duration_ms": summary.duration_ms,
            "suppressed": summary.suppressed,
            "baselined": summary.baselined,
            "older": summary.older,
            "cut": summary.cut,
        },
        "commit": report.commit,
        "changed_since": report.changed_since or None,
        "findings": [_finding(finding) for finding in report.findings],
        "notes": [{"file": note.file or None, "text": note.text} for note in report.notes],
    }


def _finding(finding: Finding) -> dict[str, Any]:
    return {
        "id": finding.id,
        "rule": finding.rule,
        "kind": finding.kind,
        "verdict": finding.verdict.value,
        "severity": finding.severity.value,
        "confidence": round(finding.confidence, 2),
        "file": finding.file,
        "line": finding.line,
        "column": finding.column,
        "claim": finding.claim,
        "message": finding.message,
        "evidence": [
            {"file": e.file or None, "line": e.line or None, "commit": e.commit or None, "text": e.text}
            for e in finding.evidence
        ],
        "mentions": [_mention(m) for m in finding.mentions],
        "fix": {"replacement": finding.fix.replacement, "safe": finding.fix.safe} if finding.fix else None,
    }


def _mention(mention: Mention) -> dict[str, Any]:
    found: dict[str, Any] = {"file": mention.file, "line": mention.line, "column": mention.column}
    if mention.replacement is not None:
        found |= {"text": mention.text, "replacement": mention.replacement, "safe": mention.safe}
    return found
