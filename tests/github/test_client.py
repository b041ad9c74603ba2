"""Our client of GitHub: one request a call, no write twice, a limit is never read as anything else."""

from __future__ import annotations

import itertools
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docalign_actors.demo.github import FakeGitHub
from docalign_actors.demo.github.model import Repository
from docalign_actors.errors import (
    AgentNotConfiguredError,
    GitHubError,
    GitHubForbiddenError,
    GitHubLimitError,
    GitHubNotFoundError,
    GitHubTokenError,
    GitHubUnavailableError,
)
from docalign_actors.github.limits import limit_in
from docalign_actors.github.pacing import Pace, WriteLimits
from docalign_actors.github.ports import Annotation, CheckText
from docalign_actors.hosts.credentials import git_environment
from docalign_actors.hosts.github.client import GitHubClient
from docalign_actors.hosts.github.credentials import AppCredentials, TokenCache, credentials_of
from docalign_actors.hosts.github.installation import InstallationHost
from docalign_actors.hosts.mirrors import Mirror
from docalign_actors.settings.kinds import Secret
from docalign_actors.settings.model import GitHubSettings
from tests.support.clock import ManualClock

REPO = "acme/tool"
NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)


@pytest.fixture
def repository(github: FakeGitHub) -> Repository:
    return github.create_repository(REPO, {"README.md": "# Tool\n"})


@pytest.fixture
def host(github: FakeGitHub, client: GitHubClient, repository: Repository) -> InstallationHost:
    return InstallationHost(client.talk(github.install("acme", repository).id))


def test_every_call_is_one_request(github: FakeGitHub, host: InstallationHost, repository: Repository) -> None:
    sha = repository.git.resolve("main")
    github.open_pull(repository, "feature", files={"README.md": "new\n"})
    text = CheckText("Reading", "s")
    check = host.create_check(REPO, "DocAlign", sha, "x", text, [Annotation("README.md", 1, 1, "warning", "m", "t")])
    host.update_check(REPO, check, CheckText("Done", "s", conclusion="success"), [])
    assert host.check(REPO, check).annotations == 1
    assert [c.external_id for c in host.checks(REPO, "DocAlign", sha)] == ["x"]
    assert host.pull(REPO, 1).open
    comment = host.create_comment(REPO, 1, "first")
    host.edit_comment(REPO, comment, "second")
    host.react(REPO, comment, "eyes")
    assert host.permission(REPO, "eve") == "none"
    host.dispatch(REPO, "docalign-scan", {})
    before = len(github.requests())
    assert [c.body for c in host.own_comments(REPO, 1)] == ["second"]
    assert [a.path for a in github.requests()][before:] == ["/app", f"/repos/{REPO}/issues/1/comments"]
    host.delete_comment(REPO, comment)
    assert before == 10
    assert repository.checks[check].history == ["in_progress: Reading", "completed: Done"]


def test_a_comment_of_somebody_else_with_our_marker_is_not_ours(
    github: FakeGitHub, host: InstallationHost, repository: Repository
) -> None:
    github.open_pull(repository, "feature", files={"README.md": "new\n"})
    github.comment(repository, 1, "<!-- docalign -->", "eve")
    assert host.own_comments(REPO, 1) == []


def test_an_expired_token_is_replaced_once_and_the_request_repeated(github: FakeGitHub, host: InstallationHost) -> None:
    assert host.permission(REPO, "ada") == "none"
    for token in github.tokens.values():
        token.expires = github.clock.now() - timedelta(seconds=1)
    assert host.permission(REPO, "ada") == "none"
    assert len([a for a in github.asked if "access_tokens" in a.path]) == 2


def test_a_wrong_key_is_said_to_be_one(github: FakeGitHub, repository: Repository) -> None:
    wrong = GitHubClient(
        AppCredentials(99, Secret(github.app.private_key), github.base), ManualClock(datetime.now(UTC)), timeout=5
    )
    with pytest.raises(GitHubTokenError):
        InstallationHost(wrong.talk(github.install("acme", repository).id)).permission(REPO, "ada")


