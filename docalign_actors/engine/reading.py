"""Reads documents and code files, in as many processes as there are cores, and remembers what each blob yielded."""

from __future__ import annotations

import multiprocessing
import os
import re
import threading
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import ClassVar, TypeVar, cast

import msgspec
from msgspec import Struct

from docalign_actors.engine.claims import Claim
from docalign_actors.engine.code.reader import SOURCE_LIMIT, read_facts
from docalign_actors.engine.documents.model import Document
from docalign_actors.engine.facts import FileFacts
from docalign_actors.engine.identity import engine_identity
from docalign_actors.engine.ports import Cache, Progress

DOCUMENT_LIMIT = 4_000_000
"""Bytes. A longer document is named in the report and not read."""
_SMALL = 24
"""With fewer files than this, a pool of processes costs more than it saves."""
_WORD = re.compile(rb"[A-Za-z_][A-Za-z0-9_]*")

T = TypeVar("T")
R = TypeVar("R")
Fetch = Callable[[str, str], bytes]
"""(path, blob id) → bytes. Runs in any process."""


class ReadDocument(Struct):
    """A document, the claims that were found in it, and the source lines they stand on, in the same order."""

    document: Document
    claims: list[Claim]
    lines: list[str]


class Record(Struct, array_like=True):
    """What is remembered of a code blob: its identifiers and, once somebody needed them, its facts."""

    words: bytes
    facts: msgspec.Raw | None = None


class CodeRead(Struct):
    """The code files that were worth parsing, and in which files each wanted word occurs."""

    files: dict[str, FileFacts]
    occurrences: dict[str, frozenset[str]]


def words_of(data: bytes) -> set[bytes]:
    """Every identifier in a file."""
    return set(_WORD.findall(data))


