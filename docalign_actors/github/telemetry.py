"""What this capability tells the stream of telemetry."""

from __future__ import annotations

from typing import ClassVar

from docalign_actors.telemetry.events import Event


class WebhookTaken(Event, frozen=True, tag="github.webhook"):
    """A webhook came. outcome: kept, ignored (it does not concern us), unreadable."""

    kept: ClassVar[bool] = False
    name: str
    outcome: str


class GitHubPaused(Event, frozen=True, tag="github.paused"):
    """GitHub asked us to wait, or does not answer."""

    installation: int
    seconds: float
    reason: str


class GitHubTold(Event, frozen=True, tag="github.told"):
    """Something was told to GitHub. what: check, comment, review, reaction, reply."""

    kept: ClassVar[bool] = False
    installation: int
    what: str


class CommandAnswered(Event, frozen=True, tag="github.command"):
    """A command was carried out. result: started, done, refused."""

    kept: ClassVar[bool] = False
    command: str
    result: str


class GitHubFixed(Event, frozen=True, tag="github.fixed"):
    """A fix that somebody asked for has ended: pushed, opened, nothing or failed."""

    kept: ClassVar[bool] = False
    installation: int
    state: str
