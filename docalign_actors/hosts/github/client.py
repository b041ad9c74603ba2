"""The App's client: one for the App itself, one for each installation. Blocking: to be used in actors' threads only.

PyGithub repeats writes by itself unless told otherwise, and waits within a call when GitHub asks it to. Neither happens
here: every call is one request, with a time-out, and says how it went; whoever called decides what follows.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, TypeVar
from urllib.parse import unquote

import github as pygithub
import requests
from github import GithubException, GithubIntegration
from msgspec import Struct

from docalign_actors import __version__
from docalign_actors.clock import Clock
from docalign_actors.errors import GitHubError, GitHubLimitError, GitHubTokenError, GitHubUnavailableError
from docalign_actors.github.ports import FailedDelivery, FoundPull
from docalign_actors.github.views import Rate
from docalign_actors.hosts.github.credentials import AppCredentials, CachedAuth, TokenCache
from docalign_actors.hosts.github.faults import of_answer, translated
from docalign_actors.settings.kinds import Secret

T = TypeVar("T")
_MOST_CLIENTS = 500
_MOST_PAGES = 10
_CURSOR = re.compile(r"<[^>]*[?&]cursor=([^&>]+)[^>]*>;\s*rel=\"next\"")
_PATIENCE = 20.0
"""Seconds to wait for another request of the same installation."""
UNREADABLE = (GithubException, requests.RequestException, OSError, ValueError, AssertionError, RuntimeError)
"""What PyGithub raises: assertions and runtime errors too, when an answer is not as it expects."""


class Conditional(Struct, frozen=True):
    """The answer to a conditional request; `data` is None where nothing has changed since `etag`."""

    etag: str
    data: Any


class GitHubClient:
    """GitHub as the App itself sees it, and the way to its installations."""

    def __init__(self, credentials: AppCredentials, clock: Clock, *, timeout: int = 10) -> None:
        self._clock = clock
        self.credentials = credentials
        self.options: dict[str, Any] = {
            "base_url": credentials.api_url, "timeout": timeout, "user_agent": f"docalign-actors/{__version__}", "retry": 0,
            "per_page": 100, "seconds_between_requests": None, "seconds_between_writes": None, "lazy": True,
        }  # fmt: skip
        self._app = GithubIntegration(auth=credentials.auth(), **self.options)
        self._app_lock = threading.Lock()
        self.tokens = TokenCache(self._fetch_token, clock)
        self._talks: dict[int, Talk] = {}
        self._lock = threading.Lock()
        self._slug = ""

    def slug(self) -> str:
        """The App's name in addresses and of its bot. It does not change while we run."""
        if not self._slug:
            self._slug = str(self.ask_app("GET", "/app")["slug"])
        return self._slug

    def failed_deliveries(self, pages: int = _MOST_PAGES) -> list[FailedDelivery]:
        """The webhooks that GitHub could not deliver, the newest first, a hundred on a page."""
        found: list[FailedDelivery] = []
        asked: dict[str, Any] = {"status": "failure", "per_page": 100}
        for _ in range(pages):
            headers, listed = self._ask_app("GET", "/app/hook/deliveries", asked)
            found += [FailedDelivery(d["id"], d["guid"], d["event"], d.get("action") or "") for d in listed]
            cursor = _CURSOR.search(str(headers.get("link", "")))
            if cursor is None:
                break
            asked = {**asked, "cursor": unquote(cursor[1])}
        return found

    def redeliver(self, delivery: int) -> None:
        """Asks GitHub to send a webhook once more."""
        self.ask_app("POST", f"/app/hook/deliveries/{delivery}/attempts")

    def open_pulls(self, installation: int, repo: str, etag: str) -> tuple[str, list[FoundPull] | None]:
        """The hundred open pull requests that were changed last, if they have changed since the tag."""
        found = self.talk(installation).read(
            f"/repos/{repo}/pulls?state=open&sort=updated&direction=desc&per_page=100", etag
        )
        if found.data is None:
            return found.etag, None
        return found.etag, [_found_pull(p) for p in found.data]

    def default_head(self, installation: int, repo: str, etag: str) -> tuple[str, str | None]:
        """The newest commit of the default branch, if it is another one than at the tag."""
        found = self.talk(installation).read(f"/repos/{repo}/commits/HEAD", etag)
        return found.etag, str(found.data["sha"]) if found.data is not None else None

    def token(self, installation: int) -> Secret:
        """For git, which gets it through its environment."""
        return self.tokens.token(installation)

    def talk(self, installation: int) -> Talk:
        """The way to one installation; the same for all who ask."""
        with self._lock:
            found = self._talks.get(installation)
            if found is None:
                while len(self._talks) >= _MOST_CLIENTS:
                    self._talks.pop(next(iter(self._talks)))
                found = self._talks[installation] = Talk(self, installation, self._clock)
            return found

    def rate(self, installation: int) -> Rate | None:
        """What GitHub last said about an installation's limit; nothing is asked for it."""
        with self._lock:
            found = self._talks.get(installation)
        return found.rate() if found is not None else None

    def ask_app(self, verb: str, path: str, parameters: dict[str, Any] | None = None) -> Any:
        """One request of the App itself, under no installation."""
        return self._ask_app(verb, path, parameters)[1]

    def _ask_app(self, verb: str, path: str, parameters: dict[str, Any] | None = None) -> tuple[dict[str, Any], Any]:
        with self._app_lock:
            try:
                return self._app.requester.requestJsonAndCheck(verb, path, parameters)
            except UNREADABLE as error:
                raise translated(error, self._clock.now(), 0) from None

    def _fetch_token(self, installation: int) -> tuple[str, float]:
        with self._app_lock:
            try:
                made = self._app.get_access_token(installation)
                # By the wall clock of this machine, whatever the monotonic one says.
                left = made.expires_at.astimezone(UTC) - self._clock.now()
                return made.token, left.total_seconds()
            except UNREADABLE as error:
                raise translated(error, self._clock.now(), 0) from None


