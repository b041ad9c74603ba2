"""Says in words where telling GitHub about a head has come to. Pure; agrees with `telling`, which decides the step."""

from __future__ import annotations

from docalign_actors.github.views import CheckView

LOOK, CREATE, PROGRESS = "looks for the check", "makes the check", "says that the scan runs"
COMMENT, REVIEW, CONCLUDE = "sees to the comment", "sees to the suggestions", "concludes the check"


def step_of(check: CheckView) -> str:
    """What comes next."""
    if not check.final:
        if check.has_check:
            return PROGRESS
        return LOOK if check.posting else CREATE
    if check.commented < check.wanted:
        return COMMENT
    if check.reviewed < check.wanted:
        return REVIEW
    if check.posting and not check.has_check:
        return LOOK
    return CONCLUDE


def state_of(check: CheckView) -> str:
    """Why it does not go on: given up, suspended, paused, or tried again."""
    if check.given_up:
        return "given up"
    if check.suspended:
        return "suspended"
    return "paused" if check.paused else "tried again"
