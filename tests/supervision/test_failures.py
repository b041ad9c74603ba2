"""What an actor's errors do, and what they do not."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import msgspec
import pykka
import pytest

from docalign_actors.supervision import Actor, ActorEnded, AskTimeout, Policy
from docalign_actors.telemetry.events import ActorFailed, ActorRestarted, ActorStarted, DeadLetter, MessageQuarantined
from tests.supervision.kit import QUICK, WITHIN, Gate, Scripted, World, fail


class Process(msgspec.Struct, frozen=True):
    row: int


class Table:
    """Stands for the database: rows that wait, rows that are done, rows that are out."""

    def __init__(self, rows: list[int], bad: int = -1, bad_times: int = 10**9) -> None:
        self.pending, self.done, self.out, self.failures = rows, [], [], 0
        self.bad, self.bad_times = bad, bad_times
        self.finished = threading.Event()


class Worker(Actor):
    """Re-reads what is pending whenever it starts, as every actor should."""

    def __init__(self, table: Table) -> None:
        super().__init__()
        self.table = table

    def started(self) -> None:
        for row in self.table.pending:
            self.context.tell_self(Process(row))

    def receive(self, message: Any) -> None:
        table = self.table
        if message.row not in table.pending:
            return
        if message.row == table.bad and table.failures < table.bad_times:
            table.failures += 1
            raise ValueError(f"row {message.row}")
        table.pending.remove(message.row)
        table.done.append(message.row)
        if not table.pending:
            table.finished.set()

    def poison(self, message: Any, error: str, times: int) -> None:
        if times == 5:
            self.table.pending.remove(message.row)
            self.table.out.append(message.row)
            if not self.table.pending:
                self.table.finished.set()


def test_an_actor_that_fails_on_a_message_is_restarted_and_reads_its_state_again(world: World) -> None:
    table = Table(list(range(100)), bad=3, bad_times=1)
    world.system.supervise("worker", lambda: Worker(table), QUICK)
    assert table.finished.wait(WITHIN)
    assert sorted(table.done) == list(range(100))
    assert world.wait_for(ActorStarted, 2, name="worker").restarts == 1
    assert world.wait_for(ActorFailed).error == "ValueError: row 3"
    assert world.info("worker").restarts == 1


def test_a_poison_message_is_quarantined_at_its_fifth_failure_and_the_others_go_on(world: World) -> None:
    table = Table(list(range(10)), bad=0)
    world.system.supervise("worker", lambda: Worker(table), Policy(backoff_min=0.001, backoff_max=0.002))
    assert table.finished.wait(WITHIN)
    assert table.failures == 5
    assert table.out == [0]
    assert sorted(table.done) == list(range(1, 10))
    assert world.wait_for(MessageQuarantined).times == 5
    assert world.escalations == []


def test_a_quarantined_message_is_not_handed_to_the_actor_again(world: World) -> None:
    table = Table([], bad=7)
    world.system.supervise("worker", lambda: Worker(table), QUICK)
    table.pending = [7]
    for times in range(1, 6):
        world.system.tell("worker", Process(7))
        world.wait_for(ActorFailed, times)
        world.wait_for(ActorStarted, times + 1)
        table.pending = [7] if times < 5 else []
    world.system.tell("worker", Process(7))
    world.wait_for(DeadLetter, reason="quarantined")
    assert table.failures == 5


def test_a_message_that_is_handled_at_last_is_forgotten_by_the_count(world: World) -> None:
    table = Table([1], bad=1, bad_times=4)
    world.system.supervise("worker", lambda: Worker(table), QUICK)
    assert table.finished.wait(WITHIN)
    assert table.done == [1]
    assert world.seen(MessageQuarantined) == []


def test_a_failing_tell_drops_the_mailbox_as_dead_letters_and_tells_those_who_asked(world: World) -> None:
    gate, log = Gate(), []
    world.system.supervise("actor", lambda: Scripted(log), QUICK)
    world.system.tell("actor", gate)
    gate.wait()
    world.system.tell("actor", fail(ValueError("boom")))
    for number in range(20):
        world.system.tell("actor", number)
    with pytest.raises(AskTimeout):
        world.system.ask("actor", "nobody waits for this", timeout=0)

    async def ask_and_open() -> None:
        question = asyncio.create_task(world.system.ask_async("actor", "a question", timeout=WITHIN))
        await asyncio.sleep(0)
        gate.open()
        with pytest.raises(ActorEnded):
            await question

    asyncio.run(ask_and_open())
    world.wait_for(DeadLetter, 22, reason="the actor failed")
    assert world.system.dead_letters.count == 22
    assert log == []
    assert world.system.ask("actor", lambda actor: "alive", timeout=WITHIN) == "alive"


def test_what_is_sent_while_an_actor_is_down_is_handled_when_it_is_back(still: World, clock: Any) -> None:
    log: list[object] = []
    still.system.supervise("actor", lambda: Scripted(log), Policy(backoff_min=5.0, backoff_max=5.0))
    still.system.tell("actor", fail(ValueError("boom")))
    still.wait_for(ActorRestarted)
    still.system.tell("actor", "one")
    still.system.tell("actor", "two")
    assert still.info("actor").state == "restarting"
    assert still.info("actor").depth == 2
    assert still.system.healthy() == ["actor is being restarted: ValueError: boom"]
    clock.advance(6.1)
    assert still.system.ask("actor", lambda actor: list(log), timeout=WITHIN) == ["one", "two"]
    assert still.system.healthy() == []


def test_an_error_in_answer_to_a_question_goes_to_the_asker_and_the_actor_lives_on(world: World) -> None:
    world.system.supervise("actor", Scripted)
    with pytest.raises(ValueError, match="no such thing"):
        world.system.ask("actor", fail(ValueError("no such thing")), timeout=WITHIN)
    assert world.system.ask("actor", lambda actor: "alive", timeout=WITHIN) == "alive"
    assert world.info("actor").restarts == 0
    assert world.info("actor").last_error == "ValueError: no such thing"


@pytest.mark.parametrize("kind", [asyncio.CancelledError, SystemExit, KeyboardInterrupt, GeneratorExit])
def test_what_is_no_exception_is_contained_in_one_actor(world: World, kind: type[BaseException]) -> None:
    world.system.supervise("actor", Scripted, QUICK)
    world.system.supervise("other", Scripted)
    bystander = world.system.ask("other", lambda actor: actor.actor_ref, timeout=WITHIN)
    with pytest.raises(ActorEnded, match=kind.__name__):
        world.system.ask("actor", fail(kind()), timeout=WITHIN)
    world.system.tell("actor", fail(kind()))
    world.wait_for(ActorStarted, 3, name="actor")
    assert isinstance(bystander, pykka.ActorRef)
    assert bystander.is_alive()
    assert world.info("other").restarts == 0


def test_a_start_that_fails_is_tried_again_and_loses_no_message(world: World) -> None:
    attempts, log = [], []

    def started(actor: Actor) -> None:
        attempts.append(1)
        if len(attempts) < 3:
            raise ConnectionError("database down")

    world.system.supervise("actor", lambda: Scripted(log, started=started), QUICK)
    for number in range(5):
        world.system.tell("actor", number)
    assert world.system.ask("actor", lambda actor: list(log), timeout=WITHIN) == [0, 1, 2, 3, 4]
    assert len(attempts) == 3
    assert [event.error for event in world.seen(ActorFailed)] == ["ConnectionError: database down"] * 2
    assert world.system.dead_letters.count == 0


@pytest.mark.parametrize("kind", [asyncio.CancelledError, SystemExit])
def test_a_start_that_ends_in_no_exception_is_contained(world: World, kind: type[BaseException]) -> None:
    attempts: list[int] = []

    def started(actor: Actor) -> None:
        attempts.append(1)
        if len(attempts) == 1:
            raise kind

    world.system.supervise("actor", lambda: Scripted(started=started), QUICK)
    assert world.system.ask("actor", lambda actor: "up", timeout=WITHIN) == "up"


def test_a_maker_that_fails_is_tried_again(world: World) -> None:
    attempts: list[int] = []

    def make() -> Actor:
        attempts.append(1)
        if len(attempts) < 3:
            raise OSError("no")
        return Scripted()

    world.system.supervise("actor", make, QUICK)
    assert world.system.ask("actor", lambda actor: "up", timeout=WITHIN) == "up"
    assert len(world.seen(ActorFailed)) == 2


@pytest.mark.parametrize("error", [ValueError("x"), SystemExit()])
def test_an_error_while_stopping_hides_nothing_and_stops_nothing(world: World, error: BaseException) -> None:
    world.system.supervise("actor", lambda: Scripted(stopping=fail(error)), QUICK)
    world.system.tell("actor", fail(ValueError("boom")))
    assert world.wait_for(ActorRestarted).error == "ValueError: boom"
    world.wait_for(ActorStarted, 2)


def test_stopping_is_called_before_the_death_is_announced(world: World) -> None:
    order: list[str] = []
    world.stream.subscribe(lambda event: order.append("restarted"), ActorRestarted)
    world.system.supervise("actor", lambda: Scripted(stopping=lambda actor: order.append("stopping")), QUICK)
    world.system.tell("actor", fail(ValueError("boom")))
    world.wait_for(ActorStarted, 2)
    assert order == ["stopping", "restarted"]


def test_an_actor_stopped_behind_the_kits_back_is_restarted(world: World) -> None:
    world.system.supervise("actor", Scripted, QUICK)
    reference: Any = world.system.ask("actor", lambda actor: actor.actor_ref, timeout=WITHIN)
    reference.stop()
    assert "another than the kit" in world.wait_for(ActorRestarted).error
    assert world.system.ask("actor", lambda actor: "alive", timeout=WITHIN) == "alive"
