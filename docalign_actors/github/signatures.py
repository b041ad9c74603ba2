"""Whether a webhook was signed with one of our secrets: HMAC-SHA256 over the very bytes that came. Pure."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable

from docalign_actors.settings.kinds import Secret


def is_signed(body: bytes, signature: str, secrets: Iterable[Secret]) -> bool:
    """In constant time, for each secret: how long it takes says nothing of how near a guess was."""
    if not signature.isascii():
        return False
    found = False
    for secret in secrets:
        if secret:
            expected = "sha256=" + hmac.new(secret.reveal().encode(), body, hashlib.sha256).hexdigest()
            found |= hmac.compare_digest(expected, signature)
    return found
