"""What this capability needs from outside, as protocols: GitHub itself, and the database."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any, Protocol

from msgspec import Struct

from docalign_actors.github.events import Known, NotePull, Register, SaveInstallation
from docalign_actors.github.payloads import Taken
from docalign_actors.scans.model import RepoId, RunId

Place = tuple[str, int]
"""A path and a line."""


class Annotation(Struct, frozen=True):
    """A remark on lines of a file, as a check run shows it."""

    path: str
    start_line: int
    end_line: int
    annotation_level: str
    message: str
    title: str = ""


class Action(Struct, frozen=True):
    """A button of a check run. GitHub takes 20 characters of label and identifier, and 40 of description."""

    label: str
    description: str
    identifier: str


class CheckText(Struct, frozen=True):
    """What a check run is to say. `conclusion`: "" while it is in progress."""

    title: str
    summary: str
    text: str = ""
    conclusion: str = ""
    details_url: str = ""
    actions: tuple[Action, ...] = ()


class FoundCheck(Struct, frozen=True):
    """A check run as GitHub knows it."""

    id: int
    external_id: str
    status: str
    annotations: int


class FoundComment(Struct, frozen=True):
    """A comment of this App."""

    id: int
    body: str


class ThumbDown(Struct, frozen=True):
    """A 👎 of a person on a suggestion of this App."""

    id: int
    user: str
    findings: tuple[str, ...]


class FoundPull(Struct, frozen=True):
    """A pull request as GitHub knows it now; `repository`: the number and the name of the one that it goes to, where they were
    asked for."""

    number: int
    open: bool
    head_sha: str
    base_ref: str
    repository: tuple[int, str] | None = None


class FailedDelivery(Struct, frozen=True):
    """A webhook that GitHub tried to deliver in vain."""

    id: int
    guid: str
    event: str
    action: str


class DiffLine(Struct, frozen=True):
    """A line of the new file that the diff of a pull request shows, without its end."""

    path: str
    line: int
    text: str


class Suggestion(Struct, frozen=True):
    """A remark on one line, with what is to stand there instead."""

    path: str
    line: int
    body: str
    findings: tuple[str, ...]


class FoundReview(Struct, frozen=True):
    """A review of this App."""

    id: int
    body: str


class Host(Protocol):
    """GitHub, as one installation of the App sees it. Each call is one request, and raises a GitHubError or succeeds."""

    def create_check(
        self, repo: str, name: str, head_sha: str, external_id: str, text: CheckText, annotations: Sequence[Annotation]
    ) -> int: ...

    def update_check(self, repo: str, check: int, text: CheckText, annotations: Sequence[Annotation]) -> None: ...

    def check(self, repo: str, check: int) -> FoundCheck: ...

    def checks(self, repo: str, name: str, head_sha: str) -> list[FoundCheck]: ...

    def pull(self, repo: str, number: int) -> FoundPull: ...

    def own_comments(self, repo: str, number: int) -> list[FoundComment]:
        """The comments of this App, oldest first. Nobody else's, whatever they contain."""
        ...

    def create_comment(self, repo: str, number: int, body: str) -> int: ...

    def edit_comment(self, repo: str, comment: int, body: str) -> None: ...

    def delete_comment(self, repo: str, comment: int) -> None: ...

    def create_review(self, repo: str, number: int, head_sha: str, body: str, remarks: Sequence[Suggestion]) -> int:
        """One review with all its remarks: GitHub takes all of it or nothing."""
        ...

    def shown(self, repo: str, number: int, places: Collection[Place]) -> tuple[DiffLine, ...]:
        """Those of the places that the diff shows, as far as GitHub lists its files: 3,000, a hundred in a request."""
        ...

    def own_reviews(self, repo: str, number: int) -> list[FoundReview]:
        """The reviews of this App, oldest first."""
        ...

    def own_review_comments(self, repo: str, number: int) -> list[FoundComment]:
        """The comments of this App on lines, oldest first."""
        ...

    def reply(self, repo: str, number: int, comment: int, body: str) -> int:
        """In the thread of a comment on a line."""
        ...

    def react(self, repo: str, comment: int, content: str, *, review: bool = False) -> None:
        """A reaction that is there already stays the only one of its sort."""
        ...

    def thumbs_down(self, repo: str, number: int) -> list[ThumbDown]:
        """What people think of our suggestions on a pull request; one request, and one for each that somebody dislikes."""
        ...

    def file(self, repo: str, path: str) -> bytes | None:
        """A file of the default branch; None if it is not there."""
        ...

    def permission(self, repo: str, user: str) -> str:
        """admin, write, read or none."""
        ...

    def dispatch(self, repo: str, event: str, payload: dict[str, Any]) -> None:
        """Raises AgentNotConfiguredError where nobody listens."""
        ...


