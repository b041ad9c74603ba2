"""`docalign demo`: the whole story on one machine, without any account."""

from __future__ import annotations

import argparse
import signal
import sys
from types import FrameType

from docalign_actors.errors import UsageError


def run_demo(given: argparse.Namespace) -> int:
    """0 if every step came. Ctrl-C ends it in order, not at once: there is something to clear away."""
    if not 0 <= given.port <= 65_535:
        raise UsageError("--port is from 0 to 65,535.")
    from docalign_actors.demo.story import run
    from docalign_actors.telemetry import logs

    logs.configure("console", "ERROR")
    signal.signal(signal.SIGINT, _ended)
    signal.signal(signal.SIGTERM, _ended)
    told = False

    def say(text: str) -> None:
        nonlocal told
        told = text.startswith("Everything stays")
        print(text, flush=True)

    try:
        run(port=given.port, keep=given.keep, say=say)
    except KeyboardInterrupt:
        print("\nended", file=sys.stderr)
        return 0 if told else 130
    return 0


def _ended(number: int, frame: FrameType | None) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise KeyboardInterrupt
