"""Scan runs in PostgreSQL: the store that the actors of scans see. Every method is one transaction."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from typing import Any
from uuid import UUID

import msgspec
from psycopg import Cursor, errors
from psycopg.rows import dict_row
from psycopg.types.json import Jsonb

from docalign_actors.persistence import waits
from docalign_actors.persistence.database import Connection, Database
from docalign_actors.persistence.results import write_results
from docalign_actors.persistence.sql import query
from docalign_actors.persistence.verdicts import read_verdicts
from docalign_actors.scans.admission import Admission, Admitted, Existing, Known, admit, joins_full_scan
from docalign_actors.scans.limits import Counter
from docalign_actors.scans.model import (
    Counts,
    Repo,
    RepoId,
    Request,
    Run,
    RunId,
    ScanType,
    Status,
    Trigger,
)
from docalign_actors.scans.outcomes import Next
from docalign_actors.scans.ports import Cancelling, Decide, Reserver, Results, Started
from docalign_actors.scans.referrals import AgentRules, Parked, RememberedVerdict

_encoder = msgspec.json.Encoder()


class PostgresScanStore:
    """What `scans.ports.ScanStore` asks for."""

    def __init__(self, database: Database) -> None:
        self._database = database

    # Asking for scans

    def enqueue(
        self, requests: Sequence[Request], ids: Sequence[RunId], day: date, reserve: Reserver
    ) -> list[Admission]:
        tries = 0

        def unit(connection: Connection) -> list[Admission]:
            nonlocal tries
            tries += 1
            # One pipeline for all of it: what is asked goes out together, and what is written goes with the commit.
            with connection.pipeline():
                answers = decide(connection)
                connection.commit()
            return answers

        def decide(connection: Connection) -> list[Admission]:
            known = _load_known(connection, requests)
            written = _written(connection, ids) if tries > 1 else set()
            if not written:
                answers = admit(requests, known, day, ids, reserve)
                _write_admitted(connection, [a for a in answers if isinstance(a, Admitted)])
                return answers
            # The first try was committed, only its answer was lost. All or nothing: what it admitted is there.
            rest = [i for i, run in enumerate(ids) if run not in written]
            again = iter(admit([requests[i] for i in rest], known, day, [ids[i] for i in rest], reserve))
            return [Existing(run) if run in written else next(again) for run in ids]

        return self._database.run(unit)

    def counters(self, day: date) -> Mapping[Counter, int]:
        rows = self._rows("counters", day=day)
        return {Counter(row["scope"], row["subject"], row["day"]): row["used"] for row in rows}

    # Running them

    def open_runs(self, repo: RepoId, now: datetime) -> list[Run]:
        return [_run(row) for row in self._rows("open_runs", repo=repo, now=now)]

    def start(self, run: RunId, permit: int, lease: UUID) -> Started | None:
        def unit(connection: Connection) -> dict[str, Any] | None:
            cursor = connection.cursor(row_factory=dict_row)
            return cursor.execute(query("scans_start"), {"run": run, "permit": permit, "lease": lease}).fetchone()

        resumed = None
        with self._database.transaction() as connection:
            try:
                row = unit(connection)
                resumed = waits.take_up(connection, run) if row is not None else None
            except errors.UniqueViolation:  # the repository has a running scan, or somebody has this permit
                connection.rollback()
                return None
        if row is None:
            return None
        repo = Repo(RepoId(row["repo_id"]), row["url"], row["name"], row["organisation"], row["removed"])
        return Started(_run(row), repo, lease, row["last_event"], resumed)

    def settle(
        self, run: RunId, lease: UUID, decide: Decide, duration_ms: int = 0, trouble: tuple[RepoId, str] | None = None
    ) -> Next | None:
        def unit(connection: Connection) -> Next | None:
            after = _settle(connection, run, lease, decide, duration_ms, None)
            if after is not None and trouble is not None:
                connection.execute(query("scans_set_repo_trouble"), {"repo": trouble[0], "error": trouble[1]})
            return after

        return self._database.run(unit)

    def store_results(self, run: RunId, lease: UUID, decide: Decide, results: Results, duration_ms: int) -> Next | None:
        def unit(connection: Connection) -> Next | None:
            after = _settle(connection, run, lease, decide, duration_ms, results.counts)
            if after is not None and after.status in (Status.COMPLETED, Status.PARTIAL):
                write_results(connection, run, after.status, results)
            return after

        return self._database.run(unit)

    def park(
        self, run: RunId, lease: UUID, decide: Decide, parked: Parked, rules: AgentRules, duration_ms: int
    ) -> Next | None:
        def unit(connection: Connection) -> Next | None:
            after = _settle(connection, run, lease, decide, duration_ms, None)
            if after is not None and after.status is Status.QUEUED:
                waits.park(connection, run, parked, after.not_before, rules)
            return after

        return self._database.run(unit)

    def request_cancel(self, run: RunId, reason: str) -> Cancelling | None:
        def unit(connection: Connection) -> Cancelling | None:
            row = _lock(connection, run)
            if row is None:
                return None
            before = Status(row["status"])
            values = {"run": run, "reason": reason}
            if before is Status.QUEUED:
                connection.execute(query("scans_cancel_queued"), values)
                return Cancelling(RepoId(row["repo_id"]), before, Status.CANCELLED)
            connection.execute(query("scans_ask_to_stop"), values)
            return Cancelling(RepoId(row["repo_id"]), before, before)

        return self._database.run(unit)

    def append_event(self, run: RunId, seq: int, kind: str, data: Mapping[str, Any], stage: str = "") -> None:
        values = {"run": run, "seq": seq, "kind": kind, "data": Jsonb(dict(data)), "stage": stage}
        self._database.run(lambda c: c.execute(query("scans_append_event"), values))

    def running(self) -> list[tuple[Run, int, UUID]]:
        return [(_run(row), row["permit"], row["lease"]) for row in self._rows("running")]

    def due_repos(self, now: datetime) -> list[RepoId]:
        return [RepoId(row["repo_id"]) for row in self._rows("due_repos", now=now)]

    # What is known

    def suppressions(self, repo: RepoId, now: datetime) -> list[tuple[str, str]]:
        return [(row["scope"], row["value"]) for row in self._rows("suppressions", repo=repo, now=now)]

    def verdicts(self, repo: RepoId, after: datetime) -> list[RememberedVerdict]:
        return self._database.run(lambda c: read_verdicts(c, repo, after))

    def co_changes(self, repo: RepoId, pairs: Iterable[tuple[str, str]]) -> dict[tuple[str, str], int]:
        wanted = sorted(set(pairs))
        if not wanted:
            return {}
        rows = self._rows("co_changes", repo=repo, code=[code for code, _ in wanted], docs=[doc for _, doc in wanted])
        return {(row["code_file"], row["doc_file"]): row["times"] for row in rows}

    def claims_by_code_files(self, repo: RepoId, files: Sequence[str]) -> list[str]:
        return [row["fingerprint"] for row in self._rows("claims_by_code_files", repo=repo, files=list(files))]

    def claims_by_documents(self, repo: RepoId, files: Sequence[str]) -> list[str]:
        return [row["fingerprint"] for row in self._rows("claims_by_documents", repo=repo, files=list(files))]

    def set_status(self, run: RunId, before: Status, status: Status, counts: Counts | None) -> bool:
        values = {"run": run, "before": before.value, "status": status.value, "final": status.final, **_counted(counts)}
        return bool(self._database.run(lambda c: c.execute(query("scans_set_status"), values).rowcount))

    def _rows(self, name: str, **values: object) -> list[dict[str, Any]]:
        def unit(connection: Connection) -> list[dict[str, Any]]:
            return connection.cursor(row_factory=dict_row).execute(query(f"scans_{name}"), values).fetchall()

        return self._database.run(unit)


def _run(row: Mapping[str, Any]) -> Run:
    return Run(
        id=RunId(row["id"]),
        position=row["position"],
        repo_id=RepoId(row["repo_id"]),
        type=ScanType(row["type"]),
        trigger=Trigger(row["trigger"]),
        status=Status(row["status"]),
        pr_number=row["pr_number"],
        base_ref=row["base_ref"],
        commit_sha=row["commit_sha"],
        attempt=row["attempt"],
        repairs=row["repairs"],
        not_before=row["not_before"],
        cancel_requested=row["cancel_requested"],
        cancel_reason=row["cancel_reason"],
        trace=row["trace"],
    )


def _load_known(connection: Connection, requests: Sequence[Request]) -> Known:
    """One round trip: the repositories, the open runs that the requests may meet, the deliveries."""
    deliveries = sorted({request.delivery for request in requests if request.delivery is not None})
    pushes = sorted({(r.repo_id, r.commit_sha) for r in requests if r.type is ScanType.PUSH})
    pulls = sorted({(r.repo_id, r.pr_number or 0) for r in requests if r.type is ScanType.PR})
    fulls = sorted({r.repo_id for r in requests if joins_full_scan(r)})
    repos = _ask(connection, "repos", repos=sorted({request.repo_id for request in requests}))
    open_runs = []
    if pushes:
        rows = _rows_of(({"repo_id": repo, "commit_sha": commit} for repo, commit in pushes))
        open_runs.append(_ask(connection, "lock_pushes", rows=rows))
    if pulls:
        rows = _rows_of(({"repo_id": repo, "pr_number": number} for repo, number in pulls))
        open_runs.append(_ask(connection, "lock_pulls", rows=rows))
    if fulls:
        open_runs.append(_ask(connection, "lock_fulls", repos=fulls))
    came = None
    if deliveries:
        rows = _rows_of(({"source": source, "delivery_id": given} for source, given in deliveries))
        came = _ask(connection, "delivered", rows=rows)
    return Known(
        {RepoId(row["id"]): _repo(row) for row in repos.fetchall()},
        [_run(row) for cursor in open_runs for row in cursor.fetchall()],
        {(r["source"], r["delivery_id"]): RunId(r["run_id"]) for r in came.fetchall()} if came else {},
    )


def _written(connection: Connection, ids: Sequence[RunId]) -> set[RunId]:
    return {RunId(row["id"]) for row in _ask(connection, "written", ids=list(ids)).fetchall()}


def _rows_of(rows: Iterable[Mapping[str, object]]) -> str:
    """Rows as one parameter. A batch has ten columns, and a list of each costs the driver more than all of this."""
    return _encoder.encode(list(rows)).decode()


def _ask(connection: Connection, name: str, **values: object) -> Cursor[dict[str, Any]]:
    return connection.cursor(row_factory=dict_row).execute(query(f"scans_{name}"), values)


def _repo(row: Mapping[str, Any]) -> Repo:
    return Repo(RepoId(row["id"]), row["url"], row["name"], row["organisation"], row["removed"])


def _write_admitted(connection: Connection, admitted: Sequence[Admitted]) -> None:
    """One round trip for everything that a batch changes."""
    if not admitted:
        return
    own = {a.run_id for a in admitted}
    replaced = {a.replaces: a.run_id for a in admitted if a.replaces is not None}
    stopped = {a.stops: a.run_id for a in admitted if a.stops is not None}
    old = {run: successor for run, successor in replaced.items() if run not in own}
    if old:
        connection.execute(query("scans_supersede_queued"), {"runs": list(old), "successors": list(old.values())})
    if stopped:
        connection.execute(query("scans_stop_running"), {"runs": list(stopped), "successors": list(stopped.values())})
    connection.execute(query("scans_insert_runs"), {"rows": _rows_of(_new_rows(admitted, replaced))})
    _write_counters(connection, admitted)
    _write_deliveries(connection, admitted)


def _new_rows(admitted: Sequence[Admitted], replaced: Mapping[RunId, RunId]) -> Iterator[Mapping[str, object]]:
    for one in admitted:
        asked = one.request
        yield {
            "id": one.run_id,
            "repo_id": asked.repo_id,
            "type": asked.type,
            "trigger": asked.trigger,
            "pr_number": asked.pr_number,
            "base_ref": asked.base_ref,
            "commit_sha": asked.commit_sha,
            "requested_by": asked.user,
            "trace": asked.trace,
            "superseded_by": replaced.get(one.run_id),
        }


def _write_counters(connection: Connection, admitted: Sequence[Admitted]) -> None:
    used: dict[Counter, int] = {}
    for one in admitted:
        for counter in one.counters:
            used[counter] = used.get(counter, 0) + 1
    if used:
        rows = ({"scope": c.scope, "subject": c.subject, "day": c.day, "used": n} for c, n in used.items())
        connection.execute(query("scans_count"), {"rows": _rows_of(rows)})


def _write_deliveries(connection: Connection, admitted: Sequence[Admitted]) -> None:
    rows = [
        {
            "source": a.request.delivery[0],
            "delivery_id": a.request.delivery[1],
            "event": a.request.type,
            "run_id": a.run_id,
        }
        for a in admitted
        if a.request.delivery is not None
    ]
    if rows:
        connection.execute(query("scans_insert_deliveries"), {"rows": _rows_of(rows)})


def _lock(connection: Connection, run: RunId) -> dict[str, Any] | None:
    return connection.cursor(row_factory=dict_row).execute(query("scans_lock_run"), {"run": run}).fetchone()


def _settle(
    connection: Connection, run: RunId, lease: UUID, decide: Decide, duration_ms: int, counts: Counts | None
) -> Next | None:
    row = _lock(connection, run)
    if row is None or row["lease"] != lease:
        return None
    waiting = connection.cursor(row_factory=dict_row).execute(query("scans_successor"), {"run": run}).fetchone()
    after = decide(_run(row), RunId(waiting["id"]) if waiting else None)
    values = {
        "run": run,
        "lease": lease,
        "status": after.status.value,
        "final": after.status.final,
        "attempt": after.attempt,
        "repairs": after.repairs,
        "not_before": after.not_before,
        "code": after.code,
        "error": after.error[:4000].replace("\0", "\N{REPLACEMENT CHARACTER}"),
        "superseded_by": after.superseded_by,
        "duration_ms": duration_ms,
        **_counted(counts),
    }
    return after if connection.execute(query("scans_settle"), values).rowcount else None


def _counted(counts: Counts | None) -> dict[str, int | None]:
    names = ("checked", "verified", "drifted", "uncertain", "suppressed", "cut")
    return {name: getattr(counts, name) if counts is not None else None for name in names}
