"""Decides what an event leads to. Pure: (event, what is known) → commands, in order.

Events are late, doubled and out of order. So each is compared with what is known: a pull request that was changed later
than the event says is left as it is, and so is a branch that was pushed to later. An event of a repository that nobody told
us about registers it: the event that should have done so was lost.
"""

from __future__ import annotations

from datetime import UTC, datetime

from msgspec import Struct

from docalign_actors.github.markers import number_in
from docalign_actors.github.payloads import (
    Account,
    CheckRunEvent,
    CheckSuiteEvent,
    Comment,
    Event,
    InstallationEvent,
    InstallationRepositoriesEvent,
    IssueCommentEvent,
    ListedRepository,
    PullRequestEvent,
    PushEvent,
    Repository,
    RepositoryEvent,
    ReviewCommentEvent,
    ReviewThreadEvent,
)

# What is known


class KnownPull(Struct, frozen=True):
    """A pull request as the last event left it."""

    state: str
    head_sha: str
    base_ref: str
    updated_at: datetime


class Known(Struct, frozen=True):
    """What the database says about what an event speaks of."""

    app_id: int
    registered: bool = False
    archived: bool = False
    pushed_at: datetime = datetime(1970, 1, 1, tzinfo=UTC)
    pull: KnownPull | None = None
    full_name: str = ""
    paused: bool = False
    """Whether nothing of the repository is checked for now."""
    own_login: str = ""
    """Under which name our App writes; "" where nobody has asked."""


# Commands


class SaveInstallation(Struct, frozen=True):
    """An installation is there, or has changed."""

    id: int
    account: str
    state: str
    permissions: dict[str, str]


class RemoveInstallation(Struct, frozen=True):
    """An installation is gone, with all its repositories."""

    id: int


class Register(Struct, frozen=True):
    """A repository belongs to an installation. Nothing happens if that is known. `scan`: look at all of it, if it is new."""

    github_id: int
    full_name: str
    installation: int
    scan: bool = False


class Remove(Struct, frozen=True):
    """A repository is gone, or is no business of ours any more. `installation`: only if it belongs to that one; another may have
    taken it over."""

    github_id: int
    installation: int | None = None


class Rename(Struct, frozen=True):
    github_id: int
    full_name: str


class Archive(Struct, frozen=True):
    """A repository was archived, or is alive again."""

    github_id: int
    archived: bool


class NotePull(Struct, frozen=True):
    """A pull request as it is now."""

    github_id: int
    number: int
    state: str
    draft: bool
    head_sha: str
    head_repo: str
    base_ref: str
    author: str
    updated_at: datetime


class NotePush(Struct, frozen=True):
    """The default branch was pushed to at this time."""

    github_id: int
    at: datetime


class ScanPull(Struct, frozen=True):
    github_id: int
    number: int
    base: str
    head: str


class ScanHead(Struct, frozen=True):
    """Scan every open pull request with this head again: somebody asked for it."""

    github_id: int
    head: str


class ScanPush(Struct, frozen=True):
    github_id: int
    before: str
    after: str


class ScanFull(Struct, frozen=True):
    github_id: int


class CancelPull(Struct, frozen=True):
    """Stop what waits or runs for a pull request."""

    github_id: int
    number: int
    reason: str


class Record(Struct, frozen=True):
    """Somebody gave commands. place: issue, review, check, thread or reaction; source: GitHub's number of it."""

    github_id: int
    place: str
    source: int
    number: int
    pull: bool
    author: str
    lines: tuple[str, ...]
    bot: bool = False


class RecordAction(Struct, frozen=True):
    """Somebody pressed a button of a check run. number: of the pull request, as our name for the check says; 0 if it does not,
    and then the head tells."""

    github_id: int
    number: int
    head: str
    author: str
    bot: bool = False


class RecordClosing(Struct, frozen=True):
    """A pull request was closed: what people thought of our suggestions can be seen now."""

    github_id: int
    number: int