class Talk:
    """Requests of one installation, one at a time: PyGithub's connection is not made for more."""

    def __init__(self, client: GitHubClient, installation: int, clock: Clock) -> None:
        self._client = client
        self._installation = installation
        self._clock = clock
        self._auth = CachedAuth(client.tokens, installation)
        self._github = pygithub.Github(auth=self._auth, **client.options)
        self._lock = threading.Lock()
        self._strikes = 0
        self.slug = client.slug

    def run(self, work: Callable[[pygithub.Github], T]) -> T:
        """What the work gives. A token that GitHub refuses is replaced once: what it was refused for has not happened."""
        if not self._lock.acquire(timeout=_PATIENCE):
            raise GitHubUnavailableError("Another request to GitHub takes too long.")
        try:
            return self._once(work)
        except GitHubTokenError:
            self._client.tokens.forget(self._installation, self._auth.used)
            return self._once(work)
        finally:
            self._lock.release()

    def read(self, path: str, etag: str = "") -> Conditional:
        """A conditional request: one that finds nothing changed is free."""

        def work(github: pygithub.Github) -> Conditional:
            asked = {"If-None-Match": etag} if etag else {}
            status, headers, body = github.requester.requestJson("GET", path, headers=asked)
            if status == 304:
                return Conditional(etag, None)
            if status != 200:
                raise of_answer(status, headers, _message(body), self._clock.now(), self._strikes)
            return Conditional(str(headers.get("etag", "")), json.loads(body))

        return self.run(work)

    def rate(self) -> Rate | None:
        remaining, limit = self._github.requester.rate_limiting
        at = self._github.requester.rate_limiting_resettime
        return Rate(int(remaining), int(limit), datetime.fromtimestamp(at, UTC)) if limit > 0 and at > 0 else None

    def _once(self, work: Callable[[pygithub.Github], T]) -> T:
        try:
            done = work(self._github)
        except GitHubError as error:
            self._note(error)
            raise
        except UNREADABLE as error:
            ours = translated(error, self._clock.now(), self._strikes)
            self._note(ours)
            raise ours from None
        self._strikes = 0
        return done

    def _note(self, error: GitHubError) -> None:
        if isinstance(error, GitHubLimitError) and error.secondary:
            self._strikes += 1


def _found_pull(shown: dict[str, Any]) -> FoundPull:
    head, base = shown["head"], shown["base"]
    owner = (int(base["repo"]["id"]), str(base["repo"]["full_name"]))
    return FoundPull(shown["number"], True, head["sha"], base["ref"], owner)


def _message(body: str) -> str:
    try:
        data = json.loads(body)
    except ValueError:
        return ""
    return str(data.get("message") or "") if isinstance(data, dict) else ""
