"""Letters over real sockets and a real outbox: signed, in order, tried again, given up, sent again."""

from __future__ import annotations

import hashlib
import hmac
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar

import pytest

from docalign_actors.clock import SystemClock
from docalign_actors.ids import new_id
from docalign_actors.outbound.actor import CARRIERS, assemble
from docalign_actors.outbound.messages import Post
from docalign_actors.outbound.model import Letter
from docalign_actors.outbound.ports import Arrival, Sender
from docalign_actors.outbound.sending import HttpSender
from docalign_actors.persistence.database import Database
from docalign_actors.persistence.outbox import PostgresOutbox, put_letters
from docalign_actors.supervision.system import ActorSystem
from docalign_actors.telemetry.stream import EventStream
from tests.outbound.receiver import Receiver
from tests.support.clock import ManualClock
from tests.support.outbox import pass_time
from tests.support.waiting import until

T = TypeVar("T")
SECRET = "s3cret"
NOW = datetime(2030, 1, 1, tzinfo=UTC)


def letter(url: str, body: str = "{}") -> Letter:
    return Letter(new_id(), f"|{url}", "", "test", url, body, datetime.now(UTC))


class Postman:
    """The outbound actor, with a clock that is moved from one attempt to the next."""

    def __init__(self, database: Database, sender: Sender | None, attempts: int) -> None:
        self.database = database
        self.clock = ManualClock(datetime.now(UTC))
        self.system = ActorSystem(EventStream(), clock=SystemClock(), escalate=lambda name, why: None)
        self.clock.on_advance(self.post)
        sender = sender or HttpSender(SECRET, allow_private=True, seconds=60.0)
        assemble(self.system, PostgresOutbox(database), sender, self.clock, attempts=attempts)

    def post(self) -> None:
        self.system.tell("outbound", Post())

    def put(self, *letters: Letter) -> None:
        put(self.database, *letters)
        self.post()

    def until(self, happened: Callable[[], T]) -> T:
        """Lets time pass until this has happened."""

        def look() -> T | None:
            return happened() or pass_time(self.database, self.clock)

        found = until(look)
        assert found is not None
        return found

    def ended(self, count: int) -> list[tuple[Any, ...]]:
        """All letters, when so many have ended."""
        found = [("waiting", 0, "")]

        def look() -> bool:
            found[:] = states(self.database)
            return sum(status != "waiting" for status, _, _ in found) >= count

        self.until(look)
        return found


@contextmanager
def postman(database: Database, sender: Sender | None = None, attempts: int = 3) -> Iterator[Postman]:
    made = Postman(database, sender, attempts)
    try:
        yield made
    finally:
        made.system.stop(5.0)


def put(database: Database, *letters: Letter) -> None:
    """Due for whoever looks now or later."""
    with database.transaction() as connection:
        put_letters(connection, letters, letters[0].created_at - timedelta(hours=1))


def states(database: Database) -> list[tuple[Any, ...]]:
    with database.transaction() as connection:
        return connection.execute("SELECT status, attempts, last_error FROM outbox ORDER BY position").fetchall()


def test_a_letter_is_signed_over_its_time_and_its_body() -> None:
    with Receiver() as receiver:
        sent = letter(receiver.url, '{"a": "ü"}')
        assert HttpSender(SECRET, allow_private=True).send(sent, NOW).error == ""
        headers, body = receiver.got[0]
    assert body == '{"a": "ü"}'.encode()
    assert headers["x-codeq-timestamp"] == str(int(NOW.timestamp()))
    expected = hmac.new(SECRET.encode(), f"{int(NOW.timestamp())}.".encode() + body, hashlib.sha256).hexdigest()
    assert headers["x-codeq-signature"] == expected
    assert headers["x-codeq-delivery"] == str(sent.id)


def test_a_letter_to_this_machine_is_refused_and_not_tried_again() -> None:
    with Receiver() as receiver:
        arrival = HttpSender("").send(letter(receiver.url), NOW)
        assert receiver.got == []
    assert arrival.hopeless
    assert arrival.error == "refused: 127.0.0.1 leads to 127.0.0.1, which is no public address"


def test_a_redirect_is_not_followed() -> None:
    with Receiver(lambda _: 302) as receiver:
        arrival = HttpSender("", allow_private=True).send(letter(receiver.url), NOW)
    assert (arrival.error, len(receiver.got)) == ("answered 302; redirects are not followed", 1)


@pytest.mark.parametrize(
    "answer", [b"", b"HTTP/1.1 200 OK\r\nX: ", b"nonsense\r\n\r\n", b"HTTP/1.1 200 OK\r\nX: " + b"x" * 100_000]
)
def test_a_strange_server_costs_a_bounded_time_and_size(answer: bytes) -> None:
    listening = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        connection, _ = listening.accept()
        with connection:
            try:
                connection.recv(65_536)
                connection.sendall(answer)
                stop.wait(5)
            except OSError:
                pass

    stop = threading.Event()
    thread = threading.Thread(target=serve)
    thread.start()
    url = f"http://127.0.0.1:{listening.getsockname()[1]}/"
    arrival = HttpSender("", allow_private=True, seconds=0.3).send(letter(url), NOW)
    stop.set()
    thread.join(10)
    listening.close()
    assert arrival.error


