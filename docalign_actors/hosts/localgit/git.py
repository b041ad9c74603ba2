"""Runs git on a repository that nobody vouches for: none of its configuration may run a program or reach the network."""

from __future__ import annotations

import contextlib
import os
import subprocess
import weakref
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import IO

from docalign_actors.errors import GitError, NotARepositoryError, UnknownRevisionError

_TIMEOUT = 120.0
"""Seconds. Nothing that is asked of git here takes that long on a healthy disk."""

SAFE = (
    "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "protocol.allow=never", "-c", "core.quotePath=false",
    "-c", "diff.external=", "-c", "log.showSignature=false", "--no-replace-objects", "--literal-pathspecs",
)  # fmt: skip


def environment() -> dict[str, str]:
    """The caller's environment without what would make git ask, lock, fetch or look at another repository."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
    quiet = {"GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "GIT_NO_LAZY_FETCH": "1", "LC_ALL": "C"}
    return {**kept, **quiet}


class Git:
    """The git command, bound to one repository."""

    def __init__(self, root: Path, *, bare: bool = False, index: str = "") -> None:
        """`bare`: this very folder is the repository. Otherwise git looks further up for one, and would find somebody else's.

        index   the file that holds what is staged, if it is not the repository's own
        """
        self.root = root
        self._place = ("-C", str(root), *(("--git-dir=.",) if bare else ()))
        self._index = {"GIT_INDEX_FILE": index} if index else {}

    def command(self, *arguments: str) -> list[str]:
        return ["git", *SAFE, *self._place, *arguments]

    def run(self, *arguments: str, stdin: bytes = b"", check: bool = True) -> bytes:
        """What git prints. Raises GitError with git's own last line when it fails."""
        return self.later(*arguments, stdin=stdin, check=check)()

    def later(self, *arguments: str, stdin: bytes = b"", check: bool = True) -> Callable[[], bytes]:
        """The same, begun now and waited for when the answer is called for, which must be done."""
        try:
            process = subprocess.Popen(
                self.command(*arguments),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=environment() | self._index,
            )
        except FileNotFoundError:
            raise GitError("There is no git command on this machine.", hint="Install git and try again.") from None
        return partial(_printed, process, arguments[0], stdin, check)

    def fields(self, *arguments: str, stdin: bytes = b"", check: bool = True) -> list[str]:
        """Output that is separated by NUL bytes."""
        return split_fields(self.run(*arguments, stdin=stdin, check=check))

    def start(self, *arguments: str) -> subprocess.Popen[bytes]:
        """A git process to talk with."""
        return subprocess.Popen(
            self.command(*arguments),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment() | self._index,
        )

    def begin(self, *arguments: str) -> Begun:
        """A git process whose output is asked for later."""
        return Begun(self.command(*arguments))

    def resolve(self, revision: str) -> str:
        """The commit that a branch, a tag or an abbreviation names."""
        found = self.run("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}", check=False)
        if not found.strip():
            raise UnknownRevisionError(f"This repository has no revision {revision!r}.")
        return found.decode().strip()

    def with_callers_index(self) -> Git:
        """Bound to what is about to be committed: `git commit -a` tells its hooks of another index than the repository's own.

        Only one that lies in this repository: whoever calls may be the hook of another.
        """
        told = os.environ.get("GIT_INDEX_FILE", "")
        folder = self.run("rev-parse", "--absolute-git-dir", check=False).decode("utf-8", "surrogateescape").strip()
        index = os.path.realpath(told) if told else ""
        inside = folder and index.startswith(os.path.join(os.path.realpath(folder), ""))
        return Git(self.root, index=index) if inside and os.path.isfile(index) else self

    def head(self) -> str:
        """The commit that HEAD names, "" before the first."""
        return self.run("rev-parse", "--verify", "--quiet", "HEAD", check=False).decode().strip()


def _printed(process: subprocess.Popen[bytes], command: str, stdin: bytes, check: bool) -> bytes:
    with process:
        try:
            output, errors = process.communicate(stdin, timeout=_TIMEOUT)
        except subprocess.TimeoutExpired:
            process.kill()
            raise GitError(f"git {command} did not end within {_TIMEOUT:.0f} seconds.") from None
        except BaseException:
            process.kill()
            raise
    if process.returncode and check:
        last = errors.decode("utf-8", "replace").strip().splitlines()[-1:] or ["no message"]
        raise GitError(f"git {command} failed: {last[0]}")
    return output


def split_fields(output: bytes) -> list[str]:
    """Output that is separated by NUL bytes."""
    return [field.decode("utf-8", "replace") for field in output.split(b"\0") if field]


class Begun:
    """A git process that works while its caller does something else. Its output waits in a file: a pipe would fill up."""

    def __init__(self, command: list[str]) -> None:
        import tempfile  # takes longer to load than a look-up of a known report takes

        self._output = tempfile.TemporaryFile()  # noqa: SIM115 - it lives as long as this object
        self._process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=self._output, stderr=subprocess.DEVNULL, env=environment()
        )
        self._finalizer = weakref.finalize(self, _end, self._process, self._output, os.getpid())

    def output(self) -> bytes:
        """All that it printed, whatever its exit code. Asked for once."""
        try:
            self._process.wait(timeout=_TIMEOUT)
        except subprocess.TimeoutExpired:
            raise GitError(f"git did not end within {_TIMEOUT:.0f} seconds.") from None
        self._output.seek(0)
        told = self._output.read()
        self._finalizer()
        return told


def _end(process: subprocess.Popen[bytes], output: IO[bytes], owner: int) -> None:
    """It only reads, so it may be killed when nobody asks for its output any more."""
    output.close()
    if owner == os.getpid() and process.poll() is None:
        process.kill()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=10)


def find_repository(path: Path) -> Git:
    """The repository that a folder or file belongs to."""
    start = path if path.is_dir() else path.parent
    if not path.exists():
        raise NotARepositoryError(f"There is nothing at {path}.", hint="Check the path for a slip of the pen.")
    try:
        found = Git(start).run("rev-parse", "--show-toplevel")
    except GitError as error:
        if "not a git repository" not in str(error) and "work tree" not in str(error):
            raise
        if "work tree" in str(error):
            hint = "Clone it and scan the clone; the service takes it as it is: docalign repo add PATH."
            raise NotARepositoryError(f"{path} is a repository without a working tree.", hint=hint) from None
        raise NotARepositoryError(f"{path.absolute()} is not inside a git repository.") from None
    return Git(Path(found.decode("utf-8", "surrogateescape").rstrip("\n")))


def joined(lines: Iterable[str]) -> bytes:
    """Lines for a git process that reads them from its standard input."""
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogateescape")
