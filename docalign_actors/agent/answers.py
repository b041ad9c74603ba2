"""What of a model's answer is taken: the JSON object in it that fits the task, if there is one. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import msgspec

from docalign_actors.contracts import BadResultError, Result, TaskPayload, VerificationTask, check_result

_FENCE = re.compile(r"^[ \t]*(?:```|~~~)[^\n]*\n(.*?)^[ \t]*(?:```|~~~)[ \t]*$", re.DOTALL | re.MULTILINE)
_MOST_STARTS = 200
_MOST_CANDIDATES = 50
_decoder = json.JSONDecoder()


class BadAnswerError(Exception):
    """The answer cannot be taken. The text says why, for the model to act on."""


def read_answer(task: TaskPayload, answer: str, tokens: int = 0) -> Result:
    """The result in an answer: the last object in it that fits, for models think aloud before they decide.

    `tokens`: what the model used, where that is known; a result that names none gets it.
    """
    name = "verification" if isinstance(task, VerificationTask) else "claim_extraction"
    reason = ""
    for found in candidates(answer):
        found.setdefault("type", name)
        if tokens and not found.get("tokens"):
            found["tokens"] = tokens
        try:
            return check_result(task, msgspec.json.encode(found))
        except BadResultError as error:
            reason = reason or str(error)
        except (TypeError, ValueError, RecursionError, UnicodeError):
            reason = reason or "invalid result: it holds something that JSON cannot hold"
    raise BadAnswerError(reason or "there is no JSON object in the answer")


def candidates(answer: str) -> list[dict[str, object]]:
    """The JSON objects in a text, the likeliest first: those in fences before those in the open, the last before the first."""
    fenced = [found for block in _FENCE.findall(answer)[-_MOST_CANDIDATES:] for found in _objects(block)]
    unfenced = list(_objects(answer))
    found: list[dict[str, object]] = []
    for one in (*reversed(fenced), *reversed(unfenced)):
        if one not in found and len(found) < _MOST_CANDIDATES:
            found.append(one)
    return found


def _objects(text: str) -> Iterator[dict[str, object]]:
    """Objects that do not stand in another. The number of places at which one is looked for is bounded."""
    place = 0
    for _ in range(_MOST_STARTS):
        place = text.find("{", place)
        if place < 0:
            return
        try:
            value, end = _decoder.raw_decode(text, place)
        except (ValueError, RecursionError):
            place += 1
            continue
        if isinstance(value, dict):
            yield value
        place = end
