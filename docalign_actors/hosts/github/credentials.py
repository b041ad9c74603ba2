"""Who the App is, and the tokens of its installations. Neither is ever logged, nor part of an address or an argument."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

from github import Auth
from msgspec import Struct

from docalign_actors.clock import Clock
from docalign_actors.errors import ConfigurationError
from docalign_actors.settings.kinds import Secret
from docalign_actors.settings.model import GitHubSettings

_SPARE = timedelta(minutes=5)
"""A token is not handed out for less: a fetch of a large repository takes that long, and clocks differ."""
_JWT_SECONDS = 540
"""GitHub takes no more than ten minutes, by its own clock."""
_JWT_BEGINS = -60


class AppCredentials(Struct, frozen=True):
    """The App's id and private key, and where its GitHub is."""

    app_id: int
    private_key: Secret
    api_url: str = "https://api.github.com"

    def auth(self) -> Auth.AppAuth:
        return Auth.AppAuth(self.app_id, self.private_key.reveal(), jwt_expiry=_JWT_SECONDS, jwt_issued_at=_JWT_BEGINS)


def credentials_of(settings: GitHubSettings) -> AppCredentials | None:
    """The credentials that the settings name; None if there is no App."""
    if not settings.app_id:
        return None
    key = settings.private_key
    if not key:
        try:
            key = Secret(Path(settings.private_key_file).expanduser().read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigurationError(
                f"github.private_key_file cannot be read: {getattr(error, 'strerror', None) or 'it is not text'}.",
                hint="Name the .pem file that GitHub gave for the App, readable by the service's user.",
            ) from None
    return AppCredentials(settings.app_id, key, settings.api_url.rstrip("/"))


class Token(Struct, frozen=True):
    """An installation's token. How long it is and what it looks like is GitHub's business."""

    secret: Secret
    good_until: float
    """By the monotonic clock."""


class TokenCache:
    """The tokens of installations, fetched when there is none or it is about to expire."""

    def __init__(self, fetch: Callable[[int], tuple[str, float]], clock: Clock) -> None:
        """`fetch` gives a new token and the seconds that it is good for."""
        self._fetch = fetch
        self._clock = clock
        self._known: dict[int, Token] = {}
        self._locks: dict[int, threading.Lock] = {}
        self._lock = threading.Lock()

    def token(self, installation: int) -> Secret:
        """One that is good for some minutes more. However many ask at once, GitHub is asked once."""
        with self._lock_of(installation):
            known = self._known.get(installation)
            if known is None or known.good_until - _SPARE.total_seconds() <= self._clock.monotonic():
                value, seconds = self._fetch(installation)
                known = Token(Secret(value), self._clock.monotonic() + seconds)
                self._known[installation] = known
            return known.secret

    def forget(self, installation: int, secret: Secret) -> None:
        """GitHub refused it: the next one who asks gets a new one. A newer one is kept."""
        with self._lock_of(installation):
            known = self._known.get(installation)
            if known is not None and known.secret == secret:
                del self._known[installation]

    def _lock_of(self, installation: int) -> threading.Lock:
        with self._lock:
            return self._locks.setdefault(installation, threading.Lock())


class CachedAuth(Auth.Auth):
    """PyGithub's view of the cache: looks at each request."""

    def __init__(self, tokens: TokenCache, installation: int) -> None:
        self._tokens = tokens
        self._installation = installation
        self.used = Secret()

    @property
    def token_type(self) -> str:
        return "token"

    @property
    def token(self) -> str:
        self.used = self._tokens.token(self._installation)
        return self.used.reveal()

    @property
    def _masked_token(self) -> str:
        return "token (removed)"
