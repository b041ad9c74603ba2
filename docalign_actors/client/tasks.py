"""Requests to the queue. Thread-safe: each thread has a connection of its own, kept open between requests."""

from __future__ import annotations

import http.client
import json
import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlsplit
from uuid import uuid4

from docalign_actors.client.errors import LeaseLostError, QueueError, UnreachableError

_BASE = "/v1/codeq"
_MOST = 100
_LOST = {(403, "not-owner"), (409, "not-in-progress")}


@dataclass(frozen=True)
class Task:
    """A task. `payload` is the value that the producer sent; `fields` has everything, as it came over the wire."""

    id: str
    command: str
    payload: Any
    status: str
    attempts: int
    max_attempts: int
    error: str
    fields: dict[str, Any]

    @classmethod
    def of(cls, fields: dict[str, Any]) -> Task:
        return cls(
            fields["id"], fields["command"], json.loads(fields["payload"]), fields["status"], fields.get("attempts", 0),
            fields.get("maxAttempts", 0), fields.get("error", ""), fields,
        )  # fmt: skip


@dataclass(frozen=True)
class Result:
    """How a task ended: COMPLETED with a result, or FAILED with an error."""

    task_id: str
    status: str
    result: Any
    error: str
    fields: dict[str, Any]

    @classmethod
    def of(cls, fields: dict[str, Any]) -> Result:
        return cls(fields["taskId"], fields["status"], fields.get("result"), fields.get("error", ""), fields)


