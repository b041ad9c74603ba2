"""A look at the whole repository that fails is noted, and costs nothing else of the scan."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from docalign_actors.engine import weighing
from docalign_actors.engine.lost import looks
from tests.support.repository import Repository

Make = Callable[[dict[str, str | bytes]], Repository]


def _fail(*arguments: object) -> list[object]:
    raise ValueError("a pattern that nobody foresaw")


@pytest.mark.parametrize(("module", "name"), [(looks, "lost_literals"), (looks, "lost_values"), (weighing, "spread")])
def test_what_the_kinds_found_is_reported_all_the_same(
    repository: Make, monkeypatch: pytest.MonkeyPatch, module: object, name: str
) -> None:
    repo = repository({"README.md": "Edit `src/app.py`.\n", "src/app.py": "x = 1\n"})
    repo.move("src/app.py", "src/main.py").commit("rename app")
    monkeypatch.setattr(module, name, _fail)
    report = repo.scan()
    assert [finding.rule for finding in report.drifted] == ["missing-path"]
    assert [note.text for note in report.notes if "ValueError: a pattern that nobody foresaw" in note.text]


def test_a_change_notes_it_as_well(repository: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    repo = repository({"README.md": "Edit `src/app.py`.\n", "src/app.py": "x = 1\n"})
    repo.move("src/app.py", "src/main.py").commit("rename app")
    monkeypatch.setattr(looks, "lost_values", _fail)
    report = repo.scan(since="HEAD~1")
    assert [finding.rule for finding in report.drifted] == ["missing-path"]
    assert [note.text for note in report.notes if note.text.startswith("values that changed not looked for")]
