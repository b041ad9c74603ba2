"""What the service and an agent agree on."""

from __future__ import annotations

import contextlib
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docalign_actors.contracts import (
    CLAIM_EXTRACTION,
    COMMANDS,
    VERIFICATION,
    BadResultError,
    ClaimExtractionTask,
    ClaimInQuestion,
    Excerpt,
    Passage,
    RepositoryAtCommit,
    TaskPayload,
    VerificationTask,
    check_result,
    read_task,
    result_schema,
    task_schema,
)

_REPOSITORY = RepositoryAtCommit("r", "acme/widget", "https://example.org/acme/widget", "a" * 40)
VERIFY = VerificationTask(
    "run", _REPOSITORY, ClaimInQuestion("c", "behaviour", "It retries twice.", "README.md", 3), 1,
    evidence=(Excerpt("src/app.py", 10, "RETRIES = 3"),),
)  # fmt: skip
EXTRACT = ClaimExtractionTask(
    "run", _REPOSITORY, (Passage("README.md", 5, "The queue is kept\nin memory. It is fast."),), most_claims=2
)
GOOD = {
    "type": "verification", "verdict": "drifted", "confidence": 0.9, "reasoning": "It retries three times.",
    "evidence": [{"file": "src/app.py", "line": 10, "quote": "RETRIES = 3"}],
}  # fmt: skip
CLAIM = {"file": "README.md", "line": 5, "text": "The queue is kept in memory."}


def refused(task: TaskPayload, result: Any) -> str:
    with pytest.raises(BadResultError) as caught:
        check_result(task, msgspec.json.encode(result))
    return str(caught.value)


@pytest.mark.parametrize("task", [VERIFY, EXTRACT])
def test_a_task_survives_the_wire(task: TaskPayload) -> None:
    command = VERIFICATION if isinstance(task, VerificationTask) else CLAIM_EXTRACTION
    assert read_task(command, msgspec.json.encode(task)) == task


def test_a_payload_that_no_scan_made_is_told_apart() -> None:
    with pytest.raises(ValueError, match="no task of DocAlign's"):
        read_task("VERIFY", b"{}")
    with pytest.raises(ValueError, match="missing required field"):
        read_task("verification", b"{}")


def test_a_result_that_fits_is_taken() -> None:
    assert check_result(VERIFY, msgspec.json.encode(GOOD)).tokens == 0
    both = {"type": "claim_extraction", "claims": [CLAIM, CLAIM | {"line": 6, "text": "It is fast."}]}
    assert check_result(EXTRACT, msgspec.json.encode(both)).tokens == 0


def test_drifted_without_evidence_is_refused_with_what_to_do() -> None:
    said = refused(VERIFY, GOOD | {"evidence": []})
    assert "a drifted claim needs evidence" in said
    assert "`$.evidence`" in said


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"verdict": "false"}, "Invalid enum value 'false' - at `$.verdict`"),
        ({"confidence": 1.5}, "`$.confidence`"),
        ({"confidence": "high"}, "`$.confidence`"),
        ({"reasoning": "  "}, "`$.reasoning`"),
        ({"evidence": [{"file": "../etc/passwd", "line": 1, "quote": "x"}]}, "`$.evidence[0].file`"),
        ({"evidence": [{"file": "/etc/passwd", "line": 1, "quote": "x"}]}, "`$.evidence[0].file`"),
        ({"evidence": [{"file": "a.py", "line": 0, "quote": "x"}]}, "`$.evidence[0].line`"),
        ({"evidence": [{"file": "a.py", "line": 1, "quote": " "}]}, "`$.evidence[0].quote`"),
        ({"type": "claim_extraction"}, "`$.type`"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(change: dict[str, Any], said: str) -> None:
    assert said in refused(VERIFY, GOOD | change)


@pytest.mark.parametrize(("task", "result"), [(VERIFY, {}), (EXTRACT, {}), (EXTRACT, {"type": "claim_extraction"})])
def test_what_is_left_out_is_asked_for(task: TaskPayload, result: dict[str, Any]) -> None:
    assert "missing required field" in refused(task, result)


@pytest.mark.parametrize(
    "claim",
    [
        CLAIM | {"text": "The queue is kept on disk."},
        CLAIM | {"line": 6},
        CLAIM | {"line": 7, "text": "It is fast."},
        CLAIM | {"file": "other.md"},
        CLAIM | {"text": " "},
    ],
)
def test_an_extracted_claim_must_stand_where_it_says(claim: dict[str, Any]) -> None:
    assert "`$.claims[0]`" in refused(EXTRACT, {"type": "claim_extraction", "claims": [claim]})


def test_no_more_claims_than_were_asked_for() -> None:
    assert "at most 2 claims" in refused(EXTRACT, {"type": "claim_extraction", "claims": [CLAIM] * 3})


@given(st.binary(max_size=200) | st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([*GOOD, "claims", "x"]), inner, max_size=5),
    max_leaves=12,
).map(lambda value: msgspec.json.encode(value) if not isinstance(value, int) or abs(value) < 2**63 else b"0"))  # fmt: skip
def test_whatever_an_agent_sends_is_taken_or_refused(result: bytes) -> None:
    for task in (VERIFY, EXTRACT):
        with contextlib.suppress(BadResultError):
            assert check_result(task, result)


@pytest.mark.parametrize("command", COMMANDS)
def test_schemas_name_what_is_required(command: str) -> None:
    assert "type" in result_schema(command)["required"]
    assert {"run_id", "repository"} <= set(task_schema(command)["required"])
