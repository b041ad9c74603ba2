"""One stream of events; logs, metrics and pages subscribe to it."""

from docalign_actors.telemetry.stream import EventStream
from docalign_actors.telemetry.trace import current_trace

__all__ = ["EventStream", "current_trace"]
