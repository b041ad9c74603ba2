"""What an installation can do, as the capability's port names it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import islice
from typing import Any

import github as pygithub
import msgspec
from github.CheckRun import CheckRun
from github.ContentFile import ContentFile
from github.Repository import Repository

from docalign_actors.errors import AgentNotConfiguredError, GitHubNotFoundError
from docalign_actors.github.markers import suggested_in
from docalign_actors.github.ports import (
    Annotation,
    CheckText,
    DiffLine,
    FoundCheck,
    FoundComment,
    FoundPull,
    FoundReview,
    Place,
    Suggestion,
    ThumbDown,
)
from docalign_actors.hosts.diffs import new_lines
from docalign_actors.hosts.github.client import Talk

_MOST_COMMENTS = 2_000
"""Looked through for our own: it is written early in the life of a pull request."""
_MOST_CHECKS = 100
_MOST_REVIEWS = 500
_A_PAGE = 100
_MOST_FILE_PAGES = 30
"""GitHub lists no more than 3,000 files of a pull request."""


class InstallationHost:
    """`github.ports.Host` through PyGithub. Its objects are lazy: what is called here is what is asked of GitHub."""

    def __init__(self, talk: Talk) -> None:
        self._talk = talk

    def create_check(
        self, repo: str, name: str, head_sha: str, external_id: str, text: CheckText, annotations: Sequence[Annotation]
    ) -> int:
        fields = {"external_id": external_id, **_fields(text, annotations)}
        return self._talk.run(lambda github: _repo(github, repo).create_check_run(name, head_sha, **fields).id)

    def update_check(self, repo: str, check: int, text: CheckText, annotations: Sequence[Annotation]) -> None:
        fields = _fields(text, annotations)
        self._talk.run(lambda github: _repo(github, repo).get_check_run(check).edit(**fields))

    def check(self, repo: str, check: int) -> FoundCheck:
        return self._talk.run(lambda github: _found(_repo(github, repo).get_check_run(check)))

    def checks(self, repo: str, name: str, head_sha: str) -> list[FoundCheck]:
        def work(github: pygithub.Github) -> list[FoundCheck]:
            listed = _repo(github, repo).get_commit(head_sha).get_check_runs(check_name=name, filter="all")
            return [_found(check) for check in islice(listed, _MOST_CHECKS)]

        return self._talk.run(work)

    def pull(self, repo: str, number: int) -> FoundPull:
        def work(github: pygithub.Github) -> FoundPull:
            found = _repo(github, repo).get_pull(number)
            return FoundPull(number, found.state == "open", found.head.sha, found.base.ref)

        return self._talk.run(work)

    def own_comments(self, repo: str, number: int) -> list[FoundComment]:
        own = f"{self._talk.slug()}[bot]"

        def work(github: pygithub.Github) -> list[FoundComment]:
            listed = islice(_repo(github, repo).get_issue(number).get_comments(), _MOST_COMMENTS)
            return [FoundComment(c.id, c.body or "") for c in listed if c.user is not None and c.user.login == own]

        return self._talk.run(work)

    def create_comment(self, repo: str, number: int, body: str) -> int:
        return self._talk.run(lambda github: _repo(github, repo).get_issue(number).create_comment(body).id)

    def edit_comment(self, repo: str, comment: int, body: str) -> None:
        self._write("PATCH", f"/repos/{repo}/issues/comments/{comment}", {"body": body})

    def delete_comment(self, repo: str, comment: int) -> None:
        self._write("DELETE", f"/repos/{repo}/issues/comments/{comment}")

    def own_review_comments(self, repo: str, number: int) -> list[FoundComment]:
        own = f"{self._talk.slug()}[bot]"

        def work(github: pygithub.Github) -> list[FoundComment]:
            listed = islice(_repo(github, repo).get_pull(number).get_review_comments(), _MOST_COMMENTS)
            return [FoundComment(c.id, c.body or "") for c in listed if c.user is not None and c.user.login == own]

        return self._talk.run(work)

    def reply(self, repo: str, number: int, comment: int, body: str) -> int:
        path = f"/repos/{repo}/pulls/{number}/comments/{comment}/replies"

        def work(github: pygithub.Github) -> int:
            return int(github.requester.requestJsonAndCheck("POST", path, input={"body": body})[1]["id"])

        return self._talk.run(work)

    def thumbs_down(self, repo: str, number: int) -> list[ThumbDown]:
        own = f"{self._talk.slug()}[bot]"

        def work(github: pygithub.Github) -> list[ThumbDown]:
            def read(path: str) -> list[dict[str, Any]]:
                answer: list[dict[str, Any]] = github.requester.requestJsonAndCheck(
                    "GET", f"/repos/{repo}/pulls/{path}"
                )[1]
                return answer

            found: list[ThumbDown] = []
            for comment in read(f"{number}/comments?per_page=100"):
                about = suggested_in(comment.get("body") or "")
                ours = (comment.get("user") or {}).get("login") == own
                if ours and about and (comment.get("reactions") or {}).get("-1"):
                    given = read(f"comments/{comment['id']}/reactions?content=-1&per_page=100")
                    found += [
                        ThumbDown(one["id"], one["user"]["login"], about)
                        for one in given
                        if one["content"] == "-1" and (one.get("user") or {}).get("type") == "User"
                    ]
            return found

        return self._talk.run(work)

    def file(self, repo: str, path: str) -> bytes | None:
        try:
            found = self._talk.run(lambda github: _repo(github, repo).get_contents(path))
        except GitHubNotFoundError:
            return None
        return found.decoded_content if isinstance(found, ContentFile) and found.encoding == "base64" else None

    def create_review(self, repo: str, number: int, head_sha: str, body: str, remarks: Sequence[Suggestion]) -> int:
        comments = [{"path": r.path, "line": r.line, "side": "RIGHT", "body": r.body} for r in remarks]
        fields = {"commit_id": head_sha, "event": "COMMENT", "body": body, "comments": comments}
        return int(self._ask("POST", f"/repos/{repo}/pulls/{number}/reviews", fields)["id"])

    def shown(self, repo: str, number: int, places: Collection[Place]) -> tuple[DiffLine, ...]:
        wanted = {path for path, _ in places}
        found: list[DiffLine] = []
        for page in range(1, _MOST_FILE_PAGES + 1):
            listed = self._ask("GET", f"/repos/{repo}/pulls/{number}/files?per_page={_A_PAGE}&page={page}")
            for file in listed:
                path = file["filename"]
                if path in wanted:
                    wanted.discard(path)
                    lines = new_lines((file.get("patch") or "").encode("utf-8", "surrogatepass"))
                    found += [DiffLine(path, line, text) for line, text in lines if (path, line) in places]
            if not wanted or len(listed) < _A_PAGE:
                break
        return tuple(found)

    def own_reviews(self, repo: str, number: int) -> list[FoundReview]:
        own = f"{self._talk.slug()}[bot]"

        def work(github: pygithub.Github) -> list[FoundReview]:
            listed = islice(_repo(github, repo).get_pull(number).get_reviews(), _MOST_REVIEWS)
            return [FoundReview(r.id, r.body or "") for r in listed if r.user is not None and r.user.login == own]

        return self._talk.run(work)

    def react(self, repo: str, comment: int, content: str, *, review: bool = False) -> None:
        kind = "pulls" if review else "issues"
        self._write("POST", f"/repos/{repo}/{kind}/comments/{comment}/reactions", {"content": content})

    def permission(self, repo: str, user: str) -> str:
        return self._talk.run(lambda github: _repo(github, repo).get_collaborator_permission(user))

    def dispatch(self, repo: str, event: str, payload: dict[str, Any]) -> None:
        # PyGithub's own call answers False to everything that is no 204: a limit would be taken for an absent workflow.
        try:
            self._write("POST", f"/repos/{repo}/dispatches", {"event_type": event, "client_payload": payload})
        except GitHubNotFoundError:
            raise AgentNotConfiguredError from None

    def _write(self, verb: str, path: str, body: dict[str, Any] | None = None) -> None:
        self._ask(verb, path, body)

    def _ask(self, verb: str, path: str, body: dict[str, Any] | None = None) -> Any:
        return self._talk.run(lambda github: github.requester.requestJsonAndCheck(verb, path, input=body)[1])


def _repo(github: pygithub.Github, full_name: str) -> Repository:
    return github.get_repo(full_name)


def _found(check: CheckRun) -> FoundCheck:
    return FoundCheck(check.id, check.external_id or "", check.status, check.output.annotations_count)


def _fields(text: CheckText, annotations: Sequence[Annotation]) -> dict[str, Any]:
    output: dict[str, Any] = {"title": text.title, "summary": text.summary}
    if text.text:
        output["text"] = text.text
    if annotations:
        output["annotations"] = [msgspec.to_builtins(one) for one in annotations]
    fields: dict[str, Any] = {"output": output}
    if text.conclusion:
        fields |= {"status": "completed", "conclusion": text.conclusion}
    else:
        fields["status"] = "in_progress"
    if text.actions:
        fields["actions"] = [msgspec.to_builtins(one) for one in text.actions]
    if text.details_url:
        fields["details_url"] = text.details_url
    return fields
