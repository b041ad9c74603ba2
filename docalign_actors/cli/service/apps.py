"""`docalign app`: applications, by the database itself. A running service finds what changed within moments."""

from __future__ import annotations

import argparse
from contextlib import suppress
from pathlib import Path
from uuid import UUID

import msgspec

from docalign_actors.applications.admission import checked_name, checked_subscription, checked_url
from docalign_actors.applications.errors import UnknownSubscriptionError
from docalign_actors.applications.keys import master_key
from docalign_actors.applications.model import AppId, SubscriptionId
from docalign_actors.cli.service.desk import LocalDesk, find_repo
from docalign_actors.cli.service.link import load_settings, open_database
from docalign_actors.cli.service.tables import print_table
from docalign_actors.clock import SystemClock
from docalign_actors.errors import UsageError
from docalign_actors.persistence.app_deliveries import DeliveryLog
from docalign_actors.persistence.applications import ApplicationStore
from docalign_actors.persistence.database import Database
from docalign_actors.scans.model import RepoId
from docalign_actors.settings import Settings

_MOST = 200
_CHANGES = {
    "unsubscribe": "It has ended.", "pause": "Paused.", "resume": "It goes on.", "resync": "It begins anew with a snapshot.",
}  # fmt: skip


def run_app(given: argparse.Namespace) -> int:
    settings = load_settings(given).settings
    with open_database(settings) as database:
        _Apps(settings, database).run(given)
    return 0


class _Apps:
    def __init__(self, settings: Settings, database: Database) -> None:
        clock = SystemClock()
        self._settings = settings
        self._database = database
        self._store = ApplicationStore(database, clock)
        self._log = DeliveryLog(database, clock)

    def run(self, given: argparse.Namespace) -> None:
        match given.action:
            case "add":
                self._add(given)
            case "list":
                self._list(given)
            case "change":
                url = checked_url(given.url, allow_private=self._settings.outbound.allow_private)
                self._store.move(self._app(given.app), url)
                print("Changed.")
            case "replay":
                if given.since < 1:
                    raise UsageError("--since is 1 or more.")
                self._log.replay_since(self._app(given.app), _subscription(given.subscription), given.since)
                print("What has arrived since goes again.")
            case "remove":
                self._store.remove(self._app(given.app))
                print("Removed, with everything that belonged to it.")
            case "rotate-token":
                token, _ = self._store.rotate_token(self._app(given.app))
                print(f"{token}\nThis is the only time it is shown. The one before it has ended.")
            case "rotate-secret":
                app = self._app(given.app)
                secret = master_key(Path(self._settings.data_dir)).secret(app, self._store.rotate_secret(app))
                print(f"{secret}\nThis is the only time it is shown. For a day, the one before it signs as well.")
            case "subscribe":
                self._subscribe(given)
            case "subscriptions":
                found = self._log.subscriptions(self._app(given.app), _MOST).items
                names = ("id", "repo_name", "branch", "status", "phase", "files", "waiting", "behind", "failure")
                print_table([msgspec.to_builtins(one) for one in found], names, given.format)
            case "deliveries":
                self._deliveries(given)
            case action:
                change = getattr(self._store, action)
                change(self._app(given.app), _subscription(given.subscription))
                print(_CHANGES[action])

    def _add(self, given: argparse.Namespace) -> None:
        name = checked_name(given.name)
        url = checked_url(given.url, allow_private=self._settings.outbound.allow_private)
        key = master_key(Path(self._settings.data_dir))
        app, token = self._store.add(name, url, "command line")
        print(f"id      {app}\ntoken   {token}\nsecret  {key.secret(app, 1)}")
        print("This is the only time that the token and the secret are shown.")

    def _list(self, given: argparse.Namespace) -> None:
        found = self._log.apps(_MOST).items
        names = ("id", "name", "url", "subscriptions", "failed", "token_last_used_at")
        print_table([msgspec.to_builtins(one) for one in found], names, given.format)

    def _subscribe(self, given: argparse.Namespace) -> None:
        wanted = checked_subscription(given.branch, given.path, given.event)
        repos = LocalDesk(self._database, self._settings).repos()
        repo = RepoId(UUID(find_repo(repos, given.repo)))
        print(self._store.subscribe(self._app(given.app), repo, wanted))

    def _deliveries(self, given: argparse.Namespace) -> None:
        if not 0 < given.limit <= 10_000:
            raise UsageError("--limit is from 1 to 10,000.")
        found = self._log.deliveries(given.limit, app=self._app(given.app), status=given.status).items
        names = ("sequence", "event", "name", "status", "attempts", "error", "created_at", "id")
        print_table([msgspec.to_builtins(one) for one in found], names, given.format)

    def _app(self, text: str) -> AppId:
        with suppress(ValueError):
            app = AppId(UUID(text))
            if self._log.app(app) is not None:
                return app
        return self._store.find(text)


def _subscription(text: str) -> SubscriptionId:
    try:
        return SubscriptionId(UUID(text))
    except ValueError:
        raise UnknownSubscriptionError(f"{text!r} is not the id of a subscription.") from None
