"""People talk to the App: every command is seen, carried out once, and answered once."""

from __future__ import annotations

from typing import Any

import pytest

from docalign_actors.demo.github import FakeGitHub, people
from docalign_actors.persistence.database import Database
from tests.github.talking import ONE, Talk, finding
from tests.support.github.workshop import Workshop
from tests.support.spine import SteppedProcesses
from tests.support.waiting import until


@pytest.fixture
def talk(shop: Workshop, processes: SteppedProcesses) -> Talk:
    """A pull request with one finding."""
    return Talk(shop, processes, finding())


def test_a_scan_that_somebody_asks_for_gets_eyes_at_once_and_a_rocket_when_it_has_ended(talk: Talk) -> None:
    comment = talk.say("/docalign scan")
    talk.processes.wait_for(3)
    assert people.reactions(comment) == ["eyes"]
    talk.scanned()
    assert people.reactions(comment) == ["eyes", "rocket"]
    assert talk.replies() == []
    assert talk.checks()[-1].conclusion == "success"


def test_a_scan_that_fails_says_so_where_it_was_asked_for(talk: Talk) -> None:
    comment = talk.say("/docalign scan")
    talk.processes.wait_for(3).fail("There is @nobody home.", "DOCALIGN_E401", permanent=True)
    talk.shop.settle_all()
    assert people.reactions(comment) == ["eyes", "confused"]
    (reply,) = talk.replies()
    assert "DOCALIGN_E401" in reply
    assert "@nobody" not in reply


def test_a_full_scan_says_what_it_found(talk: Talk) -> None:
    comment = talk.say("/docalign full", "mia")
    talk.scanned(finding())
    assert people.reactions(comment) == ["eyes", "rocket"]
    (reply,) = talk.replies()
    assert "The default branch has 1 finding; 5 statements were looked at." in reply
    assert "https://docs.example.org/scans/" in reply
    assert talk.shop.runs("type", "trigger", "requested_by")[-1] == ("full", "manual", "github:mia")


@pytest.mark.parametrize(("user", "has"), [("tom", "*read*"), ("rita", "*read*"), ("stranger", "none")])
def test_who_may_not_write_is_told_which_permission_is_missing_and_nothing_happens(
    talk: Talk, user: str, has: str
) -> None:
    comment = talk.said("/docalign scan\n/docalign ignore aaaaaa111111 because\n/docalign pause repo", user)
    assert people.reactions(comment) == ["eyes", "confused"]
    assert len(talk.replies()) == 3
    assert all(f"needs *write* permission on this repository, and you have {has}" in reply for reply in talk.replies())
    assert len(talk.shop.runs("id")) == 2
    assert talk.shop.rows("SELECT FROM suppressions UNION ALL SELECT FROM github_pauses") == []


@pytest.mark.parametrize("who", ["bot", "app", "login"])
def test_bots_and_apps_have_no_way_round(talk: Talk, who: str) -> None:
    talk.repository.roles |= {"renovate[bot]": "admin", "sly[bot]": "admin"}
    user: dict[str, Any] | str = {"bot": people.BOT, "app": "olga", "login": "sly[bot]"}[who]
    comment = talk.said("/docalign scan", user, via=99 if who == "app" else 0)
    assert people.reactions(comment) == []
    assert talk.replies() == []
    assert talk.commands("state", "result") == [("told", "refused")]
    assert len(talk.shop.runs("id")) == 2


def test_our_own_comments_are_never_answered(talk: Talk) -> None:
    app = talk.github.app
    talk.github.comment(talk.repository, talk.pull.number, "/docalign help", app.bot, app)
    talk.shop.settle_all()
    assert talk.commands("state") == []


def test_an_edited_comment_commands_nothing(talk: Talk) -> None:
    comment = talk.said("/docalign help")
    people.tell(talk.github, talk.repository, comment, "edited")
    talk.shop.settle_all()
    assert len(talk.replies()) == 1


def test_a_comment_without_a_command_is_not_even_written_down(talk: Talk) -> None:
    before = talk.shop.rows("SELECT count(*) FROM github_deliveries")
    talk.said("I think `/docalign scan` would help.\n> /docalign scan\n")
    assert talk.shop.rows("SELECT count(*) FROM github_deliveries") == before


def test_of_a_comment_only_the_lines_that_command_are_kept(talk: Talk) -> None:
    talk.github.hooks.hold()
    talk.say("My password is hunter2.\n/docalign help\n")
    (held,) = talk.github.hooks._held or []
    assert b"hunter2" in held.body
    talk.github.hooks.release()
    talk.shop.settle_all()
    kept = talk.shop.rows("SELECT content::text FROM github_deliveries WHERE content IS NOT NULL")
    assert "hunter2" not in str(kept + talk.commands("line", "reply"))


