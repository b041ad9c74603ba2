"""What an application and a subscription may be. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from ipaddress import ip_address
from urllib.parse import urlsplit

from msgspec import Struct

from docalign_actors.applications.errors import BadApplicationError, BadSubscriptionError
from docalign_actors.applications.model import EVENTS
from docalign_actors.engine.globs import matcher
from docalign_actors.outbound.addresses import is_public

_LONGEST_NAME = 100
_LONGEST_URL = 2_000
_LONGEST_PATTERN = 400
_MOST_PATTERNS = 100
# What `git check-ref-format` allows, without asking it.
_NOT_IN_A_BRANCH = re.compile(r"[\x00-\x20\x7f~^:?*\[\\]|\.\.|@\{|//|^/|/$|\.lock(/|$)|(^|/)\.|\.$|^-|^@$")


class Wanted(Struct, frozen=True):
    """What a subscription asks for, checked."""

    branch: str
    paths: tuple[str, ...]
    events: tuple[str, ...]


def checked_name(name: str) -> str:
    name = name.strip()
    if not 0 < len(name) <= _LONGEST_NAME or not name.isprintable():
        raise BadApplicationError(f"The name of an application has 1 to {_LONGEST_NAME} printable characters.")
    return name


def checked_url(url: str, *, allow_private: bool) -> str:
    """An address that can be called. Names are looked up when they are called: what they lead to may change."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        raise BadApplicationError("The address is malformed.") from None
    plain = len(url) <= _LONGEST_URL and url.isascii() and url.isprintable() and " " not in url
    if not plain or parts.scheme not in ("http", "https") or not host or port == 0 or parts.username is not None:
        raise BadApplicationError(
            f"An address is http or https, without a user name, of at most {_LONGEST_URL} characters."
        )
    if parts.fragment:
        raise BadApplicationError("The address has a fragment, which is never sent.")
    if not allow_private and _is_private(host):
        raise BadApplicationError(
            f"{host} is no public address.", hint="Set outbound.allow_private to call addresses of this network."
        )
    return url


def _is_private(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
    return not is_public(host)


def checked_subscription(branch: str, paths: Sequence[str], events: Sequence[str]) -> Wanted:
    """A branch ("" is the default one), globs (none is everything) and events (none is all)."""
    if len(branch) > 255 or (branch and _NOT_IN_A_BRANCH.search(branch)):
        raise BadSubscriptionError("This cannot be the name of a branch.")
    if len(paths) > _MOST_PATTERNS:
        raise BadSubscriptionError(f"A subscription has at most {_MOST_PATTERNS} paths.")
    for path in paths:
        if not 0 < len(path) <= _LONGEST_PATTERN or not path.isprintable() or not path.strip():
            raise BadSubscriptionError(f"A path is a glob of 1 to {_LONGEST_PATTERN} printable characters.")
    try:
        matcher(paths)("any/path")
    except ValueError as error:
        raise BadSubscriptionError(f"A path is no glob: {str(error)[:200]}.") from None
    unknown = [event for event in events if event not in EVENTS]
    if unknown:
        raise BadSubscriptionError(
            f"There is no event {unknown[0][:100]!r}.", hint="The events are " + ", ".join(EVENTS) + "."
        )
    chosen = tuple(event for event in EVENTS if event in events) if events else EVENTS
    return Wanted(branch, tuple(dict.fromkeys(paths)), chosen)
