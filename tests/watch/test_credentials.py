"""Credentials of single repositories against a git server that asks for them."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest

from docalign_actors.errors import GitError
from docalign_actors.hosts.credentials import CredentialFiles, Credentials
from docalign_actors.hosts.heads import GitHeads
from docalign_actors.hosts.mirror_folder import MirrorFolder
from docalign_actors.hosts.mirrors import Mirror
from docalign_actors.persistence.housekeeping import PostgresHousekeeper
from tests.watch.git_over_http import GitServer
from tests.watch.lookout import Lookout


@pytest.fixture
def server(lookout: Lookout) -> Iterator[GitServer]:
    lookout.git("team")
    made = GitServer(lookout.folder, "ada", "hunter2")
    yield made
    made.close()


def git_processes(word: str) -> list[bytes]:
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                found.append((entry / "cmdline").read_bytes())
            except OSError:
                continue
    return [command for command in found if word.encode() in command]


def test_a_repository_that_asks_for_a_password_is_reached_with_its_own_and_when_they_are_rotated(
    lookout: Lookout, server: GitServer
) -> None:
    repo = lookout.register(f"{server.address}/team/.git")
    lookout.round(repo)
    assert lookout.looks(repo) == ["failed"]
    lookout.belongings.credentials.put(repo, "ada", "hunter2")
    lookout.round(repo)
    assert lookout.looks(repo) == ["failed", "moved"]
    assert lookout.circuit(repo) == ("closed", 0)
    lookout.scan_all(lookout.runs(repo)[0][6])
    server.password = "hunter3"
    lookout.round(repo)
    lookout.belongings.credentials.put(repo, "ada", "hunter3")
    lookout.round(repo)
    assert lookout.looks(repo)[2:] == ["failed", "same"]


def test_a_mirror_is_fetched_with_the_same_credentials_and_keeps_none(tmp_path: Path, server: GitServer) -> None:
    url = f"{server.address}/team/.git"
    mirror = Mirror(tmp_path / "mirror.git", "hunter2", "ada")
    mirror.fetch(url, timeout=30)
    assert mirror.default_branch(url, timeout=30)[0] == "main"
    for file in (tmp_path / "mirror.git").rglob("*"):
        assert not file.is_file() or b"hunter2" not in file.read_bytes()
    with pytest.raises(GitError) as refused:
        Mirror(tmp_path / "other.git", "wrong", "ada").fetch(url, timeout=30)
    assert "wrong" not in str(refused.value)


def test_a_server_that_falls_silent_is_given_up_in_time_and_leaves_no_process(server: GitServer) -> None:
    server.silent.set()
    url = f"{server.address}/team/.git"
    for seconds in (0.5, 2.0, 8.0, 30.0):  # on a busy machine git may not have asked before its time is over
        with pytest.raises(GitError, match="did not answer git within"):
            GitHeads(seconds).look(url, "", Credentials())
        assert git_processes(url) == []
        if server.asked.is_set():
            return
    raise AssertionError("git never asked")


def test_a_password_is_in_no_argument_of_any_process(server: GitServer) -> None:
    server.silent.set()
    heads = GitHeads(20.0)
    errors: list[BaseException] = []

    def look() -> None:
        try:
            heads.look(f"{server.address}/team/.git", "", Credentials("ada", "hunter2-unmistakable"))
        except GitError as error:
            errors.append(error)

    looking = threading.Thread(target=look)
    looking.start()
    assert server.asked.wait(20)
    commands = git_processes(server.address)
    heads.close()
    looking.join(20)
    assert commands
    assert not any(b"unmistakable" in command for command in commands)
    assert errors
    assert "unmistakable" not in str(errors[0])


def test_files_of_repositories_that_are_gone_are_swept(lookout: Lookout) -> None:
    repo = lookout.register("https://git.example.org/team/one")
    files = CredentialFiles(lookout.folder / "data" / "credentials")
    files.put(repo, "", "secret")
    files.put(uuid4(), "", "secret")
    house = PostgresHousekeeper(lookout.database)
    MirrorFolder(lookout.folder / "data" / "mirrors", house.known_repos, files).sweep(10**9)
    assert [p.name for p in (lookout.folder / "data" / "credentials").iterdir()] == [f"{repo}.json"]
    assert files.get(repo).password == "secret"
    assert "secret" not in repr(files.get(repo))
