"""What may not be cannot be written, whoever writes it."""

from __future__ import annotations

from uuid import UUID, uuid4

import pytest

from docalign_actors.errors import ConstraintError
from docalign_actors.persistence.database import Database
from docalign_actors.scans.model import TRANSITIONS, Status

_FINAL = "completed_at = CASE WHEN %(final)s THEN now() END"


@pytest.fixture
def repo(database: Database) -> UUID:
    made = uuid4()
    with database.transaction() as connection:
        connection.execute("INSERT INTO repos (id, url, name) VALUES (%s, '/x', 'x')", (made,))
    return made


def add_run(database: Database, repo: UUID, **columns: object) -> UUID:
    run = uuid4()
    values = {"id": run, "repo_id": repo, "type": "full", "trigger": "manual", **columns}
    names = ", ".join(values)
    marks = ", ".join(f"%({name})s" for name in values)
    with database.transaction() as connection:
        connection.execute(f"INSERT INTO scan_runs ({names}) VALUES ({marks})".encode(), values)
    return run


def move(database: Database, run: UUID, status: Status, permit: int = 1) -> None:
    running = status is Status.RUNNING
    with database.transaction() as connection:
        connection.execute(
            f"UPDATE scan_runs SET status = %(status)s, {_FINAL}, lease = %(lease)s, permit = %(permit)s, last_error = 'x'"
            " WHERE id = %(run)s".encode(),
            {
                "status": status.value, "final": status.final, "run": run,
                "lease": uuid4() if running else None, "permit": permit if running else None,
            },
        )  # fmt: skip


@pytest.mark.parametrize("before", list(Status))
@pytest.mark.parametrize("after", list(Status))
def test_a_status_follows_another_only_where_the_table_of_transitions_says_so(
    database: Database, repo: UUID, before: Status, after: Status
) -> None:
    run = add_run(database, repo)
    if before is not Status.QUEUED:
        move(database, run, Status.RUNNING)
        if before is not Status.RUNNING:
            move(database, run, before)
    if before is after or after in TRANSITIONS[before]:
        move(database, run, after)
    else:
        with pytest.raises(ConstraintError):
            move(database, run, after)


def test_a_repository_has_one_running_scan(database: Database, repo: UUID) -> None:
    first, second = add_run(database, repo), add_run(database, repo)
    move(database, first, Status.RUNNING, 1)
    with pytest.raises(ConstraintError):
        move(database, second, Status.RUNNING, 2)


def test_a_permit_is_held_once(database: Database, repo: UUID) -> None:
    other = uuid4()
    with database.transaction() as connection:
        connection.execute("INSERT INTO repos (id, url, name) VALUES (%s, '/y', 'y')", (other,))
    first, second = add_run(database, repo), add_run(database, other)
    move(database, first, Status.RUNNING, 1)
    with pytest.raises(ConstraintError):
        move(database, second, Status.RUNNING, 1)


def test_one_scan_waits_for_a_pull_request(database: Database, repo: UUID) -> None:
    add_run(database, repo, type="pr", trigger="pr", pr_number=7)
    add_run(database, repo, type="pr", trigger="pr", pr_number=8)
    with pytest.raises(ConstraintError):
        add_run(database, repo, type="pr", trigger="pr", pr_number=7)


def test_one_scan_of_a_pushed_commit_waits_or_runs(database: Database, repo: UUID) -> None:
    run = add_run(database, repo, type="push", trigger="push", commit_sha="a")
    move(database, run, Status.RUNNING)
    with pytest.raises(ConstraintError):
        add_run(database, repo, type="push", trigger="push", commit_sha="a")


@pytest.mark.parametrize(
    "columns",
    [
        {"type": "pr"},
        {"pr_number": 3},
        {"status": "running"},
        {"status": "completed"},
        {"status": "failed", "completed_at": "2026-01-01"},
        {"permit": 1},
        {"type": "other"},
        {"trigger": "whim"},
    ],
)
def test_a_run_that_contradicts_itself_cannot_be_written(
    database: Database, repo: UUID, columns: dict[str, object]
) -> None:
    with pytest.raises(ConstraintError):
        add_run(database, repo, **columns)


def test_every_end_is_told_once_to_those_who_watch(database: Database, repo: UUID) -> None:
    run = add_run(database, repo)
    move(database, run, Status.RUNNING)
    move(database, run, Status.COMPLETED)
    with database.transaction() as connection:
        found = connection.execute(
            "SELECT kind, data ->> 'status' FROM scan_events WHERE run_id = %s", (run,)
        ).fetchall()
    assert found == [("end", "completed")]


def test_every_foreign_key_has_an_index_so_that_deleting_is_no_search(database: Database) -> None:
    with database.transaction() as connection:
        missing = connection.execute(
            """
            SELECT c.conrelid::regclass::text, c.conname FROM pg_constraint c
             WHERE c.contype = 'f' AND NOT EXISTS (
                   SELECT FROM pg_index i WHERE i.indrelid = c.conrelid
                      AND (i.indkey::smallint[])[0:cardinality(c.conkey) - 1] @> c.conkey)
            """
        ).fetchall()
    assert missing == []
