"""Unwatching, removing a repository, removing an application: each leaves nothing behind, whatever was under way."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from docalign_actors.applications.model import AppId, SubscriptionId
from docalign_actors.persistence.repos import RepoStore
from docalign_actors.scans.model import RepoId
from tests.applications.receiver_process import ReceiverProcess
from tests.applications.world import World
from tests.support.repository import Repository
from tests.support.waiting import until

Make = Callable[[dict[str, str | bytes]], Repository]
TABLES = (
    "app_subscriptions", "app_holdings", "app_deliveries", "journal", "journal_branches", "journal_notes", "outbox", "outbox_lanes"
)  # fmt: skip


def left(world: World, *tables: str) -> dict[str, int]:
    counts = {table: world.rows(f"SELECT count(*) FROM {table}")[0][0] for table in (*TABLES, *tables)}
    return {table: count for table, count in counts.items() if count}


@pytest.fixture
def busy(world: World, repository: Make, receivers: ReceiverProcess, path: str) -> tuple[RepoId, AppId, SubscriptionId]:
    """One that has received something, has something in its lane, a failure, and more in the journal and in the notes."""
    made = repository({f"{n}.md": f"{n}\n" for n in range(40)})
    repo = world.register(made)
    world.scan(repo, made)
    app = world.app(receivers.meet(path, "200", "200", "200", "422"))
    subscription = world.subscribe(app, repo)
    world.until(lambda: world.subscription(subscription)[0] == "failed")
    made.write({"new.md": "n\n"}).commit()
    world.scan(repo, made)
    until(lambda: not world.rows("SELECT 1 FROM journal_notes"))
    world.scan(repo, made, tell=False)
    assert set(left(world)) == set(TABLES)
    return repo, app, subscription


def test_unwatching_leaves_nothing_behind(world: World, busy: tuple[RepoId, AppId, SubscriptionId]) -> None:
    _, app, subscription = busy
    world.store.unsubscribe(app, subscription)
    assert left(world) == {}
    assert left(world, "applications", "tokens") == {"applications": 1, "tokens": 1}


def test_removing_an_application_leaves_nothing_behind(
    world: World, busy: tuple[RepoId, AppId, SubscriptionId]
) -> None:
    _, app, _ = busy
    world.store.remove(app)
    assert left(world, "applications", "tokens") == {}


def test_removing_a_repository_leaves_nothing_behind(world: World, busy: tuple[RepoId, AppId, SubscriptionId]) -> None:
    repo, _, _ = busy
    RepoStore(world.database).remove(repo)
    assert left(world) == {}
    world.rows("DELETE FROM repos WHERE id = %s", repo)
    assert left(world) == {}


def test_deleting_a_repository_s_row_leaves_nothing_behind_either(
    world: World, busy: tuple[RepoId, AppId, SubscriptionId]
) -> None:
    world.rows("DELETE FROM repos WHERE id = %s", busy[0])
    assert left(world) == {}


def test_ending_one_of_two_subscriptions_leaves_the_other_alone(
    world: World, repository: Make, receivers: ReceiverProcess, path: str
) -> None:
    made = repository({"a.md": "a\n"})
    repo = world.register(made)
    world.scan(repo, made)
    first, second = world.app(receivers.url(f"{path}-1"), "first"), world.app(receivers.url(f"{path}-2"), "second")
    one, two = world.subscribe(first, repo), world.subscribe(second, repo)
    world.quiet(repo)
    world.store.unsubscribe(first, one)
    made.write({"a.md": "b\n"}).commit()
    world.scan(repo, made)
    world.quiet(repo)
    assert set(world.has(two)) == {"a.md"}
    assert len(receivers.arrived(f"{path}-1")) == 3
    assert len(receivers.arrived(f"{path}-2")) == 4


def test_a_delivery_under_way_when_its_subscription_ends_writes_nothing(
    world: World, repository: Make, receivers: ReceiverProcess, path: str
) -> None:
    made = repository({"a.md": "a\n"})
    repo = world.register(made)
    world.scan(repo, made)
    app = world.app(receivers.meet(path, "slow"))
    subscription = world.subscribe(app, repo)
    receivers.wait_for(path, 1)
    world.store.unsubscribe(app, subscription)
    other = world.app(receivers.url(f"{path}-2"), "second")
    world.subscribe(other, repo)
    world.quiet(repo)
    assert world.rows("SELECT DISTINCT app_id FROM app_deliveries") == [(other,)]
