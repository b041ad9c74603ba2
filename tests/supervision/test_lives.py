"""Children, timers, and the end of everything."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from docalign_actors.supervision import Actor, ChildEnded, NameTaken, NotAccepting, Policy
from docalign_actors.telemetry.events import (
    ActorRestarted,
    ActorStarted,
    ActorStopped,
    DeadLetter,
    MessageHandled,
    SystemStopped,
    SystemStopping,
)
from tests.supervision.kit import QUICK, WITHIN, Gate, Scripted, World, fail
from tests.support.clock import ManualClock


def ping(actor: Any) -> str:
    return "pong"


def spawning(key: str, make: Any = Scripted) -> Any:
    return lambda actor: actor.context.spawn(key, make)


def with_child(world: World, log: list[object], make: Any = Scripted) -> None:
    world.system.supervise("parent", lambda: Scripted(log), QUICK)
    assert world.system.ask("parent", spawning("child", make), timeout=WITHIN) == "parent/child"
    world.wait_for(ActorStarted, name="parent/child")


def test_a_child_that_ends_in_order_is_reported_without_an_error(world: World) -> None:
    log: list[object] = []
    with_child(world, log)
    assert world.info("parent/child").parent == "parent"
    world.system.tell("parent/child", lambda actor: actor.context.stop())
    world.wait_for(MessageHandled, name="parent", kind="ChildEnded")
    assert log == [ChildEnded("parent/child", "")]
    assert world.info("parent/child") is None


def test_a_child_that_fails_is_not_restarted_but_reported(world: World) -> None:
    log: list[object] = []
    with_child(world, log)
    world.system.tell("parent/child", fail(ValueError("boom")))
    world.wait_for(MessageHandled, name="parent", kind="ChildEnded")
    assert log == [ChildEnded("parent/child", "ValueError: boom")]
    assert world.seen(ActorRestarted) == []


@pytest.mark.parametrize("make", [lambda: Scripted(started=fail(OSError("no"))), lambda: fail(OSError("no"))(None)])
def test_a_child_that_cannot_start_is_reported(world: World, make: Any) -> None:
    log: list[object] = []
    world.system.supervise("parent", lambda: Scripted(log))
    world.system.ask("parent", spawning("child", make), timeout=WITHIN)
    world.wait_for(MessageHandled, name="parent", kind="ChildEnded")
    assert log == [ChildEnded("parent/child", "OSError: no")]


def test_a_child_is_stopped_after_its_message_and_what_waits_is_dropped(world: World) -> None:
    gate, log, stopped = Gate(), [], []
    with_child(world, log, lambda: Scripted(stopping=stopped.append))
    world.system.tell("parent/child", gate)
    gate.wait()
    world.system.tell("parent/child", "never handled")
    world.system.ask("parent", lambda actor: actor.context.stop_child("parent/child"), timeout=WITHIN)
    with pytest.raises(NotAccepting):
        world.system.tell("parent/child", "refused")
    gate.open()
    world.wait_for(MessageHandled, name="parent", kind="ChildEnded")
    assert len(stopped) == 1
    assert world.wait_for(DeadLetter).kind == "str"


def test_a_child_stopped_before_it_could_start_is_reported_too(world: World) -> None:
    log: list[object] = []
    world.system.supervise("parent", lambda: Scripted(log))

    def hasty(actor: Any) -> None:
        actor.context.stop_child(actor.context.spawn("child", Scripted))

    world.system.tell("parent", hasty)
    world.wait_for(MessageHandled, name="parent", kind="ChildEnded")
    assert log == [ChildEnded("parent/child", "")]


def test_two_children_of_one_name_are_refused(world: World) -> None:
    with_child(world, [])
    with pytest.raises(NameTaken):
        world.system.ask("parent", spawning("child"), timeout=WITHIN)


def test_children_die_with_the_parent_and_are_gone_before_it_is_back(world: World) -> None:
    gate, log, stopped = Gate(), [], []
    with_child(world, log, lambda: Scripted(stopping=lambda actor: stopped.append(actor.context.name)))
    world.system.ask("parent/child", spawning("grandchild"), timeout=WITHIN)
    world.system.tell("parent/child", gate)
    gate.wait()
    world.system.tell("parent", fail(ValueError("boom")))
    world.wait_for(ActorRestarted, name="parent")
    assert len(world.seen(ActorStarted, name="parent")) == 1
    gate.open()
    world.wait_for(ActorStarted, 2, name="parent")
    assert stopped == ["parent/child"]
    world.until(lambda: len(world.seen(ActorStopped)) == 2)
    # The new incarnation was not told of children that were not its own, and may use the name again.
    assert world.system.ask("parent", spawning("child"), timeout=WITHIN) == "parent/child"
    assert log == []


def test_a_parent_waits_for_its_children_to_end_however_long_its_restart_is_due(
    still: World, clock: ManualClock
) -> None:
    gate = Gate()
    with_child(still, [])
    still.system.tell("parent/child", gate)
    gate.wait()
    still.system.tell("parent", fail(ValueError("boom")))
    still.wait_for(ActorRestarted, name="parent")
    clock.advance(1)
    assert still.system._timers.turn(WITHIN)
    assert still.system.healthy() == []
    assert still.info("parent").state == "starting"
    gate.open()
    still.wait_for(ActorStarted, 2, name="parent")


def test_a_message_for_a_child_that_has_ended_starts_nothing(world: World) -> None:
    world.system.family("repo", lambda key: Scripted(), Policy())
    child = world.system.ask("repo/1", spawning("scan/7"), timeout=WITHIN)
    assert child == "repo/1/scan/7"
    world.system.tell("repo/1/scan/7", lambda actor: actor.context.stop())
    world.wait_for(ActorStopped, name="repo/1/scan/7")
    world.system.tell("repo/1/scan/7", "late")
    assert world.wait_for(DeadLetter).reason == "no such actor"


def test_a_timer_rings_when_it_is_due_and_not_before(still: World, clock: ManualClock) -> None:
    log: list[object] = []
    still.system.supervise("actor", lambda: Scripted(log))
    still.system.ask("actor", lambda actor: actor.context.after(10, "ring"), timeout=WITHIN)
    clock.advance(9)
    assert still.system.ask("actor", lambda actor: list(log), timeout=WITHIN) == []
    clock.advance(1.5)
    still.wait_for(MessageHandled, kind="str")
    assert log == ["ring"]


def test_a_timer_replaces_the_one_of_its_key_and_others_stand_alone(still: World, clock: ManualClock) -> None:
    log: list[object] = []

    def arm(actor: Any) -> None:
        actor.context.after(1, "replaced", key="k")
        actor.context.after(2, "kept", key="k")
        actor.context.after(3, "first alone")
        actor.context.after(3, "second alone")
        actor.context.after(1, "cancelled", key="c")
        actor.context.cancel_timer("c")
        actor.context.cancel_timer("unknown")

    still.system.supervise("actor", lambda: Scripted(log))
    still.system.ask("actor", arm, timeout=WITHIN)
    clock.advance(5)
    still.wait_for(MessageHandled, 3, kind="str")
    assert log == ["kept", "first alone", "second alone"]


def test_a_timer_that_has_rung_can_be_cancelled_while_its_message_waits(still: World, clock: ManualClock) -> None:
    gate, log = Gate(), []

    def arm_and_hold(actor: Any) -> None:
        actor.context.after(1, "stale", key="k")
        gate(actor)
        actor.context.cancel_timer("k")

    still.system.supervise("actor", lambda: Scripted(log))
    still.system.tell("actor", arm_and_hold)
    gate.wait()
    clock.advance(2)
    assert still.system._timers.turn(WITHIN)
    assert still.info("actor").depth == 1
    gate.open()
    assert still.system.ask("actor", lambda actor: list(log), timeout=WITHIN) == []


def test_timers_are_cancelled_when_their_actor_ends(still: World, clock: ManualClock) -> None:
    log: list[object] = []
    still.system.supervise("actor", lambda: Scripted(log), Policy(backoff_min=0.0, backoff_max=0.0))
    still.system.ask("actor", lambda actor: actor.context.after(10, "late"), timeout=WITHIN)
    timers = len(still.system._timers)
    still.system.tell("actor", fail(ValueError("boom")))
    still.wait_for(ActorRestarted)
    clock.advance(0)
    still.wait_for(ActorStarted, 2)
    assert len(still.system._timers) == timers - 1
    clock.advance(20)
    assert still.system._timers.turn(WITHIN)
    assert still.system.ask("actor", lambda actor: list(log), timeout=WITHIN) == []


def test_ten_thousand_timers_take_one_thread(still: World) -> None:
    still.system.supervise("actor", Scripted)
    still.system.ask("actor", ping, timeout=WITHIN)
    before = threading.active_count()

    def arm(actor: Any) -> None:
        for number in range(10_000):
            actor.context.after(1_000, "ring", key=str(number % 10))

    still.system.ask("actor", arm, timeout=WITHIN)
    assert threading.active_count() == before
    assert len(still.system._timers._heap) < 300


def test_a_message_to_oneself_from_a_helper_has_no_effect_once_the_actor_is_gone(world: World) -> None:
    contexts: list[Any] = []
    log: list[object] = []
    world.system.supervise("actor", lambda: Scripted(log), QUICK)
    world.system.ask("actor", lambda actor: contexts.append(actor.context), timeout=WITHIN)
    contexts[0].tell_self("in time")
    world.wait_for(MessageHandled, kind="str")
    world.system.tell("actor", fail(ValueError("boom")))
    world.wait_for(ActorStarted, 2)
    contexts[0].tell_self("late")
    assert world.system.ask("actor", lambda actor: list(log), timeout=WITHIN) == ["in time"]


def test_the_system_stops_in_the_reverse_of_the_order_of_registration_and_handles_what_waits(world: World) -> None:
    order: list[str] = []
    gate = Gate()

    def make(name: str) -> Any:
        return lambda: Scripted(order, stopping=lambda actor: order.append(f"{name} ended"))

    world.system.supervise("pool", make("pool"))
    world.system.family("repo", lambda key: make("repo")(), Policy())
    world.system.supervise("ingest", make("ingest"))
    world.system.tell("repo/1", lambda actor: None)
    world.system.tell("ingest", gate)
    gate.wait()
    # What ingest does last still reaches the repository, which still reaches the pool.
    world.system.tell("ingest", lambda actor: actor.context.tell("repo/1", pass_on))
    result: list[object] = []
    stopper = threading.Thread(target=lambda: result.append(world.system.stop(WITHIN)))
    stopper.start()
    gate.open()
    stopper.join(WITHIN)
    assert result == [[]]
    assert [each for each in order if each != "for the pool"] == ["ingest ended", "repo ended", "pool ended"]
    assert order.index("ingest ended") < order.index("for the pool") < order.index("pool ended")
    assert world.seen(SystemStopped) == [SystemStopped(())]
    assert world.system.dead_letters.count == 0


def pass_on(actor: Any) -> None:
    actor.context.tell("pool", "for the pool")


def test_during_and_after_the_stop_new_work_is_refused(world: World) -> None:
    gate = Gate()
    world.system.supervise("actor", Scripted)
    world.system.tell("actor", gate)
    gate.wait()
    stopper = threading.Thread(target=lambda: world.system.stop(WITHIN))
    stopper.start()
    world.wait_for(SystemStopping)
    assert world.system.stopping
    with pytest.raises(NotAccepting):
        world.system.tell("actor", "late")
    with pytest.raises(NotAccepting):
        world.system.ask("actor", ping, timeout=WITHIN)
    gate.open()
    stopper.join(WITHIN)
    with pytest.raises(NotAccepting):
        world.system.tell("actor", "later still")


def test_what_an_actor_tells_one_that_is_stopping_is_a_dead_letter(world: World) -> None:
    gate = Gate()
    world.system.supervise("slow", Scripted)
    world.system.supervise("other", lambda: Scripted(stopping=lambda actor: actor.context.tell("other", "to myself")))
    world.system.tell("slow", gate)
    gate.wait()
    gate.open()
    world.system.stop(WITHIN)
    assert world.wait_for(DeadLetter).name == "other"


def test_past_the_deadline_the_rest_is_given_up_and_named(still: World, clock: ManualClock) -> None:
    gate = Gate()
    contexts: list[Any] = []
    still.system.supervise("stuck", Scripted, Policy(handler_deadline=1_000))
    still.system.supervise("fine", Scripted)
    still.system.ask("stuck", lambda actor: contexts.append(actor.context), timeout=WITHIN)
    still.system.tell("stuck", gate)
    gate.wait()
    result: list[object] = []
    stopper = threading.Thread(target=lambda: result.append(still.system.stop(5.0)))
    stopper.start()
    still.wait_for(ActorStopped, name="fine")
    clock.advance(6)
    stopper.join(WITHIN)
    assert result == [["stuck"]]
    assert contexts[0].fenced
    assert still.seen(SystemStopped) == [SystemStopped(("stuck",))]
    gate.open()


def test_an_actor_that_waits_to_be_restarted_does_not_hold_up_the_stop(still: World) -> None:
    still.system.supervise("down", lambda: Scripted(started=fail(OSError())), Policy(backoff_min=100, backoff_max=100))
    still.wait_for(ActorRestarted)
    still.system.tell("down", "waits")
    assert still.system.stop(WITHIN) == []
    assert still.wait_for(DeadLetter).name == "down"


def test_a_second_stop_does_nothing(world: World) -> None:
    assert world.system.stop(1.0) == []
    assert world.system.stop(1.0) == []


def test_a_permanent_actor_can_end_itself_for_good(world: World) -> None:
    world.system.supervise("once", Scripted)
    world.system.tell("once", lambda actor: actor.context.stop())
    world.wait_for(ActorStopped, name="once")
    assert world.info("once") is None
    assert world.system.healthy() == []


def test_an_actor_that_knows_not_what_to_do_with_a_message_fails(world: World) -> None:
    world.system.supervise("empty", Actor, QUICK)
    world.system.tell("empty", "what?")
    assert "NotImplementedError" in world.wait_for(ActorRestarted).error
