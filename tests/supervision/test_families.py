"""Virtual actors: an address for each key, a thread only for those that have something to do."""

from __future__ import annotations

import asyncio
import random
import threading
from collections import defaultdict
from typing import Any

import pytest

from docalign_actors.supervision import Actor, ActorSystem, NotAccepting, Policy
from docalign_actors.telemetry.events import (
    ActorPassivated,
    ActorRestarted,
    ActorStarted,
    DeadLetter,
    MessageHandled,
)
from tests.supervision.kit import QUICK, WITHIN, Gate, Scripted, World, fail
from tests.support.clock import ManualClock


def ping(actor: Any) -> str:
    return "pong"


def name_of(actor: Any) -> str:
    return str(actor.context.name)


def figures(system: ActorSystem) -> Any:
    return system.families()[0]


def test_a_member_is_started_by_its_first_message_and_made_for_its_key(world: World) -> None:
    keys: list[str] = []
    world.system.family("repo", lambda key: keys.append(key) or Scripted(), Policy())  # type: ignore[func-returns-value]
    assert world.info("repo/8f") is None
    assert world.system.ask("repo/8f", name_of, timeout=WITHIN) == "repo/8f"
    assert keys == ["8f"]
    assert world.info("repo/8f").kind == "Scripted"


def test_an_idle_member_gives_its_thread_back_and_comes_back_with_the_next_message(
    still: World, clock: ManualClock
) -> None:
    ended = threading.Event()
    still.system.family("repo", lambda key: Scripted(stopping=lambda actor: ended.set()), Policy(), idle=120.0)
    first = still.system.ask("repo/1", lambda actor: actor.actor_urn, timeout=WITHIN)
    clock.advance(119)
    assert still.system.ask("repo/1", lambda actor: actor.actor_urn, timeout=WITHIN) == first
    clock.advance(121)
    still.wait_for(ActorPassivated, name="repo/1")
    assert ended.wait(WITHIN)
    assert still.system.ask("repo/1", lambda actor: actor.actor_urn, timeout=WITHIN) != first
    assert (figures(still.system).activations, figures(still.system).passivations) == (2, 1)


@pytest.mark.parametrize("reason", ["unwilling", "timer", "child", "willing badly"])
def test_a_member_that_has_something_to_do_keeps_its_thread(still: World, clock: ManualClock, reason: str) -> None:
    hooks: dict[str, Any] = {
        "unwilling": {"may_passivate": lambda actor: False},
        "willing badly": {"may_passivate": fail(SystemExit())},
    }
    still.system.family("repo", lambda key: Scripted(**hooks.get(reason, {})), Policy(), idle=10.0)

    def prepare(actor: Any) -> None:
        if reason == "timer":
            actor.context.after(1_000, "later")
        if reason == "child":
            actor.context.spawn("child", Scripted)

    still.system.ask("repo/1", prepare, timeout=WITHIN)
    clock.advance(20)
    still.system.healthy()
    assert still.system.ask("repo/1", ping, timeout=WITHIN) == "pong"
    assert figures(still.system).passivations == 0
    assert len(still.seen(ActorStarted, name="repo/1")) == 1


def test_a_member_that_owes_an_answer_keeps_its_thread(still: World, clock: ManualClock) -> None:
    owed: list[Any] = []
    still.system.family("repo", lambda key: Scripted(), Policy(), idle=10.0)

    async def ask() -> object:
        question = asyncio.create_task(
            still.system.ask_async("repo/1", lambda actor: owed.append(actor.context.defer()), timeout=WITHIN)
        )
        await asyncio.to_thread(still.wait_for, MessageHandled)
        clock.advance(20)
        await asyncio.to_thread(still.system.healthy)
        assert await still.system.ask_async("repo/1", ping, timeout=WITHIN) == "pong"
        owed[0].set("at last")
        return await question

    assert asyncio.run(ask()) == "at last"
    assert figures(still.system).passivations == 0


