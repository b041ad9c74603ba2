from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from docalign_actors.supervision.policy import GiveUp, History, Policy, Restart, after_failure, backoff

chances = st.floats(0, 1)
policies = st.builds(
    Policy,
    backoff_min=st.floats(0.001, 1),
    backoff_max=st.floats(1, 100),
    intensity=st.integers(0, 10),
    period=st.floats(1, 1_000),
)
gaps = st.lists(st.floats(0, 300), max_size=40)


def storm(policy: Policy, times: list[float], up_for: float = 0.0) -> list[tuple[float, Restart | GiveUp]]:
    """The decisions on failures after each of these gaps, up to the one that gives up."""
    now, history, decisions = 0.0, History(), []
    for gap in times:
        now += gap
        history, decision = after_failure(policy, history, now=now, up_for=up_for, chance=0.5)
        decisions.append((now, decision))
        if isinstance(decision, GiveUp):
            break
    return decisions


@given(policies, st.integers(1, 10_000), chances)
def test_a_delay_lies_between_the_bounds_with_a_fifth_of_jitter(policy: Policy, in_a_row: int, chance: float) -> None:
    delay = backoff(policy, in_a_row, chance)
    assert policy.backoff_min <= delay <= policy.backoff_max * 1.2


@given(policies, st.integers(1, 100), chances)
def test_a_delay_is_never_shorter_than_the_one_before(policy: Policy, in_a_row: int, chance: float) -> None:
    assert backoff(policy, in_a_row + 1, chance) >= backoff(policy, in_a_row, chance)


@given(policies, gaps)
def test_no_window_of_a_period_holds_more_restarts_than_the_intensity(policy: Policy, times: list[float]) -> None:
    restarts = [now for now, decision in storm(policy, times) if isinstance(decision, Restart)]
    for first in restarts:
        assert sum(first <= now < first + policy.period for now in restarts) <= policy.intensity


@given(policies, gaps)
def test_giving_up_needs_more_failures_within_a_period_than_the_intensity(policy: Policy, times: list[float]) -> None:
    decisions = storm(policy, times)
    if decisions and isinstance(decisions[-1][1], GiveUp):
        end = decisions[-1][0]
        assert sum(end - now < policy.period for now, _ in decisions) == policy.intensity + 1


@given(policies.filter(lambda policy: policy.intensity > 0), st.integers(0, 50), chances)
def test_after_a_healthy_spell_the_delay_is_the_shortest_again(policy: Policy, in_a_row: int, chance: float) -> None:
    history = History(in_a_row=in_a_row)
    after, decision = after_failure(policy, history, now=0.0, up_for=policy.backoff_max, chance=chance)
    assert after.in_a_row == 1
    assert decision == Restart(backoff(policy, 1, chance))


@given(policies, gaps, st.floats(1, 100))
def test_a_policy_with_a_rest_never_gives_up(policy: Policy, times: list[float], rest: float) -> None:
    resting = Policy(intensity=policy.intensity, period=policy.period, rest=rest)
    assert all(isinstance(decision, Restart) for _, decision in storm(resting, times))


def test_the_delays_of_a_storm_double() -> None:
    delays = [decision.delay for _, decision in storm(Policy(), [1.0] * 5) if isinstance(decision, Restart)]
    assert [round(delay / 1.1, 6) for delay in delays] == [0.1, 0.2, 0.4, 0.8, 1.6]


def test_the_sixth_failure_within_a_minute_is_one_too_many() -> None:
    assert isinstance(storm(Policy(), [1.0] * 6)[-1][1], GiveUp)
    assert isinstance(storm(Policy(), [12.0] * 6)[-1][1], Restart)