Command = (
    SaveInstallation
    | RemoveInstallation
    | Register
    | Remove
    | Rename
    | Archive
    | NotePull
    | NotePush
    | ScanPull
    | ScanHead
    | ScanPush
    | ScanFull
    | CancelPull
    | Record
    | RecordAction
    | RecordClosing
)
Commands = tuple[Command, ...]
_STATES = {"suspend": "suspended", "deleted": "deleted"}


def decide(event: Event, known: Known) -> Commands:
    """What is to be done, in this order. Doing it twice does no more than doing it once."""
    match event:
        case InstallationEvent():
            return _installation(event)
        case InstallationRepositoriesEvent(installation=installation):
            added = _registrations(event.repositories_added, installation.id)
            return (_save(event), *added, *(Remove(r.id, installation.id) for r in event.repositories_removed))
        case RepositoryEvent():
            return _repository(event, known)
        case PullRequestEvent():
            return (*_found(event, known), *_under_its_name(event, known, _pull(event, known)))
        case PushEvent():
            return (*_found(event, known), *_under_its_name(event, known, _push(event, known)))
        case CheckRunEvent(check_run=check) | CheckSuiteEvent(check_suite=check):
            if check.app is None or check.app.id != known.app_id:
                return ()  # somebody else's check
            if event.action == "requested_action":
                return _button(event) if isinstance(event, CheckRunEvent) else ()
            return (*_found(event, known), ScanHead(event.repository.id, check.head_sha))
        case IssueCommentEvent(issue=issue, comment=comment):
            said = _said(event, "issue", comment, issue.number, issue.pull_request is not None, known)
            return (*_found(event, known), *said) if said else ()
        case ReviewCommentEvent(pull_request=pull, comment=comment):
            said = _said(event, "review", comment, pull.number, True, known)
            return (*_found(event, known), *said) if said else ()
        case ReviewThreadEvent():
            return _dismissal(event, known)
    raise AssertionError(event)


def _installation(event: InstallationEvent) -> Commands:
    if event.action == "deleted":
        return (RemoveInstallation(event.installation.id),)
    return (_save(event), *_registrations(event.repositories, event.installation.id))


def _save(event: InstallationEvent | InstallationRepositoriesEvent) -> SaveInstallation:
    installation = event.installation
    account = installation.account.login if installation.account is not None else ""
    return SaveInstallation(installation.id, account, _STATES.get(event.action, "active"), installation.permissions)


def _registrations(repositories: tuple[ListedRepository, ...], installation: int) -> Commands:
    return tuple(Register(r.id, r.full_name, installation, scan=True) for r in repositories)


def _said(
    event: IssueCommentEvent | ReviewCommentEvent, place: str, comment: Comment, number: int, pull: bool, known: Known
) -> Commands:
    """Our own comments are not answered, whatever stands in them."""
    via = comment.performed_via_github_app
    if comment.user is None or (via is not None and via.id == known.app_id):
        return ()
    bot = via is not None or is_bot(comment.user)
    lines = tuple((comment.body or "").splitlines())
    return (Record(event.repository.id, place, comment.id, number, pull, comment.user.login, lines, bot),)


def is_bot(account: Account) -> bool:
    """Whether no person stands behind an account."""
    return account.type != "User" or account.login.endswith("[bot]")


def _button(event: CheckRunEvent) -> Commands:
    action, who = event.requested_action, event.sender
    if action is None or action.identifier != "fix" or who is None:
        return ()
    check = event.check_run
    number = number_in(check.external_id or "")
    return (RecordAction(event.repository.id, number, check.head_sha, who.login, is_bot(who)),)


def _dismissal(event: ReviewThreadEvent, known: Known) -> Commands:
    """Somebody resolved a thread that we began. A bot that tidies up has judged nothing."""
    first, who = event.thread.comments[0], event.sender
    ours = first.user is not None and known.own_login != "" and first.user.login == known.own_login
    if not ours or who is None or is_bot(who) or not known.registered:
        return ()
    number = event.pull_request.number
    findings = tuple((first.body or "").splitlines())
    return (Record(event.repository.id, "thread", first.id, number, True, who.login, findings),)


