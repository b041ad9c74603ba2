"""Decides what is done about a repository that is due: whether it is looked at, which scan follows, when it is due again. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from uuid import UUID

from msgspec import Struct

from docalign_actors.scans.model import RepoId, ScanType
from docalign_actors.watch.circuit import COUNTED, Circuit, barred_until
from docalign_actors.watch.recurrence import Every, Never, Recurrence, next_time, phase_of

INITIAL, AGAIN = "initial", "re-scan"
_SOON = 300.0
"""Seconds after which a full scan that could not be asked for is thought of again, where nothing else is due before."""


class Numbers(Struct, frozen=True):
    """What an operator may set: the rules of repositories that have none of their own, and when a failed scan is tried again."""

    check: Recurrence = Every(300)
    full: Recurrence = Every(604_800)
    retry: float = 3_600.0


class Due(Struct, frozen=True, kw_only=True):
    """A repository whose time has come.

    check, full    its own rules; None where the service's hold
    seen_head      the head of the default branch at the last look
    scanned_head   the head that was scanned last, on `scanned_branch`; "" for none
    scanned        whether it was ever scanned
    busy           whether a scan of the default branch waits or runs
    elsewhere      whether somebody else looks at its head: the GitHub App does so for its own
    followed       other branches that applications subscribe to, each with the commit that they were told of last
    failed_code    why the last scan of the default branch failed; "" if it did not
    """

    repo_id: RepoId
    url: str
    due_at: datetime
    check_at: datetime | None = None
    full_at: datetime | None = None
    check: Recurrence | None = None
    full: Recurrence | None = None
    seen_head: str = ""
    scanned_head: str = ""
    scanned_branch: str = ""
    scanned: bool = False
    busy: bool = False
    elsewhere: bool = False
    followed: Mapping[str, str] = {}
    failed_code: str = ""
    failed_at: datetime | None = None
    circuit: Circuit = Circuit()


class Head(Struct, frozen=True):
    """The default branch of a repository and its commit, "" for one without a commit.

    follows   whether it descends from the commit that was scanned last; None where that costs more than a look
    others    the commits of the other branches that were asked for, without those that are not there
    """

    branch: str
    sha: str
    follows: bool | None = None
    others: Mapping[str, str] = {}


class Wanted(Struct, frozen=True):
    """A scan to ask for. kind: initial or re-scan."""

    type: ScanType
    kind: str
    why: str
    before: str = ""
    after: str = ""


class Plan(Struct, frozen=True):
    """When it is due again."""

    check_at: datetime | None
    full_at: datetime | None


class Wait(Struct, frozen=True):
    """Its circuit is open: not before this."""

    until: datetime


class Look(Struct, frozen=True):
    """Its head is to be looked at."""


class Ask(Struct, frozen=True):
    """No look is needed."""


Step = Wait | Look | Ask


def first_step(due: Due, now: datetime, numbers: Numbers) -> Step:
    """What to do with a repository that is due."""
    barred = barred_until(due.circuit, now)
    if barred is not None:
        return Wait(barred)
    watched = not isinstance(due.check or numbers.check, Never)
    if due.elsewhere or (due.busy and not _is_due(due.full_at, now)) or not (watched or _full_due(due, now, numbers)):
        return Ask()
    return Look()


def wanted(due: Due, head: Head | None, now: datetime, numbers: Numbers) -> Wanted | None:
    """The scan that is to be asked for. `head`: None if nobody looked. A full scan that is due is asked for although another
    scan waits; the admission gives it the full scan that is there already, if there is one."""
    if not due.scanned:
        if due.busy or _rests(due, head, now, numbers):
            return None
        return Wanted(ScanType.FULL, INITIAL, "it was never scanned")
    if _full_due(due, now, numbers):
        return Wanted(ScanType.FULL, AGAIN, "a full scan is due")
    if head is None or due.busy or _rests(due, head, now, numbers):
        return None
    if due.failed_code:
        return Wanted(ScanType.FULL, AGAIN, "the last scan failed")
    return _moved(due, head)


def plan(due: Due, step: Step, now: datetime, numbers: Numbers, *, reached: bool) -> Plan:
    """When it is due again. `reached`: whether the repository answered; a full scan that could not be asked for stays due."""
    phase = phase_of(UUID(int=due.repo_id.int))
    check_rule, full_rule = due.check or numbers.check, due.full or numbers.full
    check_at = due.check_at
    if check_at is None or check_at <= now:
        check_at = next_time(check_rule, now, phase)
    if due.elsewhere and due.scanned:
        check_at = None
    if isinstance(step, Wait):
        check_at = _not_before(check_at, step.until, phase)
    full_at = due.full_at
    if full_at is None or (full_at <= now and reached):
        full_at = next_time(full_rule, now, phase)
    elif full_at <= now:
        pause = step.until if isinstance(step, Wait) else now + timedelta(seconds=_SOON)
        full_at = check_at or _not_before(full_at, pause, phase)
    if isinstance(full_rule, Never):
        full_at = None
    return Plan(check_at, full_at)


def _moved(due: Due, head: Head) -> Wanted | None:
    if head.branch and due.scanned_branch and head.branch != due.scanned_branch:
        return Wanted(ScanType.FULL, AGAIN, "another branch is the default now")
    if head.sha == due.scanned_head:
        return _follow(due, head)
    if not head.sha:
        return Wanted(ScanType.FULL, AGAIN, "it was emptied")
    if not due.scanned_head:
        return Wanted(ScanType.FULL, AGAIN, "it has its first commit")
    if head.follows is False:
        return Wanted(ScanType.FULL, AGAIN, "its history was rewritten")
    return Wanted(ScanType.PUSH, AGAIN, "the head moved", due.scanned_head, head.sha)


def _follow(due: Due, head: Head) -> Wanted | None:
    """A scan of the head as it is brings the other branches, and its end tells what became of them; nothing is judged anew."""
    if all(head.others.get(name, "") == told for name, told in due.followed.items()):
        return None
    why = "a branch that is subscribed to moved"
    if not due.scanned_head:
        return Wanted(ScanType.FULL, AGAIN, why)
    return Wanted(ScanType.PUSH, AGAIN, why, due.scanned_head, due.scanned_head)


def _rests(due: Due, head: Head | None, now: datetime, numbers: Numbers) -> bool:
    """A scan that failed is not tried again at once, unless git was the reason, and works now, or there is something new."""
    if not due.failed_code or due.failed_code in COUNTED or due.failed_at is None:
        return False
    news = head is not None and head.sha != (due.seen_head or due.scanned_head)
    return not news and now - due.failed_at < timedelta(seconds=numbers.retry)


def _full_due(due: Due, now: datetime, numbers: Numbers) -> bool:
    return _is_due(due.full_at, now) and not isinstance(due.full or numbers.full, Never)


def _is_due(at: datetime | None, now: datetime) -> bool:
    return at is not None and at <= now


def _not_before(at: datetime | None, until: datetime, phase: float) -> datetime | None:
    """Those that were barred together do not come back together."""
    return None if at is None else max(at, until + timedelta(seconds=60 * phase))
