"""The errands of the conversation: what GitHub is asked and told about commands. Decides nothing: `answering` does."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from loguru import logger
from msgspec import Struct

from docalign_actors.engine.configuration_files import CONFIGURATION_FILES
from docalign_actors.errors import GitHubError, GitHubForbiddenError, GitHubNotFoundError
from docalign_actors.github import answering, replies
from docalign_actors.github.answering import EYES, Given
from docalign_actors.github.book import CommandBook
from docalign_actors.github.ports import Host
from docalign_actors.github.telling import after_error

_MOST_CONFIGURATION = 200_000


class Answers(Struct, frozen=True):
    """`errands.Errands` out of the book of commands."""

    book: CommandBook
    ready: Callable[[], None]
    """Tells whoever carries commands out that there is one."""

    def next(self, installation: int, now: datetime) -> AnswerErrand | None:
        given = self.book.next_given(installation, now)
        return AnswerErrand(given, answering.next_step(given), self) if given is not None else None

    def due(self, installation: int) -> datetime | None:
        return self.book.due(installation)

    def installations(self, now: datetime) -> list[int]:
        return self.book.installations(now)


class AnswerErrand(Struct, frozen=True):
    """One step about one command."""

    given: Given
    step: answering.Step
    answers: Answers

    @property
    def writes(self) -> bool:
        return answering.writes(self.step)

    def run(self, host: Host) -> str:
        given, book = self.given, self.answers.book
        name, number = given.full_name, given.number
        match self.step:
            case answering.React(content=content):
                self._react(host, content)
                return "reaction"
            case answering.AskPermission():
                book.note_permission(given, _permission(host, name, given.author))
            case answering.LookAtPull():
                found = host.pull(name, number)
                book.note_head(given, found.base_ref, found.head_sha)
            case answering.LookAtConfiguration():
                book.note_material(given, _configuration(host, name))
            case answering.LookAtReactions():
                book.note_reactions(given, host.thumbs_down(name, number))
            case answering.Ready():
                book.make_ready(given)
                self.answers.ready()
            case answering.LookForReply():
                review = given.place == "review"
                known = host.own_review_comments(name, number) if review else host.own_comments(name, number)
                book.note_reply(given, next((c.id for c in known if c.body.startswith(given.marker)), None))
            case answering.Reply(body=body):
                book.mark_replying(given)
                review = given.place == "review"
                posted = (
                    host.reply(name, number, given.source, body) if review else host.create_comment(name, number, body)
                )
                book.note_reply(given, posted)
                return "reply"
            case answering.Finish():
                book.finish(given)
        return ""

    def _react(self, host: Host, content: str) -> None:
        given = self.given
        try:
            host.react(given.full_name, given.source, content, review=given.place == "review")
        except (
            GitHubNotFoundError,
            GitHubForbiddenError,
        ) as error:  # its author deleted it, or the conversation is locked
            logger.info("{} of {} gets no reaction: {}", given.source_name, given.full_name, error)
        if content == EYES:
            self.answers.book.mark_seen(given)
        else:
            self.answers.book.finish(given)

    def failed(self, error: GitHubError) -> None:
        given = self.given
        logger.warning("{} of {}#{}: {}", given.source_name, given.full_name, given.number, error)
        self.answers.book.put_off(given, f"{error} ({error.code})", after_error(error, given.attempts))


def _permission(host: Host, repo: str, user: str) -> str:
    try:
        return host.permission(repo, user)
    except GitHubNotFoundError:  # nobody that GitHub knows here
        return "none"


def _configuration(host: Host, repo: str) -> str:
    for name in CONFIGURATION_FILES:
        data = host.file(repo, name)
        if data is not None:
            found = replies.configuration(name, data[:_MOST_CONFIGURATION].decode("utf-8", "replace"))
            if found is not None:
                return found
    return replies.default_configuration()
