"""Files are parsed beside the process that judges, whoever asks for them: a hostile one costs its own facts and no more."""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest

from docalign_actors.engine import helper as helpers
from docalign_actors.engine import workers
from docalign_actors.engine.code import reader
from docalign_actors.engine.code.source import Source
from tests.support.repository import Repository

Make = Callable[[dict[str, str | bytes]], Repository]
_IMPORT = "# Acme\n\n```python\nfrom acme import make_item\n```\n"
_KEY = "# Settings\n\n```yaml\nserver:\n  max_items: 3\n  min_items: 1\n```\n"


def _python_package(repository: Make) -> Repository:
    """Nothing that documents name stands in `acme/__init__.py`; only who looks for `make_item` there reads it."""
    repo = repository({"README.md": _IMPORT, "acme/__init__.py": "A = 1\ndef make_item(): ...\n", "acme/core.py": ""})
    return repo.write({"acme/__init__.py": "A = 1\n"}).commit("make_item goes")


def _settings_in_code(repository: Make) -> Repository:
    """The file that read the key reads nothing of what documents name now."""
    code = "def load(settings):\n    return settings['max_items'], settings['min_items']\n"
    repo = repository({"README.md": _KEY, "acme/load.py": code})
    return repo.write(
        {"acme/load.py": "def load(settings):\n    return settings['most'], settings['least']\n"}
    ).commit()


@pytest.fixture(autouse=True)
def _forking(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(helpers, "can_fork", lambda: True)
    monkeypatch.setattr(workers, "_ITEM_SECONDS", 1.0)


@pytest.mark.parametrize("make", [_python_package, _settings_in_code])
@pytest.mark.parametrize("since", ["", "HEAD~1"])
def test_the_process_that_judges_parses_nothing(
    repository: Make, monkeypatch: pytest.MonkeyPatch, make: Callable[[Make], Repository], since: str
) -> None:
    judging, real = os.getpid(), reader.FactReading._collect
    here: list[str] = []

    def collect(self: reader.FactReading, source: Source, collector: reader.Collector) -> None:
        if os.getpid() == judging and source.data:
            here.append(source.path)
        real(self, source, collector)

    repo = make(repository)
    monkeypatch.setattr(reader.FactReading, "_collect", collect)
    assert repo.drifted(since=since)
    assert not here


def test_a_file_that_never_ends_is_given_up_when_a_kind_asks_for_it(
    repository: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo = _python_package(repository)
    judging, real = os.getpid(), reader.FactReading._collect

    def collect(self: reader.FactReading, source: Source, collector: reader.Collector) -> None:
        while source.path == "acme/__init__.py" and source.data == b"A = 1\n" and os.getpid() != judging:
            pass
        assert os.getpid() != judging or not source.data
        real(self, source, collector)

    monkeypatch.setattr(reader.FactReading, "_collect", collect)
    # The file was not read, but its words are known, and the history tells the rest.
    assert [finding.rule for finding in repo.drifted()] == ["wrong-import"]
