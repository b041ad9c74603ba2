"""Of which claims a whole scan tells that code of long ago alone shows to be false.

A name that code of ours defined and none has today is missed however long ago it went, unless the document is known not to speak
of today. Only for such claims are versions of long ago looked into: of everything else they could tell nothing that is reported.
"""

from __future__ import annotations

import re
from functools import lru_cache

from docalign_actors.engine.audience import is_for_a_tool
from docalign_actors.engine.claims import Claim

NAMING = frozenset({"symbol", "imports", "signature"})
"""Kinds that ask for names of code."""
_OF_THE_PAST = re.compile(
    r"\b(?:before|old(?:er)?|legacy|deprecat\w+|previous(?:ly)?|former(?:ly)?|migrat\w+|upgrad\w+|remov\w+|renam\w+|v?\d+\.(?:\d+|x))\b",
    re.IGNORECASE,
)
"""A section that shows how things were."""
_NOTES = frozenset(
    {"design", "notes", "research", "drafts", "ideas", "brainstorming", "scratch", "spikes", "investigations"}
)


def is_told(claim: Claim) -> bool:
    """It names code, in a document and a section that speak of today."""
    return claim.kind in NAMING and not (
        claim.hypothetical or is_for_a_tool(claim.file) or is_noted(claim.file) or is_of_the_past(claim.section)
    )


def is_noted(path: str) -> bool:
    """It lies where people think aloud: `notes/`, `docs/design/`."""
    return any(folder.lower() in _NOTES for folder in path.split("/")[:-1])


@lru_cache(maxsize=4096)
def is_of_the_past(section: tuple[str, ...]) -> bool:
    """One of the headings above says that what follows shows how things were."""
    return any(_OF_THE_PAST.search(title) for title in section)
