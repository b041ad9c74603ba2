"""Carries one letter over HTTP. The answer's status is all that is wanted, so no more than its head is ever read, within a
fixed time and size; redirects are not followed."""

from __future__ import annotations

import hashlib
import hmac
import socket
import ssl
import time
from collections.abc import Callable
from datetime import datetime

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
from docalign_actors.outbound.ports import Arrival

_MOST_READ = 32_768


class HttpSender:
    """What `outbound.ports.Sender` asks for."""

    def __init__(
        self, secret: str, *, allow_private: bool = False, seconds: float = 10.0, look_up: LookUp | None = None,
        ca_file: str = "",
    ) -> None:  # fmt: skip
        """`ca_file`: certificates of the authorities that are trusted, in PEM; without it, the machine's own."""
        self._secret = secret
        self._allow_private = allow_private
        self._seconds = seconds
        self._look_up = BoundedLookUp(seconds, look_up or resolve)
        self._trusted = ssl.create_default_context(cafile=ca_file or None)

    def send(self, letter: Letter, now: datetime) -> Arrival:
        try:
            target = target_of(letter.url, allow_private=self._allow_private, look_up=self._look_up)
            status = exchange(target, self._request(letter, target, now), self._seconds, self._trusted)
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
        if 200 <= status < 300:
            return Arrival()
        return Arrival(f"answered {status}" + ("; redirects are not followed" if 300 <= status < 400 else ""))

    def _request(self, letter: Letter, target: Target, now: datetime) -> bytes:
        body = letter.body.encode()
        headers = {
            "Host": target.host_header, "User-Agent": "docalign", "Content-Type": "application/json",
            "Content-Length": str(len(body)), "Connection": "close", "X-CodeQ-Delivery": str(letter.id),
        }  # fmt: skip
        if self._secret:
            stamp = str(int(now.timestamp()))
            headers["X-CodeQ-Timestamp"] = stamp
            headers["X-CodeQ-Signature"] = sign(self._secret, stamp, body)
        head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        return f"POST {target.path} HTTP/1.1\r\n{head}\r\n".encode("ascii") + body


def sign(secret: str, stamp: str, body: bytes) -> str:
    """HMAC-SHA256 over `timestamp.body`, in hexadecimal digits."""
    return hmac.new(secret.encode(), stamp.encode() + b"." + body, hashlib.sha256).hexdigest()


def exchange(target: Target, request: bytes, seconds: float, trusted: ssl.SSLContext | None = None) -> int:
    """Sends a request to a checked address; gives the status of the answer."""
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


def _ask(connection: socket.socket, request: bytes, left: Callable[[], float]) -> int:
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
            return status
        got = got.partition(b"\r\n\r\n")[2]  # 1xx: the answer proper follows


def _status(head: bytes) -> int:
    words = head.partition(b"\r\n")[0].split(b" ", 2)
    if len(words) < 2 or not words[0].startswith(b"HTTP/1.") or not (len(words[1]) == 3 and words[1].isdigit()):
        raise ValueError("the answer is not HTTP")
    return int(words[1])
