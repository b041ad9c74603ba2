"""`docalign baseline`: accepts today's findings for now."""

from __future__ import annotations

import argparse
from datetime import UTC, datetime

from docalign_actors.cli.session import Session
from docalign_actors.errors import UsageError
from docalign_actors.findings.baseline import make_baseline, read_baseline, write_baseline


def run_baseline(given: argparse.Namespace) -> int:
    """Writes the baseline beside the configuration, at the repository's root."""
    session = Session(given)
    if session.settings.under:
        raise UsageError(
            "A baseline is made for a whole repository.", hint="Leave the path out, or name the repository's root."
        )
    path = session.git.root / session.configuration.baseline
    before = read_baseline(path)
    today = datetime.now(tz=UTC).date().isoformat()
    after = make_baseline(session.scan(), before, today, only_known=given.prune)
    write_baseline(path, after)
    ids = {entry.id for entry in before.findings}
    new = sum(1 for entry in after.findings if entry.id not in ids)
    gone = len(ids - {entry.id for entry in after.findings})
    print(f"{session.configuration.baseline}: {len(after.findings)} known ({new} new, {gone} no longer found).")
    return 0
