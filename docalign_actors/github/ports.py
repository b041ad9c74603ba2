"""What this capability needs from outside, as protocols: GitHub itself, and the database."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from msgspec import Struct


class Annotation(Struct, frozen=True):
    """A remark on lines of a file, as a check run shows it."""

    path: str
    start_line: int
    end_line: int
    annotation_level: str
    message: str
    title: str = ""


class CheckText(Struct, frozen=True):
    """What a check run is to say. `conclusion`: "" while it is in progress."""

    title: str
    summary: str
    text: str = ""
    conclusion: str = ""
    details_url: str = ""


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


class FoundPull(Struct, frozen=True):
    """A pull request as GitHub knows it now."""

    number: int
    open: bool
    head_sha: str
    base_ref: str


class FailedDelivery(Struct, frozen=True):
    """A webhook that GitHub tried to deliver in vain."""

    id: int
    guid: str
    event: str
    delivered_at: str


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

    def react(self, repo: str, comment: int, content: str, *, review: bool = False) -> None: ...

    def permission(self, repo: str, user: str) -> str:
        """admin, write, read or none."""
        ...

    def dispatch(self, repo: str, event: str, payload: dict[str, Any]) -> None:
        """Raises AgentNotConfiguredError where nobody listens."""
        ...
