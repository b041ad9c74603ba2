"""service.json: what other commands on this machine need to speak to the running service. For its user alone."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec
from msgspec import Struct


class Handle(Struct, frozen=True):
    """The service's process, its address, and a token that is as good as this start."""

    pid: int
    address: str
    token: str


def handle_path(data_dir: Path) -> Path:
    return data_dir / "service.json"


def read_handle(data_dir: Path) -> Handle | None:
    """What the service left there, whether or not it still runs."""
    try:
        return msgspec.json.decode(handle_path(data_dir).read_bytes(), type=Handle)
    except (OSError, msgspec.DecodeError):
        return None


def write_handle(data_dir: Path, handle: Handle) -> Path:
    """Whole or not at all, and readable by nobody else from its first instant."""
    path = handle_path(data_dir)
    descriptor = os.open(path.with_suffix(".new"), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(msgspec.json.encode(handle))
    os.replace(path.with_suffix(".new"), path)
    return path
