"""Tokens that somebody else signed: real keys, a real server that has them, the real application."""

from __future__ import annotations

import base64
import json
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from pathlib import Path
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from hypothesis import given
from hypothesis import strategies as st
from jwt.algorithms import RSAAlgorithm

from docalign_actors.http.keysets import Held, PublicKey, read_keys, wants_fetch
from docalign_actors.persistence.database import Database
from docalign_actors.settings.model import TaskSettings
from tests.agent_tasks.wire import WireHouse

ISSUER, AUDIENCE = "https://issuer.example.org", "codeq-worker"
NOW = datetime(2030, 1, 1, 12, tzinfo=UTC)
WORKER = "codeq:claim codeq:heartbeat codeq:abandon codeq:nack codeq:result"


@cache
def key(kid: str, bits: int) -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(65537, bits)


def published(kid: str, bits: int = 2048, **more: str) -> dict[str, Any]:
    return {**json.loads(RSAAlgorithm.to_jwk(key(kid, bits).public_key())), "kid": kid, "use": "sig", **more}


class KeyServer:
    """Gives out a JWKS; `asked` says how often."""

    def __init__(self) -> None:
        self.keys: list[dict[str, Any]] = [published("one")]
        self.asked = 0
        self.status = 200
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                server.asked += 1
                body = json.dumps({"keys": server.keys}).encode()
                self.send_response(server.status)
                self.send_header("Location", "/elsewhere")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: Any) -> None: ...

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}/jwks.json"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def keys() -> Iterator[KeyServer]:
    opened = KeyServer()
    yield opened
    opened.close()


@pytest.fixture
def house(database: Database, keys: KeyServer) -> Iterator[WireHouse]:
    with WireHouse(database, tasks=TaskSettings(jwks_url=keys.url, jwt_issuer=ISSUER)) as opened:
        yield opened


def token(kid: str = "one", alg: str = "RS256", header_kid: str | None = None, **claims: Any) -> str:
    said = {
        "iss": ISSUER, "aud": [AUDIENCE, "another"], "sub": "worker-7", "exp": NOW + timedelta(minutes=5), "iat": NOW,
        "jti": "1", "eventTypes": ["X"], "scope": WORKER, **claims,
    }  # fmt: skip
    said = {name: value for name, value in said.items() if value is not None}
    return jwt.encode(said, key(kid, 2048), alg, headers={"kid": kid if header_kid is None else header_kid})


def ask(house: WireHouse, secret: str, path: str = "/tasks/claim", body: Any = None) -> tuple[int, Any]:
    answer = house.client.post(f"/v1/codeq{path}", headers={"Authorization": f"Bearer {secret}"}, json=body or {})
    return answer.status_code, answer.json() if answer.content else None


def test_a_worker_with_a_signed_token_claims_and_completes_what_it_may(house: WireHouse) -> None:
    house.create("Y"), house.create("X")
    status, task = ask(house, token())

    assert (status, task["command"], task["workerId"].split("#")[0]) == (200, "X", "worker-7")
    assert ask(house, token(), f"/tasks/{task['id']}/result", {"status": "COMPLETED", "result": 1})[0] == 200
    assert ask(house, token(), body={"commands": ["Y"]}) == (403, {"error": "event type not allowed"})
    assert ask(house, token())[0] == 204


@pytest.mark.parametrize("alg", ["RS256", "RS384", "RS512"])
def test_every_rsa_algorithm_is_taken(house: WireHouse, alg: str) -> None:
    assert ask(house, token(alg=alg))[0] == 204


def test_scopes_say_what_a_token_may_and_nothing_else_does(house: WireHouse) -> None:
    task = {"command": "X", "payload": 1}
    lacks = "missing scope: the token lacks codeq:claim"
    assert ask(house, token(scope="")) == (403, {"error": lacks})
    assert ask(house, token(scope=None, scopes=["codeq:claim"]))[0] == 204
    assert ask(house, token(scope="codeq:result openid")) == (403, {"error": lacks})
    assert ask(house, token(), "/tasks", task) == (403, {"error": "missing scope: the token lacks codeq:produce"})
    assert ask(house, token(scope="codeq:produce"), "/tasks", task)[0] == 202
    assert ask(house, token(scope="codeq:produce"), "/admin/tasks/cleanup") == (
        403, {"error": "missing scope: the token lacks codeq:admin"},
    )  # fmt: skip
    assert ask(house, token(scope="codeq:admin"), "/admin/tasks/cleanup")[0] == 200


