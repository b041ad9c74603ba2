"""Every command and option. argparse, because a warm scan is over before a richer library has been imported."""

from __future__ import annotations

import argparse
from pathlib import Path

from docalign_actors import __version__
from docalign_actors.cli.misuse import Formatter, Parser

FORMATS = ("text", "concise", "json", "sarif", "github", "markdown", "html")
_SEVERITIES = ("low", "medium", "high", "never")

_EXIT_CODES = """\
exit codes:
  0  nothing false was found
  1  findings at or above --fail-on
  2  misuse, or an error of docalign itself
  3  there is no documentation to scan
  130  interrupted

Without --changed-since, all that the last commit made false is told, and of what came before it paths, links,
names and parameters where few other readings are left; --doubtful tells the rest too, with more doubt.
`docalign scan request REPO` asks the service for a scan (a folder of that name: ./request).
"""
_EXIT_CODES_OF_FIX = """\
exit codes:
  0  nothing false is left
  1  something false is left that is not mended by itself
  2  a document was left alone (uncommitted changes, or not writable), misuse, or an error
  3  there is no documentation to scan
  130  interrupted

A page that says it is generated is changed only with --unsafe: mend what it is made from.
"""


def parser(only: str = "") -> argparse.ArgumentParser:
    """The `docalign` command. `only` names the one that was said: to make all the others takes as long as a warm scan."""
    root = _make(
        None, "docalign", "Keeps a repository's documentation true: checks each claim of the docs against the code."
    )
    root.epilog = "Run `docalign COMMAND --help` for the options of a command."
    root.add_argument("--version", action="version", version=f"docalign {__version__}")
    commands = root.add_subparsers(dest="command", metavar="COMMAND", required=True)
    scanning = {"scan": _scan, "fix": _fix, "baseline": _baseline}
    for add in (scanning[only],) if only in scanning else scanning.values():
        add(commands)
    if only not in scanning:
        _others(commands)
    return root


def _others(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    from docalign_actors.cli.agent import add_agent_commands
    from docalign_actors.cli.service.arguments import add_service_commands

    explain = _make(commands, "explain", "Say what a rule checks, when it is false, and how to mend or suppress it.")
    explain.add_argument("rule", metavar="RULE", help="a rule, such as missing-path, or a kind, such as path")
    _make(commands, "rules", "List every rule with its severity.").add_argument(
        "--format", choices=("text", "json"), default="text"
    )
    doctor = _make(
        commands, "doctor", "Look at the machine, the repository and the configuration, and say what is amiss."
    )
    _path(doctor)
    doctor.add_argument("--config", type=Path, metavar="FILE", help="use this configuration instead of looking for one")
    init = _make(commands, "init", "Write a .docalign.yml that says what would be done anyway, to be changed.")
    _path(init)
    init.add_argument("--force", action="store_true", help="write over a configuration that is there")
    add_service_commands(commands)
    add_agent_commands(commands)


def request_parser() -> argparse.ArgumentParser:
    """`docalign scan request`: asks the service for a scan. A folder of that name is scanned as ./request."""
    from docalign_actors.cli.service.arguments import add_scan_request

    root = _make(None, "docalign scan request", "Ask the service for a scan of a registered repository.")
    root.set_defaults(command="request")
    add_scan_request(root)
    return root


def _make(
    commands: argparse._SubParsersAction[argparse.ArgumentParser] | None, name: str, about: str
) -> argparse.ArgumentParser:
    shape = Formatter
    if commands is None:
        return Parser(prog=name, description=about, formatter_class=shape)
    return commands.add_parser(
        name, help=about[0].lower() + about[1:].rstrip("."), description=about, formatter_class=shape
    )


def _path(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "path",
        nargs="?",
        type=Path,
        default=Path(),
        help="a repository, or a part of one (default: the current folder)",
    )


def _revision(text: str) -> str:
    """As it was given. A variable that a pipeline forgot to set is no wish to have everything scanned."""
    if not text.strip():
        raise argparse.ArgumentTypeError("it names no revision")
    return text


def _common(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--config", type=Path, metavar="FILE", help="use this configuration instead of looking for one"
    )
    command.add_argument(
        "--jobs", type=int, default=None, metavar="N", help="processes that read files (default: one a core)"
    )
    command.add_argument(
        "--cache-dir",
        type=Path,
        metavar="DIR",
        help="where to keep the cache (default: your cache folder)",
    )
    command.add_argument("--no-cache", action="store_true", help="remember nothing and recall nothing")


def _scan(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    scan = _make(commands, "scan", "Check the documentation of a repository against its code.")
    scan.epilog = _EXIT_CODES
    _path(scan)
    change = scan.add_mutually_exclusive_group()
    change.add_argument(
        "--changed-since", type=_revision, metavar="REF", help="only what the change since REF made false"
    )
    change.add_argument("--staged", action="store_true", help="only what the staged change would make false")
    scan.add_argument(
        "--format",
        action="append",
        metavar="FORMAT",
        help=f"{', '.join(FORMATS)} (default: text); several with --output",
    )
    scan.add_argument(
        "--output",
        action="append",
        type=Path,
        metavar="FILE",
        help="where each --format goes, in the same order; `-` is standard output; without --format its ending tells",
    )
    scan.add_argument(
        "--show",
        default="",
        metavar="WHAT",
        help="also show claims that are `verified` or `uncertain`, or put `aside` as another project's; several with a comma",
    )
    scan.add_argument(
        "--doubtful",
        action="store_true",
        help="also report what is probably false, but has been so for long or may be meant in another way",
    )
    scan.add_argument(
        "--fail-on",
        choices=_SEVERITIES,
        help="exit with 1 from this severity on (default: low)",
    )
    scan.add_argument("--no-baseline", action="store_true", help="report what the baseline knows, too")
    scan.add_argument(
        "--verbose", "-v", action="store_true", help="show each of many findings alike, and each file not read"
    )
    scan.add_argument(
        "--colour",
        "--color",
        choices=("auto", "always", "never"),
        default="auto",
        help="paint the text (default: auto)",
    )
    _common(scan)


def _fix(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    fix = _make(commands, "fix", "Mend what is certain: renamed paths, anchors, scripts, symbols, options, versions.")
    fix.epilog = _EXIT_CODES_OF_FIX
    _path(fix)
    fix.add_argument("--diff", action="store_true", help="print the changes as a patch, and change nothing")
    fix.add_argument("--unsafe", action="store_true", help="apply the fixes that are only probable, too")
    fix.add_argument("--allow-dirty", action="store_true", help="change files that have uncommitted changes")
    fix.add_argument("--changed-since", type=_revision, metavar="REF", help="only what the change since REF made false")
    _common(fix)


def _baseline(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    baseline = _make(
        commands, "baseline", "Record today's findings as known, so that only new ones are reported from now on."
    )
    _path(baseline)
    _common(baseline)
    baseline.add_argument("--prune", action="store_true", help="only take out what is no longer found")
