"""The description and the application say the same."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from uuid import uuid4

import msgspec
import pytest
from starlette.routing import Route

from docalign_actors.http.openapi import document
from docalign_actors.http.server import operations
from docalign_actors.persistence.tokens import Role
from tests.http.house import House
from tests.http.schema import problems_with

_STREAMS = ("/api/events", "/api/scans/{id}/events")


def described(house: House) -> dict[str, Any]:
    return house.client.get("/openapi.json").json()


def test_every_route_is_described_with_all_its_methods(house: House) -> None:
    paths = described(house)["paths"]
    routes = {
        re.sub(r":\w+}", "}", route.path): {m.lower() for m in route.methods or () if m != "HEAD"}
        for route in house.app.routes
        if isinstance(route, Route)
    }
    assert {path: set(methods) for path, methods in paths.items()} == routes


def test_every_reference_leads_somewhere(house: House) -> None:
    whole = described(house)
    text = msgspec.json.encode(whole).decode()
    for name in re.findall(r'"\$ref":"#/components/schemas/(\w+)"', text):
        assert name in whole["components"]["schemas"]


@pytest.mark.parametrize("operation", operations(), ids=lambda operation: f"{operation.method} {operation.path}")
def test_every_operation_says_who_may_and_what_can_go_wrong(operation: Any) -> None:
    path = re.sub(r":\w+}", "}", operation.path)
    shown = document(operations())["paths"][path][operation.method.lower()]
    assert shown["operationId"]
    assert shown["summary"].endswith(".")
    assert {"400", "414", "421", "503"} <= set(shown["responses"])
    if operation.role is None:
        assert shown["security"] == []
    else:
        assert {"401", "403"} <= set(shown["responses"])
        assert operation.role.value in shown["description"]
    if operation.takes is not None:
        assert {"413", "415", "422"} <= set(shown["responses"])
    names = {one["name"] for one in shown["parameters"] if one["in"] == "path"}
    assert names == set(re.findall(r"{(\w+)}", path))


def test_what_is_answered_is_what_is_described(house: House) -> None:
    whole = described(house)
    repo = house.repo()
    run = house.scan(repo)
    house.execute("INSERT INTO actor_incidents (actor, kind, error) VALUES ('a', 'failed', 'x')")
    house.execute("INSERT INTO health_history VALUES (%(repo)s, now(), NULL, 90, 10, 9, 1)", repo=repo)
    known = {"/api/repos/{id}": repo, "/api/scans/{id}": run}
    for operation in operations():
        path = re.sub(r":\w+}", "}", operation.path)
        if path in _STREAMS:
            continue
        own = next((str(one) for start, one in known.items() if path.startswith(start)), "supervisor")
        bodies = {"registerRepository": {"url": "https://example.org/x/y"}, "requestScan": {"type": "full"}}
        for name, role in ((own, Role.ADMIN), (str(uuid4()), Role.ADMIN), (own, None)):
            headers = house.bearer(role) if role is not None else {}
            address = re.sub(r"{\w+}", name, path)
            if operation.method == "DELETE" and name == own and role is not None:
                address = f"/api/repos/{house.repo('to-be-removed')}"
            answer = house.client.request(operation.method, address, headers=headers, json=bodies.get(operation.name))
            shown = whole["paths"][path][operation.method.lower()]["responses"].get(str(answer.status_code))
            assert shown is not None, (operation.name, answer.status_code)
            content = shown.get("content")
            if content is None:
                assert answer.content == b""
                continue
            media = answer.headers["content-type"].partition(";")[0]
            assert media in content, (operation.name, media)
            if media.endswith("json"):
                schema = content[media]["schema"]
                assert problems_with(answer.json(), schema, whole["components"]["schemas"]) == []


def test_every_route_stands_in_the_documentation() -> None:
    text = (Path(__file__).parents[2] / "docs" / "api.md").read_text()
    for operation in operations():
        path = re.sub(r":\w+}", "}", operation.path)
        assert f"`{operation.method} {path}`" in text