def test_a_token_sees_the_tasks_of_its_tenant_only(house: WireHouse) -> None:
    house.create("X")
    for claim in ("tenantId", "tenant"):
        assert ask(house, token(**{claim: "acme"}))[0] == 204
    house.ask("/tasks", {"command": "X", "payload": 1}, tenant="acme")
    assert ask(house, token(tenantId="acme"))[1]["tenantId"] == "acme"


def unsigned() -> str:
    parts = [base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=").decode() for part in (
        {"alg": "none", "kid": "one"}, {"iss": ISSUER, "aud": AUDIENCE, "sub": "w", "exp": 4e9, "scope": WORKER})]  # fmt: skip
    return ".".join([*parts, ""])


def signed_with_the_public_key() -> str:
    """As if the RSA key were a shared secret: a server that lets the token choose the algorithm would take it."""
    secret = key("one", 2048).public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )  # fmt: skip
    import hashlib
    import hmac

    def part(value: Any) -> bytes:
        return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=")

    body = {"iss": ISSUER, "aud": AUDIENCE, "sub": "w", "exp": 4e9, "scope": WORKER, "eventTypes": ["*"]}
    text = part({"alg": "HS256", "kid": "one", "typ": "JWT"}) + b"." + part(body)
    signature = base64.urlsafe_b64encode(hmac.new(secret, text, hashlib.sha256).digest()).rstrip(b"=")
    return (text + b"." + signature).decode()


