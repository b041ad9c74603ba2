"""A claim, a judgement of it, and what a kind of claim has to provide. Adding a kind touches nothing but the registry."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum, auto
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct

from docalign_actors.engine.documents.model import Document
from docalign_actors.findings.model import Evidence, Fix, Severity, Verdict

if TYPE_CHECKING:
    from docalign_actors.engine.world import World


NOWHERE = "is nowhere in the code any more"
"""What is said of a mere word that went: nothing tells what the thing was."""
OCCURS = "occurs here"
"""What a kind says of a file in which it found nothing but the word: in a comment, or inside a longer text."""


class Claim(Struct, frozen=True, array_like=True):
    """A sentence's checkable content, and where it stands.

    text     the source text at (line, column), to the letter: what a fix replaces
    subject  the thing the claim is about, normalised by its kind: `src/app.py`, `--port`, `PORT`, `pkg.mod.func`
    form     how it is written: span, link, image, shell, example, table, prose, tree, role, block, heading
    value    what the docs say of the subject (a default, a version, an HTTP method), "" if nothing
    owner    what the subject belongs to: the command of an option, the class of a method, the function of a parameter
    words    identifiers that must occur in the code if the claim is to hold: they decide which files are worth parsing
    group    claims of one list, table or block share a number: neighbours
    """

    kind: str
    subject: str
    text: str
    file: str
    line: int
    column: int
    form: str = "span"
    value: str = ""
    owner: str = ""
    language: str = ""
    section: tuple[str, ...] = ()
    context: str = ""
    words: tuple[str, ...] = ()
    group: int = 0
    hypothetical: bool = False

    def overlaps(self, other: Claim) -> bool:
        """Both read some of the same text; they are known to stand on the same line."""
        return self.column < other.column + len(other.text) and other.column < self.column + len(self.text)


class Rule(Struct, frozen=True):
    """A rule as `docalign rules` lists it. The page docs/rules/<kind>.md says the rest."""

    id: str
    kind: str
    summary: str
    severity: Severity


class Why(Enum):
    """Why a claim is in doubt, or false, where something follows from it; the message tells people the same in words."""

    UNTOLD = auto()
    """Nothing follows from it."""
    ANOTHERS = auto()
    ANOTHERS_OR_GENERATED = auto()
    ANOTHERS_OR_GONE = auto()
    PERHAPS_ANOTHERS = auto()
    SAID_ANOTHERS = auto()
    """The text says so."""
    OF_ANOTHERS = auto()
    """Of an object that is another's."""
    OF_ANOTHER_PROGRAM = auto()
    EVERYBODYS = auto()
    """The standard library's, or what every script has."""
    TAKEN = auto()
    """The examples take it from another project."""
    SHARED = auto()
    """Other programs read it, too."""
    SAID_PAST = auto()
    HEDGED = auto()
    """The text around it speaks of what is not there."""
    INHERITED = auto()
    """Of an object whose class may have it of a parent."""
    UNREAD = auto()
    """What may hold it cannot be read."""
    UNFOLLOWED = auto()
    """Something between the name and what it leads to cannot be read."""
    BUILT = auto()
    """Code may make the name out of parts."""
    BUILT_OF_KEY = auto()
    UNSHOWN = auto()
    """Nothing shows that the variable is this project's."""
    UNROUTED = auto()
    """How this repository registers routes, or what they lie below, is not known."""
    UNREGISTERED = auto()
    """No such route, and nothing tells that there ever was one."""
    REPORTED = auto()
    """Under another rule."""

    WORD_GONE = auto()
    """False: a mere word is nowhere any more. Nothing tells what the thing was."""
    NAME_GONE = auto()
    """False: what had this very name is not defined any more."""
    MODULE_GONE = auto()
    START_GONE = auto()
    """False: no variable of which only the beginning was ever seen in code begins so any more."""


class Judgement(Struct, frozen=True):
    """What a kind decided about one claim, and on what grounds.

    subject  what mentions are gathered by, if the claim's own subject is too narrow or too wide
    seen     it was seen what the code put in its place among others of its kind: that the word stands elsewhere is no answer
    why      why it is in doubt, or false
    """

    verdict: Verdict
    rule: str = ""
    message: str = ""
    evidence: tuple[Evidence, ...] = ()
    confidence: float = 1.0
    severity: Severity | None = None
    fix: Fix | None = None
    subject: str = ""
    seen: bool = False
    why: Why = Why.UNTOLD


def verified(*evidence: Evidence) -> Judgement:
    """The code agrees."""
    return Judgement(Verdict.VERIFIED, evidence=evidence)


def uncertain(reason: str, why: Why = Why.UNTOLD) -> Judgement:
    """Nothing decides it: counted, and shown only when asked for. What follows from a doubt asks `why`, never the words."""
    return Judgement(Verdict.UNCERTAIN, message=reason, why=why)


class Kind(Protocol):
    """One kind of claim: how to find it, how to judge it, how to mend it."""

    name: str
    rules: tuple[Rule, ...]
    markers: frozenset[str]
    """Words (`argparse`, `APIRouter`) that make a source file worth parsing for this kind, whatever the docs name."""

    def extract(self, document: Document) -> Iterable[Claim]:
        """The claims of this kind in a document. Looks at nothing else, so that the result is cached with the document."""
        ...

    def verify(self, claim: Claim, world: World) -> Judgement:
        """Decides. May be called twice: the second time with the past's answers to what the first call asked of it."""
        ...
