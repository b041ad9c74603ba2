"""What is there all the same, or was never meant, is left alone: versions and licences."""

from __future__ import annotations

from collections.abc import Callable

from tests.support.repository import Repository

Make = Callable[[dict[str, str | bytes]], Repository]


def test_a_mere_version_that_the_change_wrote_demands_nothing(repository: Make) -> None:
    manifest = '{"name": "app", "engines": {"node": ">=14"}}\n'
    repo = repository({"README.md": "# App\n", "package.json": manifest, "src/index.js": "x = 1\n"})
    repo.replace(">=14", ">=16", "package.json")
    repo.write({"docs/api.md": "# API\n\n## Runtimes\n\nNode.js 14.x.\n"}).commit()
    assert repo.stale_lines(since="HEAD~1") == set()


def test_a_feature_that_needs_a_newer_version_is_no_demand_of_the_project(repository: Make) -> None:
    manifest = '[project]\nname = "a"\nrequires-python = ">=3.9"\n'
    page = "# A\n\nPattern lists (requires Python 3.10+) are optional.\n"
    repo = repository({"pyproject.toml": manifest, "a.py": "", "README.md": page})
    repo.replace("3.9", "3.11", "pyproject.toml").commit()
    assert repo.stale_lines() == set()
