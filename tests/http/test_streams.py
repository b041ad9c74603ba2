"""Live streams, over a real socket: the test client of the framework cannot read an answer that does not end."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, cast
from uuid import UUID, uuid4

import httpx2
import msgspec
import pytest

from docalign_actors.errors import DatabaseError
from docalign_actors.http.edge import is_loopback
from docalign_actors.http.errors import CannotListenError, NotPublicError
from docalign_actors.http.hub import Hub, Watcher
from docalign_actors.http.services import HttpSettings
from docalign_actors.http.serving import Serving
from docalign_actors.persistence.database import Database
from docalign_actors.persistence.tokens import Role
from docalign_actors.scans.events import RepoChanged, ScanMoved
from docalign_actors.scans.model import RepoId, RunId
from docalign_actors.supervision.policy import Policy
from docalign_actors.telemetry.events import ActorFailed, ActorStarted
from docalign_actors.telemetry.stream import EventStream
from tests.http.house import House, Listener

Frame = tuple[str, Any, str]


class Reader:
    """Reads one stream, frame by frame."""

    def __init__(self, response: httpx2.Response) -> None:
        self.response = response
        self.lines = response.iter_lines()

    def next(self) -> Frame | None:
        """(event, data, id), or None at the end of the stream."""
        found: dict[str, str] = {}
        for line in self.lines:
            if line and not line.startswith(":"):
                name, _, value = line.partition(": ")
                found[name] = value
            elif "event" in found:
                return found["event"], msgspec.json.decode(found["data"]), found.get("id", "")
            else:
                found = {}
        return None

    def rest(self) -> list[Frame]:
        found = []
        while (one := self.next()) is not None:
            found.append(one)
        return found


class Served:
    """The application on a real socket, in a thread of its own."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.server = Serving(house.app, house.services)
        self.address = self.server.bind()
        self.thread = threading.Thread(target=lambda: asyncio.run(self.server.serve()))
        self.client = httpx2.Client(base_url=self.address, timeout=10, headers=house.bearer(Role.VIEWER))

    @contextmanager
    def follow(self, path: str, **headers: str) -> Iterator[Reader]:
        with self.client.stream("GET", path, headers=headers) as response:
            yield Reader(response)

    def stop(self) -> float:
        """Seconds that it took."""
        began = time.monotonic()
        self.server.stop()
        self.thread.join(10)
        assert not self.thread.is_alive()
        return time.monotonic() - began


@pytest.fixture
def served(database: Database) -> Iterator[Served]:
    with serving(database, HttpSettings(port=0, keep_alive=0.2, streams=3, send_seconds=0.5)) as running:
        yield running


@contextmanager
def serving(database: Database, settings: HttpSettings) -> Iterator[Served]:
    house = House(database, settings)
    house.system.family("repo", lambda key: Listener(), Policy())
    running = Served(house)
    running.thread.start()
    wait_until(lambda: running.server.started)
    yield running
    running.stop()
    running.client.close()
    house.system.stop(5.0)


def wait_until(true: Any, seconds: float = 10.0) -> None:
    until = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < until, "it did not come true"
        threading.Event().wait(0.005)


def a_scan(served: Served) -> tuple[RepoId, RunId]:
    house, operator = served.house, served.house.bearer(Role.OPERATOR)
    repo = served.client.post("/api/repos", json={"url": "https://github.com/a/b"}, headers=operator).json()["id"]
    answer = served.client.post(f"/api/repos/{repo}/scans", json={"type": "full"}, headers=operator)
    run = RunId(msgspec.convert(answer.json()["scan_run_id"], type=UUID))
    house.start(run)
    return RepoId(msgspec.convert(repo, type=UUID)), run


def move(served: Served, repo: RepoId, run: RunId, seq: int, stage: str) -> None:
    served.house.store.append_event(run, seq, "stage", {"stage": stage}, stage)
    served.house.events.publish(ScanMoved(run, repo, seq, "stage", "running", stage))


def test_a_scan_is_followed_from_its_first_step_to_its_end(served: Served) -> None:
    repo, run = a_scan(served)
    move(served, repo, run, 1, "fetch")
    with served.follow(f"/api/scans/{run}/events") as reader:
        assert reader.response.headers["content-type"].startswith("text/event-stream")
        assert reader.next() == ("stage", {"stage": "fetch"}, "1")
        move(served, repo, run, 2, "index")
        assert reader.next() == ("stage", {"stage": "index"}, "2")
        end(served, repo, run)
        kind, data, seq = reader.next() or ("", {}, "")
        assert (kind, data["status"], seq) == ("end", "cancelled", "3")
        assert reader.next() is None


def end(served: Served, repo: RepoId, run: RunId, tell: bool = True) -> None:
    served.house.execute(
        "UPDATE scan_runs SET status = 'cancelled', completed_at = now(), lease = NULL, permit = NULL WHERE id = %(run)s",
        run=run,
    )
    if tell:
        served.house.events.publish(ScanMoved(run, repo, 0, "end", "cancelled"))


