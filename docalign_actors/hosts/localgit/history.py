"""A repository's past: which paths went and what became of them, and earlier versions of files at sampled commits."""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import pairwise

from docalign_actors.engine.owntime import tells_history
from docalign_actors.engine.ports import RECENT, UNCOMMITTED, Commit, Dropped, PastBlob, Removal, Tended, Tree, Worked
from docalign_actors.engine.roles import DOCUMENT_PATTERNS, document_format
from docalign_actors.errors import GitError
from docalign_actors.hosts.localgit.deletions import note_deletion, parents
from docalign_actors.hosts.localgit.git import Begun, Git, joined, split_fields
from docalign_actors.hosts.localgit.objects import ObjectReader
from docalign_actors.hosts.localgit.successors import former_folder, successor
from docalign_actors.hosts.localgit.versions import droppers, versions

_LOG_LIMIT = 50_000
"""Commits. A log beyond that is read only so far: the rest is older than any documentation worth judging."""
_RECENT_SECONDS = 90 * 24 * 3600
_FORMAT = "%x01%H%x00%cs%x00%s%x00"
_MODULE = re.compile(r"^[-+]\s*path\s*=\s*(\S[^\n]{0,300})$", re.MULTILINE)
_NO_BLOB = "0" * 40
_BLAMED = re.compile(r"^(?P<commit>[0-9a-f]{40}) \d+ (?P<line>\d+)(?: \d+)?$", re.MULTILINE)


_NUMBERED = re.compile(r"(.{1,500}) \(#\d{1,9}\)")
"""The subject of a pull request that became one commit."""


