"""The secrets that applications check signatures with. None of them is stored: each is made anew, by HKDF (RFC 5869), out of
a master key in the data directory, the application's id and the number of its secret.

So a stolen database, or a backup of one, signs nothing; and the key is to be backed up like the database.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import os
import secrets
import stat
from datetime import datetime, timedelta
from pathlib import Path
from typing import Protocol

from msgspec import Struct

from docalign_actors.applications.errors import MasterKeyError
from docalign_actors.applications.model import AppId

FILE_NAME = "applications.key"
GRACE = timedelta(hours=24)
"""After a rotation everything is signed with the secret before it, too: no receiver has to change at the very instant."""
_SIZE = 32
_PREFIX = "docalign_secret_"


class Generation(Struct, frozen=True):
    """Which secret an application has, and since when."""

    number: int
    rotated_at: datetime


class Generations(Protocol):
    """Knows the generation of each application's secret."""

    def generation(self, app: AppId) -> Generation | None: ...


class MasterKey:
    """Makes secrets. It does not show itself."""

    __slots__ = ("_key",)

    def __init__(self, key: bytes) -> None:
        self._key = key

    def __repr__(self) -> str:
        return "MasterKey(********)"

    def secret(self, app: AppId, number: int) -> str:
        """The n-th secret of an application."""
        info = b"docalign application secret\0" + app.bytes + number.to_bytes(4, "big")
        return _PREFIX + base64.urlsafe_b64encode(hkdf(self._key, info, _SIZE)).decode().rstrip("=")


def hkdf(key: bytes, info: bytes, length: int) -> bytes:
    """HKDF with SHA-256 and no salt."""
    pseudorandom = hmac.digest(b"\0" * 32, key, "sha256")
    made, block = b"", b""
    for number in range(1, -(-length // 32) + 1):
        block = hmac.digest(pseudorandom, block + info + bytes([number]), "sha256")
        made += block
    return made[:length]


def signatures(key: MasterKey, app: AppId, generation: Generation, stamp: str, body: bytes, now: datetime) -> str:
    """What stands in the header: one signature, or two within a day of a rotation. The newest comes first."""
    numbers = [generation.number]
    if generation.number > 1 and now < generation.rotated_at + GRACE:
        numbers.append(generation.number - 1)
    return ", ".join(f"sha256={_signed(key.secret(app, number), stamp, body)}" for number in numbers)


def _signed(secret: str, stamp: str, body: bytes) -> str:
    return hmac.new(secret.encode(), stamp.encode() + b"." + body, hashlib.sha256).hexdigest()


def master_key(data_dir: Path) -> MasterKey:
    """The key of this data directory; made if there is none."""
    path = data_dir / FILE_NAME
    if not path.exists():
        _make(path)
    try:
        mode, data = path.stat().st_mode, path.read_bytes()
    except OSError as error:
        raise MasterKeyError(f"{path} cannot be read: {error.strerror}.") from None
    if stat.S_IMODE(mode) & 0o077:
        raise MasterKeyError(f"{path} may be read by others than its owner.", hint=f"Run `chmod 600 {path}`.")
    if len(data) != _SIZE:
        raise MasterKeyError(f"{path} does not hold a key of docalign.")
    return MasterKey(data)


def _make(path: Path) -> None:
    """Whole or not at all, and readable by nobody else from its first instant. Of two who do so at once, the first wins."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    new = path.with_name(f"{FILE_NAME}.{secrets.token_hex(8)}")
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(secrets.token_bytes(_SIZE))
        file.flush()
        os.fsync(file.fileno())
    try:
        os.link(new, path)
    except FileExistsError:
        pass
    finally:
        new.unlink()
