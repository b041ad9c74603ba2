"""Bare mirrors of the repositories that the service scans. Files are read from git objects; nothing is ever checked out.

A mirror holds all branches and tags with their history, because the past is what most verdicts rest on. One scan at a time
works on a mirror, so whatever lock an earlier one left behind belongs to nobody. It is a copy: when it is damaged, it is made
anew.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path

from docalign_actors.errors import DiskFullError, GitError, UnknownRevisionError
from docalign_actors.hosts.credentials import git_environment
from docalign_actors.hosts.localgit.git import Git, environment

_REFS = ("+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*")
_SHA = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_SCHEMES = {"https": "https", "http": "http", "ssh": "ssh", "git": "git", "file": "file"}
_SECRET = re.compile(r"(?<=//)[^/@\s]+@")

_DAMAGED = re.compile(
    r"not a git repository|corrupt|object file|bad (?:object|pack|tree|signature|config)|unable to (?:read|parse|resolve|unpack)"
    r"|inflate|packfile|missing (?:blob|tree|commit|object|necessary)|invalid (?:object|sha1|index)|broken|not a valid object",
    re.IGNORECASE,
)
"""What git says when the mirror itself may be at fault. What others' git says can sound the same, so it is looked at then."""

_DURABLE = ("-c", "core.fsync=committed", "-c", "core.fsyncMethod=batch")
"""What a fetch has brought is on the disk when it has ended: a power cut must not leave empty objects behind."""

HALF_MADE = ".new"
"""Stands behind the name of a mirror that is being made."""
_LOOK = 120.0
"""Seconds to look a mirror through. One that takes longer is made anew, too."""

_LEFT_BEHIND = (
    "*.lock", "refs/**/*.lock", "objects/pack/tmp_*", "objects/pack/*.lock", "objects/tmp_objdir-*/**/*", "objects/??/tmp_obj_*",
)  # fmt: skip


