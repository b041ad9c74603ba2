"""A change in a git repository: from a base revision to the working tree, the index or a commit."""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property

from docalign_actors.engine.ports import Commit, Dropped, PastBlob, Removal, Tended, Tree, Worked
from docalign_actors.errors import GitError, UnknownRevisionError
from docalign_actors.hosts.localgit.deletions import parents
from docalign_actors.hosts.localgit.git import Git, joined
from docalign_actors.hosts.localgit.history import GitHistory
from docalign_actors.hosts.localgit.objects import ObjectReader
from docalign_actors.hosts.localgit.successors import successor
from docalign_actors.hosts.localgit.trees import CommitTree, IndexTree, WorkingTree


class GitChange:
    """The base is where the change left the named revision: what others have merged there since is not our doing."""

    def __init__(self, git: Git, since: str, head: WorkingTree | IndexTree | CommitTree) -> None:
        self._git = git
        self.base = CommitTree(git, _merge_base(git, since, head.commit))
        self.head = head
        self.history = GitHistory(git, head)
        self.past = BaseHistory(git, self.base, head)

    def containing(self, words: Sequence[str]) -> set[str] | None:
        if not words:
            return set()
        where = ("--cached",) if isinstance(self.head, IndexTree) else ()
        commit = (self.head.commit,) if isinstance(self.head, CommitTree) else ()
        prefix = f"{self.head.commit}:" if commit else ""
        found = {path.removeprefix(prefix) for path in self._grep(words, *where, *commit)}
        # `--untracked` leaves out what `.gitignore` names, be it tracked or not.
        return found.union(self._grep(words, "--untracked") if self._has_new_files() else ())

    def _has_new_files(self) -> bool:
        return isinstance(self.head, WorkingTree) and self.head.untracked

    def _grep(self, words: Sequence[str], *where: str) -> list[str]:
        # `-a`: what the attributes call binary (`docs/api/** -diff`) may be a document all the same.
        command = ("grep", "-l", "-z", "-i", "-a", "-F", "-f", "-", *where)
        return self._git.fields(*command, stdin=joined(words), check=False)


class BaseHistory:
    """The past of a change: the base, and nothing before it."""

    shallow = False
    young = False
    recent: frozenset[str] = frozenset()

    def __init__(self, git: Git, base: CommitTree, head: Tree) -> None:
        self._git = git
        self._base = base
        self._head = head
        self.source = ObjectReader(git)

    @cached_property
    def _commit(self) -> Commit:
        if isinstance(self._head, CommitTree):
            out = self._git.run("log", "-n1", "--format=%H%x00%cs%x00%s", self._head.commit).decode("utf-8", "replace")
            sha, date, subject = out.rstrip("\n").split("\0")
            return Commit(sha, subject, date)
        return Commit("", "this change")

    @cached_property
    def _renames(self) -> Mapping[str, str]:
        to = (
            (self._head.commit,)
            if isinstance(self._head, CommitTree)
            else ("--cached",)
            if isinstance(self._head, IndexTree)
            else ()
        )
        command = (
            "-l2000",
            "--no-rename-empty",
            "-z",
            "--no-ext-diff",
            "--diff-filter=R",
            "--name-status",
            self._base.commit,
            *to,
        )
        try:
            listing = iter(self._git.fields("diff", "-M40%", *command))
        except GitError:  # a copy that lacks an object: files that moved as they are can still be told by their ids
            listing = iter(self._git.fields("diff", "-M100%", *command, check=False))
        return {next(listing, ""): next(listing, "") for field in listing if field.startswith("R")}

    @cached_property
    def _gone(self) -> frozenset[str]:
        """Files and folders of the base that the head has not."""
        files = [p for p in self._base.entries if p not in self._head.entries]
        kept = {parent for p in self._head.entries for parent in parents(p)}
        return frozenset(files) | {parent for p in files for parent in parents(p) if parent not in kept}

    def begin(self) -> None:
        """There is nothing that takes long."""

    def removed(self, paths: Iterable[str]) -> Mapping[str, Removal]:
        found: dict[str, Removal] = {}
        for asked in paths:
            path = self._find(asked)
            if path:
                gone = (p for p in self._base.entries if p.startswith(f"{path}/") and p not in self._head.entries)
                now = successor(path, self._renames, self._head.entries, gone)
                found[asked] = Removal(path, self._commit, now, True)
        return found

    def lately_removed(self) -> Collection[str]:
        return self._gone

    def _find(self, asked: str) -> str:
        if not asked.startswith("**/"):
            return asked.strip("/") if asked.strip("/") in self._gone else ""
        tail = asked[3:].strip("/")
        named = self._gone_by_name.get(posixpath.basename(tail), ())
        return min((path for path in named if f"/{path}".endswith("/" + tail)), default="")

    @cached_property
    def _gone_by_name(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = defaultdict(list)
        for path in self._gone:
            found[posixpath.basename(path)].append(path)
        return found

    def blobs(self, accept: Callable[[str], bool]) -> Sequence[PastBlob]:
        head = self._head.entries
        return [
            PastBlob(path, entry.oid, self._base.commit, self._head.commit)
            for path, entry in self._base.entries.items()
            if entry.mode in ("file", "executable")
            and (path not in head or head[path].oid != entry.oid)
            and accept(path)
        ]

    def versions(self, paths: Sequence[str]) -> Sequence[PastBlob]:
        return ()  # the base is the only one, and `blobs` has it

    def remover(self, word: str, blob: PastBlob) -> Commit | None:
        return self._commit

    def droppers(self, asked: Sequence[Dropped]) -> Mapping[Dropped, Commit]:
        return dict.fromkeys(asked, self._commit)

    def tended(self, paths: Sequence[str]) -> Mapping[str, Tended]:
        return {}  # what came before the base is not this past's to know

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
        return True  # the base is the very moment that is asked about


def _merge_base(git: Git, since: str, head: str) -> str:
    base = git.resolve(since)
    if not head:
        raise UnknownRevisionError("This repository has no commit yet to compare with.")
    common = git.run("merge-base", base, head, check=False).decode().strip()
    return common or base
