"""People pause, ignore and dismiss: it holds until somebody takes it back, and it can be seen."""

from __future__ import annotations

from typing import Literal

import pytest

from docalign_actors.demo.github import people
from docalign_actors.github.words import MARKER
from docalign_actors.http.api_learning import resume, suppress, unsuppress
from docalign_actors.http.errors import UnknownPauseError
from docalign_actors.http.schemas import NewSuppression
from tests.github.talking import ONE, OTHER, Talk, finding
from tests.support.github.workshop import Workshop
from tests.support.spine import SteppedProcesses
from tests.support.waiting import until


@pytest.fixture
def talk(shop: Workshop, processes: SteppedProcesses) -> Talk:
    """A pull request with one finding."""
    return Talk(shop, processes, finding())


# Pausing


def test_a_paused_pull_request_says_so_in_its_check_until_it_is_resumed_and_scanned_at_once(talk: Talk) -> None:
    paused = talk.said("/docalign pause until the @team is back")
    assert people.reactions(paused) == ["eyes", "+1"]
    talk.github.clock.advance(2)
    head = talk.github.push(talk.repository, {"README.md": "newer\n"}, branch="feature")
    talk.shop.settle_all()
    check = talk.checks()[-1]
    assert (check.head_sha, check.status, check.conclusion, check.title) == (head, "completed", "neutral", "Paused")
    assert "will paused this on " in check.summary
    assert "comment /docalign resume" in check.summary
    assert "@team" not in check.summary
    assert len(talk.shop.runs("id")) == 2
    resumed = talk.say("/docalign resume", "mia")
    talk.processes.wait_for(3)
    talk.scanned()
    assert people.reactions(resumed) == ["eyes", "+1"]
    assert (talk.checks()[-1].head_sha, talk.checks()[-1].conclusion) == (head, "success")
    assert talk.shop.rows("SELECT FROM github_pauses") == []


def test_pausing_stops_the_scan_that_runs_and_its_check_says_why(talk: Talk) -> None:
    talk.github.clock.advance(2)
    talk.github.push(talk.repository, {"README.md": "newer\n"}, branch="feature")
    process = talk.processes.wait_for(3)
    talk.said("/docalign pause")
    assert process.ended.is_set()
    assert talk.checks()[-1].title == "Paused"
    assert talk.shop.runs("status")[-1] == ("cancelled",)


def test_resuming_scans_the_newest_head_even_if_its_webhook_was_lost(talk: Talk) -> None:
    talk.said("/docalign pause")
    talk.github.hooks.next_fates("lose", "lose")
    talk.github.clock.advance(2)
    head = talk.github.push(talk.repository, {"README.md": "newer\n"}, branch="feature")
    talk.say("/docalign resume")
    talk.scanned()
    assert talk.checks()[-1].head_sha == head


def test_a_paused_repository_is_not_scanned_by_pushes_nor_pull_requests_and_comes_back_as_a_whole(talk: Talk) -> None:
    talk.said("/docalign pause repo we move")
    talk.github.push(talk.repository, {"src/new.py": "x = 1\n"})
    second = talk.github.open_pull(talk.repository, "other", files={"README.md": "other\n"})
    talk.shop.settle_all()
    assert len(talk.shop.runs("id")) == 2
    assert talk.checks()[-1].title == "Paused for the whole repository"
    assert "/docalign resume repo" in talk.checks()[-1].summary
    refused = talk.said("/docalign resume")
    assert people.reactions(refused) == ["eyes", "confused"]
    talk.say("/docalign resume repo")
    for _ in range(3):
        talk.scans += 1
        talk.processes.wait_for(talk.scans).report()
    talk.shop.settle_all()
    assert sorted(talk.shop.runs("type", "pr_number")[2:]) == [("full", None), ("pr", 1), ("pr", second.number)]


def test_a_check_that_is_asked_for_again_while_paused_stays_as_it_is(talk: Talk) -> None:
    talk.said("/docalign pause")
    talk.github.check_event(talk.repository, talk.checks()[0], "rerequested")
    talk.shop.settle_all()
    assert len(talk.shop.runs("id")) == 2


