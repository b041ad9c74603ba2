"""Files that declare nothing of a name are passed over, whatever words they hold; whoever gives it a default is found."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from docalign_actors.engine.facts import Definition, EnvVar, FileFacts, Key, Option, Param
from docalign_actors.engine.index import CodeIndex
from docalign_actors.engine.kinds.default import code as defaultcode
from docalign_actors.engine.kinds.default.code import Wanted, in_index
from docalign_actors.engine.past import Past
from docalign_actors.engine.world import World
from docalign_actors.hosts.localgit.git import Git
from docalign_actors.hosts.localgit.trees import WorkingTree
from tests.support.repository import Repository

Make = Callable[..., Repository]


def _world(repository: Make, wanted: Wanted, facts: FileFacts) -> World:
    tree = WorkingTree(Git(repository({"app/a.py": "x = 1\n"}).root))
    occurrences = {word: frozenset({"app/a.py"}) for word in wanted.words}
    index = CodeIndex({"app/a.py": facts}, occurrences, ["app/a.py"])
    return World(tree=tree, index=index, documents={}, past=Past(), read=lambda item: FileFacts())


@pytest.mark.parametrize(
    ("subject", "facts"),
    [
        ("APP_PORT", FileFacts(env=[EnvVar("APP_PORT", 1, "80")])),
        ("APP_PORT", FileFacts(options=[Option(("--listen",), 1, "80", env="APP_PORT")])),
        ("APP_PORT", FileFacts(keys=[Key("server.listen", 1, "${APP_PORT:80}")])),
        ("APP_PORT", FileFacts(definitions=[Definition("APP_PORT", "APP_PORT", "constant", 1, value="80")])),
        ("--app.port", FileFacts(options=[Option(("--app.port",), 1, "80")])),
        ("-port", FileFacts(options=[Option(("--port",), 1, "80")])),
        ("--max-size", FileFacts(definitions=[Definition("f", "f", "function", 1, (Param("max_size", default="80", required=False),))])),
    ],
)  # fmt: skip
def test_a_default_is_found_under_whatever_its_file_calls_it(repository: Make, subject: str, facts: FileFacts) -> None:
    wanted = Wanted.of(subject, "")
    assert [found.value for found in in_index(wanted, _world(repository, wanted, facts))] == ["80"]


@pytest.mark.parametrize("subject", ["APP_PORT", "--app-port"])
def test_a_file_that_declares_nothing_of_the_name_is_not_gone_through(
    repository: Make, subject: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = Wanted.of(subject, "")
    world = _world(repository, wanted, FileFacts(keys=[Key("server.host", 1, "a")]))
    monkeypatch.setattr(defaultcode, "in_file", None)
    assert in_index(wanted, world) == []
