"""What is decided without a database: admission, back-off, what follows a delivery, who is told."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import pairwise
from uuid import UUID

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docalign_actors.agent_tasks import outcomes
from docalign_actors.agent_tasks.admission import TaskRequest, admit
from docalign_actors.agent_tasks.errors import BadTaskError
from docalign_actors.agent_tasks.model import Location, Status, Task, TaskId, to_wire
from docalign_actors.agent_tasks.notices import Subscription, SubscriptionRequest, checked_mode, chosen, postponed, told
from docalign_actors.outbound.backoff import Backoff, Curve

NOW = datetime(2030, 1, 1, 12, tzinfo=UTC)
ID = TaskId(UUID(int=1))


def request(**fields: object) -> TaskRequest:
    return msgspec.json.decode(
        msgspec.json.encode({"command": "VERIFY", "payload": {"a": 1}, **fields}), type=TaskRequest
    )


def make_task(**fields: object) -> Task:
    base = Task(ID, 1, "", "VERIFY", "{}", 0, "", Status.IN_PROGRESS, Location.IN_PROGRESS, 1, 5, None, "w",
                NOW + timedelta(seconds=60), "", NOW, NOW, None)  # fmt: skip
    return msgspec.structs.replace(base, **fields)


def test_a_task_has_defaults() -> None:
    task = admit(request(), ID, "t", NOW)
    assert (task.priority, task.max_attempts, task.webhook, task.idempotency_key, task.visible_at) == (
        0,
        5,
        "",
        None,
        None,
    )


@given(st.integers(-(2**40), 2**40))
def test_a_priority_is_clamped(priority: int) -> None:
    assert admit(request(priority=priority), ID, "", NOW).priority == min(max(priority, 0), 9)


@given(st.integers(-(2**40), 2**40))
def test_no_attempts_are_five(attempts: int) -> None:
    found = admit(request(maxAttempts=attempts), ID, "", NOW).max_attempts
    assert found == (5 if attempts <= 0 else min(attempts, 1000))


@pytest.mark.parametrize("payload", ['{"b": 1, "a": 2.50}', "0", '""', "[]", "false", "123456789012345678901234567890"])
def test_a_payload_is_kept_to_the_letter(payload: str) -> None:
    body = f'{{"command": "X", "payload": {payload}}}'
    assert admit(msgspec.json.decode(body, type=TaskRequest), ID, "", NOW).payload == payload


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"payload": None}, "invalid body: 'payload' is required and may not be null"),
        ({"command": ""}, "invalid body: 'command' is required"),
        ({"delaySeconds": -1}, "invalid 'delaySeconds' (must be >= 0)"),
        ({"runAt": "tomorrow"}, "invalid 'runAt' (use RFC3339)"),
        ({"runAt": "2030-01-01T00:00:00"}, "invalid 'runAt' (use RFC3339)"),
        ({"webhook": "ftp://x"}, "invalid webhook url (http or https, at most 2000 ASCII characters)"),
        ({"webhook": "https://u:p@x"}, "invalid webhook url (no user name or password in it)"),
        ({"command": "a\0b"}, "invalid command (1 to 200 printable characters, no space at its ends)"),
    ],
)
def test_a_wrong_request_is_told_what_is_wrong(fields: dict[str, object], text: str) -> None:
    with pytest.raises(BadTaskError) as caught:
        admit(request(**fields), ID, "", NOW)
    assert str(caught.value) == text


def test_a_moment_wins_over_a_delay() -> None:
    task = admit(request(runAt="2030-01-01T14:00:00+01:00", delaySeconds=5), ID, "", NOW)
    assert task.visible_at == NOW + timedelta(hours=1)
    assert admit(request(delaySeconds=5), ID, "", NOW).visible_at == NOW + timedelta(seconds=5)
    assert admit(request(runAt="2000-01-01T00:00:00Z"), ID, "", NOW).visible_at is None


@given(st.sampled_from(Curve), st.integers(0, 10_000), st.floats(0, 1))
def test_a_delay_is_never_longer_than_the_longest(curve: Curve, attempt: int, chance: float) -> None:
    assert 0 <= Backoff(curve).delay(attempt, chance) <= 900


def test_delays_grow_as_their_curve_says() -> None:
    def first(curve: Curve, chance: float = 1.0) -> list[float]:
        return [Backoff(curve).delay(n, chance) for n in (1, 2, 3, 20)]

    assert first(Curve.FIXED) == [5, 5, 5, 5]
    assert first(Curve.LINEAR) == [5, 10, 15, 100]
    assert first(Curve.EXPONENTIAL) == [5, 10, 20, 900]
    assert first(Curve.EQUAL_JITTER, 0.0) == [2.5, 5, 10, 450]
    assert first(Curve.FULL_JITTER, 0.5) == [2.5, 5, 10, 450]
    assert Backoff().curve is Curve.FULL_JITTER


@given(st.integers(1, 5), st.integers(-5, 10_000), st.floats(0, 1))
def test_the_last_delivery_ends_among_the_dead_letters_and_no_other_does(
    attempts: int, wanted: int, chance: float
) -> None:
    task = make_task(attempts=attempts, max_attempts=5)
    for after in (
        outcomes.after_nack(task, wanted, "no", Backoff(), chance), outcomes.after_abandon(task), outcomes.after_expiry(task)
    ):  # fmt: skip
        assert isinstance(after, outcomes.Dead) == (attempts == 5)


def test_only_the_owner_of_a_lease_that_holds_may_write() -> None:
    def text(task: Task | None, worker: str = "w") -> str:
        return str(outcomes.refusal(task, worker, NOW))

    assert text(make_task()) == "None"
    assert text(None) == "not-found"
    assert text(make_task(), "other") == "not-owner"
    assert text(make_task(lease_until=NOW)) == "not-in-progress"
    assert (
        text(make_task(status=Status.PENDING, location=Location.READY, worker_id="", lease_until=None))
        == "not-in-progress"
    )


def test_what_is_empty_is_left_out_on_the_wire() -> None:
    plain = make_task(status=Status.PENDING, location=Location.READY, attempts=0, worker_id="", lease_until=None)
    assert msgspec.json.decode(msgspec.json.encode(to_wire(plain))) == {
        "id": str(ID), "command": "VERIFY", "payload": "{}", "status": "PENDING", "lastKnownLocation": "PENDING_LIST",
        "maxAttempts": 5, "createdAt": "2030-01-01T12:00:00Z", "updatedAt": "2030-01-01T12:00:00Z",
    }  # fmt: skip
    full = msgspec.json.decode(
        msgspec.json.encode(to_wire(make_task(priority=9, tenant_id="t", error="e", webhook="h")))
    )
    assert set(full) == {
        "id", "command", "payload", "priority", "webhook", "status", "lastKnownLocation", "workerId", "leaseUntil",
        "attempts", "maxAttempts", "error", "tenantId", "createdAt", "updatedAt",
    }  # fmt: skip


def subscription(number: int, mode: str, group: str = "", **fields: object) -> Subscription:
    base = Subscription(UUID(int=number), "", "w", "http://x", ("*",), mode, group, 5, 60, NOW, NOW + timedelta(60))  # type: ignore[arg-type]
    return msgspec.structs.replace(base, **fields)


def test_everybody_who_fans_out_is_told_and_one_of_each_group() -> None:
    known = [
        subscription(1, "fanout"),
        subscription(2, "fanout"),
        subscription(3, "group", "g"),
        subscription(4, "group", "g"),
    ]
    assert [one.id.int for one in chosen(known, "X", NOW)] == [1, 2, 3]
    heard = [msgspec.structs.replace(one, last_notified_at=NOW) if one.id.int == 3 else one for one in known]
    assert [one.id.int for one in chosen(heard, "X", NOW)] == [1, 2, 4]


@given(st.text(min_size=1), st.integers(1, 9))
def test_by_hash_the_same_command_goes_to_the_same_one(command: str, count: int) -> None:
    known = [subscription(n, "hash") for n in range(1, count + 1)]
    found = chosen(known, command, NOW)
    assert len(found) == 1
    assert chosen(known[::-1], command, NOW) == found


def test_one_who_was_told_a_moment_ago_is_left_alone() -> None:
    assert not subscription(1, "fanout", last_notified_at=NOW - timedelta(seconds=4)).may_hear(NOW)
    assert subscription(1, "fanout", last_notified_at=NOW - timedelta(seconds=5)).may_hear(NOW)
    assert chosen([subscription(1, "fanout", event_types=("Y",))], "X", NOW) == []
    assert chosen([subscription(1, "fanout", expires_at=NOW)], "X", NOW) == []


@given(st.lists(st.tuples(st.sampled_from("ABC"), st.integers(0, 9)), max_size=40))
def test_whoever_is_left_alone_hears_of_everything_later_and_never_too_often(steps: list[tuple[str, int]]) -> None:
    """Work comes at random; a notice is sent at once or postponed, and each command is heard of after its last work."""
    one, now = subscription(1, "fanout"), NOW
    heard: list[tuple[datetime, str]] = []
    last_work: dict[str, datetime] = {}

    def tell(command: str, at: datetime) -> None:
        nonlocal one
        heard.append((at, command))
        one = told(one, command, at)

    def sweep(until: datetime) -> None:
        while one.pending_at is not None and one.pending_at <= until:
            tell(one.pending[0], one.pending_at)

    for command, gap in steps:
        now += timedelta(seconds=gap)
        sweep(now)
        last_work[command] = now
        if one.may_hear(now):
            tell(command, now)
        else:
            one = postponed(one, command)
    sweep(now + timedelta(hours=1))
    moments = [at for at, _ in heard]
    assert all((b - a).total_seconds() >= one.min_interval for a, b in pairwise(moments))
    for command, at in last_work.items():
        assert max(moment for moment, told_of in heard if told_of == command) >= at


def test_a_group_needs_a_name() -> None:
    with pytest.raises(BadTaskError, match="groupId is required"):
        checked_mode(SubscriptionRequest(delivery_mode="group"))
    with pytest.raises(BadTaskError, match="invalid deliveryMode"):
        checked_mode(SubscriptionRequest(delivery_mode="carrier pigeon"))
