"""Single readings of commands, manifests and files that were wrong once."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from docalign_actors.engine.documents.model import Inline
from docalign_actors.engine.kinds.example.syntax import looks_whole
from docalign_actors.engine.kinds.shared.shell import calls_of_span
from tests.support.repository import Repository

Make = Callable[[dict[str, str | bytes]], Repository]


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("make test 2>&1 | tee log", ["make", "test"]),
        ("make 2 > log", ["make", "2"]),
        ("make v2>log", ["make", "v2"]),
    ],
)
def test_the_number_of_a_stream_is_no_word_of_a_command(command: str, words: list[str]) -> None:
    (first, *_) = calls_of_span(Inline("code", command, 1, 1))
    assert [word.text for word in first.words] == words


@pytest.mark.parametrize("way", ["hatch.metadata.hooks.requirements_txt", "setuptools.dynamic"])
def test_extras_whose_requirements_are_in_files_are_known(repository: Make, way: str) -> None:
    extra = '["extra.txt"]' if "hatch" in way else '{ file = ["extra.txt"] }'
    manifest = f'[project]\nname = "tool"\nversion = "1.0"\ndynamic = ["optional-dependencies"]\n\n[tool.{way}.optional-dependencies]\nfast = {extra}\n'
    setup = 'from setuptools import setup\n\nsetup(name="tool", extras_require={"fast": ["x"], "slow": ["y"]})\n'
    page = '# Tool\n\nRun `pip install "tool[fast]"`, or `pip install "tool[slow]"`.\n'
    repo = repository({"README.md": page, "setup.py": setup})
    repo.write({"pyproject.toml": manifest, "setup.py": "from setuptools import setup\n\nsetup()\n"}).commit()
    assert {finding.claim for finding in repo.drifted()} == {"slow"}


@pytest.mark.parametrize("name", ["guide copy.md", "guide - Copy.md", "guide (1).md"])
def test_what_a_file_manager_calls_a_copy_is_nobodys_document(repository: Make, name: str) -> None:
    page = "# Guide\n\nSee [there](#nowhere).\n"
    repo = repository({f"support/{name}": page, "support/README.md": page, "tool.py": "x = 1\n"})
    assert {finding.file for finding in repo.drifted()} == {"support/README.md"}


def test_a_label_that_moved_with_its_page_into_a_folder_is_there_though_the_page_tells_of_the_past(
    repository: Make,
) -> None:
    page = "= Guide\n\nSee <<moving-from-four>> and <<moving-from-five>>.\n"
    old = "[[moving-from-four]]\n== Moving\n\nText.\n\n[[moving-from-five]]\n== More\n\nText.\n"
    repo = repository({"docs/guide.adoc": page, "docs/migration.adoc": old, "tool.py": "x = 1\n"})
    repo.move("docs/migration.adoc", "docs/guide/migration.adoc")
    repo.replace("[[moving-from-five]]\n", "", "docs/guide/migration.adoc").commit()
    assert {finding.claim for finding in repo.drifted()} == {"moving-from-five"}


def test_steps_in_words_within_a_function_are_no_code() -> None:
    assert not looks_whole("python", "def pick(user):\n    1. Try the user's own\n    2. Fall back\n")
    assert looks_whole("python", "def pick(user):\n    return 1.0 * user\n")


@pytest.mark.parametrize(
    ("path", "page"),
    [
        ("docs/panel.md", "# Epic: Settings Panel\n\nSee [there](#nowhere) and `tool/gone.py`.\n"),
        ("docs/a/plan_review.md", "# Plan Review: Settings\n\nSee `tool/gone.py`.\n"),
        ("docs/contract.md", "# Contract\n\n**Research date:** 2026-07-17\n\nSee `tool/gone.py`.\n"),
        ("deck/card/README.md", "---\nstatus: done\nclosed_at: 2026-05-04\n---\n\n# Card\n\nSee `tool/gone.py`.\n"),
        (
            "docs/notices.md",
            "# Notices\n\n> **N-01 to N-13 are history.** All was removed.\n\n## N-01\n\n`tool/gone.py`.\n",
        ),
        ("tool/README.md", "# Tool\n\n- `tool/gone.py` and `tool/lost/` are intentionally empty after the work.\n"),
    ],
    ids=["epic", "review", "research", "card", "notices", "empty"],
)
def test_what_tells_of_its_own_time_is_not_held_against_today(repository: Make, path: str, page: str) -> None:
    told = "# Contributing\n\nSee `tool/gone.py`.\n"
    repo = repository({path: page, "CONTRIBUTING.md": told, "tool/gone.py": "x = 1\n", "tool/main.py": "y = 1\n"})
    repo.delete("tool/gone.py").commit()
    assert {mention.file for finding in repo.drifted() for mention in finding.mentions} == {"CONTRIBUTING.md"}


def test_the_words_of_a_link_are_no_certain_fix_where_they_name_the_page_or_a_part_of_what_went(
    repository: Make,
) -> None:
    page = "# Charts\n\n[Charts](#options), an [event](#events-prepare) and [Legend](#key).\n\n## Event\n\nText.\n\n## Legend\n\nText.\n"
    repo = repository({"README.md": page, "tool.py": "x = 1\n"})
    fixes = {f.claim: (f.fix.replacement, f.fix.safe) for f in repo.drifted() if f.fix}
    assert fixes == {"#options": ("#charts", False), "#events-prepare": ("#event", False), "#key": ("#legend", True)}
