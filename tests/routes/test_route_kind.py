"""What counts as a claim about a route, and when it is false."""

from __future__ import annotations

from pathlib import Path

import pytest

from docalign_actors.engine.documents.reader import read_document
from docalign_actors.engine.kinds.route.kind import RouteKind
from docalign_actors.engine.settings import ScanSettings
from docalign_actors.findings.model import Finding, Verdict
from tests.support.repository import Repository

_ONLY = ScanSettings(jobs=1, claim_types=("route",))


def _claims(text: str) -> list[tuple[str, str]]:
    claims = list(RouteKind().extract(read_document("README.md", "markdown", text.encode())))
    lines = text.splitlines()
    for claim in claims:
        assert lines[claim.line - 1][claim.column - 1 :].startswith(claim.text)
    return [(claim.value, claim.subject) for claim in claims]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Call `GET /users/{id}` now.", [("GET", "/users/{id}")]),
        ("### POST /users", [("POST", "/users")]),
        ("### `DELETE` `/users/:id`", [("DELETE", "/users/:id")]),
        ("**PUT** `/users/<id>`", [("PUT", "/users/<id>")]),
        ("- GET /users – lists them", [("GET", "/users")]),
        ("The `/metrics` endpoint.", [("", "/metrics")]),
        (
            "| Method | Path |\n|---|---|\n| GET | /users |\n| POST | `/users` |",
            [("GET", "/users"), ("POST", "/users")],
        ),
        ("| Endpoint |\n|---|\n| `GET /users` |", [("GET", "/users")]),
        ("```sh\ncurl -X POST \\\n  http://localhost:8000/users\n```", [("POST", "/users")]),
        ("```sh\ncurl localhost:8000/users?x=1\n```", [("", "/users")]),
        ("```sh\ncurl -s $BASE_URL/users\n```", [("", "/users")]),
        ("```sh\nhttp PUT :8000/users/1 name=x\n```", [("PUT", "/users/1")]),
        ("```http\nGET /users HTTP/1.1\nHost: x\n```", [("GET", "/users")]),
        ('```python\nrequests.post("http://localhost:8000/users", json={})\n```', [("POST", "/users")]),
        ('```python\nclient.get("/users")\n```', [("GET", "/users")]),
        ("```js\nawait fetch('/users')\n```", [("", "/users")]),
        ("```yaml\nlivenessProbe:\n  httpGet:\n    path: /healthz\n```", [("", "/healthz")]),
        ("Open <http://localhost:3000/docs>.", [("", "/docs")]),
        ("See `https://api.github.com/users/x` and https://example.dev/a.", []),
        ("Edit `/etc/hosts`, then and/or `a/b`.", []),
        ("Reads 3/4 of // it.", []),
    ],
)
def test_claims_of_a_document(text: str, expected: list[tuple[str, str]]) -> None:
    assert sorted(set(_claims(text))) == sorted(expected)


def test_routes_that_an_example_of_the_document_defines_are_no_claims() -> None:
    text = '```python\n@app.get("/items")\ndef items(): ...\n```\n\nOpen `GET /items`, then `GET /other`.\n'
    assert _claims(text) == [("GET", "/other")]


_APP = 'from flask import Flask\n\napp = Flask(__name__)\n\n\n@app.get("/users")\ndef users(): ...\n\n\n@app.get("/users/<id>")\ndef user(id): ...\n\n\n@app.post("/orders")\ndef order(): ...\n'


def _drifted(repository: Repository) -> list[Finding]:
    return repository.drifted(settings=_ONLY)


def test_a_framework_without_routes_of_its_own_has_no_findings(tmp_path: Path) -> None:
    readme = "| Method | Path |\n|---|---|\n| GET | `/items` |\n| GET | `/things` |\n\nCall `GET /hello` or `curl http://localhost:8000/hello`.\n"
    repository = Repository(
        tmp_path, {"README.md": readme, "lib/core.py": "def route(path): ...\n", "examples/app.py": _APP}
    )
    repository.replace('"/users"', '"/people"', "examples/app.py").commit()
    assert _drifted(repository) == []


