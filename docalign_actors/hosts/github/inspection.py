"""The App as GitHub has it: what the doctor looks at."""

from __future__ import annotations

from typing import Any

from docalign_actors.github.diagnosis import SeenApp, SeenDelivery, SeenHook, SeenInstallation
from docalign_actors.hosts.github.client import GitHubClient

_DELIVERIES = 30
_INSTALLATIONS = 100


class Inspection:
    """Each method is one request with the App's own credentials."""

    def __init__(self, client: GitHubClient) -> None:
        self._client = client

    def app(self) -> SeenApp:
        data = self._client.ask_app("GET", "/app")
        owner = data.get("owner") or {}
        return SeenApp(
            str(data.get("name") or ""), str(data["slug"]), str(owner.get("login") or owner.get("slug") or ""),
            str(data.get("html_url") or ""), _words(data.get("permissions")), tuple(map(str, data.get("events") or ())),
        )  # fmt: skip

    def hook(self) -> SeenHook:
        data = self._client.ask_app("GET", "/app/hook/config")
        insecure = str(data.get("insecure_ssl", "0")) not in ("0", "", "False")
        return SeenHook(str(data.get("url") or ""), str(data.get("content_type") or ""), insecure)

    def deliveries(self) -> list[SeenDelivery]:
        """The last ones, newest first."""
        found = self._client.ask_app("GET", "/app/hook/deliveries", {"per_page": _DELIVERIES})
        return [
            SeenDelivery(
                str(d["event"]), str(d.get("delivered_at") or ""), str(d.get("status") or ""), int(d.get("status_code") or 0)
            )
            for d in found
        ]  # fmt: skip

    def installations(self) -> list[SeenInstallation]:
        found = self._client.ask_app("GET", "/app/installations", {"per_page": _INSTALLATIONS})
        return [
            SeenInstallation(
                int(i["id"]), str((i.get("account") or {}).get("login") or (i.get("account") or {}).get("slug") or ""),
                i.get("suspended_at") is not None, _words(i.get("permissions")),
            )
            for i in found
        ]  # fmt: skip


def _words(data: Any) -> dict[str, str]:
    return {str(k): str(v) for k, v in data.items()} if isinstance(data, dict) else {}
