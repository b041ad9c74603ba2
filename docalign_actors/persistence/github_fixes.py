"""Fixes that were asked for: `github.fixes.FixStore` in PostgreSQL."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import msgspec
from msgspec import Struct
from psycopg.rows import dict_row
from psycopg.types.json import Jsonb

from docalign_actors.findings.model import Finding
from docalign_actors.github.fixes import Fix, Making, Mended, Scanned
from docalign_actors.github.views import FixView
from docalign_actors.ids import new_id
from docalign_actors.persistence.database import Connection, Database
from docalign_actors.persistence.results import plain
from docalign_actors.persistence.sql import query
from docalign_actors.scans.model import RepoId

_LONGEST = 1_000
_TOLD = ("opened", "nothing", "failed")
"""How a fix ends without a new head on its pull request that would speak for itself."""


class Asked(Struct, frozen=True):
    """A fix that is written down; `new`: by this very wish."""

    id: UUID
    new: bool


class PostgresFixes:
    """Every method is one transaction that may be run twice."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def ask(
        self, repo: RepoId, pull: int | None, findings: tuple[str, ...], asked_by: str, source: str
    ) -> Asked | None:
        """Writes a wish down, once for each source; None if the repository is not GitHub's."""
        values = {
            "id": new_id(), "repo": repo, "number": pull, "findings": list(findings), "asked_by": _text(asked_by)[:200],
            "source": source,
        }  # fmt: skip

        def unit(connection: Connection) -> Asked | None:
            row = connection.execute(query("github_ask_fix"), values).fetchone()
            if row is not None:
                return Asked(row[0], True)
            row = connection.execute(query("github_fix_of_source"), {"repo": repo, "source": source}).fetchone()
            return Asked(row[0], False) if row is not None else None

        return self._database.run(unit)

    def next_fix(self, installation: int, now: datetime) -> Fix | None:
        rows = self._rows("next_fix", installation=installation, now=now)
        if not rows:
            return None
        row = rows[0]
        mended = msgspec.convert(row.pop("mended"), tuple[Mended, ...])
        return Fix(**{**row, "repo_id": RepoId(row["repo_id"]), "findings": tuple(row["findings"]), "mended": mended})

    def scanned(self, fix: Fix, commit: str) -> Scanned:
        name = "scan_of_default" if fix.number is None else "scan_of_head"
        values = {"repo": fix.repo_id, "number": fix.number, "commit": commit}

        def unit(connection: Connection) -> Scanned:
            cursor = connection.cursor(row_factory=dict_row)
            row = cursor.execute(query(f"github_{name}"), values).fetchone()
            if row is None or not row["final"]:
                return Scanned("pending")
            if row["notice"] or row["status"] not in ("completed", "partial"):
                return Scanned("undecided")
            found = cursor.execute(query("github_findings"), {"run": row["run_id"]}).fetchall()
            return Scanned("decided", tuple(msgspec.convert(one["finding"], Finding) for one in found))

        return self._database.run(unit)

    def record_making(self, fix: Fix, making: Making) -> None:
        values = {
            "id": fix.id, "parent": making.parent_sha, "branch": making.branch, "base": making.base_ref,
            "commit": making.commit_sha, "pull": making.pull, "mended": Jsonb(plain(list(making.mended))),
        }  # fmt: skip
        self._run("record_making", values)

    def start_over(self, fix: Fix) -> None:
        self._run("start_fix_over", {"id": fix.id})

    def end(self, fix: Fix, state: str, reason: str, pull: int | None) -> None:
        values = {"id": fix.id, "state": state, "reason": _text(reason), "pull": pull}

        def unit(connection: Connection) -> None:
            ended = connection.execute(query("github_end_fix"), values).rowcount
            if ended and fix.number is not None and state in _TOLD:
                connection.execute(query("github_tell_of_fix"), {"repo": fix.repo_id, "number": fix.number})

        self._database.run(unit)

    def put_off(self, fix: Fix, error: str, delay: timedelta) -> None:
        self._run("put_off_fix", {"id": fix.id, "error": _text(error), "delay": delay})

    def fixes_of(self, repo: UUID, limit: int, before: int) -> list[FixView]:
        """The newest first, those before a position."""
        rows = self._rows("fixes_of_repo", repo=repo, limit=limit, before=before)
        return [msgspec.convert(row, FixView) for row in rows]

    def _run(self, name: str, values: dict[str, Any]) -> None:
        self._database.run(lambda c: c.execute(query(f"github_{name}"), values))

    def _rows(self, name: str, **values: object) -> list[dict[str, Any]]:
        def unit(connection: Connection) -> list[dict[str, Any]]:
            return connection.cursor(row_factory=dict_row).execute(query(f"github_{name}"), values).fetchall()

        return self._database.run(unit)


def _text(text: str) -> str:
    return text[:_LONGEST].replace("\0", " ")
