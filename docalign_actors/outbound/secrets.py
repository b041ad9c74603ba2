"""The secret that signs callbacks where nobody has set one: made once, kept in a file that only the service may read."""

from __future__ import annotations

import os
import re
import secrets
import stat
from pathlib import Path

from docalign_actors.errors import ConfigurationError
from docalign_actors.settings.kinds import Secret

FILE_NAME = "outbound-secret"
_FORM = re.compile(r"[A-Za-z0-9_-]{43}")


def own_secret(data_dir: Path) -> Secret:
    """The secret of this data directory; made if there is none. The database never has it."""
    path = data_dir / FILE_NAME
    if not path.exists():
        _make(path)
    try:
        mode = path.stat().st_mode
        text = path.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise _wrong(path, f"cannot be read: {getattr(error, 'strerror', None) or 'it is not text'}") from None
    if stat.S_IMODE(mode) & 0o077:
        raise _wrong(path, "may be read by others than its owner")
    if not _FORM.fullmatch(text):
        raise _wrong(path, "does not hold a secret of docalign")
    return Secret(text)


def _make(path: Path) -> None:
    """Whole or not at all, and readable by nobody else from its first instant. Of two who do so at once, the first wins."""
    new = path.with_name(f"{FILE_NAME}.{secrets.token_hex(8)}")
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(secrets.token_urlsafe(32) + "\n")
        file.flush()
        os.fsync(file.fileno())
    try:
        os.link(new, path)
    except FileExistsError:
        pass
    finally:
        new.unlink()


def _wrong(path: Path, what: str) -> ConfigurationError:
    return ConfigurationError(
        f"{path} {what}.",
        hint="Delete the file to have a new secret made (tell the receivers), or set outbound.secret.",
    )
