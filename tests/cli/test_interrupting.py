"""Ctrl-C in the midst of a scan."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.repository import Repository

pty = pytest.importorskip("pty")

Make = Callable[[dict[str, str | bytes]], Repository]
_SECONDS = 60.0
"""Far more than anything here takes: a limit, not a wait."""


@pytest.fixture
def large(repository: Make) -> Repository:
    """So many documents that a scan is far from its end when its first progress is seen."""
    lines = "".join(
        f"Call `load_items_{n}()` of `src/part_{n}.py` with `--flag-{n}`, see [x](other_{n}.md).\n\n"
        for n in range(150)
    )
    return repository({"src/app.py": "x = 1\n", **{f"docs/page_{n}.md": f"# Page {n}\n\n{lines}" for n in range(120)}})


def _restore() -> None:
    # Whoever started the tests in the background may have made them ignore Ctrl-C, and children inherit that.
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@contextmanager
def _scanning(root: Path, cache: Path, jobs: int) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """A scan that believes to be on a terminal, in a session of its own; whatever is left of it is ended."""
    terminal, theirs = pty.openpty()
    environment = {k: v for k, v in os.environ.items() if k != "CI"} | {"DOCALIGN_CACHE_DIR": str(cache)}
    command = [sys.executable, "-m", "docalign_actors", "scan", "--jobs", str(jobs)]
    process = subprocess.Popen(
        command, cwd=root, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=theirs,
        start_new_session=True, preexec_fn=_restore,
    )  # fmt: skip
    os.close(theirs)
    try:
        yield process, terminal
    finally:
        for pid in _session(process.pid):
            os.kill(pid, signal.SIGKILL)
        process.wait(timeout=_SECONDS)
        os.close(terminal)


def _session(leader: int) -> list[int]:
    """The processes of a session that are alive."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[3]) == leader and fields[0] != "Z":
                found.append(int(entry.name))
    return found


def _read_until(terminal: int, word: bytes) -> bytes:
    seen, deadline = b"", time.monotonic() + _SECONDS
    while word not in seen:
        ready, _, _ = select.select([terminal], [], [], max(0.0, deadline - time.monotonic()))
        assert ready, f"no {word!r} in {seen[-300:]!r}"
        seen += os.read(terminal, 4096)
    return seen


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at the processes of a session in /proc")
@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_ends_a_scan_at_once_and_leaves_no_process(large: Repository, tmp_path: Path, jobs: int) -> None:
    with _scanning(large.root, tmp_path / "cache", jobs) as (process, terminal):
        _read_until(terminal, b"documents")
        os.kill(process.pid, signal.SIGINT)
        assert process.wait(timeout=_SECONDS) == 130
        assert b"interrupted" in _read_until(terminal, b"interrupted")
        deadline = time.monotonic() + _SECONDS
        while (left := _session(process.pid)) and time.monotonic() < deadline:
            select.select([], [], [], 0.05)
        assert not left


def test_whoever_interrupts_before_the_command_line_is_read_sees_no_traceback() -> None:
    code = (
        "import os, signal, sys\n"
        "class Interrupting:\n"
        "    def find_spec(self, name, *more):\n"
        "        if name == 'docalign_actors.cli.arguments':\n"
        "            os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.meta_path.insert(0, Interrupting())\n"
        "from docalign_actors.cli.main import main\n"
        "main(['rules'])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=_SECONDS, check=False, preexec_fn=_restore
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "\ninterrupted\n")
