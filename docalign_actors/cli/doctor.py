"""`docalign doctor`: says what is amiss before a scan does."""

from __future__ import annotations

import argparse
import importlib
import os
import platform
import sys
from collections.abc import Iterator

from docalign_actors import __version__
from docalign_actors.cli.session import load_configuration
from docalign_actors.engine.code.source import _GRAMMARS, grammar
from docalign_actors.engine.discovery import take_inventory
from docalign_actors.errors import DocAlignError
from docalign_actors.hosts.localgit.git import Git, find_repository
from docalign_actors.hosts.localgit.history import GitHistory
from docalign_actors.hosts.localgit.trees import WorkingTree
from docalign_actors.persistence.diskcache import DiskCache, default_directory
from docalign_actors.reporting.style import plural

Check = tuple[str, bool, str]
"""(what was looked at, whether it is fine, what is to be said of it)"""


class AmissError(Exception):
    """Something that doctor itself found wrong; its text is the whole message."""


def run_doctor(given: argparse.Namespace) -> int:
    """Prints a line for each check; 2 if something is wrong."""
    fine = True
    for name, good, text in _checks(given):
        fine = fine and good
        print(f"{'ok   ' if good else 'WRONG'}  {name}: {text}")
    return 0 if fine else 2


def _checks(given: argparse.Namespace) -> Iterator[Check]:
    yield "docalign", True, f"{__version__} on Python {platform.python_version()} ({sys.platform})"
    yield _attempt("git", lambda: _git_version(given))
    yield _attempt("grammars", _grammars)
    yield _attempt("cache", _cache)
    yield _attempt("repository", lambda: _repository(given))
    if _inside_a_repository(given):  # otherwise both would only say the same again
        yield _attempt("configuration", lambda: _configuration(given))
        yield _attempt("documentation", lambda: _documentation(given))
    yield _attempt("service", _service)


def _service() -> str:
    """What `docalign serve` needs, and whether one runs."""
    from docalign_actors.cli.service.link import find_service
    from docalign_actors.persistence import room
    from docalign_actors.persistence.embedded import binaries
    from docalign_actors.settings import load

    settings = load(environment=os.environ).settings
    link = find_service(settings.data_dir)
    if link is not None:
        runs = f"runs at {link.handle.address} (process {link.handle.pid})"
        if reasons := link.trouble():
            raise AmissError(f"it {runs}, but is not ready: {'; '.join(reasons)}. Its log says more.")
        return f"{runs}, ready"
    if amiss := room.trouble(settings.data_dir):
        raise AmissError(
            f"{'; '.join(amiss)} ({settings.data_dir}). Make room, or name another with DOCALIGN_DATA_DIR."
        )
    if settings.database.url:
        return f"does not run; its database would be {settings.database.url}"
    found = binaries.find(settings.data_dir / "postgres")
    return f"does not run; PostgreSQL {found.major} is here for it, in {settings.data_dir}"


def _attempt(name: str, look: object) -> Check:
    try:
        return name, True, look()  # type: ignore[operator]
    except DocAlignError as error:
        return name, False, f"{error} ({error.code}) {error.hint}"
    except AmissError as error:
        return name, False, str(error)
    except (OSError, ImportError, ValueError) as error:
        return name, False, f"{type(error).__name__}: {error}"


def _git_version(given: argparse.Namespace) -> str:
    return Git(given.path if given.path.is_dir() else given.path.parent).run("--version").decode().strip()


def _grammars() -> str:
    for language in _GRAMMARS:
        grammar(language)
    importlib.import_module("pyromark")
    return f"{len(_GRAMMARS)} languages can be parsed"


def _cache() -> str:
    directory = default_directory()
    cache = DiskCache(directory)
    cache.put_many({"doctor": b"x"})
    if cache.get_many(["doctor"]).get("doctor") != b"x":
        raise AmissError(f"{directory} cannot be written; scans work, but slowly. Set DOCALIGN_CACHE_DIR.")
    return f"{cache.path} ({cache.path.stat().st_size / 1e6:.1f} MB)"


def _inside_a_repository(given: argparse.Namespace) -> bool:
    try:
        find_repository(given.path)
    except DocAlignError:
        return False
    return True


def _repository(given: argparse.Namespace) -> str:
    git = find_repository(given.path)
    tree = WorkingTree(git)
    if GitHistory(git, tree).shallow:
        raise AmissError(
            "this is a shallow clone: without history fewer claims can be decided. Run `git fetch --unshallow`."
        )
    return f"{git.root}, {plural(len(tree.entries), 'file')} at {tree.commit[:9] or 'no commit yet'}"


def _configuration(given: argparse.Namespace) -> str:
    found = load_configuration(find_repository(given.path).root, given.path, given.config)
    return found.source or "none; the defaults hold"


def _documentation(given: argparse.Namespace) -> str:
    git = find_repository(given.path)
    settings = load_configuration(git.root, given.path, given.config).settings
    inventory = take_inventory(WorkingTree(git).entries, settings)
    if not inventory.documents:
        raise AmissError("there is none to check. Point `doc_patterns` in .docalign.yml at it.")
    return f"{plural(len(inventory.documents), 'document')}, {plural(len(inventory.code), 'file')} to judge it by"
