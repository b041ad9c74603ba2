"""The steps of telling, against a model of GitHub: killed before or after any request, over and over."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docalign_actors.errors import (
    GitHubError,
    GitHubForbiddenError,
    GitHubLimitError,
    GitHubNotFoundError,
    GitHubUnavailableError,
)
from docalign_actors.findings.model import Finding, Mention, Severity, Verdict
from docalign_actors.github import telling
from docalign_actors.github.ports import DiffLine
from docalign_actors.github.suggesting import reviewed
from docalign_actors.github.telling import Head, after_error, next_step
from docalign_actors.github.words import MARKER, Outcome
from docalign_actors.scans.model import RepoId

RUN, OTHER = UUID(int=1), UUID(int=2)
SHA = "a" * 40


def outcome(number: int, status: str = "completed") -> Outcome:
    found = tuple(
        Finding(f"{n}", "r", "path", Verdict.DRIFTED, Severity.HIGH, 0.9, "x", "m", (Mention("README.md", n + 1, 1, "x", "", "y", True),), (), None, f"{n}") for n in range(number)
    )  # fmt: skip
    return Outcome(status, SHA, "main", found, number)


class Model:
    """GitHub, the row, and an actor that may be killed at any request."""

    def __init__(self, head: Head, kills: list[int]) -> None:
        self.head = head
        self.kills = kills
        self.checks: dict[int, dict[str, Any]] = {}
        self.comments: dict[int, str] = {}
        self.reviews: dict[int, str] = {}
        self.seen: bool | None = None
        self.diff: tuple[DiffLine, ...] | None = None
        self.requests = 0

    def put(self, **more: Any) -> None:
        self.head = msgspec.structs.replace(self.head, **more)

    def killed(self) -> bool:
        """Between the effect and its record, as the test's dice say."""
        self.requests += 1
        dead = bool(self.kills) and self.kills.pop() == 1
        if dead:
            self.seen = self.diff = None
        return dead

    def run(self) -> None:
        for _ in range(500):
            step = next_step(msgspec.structs.replace(self.head, current=self.seen, diff=self.diff))
            if isinstance(step, telling.Settled):
                return
            self.step(step)
        raise AssertionError("it does not come to an end")

    def step(self, step: telling.Step) -> None:
        head = self.head
        match step:
            case telling.Renew():
                self.put(
                    check_id=None,
                    annotated=0,
                    annotated_for=None,
                    concluded="",
                    posting=False,
                    generation=head.generation + 1,
                )
            case telling.LookAtPull():
                self.seen = True
            case telling.NoComment():
                self.put(commented=head.wanted)
            case telling.LookForCheck():
                found = [n for n, c in self.checks.items() if c["external"] == head.external_id]
                count = len(self.checks[found[0]]["annotations"]) if found else 0
                self.recorded(found[0] if found else None, count, "")
            case telling.LookAtCheck():
                self.recorded(head.check_id, len(self.checks[head.check_id or 0]["annotations"]), head.concluded)
            case telling.CreateCheck(text=text, annotations=annotations):
                self.posting(bool(annotations))
                number = len(self.checks) + 1
                self.checks[number] = {
                    "external": head.external_id,
                    "annotations": list(annotations),
                    "conclusion": text.conclusion,
                    "title": text.title,
                }
                if not self.killed():
                    self.recorded(number, len(annotations), text.conclusion, telling.digest(text))
            case telling.UpdateCheck(text=text, annotations=annotations):
                if annotations:
                    self.posting(True)
                check = self.checks[head.check_id or 0]
                check["annotations"] += annotations
                check["conclusion"], check["title"] = text.conclusion, text.title
                if not self.killed():
                    annotated = head.annotated + len(annotations)
                    self.recorded(head.check_id, annotated, text.conclusion, telling.digest(text))
            case telling.LookForComments():
                ours = [n for n, body in self.comments.items() if body.startswith(MARKER)]
                self.put(comment_id=ours[0] if ours else None, commenting=bool(ours))
            case telling.CreateComment(body=body, said=said):
                self.put(commenting=True)
                self.comments[len(self.comments) + 1] = body
                if not self.killed():
                    self.put(comment_id=len(self.comments), said=said, commented=head.wanted)
            case telling.EditComment(body=body, said=said):
                self.comments[head.comment_id or 0] = body
                if not self.killed():
                    self.put(said=said, commented=head.wanted)
            case _:
                self.review(step)

    def review(self, step: telling.Step) -> None:
        match step:
            case telling.NoReview():
                self.put(reviewed=self.head.wanted, reviewing=False)
            case telling.LookAtDiff(places=places):
                self.diff = tuple(DiffLine(path, line, "x") for path, line in sorted(places))
            case telling.LookForReview():
                about = [found for body in self.reviews.values() if (found := reviewed(body)) and found[0] == SHA]
                self.put(reviewing=False)
                if about:
                    self.suggested(about[0][1])
            case telling.CreateReview(body=body):
                self.put(reviewing=True)
                self.reviews[len(self.reviews) + 1] = body
                if not self.killed():
                    self.suggested(step.findings)

    def suggested(self, findings: tuple[str, ...]) -> None:
        self.put(suggested=findings, suggested_here=True, reviewing=False, reviewed=self.head.wanted)

    def posting(self, annotations: bool) -> None:
        self.put(posting=True, annotated_for=self.head.run_id if annotations else self.head.annotated_for)

    def recorded(self, check: int | None, annotated: int, concluded: str, text: str = "") -> None:
        owner = (self.head.annotated_for or self.head.run_id) if annotated else None
        now = {"check_id": check, "annotated": annotated, "annotated_for": owner}
        self.put(**now, concluded=concluded, told_text=text, posting=False)


