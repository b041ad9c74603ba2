"""The pages of the queue and of the outbox on the real application: what operators see, and what their buttons do."""

from __future__ import annotations

import re
from collections.abc import Iterator

import httpx2
import pytest

from docalign_actors.http.csrf import FIELD, csrf_token
from docalign_actors.http.pages import page_routes
from docalign_actors.outbound.ports import Arrival
from docalign_actors.persistence.database import Database
from docalign_actors.persistence.tokens import Role
from tests.agent_tasks.wire import WireHouse
from tests.support.markup import Document

ORIGIN = {"Origin": "http://127.0.0.1:8080", "Accept": "text/html"}


class Guest:
    """Somebody in front of a browser."""

    def __init__(self, house: WireHouse, role: Role = Role.ADMIN, tenant: str = "") -> None:
        self.house = house
        form = {FIELD: csrf_token(""), "token": house.secret(role, tenant=tenant)}
        house.client.cookies.clear()
        assert house.client.post("/sign-in", data=form, headers=ORIGIN, follow_redirects=False).status_code == 303
        self.session = house.client.cookies["docalign"]

    def get(self, path: str, status: int = 200) -> Document:
        answer = self.house.client.get(path, headers=ORIGIN)
        assert answer.status_code == status, answer.text
        return Document(answer.text)

    def post(self, path: str, **fields: str) -> httpx2.Response:
        form = {FIELD: csrf_token(self.session), **fields}
        return self.house.client.post(path, data=form, headers=ORIGIN, follow_redirects=False)


@pytest.fixture
def house(database: Database) -> Iterator[WireHouse]:
    with WireHouse(database, pages=page_routes) as opened:
        yield opened


def dead_letter(house: WireHouse, command: str = "X") -> str:
    task = house.create(command, maxAttempts=1)
    house.claim(command)
    assert house.ask(f"/tasks/{task['id']}/nack", {"reason": "no <b>idea</b>"}).json()["status"] == "dlq"
    return str(task["id"])


def test_a_dead_letter_is_seen_with_its_history_and_put_back_in_line_by_a_button(house: WireHouse) -> None:
    task = dead_letter(house)
    admin = Guest(house)
    assert "docalign" not in admin.get("/tasks?status=FAILED").text.split("Newest first")[1]
    page = admin.get(f"/tasks/{task}")
    assert "nacked on delivery 1 of 1: no <b>idea</b>" in page.text
    assert admin.post(f"/tasks/{task}/requeue").headers["location"] == f"/tasks/{task}"
    assert house.claim("X")["id"] == task
    again = admin.get(f"/tasks/{task}")
    told = [e.text for e in again.all("tr") if (e.attributes.get("data-key") or "").startswith("event-")]
    words = ("created", "nacked", "requeued", "in progress")
    assert all(word in line for word, line in zip(words, told, strict=True)), told


def test_a_lease_that_ran_out_is_in_the_history(house: WireHouse) -> None:
    task = house.create()
    house.claim("X", leaseSeconds=10)
    house.clock.pass_time(11)
    house.claim("X")
    house.ask(f"/tasks/{task['id']}/abandon")
    told = Guest(house).get(f"/tasks/{task['id']}").text
    assert "expired" in told
    assert "abandoned" in told


def test_who_handed_in_a_result_is_in_the_history(house: WireHouse) -> None:
    task = house.create()
    house.ask("/tasks/claim", {"commands": ["X"]}, headers={"X-Worker-Id": "runner-7"})
    house.ask(f"/tasks/{task['id']}/result", {"status": "COMPLETED", "result": 1}, headers={"X-Worker-Id": "runner-7"})
    told = [e.text for e in Guest(house).get(f"/tasks/{task['id']}").all("tr") if "runner-7" in e.text]
    assert len(told) == 1
    assert "completed" in told[0]


def test_a_task_that_has_not_failed_cannot_be_put_back_in_line(house: WireHouse) -> None:
    task = house.create()
    answer = Guest(house).post(f"/tasks/{task['id']}/requeue")
    assert answer.status_code == 409
    assert "The task has not failed." in Document(answer.text).all("div", role="alert")[0].text


def test_dead_letters_are_purged_by_a_button(house: WireHouse) -> None:
    for _ in range(3):
        dead_letter(house)
    dead_letter(house, "Y Z/1")
    admin = Guest(house)
    assert "3 tasks that nobody could do" in admin.get("/tasks/purge?command=X").text
    assert admin.post("/tasks/purge", command="X").headers["location"] == "/tasks"
    assert house.get("/admin/queues").json() == [
        {"command": "Y Z/1", "ready": 0, "delayed": 0, "inProgress": 0, "dlq": 1}
    ]
    assert admin.post("/tasks/purge", command="").status_code == 400


def test_lists_are_read_page_by_page(house: WireHouse) -> None:
    for _ in range(51):
        house.create()
    admin = Guest(house)
    first = admin.get("/tasks?status=PENDING")
    (older,) = [href for href in first.values("href") if "after=" in href]
    second = admin.get(older)
    ids = [re.findall(r"[0-9a-f-]{36}", " ".join(page.values("href"))) for page in (first, second)]
    assert [len(set(one)) for one in ids] == [50, 1]
    admin.get("/tasks?after=nonsense", 400)


def test_a_callback_that_was_given_up_is_seen_and_sent_again_by_a_button(house: WireHouse) -> None:
    house.sender.answer = lambda _: Arrival("refused: that is our own network", hopeless=True)
    task = house.create("X", webhook="https://x.org/hook")
    house.claim("X")
    house.ask(f"/tasks/{task['id']}/result", {"status": "COMPLETED", "result": 1})
    house.sender.wait_for(1)
    admin = Guest(house)
    page = admin.get("/outbound?status=dead")
    while "https://x.org/hook" not in page.text:  # it is written down after it was sent
        page = admin.get("/outbound?status=dead")
    assert "refused: that is our own network" in page.text
    house.sender.answer = lambda _: Arrival()
    action = next(f.attributes["action"] for f in page.all("form") if "replay" in (f.attributes["action"] or ""))
    assert action is not None
    assert admin.post(action).headers["location"] == "/outbound?status=waiting"
    assert len(house.sender.wait_for(2)) == 2
    while "https://x.org/hook" not in admin.get("/outbound?status=delivered").text:
        pass
    assert admin.post(action).status_code == 404


def test_buttons_are_for_admins_and_forms_must_be_ours(house: WireHouse) -> None:
    task = dead_letter(house)
    for role in (Role.VIEWER, Role.OPERATOR):
        guest = Guest(house, role)
        assert guest.post(f"/tasks/{task}/requeue").status_code == 403
        assert guest.post("/tasks/purge", command="X").status_code == 403
    admin = Guest(house)
    forged = house.client.post(f"/tasks/{task}/requeue", data={FIELD: "x"}, headers=ORIGIN, follow_redirects=False)
    assert forged.status_code == 403
    assert "dead letter" in admin.get(f"/tasks/{task}").text


def test_everybody_sees_the_tasks_of_their_tenant_only(house: WireHouse) -> None:
    task = dead_letter(house)
    stranger = Guest(house, tenant="acme")
    stranger.get(f"/tasks/{task}", 404)
    assert "No task is failed." in stranger.get("/tasks?status=FAILED").text
    assert stranger.post(f"/tasks/{task}/requeue").status_code == 404
    stranger.post("/tasks/purge", command="X")
    assert "dead letter" in Guest(house).get(f"/tasks/{task}").text
    stranger.get("/tasks/nonsense", 404)
