"""The command line: what there is to say, and where it is carried out. Nothing heavy is imported before it is needed."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from docalign_actors import __version__
from docalign_actors.errors import DocAlignError


def main() -> None:
    """Runs the command and exits: 0 clean, 1 findings, 2 misuse or an error of ours, 3 nothing to scan, 130 interrupted."""
    arguments = parser().parse_args()
    try:
        from docalign_actors.cli.scan import run_scan

        sys.exit(run_scan(arguments))
    except DocAlignError as error:
        print(f"error[{error.code}]: {error}\n  help: {error.hint}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)


def parser() -> argparse.ArgumentParser:
    """All commands and options."""
    root = argparse.ArgumentParser(
        prog="docalign", description="Checks the claims of a repository's documentation against its code."
    )
    root.add_argument("--version", action="version", version=f"docalign {__version__}")
    commands = root.add_subparsers(dest="command", required=True)
    scan = commands.add_parser("scan", help="check the documentation of a repository")
    scan.add_argument(
        "path", nargs="?", type=Path, default=Path("."), help="a repository, or a folder of one (default: .)"
    )
    scan.add_argument("--changed-since", metavar="REF", default="", help="only what the change since REF made false")
    scan.add_argument("--format", default="text")
    scan.add_argument("--cache-dir", type=Path, default=None)
    scan.add_argument("--no-cache", action="store_true")
    return root
