"""Decides whether a suppression that somebody asks for could ever suppress anything. Pure."""

from __future__ import annotations

import difflib
import re
from typing import get_args

from docalign_actors.contracts.results import Aspect
from docalign_actors.engine.kinds.names_of_kinds import KIND_NAMES
from docalign_actors.errors import BadSuppressionError

_ID = re.compile(r"[0-9a-f]{12}")
_RULE = re.compile(r"[a-z]+(-[a-z]+)+")
_KINDS = sorted(KIND_NAMES | set(get_args(Aspect)))


def check_suppression(scope: str, value: str) -> None:
    """A claim is named by an id, a file by its path from the root, a kind by its name or by one of its rules."""
    if scope == "claim" and not _ID.fullmatch(value):
        raise BadSuppressionError(
            "A claim is named by its id or its finding's: twelve hexadecimal digits.",
            hint="Take it from the finding as the check, the comment or GET /api/scans/{id}/findings shows it.",
        )
    if scope == "kind" and value not in _KINDS and not _RULE.fullmatch(value):
        near = difflib.get_close_matches(value, _KINDS, 1)
        raise BadSuppressionError(
            "There is no kind of this name.",
            hint=f"Did you mean `{near[0]}`?" if near else f"The kinds are {', '.join(_KINDS)}.",
        )
    if scope == "file" and (value.startswith(("/", "./")) or ".." in value.split("/")):
        raise BadSuppressionError(
            "A file is named by its path from the root of the repository.", hint="Write docs/guide.md, for example."
        )
