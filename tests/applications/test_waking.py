"""Who has something to tell is woken by what happens, not only by the herald's next round."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import cast
from uuid import uuid4

import msgspec
import pytest

from docalign_actors.applications.events import SubscriptionsChanged
from docalign_actors.applications.messages import Look
from docalign_actors.applications.model import LETTER
from docalign_actors.clock import SystemClock
from docalign_actors.outbound.events import LetterSettled
from docalign_actors.parts.applications import Applications
from docalign_actors.persistence.database import Database
from docalign_actors.scans.events import ScanMoved
from docalign_actors.settings import Settings
from docalign_actors.supervision.system import ActorSystem
from docalign_actors.telemetry.events import Event
from docalign_actors.telemetry.metrics import Metrics
from docalign_actors.telemetry.stream import EventStream
from docalign_actors.watch.events import CircuitMoved

REPO, OTHER = uuid4(), uuid4()
NOW = datetime(2026, 3, 11, tzinfo=UTC)


class Told:
    """Stands for the actor system: remembers who was told what."""

    stopping = False

    def __init__(self) -> None:
        self.told: list[tuple[str, object]] = []

    def family(self, *_: object, **__: object) -> None: ...

    def supervise(self, *_: object, **__: object) -> None: ...

    def tell(self, name: str, message: object) -> None:
        self.told.append((name, message))


@pytest.mark.parametrize(
    ("event", "wakes"),
    [
        (CircuitMoved(1, REPO, NOW, "closed", "open", "git could not reach it", 5), True),
        (ScanMoved(OTHER, REPO, 1, "end", "completed", type="push"), True),
        (ScanMoved(OTHER, REPO, 1, "end", "completed", type="pr"), False),
        (SubscriptionsChanged(REPO), True),
        (SubscriptionsChanged(), False),
        (LetterSettled(LETTER, f"app/{REPO}/{OTHER}", "delivered"), True),
        (LetterSettled(LETTER, f"app/{REPO}/{OTHER}", "waiting"), False),
    ],
)
def test_what_happens_to_a_repository_wakes_its_chronicler(
    database: Database, tmp_path: Path, event: Event, wakes: bool
) -> None:
    system, events, clock = Told(), EventStream(), SystemClock()
    settings = msgspec.structs.replace(Settings(), data_dir=tmp_path)
    given = cast(ActorSystem, system)
    Applications(settings, database, given, lambda repo: None, clock, events, Metrics(events)).start()
    events.publish(event)
    assert system.told == ([(f"chronicle/{REPO}", Look())] if wakes else [])
