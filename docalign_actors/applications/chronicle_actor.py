"""A repository's chronicler: writes what happened into the journal, and hands each subscription what it has not got yet.

It never waits for a receiver: it fills lanes of the outbox up to a bound, and looks again when one has run low. So the
memory that a subscriber takes does not depend on how far it is behind.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from uuid import UUID

from loguru import logger
from msgspec import Struct
from msgspec.structs import replace

from docalign_actors.applications.events import JournalWritten
from docalign_actors.applications.journalling import concerns, file_entries, other_entries
from docalign_actors.applications.letters import Fed, deliveries
from docalign_actors.applications.messages import Look, Work
from docalign_actors.applications.model import Branch, Change, Listing, Note, Subscription
from docalign_actors.applications.parts import SNIFFED, Limits, is_binary, must_sniff
from docalign_actors.applications.ports import Chronicle, GoneError, Trees, Written
from docalign_actors.applications.telling import Known, Step, step
from docalign_actors.clock import Clock
from docalign_actors.outbound.actor import NAME as OUTBOUND
from docalign_actors.outbound.messages import Post
from docalign_actors.scans.model import RepoId
from docalign_actors.supervision.actor import Actor
from docalign_actors.telemetry.stream import EventStream

WINDOW = 16
"""Letters that wait in a lane at the most, but for the pieces of one file."""
LOW = 8
"""A lane with no more than this is filled up."""
_GROUP = 25
"""Subscriptions in one transaction."""
_PAUSE = 0.02
"""Seconds in which further words that there is something to do are one."""
_ASK_AGAIN = 600.0
"""Seconds between two requests for a scan of a repository whose mirror is not here."""
_MOST_SNIFFED = 10_000


class ChronicleParts(Struct, frozen=True):
    """What a chronicler is given."""

    chronicle: Chronicle
    trees: Trees
    clock: Clock
    events: EventStream
    limits: Limits
    new_id: Callable[[], UUID]
    ask_for_scan: Callable[[RepoId], object]


class ChronicleActor(Actor):
    """One for each repository that has something to say."""

    def __init__(self, repo: RepoId, parts: ChronicleParts) -> None:
        super().__init__()
        self._repo = repo
        self._parts = parts
        self._listed: tuple[str, Listing] = ("", Listing())
        self._sniffed: dict[str, bool] = {}
        self._asked: float | None = None
        self._due = False

    def started(self) -> None:
        self.context.tell_self(Work())

    def receive(self, message: object) -> None:
        match message:
            case Look():
                if not self._due:  # a timer that is set anew by each word would never ring
                    self._due = True
                    self.context.after(_PAUSE, Work(), key="work")
            case Work():
                self._due = False
                if self._journal() or self._feed():
                    self.context.tell_self(Work())

    # Into the journal

    def _journal(self) -> bool:
        """Whether there may be another note."""
        note = self._parts.chronicle.next_note(self._repo)
        branches = self._parts.chronicle.branches(self._repo)
        if note is None:
            if any(branch.commit is None for branch in branches):
                self._ask_for_scan("somebody subscribes to a branch that no scan has looked at")
            return False
        try:
            written = [self._written(note, branch) for branch in branches]
        except GoneError as error:
            self._ask_for_scan(str(error))
            return False
        if self._parts.chronicle.write(note, written):
            self._parts.events.publish(JournalWritten(self._repo, sum(len(one.entries) for one in written)))
        return True

    def _written(self, note: Note, branch: Branch) -> Written:
        own = concerns(note, branch)
        others = other_entries(note) if own else []
        if note.sort != "scan":
            return Written(branch, branch.commit, tuple(others))
        trees = self._parts.trees
        target = note.head if own else trees.tip(self._repo, branch.name)
        if target and not trees.has(self._repo, target):
            if note.is_last:
                raise GoneError(f"the commit {target} is not in the mirror")
            return Written(branch, branch.commit, tuple(others))  # the next one tells what changed in the meantime
        if branch.commit is None:
            return Written(branch, target)  # nobody has been told anything yet: a snapshot tells it all
        if branch.commit == target:
            return Written(branch, target, tuple(others))
        if branch.commit and not trees.has(self._repo, branch.commit):
            return Written(branch, target, tuple(others), lost=True)
        changes = trees.changes(self._repo, branch.commit, target)
        return Written(branch, target, (*file_entries(note, target, changes, self._binary), *others))

    def _binary(self, change: Change) -> bool:
        file = change.file
        return file is not None and must_sniff(file.size, self._parts.limits) and self._sniff(file.blob)

    def _sniff(self, blob: str) -> bool:
        if blob not in self._sniffed:
            if len(self._sniffed) >= _MOST_SNIFFED:
                self._sniffed.clear()
            self._sniffed[blob] = is_binary(self._parts.trees.read(self._repo, blob, SNIFFED) or b"")
        return self._sniffed[blob]

    # Out of the journal

    def _feed(self) -> bool:
        """Whether there may be more to hand out at once."""
        hungry = self._parts.chronicle.hungry(self._repo, LOW, _GROUP)
        if not hungry:
            return False
        listings = self._listings(hungry)
        ready = [one.id for one, _ in hungry if one.phase != "files" or one.commit in listings]
        now = self._parts.clock.now()

        def plan(subscription: Subscription, known: Known) -> Fed:
            if subscription.phase == "files":
                if subscription.commit not in listings:
                    return Fed(_stay(subscription))  # it was started anew a moment ago
                known = replace(known, files=listings[subscription.commit or ""])
            made = step(subscription, known, WINDOW - min(subscription.waiting, LOW))
            return deliveries(made, subscription, self._parts.limits, self._sniff, self._parts.new_id, now)

        done = self._parts.chronicle.feed(ready, plan, now)
        if done.letters:
            self.context.tell(OUTBOUND, Post())
        return done.moved > 0

    def _listings(self, hungry: Sequence[tuple[Subscription, Branch]]) -> dict[str, Listing]:
        """The trees of the snapshots under way; the last one is kept, since most are of the same commit."""
        found: dict[str, Listing] = {}
        for subscription, branch in hungry:
            commit = subscription.commit
            if subscription.phase != "files" or commit is None or commit in found:
                continue
            try:
                found[commit] = self._listing(commit)
            except GoneError as error:
                if branch.commit != commit:
                    self._parts.chronicle.start_anew(subscription.id)
                self._ask_for_scan(str(error))
        return found

    def _listing(self, commit: str) -> Listing:
        if self._listed[0] != commit or not commit:
            self._listed = (commit, self._parts.trees.listing(self._repo, commit) if commit else Listing())
        return self._listed[1]

    def _ask_for_scan(self, why: str) -> None:
        """A scan brings the mirror back, and its end wakes this actor."""
        now = self._parts.clock.monotonic()
        if self._asked is None or now - self._asked > _ASK_AGAIN:
            self._asked = now
            logger.info("{}: asking for a scan: {}", self.context.name, why)
            self._parts.ask_for_scan(self._repo)


def _stay(subscription: Subscription) -> Step:
    return Step(
        phase=subscription.phase, commit=subscription.commit, cursor=subscription.cursor, position=subscription.position
    )
