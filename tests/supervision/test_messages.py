"""Mailboxes and their bounds, questions and their time-outs, traces."""

from __future__ import annotations

import asyncio
import gc
import threading
from typing import Any

import pytest
from loguru import logger

from docalign_actors.supervision import (
    ActorEnded,
    AskRefused,
    AskTimeout,
    NameTaken,
    NotAccepting,
    Policy,
    UnknownActor,
)
from docalign_actors.supervision.gauges import expose
from docalign_actors.telemetry import current_trace
from docalign_actors.telemetry.events import DeadLetter, MessageHandled
from docalign_actors.telemetry.metrics import Metrics
from docalign_actors.telemetry.trace import stamp
from tests.supervision.kit import QUICK, WITHIN, Gate, Scripted, World, fail
from tests.support.clock import ManualClock


def ping(actor: Any) -> str:
    return "pong"


def test_a_mailbox_over_its_bound_refuses_what_comes_from_outside(world: World) -> None:
    gate = Gate()
    world.system.supervise("actor", Scripted, Policy(mailbox=3))
    world.system.tell("actor", gate)
    gate.wait()
    for number in range(3):
        world.system.tell("actor", number)
    with pytest.raises(NotAccepting) as refused:
        world.system.tell("actor", "one too many")
    assert refused.value.code == "DOCALIGN_E601"
    with pytest.raises(NotAccepting):
        world.system.ask("actor", ping, timeout=WITHIN)
    gate.open()
    world.wait_for(MessageHandled, 4)
    assert world.system.ask("actor", ping, timeout=WITHIN) == "pong"


def test_an_actor_that_writes_to_a_full_mailbox_does_not_fail_but_the_letter_is_dead(world: World) -> None:
    gate = Gate()
    world.system.supervise("full", Scripted, Policy(mailbox=0))
    world.system.supervise("writer", Scripted)
    world.system.ask("writer", lambda actor: actor.context.tell("full", "x"), timeout=WITHIN)
    assert world.wait_for(DeadLetter).reason == "mailbox full"
    with pytest.raises(NotAccepting):
        world.system.ask("writer", lambda actor: actor.context.ask("full", "x", WITHIN), timeout=WITHIN)
    gate.open()


def test_the_bound_holds_while_an_actor_is_down(still: World) -> None:
    still.system.supervise("actor", lambda: Scripted(started=fail(OSError())), Policy(backoff_min=5, mailbox=2))
    still.until(lambda: still.info("actor").state == "restarting")
    still.system.tell("actor", 1)
    still.system.tell("actor", 2)
    with pytest.raises(NotAccepting):
        still.system.tell("actor", 3)


def test_a_question_whose_asker_has_gone_is_not_executed_if_it_has_not_begun(world: World) -> None:
    gate, log = Gate(), []
    world.system.supervise("actor", lambda: Scripted(log))
    world.system.tell("actor", gate)
    gate.wait()
    with pytest.raises(AskTimeout, match="actor gave no answer within 0 s"):
        world.system.ask("actor", "withdrawn", timeout=0)
    gate.open()
    assert world.wait_for(DeadLetter).reason == "the asker had gone"
    assert world.system.ask("actor", lambda actor: list(log), timeout=WITHIN) == []


def test_an_answer_that_comes_too_late_goes_nowhere(world: World) -> None:
    gate = Gate()
    world.system.supervise("actor", Scripted)

    async def ask() -> None:
        question = asyncio.create_task(world.system.ask_async("actor", gate, timeout=WITHIN))
        await asyncio.to_thread(gate.wait)
        question.cancel()
        with pytest.raises(asyncio.CancelledError):
            await question
        gate.open()

    asyncio.run(ask())
    assert world.system.ask("actor", ping, timeout=WITHIN) == "pong"
    assert world.system.dead_letters.count == 0


def test_a_question_towards_an_ancestor_or_oneself_is_refused(world: World) -> None:
    world.system.supervise("parent", Scripted)

    def spawn(key: str) -> Any:
        return lambda actor: actor.context.spawn(key, Scripted)

    world.system.ask("parent", spawn("child"), timeout=WITHIN)
    world.system.ask("parent/child", spawn("grandchild"), timeout=WITHIN)
    for name in ("parent", "parent/child", "parent/child/grandchild"):
        with pytest.raises(AskRefused):
            world.system.ask(
                "parent/child/grandchild",
                lambda actor, name=name: actor.context.ask(name, ping, WITHIN),
                timeout=WITHIN,
            )
    down = world.system.ask("parent", lambda actor: actor.context.ask("parent/child", ping, WITHIN), timeout=WITHIN)
    assert down == "pong"


