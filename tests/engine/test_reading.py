"""Reading through the cache: what is remembered, and what is done again."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any

import msgspec
import pytest

from docalign_actors.engine import helper as helpers
from docalign_actors.engine import reading, workers
from docalign_actors.engine.code.reader import read_facts
from docalign_actors.engine.facts import FileFacts
from docalign_actors.engine.helper import Helper
from docalign_actors.engine.lenses import near_differences
from docalign_actors.engine.memory import _remember
from docalign_actors.engine.ondemand import FactDesk, FactsOnDemand
from docalign_actors.engine.settings import ScanSettings
from docalign_actors.engine.workers import Workers
from docalign_actors.findings.report import TOO_LONG, Note, Report
from tests.support.repository import Repository

Make = Callable[[dict[str, str | bytes]], Repository]


class Memory:
    """A cache in a dictionary."""

    def __init__(self) -> None:
        self.held: dict[str, bytes] = {}

    def get_many(self, keys: Sequence[str]) -> Mapping[str, bytes]:
        return {key: self.held[key] for key in keys if key in self.held}

    def put_many(self, items: Mapping[str, bytes]) -> None:
        self.held.update(items)


def test_a_file_is_parsed_once_and_again_only_when_it_changes(
    repository: Make, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    repo = repository(
        {
            "README.md": "Call `load_items()`.\n",
            "app.py": "def load_items(): pass\n",
            "b.py": "import app\nload_items\n",
        }
    )
    # A file, because parsing may happen in another process.
    log = tmp_path_factory.mktemp("log") / "parsed"
    log.touch()
    real = read_facts

    def noted(path: str, data: bytes) -> FileFacts:
        with log.open("a") as file:
            file.write(f"{path}\n")
        return real(path, data)

    monkeypatch.setattr(reading, "read_facts", lambda path, data: noted(path, data) if data else real(path, data))
    cache = Memory()
    for _ in range(2):
        repo.scan(settings=ScanSettings(jobs=1), cache=cache)
    assert sorted(log.read_text().split()) == ["app.py", "b.py"]
    repo.write({"b.py": "import app\nload_items()\n"})
    repo.scan(settings=ScanSettings(jobs=1), cache=cache)
    assert log.read_text().split().count("app.py") == 1


def test_garbage_in_the_cache_is_read_as_nothing(repository: Make) -> None:
    repo = repository({"README.md": "Call `load_items()`.\n", "app.py": "def load_items(): pass\n"})
    cache = Memory()
    first = repo.scan(cache=cache).summary
    cache.held = dict.fromkeys(cache.held, b"\xc1garbage")
    again = repo.scan(cache=cache).summary
    assert (first.claims, first.verified) == (again.claims, again.verified)


def test_only_what_stands_near_a_difference_is_seen_of_an_earlier_version() -> None:
    same = b"\n".join(b"line %d" % n for n in range(40))
    then = same.replace(b"line 20", b"line 20 removed_word")
    seen = near_differences(then, same).split(b"\n")
    assert seen[7] == b"line 20 removed_word"
    assert len(seen) == 15
    assert near_differences(same, same) == b""


def test_a_line_that_went_once_is_seen_although_its_twin_stays() -> None:
    assert near_differences(b"def close():\ndef close():", b"def close():") != b""


class _Square:
    def __call__(self, item: int) -> int:
        return item * item

    def prepare(self, items: Sequence[int]) -> None:
        return None

    def give_up(self, item: int) -> int:
        return -1


class _Dies(_Square):
    def __call__(self, item: int) -> int:
        if item == 13:
            import os

            os._exit(1)
        return item * item


@pytest.fixture(params=[True, False], ids=["forked", "new"])
def two(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workers]:
    """Two processes, forked or new ones."""
    for module in (helpers, workers):
        monkeypatch.setattr(module, "can_fork", lambda: bool(request.param))
    with Workers(2) as found:
        yield found


def test_results_come_in_the_order_of_the_items_from_several_processes(two: Workers) -> None:
    assert list(two.map(_Square(), range(100), lambda done: None)) == [n * n for n in range(100)]


def test_an_item_that_kills_its_process_is_given_up_and_the_others_are_done(two: Workers) -> None:
    results = list(two.map(_Dies(), range(40), lambda done: None))
    assert results == [n * n if n != 13 else -1 for n in range(40)]


class _Broken(ProcessPoolExecutor):
    """A pool one of whose processes has ended while the next item is given to it."""

    def submit(self, *given: Any, **named: Any) -> Future[Any]:
        raise BrokenProcessPool


def test_processes_that_end_while_more_is_given_to_them_are_replaced(two: Workers) -> None:
    two._pool = _Broken(1)
    assert list(two.map(_Square(), range(40), lambda done: None)) == [n * n for n in range(40)]


class _Large(_Square):
    def __call__(self, item: int) -> int:
        return 1 << (item * 1_000_000)


def test_results_larger_than_a_pipe_holds_come_whole(two: Workers) -> None:
    found = [result.bit_length() for result in two.map(_Large(), range(8), lambda done: None)]
    assert found == [n * 1_000_000 + 1 for n in range(8)]


class _Hangs(_Square):
    def __call__(self, item: int) -> int:
        while item == 13:
            pass
        return item * item


class _Waits(_Square):
    def __call__(self, item: int) -> int:
        threading.Event().wait(None if item == 13 else 0.6)
        return item * item


def test_a_helper_that_hangs_is_ended_and_the_next_call_starts_another(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(helpers, "can_fork", lambda: True)
    helper: Helper[int, int] = Helper(_Hangs(), 0.5)
    try:
        assert helper.do(13) is None
    finally:
        helper.end()
    patient: Helper[int, int] = Helper(_Hangs(), 60.0)
    try:
        assert [patient.do(n) for n in (2, 3)] == [(4,), (9,)]
    finally:
        patient.end()


def test_processor_time_counts_and_the_clock_only_for_a_process_that_does_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(helpers, "can_fork", lambda: True)
    helper: Helper[int, int] = Helper(_Waits(), 0.3)
    try:
        assert helper.do(3) == (9,)
        monkeypatch.setattr(helpers, "PATIENCE", 1.0)
        assert helper.do(13) is None
    finally:
        helper.end()


def test_of_several_processes_the_one_that_hangs_is_ended_and_only_its_item_is_given_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for module in (helpers, workers):
        monkeypatch.setattr(module, "can_fork", lambda: True)
    monkeypatch.setattr(workers, "_CHUNK_SECONDS", 0.5)
    monkeypatch.setattr(workers, "_ITEM_SECONDS", 1.0)
    with Workers(2) as several:
        results = list(several.map(_Hangs(), range(40), lambda done: None))
    assert results == [n * n if n != 13 else -1 for n in range(40)]
    assert not helpers._living


def test_with_one_job_an_item_that_takes_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(helpers, "can_fork", lambda: True)
    monkeypatch.setattr(workers, "_ITEM_SECONDS", 1.0)
    with Workers(1) as one:
        results = list(one.map(_Hangs(), [1, 13, 3], lambda done: None))
    assert results == [1, -1, 9]


def test_an_earlier_version_that_takes_too_long_to_parse_has_no_facts_and_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(helpers, "can_fork", lambda: True)
    monkeypatch.setattr(workers, "_ITEM_SECONDS", 1.0)

    class _Source:
        def read(self, path: str, oid: str, limit: int) -> bytes:
            return b"class A { int b = " + b"a<" * 9_900

    with Workers(1) as one:
        facts = FactsOnDemand(None, _Source(), FactDesk(one)).of(("A.cs", "1"))
        assert facts.definitions == []
        assert facts.notes == ["took too long to parse: not read"]


def test_of_a_document_that_took_too_long_to_read_no_anchor_is_missing() -> None:
    class _Source:
        def read(self, path: str, oid: str, limit: int) -> bytes:
            return b""

    work = reading._DocumentWork(_Source(), ())
    given_up = msgspec.msgpack.decode(work.give_up(("API.md", "1", "markdown")), type=reading.ReadDocument)
    assert given_up.document.open_anchors


def test_manifests_are_read_whatever_the_documentation_says_but_no_test_data(repository: Make) -> None:
    data: dict[str, str | bytes] = {f"test/fixtures/{n}/package.json": '{"name": "x"}\n' for n in range(3)}
    repo = repository({"README.md": "# App\n\nSee `src`.\n", "package.json": '{"name": "app"}\n', **data})
    memory = Memory()
    repo.scan(cache=memory)
    read = [msgspec.msgpack.decode(v, type=reading.Record) for k, v in memory.held.items() if k.startswith("code:")]
    assert sum(bool(record.facts) for record in read) == 1


def test_what_was_given_up_for_want_of_time_is_not_remembered(
    repository: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo = repository({"README.md": "Call `make_items()`.\n", "src/a.py": "def make_items():\n    pass\n"})
    memory = Memory()
    with monkeypatch.context() as hurried:
        hurried.setattr(reading._DocumentWork, "__call__", lambda work, item: work.give_up(item))
        hurried.setattr(reading._CodeWork, "__call__", lambda work, item: work.give_up(item))
        report = repo.scan(cache=memory)
        assert report.is_hasty
        assert report.summary.claims == 0
    report = repo.scan(cache=memory)
    assert not report.is_hasty
    assert report.summary.verified == 1


def test_a_report_that_lacks_a_file_for_want_of_time_is_made_anew(repository: Make) -> None:
    repo = repository({"README.md": "Call `make_items()`.\n", "src/a.py": "def make_items():\n    pass\n"})
    memory, report = Memory(), repo.scan()
    _remember(memory, "report:1", Report(report.summary, notes=[Note("README.md", f"{TOO_LONG} to read: not judged")]))
    assert not memory.held
    _remember(memory, "report:1", report)
    assert list(memory.held) == ["report:1"]
