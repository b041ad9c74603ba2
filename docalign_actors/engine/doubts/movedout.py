"""What a change moved out of the repository, and says so: its documents name the file that went anew, as one of another place.

When a folder becomes a repository of its own, the change rewrites the links to it. What else the documents tell of the
files in it is as true as before, though nothing of it is here any more. So it is when a folder becomes a package, and the change
tells to install that one: `tool-web` for what lay in `tool/web`; and when a module becomes a package that the manifest demands from
then on: `mediafile` for what `tool/mediafile.py` had, or `tool-runner` that what is left of `tool/run.py` takes in.
What is given up: another sentence that still says where the file was.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache

from docalign_actors.engine.claims import uncertain
from docalign_actors.engine.code.reader import SOURCE_LIMIT
from docalign_actors.engine.judging import Judged
from docalign_actors.engine.kinds.shared.names import installed_packages
from docalign_actors.engine.kinds.shared.spellings import normal
from docalign_actors.engine.ports import Change, Tree
from docalign_actors.engine.reading import DOCUMENT_LIMIT
from docalign_actors.engine.reports import is_report
from docalign_actors.findings.model import Verdict

_PATH = re.compile(r"[\w.@+-]+(?:/[\w.@+-]+)+")
_MANIFEST = re.compile(
    r"(?:^|/)(?:setup\.(?:py|cfg)|pyproject\.toml|requirements[\w-]*\.txt|package\.json|Cargo\.toml|Gemfile|[\w-]+\.gemspec|composer\.json)$"
)
_DEMAND = re.compile(
    rb"(?m)[\"'](?:@[\w-]{1,60}/)?([A-Za-z][\w.-]{1,60})[\"']?\s*(?:(?:[=<>~!]=|[<>^])|:\s*[\"'][\^~>=<]*\d|,\s*[\"'][~>=< ]*\d)"
    rb"|^([A-Za-z][\w.-]{1,60})\s*(?:[=<>~!]=|=\s*(?:[\"'][\^~>=<]*\d|\{[^}\n]{0,200}version))"
)
"""A package with its version: `'tool>=1.0'`, `"tool": "^1"`, `gem "tool", "~> 1"`, `tool==1`, `tool = "1"`."""
_NAMES = frozenset({"symbol", "signature", "imports", "configkey", "environment", "option"})
_TAKES_IN = re.compile(rb"\s*(?:import|from|use|using|require|export|const|let|var)\b.{0,200}")
_WORD = re.compile(rb"[A-Za-z][\w-]*")
_LEAST = 3
_MOVED = uncertain("the change itself names the file anew: it may have moved to another repository")


def doubt_moved(
    judged: Sequence[Judged], change: Change, written: Mapping[str, Collection[int]], own: Collection[str] = ()
) -> list[Judged]:
    """The judgements, in doubt where all that speaks against a claim is a file that the change's own words still name.

    `own` are the names of the repository's packages.
    """
    if not any(judgement.verdict is Verdict.DRIFTED for _, judgement in judged):
        return list(judged)
    gone = {path for path in change.base.entries if path not in change.head.entries and "/" in path}
    told = (gone.intersection(_named(change, written)) if gone else set()) | _packed(gone, change, written, own)
    # A path that the change wrote and that leads nowhere is a slip, and no word of another place.
    told -= {j.subject for c, j in judged if j.verdict is Verdict.DRIFTED and c.line in written.get(c.file, ())}
    demanded = _newly_demanded(change)
    handed = lru_cache(maxsize=None)(lambda path: bool(demanded) and _is_handed_over(path, change, demanded))
    if not told and not demanded:
        return list(judged)
    result: list[Judged] = []
    for claim, judgement in judged:
        sources = {item.file for item in judgement.evidence if item.file} or {judgement.subject}
        if claim.kind == "command":  # a manifest called it by the name of its module
            sources = {path for path in told if posixpath.basename(path).partition(".")[0] == claim.subject} or sources
        standing = claim.line not in written.get(claim.file, ())
        doubted = standing and judgement.verdict is Verdict.DRIFTED and sources <= told
        if not doubted and judgement.verdict is Verdict.DRIFTED and claim.kind in _NAMES and judgement.fix is None:
            doubted = all(
                posixpath.splitext(posixpath.basename(path))[0].lower() in demanded or handed(path) for path in sources
            )
        result.append((claim, _MOVED if doubted else judgement))
    return result


def _newly_demanded(change: Change) -> frozenset[str]:
    """The packages that manifests demand with a version and that no manifest demanded before."""
    then, now = (
        {
            name.decode().lower()
            for path, entry in tree.entries.items()
            if _MANIFEST.search(path) and _other(path, other) != entry.oid
            for names in _DEMAND.findall(tree.read(path, SOURCE_LIMIT))
            for name in names
            if name
        }
        for tree, other in ((change.base, change.head), (change.head, change.base))
    )
    return frozenset(name for name in now - then if len(name) > _LEAST)


def _is_handed_over(path: str, change: Change, demanded: Collection[str]) -> bool:
    """Most of the file went, and what is left takes in a package that the change demands: what it had is there now."""
    if path not in change.base.entries or path not in change.head.entries:
        return False
    then, now = (tree.read(path, SOURCE_LIMIT) for tree in (change.base, change.head))
    taken, had = (
        {normal(name.decode()) for line in data.split(b"\n") if _TAKES_IN.match(line) for name in _WORD.findall(line)}
        for data in (now, then)
    )
    return 2 * len(now) < len(then) and not {normal(name) for name in demanded}.isdisjoint(taken - had)


def _other(path: str, tree: Tree) -> str:
    return tree.entries[path].oid if path in tree.entries else ""


def _named(change: Change, written: Mapping[str, Collection[int]]) -> Iterable[str]:
    """The paths on the lines that the change wrote. One that names a file of today with it tells where in here it went."""
    for line in _lines(change, written):
        paths = _PATH.findall(line)
        if change.head.entries.keys().isdisjoint(paths):
            yield from paths


def _packed(
    gone: Collection[str], change: Change, written: Mapping[str, Collection[int]], own: Collection[str]
) -> set[str]:
    """What went from a folder that the change tells to install as a package of its own."""
    packages = {name for line in _lines(change, written) for name in installed_packages(line)} - set(own)
    starts = {normal(name) for name in own if len(name) >= _LEAST}
    rests = {
        rest for name in packages for start in starts if (rest := normal(name).removeprefix(start)) != normal(name)
    }
    return {path for path in gone if any(normal(part) in rests for part in posixpath.dirname(path).split("/"))}


def _lines(change: Change, written: Mapping[str, Collection[int]]) -> Iterable[str]:
    for path, numbers in written.items():
        if numbers and path in change.head.entries:
            data = change.head.read(path, DOCUMENT_LIMIT)
            lines = data.decode("utf-8", "replace").split("\n") if not is_report(data) else []
            yield from (lines[number - 1][:4_000] for number in numbers if number <= len(lines))
