"""Tokens that somebody else signed (JWT, RSA), for the task queue alone: who they are for, and what they allow."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from uuid import UUID, uuid5

import msgspec
from msgspec import Struct, field

from docalign_actors.clock import Clock
from docalign_actors.http.auth import Principal
from docalign_actors.http.desk import Desk
from docalign_actors.http.errors import NotSignedInError
from docalign_actors.http.keysets import ALGORITHMS, KeySet, PublicKey, fetch_from, read_from
from docalign_actors.persistence.tokens import SCOPES, Role
from docalign_actors.settings.model import TaskSettings

LONGEST = 8_192
PRODUCE = "codeq:produce"
"""What a role allows at the queue, and a scope of such a token."""
_MOST_KNOWN = 1_000
_MOST_LISTED = 100
_OURS = UUID("6d0f6d6a-52a7-4b0a-8f2e-3a3e0c9f9b51")


class JwtRules(Struct, frozen=True):
    """Whose tokens are taken. `leeway`: seconds by which clocks may differ."""

    issuer: str
    audience: str
    producers: str = ""
    """The audience of tokens that may create tasks, whatever their scopes; "" for no such tokens."""
    leeway: float = 60.0


class Claims(Struct, frozen=True, rename="camel"):
    """What a token says. `scope` has its words apart by spaces; a list of `scopes` is taken as well."""

    sub: str = ""
    aud: str | list[str] = ""
    exp: float | None = None
    nbf: float | None = None
    iat: float | None = None
    scope: str = ""
    scopes: list[str] = []
    event_types: list[str] = []
    role: str = ""
    tenant_id: str = ""
    tenant: str = ""
    tid: str = ""
    tenant_id_too: str = field(default="", name="tenant_id")
    organization_id: str = ""
    organization_id_too: str = field(default="", name="organization_id")

    def tenants(self) -> set[str]:
        """Issuers say whose tokens they are in one of these ways, or in several."""
        said = (
            self.tid,
            self.tenant_id,
            self.tenant_id_too,
            self.tenant,
            self.organization_id,
            self.organization_id_too,
        )
        return {one for one in said if one}


class _Header(Struct, frozen=True):
    alg: str = ""
    kid: str = ""


def looks_like_jwt(secret: str) -> bool:
    """Three parts with points between them; tokens of ours have none."""
    return secret.count(".") == 2


class Bearers:
    """Finds out who a signed token is for. One that was found good is not checked again for a few seconds."""

    def __init__(self, keys: KeySet, rules: JwtRules, clock: Clock, *, cache_seconds: float = 5.0) -> None:
        self._keys = keys
        self._rules = rules
        # Threads of its own: whoever sends tokens with keys that nobody knows makes no reader of pages wait.
        self._desk = Desk(threads=2, most_open=64)
        self._clock = clock
        self._cache_seconds = cache_seconds
        self._known: dict[bytes, tuple[Principal, float]] = {}

    async def principal(self, secret: str) -> Principal:
        if len(secret) > LONGEST or not secret.isascii():
            raise NotSignedInError("The token is too long, or holds characters that no token has.")
        digest = hashlib.sha256(secret.encode()).digest()
        known = self._known.get(digest)
        now = self._clock.now()
        if known is not None and self._clock.monotonic() < known[1] and _holds(known[0], now):
            return known[0]
        header = read_header(secret)
        key = self._keys.known(header.kid) or await self._desk.run(self._keys.find, header.kid)
        if key is None:
            raise NotSignedInError("The token is signed with a key that is not known here.")
        found = principal_of(verified(secret, header, key, self._rules), self._rules, now)
        self._known[digest] = (found, self._clock.monotonic() + self._cache_seconds)
        while len(self._known) > _MOST_KNOWN:
            self._known.pop(next(iter(self._known)), None)
        return found


def bearers_of(settings: TaskSettings, clock: Clock) -> Bearers | None:
    """What the settings ask for; None where only tokens of the service are taken."""
    if not (settings.jwks_url or settings.jwks_file):
        return None
    file = Path(settings.jwks_file).expanduser()
    fetch = partial(fetch_from, settings.jwks_url) if settings.jwks_url else partial(read_from, file)
    keys = KeySet(fetch, clock, refresh=settings.jwks_refresh, least=settings.jwks_interval)
    return Bearers(
        keys, JwtRules(settings.jwt_issuer, settings.jwt_audience, settings.jwt_producers, settings.jwt_leeway), clock
    )


def read_header(secret: str) -> _Header:
    """Which key and algorithm a token names; nothing else in it is believed before its signature is."""
    import jwt

    try:
        header = msgspec.convert(jwt.get_unverified_header(secret), _Header)
    except (jwt.InvalidTokenError, msgspec.ValidationError, ValueError, RecursionError):
        raise NotSignedInError("The token is malformed.") from None
    if header.alg not in ALGORITHMS:
        raise NotSignedInError(f"The token must be signed by {', '.join(ALGORITHMS)}.")
    return header


def verified(secret: str, header: _Header, key: PublicKey, rules: JwtRules) -> Claims:
    """The claims of a token whose signature, issuer and audience are right. Times are looked at elsewhere."""
    import jwt

    if header.alg not in key.algorithms:
        raise NotSignedInError("The token is signed by an algorithm that its key is not for.")
    try:
        claims = jwt.decode(
            secret, key.key, algorithms=[header.alg], issuer=rules.issuer,
            audience=[one for one in (rules.audience, rules.producers) if one],
            options={
                "verify_exp": False, "verify_nbf": False, "verify_iat": False, "require": ["exp", "sub", "iss", "aud"]
            },
        )  # fmt: skip
        return msgspec.convert(claims, Claims)
    except (jwt.InvalidTokenError, msgspec.ValidationError, ValueError, RecursionError) as error:
        raise NotSignedInError(f"The token is not taken: {_why(error)}.") from None


def principal_of(claims: Claims, rules: JwtRules, now: datetime) -> Principal:
    """Who a token is for and what it allows, if it holds at this instant."""
    moment = now.timestamp()
    if claims.exp is None or moment >= claims.exp + rules.leeway:
        raise NotSignedInError("The token has expired.")
    if any(begin is not None and moment < begin - rules.leeway for begin in (claims.nbf, claims.iat)):
        raise NotSignedInError("The token does not hold yet.")
    if len(claims.tenants()) > 1:
        raise NotSignedInError("The token names several tenants.")
    tenant = next(iter(claims.tenants()), "")
    fine = all(0 < len(text) <= 100 and text.isprintable() for text in (claims.sub, tenant or "-"))
    if not fine or len(claims.event_types) > _MOST_LISTED:
        raise NotSignedInError("The token's sub, tenantId or eventTypes is not one that can be used here.")
    said = {*claims.scope.split(), *claims.scopes}
    if rules.producers and rules.producers in ([claims.aud] if isinstance(claims.aud, str) else claims.aud):
        said.add(PRODUCE)
        if claims.role.upper() == "ADMIN":
            said.add("codeq:admin")
    return Principal(
        uuid5(_OURS, f"{rules.issuer}\n{claims.sub}"), claims.sub, _role(said), _until(claims.exp, rules.leeway),
        scopes=tuple(sorted(said & SCOPES)), event_types=tuple(claims.event_types), tenant=tenant,
    )  # fmt: skip


def _role(said: set[str]) -> Role:
    """A role only says what scopes do not: whether tasks may be created, and that reading is allowed."""
    if PRODUCE in said:
        return Role.OPERATOR
    return Role.WORKER if said & SCOPES else Role.VIEWER


def _until(exp: float, leeway: float) -> datetime:
    try:
        return datetime.fromtimestamp(exp + leeway, UTC)
    except (OverflowError, ValueError, OSError):
        return datetime.max.replace(tzinfo=UTC)


def _holds(principal: Principal, now: datetime) -> bool:
    return principal.expires_at is None or now < principal.expires_at


def _why(error: Exception) -> str:
    """What the library found wrong, in words that tell no more than the token itself does."""
    words: Sequence[tuple[str, str]] = (
        ("InvalidSignature", "its signature is wrong"), ("InvalidAudience", "it is for another audience"),
        ("InvalidIssuer", "it has another issuer"), ("MissingRequiredClaim", "exp, sub, iss or aud is missing"),
    )  # fmt: skip
    return next((text for name, text in words if type(error).__name__.startswith(name)), "it is malformed")