def test_a_write_that_fails_after_its_effect_is_not_repeated(
    github: FakeGitHub, host: InstallationHost, repository: Repository
) -> None:
    github.open_pull(repository, "feature", files={"README.md": "new\n"})
    github.fail("after", method="POST", path="/comments")
    with pytest.raises(GitHubUnavailableError):
        host.create_comment(REPO, 1, "x")
    assert len(repository.comments) == 1


def test_a_request_that_is_not_answered_ends(github: FakeGitHub, repository: Repository) -> None:
    credentials = AppCredentials(github.app.id, Secret(github.app.private_key), github.base)
    client = GitHubClient(credentials, ManualClock(datetime.now(UTC)), timeout=1)
    host = InstallationHost(client.talk(github.install("acme", repository).id))
    fault = github.fail("hang", path="/permission")
    with pytest.raises(GitHubUnavailableError) as error:
        host.permission(REPO, "ada")
    assert "in time" in str(error.value)
    fault.lift()


@pytest.mark.parametrize(("status", "after"), [(403, 7), (403, None), (429, None), (429, 30)])
def test_a_limit_is_a_limit_and_nothing_else(
    github: FakeGitHub, host: InstallationHost, status: int, after: int | None
) -> None:
    github.fail("secondary", status=status, retry_after=after, path="/dispatches|/permission", times=2)
    before = datetime.now(UTC)
    with pytest.raises(GitHubLimitError) as first:
        host.permission(REPO, "ada")
    with pytest.raises(GitHubLimitError) as second:
        host.dispatch(REPO, "docalign-scan", {})
    waits = [(e.value.resumes_at - before).total_seconds() for e in (first, second)]
    assert waits == pytest.approx([after, after] if after else [60, 120], abs=20)


def test_the_hourly_limit_ends_when_github_says_so(github: FakeGitHub, host: InstallationHost) -> None:
    github.fail("primary", reset_in=1200, path="/permission")
    with pytest.raises(GitHubLimitError) as error:
        host.permission(REPO, "ada")
    assert not error.value.secondary
    assert (error.value.resumes_at - datetime.now(UTC)).total_seconds() == pytest.approx(1200, abs=20)


def test_what_is_missing_forbidden_and_refused_are_told_apart(
    github: FakeGitHub, host: InstallationHost, repository: Repository
) -> None:
    with pytest.raises(GitHubNotFoundError):
        host.pull(REPO, 99)
    repository.dispatch_status = 404
    with pytest.raises(AgentNotConfiguredError):
        host.dispatch(REPO, "docalign-scan", {})
    with pytest.raises(GitHubError) as refused:
        host.create_check(REPO, "DocAlign", "0" * 40, "x", CheckText("t", "s"), [])
    assert type(refused.value) is GitHubError
    for installation in github.installations.values():
        installation.permissions["checks"] = "read"
    with pytest.raises(GitHubForbiddenError):
        host.create_check(REPO, "DocAlign", repository.git.resolve("main"), "x", CheckText("t", "s"), [])


def test_a_conditional_request_is_free_while_nothing_has_changed(
    github: FakeGitHub, client: GitHubClient, repository: Repository
) -> None:
    talk = client.talk(github.install("acme", repository).id)
    path = f"/repos/{REPO}/pulls"
    first = talk.read(path)
    assert (first.data, talk.read(path, first.etag).data) == ([], None)
    github.open_pull(repository, "feature", files={"README.md": "new\n"})
    assert len(talk.read(path, first.etag).data) == 1


def test_failed_deliveries_are_listed_and_asked_for_again(
    github: FakeGitHub, client: GitHubClient, repository: Repository
) -> None:
    github.hooks.next_fates("fail")
    github.install("acme", repository)
    failed = client.failed_deliveries()
    assert [d.event for d in failed] == ["installation"]
    client.redeliver(failed[0].id)
    github.hooks.wait()
    assert github.hooks.deliveries[-1].guid == failed[0].guid


