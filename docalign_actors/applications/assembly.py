"""Joins the actors of this capability: who is started, under which name, and what wakes them."""

from __future__ import annotations

from uuid import UUID

from docalign_actors.applications.chronicle_actor import ChronicleActor, ChronicleParts
from docalign_actors.applications.events import SubscriptionsChanged
from docalign_actors.applications.herald_actor import AppHeraldActor
from docalign_actors.applications.messages import CHRONICLES, HERALD, Look
from docalign_actors.applications.model import LETTER
from docalign_actors.errors import DocAlignError
from docalign_actors.outbound.events import LetterSettled
from docalign_actors.scans.events import ScanMoved
from docalign_actors.scans.model import RepoId
from docalign_actors.supervision.policy import Policy
from docalign_actors.supervision.system import ActorSystem

_PATIENT = Policy(intensity=10, rest=30.0, handler_deadline=300.0)
"""One repository that breaks its chronicler, or a moment without the database, must not end the whole service."""


def assemble(system: ActorSystem, parts: ChronicleParts, *, idle: float = 120.0, most_live: int = 50) -> None:
    """Registers the actors. The outbound actor is to be registered before them: they tell it of letters."""
    system.family(
        CHRONICLES, lambda key: ChronicleActor(RepoId(UUID(key)), parts), _PATIENT, idle=idle, most_live=most_live
    )
    system.supervise(HERALD, lambda: AppHeraldActor(parts.chronicle), _PATIENT)

    def hear(event: object) -> None:
        repo = _repo_of(event)
        if repo:
            look_at(system, repo)

    parts.events.subscribe(hear, ScanMoved, LetterSettled, SubscriptionsChanged)


def look_at(system: ActorSystem, repo: UUID | str) -> None:
    """There may be something to tell of a repository."""
    if not system.stopping:
        try:
            system.tell(f"{CHRONICLES}/{repo}", Look())
        except DocAlignError:
            pass  # the herald's next round finds it


def _repo_of(event: object) -> str:
    """The repository that an event makes worth a look; "" if none."""
    match event:
        case ScanMoved(kind="end", type=kind, repo_id=repo) if kind != "pr":
            return str(repo)
        case LetterSettled(kind=kind, lane=lane, status="delivered") if kind == LETTER:
            return lane.split("/")[1]
        case SubscriptionsChanged(repo_id=repo) if repo is not None:
            return str(repo)
    return ""