def test_a_pause_is_ended_over_the_api_and_what_it_kept_back_is_scanned(talk: Talk) -> None:
    talk.said("/docalign pause")
    talk.github.clock.advance(2)
    head = talk.github.push(talk.repository, {"README.md": "newer\n"}, branch="feature")
    talk.shop.settle_all()
    (repo,) = talk.shop.rows("SELECT repo_id FROM github_repos")[0]
    resume(talk.shop.services, repo, 1, "ola")
    talk.wake()
    talk.scanned()
    assert (talk.checks()[-1].head_sha, talk.checks()[-1].conclusion) == (head, "success")
    assert talk.shop.runs("requested_by")[-1] == ("ola",)
    with pytest.raises(UnknownPauseError):
        resume(talk.shop.services, repo, 1, "ola")


def test_a_repository_that_is_resumed_over_the_api_comes_back_as_a_whole(talk: Talk) -> None:
    talk.said("/docalign pause repo we move")
    second = talk.github.open_pull(talk.repository, "other", files={"README.md": "other\n"})
    talk.shop.settle_all()
    (repo,) = talk.shop.rows("SELECT repo_id FROM github_repos")[0]
    resume(talk.shop.services, repo, 0, "ola")
    talk.wake()
    for _ in range(3):
        talk.scans += 1
        talk.processes.wait_for(talk.scans).report()
    talk.shop.settle_all()
    assert sorted(talk.shop.runs("type", "pr_number")[2:]) == [("full", None), ("pr", 1), ("pr", second.number)]


# Learning


@pytest.mark.parametrize(
    ("scope", "value"), [("claim", ONE), ("file", "README.md"), ("kind", "path"), ("kind", "missing-path")]
)
def test_a_suppression_over_the_api_has_the_pull_requests_that_it_touches_scanned_again(
    talk: Talk, scope: Literal["claim", "file", "kind"], value: str
) -> None:
    (repo,) = talk.shop.rows("SELECT repo_id FROM github_repos")[0]
    suppress(talk.shop.services, repo, "ola", NewSuppression(scope="file", value="docs/else.md", reason="elsewhere"))
    assert talk.shop.rows("SELECT FROM github_pulls WHERE rescan_by <> ''") == []
    made = suppress(talk.shop.services, repo, "ola", NewSuppression(scope=scope, value=value, reason="a placeholder"))
    talk.wake()
    talk.scanned(finding())
    assert (talk.checks()[-1].conclusion, len(talk.checks())) == ("success", 2)
    assert talk.shop.rows("SELECT FROM github_pulls WHERE rescan_by <> ''") == []
    unsuppress(talk.shop.services, repo, made.id, "ola")
    talk.wake()
    talk.scanned(finding())
    assert talk.checks()[-1].conclusion == "action_required"


def test_what_is_ignored_is_left_out_of_the_next_scan_which_comes_at_once_and_says_so(talk: Talk) -> None:
    comment = talk.say(f"/docalign ignore {ONE} it is a placeholder for 30 days")
    talk.scanned(finding(), finding(OTHER))
    assert people.reactions(comment) == ["eyes", "+1"]
    check = talk.checks()[-1]
    assert check.title == "1 statement of the documentation would be false"
    assert "1 finding is left out because somebody said so" in check.summary
    comment = next(c.body for c in talk.repository.comments.values() if c.body.startswith(MARKER))
    assert "fixed in" not in comment
    assert ONE not in check.text
    ((scope, value, reason, by, days),) = talk.shop.rows(
        "SELECT scope, value, reason, created_by, round(extract(epoch FROM expires_at - created_at) / 86400) FROM suppressions"
    )
    assert (scope, value, reason, by, int(days)) == ("claim", f"claim-{ONE}", "it is a placeholder", "will", 30)
    assert talk.shop.runs("claims_drifted", "findings_suppressed")[-1] == (1, 1)


def test_what_is_ignored_is_reported_again_when_somebody_wants_it(talk: Talk) -> None:
    talk.say(f"/docalign ignore {ONE} --scope file generated")
    talk.scanned(finding(), finding(OTHER, file="docs/x.md"))
    assert "1 finding is left out" in talk.checks()[-1].summary
    talk.say("/docalign unignore README.md")
    talk.scanned(finding(), finding(OTHER, file="docs/x.md"))
    assert talk.checks()[-1].title == "2 statements of the documentation would be false"
    assert talk.shop.rows("SELECT revoked_by FROM suppressions") == [("will",)]


