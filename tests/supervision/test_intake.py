"""Where requests wait for the commit that they share."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docalign_actors.supervision.errors import NotAccepting
from docalign_actors.supervision.intake import Flush, Intake, OverfullError, fail, settle

_LONG = 60.0


def silent(_: Flush) -> None: ...


def refusing(_: Flush) -> None:
    raise NotAccepting


def test_whoever_gathers_goes_on_as_soon_as_those_who_are_expected_have_come() -> None:
    intake: Intake[int] = Intake(silent)
    gathered = threading.Event()

    def gather() -> None:
        intake.gather(3, _LONG, 1)
        gathered.set()

    thread = threading.Thread(target=gather)
    thread.start()
    for number in range(3):
        assert not gathered.is_set()
        intake.add(number)
    assert gathered.wait(_LONG / 2)
    thread.join(_LONG)
    assert intake.take(10) == [0, 1, 2]


def test_those_who_have_come_already_are_not_waited_for() -> None:
    intake: Intake[int] = Intake(silent)
    intake.add(1)
    intake.gather(1, _LONG, 1)
    assert len(intake) == 1


def test_those_who_do_not_come_are_not_waited_for_for_ever() -> None:
    intake: Intake[int] = Intake(silent)
    intake.add(1)
    intake.gather(2, 0.0, 1_000_000_000)
    assert intake.take(10) == [1]


@given(st.lists(st.one_of(st.just("add"), st.just("put back"), st.integers(1, 5)), max_size=40))
def test_whatever_waits_has_a_message_on_its_way_and_everything_is_taken_once_in_its_order(
    steps: list[str | int],
) -> None:
    told: list[Flush] = []
    intake: Intake[int] = Intake(told.append)
    added, taken = 0, []
    for step in steps:
        if isinstance(step, int):
            if told:  # the actor takes a batch when it has a message, and at no other time
                told.pop()
                taken.extend(intake.take(step))
        elif step == "add":
            intake.add(added)
            added += 1
        else:
            intake.put_back([added])
            added += 1
        assert bool(told) or not len(intake)
        assert len(told) <= 1
    while told:
        told.pop()
        taken.extend(intake.take(3))
    assert taken == list(range(added))


def test_one_that_nobody_takes_is_not_kept() -> None:
    intake: Intake[int] = Intake(refusing)
    with pytest.raises(NotAccepting):
        intake.add(1)
    assert not len(intake)


def test_what_was_taken_in_already_waits_for_the_end_although_nobody_can_be_told() -> None:
    intake: Intake[int] = Intake(refusing)
    intake.put_back([1, 2, 3])
    assert intake.take(2) == [1, 2]
    assert intake.take(2) == [3]


def test_one_too_many_is_refused_and_what_comes_back_is_not() -> None:
    intake: Intake[int] = Intake(silent, most=1)
    intake.add(1)
    with pytest.raises(OverfullError):
        intake.add(2)
    intake.put_back([3])
    assert intake.take(10) == [1, 3]


@pytest.mark.parametrize("answer", [lambda reply: settle(reply, 2), lambda reply: fail(reply, ValueError())])
def test_the_first_answer_counts(answer: Callable[[Future[int]], object]) -> None:
    reply: Future[int] = Future()
    assert settle(reply, 1)
    answer(reply)
    assert reply.result(0) == 1


def test_whoever_answers_learns_that_the_asker_has_left() -> None:
    reply: Future[int] = Future()
    reply.cancel()
    assert not settle(reply, 1)
