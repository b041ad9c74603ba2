"""What becomes of a request for a task: defaults, clamps, refusals. Pure."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct, field

from docalign_actors.agent_tasks.errors import BadTaskError
from docalign_actors.agent_tasks.model import DEFAULT_ATTEMPTS, TaskId

MOST_ATTEMPTS = 1_000
_LONGEST_COMMAND = 200
_LONGEST_KEY = 200
_LONGEST_URL = 2_000
_FURTHEST = timedelta(days=3_660)


class TaskRequest(Struct, frozen=True, rename="camel"):
    """What a producer sends. Fields that this service does not know are passed over."""

    command: str = ""
    payload: msgspec.Raw = field(default_factory=lambda: msgspec.Raw(b"null"))
    """Kept to the letter: numbers, order and spelling are the producer's own."""
    priority: int = 0
    webhook: str = ""
    max_attempts: int = 0
    idempotency_key: str = ""
    run_at: str = ""
    delay_seconds: int = 0


class NewTask(Struct, frozen=True):
    """A task that may be written down. `visible_at` is None for one that is ready at once."""

    id: TaskId
    tenant_id: str
    command: str
    payload: str
    priority: int
    webhook: str
    max_attempts: int
    idempotency_key: str | None
    visible_at: datetime | None
    created_at: datetime
    trace: str = ""


def admit(request: TaskRequest, task: TaskId, tenant: str, now: datetime, trace: str = "") -> NewTask:
    """The task that this request asks for; an error that says what is wrong with it."""
    return NewTask(
        task, tenant, checked_command(request.command), _payload(request.payload),
        min(max(request.priority, 0), 9), checked_url(request.webhook, "webhook url") if request.webhook else "",
        min(request.max_attempts, MOST_ATTEMPTS) if request.max_attempts > 0 else DEFAULT_ATTEMPTS,
        _key(request.idempotency_key), _visible_at(request, now), now, trace,
    )  # fmt: skip


def _payload(raw: msgspec.Raw) -> str:
    try:
        text = bytes(raw).decode()
    except UnicodeDecodeError:
        raise BadTaskError("invalid body: not UTF-8") from None
    if text == "null":
        raise BadTaskError("invalid body: 'payload' is required and may not be null")
    return text


def checked_command(command: str) -> str:
    """The name of a queue, or an error."""
    if not command:
        raise BadTaskError("invalid body: 'command' is required")
    if len(command) > _LONGEST_COMMAND or not command.isprintable() or command != command.strip():
        raise BadTaskError(f"invalid command (1 to {_LONGEST_COMMAND} printable characters, no space at its ends)")
    return command


def checked_url(url: str, name: str) -> str:
    """An absolute http or https address, or an error that calls it `name`. Whether it may be called is seen later."""
    try:
        parts = urlsplit(url)
        fine = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        fine = False
    if not fine or len(url) > _LONGEST_URL or not url.isascii() or not url.isprintable() or " " in url:
        raise BadTaskError(f"invalid {name} (http or https, at most {_LONGEST_URL} ASCII characters)")
    if parts.username is not None or parts.password is not None:
        raise BadTaskError(f"invalid {name} (no user name or password in it)")
    return url


def rfc3339(text: str, name: str) -> datetime:
    """A moment with a time zone."""
    try:
        found = msgspec.convert(text, datetime)
    except msgspec.ValidationError:
        found = None
    if found is None or found.tzinfo is None:
        raise BadTaskError(f"invalid '{name}' (use RFC3339)")
    try:
        return found.astimezone(UTC)
    except OverflowError:
        raise BadTaskError(f"invalid '{name}' (use RFC3339)") from None


def _visible_at(request: TaskRequest, now: datetime) -> datetime | None:
    if request.delay_seconds < 0:
        raise BadTaskError("invalid 'delaySeconds' (must be >= 0)")
    if request.run_at:
        at = rfc3339(request.run_at, "runAt")
    else:
        at = now + timedelta(seconds=min(request.delay_seconds, _FURTHEST.total_seconds()))
    if at > now + _FURTHEST:
        raise BadTaskError("invalid 'runAt' (at most ten years from now)")
    return at if at > now else None


def _key(key: str) -> str | None:
    if len(key) > _LONGEST_KEY or "\0" in key or not key.isprintable():
        raise BadTaskError(f"invalid 'idempotencyKey' (at most {_LONGEST_KEY} printable characters)")
    return key or None