def test_no_more_members_live_than_may_and_the_others_wait_their_turn(world: World) -> None:
    gates = [Gate() for _ in range(5)]
    world.system.family("repo", lambda key: Scripted(), Policy(), most_live=2)
    for number, gate in enumerate(gates):
        world.system.tell(f"repo/{number}", gate)
    gates[0].wait()
    gates[1].wait()
    assert world.system.healthy() == []
    assert (figures(world.system).live, figures(world.system).waiting) == (2, 3)
    assert not any(gate.entered.is_set() for gate in gates[2:])
    for gate in gates:
        gate.wait()
        gate.open()
    world.wait_for(MessageHandled, 5)
    assert figures(world.system).peak == 2


def test_an_idle_member_makes_room_at_once_for_one_that_has_work(still: World) -> None:
    still.system.family("repo", lambda key: Scripted(), Policy(), idle=10_000.0, most_live=1)
    for key in ("a", "b", "a", "c"):
        assert still.system.ask(f"repo/{key}", name_of, timeout=WITHIN) == f"repo/{key}"
    assert figures(still.system).peak == 1


def test_a_member_that_always_has_work_does_not_starve_one_that_waits_for_a_thread(world: World) -> None:
    order: list[object] = []
    gate = Gate()
    world.system.family("repo", lambda key: Scripted(order), Policy(), most_live=1)
    world.system.tell("repo/hot", gate)
    gate.wait()
    for number in range(1_000):
        world.system.tell("repo/hot", number)
    world.system.tell("repo/cold", "cold")
    assert world.system.healthy() == []
    gate.open()
    world.until(lambda: len(order) == 1_001)
    assert [each for each in order if each != "cold"] == list(range(1_000))
    assert order.index("cold") < 300


def test_a_member_that_stops_itself_comes_back_for_what_waits(world: World) -> None:
    log: list[object] = []
    gate = Gate()
    world.system.family("repo", lambda key: Scripted(log), Policy())
    world.system.tell("repo/1", gate)
    gate.wait()
    world.system.tell("repo/1", lambda actor: actor.context.stop())
    world.system.tell("repo/1", "kept")
    gate.open()
    world.wait_for(MessageHandled, kind="str")
    assert log == ["kept"]
    assert len(world.seen(ActorStarted, name="repo/1")) == 2


def test_a_member_that_fails_lets_another_have_its_place_while_it_waits(still: World) -> None:
    policy = Policy(backoff_min=100.0, backoff_max=100.0)
    still.system.family("repo", lambda key: Scripted(), policy, most_live=1)
    still.system.tell("repo/bad", fail(ValueError("boom")))
    still.wait_for(ActorRestarted, name="repo/bad")
    assert still.system.ask("repo/good", ping, timeout=WITHIN) == "pong"


def test_after_the_stop_no_member_is_started(world: World) -> None:
    world.system.family("repo", lambda key: Scripted(), Policy())
    world.system.ask("repo/1", ping, timeout=WITHIN)
    world.system.stop(WITHIN)
    with pytest.raises(NotAccepting):
        world.system.tell("repo/2", ping)


def test_the_stop_lets_members_that_wait_for_a_place_do_their_work(world: World) -> None:
    log: list[object] = []
    gate = Gate()
    world.system.family("repo", lambda key: Scripted(log), Policy(), most_live=1)
    world.system.tell("repo/0", gate)
    gate.wait()
    for number in range(1, 20):
        world.system.tell(f"repo/{number}", number)
    result: list[object] = []
    stopper = threading.Thread(target=lambda: result.append(world.system.stop(WITHIN)))
    stopper.start()
    gate.open()
    stopper.join(WITHIN)
    assert result == [[]]
    assert sorted(log) == list(range(1, 20))  # type: ignore[type-var]


def test_a_name_below_a_member_belongs_to_no_family(world: World) -> None:
    world.system.family("repo", lambda key: Scripted(), Policy())
    for name in ("repo/", "repo", "repo/1/scan/2", "other/1"):
        world.system.tell(name, "hello")
    assert world.system.dead_letters.reasons == {"no such actor": 4}


