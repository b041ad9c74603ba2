"""A line that names both what went and what it became, a file that lies where nobody reads, and what only the last commit tells."""

from __future__ import annotations

from pathlib import Path

import pytest

from docalign_actors.hosts.localgit.git import Git
from docalign_actors.hosts.localgit.history import GitHistory
from docalign_actors.hosts.localgit.trees import WorkingTree
from tests.support.repository import Repository

CODE = "def load_items(path):\n    return path\n\n\ndef other():\n    return load_items(1)\n"


def _moved(tmp_path: Path, text: str, since: str = "") -> set[tuple[str, int]]:
    repo = Repository(
        tmp_path, {"README.md": "# Tool\n", "docs/map.md": text, "src/utils/files.h": "int a(void);\n" * 9}
    )
    repo.move("src/utils/files.h", "src/utils/core/files.h").commit("move")
    return repo.stale_lines(since=since)


@pytest.mark.parametrize("since", ["", "HEAD~1"])
@pytest.mark.parametrize(
    ("line", "reported"),
    [
        ("`src/utils/files.h` → `src/utils/core/files.h`", False),
        ("| `src/utils/files.h` | `core/files.h` |", False),
        ("`src/utils/files.h` is now `src/utils/core/files.h`.", False),
        ("`src/utils/files.h` → `files.h`", True),
        ("`src/utils/files.h` and `src/utils/core` are there.", True),
    ],
)
def test_a_line_that_names_the_old_and_the_new_path_tells_of_the_move(
    tmp_path: Path, since: str, line: str, reported: bool
) -> None:
    assert _moved(tmp_path, f"# Map\n\n{line}\n", since) == ({("docs/map.md", 3)} if reported else set())


def test_a_line_that_names_the_old_and_the_new_function_tells_of_the_renaming(tmp_path: Path) -> None:
    text = "# Tool\n\nUse `load_items`.\n\nCall `load_items` or `fetch_items`.\n"
    repo = Repository(tmp_path, {"README.md": text, "tool/__init__.py": CODE})
    repo.replace("load_items", "fetch_items", "tool/__init__.py").commit("rename")

    assert repo.stale_lines() == {("README.md", 3)}


def test_what_it_was_until_something_came_is_told_as_the_past(tmp_path: Path) -> None:
    text = "# Tool\n\nIt was `ops/src/git.ts` until the page grew.\n\nIt is in `ops/src/git.ts`.\n"
    repo = Repository(tmp_path, {"README.md": text, "ops/src/git.ts": "export const a = 1;\n"})
    repo.move("ops/src/git.ts", "ops/src/repository.ts").commit("move")

    assert repo.stale_lines() == {("README.md", 5)}


@pytest.mark.parametrize("since", ["", "HEAD~1"])
@pytest.mark.parametrize(("folder", "reported"), [("external", False), ("core", True)])
def test_a_name_whose_file_moved_into_a_folder_that_is_not_read_may_be_there(
    tmp_path: Path, since: str, folder: str, reported: bool
) -> None:
    code = "class Git {\npublic:\n  static bool initializeRepository(int path);\n  static int other(int a);\n};\n"
    text = "# API\n\n`Git::initializeRepository(path)` begins one.\n"
    repo = Repository(tmp_path, {"README.md": text, "src/utils/git_utils.h": code})
    repo.move("src/utils/git_utils.h", f"src/utils/{folder}/git_utils.h")
    if reported:
        repo.replace("initializeRepository", "beginRepository", f"src/utils/{folder}/git_utils.h")
    repo.commit("move")

    assert (("README.md", 3) in repo.stale_lines(since=since)) == reported


@pytest.mark.parametrize("since_then", [0, 1, 6])
def test_a_name_that_an_earlier_commit_took_is_told_whatever_commits_came_since(
    tmp_path: Path, since_then: int
) -> None:
    repo = Repository(tmp_path, {"README.md": "# Tool\n\nUse `load_items`.\n", "tool/__init__.py": CODE}).age(9)
    repo.replace("load_items", "fetch_items", "tool/__init__.py").commit("rename")
    if since_then:
        repo.age(since_then)

    assert repo.stale_lines() == {("README.md", 3)}
    assert repo.stale_lines(since=f"HEAD~{since_then + 1}") == {("README.md", 3)}


def test_a_path_that_one_of_the_last_commits_took_is_reported_as_before(tmp_path: Path) -> None:
    repo = Repository(
        tmp_path, {"README.md": "# Tool\n", "docs/map.md": "See `tool/a.py`.\n", "tool/a.py": "x = 1\n"}
    ).age(9)
    repo.delete("tool/a.py").commit("away").age(3)

    assert repo.stale_lines() == {("docs/map.md", 1)}


