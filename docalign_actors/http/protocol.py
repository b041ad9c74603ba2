"""The server's side of a connection: uvicorn's fast parser, with a bound on the head of a request, which it lacks."""

from __future__ import annotations

from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

MOST_HEAD_BYTES = 32_768


class HeadTooLargeError(Exception):
    """Raised into the parser, which then answers 400 and closes the connection."""


class BoundedProtocol(HttpToolsProtocol):
    """Refuses a request whose address and headers are larger than any honest one's."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._in_head = True
        self._came = 0
        self._read = 0

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        # The parser keeps to itself what is not yet a whole header: so what comes is counted, not only what it gives.
        if self._in_head:
            self._came += len(data)
            if self._came > MOST_HEAD_BYTES and not self.transport.is_closing():
                self.send_400_response("The head of the request is too large.")

    def on_message_begin(self) -> None:
        self._in_head = True
        self._came = self._read = 0
        super().on_message_begin()

    def on_url(self, url: bytes) -> None:
        self._count(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        self._count(len(name) + len(value))
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        self._in_head = False
        super().on_headers_complete()

    def _count(self, size: int) -> None:
        self._read += size
        if self._read > MOST_HEAD_BYTES:
            raise HeadTooLargeError
