"""The watcher's rules out of the settings."""

from __future__ import annotations

from docalign_actors.settings.model import WatchSettings
from docalign_actors.watch.circuit import Rules
from docalign_actors.watch.deciding import Numbers
from docalign_actors.watch.recurrence import parse


def numbers_of(settings: WatchSettings) -> Numbers:
    """What holds where a repository has no rule of its own. Raises BadScheduleError where the words say nothing."""
    return Numbers(parse(settings.check), parse(settings.full), settings.retry_failed)


def rules_of(settings: WatchSettings) -> Rules:
    """When circuits open, and for how long."""
    return Rules(settings.circuit_failures, settings.circuit_pause)
