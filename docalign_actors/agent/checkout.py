"""A repository's files at a commit, in a folder that is thrown away.

Git fetches one commit into a bare clone; the files are written from its objects by us. So no hook, no filter, no large-file
program and no submodule ever runs, and a symbolic link is written as a small file that names its target: nothing leads
out of the folder.
"""

from __future__ import annotations

import fcntl
import os
import re
import resource
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from hashlib import sha256
from pathlib import Path, PurePosixPath

from msgspec import Struct

from docalign_actors.agent.halting import Halt
from docalign_actors.contracts import RepositoryAtCommit
from docalign_actors.hosts.credentials import git_environment

PREFIX = "docalign-agent-"
_SHA = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_SECRET = re.compile(r"(?<=//)[^/@\s]+@")
_SAFE = (
    "-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "-c", "gc.auto=0", "-c", "maintenance.auto=false",
    "-c", "transfer.fsckObjects=true", "-c", "fetch.recurseSubmodules=false", "-c", "core.protectNTFS=true",
)  # fmt: skip
_PROTOCOLS = "https:http:ssh:git:file"


class CheckoutError(Exception):
    """The repository cannot be had at this commit."""


class Bounds(Struct, frozen=True):
    """How much is fetched and written down. Files that are larger are left out."""

    seconds: float = 300.0
    pack: int = 2 * 2**30
    total: int = 500 * 10**6
    file: int = 5 * 10**6
    files: int = 50_000
    clones: int = 20


class Checkouts:
    """The clones of one agent, in a folder of its own. Closing it leaves nothing behind."""

    def __init__(self, parent: Path | None = None, token: str = "", bounds: Bounds | None = None) -> None:
        """`token` is what the repositories' host asks for, if anything."""
        self._token = token
        self._bounds = bounds or Bounds()
        self._closing = ExitStack()
        where = parent or Path(tempfile.gettempdir())
        sweep(where)
        self.root = Path(tempfile.mkdtemp(prefix=PREFIX, dir=where))
        self._closing.callback(shutil.rmtree, self.root, ignore_errors=True)
        self._closing.callback(os.close, _locked(self.root))
        self._lock = threading.Lock()
        self._clones: dict[str, threading.Lock] = {}

    def close(self) -> None:
        self._closing.close()

    @contextmanager
    def folder(self) -> Iterator[Path]:
        """An empty folder for one task."""
        made = Path(tempfile.mkdtemp(prefix="task-", dir=self.root))
        try:
            yield made
        finally:
            shutil.rmtree(made, ignore_errors=True)

    def write(self, repository: RepositoryAtCommit, folder: Path, halt: Halt) -> None:
        """The files of a commit, into a folder."""
        if not _SHA.fullmatch(repository.commit):
            raise CheckoutError("the task names no commit by its full id")
        key = sha256(repository.url.encode()).hexdigest()[:20]
        with self._lock:
            clone_lock = self._clones.setdefault(key, threading.Lock())
        with clone_lock:
            clone = self.root / f"{key}.git"
            halt.check()
            self._fetch(clone, repository, halt)
            self._unpack(clone, repository.commit, folder, halt)
        self._forget_old(key)

    def _fetch(self, clone: Path, repository: RepositoryAtCommit, halt: Halt) -> None:
        """What is in the way of a fetch may be what a killed git left behind, so a clone that was there gets a second chance."""
        known = ["cat-file", "-e", f"{repository.commit}^{{commit}}"]
        if clone.exists():
            if self._git(known, clone, {}, halt, check=False) == 0:
                return
            with suppress(CheckoutError):
                self._fetch_into(clone, repository, halt)
                return
            shutil.rmtree(clone, ignore_errors=True)
        self._git(["init", "--bare", "--quiet", "--template=", str(clone)], self.root, {}, halt)
        self._fetch_into(clone, repository, halt)

    def _fetch_into(self, clone: Path, repository: RepositoryAtCommit, halt: Halt) -> None:
        quietly = ["--quiet", "--depth=1", "--no-tags", "--no-write-fetch-head"]
        secrets = git_environment(repository.url, self._token)
        self._git(["fetch", *quietly, "--", repository.url, repository.commit], clone, secrets, halt)

    def _git(
        self, arguments: Sequence[str], folder: Path, more: dict[str, str], halt: Halt, *, check: bool = True
    ) -> int:
        with self._start(arguments, folder, more, stderr=subprocess.PIPE) as process, halt.ending(process.kill):
            try:
                _, said = process.communicate(timeout=self._bounds.seconds)
            except subprocess.TimeoutExpired:
                process.kill()
                process.communicate()
                raise CheckoutError(f"git {arguments[0]} did not end within {self._bounds.seconds:g} s") from None
        halt.check()
        if process.returncode and check:
            lines = [line for line in said.decode("utf-8", "replace").splitlines() if line.strip()]
            told = _SECRET.sub("", lines[-1] if lines else "it said nothing")
            raise CheckoutError(
                f"git {arguments[0]} failed: {''.join(c if c.isprintable() else '?' for c in told)[:300]}"
            )
        return process.returncode

    def _start(
        self,
        arguments: Sequence[str],
        folder: Path,
        more: dict[str, str],
        *,
        stderr: int,
        stdin: int = subprocess.DEVNULL,
    ) -> subprocess.Popen[bytes]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "DOCALIGN_"))}
        quiet = {
            "GIT_TERMINAL_PROMPT": "0", "GIT_ASKPASS": "true", "GIT_SSH_COMMAND": "ssh -oBatchMode=yes", "LC_ALL": "C",
            "GIT_NO_LAZY_FETCH": "1", "GIT_LFS_SKIP_SMUDGE": "1", "GIT_ALLOW_PROTOCOL": _PROTOCOLS,
        }  # fmt: skip
        # In a folder that is no repository git looks for one further up, and would work on somebody else's.
        here = {"GIT_DIR": str(folder)} if folder != self.root else {}
        try:
            process = subprocess.Popen(
                ["git", *_SAFE, *arguments], cwd=folder, env={**kept, **quiet, **more, **here}, stdin=stdin, stdout=subprocess.PIPE,
                stderr=stderr, start_new_session=True,
            )  # fmt: skip
        except FileNotFoundError:
            raise CheckoutError("there is no git command on this machine") from None
        with suppress(OSError, AttributeError, ValueError):  # where the system has no such bound, time alone bounds it
            resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (self._bounds.pack, self._bounds.pack))
        return process

    def _unpack(self, clone: Path, commit: str, folder: Path, halt: Halt) -> None:
        entries = self._entries(clone, commit, halt)
        with self._start(
            ["cat-file", "--batch"], clone, {}, stderr=subprocess.DEVNULL, stdin=subprocess.PIPE
        ) as reader:
            with halt.ending(reader.kill):
                for blob, path in entries:
                    _write(folder, path, _blob(reader, blob))
            reader.kill()
        halt.check()

    def _entries(self, clone: Path, commit: str, halt: Halt) -> list[tuple[str, str]]:
        """Files, and links as files; what is too large, too much or oddly named is left out."""
        with (
            self._start(
                ["ls-tree", "-r", "-z", "-l", "--full-tree", commit], clone, {}, stderr=subprocess.DEVNULL
            ) as listing,
            halt.ending(listing.kill),
        ):
            try:
                out, _ = listing.communicate(timeout=self._bounds.seconds)
            except subprocess.TimeoutExpired:
                listing.kill()
                out, _ = listing.communicate()
        halt.check()
        if listing.returncode:
            raise CheckoutError("git ls-tree failed: the commit is not whole")
        found: list[tuple[str, str]] = []
        total = 0
        for line in out.split(b"\0")[: self._bounds.files]:
            head, _, name = line.partition(b"\t")
            words = head.split()
            if len(words) != 4 or words[1] != b"blob" or not words[3].isdigit() or int(words[3]) > self._bounds.file:
                continue
            total += int(words[3])
            if total > self._bounds.total:
                break
            with suppress(UnicodeDecodeError):
                path = name.decode()
                if is_plain(path):
                    found.append((words[2].decode(), path))
        return found

    def _forget_old(self, newest: str) -> None:
        """Only so many clones are kept; those that nobody is at go first."""
        with self._lock:
            for key in list(self._clones)[: -self._bounds.clones or None]:
                if key != newest and len(self._clones) > self._bounds.clones and not self._clones[key].locked():
                    del self._clones[key]
                    shutil.rmtree(self.root / f"{key}.git", ignore_errors=True)


