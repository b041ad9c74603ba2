"""When something happens again, in words: `every 10 minutes`, `daily at 03:00`, `weekly on sunday at 04:30`, `never`. Pure; UTC.

Each repository has a phase, from 0 to 1, made of its id. An interval is a grid that begins at the phase, so ten thousand
repositories with the same interval are spread evenly over it, and none drifts. A time of day is moved back by the phase's
share of a tenth of the period, a quarter of an hour at the most.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from uuid import UUID

from msgspec import Struct

from docalign_actors.watch.errors import BadScheduleError

LONGEST = 100
"""Characters of a rule in words."""
LEAST_SECONDS, MOST_SECONDS = 10, 366 * 86_400
JITTER = 0.1
MOST_JITTER = 900.0
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_ALL = tuple(range(7))
_WEEKDAYS = tuple(range(5))
_UNITS = {"second": 1, "minute": 60, "hour": 3_600, "day": 86_400, "week": 604_800}
_SHORT = {"s": "second", "sec": "second", "m": "minute", "min": "minute", "h": "hour", "d": "day", "w": "week"}
_EVERY = re.compile(r"every (?:(?P<number>[0-9]{1,9}) ?)?(?P<unit>[a-z]{1,7})")
_AT = re.compile(
    r"(?:(?P<daily>daily)|(?P<weekdays>weekdays)|weekly on (?P<day>[a-z]{1,9})|monthly on (?:day )?(?P<number>[0-9]{1,2}))"
    r"(?: at (?P<hour>[0-9]{1,2}):(?P<minute>[0-9]{2}))?"
)

_OTHER_WORDS = (
    (re.compile(r" utc$"), ""),
    (re.compile(r"^every day (?=at )"), "daily "),
    (re.compile(r"^every weekday(?= |$)"), "weekdays"),
    (re.compile(r"^every month (?=on )"), "monthly "),
    (re.compile(r"^every (?=(?:mon(?!th)|tue|wed|thu|fri|sat|sun))"), "weekly on "),
)
"""What people write as well, and what they mean by it."""


class Never(Struct, frozen=True):
    """Not by itself."""


class Every(Struct, frozen=True):
    """Again and again after so many seconds."""

    seconds: int


class OnDays(Struct, frozen=True):
    """On these days of the week (0 is Monday), so many minutes after midnight."""

    days: tuple[int, ...]
    minute: int


class Monthly(Struct, frozen=True):
    """On this day of each month, 1 to 28, so many minutes after midnight."""

    day: int
    minute: int


Recurrence = Never | Every | OnDays | Monthly


def parse(text: str) -> Recurrence:
    """What the words mean. Case and spaces do not matter."""
    words = " ".join(text[: LONGEST + 1].lower().split())
    if len(text) > LONGEST or not words:
        raise BadScheduleError(f"A schedule has 1 to {LONGEST} characters.")
    for other, meant in _OTHER_WORDS:
        words = other.sub(meant, words)
    if words == "never":
        return Never()
    if words == "hourly":
        return Every(3_600)
    if found := _EVERY.fullmatch(words):
        return _every(found["number"], found["unit"])
    if found := _AT.fullmatch(words):
        return _at(found)
    raise BadScheduleError(f"`{_shown(words)}` does not say when.")


def words(rule: Recurrence) -> str:
    """The rule in the one form in which it is stored and shown."""
    match rule:
        case Never():
            return "never"
        case Every(seconds=seconds):
            unit, size = next((u, s) for u, s in reversed(_UNITS.items()) if seconds % s == 0)
            number = seconds // size
            return f"every {unit}" if number == 1 else f"every {number} {unit}s"
        case OnDays(days=days, minute=minute) if days == _ALL:
            return f"daily at {_clock(minute)}"
        case OnDays(days=days, minute=minute) if days == _WEEKDAYS:
            return f"weekdays at {_clock(minute)}"
        case OnDays(days=days, minute=minute):
            return f"weekly on {_DAYS[days[0]]} at {_clock(minute)}"
        case Monthly(day=day, minute=minute):
            return f"monthly on day {day} at {_clock(minute)}"


def next_time(rule: Recurrence, after: datetime, phase: float) -> datetime | None:
    """The first time later than `after`; None for never."""
    match rule:
        case Never():
            return None
        case Every(seconds=seconds):
            period = seconds * 1_000_000
            offset = int(phase * period) % period
            past = (after - _EPOCH) // timedelta(microseconds=1) - offset
            return _EPOCH + timedelta(microseconds=offset + (past // period + 1) * period)
        case OnDays() | Monthly():
            lag = timedelta(seconds=phase * jitter(rule))
            # The time of one day, moved back, may still lie ahead when the next day has begun.
            day = (after - timedelta(days=1)).replace(hour=0, minute=0, second=0, microsecond=0)
            while True:
                at = day + timedelta(minutes=rule.minute) + lag
                if at > after and _falls_on(rule, day):
                    return at
                day += timedelta(days=1)


def period(rule: Recurrence) -> float:
    """Seconds between two times, at the most; 0 for never."""
    match rule:
        case Never():
            return 0.0
        case Every(seconds=seconds):
            return float(seconds)
        case OnDays(days=days):
            return 86_400.0 if days == _ALL else 3 * 86_400.0 if days == _WEEKDAYS else 7 * 86_400.0
        case Monthly():
            return 31 * 86_400.0


def jitter(rule: Recurrence) -> float:
    """Seconds over which repositories with the same rule are spread."""
    if isinstance(rule, Every):
        return float(rule.seconds)
    return min(MOST_JITTER, JITTER * period(rule))


def phase_of(repo: UUID) -> float:
    """From 0 to 1, always the same for one repository. The last bits of an id are random; the database uses the same ones."""
    return (repo.int & 0xFFFF_FFFF) / 2**32


def _every(number: str | None, unit: str) -> Every:
    known = _SHORT.get(unit) or unit.removesuffix("s")
    if known not in _UNITS:
        raise BadScheduleError(f"`{_shown(unit)}` is no unit: seconds, minutes, hours, days or weeks are.")
    seconds = int(number or 1) * _UNITS[known]
    if not LEAST_SECONDS <= seconds <= MOST_SECONDS:
        raise BadScheduleError(f"An interval lasts from {LEAST_SECONDS} seconds to {MOST_SECONDS // 86_400} days.")
    return Every(seconds)


def _at(found: re.Match[str]) -> OnDays | Monthly:
    hour, minute = int(found["hour"] or 0), int(found["minute"] or 0)
    if hour > 23 or minute > 59:
        raise BadScheduleError(f"{hour:02}:{minute:02} is no time of day.")
    minutes = hour * 60 + minute
    if found["daily"]:
        return OnDays(_ALL, minutes)
    if found["weekdays"]:
        return OnDays(_WEEKDAYS, minutes)
    if found["number"]:
        day = int(found["number"])
        if not 1 <= day <= 28:
            raise BadScheduleError("A day of the month is 1 to 28, so that every month has it.")
        return Monthly(day, minutes)
    # Three letters are enough for a day of the week.
    matching = [n for n, name in enumerate(_DAYS) if len(found["day"]) >= 3 and name.startswith(found["day"])]
    if not matching:
        raise BadScheduleError(f"`{_shown(found['day'])}` is no day of the week.")
    return OnDays((matching[0],), minutes)


def _falls_on(rule: OnDays | Monthly, day: datetime) -> bool:
    return day.weekday() in rule.days if isinstance(rule, OnDays) else day.day == rule.day


def _clock(minute: int) -> str:
    return f"{minute // 60:02}:{minute % 60:02}"


def _shown(text: str) -> str:
    return "".join(c if c.isprintable() and c != "`" else "?" for c in text[:40])
