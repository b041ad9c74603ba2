"""Reading through the cache: what is remembered, and what is done again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import pytest

from docalign_actors.engine import reading
from docalign_actors.engine.lenses import near_differences
from docalign_actors.engine.settings import ScanSettings
from docalign_actors.engine.workers import Workers
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
    repository: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo = repository(
        {
            "README.md": "Call `load_items()`.\n",
            "app.py": "def load_items(): pass\n",
            "b.py": "import app\nload_items\n",
        }
    )
    parsed: list[str] = []
    real = reading.read_facts
    monkeypatch.setattr(reading, "read_facts", lambda path, data: parsed.append(path) or real(path, data))
    cache = Memory()
    for _ in range(2):
        repo.scan(settings=ScanSettings(jobs=1), cache=cache)
    assert sorted(parsed) == ["app.py", "b.py"]
    repo.write({"b.py": "import app\nload_items()\n"})
    repo.scan(settings=ScanSettings(jobs=1), cache=cache)
    assert [path for path in parsed if path == "app.py"] == ["app.py"]


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


def test_results_come_in_the_order_of_the_items_from_several_processes() -> None:
    with Workers(2) as workers:
        assert list(workers.map(_Square(), range(100), lambda done: None)) == [n * n for n in range(100)]


def test_an_item_that_kills_its_process_is_given_up_and_the_others_are_done() -> None:
    with Workers(2) as workers:
        results = list(workers.map(_Dies(), range(40), lambda done: None))
    assert results == [n * n if n != 13 else -1 for n in range(40)]
