"""What is to be told to GitHub and what was: `github.outbox.Outbox` in PostgreSQL."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import msgspec
from psycopg.rows import dict_row
from psycopg.types.json import Jsonb

from docalign_actors.findings.model import Finding
from docalign_actors.github.outbox import Due
from docalign_actors.github.remembering import LeftOut, Said
from docalign_actors.github.telling import Head
from docalign_actors.github.words import FixSaid, Outcome
from docalign_actors.persistence.database import Connection, Database
from docalign_actors.persistence.results import plain
from docalign_actors.persistence.sql import query
from docalign_actors.scans.model import RepoId


class PostgresOutbox:
    """Every method is one transaction that may be run twice. `public_url`: where our pages are, `web_url` where GitHub's; "" for no
    links there."""

    def __init__(
        self, database: Database, public_url: str = "", *, comment_when_clean: bool = False, web_url: str = ""
    ) -> None:
        self._database = database
        self._web_url = web_url.rstrip("/")
        self._comment_when_clean = comment_when_clean
        self._public_url = public_url.rstrip("/")

    def next_head(self, installation: int, now: datetime) -> Head | None:
        return self._head("next_head", {"installation": installation, "now": now})

    def running_check(self, run: UUID) -> Head | None:
        return self._head("running_check", {"run": run})

    def due(self, installation: int) -> Due:
        rows = self._rows("due", installation=installation)
        return Due(rows[0]["at"], rows[0]["paused_until"], rows[0]["pause_reason"]) if rows else Due(None)

    def installations(self, now: datetime) -> list[int]:
        return [row["installation_id"] for row in self._rows("installations_due", now=now)]

    def installation_of(self, repo: RepoId) -> int | None:
        rows = self._rows("installation_of", repo=repo)
        return rows[0]["installation_id"] if rows else None

    def mark_posting(self, head: Head, *, annotations: bool) -> None:
        self._run("mark_posting", {**_key(head), "run": head.run_id if annotations else None})

    def record_check(self, head: Head, check: int | None, annotated: int, concluded: str, told_text: str = "") -> None:
        values = {"check": check, "annotated": annotated, "concluded": concluded, "run": head.run_id, "text": told_text}
        self._run("record_check", {**_key(head), **values})

    def renew(self, head: Head) -> None:
        self._run("renew", {**_key(head), "generation": head.generation})

    def mark_commenting(self, head: Head) -> None:
        self._run("mark_commenting", {**_key(head), "base": head.outcome.base})

    def record_comment(self, head: Head, comment: int | None, said: Sequence[Said], *, done: bool) -> None:
        values = {**_key(head), "comment": comment, "said": Jsonb(plain(list(said)))}

        def unit(connection: Connection) -> None:
            connection.execute(query("github_record_comment"), values)
            if done:
                connection.execute(query("github_record_commented"), {**_key(head), "wanted": head.wanted})

        self._database.run(unit)

    def leave_comment(self, head: Head) -> None:
        self._run("record_commented", {**_key(head), "wanted": head.wanted})

    def mark_reviewing(self, head: Head) -> None:
        self._run("mark_reviewing", _key(head))

    def record_review(self, head: Head, review: int | None, findings: Sequence[str]) -> None:
        values = {**_key(head), "review": review, "findings": list(findings)}

        def unit(connection: Connection) -> None:
            if review is not None:
                connection.execute(query("github_record_suggested"), values)
            done = {**_key(head), "wanted": head.wanted, "done": review is not None}
            connection.execute(query("github_record_review"), done)

        self._database.run(unit)

    def leave_review(self, head: Head) -> None:
        self._run("record_review", {**_key(head), "wanted": head.wanted, "done": True})

    def settle(self, head: Head) -> None:
        self._run("settle", {**_key(head), "wanted": head.wanted})

    def put_off(self, head: Head, error: str, delay: timedelta | None) -> None:
        self._run("put_off_check", {**_key(head), "error": error[:1_000].replace("\0", " "), "delay": delay})

    def pause(self, installation: int, until: datetime | None, reason: str) -> None:
        self._run("pause", {"installation": installation, "until": until, "reason": reason})

    def knows_head(self, repo: RepoId, number: int, sha: str) -> bool:
        rows = self._rows("known_heads", repo=repo, numbers=[number], shas=[sha])
        return bool(rows)

    def _head(self, name: str, values: dict[str, Any]) -> Head | None:
        def unit(connection: Connection) -> Head | None:
            cursor = connection.cursor(row_factory=dict_row)
            row = cursor.execute(query(f"github_{name}"), values).fetchone()
            if row is None:
                return None
            findings: list[Any] = []
            if row["final"] and row["run_id"] is not None:
                findings = cursor.execute(query("github_findings"), {"run": row["run_id"]}).fetchall()
            return self._made(row, [found["finding"] for found in findings])

        return self._database.run(unit)

    def _made(self, row: dict[str, Any], findings: list[Any]) -> Head:
        link = f"{self._public_url}/scans/{row['run_id']}" if self._public_url and row["run_id"] else ""
        outcome = Outcome(
            status=row["status"] or "cancelled", head=row["head_sha"], base=row["base_ref"] or "",
            findings=tuple(msgspec.convert(one, Finding) for one in findings), checked=row["claims_checked"] or 0,
            verified=row["claims_verified"] or 0, threshold=row["threshold"] or "", code=row["last_error_code"] or "",
            error=row["last_error"] or "", reason=row["cancel_reason"] or "", superseded=bool(row["superseded"]),
            notice=row["notice"], notice_title=row["notice_title"], suppressed=row["findings_suppressed"] or 0, link=link,
            left_out=msgspec.convert(row["left_out"], tuple[LeftOut, ...]), cut=row["findings_cut"] or 0,
            site=f"{self._web_url}/{row['full_name']}" if self._web_url else "",
            fix=msgspec.convert(row["fix"], FixSaid | None), agents=row["agent_notice"],
        )  # fmt: skip
        said = row["comment_when_clean"]
        wordy = self._comment_when_clean if said is None else said
        return Head(
            repo_id=RepoId(row["repo_id"]), number=row["number"], sha=row["head_sha"], full_name=row["full_name"],
            outcome=outcome, final=row["final"], wanted=row["wanted"], run_id=row["run_id"], stage=row["stage"] or "",
            generation=row["generation"], check_id=row["check_id"], posting=row["posting"], annotated=row["annotated"],
            annotated_for=row["annotated_for"], commented=row["commented"], concluded=row["concluded"],
            told_text=row["told_text"], attempts=row["attempts"], comment_id=row["comment_id"], commenting=row["commenting"],
            said=msgspec.convert(row["said"], tuple[Said, ...]), comment_when_clean=wordy,
            reviewed=row["reviewed"], reviewing=row["reviewing"], suggested=tuple(row["suggested"]),
            suggested_here=row["suggested_here"],
        )  # fmt: skip

    def _run(self, name: str, values: dict[str, Any]) -> None:
        self._database.run(lambda c: c.execute(query(f"github_{name}"), values))

    def _rows(self, name: str, **values: object) -> list[dict[str, Any]]:
        def unit(connection: Connection) -> list[dict[str, Any]]:
            return connection.cursor(row_factory=dict_row).execute(query(f"github_{name}"), values).fetchall()

        return self._database.run(unit)


def _key(head: Head) -> dict[str, Any]:
    return {"repo": head.repo_id, "number": head.number, "sha": head.sha}
