"""What the operating system sees: which processes there are. Looked at all the time, from outside the service."""

from __future__ import annotations

import os
import threading
from collections import Counter
from pathlib import Path

_EVERY = 0.05


def processes_with(*marks: bytes) -> dict[int, list[bytes]]:
    """Processes (no zombies) whose command line contains all of these, with their arguments."""
    found: dict[int, list[bytes]] = {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        try:
            command = (entry / "cmdline").read_bytes()
            if all(mark in command for mark in marks):
                state = (entry / "stat").read_text().rpartition(")")[2].split()[0]
                if state not in ("Z", "X"):
                    found[int(entry.name)] = command.rstrip(b"\0").split(b"\0")
        except OSError:
            continue
    return found


def leaders(found: dict[int, list[bytes]]) -> dict[int, list[bytes]]:
    """Only those whose parent is none of them: a scan's own helpers have its command line too."""
    kept = {}
    for pid, command in found.items():
        try:
            parent = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
        except (OSError, ValueError, IndexError):
            continue
        if parent not in found:
            kept[pid] = command
    return kept


class ScanWatcher(threading.Thread):
    """Counts the scans at work by their processes: never two of one repository, never more than the permits."""

    def __init__(self, repos: set[str], permits: int) -> None:
        super().__init__(daemon=True)
        self._repos = repos
        self._permits = permits
        self._done = threading.Event()
        self.most = 0
        self.looks = 0
        self.problems: list[str] = []

    def run(self) -> None:
        while not self._done.wait(_EVERY):
            self.looks += 1
            found = leaders(processes_with(b"docalign_actors.scan_process"))
            names = [command[-2].decode() for command in found.values() if len(command) > 2]
            mine = Counter(name for name in names if name in self._repos)
            self.most = max(self.most, mine.total())
            self.problems += [f"{number} scans of {repo} at once" for repo, number in mine.items() if number > 1]
            if mine.total() > self._permits:
                self.problems.append(f"{mine.total()} scans at once")

    def end(self) -> None:
        self._done.set()
        self.join(5)
