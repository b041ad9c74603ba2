"""The schema of a database as text, to compare."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from docalign_actors.persistence.embedded import binaries


def schema_of(url: str) -> str:
    """What pg_dump says of everything but the rows."""
    program = binaries.find(Path("/nonexistent")).program("pg_dump")
    run = subprocess.run([program, "--schema-only", "--no-owner", url], capture_output=True, text=True, check=True)
    return re.sub(r"^\\(un)?restrict .*$", "", run.stdout, flags=re.MULTILINE)  # a new random word each time
