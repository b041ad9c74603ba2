"""Facts that are read when a kind looks at them: of earlier versions, and of tests and examples.

Most of those are asked for by a word and then passed over, so that reading all of them would be in vain.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, cast

import msgspec
from msgspec import Struct

from docalign_actors.engine.code.reader import SOURCE_LIMIT, FactReading
from docalign_actors.engine.facts import FileFacts
from docalign_actors.engine.identity import engine_identity
from docalign_actors.engine.ports import Cache, FileSource

Item = tuple[str, str]
"""Path and blob id."""


class _Record(Struct, array_like=True):
    """What is remembered of a file: the collectors that have read it, and the facts that they found."""

    done: list[int]
    facts: FileFacts


class FactsOnDemand:
    """The facts of files of one source, kept for one scan and remembered for the next."""

    def __init__(self, cache: Cache | None, source: FileSource) -> None:
        self._cache = cache
        self._source = source
        self._facts: dict[Item, FileFacts] = {}
        self._readings: dict[Item, FactReading] = {}
        self._remembered: dict[Item, int] = {}

    def expect(self, items: Iterable[Item]) -> None:
        """Looks up in one go what is remembered of these."""
        keys = {_key(item): item for item in items if item not in self._readings}
        decoder = msgspec.msgpack.Decoder(_Record)
        for key, value in (self._cache.get_many(list(keys)) if self._cache and keys else {}).items():
            try:
                record = decoder.decode(value)
            except msgspec.DecodeError:
                continue
            self._readings[keys[key]] = self._reading(keys[key], record.facts, record.done)
            self._remembered[keys[key]] = len(record.done)

    def of(self, item: Item) -> FileFacts:
        """The facts of one file: an object that reads each field at the first look."""
        if item not in self._facts:
            self._facts[item] = cast(FileFacts, _OnDemand(self, item))
        return self._facts[item]

    def field(self, item: Item, name: str) -> object:
        """One field of the facts of one file."""
        return self._of(item).field(name)

    def data(self, item: Item) -> bytes:
        """The bytes of one file."""
        return self._of(item).data

    def _of(self, item: Item) -> FactReading:
        if item not in self._readings:
            self._readings[item] = self._reading(item)
        return self._readings[item]

    def _reading(self, item: Item, facts: FileFacts | None = None, done: Sequence[int] = ()) -> FactReading:
        return FactReading(item[0], lambda: self._source.read(item[0], item[1], SOURCE_LIMIT + 1), facts, done)

    def keep(self) -> None:
        """Remembers what was read."""
        grown = {i: r for i, r in self._readings.items() if len(r.done) > self._remembered.get(i, 0)}
        if self._cache and grown:
            encode = msgspec.msgpack.encode
            self._cache.put_many({_key(i): encode(_Record(sorted(r.done), r.facts)) for i, r in grown.items()})
        self._remembered.update((i, len(r.done)) for i, r in grown.items())


class _OnDemand:
    """Looks like `FileFacts`."""

    def __init__(self, owner: FactsOnDemand, item: Item) -> None:
        self._owner = owner
        self._item = item

    def __getattr__(self, name: str) -> Any:
        if name not in FileFacts.__struct_fields__:
            raise AttributeError(name)
        value = self._owner.field(self._item, name)
        setattr(self, name, value)
        return value


def _key(item: Item) -> str:
    return f"facts:{engine_identity()}:{item[1]}:{item[0]}"
