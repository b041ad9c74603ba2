"""When something happens again, in words."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from uuid import UUID, uuid4

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docalign_actors.watch.errors import BadScheduleError
from docalign_actors.watch.recurrence import (
    LEAST_SECONDS,
    MOST_SECONDS,
    Every,
    Monthly,
    Never,
    OnDays,
    Recurrence,
    jitter,
    next_time,
    parse,
    period,
    phase_of,
    words,
)

UNHURRIED = settings(deadline=None, max_examples=60)
MINUTES = st.integers(0, 24 * 60 - 1)
DAYS = st.one_of(st.just(tuple(range(7))), st.just(tuple(range(5))), st.integers(0, 6).map(lambda d: (d,)))
RULES: st.SearchStrategy[Recurrence] = st.one_of(
    st.just(Never()),
    st.builds(Every, st.integers(LEAST_SECONDS, MOST_SECONDS)),
    st.builds(OnDays, DAYS, MINUTES),
    st.builds(Monthly, st.integers(1, 28), MINUTES),
)
TIMED = RULES.filter(lambda rule: rule != Never())
INSTANTS = st.datetimes(datetime(1990, 1, 1), datetime(2090, 1, 1), timezones=st.just(UTC))
PHASES = st.floats(0, 1, exclude_max=True)
NOON = datetime(2026, 3, 11, 12, tzinfo=UTC)  # a Wednesday


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("never", Never()),
        ("every 10 minutes", Every(600)),
        ("Every  5m", Every(300)),
        ("every hour", Every(3600)),
        ("hourly", Every(3600)),
        ("every 90 s", Every(90)),
        ("every week", Every(604_800)),
        ("daily at 03:00", OnDays(tuple(range(7)), 180)),
        ("daily", OnDays(tuple(range(7)), 0)),
        ("weekdays at 6:15", OnDays(tuple(range(5)), 375)),
        ("weekly on sunday at 04:30", OnDays((6,), 270)),
        ("weekly on Sun at 04:30", OnDays((6,), 270)),
        ("monthly on day 3 at 23:59", Monthly(3, 1439)),
        ("every sunday at 04:30", OnDays((6,), 270)),
        ("every mon", OnDays((0,), 0)),
        ("every day at 3:00 UTC", OnDays(tuple(range(7)), 180)),
        ("every weekday at 06:15", OnDays(tuple(range(5)), 375)),
        ("every month on day 3 at 23:59", Monthly(3, 1439)),
    ],
)
def test_words_say_when(text: str, rule: Recurrence) -> None:
    assert parse(text) == rule


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "1 to 100 characters"),
        ("x" * 101, "1 to 100 characters"),
        ("sometimes", "`sometimes` does not say when"),
        ("every 10 moons", "`moons` is no unit"),
        ("every month", "`month` is no unit"),
        ("every sundae at 4:30", "`sundae` is no day of the week"),
        ("*/10 * * * *", "does not say when"),
        ("every 3 seconds", "from 10 seconds to 366 days"),
        ("every 900 weeks", "from 10 seconds to 366 days"),
        ("daily at 24:00", "24:00 is no time of day"),
        ("weekly on caturday at 04:30", "`caturday` is no day of the week"),
        ("weekly on su at 04:30", "`su` is no day of the week"),
        ("monthly on day 31 at 00:00", "1 to 28"),
        ("every \x1b[31m`", "`every ?[31m?` does not say when"),
    ],
)
def test_what_says_nothing_is_refused_and_the_error_says_why(text: str, said: str) -> None:
    with pytest.raises(BadScheduleError, match=r"(?s)") as refused:
        parse(text)
    assert said in str(refused.value)
    assert "never" in refused.value.hint


@UNHURRIED
@given(st.text(max_size=120))
def test_any_text_is_a_rule_or_a_clear_error(text: str) -> None:
    with suppress(BadScheduleError):
        rule = parse(text)
        assert parse(words(rule)) == rule
        return
    with pytest.raises(BadScheduleError) as refused:
        parse(text)
    assert str(refused.value).isprintable()


@UNHURRIED
@given(RULES)
def test_a_rule_in_words_is_the_same_rule(rule: Recurrence) -> None:
    assert parse(words(rule)) == rule


@UNHURRIED
@given(TIMED, INSTANTS, PHASES)
def test_the_next_time_is_later_and_not_later_than_a_period(rule: Recurrence, after: datetime, phase: float) -> None:
    found = next_time(rule, after, phase)
    assert found is not None
    assert after < found <= after + timedelta(seconds=period(rule))


@UNHURRIED
@given(TIMED, INSTANTS, PHASES)
def test_no_time_lies_between_one_and_the_next(rule: Recurrence, after: datetime, phase: float) -> None:
    first = next_time(rule, after, phase)
    assert first is not None
    between = after + (first - after) / 2
    assert next_time(rule, between, phase) == first
    second = next_time(rule, first, phase)
    assert second is not None
    assert second > first


@UNHURRIED
@given(st.one_of(st.builds(OnDays, DAYS, MINUTES), st.builds(Monthly, st.integers(1, 28), MINUTES)), INSTANTS, PHASES)
def test_a_time_of_day_is_moved_back_by_the_jitter_at_the_most(
    rule: OnDays | Monthly, after: datetime, phase: float
) -> None:
    found = next_time(rule, after, phase)
    assert found is not None
    unmoved = found - timedelta(seconds=phase * jitter(rule))
    assert abs(unmoved - unmoved.replace(hour=rule.minute // 60, minute=rule.minute % 60, second=0, microsecond=0)) < (
        timedelta(milliseconds=1)
    )
    assert jitter(rule) <= 900


def test_an_interval_does_not_drift() -> None:
    at = NOON
    found = [at := next_time(Every(300), at, 0.25) or at for _ in range(1000)]
    assert {later - earlier for earlier, later in pairwise(found)} == {timedelta(seconds=300)}


def test_ten_thousand_repositories_with_one_interval_are_spread_over_it() -> None:
    phases = [phase_of(uuid4()) for _ in range(10_000)]
    times = [next_time(Every(300), NOON, phase) for phase in phases]
    in_each = [0] * 30
    for at in times:
        assert at is not None
        in_each[int((at - NOON).total_seconds() // 10) % 30] += 1
    assert max(in_each) < 2 * 10_000 / 30


def test_a_phase_is_the_repository_s_own() -> None:
    assert phase_of(UUID(int=0)) == 0
    assert phase_of(UUID(int=2**128 - 1)) < 1
    repo = uuid4()
    assert phase_of(repo) == phase_of(UUID(str(repo)))


def test_examples_of_times() -> None:
    assert next_time(parse("daily at 03:00"), NOON, 0) == datetime(2026, 3, 12, 3, tzinfo=UTC)
    assert next_time(parse("weekly on sunday at 04:30"), NOON, 0) == datetime(2026, 3, 15, 4, 30, tzinfo=UTC)
    assert next_time(parse("weekdays at 11:00"), datetime(2026, 3, 13, 12, tzinfo=UTC), 0) == datetime(
        2026, 3, 16, 11, tzinfo=UTC
    )
    assert next_time(parse("monthly on day 1 at 00:00"), NOON, 0) == datetime(2026, 4, 1, tzinfo=UTC)
    assert next_time(Never(), NOON, 0) is None
