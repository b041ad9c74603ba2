"""Hands runs back to the queue when the service stops: they run after the next start, and that costs them nothing."""

from __future__ import annotations

from docalign_actors.clock import Clock
from docalign_actors.scans.model import Run, RunId
from docalign_actors.scans.outcomes import Ending, Next, Rules, after
from docalign_actors.scans.ports import ScanStore

HANDED_BACK = Ending("handed back", error="The service stopped; it runs again after the next start.")


def hand_back(store: ScanStore, rules: Rules, clock: Clock) -> int:
    """Hands back what is still said to be running, when no actor is left to do it; gives how many there were.

    A scan's actor does this for its own run. But a run may have begun at the very instant of the stop, before it had an actor.
    """

    def decide(run: Run, successor: RunId | None) -> Next:
        return after(run, HANDED_BACK, rules, clock.now(), 0.0, successor)

    return sum(store.settle(run.id, lease, decide) is not None for run, _, lease in store.running())