def test_a_client_goes_on_where_it_left_off(served: Served) -> None:
    repo, run = a_scan(served)
    for seq in range(1, 5):
        move(served, repo, run, seq, f"s{seq}")
    end(served, repo, run)
    with served.follow(f"/api/scans/{run}/events", **{"Last-Event-ID": "3"}) as reader:
        assert [(kind, seq) for kind, _, seq in reader.rest()] == [("stage", "4"), ("end", "5")]


def test_a_client_that_has_seen_the_end_is_told_not_to_come_again(served: Served) -> None:
    repo, run = a_scan(served)
    end(served, repo, run)
    answer = served.client.get(f"/api/scans/{run}/events", headers={"Last-Event-ID": "1"})
    assert (answer.status_code, answer.content) == (204, b"")


@pytest.mark.parametrize("given", ["-1", "x", "1e3", "9" * 500, "٣"])
def test_a_last_event_that_makes_no_sense_does_no_harm(served: Served, given: str) -> None:
    repo, run = a_scan(served)
    end(served, repo, run)
    answer = served.client.get(f"/api/scans/{run}/events", headers={"Last-Event-ID": given.encode()})
    assert answer.status_code in (200, 204)


def test_an_end_that_nobody_announced_is_found_all_the_same(served: Served) -> None:
    repo, run = a_scan(served)
    with served.follow(f"/api/scans/{run}/events") as reader:
        end(served, repo, run, tell=False)
        assert [kind for kind, _, _ in reader.rest()] == ["end"]


def test_a_silent_stream_says_that_it_is_still_there(served: Served) -> None:
    with served.follow("/api/events") as reader:
        reader.next()
        assert next(line for line in reader.lines if line.startswith(":")) == ": still here"


def test_a_scan_whose_steps_were_swept_away_ends_too(served: Served) -> None:
    repo, run = a_scan(served)
    end(served, repo, run)
    served.house.execute("DELETE FROM scan_events")
    with served.follow(f"/api/scans/{run}/events") as reader:
        assert reader.rest() == [("end", {"status": "cancelled"}, "")]


def test_the_live_page_hears_of_scans_repositories_actors_and_incidents(served: Served) -> None:
    repo, run = RepoId(uuid4()), RunId(uuid4())
    with served.follow("/api/events") as reader:
        assert reader.next() == ("hello", {}, "")
        served.house.events.publish(ScanMoved(run, repo, 4, "progress", "running", "index", 3, 9))
        kind, data, _ = reader.next() or ("", {}, "")
        assert (kind, data["run_id"], data["done"], data["total"]) == ("scan", str(run), 3, 9)
        served.house.events.publish(RepoChanged(repo))
        assert reader.next() == ("repo", {"repo_id": str(repo)}, "")
        served.house.events.publish(ActorStarted("pool", "Pool", 0))
        assert reader.next() == ("actors", {}, "")
        served.house.events.publish(ActorFailed("pool", "Pool", "x", "it broke", "", "the stack"))
        kind, data, _ = reader.next() or ("", {}, "")
        assert (kind, data) == ("incident", {"actor": "pool", "kind": "actor.failed", "error": "it broke"})


def test_the_tree_of_actors_is_announced_at_most_once_a_second_and_its_last_move_is_not_lost() -> None:
    class Loop:
        def __init__(self) -> None:
            self.later: list[Callable[[], None]] = []

        def call_soon_threadsafe(self, work: Callable[[], None]) -> None:
            work()

        def call_later(self, seconds: float, work: Callable[[], None]) -> None:
            assert seconds == 1.0
            self.later.append(work)

    loop, stream = Loop(), EventStream()
    hub = Hub(stream, 1, loop=cast(asyncio.AbstractEventLoop, loop))
    with hub.running(), hub.watch() as watcher:
        for n in range(50):
            stream.publish(ActorStarted(f"a{n}", "Pool", 0))
        assert watcher.take() == [("actors", {})]
        loop.later.pop()()
        assert watcher.take() == [("actors", {})]
        loop.later.pop()()
        assert watcher.take() == []
        stream.publish(ActorStarted("a", "Pool", 0))
        assert watcher.take() == [("actors", {})]


def test_a_stream_needs_a_token(served: Served) -> None:
    for path in ("/api/events", f"/api/scans/{uuid4()}/events"):
        assert httpx2.get(served.address + path).status_code == 401


def test_a_stream_ends_when_its_token_is_revoked(served: Served) -> None:
    found = served.house.tokens.find(served.house.secret(Role.VIEWER))
    assert found is not None
    with served.follow("/api/events") as reader:
        reader.next()
        served.house.tokens.revoke(found.id)
        assert reader.rest() == []


def test_there_is_a_bound_on_open_streams_and_leaving_frees_a_place(served: Served) -> None:
    hub = served.house.app.state.context.hub
    with (
        served.follow("/api/events") as one,
        served.follow("/api/events") as two,
        served.follow("/api/events") as three,
    ):
        for reader in (one, two, three):
            reader.next()
        answer = served.client.get("/api/events")
        assert (answer.status_code, answer.json()["code"]) == (503, "DOCALIGN_E601")
    wait_until(lambda: hub.open == 0)
    with served.follow("/api/events") as again:
        assert again.next() is not None