def test_a_circle_of_questions_is_refused_instead_of_waited_out(world: World) -> None:
    for name in ("a", "b", "c"):
        world.system.supervise(name, Scripted)

    def asking(*names: str) -> Any:
        return lambda actor: actor.context.ask(names[0], asking(*names[1:]) if names[1:] else ping, WITHIN)

    with pytest.raises(AskRefused, match="c must not ask a"):
        world.system.ask("a", asking("b", "c", "a"), timeout=WITHIN)
    assert world.system.ask("a", asking("b", "c"), timeout=WITHIN) == "pong"


def test_an_unknown_name_is_an_error_to_who_asks_and_a_dead_letter_for_who_tells(world: World) -> None:
    with pytest.raises(UnknownActor):
        world.system.ask("nobody", ping, timeout=WITHIN)
    world.system.tell("nobody", "hello")
    assert [letter.reason for letter in world.system.dead_letters.last] == ["no such actor"] * 2
    assert world.system.dead_letters.reasons["no such actor"] == 2


def test_the_last_hundred_dead_letters_are_kept_and_all_are_counted(world: World) -> None:
    for number in range(150):
        world.system.tell(f"nobody-{number}", "hello")
    letters = world.system.dead_letters
    assert (letters.count, len(letters.last), letters.last[-1].name) == (150, 100, "nobody-149")


def test_a_name_is_given_once(world: World) -> None:
    world.system.supervise("actor", Scripted)
    with pytest.raises(NameTaken):
        world.system.supervise("actor", Scripted)


def test_an_answer_can_be_given_later_and_by_another_thread(world: World) -> None:
    kept: list[Any] = []
    world.system.supervise("actor", Scripted, QUICK)

    async def ask() -> list[object]:
        questions = [
            asyncio.create_task(
                world.system.ask_async("actor", lambda actor: kept.append(actor.context.defer()), timeout=WITHIN)
            )
            for _ in range(3)
        ]
        await asyncio.to_thread(world.wait_for, MessageHandled, 3)
        kept[0].set("first")
        kept[1].fail(ValueError("second"))
        world.system.tell("actor", fail(OSError("gone")))
        return await asyncio.gather(*questions, return_exceptions=True)

    first, second, third = asyncio.run(ask())
    assert first == "first"
    assert isinstance(second, ValueError)
    assert isinstance(third, ActorEnded)


def test_to_defer_the_answer_of_a_tell_is_harmless(world: World) -> None:
    world.system.supervise("actor", Scripted)
    world.system.tell("actor", lambda actor: actor.context.defer().set("nobody reads this"))
    assert world.system.ask("actor", ping, timeout=WITHIN) == "pong"
    assert world.info("actor").restarts == 0


def test_the_event_loop_is_never_blocked_by_a_question(world: World) -> None:
    gate = Gate()
    world.system.supervise("actor", Scripted)

    async def ask() -> object:
        question = asyncio.create_task(world.system.ask_async("actor", gate, timeout=WITHIN))
        await asyncio.sleep(0)
        gate.open()  # Would never be reached if the question held the loop.
        return await question

    assert asyncio.run(ask()) == "through"


def test_a_question_of_the_event_loop_times_out_and_is_withdrawn(world: World) -> None:
    gate, log = Gate(), []
    world.system.supervise("actor", lambda: Scripted(log))
    world.system.tell("actor", gate)
    gate.wait()
    with pytest.raises(AskTimeout):
        asyncio.run(world.system.ask_async("actor", "withdrawn", timeout=0.0))
    gate.open()
    world.wait_for(DeadLetter, reason="the asker had gone")
    assert log == []


def test_an_answer_to_a_loop_that_is_closed_harms_nobody(world: World) -> None:
    gate = Gate()
    world.system.supervise("actor", Scripted)
    loop = asyncio.new_event_loop()
    question = loop.create_task(world.system.ask_async("actor", gate, timeout=WITHIN))
    loop.call_soon(loop.stop)
    loop.run_forever()
    gate.wait()
    question._log_destroy_pending = False  # type: ignore[attr-defined]
    loop.close()
    gate.open()
    world.wait_for(MessageHandled)
    assert world.system.ask("actor", ping, timeout=WITHIN) == "pong"
    del question
    gc.collect()


