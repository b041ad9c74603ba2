"""Documents that came with somebody else's code speak of somebody else's repository."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.precision.aged import FILES, told
from tests.support.repository import Repository

README = "See [the guide](docs/guide.md).\n"
PARTS: dict[str, str | bytes] = {f"contrib/tls/part{n}.c": f"int f{n};\n" for n in range(12)}


def _with(tmp_path: Path, *licences: str) -> Repository:
    files = {**FILES, **PARTS, "contrib/tls/README.md": README, **dict.fromkeys(licences, "x\n")}
    return Repository(tmp_path, files)


@pytest.mark.parametrize("mark", ["LICENSE", "COPYING", "LICENSE-MIT.txt", ".gitmodules", ".github/workflows/ci.yml"])
def test_a_folder_that_looks_like_a_repository_and_came_as_a_whole_is_somebody_elses(tmp_path: Path, mark: str) -> None:
    assert told(_with(tmp_path, f"contrib/tls/{mark}").age()) == []


@pytest.mark.parametrize("mark", ["LICENSE", "contrib/tls/licences.c", "contrib/tls/sub/.github/workflows/ci.yml"])
def test_a_folder_that_came_as_a_whole_and_has_nothing_of_a_repository_is_ours(tmp_path: Path, mark: str) -> None:
    assert told(_with(tmp_path, mark).age()) == [("contrib/tls/README.md", "docs/guide.md")]


def test_a_package_with_a_licence_that_is_worked_on_is_ours(tmp_path: Path) -> None:
    repo = _with(tmp_path, "contrib/tls/LICENSE")
    for number in range(3):
        repo.write({f"contrib/tls/part{number}.c": f"int g{number};\n"}).commit(f"part {number}")

    assert told(repo.age()) == [("contrib/tls/README.md", "docs/guide.md")]


def test_a_package_that_was_worked_on_before_it_was_moved_is_ours(tmp_path: Path) -> None:
    repo = _with(tmp_path, "contrib/tls/LICENSE")
    for number in range(3):
        repo.write({f"contrib/tls/part{number}.c": f"int g{number};\n"}).commit(f"part {number}")
    repo.move("contrib/tls", "packages/tls").commit("moved").age()

    assert told(repo) == [("packages/tls/README.md", "docs/guide.md")]


@pytest.mark.parametrize("since", ["", "HEAD~1"])
def test_what_a_newer_copy_took_away_is_not_missed_in_its_own_documents(tmp_path: Path, since: str) -> None:
    told_of = {"contrib/tls/README.md": "See `contrib/tls/part3.c`.\n", "README.md": "See `contrib/tls/part3.c`.\n"}
    repo = _with(tmp_path, "contrib/tls/LICENSE").write({**told_of}).commit("told").age()
    repo.delete("contrib/tls/part3.c").commit("a newer copy")

    assert repo.stale_lines(since=since) == {("README.md", 1)}


@pytest.mark.parametrize(
    ("holder", "reported"),
    [("Leaf Corcoran", False), ("Acme Inc.", True), ("the authors", True), ("Free Software Foundation, Inc.", True)],
)
def test_a_licence_that_names_holders_whom_the_repository_does_not_know_is_somebody_elses(
    tmp_path: Path, holder: str, *, reported: bool
) -> None:
    files: dict[str, str | bytes] = {
        "LICENSE": "Copyright (c) 2020 Acme Inc.\n",
        "libraries/less/LICENSE": f"Some words.\n\nCopyright (c) 2010, 2012 {holder}, all rights reserved\n",
        "libraries/less/README.md": README,
    }
    repo = Repository(tmp_path, {**FILES, **files}).age()

    assert told(repo) == ([("libraries/less/README.md", "docs/guide.md")] if reported else [])


def test_a_copy_that_was_moved_as_a_whole_is_still_one(tmp_path: Path) -> None:
    repo = _with(tmp_path, "contrib/tls/LICENSE")
    repo.move("contrib/tls", "packages/tls").commit("moved").age()

    assert told(repo) == []


def test_a_package_of_somebody_elses_licence_that_is_worked_on_is_ours(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "LICENSE": "Copyright (c) 2020 Acme Inc.\n",
        "crates/web/LICENSE": "Copyright (c) 2010 Leaf Corcoran\n",
        "crates/web/README.md": README,
    }
    repo = Repository(tmp_path, {**FILES, **files})
    for number in range(9):
        repo.write({"crates/web/lib.rs": f"// {number}\n"}).commit(f"work {number}")
    assert told(repo.age()) == []

    for number in range(9, 14):
        repo.write({"crates/web/lib.rs": f"// {number}\n"}).commit(f"work {number}")
    assert told(repo.age()) == [("crates/web/README.md", "docs/guide.md")]