def is_plain(path: str) -> bool:
    """Whether a path of a tree is one that stays inside and that no program takes for its own settings of git."""
    parts = PurePosixPath(path).parts
    odd = any(part in ("", ".", "..") or part.lower().rstrip(". ") == ".git" or "\\" in part for part in parts)
    return bool(parts) and not path.startswith("/") and path.isprintable() and not odd


def _write(folder: Path, path: str, content: bytes) -> None:
    target = folder / path
    with suppress(OSError):  # a name that this machine does not take, or one that is a file here and a folder there
        target.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)


def _blob(reader: subprocess.Popen[bytes], blob: str) -> bytes:
    if reader.stdin is None or reader.stdout is None:
        raise CheckoutError("git cat-file does not run")
    try:
        reader.stdin.write(f"{blob}\n".encode())
        reader.stdin.flush()
        words = reader.stdout.readline().split()
    except OSError:
        raise CheckoutError("git cat-file ended") from None
    if len(words) != 3 or not words[2].isdigit():
        raise CheckoutError("git cat-file has not got a file of the commit")
    content = reader.stdout.read(int(words[2]))
    reader.stdout.read(1)
    return content


def sweep(parent: Path) -> None:
    """Folders of agents that were killed: nobody holds their locks any more."""
    for left in parent.glob(f"{PREFIX}*"):
        with suppress(OSError):
            os.close(_locked(left))
            shutil.rmtree(left, ignore_errors=True)


def _locked(folder: Path) -> int:
    """Takes the folder's lock, for as long as the descriptor is open; an OSError if somebody has it."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        raise
    return descriptor
