"""Paths as documentation writes them: what counts as one, which hosts are ours, and how it is rewritten."""

from __future__ import annotations

import re
from functools import lru_cache

from docalign_actors.engine.code.routes.paths import ONE, RUN, UNKNOWN, segments

_SYSTEM = frozenset(
    [
        "etc",
        "usr",
        "var",
        "tmp",
        "opt",
        "home",
        "bin",
        "sbin",
        "dev",
        "proc",
        "sys",
        "root",
        "mnt",
        "lib",
        "lib64",
        "run",
        "srv",
        "private",
        "Users",
        "Applications",
        "Library",
        "media",
        "boot",
        "Volumes",
        "c",
        "d",
    ]
)
_LOCAL_HOST = re.compile(
    r"^(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1?\]|host\.docker\.internal|[\w-]+\.local|(?:[\w-]+\.)*example\.(?:com|org|net)|[a-z][\w-]*"
    r"|(?:your|my)[\w-]*(?:\.[\w-]+)*|\$\{?\w+\}?|<[\w. -]+>|\{+[\w.]+\}+|[A-Z_]+)(?::(?:\d+|\$?\{?\w+\}?|<\w+>))?$"
)
_VALUE = re.compile(r"^(?:\d[\w.-]*|[0-9a-f-]{8,}|[A-Z][A-Z0-9_]+|\.\.\.|…|\$\{?\w+\}?|%s|x{2,})$")


def is_path(path: str, with_method: bool) -> bool:
    """It reads as the path of a route: one word at least, and no place in a file system unless a method stands with it."""
    if (
        len(path) > 300
        or not path.startswith("/")
        or path.startswith("//")
        or "$(" in path
        or not re.search(r"[A-Za-z]{2}|\{\w", path)
    ):
        return False
    first = path[1:].partition("/")[0]
    return with_method or first not in _SYSTEM


def local_url(url: str) -> str:
    """The path of a URL whose host stands for the reader's own server; "" for every other."""
    match = re.match(r"^(?:https?:)?//(?:[^/\s@]{1,80}@)?([^/\s]+)(/[^\s?#]*)", url) or re.match(
        r"^(\$\{?\w+\}?|\{\w+\}|localhost(?::\d+)?|127\.0\.0\.1(?::\d+)?)(/[^\s?#]*)", url
    )
    if match is None or not _LOCAL_HOST.match(match[1]):
        return ""
    return match[2].rstrip(".,;:)")


@lru_cache(maxsize=16384)
def claim_segments(path: str) -> tuple[str, ...]:
    """The normal form of a path in the docs. Values that nobody would name a route by (`42`, `USER_ID`) are placeholders."""
    path = path.partition("?")[0].partition("#")[0]
    plain = re.sub(r"\$\{?(\w+)\}?", r"{\1}", path)
    parts = segments(plain.replace("%7B", "{").replace("%7D", "}"))
    return tuple(RUN if part in ("...", "…") else ONE if _VALUE.match(part) else part for part in parts)


def readings_of(path: str) -> list[tuple[str, ...]]:
    """The path as written, and without the suffix that asks for a format: `/users.json`."""
    parts = claim_segments(path)
    stem = re.fullmatch(r"(.+)\.(?:json|xml|csv|html|txt)", parts[-1]) if parts else None
    return [parts, (*parts[:-1], stem[1])] if stem else [parts]


def rewritten(path: str, old: tuple[str, ...], new: str) -> str | None:
    """The new route in the docs' style: what stood in the old one's placeholders is taken over in order."""
    given = [raw for raw in path.split("/") if raw]
    wanted = segments(new)
    if len(given) != len(old) or any(part in (RUN, UNKNOWN) for part in (*old, *wanted)):
        return None
    held = [raw for raw, part in zip(given, old, strict=True) if part == ONE]
    if sum(part == ONE for part in wanted) != len(held):
        return None
    values = iter(held)
    text = "/" + "/".join(next(values) if part == ONE else part for part in wanted)
    return text + "/" if path.endswith("/") and len(path) > 1 else text
