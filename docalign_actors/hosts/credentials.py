"""How git gets a password: through its environment, and only for the host that it belongs to.

A helper of one line reads it from a variable; the line itself holds no secret, so neither an argument, an address nor a
file that git writes ever does. Credentials that an operator gave for one repository lie in a file of their own, which only
the service's user can read: the database never holds them.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Collection
from pathlib import Path
from urllib.parse import urlsplit
from uuid import UUID

import msgspec
from msgspec import Struct

_PASSWORD, _USER = "GIT_HOST_PASSWORD", "GIT_HOST_USER"
_HELPER = f'!f() {{ test "$1" = get && printf "username=%s\\npassword=%s\\n" "${_USER}" "${_PASSWORD}"; }}; f'
TOKEN_USER = "x-access-token"  # noqa: S105 - what hosts take for a name where a token is the password


class Credentials(Struct, frozen=True):
    """A name and a password; neither shows itself."""

    user: str = ""
    password: str = ""

    def __repr__(self) -> str:
        return "Credentials(********)" if self.password else "Credentials()"

    def __bool__(self) -> bool:
        return bool(self.password)


def git_environment(url: str, token: str, user: str = "") -> dict[str, str]:
    """What is added to git's environment; nothing without a token, or for an address that is not over HTTP."""
    parts = urlsplit(url)
    if not token or parts.scheme not in ("https", "http") or not parts.hostname:
        return {}
    origin = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"
    settings = {"credential.helper": "", f"credential.{origin}.helper": _HELPER, "core.askPass": "true"}
    numbered: dict[str, str] = {
        _PASSWORD: token, _USER: user or TOKEN_USER, "GIT_CONFIG_COUNT": str(len(settings))
    }  # fmt: skip
    for number, (key, value) in enumerate(settings.items()):
        numbered |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
    return numbered


class CredentialFiles:
    """One file for each repository that has credentials of its own, named after its id."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def put(self, repo: UUID, user: str, password: str) -> None:
        """Whole or not at all, and readable by nobody else from its first instant."""
        credentials = Credentials(user, password)
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = self._path(repo)
        descriptor = os.open(path.with_suffix(".new"), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(msgspec.json.encode(credentials))
            file.flush()
            os.fsync(file.fileno())
        os.replace(path.with_suffix(".new"), path)

    def get(self, repo: UUID) -> Credentials:
        """Empty ones where there are none, or where the file cannot be read."""
        try:
            return msgspec.json.decode(self._path(repo).read_bytes(), type=Credentials)
        except (OSError, msgspec.DecodeError):
            return Credentials()

    def user_of(self, repo: UUID) -> str | None:
        """The name that goes with the password; None where there are no credentials."""
        found = self.get(repo)
        return found.user if found else None

    def remove(self, repo: UUID) -> bool:
        """Whether there were any."""
        with contextlib.suppress(FileNotFoundError):
            self._path(repo).with_suffix(".new").unlink()
        try:
            self._path(repo).unlink()
        except FileNotFoundError:
            return False
        return True

    def keep_only(self, repos: Collection[str]) -> int:
        """Removes those of repositories that are gone; how many that were."""
        if not self._folder.is_dir():
            return 0
        doomed = [path for path in self._folder.iterdir() if path.stem not in repos]
        for path in doomed:
            path.unlink(missing_ok=True)
        return len(doomed)

    def _path(self, repo: UUID) -> Path:
        return self._folder / f"{repo}.json"
