"""The conversation in PostgreSQL: `github.book.CommandBook`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

import msgspec
from psycopg.rows import dict_row

from docalign_actors.findings.model import Finding
from docalign_actors.github import replies
from docalign_actors.github.answering import Given
from docalign_actors.github.book import Ended, Stored
from docalign_actors.github.commands import Dismiss
from docalign_actors.github.deciding import Facts, Hold, NoteDismissal, Release, Revoke, Suppress
from docalign_actors.github.events import Record
from docalign_actors.github.learning import Paused, Suppression
from docalign_actors.github.ports import OpenPull, PullToRescan, ThumbDown
from docalign_actors.ids import new_id
from docalign_actors.persistence.database import Connection, Database
from docalign_actors.persistence.sql import query
from docalign_actors.scans.model import RepoId, RunId

_MOST_AN_HOUR = 60
"""Commands of one person in one repository that are answered."""
_LONGEST_NAME = 200


class PostgresCommandBook:
    """Every method is one transaction that may be run twice."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def record(self, command: Record) -> bool:
        names = ("github_id", "place", "source", "number", "pull", "bot")
        values = {name: getattr(command, name) for name in names}
        more = {"author": command.author[:_LONGEST_NAME], "lines": list(command.lines), "most": _MOST_AN_HOUR}
        return bool(self._database.run(lambda c: c.execute(query("commands_record"), {**values, **more}).rowcount))

    def record_closing(self, github_id: int, number: int) -> bool:
        values = {"github_id": github_id, "number": number}
        return bool(self._database.run(lambda c: c.execute(query("commands_record_closing"), values).rowcount))

    # What is asked of GitHub and told to it

    def next_given(self, installation: int, now: datetime) -> Given | None:
        rows = self._rows("next", installation=installation, now=now)
        return _given(rows[0]) if rows else None

    def due(self, installation: int) -> datetime | None:
        found: datetime | None = self._rows("due", installation=installation)[0]["at"]
        return found

    def installations(self, now: datetime) -> list[int]:
        return [row["installation_id"] for row in self._rows("installations", now=now)]

    def mark_seen(self, given: Given) -> None:
        self._run("seen", given)

    def note_permission(self, given: Given, permission: str) -> None:
        self._run("permission", given, permission=permission)

    def note_head(self, given: Given, base: str, head: str) -> None:
        self._run("head", given, base=base, head=head)

    def note_material(self, given: Given, material: str) -> None:
        self._run("material", given, material=material.replace("\0", " "))

    def note_reactions(self, given: Given, reactions: Sequence[ThumbDown]) -> None:
        each = [(one, n, finding) for one in reactions for n, finding in enumerate(one.findings)]
        values = {
            "id": given.id, "sources": [one.id for one, _, _ in each], "ordinals": [n for _, n, _ in each],
            "authors": [one.user[:_LONGEST_NAME] for one, _, _ in each], "lines": [finding for _, _, finding in each],
        }  # fmt: skip

        def unit(connection: Connection) -> None:
            connection.execute(query("commands_note_reactions"), values)
            connection.execute(query("commands_looked_back"), values)

        self._database.run(unit)

    def make_ready(self, given: Given) -> None:
        self._run("make_ready", given)

    def mark_replying(self, given: Given) -> None:
        self._run("replying", given)

    def note_reply(self, given: Given, comment: int | None) -> None:
        self._run("reply", given, comment=comment)

    def finish(self, given: Given) -> None:
        self._run("finish", given)

    def put_off(self, given: Given, error: str, delay: timedelta | None) -> None:
        self._run("put_off", given, error=error[:1_000].replace("\0", " "), delay=delay)

    # What is carried out

    def ready(self, most: int) -> list[Given]:
        return [_given(row) for row in self._rows("ready", most=most)]

    def facts(self, given: Given, ids: Sequence[str], now: datetime) -> Facts:
        dismissal = isinstance(given.asked, Dismiss)
        about = {"repo": given.repo_id, "number": given.number if given.pull else 0, "ids": list(ids)}
        of_dismissal = {**about, "place": given.place, "source": given.source}

        def unit(connection: Connection) -> Facts:
            def rows(name: str, values: dict[str, Any]) -> list[dict[str, Any]]:
                return connection.cursor(row_factory=dict_row).execute(query(f"commands_{name}"), values).fetchall()

            found = rows("findings", {**about, "whole": not dismissal}) if ids else []
            state = rows("pull_state", about)
            return Facts(
                now=now,
                findings=tuple(msgspec.convert(row["finding"], Finding) for row in found),
                suppressions=tuple(Suppression(**row) for row in rows("suppressions", {**about, "now": now})),
                paused=tuple(Paused(**row) for row in rows("pauses", about)),
                pull_open=not state or state[0]["state"] == "open",
                scanned=next((row["commit_sha"] for row in rows("scanned", about)), "") if dismissal else "",
                dismissals=tuple(r["dismissed_by"] for r in rows("dismissals", of_dismissal)) if dismissal else (),
            )

        return self._database.run(unit)

    def answer(
        self, given: Given, result: str, reply: str, effect: Stored | None = None, *, rescan: bool = False
    ) -> list[RunId]:
        values = {"id": given.id, "result": result, "reply": reply.replace("\0", " "), "rescan": rescan}

        def unit(connection: Connection) -> list[RunId]:
            # The state first: whoever has answered before has done all the rest as well.
            if not connection.execute(query("commands_answer"), values).rowcount or effect is None:
                return []
            if isinstance(effect, Hold):
                return _hold(connection, given, effect)
            _store(connection, given, effect)
            return []

        return self._database.run(unit)

    def to_rescan(self, most: int) -> list[Given]:
        return [_given(row) for row in self._rows("to_rescan", most=most)]

    def rescanned(self, given: Given) -> None:
        self._run("rescanned", given)

    def pulls_to_rescan(self, most: int) -> list[PullToRescan]:
        return [
            PullToRescan(
                repo_id=RepoId(row["repo_id"]), number=row["number"], base_ref=row["base_ref"], head_sha=row["head_sha"],
                open=row["open"], author=row["rescan_by"], installation=row["installation_id"],
            )
            for row in self._rows("pulls_to_rescan", most=most)
        ]  # fmt: skip

    def pull_rescanned(self, pull: PullToRescan) -> None:
        values = {"repo": pull.repo_id, "number": pull.number, "head": pull.head_sha, "author": pull.author}
        self._database.run(lambda c: c.execute(query("commands_pull_rescanned"), values))

    def wait_for(self, given: Given, run: RunId | None) -> None:
        self._run("wait_for", given, run=run)

    def ended(self, most: int) -> list[Ended]:
        return [
            Ended(
                given=_given(row), run=row["run_id"], status=row["run_status"] or "cancelled",
                code=row["last_error_code"] or "", error=row["said"] or "", superseded=bool(row["superseded"]),
                findings=row["findings"], checked=row["claims_checked"] or 0, fix=row["fix"] or "", pull=row["fix_pull"],
            )
            for row in self._rows("ended", most=most)
        ]  # fmt: skip

    # Pauses

    def pause_of(self, repo: RepoId, number: int) -> Paused | None:
        rows = self._rows("pauses", repo=repo, number=number)
        return Paused(**rows[0]) if rows else None

    def note_pause(self, repo: RepoId, number: int, head: str, paused: Paused) -> None:
        title, notice = replies.paused_notice(paused)
        values = {"repo": repo, "number": number, "head": head, "title": title, "notice": notice}
        self._database.run(lambda c: c.execute(query("commands_note_pause"), values))

    def open_pulls(self, repo: RepoId) -> list[OpenPull]:
        return [OpenPull(r["number"], r["base_ref"], r["head_sha"]) for r in self._rows("open_pulls", repo=repo)]

    def _run(self, name: str, given: Given, **values: object) -> None:
        self._database.run(lambda c: c.execute(query(f"commands_{name}"), {"id": given.id, **values}))

    def _rows(self, name: str, **values: object) -> list[dict[str, Any]]:
        def unit(connection: Connection) -> list[dict[str, Any]]:
            return connection.cursor(row_factory=dict_row).execute(query(f"commands_{name}"), values).fetchall()

        return self._database.run(unit)


