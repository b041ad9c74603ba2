"""An installation's actor: tells GitHub what there is to tell, one request at a time. Decides nothing: `telling` does.

It is the only one that writes for its installation, so it is also where GitHub's limits are respected. One message is one
step: a request takes as long as its time-out at the most, and everything that waits in between is a timer.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from uuid import UUID

import msgspec
from loguru import logger
from msgspec import Struct

from docalign_actors.clock import Clock
from docalign_actors.errors import GitHubError, GitHubForbiddenError, GitHubLimitError, GitHubNotFoundError
from docalign_actors.github import fix_steps, telling
from docalign_actors.github.errands import Errand, Errands
from docalign_actors.github.fixes import Fix, FixStore, Workbench
from docalign_actors.github.mender import Mender
from docalign_actors.github.messages import Progress, Step, Tell
from docalign_actors.github.outbox import Outbox
from docalign_actors.github.pacing import Pace, WriteLimits
from docalign_actors.github.ports import Diffs, Host
from docalign_actors.github.remembering import Said
from docalign_actors.github.suggesting import reviewed
from docalign_actors.github.telemetry import GitHubFixed, GitHubPaused, GitHubTold
from docalign_actors.github.telling import Head
from docalign_actors.github.words import MARKER, NAME, under_way
from docalign_actors.scans.model import RepoId
from docalign_actors.supervision.actor import Actor
from docalign_actors.telemetry.stream import EventStream

_PROGRESS_EVERY = 10.0
"""Seconds between two words about how far a scan is."""


class TellingParts(Struct, frozen=True):
    """What the actor works with."""

    outbox: Outbox
    host: Callable[[int], Host]
    clock: Clock
    events: EventStream
    rescan: Callable[[RepoId, int, str, str], None]
    """Asks for the scan of a pull request's head that no webhook told us about: repository, number, base, head."""
    diffs: Diffs
    fixes: FixStore
    bench: Callable[[int], Workbench]
    writes: WriteLimits = WriteLimits()
    second_look: float = 5.0
    """Seconds until it is looked again for what was not found: GitHub's lists lag behind its writes. 0: one look is enough."""
    errands: tuple[Errands, ...] = ()
    """What there is to do beside the checks."""


