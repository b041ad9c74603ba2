"""What is asked of GitHub without any credentials: whether it is one, and those of an App that was just created."""

from __future__ import annotations

import json
from typing import Any

import github as pygithub
import msgspec
from msgspec import Struct

from docalign_actors import __version__
from docalign_actors.clock import Clock
from docalign_actors.errors import GitHubError, GitHubUnavailableError, NotGitHubError, RegistrationCodeError
from docalign_actors.github.registration import Place
from docalign_actors.hosts.github.client import UNREADABLE
from docalign_actors.hosts.github.faults import of_answer, translated


class _Owner(Struct, frozen=True):
    login: str = ""


class Registered(Struct, frozen=True):
    """A new App. Its secrets are there once, in GitHub's answer; `repr` leaves them out."""

    id: int
    slug: str
    pem: str
    webhook_secret: str
    name: str = ""
    html_url: str = ""
    owner: _Owner | None = None

    def __repr__(self) -> str:
        return f"Registered(id={self.id}, slug={self.slug!r})"


def look(place: Place, clock: Clock, *, timeout: int = 10) -> None:
    """Raises what is wrong with the address, if anything: nobody there, or somebody else."""
    status, _, body = _ask(place, clock, "GET", "/meta", timeout)
    if status in (404, 410) or status >= 500 or not isinstance(_read(body), dict):
        raise NotGitHubError(f"{place.api_url} does not answer as GitHub does (status {status}).")


def convert(place: Place, code: str, clock: Clock, *, timeout: int = 10) -> Registered:
    """The new App's credentials in exchange for the code. It works once, within an hour."""
    status, headers, body = _ask(place, clock, "POST", f"/app-manifests/{code}/conversions", timeout)
    data = _read(body)
    if status in (404, 410, 422):
        raise RegistrationCodeError
    if status not in (200, 201):
        said = str(data.get("message") or "") if isinstance(data, dict) else ""
        raise of_answer(status, {k.lower(): str(v) for k, v in headers.items()}, said, clock.now(), 0)
    try:
        return msgspec.convert(data, Registered)
    except msgspec.ValidationError:
        # Its words could hold a piece of a secret.
        raise GitHubError("GitHub's answer has no credentials that could be read.") from None


def _ask(place: Place, clock: Clock, verb: str, path: str, timeout: int) -> tuple[int, dict[str, Any], str]:
    client = pygithub.Github(
        base_url=place.api_url, timeout=timeout, user_agent=f"docalign-actors/{__version__}", retry=0,
        seconds_between_requests=None, seconds_between_writes=None,
    )  # fmt: skip
    try:
        return client.requester.requestJson(verb, path)
    except UNREADABLE as error:
        found = translated(error, clock.now(), 0)
        if isinstance(found, GitHubUnavailableError):
            # Nobody tries this again by himself.
            found.hint = f"Look whether this machine reaches {place.api_url}, then run the command again."
        raise found from None


def _read(body: str) -> Any:
    try:
        return json.loads(body)
    except ValueError:
        return None
