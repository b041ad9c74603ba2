"""What was kept long enough goes, what is needed stays, and what went wrong is written down."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path
from uuid import UUID, uuid4

import pytest

from docalign_actors.clock import SystemClock
from docalign_actors.hosts.mirror_folder import MirrorFolder
from docalign_actors.persistence.database import Database
from docalign_actors.persistence.housekeeping import PostgresHousekeeper
from docalign_actors.supervision.actor import Actor
from docalign_actors.supervision.system import ActorSystem
from docalign_actors.telemetry.stream import EventStream
from docalign_actors.upkeep.events import IncidentRecorded
from docalign_actors.upkeep.ports import Keep
from docalign_actors.upkeep.recorder import record_incidents

KEEP = Keep(runs_days=90, events_days=7, incidents_days=30)


@pytest.fixture
def repo(database: Database) -> UUID:
    made = uuid4()
    with database.transaction() as connection:
        connection.execute("INSERT INTO repos (id, url, name) VALUES (%s, '/x', 'x')", (made,))
    return made


def ended_run(database: Database, repo: UUID, days: int) -> UUID:
    run = uuid4()
    with database.transaction() as connection:
        connection.execute(
            "INSERT INTO scan_runs (id, repo_id, type, trigger, status, completed_at)"
            " VALUES (%s, %s, 'full', 'manual', 'completed', now() - make_interval(days => %s))",
            (run, repo, days),
        )
    return run


def runs(database: Database) -> set[UUID]:
    with database.transaction() as connection:
        return {row[0] for row in connection.execute("SELECT id FROM scan_runs").fetchall()}


def test_old_runs_go_but_the_last_of_a_repository_stays(database: Database, repo: UUID) -> None:
    ended_run(database, repo, 200)
    ended_run(database, repo, 150)
    last = ended_run(database, repo, 100)
    house = PostgresHousekeeper(database)
    assert house.sweep(KEEP)["scan_runs"] == 2
    assert runs(database) == {last}
    assert "scan_runs" not in house.sweep(KEEP)


def test_what_is_not_old_stays(database: Database, repo: UUID) -> None:
    kept = {ended_run(database, repo, 10), ended_run(database, repo, 1)}
    assert PostgresHousekeeper(database).sweep(KEEP) == {}
    assert runs(database) == kept


def test_steps_of_old_runs_go_and_their_ends_stay(database: Database, repo: UUID) -> None:
    run = ended_run(database, repo, 10)
    with database.transaction() as connection:
        connection.execute(
            "INSERT INTO scan_events (run_id, seq, kind, data, at) VALUES (%s, 7, 'stage', '{}', now() - interval '8 days')",
            (run,),
        )
        connection.execute("UPDATE scan_events SET at = now() - interval '8 days'")
    assert PostgresHousekeeper(database).sweep(KEEP) == {"scan_events": 1}
    with database.transaction() as connection:
        assert connection.execute("SELECT kind FROM scan_events").fetchall() == [("end",)]


def test_a_removed_repository_goes_with_everything_that_is_known_of_it(database: Database, repo: UUID) -> None:
    ended_run(database, repo, 10)
    with database.transaction() as connection:
        connection.execute("UPDATE repos SET status = 'removed', removed_at = now() - interval '8 days'")
    assert PostgresHousekeeper(database).sweep(KEEP)["repos"] == 1
    assert runs(database) == set()


def test_a_cache_over_its_budget_loses_what_was_not_used_for_longest(database: Database) -> None:
    with database.transaction() as connection:
        connection.execute(
            "INSERT INTO blob_cache (key, value, used_on) SELECT 'old' || n, decode(repeat('00', 900), 'hex'), '2020-01-01'"
            " FROM generate_series(1, 3000) n"
        )
        connection.execute("INSERT INTO blob_cache (key, value) VALUES ('new', 'x')")
    house = PostgresHousekeeper(database)
    assert house.sweep(KEEP) == {}
    assert house.sweep(Keep(blob_cache_bytes=1_000_000))["blob_cache"] == 2000
    with database.transaction() as connection:
        assert connection.execute("SELECT 1 FROM blob_cache WHERE key = 'new'").fetchone() is not None


def mirror(folder: Path, name: str, megabytes: int, hours: float) -> Path:
    made = folder / f"{name}.git"
    made.mkdir(parents=True)
    (made / "pack").write_bytes(b"x" * megabytes * 1_000_000)
    (made / "used").touch()
    then = time.time() - hours * 3600
    for path in (made / "used", made):
        os.utime(path, (then, then))
    return made


def test_mirrors_of_repositories_that_are_gone_go_and_beyond_the_budget_those_unused_for_longest(
    database: Database, repo: UUID, tmp_path: Path
) -> None:
    other = uuid4()
    with database.transaction() as connection:
        connection.execute("INSERT INTO repos (id, url, name) VALUES (%s, '/y', 'y')", (other,))
    stranger = mirror(tmp_path, str(uuid4()), 1, 0)
    recent, old = mirror(tmp_path, str(repo), 2, 2), mirror(tmp_path, str(other), 2, 48)
    folder = MirrorFolder(tmp_path, PostgresHousekeeper(database).known_repos)
    assert folder.sweep(10_000_000) == [stranger.name]
    assert folder.sweep(3_000_000) == [old.name]
    assert recent.exists()


def test_a_mirror_that_a_scan_may_be_using_stays_whatever_the_budget(
    database: Database, repo: UUID, tmp_path: Path
) -> None:
    used = mirror(tmp_path, str(repo), 2, 0.1)
    assert MirrorFolder(tmp_path, PostgresHousekeeper(database).known_repos).sweep(1) == []
    assert used.exists()


class Fragile(Actor):
    def receive(self, message: object) -> None:
        raise ValueError(f"cannot stand {message}")


def test_an_actor_s_failure_is_written_down_with_its_error(database: Database) -> None:
    events = EventStream()
    recorded = threading.Event()
    events.subscribe(lambda _: recorded.set(), IncidentRecorded)
    system = ActorSystem(events, clock=SystemClock(), escalate=lambda name, why: None)
    try:
        record_incidents(system, PostgresHousekeeper(database), events)
        system.supervise("fragile", Fragile)
        system.tell("fragile", "noise")
        assert recorded.wait(20)
    finally:
        system.stop(5)
    with database.transaction() as connection:
        ((actor, kind, error),) = connection.execute("SELECT actor, kind, error FROM actor_incidents").fetchall()
    assert (actor, kind) == ("fragile", "failed")
    assert "cannot stand noise" in error
