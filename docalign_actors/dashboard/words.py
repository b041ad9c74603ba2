"""How things are put: numbers, ages, lengths of time, and the words for statuses. Time is passed in."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from docalign_actors.dashboard.html import Markup, h
from docalign_actors.reporting.style import plural
from docalign_actors.scans import stages

MINUS: Final = "–"
"""Stands where there is nothing to say."""

STATUS_TONES: Final = {
    "queued": "quiet", "running": "busy", "completed": "good", "partial": "warn", "failed": "bad", "cancelled": "quiet",
    "registered": "quiet", "active": "good", "failing": "bad",
}  # fmt: skip

STATE_TONES: Final = {
    "running": "good", "idle": "good", "busy": "busy", "starting": "busy", "restarting": "warn", "stopping": "quiet",
    "stopped": "quiet", "fenced": "bad", "failed": "bad",
}  # fmt: skip

SEVERITY_TONES: Final = {"high": "bad", "medium": "warn", "low": "busy"}

STAGE_WORDS: Final = {
    stages.FETCH: "brings the commits here",
    stages.EXTRACTION: "reads the documents",
    stages.INDEX: "reads the code",
    stages.VERIFICATION: "judges the claims",
    stages.AGENTS: "waits for agents to say what code cannot",
    stages.MERGE: "orders and stores what was found",
    stages.REPORTING: "reports",
}


def length(seconds: float) -> str:
    """A length of time in two units at the most."""
    if seconds < 0.9995:
        return f"{max(seconds, 0) * 1000:.0f} ms"
    if seconds < 59.95:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    for size, unit, below, under in ((60, "min", 1, "s"), (3600, "h", 60, "min"), (86400, "d", 3600, "h")):
        if whole < size * (60 if size < 3600 else 48) or size == 86400:
            rest = whole % size // below
            return f"{whole // size:,} {unit} {rest} {under}" if rest else f"{whole // size:,} {unit}"
    raise AssertionError(seconds)


def ago(at: datetime, now: datetime) -> str:
    """An age in one unit, rounded down."""
    seconds = (now - at).total_seconds()
    if seconds < 10:
        return "just now"
    for size, unit in ((86400, "day"), (3600, "hour"), (60, "minute")):
        if seconds >= size:
            return f"{plural(int(seconds // size), unit)} ago"
    return f"{int(seconds)} seconds ago"


def instant(at: datetime) -> str:
    """A time of day with its date, in UTC."""
    return f"{at.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC"


def when(at: datetime | None, now: datetime) -> Markup:
    """An age that gives the exact time to whoever points at it, and to machines."""
    if at is None:
        return h("span", MINUS, class_="soft")
    return h("time", ago(at, now), datetime=at.astimezone(UTC).isoformat(timespec="seconds"), title=instant(at))


def short(sha: str) -> str:
    """The first of a commit's digits; a name that is no commit stays as it is."""
    return sha[:10] if len(sha) >= 40 and all(c in "0123456789abcdef" for c in sha) else sha
