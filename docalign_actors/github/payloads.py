"""What a webhook says, as much of it as is needed. Everything else in a payload is left unread: GitHub's own examples do not
fit GitHub's own schema."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import msgspec
from msgspec import Struct

from docalign_actors.github.commands import lines_of
from docalign_actors.github.markers import suggested_in

_LONGEST_ERROR = 500


class Installation(Struct, frozen=True):
    """Which installation an event belongs to."""

    id: int


class Account(Struct, frozen=True):
    login: str
    type: str = "User"


class InstallationDetail(Struct, frozen=True):
    id: int
    account: Account | None = None
    permissions: dict[str, str] = {}


class ListedRepository(Struct, frozen=True):
    """A repository in an installation's list."""

    id: int
    full_name: str


class Repository(Struct, frozen=True):
    id: int
    full_name: str
    default_branch: str = ""
    archived: bool = False
    pushed_at: int | str | None = None
    """A number in pushes, a date elsewhere."""


class Head(Struct, frozen=True):
    ref: str
    sha: str
    repo: ListedRepository | None = None
    """None where the fork is gone."""


class Pull(Struct, frozen=True):
    number: int
    state: str
    head: Head
    base: Head
    updated_at: datetime
    draft: bool = False
    merged: bool = False
    user: Account | None = None


class InstallationEvent(Struct, frozen=True):
    action: str
    installation: InstallationDetail
    repositories: tuple[ListedRepository, ...] = ()


class InstallationRepositoriesEvent(Struct, frozen=True):
    action: str
    installation: InstallationDetail
    repositories_added: tuple[ListedRepository, ...] = ()
    repositories_removed: tuple[ListedRepository, ...] = ()


class Before(Struct, frozen=True):
    """What a field was: its presence says that it has changed."""


class RepositoryChanges(Struct, frozen=True):
    default_branch: Before | None = None


class RepositoryEvent(Struct, frozen=True):
    action: str
    repository: Repository
    installation: Installation | None = None
    changes: RepositoryChanges | None = None


class PullRequestEvent(Struct, frozen=True):
    action: str
    number: int
    pull_request: Pull
    repository: Repository
    installation: Installation | None = None


class PushEvent(Struct, frozen=True):
    ref: str
    before: str
    after: str
    repository: Repository
    deleted: bool = False
    installation: Installation | None = None


class CheckApp(Struct, frozen=True):
    id: int


class Check(Struct, frozen=True):
    """A check run or suite. Its list of pull requests is mostly empty: the head is what counts."""

    head_sha: str
    external_id: str | None = None
    """What we called it."""
    app: CheckApp | None = None


class RequestedAction(Struct, frozen=True):
    identifier: str


class CheckRunEvent(Struct, frozen=True):
    action: str
    check_run: Check
    repository: Repository
    installation: Installation | None = None
    requested_action: RequestedAction | None = None
    sender: Account | None = None


class CheckSuiteEvent(Struct, frozen=True):
    action: str
    check_suite: Check
    repository: Repository
    installation: Installation | None = None


class Issue(Struct, frozen=True):
    """What is commented on. `pull_request` is there only where it is one."""

    number: int
    pull_request: Before | None = None


class PullNumber(Struct, frozen=True):
    number: int


class Comment(Struct, frozen=True):
    """Somebody's comment; of its text only what matters is kept."""

    id: int
    body: str | None = None
    user: Account | None = None
    performed_via_github_app: CheckApp | None = None


class IssueCommentEvent(Struct, frozen=True):
    action: str
    issue: Issue
    comment: Comment
    repository: Repository
    installation: Installation | None = None


class ReviewCommentEvent(Struct, frozen=True):
    action: str
    pull_request: PullNumber
    comment: Comment
    repository: Repository
    installation: Installation | None = None


class Thread(Struct, frozen=True):
    comments: tuple[Comment, ...] = ()


class ReviewThreadEvent(Struct, frozen=True):
    action: str
    pull_request: PullNumber
    thread: Thread
    repository: Repository
    installation: Installation | None = None
    sender: Account | None = None


