"""The commands, one function each."""

from __future__ import annotations

import argparse
import html
import os
import re
import shlex
import shutil
import sys
import webbrowser
from datetime import timedelta
from pathlib import Path
from uuid import UUID

import msgspec

from docalign_actors.cli.service.desk import absolute, open_desk
from docalign_actors.cli.service.link import NotRunningError, find_service, load_settings, open_database
from docalign_actors.cli.service.tables import print_table
from docalign_actors.cli.service.tree import drawn
from docalign_actors.cli.service.watching import WATCHING
from docalign_actors.errors import DataDirectoryError, UsageError


def run_serve(given: argparse.Namespace) -> int:
    """Runs the service until it is told to stop."""
    from docalign_actors.app import Service
    from docalign_actors.telemetry import logs

    flags = {
        "http.host": given.host, "http.port": given.port, "log.level": given.log_level, "log.format": given.log_format
    }  # fmt: skip
    settings = load_settings(given, **flags).settings
    form = settings.log.format
    if form == "auto":
        form = "console" if sys.stderr.isatty() else "json"
    logs.configure("json" if form == "json" else "console", settings.log.level.upper())
    _make_data_dir(Path(settings.data_dir))
    register = [absolute(name) for name in given.register]

    def announce(text: str) -> None:
        print(text, flush=True)
        found = re.search(r"https?://\S+/sign-in\?\S+", text)
        if found and given.open:
            open_browser(found[0], Path(settings.data_dir))

    way_in = _command(given.data_dir, "token", "create", "--role", "admin")
    return Service(settings, register=register, announce=announce, way_in=way_in).run()


def _make_data_dir(folder: Path) -> None:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise DataDirectoryError(f"{folder} cannot be used: {error.strerror}.") from None


def _command(data_dir: Path | None, *words: str) -> str:
    """A command to be typed in another terminal, which may know neither the program nor the data directory."""
    found = shutil.which("docalign") or not sys.argv[0].endswith("docalign")
    program = "docalign" if found else os.path.abspath(sys.argv[0])
    named = data_dir or os.environ.get("DOCALIGN_DATA_DIR")
    return shlex.join([program, *words, *(("--data-dir", os.path.abspath(named)) if named else ())])


def open_browser(url: str, folder: Path) -> bool:
    """Shows a page that leads to the address, where there is a screen. The address has a secret, so no command line gets it."""
    if not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY") or sys.platform in ("darwin", "win32")):
        return False
    page = folder / "sign-in.html"
    page.touch(mode=0o600)
    page.write_text(
        f'<!doctype html><meta http-equiv="refresh" content="0; url={html.escape(url)}"><title>DocAlign</title>'
    )
    return webbrowser.open(page.as_uri())


def run_migrate(given: argparse.Namespace) -> int:
    from docalign_actors.persistence.migrations import status

    with open_database(load_settings(given).settings) as database:
        done, known = status(database.url)
    print(f"The database is at migration {done} of {known}.")
    return 0


def run_token(given: argparse.Namespace) -> int:
    from docalign_actors.clock import SystemClock
    from docalign_actors.persistence.tokens import Role, TokenStore

    with open_database(load_settings(given).settings) as database:
        tokens = TokenStore(database, SystemClock())
        if given.action == "create":
            lasts = timedelta(days=given.days) if given.days is not None else None
            secret = tokens.create(
                given.name or given.role, Role(given.role), lasts=lasts, scopes=given.scope,
                event_types=given.event_type or ("*",), tenant=given.tenant,
            )  # fmt: skip
            print(secret if given.plain else f"{secret}\nThis is the only time it is shown.")
        elif given.action == "revoke":
            if not tokens.revoke(_uuid(given.id)):
                raise UsageError("There is no such token, or it is revoked already.", hint="See `docalign token list`.")
            print("Revoked. A running service takes a few seconds to notice.")
        else:
            found = [msgspec.to_builtins(token) for token in tokens.list()]
            print_table(
                found, ("id", "role", "name", "created_at", "expires_at", "last_used_at", "revoked_at"), given.format
            )
    return 0


