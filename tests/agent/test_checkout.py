"""Repositories that nobody vouches for, fetched by real git: files of one commit, and nothing that runs or leads out."""

from __future__ import annotations

import os
import shutil
import subprocess
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from docalign_actors.agent.checkout import Bounds, CheckoutError, Checkouts, is_plain
from docalign_actors.agent.halting import Halt, HaltedError
from docalign_actors.agent.reading import hinted_files
from docalign_actors.contracts import RepositoryAtCommit
from tests.agent.tasks import verification_task
from tests.support.repository import Repository


@pytest.fixture
def repo(tmp_path: Path) -> Repository:
    folder = tmp_path / "repo"
    folder.mkdir()
    return Repository(folder, {"README.md": "# Client\n", "src/client.py": "TIMEOUT = 30\n", "big.bin": b"x" * 5_000})


@pytest.fixture
def checkouts(tmp_path: Path) -> Iterator[Checkouts]:
    (tmp_path / "work").mkdir()
    opened = Checkouts(tmp_path / "work", bounds=Bounds(file=4_000, seconds=60))
    yield opened
    opened.close()
    assert list((tmp_path / "work").iterdir()) == []


def head(repo: Repository) -> str:
    return subprocess.check_output(["git", "-C", repo.root, "rev-parse", "HEAD"], text=True).strip()


def at(repo: Repository, commit: str = "") -> RepositoryAtCommit:
    return RepositoryAtCommit("1", "client", str(repo.root), commit or head(repo))


def files(folder: Path) -> dict[str, str]:
    return {str(p.relative_to(folder)): p.read_text() for p in sorted(folder.rglob("*")) if p.is_file()}


def test_the_files_of_the_commit_are_there_and_nothing_else(repo: Repository, checkouts: Checkouts) -> None:
    first = head(repo)
    repo.write({"src/client.py": "TIMEOUT = 60\n"}).commit("second")
    for commit, timeout in ((first, 30), (head(repo), 60)):
        with checkouts.folder() as folder:
            checkouts.write(at(repo, commit), folder, Halt())
            assert files(folder) == {"README.md": "# Client\n", "src/client.py": f"TIMEOUT = {timeout}\n"}
        assert not folder.exists()