def test_an_expired_suppression_counts_no_more_and_can_be_renewed(talk: Talk) -> None:
    talk.say(f"/docalign ignore {ONE} for 1 day we know")
    talk.scanned(finding())
    talk.shop.rows("UPDATE suppressions SET expires_at = now() - interval '1 second' RETURNING id")
    talk.say("/docalign scan")
    talk.scanned(finding())
    assert talk.checks()[-1].conclusion == "action_required"
    talk.say(f"/docalign ignore {ONE} for good")
    talk.scanned(finding())
    assert talk.checks()[-1].conclusion == "success"


def test_a_suggestion_that_is_dismissed_twice_by_people_who_may_write_suppresses_the_claim(talk: Talk) -> None:
    number, bot = talk.pull.number, talk.github.app.bot
    body = f"<!-- docalign:fix {ONE} -->\nWrite it so.\n"
    threads = [people.line_comment(talk.github, talk.repository, number, body, bot) for _ in range(4)]
    foreign = people.line_comment(talk.github, talk.repository, number, body, people.BOT)
    people.resolve(talk.github, talk.repository, threads[0], "will")
    people.resolve(talk.github, talk.repository, threads[0], "will")  # resolved, opened, resolved: one dismissal
    people.resolve(talk.github, talk.repository, threads[1], "rita")  # her own pull request, say
    people.resolve(talk.github, talk.repository, threads[2], people.BOT)
    people.resolve(talk.github, talk.repository, foreign, "will")
    talk.shop.settle_all()
    assert talk.shop.rows("SELECT FROM suppressions") == []
    people.resolve(talk.github, talk.repository, threads[3], "olga")
    talk.shop.settle_all()
    assert talk.shop.rows("SELECT value, reason, origin FROM suppressions") == [
        (f"claim-{ONE}", "dismissed 2 times: by will and olga", "dismissals")
    ]


def test_thumbs_down_are_seen_when_the_pull_request_is_closed(talk: Talk) -> None:
    body = f"<!-- docalign:fix {ONE} -->\nWrite it so.\n"
    ours = people.line_comment(talk.github, talk.repository, talk.pull.number, body, talk.github.app.bot)
    foreign = people.line_comment(talk.github, talk.repository, talk.pull.number, body, people.BOT)
    for user in ("will", "rita", "olga"):
        people.react(talk.github, ours, "-1", user)
    people.react(talk.github, ours, "+1", "mia")
    people.react(talk.github, foreign, "-1", "mia")
    talk.shop.settle_all()
    assert talk.shop.rows("SELECT FROM github_dismissals") == []
    talk.github.clock.advance(2)
    talk.github.close_pull(talk.repository, talk.pull)
    talk.shop.settle_all()
    assert talk.shop.rows("SELECT dismissed_by FROM github_dismissals ORDER BY at") == [("will",), ("olga",)]
    assert talk.shop.rows("SELECT reason FROM suppressions") == [("dismissed 2 times: by will and olga",)]
    assert talk.replies() == []


def test_who_applies_a_suggestion_has_not_dismissed_it_although_its_commit_is_not_scanned_yet(talk: Talk) -> None:
    """GitHub resolves the thread of a suggestion that is applied."""
    body = f"<!-- docalign:fix {ONE} -->\nWrite it so.\n"
    threads = [
        people.line_comment(talk.github, talk.repository, talk.pull.number, body, talk.github.app.bot) for _ in range(2)
    ]
    talk.github.clock.advance(2)
    talk.github.push(talk.repository, {"README.md": "mended\n"}, branch="feature")
    for thread in threads:
        people.resolve(talk.github, talk.repository, thread, "will")
    talk.shop.settle()
    until(lambda: talk.commands("state") == [("told",), ("told",)])
    talk.scanned()
    assert talk.shop.rows("SELECT FROM github_dismissals") == []
    assert talk.shop.rows("SELECT FROM suppressions") == []


def test_a_thread_that_is_resolved_after_the_fix_is_no_dismissal(talk: Talk) -> None:
    body = f"<!-- docalign:fix {ONE} -->\nWrite it so.\n"
    thread = people.line_comment(talk.github, talk.repository, talk.pull.number, body, talk.github.app.bot)
    talk.github.clock.advance(2)
    talk.github.push(talk.repository, {"README.md": "mended\n"}, branch="feature")
    talk.shop.settle()
    talk.scanned()
    people.resolve(talk.github, talk.repository, thread, "will")
    talk.shop.settle_all()
    assert talk.shop.rows("SELECT FROM github_dismissals") == []