def test_a_route_that_its_neighbours_in_a_table_contradict_is_drifted(tmp_path: Path) -> None:
    rows = "".join(
        f"| {row} |\n"
        for row in ("GET | `/users`", "GET | `/users/:id`", "POST | `/orders`", "GET | `/users/:id/friends`")
    )
    repository = Repository(tmp_path, {"README.md": f"| Method | Path |\n|---|---|\n{rows}", "app.py": _APP})
    found = _drifted(repository)
    assert [(finding.rule, finding.claim, finding.line) for finding in found] == [
        ("unknown-route", "/users/:id/friends", 6)
    ]
    assert found[0].evidence[0].file == "app.py"


def test_a_route_alone_that_never_was_is_uncertain(tmp_path: Path) -> None:
    repository = Repository(tmp_path, {"README.md": "Call `GET /users/:id/friends`.\n", "app.py": _APP})
    assert _drifted(repository) == []


def test_a_table_beside_routes_that_cannot_be_read_is_uncertain(tmp_path: Path) -> None:
    rows = "".join(
        f"| {row} |\n"
        for row in ("GET | `/users`", "GET | `/users/:id`", "POST | `/orders`", "GET | `/users/:id/friends`")
    )
    code = (
        _APP
        + "\nfor path in plugin_paths():\n    app.add_url_rule(path, view_func=user)\n    app.route(path)(user)\n    @app.get(path)\n    def more(): ...\n"
    )
    repository = Repository(tmp_path, {"README.md": f"| Method | Path |\n|---|---|\n{rows}", "app.py": code})
    assert _drifted(repository) == []


def test_a_wrong_method_is_reported_with_the_right_one(tmp_path: Path) -> None:
    repository = Repository(tmp_path, {"README.md": "Send `PUT /orders`.\n", "app.py": _APP})
    (finding,) = _drifted(repository)
    assert finding.rule == "wrong-method"
    assert finding.fix is not None
    assert finding.fix.replacement == "POST /orders"


def test_a_wrong_method_beside_the_right_one_has_no_certain_fix(tmp_path: Path) -> None:
    text = "- **PUT /orders** - changes one\n- **POST /orders** - makes one\n"
    (finding,) = _drifted(Repository(tmp_path, {"README.md": text, "app.py": _APP}))
    assert finding.fix is not None
    assert not finding.fix.safe


def test_a_placeholder_that_takes_several_segments_now_is_the_same_route(tmp_path: Path) -> None:
    code = 'router = APIRouter(prefix="/api")\n\n\n@router.get("/files/{name}")\ndef one(): ...\n\n\napp = FastAPI()\napp.include_router(router)\n'
    repository = Repository(tmp_path, {"README.md": "Call `GET /api/files/{name}`.\n", "app.py": code})
    repository.replace("{name}", "{name:path}", "app.py").commit("names with slashes")
    assert _drifted(repository) == []


@pytest.mark.parametrize(
    "claim",
    ["HEAD /users", "OPTIONS /orders", "GET /users/anna", "GET /users/", "GET /users?sort=name", "GET /users/*"],
)
def test_what_the_route_answers_is_verified(tmp_path: Path, claim: str) -> None:
    repository = Repository(tmp_path, {"README.md": f"Call `{claim}`.\n", "app.py": _APP})
    report = repository.scan(settings=_ONLY, show=frozenset(Verdict))
    assert [finding.verdict for finding in report.findings] == [Verdict.VERIFIED]


def test_a_removed_route_is_drifted_with_its_commit(tmp_path: Path) -> None:
    repository = Repository(
        tmp_path, {"README.md": "Call `/orders`, or POST to http://localhost:5000/orders.\n", "app.py": _APP}
    )
    repository.replace('@app.post("/orders")\ndef order(): ...\n', "", "app.py").commit("no orders")
    (finding,) = _drifted(repository)
    assert len(finding.mentions) == 2
    assert finding.evidence[0].file == "app.py"
    assert finding.evidence[0].commit
    assert finding.fix is None


def test_a_prefix_alone_is_a_claim_too(tmp_path: Path) -> None:
    code = 'router = APIRouter(prefix="/api/v1")\n\n\n@router.get("/users")\ndef users(): ...\n\n\napp = FastAPI()\napp.include_router(router)\n'
    repository = Repository(tmp_path, {"README.md": "All of it is under `/api/v1`.\n", "app.py": code})
    assert repository.scan(settings=_ONLY).summary.verified == 1
    repository.replace("/api/v1", "/api/v2", "app.py").commit()
    assert [finding.claim for finding in _drifted(repository)] == ["/api/v1"]


