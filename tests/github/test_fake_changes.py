"""What can be changed at the fake GitHub, asked by PyGithub: reviews on lines of the diff, trees, commits, branches, rules."""

from __future__ import annotations

import pytest
from github import Github, GithubException, InputGitTreeElement
from github.Repository import Repository as Remote

from docalign_actors.demo.github import FakeGitHub
from docalign_actors.demo.github.model import Installation, Pull, Repository
from tests.github.test_fake_github import integration

FILES = {"README.md": "".join(f"line {n}\n" for n in range(1, 21)), "docs/use.md": "Use it.\n"}


@pytest.fixture
def repository(github: FakeGitHub) -> Repository:
    return github.create_repository("acme/tool", FILES)


@pytest.fixture
def installation(github: FakeGitHub, repository: Repository) -> Installation:
    return github.install("acme", repository)


@pytest.fixture
def remote(github: FakeGitHub, installation: Installation) -> Remote:
    client: Github = integration(github).get_github_for_installation(installation.id)
    return client.get_repo("acme/tool")


@pytest.fixture
def pull(github: FakeGitHub, repository: Repository) -> Pull:
    text = FILES["README.md"].replace("line 10\n", "ten\n")
    return github.open_pull(repository, "feature", files={"README.md": text})


def remark(line: int, path: str = "README.md") -> dict[str, object]:
    return {"path": path, "line": line, "side": "RIGHT", "body": "look"}


def test_a_review_is_taken_whole_with_its_remarks_and_listed(
    remote: Remote, repository: Repository, pull: Pull
) -> None:
    found = remote.get_pull(pull.number)
    found.create_review(remote.get_commit(pull.head), "two things", "COMMENT", [remark(7), remark(13)])  # type: ignore[list-item]
    assert [(r.body, r.user.login, r.commit_id) for r in found.get_reviews()] == [
        ("two things", "docalign[bot]", pull.head)
    ]
    assert [(c.path, c.line, c.body) for c in found.get_review_comments()] == [
        ("README.md", 7, "look"),
        ("README.md", 13, "look"),
    ]


@pytest.mark.parametrize("wrong", [remark(14), remark(6), remark(1, "docs/use.md"), remark(1, "gone.md")])
def test_one_remark_outside_the_diff_refuses_the_whole_review(
    remote: Remote, repository: Repository, pull: Pull, wrong: dict[str, object]
) -> None:
    with pytest.raises(GithubException) as refused:
        remote.get_pull(pull.number).create_review(remote.get_commit(pull.head), "x", "COMMENT", [remark(10), wrong])  # type: ignore[list-item]
    assert refused.value.status == 422
    assert (repository.reviews, repository.review_comments) == ({}, {})


def committed(remote: Remote, parent: str, path: str, text: str) -> str:
    """A commit by the App, without an author of its own."""
    before = remote.get_git_commit(parent)
    tree = remote.create_git_tree([InputGitTreeElement(path, "100644", "blob", content=text)], before.tree)
    return remote.create_git_commit("change", tree, [before]).sha


def move(remote: Remote, branch: str, sha: str) -> None:
    remote.requester.requestJsonAndCheck("PATCH", f"/repos/acme/tool/git/refs/heads/{branch}", input={"sha": sha})


def test_a_commit_without_an_author_is_the_bot_s_and_keeps_every_other_file(
    remote: Remote, repository: Repository, pull: Pull
) -> None:
    sha = committed(remote, pull.head, "docs/use.md", "Use that.\n")
    assert repository.git.read(sha, "docs/use.md") == b"Use that.\n"
    assert b"ten\n" in (repository.git.read(sha, "README.md") or b"")
    assert repository.git.run("show", "-s", "--format=%an", sha) == "docalign[bot]"
    entry = next(e for e in remote.get_git_tree(remote.get_git_commit(sha).tree.sha).tree if e.path == "docs")
    assert [e.path for e in remote.get_git_tree(entry.sha).tree] == ["use.md"]


def test_a_branch_is_moved_forward_tells_its_pull_request_and_is_never_moved_back_unforced(
    github: FakeGitHub, remote: Remote, repository: Repository, pull: Pull
) -> None:
    sha = committed(remote, pull.head, "docs/use.md", "Use that.\n")
    move(remote, "feature", sha)
    assert pull.head == sha
    assert [d.action for d in github.hooks.deliveries if d.event == "pull_request"] == ["opened", "synchronize"]
    aside = committed(remote, pull.heads[0][1], "docs/use.md", "Use neither.\n")
    with pytest.raises(GithubException) as refused:
        move(remote, "feature", aside)
    assert (refused.value.status, repository.git.ref("refs/heads/feature")) == (422, sha)
    assert remote.compare(pull.heads[0][1], sha).status == "ahead"
    assert remote.compare(sha, aside).status == "diverged"


def test_a_protected_branch_refuses_every_push_and_no_branch_is_made_twice(
    remote: Remote, repository: Repository, pull: Pull
) -> None:
    repository.protected |= {"feature", "release"}
    sha = committed(remote, pull.head, "docs/use.md", "Use that.\n")
    for attempt in (
        lambda: move(remote, "feature", sha),
        lambda: remote.create_git_ref("refs/heads/release", sha),
        lambda: remote.create_git_ref("refs/heads/main", sha),
    ):
        with pytest.raises(GithubException) as refused:
            attempt()
        assert refused.value.status == 422
    assert pull.head != sha


def test_an_app_that_may_only_read_changes_nothing(
    remote: Remote, repository: Repository, installation: Installation, pull: Pull
) -> None:
    installation.permissions["contents"] = "read"
    with pytest.raises(GithubException) as refused:
        committed(remote, pull.head, "docs/use.md", "Use that.\n")
    assert refused.value.status == 403


def test_a_button_with_too_long_a_label_is_refused(remote: Remote, pull: Pull) -> None:
    with pytest.raises(GithubException) as refused:
        remote.create_check_run("x", pull.head, actions=[{"label": "y" * 21, "description": "d", "identifier": "i"}])
    assert refused.value.status == 422


def test_pull_requests_are_found_by_their_branch(remote: Remote, repository: Repository, pull: Pull) -> None:
    assert [p.number for p in remote.get_pulls(head="acme:feature")] == [pull.number]
    assert list(remote.get_pulls(head="acme:other")) == []
    assert list(remote.get_pulls(base="other")) == []
