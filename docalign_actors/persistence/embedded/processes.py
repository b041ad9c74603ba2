"""The server's processes as the operating system shows them: whose they are, and how to get rid of orphans."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from msgspec import Struct

_PROC = Path("/proc")
_STEP = 0.01
_STATUS_LINE = 7


class Postmaster(Struct, frozen=True):
    """What `postmaster.pid` says; a killed server leaves it behind, so it proves nothing by itself."""

    pid: int
    socket_directory: Path
    ready: bool


def postmaster(data: Path) -> Postmaster | None:
    """The server that wrote this directory's pid file last."""
    try:
        lines = (data / "postmaster.pid").read_text(encoding="utf-8", errors="replace").splitlines()
        ready = len(lines) > _STATUS_LINE and lines[_STATUS_LINE].strip() == "ready"
        return Postmaster(int(lines[0]), Path(lines[4] if len(lines) > 4 else ""), ready)
    except (OSError, ValueError, IndexError):
        return None


def runs_on(pid: int, data: Path) -> bool:
    """Whether this process is alive and is a server on that directory: process ids are used again."""
    command = _command(pid)
    return str(data) in command and "postgres" in command


def _command(pid: int) -> str:
    """The command line of a living process; zombies and the dead have none."""
    if _PROC.is_dir():
        with suppress(OSError):
            return (_PROC / str(pid) / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        return ""
    run = subprocess.run(["ps", "-o", "command=", "-p", str(pid)], capture_output=True, text=True, timeout=10)
    return run.stdout


def evict(data: Path, patience: float = 10.0) -> bool:
    """End a server that runs on this directory though its owner is gone. Only the lock's holder may call this."""
    found = postmaster(data)
    if found is None or not runs_on(found.pid, data):
        return False
    for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGKILL):
        with suppress(ProcessLookupError):
            os.kill(found.pid, number)
            os.kill(found.pid, signal.SIGCONT)  # a stopped process takes no signal but this one
        end = time.monotonic() + patience
        while time.monotonic() < end:
            if not runs_on(found.pid, data):
                return True
            time.sleep(_STEP)
    return True


def forget(data: Path, socket: Path) -> None:
    """Remove a dead server's pid files: its pid may be a zombie's or another program's by now, and the next server
    would take that for its rival. Two servers on one directory are kept apart by their shared memory all the same."""
    for file in (data / "postmaster.pid", *socket.glob(".s.PGSQL.*")):
        file.unlink(missing_ok=True)


def kill_leftovers(data: Path) -> int:
    """Kill server processes that outlive their dead postmaster (stopped, or stuck in the kernel) and block the next."""
    killed = 0
    for pid in _with_directory(data):
        if _command(pid).startswith("postgres:"):
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
                killed += 1
    return killed


def _with_directory(data: Path) -> Iterator[int]:
    if not _PROC.is_dir():
        return
    for entry in _PROC.iterdir():
        if entry.name.isdigit():
            with suppress(OSError):
                if (entry / "cwd").readlink() == data:
                    yield int(entry.name)
