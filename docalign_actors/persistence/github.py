"""What has come from GitHub, and what is known of it: `github.ports.Inbox` in PostgreSQL."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg.rows import dict_row
from psycopg.types.json import Jsonb

from docalign_actors.clock import Clock, SystemClock
from docalign_actors.github.events import Known, KnownPull, NotePull, Register, SaveInstallation
from docalign_actors.github.payloads import Taken
from docalign_actors.github.ports import Enrolled, FoundPull, OpenPull, Waiting
from docalign_actors.github.reconciler_actor import Watched
from docalign_actors.ids import new_id
from docalign_actors.persistence.circuits import reset
from docalign_actors.persistence.database import Connection, Database
from docalign_actors.persistence.sql import query
from docalign_actors.scans.addresses import Address, parse_repository_url
from docalign_actors.scans.model import RepoId, RunId

_ENROLLED = "the App was installed on it again"
_MOST_RAW = 1_000_000
"""Bytes that are kept of a payload that cannot be read: enough to see why."""


class PostgresInbox:
    """Every method is one transaction that may be run twice."""

    def __init__(self, database: Database, web_url: str, clock: Clock | None = None) -> None:
        self._database = database
        self._clock = clock or SystemClock()
        self._web_url = web_url.rstrip("/")

    # Deliveries

    def keep(self, taken: Sequence[Taken]) -> None:
        # Of doubles within one batch the first counts: a statement cannot write one row twice.
        batch = list({(t.app_id, t.delivery): t for t in reversed(taken)}.values())[::-1]
        values = {
            "apps": [t.app_id for t in batch],
            "deliveries": [t.delivery for t in batch],
            "events": [t.event for t in batch],
            "actions": [t.action for t in batch],
            "installations": [t.installation for t in batch],
            "statuses": ["unreadable" if t.error else "waiting" for t in batch],
            "contents": [None if t.error else t.content.decode() for t in batch],
            "raws": [t.raw[:_MOST_RAW] if t.error else None for t in batch],
            "errors": [t.error.replace("\0", " ") for t in batch],
        }
        self._run("keep", values)

    def waiting(self, most: int, now: datetime) -> list[Waiting]:
        rows = self._rows("waiting", most=most, now=now)
        return [Waiting(r["app_id"], r["delivery_id"], r["event"], r["content"].encode(), r["attempts"]) for r in rows]

    def known(self, app_id: int, github_id: int, number: int | None) -> Known:
        rows = self._rows("known", github_id=github_id, number=number)
        if not rows:
            return Known(app_id)
        row = rows[0]
        pull = None
        if row["state"] is not None:
            pull = KnownPull(row["state"], row["head_sha"], row["base_ref"], row["updated_at"])
        return Known(app_id, True, row["archived"], row["pushed_at"], pull, row["full_name"], row["paused"])

    def done(self, app_id: int, delivery: str) -> None:
        self._run("done", {"app": app_id, "delivery": delivery})

    def put_off(self, app_id: int, delivery: str, error: str, due_at: datetime | None) -> None:
        said = error[:1_000].replace("\0", " ") or "It failed without a word."
        self._run("put_off", {"app": app_id, "delivery": delivery, "error": said, "due_at": due_at})

    def unknown_deliveries(self, app: int, guids: Sequence[str]) -> set[str]:
        """Those that were never kept for this App."""
        rows = self._rows("kept_deliveries", app=app, guids=list(guids))
        return set(guids) - {row["delivery_id"] for row in rows}

    def unknown_heads(self, repo: RepoId, pulls: Sequence[FoundPull]) -> list[FoundPull]:
        """Those that nobody has asked a scan for, or whose scan a late event pushed aside."""
        numbers, shas = [p.number for p in pulls], [p.head_sha for p in pulls]
        known = {(r["number"], r["head_sha"]) for r in self._rows("known_heads", repo=repo, numbers=numbers, shas=shas)}
        return [p for p in pulls if (p.number, p.head_sha) not in known]

    def gave_up(self, repo: RepoId, sha: str) -> bool:
        return bool(self._rows("gave_up", repo=repo, sha=sha)[0]["exists"])

    def watched(self) -> list[Watched]:
        """The repositories of active installations."""
        rows = self._rows("watched")
        return [
            Watched(RepoId(r["repo_id"]), r["installation_id"], r["full_name"], r["head_sha"], r["busy"]) for r in rows
        ]

    # Installations and repositories

    def save_installation(self, command: SaveInstallation) -> None:
        values = {"id": command.id, "account": command.account, "state": command.state}

        def unit(connection: Connection) -> None:
            was = connection.execute(query("github_installation_was"), values).fetchone()
            connection.execute(query("github_save_installation"), {**values, "permissions": Jsonb(command.permissions)})
            if was is not None and command.state == "active" and was != ("active", command.permissions):
                connection.execute(query("github_try_all_again"), values)

        self._database.run(unit)

    def remove_installation(self, installation: int) -> list[RepoId]:
        def unit(connection: Connection) -> list[RepoId]:
            connection.execute(query("github_delete_installation"), {"id": installation})
            return [RepoId(r[0]) for r in connection.execute(query("github_repos_of"), {"id": installation}).fetchall()]

        return self._database.run(unit)

    def enrol(self, command: Register) -> Enrolled:
        address = self._address(command.full_name)
        own = new_id()

        def unit(connection: Connection) -> Enrolled:
            known = connection.execute(query("github_repo_of"), {"github_id": command.github_id}).fetchone()
            owner = {"id": command.installation, "account": command.full_name.partition("/")[0]}
            connection.execute(query("github_know_installation"), owner)
            numbers = {"github_id": command.github_id, "installation": command.installation}
            if known is not None:
                connection.execute(query("github_reassign"), numbers)
                reset(connection, RepoId(known[0]), _ENROLLED, self._clock.now())
                return Enrolled(RepoId(known[0]), _unseen(connection, known[0]))
            # It may be known from an earlier life, before it was removed.
            connection.execute(query("github_forget"), {"github_id": command.github_id})
            values = {"id": own, "url": address.url, "name": address.name, "organisation": address.organisation}
            row = connection.execute(query("github_adopt"), values).fetchone()
            repo = row[0] if row is not None else own
            connection.execute(query("github_enrol"), {**numbers, "repo": repo, "full_name": command.full_name})
            reset(connection, RepoId(repo), _ENROLLED, self._clock.now())
            return Enrolled(RepoId(repo), _unseen(connection, repo))

        return self._database.run(unit)

    def repo_of(self, github_id: int, installation: int | None = None) -> RepoId | None:
        rows = self._rows("repo_of", github_id=github_id)
        found = [row for row in rows if installation in (None, row["installation_id"])]
        return RepoId(found[0]["repo_id"]) if found else None

    def dismiss(self, repo: RepoId) -> None:
        self._run("dismiss", {"repo": repo})

    def rename(self, github_id: int, full_name: str) -> None:
        address = self._address(full_name)

        def unit(connection: Connection) -> None:
            values = {"github_id": github_id, "full_name": full_name}
            row = connection.execute(query("github_rename"), values).fetchone()
            if row is not None:
                moved = {"url": address.url, "name": address.name, "organisation": address.organisation}
                connection.execute(query("github_move"), {**moved, "repo": row[0]})

        self._database.run(unit)

    def archive(self, github_id: int, archived: bool) -> None:
        self._run("archive", {"github_id": github_id, "archived": archived})

    # Pull requests

    def note_pull(self, command: NotePull) -> None:
        names = ("github_id", "number", "state", "draft", "head_sha", "head_repo", "base_ref", "author", "updated_at")
        self._run("note_pull", {name: getattr(command, name) for name in names})

    def note_push(self, github_id: int, at: datetime) -> None:
        self._run("note_push", {"github_id": github_id, "at": at})

    def pulls_with_head(self, github_id: int, head: str) -> list[OpenPull]:
        rows = self._rows("pulls_with_head", github_id=github_id, head=head)
        return [OpenPull(r["number"], r["base_ref"], r["head_sha"]) for r in rows]

    def runs_of_pull(self, repo: RepoId, number: int) -> list[RunId]:
        return [RunId(r["id"]) for r in self._rows("runs_of_pull", repo=repo, number=number)]

    def note_refusal(self, repo: RepoId, number: int, head: str, notice: str, resumes_at: datetime | None) -> None:
        values = {"repo": repo, "number": number, "head": head, "notice": notice, "resumes_at": resumes_at}
        self._run("note_refusal", values)

    def _address(self, full_name: str) -> Address:
        return parse_repository_url(f"{self._web_url}/{full_name}.git")

    def _run(self, name: str, values: dict[str, Any]) -> None:
        self._database.run(lambda c: c.execute(query(f"github_{name}"), values))

    def _rows(self, name: str, **values: object) -> list[dict[str, Any]]:
        def unit(connection: Connection) -> list[dict[str, Any]]:
            return connection.cursor(row_factory=dict_row).execute(query(f"github_{name}"), values).fetchall()

        return self._database.run(unit)


def _unseen(connection: Connection, repo: UUID) -> bool:
    row = connection.execute(query("github_unseen"), {"repo": repo}).fetchone()
    return row is not None and bool(row[0])
