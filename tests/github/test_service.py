"""The whole service against the fake GitHub: real webhooks, real fetches with tokens, real scans, and kills in between."""

from __future__ import annotations

import re
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from docalign_actors.demo.github import FakeGitHub, people
from docalign_actors.demo.github.model import Repository
from tests.support.service import ServiceProcess

FILES = {
    "README.md": "# Tool\n\nStart with `src/app.py`; it has `make_report()`.\n",
    "src/app.py": "def make_report():\n    return 1\n",
}
MOVED: dict[str, Any] = {"files": {"src/main.py": FILES["src/app.py"]}, "delete": ["src/app.py"]}


@pytest.fixture
def service(github: FakeGitHub, tmp_path: Path) -> Iterator[ServiceProcess]:
    key = tmp_path / "app.pem"
    key.write_text(github.app.private_key)
    made = ServiceProcess.prepared(
        tmp_path / "data", DOCALIGN_GITHUB_APP_ID=str(github.app.id), DOCALIGN_GITHUB_PRIVATE_KEY_FILE=str(key),
        DOCALIGN_GITHUB_WEBHOOK_SECRET=github.hooks.secret, DOCALIGN_GITHUB_API_URL=github.base, DOCALIGN_GITHUB_WEB_URL=github.address,
        DOCALIGN_GITHUB_WRITE_INTERVAL="0", DOCALIGN_GITHUB_TIMEOUT="5", DOCALIGN_LOG_LEVEL="debug",
    )  # fmt: skip
    yield made
    made.kill()
    made.wait_until_nothing_is_left()


@pytest.fixture
def repository(github: FakeGitHub) -> Repository:
    return github.create_repository("acme/tool", FILES)


def start(service: ServiceProcess, github: FakeGitHub) -> None:
    service.start()
    handle = service.handle()
    assert handle is not None
    github.hooks.url = f"{handle['address']}/webhooks/github"


def concluded(repository: Repository) -> list[str | None]:
    found = [c.conclusion for c in repository.checks.values()]
    assert "neutral" not in found, [(c.title, c.summary) for c in repository.checks.values()]
    return found


def test_a_pull_request_that_moves_a_file_is_checked_commented_on_and_mended(
    service: ServiceProcess, github: FakeGitHub, repository: Repository
) -> None:
    start(service, github)
    github.install("acme", repository)
    github.open_pull(repository, "feature", **MOVED)
    service.until(lambda: concluded(repository) == ["action_required"])
    (comment,) = repository.comments.values()
    assert "| `src/main.py` |" in comment.body
    github.clock.advance(2)
    github.push(repository, {"README.md": FILES["README.md"].replace("app.py", "main.py")}, branch="feature")
    service.until(lambda: concluded(repository) == ["action_required", "success"])
    assert "~~`README.md:3`" in comment.body
    assert len(repository.comments) == 1
    said = service.said() + service.log.read_text()
    assert not [token for token in github.tokens if token in said]
    assert github.app.private_key[40:80] not in said
    assert len(github.requests()) <= 14


@pytest.mark.parametrize(("method", "path"), [("POST", "/check-runs"), ("POST", "/comments"), ("PATCH", "/check-runs")])
def test_a_kill_between_the_effect_and_its_record_makes_nothing_twice(
    service: ServiceProcess, github: FakeGitHub, repository: Repository, method: str, path: str
) -> None:
    start(service, github)
    github.install("acme", repository)
    fault = github.fail("hang_after", method=method, path=path)
    github.open_pull(repository, "feature", **MOVED)
    service.until(lambda: fault.hits == 1 and (repository.comments or path != "/comments") and repository.checks)
    service.signal(signal.SIGKILL)
    service.wait()
    fault.lift()
    start(service, github)
    service.until(lambda: concluded(repository) == ["action_required"])
    assert [len(c.annotations) for c in repository.checks.values()] == [1]
    assert len(repository.comments) == 1


