"""What can be said to the service on the command line."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TypeAlias

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"

_FORMATS = ("text", "json")
STATUSES = ("queued", "running", "completed", "partial", "failed", "cancelled")
"""Where a scan stands, said here again: the command line is parsed before anything of the service is imported."""
EVENTS = (
    "file.created", "file.updated", "file.deleted", "file.renamed", "claim.drifted", "claim.fixed", "health.changed", "scan.failed",
    "breaker.opened", "breaker.closed",
)  # fmt: skip
"""What an application can subscribe to, said here again for the same reason."""


def add_service_commands(commands: Commands) -> None:
    """Every command that has to do with the service."""
    _serve(commands)
    _demo(commands)
    _make(commands, "migrate", "Bring the database to what this version needs. `serve` does so by itself.")
    _token(commands)
    _repo(commands)
    _suppressions(commands)
    _app(commands)
    _scans(commands)
    cancel = _make(commands, "cancel", "Stop a scan, whether it waits or runs.")
    cancel.add_argument("id", help="the scan's id, as `docalign scans list` shows it")
    cancel.add_argument("--reason", default="", help="kept with the scan")
    ps = _make(commands, "ps", "Show the actors of the running service: state, mailbox, message under way, restarts.")
    ps.add_argument("--once", action="store_true", help="print once, do not keep watching")
    ps.add_argument("--format", choices=_FORMATS, default="text")
    config = _group(commands, "config", "The service's settings.")
    show = _make(config, "show", "Print every setting with its value and where that comes from. Secrets are masked.")
    show.add_argument("--format", choices=_FORMATS, default="text")
    _github(commands)
    backup = _make(commands, "backup", "Write the whole database into one file, while the service goes on.")
    backup.add_argument("file", type=Path, help="where to write it")
    restore = _make(commands, "restore", "Replace the database by a backup. The service must be stopped.")
    restore.add_argument("file", type=Path, help="what `docalign backup` wrote")
    restore.add_argument("--force", action="store_true", help="even if the database holds something")


def _demo(commands: Commands) -> None:
    demo = _described(
        commands,
        "demo",
        "Show the GitHub App at work on this machine: a GitHub of its own, a pull request, the check, the comment, the fix. "
        "It needs no account, leaves nothing behind and takes less than a minute.",
    )
    demo.add_argument("--keep", action="store_true", help="leave everything running until Ctrl-C, to look at the pages")
    demo.add_argument(
        "--port",
        type=int,
        default=0,
        help="the service's port (default: a free one, which a taken one gives way to as well)",
    )


def add_scan_request(root: argparse.ArgumentParser) -> None:
    """`docalign scan request`, beside `docalign scan PATH`."""
    _common(root)
    root.add_argument("repo", help="a registered repository: its id, its path or its address")
    what = root.add_mutually_exclusive_group()
    what.add_argument("--push", nargs=2, metavar=("BEFORE", "AFTER"), help="what these commits changed")
    what.add_argument("--pr", nargs=3, metavar=("NUMBER", "BASE", "HEAD"), help="what HEAD would change on BASE")
    root.add_argument(
        "--wait",
        action="store_true",
        help="wait until it has ended, and print what it found; exits with 1 if something is false or not all was looked at, "
        "with 2 if it failed or was cancelled",
    )


def _serve(commands: Commands) -> None:
    serve = _make(
        commands, "serve", "Run the service: PostgreSQL inside unless DATABASE_URL names one, actors, API and pages."
    )
    serve.add_argument("--host", help="where to listen (default: 127.0.0.1)")
    serve.add_argument("--port", type=int, help="the port (default: 8080; 0 takes a free one)")
    serve.add_argument(
        "--register", action="append", default=[], metavar="REPOSITORY", help="register this one, and scan it"
    )
    serve.add_argument("--open", action="store_true", help="open the pages in the browser, where there is a screen")
    serve.add_argument("--log-level", choices=("trace", "debug", "info", "warning", "error"))
    serve.add_argument("--log-format", choices=("console", "json", "auto"))


def _token(commands: Commands) -> None:
    token = _group(commands, "token", "Tokens for the API and the pages.")
    create = _make(token, "create", "Make a token. It is shown once; the database keeps its hash.")
    create.add_argument("--role", choices=("admin", "operator", "viewer", "worker"), required=True)
    create.add_argument("--name", default="", help="what it is for (default: its role)")
    create.add_argument("--days", type=float, help="how long it is valid (default: until it is revoked)")
    create.add_argument("--plain", action="store_true", help="print the token alone")
    create.add_argument(
        "--scope", action="append", default=[], help="for the task queue, such as codeq:claim; may be repeated"
    )
    create.add_argument(
        "--event-type", action="append", default=[], help="a command whose tasks it may claim; may be repeated"
    )
    create.add_argument("--tenant", default="", help="whose tasks it sees (default: those of nobody in particular)")
    _make(token, "list", "List the tokens, without the tokens.").add_argument(
        "--format", choices=_FORMATS, default="text"
    )
    _make(token, "revoke", "End a token, and every session that it opened.").add_argument("id")


def _repo(commands: Commands) -> None:
    repo = _group(commands, "repo", "The repositories that the service looks after.")
    add = _make(repo, "add", "Register a repository and scan it.")
    add.add_argument(
        "url", metavar="PATH_OR_URL", help="a folder with a git repository, or an address that git can fetch from"
    )
    add.add_argument("--no-scan", action="store_true", help="do not ask for a first scan")
    _make(repo, "list", "List the repositories with their health.").add_argument(
        "--format", choices=_FORMATS, default="text"
    )
    _make(repo, "remove", "Forget a repository; what is open in it is cancelled.").add_argument("repo")
    _watching(repo)


def _watching(repo: Commands) -> None:
    schedule = _make(repo, "schedule", "Show when a repository is looked at, or set it in words.")
    schedule.add_argument("repo", help="its id, its path, its address or its name")
    schedule.add_argument(
        "--check", metavar="WHEN", help="how often the head is looked at: 'every 10 minutes', 'daily at 03:00', 'never', 'default'"
    )  # fmt: skip
    schedule.add_argument("--full", metavar="WHEN", help="how often everything is scanned: 'weekly on sunday at 04:30'")
    schedule.add_argument("--format", choices=_FORMATS, default="text")
    circuit = _make(repo, "circuit", "Show whether git reaches a repository, and what became of it.")
    circuit.add_argument("repo", help="its id, its path, its address or its name")
    circuit.add_argument("--reset", action="store_true", help="close it, and look at the repository at once")
    circuit.add_argument("--format", choices=_FORMATS, default="text")
    credentials = _make(
        repo, "credentials", "Give git a password for one repository; it is read from standard input, never from the command line."
    )  # fmt: skip
    credentials.add_argument("repo", help="its id, its path, its address or its name")
    credentials.add_argument(
        "--user", default="", help="the name that goes with it (default: what hosts take for tokens)"
    )
    credentials.add_argument("--remove", action="store_true", help="forget them")


def _scans(commands: Commands) -> None:
    scans = _group(commands, "scans", "The scans of the service: those that wait, run and have ended.")
    listed = _make(scans, "list", "List scans, newest first.")
    listed.add_argument("--repo", default="", help="of one repository: its id, its path, its address or its name")
    listed.add_argument("--status", choices=STATUSES, help="only those that stand there")
    listed.add_argument("--limit", type=int, default=20, help="how many (default: 20)")
    listed.add_argument("--format", choices=_FORMATS, default="text")
    show = _make(scans, "show", "Show how one scan ended and what it found.")
    show.add_argument("id", help="the scan's id, as `docalign scans list` shows it")
    show.add_argument("--format", choices=_FORMATS, default="text")


def _github(commands: Commands) -> None:
    github = _group(commands, "github", "The GitHub App.")
    setup = _make(github, "setup", "Create the App on GitHub, in a browser, and keep its credentials in the settings.")
    setup.add_argument("--public-url", default="", metavar="URL", help="where GitHub reaches the service")
    setup.add_argument(
        "--organisation",
        "--organization",
        default="",
        metavar="NAME",
        help="whose App it is (default: yours)",
    )
    setup.add_argument("--url", default="", metavar="URL", help="a GitHub Enterprise, by its base address")
    setup.add_argument("--name", default="", help="the App's name; it can be changed on GitHub's page")
    setup.add_argument(
        "--port", type=int, default=0, help="where the page is served on this machine (default: a free one)"
    )
    setup.add_argument("--replace", action="store_true", help="put the new App in the place of the one in the settings")
    _make(github, "doctor", "Ask GitHub for the App, and say which permission, event or setting is amiss.")


def _suppressions(commands: Commands) -> None:
    group = _group(commands, "suppressions", "What the service does not report of a repository, from the next scan on.")
    where = "a registered repository: its id, its path or its address"
    shown = _make(group, "list", "List what is suppressed, with who said so, why and until when.")
    shown.add_argument("repo", help=where)
    shown.add_argument("--format", choices=_FORMATS, default="text")
    add = _make(group, "add", "Report a claim, a file or a kind no more.")
    add.add_argument("repo", help=where)
    add.add_argument("value", help="the id of the claim or its finding; a path or the name of a kind with --scope")
    add.add_argument("--scope", choices=("claim", "file", "kind"), default="claim")
    add.add_argument("--reason", required=True, help="others will read it")
    add.add_argument("--days", type=int, help="for how long (default: until it is removed)")
    remove = _make(group, "remove", "Report it again.")
    remove.add_argument("repo", help=where)
    remove.add_argument("id", help="the suppression's id, as `docalign suppressions list` shows it")


def _app(commands: Commands) -> None:
    app = _group(commands, "app", "Applications that hear what changes in repositories.")
    add = _make(app, "add", "Onboard an application. Its token and its secret are shown this once.")
    add.add_argument("name", help="what it is called")
    add.add_argument("--url", required=True, help="where events are sent to, by POST")
    change = _make(app, "change", "Give an application another address; what waits for it goes there, too.")
    change.add_argument("app", help="its name or its id")
    change.add_argument("--url", required=True, help="where events are sent to from now on")
    _make(app, "list", "List the applications.").add_argument("--format", choices=_FORMATS, default="text")
    for action, about in (
        ("remove", "Remove an application with its token, its subscriptions and whatever waits for it."),
        ("rotate-token", "Make a new token; the one before it ends at once."),
        ("rotate-secret", "Make a new secret; for a day everything is signed with the one before it, too."),
    ):
        _make(app, action, about).add_argument("app", help="its name or its id")
    subscribe = _make(
        app, "subscribe", "Let an application hear what changes in a repository; it begins with a snapshot."
    )
    subscribe.add_argument("app", help="its name or its id")
    subscribe.add_argument("repo", help="a registered repository: its id, its path or its address")
    subscribe.add_argument("--branch", default="", help="a branch (default: the default branch)")
    subscribe.add_argument(
        "--path", action="append", default=[], metavar="GLOB", help="only these files; may be repeated"
    )
    subscribe.add_argument(
        "--event", action="append", default=[], help=f"only these events; may be repeated: {', '.join(EVENTS)}"
    )
    shown = _make(app, "subscriptions", "List what an application subscribes to, and how far it has got.")
    shown.add_argument("app", help="its name or its id")
    shown.add_argument("--format", choices=_FORMATS, default="text")
    for action, about in (
        ("unsubscribe", "End a subscription."),
        ("pause", "Send nothing until it is resumed."),
        ("resume", "Go on where it stopped, also after a failure."),
        ("resync", "Begin anew with a snapshot."),
    ):
        made = _make(app, action, about)
        made.add_argument("app", help="the application's name or id")
        made.add_argument("id", help="the subscription's id")
    replay = _make(app, "replay", "Send a delivery again under its own id; with --since, all that have arrived.")
    replay.add_argument("app", help="the application's name or id")
    replay.add_argument("id", help="the delivery's id; with --since, the subscription's")
    replay.add_argument(
        "--since",
        type=int,
        metavar="SEQUENCE",
        help="from this sequence number on, as `docalign app deliveries` shows it",
    )
    log = _make(app, "deliveries", "Show the last deliveries to an application.")
    log.add_argument("app", help="its name or its id")
    log.add_argument("--status", choices=("waiting", "delivered", "dead", "dropped"))
    log.add_argument("--limit", type=int, default=50)
    log.add_argument("--format", choices=_FORMATS, default="text")


def _group(commands: Commands, name: str, about: str) -> Commands:
    group = _described(commands, name, about)
    return group.add_subparsers(dest="action", metavar="ACTION", required=True)


def _make(commands: Commands, name: str, about: str) -> argparse.ArgumentParser:
    made = _described(commands, name, about)
    _common(made)
    return made


def _described(commands: Commands, name: str, about: str) -> argparse.ArgumentParser:
    short = about.partition(".")[0].partition(":")[0]
    return commands.add_parser(name, help=short[0].lower() + short[1:], description=about)


def _common(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--data-dir",
        type=Path,
        metavar="DIR",
        help="what the service keeps (default: $DOCALIGN_DATA_DIR, or docalign in your data folder)",
    )
    command.add_argument(
        "--config", type=Path, metavar="FILE", help="settings (default: docalign.toml in the data directory)"
    )
