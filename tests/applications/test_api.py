"""Applications over HTTP: who may do what, what is shown once, and what belongs to whom."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from uuid import UUID, uuid4

import httpx2
import pytest

from docalign_actors.applications.model import AppId
from docalign_actors.http.csrf import FIELD, csrf_token
from docalign_actors.http.pages import page_routes
from docalign_actors.persistence.database import Database
from docalign_actors.persistence.tokens import Role
from docalign_actors.scans.model import RepoId
from tests.http.house import House
from tests.support.markup import Document

ORIGIN = {"Origin": "http://127.0.0.1:8080", "Accept": "text/html"}


@pytest.fixture
def house(database: Database) -> Iterator[House]:
    with House(database, pages=page_routes) as opened:
        yield opened


class Client:
    """An application that asks with its own token."""

    def __init__(self, house: House, name: str = "reader") -> None:
        made = house.post("/api/apps", {"name": name, "url": f"https://{name}.example.org/hook"})
        assert made.status_code == 201, made.text
        assert made.headers["cache-control"] == "no-store"
        self.house = house
        self.onboarded = made.json()
        self.id = self.onboarded["application"]["id"]
        self.token = self.onboarded["token"]

    def send(self, method: str, path: str, **more: Any) -> httpx2.Response:
        return self.house.client.request(method, path, headers={"Authorization": f"Bearer {self.token}"}, **more)

    def subscribe(self, repo: RepoId, **body: Any) -> str:
        made = self.house.post(f"/api/apps/{self.id}/subscriptions", {"repo": str(repo), **body})
        assert made.status_code == 201, made.text
        return str(made.json()["id"])

    def delivery(self, subscription: str, sequence: int = 1, status: str = "delivered", blob: str = "") -> str:
        made = uuid4()
        self.house.execute(
            "INSERT INTO app_deliveries (id, app_id, subscription_id, sequence, event, name, blob, body, status, error, created_at, ended_at)"
            " VALUES (%(id)s, %(app)s, %(sub)s, %(n)s, 'file.created', 'a.md', %(blob)s, '{}', %(status)s, 'e', now(),"
            " CASE WHEN %(status)s <> 'waiting' THEN now() END)",
            id=made, app=UUID(self.id), sub=UUID(subscription), n=sequence, status=status, blob=blob,
        )  # fmt: skip
        return str(made)


@pytest.fixture
def client(house: House) -> Client:
    return Client(house)


def test_a_token_and_a_secret_are_shown_once_and_neither_is_in_the_database(house: House, client: Client) -> None:
    token, secret = client.token, client.onboarded["secret"]
    assert token.startswith("docalign_s_")
    assert secret == house.services.apps.key.secret(AppId(UUID(client.id)), 1)  # type: ignore[union-attr]
    rows = str(house.execute("SELECT a.*, t.* FROM applications a JOIN tokens t ON t.id = a.token_id"))
    assert token not in rows
    assert secret not in rows
    for path in ("/api/apps", f"/api/apps/{client.id}"):
        text = house.get(path).text
        assert token not in text
        assert secret not in text


def test_an_application_sees_itself_and_nothing_else(house: House, client: Client) -> None:
    other = Client(house, "other")
    repo = house.repo()
    own, foreign = client.subscribe(repo), other.subscribe(repo)
    mine, theirs = client.delivery(own), other.delivery(foreign)
    assert [one["id"] for one in client.send("GET", "/api/apps").json()["items"]] == [client.id]
    assert client.send("GET", f"/api/apps/{client.id}/subscriptions/{own}").json()["id"] == own
    assert [one["id"] for one in client.send("GET", "/api/deliveries").json()["items"]] == [mine]
    assert client.send("GET", f"/api/deliveries/{mine}").status_code == 200
    for method, path in [
        ("GET", f"/api/apps/{other.id}"), ("GET", f"/api/apps/{other.id}/subscriptions"), ("POST", f"/api/apps/{other.id}/token"),
        ("POST", f"/api/apps/{other.id}/secret"), ("GET", f"/api/apps/{other.id}/subscriptions/{foreign}"),
        ("GET", f"/api/apps/{client.id}/subscriptions/{foreign}"), ("POST", f"/api/apps/{client.id}/subscriptions/{foreign}/pause"),
        ("POST", f"/api/apps/{other.id}/subscriptions/{foreign}/resync"), ("DELETE", f"/api/apps/{other.id}/subscriptions/{foreign}"),
        ("DELETE", f"/api/apps/{client.id}/subscriptions/{foreign}"), ("GET", f"/api/deliveries/{theirs}"),
        ("POST", f"/api/deliveries/{theirs}/replay"), ("GET", f"/api/deliveries/{theirs}/content"),
        ("GET", f"/api/deliveries?app={other.id}"),
    ]:  # fmt: skip
        assert client.send(method, path).status_code == 404, (method, path)
    assert client.send("GET", f"/api/deliveries?subscription={foreign}").json()["items"] == []
    for method, path in [
        ("GET", "/api/repos"), ("GET", "/api/scans"), ("GET", "/actors"), ("GET", "/metrics"), ("DELETE", f"/api/apps/{client.id}"),
        ("POST", "/api/apps"), ("POST", f"/api/apps/{client.id}/subscriptions"), ("GET", "/api/events"),
    ]:  # fmt: skip
        assert client.send(method, path).status_code == 403, (method, path)


def test_an_application_looks_after_its_own_subscriptions(house: House, client: Client) -> None:
    subscription = client.subscribe(house.repo(), paths=["docs/**"], events=["file.updated", "claim.drifted"])
    path = f"/api/apps/{client.id}/subscriptions/{subscription}"
    shown = client.send("GET", path).json()
    assert (shown["paths"], shown["events"], shown["phase"]) == (["docs/**"], ["file.updated", "claim.drifted"], "new")
    assert client.send("POST", f"{path}/pause").json()["status"] == "paused"
    assert client.send("POST", f"{path}/resume").json()["status"] == "active"
    assert client.send("POST", f"{path}/resync").json()["phase"] == "new"
    assert client.send("POST", f"{path}/replay", json={"since": 1}).status_code == 409
    assert client.send("DELETE", path).status_code == 204
    assert client.send("GET", path).status_code == 404


def test_another_address_holds_for_what_waits_as_well(house: House, client: Client) -> None:
    subscription = client.subscribe(house.repo())
    house.execute(
        "INSERT INTO outbox_lanes (lane, waiting, due_at) SELECT lane, 1, now() FROM app_subscriptions ON CONFLICT DO NOTHING"
    )
    house.execute(
        "INSERT INTO outbox (id, lane, kind, url, body, created_at)"
        " SELECT gen_random_uuid(), lane, 'k', 'http://old.example.org/', '{}', now() FROM app_subscriptions WHERE id = %(id)s",
        id=subscription,
    )
    path, new = f"/api/apps/{client.id}", {"url": "https://93.184.216.34/hook"}
    assert client.send("PATCH", path, json=new).status_code == 403
    changed = house.send("PATCH", path, Role.OPERATOR, json=new)
    assert (changed.status_code, changed.json()["url"]) == (200, new["url"])
    with house.database.transaction() as connection:
        assert connection.execute("SELECT url FROM outbox").fetchall() == [(new["url"],)]
    assert house.send("PATCH", path, Role.OPERATOR, json={"url": "http://127.0.0.1/"}).status_code == 422
    assert house.send("PATCH", f"/api/apps/{uuid4()}", Role.OPERATOR, json=new).status_code == 404


def test_a_viewer_looks_and_changes_nothing(house: House, client: Client) -> None:
    subscription = client.subscribe(house.repo())
    delivery = client.delivery(subscription)
    path = f"/api/apps/{client.id}/subscriptions/{subscription}"
    for address in ("/api/apps", f"/api/apps/{client.id}", path, "/api/deliveries", f"/api/deliveries/{delivery}"):
        assert house.get(address, Role.VIEWER).status_code == 200
    for method, address in [
        ("POST", "/api/apps"), ("DELETE", f"/api/apps/{client.id}"), ("POST", f"/api/apps/{client.id}/token"), ("POST", f"{path}/pause"),
        ("DELETE", path), ("POST", f"/api/deliveries/{delivery}/replay"),
    ]:  # fmt: skip
        assert house.send(method, address, Role.VIEWER).status_code == 403, address
    assert house.get("/api/apps", Role.WORKER).status_code == 403


def test_a_rotated_token_ends_the_one_before_at_once(house: House, client: Client) -> None:
    assert client.send("GET", f"/api/apps/{client.id}").status_code == 200
    new = client.send("POST", f"/api/apps/{client.id}/token").json()["token"]
    assert client.send("GET", f"/api/apps/{client.id}").status_code == 401
    client.token = new
    assert client.send("GET", f"/api/apps/{client.id}").status_code == 200
    secret = client.send("POST", f"/api/apps/{client.id}/secret").json()["secret"]
    assert secret != client.onboarded["secret"]
    assert client.send("GET", f"/api/apps/{client.id}").json()["secret_generation"] == 2


def test_a_removed_application_is_not_let_in_any_more(house: House, client: Client) -> None:
    assert client.send("GET", "/api/apps").status_code == 200
    assert house.send("DELETE", f"/api/apps/{client.id}", Role.OPERATOR).status_code == 204
    assert client.send("GET", "/api/apps").status_code == 401
    assert house.execute("SELECT 1 FROM tokens WHERE role = 'subscriber'") == []


def test_what_cannot_be_is_refused_with_a_code(house: House, client: Client) -> None:
    def code(answer: httpx2.Response) -> tuple[int, str]:
        return answer.status_code, answer.json()["code"]

    repo = house.repo()
    client.subscribe(repo)
    add = f"/api/apps/{client.id}/subscriptions"
    assert code(house.post("/api/apps", {"name": "reader", "url": "https://x.org"})) == (409, "DOCALIGN_E462")
    assert code(house.post("/api/apps", {"name": "x", "url": "http://127.0.0.1/"})) == (422, "DOCALIGN_E460")
    assert code(house.post("/api/apps", {"name": "\n", "url": "https://x.org"})) == (422, "DOCALIGN_E460")
    assert code(house.post(add, {"repo": str(repo)})) == (409, "DOCALIGN_E463")
    assert code(house.post(add, {"repo": str(uuid4())})) == (404, "DOCALIGN_E404")
    assert code(house.post(add, {"repo": str(repo), "branch": "-x"})) == (422, "DOCALIGN_E461")
    assert code(house.post(add, {"repo": str(repo), "branch": "b", "events": ["x"]})) == (422, "DOCALIGN_E461")
    assert code(house.post(add, {"repo": str(repo), "surprise": 1})) == (422, "DOCALIGN_E421")
    assert code(house.post(f"/api/apps/{uuid4()}/subscriptions", {"repo": str(repo)})) == (404, "DOCALIGN_E404")
    assert code(house.get("/api/apps/x")) == (404, "DOCALIGN_E404")
    assert code(house.get(f"/api/apps/{client.id}/subscriptions/x")) == (404, "DOCALIGN_E404")
    assert code(house.get("/api/deliveries?cursor=x")) == (400, "DOCALIGN_E420")


def test_the_log_is_read_page_by_page_and_by_status(house: House, client: Client) -> None:
    subscription = client.subscribe(house.repo())
    ids = [client.delivery(subscription, n, "dead" if n % 2 else "delivered") for n in range(1, 8)]
    seen: list[str] = []
    cursor = ""
    while True:
        page = client.send("GET", f"/api/deliveries?limit=3{f'&cursor={cursor}' if cursor else ''}").json()
        seen += [one["id"] for one in page["items"]]
        cursor = page["next_cursor"]
        if not cursor:
            break
    assert seen == ids[::-1]
    assert len(client.send("GET", "/api/deliveries?status=dead").json()["items"]) == 4


def test_content_that_is_not_there_is_said_so(house: House, client: Client) -> None:
    delivery = client.delivery(client.subscribe(house.repo()), blob="a" * 40)
    assert client.send("GET", f"/api/deliveries/{delivery}/content").status_code == 404


def test_a_dead_letter_that_is_replayed_resumes_its_subscription(house: House, client: Client) -> None:
    subscription = client.subscribe(house.repo())
    dead = client.delivery(subscription, status="dead")
    house.execute("UPDATE app_subscriptions SET status = 'failed', failed_at = now(), failure = 'x'")
    again = client.send("POST", f"/api/deliveries/{dead}/replay")
    assert (again.status_code, again.json()["status"]) == (200, "waiting")
    assert client.send("GET", f"/api/apps/{client.id}/subscriptions/{subscription}").json()["status"] == "active"


def test_the_pages_show_applications_and_their_buttons_do_what_they_say(house: House, client: Client) -> None:
    subscription = client.subscribe(house.repo("payments"))
    delivery = client.delivery(subscription)
    form = {FIELD: csrf_token(""), "token": house.secret(Role.OPERATOR)}
    assert house.client.post("/sign-in", data=form, headers=ORIGIN, follow_redirects=False).status_code == 303
    session = house.client.cookies["docalign"]

    def press(path: str, token: str) -> int:
        return house.client.post(path, data={FIELD: token}, headers=ORIGIN, follow_redirects=False).status_code

    own = csrf_token(session)
    assert "reader" in Document(house.client.get("/apps", headers=ORIGIN).text).text
    page = Document(house.client.get(f"/apps/{client.id}", headers=ORIGIN).text)
    assert "payments" in page.text
    assert press(f"/apps/{client.id}/subscriptions/{subscription}/pause", "forged") == 403
    assert press(f"/apps/{client.id}/subscriptions/{subscription}/pause", own) == 303
    assert house.get(f"/api/apps/{client.id}/subscriptions/{subscription}").json()["status"] == "paused"
    assert press(f"/apps/{client.id}/subscriptions/{subscription}/resume", own) == 303
    assert press(f"/apps/{client.id}/deliveries/{delivery}/replay", own) == 303
    assert house.get(f"/api/deliveries/{delivery}").json()["status"] == "waiting"
    assert press(f"/apps/{client.id}/subscriptions/{subscription}/resync", own) == 303
    assert press(f"/apps/{client.id}/subscriptions/{subscription}/unsubscribe", own) == 303
    assert press(f"/apps/{client.id}/subscriptions/{subscription}/pause", own) == 404
    assert press(f"/apps/{client.id}/remove", own) == 303
    assert house.get("/api/apps").json()["items"] == []


def test_a_subscriber_s_token_opens_no_page(house: House, client: Client) -> None:
    form = {FIELD: csrf_token(""), "token": client.token}
    house.client.post("/sign-in", data=form, headers=ORIGIN, follow_redirects=False)
    shown = house.client.get("/apps", headers=ORIGIN, follow_redirects=False)
    assert shown.status_code == 303
    assert shown.headers["location"].startswith("/sign-in")
