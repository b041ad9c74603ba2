"""Reads documents and code files, in as many processes as there are cores, and remembers what each blob yielded."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Protocol

import msgspec
from msgspec import Struct

from docalign_actors.engine.claims import Claim
from docalign_actors.engine.code.reader import OPAQUE, SOURCE_LIMIT, language_of, read_facts
from docalign_actors.engine.documents.model import Document
from docalign_actors.engine.facts import FileFacts
from docalign_actors.engine.identity import engine_identity
from docalign_actors.engine.lenses import tells_of_packages
from docalign_actors.engine.ondemand import FactDesk, FactsOnDemand
from docalign_actors.engine.ports import Cache, FileSource, Hurry, Progress, never
from docalign_actors.engine.reports import is_report
from docalign_actors.engine.roles import is_own_code
from docalign_actors.engine.searching import words_of
from docalign_actors.engine.workers import Workers
from docalign_actors.findings.report import TOO_LONG, is_given_up

DOCUMENT_LIMIT = 4_000_000
"""Bytes. A longer document is named in the report and not read."""
_MANY_FILES = 4
_FEW_FILES = 300
"""Of so many files one may be as much work as all the others: the longest are begun first. To look at the length of more takes
longer than it saves."""
_FEW_SIGHTS = 400
"""Looking at a file without parsing it is quick: only for more than these is it worth while to start processes."""


class Lens(Protocol):
    """How earlier versions of files are looked at: where they differ from the present."""

    def fetch(self, path: str, oid: str) -> bytes:
        """The file's bytes. Runs in any process."""
        ...

    def sight(self, path: str, data: bytes) -> bytes:
        """The part of the bytes whose words make the file worth parsing."""
        ...

    def tag(self, path: str) -> str:
        """What the sight depends on besides the bytes, for the cache."""
        ...


class ReadDocument(Struct, array_like=True):
    """A document, the claims that were found in it, and the source lines they stand on, in the same order."""

    document: Document
    claims: list[Claim]
    lines: list[str]


class Record(Struct, array_like=True):
    """What is remembered of a code blob: its identifiers and, once somebody needed them, its facts."""

    words: bytes
    facts: bytes = b""
    """Packed, because most are never looked at."""


class CodeRead(Struct):
    """The code files that were worth parsing, and in which files each wanted word occurs."""

    files: dict[str, FileFacts]
    occurrences: dict[str, frozenset[str]]


