"""One line of the log for each end of a run, and for each attempt that came to nothing."""

from __future__ import annotations

from loguru import logger

from docalign_actors.scans.model import Run, Status
from docalign_actors.scans.outcomes import Next

_MOST = 500


def log_outcome(run: Run, outcome: Next, seconds: float) -> None:
    """What became of a run, for whoever reads the log."""
    level, text = told(run, outcome, seconds)
    logger.bind(run=str(run.id), repo=str(run.repo_id)).log(level, "{}", text)


def told(run: Run, outcome: Next, seconds: float) -> tuple[str, str]:
    """The level and the line. What git or a repository wrote is in it, so nothing that a terminal would obey stays."""
    pull = f" of pull request {run.pr_number}" if run.pr_number else ""
    line = f"{run.type.value} scan {run.id}{pull} of repository {run.repo_id}: "
    error = "".join(c if c.isprintable() else "?" for c in f"{outcome.code} {outcome.error}".strip())[:_MOST]
    if outcome.status is Status.QUEUED:
        line += f"goes on later ({error})" if error else "waits for agents"
    else:
        line += f"{outcome.status.value} after {seconds:.1f} s" + (f" ({error})" if error else "")
    return ("WARNING" if error else "INFO"), line
