"""The App's webhook: signed, delivered from a thread of its own, and lost, doubled, held back or reordered on demand."""

from __future__ import annotations

import hashlib
import hmac
import http.client
import itertools
import json
import queue
import random
import threading
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

from docalign_actors.demo.github.model import Clock, Delivery, stamp

ANSWER_SECONDS = 10.0


class Hooks:
    """Delivers events to one URL, in order, one at a time."""

    def __init__(self, clock: Clock, answered: Callable[[], None] = lambda: None) -> None:
        self._clock = clock
        self._answered = answered
        self.url = ""
        self.secret = "it is a secret"  # noqa: S105 - of a GitHub that is none
        self.content_type = "json"
        self.deliveries: list[Delivery] = []
        self._ids = itertools.count(1)
        self._queue: queue.Queue[Delivery | None] = queue.Queue()
        self._held: list[Delivery] | None = None
        self._fate: Callable[[Delivery], str] = lambda _: "deliver"
        self._idle = threading.Condition()
        self._open = 0
        self._thread = threading.Thread(target=self._work, name="github-hooks", daemon=True)
        self._thread.start()

    # What goes wrong

    def hold(self) -> None:
        """From now on events are kept back."""
        self._held = []

    def release(self, order: Callable[[list[Delivery]], list[Delivery]] = list) -> None:
        """What was kept back is delivered, in this order."""
        held, self._held = self._held or [], None
        for delivery in order(held):
            self._put(delivery)

    def next_fates(self, *fates: str) -> None:
        """What becomes of the next events: deliver, fail (tried in vain), lose (never heard of), double."""
        left = list(fates)
        self._fate = lambda _: left.pop(0) if left else "deliver"

    def disturb(self, seed: int, *, lost: float = 0.0, failed: float = 0.0, doubled: float = 0.0) -> None:
        """By chance."""
        chance = random.Random(seed)  # noqa: S311 - to be repeated, not to be secret

        def fate(_: Delivery) -> str:
            drawn = chance.random()
            for name, share in (("lose", lost), ("fail", failed), ("double", doubled)):
                if drawn < share:
                    return name
                drawn -= share
            return "deliver"

        self._fate = fate

    # Sending

    def send(self, event: str, action: str | None, body: dict[str, Any], installation: int | None) -> Delivery:
        data = json.dumps(body).encode()
        made = Delivery(next(self._ids), str(uuid4()), event, action, data, installation, stamp(self._clock.now()))
        fate = self._fate(made)
        self.deliveries.append(made)
        if fate == "lose":
            made.listed = False
        elif fate == "fail":
            made.code, made.status, made.attempts = 502, "failure", 1
        else:
            for _ in range(2 if fate == "double" else 1):
                if self._held is not None:
                    self._held.append(made)
                else:
                    self._put(made)
        return made

    def redeliver(self, number: int) -> bool:
        """The API's wish: the same delivery id once more, as an attempt of its own."""
        found = next((d for d in self.deliveries if d.id == number and d.listed), None)
        if found is None:
            return False
        again = Delivery(
            next(self._ids), found.guid, found.event, found.action, found.body, found.installation_id,
            stamp(self._clock.now()), redelivery=True,
        )  # fmt: skip
        self.deliveries.append(again)
        self._put(again)
        return True

    def signature(self, body: bytes) -> str:
        return "sha256=" + hmac.new(self.secret.encode(), body, hashlib.sha256).hexdigest()

    def wait(self, seconds: float = 20.0) -> None:
        """Until everything that was sent has been answered."""
        with self._idle:
            if not self._idle.wait_for(lambda: self._open == 0, seconds):
                raise TimeoutError("a webhook has not been answered")

    def stop(self) -> None:
        self._queue.put(None)
        self._thread.join(ANSWER_SECONDS + 1)

    def _put(self, delivery: Delivery) -> None:
        with self._idle:
            self._open += 1
        self._queue.put(delivery)

    def _work(self) -> None:
        while (delivery := self._queue.get()) is not None:
            try:
                if self.url:
                    delivery.code = self._post(delivery)
            except (OSError, http.client.HTTPException):
                delivery.code = 502
            delivery.attempts += 1
            delivery.status = "success" if delivery.code // 100 == 2 else "failure"
            with self._idle:
                self._open -= 1
                self._idle.notify_all()
            self._answered()

    def _post(self, delivery: Delivery) -> int:
        target = urlsplit(self.url)
        connection = http.client.HTTPConnection(target.hostname or "", target.port, timeout=ANSWER_SECONDS)
        headers = {
            "Content-Type": "application/json", "User-Agent": "GitHub-Hookshot/fake", "X-GitHub-Event": delivery.event,
            "X-GitHub-Delivery": delivery.guid, "X-Hub-Signature-256": self.signature(delivery.body),
            "X-GitHub-Hook-Installation-Target-Type": "integration",
        }  # fmt: skip
        try:
            connection.request("POST", target.path, delivery.body, headers)
            answer = connection.getresponse()
            answer.read()
            return answer.status
        finally:
            connection.close()