class InstallationActor(Actor):
    """Carries out steps until everything is told."""

    def __init__(self, installation: int, parts: TellingParts) -> None:
        super().__init__()
        self._installation = installation
        self._outbox = parts.outbox
        self._parts = parts
        self._clock = parts.clock
        self._pace = Pace()
        self._seen: Head | None = None
        self._mender = Mender(parts.fixes, parts.rescan, parts.outbox.knows_head)
        self._stages: dict[str, str] = {}
        self._said_at: dict[str, float] = {}
        self._missed: set[tuple[object, ...]] = set()
        self._stepping = False
        self._errand_next = True

    def started(self) -> None:
        self._go_on()

    def receive(self, message: object) -> None:
        match message:
            case Tell():
                self._go_on()
            case Progress(run=run, stage=stage):
                self._stages[run] = stage
                self._go_on()
            case Step():
                self._stepping = False
                self._step()

    def _go_on(self, seconds: float = 0.0) -> None:
        if seconds > 0:
            self.context.after(seconds, Tell(), key="go on")
        elif not self._stepping:
            self._stepping = True
            self.context.tell_self(Step())

    def _step(self) -> None:
        if self.context.draining:
            return
        now = self._clock.now()
        due = self._outbox.due(self._installation)
        if due.paused_until is not None:
            if due.paused_until > now:
                self._go_on((due.paused_until - now).total_seconds())
                return
            self._outbox.pause(self._installation, None, "")
        # Turn and turn about: neither many checks nor many commands keep the others waiting.
        self._errand_next = not self._errand_next
        errand = None if self._errand_next else self._errand()
        if errand is not None:
            self._run(errand)
            return
        head = self._outbox.next_head(self._installation, now)
        if head is not None:
            self._tell(self._with_what_was_seen(head))
            return
        if (errand := self._errand()) is not None:
            self._run(errand)
            return
        fix = self._mender.next_fix(self._installation, now)
        if fix is not None:
            self._mend(*fix)
            return
        times = [due.at, *(one.due(self._installation) for one in self._parts.errands)]
        known = [(at - now).total_seconds() for at in times if at is not None]
        self._rest(min(known) if known else None)

    def _errand(self) -> Errand | None:
        now = self._clock.now()
        found = (one.next(self._installation, now) for one in self._parts.errands)
        return next((errand for errand in found if errand is not None), None)

    def _run(self, errand: Errand) -> None:
        wait = self._pace.wait(self._clock.monotonic(), self._parts.writes) if errand.writes else 0.0
        if wait:
            self._go_on(wait)
            return
        self.context.check()
        try:
            if errand.writes:
                self._sent()
            told = errand.run(self._parts.host(self._installation))
            if told:
                self._told(told)
        except GitHubLimitError as error:
            self._pause(error)
        except GitHubError as error:
            errand.failed(error)
        self._go_on()

    def _rest(self, seconds: float | None) -> None:
        """Nothing is due: a word about how far scans are, or sleep until something is."""
        self._seen = None
        if self._stages and not self._pace.wait(self._clock.monotonic(), self._parts.writes):
            self._report_progress(*self._stages.popitem())
            self._go_on()
        elif seconds is not None:
            self._go_on(max(seconds, 0.05))

    def _with_what_was_seen(self, head: Head) -> Head:
        """What was looked up at GitHub a step ago still holds, if it is about the same head."""
        seen = self._seen
        same = seen is not None and (seen.repo_id, seen.number, seen.sha, seen.wanted) == (
            head.repo_id, head.number, head.sha, head.wanted,
        )  # fmt: skip
        if seen is None or not same:
            return head
        return msgspec.structs.replace(head, current=seen.current, diff=seen.diff)

    def _tell(self, head: Head) -> None:
        step = telling.next_step(head)
        wait = self._pace.wait(self._clock.monotonic(), self._parts.writes) if telling.writes(step) else 0.0
        if wait:
            self._seen = head
            self._go_on(wait)
            return
        self.context.check()
        try:
            self._seen = self._carry_out(head, step)
        except GitHubError as error:
            self._not_done(head, step, error)
        self._go_on()

    def _mend(self, fix: Fix, step: fix_steps.Step) -> None:
        wait = self._pace.wait(self._clock.monotonic(), self._parts.writes) if fix_steps.writes(step) else 0.0
        if wait:
            self._go_on(wait)
            return
        self.context.check()
        try:
            if fix_steps.writes(step):
                self._sent()
            ended = self._mender.carry_out(fix, step, self._parts.bench(self._installation))
        except GitHubError as error:
            logger.warning("the fix of {}: {}", fix.full_name, error)
            ended = self._mender.failed(fix, step, error)
            if isinstance(error, GitHubLimitError):
                self._pause(error)
        if ended:
            self._parts.events.publish(GitHubFixed(self._installation, ended))
        self._go_on()

    def _not_done(self, head: Head, step: telling.Step, error: GitHubError) -> None:
        if isinstance(error, GitHubForbiddenError) and telling.speaks(step):
            logger.warning("{}#{} gets no comment: {}", head.full_name, head.number, error)
            self._outbox.leave_comment(head)
        elif telling.dispensable(step, error):
            logger.warning("{}#{} gets no suggestions: {}", head.full_name, head.number, error)
            self._outbox.leave_review(head)
        else:
            self._failed(head, error)

    def _failed(self, head: Head, error: GitHubError) -> None:
        self._seen = None
        if isinstance(error, GitHubLimitError):
            self._pause(error)
            return
        logger.warning("{}#{}: {}", head.full_name, head.number, error)
        self._outbox.put_off(head, f"{error} ({error.code})", telling.after_error(error, head.attempts))

    def _pause(self, error: GitHubLimitError) -> None:
        self._outbox.pause(self._installation, error.resumes_at, f"{error}")
        seconds = (error.resumes_at - self._clock.now()).total_seconds()
        self._parts.events.publish(GitHubPaused(self._installation, seconds, f"{error}"))

    def _carry_out(self, head: Head, step: telling.Step) -> Head:
        """Does one step and writes it down; gives the head with what was seen on the way."""
        outbox, host, name = self._outbox, self._parts.host(self._installation), head.full_name
        match step:
            case telling.Settled():
                outbox.settle(head)
            case telling.Renew():
                outbox.renew(head)
            case telling.NoComment():
                outbox.leave_comment(head)
            case telling.LookForCheck():
                found = [c for c in host.checks(name, NAME, head.sha) if c.external_id == head.external_id]
                first = min(found, key=lambda c: c.id) if found else None
                if first is None and not self._looked_twice(head, "check"):
                    return head
                outbox.record_check(head, first.id if first else None, first.annotations if first else 0, "")
            case telling.LookAtCheck():
                check = host.check(name, head.check_id or 0)
                outbox.record_check(head, check.id, check.annotations, head.concluded)
            case telling.LookAtPull():
                return self._look_at_pull(head)
            case telling.LookForComments():
                self._look_for_comments(head)
            case telling.CreateCheck(text=text, annotations=annotations):
                outbox.mark_posting(head, annotations=bool(annotations))
                self._sent()
                made = host.create_check(name, NAME, head.sha, head.external_id, text, annotations)
                outbox.record_check(head, made, len(annotations), text.conclusion, telling.digest(text))
                self._told("check")
            case telling.UpdateCheck(text=text, annotations=annotations):
                if annotations:
                    outbox.mark_posting(head, annotations=True)
                self._sent()
                host.update_check(name, head.check_id or 0, text, annotations)
                annotated = head.annotated + len(annotations)
                outbox.record_check(head, head.check_id, annotated, text.conclusion, telling.digest(text))
                self._told("check")
            case telling.CreateComment(body=body, said=said):
                outbox.mark_commenting(head)
                self._sent()
                comment = host.create_comment(name, head.number, body)
                outbox.record_comment(head, comment, said, done=True)
                self._told("comment")
            case telling.EditComment(body=body, said=said):
                self._edit(head, host, body, said)
            case _:
                return self._review(head, host, step)
        return head

    def _review(self, head: Head, host: Host, step: telling.Step) -> Head:
        outbox, name = self._outbox, head.full_name
        match step:
            case telling.NoReview():
                outbox.leave_review(head)
            case telling.LookForReview():
                found = [(r.id, about) for r in host.own_reviews(name, head.number) if (about := reviewed(r.body))]
                ours = next(((number, ids) for number, (sha, ids) in found if sha == head.sha), (None, ()))
                outbox.record_review(head, *ours)
            case telling.LookAtDiff(places=places):
                lines = self._parts.diffs.shown(head.repo_id, head.outcome.base, head.sha, places)
                if lines is None:
                    lines = host.shown(name, head.number, places)
                return msgspec.structs.replace(head, diff=lines)
            case telling.CreateReview(body=body, suggestions=suggestions):
                outbox.mark_reviewing(head)
                self._sent()
                made = host.create_review(name, head.number, head.sha, body, suggestions)
                outbox.record_review(head, made, step.findings)
                self._told("review")
        return head

    def _edit(self, head: Head, host: Host, body: str, said: tuple[Said, ...]) -> None:
        self._sent()
        try:
            host.edit_comment(head.full_name, head.comment_id or 0, body)
        except GitHubNotFoundError:
            # Somebody has deleted it: if there is still something to say, it is said anew.
            self._outbox.record_comment(head, None, (), done=False)
            return
        self._outbox.record_comment(head, head.comment_id, said, done=True)
        self._told("comment")

    def _look_at_pull(self, head: Head) -> Head:
        found = self._parts.host(self._installation).pull(head.full_name, head.number)
        current = found.open and found.head_sha == head.sha
        if found.open and not current and not self._outbox.knows_head(head.repo_id, head.number, found.head_sha):
            self._parts.rescan(head.repo_id, head.number, found.base_ref, found.head_sha)
        return msgspec.structs.replace(head, current=current)

    def _look_for_comments(self, head: Head) -> None:
        host = self._parts.host(self._installation)
        ours = [c for c in host.own_comments(head.full_name, head.number) if c.body.startswith(MARKER)]
        if not ours and not self._looked_twice(head, "comment"):
            return
        for double in ours[1:]:
            self._sent()
            host.delete_comment(head.full_name, double.id)
        self._outbox.record_comment(head, ours[0].id if ours else None, head.said, done=False)

    def _looked_twice(self, head: Head, what: str) -> bool:
        """Whether nothing was found for the second time; if not, it is looked again in a moment."""
        key = (head.repo_id, head.number, head.sha, head.generation, what)
        if not self._parts.second_look or key in self._missed:
            self._missed.discard(key)
            return True
        self._missed.add(key)
        self._outbox.put_off(head, "", timedelta(seconds=self._parts.second_look))
        return False

    def _report_progress(self, run: str, stage: str) -> None:
        now = self._clock.monotonic()
        if now - self._said_at.get(run, -_PROGRESS_EVERY) < _PROGRESS_EVERY:
            return
        head = self._outbox.running_check(UUID(run))
        if head is None or head.check_id is None:
            self._said_at.pop(run, None)
            return
        self._said_at[run] = now
        try:
            self._sent()
            self._parts.host(self._installation).update_check(
                head.full_name, head.check_id, under_way(stage, head.outcome.link), ()
            )
        except GitHubLimitError as error:
            self._failed(head, error)
        except GitHubError as error:
            logger.debug("how far the scan of {}#{} is was not told: {}", head.full_name, head.number, error)

    def _sent(self) -> None:
        self._pace = self._pace.after_write(self._clock.monotonic())

    def _told(self, what: str) -> None:
        self._parts.events.publish(GitHubTold(self._installation, what))
