"""Whether a result fits its task. Each reason says where it is wrong and what to write instead, for an agent to act on. Pure.

What can be seen without the repository is checked here, when the result is handed in. Whether the cited places exist at the
commit is checked when results are merged, by whoever has the repository.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from msgspec import Struct

from docalign_actors.contracts.results import (
    Citation,
    ClaimExtractionResult,
    ExtractedClaim,
    Result,
    VerificationResult,
)
from docalign_actors.contracts.schemas import RESULTS, TASKS
from docalign_actors.contracts.tasks import (
    CLAIM_EXTRACTION,
    VERIFICATION,
    ClaimExtractionTask,
    Passage,
    TaskPayload,
    VerificationTask,
)

_MOST_REASONS = 8


class BadResultError(ValueError):
    """The result does not fit the task."""

    def __init__(self, reasons: tuple[str, ...]) -> None:
        super().__init__("invalid result: " + "; ".join(reasons))
        self.reasons = reasons


def read_task(command: str, payload: str | bytes) -> TaskPayload:
    """The payload of a task that a scan made; a ValueError that says what is wrong with any other."""
    if command not in TASKS:
        raise ValueError(f"no task of DocAlign's: {command!r}")
    task: TaskPayload = msgspec.json.decode(payload, type=TASKS[command])
    return task


def check_result(task: TaskPayload, result: str | bytes) -> Result:
    """The result, if it fits; BadResultError with all that is wrong with it otherwise."""
    found = _decode(task, result)
    reasons = tuple(_wrong(task, found))[:_MOST_REASONS]
    if reasons:
        raise BadResultError(reasons)
    return found


class _Typed(Struct, frozen=True):
    type: str


def _decode(task: TaskPayload, result: str | bytes) -> Result:
    command = VERIFICATION if isinstance(task, VerificationTask) else CLAIM_EXTRACTION
    try:
        # A result says of what type it is: one that forgot may have forgotten more.
        if msgspec.json.decode(result, type=_Typed).type != command:
            raise BadResultError((f"this task asks for a result of type {command} - at `$.type`",))
        found: Result = msgspec.json.decode(result, type=RESULTS[command])
    except msgspec.ValidationError as error:
        raise BadResultError((str(error),)) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadResultError((f"not JSON: {error}",)) from None
    return found


def _wrong(task: TaskPayload, result: Result) -> Iterator[str]:
    match task, result:
        case VerificationTask(), VerificationResult():
            yield from _wrong_verdict(result)
        case ClaimExtractionTask(), ClaimExtractionResult():
            yield from _wrong_claims(task, result)


def _wrong_verdict(result: VerificationResult) -> Iterator[str]:
    if not result.reasoning.strip():
        yield "say in `reasoning` what the verdict rests on - at `$.reasoning`"
    if result.verdict == "drifted" and not result.evidence:
        yield (
            "a drifted claim needs evidence: cite `file`, `line` and `quote` of the code that says otherwise,"
            " or say uncertain - at `$.evidence`"
        )
    for number, citation in enumerate(result.evidence):
        yield from _wrong_citation(citation, f"$.evidence[{number}]")


def _wrong_citation(citation: Citation, where: str) -> Iterator[str]:
    if not is_inside(citation.file):
        yield f"name a file of the repository by its path from the root, with `/` - at `{where}.file`"
    if not citation.quote.strip():
        yield f"quote the text that stands there - at `{where}.quote`"


def _wrong_claims(task: ClaimExtractionTask, result: ClaimExtractionResult) -> Iterator[str]:
    if len(result.claims) > task.most_claims:
        yield f"at most {task.most_claims} claims, the most important ones - at `$.claims`"
    for number, claim in enumerate(result.claims):
        where = f"$.claims[{number}]"
        if not any(_stands_in(claim, passage) for passage in task.passages):
            yield f"copy the claim to the letter from a passage, with that passage's `file` and the claim's line - at `{where}`"
        for place, path in enumerate(claim.mapped_files):
            if not is_inside(path):
                yield f"name a file by its path from the root, with `/` - at `{where}.mapped_files[{place}]`"


def _stands_in(claim: ExtractedClaim, passage: Passage) -> bool:
    lines = passage.text.split("\n")
    if claim.file != passage.file or not passage.line <= claim.line < passage.line + len(lines):
        return False
    return bool(claim.text.strip()) and folded(claim.text) in folded("\n".join(lines[claim.line - passage.line :]))


def folded(text: str) -> str:
    """White space as agents copy it: any run of it is one space."""
    return " ".join(text.split())


def is_inside(path: str) -> bool:
    """Whether this can be a path from the repository's root."""
    parts = path.split("/")
    return path.isprintable() and "\\" not in path and all(part not in ("", ".", "..") for part in parts)
