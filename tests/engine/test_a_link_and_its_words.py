"""A link whose words are its target: one thing is false there, in two places."""

from __future__ import annotations

from tests.support.changes import PYTHON, Make


def test_the_words_of_a_link_and_its_target_are_two_places_of_one_finding(repository: Make) -> None:
    repo = repository({**PYTHON, "tools/build.py": "x = 1\n", "README.md": "See [`tools/build.py`](tools/build.py).\n"})
    repo.git("mv", "tools/build.py", "tools/make.py")
    (finding,) = repo.commit("rename").drifted(since="HEAD~1")
    assert finding.rule == "missing-link-target"
    assert [(m.column, m.replacement) for m in finding.mentions] == [(7, "tools/make.py"), (24, "tools/make.py")]
