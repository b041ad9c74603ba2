"""Facts that are read when a kind looks at them: of earlier versions, and of tests and examples.

Most of those are asked for by a word and then passed over, so that reading all of them would be in vain.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, cast
from zlib import crc32

import msgspec
from msgspec import Struct

from docalign_actors.engine.code.reader import OPAQUE, SOURCE_LIMIT, FactReading
from docalign_actors.engine.facts import FileFacts
from docalign_actors.engine.helper import Helper, do_together
from docalign_actors.engine.identity import engine_identity
from docalign_actors.engine.ports import Cache, FileSource
from docalign_actors.engine.searching import Item, Needs, first_holders
from docalign_actors.engine.workers import Workers
from docalign_actors.findings.report import TOO_LONG, is_given_up

_MANY = 16
"""Files that are worth sharing among processes when words are looked for in them."""
_TOGETHER = 32
"""Files that one process is asked for at once. The time that one of them may take is for all of them then."""

Errand = tuple[int, Item, str]
"""The number of a source, a file of it, and the field of its facts that is wanted."""
Answer = tuple[list[int], bytes]
"""The collectors that have read the file, and its facts, packed."""


class _Record(Struct, array_like=True):
    """What is remembered of a file: the collectors that have read it, and the facts that they found."""

    done: list[int]
    facts: FileFacts


class _Search(Struct, array_like=True):
    """A question to the processes that read files: which of these of a source are the first to hold all words of a text."""

    source: int
    items: Sequence[Item]
    needs: Needs


class FactsOnDemand:
    """The facts of files of one source, kept for one scan and remembered for the next."""

    def __init__(self, cache: Cache | None, source: FileSource, desk: FactDesk) -> None:
        self._cache = cache
        self._source = source
        self._desk = desk
        self._number = desk.take(source)
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
        """One field of the facts of one file. A file that takes too long to parse has none."""
        reading = self._of(item)
        if name == "notes":
            return reading.field(name)
        if not reading.has(name):
            answer = self._desk.ask((self._number, item, name))
            if answer is None:
                note = f"{TOO_LONG} to parse: not read"
                reading = self._reading(item, FileFacts(notes=[note], opaque=list(OPAQUE)), reading.collectors)
            else:
                reading = self._take(item, answer[0])
            self._readings[item] = reading
        return getattr(reading.facts, name)

    def read_ahead(self, items: Iterable[Item], name: str) -> None:
        """Reads a field of all these that have not been read so far."""
        wanted = [(self._number, item, name) for item in items if not self._of(item).has(name)]
        if len(wanted) > 1 and name != "notes":
            for (_, item, _), answer in self._desk.ask_many(wanted):
                self._readings[item] = self._take(item, answer)

    def _take(self, item: Item, answer: Answer) -> FactReading:
        done, packed = answer
        return self._reading(item, msgspec.msgpack.decode(packed, type=FileFacts), done)

    def first_holders(self, items: Sequence[Item], needs: Needs) -> list[list[str]]:
        """For each file, given the newest first, the texts all of whose words it is the first of its path to hold."""
        return self._desk.first_holders(self._number, items, needs)

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
        grown = {
            i: r
            for i, r in self._readings.items()
            if len(r.done) > self._remembered.get(i, 0) and not is_given_up(r.facts.notes)
        }
        if self._cache and grown:
            encode = msgspec.msgpack.encode
            self._cache.put_many({_key(i): encode(_Record(sorted(r.done), r.facts)) for i, r in grown.items()})
        self._remembered.update((i, len(r.done)) for i, r in grown.items())


class FactDesk:
    """Reads files of several sources as far as is asked, in one process beside this one, which can be ended."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self._helper: Helper[object, object] = workers.helper(self)
        self._sources: list[FileSource] = []
        self._readings: dict[tuple[int, Item], FactReading] = {}

    def take(self, source: FileSource) -> int:
        """The number by which a source is asked for."""
        for number, known in enumerate(self._sources):
            if known is source:
                return number
        self._sources.append(source)
        self._helper.end()  # a process that has begun knows nothing of it
        self._workers.end_kept()
        return len(self._sources) - 1

    def ask(self, errand: Errand) -> tuple[Answer] | None:
        """What one file yields; None if it took too long."""
        return cast("tuple[Answer] | None", self._reader_of(errand).do(errand))

    def ask_many(self, errands: Sequence[Errand]) -> Iterator[tuple[Errand, Answer]]:
        """What many files yield, read side by side; nothing of those that were with one that took too long."""
        shares: dict[Helper[object, object], list[Errand]] = defaultdict(list)
        for errand in errands:
            shares[self._reader_of(errand)].append(errand)
        for start in range(0, max(map(len, shares.values()), default=0), _TOGETHER):
            asked = [(helper, share[start : start + _TOGETHER]) for helper, share in shares.items() if share[start:]]
            for part, answers in zip((part for _, part in asked), do_together(asked), strict=True):
                yield from zip(part, cast("list[Answer]", answers[0]), strict=True) if answers else ()

    def first_holders(self, number: int, items: Sequence[Item], needs: Needs) -> list[list[str]]:
        """Asked of all processes that have read code at the same time, each of the files it would read; or answered here."""
        team = self._workers.kept
        if len(team) < 2 or len(items) < _MANY:
            return first_holders(self._sources[number], items, needs, SOURCE_LIMIT)
        shares: dict[Helper[object, object], list[int]] = defaultdict(list)
        for place, (path, _) in enumerate(items):
            shares[_one_of(team, path)].append(place)
        asked = [
            (helper, _Search(number, [items[place] for place in share], needs)) for helper, share in shares.items()
        ]
        found: list[list[str]] = [[] for _ in items]
        for share, (_, search), answer in zip(shares.values(), asked, do_together(asked), strict=True):
            texts = cast("list[list[str]]", answer[0]) if answer else self._search(search)
            for place, held in zip(share, texts, strict=True):
                found[place] = held
        return found

    def _search(self, search: _Search) -> list[list[str]]:
        return first_holders(self._sources[search.source], search.items, search.needs, SOURCE_LIMIT)

    def _reader_of(self, errand: Errand) -> Helper[object, object]:
        """Always the same process for the same file, which has its syntax tree then.

        One that has read code has loaded what this takes.
        """
        return _one_of(self._workers.kept or [self._helper], errand[1][1])

    def __call__(self, asked: object) -> object:
        if isinstance(asked, _Search):
            return self._search(asked)
        return [self._do(one) for one in asked] if isinstance(asked, list) else self._do(cast(Errand, asked))

    def _do(self, errand: Errand) -> Answer:
        number, item, name = errand
        if (number, item) not in self._readings:
            source = self._sources[number]
            self._readings[number, item] = FactReading(item[0], lambda: source.read(item[0], item[1], SOURCE_LIMIT + 1))
        reading = self._readings[number, item]
        reading.field(name)
        return sorted(reading.done), msgspec.msgpack.encode(reading.facts)


def _one_of(team: Sequence[Helper[object, object]], name: str) -> Helper[object, object]:
    """Always the same for the same name."""
    return team[crc32(name.encode()) % len(team)]


def read_ahead(files: Iterable[FileFacts], name: str) -> None:
    """Reads a field of many files side by side, before each of them is looked at. Need not be called."""
    owners: dict[FactsOnDemand, list[Item]] = defaultdict(list)
    for facts in files:
        if isinstance(facts, _OnDemand):
            owners[facts._owner].append(facts._item)
    for owner, items in owners.items():
        owner.read_ahead(items, name)


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
