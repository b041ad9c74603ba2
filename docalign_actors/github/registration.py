"""How the App comes into being: the manifest that GitHub is shown, and the addresses that lead there and back. Pure."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import quote, urlsplit

from msgspec import Struct

from docalign_actors.errors import UsageError
from docalign_actors.github.requirements import EVENTS, PERMISSIONS

WEBHOOK_PATH = "/webhooks/github"
_LONGEST_NAME = 34
"""Characters that GitHub allows in an App's name."""
_ACCOUNT = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9_-]{0,98}[A-Za-z0-9])?")
_CODE = re.compile(r"[A-Za-z0-9_-]{1,200}")


class Place(Struct, frozen=True):
    """A GitHub: where people find it, and where programs do."""

    web_url: str
    api_url: str


def place_of(base_url: str) -> Place:
    """GitHub itself, its Enterprise Cloud with data residency, or a GitHub Enterprise Server, by its base address."""
    text = base_url.strip()
    try:
        parts = urlsplit(text if "://" in text else f"https://{text}")
        host, port = parts.hostname or "", parts.port
    except ValueError:
        host, port, parts = "", None, urlsplit("")
    if not host or parts.scheme not in ("http", "https") or parts.username or parts.query or parts.fragment:
        raise UsageError(
            f"{base_url[:100]!r} is not the address of a GitHub.", hint="Give it as https://github.example.org."
        )
    if parts.path.rstrip("/") not in ("", "/api/v3"):
        raise UsageError(
            f"{base_url[:100]!r} has a path, which the base address of a GitHub has not.",
            hint=f"Give it as {parts.scheme}://{parts.netloc}.",
        )
    web = f"{parts.scheme}://{host}{f':{port}' if port else ''}"
    if host in ("github.com", "www.github.com", "api.github.com"):
        return Place("https://github.com", "https://api.github.com")
    if host.endswith(".ghe.com"):
        return Place(
            web.replace("://api.", "://"), web if host.startswith("api.") else web.replace("://", "://api.", 1)
        )
    return Place(web, f"{web}/api/v3")


def webhook_url(public_url: str) -> str:
    """Where GitHub sends its events to."""
    return public_url.rstrip("/") + WEBHOOK_PATH


def manifest(name: str, public_url: str, redirect_url: str) -> dict[str, Any]:
    """What GitHub makes the App of. Whoever creates it may still change the name there."""
    return {
        "name": name[:_LONGEST_NAME].strip(),
        "url": public_url,
        "description": "Keeps the documentation true: checks what it says against the code, on every pull request.",
        "hook_attributes": {"url": webhook_url(public_url), "active": True},
        "redirect_url": redirect_url,
        "public": False,
        "default_permissions": dict(PERMISSIONS),
        "default_events": list(EVENTS),
    }


def default_name(public_url: str) -> str:
    """Names are unique on all of GitHub, so the service's own is part of it."""
    host = urlsplit(public_url).hostname or ""
    return f"DocAlign {host}"[:_LONGEST_NAME].strip()


def form_target(place: Place, organisation: str, state: str) -> str:
    """The page that creates the App: of an organisation, or of whoever is signed in there."""
    owner = f"/organizations/{quote(organisation, safe='')}" if organisation else ""
    return f"{place.web_url}{owner}/settings/apps/new?state={quote(state, safe='')}"


def account_name(text: str) -> str:
    """The name of an organisation, as it was filled in; "" for one's own account."""
    name = text.strip().lstrip("@")
    if name and not _ACCOUNT.fullmatch(name):
        raise UsageError(f"{name[:50]!r} cannot be the name of an organisation on GitHub.")
    return name


def is_code(text: str) -> bool:
    """Whether this may be the code that GitHub gives for the credentials. It becomes part of an address."""
    return _CODE.fullmatch(text) is not None
