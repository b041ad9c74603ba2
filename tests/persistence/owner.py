"""A process that owns the server of a data directory until its input ends: something for the tests to kill."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

from docalign_actors.persistence.server import Server


def main(directory: Path, forks: bool) -> None:
    with Server(directory) as server:
        child = 0
        if forks:
            child = os.fork()
            if child == 0:
                signal.pause()
        print(server.pid, server.url, child, flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main(Path(sys.argv[1]), "fork" in sys.argv[2:])
