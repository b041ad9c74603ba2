"""Tokens and sessions. The database knows their hashes; the secrets are shown once, to whoever they are for.

A token reads `docalign_a_…`: the letter says its role, so that one who finds a lost token knows how bad it is.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from enum import Enum
from uuid import UUID

from msgspec import Struct

from docalign_actors.clock import Clock
from docalign_actors.errors import UsageError
from docalign_actors.ids import new_id
from docalign_actors.persistence.database import Connection, Database, struct_row
from docalign_actors.persistence.sql import query

ONE_TIME_MINUTES = 10
WORKER_SCOPES = frozenset(f"codeq:{name}" for name in ("claim", "heartbeat", "abandon", "nack", "result", "subscribe"))
SCOPES = WORKER_SCOPES | {"codeq:admin"}
"""What a token may be allowed at the task queue."""
_LONGEST_LIFE = timedelta(days=36_525)
_FORM = re.compile(r"docalign_[aovws]_[A-Za-z0-9_-]{43}")
_SESSION_FORM = re.compile(r"[A-Za-z0-9_-]{43}")


class Role(Enum):
    """What a token may do. An admin may do what an operator may, and an operator what a viewer may.

    A worker is on no such ladder: it has its own routes, those of task queues, and no others. Nor is a subscriber, the token
    of an application: it sees what belongs to that application, which its tenant names.
    """

    ADMIN = "admin"
    OPERATOR = "operator"
    VIEWER = "viewer"
    WORKER = "worker"
    SUBSCRIBER = "subscriber"

    @property
    def letter(self) -> str:
        """By which a token shows its role."""
        return self.value[0]

    def allows(self, needed: Role) -> bool:
        return needed in _ALLOWS[self]


_ALLOWS = {
    Role.ADMIN: frozenset(Role),
    Role.OPERATOR: frozenset({Role.OPERATOR, Role.VIEWER, Role.SUBSCRIBER}),
    Role.VIEWER: frozenset({Role.VIEWER, Role.SUBSCRIBER}),
    Role.WORKER: frozenset({Role.WORKER}),
    Role.SUBSCRIBER: frozenset({Role.SUBSCRIBER}),
}


class TokenInfo(Struct, frozen=True):
    """What is known of a token: everything but the token."""

    id: UUID
    name: str
    role: Role
    one_time: bool
    created_at: datetime
    expires_at: datetime | None = None
    revoked_at: datetime | None = None
    last_used_at: datetime | None = None
    scopes: tuple[str, ...] = ()
    """What it may ask of the task queue; without any, what its role may."""
    event_types: tuple[str, ...] = ("*",)
    """The commands whose tasks it may claim; `*` is all of them."""
    tenant: str = ""
    """Whose tasks it sees."""

    def holds(self, now: datetime) -> bool:
        """Whether it opens anything at this instant."""
        return self.revoked_at is None and (self.expires_at is None or self.expires_at > now)


class _Row(TokenInfo, frozen=True, kw_only=True):
    hash: bytes


class TokenStore:
    """Makes, finds and revokes tokens; opens and ends sessions."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._told: list[Callable[[UUID], None]] = []

    def on_revoke(self, tell: Callable[[UUID], None]) -> None:
        """Calls this with the id of each token that is revoked in this process, in the thread that does it."""
        self._told.append(tell)

    def create(
        self, name: str, role: Role, *, lasts: timedelta | None = None, one_time: bool = False,
        scopes: Sequence[str] = (), event_types: Sequence[str] = ("*",), tenant: str = "",
    ) -> str:  # fmt: skip
        """A new token. This is the only time that anybody sees it. A one-time token opens one session, within 10 minutes."""
        name = name.strip()
        if not 0 < len(name) <= 100 or not name.isprintable():
            raise UsageError("The name of a token has 1 to 100 printable characters.")
        secret = f"docalign_{role.letter}_{secrets.token_urlsafe(32)}"
        now = self._clock.now()
        if lasts is not None and not timedelta(0) < lasts <= _LONGEST_LIFE:
            raise UsageError("A token lasts for more than no time and at most a hundred years.")
        wrong = sorted(set(scopes) - SCOPES)
        if wrong:
            raise UsageError(f"There is no scope {wrong[0]}.", hint="The scopes are " + ", ".join(sorted(SCOPES)) + ".")
        if len(tenant) > 100 or not tenant.isprintable() or not all(t.isprintable() and t for t in event_types):
            raise UsageError("A tenant has at most 100 printable characters; event types are printable, too.")
        if one_time:
            lasts = min(lasts or _LONGEST_LIFE, timedelta(minutes=ONE_TIME_MINUTES))
        values = {
            "id": new_id(),
            "name": name,
            "role": role.value,
            "hash": hash_of(secret),
            "one_time": one_time,
            "now": now,
            "expires_at": now + lasts if lasts is not None else None,
            "scopes": list(scopes),
            "event_types": list(event_types) or ["*"],
            "tenant": tenant,
        }
        self._execute("insert", values)
        return secret

    def one_time(self, role: Role = Role.ADMIN, name: str = "one-time sign-in") -> str:
        """A token that opens one session, within 10 minutes."""
        return self.create(name, role, one_time=True)

    def find(self, secret: str) -> TokenInfo | None:
        """The token, if it holds now and may be used again and again. Remembers, once a minute, that it was used."""
        found = self._find("find", secret) if _FORM.fullmatch(secret) else None
        now = self._clock.now()
        if found is None or found.one_time or not found.holds(now):
            return None
        if found.last_used_at is None or now - found.last_used_at > timedelta(minutes=1):
            self._execute("touch", {"id": found.id, "now": now})
        return found

    def list(self) -> list[TokenInfo]:
        def unit(connection: Connection) -> list[TokenInfo]:
            return connection.cursor(row_factory=struct_row(TokenInfo)).execute(query("tokens_list")).fetchall()

        return self._database.run(unit)

    def revoke(self, token: UUID) -> bool:
        """Ends a token and every session that it opened. False if there was nothing to end."""

        def unit(connection: Connection) -> bool:
            values = {"id": token, "now": self._clock.now()}
            ended = connection.execute(query("tokens_revoke"), values).rowcount
            connection.execute(query("tokens_end_sessions"), values)
            return bool(ended)

        ended = self._database.run(unit)
        self.forget(token)
        return ended

    def forget(self, token: UUID) -> None:
        """A token is gone from the database: whoever remembers it is told."""
        for tell in self._told:
            tell(token)

    def discard(self, secret: str) -> None:
        """A token that nobody will use again goes, with every session that it opened, and leaves no trace in the list."""
        found = self._find("find", secret) if _FORM.fullmatch(secret) else None
        if found is not None:
            self._execute("discard", {"id": found.id})
            self.forget(found.id)

    def any(self) -> bool:
        """Whether there is a token that somebody could sign in with."""
        values = {"now": self._clock.now()}
        return self._database.run(lambda c: c.execute(query("tokens_any"), values).fetchone()) is not None

    def open_session(self, secret: str, lasts: timedelta) -> str | None:
        """A session for whoever shows this token; None if it does not hold. A one-time token is used up by it."""
        if not _FORM.fullmatch(secret):
            return None
        session = secrets.token_urlsafe(32)
        now = self._clock.now()
        expires = now + lasts

        def unit(connection: Connection) -> bool:
            once = connection.execute(query("tokens_use_once"), {"hash": hash_of(secret), "now": now}).fetchone()
            if once is not None:
                token: UUID = once[0]
            else:
                known = _one(connection, "tokens_find", {"hash": hash_of(secret)})
                if known is None or known.one_time or not known.holds(now):
                    return False
                token = known.id
            values = {"hash": hash_of(session), "token": token, "now": now, "expires_at": expires}
            connection.execute(query("tokens_forget_sessions"), {"now": now})
            connection.execute(query("tokens_insert_session"), values)
            return True

        # Not run again when the connection is lost: a one-time token would seem to have been used by somebody else.
        return session if self._database.run(unit, retry=False) else None

    def find_session(self, session: str) -> TokenInfo | None:
        """The token behind a session, if both hold now. `expires_at` is the session's."""
        return self._find("find_session", session) if _SESSION_FORM.fullmatch(session) else None

    def end_session(self, session: str) -> None:
        self._execute("end_session", {"hash": hash_of(session)})

    def _execute(self, name: str, values: dict[str, object]) -> None:
        self._database.run(lambda c: c.execute(query(f"tokens_{name}"), values))

    def _find(self, name: str, secret: str) -> TokenInfo | None:
        wanted = {"hash": hash_of(secret), "now": self._clock.now()}
        found = self._database.run(lambda c: _one(c, f"tokens_{name}", wanted))
        return found if found is not None and hmac.compare_digest(found.hash, hash_of(secret)) else None


def hash_of(secret: str) -> bytes:
    """What is stored. The secrets are 256 random bits, so one round is enough: there is nothing to guess."""
    return hashlib.sha256(secret.encode("utf-8", "surrogateescape")).digest()


def _one(connection: Connection, name: str, values: dict[str, object]) -> _Row | None:
    return connection.cursor(row_factory=struct_row(_Row)).execute(query(name), values).fetchone()