def test_links_are_small_files_and_lead_nowhere(repo: Repository, checkouts: Checkouts, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("s3cret")
    os.symlink(tmp_path / "secret", repo.root / "innocent.txt")
    os.symlink(tmp_path, repo.root / "folder")
    repo.commit("links")
    with checkouts.folder() as folder:
        checkouts.write(at(repo), folder, Halt())
        assert not any(p.is_symlink() for p in folder.rglob("*"))
        assert "s3cret" not in str(files(folder))
        assert (folder / "innocent.txt").read_text() == str(tmp_path / "secret")


def test_neither_hooks_nor_filters_nor_submodules_run(repo: Repository, checkouts: Checkouts, tmp_path: Path) -> None:
    proof = tmp_path / "proof"
    run = f"touch {proof}"
    repo.write(
        {
            ".gitattributes": "*.py filter=lfs\n*.md filter=evil\n", ".gitmodules": '[submodule "m"]\n\tpath = m\n\turl = ../m\n',
            ".lfsconfig": f"[lfs]\n\turl = ext::sh -c '{run}'\n",
        }
    ).commit("filters")  # fmt: skip
    sha = head(repo)
    subprocess.check_call(["git", "-C", repo.root, "update-index", "--add", "--cacheinfo", f"160000,{sha},m"])
    repo.git("commit", "-q", "-m", "submodule")
    hooks = repo.root / ".git" / "hooks"
    hooks.mkdir(exist_ok=True)
    for name in ("post-checkout", "reference-transaction", "post-merge"):
        (hooks / name).write_text(f"#!/bin/sh\n{run}\n")
        (hooks / name).chmod(0o755)
    repo.git("config", "filter.evil.smudge", run)
    with checkouts.folder() as folder:
        checkouts.write(at(repo), folder, Halt())
        assert (folder / "src" / "client.py").read_text() == "TIMEOUT = 30\n"
        assert not (folder / "m").exists()
    assert not proof.exists()


@pytest.mark.parametrize("url", ["ext::sh -c touch% {proof}", "--upload-pack=touch {proof}", "fd::7", "nowhere/at/all"])
def test_an_address_runs_no_program(checkouts: Checkouts, tmp_path: Path, url: str) -> None:
    proof = tmp_path / "proof"
    wanted = RepositoryAtCommit("1", "x", url.replace("{proof}", str(proof)), "1" * 40)
    with checkouts.folder() as folder, pytest.raises(CheckoutError, match="git fetch failed"):
        checkouts.write(wanted, folder, Halt())
    assert not proof.exists()


@pytest.mark.parametrize("commit", ["", "main", "--help", "1" * 39, "HEAD"])
def test_only_a_commit_by_its_full_id_is_fetched(repo: Repository, checkouts: Checkouts, commit: str) -> None:
    with checkouts.folder() as folder, pytest.raises(CheckoutError, match="names no commit"):
        checkouts.write(RepositoryAtCommit("1", "x", str(repo.root), commit), folder, Halt())


def test_a_commit_that_is_not_there_is_said_so(repo: Repository, checkouts: Checkouts) -> None:
    with checkouts.folder() as folder, pytest.raises(CheckoutError, match="git fetch failed"):
        checkouts.write(at(repo, "1" * 40), folder, Halt())


def test_a_fetch_is_ended_when_the_lease_is_lost(repo: Repository, checkouts: Checkouts) -> None:
    halt = Halt()
    halt.set("lost")
    with checkouts.folder() as folder, pytest.raises(HaltedError):
        checkouts.write(at(repo), folder, halt)


def _locked(clone: Path) -> None:
    (clone / "shallow.lock").write_bytes(b"")


def _half_made(clone: Path) -> None:
    shutil.rmtree(clone / "objects")


@pytest.mark.parametrize("left_by_a_killed_git", [_locked, _half_made])
def test_what_a_killed_git_left_behind_does_not_stop_the_next_task(
    repo: Repository, checkouts: Checkouts, left_by_a_killed_git: Callable[[Path], None]
) -> None:
    with checkouts.folder() as folder:
        checkouts.write(at(repo), folder, Halt())
    (clone,) = checkouts.root.glob("*.git")
    left_by_a_killed_git(clone)
    repo.write({"src/client.py": "TIMEOUT = 60\n"}).commit("second")
    with checkouts.folder() as folder:
        checkouts.write(at(repo), folder, Halt())
        assert files(folder)["src/client.py"] == "TIMEOUT = 60\n"


def test_several_threads_may_ask_for_the_same_repository(repo: Repository, checkouts: Checkouts) -> None:
    found: list[dict[str, str]] = []

    def look() -> None:
        with checkouts.folder() as folder:
            checkouts.write(at(repo), folder, Halt())
            found.append(files(folder))

    threads = [threading.Thread(target=look) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4
    assert all(one == found[0] for one in found)


def test_only_so_many_clones_are_kept(tmp_path: Path) -> None:
    opened = Checkouts(tmp_path, bounds=Bounds(clones=2))
    for number in range(4):
        (folder := tmp_path / f"r{number}").mkdir()
        made = Repository(folder, {"a.md": "x"})
        with opened.folder() as place:
            opened.write(at(made), place, Halt())
    assert len(list(opened.root.glob("*.git"))) <= 2
    opened.close()


def test_what_a_killed_agent_left_is_swept_and_what_a_living_one_has_is_not(tmp_path: Path) -> None:
    left = tmp_path / "docalign-agent-killed"
    left.mkdir()
    living = Checkouts(tmp_path)
    assert not left.exists()
    second = Checkouts(tmp_path)
    assert living.root.exists()
    second.close()
    living.close()


@pytest.mark.parametrize(
    ("path", "plain"),
    [
        ("src/a.py", True), ("a b/ü.md", True), (".github/x.yml", True), ("../x", False), ("/etc/passwd", False), ("a/../../x", False),
        (".git/config", False), ("a/.GIT/hooks/x", False), (".git. /x", False), ("a\\b", False), ("", False), ("a\nb", False),
    ],
)  # fmt: skip
def test_paths_that_lead_out_or_into_git_itself_are_not_written(path: str, plain: bool) -> None:
    assert is_plain(path) is plain


def test_hinted_files_are_read_around_the_hinted_line_and_never_outside(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("\n".join(f"line {n}" for n in range(1, 1_001)))
    (tmp_path / "evil").symlink_to("/etc/passwd")
    hints = [{"path": "a.py", "line": 500}, {"path": "../../etc/passwd"}, {"path": "evil"}, {"path": "none.py"}]
    (found,) = hinted_files(verification_task(mapped_files=hints), tmp_path)
    assert found.line == 380
    assert "line 500\n" in found.text
    assert hinted_files(verification_task(mapped_files=hints, verification_path=1), tmp_path) == []
