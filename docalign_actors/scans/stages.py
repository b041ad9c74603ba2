"""The stages of a scan, in order, and the instants at which it looks whether it was cancelled.

A stage that runs in the scan's own process can be ended at any instant, by ending the process; the points below are where
a cancellation is noticed at the latest.
"""

from __future__ import annotations

FETCH = "fetch"
"""Brings the commits into the mirror."""
EXTRACTION = "extraction"
"""Reads the documents and the claims in them."""
INDEX = "index"
"""Reads the code that the claims give a reason to read."""
VERIFICATION = "verification"
"""Judges the claims, the past included."""
AGENTS = "agents"
"""Waits, without a permit, for agents to say what code cannot. Only where there is something to ask."""
MERGE = "merge"
"""Leaves out what is suppressed, orders and caps, and stores what was found."""
REPORTING = "reporting"
"""Health, co-changes, and whatever a host is told."""

STAGES = (FETCH, EXTRACTION, INDEX, VERIFICATION, MERGE, REPORTING)

ENGINE_STAGES = {"documents": EXTRACTION, "code": INDEX, "claims": VERIFICATION, "past": VERIFICATION}
"""What the engine calls its steps, and the stage that each belongs to."""


def stages_of(*, agents: bool) -> tuple[str, ...]:
    """The stages that a scan goes through. `agents`: it asks them something."""
    return (*STAGES[:4], AGENTS, *STAGES[4:]) if agents else STAGES
