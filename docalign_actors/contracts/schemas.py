"""The JSON schemas of payloads and results, made from the types that check them."""

from __future__ import annotations

from typing import Any

import msgspec

from docalign_actors.contracts.results import ClaimExtractionResult, VerificationResult
from docalign_actors.contracts.tasks import CLAIM_EXTRACTION, VERIFICATION, ClaimExtractionTask, VerificationTask

TASKS = {VERIFICATION: VerificationTask, CLAIM_EXTRACTION: ClaimExtractionTask}
RESULTS = {VERIFICATION: VerificationResult, CLAIM_EXTRACTION: ClaimExtractionResult}


def task_schema(command: str) -> dict[str, Any]:
    """The schema of a task's payload."""
    return _schema(TASKS[command])


def result_schema(command: str) -> dict[str, Any]:
    """The schema of the result that a task of this command asks for."""
    return _schema(RESULTS[command])


def _schema(kind: type) -> dict[str, Any]:
    """One document: what a model is shown has no references to resolve but its own `$defs`."""
    (root,), parts = msgspec.json.schema_components([kind], ref_template="#/$defs/{name}")
    name = root["$ref"].rpartition("/")[2]
    top = parts.pop(name)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **top, **({"$defs": parts} if parts else {})}
