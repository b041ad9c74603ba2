"""What the commands share: the repository, its configuration, the cache, progress on a terminal."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

import msgspec

from docalign_actors.cli.printouts import Printout
from docalign_actors.engine.configuration import Configuration, parse_pyproject, parse_yaml
from docalign_actors.engine.configuration_files import configuration_places
from docalign_actors.engine.kinds.names_of_kinds import KIND_NAMES
from docalign_actors.engine.memory import remembered_change, remembered_scan
from docalign_actors.engine.ports import Progress
from docalign_actors.engine.settings import WITH_DOUBTS, ScanSettings
from docalign_actors.errors import ConfigurationError, NothingToScanError, UsageError
from docalign_actors.findings.model import Verdict
from docalign_actors.findings.report import Report
from docalign_actors.hosts.localgit.changes import GitChange
from docalign_actors.hosts.localgit.git import Git, find_repository
from docalign_actors.hosts.localgit.history import GitHistory
from docalign_actors.hosts.localgit.listing import list_repository
from docalign_actors.hosts.localgit.trees import IndexTree, WorkingTree
from docalign_actors.persistence.diskcache import DiskCache, default_directory

_BAR = 24


class Session:
    """One command at work on one repository."""

    def __init__(self, given: argparse.Namespace) -> None:
        self.given = given
        printout: Printout | None = getattr(given, "printout", None)
        whole = not (getattr(given, "staged", False) or getattr(given, "changed_since", None))
        self._listed = printout.listed if printout else list_repository(given.path) if whole else None
        self.git: Git = self._listed.git if self._listed else find_repository(given.path)
        if getattr(given, "staged", False):
            self.git = self.git.with_callers_index()
        self.configuration = load_configuration(self.git.root, given.path, getattr(given, "config", None))
        self.cache = None if given.no_cache else DiskCache(given.cache_dir or default_directory())
        if given.jobs is not None and not 0 <= given.jobs <= 256:
            raise UsageError(f"--jobs must be a number from 0 to 256, not {given.jobs}.")

    @property
    def settings(self) -> ScanSettings:
        """The configuration's settings with what the command line adds."""
        settings = self.configuration.settings
        jobs = self.given.jobs if self.given.jobs is not None else settings.jobs
        asked = WITH_DOUBTS if getattr(self.given, "doubtful", False) else 1.0
        sure = min(settings.min_confidence, asked)
        under = _under(self.git.root, self.given.path)
        return msgspec.structs.replace(settings, jobs=jobs, under=under, min_confidence=sure)

    def scan(
        self, *, since: str = "", staged: bool = False, show: frozenset[Verdict] = frozenset({Verdict.DRIFTED})
    ) -> Report:
        """Scans the working tree, or what a change made false. Raises if there is no documentation at all."""
        tree = IndexTree(self.git) if staged else WorkingTree(self.git, self._listed)
        with Bar() as progress:
            # Of a first commit everything is new: there is nothing to compare it with.
            if since or (staged and tree.commit):
                change = GitChange(self.git, since or "HEAD", tree)
                return remembered_change(
                    change, self.settings, cache=self.cache, progress=progress, show=show, since=since or "HEAD"
                )
            history = GitHistory(self.git, tree, shallow=self._listed.is_shallow if self._listed else None)
            report = remembered_scan(tree, history, self.settings, cache=self.cache, progress=progress, show=show)
        if not report.summary.documents:
            raise NothingToScanError
        return report


def load_configuration(root: Path, start: Path, named: Path | None) -> Configuration:
    """The configuration that is named, or the nearest one from a folder up to the repository's root."""
    if named is not None:
        if not named.is_file():
            raise ConfigurationError(f"There is no file {named}.", hint="Check the path given with --config.")
        return _parse(named) or Configuration()
    for place in configuration_places(os.fspath(root), os.fspath(start)):
        found = _parse(Path(place)) if os.path.isfile(place) else None
        if found is not None:
            return found
    return Configuration()


def _parse(path: Path) -> Configuration | None:
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"{path} cannot be read: {error}.") from None
    read = parse_pyproject if path.suffix == ".toml" else parse_yaml
    return read(text, os.path.relpath(path), KIND_NAMES)


def _under(root: Path, path: Path) -> str:
    relative = os.path.relpath(path.resolve(), root.resolve())
    if relative == ".":
        return ""
    return relative.replace(os.sep, "/") + ("/" if path.is_dir() else "")


class Bar:
    """Progress on standard error, only on a terminal: `documents  120 of 340`."""

    def __init__(self) -> None:
        self.shown = sys.stderr.isatty() and not os.environ.get("CI")

    def __enter__(self) -> Progress:
        return self._tick

    def _tick(self, stage: str, done: int, total: int) -> None:
        if self.shown and total:
            full = _BAR * done // total
            sys.stderr.write(f"\r\x1b[K{stage:<10} [{'#' * full}{'.' * (_BAR - full)}] {done:,} of {total:,}")
            sys.stderr.flush()

    def __exit__(self, *details: object) -> None:
        if self.shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
