"""Decides whether an answer of GitHub is a limit, and until when to wait. Pure.

A limit comes as 403 or 429. It says nothing about the thing that was asked for: it is never read as "not found", "not
allowed" or "closed".
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

from msgspec import Struct

_WITHOUT_WORD = 60.0
"""Seconds to wait after a secondary limit that says nothing of how long; each further one doubles it."""
_LONGEST = 3_600.0
_LEAST = 1.0
_WORDS = ("rate limit", "abuse detection", "please wait a few minutes", "retry your request again later")


class Limit(Struct, frozen=True):
    """GitHub wants to be left alone until then."""

    until: datetime
    secondary: bool


def limit_in(status: int, headers: Mapping[str, str], message: str, now: datetime, strikes: int) -> Limit | None:
    """`headers` have names in small letters; `strikes` counts the secondary limits just before this one."""
    if status not in (403, 429):
        return None
    after = headers.get("retry-after", "")
    used_up = headers.get("x-ratelimit-remaining") == "0"
    if not (status == 429 or after or used_up or any(word in message.lower() for word in _WORDS)):
        return None
    if after.isdecimal():
        return Limit(now + _seconds(float(after[:9])), not used_up)
    reset = headers.get("x-ratelimit-reset", "")
    if used_up and reset.isdecimal():
        # One second more: nobody knows when within that second it is.
        return Limit(max(now + _seconds(_LEAST), datetime.fromtimestamp(int(reset[:12]) + 1, UTC)), False)
    return Limit(now + _seconds(_WITHOUT_WORD * 2 ** min(strikes, 10)), True)


def _seconds(number: float) -> timedelta:
    return timedelta(seconds=min(max(number, _LEAST), _LONGEST))
