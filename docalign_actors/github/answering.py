"""Decides the next thing to ask of GitHub, or to tell it, about one command. Pure: (what the row says) → one step.

    asked      👀 → may they? → what else has to be known → ready
    answered   the reply, if there is one → the reaction that says how it ended → told

Every step is one request. A reaction that is given twice is one at GitHub. A reply begins with a mark, and before it is posted
the row says so (`replying`): after a crash, or an answer that never came, the step is to look for it.
"""

from __future__ import annotations

from msgspec import Struct

from docalign_actors.github import commands
from docalign_actors.github.commands import Asked
from docalign_actors.github.markers import reply_marker
from docalign_actors.scans.model import RepoId

EYES = "eyes"
_ENDS = {"started": "rocket", "done": "+1", "refused": "confused"}
_RANKS = ("none", "read", "write", "admin")
_SILENT = ("check", "thread", "reaction", "closing")
"""Where there is no comment to react to."""


class Given(Struct, frozen=True, kw_only=True):
    """A command that somebody gave, and how far it is."""

    id: int
    repo_id: RepoId
    installation: int
    full_name: str
    place: str
    source: int
    ordinal: int
    number: int
    pull: bool
    author: str
    line: str
    state: str = "asked"
    seen: bool = False
    permission: str | None = None
    head_sha: str = ""
    base_ref: str = ""
    material: str | None = None
    result: str = ""
    reply: str = ""
    replying: bool = False
    reply_id: int | None = None
    attempts: int = 0

    @property
    def asked(self) -> Asked:
        return commands.asked(self.place, self.line, self.ordinal)

    @property
    def marker(self) -> str:
        return reply_marker(self.place, self.source, self.ordinal)

    @property
    def source_name(self) -> str:
        """Under which what follows from it is done once."""
        return f"action:{self.source}" if self.place == "check" else f"comment:{self.source}:{self.ordinal}"


class React(Struct, frozen=True):
    """Show that the command was seen, or how it ended."""

    content: str


class AskPermission(Struct, frozen=True):
    """What may the author do here? Only GitHub knows."""


class LookAtPull(Struct, frozen=True):
    """Which head is to be scanned? A webhook may have been lost."""


class LookAtConfiguration(Struct, frozen=True):
    """What does the repository say about how it is to be checked?"""


class LookAtReactions(Struct, frozen=True):
    """Who waved our suggestions away? GitHub tells of no reaction by itself."""


class Ready(Struct, frozen=True):
    """Everything is known."""


class LookForReply(Struct, frozen=True):
    """It may have been posted."""


class Reply(Struct, frozen=True):
    body: str


class Finish(Struct, frozen=True):
    """Everything is told."""


Step = (
    React | AskPermission | LookAtPull | LookAtConfiguration | LookAtReactions | Ready | LookForReply | Reply | Finish
)


def next_step(given: Given) -> Step:
    """What comes next. Carried out and written down, it leads to another, until somebody else has to do something."""
    silent = given.place in _SILENT
    if given.state == "answered":
        if given.reply and given.reply_id is None:
            return LookForReply() if given.replying else Reply(f"{given.marker}\n{given.reply}")
        return Finish() if silent else React(_ENDS[given.result])
    if given.place == "closing":
        return LookAtReactions()
    if not given.seen and not silent:
        return React(EYES)
    if given.permission is None:
        return AskPermission()
    if allowed(given.asked, given.permission):
        match given.asked:
            case commands.Scan() | commands.Resume() | commands.Ignore() | commands.Unignore() | commands.Dismiss():
                if given.pull and not given.head_sha:
                    return LookAtPull()
            case commands.Config() if given.material is None:
                return LookAtConfiguration()
    return Ready()


def needed(asked: Asked) -> str:
    """The permission without which it is refused: whatever changes something asks for the right to write."""
    match asked:
        case commands.Explain() | commands.Config() | commands.Help() | commands.Unknown() | commands.Malformed():
            return "read"
        case commands.TooMany():
            return "read"
    return "write"


def allowed(asked: Asked, permission: str) -> bool:
    """Whether somebody with this permission may ask for it."""
    return _RANKS.index(permission) >= _RANKS.index(needed(asked))


def writes(step: Step) -> bool:
    """Whether a step counts against the limits of writes."""
    return isinstance(step, React | Reply)
