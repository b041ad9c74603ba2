from __future__ import annotations

import threading
from datetime import UTC, timedelta

from hypothesis import given
from hypothesis import strategies as st

from docalign_actors.clock import SystemClock
from docalign_actors.ids import _Sequence, new_id, new_trace, uuid7


@given(st.integers(0, 2**48 - 1), st.integers(0, 4095), st.integers(0, 2**62 - 1))
def test_an_id_is_a_uuid_of_version_7_made_of_its_parts(milliseconds: int, counter: int, bits: int) -> None:
    made = uuid7(milliseconds, counter, bits)
    assert made.version == 7
    assert made.variant == "specified in RFC 4122"
    assert made.int >> 80 == milliseconds


@given(st.lists(st.integers(0, 10), min_size=2, max_size=200))
def test_the_sequence_grows_even_when_the_clock_is_set_back(times: list[int]) -> None:
    sequence = _Sequence()
    made = [sequence.next(time) for time in times]
    assert made == sorted(set(made))


def test_the_sequence_runs_into_the_next_millisecond_when_one_is_full() -> None:
    sequence = _Sequence()
    made = [sequence.next(5) for _ in range(5_000)]
    assert made == sorted(set(made))
    assert made[4096] == (6, 0)


def test_ids_of_many_threads_are_all_different_and_ordered_in_each() -> None:
    made: list[list[object]] = [[] for _ in range(4)]

    def make(into: list[object]) -> None:
        into.extend(new_id() for _ in range(500))

    threads = [threading.Thread(target=make, args=(into,)) for into in made]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert len({each for into in made for each in into}) == 2_000
    assert all(into == sorted(into) for into in made)  # type: ignore[type-var]


def test_a_trace_id_has_32_hexadecimal_digits_and_is_new() -> None:
    assert len({new_trace() for _ in range(100)}) == 100
    assert len(new_trace()) == 32
    int(new_trace(), 16)


def test_the_clock_tells_utc_and_never_goes_back() -> None:
    clock = SystemClock()
    assert clock.now().tzinfo is UTC
    assert clock.now().utcoffset() == timedelta(0)
    assert clock.monotonic() <= clock.monotonic()
