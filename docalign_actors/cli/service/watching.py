"""`docalign repo schedule`, `circuit` and `credentials`."""

from __future__ import annotations

import argparse
import getpass
import sys
from collections.abc import Callable
from typing import Any

import msgspec

from docalign_actors.cli.service.desk import Desk
from docalign_actors.cli.service.tables import cell, moment, print_table
from docalign_actors.errors import UsageError

_MOST_READ = 10_000


def run_schedule(desk: Desk, given: argparse.Namespace) -> None:
    changes = {
        name: None if rule == "default" else rule
        for name, rule in (("check", given.check), ("full", given.full))
        if rule
    }
    found = desk.schedule(given.repo, changes)
    if given.format == "json":
        _as_json(found)
        return
    for name, rule, own in (
        ("check", found["check"], found["own_check"]),
        ("full scan", found["full"], found["own_full"]),
    ):
        print(f"{name}: {rule}{'' if own else ' (the service)'}")
    if found["elsewhere"]:
        print("The GitHub App looks at its head.")
    print(f"next look: {_time(found['next_check_at'])}\nnext full scan: {_time(found['next_full_at'])}")
    print(
        f"last look: {_time(found['last_look_at'])}\nlast head seen: {cell(found['last_branch'])} {cell(found['last_head'])}"
    )
    if found["last_error"]:
        print(f"last look failed: {cell(found['last_error'])}")


def run_circuit(desk: Desk, given: argparse.Namespace) -> None:
    found = desk.circuit(given.repo, reset=given.reset)
    if given.format == "json":
        _as_json(found)
        return
    until = f", tried again at {_time(found['open_until'])}" if found["open_until"] else ""
    print(f"{found['state'].replace('_', '-')}: {found['failures']} of {found['opens_at']} failures in a row{until}")
    if found["error"]:
        print(f"last failure: {cell(found['error'])} ({cell(found['error_code'])})")
    if found["history"]:
        history = [{**move, "at": moment(move["at"])} for move in found["history"]]
        print_table(history, ("at", "before", "after", "cause", "failures", "error"), "text")


def run_credentials(desk: Desk, given: argparse.Namespace) -> None:
    if given.remove:
        desk.remove_credentials(given.repo)
        print("Forgotten.")
        return
    password = (
        getpass.getpass("Password or token: ") if sys.stdin.isatty() else sys.stdin.read(_MOST_READ).strip("\r\n")
    )
    if not password:
        raise UsageError(
            "No password was given.", hint="Write it to standard input: docalign repo credentials REPO < FILE"
        )
    desk.set_credentials(given.repo, given.user, password)
    print("Kept. The circuit is closed, and the next look uses them.")


def _time(at: object) -> str:
    return f"{moment(at)} UTC" if at else "-"


def _as_json(found: Any) -> None:
    sys.stdout.write(msgspec.json.encode(found).decode() + "\n")


WATCHING: dict[str, Callable[[Desk, argparse.Namespace], None]] = {
    "schedule": run_schedule, "circuit": run_circuit, "credentials": run_credentials,
}  # fmt: skip
