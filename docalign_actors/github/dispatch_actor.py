"""The dispatcher: carries out what webhooks lead to, in the order in which they came. Decides nothing: `events.decide` does.

A delivery is done when its effects are committed. Until then it waits in the database, whatever happens to this actor; so
every command may be carried out twice.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from datetime import datetime, timedelta

from loguru import logger
from msgspec import DecodeError, Struct, structs

from docalign_actors.clock import Clock
from docalign_actors.errors import DocAlignError, ScanLimitError, UnknownRepositoryError, UnknownScanError
from docalign_actors.github import events
from docalign_actors.github.book import CommandBook
from docalign_actors.github.messages import Dispatch
from docalign_actors.github.payloads import (
    Event,
    InstallationEvent,
    InstallationRepositoriesEvent,
    PullRequestEvent,
    ReviewThreadEvent,
    read,
)
from docalign_actors.github.ports import Inbox, Waiting
from docalign_actors.github.pull_scans import PullScans
from docalign_actors.scans.model import RepoId, Trigger
from docalign_actors.scans.triggers import TriggerService
from docalign_actors.supervision.actor import Actor

_AT_ONCE = 50
_ANSWER = 10.0
_ATTEMPTS = 8
_FIRST_DELAY = 1.0
_LOOK_AGAIN = 30.0
"""Seconds: the net under every message that could have been lost."""


class DispatchParts(Struct, frozen=True):
    """What the dispatcher works with."""

    inbox: Inbox
    triggers: TriggerService
    clock: Clock
    remove_repo: Callable[[RepoId], None]
    """Removes a repository with everything that is open in it."""
    told: Callable[[], None]
    """Something may have to be told to GitHub."""
    scans: PullScans
    book: CommandBook
    own_login: Callable[[], str]
    """Under which name our App writes."""


class DispatchActor(Actor):
    """One delivery after another."""

    def __init__(self, parts: DispatchParts) -> None:
        super().__init__()
        self._parts = parts
        self._inbox = parts.inbox

    def started(self) -> None:
        self.context.tell_self(Dispatch())

    def receive(self, message: object) -> None:
        if not isinstance(message, Dispatch):
            return
        batch = self._inbox.waiting(_AT_ONCE, self._parts.clock.now())
        for one in batch:
            self._carry_out(one)
        if len(batch) == _AT_ONCE:
            self.context.tell_self(Dispatch())
        else:
            self.context.after(_FIRST_DELAY if batch else _LOOK_AGAIN, Dispatch(), key="look")

    def _carry_out(self, waiting: Waiting) -> None:
        try:
            event = read(waiting.event, waiting.content)
            known = self._known(waiting.app_id, event)
            for command in events.decide(event, known):
                self.context.check()
                self._do(command, (f"github:{waiting.app_id}", f"{waiting.delivery}/{_work(command)}"))
        except (DocAlignError, DecodeError, TimeoutError) as error:
            said = f"{error}" or "There was no answer in time."
            self._inbox.put_off(waiting.app_id, waiting.delivery, said, self._next(waiting, error))
            return
        self._inbox.done(waiting.app_id, waiting.delivery)

    def _next(self, waiting: Waiting, error: Exception) -> datetime | None:
        hopeless = isinstance(error, DecodeError) or waiting.attempts + 1 >= _ATTEMPTS
        if hopeless:
            return None
        return self._parts.clock.now() + timedelta(seconds=_FIRST_DELAY * 2**waiting.attempts)

    def _known(self, app_id: int, event: Event) -> events.Known:
        if isinstance(event, InstallationEvent | InstallationRepositoriesEvent):
            return events.Known(app_id)
        number = event.number if isinstance(event, PullRequestEvent) else None
        known = self._inbox.known(app_id, event.repository.id, number)
        if isinstance(event, ReviewThreadEvent):
            return structs.replace(known, own_login=self._parts.own_login())
        return known

    def _do(self, command: events.Command, delivery: tuple[str, str]) -> None:
        match command:
            case events.SaveInstallation():
                self._inbox.save_installation(command)
                self._parts.told()
            case events.RemoveInstallation(id=installation):
                for gone in self._inbox.remove_installation(installation):
                    self._remove(gone)
            case events.Register():
                enrolled = self._inbox.enrol(command)
                if enrolled.unseen and command.scan:
                    self._full(enrolled.repo_id, delivery)
            case events.Remove(github_id=github_id, installation=owner):
                repo = self._inbox.repo_of(github_id, owner)
                if repo is not None:
                    self._remove(repo)
            case events.Rename(github_id=github_id, full_name=full_name):
                self._inbox.rename(github_id, full_name)
            case events.Archive(github_id=github_id, archived=archived):
                self._inbox.archive(github_id, archived)
            case events.NotePull():
                self._inbox.note_pull(command)
            case events.NotePush(github_id=github_id, at=at):
                self._inbox.note_push(github_id, at)
            case events.Record():
                self._record(command)
            case events.RecordClosing(github_id=github_id, number=number):
                if self._parts.book.record_closing(github_id, number):
                    self._parts.told()
            case events.RecordAction():
                self._record_press(command, _press(delivery))
            case _:
                self._scan(command, delivery)

    def _record_press(self, command: events.RecordAction, press: int) -> None:
        heads = self._inbox.pulls_with_head(command.github_id, command.head) if not command.number else []
        for number in (command.number,) if command.number else [pull.number for pull in heads[:1]]:
            who = (command.author, ("fix",), command.bot)
            self._record(events.Record(command.github_id, "check", press, number, True, *who))

    def _record(self, command: events.Record) -> None:
        if self._parts.book.record(command):
            self._parts.told()

    def _scan(self, command: events.Command, delivery: tuple[str, str]) -> None:
        """Commands that speak of a repository: one that is gone meanwhile needs nothing any more."""
        triggers = self._parts.triggers
        repo = self._inbox.repo_of(command.github_id) if hasattr(command, "github_id") else None
        if repo is None:
            return
        match command:
            case events.ScanPull(number=number, base=base, head=head):
                self._pull(repo, number, base, head, delivery)
            case events.ScanHead(github_id=github_id, head=head):
                for pull in self._inbox.pulls_with_head(github_id, head):
                    one = (delivery[0], f"{delivery[1]}/{pull.number}")
                    self._pull(repo, pull.number, pull.base_ref, pull.head_sha, one)
            case events.ScanPush(before=before, after=after):
                self._push(repo, before, after, delivery)
            case events.ScanFull():
                self._full(repo, delivery)
            case events.CancelPull(number=number, reason=reason):
                for run in self._inbox.runs_of_pull(repo, number):
                    try:
                        triggers.cancel_scan(run, reason)
                    except UnknownScanError:
                        continue

    def _pull(self, repo: RepoId, number: int, base: str, head: str, delivery: tuple[str, str]) -> None:
        try:
            self._parts.scans.ask(repo, number, base, head, delivery)
        except ScanLimitError:
            pass  # the check says so
        except UnknownRepositoryError:
            return
        self._parts.told()

    def _push(self, repo: RepoId, before: str, after: str, delivery: tuple[str, str]) -> None:
        try:
            self._parts.triggers.enqueue_push_scan(repo, before, after, delivery=delivery).result(_ANSWER)
        except ScanLimitError as error:  # the reconciler sees that this head was not scanned, and asks again
            logger.info("a push to repository {} is not scanned yet: {}", repo, error)

    def _full(self, repo: RepoId, delivery: tuple[str, str]) -> None:
        try:
            self._parts.triggers.enqueue_full_scan(repo, trigger=Trigger.SCHEDULED, delivery=delivery).result(_ANSWER)
        except UnknownRepositoryError:
            return

    def _remove(self, repo: RepoId) -> None:
        try:
            self._parts.remove_repo(repo)
        except UnknownRepositoryError:
            pass  # somebody was faster
        self._inbox.dismiss(repo)


def _press(delivery: tuple[str, str]) -> int:
    """The number of one press of a button. A check run may be asked to fix again, when what kept it from it is gone."""
    return int.from_bytes(hashlib.sha256("/".join(delivery).encode()).digest()[:8]) >> 1


def _work(command: events.Command) -> str:
    """What a command does, so that the same delivery does it once, whatever was done of it before a crash."""
    subject = getattr(command, "github_id", "")
    return f"{type(command).__name__}/{subject}"
