"""What the service and an agent agree on: the payload of a task, the result of one, their schemas, and what is refused.

Both sides import this and nothing of each other. Whatever is in a task or a result is data: text of a repository, or of an agent.
"""

from docalign_actors.contracts.checking import BadResultError, check_result, read_task
from docalign_actors.contracts.results import (
    Citation,
    ClaimExtractionResult,
    ExtractedClaim,
    Result,
    VerificationResult,
)
from docalign_actors.contracts.schemas import result_schema, task_schema
from docalign_actors.contracts.tasks import (
    CLAIM_EXTRACTION,
    COMMANDS,
    VERIFICATION,
    ClaimExtractionTask,
    ClaimInQuestion,
    Excerpt,
    FileHint,
    Passage,
    RepositoryAtCommit,
    TaskPayload,
    VerificationTask,
)

__all__ = [
    "CLAIM_EXTRACTION",
    "COMMANDS",
    "VERIFICATION",
    "BadResultError",
    "Citation",
    "ClaimExtractionResult",
    "ClaimExtractionTask",
    "ClaimInQuestion",
    "Excerpt",
    "ExtractedClaim",
    "FileHint",
    "Passage",
    "RepositoryAtCommit",
    "Result",
    "TaskPayload",
    "VerificationResult",
    "VerificationTask",
    "check_result",
    "read_task",
    "result_schema",
    "task_schema",
]
