"""The trace id of what this thread (or task) is doing now: set by whoever starts the work, read by logs and SQL comments."""

from __future__ import annotations

from contextvars import ContextVar, Token
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from loguru import Record

_under_way: ContextVar[tuple[str, str]] = ContextVar("docalign_trace", default=("", ""))


def current_trace() -> str:
    """The trace id of the work under way; empty outside of any."""
    return _under_way.get()[0]


class traced:  # noqa: N801 - used like a function
    """Everything inside belongs to this trace, and to this actor if one is named. Entered for every message and request."""

    __slots__ = ("_now", "_token")

    def __init__(self, trace: str, actor: str = "") -> None:
        self._now = (trace, actor or _under_way.get()[1])
        self._token: Token[tuple[str, str]] | None = None

    def __enter__(self) -> None:
        self._token = _under_way.set(self._now)

    def __exit__(self, *_: object) -> None:
        if self._token is not None:
            _under_way.reset(self._token)


def stamp(record: Record) -> None:
    """Adds to a log record whose it is, where it does not say so itself."""
    trace, actor = _under_way.get()
    extra = record["extra"]
    extra["trace"] = extra.get("trace") or trace
    extra["actor"] = extra.get("actor") or actor
