"""Decides the next thing to tell GitHub about one head of a pull request. Pure: (what the rows say) → one step.

Every step is one request or one row. Before a request that makes something new, the row says that it is being made
(`posting`, `commenting`, `reviewing`); after a crash or an answer that never came, the step is to look whether it was. So whatever
is killed, and whenever: one check run for each head, one comment for each pull request, one suggestion for each finding.

    in progress   create the check, or bring a concluded one back
    ended         look whether the head is still the head → the comment → the review with suggestions → annotations, 50 at
                  a time → the conclusion
"""

from __future__ import annotations

import hashlib
from datetime import timedelta
from uuid import UUID

import msgspec
from msgspec import Struct

from docalign_actors.errors import (
    GitHubError,
    GitHubForbiddenError,
    GitHubLimitError,
    GitHubNotFoundError,
    GitHubTokenError,
    GitHubUnavailableError,
)
from docalign_actors.github.markers import check_name
from docalign_actors.github.ports import Annotation, CheckText, DiffLine, Place, Suggestion
from docalign_actors.github.remembering import Said
from docalign_actors.github.suggesting import review_body, suggestions, wanted
from docalign_actors.github.words import Outcome, comment, ended, remarks, remembered, under_way
from docalign_actors.scans.model import RepoId

FIRST_DELAY = 2.0
"""Seconds until a step that failed is tried again; doubled with each further failure."""
AT_ONCE = 50
"""Annotations that GitHub takes in one request."""


class Head(Struct, frozen=True):
    """One head of a pull request: what is to be told, and what has been."""

    repo_id: RepoId
    number: int
    sha: str
    full_name: str
    outcome: Outcome
    """As far as it is known; `final` says whether it has ended."""
    final: bool
    wanted: int
    run_id: UUID | None = None
    stage: str = ""
    generation: int = 1
    check_id: int | None = None
    posting: bool = False
    annotated: int = 0
    annotated_for: UUID | None = None
    commented: int = 0
    concluded: str = ""
    told_text: str = ""
    """What the conclusion was told with, as `digest` has it."""
    attempts: int = 0
    comment_id: int | None = None
    commenting: bool = False
    said: tuple[Said, ...] = ()
    comment_when_clean: bool = False
    reviewed: int = 0
    reviewing: bool = False
    suggested: tuple[str, ...] = ()
    """The findings that were ever suggested on this pull request."""
    suggested_here: bool = False
    """Whether this head has had its review."""
    current: bool | None = None
    """Whether it is the head of an open pull request; None where nobody has looked."""
    diff: tuple[DiffLine, ...] | None = None
    """Those lines of the diff where something is to be suggested; None where nobody has looked."""

    @property
    def external_id(self) -> str:
        """Under which its check run is found again."""
        return check_name(self.repo_id, self.number, self.generation)


class LookForCheck(Struct, frozen=True):
    """It may have been made: look before making another."""


class LookAtCheck(Struct, frozen=True):
    """Annotations may have been added: count them before adding more."""


class Renew(Struct, frozen=True):
    """Annotations of an earlier scan cannot be taken back: this one gets a check run of its own."""


class CreateCheck(Struct, frozen=True):
    text: CheckText
    annotations: tuple[Annotation, ...] = ()


class UpdateCheck(Struct, frozen=True):
    text: CheckText
    annotations: tuple[Annotation, ...] = ()


class LookAtPull(Struct, frozen=True):
    """Is this still the head? Nothing is said about one that was pushed away."""


class LookForComments(Struct, frozen=True):
    """There may be a comment of ours that is not recorded."""


class CreateComment(Struct, frozen=True):
    body: str
    said: tuple[Said, ...]


class EditComment(Struct, frozen=True):
    body: str
    said: tuple[Said, ...]


class NoComment(Struct, frozen=True):
    """There is nothing to say, or nobody to say it to."""


class LookForReview(Struct, frozen=True):
    """There may be a review of ours that is not recorded."""


class LookAtDiff(Struct, frozen=True):
    """Which of these places does the diff show? Asked of git, not of GitHub."""

    places: frozenset[Place]


class CreateReview(Struct, frozen=True):
    body: str
    suggestions: tuple[Suggestion, ...]

    @property
    def findings(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(one for made in self.suggestions for one in made.findings))


class NoReview(Struct, frozen=True):
    """There is nothing to suggest."""


class Settled(Struct, frozen=True):
    """Everything is told."""


