"""Repositories that git cannot reach are left alone for a while: counted from looks and from scans, in a real database."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from docalign_actors.persistence.outbox import PostgresOutbox, put_letters
from docalign_actors.scans.events import ScanMoved
from docalign_actors.scans.model import RepoId, RunId
from tests.support.repository import Repository
from tests.watch.lookout import Lookout


def vanish(git: Repository) -> Path:
    away = git.root.with_name("away")
    git.root.rename(away)
    return away


def opened(lookout: Lookout) -> tuple[Repository, RepoId, Path]:
    """A repository whose circuit has just opened."""
    git, repo = lookout.watched()
    away = vanish(git)
    for _ in range(5):
        lookout.round(repo)
    assert lookout.circuit(repo)[0] == "open"
    return git, repo, away


def fail_scan(lookout: Lookout, repo: RepoId, code: str = "DOCALIGN_E106") -> None:
    lookout.fail(lookout.ask(repo), code)
    lookout.until(lambda: lookout.rows("SELECT 1 FROM circuit_inbox") == [])


def test_five_looks_in_a_row_that_fail_open_the_circuit_and_then_nobody_looks(lookout: Lookout) -> None:
    _, repo, _ = opened(lookout)
    looks = len(lookout.looks(repo))
    for _ in range(5):
        lookout.round(repo)  # 25 minutes
    assert len(lookout.looks(repo)) == looks == 5
    view = lookout.store.circuit(repo)
    assert (view.failures, view.error_code, view.opens_at) == (5, "DOCALIGN_E106", 5)
    assert [(move.before, move.after, move.cause) for move in view.history] == [
        ("closed", "open", "git could not reach it")
    ]
    assert lookout.moves(repo) == [("closed", "open")]


def test_after_the_pause_one_look_is_let_through_and_a_failure_opens_it_again(lookout: Lookout) -> None:
    _, repo, _ = opened(lookout)
    lookout.round(repo, 1_900)
    assert lookout.looks(repo) == ["failed"] * 6
    assert lookout.circuit(repo) == ("open", 6)
    assert lookout.moves(repo)[1:] == [("open", "half_open"), ("half_open", "open")]
    lookout.round(repo)
    assert len(lookout.looks(repo)) == 6


def test_a_repository_that_comes_back_closes_its_circuit_and_is_scanned(lookout: Lookout) -> None:
    git, repo, away = opened(lookout)
    away.rename(git.root)
    git.commit("while it was away")
    lookout.round(repo, 1_900)
    assert lookout.circuit(repo) == ("closed", 0)
    assert lookout.moves(repo)[1:] == [("open", "half_open"), ("half_open", "closed")]
    assert lookout.whys(repo) == ["re-scan: the head moved"]
    history = lookout.store.circuit(repo).history
    assert [move.after for move in history] == ["closed", "half_open", "open"]
    assert [move.id for move in history] == sorted((move.id for move in history), reverse=True)


@pytest.mark.parametrize(("code", "counts"), [
    ("DOCALIGN_E106", True), ("DOCALIGN_E103", True), ("DOCALIGN_E401", False), ("DOCALIGN_E407", False), ("DOCALIGN_E601", False),
])  # fmt: skip
def test_scans_that_fail_at_git_or_at_the_door_count_and_others_do_not(
    lookout: Lookout, code: str, counts: bool
) -> None:
    _, repo = lookout.watched()
    for _ in range(5):
        fail_scan(lookout, repo, code)
    assert lookout.circuit(repo) == (("open", 5) if counts else ("closed", 0))


def test_a_scan_is_counted_once_however_often_it_is_looked_for(lookout: Lookout) -> None:
    _, repo = lookout.watched()
    fail_scan(lookout, repo)
    for _ in range(3):
        assert lookout.store.count_scans(lookout.clock.now(), 10) == (0, [])
    assert lookout.circuit(repo) == ("closed", 1)


def test_a_scan_that_works_takes_back_what_failed_before_it(lookout: Lookout) -> None:
    _, repo = lookout.watched()
    for _ in range(4):
        fail_scan(lookout, repo)
    lookout.scan_all(lookout.ask(repo))
    lookout.until(lambda: lookout.circuit(repo) == ("closed", 0))
    fail_scan(lookout, repo)
    assert lookout.circuit(repo) == ("closed", 1)


def test_a_success_that_comes_before_the_failure_is_counted_still_takes_it_back(
    make_lookout: Callable[..., Lookout],
) -> None:
    lookout = make_lookout(watch=False)
    lookout.system.stop(5.0)  # nobody counts
    _, repo = lookout.watched()
    lookout.fail(lookout.ask(repo))
    lookout.scan_all(lookout.ask(repo))
    assert lookout.store.count_scans(lookout.clock.now(), 10)[0] == 2
    assert lookout.circuit(repo) == ("closed", 0)


def test_a_repository_that_answers_looks_but_cannot_be_fetched_is_tried_at_each_check_until_its_circuit_opens(
    lookout: Lookout,
) -> None:
    git, repo = lookout.watched()
    lookout.round(repo)
    git.commit("one")
    for number in range(1, 6):
        lookout.round(repo)
        runs = lookout.runs(repo)
        assert len(runs) == number
        lookout.fail(runs[-1][6])
        lookout.until(lambda n=number: lookout.circuit(repo)[1] == n)  # type: ignore[misc]
    assert lookout.circuit(repo) == ("open", 5)
    lookout.round(repo)
    assert len(lookout.runs(repo)) == 5
    lookout.round(repo, 1_900)  # the look succeeds, which decides nothing: the scan is the try
    assert lookout.circuit(repo) == ("half_open", 5)
    assert len(lookout.runs(repo)) == 6
    lookout.scan_all(lookout.runs(repo)[5][6])
    lookout.until(lambda: lookout.circuit(repo) == ("closed", 0))


def test_what_a_person_asks_for_is_let_through_as_the_try(lookout: Lookout) -> None:
    git, repo, away = opened(lookout)
    run = lookout.ask(repo)
    lookout.events.publish(ScanMoved(run, repo, 1, "stage", "running", stage="fetch"))
    lookout.until(lambda: lookout.circuit(repo)[0] == "half_open")
    assert lookout.store.circuit(repo).history[0].cause == "a scan was asked for"
    lookout.fail(run)
    lookout.until(lambda: lookout.circuit(repo) == ("open", 6))
    away.rename(git.root)
    again = lookout.ask(repo)
    lookout.scan_all(again)
    lookout.until(lambda: lookout.circuit(repo) == ("closed", 0))


def test_a_try_that_is_cancelled_does_not_leave_it_half_open_for_ever(lookout: Lookout) -> None:
    git, repo, away = opened(lookout)
    run = lookout.ask(repo)
    lookout.triggers.cancel_scan(run)
    lookout.events.publish(ScanMoved(RunId(run), repo, 1, "end", "cancelled"))
    lookout.until(lambda: lookout.circuit(repo)[0] == "half_open")
    away.rename(git.root)
    lookout.round(repo, 1_900)
    assert lookout.circuit(repo) == ("closed", 0)


def test_a_full_scan_that_is_due_waits_for_the_circuit(lookout: Lookout) -> None:
    git, repo, away = opened(lookout)
    lookout.rows("UPDATE watch_schedules SET full_at = %s WHERE repo_id = %s", lookout.clock.now(), repo)
    lookout.round(repo)
    assert lookout.runs(repo) == []
    away.rename(git.root)
    lookout.round(repo, 1_900)
    assert lookout.whys(repo) == ["re-scan: a full scan is due"]


def test_registering_again_closes_it_at_once_and_has_it_looked_at(lookout: Lookout) -> None:
    git, repo, away = opened(lookout)
    away.rename(git.root)
    assert lookout.register(git.root) == repo
    assert lookout.circuit(repo) == ("closed", 0)
    assert lookout.store.circuit(repo).history[0].cause == "it was registered again"
    lookout.look_around()
    lookout.settled(repo)
    assert lookout.looks(repo)[-1] == "same"


def test_a_reset_closes_it_at_once_and_says_who_did_it(lookout: Lookout) -> None:
    _, repo, _ = opened(lookout)
    moved = lookout.store.reset_circuit(repo, "reset by ada", lookout.clock.now())
    assert moved is not None
    assert (moved.before, moved.after, moved.cause, moved.failures) == ("open", "closed", "reset by ada", 5)
    assert lookout.circuit(repo) == ("closed", 0)
    assert lookout.store.reset_circuit(repo, "reset by ada", lookout.clock.now()) is None


def test_a_removed_repository_leaves_no_circuit(lookout: Lookout) -> None:
    _, repo, _ = opened(lookout)
    run = lookout.ask(repo)
    lookout.repos.remove(repo)
    assert lookout.rows("SELECT status FROM scan_runs WHERE id = %s", run) == [("cancelled",)]
    for table in ("watch_schedules", "circuits", "circuit_history", "circuit_inbox"):
        assert lookout.rows(f"SELECT * FROM {table} WHERE repo_id = %s", repo) == [], table


def test_a_subscriber_that_fails_touches_no_circuit(lookout: Lookout) -> None:
    from docalign_actors.ids import new_id
    from docalign_actors.outbound.model import Letter
    from docalign_actors.outbound.ports import Outcome

    _, repo = lookout.watched()
    now = lookout.clock.now()
    letters = [Letter(new_id(), "|x", "", "test", "https://x.example.org", "{}", now) for _ in range(10)]
    with lookout.database.transaction() as connection:
        put_letters(connection, letters, now)
    PostgresOutbox(lookout.database).settle([Outcome(letter, "dead", 8, "503") for letter in letters], now)
    assert lookout.rows("SELECT DISTINCT status FROM outbox") == [("dead",)]
    lookout.round(repo)
    assert lookout.circuit(repo) == ("closed", 0)
    lookout.rows("TRUNCATE outbox, outbox_lanes")


def test_what_cannot_be_is_not_written(lookout: Lookout) -> None:
    from docalign_actors.errors import ConstraintError

    _, repo = lookout.watched()
    for values in (
        "'open', 5, NULL, NULL",
        "'closed', 0, now(), NULL",
        "'half_open', 5, NULL, NULL",
        "'open', 0, now(), NULL",
    ):
        with pytest.raises(ConstraintError):
            lookout.rows(
                "INSERT INTO circuits (repo_id, state, failures, open_until, trial_until, changed_at)"
                f" VALUES (%s, {values}, now())", repo
            )  # fmt: skip
