"""A repository's health: how much of what its documentation says, and code can decide, is true."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct


class HealthPoint(Struct, frozen=True):
    """The health after one scan of the default branch."""

    at: str
    score: int | None
    total: int
    verified: int
    drifted: int


def score(verified: int, drifted: int) -> int | None:
    """0 to 100, None where nothing could be decided. Claims nobody can decide count neither way.

    Rounded down, so that 100 means that nothing at all is known to be false.
    """
    decided = verified + drifted
    return verified * 100 // decided if decided else None


def trend(points: Sequence[HealthPoint]) -> str:
    """improving, declining or steady, by the last two scans that decided anything; newest first."""
    scores = [p.score for p in points if p.score is not None][:2]
    if len(scores) < 2 or scores[0] == scores[1]:
        return "steady"
    return "improving" if scores[0] > scores[1] else "declining"
