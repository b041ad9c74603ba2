"""Tell systemd how we are (sd_notify): `READY=1`, `STOPPING=1`, `WATCHDOG=1`, `STATUS=…`. Nothing happens without systemd."""

import os
import socket
from collections.abc import Mapping


def notify(state: str, environment: Mapping[str, str] = os.environ) -> bool:
    """Send one state; whether it was sent."""
    address = environment.get("NOTIFY_SOCKET", "")
    if not address:
        return False
    if address.startswith("@"):
        # An abstract socket: Linux marks it by a leading zero byte.
        address = "\0" + address[1:]
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as out:
            out.connect(address)
            out.send(state.encode())
    except OSError:
        return False
    return True


def watchdog_interval(environment: Mapping[str, str] = os.environ) -> float:
    """Seconds between two `WATCHDOG=1`: a third of what systemd allows; 0 if it does not watch this process."""
    for_us = environment.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
    allowed = environment.get("WATCHDOG_USEC", "")
    return int(allowed) / 3_000_000 if for_us and allowed.isdigit() else 0.0


def into_journal(stream: int = 1, environment: Mapping[str, str] = os.environ) -> bool:
    """Whether what is written to this file descriptor is kept in systemd's journal, which many may read."""
    try:
        file = os.fstat(stream)
    except OSError:
        return False
    return environment.get("JOURNAL_STREAM", "") == f"{file.st_dev}:{file.st_ino}"
