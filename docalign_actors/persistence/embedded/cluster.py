"""The database directory: made once, whole or not at all."""

from __future__ import annotations

import errno
import hashlib
import os
import pwd
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from docalign_actors.errors import DatabaseError, DataDirectoryError, DiskFullError
from docalign_actors.persistence.embedded import diagnosis, launcher
from docalign_actors.persistence.embedded.binaries import Binaries

_LONGEST_SOCKET = 103  # bytes that fit into a socket's address on every system, with the closing zero
_SOCKET_NAME = ".s.PGSQL.5432"
_INITDB_SECONDS = 120

# For a small machine. fsync and full_page_writes stay on, as they are by default: an acknowledged row is on the disk.
SETTINGS: Mapping[str, str] = {
    "listen_addresses": "",
    "unix_socket_permissions": "0700",
    "max_connections": "60",
    "shared_buffers": "64MB",
    "synchronous_commit": "on",
    "max_wal_size": "256MB",
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "max_parallel_workers_per_gather": "0",
    "io_method": "sync",
    "jit": "off",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "log_line_prefix": "%m [%p] %q%a ",
    "log_min_duration_statement": "2s",
    "log_parameter_max_length": "0",
    "log_checkpoints": "off",
    # After a crash all files are synced first: by one call, where there is one, instead of a thousand.
    "recovery_init_sync_method": "syncfs" if sys.platform.startswith("linux") else "fsync",
}
# Since version 18; older servers do not start with a setting that they do not know.
_NEW_SETTINGS = {"io_method": 18}


def launched(command: Sequence[str | Path]) -> list[str]:
    """The command behind the launcher, so that it ends with this process."""
    namespace = "1" if _needs_namespace() else "0"
    return [sys.executable, "-I", "-S", launcher.__file__, str(os.getpid()), namespace, *map(str, command)]


def _needs_namespace() -> bool:
    """PostgreSQL runs neither as root nor as a user that has no name, as containers often have it."""
    try:
        return os.geteuid() == 0 or not pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:
        return True


def server_command(binaries: Binaries, data: Path, socket: Path, settings: Mapping[str, str]) -> list[str]:
    command = [binaries.program("postgres"), "-D", str(data), "-k", str(socket)]
    for name, value in {**SETTINGS, **settings}.items():
        if binaries.major >= _NEW_SETTINGS.get(name, 0):
            command += ["-c", f"{name}={value}"]
    return launched(command)


def prepare_directory(directory: Path) -> None:
    """Make the data directory, or say why it cannot be used."""
    try:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise directory_error(directory, error) from error
    if not os.access(directory, os.W_OK | os.X_OK):
        raise DataDirectoryError(f"{directory} is not writable for this user.")


def directory_error(directory: Path, error: OSError) -> DatabaseError:
    if error.errno == errno.ENOSPC:
        return DiskFullError(f"There is no room left on the disk of {directory}.")
    return DataDirectoryError(f"{directory} cannot be used: {error.strerror}.")


def make_cluster(binaries: Binaries, data: Path, *, durable: bool) -> bool:
    """Make the database files unless they are there. Made beside and renamed: a kill leaves nothing half made."""
    if (data / "PG_VERSION").exists():
        return False
    if data.exists() and any(data.iterdir()):
        raise DataDirectoryError(
            f"{data} holds files, but no database: they may be somebody's, so they are left alone."
        )
    half = data.with_name(data.name + ".new")
    try:
        shutil.rmtree(half, ignore_errors=True)
        _initdb(binaries, half, durable=durable)
        half.replace(data)
        _sync(data.parent)
    except OSError as error:
        raise directory_error(data.parent, error) from error
    finally:
        shutil.rmtree(half, ignore_errors=True)
    return True


def _initdb(binaries: Binaries, data: Path, *, durable: bool) -> None:
    command: list[str | Path] = [
        *(binaries.program("initdb"), "-D", data, "-U", "postgres", "-E", "UTF8", "--data-checksums"),
        *("--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"),
        *("--auth-local=trust", "--auth-host=reject"),
        *([] if durable else ["--no-sync"]),
    ]
    run = subprocess.run(launched(command), capture_output=True, text=True, timeout=_INITDB_SECONDS)
    if run.returncode != 0:
        raise diagnosis.explain(run.returncode, run.stderr, data)


def _sync(directory: Path) -> None:
    file = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(file)
    finally:
        os.close(file)


def socket_directory(data: Path) -> Path:
    """Where the server's socket is: beside the data, or under a short name when that path is too long for one."""
    short = f"docalign-{os.geteuid()}-{hashlib.sha256(os.fsencode(data)).hexdigest()[:12]}"
    # The temporary folder of a user may lie deep, too.
    places = (data.with_name("socket"), Path(tempfile.gettempdir()) / short, Path("/tmp") / short)  # noqa: S108 - looked at below
    chosen = next((p for p in places if len(os.fsencode(p / _SOCKET_NAME)) <= _LONGEST_SOCKET), places[-1])
    try:
        chosen.mkdir(mode=0o700, exist_ok=True)
        found = chosen.lstat()
    except OSError as error:
        raise directory_error(chosen, error) from error
    # The temporary folder is everybody's: a directory that somebody else put there would let them in.
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid() or found.st_mode & 0o077:
        raise DataDirectoryError(f"{chosen} is not a private directory of this user.")
    return chosen