class Mirror:
    """The bare clone of one repository, in a folder of the service's own."""

    def __init__(self, path: Path, token: str = "", user: str = "") -> None:
        """`token`, and the user's name that goes with it: what the repository's host asks for, if anything."""
        self.path = path
        self.git = Git(path, bare=True)
        self._token = token
        self._user = user

    def fetch(self, url: str, commits: Iterable[str] = (), *, timeout: float, depth: int = 0) -> None:
        """Brings every branch and tag, and these commits where no branch leads to them."""
        try:
            self._bring(url, commits, timeout, depth)
        except GitError as error:
            if not (_DAMAGED.search(str(error)) and self._damaged()):
                raise
            shutil.rmtree(self.path, ignore_errors=True)
            self._bring(url, commits, timeout, depth)

    def _bring(self, url: str, commits: Iterable[str], timeout: float, depth: int) -> None:
        self._prepare()
        shallow = [f"--depth={depth}"] if depth else []
        self._run(["fetch", *shallow, "--prune", "--force", "--no-write-fetch-head", "--", url, *_REFS], url, timeout)
        # Zeros stand for no commit at all: a branch that was made, or deleted.
        wanted = [s for s in dict.fromkeys(commits) if _SHA.fullmatch(s) and s.strip("0") and not self.has(s)]
        if wanted:
            try:
                self._run(["fetch", *shallow, "--no-tags", "--no-write-fetch-head", "--", url, *wanted], url, timeout)
            except GitError as error:
                if _DAMAGED.search(str(error)):
                    raise
                # Otherwise it is said again, and better, when the commit is looked up.

    def deepen(self, url: str, commits: Sequence[str], *, timeout: float) -> None:
        """Brings the whole history after all, where only its end was fetched. Without it nobody knows where a branch began."""
        if (self.path / "shallow").exists():
            wanted = [sha for sha in commits if _SHA.fullmatch(sha) and sha.strip("0")]
            self._run(
                ["fetch", "--unshallow", "--force", "--no-write-fetch-head", "--", url, *_REFS, *wanted], url, timeout
            )

    def related(self, one: str, other: str) -> bool:
        """Whether two commits have a common ancestor, as far as is known here."""
        return bool(self.git.run("merge-base", one, other, check=False).strip())

    def default_branch(self, url: str, *, timeout: float) -> tuple[str, str]:
        """The branch that HEAD names there and its commit; ("", "") for a repository without a commit."""
        branch = ""
        for line in self._run(["ls-remote", "--symref", "--", url, "HEAD"], url, timeout).splitlines():
            target, _, name = line.partition("\t")
            if name == "HEAD" and target.startswith("ref: refs/heads/"):
                branch = target.removeprefix("ref: refs/heads/")
            elif name == "HEAD" and _SHA.fullmatch(target):
                return branch, target
        return branch, ""

    def has(self, sha: str) -> bool:
        return bool(self.git.run("rev-parse", "--verify", "--quiet", f"{sha}^{{commit}}", check=False).strip())

    def follows(self, before: str, after: str) -> bool:
        """Whether the second commit descends from the first, as far as the mirror knows."""
        if not before or not before.strip("0") or not self.has(before):
            return False
        base = self.git.run("rev-parse", "--verify", "--quiet", f"{before}^{{commit}}", check=False).split()
        return base == self.git.run("merge-base", before, after, check=False).split()

    def resolve(self, revision: str) -> str:
        """The commit that a branch, a tag or an id names."""
        if not revision or revision.startswith("-") or "\0" in revision:
            raise UnknownRevisionError(f"{revision!r} cannot be the name of a revision.")
        return self.git.resolve(revision)

    def changed_files(self, before: str, after: str) -> Sequence[str]:
        """The paths that differ between two commits, none if the first is not there."""
        if not before or not before.strip("0") or not self.has(before):
            return ()
        return self.git.fields("diff-tree", "-r", "-z", "--no-renames", "--name-only", before, after, check=False)

    def _prepare(self) -> None:
        if not (self.path / "HEAD").exists():
            # git writes HEAD before it makes the rest, and may be killed between the two: a mirror gets its name when it is whole.
            shutil.rmtree(self.path, ignore_errors=True)
            half = self.path.with_suffix(f"{self.path.suffix}{HALF_MADE}")
            shutil.rmtree(half, ignore_errors=True)
            half.mkdir(parents=True)
            Mirror(half)._run(["init", "--bare", "--quiet", "--initial-branch=main", "--template=", "."], "", 60)
            half.rename(self.path)
        (self.path / "used").touch()  # how the sweeper knows which mirrors nobody needs
        tidy(self.path)

    def _damaged(self) -> bool:
        """Whether git itself cannot make sense of what is here."""
        try:
            self._run(["fsck", "--connectivity-only", "--no-dangling", "--no-progress"], "", _LOOK)
        except GitError:
            return True
        return False

    def _run(self, arguments: Sequence[str], url: str, timeout: float) -> str:
        command = self.git.command(*arguments)
        allowed = ["-c", f"protocol.{scheme_of(url)}.allow=always", "-c", "gc.auto=0", "-c", "maintenance.auto=false"]
        try:
            done = subprocess.run(
                [command[0], *command[1:-len(arguments)], *allowed, *_DURABLE, *arguments],
                stdin=subprocess.DEVNULL, capture_output=True, timeout=timeout,
                env={**quiet_environment(), **git_environment(url, self._token, self._user), **self._trusting(url)},
                check=False,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            raise GitError(
                f"git {arguments[0]} from {shown(url)} did not end within {timeout:.0f} seconds.",
                hint="Look whether the address answers; mirrors.fetch_timeout can be raised.",
            ) from None
        except FileNotFoundError:
            raise GitError("There is no git command on this machine.", hint="Install git and try again.") from None
        if done.returncode and os.strerror(errno.ENOSPC).encode() in done.stderr:
            raise DiskFullError("There is no room left on the disk of the mirrors.")
        if done.returncode:
            raise GitError(
                f"git {arguments[0]} from {shown(url)} failed: {told_by(done.stderr)}",
                hint="Look whether the address is right and this machine may read it.",
            )
        return done.stdout.decode("utf-8", "replace")

    def _trusting(self, url: str) -> dict[str, str]:
        """git refuses to read another user's repository unless told to. An operator has named this very folder, and the
        service seldom runs as the user who owns it. The git that reads it is a child of the one that we start, and looks
        for this in a file only."""
        if not url or scheme_of(url) != "file":
            return {}
        folders = [url, f"{url}/.git", os.path.realpath(url), os.path.realpath(f"{url}/.git")]
        lines = [f'\tdirectory = "{_quoted(folder)}"\n' for folder in dict.fromkeys(folders)]
        trusted = self.path / "trusted.config"
        trusted.write_text("[safe]\n" + "".join(lines), encoding="utf-8", errors="surrogateescape")
        return {"GIT_CONFIG_GLOBAL": str(trusted)}


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def quiet_environment() -> dict[str, str]:
    """Git's environment where it speaks to others: it asks nobody anything."""
    return {**environment(), "GIT_SSH_COMMAND": "ssh -oBatchMode=yes", "GIT_ASKPASS": "true"}


def scheme_of(url: str) -> str:
    """The git transport that an address uses. Anything that is no known scheme is a path or `host:path`."""
    head, mark, _ = url.partition("://")
    if mark:
        return _SCHEMES.get(head, "file")
    return "ssh" if re.match(r"[^/]+:", url) else "file"


def shown(url: str) -> str:
    """An address without what may be a secret in it."""
    return _SECRET.sub("", url) or "the repository"


def told_by(stderr: bytes) -> str:
    """The line in which git says what is wrong, without what may be a secret in it."""
    said = [line for line in stderr.decode("utf-8", "replace").splitlines() if line.strip()]
    told = next((line for line in said if line.startswith(("fatal:", "error:"))), said[-1] if said else "")
    printable = "".join(c if c.isprintable() else "?" for c in _SECRET.sub("", told))
    return printable.removeprefix("fatal: ")[:500]


def tidy(mirror: Path) -> None:
    """Takes away the locks and half-written files of a git that was killed. Nobody may be at work there."""
    for pattern in _LEFT_BEHIND:
        for path in mirror.glob(pattern):
            with contextlib.suppress(OSError):
                path.unlink()
