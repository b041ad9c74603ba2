"""The fake GitHub, asked by PyGithub, by git and by its own webhook's receiver."""

from __future__ import annotations

import base64
import http.server
import json
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jwt
import pytest
import requests
from github import Auth, Github, GithubException, GithubIntegration, RateLimitExceededException, UnknownObjectException

from docalign_actors.demo.github import FakeGitHub
from docalign_actors.demo.github.model import Installation, Repository

FILES = {"README.md": "# Tool\n\nStart with `src/app.py`.\n", "src/app.py": "def run():\n    return 1\n"}


@pytest.fixture
def repository(github: FakeGitHub) -> Repository:
    return github.create_repository("acme/tool", FILES)


@pytest.fixture
def installation(github: FakeGitHub, repository: Repository) -> Installation:
    return github.install("acme", repository)


def integration(github: FakeGitHub, key: str = "") -> GithubIntegration:
    auth = Auth.AppAuth(github.app.id, key or github.app.private_key)
    return GithubIntegration(
        auth=auth,
        base_url=github.base,
        retry=0,
        timeout=5,
        seconds_between_requests=None,
        seconds_between_writes=None,
        lazy=True,
    )


@pytest.fixture
def client(github: FakeGitHub, installation: Installation) -> Github:
    return integration(github).get_github_for_installation(installation.id)


def test_an_app_shows_itself_by_a_token_that_it_signed(github: FakeGitHub) -> None:
    _, found = integration(github).requester.requestJsonAndCheck("GET", "/app")
    assert (found["slug"], found["id"]) == ("docalign", 4711)


def test_a_token_that_is_valid_for_more_than_ten_minutes_or_signed_by_somebody_else_is_refused(
    github: FakeGitHub,
) -> None:
    now = int(time.time())
    long = jwt.encode({"iat": now, "exp": now + 3600, "iss": "4711"}, github.app.private_key, "RS256")
    forged = jwt.encode({"iat": now, "exp": now + 60, "iss": "4711"}, "x" * 32, "HS256")
    for value in (long, forged):
        assert (
            requests.get(f"{github.base}/app", headers={"Authorization": f"Bearer {value}"}, timeout=5).status_code
            == 401
        )


def test_an_installation_token_expires_after_an_hour(github: FakeGitHub, installation: Installation) -> None:
    token = integration(github).get_access_token(installation.id).token
    assert len(token) > 40
    repository = Github(auth=Auth.Token(token), base_url=github.base, retry=0, lazy=True).get_repo("acme/tool")
    assert repository.default_branch == "main"
    github.clock.advance(3601)
    with pytest.raises(GithubException) as refused:
        Github(auth=Auth.Token(token), base_url=github.base, retry=0).get_repo("acme/tool")
    assert refused.value.status == 401


def test_a_pull_request_its_files_and_its_comparison_come_from_git(
    github: FakeGitHub, repository: Repository, client: Github
) -> None:
    pull = github.open_pull(repository, "feature", files={"src/main.py": FILES["src/app.py"]}, delete=["src/app.py"])
    found = client.get_repo("acme/tool").get_pull(pull.number)
    assert (found.head.sha, found.base.ref, found.mergeable) == (pull.head, "main", None)
    assert [(f.filename, f.status, f.previous_filename) for f in found.get_files()] == [
        ("src/main.py", "renamed", "src/app.py")
    ]
    compared = client.get_repo("acme/tool").compare("main", "feature")
    assert [f.filename for f in compared.files] == ["src/main.py"]
    content = client.get_repo("acme/tool").get_contents("README.md")
    assert not isinstance(content, list)
    assert base64.b64decode(content.content).decode() == FILES["README.md"]


def test_annotations_are_added_fifty_at_a_time(github: FakeGitHub, repository: Repository, client: Github) -> None:
    sha = repository.git.resolve("main")
    check = client.get_repo("acme/tool").create_check_run("DocAlign", sha, status="in_progress", external_id="x")
    one = {"path": "README.md", "start_line": 1, "end_line": 1, "annotation_level": "warning", "message": "m"}
    check.edit(output={"title": "t", "summary": "s", "annotations": [one] * 50})
    check.edit(conclusion="neutral", output={"title": "t", "summary": "s", "annotations": [one] * 7})
    with pytest.raises(GithubException):
        check.edit(output={"title": "t", "summary": "s", "annotations": [one] * 51})
    found = client.get_repo("acme/tool").get_check_run(check.id)
    assert (found.status, found.conclusion, found.output.annotations_count) == ("completed", "neutral", 57)
    assert len(list(found.get_annotations())) == 57
    listed = client.get_repo("acme/tool").get_commit(sha).get_check_runs(check_name="DocAlign")
    assert [c.external_id for c in listed] == ["x"]