def test_the_same_webhook_twice_is_one_command_and_one_reply(talk: Talk) -> None:
    talk.github.hooks.next_fates("double")
    comment = talk.say("/docalign help\n/docalign help")
    talk.shop.settle_all()
    people.tell(talk.github, talk.repository, comment)  # and once more under another delivery id
    talk.shop.settle_all()
    assert len(talk.replies()) == 2
    assert people.reactions(comment) == ["eyes", "+1"]


def test_a_finding_is_explained_to_whoever_may_read(talk: Talk) -> None:
    comment = talk.said(f"/docalign explain {ONE}", "rita")
    assert people.reactions(comment) == ["eyes", "+1"]
    (reply,) = talk.replies()
    assert "`README.md:3`" in reply
    assert "Write `src/main.py` instead, which is certain." in reply


def test_the_configuration_is_shown_with_what_people_said_meanwhile(talk: Talk) -> None:
    talk.said(f"/docalign ignore {ONE} we know\n/docalign pause repo")
    talk.github.push(talk.repository, {".docalign.yml": "check:\n  min_severity_to_block: high\n"})
    talk.shop.settle_all()
    talk.said("/docalign config", "rita")
    (reply,) = talk.replies()
    assert "| blocks from severity | high |" in reply
    assert "we know (will)" in reply
    assert "The repository is paused, by will since" in reply


def test_a_mistake_in_the_configuration_is_what_config_says(talk: Talk) -> None:
    talk.github.push(talk.repository, {".docalign.yml": "check: [1\n"}, pusher="ada")
    talk.scanned()
    talk.said("/docalign config")
    assert "The configuration has a mistake" in talk.replies()[0]


def test_commands_stand_in_review_threads_too_and_are_answered_there(talk: Talk) -> None:
    comment = people.say_on_line(talk.github, talk.repository, talk.pull.number, "/docalign help", "rita")
    talk.shop.settle_all()
    assert people.reactions(comment) == ["eyes", "+1"]
    assert talk.replies() == []
    (reply,) = [c for c in talk.repository.review_comments.values() if c.body.startswith("<!-- docalign:reply:review:")]
    assert (reply.review or {})["in_reply_to_id"] == comment.id


def test_on_an_issue_only_what_is_about_the_repository_can_be_asked_for(talk: Talk) -> None:
    people.say(talk.github, talk.repository, 99, "/docalign scan\n/docalign pause\n/docalign pause repo", "will")
    talk.shop.settle_all()
    assert [result for (result,) in talk.commands("result")] == ["refused", "refused", "done"]
    assert all("is about a pull request" in reply for reply in talk.replies())


def test_a_fix_that_somebody_asks_for_is_handed_on_once(talk: Talk) -> None:
    comment = talk.said(f"/docalign fix {ONE[:6]}\n/docalign fix")
    repo = talk.shop.rows("SELECT id FROM repos")[0][0]
    assert talk.shop.fixes.asked == [
        (repo, 1, (ONE,), "will", f"comment:{comment.id}:0"), (repo, 1, (), "will", f"comment:{comment.id}:1"),
    ]  # fmt: skip
    assert people.reactions(comment) == ["eyes", "rocket"]


def test_the_button_of_the_check_asks_for_all_fixes_if_who_presses_it_may(talk: Talk) -> None:
    check = talk.checks()[0]
    people.press(talk.github, talk.repository, check, "fix", "rita")
    talk.shop.settle_all()
    assert talk.shop.fixes.asked == []
    assert "needs *write* permission" in talk.replies()[0]
    people.press(talk.github, talk.repository, check, "something else", "will")
    people.press(talk.github, talk.repository, check, "fix", people.BOT)
    talk.shop.settle_all()
    assert talk.shop.fixes.asked == []


def test_the_button_pressed_by_somebody_who_may(talk: Talk) -> None:
    check = talk.checks()[0]
    talk.github.hooks.next_fates("double")
    people.press(talk.github, talk.repository, check, "fix", "will")
    talk.shop.settle_all()
    assert [one[1:4] for one in talk.shop.fixes.asked] == [(1, (), "will")]
    assert talk.replies() == []