def test_letters_to_one_address_arrive_in_order_also_when_some_fail(database: Database) -> None:
    with Receiver(lambda number: 500 if number in (1, 3) else 200) as receiver:
        put(database, *(letter(receiver.url, str(n)) for n in range(4)))
        with postman(database) as office:
            found = office.ended(4)
        bodies = [body for _, body in receiver.got]
    assert bodies == [b"0", b"0", b"1", b"1", b"2", b"3"]
    assert [(status, attempts) for status, attempts, _ in found] == [("delivered", n) for n in (2, 2, 1, 1)]


def test_one_address_that_fails_holds_no_other_up(database: Database) -> None:
    with Receiver(lambda _: 500) as broken, Receiver() as fine:
        put(database, letter(broken.url, "1"), letter(fine.url, "2"))
        with postman(database, attempts=1_000) as office:
            office.until(lambda: len(broken.got) > 3)
            fine.wait_for(1)


def test_a_letter_is_given_up_shown_and_can_be_sent_again(database: Database) -> None:
    outbox = PostgresOutbox(database)
    with Receiver(lambda number: 500 if number <= 3 else 200) as receiver:
        sent = letter(receiver.url)
        put(database, sent)
        with postman(database, attempts=3) as office:
            assert office.ended(1) == [("dead", 3, "answered 500")]
            assert [one.id for one in outbox.dead_letters("", 10)] == [sent.id]
            assert not outbox.replay("another tenant", sent.id, office.clock.now())
            assert outbox.replay("", sent.id, office.clock.now())
            office.post()
            receiver.wait_for(4)
            assert office.ended(1)[0][:2] == ("delivered", 1)


def test_what_was_not_sent_is_sent_after_a_restart(database: Database) -> None:
    with Receiver(lambda number: 503 if number == 1 else 200) as receiver:
        put(database, letter(receiver.url, "1"), letter(receiver.url, "2"))
        with postman(database):
            receiver.wait_for(1)
        with postman(database) as office:
            office.ended(2)
        assert [body for _, body in receiver.got][-1] == b"2"
        assert {body for _, body in receiver.got} == {b"1", b"2"}


def test_old_letters_are_forgotten(database: Database) -> None:
    with Receiver() as receiver:
        put(database, letter(receiver.url))
        with postman(database) as office:
            office.ended(1)
    outbox = PostgresOutbox(database)
    assert outbox.forget(datetime(2000, 1, 1, tzinfo=UTC), 10) == 0
    assert outbox.forget(datetime(2100, 1, 1, tzinfo=UTC), 10) == 1


class Hanging:
    """Fails at once the first time, and from then on never comes back; a good letter arrives."""

    def __init__(self) -> None:
        self.release = threading.Event()
        self.hanging = threading.Semaphore(0)
        self.arrived = threading.Event()

    def send(self, letter: Letter, now: datetime) -> Arrival:
        if letter.body == "good":
            self.arrived.set()
            return Arrival()
        if letter.attempts:
            self.hanging.release()
            self.release.wait(100)
        return Arrival("no answer")


def test_however_many_hang_whoever_answers_is_served(database: Database) -> None:
    """Lanes that have failed have carriers of their own: more of them than there are carriers in all hold nobody up."""
    sender = Hanging()
    bad = [letter(f"http://bad-{n}.example.org/") for n in range(sum(CARRIERS.values()) + 8)]
    put(database, *bad)
    try:
        with postman(database, sender, attempts=1_000) as office:
            until(lambda: all(attempts for _, attempts, _ in states(database)))
            office.clock.advance(10)
            for _ in range(CARRIERS[True]):
                assert sender.hanging.acquire(timeout=60)
            office.put(letter("http://good.example.org/", "good"))
            assert sender.arrived.wait(60)
            assert not sender.hanging.acquire(blocking=False)
            sender.release.set()
    finally:
        sender.release.set()


def test_a_lane_that_is_held_sends_nothing_and_what_was_given_up_there_is_kept(database: Database) -> None:
    with Receiver(lambda _: 500) as receiver:
        put(database, letter(receiver.url))
        with postman(database, attempts=1) as office:
            office.ended(1)
            with database.transaction() as connection:
                connection.execute("UPDATE outbox_lanes SET held = true")
            put(database, letter(receiver.url, "2"))
            office.put(Letter(new_id(), "other", "", "test", receiver.url, "3", office.clock.now()))
            assert receiver.wait_for(2)[-1][1] == b"3"
            office.ended(2)
    outbox = PostgresOutbox(database)
    assert outbox.next_due([], failing=True) is None
    assert outbox.forget(datetime(2100, 1, 1, tzinfo=UTC), 10) == 1
    assert [status for status, _, _ in states(database)] == ["dead", "waiting"]
