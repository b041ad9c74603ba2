"""Who answers: any command that reads a prompt and writes an answer, or an endpoint that speaks as OpenAI's does."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

import msgspec
from msgspec import Struct

from docalign_actors.agent.halting import Halt
from docalign_actors.agent.processes import run_bounded
from docalign_actors.agent.prompts import Prompt, clean

_CHARACTERS_A_TOKEN = 4
"""Roughly; for what does not say how many tokens it used."""


class ModelError(Exception):
    """The model gave no answer. `fatal`: nor will it the next time, so there is no use in going on."""

    def __init__(self, text: str, *, fatal: bool = False) -> None:
        super().__init__(text)
        self.fatal = fatal


class Reply(Struct, frozen=True):
    """What it said. `tokens` is what it says it used, 0 if it does not say; `counted` is that, or an estimate."""

    text: str
    tokens: int
    counted: int


class Model(Protocol):
    """Takes a bounded time; ends early when the halt is set."""

    def ask(self, prompt: Prompt, folder: Path, halt: Halt) -> Reply: ...


class CommandModel:
    """A command: the prompt on its standard input, the answer on its standard output."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str], *, seconds: float, most: int) -> None:
        self._command = command
        self._environment = environment
        self._seconds = seconds
        self._most = most

    def ask(self, prompt: Prompt, folder: Path, halt: Halt) -> Reply:
        given = prompt.whole
        try:
            ended = run_bounded(
                self._command, given.encode("utf-8", "replace"), folder, self._environment, seconds=self._seconds,
                most=self._most, halt=halt,
            )  # fmt: skip
        except OSError as error:
            raise ModelError(f"the command cannot be run: {error.strerror or error}", fatal=True) from None
        halt.check()
        if ended.why == "time":
            raise ModelError(f"the command did not end within {self._seconds:g} s")
        if ended.why == "output":
            raise ModelError(f"the command wrote more than {self._most:,} bytes")
        if ended.code:
            raise ModelError(f"the command ended with {ended.code}: {clean(ended.stderr)[-500:] or 'it said nothing'}")
        text = ended.stdout.decode("utf-8", "replace")
        return Reply(text, 0, (len(given) + len(text)) // _CHARACTERS_A_TOKEN)


class _Usage(Struct, frozen=True):
    total_tokens: int = 0


class _Message(Struct, frozen=True):
    content: str | None = None


class _Choice(Struct, frozen=True):
    message: _Message = _Message()


class _Completion(Struct, frozen=True):
    choices: list[_Choice] = []
    usage: _Usage | None = None


class EndpointModel:
    """An endpoint for chat completions."""

    def __init__(self, url: str, name: str, key: str, *, seconds: float, most: int, most_tokens: int) -> None:
        address = url.rstrip("/")
        self._url = address if address.endswith("/chat/completions") else f"{address}/chat/completions"
        self._name = name
        self._key = key
        self._seconds = seconds
        self._most = most
        self._most_tokens = most_tokens

    def ask(self, prompt: Prompt, folder: Path, halt: Halt) -> Reply:
        """The request runs in a thread of its own: when the halt is set it is left behind, to end by its own time-out."""
        answers: list[Reply | ModelError] = []
        over = threading.Event()

        def request() -> None:
            try:
                answers.append(self._request(prompt))
            except ModelError as error:
                answers.append(error)
            finally:
                over.set()

        with halt.ending(over.set):
            threading.Thread(target=request, daemon=True, name="agent-endpoint").start()
            over.wait(self._seconds + 5)
        halt.check()
        if not answers:
            raise ModelError(f"the endpoint did not answer within {self._seconds:g} s")
        if isinstance(answers[0], ModelError):
            raise answers[0]
        return answers[0]

    def _request(self, prompt: Prompt) -> Reply:
        body = {
            "model": self._name, "max_tokens": self._most_tokens, "temperature": 0, "stream": False,
            "messages": [{"role": "system", "content": prompt.rules}, {"role": "user", "content": prompt.text}],
        }  # fmt: skip
        answer = self._exchange(msgspec.json.encode(body))
        try:
            found = msgspec.json.decode(answer, type=_Completion)
        except (msgspec.MsgspecError, UnicodeError, RecursionError):
            raise ModelError("the endpoint's answer is not that of a chat completion") from None
        text = found.choices[0].message.content if found.choices else None
        if not text:
            raise ModelError("the endpoint gave no answer")
        tokens = max(0, found.usage.total_tokens) if found.usage is not None else 0
        return Reply(text, tokens, tokens or (len(prompt.whole) + len(text)) // _CHARACTERS_A_TOKEN)

    def _exchange(self, body: bytes) -> bytes:
        import requests

        def authorise(request: requests.PreparedRequest) -> requests.PreparedRequest:
            # As `auth`, not as a header: that would give way to whatever a .netrc says of this host.
            if self._key:
                request.headers["Authorization"] = f"Bearer {self._key}"
            return request

        headers = {"Content-Type": "application/json"}
        end = time.monotonic() + self._seconds
        try:
            with requests.post(
                self._url,
                data=body,
                headers=headers,
                auth=authorise,
                timeout=self._seconds,
                allow_redirects=False,
                stream=True,
            ) as answer:
                if answer.status_code != 200:
                    raise _refusal(answer.status_code)
                parts: list[bytes] = []
                for part in answer.iter_content(65_536):
                    parts.append(part)
                    if sum(map(len, parts)) > self._most or time.monotonic() > end:
                        raise ModelError("the endpoint's answer is too long, or comes too slowly")
                return b"".join(parts)
        except requests.RequestException as error:
            raise ModelError(f"the endpoint does not answer: {type(error).__name__}") from None


def _refusal(status: int) -> ModelError:
    """What the endpoint says in its own words may hold the key, so its status has to do."""
    meaning = {401: "the key is wrong", 403: "the key does not allow it", 404: "there is no such model or address",
               429: "too much is asked of it"}  # fmt: skip
    told = f" ({meaning[status]})" if status in meaning else ""
    return ModelError(f"the endpoint answered {status}{told}", fatal=status in (401, 403, 404))
