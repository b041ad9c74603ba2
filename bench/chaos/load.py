"""The load: a few clients who ask for scans and cancel some, and who ask again whenever they got no answer.

Each request carries a delivery id, so that asking again is asking for the same. What was answered with 202 was accepted;
what never got an answer may or may not have been.
"""

from __future__ import annotations

import http.client
import random
import threading
import uuid
from dataclasses import dataclass, field
from typing import Any

import msgspec

from bench.chaos.repositories import PULLS, ChaosRepository

_TIMEOUT = 20.0


@dataclass
class Asked:
    """One request: what for, and what came of it. `run` is "" until it is known to be accepted."""

    repo: str
    kind: str
    number: int = 0
    head: str = ""
    delivery: str = field(default_factory=lambda: uuid.uuid4().hex)
    run: str = ""
    refused: str = ""


class Book:
    """Everything that was asked for, by all clients."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.asked: list[Asked] = []
        self.cancelled: set[str] = set()
        self.problems: list[str] = []

    def accepted(self) -> list[Asked]:
        with self.lock:
            return [asked for asked in self.asked if asked.run]


class Client:
    """Speaks to the service; knows how to try again."""

    def __init__(self, port: int, token: str) -> None:
        self.port = port
        self.token = token

    def call(self, method: str, path: str, body: Any = None, delivery: str = "") -> tuple[int, Any]:
        """Status and JSON; (0, None) if there was no answer."""
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        if delivery:
            headers["X-Delivery-Id"] = delivery
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=_TIMEOUT)
        try:
            connection.request(method, path, None if body is None else msgspec.json.encode(body), headers)
            answer = connection.getresponse()
            data = answer.read()
            return answer.status, msgspec.json.decode(data) if data else None
        except (OSError, http.client.HTTPException, msgspec.DecodeError):
            return 0, None
        finally:
            connection.close()


def ask(client: Client, book: Book, asked: Asked, body: dict[str, Any]) -> None:
    """Sends one request, once; an answer that did not come is asked for again later by `settle`."""
    status, answer = client.call("POST", f"/api/repos/{asked.repo}/scans", body, asked.delivery)
    with book.lock:
        if status == 202:
            asked.run = answer["scan_run_id"]
        elif status not in (0, 503):
            asked.refused = f"{status} {answer}"
            book.problems.append(f"{asked.kind} was refused: {status} {answer}")


def one_step(client: Client, book: Book, repository: ChaosRepository, chance: random.Random) -> None:
    """A push, a pull request's new head, a full scan, or a cancellation."""
    what = chance.choices(("push", "pr", "full", "cancel"), (4, 5, 1, 2))[0]
    if what == "cancel":
        accepted = book.accepted()
        if accepted:
            run = chance.choice(accepted[-50:]).run
            with book.lock:
                book.cancelled.add(run)
            client.call("POST", f"/api/scans/{run}/cancel")
        return
    number = chance.choice(PULLS)
    body: dict[str, Any]
    if what == "push":
        before, after = repository.commit("main", chance)
        asked, body = Asked(repository.id, "push", head=after), {"type": "push", "before": before, "after": after}
    elif what == "pr":
        _, after = repository.commit(f"pull-{number}", chance)
        asked = Asked(repository.id, "pr", number, after)
        body = {"type": "pr", "number": number, "base": "main", "head": after}
    else:
        asked, body = Asked(repository.id, "full"), {"type": "full"}
    with book.lock:
        book.asked.append(asked)
    ask(client, book, asked, body)
