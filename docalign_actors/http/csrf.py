"""The cookie of a session, and how a request shows that it comes from one of our own pages.

A request that changes something and is authorised by a cookie needs both: headers that only a browser sets and that name
our own origin, and a token that only our own pages can know. The token is made of the session's secret, so nothing more
is stored.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection

from docalign_actors.http.errors import ForgedRequestError
from docalign_actors.http.heads import header

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
HEADER = "x-csrf-token"
FIELD = "csrf_token"
_SECURE_COOKIE = "__Host-docalign"
_PLAIN_COOKIE = "docalign"


def cookie_name(secure: bool) -> str:
    """Browsers take a cookie with this prefix only over https, for this very host and all its paths."""
    return _SECURE_COOKIE if secure else _PLAIN_COOKIE


def cookie_of(connection: HTTPConnection) -> str:
    """The secret of the session, "" if there is none. Over https the plain cookie is not looked at."""
    if header(connection.scope, b"cookie") is None:
        return ""
    return connection.cookies.get(cookie_name(is_secure(connection)), "")


def is_secure(connection: HTTPConnection) -> bool:
    """Whether the browser speaks https, to us or to the proxy before us."""
    public: str = getattr(connection.app.state, "public_url", "")
    return connection.url.scheme == "https" or public.startswith("https://")


def set_cookie(secret: str, *, secure: bool, seconds: int) -> str:
    """The Set-Cookie header of a session; with 0 seconds, of its end."""
    attributes = f"Path=/; Max-Age={seconds}; HttpOnly; SameSite=Strict"
    return f"{cookie_name(secure)}={secret}; {attributes}{'; Secure' if secure else ''}"


def csrf_token(session: str) -> str:
    """The token that pages of this session carry."""
    made = hmac.new(session.encode(), b"docalign csrf", hashlib.sha256).digest()
    return base64.urlsafe_b64encode(made).decode().rstrip("=")


def check_forgery(connection: HTTPConnection, session: str, shown: str | None = None) -> None:
    """Raises unless the request comes from our own page. `shown` is the token of a form; otherwise the header counts."""
    headers = connection.headers
    site, origin = headers.get("sec-fetch-site"), headers.get("origin")
    if site is None and origin is None:
        raise ForgedRequestError("The request does not say where it comes from.")
    if site not in (None, "same-origin") or (origin is not None and not _own(connection, origin)):
        raise ForgedRequestError
    given = headers.get(HEADER, "") if shown is None else shown
    if not hmac.compare_digest(given.encode("utf-8", "replace"), csrf_token(session).encode()):
        raise ForgedRequestError("The request lacks the token of the page.")


def _own(connection: HTTPConnection, origin: str) -> bool:
    public: str = getattr(connection.app.state, "public_url", "")
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    if public and origin.rstrip("/") == public.rstrip("/"):
        return True
    same_scheme = parts.scheme == connection.url.scheme
    return same_scheme and bool(parts.netloc) and parts.netloc.lower() == connection.headers.get("host", "").lower()
