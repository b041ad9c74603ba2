"""Signing in and out, as the pages do it: a token is shown once, a cookie is kept."""

from __future__ import annotations

from datetime import timedelta

from msgspec import Struct
from starlette.requests import HTTPConnection

from docalign_actors.http.auth import Gate
from docalign_actors.http.csrf import csrf_token, is_secure, set_cookie
from docalign_actors.http.desk import Desk
from docalign_actors.http.edge import is_loopback
from docalign_actors.http.errors import NotSignedInError
from docalign_actors.http.heads import header
from docalign_actors.http.throttle import Throttle
from docalign_actors.persistence.tokens import TokenStore

_LONGEST = 200


class Session(Struct, frozen=True):
    """A session that was just opened: the header that sets its cookie, and the token that its pages carry."""

    set_cookie: str
    csrf: str


def client_of(connection: HTTPConnection) -> str:
    """The address of whoever asks. Where a proxy of this machine stands before the service, it says whom it asks for;
    what others say of themselves in that header stands before its own word, and does not count."""
    peer = connection.client.host if connection.client else ""
    behind = bool(connection.app.state.public_url) and is_loopback(peer)
    told = header(connection.scope, b"x-forwarded-for") if behind else None
    return told.rpartition(",")[2].strip() if told else peer


class SignIn:
    """Opens and ends sessions."""

    def __init__(self, tokens: TokenStore, gate: Gate, desk: Desk, throttle: Throttle, hours: float) -> None:
        self._tokens = tokens
        self._gate = gate
        self._desk = desk
        self._throttle = throttle
        self._lasts = timedelta(hours=hours)

    async def sign_in(self, connection: HTTPConnection, token: str) -> Session:
        """A session for whoever shows a token that holds. Raises NotSignedInError, and after some of those
        TooManyAttemptsError, before it even looks at the token."""
        client = client_of(connection)
        self._throttle.check(client)
        secret = await self._desk.run(self._tokens.open_session, token.strip()[:_LONGEST], self._lasts)
        if secret is None:
            self._throttle.failed(client)
            raise NotSignedInError("The token is unknown, expired, revoked or used up.")
        self._throttle.succeeded(client)
        secure, seconds = is_secure(connection), int(self._lasts.total_seconds())
        return Session(set_cookie(secret, secure=secure, seconds=seconds), csrf_token(secret))

    async def sign_out(self, connection: HTTPConnection, session: str) -> str:
        """Ends a session; gives the header that takes its cookie away."""
        self._gate.forget_session(session)
        await self._desk.run(self._tokens.end_session, session)
        self._gate.forget_session(session)
        return set_cookie("", secure=is_secure(connection), seconds=0)
