"""Who is told that there is work, and what is said to those who gave an address. Pure."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Literal
from uuid import UUID

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from docalign_actors.agent_tasks.admission import checked_command, checked_url
from docalign_actors.agent_tasks.errors import BadTaskError
from docalign_actors.agent_tasks.model import Record, Task, moment
from docalign_actors.outbound.model import Letter

DEFAULT_TTL = 300
LONGEST_TTL = 604_800
DEFAULT_INTERVAL = 5
_MOST_PENDING = 100
Mode = Literal["fanout", "group", "hash"]


class SubscriptionRequest(Struct, frozen=True, rename="camel"):
    """What a worker sends."""

    callback_url: str = ""
    event_types: tuple[str, ...] = ()
    ttl_seconds: int = 0
    delivery_mode: str = ""
    group_id: str = ""
    min_interval_seconds: int = 0


class Subscription(Struct, frozen=True):
    """A worker that wants to be told. `event_types` may be `*`."""

    id: UUID
    tenant_id: str
    worker_id: str
    callback_url: str
    event_types: tuple[str, ...]
    delivery_mode: Mode
    group_id: str
    min_interval: int
    ttl: int
    created_at: datetime
    expires_at: datetime
    last_notified_at: datetime | None = None
    pending: tuple[str, ...] = ()
    """Commands that it is to hear of when its interval has passed, in the order in which they came."""
    pending_at: datetime | None = None

    def wants(self, command: str) -> bool:
        return "*" in self.event_types or command in self.event_types

    def may_hear(self, now: datetime) -> bool:
        """Whether it has been left alone for long enough."""
        last = self.last_notified_at
        return last is None or (now - last).total_seconds() >= self.min_interval


def checked_mode(request: SubscriptionRequest) -> Mode:
    match request.delivery_mode or "fanout":
        case "fanout":
            return "fanout"
        case "hash":
            return "hash"
        case "group":
            if not request.group_id:
                raise BadTaskError("groupId is required")
            return "group"
    raise BadTaskError("invalid deliveryMode")


def checked_subscription(request: SubscriptionRequest) -> tuple[str, tuple[str, ...], int, int]:
    """Address, event types, seconds to live, seconds between notices."""
    if not request.callback_url:
        raise BadTaskError("callbackUrl is required")
    types = tuple(dict.fromkeys(request.event_types)) or ("*",)
    for one in types:
        checked_command(one)
    if len(types) > 100 or len(request.group_id) > 200 or not request.group_id.isprintable():
        raise BadTaskError("invalid body: at most 100 eventTypes, and a groupId of at most 200 printable characters")
    ttl = min(request.ttl_seconds, LONGEST_TTL) if request.ttl_seconds > 0 else DEFAULT_TTL
    interval = min(request.min_interval_seconds, 86_400) if request.min_interval_seconds > 0 else DEFAULT_INTERVAL
    return checked_url(request.callback_url, "callback url"), types, ttl, interval


def chosen(subscriptions: Sequence[Subscription], command: str, now: datetime) -> list[Subscription]:
    """Those who are to be told that there is work of this sort: everybody who fans out, one of each group, one by hash.

    Of a group, the one who has not been told for longest. By hash, the one that the command's name leads to, so the
    same command goes to the same worker as long as the same workers are there.
    """
    wanted = [one for one in subscriptions if one.wants(command) and one.expires_at > now]
    found = [one for one in wanted if one.delivery_mode == "fanout"]
    groups: dict[str, list[Subscription]] = {}
    for one in wanted:
        if one.delivery_mode == "group":
            groups.setdefault(one.group_id, []).append(one)
    for members in groups.values():
        never = datetime.min.replace(tzinfo=now.tzinfo)
        found.append(min(members, key=lambda one: (one.last_notified_at or never, one.id)))
    hashed: dict[str, list[Subscription]] = {}
    for one in wanted:
        if one.delivery_mode == "hash":
            hashed.setdefault(one.group_id, []).append(one)
    for members in hashed.values():
        members.sort(key=lambda one: one.id)
        found.append(members[zlib.crc32(command.encode()) % len(members)])
    return found


def told(one: Subscription, command: str, now: datetime) -> Subscription:
    """It has heard of this command; whatever else it is to hear of has to wait for another interval."""
    left = tuple(other for other in one.pending if other != command)
    due = now + timedelta(seconds=one.min_interval) if left else None
    return replace(one, last_notified_at=now, pending=left, pending_at=due)


def postponed(one: Subscription, command: str) -> Subscription:
    """It was told of something a moment ago: it hears of this command when its interval has passed."""
    if command in one.pending or len(one.pending) >= _MOST_PENDING or one.last_notified_at is None:
        return one
    due = one.pending_at or one.last_notified_at + timedelta(seconds=one.min_interval)
    return replace(one, pending=(*one.pending, command), pending_at=due)


def forgotten(one: Subscription, command: str) -> Subscription:
    """There is no work of this sort any more."""
    left = tuple(other for other in one.pending if other != command)
    return replace(one, pending=left, pending_at=one.pending_at if left else None)


def silenced(one: Subscription) -> Subscription:
    """It has run out."""
    return replace(one, pending=(), pending_at=None)


def availability(subscription: Subscription, command: str, depth: int, letter: UUID, now: datetime) -> Letter:
    """There is work."""
    body = {
        "eventType": command, "available": True, "queueDepth": depth, "claimUrl": "/v1/codeq/tasks/claim",
        "sentAt": moment(now), "notificationId": f"ntf-{letter}",
    }  # fmt: skip
    return _letter(letter, subscription.tenant_id, "codeq.available", subscription.callback_url, body, now)


def callback(task: Task, record: Record, letter: UUID, now: datetime) -> Letter:
    """The task has ended."""
    said: dict[str, Any] = msgspec.to_builtins(record) if record.result is None else {}
    if not said:
        said = msgspec.json.decode(msgspec.json.encode(record))
    body = {
        "taskId": said["taskId"], "eventType": task.command, "status": said["status"], "result": said.get("result"),
        "error": said.get("error", ""), "artifacts": said.get("artifacts", []), "completedAt": said["completedAt"],
    }  # fmt: skip
    return _letter(letter, task.tenant_id, "codeq.result", task.webhook, body, now)


def _letter(letter: UUID, tenant: str, kind: str, url: str, body: dict[str, Any], now: datetime) -> Letter:
    return Letter(letter, f"{tenant}|{url}", tenant, kind, url, msgspec.json.encode(body).decode(), now)
