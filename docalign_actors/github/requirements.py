"""What the App needs on GitHub, said once: the manifest, the doctor, the pages and the documentation are made of this."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

PERMISSIONS: Final[Mapping[str, str]] = {
    "checks": "write",
    "contents": "write",
    "issues": "write",
    "metadata": "read",
    "pull_requests": "write",
}
"""Permissions on repositories, by GitHub's names for them."""

EVENTS: Final = (
    "check_run",
    "check_suite",
    "issue_comment",
    "pull_request",
    "pull_request_review_comment",
    "pull_request_review_thread",
    "push",
    "repository",
)
"""Events to subscribe to. Those of the installation itself come anyway."""

PURPOSES: Final[Mapping[str, str]] = {
    "checks": "the check beside each head",
    "contents": "reading the repository, and the commit that a fix is",
    "issues": "the comment and the reactions to commands",
    "metadata": "who may give commands",
    "pull_requests": "looking at pull requests, and suggestions on their lines",
}
"""What each permission is for: what does not work without it."""

_LEVELS: Final = ("", "read", "write", "admin")


def missing_permissions(granted: Mapping[str, str]) -> list[str]:
    """What is not granted, or not enough: `checks: write`. Sorted."""
    return [
        f"{name}: {level}" for name, level in sorted(PERMISSIONS.items()) if _rank(granted.get(name)) < _rank(level)
    ]


def missing_events(subscribed: Iterable[str]) -> list[str]:
    """The events that GitHub would not tell of."""
    return sorted(set(EVENTS) - set(subscribed))


def spoken(permission: str) -> str:
    """`pull_requests: write` as GitHub's settings call it: Pull requests write."""
    name, _, level = permission.partition(": ")
    return f"{name.replace('_', ' ').capitalize()} {level}".strip()


def _rank(level: str | None) -> int:
    return _LEVELS.index(level) if level in _LEVELS else 0
