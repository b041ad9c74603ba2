"""Repositories are looked at by themselves: what moved is scanned, what stands still is not, and nothing is done twice."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from datetime import timedelta

import pytest

from docalign_actors.errors import GitError
from docalign_actors.scans.addresses import parse_repository_url
from tests.watch.lookout import GatedHeads, Lookout


def test_a_repository_that_was_never_scanned_gets_its_initial_scan_and_no_second_one(lookout: Lookout) -> None:
    repo = lookout.register(lookout.git().root)
    lookout.round(repo)
    assert [run[:2] for run in lookout.runs(repo)] == [("full", "scheduled")]
    assert lookout.whys(repo) == ["initial: it was never scanned"]
    assert [(event.repo_id, event.kind) for event in lookout.asked()] == [(repo, "initial")]
    lookout.round(repo)
    assert len(lookout.runs(repo)) == 1


def test_who_registers_a_repository_has_a_moment_to_ask_for_its_first_scan(lookout: Lookout) -> None:
    lookout.repos.register(parse_repository_url(str(lookout.git().root)))
    moment = "SELECT w.due_at - r.created_at FROM watch_schedules w JOIN repos r ON r.id = w.repo_id"
    assert lookout.rows(moment) == [(timedelta(seconds=30),)]


def test_a_head_that_stands_still_costs_a_look_and_no_scan(lookout: Lookout) -> None:
    _, repo = lookout.watched()
    for _ in range(3):
        lookout.round(repo)
    assert lookout.looks(repo) == ["same", "same", "same"]
    assert lookout.runs(repo) == []


def test_a_head_that_moved_is_scanned_from_the_old_one_to_the_new_one(lookout: Lookout) -> None:
    git, repo = lookout.watched()
    old = git.git("rev-parse", "HEAD").strip()
    lookout.round(repo)
    git.write({"a.md": "x"}).commit()
    new = git.git("rev-parse", "HEAD").strip()
    lookout.round(repo)
    assert [run[:4] for run in lookout.runs(repo)] == [("push", "scheduled", old, new)]
    assert lookout.whys(repo) == ["re-scan: the head moved"]
    lookout.round(repo)  # it waits: nothing is doubled
    lookout.scan_all(lookout.runs(repo)[0][6])
    lookout.round(repo)
    assert len(lookout.runs(repo)) == 1
    view = lookout.store.schedule(repo)
    assert (view.last_head, view.last_branch, view.last_error) == (new, "main", "")


@pytest.mark.parametrize("scheme", ["", "file://"])
def test_another_branch_that_is_subscribed_to_is_looked_at_and_its_moves_bring_a_scan_of_the_same_head(
    lookout: Lookout, scheme: str
) -> None:
    git, repo = lookout.watched()
    lookout.rows("UPDATE repos SET url = %s WHERE id = %s", f"{scheme}{git.root}", repo)
    head = git.git("rev-parse", "HEAD").strip()
    git.git("branch", "side")
    git.git("branch", "on/side")  # nobody subscribes to it
    follow = "INSERT INTO journal_branches (repo_id, branch, commit) VALUES (%s, %s, %s)"
    for branch, commit in (("", head), ("main", head), ("side", head), ("gone", ""), ("new", None)):
        lookout.rows(follow, repo, branch, commit)
    lookout.round(repo)
    assert lookout.runs(repo) == []
    git.git("checkout", "-q", "side")
    git.commit("on the side")
    moved = git.git("rev-parse", "HEAD").strip()
    git.git("checkout", "-q", "main")
    lookout.round(repo)
    assert [run[:4] for run in lookout.runs(repo)] == [("push", "scheduled", head, head)]
    assert lookout.whys(repo) == ["re-scan: a branch that is subscribed to moved"]
    lookout.scan_all(lookout.runs(repo)[0][6])
    lookout.rows("UPDATE journal_branches SET commit = %s WHERE branch = 'side'", moved)
    lookout.round(repo)
    assert len(lookout.runs(repo)) == 1
    git.git("branch", "-qD", "side")
    lookout.round(repo)
    assert len(lookout.runs(repo)) == 2


def test_commits_that_come_while_a_scan_waits_are_seen_after_it(lookout: Lookout) -> None:
    git, repo = lookout.watched()
    git.commit("one")
    lookout.round(repo)
    git.commit("two")
    lookout.round(repo)
    assert len(lookout.runs(repo)) == 1
    lookout.scan_all(lookout.runs(repo)[0][6])
    lookout.round(repo)
    first, second = lookout.runs(repo)
    assert (second[2], second[3]) == (first[3], git.git("rev-parse", "HEAD").strip())


def test_rewritten_history_is_scanned_as_a_whole(lookout: Lookout) -> None:
    git, repo = lookout.watched()
    git.git("commit", "-q", "--amend", "-m", "another first")
    lookout.round(repo)
    assert lookout.runs(repo)[0][0] == "full"
    assert lookout.whys(repo) == ["re-scan: its history was rewritten"]


def test_another_default_branch_is_scanned_as_a_whole(lookout: Lookout) -> None:
    git, repo = lookout.watched()
    git.git("branch", "-m", "main", "trunk")
    lookout.round(repo)
    assert lookout.whys(repo) == ["re-scan: another branch is the default now"]
    lookout.scan_all(lookout.runs(repo)[0][6])
    lookout.round(repo)
    assert len(lookout.runs(repo)) == 1


def test_a_repository_that_was_emptied_is_scanned_once_and_again_when_it_is_filled(lookout: Lookout) -> None:
    git, repo = lookout.watched()
    git.git("update-ref", "-d", "refs/heads/main")
    lookout.round(repo)
    assert lookout.whys(repo) == ["re-scan: it was emptied"]
    lookout.scan_all(lookout.runs(repo)[0][6])
    lookout.round(repo)
    assert len(lookout.runs(repo)) == 1
    git.commit("a new beginning")
    lookout.round(repo)
    assert lookout.whys(repo)[1:] == ["re-scan: it has its first commit"]
    assert lookout.circuit(repo) == ("closed", 0)


def test_a_repository_that_vanishes_and_comes_back_is_seen_again(lookout: Lookout) -> None:
    git, repo = lookout.watched()
    lookout.round(repo)
    away = git.root.with_name("away")
    git.root.rename(away)
    lookout.round(repo)
    assert lookout.looks(repo)[-1] == "failed"
    assert lookout.circuit(repo) == ("closed", 1)
    assert "project" in lookout.store.schedule(repo).last_error
    away.rename(git.root)
    git.commit("while it was away")
    lookout.round(repo)
    assert lookout.circuit(repo) == ("closed", 0)
    assert lookout.whys(repo) == ["re-scan: the head moved"]
    assert lookout.store.schedule(repo).last_error == ""


def test_a_folder_that_is_no_repository_any_more_is_not_taken_for_the_one_around_it(lookout: Lookout) -> None:
    outer = lookout.git("outer")
    inner = outer.root / "inner"
    inner.mkdir()
    from tests.support.repository import Repository

    Repository(inner, {"README.md": "x"})
    repo = lookout.register(inner)
    lookout.scan_all(lookout.ask(repo))
    shutil.rmtree(inner / ".git")
    lookout.round(repo)
    assert lookout.looks(repo) == ["failed"]


def test_a_repository_behind_an_address_is_asked_with_ls_remote(lookout: Lookout) -> None:
    from docalign_actors.hosts.credentials import Credentials
    from docalign_actors.hosts.heads import GitHeads

    git = lookout.git()
    found = GitHeads(10.0).look(f"file://{git.root}", "", Credentials())
    assert (found.branch, found.sha, found.follows) == ("main", git.git("rev-parse", "HEAD").strip(), None)
    empty = lookout.git("empty", {})
    assert GitHeads(10.0).look(f"file://{empty.root}", "", Credentials()).sha == ""
    assert GitHeads(10.0).look(str(empty.root), "", Credentials()).sha == ""


def test_a_rule_that_is_set_while_its_repository_is_looked_at_is_not_lost(make_lookout: Callable[..., Lookout]) -> None:
    heads = GatedHeads()
    lookout = make_lookout(heads=heads)
    repo = lookout.register("/srv/one")
    lookout.clock.advance(60)
    lookout.until(lambda: heads.looks)
    lookout.store.set_schedule(repo, "every 3 days", "never", lookout.clock.now())
    planned = lookout.store.schedule(repo).next_check_at
    heads.gate.set()
    lookout.until(lambda: lookout.store.schedule(repo).last_look_at)
    assert lookout.store.schedule(repo).next_check_at == planned
    assert lookout.store.schedule(repo).next_full_at is None


def test_who_asks_for_a_look_while_one_is_under_way_gets_another(make_lookout: Callable[..., Lookout]) -> None:
    heads = GatedHeads()
    lookout = make_lookout(heads=heads)
    repo = lookout.register("/srv/one")
    scanned = (
        "UPDATE repos SET head_sha = %s, default_branch = 'main', last_full_scan_at = now() WHERE id = %s RETURNING id"
    )
    assert lookout.rows(scanned, heads.head.sha, repo)
    heads.error = GitError("It does not answer.")
    heads.gate.set()
    lookout.round(repo)
    heads.error = None
    heads.gate.clear()
    lookout.clock.advance(301)
    lookout.until(lambda: len(heads.looks) == 2)
    lookout.store.reset_circuit(repo, "somebody asked", lookout.clock.now())
    heads.gate.set()
    lookout.until(lambda: len(heads.looks) == 3)
    lookout.settled(repo)
    assert len(heads.looks) == 3


def test_no_more_are_looked_at_at_once_than_there_are_lookers(make_lookout: Callable[..., Lookout]) -> None:
    heads = GatedHeads()
    lookout = make_lookout(heads=heads, lookers=3)
    repos = [lookout.register(f"/srv/project-{n}") for n in range(20)]
    lookout.clock.advance(60)
    lookout.until(lambda: len(heads.looks) == 3)
    heads.gate.set()
    for repo in repos:
        lookout.settled(repo)
    assert heads.most <= 3
    assert sorted(heads.looks) == sorted(f"/srv/project-{n}" for n in range(20))


def test_after_a_long_time_in_which_nobody_looked_they_are_spread_and_none_is_looked_at_twice(
    make_lookout: Callable[..., Lookout],
) -> None:
    asleep = make_lookout(watch=False)
    repos = [asleep.register(f"/srv/project-{n}") for n in range(40)]
    asleep.rows("UPDATE watch_schedules SET check_at = now() - interval '3 days', full_at = now() - interval '2 days'")
    heads = GatedHeads()
    heads.gate.set()
    lookout = make_lookout(heads=heads)
    lookout.until(lambda: not lookout.rows("SELECT 1 FROM watch_schedules WHERE check_at < now()"))
    times = [row[0] for row in lookout.rows("SELECT due_at FROM watch_schedules WHERE looked_at IS NULL ORDER BY 1")]
    assert len(times) > 30
    assert times[-1] <= lookout.clock.now() + timedelta(seconds=300)
    assert len({at.replace(microsecond=0) for at in times}) > 20
    for _ in range(31):
        lookout.clock.advance(10)
        for repo in repos:
            lookout.settled(repo)
    assert len(lookout.asked()) == 40
    assert len({event.repo_id for event in lookout.asked()}) == 40


@pytest.mark.parametrize("fails_at", ["settle", "next_due"])
def test_what_was_asked_for_and_not_written_down_is_not_asked_for_twice(
    make_lookout: Callable[..., Lookout], fails_at: str
) -> None:
    """As after a kill between the commit of the run and the commit of the schedule."""

    class Killed:
        def __init__(self, store: object) -> None:
            self._store = store

        def __getattr__(self, name: str) -> object:
            if name == fails_at and lookout.asked():
                raise KeyboardInterrupt("killed")
            return getattr(self._store, name)

    lookout = make_lookout()
    git, repo = lookout.watched()
    git.commit("one")
    lookout.stop()
    killed = make_lookout(store=Killed)
    lookout = killed
    killed.clock.advance(400)
    killed.until(killed.asked)
    killed.stop()
    assert len(killed.runs(repo)) == 1
    again = make_lookout()
    again.clock.advance(800)
    again.settled(repo)
    assert len(again.runs(repo)) == 1


@pytest.mark.parametrize("error", [None, GitError("gone")])
def test_a_repository_that_is_removed_while_it_is_looked_at_leaves_nothing(
    make_lookout: Callable[..., Lookout], error: GitError | None
) -> None:
    heads = GatedHeads()
    heads.error = error
    lookout = make_lookout(heads=heads)
    repo = lookout.register("/srv/one")
    lookout.clock.advance(60)
    lookout.until(lambda: heads.looks)
    lookout.repos.remove(repo)
    heads.gate.set()
    other = lookout.register("/srv/two")
    lookout.round(other)
    for table in ("watch_schedules", "circuits", "circuit_history", "circuit_inbox", "scan_runs"):
        assert lookout.rows(f"SELECT * FROM {table} WHERE repo_id = %s", repo) == [], table


def test_what_the_github_app_looks_at_is_not_looked_at_twice_but_scanned_in_full(
    make_lookout: Callable[..., Lookout],
) -> None:
    heads = GatedHeads()
    heads.gate.set()
    lookout = make_lookout(heads=heads, github=True)
    repo = lookout.register("https://github.com/acme/tool")
    lookout.rows("INSERT INTO github_installations (id, account) VALUES (1, 'acme') ON CONFLICT DO NOTHING")
    lookout.rows(
        "INSERT INTO github_repos (repo_id, github_id, installation_id, full_name) VALUES (%s, 7, 1, 'acme/tool')", repo
    )
    lookout.round(repo)
    assert lookout.whys(repo) == ["initial: it was never scanned"]
    lookout.scan_all(lookout.runs(repo)[0][6])
    heads.looks.clear()
    lookout.round(repo)
    assert lookout.store.schedule(repo).next_check_at is None
    lookout.round(repo, 7 * 86_400 + 1)
    assert lookout.whys(repo)[1:] == ["re-scan: a full scan is due"]
    assert heads.looks == []
    assert lookout.store.schedule(repo).elsewhere
