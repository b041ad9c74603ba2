"""Who asks, and what they may do: bearer tokens for programs, cookie sessions for pages.

A token that was seen within the last seconds is not looked up again, so asking for a scan costs no query. Revoking one in
this process takes effect at once; elsewhere, within those seconds.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import datetime
from uuid import UUID

from msgspec import Struct
from starlette.requests import HTTPConnection

from docalign_actors.clock import Clock
from docalign_actors.http.csrf import cookie_of
from docalign_actors.http.desk import Desk
from docalign_actors.http.errors import NotAllowedError, NotSignedInError
from docalign_actors.http.heads import header
from docalign_actors.persistence.tokens import Role, TokenInfo, TokenStore, hash_of

_MOST_CACHED = 1_000
_LONGEST = 200
"""Characters of a credential. Anything longer is none of ours."""


class Principal(Struct, frozen=True):
    """Whoever a request comes from. `session` is the secret of a cookie session, "" for a bearer token."""

    token_id: UUID
    name: str
    role: Role
    expires_at: datetime | None = None
    session: str = ""
    scopes: tuple[str, ...] = ()
    event_types: tuple[str, ...] = ("*",)
    tenant: str = ""


class Gate:
    """Finds out who asks, and turns away who may not."""

    def __init__(self, tokens: TokenStore, desk: Desk, clock: Clock, *, cache_seconds: float) -> None:
        self._tokens = tokens
        self._desk = desk
        self._clock = clock
        self._cache_seconds = cache_seconds
        self._known: dict[bytes, tuple[Principal, float]] = {}
        self._asked: dict[bytes, asyncio.Future[Principal | None]] = {}
        self._forgotten = 0
        tokens.on_revoke(self.forget)

    async def identify(self, connection: HTTPConnection) -> Principal | None:
        """Who asks. None if they do not say; an error if what they say is wrong."""
        given = header(connection.scope, b"authorization")
        if given is not None:
            scheme, _, secret = given.partition(" ")
            if scheme.lower() != "bearer":
                raise NotSignedInError("Only bearer tokens are taken.")
            return await self._credential(secret.strip(), "", self._tokens.find)
        session = cookie_of(connection)
        if session:
            return await self._credential(session, session, self._tokens.find_session)
        return None

    async def require(self, connection: HTTPConnection, role: Role) -> Principal:
        """Who asks, if they may do what this role may."""
        found = await self.identify(connection)
        if found is None:
            raise NotSignedInError
        if not found.role.allows(role):
            raise NotAllowedError(f"This needs the role {role.value}; the token has the role {found.role.value}.")
        return found

    async def still_holds(self, connection: HTTPConnection, principal: Principal) -> bool:
        """Whether somebody who was let in may stay: asked again and again while a stream is open."""
        try:
            return await self.identify(connection) == principal
        except NotSignedInError:
            return False

    def forget(self, token: UUID | None = None) -> None:
        """Looks a token up anew at its next use; every token if none is named. May be called from any thread."""
        self._forgotten += 1
        for key, (who, _) in list(self._known.items()):
            if token is None or who.token_id == token:
                self._known.pop(key, None)

    def forget_session(self, session: str) -> None:
        self._forgotten += 1
        self._known.pop(hash_of(session), None)

    async def _credential(self, secret: str, session: str, find: Callable[[str], TokenInfo | None]) -> Principal:
        if not secret or len(secret) > _LONGEST or not secret.isascii():
            raise NotSignedInError("This is no token of this service.")
        key = hash_of(secret)
        found = self._remembered(key) or await self._look_up(key, secret, session, find)
        if found is None:
            raise NotSignedInError("The token is unknown, expired or revoked.")
        return found

    def _remembered(self, key: bytes) -> Principal | None:
        entry = self._known.get(key)
        if entry is None:
            return None
        found, until = entry
        expired = found.expires_at is not None and found.expires_at <= self._clock.now()
        if expired or self._clock.monotonic() >= until:
            self._known.pop(key, None)
            return None
        return found

    async def _look_up(
        self, key: bytes, secret: str, session: str, find: Callable[[str], TokenInfo | None]
    ) -> Principal | None:
        """One query, however many requests come with the same token while it runs."""
        waiting = self._asked.get(key)
        if waiting is None:
            waiting = asyncio.ensure_future(self._ask(key, secret, session, find))
            self._asked[key] = waiting
            waiting.add_done_callback(lambda _: self._asked.pop(key, None))
        return await asyncio.shield(waiting)

    async def _ask(
        self, key: bytes, secret: str, session: str, find: Callable[[str], TokenInfo | None]
    ) -> Principal | None:
        forgotten = self._forgotten
        info = await self._desk.run(find, secret)
        if info is None:
            return None
        found = Principal(
            info.id, info.name, info.role, info.expires_at, session, info.scopes, info.event_types, info.tenant
        )
        if forgotten == self._forgotten:  # nothing was revoked while the query ran
            self._known[key] = (found, self._clock.monotonic() + self._cache_seconds)
            while len(self._known) > _MOST_CACHED:
                self._known.pop(next(iter(self._known)), None)
        return found
