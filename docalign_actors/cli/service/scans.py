"""Scans on the command line: asked for, followed, listed, shown, cancelled."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from typing import Any

import msgspec

from docalign_actors.cli.service.desk import RemoteDesk, open_desk
from docalign_actors.cli.service.link import NotRunningError, load_settings
from docalign_actors.cli.service.tables import cell, moment, print_table
from docalign_actors.errors import UsageError

_MOST_PULLS = 2**31 - 1
_MOST_LISTED = 10_000
_COLUMNS = ("id", "repo_name", "type", "status", "created_at", "took", "drifted", "error")


def run_request(given: argparse.Namespace) -> int:
    """`docalign scan request`."""
    body: dict[str, Any] = {"type": "full"}
    if given.push:
        body = {"type": "push", "before": given.push[0], "after": given.push[1]}
    elif given.pr:
        number = given.pr[0]
        if not (number.isascii() and number.isdecimal()) or not 1 <= int(number[:11]) <= _MOST_PULLS:
            raise UsageError(f"--pr begins with the pull request's number, not {number!r}.")
        body = {"type": "pr", "number": int(given.pr[0]), "base": given.pr[1], "head": given.pr[2]}
    with open_desk(load_settings(given).settings) as desk:
        run = desk.request(given.repo, body)
        print(run)
        if not given.wait:
            return 0
        if not isinstance(desk, RemoteDesk):
            raise NotRunningError("The service does not run, so there is nobody to wait for. The request is kept.")
        _follow(desk, run)
        found = desk.scan(run)
        _print_findings(desk.findings(run))
        _say(_summary(found))
    ended = found["status"] in ("completed", "partial")
    if not ended:
        return 2
    return 1 if found["claims_drifted"] or found["status"] == "partial" else 0


def run_scans(given: argparse.Namespace) -> int:
    """`docalign scans list` and `docalign scans show`."""
    with open_desk(load_settings(given).settings) as desk:
        if given.action == "list":
            if not 1 <= given.limit <= _MOST_LISTED:
                raise UsageError(f"--limit is from 1 to {_MOST_LISTED:,}.")
            found = desk.scans(given.repo, given.status, given.limit)
            print_table(found if given.format == "json" else [_line(scan) for scan in found], _COLUMNS, given.format)
            return 0
        scan, findings = desk.scan(given.id), list(desk.findings(given.id))
    if given.format == "json":
        sys.stdout.write(msgspec.json.encode({**scan, "findings": findings}).decode() + "\n")
        return 0
    print(f"{scan['type']} scan of {cell(scan['repo_name'])} {scan['commit_sha'][:10]}".rstrip())
    _print_findings(findings)
    print(_summary(scan))
    return 0


def run_cancel(given: argparse.Namespace) -> int:
    with open_desk(load_settings(given).settings) as desk:
        status = desk.cancel(given.id, given.reason)
    stopping = "It is being stopped." if desk.running else "It is stopped for good when the service starts."
    print(stopping if status == "running" else f"It is {status}.")
    return 0


def _follow(desk: RemoteDesk, run: str) -> None:
    live = sys.stderr.isatty()
    for name, data in desk.link.events(f"/api/scans/{run}/events"):
        if name == "end":
            break
        if live:
            _say(f"\r\x1b[K{data.get('stage', '')} {data.get('done', 0):,} of {data.get('total', 0):,}", end="")
    if live:
        _say("\r\x1b[K", end="")


def _line(scan: dict[str, Any]) -> dict[str, Any]:
    """A scan as people list it: when to the second, how long in seconds, and why it failed."""
    ended = scan["status"] in ("completed", "partial")
    return {
        **scan,
        "created_at": moment(scan["created_at"]),
        "type": f"pr {scan['pr_number']}" if scan["type"] == "pr" else scan["type"],
        "took": f"{scan['total_duration_ms'] / 1000:.1f} s" if ended else None,
        "drifted": scan["claims_drifted"] if ended else None,
        "error": scan["last_error_code"],
    }


def _print_findings(findings: Iterable[dict[str, Any]]) -> None:
    for found in findings:
        print(f"{cell(found['file'])}:{found['line']}:{found['column']}: {found['rule']}: {cell(found['message'])}")


def _summary(scan: dict[str, Any]) -> str:
    counts = (
        f" {scan['claims_verified']:,} true, {scan['claims_drifted']:,} false, {scan['claims_uncertain']:,} undecided."
    )
    ended = scan["status"] in ("completed", "partial")
    code = f" ({scan['last_error_code']})" if scan["last_error_code"] else ""
    text = f"{scan['status']}:{counts if ended else ''} {scan['last_error'] or scan['cancel_reason']}{code}"
    return "".join(c if c.isprintable() else "?" for c in text.rstrip(" :"))


def _say(text: str, end: str = "\n") -> None:
    print(text, end=end, file=sys.stderr, flush=True)
