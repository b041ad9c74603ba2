"""How events are sent: with the file's content put in, signed with the application's own secret, five times at the most."""

from __future__ import annotations

import threading
from collections import OrderedDict
from datetime import datetime
from uuid import UUID

import msgspec
from msgspec import Struct

from docalign_actors.applications.keys import Generations, MasterKey, signatures
from docalign_actors.applications.model import AppId
from docalign_actors.applications.parts import Limits
from docalign_actors.applications.ports import Trees
from docalign_actors.applications.wording import blob_of, with_content
from docalign_actors.outbound.backoff import Backoff, Curve
from docalign_actors.outbound.model import Letter
from docalign_actors.outbound.ports import Composed
from docalign_actors.scans.model import RepoId

_COME_AGAIN = frozenset({408, 425, 429})
"""Refusals that say themselves that a later attempt may succeed."""
_MOST_KEPT = 16 * 1024 * 1024
"""Bytes of contents kept at hand: a thousand subscribers ask for the same file within moments."""


class Numbers(Struct, frozen=True):
    """What an operator may set."""

    attempts: int = 5
    limits: Limits = Limits()
    public_url: str = ""
    backoff: Backoff = Backoff(Curve.EQUAL_JITTER, 30.0, 900.0)


def content_path(delivery: str) -> str:
    return f"/api/deliveries/{delivery}/content"


class EventManner:
    """What `outbound.ports.Manner` asks for."""

    def __init__(self, trees: Trees, generations: Generations, key: MasterKey, numbers: Numbers) -> None:
        self._contents = Contents(trees)
        self._generations = generations
        self._key = key
        self._numbers = numbers

    @property
    def attempts(self) -> int:
        return self._numbers.attempts

    @property
    def backoff(self) -> Backoff:
        return self._numbers.backoff

    def hopeless(self, status: int) -> bool:
        return 300 <= status < 500 and status not in _COME_AGAIN

    def compose(self, letter: Letter, now: datetime) -> Composed:
        said = msgspec.json.decode(letter.body, type=dict)
        blob = blob_of(said)
        body = letter.body.encode()
        if blob:
            body = self._with_content(said, blob)
        app = AppId(UUID(letter.tenant_id.removeprefix("app:")))
        generation = self._generations.generation(app)
        if generation is None:
            raise ValueError("the application is gone")
        stamp = str(int(now.timestamp()))
        headers = {
            "X-DocAlign-Event": str(said["event"]), "X-DocAlign-Delivery": str(letter.id), "X-DocAlign-Timestamp": stamp,
            "X-DocAlign-Signature": signatures(self._key, app, generation, stamp, body, now),
        }  # fmt: skip
        return Composed(headers, body)

    def _with_content(self, said: dict[str, object], blob: str) -> bytes:
        limits = self._numbers.limits
        repo = RepoId(UUID(msgspec.convert(said["repository"], dict[str, str])["id"]))
        size = msgspec.convert(said["file"], dict)["size"]
        data = self._contents.read(repo, blob) if size <= limits.chunked else None
        url = self._numbers.public_url.rstrip("/") + content_path(str(said["id"]))
        return with_content(said, data, limits, url)


class Contents:
    """Contents of blobs, the last ones kept at hand. A blob's content never changes."""

    def __init__(self, trees: Trees, most: int = _MOST_KEPT) -> None:
        self._trees = trees
        self._most = most
        self._lock = threading.Lock()
        self._kept: OrderedDict[tuple[RepoId, str], bytes] = OrderedDict()
        self._size = 0

    def read(self, repo: RepoId, blob: str) -> bytes | None:
        key = (repo, blob)
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        data = self._trees.read(repo, blob, self._most)
        if data is None or len(data) > self._most // 4:
            return data
        with self._lock:
            if key not in self._kept:
                self._kept[key] = data
                self._size += len(data)
            while self._size > self._most:
                _, old = self._kept.popitem(last=False)
                self._size -= len(old)
        return data
