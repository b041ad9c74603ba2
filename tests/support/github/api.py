"""The REST API: a table of addresses, and a function for each. Who asks and what goes wrong is decided in `server.py`."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tests.support.github import payloads
from tests.support.github.model import App, CheckRun, Comment, Installation, Repository, stamp
from tests.support.github.world import World

MOST_FILES = 3_000
MOST_COMPARED = 300
MOST_ANNOTATIONS = 50
MOST_BODY = 65_536


class RefusedError(Exception):
    """An answer that is an error."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


@dataclass
class Call:
    """One request. `seq`: nothing that was written later is seen."""

    world: World
    method: str
    path: str
    query: dict[str, str]
    body: Any
    app: App | None = None
    installation: Installation | None = None
    seq: int | None = None
    headers: dict[str, str] = field(default_factory=dict)

    def repository(self, owner: str, name: str, permission: str, level: str = "read") -> Repository:
        found = self.world.find(f"{owner}/{name}")
        if found is None or self.installation is None or found.full_name not in self.installation.repositories:
            raise RefusedError(404, "Not Found")
        has = self.installation.permissions.get(permission, "")
        if has != "write" and (level == "write" or has != "read"):
            raise RefusedError(403, "Resource not accessible by integration")
        return found

    def base(self, repository: Repository) -> str:
        return f"{self.world.base}/repos/{repository.full_name}"

    def sees(self, seq: int) -> bool:
        return self.seq is None or seq <= self.seq


Handler = Callable[..., Any]
_TABLE: list[tuple[str, re.Pattern[str], Handler]] = []
_REPO = r"/repos/(?P<owner>[^/]+)/(?P<name>[^/]+)"


def route(method: str, pattern: str) -> Callable[[Handler], Handler]:
    def add(handler: Handler) -> Handler:
        _TABLE.append((method, re.compile(pattern.replace("{repo}", _REPO)), handler))
        return handler

    return add


def find(method: str, path: str) -> tuple[Handler, dict[str, str]]:
    for known, pattern, handler in _TABLE:
        if known == method and (found := pattern.fullmatch(path)):
            return handler, found.groupdict()
    raise RefusedError(404, "Not Found")