def test_a_mirror_of_a_private_repository_is_fetched_with_a_token_that_stands_nowhere(
    github: FakeGitHub, client: GitHubClient, repository: Repository, tmp_path: Path
) -> None:
    installation = github.install("acme", repository)
    pull = github.open_pull(repository, "patch", fork="eve/tool", files={"README.md": "new\n"})
    token = client.token(installation.id)
    mirror = Mirror(tmp_path / "mirror.git", token.reveal())
    mirror.fetch(f"{github.address}/{REPO}.git", [pull.head], timeout=60)
    assert mirror.has(pull.head)
    written = b"".join(p.read_bytes() for p in (tmp_path / "mirror.git").rglob("*") if p.is_file())
    assert token.reveal().encode() not in written
    assert token.reveal() not in repr(token)


def test_git_s_password_is_for_one_host_and_in_no_setting() -> None:
    made = git_environment("https://github.com/acme/tool.git", "ghs_secret")
    assert [name for name, value in made.items() if "ghs_secret" in value] == ["GIT_HOST_PASSWORD"]
    assert "credential.https://github.com.helper" in made.values()
    assert git_environment("/srv/git/tool", "ghs_secret") == git_environment("https://github.com/x", "") == {}


def test_a_token_is_fetched_once_until_five_minutes_before_its_end() -> None:
    clock, made = ManualClock(), []

    def fetch(installation: int) -> tuple[str, float]:
        made.append(installation)
        return f"token {len(made)}", 3600.0

    tokens = TokenCache(fetch, clock)
    first = tokens.token(1)
    assert tokens.token(1) == first
    clock.advance(3301)
    second = tokens.token(1)
    assert (first == second, made) == (False, [1, 1])
    tokens.forget(1, first)  # an old one: the new one stays
    assert tokens.token(1) == second


def test_the_private_key_comes_from_a_file_that_only_we_read(tmp_path: Path) -> None:
    file = tmp_path / "app.pem"
    file.write_text("KEY")
    os.chmod(file, 0o600)
    found = credentials_of(GitHubSettings(app_id=1, private_key_file=str(file), webhook_secret=Secret("s")))
    assert found is not None
    assert found.private_key.reveal() == "KEY"
    assert "KEY" not in repr(found)
    assert credentials_of(GitHubSettings()) is None


@given(
    status=st.sampled_from([200, 401, 403, 404, 410, 422, 429, 502]),
    after=st.one_of(st.none(), st.text(max_size=12), st.integers(0, 10**12).map(str)),
    remaining=st.sampled_from([None, "0", "17"]),
    reset=st.one_of(st.none(), st.integers(0, 10**11).map(str), st.text(max_size=5)),
    message=st.sampled_from(
        ["", "Not Found", "You have exceeded a secondary rate limit.", "Resource not accessible by integration"]
    ),
    strikes=st.integers(0, 40),
)
def test_a_limit_waits_for_a_second_at_least_and_other_answers_are_none(
    status: int, after: str | None, remaining: str | None, reset: str | None, message: str, strikes: int
) -> None:
    given = {"retry-after": after, "x-ratelimit-remaining": remaining, "x-ratelimit-reset": reset}
    found = limit_in(status, {k: v for k, v in given.items() if v is not None}, message, NOW, strikes)
    if status not in (403, 429):
        assert found is None
    if status == 429 or (status == 403 and "secondary" in message):
        assert found is not None
    if found is not None:
        assert found.until >= NOW + timedelta(seconds=1)


@given(st.lists(st.floats(0, 30), min_size=1, max_size=300))
def test_no_minute_has_more_than_eighty_writes_and_no_two_are_closer_than_the_interval(gaps: list[float]) -> None:
    pace, now, sent, limits = Pace(), 0.0, [], WriteLimits(0.5)
    for gap in gaps:
        now += gap / 30
        now += pace.wait(now, limits)
        assert pace.wait(now, limits) < 1e-6
        pace = pace.after_write(now)
        sent.append(now)
    assert all(b - a >= 0.5 - 1e-6 for a, b in itertools.pairwise(sent))
    assert all(len([s for s in sent if t - 60 + 1e-6 < s <= t]) <= 80 for t in sent)


def test_a_server_without_limits_is_written_to_without_waiting() -> None:
    pace = Pace()
    for _ in range(1_000):
        assert pace.wait(7.0, WriteLimits(0.0, 0, 0)) == 0.0
        pace = pace.after_write(7.0)