class Counting(Actor):
    """Notes what it handles, and how many of its kind have a thread."""

    def __init__(self, key: str, ledger: Ledger) -> None:
        super().__init__()
        self.key, self.ledger = key, ledger

    def started(self) -> None:
        self.ledger.enter()

    def stopping(self) -> None:
        self.ledger.leave()

    def receive(self, message: Any) -> None:
        self.ledger.handled(self.key, message)


class Ledger:
    def __init__(self, expected: int) -> None:
        self.lock = threading.Lock()
        self.seen: dict[str, list[int]] = defaultdict(list)
        self.left, self.live, self.peak = expected, 0, 0
        self.done = threading.Event()

    def enter(self) -> None:
        with self.lock:
            self.live += 1
            self.peak = max(self.peak, self.live)

    def leave(self) -> None:
        with self.lock:
            self.live -= 1

    def handled(self, key: str, message: int) -> None:
        with self.lock:
            self.seen[key].append(message)
            self.left -= 1
            if not self.left:
                self.done.set()


@pytest.mark.parametrize(("messages", "addresses", "most_live"), [(6_000, 1_000, 50), (2_000, 500, 3)])
def test_under_load_no_message_is_lost_or_out_of_order_and_threads_stay_few(
    world: World, messages: int, addresses: int, most_live: int
) -> None:
    ledger = Ledger(messages)
    chance = random.Random(1)
    world.system.family(
        "repo", lambda key: Counting(key, ledger), Policy(mailbox=messages), idle=0.0, most_live=most_live
    )
    sent: dict[str, list[int]] = defaultdict(list)
    before = threading.active_count()
    threads = 0
    for number in range(messages):
        hot = int(chance.paretovariate(0.6)) % addresses
        key = str(hot if number % 4 else chance.randrange(addresses))
        sent[key].append(number)
        world.system.tell(f"repo/{key}", number)
        if number % 50 == 0:
            threads = max(threads, threading.active_count())
    assert ledger.done.wait(60)
    assert dict(ledger.seen) == dict(sent)
    assert ledger.peak <= most_live
    assert threads <= before + most_live
    assert figures(world.system).peak <= most_live
    assert world.system.dead_letters.count == 0


def test_every_message_is_accounted_for_among_failures_stops_and_passivations(world: World) -> None:
    """Sent = handled + failed + dead, whatever happens in between."""
    chance = random.Random(2)
    gate = threading.Event()
    handled: list[int] = []
    failed: list[int] = []

    class Unsteady(Actor):
        def receive(self, message: Any) -> None:
            gate.wait(WITHIN)
            if message % 7 == 0:
                failed.append(message)
                raise ValueError(message)
            if message % 11 == 0:
                self.context.stop()
            handled.append(message)

    total = 1_000
    world.system.family("repo", lambda key: Unsteady(), QUICK_FOR_EVER, idle=0.0, most_live=5)
    senders = [
        threading.Thread(target=send, args=(world, range(start, total, 3), chance.randrange(100))) for start in range(3)
    ]
    for sender in senders:
        sender.start()
    gate.set()
    for sender in senders:
        sender.join(WITHIN)
    world.until(lambda: len(handled) + len(failed) + world.system.dead_letters.count >= total)
    assert len(handled) + len(failed) + world.system.dead_letters.count == total
    assert len(set(handled) | set(failed)) == len(handled) + len(failed)
    assert len(world.seen(DeadLetter)) == world.system.dead_letters.count


QUICK_FOR_EVER = Policy(backoff_min=0.0, backoff_max=0.0, intensity=10**6)


def send(world: World, numbers: range, seed: int) -> None:
    chance = random.Random(seed)
    for number in numbers:
        world.system.tell(f"repo/{chance.randrange(40)}", number)


def test_a_restarted_member_keeps_the_quick_policy_of_its_family(world: World) -> None:
    world.system.family("repo", lambda key: Scripted(), QUICK)
    world.system.tell("repo/1", fail(ValueError("boom")))
    world.wait_for(ActorStarted, 2, name="repo/1")
    assert world.system.ask("repo/1", ping, timeout=WITHIN) == "pong"