class Workers:
    """Runs a function over many items, in other processes where that pays."""

    def __init__(self, jobs: int = 0) -> None:
        self.jobs = jobs or (len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)

    def map(self, work: Callable[[T], R], items: Sequence[T], tick: Callable[[int], None]) -> Iterator[R]:
        """The results in the order of the items. `work` is sent to the processes once."""
        if self.jobs <= 1 or len(items) < _SMALL:
            for done, item in enumerate(items, 1):
                yield work(item)
                tick(done)
            return
        # Forking is by far the cheapest, and safe only while this process has a single thread.
        method = "fork" if threading.active_count() == 1 and hasattr(os, "fork") else "spawn"
        context = multiprocessing.get_context(method)
        chunk = max(2, min(64, len(items) // (self.jobs * 8)))
        pool = ProcessPoolExecutor(self.jobs, mp_context=context, initializer=_Handover(work))
        try:
            for done, result in enumerate(pool.map(_do_work, items, chunksize=chunk), 1):
                yield cast(R, result)
                tick(done)
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


class _Handover:
    """Gives a worker process its work once, instead of with every item."""

    work: ClassVar[Callable[[object], object] | None] = None

    def __init__(self, work: Callable[[T], R]) -> None:
        self.given = cast(Callable[[object], object], work)

    def __call__(self) -> None:
        _Handover.work = self.given


def _do_work(item: object) -> object:
    if _Handover.work is None:
        raise RuntimeError("a worker process was started without its work")
    return _Handover.work(item)


def ticker(progress: Progress, stage: str, total: int) -> Callable[[int], None]:
    """Reports every percent or so of a stage, not every file."""
    step = max(1, total // 100)

    def tick(done: int) -> None:
        if done % step == 0 or done == total:
            progress(stage, done, total)

    return tick


class _DocumentWork:
    def __init__(self, fetch: Fetch, claim_types: tuple[str, ...]) -> None:
        self.fetch = fetch
        self.claim_types = claim_types

    def __call__(self, item: tuple[str, str, str]) -> ReadDocument:
        from docalign_actors.engine.documents.reader import read_document
        from docalign_actors.engine.kinds.registry import kinds

        path, oid, form = item
        data = self.fetch(path, oid)
        document = read_document(path, form, data)
        present = msgspec.structs.replace(document, blocks=tuple(b for b in document.blocks if not b.historical))
        claims: list[Claim] = []
        for kind in kinds() if not document.history else ():
            if not self.claim_types or kind.name in self.claim_types:
                try:
                    claims.extend(kind.extract(present))
                except Exception as error:  # one claim that nobody foresaw must not end the scan
                    note = f"{kind.name} claims not read: {type(error).__name__}: {str(error)[:120]}"
                    document = msgspec.structs.replace(document, notes=(*document.notes, note))
        text = data.decode("utf-8", "replace").splitlines() if claims else []
        lines = [text[c.line - 1][:600] if 0 < c.line <= len(text) else "" for c in claims]
        return ReadDocument(document, claims, lines)


class Reader:
    """Reads files through a cache. One for each scan."""

    def __init__(self, cache: Cache | None, workers: Workers, progress: Progress) -> None:
        self.cache = cache
        self.workers = workers
        self.progress = progress

    def documents(
        self, items: Sequence[tuple[str, str, str]], fetch: Fetch, claim_types: tuple[str, ...]
    ) -> list[ReadDocument]:
        """Reads (path, blob id, format) documents and extracts their claims."""
        chosen = ",".join(claim_types)
        keys = {f"document:{engine_identity()}:{chosen}:{oid}:{path}": (path, oid, form) for path, oid, form in items}
        known = self.cache.get_many(list(keys)) if self.cache else {}
        decoder = msgspec.msgpack.Decoder(ReadDocument)
        found: dict[str, ReadDocument] = {}
        for key, value in known.items():
            try:
                found[key] = decoder.decode(value)
            except msgspec.DecodeError:
                continue
        missing = [key for key in keys if key not in found]
        work = _DocumentWork(fetch, claim_types)
        results = self.workers.map(
            work, [keys[key] for key in missing], ticker(self.progress, "documents", len(missing))
        )
        fresh = dict(zip(missing, results, strict=True))
        self._remember({key: msgspec.msgpack.encode(value) for key, value in fresh.items()})
        return [fresh[key] if key in fresh else found[key] for key in keys]

    def code(
        self, items: Sequence[tuple[str, str]], fetch: Fetch, wanted: Iterable[str], always: Callable[[str], bool]
    ) -> CodeRead:
        """Reads (path, blob id) code files: facts where a wanted word occurs or where the path is always of interest."""
        words = frozenset(word.encode() for word in wanted)
        read = CodeRead({}, {})
        occurrences: dict[str, set[str]] = defaultdict(set)
        for (path, _), hits, facts in self.examine(items, fetch, words, always, "code"):
            if facts is not None:
                read.files[path] = facts
            for word in hits:
                occurrences[word.decode()].add(path)
        read.occurrences = {word: frozenset(paths) for word, paths in occurrences.items()}
        return read

    def examine(
        self,
        items: Sequence[tuple[str, str]],
        fetch: Fetch,
        words: frozenset[bytes],
        always: Callable[[str], bool],
        stage: str,
    ) -> Iterator[tuple[tuple[str, str], frozenset[bytes], FileFacts | None]]:
        """(item, wanted words that occur, facts if there are any or the path is always of interest) for each item."""
        keys = {f"code:{engine_identity()}:{oid}:{path}": (path, oid) for path, oid in items}
        known = self.cache.get_many(list(keys)) if self.cache else {}
        records, facts_of = msgspec.msgpack.Decoder(Record), msgspec.msgpack.Decoder(FileFacts)
        missing: list[str] = []
        for key, item in keys.items():
            try:
                record = records.decode(known[key])
                hits = words & set(record.words.split())
                if not hits and not always(item[0]):
                    yield item, hits, None
                elif record.facts is None:
                    missing.append(key)
                else:
                    yield item, hits, facts_of.decode(record.facts)
            except (KeyError, msgspec.DecodeError):
                missing.append(key)
        work = _CodeWork(fetch, words, frozenset(path for path, _ in (keys[key] for key in missing) if always(path)))
        fresh: dict[str, bytes] = {}
        results = self.workers.map(work, [keys[key] for key in missing], ticker(self.progress, stage, len(missing)))
        for key, (identifiers, packed) in zip(missing, results, strict=True):
            found = words & set(identifiers.split())
            facts = facts_of.decode(packed) if packed else None
            fresh[key] = msgspec.msgpack.encode(Record(identifiers, msgspec.Raw(packed) if packed else None))
            yield keys[key], found, facts
        self._remember(fresh)

    def _remember(self, values: dict[str, bytes]) -> None:
        if self.cache and values:
            self.cache.put_many(values)


class _CodeWork:
    def __init__(self, fetch: Fetch, words: frozenset[bytes], always: frozenset[str]) -> None:
        self.fetch = fetch
        self.words = words
        self.always = always

    def __call__(self, item: tuple[str, str]) -> tuple[bytes, bytes]:
        path, oid = item
        data = self.fetch(path, oid)
        identifiers = words_of(data) if len(data) <= SOURCE_LIMIT else set()
        needed = path in self.always or not self.words.isdisjoint(identifiers)
        packed = msgspec.msgpack.encode(read_facts(path, data)) if needed else b""
        return b" ".join(identifiers), packed