DRAWN = "# Patterns\n\n```text\nsrc/\n├── calc/\n│   └── sum.cpp\n└── utils/\n    └── text.cpp\n```\n"


@pytest.mark.parametrize(("page", "reported"), [("examples/patterns/README.md", False), ("README.md", True)])
def test_the_page_of_an_example_draws_the_example(tmp_path: Path, page: str, reported: bool) -> None:
    files: dict[str, str | bytes] = {page: DRAWN, "src/calc/sum.cpp": "int s;\n", "src/utils/text.cpp": "int t;\n" * 9}
    repo = Repository(tmp_path, files)
    repo.move("src/utils/text.cpp", "src/utils/core/text.cpp").commit("move")

    assert repo.stale_lines() == ({(page, 8)} if reported else set())


@pytest.mark.parametrize(
    ("line", "reported"),
    [
        ("- `tool/a.py` (NEW, 140 lines)", False),
        ("**Files (4 modified + 1 new)**: `tool/a.py` and others.", False),
        ("5 new unit tests in `tool/a.py`.", False),
        ("Verify that `demo/` and `tool/a.py` are not present in the wheel.", False),
        ("- `tool/a.py` (the new loader)", True),
        ("New tests go to `tool/a.py`.", True),
        ("`tool/a.py` (added in 2.0) loads.", True),
    ],
)
def test_a_list_of_what_some_work_made_does_not_say_that_it_is_there(tmp_path: Path, line: str, reported: bool) -> None:
    repo = Repository(tmp_path, {"AGENTS.md": f"# Tool\n\n{line}\n", "tool/a.py": "x = 1\n", "demo/b.py": "y = 1\n"})
    repo.delete("tool/a.py").commit("away")

    assert (("AGENTS.md", 3) in repo.stale_lines()) == reported


def test_a_copy_with_the_second_in_its_name_was_put_aside(tmp_path: Path) -> None:
    says = "# Tool\n\nSee `tool/a.py`.\n"
    files: dict[str, str | bytes] = {"CLAUDE.20251104-122241.md": says, "CLAUDE.md": says, "tool/a.py": "x = 1\n"}
    repo = Repository(tmp_path, files).delete("tool/a.py").commit("away")

    assert repo.stale_lines() == {("CLAUDE.md", 3)}


def test_a_line_that_the_commit_wrote_which_took_the_file_away_knows_of_it(tmp_path: Path) -> None:
    then, now = (
        "`tool/a.py` has it.\n\n`tool/a.py` is read first.\n",
        "`tool/a.py` has it.\n\n`tool/a.py` went into the gateway.\n",
    )
    repo = Repository(tmp_path, {"CLAUDE.md": then, "tool/a.py": "x = 1\n"})
    repo.delete("tool/a.py").write({"CLAUDE.md": now}).commit("one program").age(9)

    assert repo.stale_lines() == {("CLAUDE.md", 1)}


def test_a_dead_link_is_dead_though_the_commit_wrote_it_that_took_the_page_away(tmp_path: Path) -> None:
    repo = Repository(tmp_path, {"README.md": "See [a](docs/a.md).\n", "docs/a.md": "# A\n"})
    repo.delete("docs/a.md").write({"README.md": "See also [a](docs/a.md).\n"}).commit("away").age(9)

    assert repo.stale_lines() == {("README.md", 1)}


def test_who_wrote_a_line_is_not_asked_of_a_file_that_is_not_as_it_was_committed(tmp_path: Path) -> None:
    repo = Repository(tmp_path, {"README.md": "one\ntwo\n"}).write({"README.md": "one\nthree\n"}).commit("three")
    git = Git(tmp_path)
    first, last = (repo.git("rev-parse", revision).strip() for revision in ("HEAD~1", "HEAD"))

    assert GitHistory(git, WorkingTree(git)).writers("README.md", [1, 2]) == {1: first, 2: last}
    repo.write({"README.md": "zero\none\nthree\n"})
    assert GitHistory(git, WorkingTree(git)).writers("README.md", [1, 2]) == {}


@pytest.mark.parametrize(
    ("package", "reported"), [("__path__ = [*__path__, '/elsewhere']\n", False), ("x = 1\n", True)]
)
def test_a_package_that_sets_its_path_has_modules_that_lie_elsewhere(
    tmp_path: Path, package: str, reported: bool
) -> None:
    files: dict[str, str | bytes] = {
        "pyproject.toml": '[project]\nname = "tool"\nversion = "1"\n',
        "tool/__init__.py": "",
        "tool/plugins/__init__.py": package,
        "tool/plugins/known.py": "class Known:\n    pass\n",
        "docs/a.rst": "See :class:`tool.plugins.windows.List`.\n",
    }
    repo = Repository(tmp_path, files).age(9)

    assert repo.stale_lines() == ({("docs/a.rst", 1)} if reported else set())
