"""What the actor system looks like at this moment, for people."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

import msgspec
import pykka

from docalign_actors.supervision.cell import Cell
from docalign_actors.supervision.directory import Directory
from docalign_actors.supervision.incarnation import Incarnation
from docalign_actors.supervision.mailbox import Inbox

ROOT = "supervisor"

Shown = Literal["starting", "running", "busy", "restarting", "stopped", "fenced"]


class ActorInfo(msgspec.Struct, frozen=True):
    """One actor, as shown."""

    name: str
    parent: str
    kind: str
    """The actor's class."""
    state: Shown
    depth: int
    """Messages that wait."""
    oldest: float
    """Seconds that the first of them has waited; 0 if none waits."""
    under_way: str
    """The kind of the message under way; empty if there is none."""
    under_way_for: float
    restarts: int
    last_error: str
    started_at: datetime | None
    trace: str = ""
    """Trace id of the message under way."""


class FamilyInfo(msgspec.Struct, frozen=True):
    """The members of a family in figures; those without a thread are not listed anywhere."""

    prefix: str
    live: int
    most_live: int
    waiting: int
    """Members with messages that wait for a thread."""
    activations: int
    passivations: int
    peak: int


def take_snapshot(directory: Directory) -> list[ActorInfo]:
    """The tree, parents before their children, then those that were given up but whose threads are still there."""
    now = directory.clock.monotonic()
    with directory.lock:
        shown = [_describe(cell, now) for cell in directory.cells.values() if cell.state != "asleep"]
        fenced = [_describe_fenced(incarnation, now) for incarnation in directory.abandoned]
    return [*sorted(shown, key=lambda info: info.name), *fenced]


def describe_supervisor(supervisor: pykka.ActorRef[Any]) -> ActorInfo:
    """The root of the tree."""
    inbox = supervisor.actor_inbox
    return ActorInfo(
        name=ROOT,
        parent="",
        kind=supervisor.actor_class.__name__,
        state="running" if supervisor.is_alive() else "stopped",
        depth=inbox.qsize() if isinstance(inbox, Inbox) else 0,
        oldest=0.0,
        under_way="",
        under_way_for=0.0,
        restarts=0,
        last_error="",
        started_at=None,
    )


def family_figures(directory: Directory) -> list[FamilyInfo]:
    """Every family in figures."""
    with directory.lock:
        return [
            FamilyInfo(
                family.prefix,
                len(family.live),
                family.most_live,
                len(family.waiting),
                family.activations,
                family.passivations,
                family.peak,
            )
            for family in directory.families.values()
        ]


def _describe(cell: Cell, now: float) -> ActorInfo:
    incarnation = cell.current
    parcel = incarnation.under_way if incarnation is not None else None
    oldest = cell.oldest()
    return ActorInfo(
        name=cell.name,
        parent=cell.parent.name if cell.parent is not None else ROOT,
        kind=cell.kind,
        state=_state(cell),
        depth=cell.depth(),
        oldest=max(now - oldest.sent, 0.0) if oldest is not None and oldest.sent else 0.0,
        under_way=parcel.kind if parcel is not None else "",
        under_way_for=max(now - incarnation.since, 0.0) if incarnation is not None and parcel is not None else 0.0,
        restarts=cell.restarts,
        last_error=cell.last_error,
        started_at=incarnation.started_at if incarnation is not None else None,
        trace=parcel.trace if parcel is not None else "",
    )


def _state(cell: Cell) -> Shown:
    if cell.state == "running":
        return "busy" if cell.current is not None and cell.current.under_way is not None else "running"
    return "starting" if cell.state == "asleep" else cell.state


def _describe_fenced(incarnation: Incarnation, now: float) -> ActorInfo:
    parcel = incarnation.under_way
    cell = incarnation.cell
    return ActorInfo(
        name=cell.name,
        parent=cell.parent.name if cell.parent is not None else ROOT,
        kind=incarnation.kind,
        state="fenced",
        depth=0,
        oldest=0.0,
        under_way=parcel.kind if parcel is not None else "",
        under_way_for=max(now - incarnation.since, 0.0) if parcel is not None else 0.0,
        restarts=cell.restarts,
        last_error=cell.last_error,
        started_at=incarnation.started_at,
        trace=parcel.trace if parcel is not None else "",
    )