def test_a_webhook_that_came_just_before_a_kill_is_carried_out_after_it(
    service: ServiceProcess, github: FakeGitHub, repository: Repository
) -> None:
    start(service, github)
    github.install("acme", repository)
    github.open_pull(repository, "feature", **MOVED)
    github.hooks.wait()
    service.signal(signal.SIGKILL)
    service.wait()
    start(service, github)
    service.until(lambda: concluded(repository) == ["action_required"])
    assert len(repository.comments) == 1


def mended(repository: Repository) -> list[str]:
    """The texts of every branch's README that say what is true."""
    branches = repository.git.run("for-each-ref", "--format=%(refname:short)", "refs/heads").split()
    return [b for b in branches if b"src/main.py" in (repository.git.read(b, "README.md") or b"")]


def killed_at(service: ServiceProcess, github: FakeGitHub, method: str, path: str) -> Callable[[], None]:
    """From now on that request takes effect and is never answered; what is given kills the service there, and starts it anew."""
    fault = github.fail("hang_after", method=method, path=path)
    before = github.seq

    def kill() -> None:
        service.until(lambda: fault.hits == 1 and github.seq > before)
        service.signal(signal.SIGKILL)
        service.wait()
        fault.lift()
        github.clock.advance(2)
        start(service, github)

    return kill


@pytest.mark.timeout(300)
def test_kills_in_the_midst_of_mending_a_pull_request_make_nothing_twice(
    service: ServiceProcess, github: FakeGitHub, repository: Repository
) -> None:
    start(service, github)
    github.install("acme", repository)
    text = FILES["README.md"] + "\nMore.\n"
    kill = killed_at(service, github, "POST", "/reviews")
    github.open_pull(repository, "feature", files={**MOVED["files"], "README.md": text}, delete=MOVED["delete"])
    kill()
    service.until(lambda: "action_required" in [c.conclusion for c in repository.checks.values()])
    kill = killed_at(service, github, "POST", "/git/commits")
    ask(service, pull=1)
    again = killed_at(service, github, "PATCH", "/git/refs")
    kill()
    again()
    service.until(lambda: [c.conclusion for c in repository.checks.values()] == ["action_required", "success"])
    assert mended(repository) == ["feature"]
    assert commits_of_ours(repository) == 1
    assert (len(repository.reviews), len(repository.review_comments), len(repository.comments)) == (1, 1, 1)


@pytest.mark.timeout(300)
def test_kills_in_the_midst_of_mending_the_default_branch_make_nothing_twice(
    service: ServiceProcess, github: FakeGitHub, repository: Repository
) -> None:
    start(service, github)
    github.install("acme", repository)
    head = github.push(repository, **MOVED)
    service.until(lambda: [r["head_sha"] for r in service.get("/api/repos")[1]["items"]] == [head])
    kill = killed_at(service, github, "POST", "/git/refs")
    again = killed_at(service, github, "POST", "/pulls$")
    ask(service, pull=None)
    kill()
    again()
    service.until(lambda: [c.conclusion for c in repository.checks.values()] == ["success"])
    assert (len(mended(repository)), len(repository.pulls), commits_of_ours(repository)) == (1, 1, 1)


def ask(service: ServiceProcess, pull: int | None) -> None:
    (repo,) = service.get("/api/repos")[1]["items"]
    assert service.call("POST", f"/api/repos/{repo['id']}/fix", {"pull": pull})[0] == 202


