"""One process that does one thing at a time beside this one, and is ended when a thing takes too long.

What runs here is parsing, and a parser in C cannot be interrupted: tree-sitter's own progress callback does not see the
end of a parse, where hostile files spend their time, and crashes in the version of its binding that is in use.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Generic, TypeVar

T = TypeVar("T")
R = TypeVar("R")


def can_fork() -> bool:
    """Forking is by far the cheapest way to start a process, and safe only while this one has a single thread."""
    return hasattr(os, "fork") and threading.active_count() == 1


class Helper(Generic[T, R]):
    """Does `work` in a process of its own, started at the first call and again after one that was ended."""

    def __init__(self, work: Callable[[T], R], seconds: float) -> None:
        self._work = work
        self._seconds = seconds
        self._process: BaseProcess | None = None
        self._line: Connection[tuple[T], tuple[R]] | None = None

    def do(self, item: T) -> tuple[R] | None:
        """The result in a tuple; None if it took too long or ended the process. Here, unguarded, where forking is unsafe."""
        line = self._line or self._start()
        if line is None:
            return (self._work(item),)
        try:
            line.send((item,))
            if line.poll(self._seconds):
                return line.recv()
        except (EOFError, OSError):
            pass
        self.end()
        return None

    def _start(self) -> Connection[tuple[T], tuple[R]] | None:
        if not can_fork():
            return None
        context = multiprocessing.get_context("fork")
        ours, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, ours, self._work), daemon=True)
        self._process.start()
        theirs.close()
        self._line = ours
        return ours

    def end(self) -> None:
        """Ends the process at once: it holds nothing that could be lost."""
        if self._process is not None:
            self._process.kill()
            self._process.join()
        if self._line is not None:
            self._line.close()
        self._process = self._line = None


def _serve(line: Connection[tuple[R], tuple[T]], other: Connection[tuple[T], tuple[R]], work: Callable[[T], R]) -> None:
    # Ctrl-C reaches every process of a terminal; the one that started the others ends them.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    other.close()
    while True:
        try:
            (item,) = line.recv()
        except EOFError:
            return
        line.send((work(item),))
