"""Whole repositories in which one route was refactored away from the code and left in the docs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from docalign_actors.engine.settings import ScanSettings
from docalign_actors.findings.model import Finding, Verdict
from tests.routes.projects import PROJECTS, README
from tests.support.repository import Repository

_ONLY = ScanSettings(jobs=1, claim_types=("route",))
_LINES = README.splitlines()
_REPORT_LINES = {n for n, line in enumerate(_LINES, 1) if "reports/daily" in line}
_V1_LINES = {n for n, line in enumerate(_LINES, 1) if "/api/v1" in line}


def _built(root: Path, name: str) -> Repository:
    return Repository(root, {**PROJECTS[name], "README.md": README})


def _rewrite(repository: Repository, name: str, change: Callable[[str], str]) -> None:
    """Applies a change to every file of the code; at least one must differ."""
    before = {path: (repository.root / path).read_text() for path in PROJECTS[name]}
    after = {path: change(text) for path, text in before.items()}
    assert before != after
    repository.write(dict(after)).commit("refactor")


def _of_kind(findings: list[Finding]) -> list[Finding]:
    return [finding for finding in findings if finding.kind == "route"]


def _lines(findings: list[Finding]) -> set[int]:
    return {mention.line for finding in findings for mention in finding.mentions}


@pytest.mark.parametrize("name", PROJECTS)
def test_nothing_is_reported_of_an_untouched_repository_and_its_routes_are_verified(tmp_path: Path, name: str) -> None:
    repository = _built(tmp_path, name)
    report = repository.scan(settings=_ONLY, show=frozenset(Verdict))
    routes = [finding for finding in report.findings if finding.kind == "route"]
    assert {finding.claim: finding.verdict for finding in routes if finding.verdict is not Verdict.VERIFIED} == {}
    assert _lines(routes) == _V1_LINES


@pytest.mark.parametrize("since", ["", "HEAD~1"])
@pytest.mark.parametrize("name", PROJECTS)
def test_a_renamed_route_is_found_with_every_mention(tmp_path: Path, name: str, since: str) -> None:
    repository = _built(tmp_path, name)
    _rewrite(
        repository,
        name,
        lambda text: text.replace("reports/daily", "reports/today").replace('@Get("daily")', '@Get("today")'),
    )
    found = _of_kind(repository.drifted(since=since, settings=_ONLY))
    assert _lines(found) == _REPORT_LINES
    assert {finding.rule for finding in found} == {"unknown-route"}


@pytest.mark.parametrize("since", ["", "HEAD~1"])
@pytest.mark.parametrize("name", PROJECTS)
def test_a_renamed_prefix_makes_every_route_below_it_stale(tmp_path: Path, name: str, since: str) -> None:
    repository = _built(tmp_path, name)
    _rewrite(repository, name, lambda text: text.replace("api/v1", "api/v2"))
    assert _lines(_of_kind(repository.drifted(since=since, settings=_ONLY))) == _V1_LINES


_POSTS = {
    "fastapi": ('@router.post("")', '@router.put("")'), "flask": ('["POST"]', '["PUT"]'), "express": (".post(", ".put("),
    "gin": ("g.POST", "g.PUT"), "chi": ("r.Post", "r.Put"), "axum": (".post(", ".put("), "spring": ("@PostMapping", "@PutMapping"),
    "nest": ("@Post()", "@Put()"), "actix": ('#[post("/users")]', '#[put("/users")]'), "fastify": ("fastify.post", "fastify.put"),
}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "since"),
    [(name, since) for name in _POSTS for since in ("", "HEAD~1")],
)
def test_a_changed_method_is_found(tmp_path: Path, name: str, since: str) -> None:
    repository = _built(tmp_path, name)
    old, new = _POSTS[name]
    _rewrite(
        repository, name, lambda text: text.replace(old, new).replace("Controller, Get, Post", "Controller, Get, Put")
    )
    found = _of_kind(repository.drifted(since=since, settings=_ONLY))
    assert [(finding.rule, sorted(_lines([finding]))) for finding in found] == [("wrong-method", [9])]


@pytest.mark.parametrize(
    "name", ["fastapi", "flask", "django", "gin", "chi", "axum", "spring", "nest", "actix", "fastify"]
)
def test_the_fix_of_a_renamed_route_is_its_new_path(tmp_path: Path, name: str) -> None:
    repository = _built(tmp_path, name)
    _rewrite(
        repository,
        name,
        lambda text: text.replace("reports/daily", "reports/today").replace('@Get("daily")', '@Get("today")'),
    )
    found = _of_kind(repository.drifted(settings=_ONLY))
    assert all(finding.fix is not None and "/api/v1/reports/today" in finding.fix.replacement for finding in found)


def test_a_value_in_a_placeholder_is_kept_by_the_fix(tmp_path: Path) -> None:
    repository = Repository(
        tmp_path, {**PROJECTS["fastapi"], "README.md": "Read `GET /api/v1/users/42` and `/api/v1/users/:id`.\n"}
    )
    _rewrite(repository, "fastapi", lambda text: text.replace('prefix="/users"', 'prefix="/members"'))
    found = _of_kind(repository.drifted(settings=_ONLY))
    replacements = sorted(finding.fix.replacement for finding in found if finding.fix is not None)
    assert replacements == ["/api/v1/members/:id", "GET /api/v1/members/42"] or replacements == [
        "GET /api/v1/members/42"
    ]
