"""What an agent hands back. The bounds stand in the types, so that they stand in the JSON schema too."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from docalign_actors.contracts.tasks import CLAIM_EXTRACTION, LONGEST_CLAIM, MOST_EXTRACTED, VERIFICATION

MOST_CITED = 10
LONGEST_QUOTE = 2_000
LONGEST_REASONING = 4_000
LONGEST_PATH = 1_000

Verdict = Literal["verified", "drifted", "uncertain"]
Severity = Literal["low", "medium", "high"]
Aspect = Literal["behaviour", "architecture", "convention"]
"""What a claim is about that only an agent can read out of prose."""

Path = Annotated[str, Meta(min_length=1, max_length=LONGEST_PATH, description="relative to the repository's root")]
Line = Annotated[int, Meta(ge=1, le=10_000_000, description="counted from 1")]
Tokens = Annotated[int, Meta(ge=0, le=100_000_000, description="what the model used, 0 if that is not known")]


class Citation(Struct, frozen=True):
    """A place in the repository at the task's commit. It is looked up before it counts."""

    file: Path
    line: Line
    quote: Annotated[
        str,
        Meta(
            min_length=1, max_length=LONGEST_QUOTE, description="text that stands there to the letter, one line or more"
        ),
    ]
    note: Annotated[str, Meta(max_length=LONGEST_REASONING, description="what it shows")] = ""


class VerificationResult(Struct, frozen=True, tag_field="type", tag=VERIFICATION):
    """What the agent decided about the claim."""

    verdict: Verdict
    confidence: Annotated[float, Meta(ge=0, le=1)]
    reasoning: Annotated[str, Meta(min_length=1, max_length=LONGEST_REASONING, description="one to three sentences")]
    evidence: Annotated[
        tuple[Citation, ...], Meta(max_length=MOST_CITED, description="required when the verdict is drifted")
    ] = ()
    severity: Severity = "medium"
    suggestion: Annotated[
        str, Meta(max_length=LONGEST_CLAIM, description="what the documentation should say instead of the claim's text")
    ] = ""
    tokens: Tokens = 0


class ExtractedClaim(Struct, frozen=True):
    """A statement about the code that a passage makes."""

    file: Path
    line: Line
    text: Annotated[
        str, Meta(min_length=1, max_length=LONGEST_CLAIM, description="as it stands in the passage, to the letter")
    ]
    aspect: Aspect = "behaviour"
    mapped_files: Annotated[
        tuple[Path, ...], Meta(max_length=5, description="files that would show whether it is true")
    ] = ()


class ClaimExtractionResult(Struct, frozen=True, tag_field="type", tag=CLAIM_EXTRACTION):
    """What the passages claim; an empty list, if they claim nothing."""

    claims: Annotated[tuple[ExtractedClaim, ...], Meta(max_length=MOST_EXTRACTED)]
    tokens: Tokens = 0


Result = VerificationResult | ClaimExtractionResult