def test_comments_are_written_edited_reacted_to_and_deleted(
    github: FakeGitHub, repository: Repository, client: Github
) -> None:
    pull = github.open_pull(repository, "feature", files={"README.md": "new\n"})
    issue = client.get_repo("acme/tool").get_issue(pull.number)
    comment = issue.create_comment("first")
    comment.edit("second")
    comment.create_reaction("eyes")
    assert [(c.body, c.user.login, len(list(c.get_reactions()))) for c in issue.get_comments()] == [
        ("second", "docalign[bot]", 1)
    ]
    with pytest.raises(GithubException):
        issue.create_comment("x" * 65_537)
    comment.delete()
    assert list(issue.get_comments()) == []


def test_a_review_comment_stands_on_a_file_of_the_change(
    github: FakeGitHub, repository: Repository, client: Github
) -> None:
    pull = github.open_pull(repository, "feature", files={"README.md": "new\n"})
    found = client.get_repo("acme/tool").get_pull(pull.number)
    commit = client.get_repo("acme/tool").get_commit(pull.head)
    found.create_review_comment("```suggestion\nx\n```", commit, "README.md", line=1)
    with pytest.raises(GithubException):
        found.create_review_comment("b", commit, "other.md", line=1)
    assert [c.path for c in found.get_review_comments()] == ["README.md"]


def test_a_dispatch_of_a_repository_without_the_action_is_not_found(repository: Repository, client: Github) -> None:
    there = client.get_repo("acme/tool")
    assert there.create_repository_dispatch("docalign-scan", {"run": "1"})
    repository.dispatch_status = 404
    assert not there.create_repository_dispatch("docalign-scan", {"run": "2"})
    assert [d["client_payload"] for d in repository.dispatches] == [{"run": "1"}]


def test_a_collaborator_s_permission_is_told(repository: Repository, client: Github) -> None:
    repository.roles["ada"] = "maintain"
    there = client.get_repo("acme/tool")
    assert [there.get_collaborator_permission(name) for name in ("ada", "eve")] == ["write", "none"]


def test_an_app_without_the_permission_is_refused_by_403(
    installation: Installation, repository: Repository, client: Github
) -> None:
    installation.permissions["checks"] = "read"
    with pytest.raises(GithubException) as refused:
        client.get_repo("acme/tool").create_check_run("DocAlign", repository.git.resolve("main"))
    assert (refused.value.status, "accessible" in str(refused.value)) == (403, True)


def test_an_unchanged_answer_is_304_and_costs_nothing(
    github: FakeGitHub, installation: Installation, client: Github
) -> None:
    requester = client.requester
    headers, _ = requester.requestJsonAndCheck("GET", "/repos/acme/tool/pulls")
    used = installation.used
    status, _, _ = requester.requestJson("GET", "/repos/acme/tool/pulls", headers={"If-None-Match": headers["etag"]})
    assert (status, installation.used) == (304, used)


def test_the_primary_limit_is_counted_and_told(github: FakeGitHub, client: Github) -> None:
    github.limit = 2
    for _ in range(2):
        client.requester.requestJsonAndCheck("GET", "/repos/acme/tool")
    with pytest.raises(RateLimitExceededException) as refused:
        client.requester.requestJsonAndCheck("GET", "/repos/acme/tool")
    assert refused.value.headers is not None
    assert refused.value.headers["x-ratelimit-remaining"] == "0"
    github.clock.advance(3601)


def test_an_error_after_the_effect_leaves_the_effect(
    github: FakeGitHub, repository: Repository, client: Github
) -> None:
    pull = github.open_pull(repository, "feature", files={"README.md": "new\n"})
    issue = client.get_repo("acme/tool").get_issue(pull.number)
    for kind, left in (("before", 0), ("after", 1)):
        github.fail(kind, method="POST", path="/comments")
        with pytest.raises(GithubException) as refused:
            issue.create_comment("x")
        assert (refused.value.status, len(repository.comments)) == (502, left)


@pytest.mark.parametrize(("status", "after"), [(403, 7), (403, None), (429, None)])
def test_a_secondary_limit_comes_with_and_without_retry_after(
    github: FakeGitHub, client: Github, status: int, after: int | None
) -> None:
    github.fail("secondary", status=status, retry_after=after)
    with pytest.raises(GithubException) as refused:
        client.requester.requestJsonAndCheck("GET", "/repos/acme/tool")
    assert refused.value.status == status
    assert (refused.value.headers or {}).get("retry-after") == (str(after) if after else None)


def test_a_request_that_hangs_ends_by_the_client_s_own_time_out(github: FakeGitHub, client: Github) -> None:
    client.requester.requestJsonAndCheck("GET", "/repos/acme/tool")
    github.fail("hang")
    with pytest.raises(requests.RequestException):
        requests.get(f"{github.base}/app", timeout=0.2)


