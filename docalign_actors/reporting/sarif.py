"""SARIF 2.1.0, for code scanning services."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import msgspec

from docalign_actors import __version__
from docalign_actors.findings.model import Finding, Mention
from docalign_actors.findings.report import Report

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {"high": "error", "medium": "warning", "low": "note"}


def render(report: Report) -> str:
    """One run with one result a finding; further mentions are related locations, fixes are given where they are certain."""
    rules = {
        f.rule: {"id": f.rule, "properties": {"kind": f.kind}, "shortDescription": {"text": f.rule.replace("-", " ")}}
        for f in report.drifted
    }
    order = {rule: number for number, rule in enumerate(rules)}
    run = {
        "tool": {"driver": {"name": "docalign", "version": __version__, "rules": list(rules.values())}},
        "columnKind": "unicodeCodePoints",
        "results": [_result(finding, order[finding.rule]) for finding in report.drifted],
        "invocations": [{"executionSuccessful": True}],
        "properties": {
            "claims": report.summary.claims,
            "verified": report.summary.verified,
            "uncertain": report.summary.uncertain,
        },
    }
    document = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}
    return msgspec.json.format(msgspec.json.encode(document), indent=2).decode() + "\n"


def _result(finding: Finding, rule: int) -> dict[str, Any]:
    evidence = [e.sentence for e in finding.evidence]
    result: dict[str, Any] = {
        "ruleId": finding.rule,
        "ruleIndex": rule,
        "level": _LEVELS[finding.severity.value],
        "message": {"text": "\n".join([finding.message, *evidence])},
        "locations": [_location(finding.mentions[0])],
        "partialFingerprints": {"docalign/v1": finding.id},
        "properties": {"confidence": round(finding.confidence, 2), "claim": finding.claim},
    }
    if len(finding.mentions) > 1:
        result["relatedLocations"] = [{"id": n, **_location(m)} for n, m in enumerate(finding.mentions[1:], 1)]
    changes = [_change(m) for m in finding.mentions if m.replacement is not None and m.safe]
    if changes:
        result["fixes"] = [{"description": {"text": "Write what the code says."}, "artifactChanges": changes}]
    return result


def _location(mention: Mention) -> dict[str, Any]:
    return {"physicalLocation": {"artifactLocation": {"uri": quote(mention.file)}, "region": _region(mention)}}


def _region(mention: Mention) -> dict[str, int]:
    return {
        "startLine": mention.line,
        "startColumn": mention.column,
        "endColumn": mention.column + max(1, len(mention.text)),
    }


def _change(mention: Mention) -> dict[str, Any]:
    replacement = {"deletedRegion": _region(mention), "insertedContent": {"text": mention.replacement}}
    return {"artifactLocation": {"uri": quote(mention.file)}, "replacements": [replacement]}
