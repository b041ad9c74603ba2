"""What an operator can have done with applications, by the running service or, while it is down, through the database itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import Any, Protocol
from uuid import UUID

import msgspec

from docalign_actors.applications.admission import checked_name, checked_subscription, checked_url
from docalign_actors.applications.errors import UnknownApplicationError, UnknownDeliveryError, UnknownSubscriptionError
from docalign_actors.applications.keys import master_key
from docalign_actors.applications.model import AppId, SubscriptionId
from docalign_actors.cli.service.desk import LocalDesk, RemoteDesk, find_repo
from docalign_actors.cli.service.link import Link, find_service, open_database
from docalign_actors.clock import SystemClock
from docalign_actors.persistence.app_deliveries import DeliveryLog
from docalign_actors.persistence.applications import ApplicationStore
from docalign_actors.persistence.database import Database
from docalign_actors.scans.model import RepoId
from docalign_actors.settings import Settings

_MOST = 10_000

Shown = dict[str, Any]


class AppDesk(Protocol):
    """The same wishes, whoever fulfils them. `app` is a name or an id."""

    def add(self, name: str, url: str) -> tuple[str, str, str]:
        """Its id, its token and its secret."""
        ...

    def apps(self) -> list[Shown]: ...
    def move(self, app: str, url: str) -> None: ...
    def remove(self, app: str) -> None: ...
    def rotate_token(self, app: str) -> str: ...
    def rotate_secret(self, app: str) -> str: ...
    def subscribe(self, app: str, repo: str, branch: str, paths: Sequence[str], events: Sequence[str]) -> str: ...
    def subscriptions(self, app: str) -> list[Shown]: ...

    def change(self, app: str, subscription: str, action: str) -> None:
        """unsubscribe, pause, resume or resync."""
        ...

    def replay_since(self, app: str, subscription: str, since: int) -> None: ...
    def replay(self, app: str, delivery: str) -> None: ...
    def deliveries(self, app: str, status: str | None, limit: int) -> list[Shown]: ...


@contextmanager
def open_app_desk(settings: Settings) -> Iterator[AppDesk]:
    """The running service if there is one, otherwise the database."""
    link = find_service(settings.data_dir)
    if link is not None:
        yield RemoteApps(link)
        return
    with open_database(settings) as database:
        yield LocalApps(database, settings)


class RemoteApps:
    """The running service: whoever has to know of a change is told at once."""

    def __init__(self, link: Link) -> None:
        self._link = link

    def add(self, name: str, url: str) -> tuple[str, str, str]:
        made = self._link.call("POST", "/api/apps", {"name": name, "url": url})
        return str(made["application"]["id"]), str(made["token"]), str(made["secret"])

    def apps(self) -> list[Shown]:
        return list(self._link.items("/api/apps"))

    def move(self, app: str, url: str) -> None:
        self._link.call("PATCH", self._of(app), {"url": url})

    def remove(self, app: str) -> None:
        self._link.call("DELETE", self._of(app))

    def rotate_token(self, app: str) -> str:
        return str(self._link.call("POST", f"{self._of(app)}/token")["token"])

    def rotate_secret(self, app: str) -> str:
        return str(self._link.call("POST", f"{self._of(app)}/secret")["secret"])

    def subscribe(self, app: str, repo: str, branch: str, paths: Sequence[str], events: Sequence[str]) -> str:
        path = f"{self._of(app)}/subscriptions"
        found = find_repo(RemoteDesk(self._link).repos(), repo)
        body = {"repo": found, "branch": branch, "paths": list(paths), "events": list(events)}
        return str(self._link.call("POST", path, body)["id"])

    def subscriptions(self, app: str) -> list[Shown]:
        return list(self._link.items(f"{self._of(app)}/subscriptions"))

    def change(self, app: str, subscription: str, action: str) -> None:
        path = f"{self._of(app)}/subscriptions/{_subscription(subscription)}"
        if action == "unsubscribe":
            self._link.call("DELETE", path)
        else:
            self._link.call("POST", f"{path}/{action}")

    def replay_since(self, app: str, subscription: str, since: int) -> None:
        path = f"{self._of(app)}/subscriptions/{_subscription(subscription)}/replay"
        self._link.call("POST", path, {"since": since})

    def replay(self, app: str, delivery: str) -> None:
        path = f"/api/deliveries/{_delivery(delivery)}"
        if self._link.call("GET", path)["app_id"] != _find(self.apps(), app):
            raise UnknownDeliveryError
        self._link.call("POST", f"{path}/replay")

    def deliveries(self, app: str, status: str | None, limit: int) -> list[Shown]:
        wanted = {"app": _find(self.apps(), app), **({"status": status} if status else {})}
        return list(islice(self._link.items("/api/deliveries", **wanted), limit))

    def _of(self, app: str) -> str:
        return f"/api/apps/{_find(self.apps(), app)}"


class LocalApps:
    """The database, while the service is down: what is to be sent waits for its next start."""

    def __init__(self, database: Database, settings: Settings) -> None:
        clock = SystemClock()
        self._settings = settings
        self._database = database
        self._store = ApplicationStore(database, clock)
        self._log = DeliveryLog(database, clock)

    def add(self, name: str, url: str) -> tuple[str, str, str]:
        name, url, key = checked_name(name), self._url(url), master_key(Path(self._settings.data_dir))
        app, token = self._store.add(name, url, "command line")
        return str(app), token, key.secret(app, 1)

    def apps(self) -> list[Shown]:
        return [msgspec.to_builtins(one) for one in self._log.apps(_MOST).items]

    def move(self, app: str, url: str) -> None:
        self._store.move(self._app(app), self._url(url))

    def remove(self, app: str) -> None:
        self._store.remove(self._app(app))

    def rotate_token(self, app: str) -> str:
        return self._store.rotate_token(self._app(app))[0]

    def rotate_secret(self, app: str) -> str:
        key, found = master_key(Path(self._settings.data_dir)), self._app(app)
        return key.secret(found, self._store.rotate_secret(found))

    def subscribe(self, app: str, repo: str, branch: str, paths: Sequence[str], events: Sequence[str]) -> str:
        wanted = checked_subscription(branch, paths, events)
        known = RepoId(UUID(find_repo(LocalDesk(self._database, self._settings).repos(), repo)))
        return str(self._store.subscribe(self._app(app), known, wanted))

    def subscriptions(self, app: str) -> list[Shown]:
        return [msgspec.to_builtins(one) for one in self._log.subscriptions(self._app(app), _MOST).items]

    def change(self, app: str, subscription: str, action: str) -> None:
        getattr(self._store, action)(self._app(app), _subscription(subscription))

    def replay_since(self, app: str, subscription: str, since: int) -> None:
        self._log.replay_since(self._app(app), _subscription(subscription), since)

    def replay(self, app: str, delivery: str) -> None:
        owner, wanted = self._app(app), _delivery(delivery)
        found = self._log.delivery(wanted, owner)
        if found is None:
            raise UnknownDeliveryError
        if found.status == "dead":
            self._store.resume(owner, SubscriptionId(found.subscription_id))
        else:
            self._log.replay(wanted, owner)

    def deliveries(self, app: str, status: str | None, limit: int) -> list[Shown]:
        found = self._log.deliveries(limit, app=self._app(app), status=status).items
        return [msgspec.to_builtins(one) for one in found]

    def _app(self, text: str) -> AppId:
        return AppId(UUID(_find(self.apps(), text)))

    def _url(self, url: str) -> str:
        return checked_url(url, allow_private=self._settings.outbound.allow_private)


def _find(apps: Sequence[Shown], wanted: str) -> str:
    """The id of the application that is meant. Its own name wins over another one's id."""
    for name in ("name", "id"):
        for app in apps:
            if app[name] == wanted:
                return str(app["id"])
    raise UnknownApplicationError(
        f"There is no application called {wanted!r}.", hint="List them with `docalign app list`."
    )


def _subscription(text: str) -> SubscriptionId:
    with suppress(ValueError):
        return SubscriptionId(UUID(text))
    raise UnknownSubscriptionError(
        f"{text!r} is not the id of a subscription.", hint="See `docalign app subscriptions APP`."
    )


def _delivery(text: str) -> UUID:
    with suppress(ValueError):
        return UUID(text)
    raise UnknownDeliveryError(f"{text!r} is not the id of a delivery.", hint="See `docalign app deliveries APP`.")
