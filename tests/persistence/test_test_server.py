"""The server that the tests share must not outlive them."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import uuid
from pathlib import Path

from tests.support.waiting import until

USER = """
import os, signal, psycopg
from tests.support.database import create_database, run_directory
with psycopg.connect(create_database()) as connection:
    print(connection.execute("SELECT count(*) FROM schema_migrations").fetchone()[0], flush=True)
    print(run_directory(), flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""


def use_and_die(run: str) -> subprocess.Popen[str]:
    """A worker of a test run of that id, which makes a database and is killed."""
    return subprocess.Popen(
        [sys.executable, "-c", USER],
        env={**os.environ, "PYTEST_XDIST_TESTRUNUID": run},
        cwd=Path(__file__).parents[2],
        stdout=subprocess.PIPE,
        text=True,
    )


def test_the_shared_server_ends_after_its_last_user_was_killed() -> None:
    run = uuid.uuid4().hex
    workers = [use_and_die(run) for _ in range(3)]
    printed = [worker.communicate(timeout=100)[0].split() for worker in workers]
    directories = {words[1] for words in printed}
    assert len(directories) == 1
    assert all(int(words[0]) >= 1 for words in printed)
    directory = Path(directories.pop())
    assert directory.parent == Path(tempfile.gettempdir())
    until(lambda: not directory.exists(), timeout=60)
