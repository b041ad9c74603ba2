"""The trace id of what this thread (or task) is doing now: set by whoever starts the work, read by logs and SQL comments."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from loguru import logger

_trace: ContextVar[str] = ContextVar("docalign_trace", default="")


def current_trace() -> str:
    """The trace id of the work under way; empty outside of any."""
    return _trace.get()


@contextmanager
def traced(trace: str, **fields: str) -> Iterator[None]:
    """Everything inside belongs to this trace; `fields` are further words for its log lines."""
    token = _trace.set(trace)
    try:
        with logger.contextualize(trace=trace, **fields):
            yield
    finally:
        _trace.reset(token)
