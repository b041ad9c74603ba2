"""Tasks as scans make them, for tests."""

from __future__ import annotations

from typing import Any

import msgspec

from docalign_actors.contracts import ClaimExtractionTask, VerificationTask

SHA = "0123456789abcdef0123456789abcdef01234567"
GOOD = {
    "type": "verification", "verdict": "drifted", "confidence": 0.9, "reasoning": "The constant is 30.",
    "evidence": [{"file": "src/client.py", "line": 1, "quote": "TIMEOUT = 30"}],
}  # fmt: skip


def verification(url: str = "/nowhere", commit: str = SHA, **changes: Any) -> dict[str, Any]:
    return {
        "type": "verification", "run_id": "run", "repository": {"id": "1", "name": "client", "url": url, "commit": commit},
        "claim": {"id": "c", "kind": "prose", "text": "Requests are given up after 10 seconds.", "file": "README.md", "line": 3},
        "verification_path": 2, "mapped_files": [{"path": "src/client.py", "line": 1}], **changes,
    }  # fmt: skip


def extraction(**changes: Any) -> dict[str, Any]:
    return {
        "type": "claim_extraction", "run_id": "run", "repository": {"id": "1", "name": "c", "url": "/nowhere", "commit": SHA},
        "passages": [{"file": "README.md", "line": 3, "text": "Requests are given up\nafter 10 seconds."}], **changes,
    }  # fmt: skip


def verification_task(**changes: Any) -> VerificationTask:
    return msgspec.convert(verification(**changes), VerificationTask)


def extraction_task(**changes: Any) -> ClaimExtractionTask:
    return msgspec.convert(extraction(**changes), ClaimExtractionTask)
