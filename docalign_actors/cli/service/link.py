"""How a command reaches the service: over HTTP when it runs, through the database when it does not.

The running service leaves service.json in its data directory, for its own user: the address and a token of this start.
"""

from __future__ import annotations

import argparse
import http.client
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import msgspec

from docalign_actors.cli.service.owner import work_as_owner
from docalign_actors.errors import DocAlignError
from docalign_actors.handle import Handle, read_handle
from docalign_actors.persistence.connection import usable_address
from docalign_actors.persistence.database import Database
from docalign_actors.persistence.migrations import migrate
from docalign_actors.persistence.server import attach_or_start
from docalign_actors.settings import Loaded, Settings, load

_TIMEOUT = 30.0
_PAGE = 200


class NotRunningError(DocAlignError):
    """The service does not run."""

    code = "DOCALIGN_E602"
    hint = "Start it with `docalign serve`, or name its data directory with --data-dir."


class RefusedError(DocAlignError):
    """The service refused."""

    def __init__(self, problem: Mapping[str, Any], status: int) -> None:
        super().__init__(
            str(problem.get("detail") or problem.get("title") or f"The service answered {status}."),
            hint=str(problem.get("hint") or "Look at the service's log."),
        )
        self.code = str(problem.get("code") or "DOCALIGN_E000")


def load_settings(given: argparse.Namespace, **flags: object) -> Loaded:
    """The settings, with the flags that every command of the service takes."""
    named = {"data_dir": str(given.data_dir) if given.data_dir else None, **flags}
    loaded = load(flags=named, environment=os.environ, config=given.config)
    work_as_owner(Path(loaded.settings.data_dir))
    return loaded


@contextmanager
def open_database(settings: Settings) -> Iterator[Database]:
    """The service's database, with the service or without; brought up to date if nobody else looks after it."""
    with _address(settings) as url:
        if find_service(settings.data_dir) is None:
            migrate(url)
        with Database(url, pool_size=2) as database:
            yield database


@contextmanager
def _address(settings: Settings) -> Iterator[str]:
    if settings.database.url:
        yield usable_address(settings.database.url.reveal())
        return
    with attach_or_start(Path(settings.data_dir)) as server:
        yield server.url


def find_service(data_dir: Path) -> Link | None:
    """The service that runs on this data directory, if one does and answers."""
    handle = read_handle(Path(data_dir))
    try:
        if handle is None:
            return None
        os.kill(handle.pid, 0)
    except OSError:
        return None
    link = Link(handle)
    return link if link.answers() else None


class Link:
    """Speaks to the running service."""

    def __init__(self, handle: Handle) -> None:
        self.handle = handle
        self._place = urlsplit(handle.address)

    def answers(self) -> bool:
        connection = self._connect(2.0)
        try:
            connection.request("GET", "/livez")
            return connection.getresponse().status == 200
        except (OSError, http.client.HTTPException):
            return False
        finally:
            connection.close()

    def call(self, method: str, path: str, body: object = None) -> Any:
        """The answer's JSON. A refusal is raised as the error that it describes."""
        status, found = self._ask(method, path, body)
        if status >= 400:
            raise RefusedError(found if isinstance(found, dict) else {}, status)
        return found

    def trouble(self) -> list[str]:
        """Why the service cannot work just now; nothing if it can."""
        _, found = self._ask("GET", "/readyz")
        return [str(reason) for reason in found["reasons"]] if isinstance(found, dict) and "reasons" in found else []

    def _ask(self, method: str, path: str, body: object = None) -> tuple[int, Any]:
        connection = self._connect(_TIMEOUT)
        headers = {"Authorization": f"Bearer {self.handle.token}", "Content-Type": "application/json"}
        try:
            connection.request(method, path, None if body is None else msgspec.json.encode(body), headers)
            answer = connection.getresponse()
            data = answer.read()
        except (OSError, http.client.HTTPException) as error:
            raise NotRunningError(f"The service at {self.handle.address} does not answer: {error}.") from None
        finally:
            connection.close()
        return answer.status, _decoded(data)

    def items(self, path: str, **query: str) -> Iterator[dict[str, Any]]:
        """Every item of a list that comes in pages."""
        while True:
            page = self.call("GET", f"{path}?{urlencode({'limit': _PAGE, **query})}")
            yield from page["items"]
            if not page["next_cursor"]:
                return
            query["cursor"] = page["next_cursor"]

    def events(self, path: str) -> Iterator[tuple[str, dict[str, Any]]]:
        """The events of a stream, until it ends."""
        connection = self._connect(None)
        connection.request("GET", path, headers={"Authorization": f"Bearer {self.handle.token}"})
        answer = connection.getresponse()
        if answer.status >= 400:
            raise RefusedError(_decoded(answer.read()) or {}, answer.status)
        name = ""
        for line in answer:
            field, _, value = line.decode("utf-8", "replace").rstrip("\r\n").partition(": ")
            if field == "event":
                name = value
            elif field == "data":
                yield name, msgspec.json.decode(value)

    def _connect(self, timeout: float | None) -> http.client.HTTPConnection:
        return http.client.HTTPConnection(self._place.hostname or "127.0.0.1", self._place.port, timeout=timeout)


def _decoded(data: bytes) -> Any:
    try:
        return msgspec.json.decode(data) if data else None
    except msgspec.DecodeError:
        return None
