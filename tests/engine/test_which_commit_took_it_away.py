"""The commit that a finding names is the very one, however many commits that only add files come after it."""

from __future__ import annotations

from collections.abc import Callable

from tests.support.repository import Repository

Make = Callable[[dict[str, str | bytes]], Repository]

PAGE = """# Tool

Call `load_items()` and `Store.save_all()`, see [kept](docs/kept.md#one-section).

`draw(1, colour=2)`
"""
CODE = """def load_items():
    return []


class Store:
    def save_all(self):
        pass

    def get(self):
        pass


def draw(width, colour=None):
    return width
"""
GONE = (
    ("src/app.py", "def load_items", "def fetch_items"),
    ("src/app.py", "    def save_all(self):\n        pass\n\n", ""),
    ("docs/kept.md", "## One section", "## Another section"),
    ("src/app.py", "def draw(width, colour=None)", "def draw(width, tint=None)"),
)


def test_the_commit_that_is_named_does_not_depend_on_how_many_came_after_it(repository: Make) -> None:
    repo = repository({"README.md": PAGE, "src/app.py": CODE, "docs/kept.md": "# Kept\n\n## One section\n\nText.\n"})
    culprits = set()
    for number, (path, old, new) in enumerate(GONE):
        repo.write({f"src/more{number}.py": "x = 1\n"}).commit("add a file")
        repo.replace(old, new, path).commit("take it away")
        culprits.add(repo.git("rev-parse", "HEAD").strip())
    found = [_named(repo)]
    for number in range(7):
        repo.write({f"extra/more{number}.py": "x = 1\n"}).commit("add a file")
        found.append(_named(repo))
    assert len(found[0]) == len(GONE)
    assert {commit for _, commit in found[0]} == culprits
    assert found == [found[0]] * len(found)


def _named(repo: Repository) -> set[tuple[str, str]]:
    return {(finding.claim, item.commit) for finding in repo.drifted() for item in finding.evidence if item.commit}
