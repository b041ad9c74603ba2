from __future__ import annotations

from typing import Any

import msgspec

from docalign_actors.telemetry import EventStream
from docalign_actors.telemetry.events import ActorFailed, Escalated, Event, MessageHandled


class Custom(msgspec.Struct, frozen=True, tag="custom"):
    number: int


def test_every_subscriber_gets_every_event_in_order() -> None:
    stream, first, second = EventStream(), [], []
    stream.subscribe(first.append)
    stream.subscribe(second.append)
    for number in range(3):
        stream.publish(Custom(number))
    assert first == second == [Custom(0), Custom(1), Custom(2)]


def test_a_subscriber_can_choose_kinds_and_can_leave() -> None:
    stream, chosen = EventStream(), []
    unsubscribe = stream.subscribe(chosen.append, Escalated)
    stream.publish(Custom(1))
    stream.publish(Escalated("actor", "why"))
    unsubscribe()
    unsubscribe()
    stream.publish(Escalated("actor", "again"))
    assert chosen == [Escalated("actor", "why")]


def test_a_subscriber_that_fails_harms_neither_the_publisher_nor_the_others() -> None:
    stream, heard = EventStream(), []

    def broken(event: Any) -> None:
        raise ValueError("broken")

    stream.subscribe(broken)
    stream.subscribe(heard.append)
    stream.publish(Custom(1))
    assert heard == [Custom(1)]
    assert stream.errors == 1


def test_the_last_events_are_kept_but_not_those_that_come_with_every_message() -> None:
    stream = EventStream(keep=3)
    for number in range(5):
        stream.publish(Custom(number))
        stream.publish(MessageHandled("actor", "Kind", 0.1))
    assert [recorded.event for recorded in stream.recent()] == [Custom(2), Custom(3), Custom(4)]
    assert [recorded.number for recorded in stream.recent(after=4)] == [5]


def test_a_subscriber_may_publish_and_subscribe_itself() -> None:
    stream, heard = EventStream(), []

    def react(event: Any) -> None:
        if event.number == 0:
            stream.subscribe(heard.append)
            stream.publish(Custom(1))

    stream.subscribe(react)
    stream.publish(Custom(0))
    assert heard == [Custom(1)]


def test_every_event_has_a_tag_of_its_own_and_survives_encoding() -> None:
    kinds = Event.__subclasses__()
    tags = [kind.__struct_config__.tag for kind in kinds]
    assert len(set(tags)) == len(tags) > 10
    event = ActorFailed("a", "A", "Kind", "ValueError: x", "trace", "stack")
    assert msgspec.json.decode(msgspec.json.encode(event), type=ActorFailed | Escalated) == event
