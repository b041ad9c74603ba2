"""Reviews of pull requests, with remarks on lines of the diff."""

from __future__ import annotations

import re
from typing import Any

from docalign_actors.demo.github.model import Comment, Pull, Repository, Review
from docalign_actors.demo.github.routing import MOST_BODY, Call, RefusedError, body_of, paged, route

_HUNK = re.compile(r"^@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@", re.MULTILINE)


@route("GET", r"{repo}/pulls/(?P<number>\d+)/comments")
def list_review_comments(call: Call, owner: str, name: str, number: str) -> Any:
    repository = call.repository(owner, name, "pull_requests")
    found = [c for c in repository.review_comments.values() if c.number == int(number) and call.sees(c.seq)]
    return paged(call, [c.json(call.base(repository)) for c in found])


@route("POST", r"{repo}/pulls/(?P<number>\d+)/comments")
def create_review_comment(call: Call, owner: str, name: str, number: str) -> Any:
    repository = call.repository(owner, name, "pull_requests", "write")
    _check(repository, _pull(repository, number), [call.body])
    return 201, _remark(call, repository, int(number), call.body).json(call.base(repository))


@route("POST", r"{repo}/pulls/(?P<number>\d+)/comments/(?P<first>\d+)/replies")
def reply(call: Call, owner: str, name: str, number: str, first: str) -> Any:
    repository = call.repository(owner, name, "pull_requests", "write")
    begun = repository.review_comments.get(int(first))
    if begun is None or begun.number != int(number):
        raise RefusedError(404, "Not Found")
    made = _remark(call, repository, int(number), {**(begun.review or {}), "body": body_of(call)})
    made.review = {**(made.review or {}), "in_reply_to_id": begun.id}
    return 201, made.json(call.base(repository))


@route("GET", r"{repo}/pulls/(?P<number>\d+)/reviews")
def list_reviews(call: Call, owner: str, name: str, number: str) -> Any:
    repository = call.repository(owner, name, "pull_requests")
    found = [r for r in repository.reviews.values() if r.number == int(number) and call.sees(r.seq)]
    return paged(call, [r.json() for r in found])


@route("POST", r"{repo}/pulls/(?P<number>\d+)/reviews")
def create_review(call: Call, owner: str, name: str, number: str) -> Any:
    """All of it or nothing: one remark that is not on a line of the diff refuses the whole review."""
    repository = call.repository(owner, name, "pull_requests", "write")
    pull, given = _pull(repository, number), call.body
    remarks = given.get("comments") or []
    if given.get("event") == "COMMENT" and not given.get("body") and not remarks:
        raise RefusedError(422, "Unprocessable Entity")
    commit = given.get("commit_id") or pull.head
    if commit not in {sha for _, sha in pull.heads}:
        raise RefusedError(422, "Unprocessable Entity: commit_id is not part of the pull request")
    _check(repository, pull, remarks)
    world = call.world
    made = Review(
        world.next_id(), world.write(), given.get("body", ""), world.app.bot, pull.number, commit, world.now()
    )
    repository.reviews[made.id] = made
    for one in remarks:
        _remark(call, repository, pull.number, {**one, "commit_id": commit}, made.id)
    world.review_event(repository, pull, made)
    return made.json()


def _pull(repository: Repository, number: str) -> Pull:
    found = repository.pulls.get(int(number))
    if found is None:
        raise RefusedError(404, "Not Found")
    return found


def _check(repository: Repository, pull: Pull, remarks: list[dict[str, Any]]) -> None:
    root = repository.git.merge_base(repository.git.resolve(pull.base_ref), pull.head)
    patches = {str(file["filename"]): str(file["patch"]) for file in repository.git.changed(root, pull.head)}
    for one in remarks:
        if len(one.get("body") or "") not in range(1, MOST_BODY):
            raise RefusedError(422, "Unprocessable Entity: body is missing or too long")
        if one["path"] not in patches:
            raise RefusedError(422, "Validation Failed: pull_request_review_thread.path is invalid")
        if one.get("side", "RIGHT") == "RIGHT" and one.get("line") not in lines_of(patches[one["path"]]):
            raise RefusedError(422, "Validation Failed: pull_request_review_thread.line must be part of the diff")


def lines_of(patch: str) -> set[int]:
    """The lines of the new file that a patch shows."""
    found: set[int] = set()
    for start, length in _HUNK.findall(patch):
        found |= set(range(int(start), int(start) + int(length or 1)))
    return found


def _remark(
    call: Call, repository: Repository, number: int, given: dict[str, Any], review: int | None = None
) -> Comment:
    place = {name: given.get(name) for name in ("path", "line", "commit_id")}
    shown = {**place, "side": given.get("side", "RIGHT"), "pull_request_review_id": review}
    world = call.world
    now = world.now()
    made = Comment(
        world.next_id(), world.write(), given["body"], world.app.bot, number, now, now, world.app, shown
    )  # fmt: skip
    repository.review_comments[made.id] = made
    return made
