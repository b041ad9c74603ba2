"""The payloads of tasks that scans make. The command of a task is the `type` of its payload."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

VERIFICATION = "verification"
CLAIM_EXTRACTION = "claim_extraction"
COMMANDS = (VERIFICATION, CLAIM_EXTRACTION)
VERSION = 1

MOST_EXCERPTS = 6
LONGEST_EXCERPT = 6_000
"""Characters."""
MOST_EVIDENCE = 24_000
"""Characters of all excerpts of one task."""
MOST_HINTS = 10
MOST_PASSAGES = 8
LONGEST_PASSAGE = 6_000
MOST_EXTRACTED = 20
"""Claims that one claim_extraction may give back."""
LONGEST_CLAIM = 2_000
LONGEST_CONTEXT = 3_000


class RepositoryAtCommit(Struct, frozen=True):
    """What the agent looks at. `url` has no credentials in it; `base` is "" where there is nothing to compare with."""

    id: str
    name: str
    url: str
    commit: str
    base: str = ""


class ClaimInQuestion(Struct, frozen=True):
    """What the documentation says.

    text     the claim, to the letter
    context  the lines around it, the claim's own among them
    section  the headings above it, outermost first
    """

    id: str
    kind: str
    text: Annotated[str, Meta(max_length=LONGEST_CLAIM)]
    file: str
    line: int
    context: Annotated[str, Meta(max_length=LONGEST_CONTEXT)] = ""
    section: tuple[str, ...] = ()


class Excerpt(Struct, frozen=True):
    """Lines of a file at the commit, the first of them being number `line`."""

    file: str
    line: int
    text: Annotated[str, Meta(max_length=LONGEST_EXCERPT)]


class FileHint(Struct, frozen=True):
    """A file that the claim may rest on."""

    path: str
    confidence: float = 0.5
    entity_name: str = ""
    line: int = 0


class VerificationTask(Struct, frozen=True, tag_field="type", tag=VERIFICATION):
    """Is this claim true of the code at the commit?

    verification_path  1: `evidence` is meant to be enough; 2: the agent looks into the repository, `mapped_files` first
    routing_reason     why code alone could not decide, and why this path
    """

    run_id: str
    repository: RepositoryAtCommit
    claim: ClaimInQuestion
    verification_path: Annotated[int, Meta(ge=1, le=2)]
    routing_reason: str = ""
    evidence: Annotated[tuple[Excerpt, ...], Meta(max_length=MOST_EXCERPTS)] = ()
    mapped_files: Annotated[tuple[FileHint, ...], Meta(max_length=MOST_HINTS)] = ()
    version: int = VERSION


class Passage(Struct, frozen=True):
    """Prose of a document at the commit, the first line of it being number `line`."""

    file: str
    line: int
    text: Annotated[str, Meta(max_length=LONGEST_PASSAGE)]
    section: tuple[str, ...] = ()


class ClaimExtractionTask(Struct, frozen=True, tag_field="type", tag=CLAIM_EXTRACTION):
    """Which statements about the code do these passages make? No code could read any out of them."""

    run_id: str
    repository: RepositoryAtCommit
    passages: Annotated[tuple[Passage, ...], Meta(min_length=1, max_length=MOST_PASSAGES)]
    project_context: str = ""
    most_claims: int = MOST_EXTRACTED
    version: int = VERSION


TaskPayload = VerificationTask | ClaimExtractionTask
