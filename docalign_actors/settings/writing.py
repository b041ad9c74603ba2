"""Writes settings into a TOML file that people write too: their lines, comments and order stay as they are."""

from __future__ import annotations

import contextlib
import json
import os
import re
import tempfile
import tomllib
from collections.abc import Mapping
from pathlib import Path

from docalign_actors.errors import ConfigurationError

Value = str | int
_HEADER = re.compile(r"\s*\[\s*(?P<name>[A-Za-z0-9_\-]+)\s*\]\s*(?:#.*)?")
_ANY_HEADER = re.compile(r"\s*\[")


def with_values(text: str, group: str, values: Mapping[str, Value]) -> str:
    """The text with these values in its table `group`. Refuses what it cannot change without touching anything else."""
    try:
        before = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigurationError(f"The settings are not TOML: {error}.", hint="Mend the file first.") from None
    wanted = {**before, group: {**_table(before, group), **values}}
    made = _written(text, group, values)
    try:
        same = tomllib.loads(made) == wanted
    except tomllib.TOMLDecodeError:
        same = False
    if not same:
        raise ConfigurationError(
            f"The table [{group}] of the settings is written in a way that cannot be changed safely.",
            hint=f"Write it as a table of its own, [{group}] on a line and one `key = value` a line below it.",
        )
    return made


def _table(document: Mapping[str, object], group: str) -> Mapping[str, object]:
    found = document.get(group, {})
    return found if isinstance(found, dict) else {}


def _written(text: str, group: str, values: Mapping[str, Value]) -> str:
    new = [f"{key} = {_toml(value)}" for key, value in values.items()]
    lines = text.rstrip("\n").split("\n") if text.strip() else []
    start = next((n for n, line in enumerate(lines) if _names(line, group)), None)
    if start is None:
        gap = [""] if lines and lines[-1].strip() else []
        return "\n".join([*lines, *gap, f"[{group}]", *new]) + "\n"
    end = next((n for n in range(start + 1, len(lines)) if _ANY_HEADER.match(lines[n])), len(lines))
    kept = [line for line in lines[start + 1 : end] if not _assigns(line, values)]
    return "\n".join([*lines[: start + 1], *new, *kept, *lines[end:]]) + "\n"


def _names(line: str, group: str) -> bool:
    found = _HEADER.fullmatch(line)
    return found is not None and found["name"] == group


def _assigns(line: str, values: Mapping[str, Value]) -> bool:
    key, mark, _ = line.partition("=")
    return bool(mark) and key.strip().strip("\"'") in values


def _toml(value: Value) -> str:
    """JSON's strings are TOML's, but for one character that JSON leaves as it is."""
    return str(value) if isinstance(value, int) else json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def write_private(path: Path, text: str) -> None:
    """Puts a file in place as a whole, for its owner alone: nobody ever sees half of it, and nobody else sees it."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")  # made with mode 0600
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        if os.geteuid() == 0:  # as root for a service that runs as somebody else: the file is that somebody's
            owner = (path if path.exists() else path.parent).stat()
            os.chown(name, owner.st_uid, owner.st_gid)
        os.replace(name, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise
