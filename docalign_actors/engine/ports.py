"""What the engine needs from outside: a tree of files, a repository's past, a cache."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Protocol

from msgspec import Struct

Progress = Callable[[str, int, int], None]
"""(stage, done, total): called as a stage goes on."""


Hurry = Callable[[], bool]
"""Whether time is up: asked before each claim is judged."""


def never() -> bool:
    """There is all the time in the world."""
    return False


class Entry(Struct, frozen=True, array_like=True):
    """A file of a tree. mode: file, executable, symlink or submodule. `size` is -1 where nobody has looked yet."""

    path: str
    oid: str
    mode: str = "file"
    size: int = -1


class FileSource(Protocol):
    """Reads files. Small, and usable in any process: it is sent to the ones that do the parsing."""

    def read(self, path: str, oid: str, limit: int) -> bytes:
        """At most `limit` bytes of a file, by its path or by its blob id, whichever it goes by. b"" if it is not there."""
        ...

    def read_many(self, items: Sequence[tuple[str, str]], limit: int) -> list[bytes]:
        """The same of many, by path and blob id, which may be quicker than one after the other."""
        ...


class Tree(Protocol):
    """A repository's files at one instant: the working tree, the index, or a commit."""

    @property
    def commit(self) -> str:
        """The commit it shows, or the one that the working tree stands on; "" before the first commit."""
        ...

    @property
    def entries(self) -> Mapping[str, Entry]:
        """Every file, by path with forward slashes, relative to the repository's root."""
        ...

    @property
    def source(self) -> FileSource:
        """What reads the files."""
        ...

    def read(self, path: str, limit: int) -> bytes:
        """A file's bytes, at most `limit` of them. Symlinks are data: their bytes are the target."""
        ...


RECENT = 8
"""Commits. What they removed is hardly meant in another sense."""

UNCOMMITTED = "a change that is not committed yet"
"""What a commit without an id is called."""


class Commit(Struct, frozen=True):
    """A commit as people are told of it."""

    sha: str
    subject: str = ""
    date: str = ""


class Removal(Struct, frozen=True):
    """A path that a commit deleted, or renamed to `successor`. fresh: within the last eight commits."""

    path: str
    commit: Commit
    successor: str = ""
    recent: bool = False
    """It went within the last eight commits, or in the change under scan."""
    times: int = 1
    """How many commits deleted it: what comes and goes is a working file."""


class PastBlob(Struct, frozen=True):
    """A file as it once was: in `before` it stood with this blob; in `after` its content or its path was different."""

    path: str
    oid: str
    before: str
    after: str
    age: int = 0
    """How many samples back: 0 for a change under scan or not yet committed, 1 for the last commit, then doubling."""


class Dropped(Struct, frozen=True):
    """What a file had in a sample and has no more in the next one, `after`. `words`: what it is called, the likeliest first."""

    path: str
    after: str
    words: tuple[str, ...]


class Worked(Struct, frozen=True):
    """How much was done in a folder: the commits that touched anything of it, counted up to a limit."""

    commits: int
    moved: bool = False
    """Its first files were renamed to where they lie: what came before is not counted."""


class Tended(Struct, frozen=True):
    """How a document was looked after: the commits that touched it under its present path."""

    edits: int
    oldest: int
    newest: int
    """Seconds since 1970."""
    added: int = 0
    deleted: int = 0
    """Lines, the commit that brought the document aside."""
    since: int = 0
    """Commits that came after the last of them."""
    moved: bool = False
    """It was renamed to where it lies: what came before is not counted."""


class History(Protocol):
    """A repository's past, asked in batches so that one pass answers every claim."""

    @property
    def shallow(self) -> bool:
        """The clone has no past to speak of: judge less, and say so."""
        ...

    @property
    def young(self) -> bool:
        """There are fewer commits than count as recent."""
        ...

    @property
    def recent(self) -> frozenset[str]:
        """Of the last eight commits those of 90 days, and the last two: what they removed is hardly meant in another sense."""
        ...

    def begin(self) -> None:
        """Says that questions will come: what takes long may begin now. Need not be called."""
        ...

    def removed(self, paths: Iterable[str]) -> Mapping[str, Removal]:
        """For each path (a file or a directory) that once was there and is not now: what became of it.

        A path that begins with `**/` is looked for in every directory; the answer is keyed by what was asked.
        """
        ...

    def lately_removed(self) -> Collection[str]:
        """Every file and folder that the last commits, or the change under scan, took away."""
        ...

    def blobs(self, accept: Callable[[str], bool]) -> Sequence[PastBlob]:
        """Earlier versions of files (of accepted paths) at sampled points of the past, newest first, none that is current."""
        ...

    def versions(self, paths: Sequence[str]) -> Sequence[PastBlob]:
        """Every earlier version of these few files, newest first: what `blobs` leaves out between its samples."""
        ...

    @property
    def source(self) -> FileSource:
        """What reads earlier versions."""
        ...

    def remover(self, word: str, blob: PastBlob) -> Commit | None:
        """The commit between `blob.before` and `blob.after` that took this word out of this file."""
        ...

    def droppers(self, asked: Sequence[Dropped]) -> Mapping[Dropped, Commit]:
        """The very commit that took each of these out of its file. What no single commit can be told of is left out."""
        ...

    def tended(self, paths: Sequence[str]) -> Mapping[str, Tended]:
        """How each of these documents was looked after. One that nobody has committed is not told of."""
        ...

    def worked(self, folders: Sequence[str], most: int) -> Mapping[str, Worked]:
        """How much was done in each of these folders, counted up to `most` commits."""
        ...

    def times(self, commits: Collection[str]) -> Mapping[str, int]:
        """When each of these commits was made, in seconds since 1970; those that are not known are left out."""
        ...

    def writers(self, path: str, lines: Sequence[int]) -> Mapping[int, str]:
        """Which commit wrote each of these lines of a file; none of a file that is not as it was committed."""
        ...

    def begun(self) -> int:
        """When the first commit was made; 0 if nobody can tell."""
        ...

    def former_modules(self) -> frozenset[str]:
        """The folders that once were submodules: what lies in them now was copied from elsewhere."""
        ...

    def told(self, text: str, path: str, revision: str) -> bool:
        """A document contained this text then: the one at this path or, if nothing was there yet, any."""
        ...


class Cache(Protocol):
    """Remembers what a blob yielded. Keys carry the version of whatever made the value."""

    def get_many(self, keys: Sequence[str]) -> Mapping[str, bytes]: ...

    def put_many(self, items: Mapping[str, bytes]) -> None: ...


class Change(Protocol):
    """Two trees of one repository, and what lies between them."""

    @property
    def base(self) -> Tree: ...

    @property
    def head(self) -> Tree: ...

    @property
    def past(self) -> History:
        """Only the base: what was there and is not in the head, or not in the same way."""
        ...

    @property
    def history(self) -> History:
        """Everything before the head."""
        ...

    def containing(self, words: Sequence[str]) -> set[str] | None:
        """The paths of the head whose text contains one of these, case ignored; None if there are too many to look for."""
        ...
