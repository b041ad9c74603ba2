"""The files that the commands of a group are declared in, where the commands do not name their group."""

from __future__ import annotations

import posixpath
from weakref import WeakKeyDictionary

from docalign_actors.engine.world import World

LEAST_COMMANDS = 2
_declaring: WeakKeyDictionary[World, list[str]] = WeakKeyDictionary()


def homes(parents: list[str], world: World) -> frozenset[str]:
    """The files that define the group which the command is said to be of, together with commands of it, or lie in its folder.

    `tool jobs set` and `tool state set` are two commands, each beside its group (`jobs.py`) or below it (`jobs/set.js`), although
    neither names it.
    """
    groups = [g for g in world.index.commands.get(parents[-1], ()) if not g.fact.program] if parents else []
    found = {g.path: world.index.files[g.path].commands for g in groups if g.path in world.index.files}
    own = frozenset(path for path, commands in found.items() if len(commands) > LEAST_COMMANDS)
    below = _below_groups(frozenset(found), parents[-1], world) if found and not own else frozenset[str]()
    return below | found.keys() if below else own


def _below_groups(groups: frozenset[str], name: str, world: World) -> frozenset[str]:
    """The files of commands in the folders that are called like the group: `pr/create.js` of `pr.js`."""
    folders = tuple(
        f"{posixpath.splitext(path)[0]}/" for path in groups if posixpath.basename(path).startswith(f"{name}.")
    )
    if world not in _declaring:
        _declaring[world] = [path for path, facts in world.index.own_files() if facts.commands]
    return frozenset(path for path in _declaring[world] if path.startswith(folders)) if folders else frozenset()