Event = (
    InstallationEvent
    | InstallationRepositoriesEvent
    | RepositoryEvent
    | PullRequestEvent
    | PushEvent
    | CheckRunEvent
    | CheckSuiteEvent
    | IssueCommentEvent
    | ReviewCommentEvent
    | ReviewThreadEvent
)

_KINDS: dict[str, Any] = {
    "installation": InstallationEvent,
    "installation_repositories": InstallationRepositoriesEvent,
    "repository": RepositoryEvent,
    "pull_request": PullRequestEvent,
    "push": PushEvent,
    "check_run": CheckRunEvent,
    "check_suite": CheckSuiteEvent,
    "issue_comment": IssueCommentEvent,
    "pull_request_review_comment": ReviewCommentEvent,
    "pull_request_review_thread": ReviewThreadEvent,
}
EVENTS = frozenset(_KINDS)
"""The events that lead to anything."""
_ACTIONS: dict[str, frozenset[str]] = {
    "installation": frozenset({"created", "deleted", "suspend", "unsuspend", "new_permissions_accepted"}),
    "installation_repositories": frozenset({"added", "removed"}),
    "repository": frozenset({"renamed", "transferred", "deleted", "archived", "unarchived", "edited"}),
    "pull_request": frozenset({"opened", "reopened", "synchronize", "ready_for_review", "edited", "closed"}),
    "push": frozenset({""}),
    "check_run": frozenset({"rerequested", "requested_action"}),
    "check_suite": frozenset({"rerequested"}),
    "issue_comment": frozenset({"created"}),
    "pull_request_review_comment": frozenset({"created"}),
    "pull_request_review_thread": frozenset({"resolved"}),
}
_decoders = {name: msgspec.json.Decoder(kind) for name, kind in _KINDS.items()}


class _Head(Struct, frozen=True):
    """The first look at a payload: most events need no second."""

    action: str = ""
    installation: Installation | None = None


_head = msgspec.json.Decoder(_Head)


class Taken(Struct, frozen=True):
    """A webhook as it is written down. `content`: what is needed of it, as JSON; "" if it cannot be read, and why."""

    app_id: int
    delivery: str
    event: str
    action: str = ""
    installation: int | None = None
    content: bytes = b""
    raw: bytes = b""
    error: str = ""


def concerns(event: str, action: str) -> bool:
    """Whether such an event leads to anything."""
    return action in _ACTIONS.get(event, ())


def take(app_id: int, delivery: str, event: str, raw: bytes) -> Taken | None:
    """What is to be written down of a webhook; None if it says nothing that concerns us."""
    if event not in _KINDS:
        return None
    try:
        head = _head.decode(raw)
        if head.action not in _ACTIONS[event]:
            return None
        number = head.installation.id if head.installation is not None else None
        found = _needed(_decoders[event].decode(raw))
        if found is None:
            return None
        return Taken(app_id, delivery, event, head.action, number, msgspec.json.encode(found).replace(b"\\u0000", b""))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        return Taken(app_id, delivery, event, raw=raw, error=f"{type(error).__name__}: {error}"[:_LONGEST_ERROR])


def _needed(event: Event) -> Event | None:
    """What people write is read here and not kept: the lines that command, or which findings a thread is about."""
    match event:
        case IssueCommentEvent(comment=comment) | ReviewCommentEvent(comment=comment):
            lines = lines_of(comment.body or "")
            kept = msgspec.structs.replace(comment, body="\n".join(lines))
            return msgspec.structs.replace(event, comment=kept) if lines else None
        case ReviewThreadEvent(thread=thread):
            first = thread.comments[0] if thread.comments else None
            findings = suggested_in(first.body or "") if first is not None else ()
            if first is None or not findings:
                return None
            kept = msgspec.structs.replace(first, body="\n".join(findings))
            return msgspec.structs.replace(event, thread=Thread((kept,)))
    return event


def read(event: str, content: bytes) -> Event:
    """What was written down, again."""
    found: Event = _decoders[event].decode(content)
    return found
