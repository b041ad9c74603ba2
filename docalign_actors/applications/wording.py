"""What an event says, to the letter. docs/applications.md shows one of each. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import msgspec

from docalign_actors.applications.model import FILE_EVENTS, Subscription
from docalign_actors.applications.parts import Limits, content
from docalign_actors.applications.telling import Event

_PART = {
    "claim.drifted": "claim", "claim.fixed": "claim", "health.changed": "health", "scan.failed": "scan",
    "breaker.opened": "breaker", "breaker.closed": "breaker",
}  # fmt: skip


def envelope(
    event: Event, subscription: Subscription, delivery: UUID, sequence: int, now: datetime, *, chunk: int = 1, chunks: int = 1,
    content_id: UUID | None = None,
) -> dict[str, Any]:  # fmt: skip
    """Everything but a file's content, which is put in when it is sent: a thousand copies of it need not be kept."""
    at: datetime = event.at or now
    said: dict[str, Any] = {
        "id": str(delivery), "event": event.kind, "sequence": sequence, "snapshot": event.snapshot,
        "subscription": str(subscription.id),
        "repository": {"id": str(subscription.repo_id), "name": subscription.repo_name, "url": subscription.repo_url},
        "branch": subscription.branch_name, "commit": event.commit, "at": at.astimezone(UTC).isoformat(timespec="milliseconds"),
    }  # fmt: skip
    if event.kind in FILE_EVENTS:
        said["file"] = _file(event, chunk, chunks, content_id)
    elif event.kind in _PART:
        said[_PART[event.kind]] = event.data
    return said


def _file(event: Event, chunk: int, chunks: int, content_id: UUID | None) -> dict[str, Any]:
    said: dict[str, Any] = {"path": event.name, "previous_path": event.previous_name or None}
    if event.file is None:
        return {**said, "mode": None, "size": 0, "blob": None, "content": None}
    # Which piece this is: the content itself takes this place when it is sent.
    piece = {"chunk": chunk, "chunks": chunks, "id": str(content_id)}
    return {**said, "mode": event.file.mode, "size": event.file.size, "blob": event.file.blob, "content": piece}


def blob_of(said: Mapping[str, Any]) -> str:
    """The blob whose content belongs into this event; "" if none does."""
    file = said.get("file") or {}
    return str(file.get("blob") or "") if file.get("content") is not None else ""


def with_content(said: dict[str, Any], data: bytes | None, limits: Limits, fetch_url: str) -> bytes:
    """The event as it is sent. Without the data, and where there is too much of it, it says where to fetch it."""
    piece = said["file"]["content"]
    chunks = int(piece["chunks"])
    if data is None or chunks == 0:
        put: dict[str, Any] = {"encoding": "url", "url": fetch_url}
    else:
        put = content(data, int(piece["chunk"]), chunks, str(piece["id"]), limits)
    return msgspec.json.encode({**said, "file": {**said["file"], "content": put}})
