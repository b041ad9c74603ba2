"""Runs the service for the demo, and ends it with the demo, however that ends: `python -m docalign_actors.demo.launch PARENT …`"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys

_PR_SET_PDEATHSIG = 1


def main() -> None:
    """The words after the parent's number are those of `docalign`."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != int(sys.argv[1]):
        return  # it was faster
    words = [sys.executable, "-P", "-m", "docalign_actors", *sys.argv[2:]]
    os.execv(sys.executable, words)  # noqa: S606 - ourselves, with words of our own


if __name__ == "__main__":
    main()
