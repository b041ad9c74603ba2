"""`docalign scan`."""

from __future__ import annotations

import argparse
import sys

from docalign_actors.engine.memory import remembered_change, remembered_scan
from docalign_actors.engine.settings import ScanSettings
from docalign_actors.findings.model import Verdict
from docalign_actors.hosts.localgit.changes import GitChange
from docalign_actors.hosts.localgit.git import find_repository
from docalign_actors.hosts.localgit.history import GitHistory
from docalign_actors.hosts.localgit.trees import WorkingTree
from docalign_actors.persistence.diskcache import DiskCache, default_directory
from docalign_actors.reporting import json


def run_scan(arguments: argparse.Namespace) -> int:
    """Scans, prints, and tells the exit code."""
    git = find_repository(arguments.path)
    tree = WorkingTree(git)
    cache = None if arguments.no_cache else DiskCache(arguments.cache_dir or default_directory())
    show = frozenset({Verdict.DRIFTED})
    quiet = lambda stage, done, total: None  # noqa: E731
    if arguments.changed_since:
        change = GitChange(git, arguments.changed_since, tree)
        report = remembered_change(
            change, ScanSettings(), cache=cache, progress=quiet, show=show, since=arguments.changed_since
        )
    else:
        report = remembered_scan(tree, GitHistory(git, tree), ScanSettings(), cache=cache, progress=quiet, show=show)
    sys.stdout.write(json.render(report))
    return 1 if report.drifted else 0
