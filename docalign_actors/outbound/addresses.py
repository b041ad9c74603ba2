"""Which addresses may be called. A callback's address comes from a client: it must not lead into our own network.

The name is looked up once, every address it has is checked, and the connection goes to a checked address, so that a name
that changes its mind between the check and the call gains nothing.
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Sequence
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from urllib.parse import urlsplit

from msgspec import Struct

_NAT64 = IPv6Network("64:ff9b::/96")
_UNICAST = IPv6Network("2000::/3")
"""All that was ever given out to the internet; site-local addresses (fec0::/10) are not, and no list of private ranges has them."""
_MOST_ADDRESSES = 16
_MOST_LOOK_UPS = 32
"""Look-ups that may hang at once. The system's resolver gives up by itself, but nobody can be made to wait for that."""

LookUp = Callable[[str, int], Sequence[str]]


class RefusedAddressError(Exception):
    """This address is not called, whatever happens."""


class UnknownAddressError(Exception):
    """The name leads nowhere just now."""


class Target(Struct, frozen=True):
    """Where a letter goes: a name for the server, an address for the connection."""

    secure: bool
    host: str
    port: int
    path: str
    address: str

    @property
    def host_header(self) -> str:
        name = f"[{self.host}]" if ":" in self.host else self.host
        return name if self.port == (443 if self.secure else 80) else f"{name}:{self.port}"


def target_of(url: str, *, allow_private: bool, look_up: LookUp | None = None) -> Target:
    """The target of a URL, checked; an error if it may not be called or cannot be found."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError as error:
        raise RefusedAddressError("the URL is malformed") from error
    if parts.scheme not in ("http", "https") or not host or port == 0 or parts.username is not None:
        raise RefusedAddressError("only http and https URLs without a user name are called")
    if not url.isascii() or not url.isprintable() or " " in url:
        raise RefusedAddressError("the URL is malformed")
    secure = parts.scheme == "https"
    port = port or (443 if secure else 80)
    try:
        found = list((look_up or resolve)(host, port))[:_MOST_ADDRESSES]
    except TimeoutError as error:
        raise UnknownAddressError(f"the name {host[:100]} was not looked up in time") from error
    except (OSError, UnicodeError) as error:
        raise UnknownAddressError(f"the name {host[:100]} cannot be looked up") from error
    if not found:
        raise UnknownAddressError(f"the name {host[:100]} has no address")
    for address in found:
        if not (allow_private or is_public(address)):
            raise RefusedAddressError(f"{host[:100]} leads to {address}, which is no public address")
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Target(secure, host, port, path, found[0])


def resolve(host: str, port: int) -> list[str]:
    """All addresses of a name."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


class BoundedLookUp:
    """Looks names up within a time. The system's own function cannot be interrupted, so it is left behind in its thread."""

    def __init__(self, seconds: float, look_up: LookUp = resolve) -> None:
        self._seconds = seconds
        self._look_up = look_up
        self._free = threading.BoundedSemaphore(_MOST_LOOK_UPS)

    def __call__(self, host: str, port: int) -> Sequence[str]:
        if not self._free.acquire(blocking=False):
            raise OSError("too many look-ups hang")
        found: list[Sequence[str]] = []
        failed: list[OSError | UnicodeError] = []

        def look() -> None:
            try:
                found.append(self._look_up(host, port))
            except (OSError, UnicodeError) as error:
                failed.append(error)
            finally:
                self._free.release()

        thread = threading.Thread(target=look, name="look-up", daemon=True)
        try:
            thread.start()
        except RuntimeError:
            self._free.release()
            raise OSError("no thread can be started") from None
        thread.join(self._seconds)
        if failed:
            raise failed[0]
        if not found:
            raise TimeoutError
        return found[0]


def is_public(address: str) -> bool:
    """Whether anybody on the internet could be meant by it; the addresses inside other addresses count as well."""
    try:
        ip: IPv4Address | IPv6Address = ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if isinstance(ip, IPv6Address):
        inner = ip.ipv4_mapped or ip.sixtofour or (ip.teredo[1] if ip.teredo else None)
        if ip in _NAT64:
            inner = IPv4Address(int(ip) & 0xFFFFFFFF)
        if inner is not None:
            return _public(inner)
        if ip not in _UNICAST:
            return False
    return _public(ip)


def _public(ip: IPv4Address | IPv6Address) -> bool:
    return ip.is_global and not (ip.is_multicast or ip.is_reserved or ip.is_unspecified or ip.is_loopback)
