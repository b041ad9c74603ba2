"""Writes what a scan found: what the run reports and, for scans of the default branch, what is known from now on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from psycopg.rows import dict_row
from psycopg.types.json import Jsonb

from docalign_actors.findings.model import Finding, Verdict
from docalign_actors.persistence import waits
from docalign_actors.persistence.database import Connection
from docalign_actors.persistence.journal import note_scan, score_before
from docalign_actors.persistence.sql import query
from docalign_actors.persistence.verdicts import keep_verdicts
from docalign_actors.scans.health import score
from docalign_actors.scans.model import RunId, Status
from docalign_actors.scans.ports import Results

_MOST_TOUCHED = 60
"""Files on each side of a change beyond which it says nothing about which belong together."""
_WEIGHT = {Verdict.DRIFTED: 2, Verdict.VERIFIED: 1, Verdict.UNCERTAIN: 0}


def write_results(connection: Connection, run: RunId, status: Status, results: Results) -> None:
    """Everything in the transaction that ends the run."""
    row = (
        connection.cursor(row_factory=dict_row)
        .execute("SELECT repo_id, type FROM scan_runs WHERE id = %s", (run,))
        .fetchone()
    )
    if row is None:
        return
    repo = row["repo_id"]
    known = (
        {r[0] for r in connection.execute(query("scans_known_drift"), {"repo": repo}).fetchall()}
        if results.knowledge
        else set()
    )
    before = score_before(connection, repo) if results.knowledge else None
    with connection.pipeline():
        connection.execute(
            query("scans_insert_findings"), {"run": run, "findings": Jsonb(_reported(results.findings, known))}
        )
        if results.facts.threshold:
            said = {"threshold": results.facts.threshold, "comment_when_clean": results.facts.comment_when_clean}
            connection.execute(query("scans_set_manners"), {"run": run, **said})
        if results.knowledge:
            health, learnt = _learn(
                connection, run, repo, row["type"] == "full" or results.facts.whole, status, results
            )
            note_scan(connection, run, repo, learnt, health, known, before)
        waits.write_outcome(connection, run, results.notice, results.tokens)
        keep_verdicts(connection, run, repo, results.verdicts, results.remembered)
        facts = results.facts
        if 0 < len(facts.code) <= _MOST_TOUCHED and 0 < len(facts.docs) <= _MOST_TOUCHED:
            touched = {"code": list(facts.code), "docs": list(facts.docs), "commit": results.report.commit}
            connection.execute(query("scans_insert_co_changes"), {"repo": repo, **touched})


def _learn(
    connection: Connection, run: RunId, repo: Any, full: bool, status: Status, results: Results
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The health and the facts that are known from now on."""
    claims = distinct(results.report.findings)
    if status is Status.COMPLETED:  # a partial scan has not seen everything: what it did not see is not gone
        values = {"repo": repo, "run": run, "claims": Jsonb([_claim(f) for f in claims])}
        connection.execute(query("scans_learn_claims"), values)
        mappings = Jsonb(_mappings(claims))
        connection.execute(query("scans_forget_mappings"), {"repo": repo, "mappings": mappings})
        connection.execute(query("scans_learn_mappings"), {"repo": repo, "mappings": mappings})
    counts = results.counts
    health = {
        "score": score(counts.verified, counts.drifted),
        "total": counts.checked,
        "verified": counts.verified,
        "drifted": counts.drifted,
    }
    state = "active" if status is Status.COMPLETED else "partial"
    facts = {"branch": results.facts.branch, "head": results.facts.head, "status": state, "full": full}
    connection.execute(query("scans_learn_repo"), {"repo": repo, **health, **facts})
    connection.execute(query("scans_insert_health"), {"repo": repo, "run": run, **health})
    return health, facts


def distinct(findings: Iterable[Finding]) -> list[Finding]:
    """One for each claim: of two that speak of the same, the one that says more."""
    best: dict[str, Finding] = {}
    for finding in findings:
        known = best.get(finding.claim_id)
        if known is None or _WEIGHT[finding.verdict] > _WEIGHT[known.verdict]:
            best[finding.claim_id] = finding
    return list(best.values())


def _reported(findings: Sequence[Finding], known: set[str]) -> list[dict[str, Any]]:
    return [
        {"position": i, "fingerprint": f.id, "is_new": f.claim_id not in known, "finding": plain(f)}
        for i, f in enumerate(findings, 1)
    ]


def _claim(finding: Finding) -> dict[str, Any]:
    whole = plain(finding)
    kept = ("kind", "rule", "verdict", "severity", "confidence", "message", "evidence", "fix")
    places = [{key: m[key] for key in ("file", "line", "column")} for m in whole["mentions"]]
    place = {"file": whole["mentions"][0]["file"], "line": whole["mentions"][0]["line"]}
    return (
        {key: whole[key] for key in kept}
        | place
        | {
            "fingerprint": finding.claim_id,
            "text": whole["claim"],
            "mentions": places,
        }
    )


def _mappings(claims: Iterable[Finding]) -> list[dict[str, Any]]:
    found: dict[tuple[str, str], int] = {}
    for claim in claims:
        for evidence in claim.evidence:
            if evidence.file and not evidence.commit:
                found.setdefault((claim.claim_id, evidence.file), evidence.line)
    return [plain({"fingerprint": f, "code_file": file, "line": line}) for (f, file), line in found.items()]


def plain(value: object) -> Any:
    """A struct as JSON may hold it. PostgreSQL's jsonb takes no NUL, which a repository's text may contain."""
    return msgspec.json.decode(msgspec.json.encode(value).replace(b"\\u0000", b"\\ufffd"))
