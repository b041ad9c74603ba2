"""Several processes at once: what they find is what one would find, and less is waited for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import pytest

from docalign_actors.engine import helper as helpers
from docalign_actors.engine import workers
from docalign_actors.engine.code.options import go as go_options
from docalign_actors.engine.code.reader import read_facts
from docalign_actors.engine.foresight import Foresight
from docalign_actors.engine.ondemand import FactDesk, FactsOnDemand, read_ahead
from docalign_actors.engine.past import PastFile
from docalign_actors.engine.ports import PastBlob
from docalign_actors.engine.settings import ScanSettings
from docalign_actors.engine.workers import Workers
from docalign_actors.findings.model import Verdict
from docalign_actors.hosts.localgit.git import Git
from docalign_actors.hosts.localgit.history import GitHistory
from docalign_actors.hosts.localgit.trees import WorkingTree
from tests.support.repository import Repository

Make = Callable[[dict[str, str | bytes]], Repository]


@pytest.fixture
def forking(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process with one thread, whatever runs beside the tests."""
    monkeypatch.setattr(helpers, "can_fork", lambda: True)
    monkeypatch.setattr(workers, "can_fork", lambda: True)


class Sources:
    """Files in a dictionary, which counts what is read here."""

    def __init__(self, files: dict[str, str]) -> None:
        self.files = files
        self.read_here = 0

    def read(self, path: str, oid: str, limit: int) -> bytes:
        self.read_here += 1
        return self.files[path].encode()


def _changed(repository: Make) -> Repository:
    files: dict[str, str | bytes] = {f"app/part_{n}.py": f"def work_{n}(): pass\n" for n in range(8)}
    files["README.md"] = (
        "".join(f"Call `work_{n}()` of `app/part_{n}.py`.\n\n" for n in range(8)) + "Use `old_entry()`.\n"
    )
    repo = repository({**files, "app/main.py": "import os\n\ndef old_entry(): pass\n"})
    repo.write({"app/main.py": "import os\n\ndef new_entry(): pass\n"}).commit()
    return repo.delete("app/part_3.py").commit()


@pytest.mark.usefixtures("forking")
def test_a_scan_in_several_processes_reports_what_a_scan_in_one_does(repository: Make) -> None:
    repo = _changed(repository)
    reports = [repo.scan(settings=ScanSettings(jobs=jobs), show=frozenset(Verdict)) for jobs in (1, 3)]
    assert reports[0].findings == reports[1].findings
    assert {f.claim for f in reports[0].drifted} >= {"old_entry", "app/part_3.py"}


class _Doubled:
    """Work that is quick."""

    def __call__(self, item: int) -> int:
        return 2 * item

    def prepare(self, items: Sequence[int]) -> None: ...

    def give_up(self, item: int) -> int:
        return -1


