"""Where a repository is: which addresses are taken, and what each is called. Pure, but for one look at a folder.

    /srv/git/project                      a folder of this machine: an absolute path
    https://github.com/owner/name         also http://, git:// and ssh://, the last with or without a user's name
    git@github.com:owner/name             the short form of ssh

Refused: what git would run as a command (`ext::`, `fd::`, anything that begins with a dash), relative paths, control
characters, and passwords. A password is never repeated, neither in an error nor anywhere else.
"""

from __future__ import annotations

import os
import posixpath
import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

from msgspec import Struct

from docalign_actors.errors import BadRepositoryUrlError, BadRevisionError

MOST_CHARACTERS = 2_000
_MOST_NAME = 200
_SCHEMES = ("https", "http", "ssh", "git")
_HOST = re.compile(r"[A-Za-z0-9]([A-Za-z0-9._-]{0,252})|\[[0-9A-Fa-f:.]{2,45}\]")
_USER = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}")
_SHORT = re.compile(r"(?:(?P<user>[^@/:]+)@)?(?P<host>\[[^\]/]*\]|[^@/:\[\]]+):(?P<path>.*)", re.DOTALL)
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_NO_REVISION = re.compile(r"[\x00-\x20\x7f-\x9f~^:?*\[\\\ud800-\udfff]|\.\.|@\{|//|^[-/.]|[/.]$|\.lock$")


class Address(Struct, frozen=True):
    """url: what git is given. name: what people read. organisation: what the daily limit counts, "" for none."""

    url: str
    name: str
    organisation: str = ""

    @property
    def local(self) -> bool:
        return self.url.startswith("/")


def parse_repository_url(text: str) -> Address:
    """The address in its one form, so that the same repository is not registered twice."""
    if not text or len(text) > MOST_CHARACTERS:
        raise BadRepositoryUrlError(f"An address has 1 to {MOST_CHARACTERS:,} characters.")
    if _CONTROL.search(text):
        raise BadRepositoryUrlError("The address holds a control character.")
    if text.startswith("/"):
        return _local(text)
    if text.startswith("-"):
        raise BadRepositoryUrlError("An address does not begin with a dash.")
    scheme, mark, _ = text.partition("://")
    if mark and scheme.lower() == "file":
        return _file(text)
    if mark:
        return _remote(scheme.lower(), text)
    if "::" in text.partition("[")[0]:
        raise BadRepositoryUrlError("Addresses that make git run another program are not taken.")
    return _short(text)


def check_repository(address: Address) -> None:
    """Whether the folder of a local address is a repository, with or without a work tree. Others are seen when fetched."""
    if not address.local:
        return
    root = Path(address.url)
    try:
        found = (root / ".git").exists() or all((root / part).exists() for part in ("HEAD", "objects", "refs"))
    except (OSError, ValueError):
        found = False
    if not found:
        raise BadRepositoryUrlError(
            f"There is no git repository in {address.url}, or this service may not read it.",
            hint="Name the folder that holds `.git`, or a bare repository, and let the service's user read it.",
        )


def check_revision(text: str, field: str) -> str:
    """The name of a branch, a tag or a commit. What git would read as an option or an expression is refused."""
    if not text or len(text) > 255 or _NO_REVISION.search(text):
        raise BadRevisionError(f"`{field}` is not the name of a branch, a tag or a commit.")
    return text


def takes_password(url: str) -> bool:
    """Whether git asks for a name and a password at this address."""
    parts = urlsplit(url)
    return parts.scheme in ("https", "http") and bool(parts.hostname)


def _local(text: str) -> Address:
    path = posixpath.normpath(text)
    path = "/" + path.lstrip("/")  # two slashes at the front have a meaning of their own to POSIX, and none here
    name = posixpath.basename(path)
    if not name or len(os.fsencode(path)) > MOST_CHARACTERS:
        raise BadRepositoryUrlError("This is no folder that can hold a repository.")
    return Address(path, name[:_MOST_NAME])


def _file(text: str) -> Address:
    """A folder of this machine, written as an address."""
    try:
        parts = urlsplit(text)
    except ValueError:
        raise BadRepositoryUrlError("The address is malformed.") from None
    if parts.netloc not in ("", "localhost") or not parts.path.startswith("/") or "?" in text or "#" in text:
        raise BadRepositoryUrlError("After file:// comes the absolute path of a folder of this machine.")
    path = unquote(parts.path)
    if _CONTROL.search(path):
        raise BadRepositoryUrlError("The address holds a control character.")
    return _local(path)


def _remote(scheme: str, text: str) -> Address:
    if scheme not in _SCHEMES:
        raise BadRepositoryUrlError("Only http, https, ssh, git and file addresses are taken.")
    try:
        parts = urlsplit(text)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        raise BadRepositoryUrlError("The address is malformed.") from None
    userinfo, at, _ = parts.netloc.rpartition("@")
    if at and (scheme != "ssh" or not _USER.fullmatch(userinfo)):
        raise BadRepositoryUrlError(
            "The address holds a user's name or a password.",
            hint="Register it without them, then give git the password with `docalign repo credentials`.",
        )
    if parts.query or parts.fragment or "?" in text or "#" in text:
        raise BadRepositoryUrlError("The address of a repository has neither `?` nor `#`.")
    host = _host(f"[{host}]" if ":" in host else host)
    path = _path(parts.path)
    place = f"{userinfo}@{host}" if at else host
    return _named(f"{scheme}://{place}{f':{port}' if port is not None else ''}", "/", host, path)


def _short(text: str) -> Address:
    found = _SHORT.fullmatch(text)
    if found is None:
        raise BadRepositoryUrlError("Neither an absolute path nor an address; relative paths are not taken.")
    user = found["user"]
    if user is not None and not _USER.fullmatch(user):
        raise BadRepositoryUrlError("The user's name before the @ is malformed.")
    if "@" in found["path"].partition("/")[0]:
        raise BadRepositoryUrlError(
            "The address seems to hold a password.", hint="Register it without, and give the service's user a key."
        )
    host = _host(found["host"])
    rooted = found["path"].startswith("/")
    path = _path(found["path"] if rooted else "/" + found["path"])
    return _named(f"{user}@{host}" if user else host, ":/" if rooted else ":", host, path)


def _host(text: str) -> str:
    if not _HOST.fullmatch(text):
        raise BadRepositoryUrlError("The name of the host is malformed.")
    return text.lower()


def _path(text: str) -> str:
    """The path without its outer slashes."""
    path = text.strip("/")
    if not path or path.startswith("-") or _CONTROL.search(unquote(path, errors="replace")):
        raise BadRepositoryUrlError("The address names no repository.")
    if any(part in (".", "..", "") for part in unquote(path).split("/")):
        raise BadRepositoryUrlError("The path of the address holds `.`, `..` or nothing between slashes.")
    return path


def _named(place: str, separator: str, host: str, path: str) -> Address:
    github = host == "github.com"
    shown = path.removesuffix(".git") or path
    if github:
        path = shown  # GitHub answers to both; other hosts may not
    organisation, several, _ = shown.partition("/")
    if not several:
        organisation = ""
    elif not github:
        organisation = f"{host}/{organisation}"
    return Address(f"{place}{separator}{path}", shown[-_MOST_NAME:], organisation[:_MOST_NAME])
