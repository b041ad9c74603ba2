"""What people put into addresses, read with suspicion."""

from __future__ import annotations

import re
from uuid import UUID

from docalign_actors.errors import DocAlignError, UnknownRepositoryError, UnknownScanError

_LOCAL = re.compile(r"/(?![/\\])[A-Za-z0-9/_.~%?&=-]*")


def uuid(text: str, of: str | type[DocAlignError]) -> UUID:
    """An id out of an address. What is no id is the id of nothing: `of` says of what, or which error that is."""
    try:
        return UUID(text)
    except ValueError:
        if isinstance(of, type):
            raise of from None
        raise (UnknownScanError if of == "scan" else UnknownRepositoryError) from None


def local(path: str, otherwise: str) -> str:
    """Where to go next, if that is a page of ours: a form must not send anybody elsewhere."""
    return path if _LOCAL.fullmatch(path) else otherwise
