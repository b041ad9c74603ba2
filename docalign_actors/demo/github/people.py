"""What people and bots do on the fake GitHub beside pushing: they comment, react, press buttons and resolve threads."""

from __future__ import annotations

from typing import Any

from docalign_actors.demo.github.model import CheckRun, Comment, Repository
from docalign_actors.demo.github.world import World

BOT = {"login": "renovate[bot]", "id": 77, "type": "Bot"}


def person(login: str) -> dict[str, Any]:
    return {"login": login, "id": sum(map(ord, login)), "type": "User"}


def say(
    github: World, repository: Repository, number: int, body: str, user: str | dict[str, Any] = "ada", *, via: int = 0
) -> Comment:
    """A comment on a pull request or, if there is none of that number, on an issue. `via`: through the App of that number."""
    who = person(user) if isinstance(user, str) else user
    with github.lock:
        made = Comment(github.next_id(), github.write(), body, who, number, github.now(), github.now())
        repository.comments[made.id] = made
    tell(github, repository, made, via=via)
    return made


def tell(github: World, repository: Repository, comment: Comment, action: str = "created", *, via: int = 0) -> None:
    """The webhook about a comment."""
    shown = comment.json(f"{github.base}/repos/{repository.full_name}")
    if via:
        shown["performed_via_github_app"] = {"id": via, "slug": "other"}
    issue: dict[str, Any] = {"number": comment.number, "title": "x"}
    if comment.number in repository.pulls:
        issue["pull_request"] = {"url": ""}
    github.other_event(repository, "issue_comment", action, comment=shown, issue=issue, sender=comment.user)


def say_on_line(
    github: World, repository: Repository, number: int, body: str, user: str | dict[str, Any] = "ada", path: str = "README.md"
) -> Comment:  # fmt: skip
    """A comment on a line of a pull request."""
    made = line_comment(github, repository, number, body, person(user) if isinstance(user, str) else user, path)
    github.other_event(
        repository, "pull_request_review_comment", "created", comment=made.json(f"{github.base}/repos/{repository.full_name}"),
        pull_request={"number": number}, sender=made.user,
    )  # fmt: skip
    return made


def line_comment(
    github: World, repository: Repository, number: int, body: str, user: dict[str, Any], path: str = "README.md"
) -> Comment:
    with github.lock:
        now = github.now()
        review = {"path": path, "line": 3, "side": "RIGHT", "commit_id": ""}
        made = Comment(github.next_id(), github.write(), body, user, number, now, now, None, review)
        repository.review_comments[made.id] = made
    return made


def resolve(github: World, repository: Repository, first: Comment, user: str | dict[str, Any]) -> None:
    """Somebody resolves the thread that a comment began."""
    who = person(user) if isinstance(user, str) else user
    github.other_event(
        repository, "pull_request_review_thread", "resolved", pull_request={"number": first.number},
        thread={"node_id": f"T{first.id}", "comments": [first.json(github.base)]}, sender=who,
    )  # fmt: skip


def press(github: World, repository: Repository, check: CheckRun, identifier: str, user: str | dict[str, Any]) -> None:
    """Somebody presses a button of a check run."""
    who = person(user) if isinstance(user, str) else user
    github.check_event(repository, check, "requested_action", requested_action={"identifier": identifier}, sender=who)


def react(github: World, comment: Comment, content: str, user: str) -> None:
    """Somebody reacts to a comment. GitHub tells nobody."""
    with github.lock:
        github.write()
        comment.reactions.append({"id": github.next_id(), "content": content, "user": person(user)})


def reactions(comment: Comment) -> list[str]:
    """What was reacted with, in order."""
    return [one["content"] for one in comment.reactions]