def test_many_questions_of_the_event_loop_use_no_thread_of_their_own(world: World) -> None:
    world.system.supervise("actor", lambda: Scripted())
    world.system.ask("actor", ping, timeout=WITHIN)
    before = set(threading.enumerate())  # some of another test may end meanwhile

    async def ask() -> tuple[list[object], set[threading.Thread]]:
        questions = [asyncio.create_task(world.system.ask_async("actor", ping, timeout=WITHIN)) for _ in range(500)]
        await asyncio.sleep(0)
        threads = set(threading.enumerate())
        return await asyncio.gather(*questions), threads

    answers, threads = asyncio.run(ask())
    assert answers == ["pong"] * 500
    assert not threads - before


def test_a_trace_id_crosses_mailboxes_timers_and_children(world: World) -> None:
    traces: dict[str, str] = {}
    done = threading.Event()

    def note(where: str) -> Any:
        def handler(actor: Any) -> None:
            traces[where] = actor.context.trace
            if len(traces) == 5:
                done.set()

        return handler

    def first(actor: Any) -> None:
        note("first")(actor)
        actor.context.tell("second", note("tell"))
        actor.context.ask("second", note("ask"), WITHIN)
        actor.context.after(0.0, note("timer"))
        actor.context.tell(actor.context.spawn("child", Scripted), note("child"))

    world.system.supervise("first", Scripted)
    world.system.supervise("second", Scripted)
    world.system.tell("first", first, trace="abc")
    assert done.wait(WITHIN)
    assert traces == dict.fromkeys(["first", "tell", "ask", "timer", "child"], "abc")
    assert current_trace() == ""


def test_log_lines_of_a_handler_carry_its_trace_and_its_actor(world: World) -> None:
    records: list[dict[str, object]] = []
    logger.configure(patcher=stamp)
    sink = logger.add(lambda message: records.append(dict(message.record["extra"])))
    try:
        world.system.supervise("actor", Scripted)
        world.system.ask("actor", lambda actor: logger.info("inside"), timeout=WITHIN, trace="abc")
        logger.info("outside")
    finally:
        logger.remove(sink)
        logger.configure(patcher=lambda record: None)
    assert (records[0]["trace"], records[0]["actor"]) == ("abc", "actor")
    assert records[1]["trace"] == ""


def test_the_picture_shows_what_waits_and_what_is_under_way(still: World, clock: ManualClock) -> None:
    gate = Gate()
    still.system.supervise("actor", Scripted)
    still.system.tell("actor", gate, trace="abc")
    gate.wait()
    still.system.tell("actor", "waiting")
    clock.advance(5)
    info = still.info("actor")
    assert (info.state, info.parent, info.kind, info.under_way, info.trace) == (
        "busy", "supervisor", "Scripted", "Gate", "abc",
    )  # fmt: skip
    assert (info.depth, info.oldest, info.under_way_for) == (1, 5.0, 5.0)
    assert "opened.wait" in still.system.stack("actor")
    assert still.info("supervisor").parent == ""
    assert "_actor_loop" in still.system.stack("supervisor")
    gate.open()
    still.wait_for(MessageHandled, 2)
    assert still.system.ask("actor", lambda actor: still.info("actor").state, timeout=WITHIN) == "busy"
    with pytest.raises(UnknownActor):
        still.system.stack("nobody")


def test_the_figures_of_the_system_are_among_the_metrics(still: World, clock: ManualClock) -> None:
    gate = Gate()
    metrics = Metrics(still.stream)
    expose(still.system, metrics)
    still.system.supervise("actor", Scripted)
    still.system.tell("actor", gate)
    gate.wait()
    still.system.tell("actor", "one")
    still.system.tell("actor", "two")
    clock.advance(5)
    text = metrics.render().decode()
    gate.open()
    for line in (
        "docalign_actors 2.0",
        "docalign_mailbox_messages 2.0",
        "docalign_mailbox_oldest_seconds 5.0",
        "docalign_actors_waiting 0.0",
        "docalign_threads_abandoned 0.0",
    ):
        assert line in text.splitlines()
