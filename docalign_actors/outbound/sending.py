"""Carries one letter over HTTP. The answer's status is what is wanted, so no more than its head is read, and of a refusal the
beginning of its body, within a fixed time and size; redirects are not followed."""

from __future__ import annotations

import hashlib
import hmac
import socket
import ssl
import time
from collections.abc import Callable, Mapping
from datetime import datetime

from msgspec import Struct

from docalign_actors.outbound.addresses import (
    BoundedLookUp,
    LookUp,
    RefusedAddressError,
    Target,
    UnknownAddressError,
    resolve,
    target_of,
)
from docalign_actors.outbound.model import Letter
from docalign_actors.outbound.ports import Arrival, Composed, Manners

_MOST_READ = 32_768
_KEPT = 2_000
"""Bytes of a refusal that are kept."""


class Answer(Struct, frozen=True):
    """What a receiver said: the status, and of a refusal the beginning of its body."""

    status: int
    text: str = ""


class HttpSender:
    """What `outbound.ports.Sender` asks for."""

    def __init__(
        self, secret: str, *, allow_private: bool = False, seconds: float = 10.0, look_up: LookUp | None = None,
        ca_file: str = "", manners: Manners | None = None,
    ) -> None:  # fmt: skip
        """`ca_file`: certificates of the authorities that are trusted, in PEM; without it, the machine's own."""
        self._secret = secret
        self._allow_private = allow_private
        self._seconds = seconds
        self._look_up = BoundedLookUp(seconds, look_up or resolve)
        self._trusted = ssl.create_default_context(cafile=ca_file or None)
        self._manners: Manners = manners or {}

    def send(self, letter: Letter, now: datetime) -> Arrival:
        try:
            target = target_of(letter.url, allow_private=self._allow_private, look_up=self._look_up)
            request = request_of(target, self._composed(letter, now))
            answer = exchange(target, request, self._seconds, self._trusted)
        except RefusedAddressError as error:
            return Arrival(f"refused: {error}", hopeless=True)
        except UnknownAddressError as error:
            return Arrival(str(error))
        except TimeoutError:
            return Arrival(f"no answer within {self._seconds:g} s")
        except ssl.SSLCertVerificationError as error:
            return Arrival(f"not delivered: the certificate is not trusted ({error.verify_message})"[:500])
        except (OSError, ValueError) as error:
            return Arrival(f"not delivered: {getattr(error, 'strerror', None) or error or type(error).__name__}"[:500])
        if 200 <= answer.status < 300:
            return Arrival()
        manner = self._manners.get(letter.kind)
        hopeless = manner is not None and manner.hopeless(answer.status)
        redirected = "; redirects are not followed" if 300 <= answer.status < 400 else ""
        return Arrival(f"answered {answer.status}{redirected}", hopeless, answer.text)

    def _composed(self, letter: Letter, now: datetime) -> Composed:
        manner = self._manners.get(letter.kind)
        if manner is not None:
            return manner.compose(letter, now)
        body = letter.body.encode()
        headers = {"X-CodeQ-Delivery": str(letter.id)}
        if self._secret:
            stamp = str(int(now.timestamp()))
            headers["X-CodeQ-Timestamp"] = stamp
            headers["X-CodeQ-Signature"] = sign(self._secret, stamp, body)
        return Composed(headers, body)


def request_of(target: Target, composed: Composed) -> bytes:
    """The bytes of a request."""
    headers: Mapping[str, str] = {
        "Host": target.host_header, "User-Agent": "docalign", "Content-Type": "application/json",
        "Content-Length": str(len(composed.body)), "Connection": "close", **composed.headers,
    }  # fmt: skip
    head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return f"POST {target.path} HTTP/1.1\r\n{head}\r\n".encode("ascii") + composed.body


def sign(secret: str, stamp: str, body: bytes) -> str:
    """HMAC-SHA256 over `timestamp.body`, in hexadecimal digits."""
    return hmac.new(secret.encode(), stamp.encode() + b"." + body, hashlib.sha256).hexdigest()


def exchange(target: Target, request: bytes, seconds: float, trusted: ssl.SSLContext | None = None) -> Answer:
    """Sends a request to a checked address; gives the answer."""
    end = time.monotonic() + seconds

    def left() -> float:
        remaining = end - time.monotonic()
        if remaining <= 0:
            raise TimeoutError
        return remaining

    with socket.create_connection((target.address, target.port), timeout=left()) as plain:
        plain.settimeout(left())
        if not target.secure:
            return _ask(plain, request, left)
        context = trusted or ssl.create_default_context()
        with context.wrap_socket(plain, server_hostname=target.host) as secured:
            return _ask(secured, request, left)


def _ask(connection: socket.socket, request: bytes, left: Callable[[], float]) -> Answer:
    connection.settimeout(left())
    connection.sendall(request)
    got = b""
    while True:
        while b"\r\n\r\n" not in got:
            if len(got) > _MOST_READ:
                raise ValueError("the head of the answer is too long")
            connection.settimeout(left())
            part = connection.recv(4_096)
            if not part:
                raise ValueError("the connection was closed before an answer came")
            got += part
        status = _status(got)
        if status >= 200:
            rest = got.partition(b"\r\n\r\n")[2]
            return Answer(status, _excerpt(connection, rest, left) if status >= 300 else "")
        got = got.partition(b"\r\n\r\n")[2]  # 1xx: the answer proper follows


def _excerpt(connection: socket.socket, got: bytes, left: Callable[[], float]) -> str:
    """The beginning of a body, as much of it as comes; it decides nothing, so nothing that goes wrong here matters."""
    try:
        while len(got) < _KEPT:
            connection.settimeout(min(1.0, left()))
            part = connection.recv(4_096)
            if not part:
                break
            got += part
    except (OSError, ValueError):
        pass
    text = got[:_KEPT].decode("utf-8", "replace")
    return "".join(c if c.isprintable() or c == "\n" else " " for c in text).strip()


def _status(head: bytes) -> int:
    words = head.partition(b"\r\n")[0].split(b" ", 2)
    if len(words) < 2 or not words[0].startswith(b"HTTP/1.") or not (len(words[1]) == 3 and words[1].isdigit()):
        raise ValueError("the answer is not HTTP")
    return int(words[1])
