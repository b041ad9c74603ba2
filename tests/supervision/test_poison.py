from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from docalign_actors.supervision.poison import MEMORY, Poison


def test_the_fifth_failure_quarantines_a_message_and_no_other() -> None:
    poison = Poison()
    assert [poison.failed("bad", 0.0) for _ in range(5)] == [1, 2, 3, 4, 5]
    assert poison.is_last(5)
    assert poison.quarantined("bad", 1.0)
    assert not poison.quarantined("good", 1.0)


def test_a_message_that_was_handled_starts_to_count_anew() -> None:
    poison = Poison()
    for _ in range(4):
        poison.failed("bad", 0.0)
    poison.handled("bad")
    assert len(poison) == 0
    assert poison.failed("bad", 0.0) == 1


def test_after_a_while_a_quarantined_message_gets_a_new_chance() -> None:
    poison = Poison()
    for now in range(5):
        poison.failed("bad", float(now))
    assert poison.quarantined("bad", 4 + MEMORY - 1)
    assert not poison.quarantined("bad", 4 + MEMORY)
    assert poison.failed("bad", 5 + MEMORY) == 1


@given(st.lists(st.tuples(st.sampled_from("abc"), st.floats(0, 400)), max_size=60))
def test_a_message_is_quarantined_while_five_failures_are_remembered(steps: list[tuple[str, float]]) -> None:
    poison, now = Poison(), 0.0
    last: dict[str, tuple[int, float]] = {}
    for key, gap in steps:
        now += gap
        times, at = last.get(key, (0, now))
        expected = 1 if now - at >= MEMORY else times + 1
        assert poison.failed(key, now) == expected
        last[key] = (expected, now)
        assert poison.quarantined(key, now) == (expected >= 5)


def test_only_so_many_messages_are_remembered() -> None:
    poison = Poison()
    for number in range(5_000):
        poison.failed(str(number), 0.0)
    assert len(poison) == 1_000
