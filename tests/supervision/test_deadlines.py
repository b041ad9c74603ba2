"""Handlers that do not come back, threads that cannot be had, restarts that do not help."""

from __future__ import annotations

import threading
from typing import Any

import pykka
import pytest

from docalign_actors.supervision import Actor, ActorEnded, ChildEnded, Fenced, Policy
from docalign_actors.supervision import system as system_module
from docalign_actors.telemetry.events import (
    ActorFailed,
    ActorFenced,
    ActorRestarted,
    ActorStarted,
    DeadLetter,
    Escalated,
    FencedReturned,
    MessageHandled,
    MessageQuarantined,
)
from tests.supervision.kit import QUICK, WITHIN, Gate, Scripted, World, fail
from tests.support.clock import ManualClock

AT_ONCE = Policy(backoff_min=0.0, backoff_max=0.0, handler_deadline=60.0, intensity=50)


def wedge(world: World, clock: ManualClock, gate: Gate, name: str = "actor") -> None:
    """Let the handler be past its deadline, and wait until the kit has seen it."""
    gate.wait()
    seen = len(world.seen(ActorFenced))
    clock.advance(61)
    world.wait_for(ActorFenced, seen + 1)
    clock.advance(1)


def test_a_wedged_actor_is_fenced_and_replaced_and_its_thread_counted(still: World, clock: ManualClock) -> None:
    gate = Gate()
    still.system.supervise("actor", Scripted, AT_ONCE)
    still.system.tell("actor", gate)
    wedge(still, clock, gate)
    assert still.system.ask("actor", lambda actor: "new", timeout=WITHIN) == "new"
    assert still.system.abandoned == 1
    states = {info.state for info in still.system.snapshot() if info.name == "actor"}
    assert "fenced" in states
    fenced = still.wait_for(ActorFenced)
    assert (fenced.kind, fenced.seconds) == ("Gate", 61.0)
    assert "opened.wait" in fenced.stack
    gate.open()
    still.wait_for(FencedReturned, name="actor")
    assert still.system.abandoned == 0


def test_a_fenced_incarnation_learns_it_before_it_writes_and_reaches_nobody(still: World, clock: ManualClock) -> None:
    gate, log, learnt = Gate(), [], []
    done = threading.Event()

    def late(actor: Any) -> None:
        gate(actor)
        learnt.append(actor.context.fenced)
        for attempt in (
            actor.context.check,
            lambda: actor.context.tell("other", "late"),
            lambda: actor.context.ask("other", "late", 1.0),
            lambda: actor.context.spawn("child", Scripted),
        ):
            with pytest.raises(Fenced):
                attempt()
        actor.context.tell_self("late")
        actor.context.after(0, "late")
        done.set()

    still.system.supervise("other", lambda: Scripted(log))
    still.system.supervise("actor", lambda: Scripted(log), AT_ONCE)
    still.system.tell("actor", late)
    wedge(still, clock, gate)
    gate.open()
    assert done.wait(WITHIN)
    still.wait_for(FencedReturned)
    assert learnt == [True]
    for name in ("actor", "other"):
        assert still.system.ask(name, lambda actor: "round", timeout=WITHIN) == "round"
    assert log == []


def test_who_asked_a_wedged_actor_is_told_and_what_waited_is_dead(still: World, clock: ManualClock) -> None:
    gate = Gate()
    answers: list[BaseException] = []

    def ask() -> None:
        with pytest.raises(ActorEnded) as caught:
            still.system.ask("actor", gate, timeout=WITHIN)
        answers.append(caught.value)

    still.system.supervise("actor", Scripted, AT_ONCE)
    asker = threading.Thread(target=ask)
    asker.start()
    gate.wait()
    still.system.tell("actor", "waiting")
    wedge(still, clock, gate)
    asker.join(WITHIN)
    assert "more than 60 s" in str(answers[0])
    assert still.wait_for(DeadLetter).reason == "the actor failed"
    gate.open()


def test_a_message_that_wedges_five_times_is_quarantined(still: World, clock: ManualClock) -> None:
    gates: list[Gate] = []
    told: list[tuple[object, str, int]] = []

    class Stuck(Actor):
        def receive(self, message: object) -> None:
            gates[-1](self)

        def poison(self, message: object, error: str, times: int) -> None:
            told.append((message, error, times))

    still.system.supervise("actor", Stuck, AT_ONCE)
    for times in range(1, 6):
        gates.append(Gate())
        still.system.tell("actor", "the same")
        wedge(still, clock, gates[-1])
        still.wait_for(ActorStarted, times + 1)
    still.wait_for(MessageQuarantined)
    still.system.tell("actor", "the same")
    still.wait_for(DeadLetter, reason="quarantined")
    assert told == [("the same", "str ran for more than 60 s", times) for times in range(1, 6)]
    for gate in gates:
        gate.open()
    still.wait_for(FencedReturned, 5)


def test_a_wedged_start_is_given_up_and_what_waits_is_for_the_next(still: World, clock: ManualClock) -> None:
    gate, log = Gate(), []
    hooks = [gate, lambda actor: None]
    still.system.supervise("actor", lambda: Scripted(log, started=hooks.pop(0)), AT_ONCE)
    still.system.tell("actor", "kept")
    wedge(still, clock, gate)
    assert still.system.ask("actor", lambda actor: list(log), timeout=WITHIN) == ["kept"]
    gate.open()
    still.wait_for(FencedReturned)


