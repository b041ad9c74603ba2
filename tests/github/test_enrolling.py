"""The App on a repository that is known already."""

from __future__ import annotations

from docalign_actors.github.events import Register
from docalign_actors.persistence.circuits import apply
from docalign_actors.persistence.database import Database
from docalign_actors.persistence.github import PostgresInbox
from docalign_actors.watch.circuit import Failed, Origin, Rules
from tests.support.clock import ManualClock


def test_installing_the_app_again_closes_the_circuit_and_nothing_else_does(database: Database) -> None:
    clock = ManualClock()
    inbox = PostgresInbox(database, "https://github.com", clock)
    told = Register(7, "acme/tool", 1, scan=True)
    repo = inbox.enrol(told).repo_id
    failed = [(repo, Failed(Origin.SCAN, "DOCALIGN_E103", "the token has expired"))] * 5
    database.run(lambda c: apply(c, failed, Rules(), clock.now()))
    assert states(database) == ["open"]
    assert inbox.enrol(told).repo_id == repo
    assert states(database) == []
    (last,) = database.run(
        lambda c: c.execute("SELECT after, cause FROM circuit_history ORDER BY id DESC LIMIT 1").fetchall()
    )
    assert last == ("closed", "the App was installed on it again")


def states(database: Database) -> list[str]:
    return [row[0] for row in database.run(lambda c: c.execute("SELECT state FROM circuits").fetchall())]
