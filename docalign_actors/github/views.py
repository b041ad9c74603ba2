"""What people and clients read of this capability."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct


class DeliveryView(Struct, frozen=True, kw_only=True):
    """A webhook that could not be read or carried out. `excerpt`: how it begins, where it could not be read."""

    position: int
    delivery_id: str
    event: str
    action: str
    installation_id: int | None
    status: str
    attempts: int
    error: str
    excerpt: str
    received_at: datetime