def test_open_streams_do_not_keep_the_service_from_stopping(served: Served) -> None:
    _, run = a_scan(served)
    with served.follow("/api/events") as one, served.follow(f"/api/scans/{run}/events") as two:
        one.next()
        assert served.stop() < 8.0  # without the drain it would be cut off after 10
        assert one.rest() == []
        assert two.rest() == []


def test_a_service_that_stops_is_not_ready(house: House) -> None:
    house.services.draining.set()
    answer = house.client.get("/readyz")
    assert (answer.status_code, answer.json()["reasons"]) == (503, ["the service is stopping"])


def test_without_a_token_the_service_stays_on_this_machine(database: Database) -> None:
    house = House(database, HttpSettings(host="0.0.0.0", port=0))
    try:
        with pytest.raises(NotPublicError):
            Serving(house.app, house.services).bind()
        house.tokens.create("somebody", Role.VIEWER)
        server = Serving(house.app, house.services)
        assert server.bind().startswith("http://127.0.0.1:")
        server.close()
    finally:
        house.system.stop(5.0)


def test_an_address_that_is_taken_is_said_so(served: Served, database: Database) -> None:
    port = int(served.address.rpartition(":")[2])
    house = House(database, HttpSettings(port=port))
    try:
        with pytest.raises(CannotListenError, match=str(port)):
            Serving(house.app, house.services).bind()
    finally:
        house.system.stop(5.0)


def test_only_loopback_is_this_machine() -> None:
    assert all(map(is_loopback, ["127.0.0.1", "127.1.2.3", "::1", "localhost"]))
    assert not any(map(is_loopback, ["0.0.0.0", "::", "10.0.0.1", "example.org", ""]))


def test_of_many_moves_of_a_scan_the_last_one_waits_for_a_slow_reader() -> None:
    watcher = Watcher(None)
    for n in range(1_000):
        watcher.offer("scan", "the same", n)
    assert watcher.take() == [("scan", 999)]


def test_who_falls_far_behind_is_told_to_read_everything_anew() -> None:
    watcher = Watcher(None)
    for n in range(501):
        watcher.offer("scan", n, n)
    assert watcher.take() == [("reset", {})]
    assert watcher.take() == []


def test_a_reader_that_does_not_read_is_dropped(served: Served) -> None:
    hub = served.house.app.state.context.hub
    host, _, port = served.address.removeprefix("http://").partition(":")
    with socket.socket() as deaf:
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        deaf.connect((host, int(port)))
        secret = served.house.secret(Role.VIEWER)
        deaf.sendall(f"GET /api/events HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {secret}\r\n\r\n".encode())
        wait_until(lambda: hub.open == 1)

        def dropped() -> bool:
            for _ in range(400):
                served.house.events.publish(ActorFailed("pool", "Pool", "x", "y" * 400, "", ""))
            return bool(hub.open == 0)

        wait_until(dropped, 30)


def test_a_database_that_goes_away_ends_the_stream_and_the_client_comes_again(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo, run = a_scan(served)

    def away(*_: object, **__: object) -> None:
        raise DatabaseError("gone")

    with served.follow(f"/api/scans/{run}/events") as reader:
        move(served, repo, run, 1, "fetch")
        assert reader.next() == ("stage", {"stage": "fetch"}, "1")
        monkeypatch.setattr(served.house.views, "events", away)
        assert reader.rest() == []


def test_a_body_that_does_not_end_is_refused_and_its_connection_closed(served: Served) -> None:
    host, _, port = served.address.removeprefix("http://").partition(":")
    head = f"POST /api/repos HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {served.house.secret(Role.OPERATOR)}\r\n"
    with socket.create_connection((host, int(port)), 10) as talking:
        talking.sendall(f"{head}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n".encode())
        chunk = b"1000\r\n" + b" " * 4_096 + b"\r\n"
        with contextlib.suppress(ConnectionError):
            for _ in range(1_000):
                talking.sendall(chunk)
        answer = b""
        with contextlib.suppress(ConnectionError):  # not a time-out: that would be a connection that is open still
            while part := talking.recv(65_536):
                answer += part
    assert answer.startswith(b"HTTP/1.1 413 ")


def test_a_body_that_does_not_come_is_not_waited_for(database: Database) -> None:
    with serving(database, HttpSettings(port=0, body_seconds=0.1)) as served:
        host, _, port = served.address.removeprefix("http://").partition(":")
        secret = served.house.secret(Role.OPERATOR)
        with socket.create_connection((host, int(port)), 10) as talking:
            talking.sendall(
                f"POST /api/repos HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {secret}\r\n"
                f"Content-Type: application/json\r\nContent-Length: 10\r\n\r\n{{".encode()
            )
            assert talking.recv(100).startswith(b"HTTP/1.1 408 ")