class Diffs(Protocol):
    """What git knows of a pull request's diff."""

    def shown(self, repo: RepoId, base: str, head: str, places: Collection[Place]) -> tuple[DiffLine, ...] | None:
        """Those of the places in the new files that the diff shows, with what they say; None if git does not know."""
        ...


# The database


class Waiting(Struct, frozen=True):
    """A delivery that has not led to anything yet."""

    app_id: int
    delivery: str
    event: str
    content: bytes
    attempts: int


class Enrolled(Struct, frozen=True):
    """A repository of GitHub that is registered; `unseen`: nobody has ever asked for a scan of it."""

    repo_id: RepoId
    unseen: bool


class PullToRescan(Struct, frozen=True, kw_only=True):
    """A pull request that somebody (`author`) wants to be looked at again."""

    repo_id: RepoId
    number: int
    base_ref: str
    head_sha: str
    open: bool
    author: str
    installation: int


class OpenPull(Struct, frozen=True):
    number: int
    base_ref: str
    head_sha: str


class Inbox(Protocol):
    """What has come from GitHub, and what is known of it. Every method is one transaction."""

    def keep(self, taken: Sequence[Taken]) -> None:
        """Writes a batch down. One that is there already stays, unless it had failed: then it is tried again."""
        ...

    def waiting(self, most: int, now: datetime) -> list[Waiting]:
        """The oldest first. A delivery that waits for another attempt keeps nobody waiting."""
        ...

    def known(self, app_id: int, github_id: int, number: int | None) -> Known: ...

    def done(self, app_id: int, delivery: str) -> None: ...

    def put_off(self, app_id: int, delivery: str, error: str, due_at: datetime | None) -> None:
        """It failed: to be tried again then, or never."""
        ...

    def save_installation(self, command: SaveInstallation) -> None: ...

    def remove_installation(self, installation: int) -> list[RepoId]:
        """Gives the repositories that were registered through it."""
        ...

    def enrol(self, command: Register) -> Enrolled: ...

    def repo_of(self, github_id: int, installation: int | None = None) -> RepoId | None: ...

    def dismiss(self, repo: RepoId) -> None:
        """Forgets what is known of a repository on GitHub; the repository itself is removed by whoever removes those."""
        ...

    def rename(self, github_id: int, full_name: str) -> None: ...

    def archive(self, github_id: int, archived: bool) -> None: ...

    def note_pull(self, command: NotePull) -> None: ...

    def note_push(self, github_id: int, at: datetime) -> None: ...

    def pulls_with_head(self, github_id: int, head: str) -> list[OpenPull]: ...

    def runs_of_pull(self, repo: RepoId, number: int) -> list[RunId]:
        """What waits or runs."""
        ...

    def note_refusal(self, repo: RepoId, number: int, head: str, notice: str, resumes_at: datetime | None) -> None:
        """There will be no scan of this head, and this is why: its check says so."""
        ...


class FixDesk(Protocol):
    """Where fixes are asked for, by people or on their behalf."""

    def ask_fix(self, repo: RepoId, pull: int | None, findings: tuple[str, ...], asked_by: str, source: str) -> bool:
        """Writes the wish down. False if it was asked for from the same source before, or the repository is not GitHub's."""
        ...