def test_a_static_route_that_went_is_not_hidden_by_a_placeholder_that_stayed(tmp_path: Path) -> None:
    code = _APP + '\n\n@app.get("/users/current")\ndef current(): ...\n'
    repository = Repository(tmp_path, {"README.md": "Call `GET /users/current`.\n", "app.py": code})
    assert _drifted(repository) == []
    repository.replace("/users/current", "/users/myself", "app.py").commit()
    (finding,) = _drifted(repository)
    assert finding.fix is not None
    assert finding.fix.replacement == "GET /users/myself"


def test_a_route_that_is_now_registered_in_a_way_that_cannot_be_read_is_uncertain(tmp_path: Path) -> None:
    repository = Repository(tmp_path, {"README.md": "Call `/orders`.\n", "app.py": _APP})
    table = 'TABLE = {"/orders": order}\nfor path, view in TABLE.items():\n    app.add_url_rule(path, view_func=view)\n'
    repository.replace('@app.post("/orders")\ndef order(): ...\n', f"def order(): ...\n\n\n{table}", "app.py").commit(
        "a table"
    )
    assert _drifted(repository) == []


def test_prose_about_the_past_is_not_judged(tmp_path: Path) -> None:
    repository = Repository(tmp_path, {"README.md": "`GET /orders` was removed in version 2.0.\n", "app.py": _APP})
    repository.replace('@app.post("/orders")\ndef order(): ...\n', "", "app.py").commit()
    assert _drifted(repository) == []


def test_a_route_that_is_a_file_goes_with_the_file(tmp_path: Path) -> None:
    handler = "export async function GET() {\n  return Response.json([]);\n}\n"
    files: dict[str, str | bytes] = {
        "README.md": "Call `GET /api/orders` or `GET /api/users`.\n",
        "package.json": '{"name": "shop"}\n',
    }
    repository = Repository(
        tmp_path,
        {**files, "app/api/orders/route.ts": handler + "// orders\n", "app/api/users/route.ts": handler + "// users\n"},
    )
    assert _drifted(repository) == []
    repository.move("app/api/orders/route.ts", "app/api/purchases/route.ts").commit()
    (finding,) = _drifted(repository)
    assert finding.claim == "GET /api/orders"
    assert finding.fix is not None
    assert finding.fix.replacement == "GET /api/purchases"


_MOUNTS = (
    "from fastapi import FastAPI\nfrom fastapi.staticfiles import StaticFiles\n\napp = FastAPI()\n"
    'app.mount("/pest_results", StaticFiles(directory="pest"), name="pest")\n\n\n@app.get("/users")\ndef users(): ...\n'
)


@pytest.mark.parametrize(("path", "missed"), [("/pest_results", 0), ("/results", 1)])
def test_a_route_whose_path_its_file_has_still_as_a_string_is_not_called_gone(
    tmp_path: Path, path: str, missed: int
) -> None:
    readme = "# App\n\n```js\nconst rewrites = [{ source: '/pest_results/:path*', destination: 'x' }]\n```\n"
    repository = Repository(tmp_path, {"README.md": readme, "src/app.py": _MOUNTS})
    loop = f"""FOLDERS = {{"pest": "{path}"}}

for name, path in FOLDERS.items():
    app.mount(f"/{{path.strip('/')}}", StaticFiles(directory=name), name=name)
"""
    repository.replace('app.mount("/pest_results", StaticFiles(directory="pest"), name="pest")\n', loop, "src/app.py")
    repository.commit()
    assert len(_drifted(repository)) == missed


@pytest.mark.parametrize("since", ["", "HEAD~1"])
def test_a_method_that_the_last_commit_took_from_a_path_is_told_though_the_other_lines_are_old(
    tmp_path: Path, since: str
) -> None:
    code = (
        'from flask import Flask\napp = Flask(__name__)\n\n\n@app.get("/teas/<name>")\ndef show(name): ...\n\n\n'
        '@app.delete("/teas/<name>")\ndef remove(name): ...\n'
    )
    text = "# Teas\n\n- `GET /teas/<name>`\n- `DELETE /teas/<name>`\n"
    repo = Repository(tmp_path, {"README.md": text, "app.py": code}).age()
    repo.write({"app.py": code[: code.index("\n\n@app.delete")] + "\n"}).commit()
    (finding,) = repo.drifted(since=since)
    assert (finding.rule, finding.line) == ("wrong-method", 4)