def paged(call: Call, items: list[Any], most: int | None = None) -> list[Any]:
    """One page, with the links to the others."""
    items = items[:most] if most else items
    size = min(int(call.query.get("per_page", "30")), 100)
    page = max(int(call.query.get("page", "1")), 1)
    last = max(1, -(-len(items) // size))
    more = "&".join(f"{k}={v}" for k, v in call.query.items() if k != "page")
    links = []
    for word, number in (("next", page + 1), ("last", last)):
        if page < last:
            links.append(f'<{call.world.base}{call.path}?{more}&page={number}>; rel="{word}"')
    if links:
        call.headers["Link"] = ", ".join(links)
    return items[(page - 1) * size : page * size]


def known_app(call: Call) -> App:
    if call.app is None:
        raise RefusedError(401, "A JSON web token could not be decoded")
    return call.app


# The App


@route("GET", "/app")
def show_app(call: Call) -> Any:
    return known_app(call).json()


@route("GET", "/app/installations")
def list_installations(call: Call) -> Any:
    known_app(call)
    return paged(call, [i.json() for i in call.world.installations.values()])


@route("GET", r"/app/installations/(?P<number>\d+)")
def show_installation(call: Call, number: str) -> Any:
    known_app(call)
    return _installation(call, number).json()


@route("POST", r"/app/installations/(?P<number>\d+)/access_tokens")
def make_token(call: Call, number: str) -> Any:
    known_app(call)
    found = _installation(call, number)
    if found.suspended:
        raise RefusedError(403, "This installation has been suspended")
    token = call.world.make_token(found)
    return 201, {"token": token.value, "expires_at": stamp(token.expires), "permissions": found.permissions}


def _installation(call: Call, number: str) -> Installation:
    found = call.world.installations.get(int(number))
    if found is None:
        raise RefusedError(404, "Integration not found")
    return found


@route("GET", "/app/hook/deliveries")
def list_deliveries(call: Call) -> Any:
    known_app(call)
    known = [d for d in reversed(call.world.hooks.deliveries) if d.listed and d.attempts]
    wanted = call.query.get("status")
    if wanted:
        known = [d for d in known if d.status == wanted]
    before = int(call.query.get("cursor", "0") or 0)
    known = [d for d in known if not before or d.id < before]
    size = min(int(call.query.get("per_page", "30")), 100)
    if len(known) > size:
        call.headers["Link"] = (
            f'<{call.world.base}/app/hook/deliveries?per_page={size}&cursor={known[size - 1].id}>; rel="next"'
        )
    return [d.json() for d in known[:size]]


@route("POST", r"/app/hook/deliveries/(?P<number>\d+)/attempts")
def redeliver(call: Call, number: str) -> Any:
    known_app(call)
    if not call.world.hooks.redeliver(int(number)):
        raise RefusedError(404, "Not Found")
    return 202, {}


@route("GET", "/installation/repositories")
def list_repositories(call: Call) -> Any:
    if call.installation is None:
        raise RefusedError(403, "You must authenticate with an installation access token")
    shown = [payloads.repository(call.world.base, r) for r in call.world.repositories_of(call.installation)]
    return {"total_count": len(shown), "repositories": paged(call, shown)}


@route("GET", "/rate_limit")
def rate_limit(call: Call) -> Any:
    return {"resources": {"core": {}}}


# Repositories and code


@route("GET", "{repo}")
def show_repository(call: Call, owner: str, name: str) -> Any:
    return payloads.repository(call.world.base, call.repository(owner, name, "metadata"))


@route("GET", "{repo}/commits/(?P<ref>[^/]+)")
def show_commit(call: Call, owner: str, name: str, ref: str) -> Any:
    sha = call.repository(owner, name, "contents").git.resolve(ref)
    if not sha:
        raise RefusedError(422, f"No commit found for SHA: {ref}")
    return {"sha": sha, "commit": {"message": "change"}, "parents": []}


@route("GET", "{repo}/compare/(?P<span>.+)")
def compare(call: Call, owner: str, name: str, span: str) -> Any:
    repository = call.repository(owner, name, "contents")
    base, _, head = span.partition("...")
    one, other = repository.git.resolve(base), repository.git.resolve(head)
    if not one or not other:
        raise RefusedError(404, "Not Found")
    root = repository.git.merge_base(one, other)
    files = repository.git.changed(root, other)[:MOST_COMPARED]
    return {"status": "ahead", "merge_base_commit": {"sha": root}, "commits": [], "files": files, "total_commits": 1}


@route("GET", "{repo}/contents/(?P<path>.+)")
def contents(call: Call, owner: str, name: str, path: str) -> Any:
    repository = call.repository(owner, name, "contents")
    data = repository.git.read(call.query.get("ref") or repository.default_branch, path)
    if data is None:
        raise RefusedError(404, "Not Found")
    if len(data) > 1_000_000:
        raise RefusedError(403, "This API returns blobs up to 1 MB in size.")
    text = base64.b64encode(data).decode()
    return {
        "type": "file",
        "path": path,
        "name": path.rpartition("/")[2],
        "encoding": "base64",
        "content": text,
        "size": len(data),
    }


@route("POST", "{repo}/dispatches")
def dispatch(call: Call, owner: str, name: str) -> Any:
    repository = call.repository(owner, name, "contents", "write")
    if len(call.body.get("client_payload") or {}) > 10:
        raise RefusedError(422, "No more than 10 properties are allowed; see client_payload")
    if repository.dispatch_status == 404:
        raise RefusedError(404, "Not Found")
    repository.dispatches.append(call.body)
    return 204, None


@route("GET", "{repo}/collaborators/(?P<user>[^/]+)/permission")
def permission(call: Call, owner: str, name: str, user: str) -> Any:
    role = call.repository(owner, name, "metadata").roles.get(user, "none")
    return {
        "permission": {"maintain": "write", "triage": "read"}.get(role, role),
        "role_name": role,
        "user": {"login": user},
    }


# Pull requests


@route("GET", "{repo}/pulls")
def list_pulls(call: Call, owner: str, name: str) -> Any:
    repository = call.repository(owner, name, "pull_requests")
    state = call.query.get("state", "open")
    found = [p for p in repository.pulls.values() if state in ("all", p.state) and call.sees(p.seq)]
    return paged(call, [payloads.pull(call.world.base, repository, p, call.seq) for p in reversed(found)])


@route("POST", "{repo}/pulls")
def create_pull(call: Call, owner: str, name: str) -> Any:
    repository = call.repository(owner, name, "pull_requests", "write")
    head, base = call.body["head"], call.body["base"]
    if not repository.git.resolve(head) or any(
        p.state == "open" and (p.head_ref, p.base_ref) == (head, base) for p in repository.pulls.values()
    ):
        raise RefusedError(422, "Validation Failed")
    made = call.world.open_pull(
        repository, head, base=base, title=call.body["title"], author=call.world.app.bot["login"]
    )
    made.body = call.body.get("body", "")
    return 201, payloads.pull(call.world.base, repository, made)


@route("GET", r"{repo}/pulls/(?P<number>\d+)")
def show_pull(call: Call, owner: str, name: str, number: str) -> Any:
    repository = call.repository(owner, name, "pull_requests")
    found = repository.pulls.get(int(number))
    if found is None or not call.sees(found.seq):
        raise RefusedError(404, "Not Found")
    return payloads.pull(call.world.base, repository, found, call.seq)


@route("GET", r"{repo}/pulls/(?P<number>\d+)/files")
def pull_files(call: Call, owner: str, name: str, number: str) -> Any:
    repository = call.repository(owner, name, "pull_requests")
    found = repository.pulls.get(int(number))
    if found is None:
        raise RefusedError(404, "Not Found")
    root = repository.git.merge_base(repository.git.resolve(found.base_ref), found.head)
    return paged(call, repository.git.changed(root, found.head), MOST_FILES)


# Checks


@route("POST", "{repo}/check-runs")
def create_check(call: Call, owner: str, name: str) -> Any:
    repository = call.repository(owner, name, "checks", "write")
    given = call.body
    if not repository.git.resolve(given["head_sha"]):
        raise RefusedError(422, f"No commit found for SHA: {given['head_sha']}")
    made = CheckRun(call.world.next_id(), call.world.write(), given["name"], given["head_sha"], call.world.app)
    _change_check(made, given)
    repository.checks[made.id] = made
    return 201, made.json(call.base(repository))


@route("PATCH", r"{repo}/check-runs/(?P<number>\d+)")
def update_check(call: Call, owner: str, name: str, number: str) -> Any:
    repository = call.repository(owner, name, "checks", "write")
    found = _check(call, repository, number)
    call.world.write()
    _change_check(found, call.body)
    return found.json(call.base(repository))


@route("GET", r"{repo}/check-runs/(?P<number>\d+)")
def show_check(call: Call, owner: str, name: str, number: str) -> Any:
    repository = call.repository(owner, name, "checks")
    return _check(call, repository, number).json(call.base(repository))


@route("GET", r"{repo}/check-runs/(?P<number>\d+)/annotations")
def list_annotations(call: Call, owner: str, name: str, number: str) -> Any:
    repository = call.repository(owner, name, "checks")
    return paged(call, _check(call, repository, number).annotations)


@route("GET", "{repo}/commits/(?P<ref>[^/]+)/check-runs")
def list_checks(call: Call, owner: str, name: str, ref: str) -> Any:
    repository = call.repository(owner, name, "checks")
    wanted = call.query.get("check_name")
    found = [
        c for c in reversed(repository.checks.values())
        if c.head_sha == ref and call.sees(c.seq) and wanted in (None, c.name)
    ]  # fmt: skip
    if call.query.get("filter", "latest") == "latest":
        found = list({c.name: c for c in reversed(found)}.values())
    return {"total_count": len(found), "check_runs": paged(call, [c.json(call.base(repository)) for c in found])}


def _check(call: Call, repository: Repository, number: str) -> CheckRun:
    found = repository.checks.get(int(number))
    if found is None or not call.sees(found.seq):
        raise RefusedError(404, "Not Found")
    return found


def _change_check(check: CheckRun, given: dict[str, Any]) -> None:
    output = given.get("output") or {}
    if len(output.get("annotations") or []) > MOST_ANNOTATIONS:
        raise RefusedError(422, "Invalid request. No more than 50 items are allowed in annotations.")
    if any(len(output.get(part) or "") > 65_535 for part in ("summary", "text")):
        raise RefusedError(422, "Invalid request. summary or text is too long (maximum is 65535 characters)")
    if output and not (output.get("title") and output.get("summary")):
        raise RefusedError(422, "Invalid request. title and summary are needed in output.")
    if given.get("status") == "completed" and not given.get("conclusion"):
        raise RefusedError(422, "Invalid request. conclusion is needed.")
    check.external_id = given.get("external_id", check.external_id)
    check.details_url = given.get("details_url", check.details_url)
    check.status = "completed" if given.get("conclusion") else given.get("status", check.status)
    check.conclusion = given.get("conclusion") if check.status == "completed" else None
    check.actions = given.get("actions", check.actions)
    check.title, check.summary = output.get("title", check.title), output.get("summary", check.summary)
    check.text = output.get("text", check.text)
    check.annotations += output.get("annotations") or []  # they are only ever added
    check.history.append(f"{check.status}: {check.title}")


# Comments


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
    made = call.world.comment(repository, int(number), _body(call), call.world.app.bot, call.world.app)
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
    found.body, found.updated = _body(call), call.world.now()
    return found.json(call.base(repository))


@route("DELETE", r"{repo}/issues/comments/(?P<number>\d+)")
def delete_comment(call: Call, owner: str, name: str, number: str) -> Any:
    repository = call.repository(owner, name, "issues", "write")
    _comment(repository.comments, number)
    call.world.write()
    del repository.comments[int(number)]
    return 204, None


@route("GET", r"{repo}/pulls/(?P<number>\d+)/comments")
def list_review_comments(call: Call, owner: str, name: str, number: str) -> Any:
    repository = call.repository(owner, name, "pull_requests")
    found = [c for c in repository.review_comments.values() if c.number == int(number) and call.sees(c.seq)]
    return paged(call, [c.json(call.base(repository)) for c in found])


@route("POST", r"{repo}/pulls/(?P<number>\d+)/comments")
def create_review_comment(call: Call, owner: str, name: str, number: str) -> Any:
    repository = call.repository(owner, name, "pull_requests", "write")
    made = _review_comment(call, repository, int(number), call.body)
    return 201, made.json(call.base(repository))


@route("POST", r"{repo}/pulls/(?P<number>\d+)/reviews")
def create_review(call: Call, owner: str, name: str, number: str) -> Any:
    repository = call.repository(owner, name, "pull_requests", "write")
    for one in call.body.get("comments") or []:
        _review_comment(call, repository, int(number), {**one, "commit_id": call.body.get("commit_id", "")})
    return {
        "id": call.world.next_id(),
        "state": "COMMENTED",
        "body": call.body.get("body", ""),
        "user": call.world.app.bot,
    }


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


def _review_comment(call: Call, repository: Repository, number: int, given: dict[str, Any]) -> Comment:
    if number not in repository.pulls:
        raise RefusedError(404, "Not Found")
    files = pull_files(
        Call(call.world, "GET", "", {"per_page": "100"}, None, None, call.installation),
        *repository.full_name.split("/"),
        str(number),
    )
    if given["path"] not in {file["filename"] for file in files}:
        raise RefusedError(422, "Validation Failed: pull_request_review_thread.path is invalid")
    review = {
        "path": given["path"],
        "line": given.get("line"),
        "side": given.get("side", "RIGHT"),
        "commit_id": given.get("commit_id", ""),
    }
    now = call.world.now()
    made = Comment(
        call.world.next_id(),
        call.world.write(),
        given["body"],
        call.world.app.bot,
        number,
        now,
        now,
        call.world.app,
        review,
    )
    repository.review_comments[made.id] = made
    return made


def _body(call: Call) -> str:
    body: str = call.body.get("body", "")
    if not body or len(body) > MOST_BODY:
        raise RefusedError(422, "Validation Failed: body is too long (maximum is 65536 characters)")
    return body
