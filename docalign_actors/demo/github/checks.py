"""Check runs with their annotations."""

from __future__ import annotations

from typing import Any

from docalign_actors.demo.github.model import CheckRun, Repository
from docalign_actors.demo.github.routing import Call, RefusedError, paged, route

MOST_ANNOTATIONS = 50
_ACTION = {"label": 20, "description": 40, "identifier": 20}


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
    for action in given.get("actions") or []:
        if any(not 0 < len(action.get(part, "")) <= most for part, most in _ACTION.items()):
            raise RefusedError(422, "Invalid request. label, description or identifier is missing or too long.")
    check.external_id = given.get("external_id", check.external_id)
    check.details_url = given.get("details_url", check.details_url)
    check.status = "completed" if given.get("conclusion") else given.get("status", check.status)
    check.conclusion = given.get("conclusion") if check.status == "completed" else None
    check.actions = given.get("actions", check.actions)
    check.title, check.summary = output.get("title", check.title), output.get("summary", check.summary)
    check.text = output.get("text", check.text)
    check.annotations += output.get("annotations") or []  # they are only ever added
    check.history.append(f"{check.status}: {check.title}")
