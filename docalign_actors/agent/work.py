"""One task: files, prompt, answer, a second try with what was wrong with the first, result."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from docalign_actors.agent.answers import BadAnswerError, read_answer
from docalign_actors.agent.checkout import CheckoutError, Checkouts
from docalign_actors.agent.halting import Halt
from docalign_actors.agent.models import Model, Reply
from docalign_actors.agent.prompts import MOST_PROMPT, Prompt, again, build
from docalign_actors.agent.reading import hinted_files
from docalign_actors.client import LeaseLostError, QueueError, Task, TaskClient
from docalign_actors.contracts import Result, TaskPayload, VerificationResult, VerificationTask, read_task

_REFUSED = (400, 422)
"""The queue's own word that a result does not fit."""


class NotDoneError(Exception):
    """The task could not be done; somebody else may. The text is kept with the task."""


class HopelessError(Exception):
    """The task cannot be done by anybody."""


class Done(Struct, frozen=True):
    """A result that was handed in."""

    said: str
    tokens: int
    asked: int


class Worker:
    """Does tasks one by one. Without `fetch` no repository is fetched, and the model sees what stands in the task."""

    def __init__(
        self, client: TaskClient, model: Model, checkouts: Checkouts, *, fetch: bool, most_prompt: int = MOST_PROMPT
    ) -> None:
        self._client = client
        self._model = model
        self._checkouts = checkouts
        self._fetch = fetch
        self._most_prompt = most_prompt

    def do(self, task: Task, halt: Halt) -> Done:
        """Hands a result in, or raises: NotDoneError, HopelessError, ModelError, LeaseLostError, HaltedError."""
        try:
            payload = read_task(task.command, task.fields["payload"])
        except (ValueError, msgspec.MsgspecError, RecursionError) as error:
            raise HopelessError(f"this agent cannot read the task: {str(error)[:300]}") from None
        with self._checkouts.folder() as folder:
            checked_out = self._check_out(payload, folder, halt)
            files = hinted_files(payload, folder) if checked_out else []
            prompt = build(payload, files, _mark, checked_out=checked_out, most=self._most_prompt)
            return self._answer(task, payload, prompt, folder, halt)

    def _check_out(self, payload: TaskPayload, folder: Path, halt: Halt) -> bool:
        if not self._fetch:
            return False
        try:
            self._checkouts.write(payload.repository, folder, halt)
        except CheckoutError as error:
            if isinstance(payload, VerificationTask) and payload.verification_path == 2:
                raise NotDoneError(f"the repository cannot be had: {error}") from None
            return False  # what such a task rests on stands in it
        return True

    def _answer(self, task: Task, payload: TaskPayload, prompt: Prompt, folder: Path, halt: Halt) -> Done:
        used = 0
        asked = prompt
        for attempt in (1, 2):
            reply = self._model.ask(asked, folder, halt)
            used += reply.counted
            halt.check()
            try:
                return Done(self._hand_in(task, payload, reply), used, attempt)
            except BadAnswerError as error:
                reason = str(error)
                asked = again(prompt, reply.text, reason, _mark, most=self._most_prompt)
        raise NotDoneError(f"the model's answer was refused twice, at last because: {reason}")

    def _hand_in(self, task: Task, payload: TaskPayload, reply: Reply) -> str:
        result = read_answer(payload, reply.text, reply.tokens)
        built: dict[str, Any] = msgspec.to_builtins(result)
        try:
            self._client.complete(task, built)
        except LeaseLostError:
            raise
        except QueueError as error:
            if error.status in _REFUSED:
                raise BadAnswerError(error.text) from None
            raise
        return _spoken(result)


def _mark() -> str:
    return secrets.token_hex(16)


def _spoken(result: Result) -> str:
    if isinstance(result, VerificationResult):
        return f"{result.verdict} ({result.confidence:.2f})"
    return f"{len(result.claims)} claims"
