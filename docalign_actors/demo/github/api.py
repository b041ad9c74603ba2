"""The REST API: a function for each address. Who asks and what goes wrong is decided in `server.py`."""

from __future__ import annotations

import base64
from typing import Any

from docalign_actors.demo.github import payloads
from docalign_actors.demo.github.model import Installation, stamp
from docalign_actors.demo.github.routing import Call, RefusedError, known_app, paged, route

MOST_FILES = 3_000
MOST_COMPARED = 300


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
    status = "identical" if one == other else "ahead" if root == one else "behind" if root == other else "diverged"
    return {"status": status, "merge_base_commit": {"sha": root}, "commits": [], "files": files, "total_commits": 1}


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
    head, base = call.query.get("head", ""), call.query.get("base", "")
    found = [
        p for p in repository.pulls.values()
        if state in ("all", p.state) and call.sees(p.seq) and base in ("", p.base_ref)
        and head in ("", f"{p.head_repo.partition('/')[0]}:{p.head_ref}")
    ]  # fmt: skip
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


@route("PATCH", r"{repo}/pulls/(?P<number>\d+)")
def edit_pull(call: Call, owner: str, name: str, number: str) -> Any:
    repository = call.repository(owner, name, "pull_requests", "write")
    found = repository.pulls.get(int(number))
    if found is None:
        raise RefusedError(404, "Not Found")
    found.title, found.body = call.body.get("title", found.title), call.body.get("body", found.body)
    call.world.write()
    return payloads.pull(call.world.base, repository, found, call.seq)


@route("GET", r"{repo}/pulls/(?P<number>\d+)/files")
def pull_files(call: Call, owner: str, name: str, number: str) -> Any:
    repository = call.repository(owner, name, "pull_requests")
    found = repository.pulls.get(int(number))
    if found is None:
        raise RefusedError(404, "Not Found")
    root = repository.git.merge_base(repository.git.resolve(found.base_ref), found.head)
    return paged(call, repository.git.changed(root, found.head), MOST_FILES)
