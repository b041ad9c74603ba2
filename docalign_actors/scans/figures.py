"""Figures for Prometheus: what was asked of agents, and what came of it."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter

from docalign_actors.scans.events import AgentsHeard
from docalign_actors.telemetry.stream import EventStream


def count(events: EventStream, registry: CollectorRegistry) -> None:
    """From now on."""
    questions = Counter(
        "docalign_agent_questions",
        "Questions of scans to agents, by what came of them.",
        ("outcome",),
        registry=registry,
    )
    tokens = Counter("docalign_agent_tokens", "Tokens that agents say their models used.", registry=registry)

    def note(event: object) -> None:
        if isinstance(event, AgentsHeard):
            questions.labels("decided").inc(event.decided)
            questions.labels("undecided").inc(event.undecided)
            questions.labels("unanswered").inc(event.asked - event.answered)
            tokens.inc(event.tokens)

    events.subscribe(note, AgentsHeard)
