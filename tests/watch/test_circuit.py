"""The circuit of a repository, as a state machine that hypothesis tries to break."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from docalign_actors.watch.circuit import (
    CLEAN,
    Asked,
    CameToNothing,
    Circuit,
    Failed,
    Origin,
    Reset,
    Rules,
    State,
    Worked,
    after,
    barred_until,
    let_through,
)

START = datetime(2026, 1, 1, tzinfo=UTC)
RULES = Rules(failures=5, pause=1_800.0)
LOOK_FAILED = Failed(Origin.LOOK, "DOCALIGN_E106", "gone")
SCAN_FAILED = Failed(Origin.SCAN, "DOCALIGN_E103", "not let in")


def failed(times: int, what: Failed = LOOK_FAILED) -> Circuit:
    circuit = CLEAN
    for _ in range(times):
        circuit = after(circuit, what, RULES, START)
    return circuit


def test_the_fifth_failure_in_a_row_opens_it_for_half_an_hour() -> None:
    assert failed(4).state is State.CLOSED
    opened = failed(5)
    assert (opened.state, opened.failures, opened.open_until) == (State.OPEN, 5, START + timedelta(minutes=30))
    assert barred_until(opened, START + timedelta(minutes=29)) == opened.open_until
    assert barred_until(opened, START + timedelta(minutes=30)) is None


def test_a_success_between_failures_begins_the_count_anew() -> None:
    circuit = after(failed(4), Worked(Origin.LOOK), RULES, START)
    assert circuit == CLEAN
    assert after(circuit, LOOK_FAILED, RULES, START).failures == 1


def test_half_open_lets_one_through() -> None:
    later = START + timedelta(minutes=31)
    tried = let_through(failed(5), RULES, later)
    assert tried.state is State.HALF_OPEN
    assert barred_until(tried, later + timedelta(minutes=1)) is not None
    assert after(tried, Worked(Origin.LOOK), RULES, later) == CLEAN
    again = after(tried, LOOK_FAILED, RULES, later)
    assert (again.state, again.open_until) == (State.OPEN, later + timedelta(minutes=30))


def test_a_try_that_never_came_back_is_replaced_after_another_pause() -> None:
    tried = let_through(failed(5), RULES, START)
    assert barred_until(tried, START + timedelta(minutes=30)) is None


def test_a_try_that_came_to_nothing_lets_the_next_one_through_at_once() -> None:
    tried = after(let_through(failed(5), RULES, START), CameToNothing(), RULES, START)
    assert tried.state is State.HALF_OPEN
    assert barred_until(tried, START) is None


def test_what_a_person_asks_for_is_the_try() -> None:
    assert after(failed(5), Asked(), RULES, START).state is State.HALF_OPEN
    assert after(failed(3), Asked(), RULES, START) == failed(3)


def test_a_look_that_succeeds_does_not_take_back_what_scans_failed_at() -> None:
    circuit = failed(4, SCAN_FAILED)
    circuit = after(circuit, Worked(Origin.LOOK), RULES, START)
    assert after(circuit, SCAN_FAILED, RULES, START).state is State.OPEN
    assert after(circuit, Worked(Origin.SCAN), RULES, START) == CLEAN


def test_a_reset_closes_it_at_once() -> None:
    assert after(failed(9), Reset("somebody"), RULES, START) == CLEAN


class CircuitMachine(RuleBasedStateMachine):
    """Whatever happens in whatever order: what the rules at the top of the module promise holds."""

    @initialize(number=st.integers(1, 6))
    def begin(self, number: int) -> None:
        self.rules = Rules(failures=number, pause=600.0)
        self.now = START
        self.circuit = CLEAN
        self.since_success = 0

    def move(self, circuit: Circuit) -> None:
        before, self.circuit = self.circuit, circuit
        if before.state is State.CLOSED and circuit.state is State.OPEN:
            assert self.since_success >= self.rules.failures
        assert (before.state, circuit.state) != (State.CLOSED, State.HALF_OPEN)

    @rule(seconds=st.integers(0, 2_000))
    def time_passes(self, seconds: int) -> None:
        self.now += timedelta(seconds=seconds)

    @rule(origin=st.sampled_from(Origin))
    def fails(self, origin: Origin) -> None:
        self.since_success += 1
        was = self.circuit.state
        self.move(after(self.circuit, Failed(origin, "DOCALIGN_E106", "x"), self.rules, self.now))
        if was is State.HALF_OPEN:
            assert self.circuit.state is State.OPEN

    @rule()
    def a_scan_works(self) -> None:
        self.since_success = 0
        self.move(after(self.circuit, Worked(Origin.SCAN), self.rules, self.now))
        assert self.circuit == CLEAN

    @rule()
    def a_look_works(self) -> None:
        by_look = self.circuit.origin is not Origin.SCAN
        before = self.circuit
        self.move(after(self.circuit, Worked(Origin.LOOK), self.rules, self.now))
        if by_look:
            self.since_success = 0
        assert self.circuit == (CLEAN if by_look else before)

    @rule(what=st.sampled_from([Asked(), CameToNothing()]))
    def something_else(self, what: Asked | CameToNothing) -> None:
        failures = self.circuit.failures
        self.move(after(self.circuit, what, self.rules, self.now))
        assert self.circuit.failures == failures
        assert what != Asked() or self.circuit.state is not State.OPEN

    @rule()
    def reset(self) -> None:
        self.since_success = 0
        self.move(after(self.circuit, Reset("by hand"), self.rules, self.now))
        assert self.circuit == CLEAN

    @precondition(lambda self: barred_until(self.circuit, self.now) is None)
    @rule()
    def a_scheduled_try(self) -> None:
        was = self.circuit
        self.move(let_through(self.circuit, self.rules, self.now))
        if was.state is not State.CLOSED:
            assert barred_until(self.circuit, self.now) is not None, "a second try at once"

    @invariant()
    def the_state_is_one_that_can_be_written(self) -> None:
        circuit = self.circuit
        assert (circuit.state is State.OPEN) == (circuit.open_until is not None)
        assert (circuit.state is State.HALF_OPEN) == (circuit.trial_until is not None)
        assert circuit.state is State.CLOSED or circuit.failures >= 1
        assert circuit.failures <= self.since_success

    @invariant()
    def it_does_not_stay_shut_for_ever(self) -> None:
        assert barred_until(self.circuit, self.now + timedelta(seconds=self.rules.pause)) is None


TestCircuitMachine = CircuitMachine.TestCase
TestCircuitMachine.settings = settings(max_examples=40, stateful_step_count=30, deadline=None)