class TaskClient:
    """`worker` tells workers apart that share a token. Requests that may be repeated are, when a connection breaks."""

    def __init__(self, address: str, token: str, *, worker: str = "", timeout: float = 30.0, attempts: int = 3) -> None:
        parts = urlsplit(address)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"{address!r} is no http or https address")
        self._secure = parts.scheme == "https"
        self._host, self._port, self._prefix = parts.hostname, parts.port, parts.path.rstrip("/")
        self._headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        if worker:
            self._headers["X-Worker-Id"] = worker
        self._timeout = timeout
        self._attempts = attempts
        self._local = threading.local()

    # Producers

    def create(
        self, command: str, payload: Any, *, priority: int = 0, webhook: str = "", max_attempts: int = 0,
        key: str = "", delay: int = 0, run_at: str = "",
    ) -> Task:  # fmt: skip
        """Puts a task in line. With a `key` the same request gives the same task; without one the client makes one, so that
        a request that is repeated because its answer was lost makes no second task."""
        body = {
            "command": command, "payload": payload, "priority": priority, "webhook": webhook, "maxAttempts": max_attempts,
            "idempotencyKey": key or uuid4().hex, "delaySeconds": delay, "runAt": run_at,
        }  # fmt: skip
        return Task.of(self._ask("POST", "/tasks", {name: value for name, value in body.items() if value != ""}))

    def create_many(
        self, command: str, payloads: Iterable[Any], *, priority: int = 0, webhook: str = "", max_attempts: int = 0
    ) -> list[Task]:
        """Puts a task in line for each payload, a hundred in a request. A QueueError if one of them is refused; those before
        it are in line then."""
        common = {"command": command, "priority": priority, "webhook": webhook, "maxAttempts": max_attempts}
        wanted = [{**common, "payload": payload, "idempotencyKey": uuid4().hex} for payload in payloads]
        made: list[Task] = []
        for first in range(0, len(wanted), _MOST):
            for one in self._ask("POST", "/tasks/batch", {"tasks": wanted[first : first + _MOST]})["results"]:
                if "task" not in one:
                    raise QueueError(400, one["error"])
                made.append(Task.of(one["task"]))
        return made

    def task(self, task_id: str) -> Task:
        return Task.of(self._ask("GET", f"/tasks/{quote(task_id, safe='')}"))

    def result(self, task_id: str, *, wait: int = 0) -> Result:
        """How a task ended. With `wait`, up to 60 seconds for it; a QueueError with status 404 if it has not ended."""
        path = f"/tasks/{quote(task_id, safe='')}/result" + (f"?waitSeconds={wait}" if wait else "")
        return Result.of(self._ask("GET", path, longer=wait)["result"])

    # Workers

    def claim(self, commands: Sequence[str] = (), *, lease: int = 0, wait: int = 0) -> Task | None:
        """The next task, waiting up to 30 seconds for it; None if there is none."""
        body = {"commands": list(commands), "leaseSeconds": lease, "waitSeconds": wait}
        found = self._ask("POST", "/tasks/claim", body, longer=wait, repeat=False)
        return Task.of(found) if found else None

    def claim_many(self, count: int, commands: Sequence[str] = (), *, lease: int = 0) -> list[Task]:
        body = {"commands": list(commands), "leaseSeconds": lease, "count": count}
        found = self._ask("POST", "/tasks/claim/batch", body, repeat=False)
        return [Task.of(fields) for fields in found["tasks"]] if found else []

    def heartbeat(self, task: Task, extend: int = 0) -> None:
        """The task is being worked on still. LeaseLostError if it is in vain."""
        self._ask("POST", f"/tasks/{task.id}/heartbeat", {"extendSeconds": extend})

    def abandon(self, task: Task) -> None:
        """Gives a task back at once."""
        self._ask("POST", f"/tasks/{task.id}/abandon", repeat=False)

    def nack(self, task: Task, reason: str, *, delay: int = 0) -> str:
        """Gives a task back to be tried again later; says `requeued` or `dlq`."""
        body = {"reason": reason, "delaySeconds": delay}
        status: str = self._ask("POST", f"/tasks/{task.id}/nack", body, repeat=False)["status"]
        return status

    def complete(self, task: Task, result: Any, artifacts: Iterable[dict[str, str]] = ()) -> Result:
        body = {"status": "COMPLETED", "result": result, "artifacts": list(artifacts)}
        return Result.of(self._ask("POST", f"/tasks/{task.id}/result", body, repeat=False))

    def fail(self, task: Task, error: str) -> Result:
        """The task cannot be done, by anybody: it is not tried again."""
        body = {"status": "FAILED", "error": error}
        return Result.of(self._ask("POST", f"/tasks/{task.id}/result", body, repeat=False))

    def close(self) -> None:
        """Closes this thread's connection."""
        connection = getattr(self._local, "connection", None)
        if connection is not None:
            connection.close()
            self._local.connection = None

    def _ask(self, method: str, path: str, body: Any = None, *, longer: float = 0.0, repeat: bool = True) -> Any:
        sent = None if body is None else json.dumps(body)
        error = ""
        for _ in range(self._attempts if repeat else 1):
            connection = self._connection(self._timeout + longer)
            fresh = connection.sock is None
            try:
                return self._exchange(connection, method, path, sent)
            except (OSError, http.client.HTTPException) as broken:
                error = f"{type(broken).__name__}: {broken}"
                self.close()
                # A kept connection that the server had closed meanwhile: most likely the request never got there.
                if not fresh and isinstance(broken, http.client.RemoteDisconnected | BrokenPipeError):
                    try:
                        return self._exchange(self._connection(self._timeout + longer), method, path, sent)
                    except (OSError, http.client.HTTPException) as again:
                        error = f"{type(again).__name__}: {again}"
                        self.close()
        raise UnreachableError(error)

    def _exchange(self, connection: http.client.HTTPConnection, method: str, path: str, body: str | None) -> Any:
        connection.request(method, self._prefix + _BASE + path, body, self._headers)
        answer = connection.getresponse()
        data = answer.read()
        found = json.loads(data) if data.startswith((b"{", b"[")) else None
        if answer.status < 300:
            return found
        text = str(found.get("error", "")) if isinstance(found, dict) else data[:200].decode("utf-8", "replace")
        kind = LeaseLostError if (answer.status, text) in _LOST else QueueError
        raise kind(answer.status, text)

    def _connection(self, timeout: float) -> http.client.HTTPConnection:
        connection: http.client.HTTPConnection | None = getattr(self._local, "connection", None)
        if connection is None:
            make = http.client.HTTPSConnection if self._secure else http.client.HTTPConnection
            connection = self._local.connection = make(self._host, self._port, timeout=timeout)
        connection.timeout = timeout
        if connection.sock is not None:
            connection.sock.settimeout(timeout)
        return connection