def ticker(progress: Progress, stage: str, total: int) -> Callable[[int], None]:
    """Reports every percent or so of a stage, not every file."""
    step = max(1, total // 100)

    def tick(done: int) -> None:
        if done % step == 0 or done == total:
            progress(stage, done, total)

    return tick


def sight_key(lens: Lens, path: str, oid: str) -> str:
    """The key under which a sight is remembered."""
    return f"sight:{engine_identity()}:{oid}:{lens.tag(path)}:{path}"


class _DocumentWork:
    def __init__(self, source: FileSource, claim_types: tuple[str, ...]) -> None:
        self.source = source
        self.claim_types = claim_types

    def __call__(self, item: tuple[str, str, str]) -> bytes:
        return msgspec.msgpack.encode(self._read(item))

    def _read(self, item: tuple[str, str, str]) -> ReadDocument:
        from docalign_actors.engine.documents.reader import read_document, source_lines
        from docalign_actors.engine.kinds.registry import kinds

        path, oid, form = item
        data = self.source.read(path, oid, DOCUMENT_LIMIT + 1)
        document = read_document(path, form, data)
        present = msgspec.structs.replace(document, blocks=tuple(b for b in document.blocks if not b.historical))
        past = msgspec.structs.replace(document, blocks=tuple(b for b in document.blocks if b.historical))
        claims: list[Claim] = []
        for kind in kinds() if not document.history else ():
            if not self.claim_types or kind.name in self.claim_types:
                try:
                    claims.extend(kind.extract(present))
                    told = getattr(kind, "extract_past", None) if past.blocks else None
                    claims.extend(told(past) if told else ())
                except Exception as error:  # one claim that nobody foresaw must not end the scan
                    note = f"{kind.name} claims not read: {type(error).__name__}: {str(error)[:120]}"
                    document = msgspec.structs.replace(document, notes=(*document.notes, note))
        # What could not be decoded is not known: a name in Latin-1 is no name of a file.
        claims = [claim for claim in claims if "\ufffd" not in claim.text]
        text = source_lines(data) if claims else []
        lines = [text[c.line - 1][:600] if 0 < c.line <= len(text) else "" for c in claims]
        return ReadDocument(document, claims, lines)

    def prepare(self, items: Sequence[tuple[str, str, str]]) -> None:
        from docalign_actors.engine.documents.reader import read_document
        from docalign_actors.engine.kinds.registry import kinds

        kinds()
        for form in {form for _, _, form in items}:
            read_document(f"x.{form}", form, b"Title\n=====\n\nA `span`.\n")

    def give_up(self, item: tuple[str, str, str]) -> bytes:
        document = Document(item[0], "text", open_anchors=True, notes=(f"{TOO_LONG} to read: not judged",))
        return msgspec.msgpack.encode(ReadDocument(document, [], []))


class Reader:
    """Reads files through a cache. One for each scan."""

    def __init__(self, cache: Cache | None, workers: Workers, progress: Progress, hurry: Hurry = never) -> None:
        self.cache = cache
        self.workers = workers
        self.progress = progress
        self.hurry = hurry
        self.foreseen: Mapping[str, bytes] = {}
        """Sights that were made before they were asked for, by their keys."""
        self.failures: list[str] = []
        """What could not be looked for in the whole repository, and why."""
        self._on_demand: dict[int, FactsOnDemand] = {}
        self.kept: dict[str, ReadDocument] | None = None
        """Documents that were read, by their keys, where they are asked for more than once: in the scan of a change."""
        self._desk = FactDesk(workers)

    def on_demand(self, source: FileSource) -> FactsOnDemand:
        """The facts of a source's files that are read when somebody looks at them."""
        if id(source) not in self._on_demand:
            self._on_demand[id(source)] = FactsOnDemand(self.cache, source, self._desk)
        return self._on_demand[id(source)]

    def keep(self) -> None:
        """Remembers what was read on demand."""
        for facts in self._on_demand.values():
            facts.keep()

    def documents(
        self, items: Sequence[tuple[str, str, str]], source: FileSource, claim_types: tuple[str, ...],
        begin: Callable[[], None] | None = None, meanwhile: Callable[[], None] | None = None, stage: str = "documents",
    ) -> list[ReadDocument]:  # fmt: skip
        """Reads (path, blob id, format) documents and extracts their claims.

        If none of them is remembered, `begin` is called first. `meanwhile` is done while other processes read.
        """
        chosen = ",".join(claim_types)
        keys = {f"document:{engine_identity()}:{chosen}:{oid}:{path}": (path, oid, form) for path, oid, form in items}
        found = {key: self.kept[key] for key in keys if key in self.kept} if self.kept else {}
        known = self.cache.get_many([key for key in keys if key not in found]) if self.cache else {}
        decoder = msgspec.msgpack.Decoder(ReadDocument)
        for key, value in known.items():
            try:
                found[key] = decoder.decode(value)
            except msgspec.DecodeError:
                continue
        missing = [key for key in keys if key not in found]
        if begin and missing and not found:
            begin()
        work, tick = _DocumentWork(source, claim_types), ticker(self.progress, stage, len(missing))
        length = (
            (lambda item: len(source.read(item[0], item[1], DOCUMENT_LIMIT))) if len(missing) <= _FEW_FILES else None
        )
        results = self.workers.map(work, [keys[key] for key in missing], tick, meanwhile=meanwhile, weight=length)
        fresh = dict(zip(missing, results, strict=True))
        found.update((key, decoder.decode(value)) for key, value in fresh.items())
        self.remember({key: value for key, value in fresh.items() if not is_given_up(found[key].document.notes)})
        if self.kept is not None:
            self.kept.update(found)
        return [found[key] for key in keys]

    def code(
        self, items: Sequence[tuple[str, str]], source: FileSource, wanted: Iterable[str], *, everything: bool = False,
        meanwhile: Callable[[], None] | None = None,
    ) -> CodeRead:  # fmt: skip
        """Reads (path, blob id) code files: facts where a wanted word occurs, and of manifests. `everything`: of all.

        `meanwhile` is done while other processes read.
        """
        words = frozenset(word.encode() for word in wanted)
        read = CodeRead({}, {})
        occurrences: dict[bytes, set[str]] = defaultdict(set)
        on_demand, late = self.on_demand(source), []
        for item, hits, facts in self._examine(items, _CodeWork(source, words, everything), meanwhile):
            if facts is not None:
                read.files[item[0]] = facts
            elif hits:
                late.append(item)
                read.files[item[0]] = on_demand.of(item)
            for word in hits:
                occurrences[word].add(item[0])
        on_demand.expect(late)
        read.occurrences = {word.decode(): frozenset(paths) for word, paths in occurrences.items()}
        return read

    def _examine(
        self, items: Sequence[tuple[str, str]], work: _CodeWork, meanwhile: Callable[[], None] | None
    ) -> Iterator[tuple[tuple[str, str], frozenset[bytes], FileFacts | None]]:
        """(item, wanted words in it, facts if they are to be read at once) for each item."""
        keys = {f"code:{engine_identity()}:{oid}:{path}": (path, oid) for path, oid in items}
        known = self.cache.get_many(list(keys)) if self.cache else {}
        records, facts_of = msgspec.msgpack.Decoder(Record), msgspec.msgpack.Decoder(FileFacts)
        missing: list[str] = []
        for key, item in keys.items():
            try:
                record = records.decode(known[key])
                hits = work.words & set(record.words.split())
                if not work.needs_facts(item[0], hits):
                    yield item, hits, None
                elif not record.facts:
                    missing.append(key)
                else:
                    yield item, hits, facts_of.decode(record.facts)
            except (KeyError, msgspec.DecodeError):
                missing.append(key)
        fresh: dict[str, bytes] = {}
        tick = ticker(self.progress, "code", len(missing))
        length = (
            (lambda item: len(work.source.read(item[0], item[1], SOURCE_LIMIT))) if len(missing) <= _FEW_FILES else None
        )
        results = self.workers.map(
            work, [keys[key] for key in missing], tick, desk=self._desk, meanwhile=meanwhile, weight=length
        )
        for key, (identifiers, found, packed) in zip(missing, results, strict=True):
            facts = facts_of.decode(packed) if packed else None
            if self.cache and not (facts and is_given_up(facts.notes)):
                fresh[key] = msgspec.msgpack.encode(Record(identifiers, packed))
            yield keys[key], found, facts
        self.remember(fresh)

    def sights(
        self, items: Sequence[tuple[str, str]], lens: Lens, words: frozenset[bytes], stage: str
    ) -> Iterator[tuple[tuple[str, str], frozenset[bytes]]]:
        """(item, wanted words that are seen) for each (path, blob id). Nothing is parsed."""
        keys = {sight_key(lens, path, oid): (path, oid) for path, oid in items}
        fresh = {key: self.foreseen[key] for key in keys if key in self.foreseen}
        sought = [key for key in keys if key not in fresh]
        known = {**fresh, **(self.cache.get_many(sought) if self.cache else {})}
        for key, value in known.items():
            yield keys[key], words.intersection(value.split())
        missing = [key for key in sought if key not in known]
        tick = ticker(self.progress, stage, len(missing))
        results = self.workers.map(SightWork(lens), [keys[key] for key in missing], tick, _FEW_SIGHTS)
        for key, seen in zip(missing, results, strict=True):
            fresh[key] = seen
            yield keys[key], words.intersection(seen.split())
        self.remember(fresh)

    def remember(self, values: dict[str, bytes]) -> None:
        if self.cache and values:
            self.cache.put_many(values)


class _CodeWork:
    def __init__(self, source: FileSource, words: frozenset[bytes], everything: bool) -> None:
        self.source = source
        self.words = words
        self.everything = everything

    def __call__(self, item: tuple[str, str]) -> tuple[bytes, frozenset[bytes], bytes]:
        path, oid = item
        data = self.source.read(path, oid, SOURCE_LIMIT + 1)
        if is_report(data):
            return b"", frozenset(), b""
        seen = words_of(data) if len(data) <= SOURCE_LIMIT else set()
        hits = self.words & seen
        packed = msgspec.msgpack.encode(read_facts(path, data)) if self.needs_facts(path, hits) else b""
        return b" ".join(seen), hits, packed

    def needs_facts(self, path: str, hits: Collection[bytes]) -> bool:
        """Whether to parse a file at once. Tests and examples define nothing: few of them are ever looked at."""
        return self.everything or tells_of_packages(path) or (bool(hits) and is_own_code(path))

    def prepare(self, items: Sequence[tuple[str, str]]) -> None:
        load_collectors(path for path, _ in items)

    def give_up(self, item: tuple[str, str]) -> tuple[bytes, frozenset[bytes], bytes]:
        return (
            b"",
            frozenset(),
            msgspec.msgpack.encode(FileFacts(notes=[f"{TOO_LONG} to parse: not read"], opaque=list(OPAQUE))),
        )


def load_collectors(paths: Iterable[str]) -> None:
    """Loads what it takes to read these files. What few of them need is loaded by the process that reads those, if any does."""
    examples: dict[str, list[str]] = defaultdict(list)
    for path in paths:
        examples[language_of(path)].append(path)
    for alike in examples.values():
        if len(alike) >= _MANY_FILES:
            read_facts(alike[-1], b"")


class SightWork:
    """Looks at files through a lens."""

    def __init__(self, lens: Lens) -> None:
        self.lens = lens

    def __call__(self, item: tuple[str, str]) -> bytes:
        return self.see(item[0], self.lens.fetch(*item))

    def see(self, path: str, data: bytes) -> bytes:
        """What is seen of a file with these bytes."""
        return b" ".join(words_of(self.lens.sight(path, data))) if len(data) <= SOURCE_LIMIT else b""

    def prepare(self, items: Sequence[tuple[str, str]]) -> None:
        pass

    def give_up(self, item: tuple[str, str]) -> bytes:
        return b""