def test_a_new_pull_request_may_not_be_found_and_a_read_may_be_stale(
    github: FakeGitHub, repository: Repository, client: Github
) -> None:
    pull = github.open_pull(repository, "feature", files={"README.md": "new\n"})
    there = client.get_repo("acme/tool")
    github.fail("missing", path="/pulls/1")
    with pytest.raises(UnknownObjectException):
        _ = there.get_pull(1).state
    before = pull.head
    stale = github.fail("stale", method="GET", times=None)
    after = github.push(repository, {"README.md": "newer\n"}, branch="feature")
    there.get_issue(1).create_comment("x")
    assert there.get_pull(1).head.sha == before
    assert list(there.get_issue(1).get_comments()) == []
    stale.lift()
    assert there.get_pull(1).head.sha == after
    assert len(list(there.get_issue(1).get_comments())) == 1


def test_git_fetches_a_private_repository_with_a_token_and_not_without(
    github: FakeGitHub, installation: Installation, repository: Repository, tmp_path: Path
) -> None:
    pull = github.open_pull(repository, "patch", fork="eve/tool", files={"README.md": "new\n"})
    address = f"{github.address}/acme/tool.git"
    token = github.make_token(installation).value
    basic = base64.b64encode(f"x-access-token:{token}".encode()).decode()
    environment = {"GIT_TERMINAL_PROMPT": "0", "PATH": "/usr/bin:/bin", "HOME": str(tmp_path)}
    bad = subprocess.run(["git", "ls-remote", address], env=environment, capture_output=True, check=False)
    assert bad.returncode != 0
    subprocess.run(["git", "init", "-q", str(tmp_path / "clone")], env=environment, check=True)
    good = {
        **environment,
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "http.extraHeader",
        "GIT_CONFIG_VALUE_0": f"Authorization: Basic {basic}",
    }
    command = ["git", "-C", str(tmp_path / "clone"), "fetch", "-q", address, pull.head, "refs/pull/1/head"]
    subprocess.run(command, env=good, check=True)
    github.clock.advance(3601)
    assert subprocess.run(["git", "ls-remote", address], env=good, capture_output=True, check=False).returncode != 0


class Receiver:
    """Takes what a webhook sends."""

    def __init__(self) -> None:
        self.got: list[tuple[str, str, str, bytes]] = []
        self.status = 200
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                outer.got.append(
                    (
                        self.headers["X-GitHub-Event"],
                        self.headers["X-GitHub-Delivery"],
                        self.headers["X-Hub-Signature-256"],
                        body,
                    )
                )
                self.send_response(outer.status)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                pass

        self.server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


@pytest.fixture
def receiver(github: FakeGitHub) -> Iterator[Receiver]:
    made = Receiver()
    github.hooks.url = f"http://127.0.0.1:{made.server.server_port}/hook"
    yield made
    made.server.shutdown()
    made.server.server_close()


def actions(receiver: Receiver) -> list[str]:
    return [json.loads(body).get("action") or event for event, _, _, body in receiver.got]


def test_events_are_signed_and_delivered(
    github: FakeGitHub, receiver: Receiver, repository: Repository, installation: Installation
) -> None:
    github.open_pull(repository, "feature", files={"README.md": "new\n"})
    github.push(repository, {"README.md": "newer\n"}, branch="feature")
    github.hooks.wait()
    assert actions(receiver) == ["created", "opened", "push", "synchronize"]
    assert all(signature == github.hooks.signature(body) for _, _, signature, body in receiver.got)


def test_events_are_lost_doubled_held_back_and_reordered(
    github: FakeGitHub, receiver: Receiver, repository: Repository, installation: Installation
) -> None:
    github.hooks.wait()
    receiver.got.clear()
    github.hooks.next_fates("lose", "double")
    pull = github.open_pull(repository, "feature", files={"README.md": "new\n"})
    github.pull_event(repository, pull, "edited")
    github.hooks.wait()
    assert actions(receiver) == ["edited", "edited"]
    assert receiver.got[0][1] == receiver.got[1][1]
    github.hooks.hold()
    github.pull_event(repository, pull, "reopened")
    github.close_pull(repository, pull)
    github.hooks.release(lambda held: held[::-1])
    github.hooks.wait()
    assert actions(receiver)[2:] == ["closed", "reopened"]


def test_a_failed_delivery_is_listed_and_delivered_again_under_its_own_id(
    github: FakeGitHub, receiver: Receiver, repository: Repository, installation: Installation
) -> None:
    github.hooks.wait()
    receiver.status = 500
    github.open_pull(repository, "feature", files={"README.md": "new\n"})
    github.hooks.wait()
    receiver.status = 200
    requester = integration(github).requester
    _, failed = requester.requestJsonAndCheck("GET", "/app/hook/deliveries", parameters={"status": "failure"})
    assert [(d["event"], d["status_code"]) for d in failed] == [("pull_request", 500)]
    requester.requestJsonAndCheck("POST", f"/app/hook/deliveries/{failed[0]['id']}/attempts")
    github.hooks.wait()
    assert receiver.got[-1][1] == failed[0]["guid"] == receiver.got[-2][1]
