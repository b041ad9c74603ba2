"""Which earlier versions of files there are and what they show, looked at before anybody asks.

That depends on no claim, and nearly every scan asks for it: a process of its own can look while this one reads code and judges.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from docalign_actors.engine.code.reader import SOURCE_LIMIT, may_demand, yields_facts
from docalign_actors.engine.lenses import AROUND, WIDELY, PastLens
from docalign_actors.engine.past import FRESH
from docalign_actors.engine.ports import History, PastBlob, Tree
from docalign_actors.engine.reading import SightWork, sight_key
from docalign_actors.engine.roles import document_format, is_fixture, is_foreign, is_own_code, is_test
from docalign_actors.engine.searching import READ_TOGETHER
from docalign_actors.engine.workers import Workers

_MOST_BLOBS = 8_000
"""Earlier versions that are looked into, newest first."""
_MOST_FORESEEN = 600
"""Of which so many are looked at before anybody asks: more would take longer than all the rest."""
_LAST = 1
"""Samples back: the last commit, or the change under scan."""
_SECONDS = 60.0

_RUNNERS = frozenset(
    "Makefile GNUmakefile makefile justfile Justfile .justfile package.json pyproject.toml tox.ini tox.toml noxfile.py "
    "Taskfile.yml Taskfile.yaml docker-compose.yml docker-compose.yaml compose.yml compose.yaml".split()
)
_SEARCHED_CODE = (
    ".cmake", "CMakeLists.txt", ".groovy", ".scala", ".ex", ".exs", ".dart", ".lua", ".pl", ".pm", ".ps1",
    ".proto", ".thrift", ".erl", ".hs", ".jl", ".zig",
)  # fmt: skip
"""Code that no collector reads: only the lines that went of late tell something."""


class Foreseen(Struct):
    """Earlier versions of the files that may have defined something, and what some of them show, by their keys.

    `early` are those of long ago that are looked into for names of code only, because nothing else in them would be reported.
    """

    blobs: Sequence[PastBlob]
    capped: bool = False
    sights: Mapping[str, bytes] = {}
    early: Sequence[PastBlob] = ()


class Foresight:
    """The look into the past of one tree, begun in another process where there is a core for it."""

    def __init__(self, history: History, tree: Tree, workers: Workers, *, of_late: bool = False) -> None:
        """`of_late`: of long ago only names of code are asked for, where nothing else could be reported."""
        self._of_late = of_late
        self._history = history
        self._tree = tree
        self._helper = workers.helper(self._look, _SECONDS)
        self._begun = False
        self._workers = workers

    def begin(self) -> None:
        """Begins now. What it costs is lost if nobody asks."""
        if self._workers.can_spread():
            self._helper.ask(_MOST_FORESEEN)
            self._begun = True

    def result(self) -> Foreseen:
        """What was seen; without the sights if nobody has begun, or if it took too long."""
        found = self._helper.answer(self._helper.latest()) if self._begun else None
        self._helper.end()
        self._begun = False
        return found[0] if found else self._look(0)

    def _look(self, most: int) -> Foreseen:
        found, capped = past_blobs(self._history, self._tree)
        blobs, early = by_date(found) if self._of_late else (found, ())
        sights: dict[str, bytes] = {}
        for part, around in by_width(blobs[:most]):
            lens = lens_for(part, around, self._history, self._tree)
            work = SightWork(lens)
            items = sorted({(blob.path, blob.oid) for blob in part})
            for start in range(0, len(items), READ_TOGETHER):
                some = items[start : start + READ_TOGETHER]
                for item, data in zip(some, self._history.source.read_many(some, SOURCE_LIMIT + 1), strict=True):
                    sights[sight_key(lens, *item)] = work.see(item[0], data)
        return Foreseen(blobs, capped, sights, early)


def by_width(blobs: Sequence[PastBlob]) -> Iterator[tuple[Sequence[PastBlob], int]]:
    """The blobs in parts, each with how far around a difference to look. What has just changed is looked at more widely."""
    last = [blob for blob in blobs if blob.age <= _LAST]
    earlier = [blob for blob in blobs if blob.age > _LAST]
    for part, around in ((last, WIDELY), (earlier, AROUND)):
        if part:
            yield part, around


def lens_for(blobs: Sequence[PastBlob], around: int, history: History, tree: Tree) -> PastLens:
    """How these earlier versions are compared with the present."""
    entries = tree.entries
    present = {blob.path: entries[blob.path].oid for blob in blobs if blob.path in entries}
    return PastLens(history.source, tree.source, present, around)


def by_date(blobs: Sequence[PastBlob]) -> tuple[list[PastBlob], list[PastBlob]]:
    """Versions that any kind of claim may be judged by, and those of long ago that tell of names only.

    The former are those before the last commit, those of manifests, whose demands and targets are reported however old, and
    those of the files that the last commit touched: what a new line contradicts may have been true long before it.
    """
    touched = {blob.path for blob in blobs if blob.age <= _LAST}
    late = [blob for blob in blobs if blob.path in touched or may_demand(blob.path) or _is_runner(blob.path)]
    chosen = {id(blob) for blob in late}
    return late, [blob for blob in blobs if id(blob) not in chosen]


def past_blobs(history: History, tree: Tree) -> tuple[Sequence[PastBlob], bool]:
    """Earlier versions of the files that may have defined something, and whether there are more."""
    folders = _told_folders(tree)
    found = history.blobs(
        lambda path: (
            (yields_facts(path) or path.endswith(_SEARCHED_CODE))
            and (is_own_code(path) or _runs_beside(path) or (is_test(path) and path.startswith(folders)))
        )
    )
    # Of tests that a document stands beside, only what went of late is of interest.
    found = [
        b for b in found if b.age <= FRESH
        or ((is_own_code(b.path) or _runs_beside(b.path)) and not b.path.endswith(_SEARCHED_CODE))
    ]  # fmt: skip
    return found[:_MOST_BLOBS], len(found) > _MOST_BLOBS


def _runs_beside(path: str) -> bool:
    """A manifest of an example or of tests: the README beside it says how to run its targets."""
    return _is_runner(path) and not (is_foreign(path) or is_fixture(path))


def _is_runner(path: str) -> bool:
    return path.rpartition("/")[2] in _RUNNERS


def _told_folders(tree: Tree) -> tuple[str, ...]:
    """The folders below the root that have a document of their own, for the tests in them."""
    folders = {path.rpartition("/")[0] for path in tree.entries if document_format(path)}
    return tuple(f"{folder}/" for folder in folders if folder and not is_fixture(f"{folder}/x"))