def run_repo(given: argparse.Namespace) -> int:
    with open_desk(load_settings(given).settings) as desk:
        if given.action == "add":
            if not given.url.strip():
                raise UsageError("Name a folder with a git repository, or an address that git can fetch from.")
            repo = desk.add(absolute(given.url))
            print(repo)
            if not given.no_scan:
                run = desk.request(repo, {"type": "full"})
                _say(f"Its first scan is {run}{'' if desk.running else '; it waits for the service to be started'}.")
        elif given.action == "remove":
            desk.remove(given.repo)
            print("Removed.")
        elif given.action in WATCHING:
            WATCHING[given.action](desk, given)
        else:
            names = (
                "id",
                "name",
                "status",
                "health_score",
                "claims_drifted",
                "check_rule",
                "full_rule",
                "circuit",
                "url",
            )
            shown = [{**r, **{n: r.get(n) or "default" for n in ("check_rule", "full_rule")}} for r in desk.repos()]
            print_table(shown if given.format == "text" else desk.repos(), names, given.format)
    return 0


def run_suppressions(given: argparse.Namespace) -> int:
    with open_desk(load_settings(given).settings) as desk:
        if given.action == "add":
            if given.days is not None and not 1 <= given.days <= 3_650:
                raise UsageError("--days is from 1 to 3,650.")
            if not given.reason.strip() or not given.value.strip():
                raise UsageError("A suppression has a value and a reason; others will read it.")
            wanted = {"scope": given.scope, "value": given.value, "reason": given.reason}
            print(desk.suppress(given.repo, wanted | ({"days": given.days} if given.days is not None else {})))
        elif given.action == "remove":
            desk.unsuppress(given.repo, str(_uuid(given.id)))
            print("It is reported again, from the next scan on.")
        else:
            names = ("id", "scope", "value", "reason", "created_by", "expires_at")
            print_table(desk.suppressions(given.repo), names, given.format)
    return 0


def run_ps(given: argparse.Namespace) -> int:
    """The tree, once or until Ctrl-C."""
    link = find_service(load_settings(given).settings.data_dir)
    if link is None:
        raise NotRunningError
    if given.format == "json":
        sys.stdout.write(msgspec.json.encode(link.call("GET", "/actors")).decode() + "\n")
        return 0
    live = sys.stdout.isatty() and not given.once
    while True:
        width = shutil.get_terminal_size((120, 40)).columns
        text = "\n".join(drawn(link.call("GET", "/actors"), width))
        sys.stdout.write(f"\x1b[H\x1b[2J{text}\n" if live else f"{text}\n")
        sys.stdout.flush()
        if not live:
            return 0
        for name, _ in link.events("/api/events"):
            if name in ("actors", "scan", "incident", "reset"):
                break


def run_config(given: argparse.Namespace) -> int:
    shown = load_settings(given).shown()
    found = [{"setting": key, "value": value, "from": origin} for key, value, origin in shown]
    print_table(found, ("setting", "value", "from"), given.format)
    return 0


def run_backup(given: argparse.Namespace) -> int:
    from docalign_actors.persistence.backup import backup

    with open_database(load_settings(given).settings) as database:
        backup(database.url, given.file)
    print(f"{given.file}: {given.file.stat().st_size / 1e6:.1f} MB")
    return 0


def run_restore(given: argparse.Namespace) -> int:
    from docalign_actors.persistence.backup import restore

    settings = load_settings(given).settings
    if find_service(settings.data_dir) is not None:
        raise UsageError("The service runs.", hint="Stop it first: a restore replaces what it works on.")
    with open_database(settings) as database:
        url = database.url
        database.close()
        restore(url, given.file, force=given.force)
    print("Restored.")
    return 0


def _uuid(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        raise UsageError(f"{text!r} is not an id.", hint="Ids are shown by the `list` commands.") from None


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
