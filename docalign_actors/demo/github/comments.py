"""Comments on pull requests, and reactions to them."""

from __future__ import annotations

from typing import Any

from docalign_actors.demo.github.model import Comment
from docalign_actors.demo.github.routing import Call, RefusedError, body_of, paged, route


@route("GET", r"{repo}/issues/(?P<number>\d+)/comments")
def list_comments(call: Call, owner: str, name: str, number: str) -> Any:
    repository = call.repository(owner, name, "issues")
    found = [c for c in repository.comments.values() if c.number == int(number) and call.sees(c.seq)]
    return paged(call, [c.json(call.base(repository)) for c in found])


@route("POST", r"{repo}/issues/(?P<number>\d+)/comments")
def create_comment(call: Call, owner: str, name: str, number: str) -> Any:
    repository = call.repository(owner, name, "issues", "write")
    if int(number) not in {*repository.pulls, *(c.number for c in repository.comments.values())}:
        raise RefusedError(404, "Not Found")
    made = call.world.comment(repository, int(number), body_of(call), call.world.app.bot, call.world.app)
    return 201, made.json(call.base(repository))


@route("GET", r"{repo}/issues/comments/(?P<number>\d+)")
def show_comment(call: Call, owner: str, name: str, number: str) -> Any:
    repository = call.repository(owner, name, "issues")
    return _comment(repository.comments, number).json(call.base(repository))


@route("PATCH", r"{repo}/issues/comments/(?P<number>\d+)")
def edit_comment(call: Call, owner: str, name: str, number: str) -> Any:
    repository = call.repository(owner, name, "issues", "write")
    found = _comment(repository.comments, number)
    call.world.write()
    found.body, found.updated = body_of(call), call.world.now()
    return found.json(call.base(repository))


@route("DELETE", r"{repo}/issues/comments/(?P<number>\d+)")
def delete_comment(call: Call, owner: str, name: str, number: str) -> Any:
    repository = call.repository(owner, name, "issues", "write")
    _comment(repository.comments, number)
    call.world.write()
    del repository.comments[int(number)]
    return 204, None


@route("POST", r"{repo}/(?P<kind>issues|pulls)/comments/(?P<number>\d+)/reactions")
def react(call: Call, owner: str, name: str, kind: str, number: str) -> Any:
    repository = call.repository(owner, name, "issues" if kind == "issues" else "pull_requests", "write")
    found = _comment(repository.comments if kind == "issues" else repository.review_comments, number)
    made = {"id": call.world.next_id(), "content": call.body["content"], "user": call.world.app.bot}
    again = next((r for r in found.reactions if r["content"] == made["content"] and r["user"] == made["user"]), None)
    if again is not None:
        return 200, again
    call.world.write()
    found.reactions.append(made)
    return 201, made


@route("GET", r"{repo}/(?P<kind>issues|pulls)/comments/(?P<number>\d+)/reactions")
def list_reactions(call: Call, owner: str, name: str, kind: str, number: str) -> Any:
    repository = call.repository(owner, name, "issues" if kind == "issues" else "pull_requests")
    return paged(
        call, _comment(repository.comments if kind == "issues" else repository.review_comments, number).reactions
    )


def _comment(known: dict[int, Comment], number: str) -> Comment:
    found = known.get(int(number))
    if found is None:
        raise RefusedError(404, "Not Found")
    return found