class GitHistory:
    """The past of one tree. The log is read once, when the first question comes."""

    def __init__(self, git: Git, tree: Tree, *, shallow: bool | None = None) -> None:
        """`shallow`: what is known of that already."""
        self._shallow = shallow
        self._git = git
        self._tree = tree
        self.source = ObjectReader(git)
        self._log: Begun | None = None
        self._first_parents: Begun | None = None
        self._depth: Begun | None = None
        self._committed: Begun | None = None
        self._times: Counter[str] = Counter()
        """How many commits deleted each path."""

    def begin(self) -> None:
        if self._tree.commit and self._log is None:
            if self._shallow is None:
                self._depth = self._git.begin("rev-parse", "--is-shallow-repository")
            self._first_parents = self._git.begin(
                "log", "--first-parent", f"--max-count={RECENT}", "--format=%H %ct", self._tree.commit
            )
            self._log = self._git.begin(
                "log", f"--max-count={_LOG_LIMIT}", "--no-renames", "--diff-filter=D", "--name-only", "-z",
                f"--format={_FORMAT}", self._tree.commit,
            )  # fmt: skip
            self._committed = self._git.begin("ls-tree", "-r", "-z", "--name-only", "--full-tree", self._tree.commit)

    @cached_property
    def shallow(self) -> bool:
        self.begin()
        if self._shallow is not None:
            return self._shallow
        return self._depth is not None and self._depth.output().strip() == b"true"

    @cached_property
    def young(self) -> bool:
        return len(self._newest) < RECENT

    @cached_property
    def recent(self) -> frozenset[str]:
        newest = self._newest
        # In a quiet repository eight commits are years.
        return frozenset(sha for n, (sha, when) in enumerate(newest) if n < 2 or newest[0][1] - when <= _RECENT_SECONDS)

    @cached_property
    def _newest(self) -> list[tuple[str, int]]:
        """The last commits along the first parents, each with its time."""
        self.begin()
        told = self._first_parents.output() if self._first_parents is not None else b""
        return [(sha, int(when)) for sha, when in (line.split() for line in told.decode().splitlines())]

    # Paths

    @cached_property
    def _deletions(self) -> dict[str, Commit]:
        """The newest commit that deleted each path, folders included, of those that are not there now."""
        self.begin()
        if self._log is None or self._committed is None:
            return {}
        log, committed = self._log.output(), self._committed.output()
        present = self._tree.entries
        found: dict[str, Commit] = {}
        for path in split_fields(committed):
            if path not in present:
                note_deletion(found, path, Commit("", UNCOMMITTED))
        squashed: dict[str, str] = {}
        taken: dict[str, str] = {}
        for record in log.decode("utf-8", "replace").split("\x01")[1:]:
            sha, date, subject, *paths = record.split("\0")
            commit = Commit(sha, subject, date)
            # A branch that was squashed into one commit, and merged as well, takes a file away once: `Drop it (#7)`, `Drop it`.
            numbered = _NUMBERED.fullmatch(subject)
            change = squashed.setdefault(numbered[1], sha) if numbered else squashed.get(subject, sha)
            for path in paths:
                path = path.strip("\n")
                if path and path not in present:
                    self._times[path] += taken.get(path) != change
                    taken[path] = change
                    note_deletion(found, path, commit)
        return found

    @cached_property
    def _deleted_names(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for path in self._deletions:
            found.setdefault(posixpath.basename(path), []).append(path)
        return found

    @cached_property
    def _folders(self) -> frozenset[str]:
        return frozenset(parent for path in self._tree.entries for parent in parents(path))

    def removed(self, paths: Iterable[str]) -> Mapping[str, Removal]:
        answers: dict[str, tuple[str, Commit]] = {}
        for asked in paths:
            for path in self._candidates(asked):
                if path in self._deletions and path not in self._tree.entries and path not in self._folders:
                    answers[asked] = (path, self._deletions[path])
                    break
        renames = self._renames({commit.sha for _, commit in answers.values()})
        recent = self.recent | {""}
        return {
            asked: Removal(
                path, commit, self._successor(path, commit, renames), commit.sha in recent, max(1, self._times[path])
            )
            for asked, (path, commit) in answers.items()
        }

    def _successor(self, path: str, commit: Commit, renames: Mapping[str, Mapping[str, str]]) -> str:
        within = f"{path}/"
        gone = (file for file in self._gone_with.get(commit.sha, ()) if file.startswith(within))
        return successor(path, renames.get(commit.sha, {}), self._tree.entries, gone)

    @cached_property
    def _gone_with(self) -> Mapping[str, list[str]]:
        """The files that each commit took away."""
        folders = {parent for path in self._deletions for parent in parents(path)}
        found: dict[str, list[str]] = {}
        for path, commit in self._deletions.items():
            if path not in folders:
                found.setdefault(commit.sha, []).append(path)
        return found

    def lately_removed(self) -> Collection[str]:
        recent = self.recent | {""}
        lately = [path for path, commit in self._deletions.items() if commit.sha in recent]
        return [path for path in lately if path not in self._tree.entries and path not in self._folders]

    def _candidates(self, asked: str) -> Sequence[str]:
        if not asked.startswith("**/"):
            return (asked.strip("/"),)
        tail = asked[3:].strip("/")
        return [p for p in self._deleted_names.get(posixpath.basename(tail), ()) if p == tail or p.endswith("/" + tail)]

    def _renames(self, commits: set[str]) -> Mapping[str, Mapping[str, str]]:
        """For each commit, old path to new path as git's similarity detection tells it."""
        found: dict[str, dict[str, str]] = {}
        if "" in commits:
            found[""] = self._uncommitted_renames()
        known = sorted(commits - {""})
        if not known:
            return found
        listing = self._git.fields(
            "diff-tree", "--stdin", "-r", "-M40%", "--no-rename-empty", "-l2000", "-z", "--root", "--diff-filter=R",
            "--name-status", stdin=joined(known), check=False,
        )  # fmt: skip
        current: dict[str, str] = {}
        rest = iter(listing)
        for field in rest:
            head, _, status = field.rpartition("\n")
            sha = (head or field).strip()
            if sha in commits:
                current = found.setdefault(sha, {})
            if status.startswith("R"):
                old, new = next(rest, ""), next(rest, "")
                current[old] = new
        return found

    def _uncommitted_renames(self) -> dict[str, str]:
        """Files that vanished from the working tree, matched with equal content under another path."""
        committed: dict[str, str] = {}
        for field in self._git.fields("ls-tree", "-r", "-z", "--full-tree", self._tree.commit):
            head, _, path = field.partition("\t")
            if path not in self._tree.entries:
                committed[path] = head.split(" ")[2]
        present = {entry.oid: path for path, entry in self._tree.entries.items()}
        return {path: present[oid] for path, oid in committed.items() if oid in present}

    # Content

    @cached_property
    def _line(self) -> list[tuple[str, str]]:
        """(commit, tree) along the first parents, newest first."""
        if not self._tree.commit:
            return []
        out = self._git.run(
            "log", "--first-parent", f"--max-count={_LOG_LIMIT}", "--format=%H %T", self._tree.commit, check=False
        )
        return [(line[:40], line[41:81]) for line in out.decode().splitlines() if len(line) >= 81]

    def samples(self) -> list[tuple[str, str]]:
        """The commit itself, its parent, and then commits twice as far back each time, down to the root."""
        line, indices, step = self._line, [0], 1
        while step < len(line):
            indices.append(step)
            step *= 2
        if line and len(line) - 1 not in indices:
            indices.append(len(line) - 1)
        return [line[i] for i in indices] if line else []

    def blobs(self, accept: Callable[[str], bool]) -> Sequence[PastBlob]:
        samples = self.samples()
        if not samples:
            return ()
        current = {entry.oid for entry in self._tree.entries.values()}
        found: dict[str, PastBlob] = {}
        for path, oid in self._uncommitted(samples[0][1]):
            if accept(path) and oid not in current:
                found.setdefault(oid, PastBlob(path, oid, samples[0][0], ""))
        by_tree = {tree: commit for commit, tree in samples}
        pairs = [f"{older[1]} {newer[1]}" for newer, older in pairwise(samples) if older[1] != newer[1]]
        ages = {commit: age for age, (commit, _) in enumerate(samples, 1)}
        older = newer = ""
        rest = iter(
            self._git.fields(
                "diff-tree", "--stdin", "-r", "-z", "--no-renames", "--diff-filter=DM", stdin=joined(pairs)
            )
        )
        for field in rest:
            # The two trees stand on a line of their own before the first of their files, and so do two that differ in nothing
            # that is asked for: a commit may have added files alone.
            trees, _, raw = field.rpartition("\n")
            if trees:
                older, newer = (by_tree.get(tree, "") for tree in trees.split()[-2:])
            path, parts = next(rest, ""), raw.split(" ")
            if parts[0] in (":100644", ":100755"):
                oid = parts[2]
                if oid not in current and oid != _NO_BLOB and accept(path):
                    found.setdefault(oid, PastBlob(path, oid, older, newer, ages.get(newer, 0)))
        return list(found.values())

    def versions(self, paths: Sequence[str]) -> Sequence[PastBlob]:
        return versions(self._git, "" if self.shallow else self._tree.commit, paths)

    def _uncommitted(self, tree: str) -> list[tuple[str, str]]:
        """Files of the commit that the working tree holds differently."""
        found: list[tuple[str, str]] = []
        for field in self._git.fields("ls-tree", "-r", "-z", "--full-tree", tree):
            head, _, path = field.partition("\t")
            oid = head.split(" ")[2]
            entry = self._tree.entries.get(path)
            if head.startswith("100") and (entry is None or entry.oid != oid):
                found.append((path, oid))
        return found

    def remover(self, word: str, blob: PastBlob) -> Commit | None:
        if not blob.after:
            return Commit("", UNCOMMITTED)
        after = self._git.run("cat-file", "blob", f"{blob.after}:{blob.path}", check=False)
        if word.encode() in after:
            return None  # it is still in the file, so no commit took it out: what went is something about it
        try:
            out = self._git.run(
                "log", "-n1", "--first-parent", "-m", f"-S{word}", "--format=%H%x00%cs%x00%s",
                f"{blob.before}..{blob.after}", "--", blob.path,
            )  # fmt: skip
        except GitError:
            return None
        parts = out.decode("utf-8", "replace").strip("\n").split("\0")
        return Commit(parts[0], parts[2], parts[1]) if len(parts) == 3 else None

    def droppers(self, asked: Sequence[Dropped]) -> Mapping[Dropped, Commit]:
        line = {commit: place for place, (commit, _) in enumerate(self._line)} if asked else {}
        places = sorted(line[commit] for commit, _ in self.samples()) if asked else []
        found: dict[Dropped, str] = {}
        for after in sorted({one.after for one in asked}):
            here = [one for one in asked if one.after == after]
            older = next((place for place in places if after in line and place > line[after]), None)
            if not after or after not in line or older == line[after] + 1:
                found |= dict.fromkeys(
                    here, after
                )  # not committed, told exactly, or the only commit between two samples
            elif older is not None:
                found |= droppers(self._git, f"{self._line[older][0]}..{after}", here, self.source)
        told = self._told(set(found.values()) - {""})
        return {one: told.get(sha) or Commit(sha, "" if sha else UNCOMMITTED) for one, sha in found.items()}

    def _told(self, commits: Collection[str]) -> Mapping[str, Commit]:
        if not commits:
            return {}
        command = ("log", "--no-walk", "--ignore-missing", "-z", "--format=%H%x01%cs%x01%s", *sorted(commits))
        rows = (record.split("\x01", 2) for record in self._git.fields(*command, check=False))
        return {row[0].strip(): Commit(row[0].strip(), row[2], row[1]) for row in rows if len(row) == 3}

    def tended(self, paths: Sequence[str]) -> Mapping[str, Tended]:
        if not paths or not self._tree.commit:
            return {}
        command = ("log", f"--max-count={_LOG_LIMIT}", "--no-renames", "--numstat", "-z", "--format=%x01%H %ct")
        log = self._git.run(*command, self._tree.commit, "--", *paths, check=False).decode("utf-8", "replace")
        edits: dict[str, list[_Edit]] = {}
        for record in log.split("\x01")[1:]:
            head, *files = re.split(r"[\0\n]+", record)
            sha, _, when = head.partition(" ")
            for added, deleted, path in (file.split("\t", 2) for file in files if file.count("\t") >= 2):
                lines = (int(added), int(deleted)) if added.isdecimal() and deleted.isdecimal() else (0, 0)
                edits.setdefault(path, []).append((sha, int(when), *lines))
        born = self._renames({found[-1][0] for found in edits.values()})
        since = {sha: self._commits_since(sha) for sha in {found[0][0] for found in edits.values()}}
        return {path: _tended(path, found, born, since[found[0][0]]) for path, found in edits.items()}

    def _commits_since(self, commit: str) -> int:
        counted = self._git.run("rev-list", "--count", f"{commit}..{self._tree.commit}", check=False)
        return int(counted.strip() or 0)

    def times(self, commits: Collection[str]) -> Mapping[str, int]:
        if not commits:
            return {}
        told = self._git.run("log", "--no-walk", "--ignore-missing", "--format=%H %ct", *sorted(commits), check=False)
        return {sha: int(when) for sha, when in (line.split() for line in told.decode().splitlines())}

    def writers(self, path: str, lines: Sequence[int]) -> Mapping[int, str]:
        commit, entry = self._tree.commit, self._tree.entries.get(path)
        if not lines or not commit or entry is None or self.shallow:
            return {}
        if self._git.run("rev-parse", "--verify", f"{commit}:{path}", check=False).decode().strip() != entry.oid:
            return {}
        ranges = [argument for line in lines for argument in ("-L", f"{line},{line}")]
        told = self._git.run("blame", "--porcelain", *ranges, commit, "--", path, check=False).decode(
            "utf-8", "replace"
        )
        return {int(match["line"]): match["commit"] for match in _BLAMED.finditer(told)}

    def begun(self) -> int:
        if self.shallow or not self._tree.commit:
            return 0
        roots = self._git.run("log", "--max-parents=0", "--format=%ct", self._tree.commit, check=False).split()
        return min(map(int, roots), default=0)

    def worked(self, folders: Sequence[str], most: int) -> Mapping[str, Worked]:
        found: dict[str, Worked] = {}
        for folder in folders if self._tree.commit else ():
            commits = self._commits_in(folder, self._tree.commit, most)
            if not commits:
                continue
            arrived = self._renames({commits[-1]}).get(commits[-1], {})
            came = {old: new for old, new in arrived.items() if new.startswith(f"{folder}/")}
            former = former_folder(folder, came)
            if former:  # as much was done where it lay before
                commits += self._commits_in(former, f"{commits[-1]}^", most)
            found[folder] = Worked(len(commits), moved=bool(came) and not former)
        return found

    def _commits_in(self, folder: str, revision: str, most: int) -> list[str]:
        command = ("log", "--format=%H", f"--max-count={most}", revision, "--", f"{folder}/")
        return self._git.run(*command, check=False).decode().split()

    def former_modules(self) -> frozenset[str]:
        if not self._tree.commit:
            return frozenset()
        log = self._git.run(
            "log", "-p", "-U0", "--format=", "--no-ext-diff", self._tree.commit, "--", ".gitmodules", check=False
        )
        named = _MODULE.findall(log.decode("utf-8", "replace"))
        return frozenset(folder for name in named if (folder := name.strip().strip("/")) in self._folders)

    def told(self, text: str, path: str, revision: str) -> bool:
        then = self._document(path, revision)
        if then:
            return text.encode() in then
        # The patterns are ours, none comes from the repository. Without them git would search all of its code.
        command = ("grep", "-l", "-z", "-a", "-F", "-e", text, revision, "--", *DOCUMENT_PATTERNS)
        found = self._git.fields("--no-literal-pathspecs", *command, check=False)
        documents = (name.partition(":")[2] for name in found)
        return any(document_format(name) and not tells_history(name) for name in documents)

    @lru_cache(maxsize=64)  # noqa: B019 - one history a scan; the same documents are asked about again and again
    def _document(self, path: str, revision: str) -> bytes:
        return self._git.run("cat-file", "blob", f"{revision}:{path}", check=False)


_Edit = tuple[str, int, int, int]
"""Commit, time, lines added, lines deleted."""


def _tended(path: str, edits: Sequence[_Edit], renames: Mapping[str, Mapping[str, str]], since: int) -> Tended:
    """Of the edits of one document, newest first."""
    *later, first = edits
    return Tended(
        edits=len(edits),
        oldest=first[1],
        newest=edits[0][1],
        added=sum(edit[2] for edit in later),
        deleted=sum(edit[3] for edit in later),
        since=since,
        moved=path in renames.get(first[0], {}).values(),
    )
