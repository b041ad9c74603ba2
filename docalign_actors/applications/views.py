"""What is shown of applications, subscriptions and deliveries."""

from __future__ import annotations

from datetime import datetime
from typing import Literal
from uuid import UUID

from msgspec import Struct


class AppView(Struct, frozen=True, kw_only=True):
    """An application: everything but its token and its secret."""

    id: UUID
    name: str
    url: str
    secret_generation: int
    secret_rotated_at: datetime
    created_by: str
    created_at: datetime
    token_last_used_at: datetime | None
    subscriptions: int
    failed: int
    """Subscriptions that have failed."""


class SubscriptionView(Struct, frozen=True, kw_only=True):
    """What an application subscribes to, and how far it has got.

    behind    entries of the journal that it has not been handed yet
    waiting   deliveries on their way
    files     that the application has
    """

    id: UUID
    app_id: UUID
    repo_id: UUID
    repo_name: str
    branch: str
    paths: list[str]
    events: list[str]
    status: Literal["active", "paused", "failed"]
    phase: Literal["new", "files", "claims", "following"]
    commit: str | None
    sequence: int
    behind: int
    waiting: int
    files: int
    failure: str
    answer: str
    failed_at: datetime | None
    created_at: datetime


class AppDeliveryView(Struct, frozen=True, kw_only=True):
    """One delivery, as the log has it. `answer`: the beginning of what the receiver said when it refused."""

    id: UUID
    position: int
    app_id: UUID
    subscription_id: UUID
    repo_id: UUID
    sequence: int
    event: str
    name: str
    previous_name: str
    chunk: int
    chunks: int
    status: Literal["waiting", "delivered", "dead", "dropped"]
    attempts: int
    error: str
    answer: str
    created_at: datetime
    ended_at: datetime | None


class Onboarded(Struct, frozen=True):
    """A new application, with what is shown this once: the token that it asks with, the secret that signs what it gets."""

    application: AppView
    token: str
    secret: str
