"""Figures for Prometheus: webhooks by event and outcome, pauses, and what was told."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter

from docalign_actors.github.payloads import EVENTS
from docalign_actors.github.telemetry import CommandAnswered, GitHubFixed, GitHubPaused, GitHubTold, WebhookTaken
from docalign_actors.telemetry.stream import EventStream


def count(events: EventStream, registry: CollectorRegistry) -> None:
    """From now on. Events that nobody here knows are counted together: their names are GitHub's, and there are many."""
    taken = Counter("docalign_webhooks", "Webhooks that came from GitHub.", ("event", "outcome"), registry=registry)
    paused = Counter("docalign_github_pauses", "Times that GitHub asked us to wait.", registry=registry)
    told = Counter("docalign_github_writes", "What was written to GitHub.", ("what",), registry=registry)
    asked = Counter("docalign_github_commands", "Commands in comments.", ("command", "result"), registry=registry)
    fixed = Counter(
        "docalign_github_fixes", "Fixes that were asked for, by how they ended.", ("state",), registry=registry
    )

    def note(event: object) -> None:
        match event:
            case WebhookTaken(name=name, outcome=outcome):
                taken.labels(name if name in EVENTS else "other", outcome).inc()
            case GitHubPaused():
                paused.inc()
            case GitHubTold(what=what):
                told.labels(what).inc()
            case CommandAnswered(command=command, result=result):
                asked.labels(command, result).inc()
            case GitHubFixed(state=state):
                fixed.labels(state).inc()

    events.subscribe(note, WebhookTaken, GitHubPaused, GitHubTold, CommandAnswered, GitHubFixed)
