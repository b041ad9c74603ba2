"""When repositories are looked at and scanned: what is due, whose rule counts, and clocks that are set."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest

from docalign_actors.scans.model import Trigger
from docalign_actors.watch.deciding import Numbers
from docalign_actors.watch.recurrence import Every, Never
from tests.watch.lookout import Lookout


def test_a_full_scan_comes_when_it_is_due_although_nothing_moved(lookout: Lookout) -> None:
    _, repo = lookout.watched()
    lookout.round(repo)
    assert lookout.store.schedule(repo).next_full_at is not None
    lookout.round(repo, 7 * 86_400 + 1)
    assert lookout.whys(repo) == ["re-scan: a full scan is due"]
    lookout.scan_all(lookout.runs(repo)[0][6])
    lookout.round(repo)
    assert len(lookout.runs(repo)) == 1


def test_a_full_scan_that_is_due_joins_the_one_that_waits(lookout: Lookout) -> None:
    _, repo = lookout.watched()
    lookout.round(repo)
    waiting = lookout.ask(repo)
    lookout.round(repo, 7 * 86_400 + 1)
    assert [event.run_id for event in lookout.asked()] == [waiting]
    assert lookout.runs(repo) == []


def test_two_full_scans_that_persons_ask_for_are_two(lookout: Lookout) -> None:
    repo = lookout.register(lookout.git().root)
    first, second = lookout.ask(repo), lookout.ask(repo)
    assert first != second
    assert lookout.ask(repo, Trigger.SCHEDULED) in (first, second)


def test_a_scan_that_failed_for_another_reason_than_git_is_tried_again_after_an_hour_or_when_there_is_news(
    lookout: Lookout,
) -> None:
    git, repo = lookout.watched()
    lookout.round(repo)
    # The weekly scan is due at an hour that the repository's id tells: not within the hour that this is about.
    lookout.rows(
        "UPDATE watch_schedules SET full_at = %s WHERE repo_id = %s", lookout.clock.now() + timedelta(days=3), repo
    )
    git.commit("one")
    lookout.round(repo)
    lookout.fail(lookout.runs(repo)[0][6], "DOCALIGN_E401")
    lookout.rows("UPDATE scan_runs SET completed_at = %s WHERE id = %s", lookout.clock.now(), lookout.runs(repo)[0][6])
    lookout.round(repo)
    assert len(lookout.runs(repo)) == 1
    lookout.round(repo, 3_600)
    assert lookout.whys(repo)[1:] == ["re-scan: the last scan failed"]
    lookout.fail(lookout.runs(repo)[1][6], "DOCALIGN_E401")
    lookout.rows("UPDATE scan_runs SET completed_at = %s WHERE id = %s", lookout.clock.now(), lookout.runs(repo)[1][6])
    git.commit("two")
    lookout.round(repo)
    assert len(lookout.runs(repo)) == 3
    assert lookout.circuit(repo) == ("closed", 0)


def test_never_is_never(lookout: Lookout) -> None:
    git, repo = lookout.watched()
    lookout.store.set_schedule(repo, "never", "never", lookout.clock.now())
    git.commit("one")
    lookout.clock.advance(30 * 86_400)
    other = lookout.register(lookout.git("other").root)
    lookout.round(other)
    assert lookout.looks(repo) == []
    assert lookout.runs(repo) == []
    view = lookout.store.schedule(repo)
    assert (view.next_check_at, view.next_full_at, view.check, view.own_check) == (None, None, "never", True)


def test_a_rule_of_its_own_counts_and_can_be_given_back(lookout: Lookout) -> None:
    _, repo = lookout.watched()
    now = lookout.clock.now()
    lookout.store.set_schedule(repo, "daily at 03:00", None, now)
    view = lookout.store.schedule(repo)
    assert view.next_check_at is not None
    assert view.next_check_at.hour == 3
    assert (view.check, view.own_check, view.own_full) == ("daily at 03:00", True, False)
    lookout.store.set_schedule(repo, "", None, now)
    view = lookout.store.schedule(repo)
    assert view.next_check_at is not None
    assert view.next_check_at <= now + timedelta(minutes=5)
    assert (view.check, view.own_check) == ("every 5 minutes", False)


@pytest.mark.parametrize("rule", ["", "every 20 minutes", "daily at 03:00"])
@pytest.mark.parametrize("days", [-400, -2, 2])
def test_a_clock_that_is_set_stops_nothing_and_starts_nothing_twice(lookout: Lookout, days: int, rule: str) -> None:
    git, repo = lookout.watched()
    lookout.store.set_schedule(repo, rule, None, lookout.clock.now())
    lookout.round(repo, 86_400)
    looks = len(lookout.looks(repo))
    lookout.clock.set_by(days * 86_400)
    lookout.settled(repo)
    plan = lookout.store.schedule(repo)
    assert plan.next_check_at is not None
    assert plan.next_full_at is not None
    assert plan.next_check_at - lookout.clock.now() <= timedelta(minutes=5)
    assert plan.next_full_at - lookout.clock.now() <= timedelta(days=7)
    git.commit("meanwhile")
    lookout.round(repo)
    assert len(lookout.looks(repo)) == looks + 1
    assert len(lookout.runs(repo)) == 1


def test_a_circuit_that_opened_under_another_clock_is_open_for_a_pause_at_the_most(lookout: Lookout) -> None:
    git, repo = lookout.watched()
    away = git.root.rename(git.root.with_name("away"))
    for _ in range(5):
        lookout.round(repo)
    assert lookout.circuit(repo)[0] == "open"
    lookout.clock.set_by(-30 * 86_400)
    lookout.settled(repo)
    away.rename(git.root)
    lookout.round(repo, 301)
    lookout.round(repo, 1_900)
    assert lookout.circuit(repo) == ("closed", 0)


def test_other_rules_of_the_service_hold_from_its_next_start_on(make_lookout: Callable[..., Lookout]) -> None:
    lookout = make_lookout(numbers=Numbers(Never(), Never()))
    _, repo = lookout.watched()
    lookout.until(lambda: True)
    lookout.round(repo)
    assert lookout.rows("SELECT due_at FROM watch_schedules") == [(None,)]
    lookout.stop()
    again = make_lookout(numbers=Numbers(Every(60), Every(600)))
    again.until(lambda: again.rows("SELECT due_at FROM watch_schedules")[0][0] is not None)
