"""A receiver for many applications, in a process of its own: each has a path, and its deliveries must come in their order."""

from __future__ import annotations

import asyncio
import json
import threading
from multiprocessing.connection import Connection
from typing import Any


class Tally:
    """What came, over all paths."""

    def __init__(self) -> None:
        self.last: dict[str, int] = {}
        self.came = 0
        self.twice = 0
        self.wrong = 0
        """Deliveries that came neither next nor again."""

    def note(self, path: str, sequence: int) -> None:
        last = self.last.get(path, 0)
        self.came += 1
        if sequence == last + 1:
            self.last[path] = sequence
        elif sequence == last:
            self.twice += 1
        else:
            self.wrong += 1

    def figures(self) -> dict[str, Any]:
        return {
            "came": self.came, "twice": self.twice, "wrong": self.wrong, "paths": len(self.last), "sum": sum(self.last.values()),
            "least": min(self.last.values(), default=0),
        }  # fmt: skip


def receive(pipe: Connection) -> None:
    """Serves until it is killed: sends its port, then an answer to each word that comes through the pipe."""
    asyncio.run(_serve(pipe))


async def _serve(pipe: Connection) -> None:
    tally = Tally()

    async def meet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
            body = await reader.readexactly(length)
            tally.note(head.split(b" ", 2)[1].decode(), json.loads(body)["sequence"])
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass  # whoever sent it was killed
        finally:
            writer.close()

    server = await asyncio.start_server(meet, "127.0.0.1", 0, backlog=1024)
    pipe.send(server.sockets[0].getsockname()[1])

    def answer() -> None:
        while True:
            pipe.recv()
            pipe.send(tally.figures())

    threading.Thread(target=answer, daemon=True).start()
    await server.serve_forever()