def test_a_wedged_child_is_given_up_and_the_parent_is_told(still: World, clock: ManualClock) -> None:
    gate, log = Gate(), []
    still.system.supervise("parent", lambda: Scripted(log))
    child = still.system.ask("parent", lambda actor: actor.context.spawn("child", Scripted), timeout=WITHIN)
    assert child == "parent/child"
    still.system.tell("parent/child", gate)
    wedge(still, clock, gate)
    still.wait_for(MessageHandled, name="parent", kind="ChildEnded")
    assert log == [ChildEnded("parent/child", "Gate ran for more than 60 s")]
    gate.open()


def test_at_the_thread_limit_no_ghost_is_left_and_no_message_lost(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    start, refused = threading.Thread.start, []

    def limited(thread: threading.Thread) -> None:
        if thread.name == "actor" and len(refused) < 3:
            refused.append(thread)
            raise RuntimeError("can't start new thread")
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", limited)
    log: list[object] = []
    world.system.supervise("actor", lambda: Scripted(log), QUICK)
    for number in range(5):
        world.system.tell("actor", number)
    assert world.system.ask("actor", lambda actor: list(log), timeout=WITHIN) == [0, 1, 2, 3, 4]
    assert len(refused) == 3
    assert world.wait_for(ActorRestarted, 3).error == "RuntimeError: can't start new thread"
    registered = [ref for ref in pykka.ActorRegistry.get_by_class(Scripted) if ref.is_alive()]
    assert len(pykka.ActorRegistry.get_by_class(Scripted)) == len(registered)


def test_an_actor_whose_thread_is_gone_is_found_by_the_sweep(still: World, clock: ManualClock) -> None:
    class Vanishing(Scripted):
        """Ends its thread past every hook, as nothing in Python should be able to."""

        def _actor_loop_running(self) -> None:
            if not vanished:
                vanished.append(1)
                return
            super()._actor_loop_running()

    vanished: list[int] = []
    still.system.supervise("actor", Vanishing, AT_ONCE)
    still.wait_for(ActorStarted)
    thread = next((each for each in threading.enumerate() if each.name == "actor"), None)
    if thread is not None:
        thread.join(WITHIN)
    clock.advance(1)
    assert still.wait_for(ActorRestarted).error == "it was found dead"
    clock.advance(1)
    assert still.system.ask("actor", lambda actor: "back", timeout=WITHIN) == "back"


def test_a_restart_storm_ends_in_an_escalation_that_is_told_and_shown(world: World) -> None:
    policy = Policy(backoff_min=0.001, backoff_max=0.002, intensity=3)
    world.system.supervise("storm", lambda: Scripted(started=fail(ConnectionError("database down"))), policy)
    world.system.supervise("calm", Scripted)
    world.until(lambda: bool(world.escalations))
    reason = "it failed 4 times within 60 s; the last time: ConnectionError: database down"
    assert world.escalations == [("storm", reason)]
    assert world.seen(Escalated) == [Escalated("storm", reason)]
    assert len(world.seen(ActorFailed)) == 4
    assert world.system.healthy() == [f"storm is given up: {reason}"]
    assert world.info("storm").state == "stopped"
    with pytest.raises(ActorEnded):
        world.system.ask("storm", "anybody?", timeout=WITHIN)
    assert world.system.ask("calm", lambda actor: "well", timeout=WITHIN) == "well"


def test_an_escalation_may_stop_the_whole_system(world: World) -> None:
    left: list[object] = []
    ended = threading.Event()

    def stop(name: str, reason: str) -> None:
        left.append(world.system.stop(5.0))
        ended.set()

    world.on_escalation = stop
    world.system.supervise("calm", Scripted)
    world.system.supervise("storm", lambda: Scripted(started=fail(ValueError())), Policy(intensity=0))
    assert ended.wait(WITHIN)
    assert left == [[]]


def test_an_escalation_that_fails_harms_nobody(world: World) -> None:
    def refuse(name: str, reason: str) -> None:
        raise RuntimeError("not now")

    world.on_escalation = refuse
    world.system.supervise("storm", lambda: Scripted(started=fail(ValueError())), Policy(intensity=0))
    world.wait_for(Escalated)
    world.system.supervise("calm", Scripted)
    assert world.system.ask("calm", lambda actor: "well", timeout=WITHIN) == "well"


def test_a_policy_with_a_rest_pauses_instead_of_escalating(still: World, clock: ManualClock) -> None:
    failing = [True]

    def started(actor: Actor) -> None:
        if failing:
            raise ValueError("poor repository")

    policy = Policy(backoff_min=0.0, backoff_max=0.0, intensity=0, rest=300.0)
    still.system.family("repo", lambda key: Scripted(started=started), policy)
    still.system.tell("repo/1", "kept")
    assert 300.0 <= still.wait_for(ActorRestarted).delay <= 360.0
    failing.clear()
    clock.advance(361)
    still.wait_for(ActorStarted, name="repo/1")
    assert still.escalations == []
    assert still.system.healthy() == []


def test_a_supervisor_that_does_not_answer_is_no_health(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(system_module, "ANSWER_WITHIN", 0.01)
    gate = Gate()

    def make() -> Actor:
        gate(Scripted())
        return Scripted()

    world.system.supervise("slow to make", make)
    gate.wait()
    assert world.system.healthy() == ["the supervisor did not answer within 0.01 s"]
    gate.open()
    monkeypatch.undo()
    assert world.system.healthy() == []


def test_timers_that_do_not_ring_are_no_health(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    gate = Gate()
    world.system._timers.after(0.0, lambda: gate(Scripted()) and None)
    gate.wait()
    monkeypatch.setattr(system_module, "ANSWER_WITHIN", 0.01)
    assert "no timer rang within 0.01 s" in world.system.healthy()
    gate.open()


def test_a_timer_that_fails_does_not_end_the_others(world: World) -> None:
    def broken() -> None:
        raise SystemExit

    world.system._timers.after(0.0, broken)
    assert world.system._timers.turn(WITHIN)
