"""The looks for what went have an order: what one has told of a text no later one tells again."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from docalign_actors.engine.claims import Claim, Judgement
from docalign_actors.engine.judging import Judged
from docalign_actors.engine.lost import looks
from docalign_actors.findings.model import Evidence, Verdict
from tests.support.repository import Repository

Make = Callable[[dict[str, str | bytes]], Repository]


def _told(text: str, column: int, by: str) -> Callable[[looks.Scene], list[Judged]]:
    judgement = Judgement(Verdict.DRIFTED, "missing-symbol", f"told by {by}", (Evidence("it went", "app.py", 1),), 0.9)
    return lambda scene: [(Claim("symbol", text, text, "README.md", 3, column), judgement)]


@pytest.mark.parametrize("first", ["strings", "names"])
def test_of_two_looks_that_tell_of_one_text_the_first_has_the_word(
    repository: Make, monkeypatch: pytest.MonkeyPatch, first: str
) -> None:
    both = {"strings": _told("tool key_order", 6, "strings"), "names": _told("key_order", 11, "names")}
    other = {"values": _told("later", 24, "values")}
    monkeypatch.setattr(looks, "LOOKS", {first: both.pop(first), **both, **other})
    found = repository({"README.md": "# Tool\n\nRun `tool key_order`, `later`.\n", "app.py": "x = 1\n"}).drifted()
    assert {finding.message for finding in found} == {f"Told by {first}.", "Told by values."}


def test_whole_strings_come_first_and_paths_last_and_what_is_declared_before_what_stands_among_its_like() -> None:
    order = list(looks.LOOKS)
    assert order[:3] == ["strings that went", "names that went", "values that changed"]
    assert order[-2:] == ["files that went", "paths that went"]
    assert max(map(order.index, ("keys that went", "features that went"))) < order.index("one of several that went")
