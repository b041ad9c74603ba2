"""How the interpreter is set for a process in which an event loop and actors share one lock."""

from __future__ import annotations

import gc
import sys

_SWITCH_INTERVAL = 0.0005
"""Seconds for which a thread may keep the others waiting. The event loop is always busy under load; an actor that has to
come to its turn ten times for one commit would otherwise wait 50 ms for it."""


def tune() -> None:
    """Short turns for every thread."""
    sys.setswitchinterval(_SWITCH_INTERVAL)


def settle_down() -> None:
    """When everything is imported and made: nothing of it is looked through for garbage again.

    A whole collection holds every thread up for tens of milliseconds, nearly all of them spent on what was made at the start
    and lives until the end.
    """
    gc.collect()
    gc.freeze()
