"""What is there all the same, or was never meant, is left alone: parameters."""

from __future__ import annotations

from collections.abc import Callable

from tests.support.renames import readme
from tests.support.repository import Repository

Make = Callable[[dict[str, str | bytes]], Repository]


def test_an_argument_whose_word_the_code_has_still_is_not_missed(repository: Make) -> None:
    code = 'class Wall:\n    def strings(self, jsonformat=False):\n        return {"jsonformat": jsonformat}\n'
    repo = repository(
        {"README.md": "# Tool\n\n* pw.other(jsonformat=True)\n", "tool/__init__.py": "", "tool/wall.py": code}
    )
    repo.replace("self, jsonformat=False", "self, as_json=False", "tool/wall.py").replace(
        ": jsonformat}", ": as_json}", "tool/wall.py"
    ).commit()
    assert repo.stale_lines(since="HEAD~1") == set()


def test_an_argument_of_somebody_elses_function_is_not_ours_for_its_name(repository: Make) -> None:
    repo = repository({
        **readme("```python", "import requests", "", "requests.get(url, max_retries=3)", "```"),
        "pyproject.toml": '[project]\nname = "tool"\nversion = "1"\n', "tool/__init__.py": "",
        "tool/net.py": "def fetch(url, max_retries=2):\n    return url, max_retries\n",
    })  # fmt: skip
    repo.replace("max_retries", "attempts", "tool/net.py").commit()
    assert repo.stale_lines() == set()
