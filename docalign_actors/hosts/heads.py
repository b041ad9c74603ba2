"""Looks at the head of a repository's default branch, by one cheap question to git, which ends in time whatever happens."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import threading
from collections.abc import Collection, Mapping, Sequence

from docalign_actors.errors import GitError
from docalign_actors.hosts.credentials import Credentials, git_environment
from docalign_actors.hosts.localgit.git import SAFE
from docalign_actors.hosts.mirrors import quiet_environment, scheme_of, shown, told_by
from docalign_actors.watch.deciding import Head

_SHA = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_MOST_OUTPUT = 1 << 20
_GONE_WITHIN = 2.0


class GitHeads:
    """Asks git. Thread-safe; `close` ends what is under way."""

    def __init__(self, seconds: float = 20.0) -> None:
        self._seconds = seconds
        self._lock = threading.Lock()
        self._running: set[subprocess.Popen[bytes]] = set()
        self._closed = False

    def look(self, url: str, scanned: str, credentials: Credentials, others: Collection[str] = ()) -> Head:
        """The default branch and its commit, and those of other branches. Raises GitError if the repository cannot be reached."""
        return self._local(url, scanned, others) if url.startswith("/") else self._remote(url, credentials, others)

    def close(self) -> None:
        with self._lock:
            self._closed = True
            for process in self._running:
                _kill(process)

    def _remote(self, url: str, credentials: Credentials, others: Collection[str]) -> Head:
        extra = git_environment(url, credentials.password, credentials.user)
        allowed = f"protocol.{scheme_of(url)}.allow=always"
        command = [
            "git",
            *SAFE,
            "-c",
            allowed,
            "-C",
            "/",
            "ls-remote",
            "--symref",
            "--",
            url,
            "HEAD",
            *map(_ref, others),
        ]
        code, out, said = self._run(command, extra, url)
        if code:
            raise _failed("ls-remote", url, said)
        branch = ""
        found: dict[str, str] = {}
        for line in out.decode("utf-8", "replace").splitlines():
            target, _, name = line.partition("\t")
            if name == "HEAD" and target.startswith("ref: refs/heads/"):
                branch = target.removeprefix("ref: refs/heads/")
            elif _SHA.fullmatch(target):
                found[name] = target
        return Head(branch, found.get("HEAD", ""), None, _asked_for(others, found))

    def _local(self, path: str, scanned: str, others: Collection[str]) -> Head:
        """A folder of this machine: the repository itself says what its head is, and whether it follows the last one."""
        code, out, said = self._git(path, "rev-parse", "HEAD", "--symbolic-full-name", "HEAD")
        lines = out.decode("utf-8", "replace").splitlines()
        if code or len(lines) != 2 or not _SHA.fullmatch(lines[0]):
            code, out, later = self._git(path, "symbolic-ref", "HEAD")
            if code:
                raise _failed("rev-parse", path, later or said)
            return Head(_branch(out.decode("utf-8", "replace").strip()), "", None, self._others(path, others))
        sha, branch = lines[0], _branch(lines[1])
        follows = None
        if _SHA.fullmatch(scanned) and scanned != sha:
            follows = self._git(path, "merge-base", "--is-ancestor", scanned, sha)[0] == 0
        return Head(branch, sha, follows, self._others(path, others))

    def _others(self, path: str, others: Collection[str]) -> dict[str, str]:
        if not others:
            return {}
        code, out, said = self._git(path, "for-each-ref", "--format=%(objectname) %(refname)", *map(_ref, others))
        if code:
            raise _failed("for-each-ref", path, said)
        lines = (line.partition(" ") for line in out.decode("utf-8", "replace").splitlines())
        return _asked_for(others, {name: sha for sha, _, name in lines})

    def _git(self, path: str, *arguments: str) -> tuple[int, bytes, bytes]:
        # A folder that is no repository any more must not be taken for a part of the one around it.
        ceiling = {"GIT_CEILING_DIRECTORIES": os.path.dirname(path)}
        # An operator has named this very folder; the service seldom runs as the user who owns it.
        folders = dict.fromkeys([path, f"{path}/.git", os.path.realpath(path), os.path.realpath(f"{path}/.git")])
        trusted = [part for folder in folders for part in ("-c", f"safe.directory={folder}")]
        return self._run(["git", *SAFE, *trusted, "-C", path, *arguments], ceiling, path)

    def _run(self, command: Sequence[str], extra: Mapping[str, str], url: str) -> tuple[int, bytes, bytes]:
        environment = {**quiet_environment(), **extra}
        with self._lock:
            if self._closed:
                raise GitError("The service is stopping.")
            try:
                # In a session of its own: git's helpers hold its pipes, and have to go with it.
                process = subprocess.Popen(
                    command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment,
                    start_new_session=True,
                )  # fmt: skip
            except FileNotFoundError:
                raise GitError("There is no git command on this machine.", hint="Install git and try again.") from None
            self._running.add(process)
        try:
            out, said = process.communicate(timeout=self._seconds)
        except subprocess.TimeoutExpired:
            _kill(process)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.communicate(timeout=_GONE_WITHIN)
            raise GitError(
                f"{shown(url)} did not answer git within {self._seconds:.0f} seconds.",
                hint="Look whether the address answers; watch.look_timeout can be raised.",
            ) from None
        finally:
            with self._lock:
                self._running.discard(process)
        return process.returncode, out[:_MOST_OUTPUT], said[:_MOST_OUTPUT]


def _failed(command: str, url: str, said: bytes) -> GitError:
    return GitError(
        f"git {command} of {shown(url)} failed: {told_by(said)}",
        hint="Look whether the address is right and this machine may read it.",
    )


def _ref(branch: str) -> str:
    return f"refs/heads/{branch}"


def _asked_for(branches: Collection[str], found: Mapping[str, str]) -> dict[str, str]:
    """Git takes what it is asked for as the end or the beginning of a name: those that merely look alike are left out."""
    return {branch: found[_ref(branch)] for branch in branches if _ref(branch) in found}


def _branch(ref: str) -> str:
    return ref.removeprefix("refs/heads/") if ref.startswith("refs/heads/") else ""


def _kill(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
