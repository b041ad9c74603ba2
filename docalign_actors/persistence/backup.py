"""Backup and restore of the whole database, by PostgreSQL's own programs.

A backup is one consistent moment of the database, written beside the target and renamed when it is whole. A restore is
one transaction: it replaces everything or changes nothing, also when it is killed.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import IO

import psycopg
from msgspec import Struct
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from docalign_actors.errors import BackupError
from docalign_actors.persistence import migrations
from docalign_actors.persistence.database import translate
from docalign_actors.persistence.embedded import binaries
from docalign_actors.persistence.embedded.binaries import Binaries

_MAGIC = b"PGDMP"
_LOCK_WAIT = "30s"
_MOST_SHOWN = 500
_VERSIONS = "schema_migrations"
_OTHERS = """
SELECT count(*) FROM pg_stat_activity
WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()
  AND application_name <> current_setting('application_name')
"""
"""One's own connection of a moment ago may not have ended yet on the server's side."""
_TABLES = "SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'schema_migrations'"
# The schema stays as it is: one that was dropped and made anew would be part of the next backup.
_CLEAR = f"""
BEGIN;
SET lock_timeout = '{_LOCK_WAIT}';
DO $$
DECLARE thing record;
BEGIN
    -- Sequences last: most of them go with the table that owns them.
    FOR thing IN SELECT c.relname AS name, CASE c.relkind WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW'
                 WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END AS kind
                 FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'S')
                 ORDER BY c.relkind = 'S'
    LOOP EXECUTE format('DROP %s IF EXISTS public.%I CASCADE', thing.kind, thing.name); END LOOP;
    FOR thing IN SELECT p.oid::regprocedure AS name FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace
                 AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')
    LOOP EXECUTE format('DROP ROUTINE IF EXISTS %s CASCADE', thing.name); END LOOP;
    FOR thing IN SELECT t.typname AS name FROM pg_type t
                 WHERE t.typnamespace = 'public'::regnamespace AND t.typtype IN ('e', 'd', 'r', 'c') AND (t.typrelid = 0
                 OR (SELECT c.relkind FROM pg_class c WHERE c.oid = t.typrelid) = 'c')
                 AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = t.oid AND d.deptype = 'e')
    LOOP EXECUTE format('DROP TYPE IF EXISTS public.%I CASCADE', thing.name); END LOOP;
END $$;
"""  # noqa: S608 - built of constants


class Programs(Struct, frozen=True):
    """PostgreSQL's programs with what they need to reach one database."""

    binaries: Binaries
    address: str
    environment: Mapping[str, str]

    def command(self, name: str, *arguments: str) -> list[str]:
        return [self.binaries.program(name), *arguments]


def backup(url: str, target: Path) -> int:
    """Write a backup; gives its size in bytes. A file that is there already is not overwritten."""
    if target.exists():
        raise BackupError(f"{target} is there already.", hint="Name a file that does not exist yet.")
    programs = _programs(url)
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        part.touch(mode=0o600)
        dump = ("--format=custom", "--no-owner", "--no-privileges", f"--lock-wait-timeout={_LOCK_WAIT}")
        _run(programs, "pg_dump", *dump, f"--file={part}", f"--dbname={programs.address}")
        contents(part, programs)
        with part.open("rb") as file:
            os.fsync(file.fileno())
        os.link(part, target)  # unlike a rename, it fails if somebody has made the target meanwhile
    except OSError as error:
        hint = "Name a file in a folder that exists and that this user may write."
        raise BackupError(f"{target} cannot be written: {error.strerror}.", hint=hint) from error
    finally:
        part.unlink(missing_ok=True)
    return target.stat().st_size


def restore(url: str, source: Path, *, force: bool = False) -> None:
    """Replace the database by a backup. `force`: even if it holds data. Nobody else may be connected."""
    programs = _programs(url)
    entries = contents(source, programs)
    _refuse_newer(source, programs)
    _refuse_in_use(url, force=force)
    with tempfile.NamedTemporaryFile("w", suffix=".list") as listing:
        listing.write("\n".join(line for line in entries if " SCHEMA - public " not in line))
        listing.flush()
        _replace(programs, source, listing.name)


def contents(source: Path, programs: Programs) -> list[str]:
    """The table of contents of a backup; an error if it is none."""
    try:
        with source.open("rb") as file:
            magic = file.read(len(_MAGIC))
    except OSError as error:
        hint = "Name a file that `docalign backup` has written, and that this user may read."
        raise BackupError(f"{source} cannot be read: {error.strerror}.", hint=hint) from error
    if magic != _MAGIC:
        raise BackupError(f"{source} is not a backup.", hint="Name a file that `docalign backup` has written.")
    return _run(programs, "pg_restore", "--list", str(source)).splitlines()


