"""Makes deliveries of events: one each, or one for each piece of a file. Pure."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from uuid import UUID

import msgspec
from msgspec import Struct

from docalign_actors.applications.model import LETTER, AppId, Subscription, SubscriptionId, tenant_of
from docalign_actors.applications.parts import Limits, must_sniff, pieces
from docalign_actors.applications.telling import Event, Step
from docalign_actors.applications.wording import envelope
from docalign_actors.outbound.model import Letter

Sniff = Callable[[str], bool]
"""Whether a blob is binary."""


class Delivery(Struct, frozen=True, kw_only=True):
    """One letter of a subscription, and what the application has when it has arrived."""

    id: UUID
    app_id: AppId
    subscription_id: SubscriptionId
    sequence: int
    event: str
    sort: str
    name: str
    previous_name: str
    version: str | None
    blob: str
    chunk: int
    chunks: int
    body: str
    lane: str
    url: str

    def letter(self, now: datetime) -> Letter:
        return Letter(self.id, self.lane, tenant_of(self.app_id), LETTER, self.url, self.body, now)


class Fed(Struct, frozen=True):
    """Where a subscription stands after a step, and what is on its way to it by then."""

    step: Step
    deliveries: tuple[Delivery, ...] = ()


def deliveries(
    step: Step, subscription: Subscription, limits: Limits, sniff: Sniff, new_id: Callable[[], UUID], now: datetime
) -> Fed:  # fmt: skip
    """The letters of a step, in their order."""
    made: list[Delivery] = []
    sequence = subscription.sequence
    for event in step.events:
        count = _pieces(event, limits, sniff)
        content_id = new_id() if event.file is not None else None
        for chunk in range(1, max(count, 1) + 1):
            sequence += 1
            made.append(_delivery(event, subscription, sequence, chunk, count, content_id, new_id(), now))
    return Fed(step, tuple(made))


def _delivery(
    event: Event, subscription: Subscription, sequence: int, chunk: int, count: int, content_id: UUID | None, own: UUID,
    now: datetime,
) -> Delivery:  # fmt: skip
    said = envelope(event, subscription, own, sequence, now, chunk=chunk, chunks=count, content_id=content_id)
    return Delivery(
        id=own, app_id=subscription.app_id, subscription_id=subscription.id, sequence=sequence, event=event.kind,
        sort=event.sort, name=event.name, previous_name=event.previous_name, version=event.version,
        blob=event.file.blob if event.file is not None else "", chunk=chunk, chunks=max(count, 1),
        body=msgspec.json.encode(said).decode(), lane=subscription.lane, url=subscription.url,
    )  # fmt: skip


def _pieces(event: Event, limits: Limits, sniff: Sniff) -> int:
    file = event.file
    if file is None:
        return 1
    binary = event.is_binary
    if binary is None:
        binary = must_sniff(file.size, limits) and sniff(file.blob)
    return pieces(file.size, binary, limits)
