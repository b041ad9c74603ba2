"""Messages between the actors of this capability."""

from __future__ import annotations

from msgspec import Struct

CHRONICLES = "chronicle"
"""The family: one for each repository that somebody subscribes to and that has something to say."""
HERALD = "app-herald"


class Look(Struct, frozen=True, tag="chronicle.look"):
    """There may be something to write into the journal, or to tell."""


class Work(Struct, frozen=True, tag="chronicle.work"):
    """To itself: do a piece of it."""


class Round(Struct, frozen=True, tag="app_herald.round"):
    """To itself: which repositories have something to say?"""