_Spoken = PullRequestEvent | PushEvent | CheckRunEvent | CheckSuiteEvent | IssueCommentEvent | ReviewCommentEvent


def _found(event: _Spoken, known: Known) -> Commands:
    """Registers what an event speaks of and nobody has told us about."""
    if known.registered or event.installation is None:
        return ()
    return (Register(event.repository.id, event.repository.full_name, event.installation.id, scan=True),)


def _under_its_name(event: PullRequestEvent | PushEvent, known: Known, commands: Commands) -> Commands:
    """What is not late names the repository as it is called now: the event that renamed it may have been lost."""
    name = event.repository.full_name
    renamed = bool(commands) and known.full_name not in ("", name)
    return (Rename(event.repository.id, name), *commands) if renamed else commands


def _repository(event: RepositoryEvent, known: Known) -> Commands:
    repository = event.repository
    if not known.registered:
        return ()
    match event.action:
        case "deleted":
            return (Remove(repository.id),)
        case "renamed":
            return (Rename(repository.id, repository.full_name),)
        case "transferred":
            moved = (Rename(repository.id, repository.full_name),)
            owner = event.installation
            return (*moved, Register(repository.id, repository.full_name, owner.id)) if owner is not None else moved
        case "archived" | "unarchived":
            return (Archive(repository.id, event.action == "archived"),)
    other = event.changes is not None and event.changes.default_branch is not None
    return (ScanFull(repository.id),) if other else ()


def _pull(event: PullRequestEvent, known: Known) -> Commands:
    pull, before = event.pull_request, known.pull
    if before is not None and _late(event, before):
        return ()
    state = "open" if pull.state == "open" else "merged" if pull.merged else "closed"
    note = NotePull(
        event.repository.id, event.number, state, pull.draft, pull.head.sha,
        pull.head.repo.full_name if pull.head.repo is not None else "", pull.base.ref,
        pull.user.login if pull.user is not None else "", pull.updated_at,
    )  # fmt: skip
    if state != "open":
        stop = CancelPull(event.repository.id, event.number, f"the pull request was {state}")
        return (stop, note, RecordClosing(event.repository.id, event.number))
    scanned = (
        before is not None
        and before.state == "open"
        and (before.head_sha, before.base_ref) == (pull.head.sha, pull.base.ref)
    )
    if scanned or known.archived:
        return (note,)
    # First the scan: what is noted is taken to have been scanned.
    return (ScanPull(event.repository.id, event.number, pull.base.ref, pull.head.sha), note)


def _late(event: PullRequestEvent, before: KnownPull) -> bool:
    """Whether something newer is known. GitHub's times are whole seconds; nothing comes before `opened`."""
    at = event.pull_request.updated_at
    return at < before.updated_at or (at == before.updated_at and event.action == "opened")


def _push(event: PushEvent, known: Known) -> Commands:
    if event.ref != f"refs/heads/{event.repository.default_branch}" or event.deleted or not event.after.strip("0"):
        return ()
    at = pushed_at(event.repository)
    if known.archived or known.paused or (at is not None and at < known.pushed_at):
        return ()
    noted = (NotePush(event.repository.id, at),) if at is not None else ()
    return (ScanPush(event.repository.id, event.before, event.after), *noted)


def pushed_at(repository: Repository) -> datetime | None:
    """When the repository was last pushed to, in whichever way the payload says so."""
    match repository.pushed_at:
        case int(seconds) if 0 <= seconds < 2**40:
            return datetime.fromtimestamp(seconds, UTC)
        case str(text):
            try:
                found = datetime.fromisoformat(text)
            except ValueError:
                return None
            return found if found.tzinfo is not None else found.replace(tzinfo=UTC)
    return None
