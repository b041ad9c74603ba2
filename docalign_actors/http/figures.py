"""Figures of the HTTP side itself, beside those of the actors: requests by method and status, their time, open streams.

Kept by hand: a counter object a request would cost more than the dictionary that it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
"""Others are counted together: a client may call a method whatever it likes."""


class Figures:
    """Written by the event loop, read by whoever renders."""

    def __init__(self) -> None:
        self._requests: Counter[tuple[str, int]] = Counter()
        self._seconds = 0.0
        self._timed = 0

    def count(self, method: str, status: int, seconds: float, stream: bool = False) -> None:
        """A request that was answered. How long a live stream was open says nothing of how fast we are."""
        self._requests[method if method in _METHODS else "other", status] += 1
        if not stream:
            self._seconds += seconds
            self._timed += 1

    def render(self, streams: int) -> bytes:
        """In Prometheus' text format."""
        counted = [
            f'docalign_http_requests_total{{method="{method}",status="{status}"}} {number}'
            for (method, status), number in sorted(self._requests.copy().items())
        ]
        lines = [
            "# HELP docalign_http_requests_total Requests answered.",
            "# TYPE docalign_http_requests_total counter",
            *counted,
            "# HELP docalign_http_request_seconds Time to answer a request, live streams left out.",
            "# TYPE docalign_http_request_seconds summary",
            f"docalign_http_request_seconds_sum {self._seconds:.6f}",
            f"docalign_http_request_seconds_count {self._timed}",
            "# HELP docalign_http_streams Live streams that are open.",
            "# TYPE docalign_http_streams gauge",
            f"docalign_http_streams {streams}",
        ]
        return ("\n".join(lines) + "\n").encode()


def together(metrics: Callable[[], bytes], figures: Figures, streams: int) -> bytes:
    """The figures of the whole service."""
    return metrics().rstrip(b"\n") + b"\n" + figures.render(streams)