def commits_of_ours(repository: Repository) -> int:
    return repository.git.run("log", "--format=%an", "--branches").split("\n").count("docalign[bot]")


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/issues/1/comments"),
        ("GET", "/permission"),
    ],
)
def test_a_kill_while_a_command_is_answered_makes_one_reply_and_leaves_no_command_out(
    service: ServiceProcess, github: FakeGitHub, repository: Repository, method: str, path: str
) -> None:
    repository.roles["rita"] = "read"
    start(service, github)
    github.install("acme", repository)
    github.open_pull(repository, "feature", files={"other.txt": "x"})
    service.until(lambda: concluded(repository) == ["success"])
    fault = github.fail("hang_after", method=method, path=path)
    comment = people.say(github, repository, 1, "/docalign config\n\n/docalign help", "rita")
    service.until(lambda: fault.hits == 1)
    service.signal(signal.SIGKILL)
    service.wait()
    fault.lift()
    start(service, github)
    service.until(lambda: len(people.reactions(comment)) == 2 and len(repository.comments) == 3)
    service.until(lambda: len(github.requests("POST", "/reactions")) >= 4)
    replies = [c.body.splitlines()[0] for c in repository.comments.values() if c.id != comment.id]
    assert sorted(replies) == [f"<!-- docalign:reply:issue:{comment.id}:{n} -->" for n in (0, 1)]
    assert people.reactions(comment) == ["eyes", "+1"]


def test_what_somebody_ignores_under_the_id_in_the_comment_turns_the_check_green(
    service: ServiceProcess, github: FakeGitHub, repository: Repository
) -> None:
    repository.roles["will"] = "write"
    start(service, github)
    github.install("acme", repository)
    github.open_pull(repository, "feature", **MOVED)
    service.until(lambda: concluded(repository) == ["action_required"])
    (sticky,) = repository.comments.values()
    found = re.search(r"\| 🔴 \| `([0-9a-f]{12})` \|", sticky.body) or re.search(r"\| `([0-9a-f]{12})` \|", sticky.body)
    assert found is not None
    comment = people.say(
        github, repository, 1, f"/docalign explain {found[1]}\n/docalign ignore {found[1]} it moves back", "will"
    )
    service.until(lambda: concluded(repository)[-1] == "success")
    service.until(lambda: people.reactions(comment) == ["eyes", "+1"])
    assert any("Write `src/main.py` instead" in c.body for c in repository.comments.values())
    assert "1 finding is left out" in list(repository.checks.values())[-1].summary
    (repo,) = service.get("/api/repos")[1]["items"]
    (held,) = service.get(f"/api/repos/{repo['id']}/suppressions")[1]["items"]
    assert (held["reason"], held["created_by"], held["origin"]) == ("it moves back", "will", "comment")


def test_a_scan_that_waits_at_the_start_gets_its_token_at_the_first_attempt(
    service: ServiceProcess, github: FakeGitHub, repository: Repository
) -> None:
    start(service, github)
    github.install("acme", repository)
    service.until(lambda: [s["status"] for s in service.get("/api/scans")[1]["items"]] == ["completed"])
    service.kill()
    run = service.docalign("scan", "request", "acme/tool").strip()
    service.start()
    service.until(lambda: service.get(f"/api/scans/{run}")[1]["status"] in ("completed", "failed"))
    found = service.get(f"/api/scans/{run}")[1]
    assert (found["status"], found["attempt"], found["last_error"]) == ("completed", 1, "")


def test_a_fix_that_somebody_asks_for_in_a_comment_is_committed_and_the_comment_gets_its_rocket_then(
    service: ServiceProcess, github: FakeGitHub, repository: Repository
) -> None:
    repository.roles["will"] = "write"
    start(service, github)
    github.install("acme", repository)
    github.open_pull(repository, "feature", **MOVED)
    service.until(lambda: concluded(repository) == ["action_required"])
    comment = people.say(github, repository, 1, "/docalign fix", "will")
    service.until(lambda: concluded(repository)[-1] == "success")
    service.until(lambda: people.reactions(comment) == ["eyes", "rocket"])
    assert mended(repository) == ["feature"]
    again = people.say(github, repository, 1, "/docalign fix", "will")
    service.until(lambda: people.reactions(again) == ["eyes", "confused"])
    assert "Nothing was changed: " in list(repository.comments.values())[-1].body