WRONG: dict[str, tuple[Any, str]] = {
    "none": (unsigned, "must be signed by"),
    "shared secret": (signed_with_the_public_key, "must be signed by"),
    "other algorithm": (lambda: token(alg="PS256"), "must be signed by"),
    "other key": (lambda: token(kid="two", header_kid="one"), "its signature is wrong"),
    "unknown key": (lambda: token(kid="two"), "a key that is not known"),
    "issuer": (lambda: token(iss="https://evil.example.org"), "another issuer"),
    "audience": (lambda: token(aud="another"), "another audience"),
    "no audience": (lambda: token(aud=None), "exp, sub, iss or aud is missing"),
    "no end": (lambda: token(exp=None), "exp, sub, iss or aud is missing"),
    "expired": (lambda: token(exp=NOW - timedelta(seconds=61)), "has expired"),
    "not yet": (lambda: token(nbf=NOW + timedelta(seconds=61)), "does not hold yet"),
    "issued tomorrow": (lambda: token(iat=NOW + timedelta(days=1)), "does not hold yet"),
    "no subject": (lambda: token(sub=""), "cannot be used|can be used here"),
    "strange subject": (lambda: token(sub="a\nb"), "can be used here"),
    "odd types": (lambda: token(eventTypes="X"), "it is malformed"),
    "garbage": (lambda: "a.b.c", "malformed"),
    "long": (lambda: token(scope="x " * 5_000), "too long"),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_wrong_token_is_refused_with_a_reason(house: WireHouse, case: str) -> None:
    make, reason = WRONG[case]
    status, body = ask(house, make())
    assert status == 401
    assert any(one in body["error"] for one in reason.split("|")), body


def test_clocks_may_differ_a_little(house: WireHouse) -> None:
    assert ask(house, token(exp=NOW - timedelta(seconds=59), nbf=NOW + timedelta(seconds=59)))[0] == 204


def test_a_token_that_was_good_is_refused_when_it_has_expired(house: WireHouse) -> None:
    secret = token(exp=NOW + timedelta(seconds=1))
    assert ask(house, secret)[0] == 204
    house.clock.pass_time(62)
    assert ask(house, secret)[0] == 401


def test_a_new_key_is_fetched_when_a_token_names_it_but_not_more_often_than_every_30_seconds(
    house: WireHouse, keys: KeyServer
) -> None:
    assert ask(house, token())[0] == 204
    for _ in range(5):
        assert ask(house, token(kid="two"))[0] == 401
    assert keys.asked == 1
    keys.keys = [published("two")]
    house.clock.pass_time(30)
    assert ask(house, token(kid="two"))[0] == 204
    assert keys.asked == 2


def test_a_key_that_was_withdrawn_is_not_taken_for_long(house: WireHouse, keys: KeyServer) -> None:
    secret = token(exp=NOW + timedelta(days=3))
    assert ask(house, secret)[0] == 204
    keys.keys = [published("two")]
    house.clock.pass_time(301)
    assert ask(house, secret)[0] == 401


@pytest.mark.parametrize("status", [500, 302])
def test_while_the_keys_cannot_be_had_the_old_ones_go_on_for_a_day(
    house: WireHouse, keys: KeyServer, status: int
) -> None:
    secret = token(exp=NOW + timedelta(days=3))
    keys.status = status
    assert ask(house, secret) == (503, {"error": "The keys that tokens are signed with cannot be had just now."})
    keys.status = 200
    house.clock.pass_time(30)
    assert ask(house, secret)[0] == 204
    keys.status = status
    house.clock.pass_time(80_000)
    assert ask(house, secret)[0] == 204
    house.clock.pass_time(7_000)
    assert ask(house, secret)[0] == 503


def test_keys_come_from_a_file_as_well(database: Database, tmp_path: Path) -> None:
    file = tmp_path / "jwks.json"
    file.write_text(json.dumps({"keys": [published("one")]}))
    with WireHouse(database, tasks=TaskSettings(jwks_file=str(file), jwt_issuer=ISSUER)) as house:
        assert ask(house, token())[0] == 204
        assert ask(house, token(header_kid=""))[0] == 204  # the only key there is
        assert house.create()["status"] == "PENDING"  # tokens of ours work beside it


def test_signed_tokens_open_nothing_but_the_task_queue(house: WireHouse) -> None:
    secret = token(scope=WORKER + " codeq:admin codeq:produce")
    for path in ("/api/repos", "/actors", "/api/scans"):
        assert house.client.get(path, headers={"Authorization": f"Bearer {secret}"}).status_code == 401


def test_only_keys_that_may_sign_are_taken() -> None:
    ours = [
        published("good"), published("short", 1024), published("secret", use="enc"), published("other", alg="PS256"),
        {"kty": "oct", "k": "c2VjcmV0", "kid": "shared"}, {"kty": "RSA", "kid": "broken", "n": "AQAB", "e": "!"},
        published("pinned", alg="RS512"), {**published("two"), "kid": "good"},
    ]  # fmt: skip
    found = read_keys(json.dumps({"keys": ours}).encode())
    assert sorted(found) == ["good", "pinned"]
    assert found["pinned"].algorithms == ("RS512",)
    assert found["good"].key.public_numbers() == key("good", 2048).public_key().public_numbers()


@given(st.lists(st.tuples(st.sampled_from(["a", "b"]), st.floats(0, 400)), max_size=60))
def test_keys_are_never_asked_for_more_often_than_the_interval(asks: list[tuple[str, float]]) -> None:
    held, now, fetches = Held(), 0.0, []
    for kid, gap in asks:
        now += gap
        if wants_fetch(held, kid, now, 300, 30):
            fetches.append(now)
            held = Held({"a": PublicKey(None)}, now, now)
        assert held.fetched_at is not None
        assert now - held.fetched_at < 300
    assert all(b - a >= 30 for a, b in pairwise(fetches))


def test_a_token_that_names_no_command_may_claim_none(house: WireHouse) -> None:
    house.create("X")
    for none in (None, []):
        refused = (403, {"error": "missing eventTypes: the token names no command"})
        assert ask(house, token(eventTypes=none)) == refused
        assert ask(house, token(eventTypes=none), body={"commands": ["X"]}) == refused
        scope = WORKER + " codeq:subscribe"
        wanted = {"callbackUrl": "https://x.org/"}
        assert ask(house, token(eventTypes=none, scope=scope), "/workers/subscriptions", wanted) == refused


@pytest.mark.parametrize("claim", ["tid", "tenantId", "tenant_id", "tenant", "organizationId", "organization_id"])
def test_issuers_name_the_tenant_in_several_ways(house: WireHouse, claim: str) -> None:
    house.ask("/tasks", {"command": "X", "payload": 1}, tenant="acme")
    assert ask(house, token(**{claim: "acme"}))[1]["tenantId"] == "acme"


def test_a_token_of_two_tenants_is_of_none(house: WireHouse) -> None:
    assert ask(house, token(tid="acme", tenant_id="acme"))[0] == 204
    assert ask(house, token(tid="acme", tenant_id="other")) == (401, {"error": "The token names several tenants."})


def test_a_token_for_producers_creates_tasks_and_claims_none(house: WireHouse) -> None:
    task = {"command": "X", "payload": 1}
    producer = {"aud": "codeq-producer", "scope": None, "eventTypes": None}
    assert ask(house, token(**producer), "/tasks", task)[0] == 202
    assert ask(house, token(**producer))[0] == 403
    assert ask(house, token(**producer), "/admin/tasks/cleanup")[0] == 403
    assert ask(house, token(**producer, role="ADMIN"), "/admin/tasks/cleanup")[0] == 200
    assert ask(house, token(role="ADMIN"), "/admin/tasks/cleanup")[0] == 403  # a worker's token says no role
    assert ask(house, token(aud="somebody-else"), "/tasks", task)[0] == 401
