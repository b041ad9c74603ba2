"""Every message between the actors of this capability."""

from __future__ import annotations

from concurrent.futures import Future

from msgspec import Struct

from docalign_actors.github.payloads import Taken

INBOX = "github-inbox"
DISPATCH = "github-dispatch"
INSTALLATIONS = "github"
"""The family of the installations' actors."""


class Keep(Struct, frozen=True, tag="github.keep"):
    """Write this delivery down. `reply` gets True when, and only when, it is committed."""

    taken: Taken
    reply: Future[bool]


class Dispatch(Struct, frozen=True, tag="github.dispatch"):
    """Something waits to be carried out."""


class Tell(Struct, frozen=True, tag="github.tell"):
    """To an installation: look what there is to tell."""


class Step(Struct, frozen=True, tag="github.step"):
    """To itself: the next thing to tell."""


class Progress(Struct, frozen=True, tag="github.progress"):
    """A scan has come to this stage: worth a word, if there is time for one."""

    run: str
    stage: str
