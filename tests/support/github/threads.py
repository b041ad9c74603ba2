"""The part of the REST API about threads on lines: replies. Its addresses join those of `api`."""

from __future__ import annotations

from typing import Any

from tests.support.github import people
from tests.support.github.api import MOST_BODY, Call, RefusedError, route


@route("POST", r"{repo}/pulls/(?P<number>\d+)/comments/(?P<first>\d+)/replies")
def reply(call: Call, owner: str, name: str, number: str, first: str) -> Any:
    repository = call.repository(owner, name, "pull_requests", "write")
    found = repository.review_comments.get(int(first))
    if found is None or found.number != int(number):
        raise RefusedError(404, "Not Found")
    body = call.body.get("body", "")
    if not body or len(body) > MOST_BODY:
        raise RefusedError(422, "Validation Failed: body is too long (maximum is 65536 characters)")
    path = (found.review or {}).get("path", "")
    made = people.line_comment(call.world, repository, int(number), body, call.world.app.bot, path)
    made.review = {**(made.review or {}), "in_reply_to_id": int(first)}
    return 201, made.json(call.base(repository))
