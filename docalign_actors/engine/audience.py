"""Whom a document is written for, told by its path alone.

Who works on the repository is told of this repository: its files, its scripts, what it takes to build it. A README stands beside
what it speaks of. A manual is written for users, whose projects have files, scripts and versions of their own, and it is often
read on a site that has its own idea of where a link leads.
"""

from __future__ import annotations

import re
from enum import StrEnum
from functools import lru_cache

from docalign_actors.engine.roles import DOC_SUFFIXES, is_example


class Audience(StrEnum):
    """Those whom a document is written for."""

    WORKERS = "workers"
    VISITORS = "visitors"
    USERS = "users"


_WORK = re.compile(
    r"^(?:contribut(?:e|ing|ion|ions|or|ors)|devel(?:op(?:ment|ing)?)?|dev|hacking|maintain(?:er|ers|ing)|building|internals?|codebase"
    r"|agents|claude|gemini)(?:$|[-_. ])|^developers?[-_ ](?:guide|setup|set-up|notes|manual|docs|documentation)"
    r"|[-_ ](?:contributing|development|internals)$",
    re.IGNORECASE,
)
_FOR_DEVELOPERS = re.compile(r"^developers?$", re.IGNORECASE)
"""As a document, of those who develop this; as a folder, often of those who build upon it."""
_TO_BUILD = re.compile(r"^(?:build|testing(?:[-_]docs?|[-_]guide)?)$", re.IGNORECASE)
"""Beside code, how this is built and tested; as a folder, what a build made; in a manual, a command."""
_AT_THE_FRONT = re.compile(r"^(?:readme|install|building|security|support|governance)(?:$|[-_.])", re.IGNORECASE)
_FORGE = ".github"
_MANUAL = frozenset(
    {"docs", "doc", "documentation", "website", "site", "www", "guide", "guides", "manual", "book", "content", "pages"}
)


@lru_cache(maxsize=4096)
def audience(path: str) -> Audience:
    """Whom the document at this path is written for."""
    *folders, name = path.split("/")
    stem = name.rpartition(".")[0] if "." + name.rpartition(".")[2].lower() in DOC_SUFFIXES else name
    for_work = any(_WORK.search(part) for part in (*folders, stem)) or _FOR_DEVELOPERS.match(stem)
    if for_work and not is_example(path):
        return Audience.WORKERS
    if is_in_manual(path):
        return Audience.USERS
    if _TO_BUILD.match(stem) and not is_example(path):
        return Audience.WORKERS
    return Audience.VISITORS if folders == [_FORGE] or _AT_THE_FRONT.match(stem) else Audience.USERS


def is_in_manual(path: str) -> bool:
    """It lies in a folder of documents: `docs/`, `website/`."""
    return any(folder.lower() in _MANUAL for folder in path.split("/")[:-1])


def is_read_in_place(path: str) -> bool:
    """It is shown where it lies, with links that lead from there: a README, at the root, or for those who work here.

    A hidden file, such as `.verb.md`, is what a program makes the shown one of.
    """
    name = path.rpartition("/")[2]
    if name.startswith("."):
        return False
    return name.lower().startswith("readme") or "/" not in path or audience(path) is not Audience.USERS


def is_for_a_tool(path: str) -> bool:
    """It lies among the settings of some tool (`.github/actions/…`) and came with it: it tells of files that need not be there."""
    *folders, _ = path.split("/")
    return folders != [_FORGE] and any(folder.startswith(".") for folder in folders)
