"""The page of the GitHub App, from hand-made views."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docalign_actors.dashboard.layout import whole
from docalign_actors.dashboard.page import Visit
from docalign_actors.dashboard.pages.github import GitHub, page
from docalign_actors.errors import UsageError
from docalign_actors.github import standing, telling
from docalign_actors.github.words import Outcome
from docalign_actors.scans.model import RepoId
from tests.support.github_page import HOSTILE, QUIET, TROUBLED, GitHubDesk, check
from tests.support.markup import Document
from tests.support.views import NOW, SHA, XSS, uid


def show(view: GitHub, role: str = "operator") -> str:
    desk = GitHubDesk(view)
    made = page(desk, desk)
    visit = Visit(now=NOW, path="/github", user="ada", role=role, csrf="t0ken")
    return whole(visit, made, made.render(visit, asyncio.run(made.load(visit))), [made])


def test_it_says_what_is_missing_until_when_it_pauses_and_what_is_stuck() -> None:
    text = " ".join(show(TROUBLED).split())
    for told in (
        "Issues write", "for the comment and the reactions to commands", "not known yet", "in 42 min", "212 of 5,000", "suspended",
        "given up", "concludes the check", "makes the check", "sees to the comment", "9 minutes ago", "workflow_run", "1,204",
        "acme/tool#12", "until the move", "mia", "commit", "pull request #31", "The branch is protected.", "asked",
        "How it begins", "GitHub says: Resource not accessible by integration. (DOCALIGN_E105)",
    ):  # fmt: skip
        assert told in text, told
    assert (text.count("Try again"), text.count(">Resume<")) == (5, 2)


def test_a_quiet_app_shows_nothing_to_worry_about_and_a_viewer_no_button() -> None:
    assert "4,871 of 5,000" in show(QUIET)
    assert "Try again" not in show(QUIET)
    assert "Try again" not in show(TROUBLED, "viewer")
    assert "Resume" not in show(TROUBLED, "viewer")
    assert "installed nowhere" in show(GitHub())


def test_hostile_text_stays_text() -> None:
    text = show(HOSTILE)
    assert XSS not in text
    assert len([e for e in Document(text).elements if e.name == "script"]) == 1


def perform(desk: GitHubDesk, path: str, form: dict[str, str]) -> str:
    action = next(a for a in page(desk, desk).actions if a.path == path)
    return asyncio.run(action.perform(Visit(now=NOW, role="operator", form=form)))  # type: ignore[arg-type]


def test_the_buttons_ask_for_what_they_name_and_nonsense_is_refused() -> None:
    desk = GitHubDesk()
    again = {"repo": str(uid(2)), "number": "7", "sha": SHA}
    assert perform(desk, "/github/checks/again", again) == "/github"
    assert perform(desk, "/github/deliveries/again", {"position": "31"}) == "/github"
    assert perform(desk, "/github/resume", {"repo": str(uid(2)), "number": "0"}) == "/github"
    assert desk.asked == [(uid(2), 7, SHA), (31,), (uid(2), 0)]
    for bad in (
        {},
        {**again, "repo": "x"},
        {**again, "number": "-1"},
        {**again, "number": "9" * 40},
        {**again, "number": "²"},
    ):
        with pytest.raises(UsageError):
            perform(desk, "/github/checks/again", bad)


@given(
    final=st.booleans(), has_check=st.booleans(), posting=st.booleans(), commented=st.integers(0, 3), reviewed=st.integers(0, 3), concluded=st.sampled_from(["", "success"])
)  # fmt: skip
def test_the_words_agree_with_the_step_that_is_taken(
    final: bool, has_check: bool, posting: bool, commented: int, reviewed: int, concluded: str
) -> None:
    head = telling.Head(
        RepoId(uid(2)), 7, SHA, "acme/tool", Outcome("completed" if final else "queued", SHA), final, 3, run_id=uid(9),
        check_id=5 if has_check else None, posting=posting, commented=commented, reviewed=reviewed, concluded=concluded,
    )  # fmt: skip
    step = telling.next_step(head)
    words = standing.step_of(
        check(7, final=final, has_check=has_check, posting=posting, commented=commented, reviewed=reviewed, wanted=3)
    )
    allowed = {
        telling.LookForCheck: {standing.LOOK}, telling.CreateCheck: {standing.CREATE, standing.CONCLUDE},
        telling.UpdateCheck: {standing.PROGRESS, standing.CONCLUDE}, telling.LookAtCheck: {standing.CONCLUDE},
        telling.NoComment: {standing.COMMENT}, telling.NoReview: {standing.REVIEW}, telling.Settled: {standing.PROGRESS, standing.CONCLUDE},
    }  # fmt: skip
    assert words in allowed[type(step)]
