"""The server's side of a connection: uvicorn's fast parser, with a bound on the head of a request, which it lacks."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from loguru import logger
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from docalign_actors.errors import DocAlignError
from docalign_actors.http import problems
from docalign_actors.http.errors import HeadTooLargeError, NotHttpError
from docalign_actors.ids import new_trace

MOST_HEAD_BYTES = 32_768


class BoundedProtocol(HttpToolsProtocol):
    """Refuses a request whose address and headers are larger than any honest one's. What is refused here never becomes a
    request, but is answered like one: by a problem document."""

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
                self._refuse(HeadTooLargeError())

    def send_400_response(self, msg: str) -> None:
        """The parser gave up: over what it was fed, or because of an error that was raised into it."""
        self._refuse(HeadTooLargeError() if self._read > MOST_HEAD_BYTES else NotHttpError())

    def _refuse(self, error: DocAlignError) -> None:
        trace = new_trace()
        answer = problems.respond(error, trace, {"Connection": "close", "X-Request-Id": trace})
        logger.debug("{} before there was a request, trace {}", answer.status_code, trace)
        lines = [f"HTTP/1.1 {answer.status_code} {HTTPStatus(answer.status_code).phrase}".encode()]
        lines.extend(name + b": " + value for name, value in answer.raw_headers)
        self.transport.write(b"\r\n".join([*lines, b"", bytes(answer.body)]))
        self.transport.close()

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
