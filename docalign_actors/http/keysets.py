"""The public keys that sign others' tokens: a JWKS from an address or a file, kept for a while.

The address is the operator's own setting, so it is trusted as the operator is: it may lead into the private network. But
what comes from there is bounded in time and size, redirects are not followed, and only RSA keys that sign are taken.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec
from loguru import logger
from msgspec import Struct

from docalign_actors.clock import Clock
from docalign_actors.http.errors import NoKeysError

ALGORITHMS = ("RS256", "RS384", "RS512")
_MOST_BYTES = 262_144
_MOST_KEYS = 100
_LEAST_BITS = 2_048
_SECONDS = 5.0
_STALE = 86_400.0
"""Keys that cannot be fetched anew are good for so long; then nobody can tell whether they were withdrawn."""


class PublicKey(Struct, frozen=True):
    """A key, and the one algorithm it is for if it says so."""

    key: Any
    algorithms: tuple[str, ...] = ALGORITHMS


Keys = Mapping[str, PublicKey]


class Held(Struct, frozen=True):
    """The keys as they were at some moment of the monotonic clock, and when they were last asked for."""

    keys: Keys = {}
    fetched_at: float | None = None
    tried_at: float | None = None


def wants_fetch(held: Held, kid: str, now: float, refresh: float, least: float) -> bool:
    """Whether the keys are asked for again: because they are old, or lack this one; but not too often."""
    if held.tried_at is not None and now - held.tried_at < least:
        return False
    return held.fetched_at is None or now - held.fetched_at >= refresh or pick(held.keys, kid) is None


def pick(keys: Keys, kid: str) -> PublicKey | None:
    """The key that a token names; a token that names none is for the only one."""
    if kid:
        return keys.get(kid)
    return next(iter(keys.values())) if len(keys) == 1 else None


class KeySet:
    """Finds keys by their id. May be asked from any thread; takes a bounded time."""

    def __init__(self, fetch: Callable[[], bytes], clock: Clock, *, refresh: float, least: float) -> None:
        self._fetch = fetch
        self._clock = clock
        self._refresh = refresh
        self._least = least
        self._held = Held()
        self._lock = threading.Lock()

    def known(self, kid: str) -> PublicKey | None:
        """A key that is at hand and fresh: no waiting."""
        held = self._held
        fresh = held.fetched_at is not None and self._clock.monotonic() - held.fetched_at < self._refresh
        return pick(held.keys, kid) if fresh else None

    def find(self, kid: str) -> PublicKey | None:
        """The key, fetched if need be. None if there is no such key; an error if nobody can tell."""
        with self._lock:
            now = self._clock.monotonic()
            if wants_fetch(self._held, kid, now, self._refresh, self._least):
                self._renew(now)
            held = self._held
        if held.fetched_at is None or now - held.fetched_at > _STALE:
            raise NoKeysError
        return pick(held.keys, kid)

    def _renew(self, now: float) -> None:
        try:
            self._held = Held(read_keys(self._fetch()), now, now)
        except Exception as error:  # whatever is wrong there: the keys that we have go on for a while
            logger.warning(
                "the keys for tokens of others were not fetched: {}", str(error)[:300] or type(error).__name__
            )
            self._held = Held(self._held.keys, self._held.fetched_at, now)


class _Jwk(Struct, frozen=True):
    kty: str = ""
    kid: str = ""
    use: str = ""
    alg: str = ""
    n: str = ""
    e: str = ""


class _Jwks(Struct, frozen=True):
    keys: list[_Jwk] = []


def read_keys(text: bytes) -> dict[str, PublicKey]:
    """The RSA keys of a JWKS that are there to sign and long enough; others are passed over."""
    from jwt.algorithms import RSAAlgorithm

    found: dict[str, PublicKey] = {}
    for one in msgspec.json.decode(text, type=_Jwks).keys[:_MOST_KEYS]:
        if one.kty != "RSA" or one.use not in ("", "sig") or one.alg not in ("", *ALGORITHMS) or one.kid in found:
            continue
        try:
            # Only n and e: a private key that somebody published by mistake is not taken for one of ours.
            key = RSAAlgorithm.from_jwk({"kty": "RSA", "n": one.n, "e": one.e})
        except Exception:  # noqa: S112 - one that is malformed is no key
            continue
        if key.key_size >= _LEAST_BITS:
            found[one.kid] = PublicKey(key, (one.alg,) if one.alg else ALGORITHMS)
    return found


def fetch_from(url: str, seconds: float = _SECONDS) -> bytes:
    """What stands at an address, within a time and a size."""
    import requests

    end = time.monotonic() + seconds
    with requests.get(
        url,
        timeout=seconds,
        allow_redirects=False,
        stream=True,
        headers={"Accept": "application/json"},
        auth=lambda r: r,
    ) as answer:  # with an `auth` that does nothing, no password of a .netrc is sent along
        if answer.status_code != 200:
            raise OSError(f"the address of the keys answered {answer.status_code}")
        parts: list[bytes] = []
        size = 0
        for part in answer.iter_content(8_192):
            size += len(part)
            if size > _MOST_BYTES or time.monotonic() > end:
                raise OSError("the keys are too many bytes, or come too slowly")
            parts.append(part)
        return b"".join(parts)


def read_from(path: Path) -> bytes:
    """What stands in a file, within a size."""
    with path.open("rb") as file:
        text = file.read(_MOST_BYTES + 1)
    if len(text) > _MOST_BYTES:
        raise OSError("the file of the keys is too large")
    return text
