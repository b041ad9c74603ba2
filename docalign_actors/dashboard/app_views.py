"""What the pages of applications are made of, and who provides it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol
from uuid import UUID

from msgspec import Struct

from docalign_actors.applications.views import AppDeliveryView, AppView, SubscriptionView


class Apps(Struct, frozen=True, kw_only=True):
    """A stretch of the list of applications, by name."""

    apps: Sequence[AppView] = ()
    after: str = ""


class AppDetail(Struct, frozen=True, kw_only=True):
    """One application: what it subscribes to, its last deliveries, those that failed."""

    app: AppView
    subscriptions: Sequence[SubscriptionView] = ()
    more: bool = False
    deliveries: Sequence[AppDeliveryView] = ()
    after: str = ""
    dead: Sequence[AppDeliveryView] = ()


class AppReader(Protocol):
    """Where the pages get their views. What is not there is a DocAlignError (E404)."""

    async def apps(self, after: str) -> Apps: ...

    async def app(self, app: UUID, after: str) -> AppDetail: ...


class AppButtons(Protocol):
    """What the pages' buttons ask for. Refusals are DocAlignErrors."""

    async def change_subscription(self, action: str, app: UUID, subscription: UUID) -> None: ...

    async def replay_delivery(self, app: UUID, delivery: UUID) -> None: ...

    async def remove_app(self, app: UUID) -> None: ...
