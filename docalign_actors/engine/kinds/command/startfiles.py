"""The files that the programs of a repository start in, as the manifests of Python tell."""

from __future__ import annotations

import posixpath
import re
from collections import defaultdict
from weakref import WeakKeyDictionary

from docalign_actors.engine.roles import is_own_code
from docalign_actors.engine.world import World

_STARTS: WeakKeyDictionary[World, dict[str, set[str]]] = WeakKeyDictionary()
_ENTRY = re.compile(r"([A-Za-z_][\w.]{1,200}):[\w.]{1,80}(?:\s|$)")
"""`tool.cli:main`"""


def files_of_others(name: str, world: World) -> frozenset[str]:
    """The files that other programs of the repository start in, if this one has a file of its own to start in.

    `tool` starts in `cli/run.py` and `tool-admin` in `cli/admin.py`: what the latter can do, the former cannot.
    """
    if world not in _STARTS:
        _STARTS[world] = _find_starts(world)
    starts = _STARTS[world]
    own = {path for path, names in starts.items() if name in names}
    return frozenset(path for path in starts if path not in own) if own else frozenset()


def _find_starts(world: World) -> dict[str, set[str]]:
    """The programs that start in each file."""
    found: dict[str, set[str]] = defaultdict(set)
    for name, scripts in world.index.scripts.items():
        for script in scripts:
            entry = _ENTRY.match(script.fact.command) if script.fact.runner == "console" else None
            module = entry[1].replace(".", "/") if entry is not None and is_own_code(script.path) else ""
            for root in ("", "src/") if module else ():
                path = posixpath.join(posixpath.dirname(script.path), f"{root}{module}.py")
                if path in world.files:
                    found[path].add(name)
    return found
