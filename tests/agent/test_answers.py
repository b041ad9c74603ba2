"""What of a model's answer is taken."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docalign_actors.agent.answers import BadAnswerError, candidates, read_answer
from docalign_actors.contracts import ClaimExtractionResult, VerificationResult
from tests.agent.tasks import GOOD, extraction_task, verification_task

TASK = verification_task()
TEXT = json.dumps(GOOD)
UNTYPED = json.dumps({name: value for name, value in GOOD.items() if name != "type"})


@pytest.mark.parametrize(
    "answer",
    [
        TEXT, f"  \n{TEXT}\n", f"Here it is:\n```json\n{TEXT}\n```\nAnything else?", f"```\n{TEXT}\n```", f"~~~json\n{TEXT}\n~~~",
        f"I think {{so}} and {{}} or {{\"a\": 1}}.\n\n{TEXT} done", json.dumps(GOOD, indent=2), UNTYPED,
        f"```python\nx = {{1: 2}}\n```\n```json\n{TEXT}\n```", f"   ```json\n{TEXT}\n   ```",
    ],
)  # fmt: skip
def test_the_object_is_found_wherever_it_stands(answer: str) -> None:
    found = read_answer(TASK, answer)
    assert isinstance(found, VerificationResult)
    assert (found.verdict, found.evidence[0].line) == ("drifted", 1)


def test_the_last_word_counts() -> None:
    first = json.dumps({**GOOD, "verdict": "verified", "evidence": []})
    found = read_answer(TASK, f"```json\n{first}\n```\nNo, wait.\n```json\n{TEXT}\n```")
    assert isinstance(found, VerificationResult)
    assert found.verdict == "drifted"


def test_what_the_model_used_is_added_where_it_does_not_say_so() -> None:
    assert read_answer(TASK, TEXT, 77).tokens == 77
    assert read_answer(TASK, json.dumps({**GOOD, "tokens": 5}), 77).tokens == 5


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("", "there is no JSON object in the answer"),
        ("I am sorry.", "there is no JSON object in the answer"),
        (json.dumps({**GOOD, "evidence": []}), "a drifted claim needs evidence"),
        (json.dumps({**GOOD, "verdict": "maybe"}), "Invalid enum value 'maybe' - at `$.verdict`"),
        (json.dumps({**GOOD, "confidence": 2}), "at `$.confidence`"),
        (json.dumps({"type": "claim_extraction", "claims": []}), "at `$.type`"),
        ('{"verdict": NaN}', "invalid result"),
    ],
)
def test_what_does_not_fit_is_refused_with_a_reason_the_model_can_act_on(answer: str, reason: str) -> None:
    with pytest.raises(BadAnswerError) as caught:
        read_answer(TASK, answer)
    assert reason in str(caught.value)


def test_claims_are_read_as_well() -> None:
    said = {"claims": [{"file": "README.md", "line": 3, "text": "Requests are given up after 10 seconds."}]}
    found = read_answer(extraction_task(), json.dumps(said))
    assert isinstance(found, ClaimExtractionResult)
    assert len(found.claims) == 1


@given(st.text(max_size=400), st.text(max_size=400))
def test_any_text_around_the_object_does_no_harm(before: str, after: str) -> None:
    try:
        found = read_answer(TASK, f"{before}\n```json\n{TEXT}\n```\n{after}")
    except BadAnswerError:
        # Only a text that opens something of its own may hide it.
        assert any(mark in before + after for mark in ("{", "`", "~", '"'))
    else:
        assert isinstance(found, VerificationResult)


@given(st.text(max_size=2_000))
def test_no_answer_breaks_the_reader(answer: str) -> None:
    try:
        read_answer(TASK, answer)
    except BadAnswerError:
        pass


@pytest.mark.parametrize(
    "answer", ["{" * 500_000, '{"a":' * 100_000, "```\n" * 200_000, "{}" * 300_000, '{"a": [' * 50_000]
)
def test_an_answer_made_to_cost_time_costs_little(answer: str) -> None:
    began = time.process_time()
    with pytest.raises(BadAnswerError):
        read_answer(TASK, answer)
    assert time.process_time() - began < 5
    assert len(candidates(answer)) <= 50