@pytest.mark.usefixtures("forking")
def test_the_heaviest_items_are_begun_first_each_in_a_part_of_its_own_and_the_results_keep_their_order(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begun: list[Sequence[int]] = []
    forked = Workers._forked

    def note(team: Workers, work: _Doubled, parts: Sequence[Sequence[int]], *rest: None) -> Iterator[int]:
        begun.extend(parts)
        return forked(team, work, parts, *rest)

    monkeypatch.setattr(Workers, "_forked", note)
    ticks: list[int] = []
    items = [n * 37 % 100 for n in range(100)]
    with Workers(2) as team:
        assert list(team.map(_Doubled(), items, ticks.append, weight=lambda item: item)) == [2 * n for n in items]
    assert [part[0] for part in begun] == list(range(99, 99 - len(begun), -1))
    assert max(map(len, begun)) - min(map(len, begun)) <= 1
    assert ticks == list(range(1, 101))


@pytest.mark.usefixtures("forking")
def test_processes_that_were_ended_are_gone_when_they_are_waited_for() -> None:
    with Workers(2) as team:
        assert list(team.map(_Doubled(), range(40), lambda done: None)) == [2 * n for n in range(40)]
    assert not helpers._living
    helpers._bury(wait=True)
    assert not helpers._dying


@pytest.mark.usefixtures("forking")
def test_what_is_foreseen_is_what_is_seen_when_somebody_asks(repository: Make) -> None:
    repo = _changed(repository)
    tree = WorkingTree(Git(repo.root))
    history = GitHistory(Git(repo.root), tree)
    with Workers(2) as team:
        begun, late = Foresight(history, tree, team), Foresight(history, tree, team)
        begun.begin()
        seen, asked = begun.result(), late.result()
    assert list(seen.blobs) == list(asked.blobs)
    assert seen.sights
    assert not asked.sights
    assert any(b"old_entry" in words.split() for words in seen.sights.values())


def test_with_one_job_nothing_is_begun_beside(repository: Make) -> None:
    repo = _changed(repository)
    tree = WorkingTree(Git(repo.root))
    with Workers(1) as team:
        foresight = Foresight(GitHistory(Git(repo.root), tree), tree, team)
        foresight.begin()
        assert not foresight.result().sights


@pytest.mark.usefixtures("forking")
def test_files_that_are_read_ahead_are_not_asked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    sources = Sources({f"tests/test_{n}.py": f"def make_{n}(): pass\n" for n in range(70)})
    with Workers(2) as team:
        desk = FactDesk(team)
        on_demand = FactsOnDemand(None, sources, desk)
        facts = [on_demand.of((path, str(n))) for n, path in enumerate(sources.files)]
        read_ahead(facts, "definitions")

        def refuse(*arguments: object) -> None:
            raise AssertionError("asked for again")

        monkeypatch.setattr(FactDesk, "ask", refuse)
        assert [[d.name for d in one.definitions] for one in facts] == [[f"make_{n}"] for n in range(70)]
    assert sources.read_here == 0


@pytest.mark.usefixtures("forking")
def test_one_file_that_takes_too_long_costs_the_others_read_ahead_with_it_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(workers, "_ITEM_SECONDS", 1.0)
    sources = Sources({"A.cs": "class A { int b = " + "a<" * 9_900, "b.py": "def make(): pass\n", "c.py": "x = 1\n"})
    with Workers(1) as team:
        on_demand = FactsOnDemand(None, sources, FactDesk(team))
        slow, *quick = [on_demand.of((path, path)) for path in sources.files]
        read_ahead([slow, *quick], "definitions")
        assert [d.name for one in quick for d in one.definitions] == ["make", "x"]
        assert slow.definitions == []
        assert slow.notes == ["took too long to parse: not read"]


@pytest.mark.parametrize(
    ("text", "held"),
    [("PORT = 8080\n", True), ("port = 8_080\n", True), ("port = 18080\n", True), ("x = 808\n", False)],
)
def test_an_earlier_version_tells_without_being_parsed_whether_it_may_have_a_number(text: str, held: bool) -> None:
    blob = PastBlob("app.py", "1", "a", "b")
    assert PastFile(blob, read_facts("app.py", b""), text.encode).holds_number(8080) is held
    assert PastFile(blob, read_facts("app.py", b"")).holds_number(8080)


@pytest.mark.parametrize(
    "call",
    [
        'flag.String("port", "8080", "usage")',
        'cmd.Flags().StringVarP(&x, "port", "p", "8080", "usage")',
        'fs.\n\tUint16Var(\n\t\t&x, "port", 8080, "usage")',
        'flags.Var(&x, "port", "usage")',
        'fs.BoolFunc("port", "usage", f)',
        'fs.Int64SliceVar(&x, "port", nil, "usage")',
    ],
)
def test_a_file_that_registers_an_option_is_never_passed_over_unparsed(call: str) -> None:
    source = f'package main\n\nimport "flag"\n\nfunc main() {{\n\t{call}\n}}\n'.encode()
    assert go_options._ANY_FLAG_CALL.search(source)
    assert "--port" in {name for option in read_facts("main.go", source).options for name in option.names}


@pytest.mark.parametrize(
    "text",
    [
        "struct ServerConfig { port: u16 }",
        "pub struct\n    Options<T> { port: T }",
        "#[derive(Deserialize)]\nstruct Anything { port: u16 }",
        "struct // of the server\nPrefs { port: u16 }",
    ],
)
def test_a_struct_of_settings_is_never_passed_over_unparsed(text: str) -> None:
    assert [key.name for key in read_facts("src/lib.rs", text.encode()).keys] == ["port"]