def _store(connection: Connection, given: Given, effect: Suppress | Revoke | Release | NoteDismissal) -> None:
    about: dict[str, Any] = {"repo": given.repo_id, "author": given.author}
    match effect:
        case Suppress():
            suppress(connection, given.repo_id, given.author, effect)
        case Revoke(suppressions=ids):
            connection.execute(query("commands_forget_dismissals"), {"ids": list(ids)})
            connection.execute(query("suppressions_revoke"), {**about, "ids": list(ids)})
        case Release(number=number):
            connection.execute(query("commands_release"), {**about, "number": number})
        case NoteDismissal(finding=finding, suppress=further):
            source = {"place": given.place, "source": given.source, "number": given.number}
            connection.execute(query("commands_dismiss"), {**about, **source, "fingerprint": finding})
            if further is not None:
                suppress(connection, given.repo_id, given.author, further)


def _hold(connection: Connection, given: Given, effect: Hold) -> list[RunId]:
    """The pause, what the checks say of it, and that the scans end: whoever takes one up after a crash sees that too."""
    about: dict[str, Any] = {"repo": given.repo_id, "number": effect.number}
    connection.execute(query("commands_hold"), {**about, "author": given.author, "reason": effect.reason})
    held = connection.cursor(row_factory=dict_row).execute(query("commands_pauses"), about).fetchall()
    title, notice = replies.paused_notice(next(Paused(**row) for row in held if row["number"] == effect.number))
    connection.execute(query("commands_hold_checks"), {**about, "title": title, "notice": notice})
    stopped = connection.execute(query("commands_open_runs"), about).fetchall()
    for (run,) in stopped:
        wish = {"run": run, "reason": f"paused by {given.author}"}
        connection.execute(query("scans_cancel_queued"), wish)
        connection.execute(query("scans_ask_to_stop"), wish)
    return [RunId(run) for (run,) in stopped]


def suppress(connection: Connection, repo: RepoId, author: str, wanted: Suppress) -> Any:
    """In a transaction of somebody else's; gives the id of the suppression that holds from now on."""
    values: dict[str, Any] = {
        "id": new_id(), "repo": repo, "scope": wanted.scope, "value": wanted.value, "reason": wanted.reason, "author": author,
        "expires_at": wanted.expires_at, "about": wanted.about, "origin": wanted.origin, "finding": wanted.finding,
    }  # fmt: skip
    values = {name: value.replace("\0", " ") if isinstance(value, str) else value for name, value in values.items()}
    connection.execute(query("suppressions_retire"), values)
    row = connection.execute(query("suppressions_add"), values).fetchone()
    return row[0] if row is not None else values["id"]


def _given(row: dict[str, Any]) -> Given:
    same = (
        "id", "place", "ordinal", "number", "pull", "author", "line", "state", "seen", "permission", "head_sha", "base_ref",
        "material", "result", "reply", "replying", "reply_id", "attempts", "full_name",
    )  # fmt: skip
    return Given(
        repo_id=RepoId(row["repo_id"]), installation=row["installation_id"], source=row["source_id"],
        **{name: row[name] for name in same},
    )  # fmt: skip
