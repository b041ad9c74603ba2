"""Counts what GitHub tells us and does not concern us, by its name, since this start."""

from __future__ import annotations

import threading
from collections import Counter

from docalign_actors.github.telemetry import WebhookTaken
from docalign_actors.telemetry.stream import EventStream

_MOST = 200
"""Names that are counted each for itself: they are GitHub's, and there are about seventy."""
OTHERS = "others"


class Tally:
    """May be asked from any thread."""

    def __init__(self, events: EventStream) -> None:
        self._counted: Counter[str] = Counter()
        self._lock = threading.Lock()
        events.subscribe(self._note, WebhookTaken)

    def ignored(self) -> list[tuple[str, int]]:
        """The most frequent first."""
        with self._lock:
            return self._counted.most_common()

    def _note(self, event: object) -> None:
        if isinstance(event, WebhookTaken) and event.outcome == "ignored":
            with self._lock:
                known = event.name in self._counted or len(self._counted) < _MOST
                self._counted[event.name if known else OTHERS] += 1