DICE = st.lists(st.integers(0, 1), max_size=12)


@settings(deadline=None)
@given(st.sampled_from([0, 1, 49, 50, 51, 120]), st.booleans(), DICE)
def test_whatever_is_killed_there_is_one_check_with_each_annotation_once_and_one_comment(
    number: int, early: bool, kills: list[int]
) -> None:
    model = Model(Head(RepoId(UUID(int=9)), 3, SHA, "acme/tool", outcome(number), not early, 1, RUN), kills)
    if early:  # the check is in progress before the scan ends
        model.run()
        model.put(final=True, wanted=2)
    model.run()
    (check,) = model.checks.values()
    assert check["conclusion"] == ("action_required" if number else "success")
    assert [a.start_line for a in check["annotations"]] == list(range(1, number + 1))
    assert len(model.comments) == (1 if number else 0)
    assert len(model.reviews) == (1 if number else 0)


@settings(deadline=None)
@given(st.sampled_from([0, 1, 60]), st.sampled_from([0, 1, 60]), DICE)
def test_a_second_scan_of_the_same_head_ends_with_its_own_annotations_only(
    before: int, now: int, kills: list[int]
) -> None:
    model = Model(Head(RepoId(UUID(int=9)), 3, SHA, "acme/tool", outcome(before), True, 1, RUN), kills)
    model.run()
    model.put(outcome=outcome(now), run_id=OTHER, wanted=2, final=True)
    model.run()
    latest = model.checks[max(model.checks)]
    assert len(latest["annotations"]) == now
    assert all(check["conclusion"] for check in model.checks.values())
    assert len(model.comments) == (1 if before or now else 0)
    assert len(model.reviews) == (1 if before or now else 0)


@settings(deadline=None)
@given(DICE)
def test_a_check_that_ends_the_same_way_for_another_reason_says_the_other_reason(kills: list[int]) -> None:
    why = Outcome("cancelled", SHA, notice="will paused this.", notice_title="Paused")
    model = Model(Head(RepoId(UUID(int=9)), 3, SHA, "acme/tool", why, True, 1), kills)
    model.run()
    model.put(outcome=Outcome("cancelled", SHA, notice="This repository has had its 100 scans of today."), wanted=2)
    model.run()
    (check,) = model.checks.values()
    assert (check["conclusion"], check["title"]) == ("neutral", "Not checked: a limit is reached")


def test_a_typical_pull_request_needs_few_requests() -> None:
    model = Model(Head(RepoId(UUID(int=9)), 3, SHA, "acme/tool", outcome(12), False, 1, RUN), [])
    model.run()
    model.put(final=True, wanted=2)
    model.run()
    assert model.requests == 4  # and one look at the pull request


@pytest.mark.parametrize(("asked", "comments"), [(False, 0), (True, 1)])
def test_a_pull_request_with_nothing_false_is_commented_on_only_where_that_is_wanted(
    asked: bool, comments: int
) -> None:
    head = Head(RepoId(UUID(int=9)), 3, SHA, "acme/tool", outcome(0), True, 1, RUN, comment_when_clean=asked)
    model = Model(head, [])
    model.run()
    assert len(model.comments) == comments


@pytest.mark.parametrize(
    ("error", "most"),
    [(GitHubUnavailableError(), 300), (GitHubNotFoundError(), 8), (GitHubForbiddenError(), 50), (GitHubError(), 4)],
)
def test_what_may_pass_is_tried_again_ever_more_slowly_and_not_for_ever(error: GitHubError, most: int) -> None:
    delays = [after_error(error, n) for n in range(most + 1)]
    known = [d.total_seconds() for d in delays if d is not None]
    assert (len(known), delays[-1]) == (most, None)
    assert known == sorted(known)
    assert known[0] == 2.0
    assert after_error(GitHubLimitError(datetime(2026, 1, 1, tzinfo=UTC), secondary=True), 10**6) is not None
