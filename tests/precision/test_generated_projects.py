"""What documentation says of a project that a tool makes is not about the tool's own repository."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from docalign_actors.engine.settings import ScanSettings
from tests.support.repository import Repository

Make = Callable[[dict[str, str | bytes]], Repository]
COMMANDS = ScanSettings(jobs=1, claim_types=("command",))
OLD_TOO = ScanSettings(jobs=1, claim_types=("command",), min_confidence=0.5)
HAD = '{"name": "tool", "scripts": {"unit": "node test", "lint": "eslint"}}\n'
HAS = '{"name": "tool", "scripts": {"lint": "eslint"}}\n'


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("The boilerplate provides some useful scripts:", []),
        ("`tool new` generates a new project, in which you can run:", []),
        ("Useful scripts:", ["unit"]),
    ],
)
def test_a_script_of_a_generated_project_is_not_missing_here(
    repository: Make, before: str, expected: list[str]
) -> None:
    repo = repository(
        {"package.json": HAD, "README.md": f"# Tool\n\n## Plugins\n\n{before}\n\n* `npm run unit`: tests\n"}
    )
    repo.write({"package.json": HAS}).commit("drop a script")
    assert [f.claim for f in repo.drifted(settings=COMMANDS)] == ["unit"]
    assert [f.claim for f in repo.age().drifted(settings=OLD_TOO)] == expected


@pytest.mark.parametrize(
    ("name", "now", "expected"),
    [
        ("prepare", '{"name": "tool", "scripts": {"lint": "eslint"}}\n', []),
        ("unit:all", '{"name": "tool"}\n', []),
        ("unit:all", '{"name": "tool", "scripts": {"lint": "eslint"}}\n', ["unit:all"]),
    ],
)
def test_a_script_that_went_long_ago_may_be_one_of_the_readers_manifest(
    repository: Make, name: str, now: str, expected: list[str]
) -> None:
    had = f'{{"name": "tool", "scripts": {{"{name}": "node x", "lint": "eslint"}}}}\n'
    repo = repository({"package.json": had, "README.md": f"# Tool\n\n```sh\nnpm run {name}\n```\n"})
    repo.write({"package.json": now}).commit("drop scripts")
    assert [f.claim for f in repo.drifted(settings=COMMANDS)] == [name]
    assert [f.claim for f in repo.age().drifted(settings=OLD_TOO)] == expected


@pytest.mark.parametrize(
    ("told", "unasked"),
    [("Run `npm run unit` first.", []), ("```sh\nnpm run unit\n```", ["unit"])],
    ids=["sentence", "shell"],
)
def test_a_script_that_went_long_ago_is_reported_unasked_where_a_line_of_a_shell_runs_it(
    repository: Make, told: str, unasked: list[str]
) -> None:
    repo = repository({"package.json": HAD, "README.md": f"# Tool\n\n{told}\n"})
    repo.write({"package.json": HAS}).commit("drop a script")
    assert [f.claim for f in repo.age().drifted(settings=COMMANDS)] == unasked
    assert [f.claim for f in repo.drifted(settings=OLD_TOO)] == ["unit"]
