"""One process that does one thing at a time beside this one, and is ended when a thing takes too long.

What runs here is parsing, and a parser in C cannot be interrupted: tree-sitter's own progress callback does not see the
end of a parse, where hostile files spend their time, and crashes in the version of its binding that is in use.

Made of a fork and two pipes: the library for this takes longer to load than a small repository takes to scan.
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import os
import pickle
import select
import signal
import struct
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Generic, TypeVar, cast

T = TypeVar("T")
R = TypeVar("R")

_LENGTH = struct.Struct("!Q")
PATIENCE = 10.0
"""How many times its processor time a thing may take by the clock: so long waits whoever shares a busy machine."""
_living: set[int] = set()
"""Processes that were started here and not ended yet."""
_dying: set[int] = set()
"""Processes that were ended and may not be gone: to wait for each at once would take as long as they take to be taken apart."""


def can_fork() -> bool:
    """Forking is by far the cheapest way to start a process, and safe only while this one has a single thread."""
    return hasattr(os, "fork") and threading.active_count() == 1


def end_all() -> None:
    """Kills every process that was started here. May be called from a signal's handler."""
    for process in list(_living):
        _kill(process)


def ready(descriptors: Iterable[int], seconds: float) -> set[int]:
    """Those that have something to read or are closed, as soon as there is one; none if there is none in time."""
    poll = select.poll()
    for descriptor in descriptors:
        poll.register(descriptor, select.POLLIN)
    return {descriptor for descriptor, _ in poll.poll(max(0.0, seconds) * 1000)}


class Line:
    """One end of two pipes, for one message at a time in each direction."""

    def __init__(self, incoming: int, outgoing: int) -> None:
        self.incoming = incoming
        self._outgoing = outgoing

    def send(self, message: object) -> None:
        data = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
        rest = memoryview(_LENGTH.pack(len(data)) + data)
        while rest:
            rest = rest[os.write(self._outgoing, rest) :]

    def receive(self, deadline: float | None = None) -> object:
        """The next message. EOFError if the other side is gone, TimeoutError if the deadline passes first."""
        (length,) = _LENGTH.unpack(self._read(_LENGTH.size, deadline))
        return pickle.loads(self._read(length, deadline))  # noqa: S301 - our own process packed it

    def _read(self, size: int, deadline: float | None) -> bytes:
        parts: list[bytes] = []
        while size:
            if deadline is not None and not ready([self.incoming], deadline - time.monotonic()):
                raise TimeoutError
            part = os.read(self.incoming, min(size, 1 << 20))
            if not part:
                raise EOFError
            parts.append(part)
            size -= len(part)
        return b"".join(parts)

    def close(self) -> None:
        os.close(self.incoming)
        os.close(self._outgoing)


class Helper(Generic[T, R]):
    """Does `work` in a process of its own, started at the first call and again after one that was ended.

    `seconds` is the processor time that one thing may take: by the clock, what a file costs would depend on what else the
    machine does. The system itself ends a process that takes more.
    """

    def __init__(self, work: Callable[[T], R], seconds: float) -> None:
        self._work = work
        self._seconds = seconds
        self._process = 0
        self.line: Line | None = None

    def do(self, item: T) -> tuple[R] | None:
        """The result in a tuple; None if it took too long or ended the process. Here, unguarded, where forking is unsafe."""
        if self.line is None and not can_fork():
            return (self._work(item),)
        self.ask(item)
        return self.answer(self.latest())

    def latest(self) -> float:
        """When, by the monotonic clock, it is given up what is begun now, if its process does nothing but wait."""
        return time.monotonic() + PATIENCE * self._seconds

    def ask(self, item: T) -> None:
        """Has it begin with a thing; `answer` waits for the result."""
        line = self.line or self._start()
        try:
            line.send(item)
        except OSError:
            self.end()

    def answer(self, deadline: float) -> tuple[R] | None:
        """The result of what was asked, as `do` gives it."""
        try:
            if self.line is not None:
                return (cast(R, self.line.receive(deadline)),)
        except (EOFError, OSError):  # a deadline that passed is one of the latter
            pass
        self.end()
        return None

    def _start(self) -> Line:
        (theirs_in, ours_out), (ours_in, theirs_out) = os.pipe(), os.pipe()
        _bury()
        gc.freeze()  # what is there now is shared with the other process as long as neither touches it
        self._process = os.fork()
        if not self._process:
            os.close(ours_in)
            os.close(ours_out)
            _serve(Line(theirs_in, theirs_out), self._work, self._seconds)
        gc.unfreeze()
        _living.add(self._process)
        os.close(theirs_in)
        os.close(theirs_out)
        self.line = Line(ours_in, ours_out)
        return self.line

    def end(self) -> None:
        """Ends the process at once: it holds nothing that could be lost. Does not wait until it is gone."""
        if self.line is not None:
            self.line.close()
            _dying.add(self._process)
            _living.discard(self._process)
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._process, signal.SIGKILL)
            _bury()
        self.line, self._process = None, 0


def do_together(asked: Sequence[tuple[Helper[T, R], T]]) -> list[tuple[R] | None]:
    """What `do` gives of each, all of them at work at the same time."""
    if any(helper.line is None for helper, _ in asked) and not can_fork():
        return [helper.do(item) for helper, item in asked]
    for helper, item in asked:
        helper.ask(item)
    return [helper.answer(helper.latest()) for helper, _ in asked]


def limit_processor_time(seconds: float) -> None:
    """Has the system end this process when it has worked for so long from now on; 0 takes the limit away."""
    if hasattr(signal, "setitimer"):
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_PROF, seconds)


def _bury(*, wait: bool = False) -> None:
    """Takes note of those that are gone."""
    options = 0 if wait else os.WNOHANG
    for process in list(_dying):
        try:
            gone = os.waitpid(process, options)[0] == process
        except ChildProcessError:  # somebody has waited for it, or another process started it
            gone = True
        if gone:
            _dying.discard(process)


atexit.register(_bury, wait=True)  # nothing of ours outlives us


def _kill(process: int) -> None:
    try:
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)
    except (ProcessLookupError, ChildProcessError):  # it ended by itself
        pass


def _serve(line: Line, work: Callable[[T], object], seconds: float) -> None:
    """What the other process does until this one is gone. Never returns: nothing of what it was forked from may go on."""
    try:
        # Ctrl-C reaches every process of a terminal; the one that started the others ends them.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        gc.disable()  # a collection would touch, and so copy, all that is shared
        while True:
            asked = cast(T, line.receive())
            limit_processor_time(seconds)
            result = work(asked)
            limit_processor_time(0)
            line.send(result)
    finally:
        os._exit(0)
