"""Links that a build makes good: pages that generators find by name alone, and files that build scripts write."""

from __future__ import annotations

import posixpath
import re

from docalign_actors.engine.claims import Claim
from docalign_actors.engine.world import World

_DOXYGEN_PAGE = re.compile(rb"(?:\xef\xbb\xbf)?\s*[\\@](?:main)?page\b")
_HEAD = 200
_BUILD_FILES = ("CMakeLists.txt", "Makefile", "makefile", "GNUmakefile", "Makefile.am", "meson.build", "build.rs")
_MOST_FILES, _BUILD_FILE = 40, 200_000
_WRITTEN = re.compile(r"(?P<beginning>[A-Za-z]{4,40})[_-]\w")


def is_found_by_name(claim: Claim, world: World) -> bool:
    """ExDoc puts all pages into one folder, so that a link needs no more than the name of a page that is anywhere; on a page of
    Doxygen, which begins with `\\page`, a link may be the label of another."""
    name = posixpath.basename(claim.subject.split("#")[0])
    if not name.endswith((".md", ".livemd", ".cheatmd")):
        return False
    if "mix.exs" in world.files and world.by_name.get(name):
        return True
    return bool(world.by_name.get(name)) and _DOXYGEN_PAGE.match(world.tree.read(claim.file, _HEAD)) is not None


def is_written_by_a_build(target: str, world: World) -> bool:
    """A build file makes names that begin like this one: `AUTOGEN_${name}` for `AUTOGEN_layout.svg`."""
    match = _WRITTEN.match(posixpath.basename(target))
    if match is None:
        return False
    made = re.compile(rf"(?<![A-Za-z]){match['beginning']}[_-]?\$[{{(]".encode())
    paths = [path for name in _BUILD_FILES for path in world.by_name.get(name, ())]
    return any(made.search(world.tree.read(path, _BUILD_FILE)) for path in paths[:_MOST_FILES] if path in world.files)
