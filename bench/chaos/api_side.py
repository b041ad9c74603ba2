"""The run over the API: a few clients ask for scans of local repositories, cancel some, and ask again without an answer."""

from __future__ import annotations

import random
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

from bench.chaos.invariants import always, at_the_end
from bench.chaos.load import Book, Client, ask, one_step
from bench.chaos.repositories import ChaosRepository

_BODIES = {"push": {"type": "push"}, "full": {"type": "full"}, "pr": {"type": "pr", "base": "main"}}


class ApiSide:
    """What the driver asks of the service, and what it expects of it."""

    def __init__(self, base: Path, number: int, client: Client) -> None:
        self.environment: dict[str, str] = {}
        self._client = client
        self._mirrors = base / "data" / "mirrors"
        self.book = Book()
        self.repositories = [ChaosRepository(base / "repositories" / f"r{n:02}", n) for n in range(number)]
        self._outcomes: Counter[str] = Counter()

    def begin(self, port: int, url: str) -> set[str]:
        for repository in self.repositories:
            status, answer = self._client.call("POST", "/api/repos", {"url": str(repository.root)})
            if status not in (200, 201):
                raise RuntimeError(f"registration was refused: {status} {answer}")
            repository.id = answer["id"]
        return {repository.id for repository in self.repositories}

    def step(self, chance: random.Random) -> None:
        one_step(self._client, self.book, chance.choice(self.repositories), chance)

    def disorder(self, chance: random.Random) -> None:
        """Clients that ask over HTTP keep their own order."""

    def always(self, url: str, permits: int) -> list[str]:
        return [*always(url, self.book, permits), *self.book.problems]

    def come_to_rest(self, url: str, seconds: float) -> None:
        """Asks again for everything that got no answer, then waits until nothing is open."""
        for asked in self.book.asked:
            if asked.run or asked.refused:
                continue
            body: dict[str, Any] = dict(_BODIES[asked.kind])
            if asked.kind == "push":
                body |= {"before": "0" * 40, "after": asked.head}
            if asked.kind == "pr":
                body |= {"number": asked.number, "head": asked.head}
            ask(self._client, self.book, asked, body)
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            waiting = [self._client.call("GET", f"/api/scans?status={s}&limit=1")[1] for s in ("queued", "running")]
            if all(page is not None and not page["items"] for page in waiting):
                return
            threading.Event().wait(0.2)

    def at_the_end(self, url: str) -> list[str]:
        found, self._outcomes = at_the_end(url, self.book, self._mirrors)
        return found

    def report(self) -> list[tuple[str, str]]:
        accepted = f"{len(self.book.accepted())} of {len(self.book.asked)} asked for"
        return [("accepted", accepted), ("outcomes", ", ".join(f"{n} {c}" for n, c in sorted(self._outcomes.items())))]

    def end(self) -> None:
        """Nothing of it runs by itself."""
