"""What is known of a route besides its registration: its prefix, its handler, a description of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from docalign_actors.engine.code.reader import read_facts
from docalign_actors.engine.routing import joined_routes
from docalign_actors.engine.settings import ScanSettings
from tests.support.repository import Repository

_ONLY = ScanSettings(jobs=1, claim_types=("route",))
_SINCE = pytest.mark.parametrize("since", ["", "HEAD~1"])
_SPEC = "openapi: 3.0.0\ninfo: {title: x, version: '1'}\npaths:\n  /owners:\n    get: {}\n  /pets:\n    get: {}\n"
_EXPRESS = (
    'const express = require("express");\nconst c = require("./controller");\nconst app = express();\n'
    'app.use("/v1/auth", authLimiter);\napp.post("/v1/auth/reset", c.reset);\nmodule.exports = app;\n'
)
_MAIL = 'exports.link = (t) => `http://front-end/v1/auth/reset?token=${t}`;\nexports.page = "v1/auth/reset";\n'


def _lines(repository: Repository, since: str) -> set[int]:
    return {m.line for f in repository.drifted(since=since, settings=_ONLY) for m in f.mentions}


def test_a_bundle_that_mount_returns_gives_its_prefix_to_groups() -> None:
    code = (
        'package main\n\nfunc main() {\n\tapi := router.Mount("/api")\n'
        '\tapi.Group().Route(func(r *routegroup.Bundle) {\n\t\tr.HandleFunc("GET /x", x)\n\t})\n'
        '\tapi.Mount("/admin").Route(func(r *routegroup.Bundle) {\n\t\tr.HandleFunc("PUT /y/{id}", y)\n\t})\n}\n'
    )
    facts = {"main.go": read_facts("main.go", code.encode())}
    assert {f"{r.method} {r.path}" for r in joined_routes(facts)} == {"GET /api/x", "PUT /api/admin/y/{id}"}


@_SINCE
def test_a_route_whose_handler_moved_is_lost_even_if_its_words_stand_elsewhere(tmp_path: Path, since: str) -> None:
    files: dict[str, str | bytes] = {
        "src/app.js": _EXPRESS,
        "src/mail.js": _MAIL,
        "README.md": "# A\n\n`POST /v1/auth/reset` resets.\n",
    }
    repository = Repository(tmp_path, files)
    repository.write({"src/app.js": _EXPRESS.replace("auth/reset", "auth/renew")}).commit("rename")
    assert _lines(repository, since) == {3}


@_SINCE
def test_a_limiter_that_is_put_elsewhere_takes_no_route_away(tmp_path: Path, since: str) -> None:
    repository = Repository(tmp_path, {"src/app.js": _EXPRESS, "README.md": "# A\n\n`POST /v1/auth/reset` resets.\n"})
    repository.write({"src/app.js": _EXPRESS.replace('use("/v1/auth"', 'use("/v1/shard"')}).commit("limit")
    assert _lines(repository, since) == set()


@_SINCE
@pytest.mark.parametrize(("also", "lines"), [("", {3}), ('    String url = "http://host/shop/actuator";\n', set())])
def test_a_path_under_a_lost_prefix_is_lost_unless_the_code_writes_it(
    tmp_path: Path, since: str, also: str, lines: set[int]
) -> None:
    java = f'@RestController\nclass Root {{\n{also}    @GetMapping("/hello")\n    String hello() {{ return ""; }}\n}}\n'
    properties = "src/main/resources/application.properties"
    repository = Repository(
        tmp_path,
        {
            "src/main/java/Root.java": java,
            properties: "server.servlet.context-path=/shop\n",
            "README.md": "# A\n\nSee http://localhost:8080/shop/actuator/health for its state.\n",
        },
    )
    repository.write({properties: "server.servlet.context-path=/store\n"}).commit("rename")
    assert _lines(repository, since) == lines


@_SINCE
@pytest.mark.parametrize(("registers", "lines"), [("", {5}), ('@app.get("/api/owners")\ndef owners(): ...\n', set())])
def test_a_path_that_only_a_description_lost_is_lost_unless_code_registers_it(
    tmp_path: Path, since: str, registers: str, lines: set[int]
) -> None:
    code = (
        f'from fastapi import FastAPI\n\napp = FastAPI()\n\n\n@app.get("/health")\ndef health(): ...\n\n\n{registers}'
    )
    readme = "| Method | Path |\n|---|---|\n| GET | `/health` |\n| GET | `/api/pets` |\n| GET | `/api/owners` |\n"
    repository = Repository(tmp_path, {"app/main.py": code, "openapi.yaml": _SPEC, "README.md": readme})
    repository.write({"openapi.yaml": _SPEC.replace("owners", "keepers")}).commit("rename")
    assert _lines(repository, since) == lines


@_SINCE
def test_a_route_named_without_its_prefix_is_lost_when_its_handler_has_another_path(tmp_path: Path, since: str) -> None:
    code = (
        'from fastapi import APIRouter, FastAPI\n\nrouter = APIRouter(prefix="/core")\n\n\n@router.get("/healthcheck")\n'
        "def alive(): ...\n\n\napp = FastAPI()\napp.include_router(router)\n"
    )
    repository = Repository(
        tmp_path, {"app/main.py": code, "README.md": '# A\n\n```\n/healthcheck   GET\n```\n\n`"/core"`\n'}
    )
    repository.write({"app/main.py": code.replace("healthcheck", "relay")}).commit("rename")
    assert _lines(repository, since) == {4}


def _prefixed(tmp_path: Path, pages: dict[str, str | bytes]) -> Repository:
    """A service whose routes get a prefix in the last commit."""
    users = 'from fastapi import APIRouter\n\nrouter = APIRouter()\n\n\n@router.get("/users")\ndef users():\n    return []\n'
    main = "from fastapi import FastAPI\nfrom app.users import router\n\napp = FastAPI()\napp.include_router(router)\n"
    files: dict[str, str | bytes] = {"app/__init__.py": "", "app/users.py": users, "app/main.py": main}
    repo = Repository(tmp_path, {**files, "README.md": "# Service\n\nAsk `GET /users`.\n", **pages})
    repo.replace("return []", "return [1]", "app/users.py")
    return repo.replace("include_router(router)", 'include_router(router, prefix="/api/v1")', "app/main.py")


@_SINCE
def test_a_document_that_tells_the_prefix_once_leaves_it_out_from_then_on(tmp_path: Path, since: str) -> None:
    page = "# Paths\n\nAll paths are below `/api/v1`.\n\n## Users\n\nAsk `GET /users`.\n"
    repo = _prefixed(tmp_path, {"docs/paths.md": page}).commit("prefix")
    found = {(m.file, m.line) for f in repo.drifted(since=since, settings=_ONLY) for m in f.mentions}
    assert found == {("README.md", 3)}


def test_what_a_change_itself_writes_of_its_routes_leaves_the_prefix_out_on_purpose(tmp_path: Path) -> None:
    repo = _prefixed(tmp_path, {})
    repo.write({"docs/users.md": "# Users\n\nAsk `GET /users`.\n"}).commit("prefix")
    found = {(m.file, m.line) for f in repo.drifted(since="HEAD~1", settings=_ONLY) for m in f.mentions}
    assert found == {("README.md", 3)}
