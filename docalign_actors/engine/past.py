"""What the repository once held. Kinds ask while they judge; all questions of a scan are answered in one pass.

The first time a kind judges a claim, `Past` only writes down what is asked and answers nothing. The questions are then
answered together, and the claims that asked are judged again.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from msgspec import Struct

from docalign_actors.engine.facts import FileFacts
from docalign_actors.engine.ports import Commit, Dropped, FileSource, PastBlob, Removal, Tended, Worked
from docalign_actors.engine.roles import is_own_code

FRESH = 4
"""Samples back, which is eight commits."""


HELD = "an earlier version of the document had it"
"""Evidence that an anchor was there, until the commit that is named with it."""


class PastFile(Struct, frozen=True):
    """An earlier version of a source file, with what it defined then."""

    blob: PastBlob
    facts: FileFacts
    data: Callable[[], bytes] | None = None

    def holds(self, texts: Iterable[str]) -> bool:
        """One of these stands somewhere in the file. Told without parsing it."""
        if self.data is None:
            return True
        data = self.data()
        return any(text.encode() in data for text in texts)

    def holds_number(self, number: int) -> bool:
        """Its digits stand somewhere in the file. Told without parsing it."""
        return self.data is None or holds_number(self.data(), number)

    @property
    def path(self) -> str:
        return self.blob.path

    @property
    def is_fresh(self) -> bool:
        """It went within the last eight commits: a loose mention of it is hardly about something else."""
        return self.blob.age <= FRESH


class Past:
    """The answers so far, and the questions that are still open."""

    def __init__(self, *, shallow: bool = False, differential: bool = False) -> None:
        self.shallow = shallow
        self.differential = differential
        """The past is the base of one change: whatever it holds and the present does not, this very change took away."""
        self.open_paths: set[str] = set()
        self.open_texts: set[str] = set()
        self.open_names: set[str] = set()
        """Those of the open texts for which versions of long ago are looked into, too."""
        self.open_anchors: set[tuple[str, str]] = set()
        self.open_labels: set[str] = set()
        self._open_names: set[str] = set()
        self._removals: dict[str, Removal | None] = {}
        self._files: dict[str, Sequence[PastFile]] = {}
        self._names: set[str] = set()
        self._own_files: dict[str, Sequence[PastFile]] = {}
        self._anchors: dict[tuple[str, str], PastBlob | None] = {}
        self._labels: dict[str, PastBlob | None] = {}
        self.asked = False
        self.of_names = False
        """The claim that is being judged is one of which versions of long ago are told (`longago.py`)."""

    def removal(self, path: str) -> Removal | None:
        """What became of a path that is not there now: None if it never was, or until the answer is in.

        `**/name.py` asks for the name in any folder.
        """
        self.asked = True
        if path not in self._removals:
            self.open_paths.add(path)
            folder, _, name = path.rpartition("/")
            self._open_names.update([name] if folder else ())
        return self._removals.get(path)

    def awaits_file(self, name: str) -> bool:
        """A file of this name, in some folder, was asked for and is not answered yet."""
        return name in self._open_names

    def removers(self) -> frozenset[str]:
        """The last commits that took away a path which was asked for: they need not have touched a file that is read."""
        return frozenset(removal.commit.sha for removal in self._removals.values() if removal and removal.recent)

    def files(self, text: str, *, beside: bool = False) -> Sequence[PastFile]:
        """Earlier versions of the repository's own source files and manifests that contain a text, newest first.

        `beside`: also manifests of tests and examples, and tests that changed of late, which documents beside them speak of.

        An identifier is found as a whole word; of anything else (`--dry-run`, `/api/users`) every identifier in it must
        occur somewhere in the file. Look into the facts of each for what was defined: that a text occurred is not
        evidence of anything.
        """
        self.asked = True
        if text not in self._files or (self.of_names and text not in self._names):
            self.open_texts.add(text)
            self.open_names.update([text] if self.of_names else ())
        return (self._files if beside else self._own_files).get(text, ())

    def awaits(self, *texts: str) -> bool:
        """One of these was asked for, by whatever claim, and is not answered yet: whoever looks is judged again."""
        waiting = not self.open_texts.isdisjoint(texts)
        self.asked = self.asked or waiting
        return waiting

    def anchor(self, path: str, name: str) -> PastBlob | None:
        """The newest earlier version of a document that offered an anchor, in whatever case."""
        self.asked = True
        key = (path, name.lower())
        if key not in self._anchors:
            self.open_anchors.add(key)
        return self._anchors.get(key)

    def label(self, name: str) -> PastBlob | None:
        """An earlier version of a document that held the label `.. _name:`, the newest one."""
        self.asked = True
        if name not in self._labels:
            self.open_labels.add(name)
        return self._labels.get(name)

    @property
    def is_open(self) -> bool:
        """Something was asked that is not answered yet."""
        return bool(self.open_paths or self.open_texts or self.open_anchors or self.open_labels)

    def answer(
        self,
        removals: Mapping[str, Removal],
        files: Mapping[str, Sequence[PastFile]],
        anchors: Mapping[tuple[str, str], PastBlob],
        labels: Mapping[str, PastBlob],
    ) -> None:
        """Takes the answers to all open questions."""
        for path in self.open_paths:
            self._removals[path] = removals.get(path)
        for text in self.open_texts:
            self._files[text] = files.get(text, ())
            self._own_files[text] = [file for file in self._files[text] if is_own_code(file.path)]
        self._names |= self.open_names
        for key in self.open_anchors:
            self._anchors[key] = anchors.get(key)
        for name in self.open_labels:
            self._labels[name] = labels.get(name)
        self.open_anchors.clear()
        self.open_labels.clear()
        self.open_paths.clear()
        self._open_names.clear()
        self.open_texts.clear()
        self.open_names.clear()


def holds_number(data: bytes, number: int) -> bool:
    """A number's digits stand somewhere, maybe parted as in `8_080`."""
    digits = str(number).encode()
    return digits in data or digits in data.replace(b"_", b"")


def describe(commit: Commit) -> str:
    """A commit as people are told of it: `1a2b3c4 (2024-05-01)`."""
    return f"{commit.sha[:9]}" + (f" ({commit.date[:10]})" if commit.date else "")


class NoHistory:
    """No past at all: what is judged with it is judged by what it holds."""

    shallow = True
    young = False
    recent: frozenset[str] = frozenset()

    @property
    def source(self) -> FileSource:
        raise LookupError("a past without versions has nothing to read")

    def begin(self) -> None:
        """There is nothing that takes long."""

    def removed(self, paths: Iterable[str]) -> Mapping[str, Removal]:
        return {}

    def lately_removed(self) -> Collection[str]:
        return ()

    def blobs(self, accept: Callable[[str], bool]) -> Sequence[PastBlob]:
        return ()

    def versions(self, paths: Sequence[str]) -> Sequence[PastBlob]:
        return ()

    def remover(self, word: str, blob: PastBlob) -> Commit | None:
        return None

    def droppers(self, asked: Sequence[Dropped]) -> Mapping[Dropped, Commit]:
        return {}

    def tended(self, paths: Sequence[str]) -> Mapping[str, Tended]:
        return {}

    def worked(self, folders: Sequence[str], most: int) -> Mapping[str, Worked]:
        return {}

    def times(self, commits: Collection[str]) -> Mapping[str, int]:
        return {}

    def writers(self, path: str, lines: Sequence[int]) -> Mapping[int, str]:
        return {}

    def begun(self) -> int:
        return 0

    def former_modules(self) -> frozenset[str]:
        return frozenset()

    def told(self, text: str, path: str, revision: str) -> bool:
        return True