Step = (
    LookForCheck
    | LookAtCheck
    | Renew
    | CreateCheck
    | UpdateCheck
    | LookAtPull
    | LookForComments
    | CreateComment
    | EditComment
    | NoComment
    | LookForReview
    | LookAtDiff
    | CreateReview
    | NoReview
    | Settled
)


def next_step(head: Head) -> Step:
    """What comes next. Carried out and written down, it leads to another, and at last to Settled."""
    if head.check_id is not None and head.annotated_for not in (None, head.run_id):
        return Renew()
    if not head.final:
        return _in_progress(head)
    if head.commented < head.wanted:
        return _comment(head)
    if head.reviewed < head.wanted:
        return _review(head)
    return _conclude(head)


def speaks(step: Step) -> bool:
    """Whether a step is about the comment, without which the check is still worth having."""
    return isinstance(step, LookAtPull | LookForComments | CreateComment | EditComment)


def writes(step: Step) -> bool:
    """Whether a step counts against the limits of writes."""
    return isinstance(step, CreateCheck | UpdateCheck | CreateComment | EditComment | CreateReview)


def dispensable(step: Step, error: GitHubError) -> bool:
    """Whether a step is given up because GitHub refuses it: a review on lines that it does not show, say."""
    refused = type(error) in (GitHubError, GitHubForbiddenError, GitHubNotFoundError)
    return refused and isinstance(step, CreateReview | LookForReview)


def _in_progress(head: Head) -> Step:
    if head.check_id is None:
        return LookForCheck() if head.posting else CreateCheck(under_way(head.stage, head.outcome.link))
    if head.concluded:
        return UpdateCheck(under_way(head.stage, head.outcome.link))
    return Settled()


def _comment(head: Head) -> Step:
    outcome = head.outcome
    unrecorded = head.commenting and head.comment_id is None
    there = head.comment_id is not None or unrecorded
    worth = bool(outcome.findings) or head.comment_when_clean
    if not outcome.decided or not (worth or there):
        return NoComment()
    if head.current is None:
        return LookAtPull()
    if not head.current:
        return NoComment()
    if unrecorded:
        return LookForComments()
    said = remembered(head.said, outcome)
    if head.comment_id is not None:
        return EditComment(comment(outcome, said), said)
    return CreateComment(comment(outcome, said), said) if worth else NoComment()


def _review(head: Head) -> Step:
    outcome = head.outcome
    places = wanted(outcome.findings, head.suggested) if outcome.decided and not head.suggested_here else frozenset()
    if not (places or head.reviewing):
        return NoReview()
    if head.reviewing:
        return LookForReview()
    if head.current is None:
        return LookAtPull()
    if not head.current:
        return NoReview()
    if head.diff is None:
        return LookAtDiff(places)
    made = tuple(suggestions(outcome.findings, head.diff, head.suggested))
    return CreateReview(review_body(head.sha, made), made) if made else NoReview()


def _conclude(head: Head) -> Step:
    every = remarks(head.outcome.findings) if head.outcome.decided else []
    last = ended(head.outcome)
    if head.check_id is None:
        if head.posting:
            return LookForCheck()
        return CreateCheck(_unless_done(last, head, AT_ONCE, len(every)), tuple(every[:AT_ONCE]))
    if head.posting:
        return LookAtCheck()
    if (head.concluded, head.told_text) == (last.conclusion, digest(last)) and head.annotated >= len(every):
        return Settled()
    batch = tuple(every[head.annotated : head.annotated + AT_ONCE])
    return UpdateCheck(_unless_done(last, head, head.annotated + len(batch), len(every)), batch)


def digest(text: CheckText) -> str:
    """By which it is known whether a check says the same already; "" while it has no conclusion."""
    return hashlib.sha256(msgspec.json.encode(text)).hexdigest()[:32] if text.conclusion else ""


def _unless_done(last: CheckText, head: Head, annotated: int, every: int) -> CheckText:
    """The conclusion comes with the last annotations."""
    return last if annotated >= every else under_way("reporting", head.outcome.link)


def after_error(error: GitHubError, attempts: int) -> timedelta | None:
    """When to try a step again that failed for the n-th time; None if there is no use in it."""
    match error:
        case GitHubLimitError():
            return timedelta()
        case GitHubUnavailableError() | GitHubTokenError():
            most, slowest = 300, 900.0
        case GitHubNotFoundError():  # real just after a pull request was opened
            most, slowest = 8, 60.0
        case GitHubForbiddenError():  # somebody may grant it
            most, slowest = 50, 900.0
        case _:
            most, slowest = 4, 60.0
    if attempts >= most:
        return None
    return timedelta(seconds=min(slowest, FIRST_DELAY * 2 ** min(attempts, 10)))
