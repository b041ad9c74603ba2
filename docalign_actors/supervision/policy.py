"""When a failed actor is started again, and when the supervisor gives up. Pure: time and chance are passed in.

- The delay doubles with each failure in a row, between `backoff_min` and `backoff_max`, with up to a fifth of jitter on top,
  so that actors that failed together do not come back together.
- An incarnation that ran for at least `backoff_max` seconds was healthy: the next delay is the shortest again.
- More than `intensity` failures within `period` seconds are a storm: restarting does not help.
"""

import msgspec

JITTER = 0.2


class Policy(msgspec.Struct, frozen=True):
    """How an actor is looked after."""

    backoff_min: float = 0.1
    backoff_max: float = 10.0
    intensity: int = 5
    """As many failures within `period` are answered by a restart."""
    period: float = 60.0
    handler_deadline: float = 60.0
    """Seconds a handler may take before its incarnation is given up."""
    mailbox: int = 10_000
    """As many messages may wait; further ones are refused."""
    rest: float = 0.0
    """If above 0, a storm ends in a pause of so many seconds instead of an escalation: for actors, such as the members
    of a family, that must not take the whole service down with them."""


class History(msgspec.Struct, frozen=True):
    """The failures of one actor, over all its incarnations."""

    in_a_row: int = 0
    recent: tuple[float, ...] = ()


class Restart(msgspec.Struct, frozen=True):
    """Start it again after the delay."""

    delay: float


class GiveUp(msgspec.Struct, frozen=True):
    """Do not start it again."""

    reason: str


def backoff(policy: Policy, in_a_row: int, chance: float) -> float:
    """Seconds to wait after the n-th failure in a row; `chance` is in 0..1."""
    doublings = min(max(in_a_row - 1, 0), 60)
    return min(policy.backoff_max, policy.backoff_min * 2.0**doublings) * (1 + JITTER * chance)


def after_failure(
    policy: Policy, history: History, *, now: float, up_for: float, chance: float
) -> tuple[History, Restart | GiveUp]:
    """What to do about a failure at `now` of an incarnation that had been up for `up_for` seconds."""
    recent = (*(at for at in history.recent if now - at < policy.period), now)
    if len(recent) > policy.intensity:
        if policy.rest > 0:
            return History(), Restart(policy.rest * (1 + JITTER * chance))
        return History(recent=recent), GiveUp(f"it failed {len(recent)} times within {policy.period:g} s")
    in_a_row = 1 if up_for >= policy.backoff_max else history.in_a_row + 1
    return History(in_a_row, recent), Restart(backoff(policy, in_a_row, chance))