def test_the_button_can_be_pressed_again_by_another_or_when_what_kept_it_from_working_is_gone(talk: Talk) -> None:
    check = talk.checks()[0]
    for user in ("rita", "will", "will"):
        people.press(talk.github, talk.repository, check, "fix", user)
        talk.shop.settle_all()
    assert [one[1:4] for one in talk.shop.fixes.asked] == [(1, (), "will"), (1, (), "will")]


def test_the_button_of_a_commit_that_was_replaced_meanwhile_mends_the_pull_request_as_it_is(talk: Talk) -> None:
    check = talk.checks()[0]
    talk.github.clock.advance(2)
    talk.github.push(talk.repository, {"README.md": "newer\n"}, branch="feature")
    talk.shop.settle()
    talk.scanned(finding())
    people.press(talk.github, talk.repository, check, "fix", "will")
    talk.shop.settle_all()
    assert [one[1:4] for one in talk.shop.fixes.asked] == [(1, (), "will")]


def test_without_anybody_who_fixes_that_is_what_is_said(
    database: Database, github: FakeGitHub, processes: SteppedProcesses
) -> None:
    with Workshop(database, github, processes, fixing=False) as shop:
        talk = Talk(shop, processes, finding())
        comment = talk.said("/docalign fix")
        assert "Fixing is not available" in talk.replies()[0]
        assert people.reactions(comment) == ["eyes", "confused"]


# What goes wrong


@pytest.mark.parametrize(
    ("kind", "more"),
    [
        ("after", {"method": "POST", "path": "/issues/1/comments"}),
        ("before", {"method": "POST", "path": "/issues/1/comments"}),
        ("after", {"method": "POST", "path": "/reactions"}),
        ("before", {"method": "POST", "path": "/reactions"}),
        ("before", {"path": "/permission"}),
        ("secondary", {"path": "/permission", "retry_after": 1}),
        ("secondary", {"method": "POST", "path": "/issues/1/comments", "retry_after": 1}),
    ],
)
def test_whatever_github_does_there_is_one_reply(talk: Talk, kind: str, more: dict[str, Any]) -> None:
    talk.github.fail(kind, **more)
    comment = talk.said("/docalign help", "rita")
    assert len(talk.replies()) == 1
    assert people.reactions(comment) == ["eyes", "+1"]


def test_a_limit_is_not_taken_for_a_missing_permission(talk: Talk) -> None:
    talk.github.fail("primary", path="/permission", reset_in=2)
    comment = talk.said("/docalign pause")
    assert people.reactions(comment) == ["eyes", "+1"]
    assert talk.replies() == []


def test_a_comment_that_was_deleted_meanwhile_keeps_nothing_waiting(talk: Talk) -> None:
    talk.github.hooks.hold()
    comment = talk.say("/docalign pause")
    del talk.repository.comments[comment.id]
    talk.github.hooks.release()
    talk.shop.settle_all()
    assert talk.commands("state", "result") == [("told", "done")]


def test_a_limit_of_scans_is_what_the_answer_says(talk: Talk) -> None:
    talk.shop.rows("UPDATE rate_counters SET used = 100000 RETURNING used")
    # The limiter counts in memory: it learns of the day's figures when it starts.
    talk.shop.system.stop(5.0)
    with Workshop(talk.shop.database, talk.github, talk.processes) as again:
        talk.github.hooks.url = f"{again.address}/webhooks/github"
        comment = talk.say("/docalign scan")
        again.settle_all()
        assert people.reactions(comment) == ["eyes", "confused"]
        assert "scans of today" in talk.replies()[0]


def test_who_gives_very_many_commands_is_not_answered_for_a_while(talk: Talk) -> None:
    talk.said("/docalign help", "rita")
    talk.shop.rows(
        "INSERT INTO github_commands (repo_id, place, source_id, ordinal, number, pull, author, line, state, result)"
        " SELECT repo_id, place, n, 0, 1, true, 'rita', 'x', 'told', 'done' FROM github_commands, generate_series(1, 59) n RETURNING id"
    )
    ignored, heard = talk.said("/docalign help", "rita"), talk.said("/docalign help", "tom")
    assert (people.reactions(ignored), people.reactions(heard)) == ([], ["eyes", "+1"])


def test_commands_of_one_repository_are_carried_out_in_the_order_in_which_they_were_given(talk: Talk) -> None:
    talk.github.fail("before", path="/collaborators/will/permission", times=1)
    talk.say("/docalign pause", "will")
    comment = talk.say("/docalign resume", "mia")
    until(lambda: people.reactions(comment)[-1:] == ["+1"])
    talk.scanned()
    assert talk.shop.rows("SELECT FROM github_pauses") == []
