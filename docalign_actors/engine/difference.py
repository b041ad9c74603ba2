"""The difference of two trees, as far as documentation may care: what went, what was written anew, what was renamed."""

from __future__ import annotations

import posixpath
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property

from msgspec import Struct

from docalign_actors.engine.code.reader import SOURCE_LIMIT, language_of
from docalign_actors.engine.discovery import take_inventory
from docalign_actors.engine.lenses import is_manifest
from docalign_actors.engine.ports import Change, Tree
from docalign_actors.engine.reading import DOCUMENT_LIMIT, Reader
from docalign_actors.engine.roles import is_foreign, is_test
from docalign_actors.engine.scan import read_documents
from docalign_actors.engine.settings import ScanSettings
from docalign_actors.engine.stakes import PART, TakenAway, folders_of, lost_words, named_by


class Difference(Struct):
    """What a change did, as far as documentation may care.

    removed      words on lines that went, with the names of paths that went: what claims may have lost
    written      for each document that changed, the numbers of the lines that are new
    """

    changed: set[str]
    removed: set[str]
    written: dict[str, set[int]]
    before: Mapping[str, str] = {}
    """The documents of the base that changed or went, with their formats."""
    former: dict[str, str] = {}
    """What a document was called before it was renamed."""
    split: dict[str, str] = {}
    """Out of which document, that is still there, the most of a new one was taken."""
    taken: TakenAway = TakenAway()
    """The words and anchors that put documents and claims at stake."""


def compare(change: Change, documents: Mapping[str, str], reader: Reader, settings: ScanSettings) -> Difference:
    """The difference of two trees, told from their blob ids and the text of the files that differ."""
    old, new = change.base.entries, change.head.entries
    changed = {path for path, entry in old.items() if path not in new or new[path].oid != entry.oid}
    changed.update(path for path in new if path not in old)
    before = take_inventory(old, settings, changed).documents
    difference = Difference(changed, set(), {}, before)
    gone = Gone(change, [path for path in before if path not in new])
    left = Gone(change, [path for path in before if path in new])
    folders = folders_of(new) if any(path not in new for path in changed) else frozenset[str]()
    described = {posixpath.dirname(path) for path in documents} - {""}
    for path in changed:
        if path in old and language_of(path) and not is_foreign(path) and not _is_a_mere_test(path, described):
            now = change.head.read(path, SOURCE_LIMIT) if path in new else b""
            lost = lost_words(path, change.base.read(path, SOURCE_LIMIT), now)
            # Documentation says `Python 3.8`, the manifest `python_requires`: there the parts count too.
            difference.removed.update(lost, *(map(PART.findall, lost) if is_manifest(path) else ()))
        if path in old and path not in new:
            difference.removed.update(word for word in named_by(path, folders) if len(word) > 1)
        if path in documents:
            difference.written[path] = new_lines(change, path, gone)
            if path not in old:
                _note_origin(difference, path, _lines(change.head, path), gone, left)
    touched = [(p, before[p]) for p in changed if p in before]
    anchors = _lost_anchors(change, touched, documents, reader, settings)
    difference.taken = TakenAway.of(difference.removed, anchors)
    return difference


def _note_origin(difference: Difference, path: str, lines: Sequence[str], gone: Gone, left: Gone) -> None:
    """Where the text of a new document comes from, if the most of it is not new: one that went, or one that gave it away."""
    if former := gone.former(lines):
        difference.former[path] = former
    elif origin := left.former(lines):
        difference.split[path] = origin


def _is_a_mere_test(path: str, described: AbstractSet[str]) -> bool:
    """A test defines nothing that documents speak of, but for those that lie beside the tests or above them."""
    return is_test(path) and described.isdisjoint(folders_of([path]))


def text_of(tree: Tree, path: str) -> str:
    return tree.read(path, DOCUMENT_LIMIT).decode("utf-8", "replace") if path in tree.entries else ""


def _lines(tree: Tree, path: str) -> list[str]:
    return text_of(tree, path).split("\n") if path in tree.entries else []


def _said(line: str) -> str:
    return " ".join(line.split())


class Gone:
    """Documents of the base that a change took away, or changed, read once for all that it brought."""

    def __init__(self, change: Change, paths: Sequence[str]) -> None:
        self._change = change
        self._paths = paths

    @cached_property
    def said(self) -> Counter[str]:
        """All that they said, line by line."""
        return Counter(_said(line) for path in self._paths for line in _lines(self._change.base, path))

    @cached_property
    def _holders(self) -> Mapping[str, list[tuple[str, int]]]:
        """Which of them had each line, and how often."""
        found: dict[str, list[tuple[str, int]]] = defaultdict(list)
        for path in self._paths:
            for line, count in Counter(_lines(self._change.base, path)).items():
                found[line].append((path, count))
        return found

    def former(self, lines: Sequence[str]) -> str:
        """The document that a new one was before it was renamed: most of its lines are that one's; "" if there is none."""
        shared: Counter[str] = Counter()
        for line, count in Counter(lines).items() if self._paths else ():
            for path, then in self._holders.get(line, ()):
                shared[path] += min(count, then)
        best = max(self._paths, key=lambda path: shared[path], default="")
        return best if best and 2 * shared[best] > len(lines) else ""


def new_lines(change: Change, path: str, gone: Gone) -> set[int]:
    """The lines that the change wrote. What a document took over from one that went is not new: it was renamed.

    Nor is a line of which nothing but blanks differ: it says what it said, and was as false.
    """
    there = path in change.base.entries
    known = Counter(map(_said, _lines(change.base, path))) if there else gone.said
    seen: Counter[str] = Counter()
    written: set[int] = set()
    for number, line in enumerate(_lines(change.head, path), 1):
        said = _said(line)
        seen[said] += 1
        if seen[said] > known[said]:
            written.add(number)
    return written


def _lost_anchors(
    change: Change,
    touched: Sequence[tuple[str, str]],
    documents: Mapping[str, str],
    reader: Reader,
    settings: ScanSettings,
) -> frozenset[str]:
    """The anchors that changed documents had and have no more: links to them are at stake."""
    then = read_documents(reader, change.base, dict(touched), settings)
    now = {
        r.document.path: r.document
        for r in read_documents(reader, change.head, {p: f for p, f in touched if p in documents}, settings)
    }
    lost: set[str] = set()
    for read in then:
        present = now.get(read.document.path)
        lost |= read.document.anchors - (present.anchors if present else frozenset())
        lost |= read.document.labels - (present.labels if present else frozenset())
    return frozenset(lost - {""})
