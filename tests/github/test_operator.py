"""What an operator sees of checks that are stuck, and what the buttons do, on a real database and the fake GitHub."""

from __future__ import annotations

from datetime import timedelta

import pytest

from docalign_actors.clock import SystemClock
from docalign_actors.demo.github import FakeGitHub
from docalign_actors.demo.github.model import Repository
from docalign_actors.github.messages import DISPATCH, Dispatch
from docalign_actors.github.requirements import missing_permissions
from docalign_actors.github.tally import OTHERS, Tally
from docalign_actors.github.telemetry import WebhookTaken
from docalign_actors.persistence.github_views import GitHubViews
from docalign_actors.persistence.sql import query
from docalign_actors.telemetry.stream import EventStream
from tests.support.github.workshop import Workshop
from tests.support.spine import SteppedProcesses
from tests.support.waiting import until


@pytest.fixture
def views(shop: Workshop) -> GitHubViews:
    return GitHubViews(shop.database)


@pytest.fixture
def repository(github: FakeGitHub) -> Repository:
    return github.create_repository("acme/tool", {"README.md": "# Tool\n"})


def test_a_check_that_may_not_be_written_is_shown_and_tried_again_when_asked(
    shop: Workshop, views: GitHubViews, repository: Repository, processes: SteppedProcesses
) -> None:
    made = shop.github.install("acme", repository)
    processes.wait_for(1).report()
    shop.settle_all()
    made.permissions["checks"] = "read"
    shop.github.installation_event(made, "new_permissions_accepted")
    pull = shop.github.open_pull(repository, "feature", files={"README.md": "new\n"})
    shop.settle()
    now = SystemClock().now
    until(lambda: bool(views.failing_checks(now(), 10)))
    (stuck,) = views.failing_checks(now(), 10)
    assert (stuck.full_name, stuck.number, stuck.head_sha, stuck.given_up) == ("acme/tool", 1, pull.head, False)
    assert "DOCALIGN_E105" in stuck.last_error
    assert stuck.failing_since is not None
    (seen,) = views.installations(10)
    assert (seen.account, seen.repositories, seen.waiting) == ("acme", 1, 1)
    assert missing_permissions(seen.permissions) == ["checks: write"]

    made.permissions["checks"] = "write"
    shop.rows("UPDATE github_checks SET told = wanted, due_at = now() + interval '1 day' RETURNING number")  # given up
    assert views.failing_checks(now(), 10)[0].given_up
    assert views.try_again(stuck.repo_id, 1, pull.head)
    shop.told()
    until(lambda: [c.status for c in repository.checks.values()] == ["in_progress"])
    until(lambda: not shop.rows("SELECT FROM github_checks WHERE told < wanted"))
    assert views.failing_checks(now(), 10) == []
    assert not views.try_again(stuck.repo_id, 1, pull.head)  # there is nothing to try any more


def test_what_a_missing_permission_kept_back_is_told_as_soon_as_it_is_granted(
    shop: Workshop, views: GitHubViews, repository: Repository, processes: SteppedProcesses
) -> None:
    made = shop.github.install("acme", repository)
    processes.wait_for(1).report()
    shop.settle_all()
    made.permissions["checks"] = "read"
    shop.github.installation_event(made, "new_permissions_accepted")
    shop.github.open_pull(repository, "feature", files={"README.md": "new\n"})
    shop.settle()
    until(lambda: bool(views.failing_checks(SystemClock().now(), 10)))
    shop.rows("UPDATE github_checks SET told = wanted, due_at = now() + interval '1 day' RETURNING number")  # given up
    made.permissions["checks"] = "write"
    shop.github.installation_event(made, "new_permissions_accepted")
    shop.settle()
    until(lambda: [c.status for c in repository.checks.values()] == ["in_progress"])


def test_checks_that_wait_for_a_suspended_installation_are_shown(
    shop: Workshop, views: GitHubViews, repository: Repository, processes: SteppedProcesses
) -> None:
    shop.github.install("acme", repository)
    processes.wait_for(1).report()
    shop.settle_all()
    shop.rows("UPDATE github_installations SET state = 'suspended' RETURNING id")
    shop.rows(
        "INSERT INTO github_checks (repo_id, number, head_sha, due_at) SELECT repo_id, 9, %s, now() + interval '1 hour' FROM github_repos"
        " RETURNING number",
        "a" * 40,
    )
    now = SystemClock().now()
    assert views.failing_checks(now, 10) == []
    (waiting,) = views.failing_checks(now + timedelta(hours=2), 10)
    assert (waiting.suspended, waiting.last_error, waiting.failing_since) == (True, "", None)


def test_a_delivery_that_failed_is_carried_out_when_asked(
    shop: Workshop, views: GitHubViews, repository: Repository
) -> None:
    shop.github.install("acme", repository)
    shop.settle()
    shop.github.open_pull(repository, "feature", files={"README.md": "new\n"})
    shop.settle()
    shop.rows(
        "UPDATE github_deliveries SET status = 'failed', error = 'x', content = '{}' WHERE event = 'pull_request' RETURNING position"
    )
    (failed,) = shop.services.views.webhook_trouble(10, 2**62).items
    assert views.carry_out_again(failed.position)
    assert not views.carry_out_again(failed.position)
    shop.system.tell(DISPATCH, Dispatch())
    until(
        lambda: shop.rows("SELECT status FROM github_deliveries WHERE position = %s", failed.position) == [("failed",)]
    )


def test_what_is_stuck_is_found_by_an_index(shop: Workshop) -> None:
    shop.rows(
        "INSERT INTO repos (id, url, name) SELECT lpad(to_hex(n), 32, '0')::uuid, 'https://x/' || n, 'x' FROM generate_series(1, 500) n"
        " RETURNING id"
    )
    shop.rows("INSERT INTO github_installations (id, account) VALUES (1, 'acme') RETURNING id")
    shop.rows(
        "INSERT INTO github_repos (repo_id, github_id, installation_id, full_name)"
        " SELECT id, row_number() OVER (), 1, 'a/b' FROM repos RETURNING repo_id"
    )
    shop.rows(
        "INSERT INTO github_checks (repo_id, number, head_sha, final, told) SELECT repo_id, n, 'x', true, 1"
        " FROM github_repos, generate_series(1, 40) n RETURNING number"
    )
    shop.rows(
        "UPDATE github_checks SET last_error = 'x' WHERE number = 7 AND repo_id IN (SELECT repo_id FROM github_repos LIMIT 3) RETURNING 1"
    )
    values = {"now": SystemClock().now(), "most": 50}
    with shop.database.transaction() as connection:
        connection.execute("ANALYZE github_checks")
        statement = f"EXPLAIN {query('github_failing_checks')}".encode()
        plan = "\n".join(row[0] for row in connection.execute(statement, values).fetchall())
    assert "Seq Scan on github_checks" not in plan, plan


def test_ignored_events_are_counted_by_name_within_a_bound() -> None:
    events = EventStream()
    tally = Tally(events)
    for name, outcome in (("star", "ignored"), ("star", "ignored"), ("push", "kept"), ("fork", "ignored")):
        events.publish(WebhookTaken(name, outcome))
    assert tally.ignored() == [("star", 2), ("fork", 1)]
    for n in range(500):
        events.publish(WebhookTaken(f"made-up-{n}", "ignored"))
    counted = dict(tally.ignored())
    assert len(counted) <= 201
    assert counted[OTHERS] == 500 - 198