def _programs(url: str) -> Programs:
    """Programs that fit the server: pg_dump refuses servers that are newer than itself."""
    try:
        with psycopg.connect(url, connect_timeout=10, application_name=_own_name()) as connection:
            major = connection.info.server_version // 10000
    except psycopg.Error as error:
        raise translate(error) from error
    found = binaries.newest(at_least=major)
    if found is None:
        raise BackupError(
            f"The server is PostgreSQL {major}; there are no programs of that version here.",
            hint=f"Install the client programs of PostgreSQL {major}, or name them with {binaries.VARIABLE}.",
        )
    parameters = conninfo_to_dict(url)
    password = parameters.pop("password", None)  # arguments can be seen by everybody
    environment = {**os.environ, "LC_ALL": "C", **({"PGPASSWORD": str(password)} if password else {})}
    return Programs(found, make_conninfo("", **parameters), environment)


def _run(programs: Programs, name: str, *arguments: str) -> str:
    run = subprocess.run(
        programs.command(name, *arguments),
        capture_output=True,
        text=True,
        errors="replace",
        env=dict(programs.environment),
    )
    if run.returncode != 0:
        raise BackupError(f"{name} failed: {_short(run.stderr)}")
    return run.stdout


def _short(output: str) -> str:
    return " ".join(output.split())[:_MOST_SHOWN] or "it said nothing"


def _refuse_newer(source: Path, programs: Programs) -> None:
    script = _run(programs, "pg_restore", "--data-only", f"--table={_VERSIONS}", "--file=-", str(source))
    _, _, rows = script.partition(f"COPY public.{_VERSIONS} ")
    versions = [int(line.split("\t")[0]) for line in rows.splitlines() if line[:1].isdigit()]
    if not versions:
        raise BackupError(f"{source} is a backup of another program's database.")
    known = len(migrations.known())
    if max(versions) > known:
        raise BackupError(
            f"{source} has schema version {max(versions)}; this docalign knows {known}.",
            hint="Install the docalign that wrote the backup, or a newer one.",
        )


def _refuse_in_use(url: str, *, force: bool) -> None:
    try:
        with psycopg.connect(url, connect_timeout=10, application_name=_own_name()) as connection:
            others = connection.execute(_OTHERS).fetchone()
            if others is not None and others[0]:
                raise BackupError("Somebody is connected to the database.", hint="Stop the service first.")
            tables = [str(row[0]) for row in connection.execute(_TABLES)]
            full = None if force else next((table for table in tables if _has_rows(connection, table)), None)
    except psycopg.Error as error:
        raise translate(error) from error
    if full is not None:
        raise BackupError(f"The database holds data, in {full} for one.", hint="--force replaces all of it.")


def _own_name() -> str:
    """What this process calls itself there, and nobody else."""
    return f"docalign-backup-{os.getpid()}"


def _has_rows(connection: psycopg.Connection[tuple[object, ...]], table: str) -> bool:
    query = sql.SQL("SELECT 1 FROM public.{} LIMIT 1").format(sql.Identifier(table))
    return connection.execute(query).fetchone() is not None


def _replace(programs: Programs, source: Path, listing: str) -> None:
    """Clear and fill in one transaction; committed only when the whole backup was read without an error."""
    reading = programs.command("pg_restore", "--no-owner", "--no-privileges", f"--use-list={listing}", "--file=-")
    writing = programs.command(
        "psql", "--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", f"--dbname={programs.address}"
    )
    with tempfile.TemporaryFile() as complaints:
        reader = subprocess.Popen([*reading, str(source)], stdout=subprocess.PIPE, stderr=complaints)
        writer = subprocess.Popen(
            writing, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=complaints, env=dict(programs.environment)
        )
        whole = _feed(reader, writer)
        if writer.wait() != 0 or not whole:
            complaints.seek(0)
            raise BackupError(
                f"The restore failed and was undone: {_short(complaints.read().decode(errors='replace'))}"
            )


def _feed(reader: subprocess.Popen[bytes], writer: subprocess.Popen[bytes]) -> bool:
    """Whether everything went from the reader to the writer, with the COMMIT at its end."""
    assert reader.stdout is not None  # noqa: S101 - both are pipes
    assert writer.stdin is not None  # noqa: S101
    to: IO[bytes] = writer.stdin
    try:
        with reader.stdout, to:
            to.write(_CLEAR.encode())
            shutil.copyfileobj(reader.stdout, to)
            whole = reader.wait() == 0
            if whole:
                to.write(b"COMMIT;\n")
        return whole
    except BrokenPipeError:  # the writer has given up, and says why
        return False
    finally:
        reader.kill()
        reader.wait()
