"""`docalign app`: applications, what they subscribe to, and what was sent to them."""

from __future__ import annotations

import argparse
from typing import Any

from docalign_actors.cli.service.app_desk import AppDesk, open_app_desk
from docalign_actors.cli.service.link import load_settings
from docalign_actors.cli.service.tables import moment, print_table
from docalign_actors.errors import UsageError

_CHANGES = {
    "unsubscribe": "It has ended.", "pause": "Paused.", "resume": "It goes on.", "resync": "It begins anew with a snapshot.",
}  # fmt: skip
_APPS = ("id", "name", "url", "subscriptions", "failed", "token_last_used_at")
_SUBSCRIPTIONS = ("id", "repo_name", "branch", "status", "phase", "files", "waiting", "behind", "failure")
_DELIVERIES = ("sequence", "event", "name", "status", "attempts", "created_at", "id", "error")
_LONGEST_ERROR = 100


def run_app(given: argparse.Namespace) -> int:
    with open_app_desk(load_settings(given).settings) as desk:
        _run(desk, given)
    return 0


def _run(desk: AppDesk, given: argparse.Namespace) -> None:
    match given.action:
        case "add":
            app, token, secret = desk.add(given.name, given.url)
            print(f"id      {app}\ntoken   {token}\nsecret  {secret}")
            print("This is the only time that the token and the secret are shown.")
        case "list":
            print_table(desk.apps(), _APPS, given.format)
        case "change":
            desk.move(given.app, given.url)
            print("Changed.")
        case "remove":
            desk.remove(given.app)
            print("Removed, with everything that belonged to it.")
        case "rotate-token":
            print(f"{desk.rotate_token(given.app)}\nThis is the only time it is shown. The one before it has ended.")
        case "rotate-secret":
            print(desk.rotate_secret(given.app))
            print("This is the only time it is shown. For a day, the one before it signs as well.")
        case "subscribe":
            print(desk.subscribe(given.app, given.repo, given.branch, given.path, given.event))
        case "subscriptions":
            found = desk.subscriptions(given.app)
            print_table(
                found if given.format == "json" else [_line(one) for one in found], _SUBSCRIPTIONS, given.format
            )
        case "replay":
            _replay(desk, given)
        case "deliveries":
            _deliveries(desk, given)
        case action:
            desk.change(given.app, given.id, action)
            print(_CHANGES[action])


def _replay(desk: AppDesk, given: argparse.Namespace) -> None:
    if given.since is None:
        desk.replay(given.app, given.id)
        print("It goes again.")
        return
    if given.since < 1:
        raise UsageError("--since is 1 or more.")
    desk.replay_since(given.app, given.id, given.since)
    print("What has arrived since goes again.")


def _deliveries(desk: AppDesk, given: argparse.Namespace) -> None:
    if not 0 < given.limit <= 10_000:
        raise UsageError("--limit is from 1 to 10,000.")
    found = desk.deliveries(given.app, given.status, given.limit)
    print_table(found if given.format == "json" else [_line(one) for one in found], _DELIVERIES, given.format)


def _line(one: dict[str, Any]) -> dict[str, Any]:
    """For people: which piece of a file it is, and what the receiver said beside why it failed."""
    shown = {**one, "created_at": moment(one["created_at"])}
    for name in ("error", "failure"):
        if one.get(name):
            said = f"{one[name]}: {one['answer']}" if one["answer"] else one[name]
            shown[name] = said if len(said) <= _LONGEST_ERROR else said[:_LONGEST_ERROR] + " …"
    if one.get("chunks", 1) > 1:
        shown["name"] = f"{one['name']} ({one['chunk']} of {one['chunks']})"
    return shown
