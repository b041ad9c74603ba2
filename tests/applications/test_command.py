"""`docalign app`, on a database of its own and without a service."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import msgspec
import pytest

from docalign_actors.applications.model import EVENTS, SubscriptionId
from docalign_actors.cli.arguments import parser
from docalign_actors.cli.main import main
from docalign_actors.cli.service import apps, arguments
from docalign_actors.cli.service.app_desk import AppDesk, LocalApps, RemoteApps
from docalign_actors.cli.service.link import Link, RefusedError
from docalign_actors.errors import DocAlignError
from docalign_actors.handle import Handle
from docalign_actors.persistence.database import Database
from docalign_actors.persistence.tokens import Role
from docalign_actors.settings import Settings
from tests.http.house import House
from tests.support.repository import Repository

Run = Callable[..., str]


@pytest.fixture
def run(database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    monkeypatch.setenv("DATABASE_URL", database.url)
    monkeypatch.setenv("DOCALIGN_DATA_DIR", str(tmp_path / "data"))

    def docalign(*arguments: str, code: int = 0) -> str:
        with pytest.raises(SystemExit) as ended:
            main(["app", *arguments])
        said = capsys.readouterr()
        assert ended.value.code == code, said.err
        return said.out + said.err

    return docalign


def test_an_application_is_onboarded_subscribed_looked_at_and_removed(
    run: Run, database: Database, repository: Callable[[dict[str, str | bytes]], Repository]
) -> None:
    root = repository({"README.md": "x\n"}).root
    with database.transaction() as connection:
        connection.execute("INSERT INTO repos (id, url, name) VALUES (gen_random_uuid(), %s, 'project')", (str(root),))
    made = run("add", "reader", "--url", "https://reader.example.org/hook")
    token, secret = (line.split()[1] for line in made.splitlines()[1:3])
    assert token.startswith("docalign_s_")
    subscription = run("subscribe", "reader", str(root), "--path", "docs/**", "--event", "file.updated").strip()
    assert "project" in run("subscriptions", "reader")
    assert "Paused" in run("pause", "reader", subscription)
    assert "paused" in run("subscriptions", "reader")
    assert "goes on" in run("resume", "reader", subscription)
    assert "snapshot" in run("resync", "reader", subscription)
    assert run("deliveries", "reader", "--format", "json").strip() == "[]"
    assert token not in run("rotate-token", "reader")
    assert secret not in run("rotate-secret", "reader")
    assert "DOCALIGN_E404" in run("replay", "reader", subscription, "--since", "1", code=2)
    assert "DOCALIGN_E404" in run("replay", "reader", subscription, code=2)
    assert "is not the id of a delivery" in run("replay", "reader", "x", code=2)
    assert "1 or more" in run("replay", "reader", subscription, "--since", "0", code=2)
    assert "DOCALIGN_E460" in run("change", "reader", "--url", "ftp://x", code=2)
    assert "Changed" in run("change", "reader", "--url", "https://new.example.org/hook")
    listed = run("list")
    assert "new.example.org" in listed
    assert token not in listed
    assert "ended" in run("unsubscribe", "reader", subscription)
    assert "Removed" in run("remove", "reader")
    assert "reader" not in run("list")


def test_what_cannot_be_is_said_with_a_code(run: Run) -> None:
    assert "DOCALIGN_E460" in run("add", "reader", "--url", "http://127.0.0.1/", code=2)
    assert "DOCALIGN_E404" in run("remove", "nobody", code=2)
    run("add", "reader", "--url", "https://x.org")
    assert "DOCALIGN_E462" in run("add", "reader", "--url", "https://x.org", code=2)
    assert "DOCALIGN_E404" in run("subscribe", "reader", "nothing", code=2)
    assert "DOCALIGN_E404" in run("pause", "reader", "x", code=2)


def test_the_events_that_the_command_line_names_are_those_there_are() -> None:
    assert arguments.EVENTS == EVENTS


class HouseLink(Link):
    """A link to a service that runs in this process."""

    def __init__(self, house: House) -> None:
        super().__init__(Handle(0, "http://127.0.0.1", ""))
        self._house = house

    def call(self, method: str, path: str, body: object = None) -> Any:
        more = {} if body is None else {"json": body}
        answer = self._house.send(method, path, Role.ADMIN, **more)
        if answer.status_code >= 400:
            raise RefusedError(answer.json(), answer.status_code)
        return answer.json() if answer.content else None


@pytest.mark.parametrize("running", [True, False])
def test_the_same_is_done_and_shown_whether_the_service_runs_or_not(
    database: Database, tmp_path: Path, running: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = msgspec.structs.replace(Settings(), data_dir=tmp_path)
    with House(database) as house:
        desk: AppDesk = RemoteApps(HouseLink(house)) if running else LocalApps(database, settings)
        repo = house.repo("payments")

        def said(*words: str) -> str:
            apps._run(desk, parser().parse_args(["app", *words]))
            return capsys.readouterr().out

        made = said("add", "reader", "--url", "https://reader.example.org/hook")
        assert [line.split()[0] for line in made.splitlines()[:3]] == ["id", "token", "secret"]
        app = made.split()[1]
        one = said("subscribe", app, "owner/payments", "--path", "docs/**", "--event", "file.updated").strip()
        other = said("subscribe", "reader", str(repo), "--branch", "side").strip()
        assert {line["id"] for line in json.loads(said("subscriptions", "reader", "--format", "json"))} == {one, other}
        assert said("pause", "reader", one) == "Paused.\n"
        assert "paused" in said("subscriptions", "reader")
        assert said("resume", "reader", one) == "It goes on.\n"
        assert said("resync", "reader", one) == "It begins anew with a snapshot.\n"
        with pytest.raises(DocAlignError, match="Nothing that has arrived since is kept"):
            said("replay", "reader", one, "--since", "1")
        delivery = put_delivery(house, SubscriptionId(UUID(one)))
        shown = said("deliveries", "reader", "--status", "dead").splitlines()
        assert shown[1].split()[:4] == ["3", "file.created", "a.bin", "(1"]
        assert shown[1].endswith("answered 422: go away")
        assert said("replay", "reader", delivery) == "It goes again.\n"
        assert said("deliveries", "reader", "--status", "dead").count("\n") == 1
        assert said("rotate-token", "reader").startswith("docalign_s_")
        assert said("rotate-secret", "reader").startswith("docalign_secret_")
        assert said("change", "reader", "--url", "https://new.example.org/") == "Changed.\n"
        assert "https://new.example.org/" in said("list")
        assert said("unsubscribe", "reader", other) == "It has ended.\n"
        for words in (
            ("remove", "nobody"),
            ("pause", "reader", "x"),
            ("pause", "reader", other),
            ("replay", "reader", other),
        ):
            with pytest.raises(DocAlignError) as refused:
                said(*words)
            assert refused.value.code == "DOCALIGN_E404"
        assert said("remove", "reader").startswith("Removed")
        assert json.loads(said("list", "--format", "json")) == []


def put_delivery(house: House, subscription: SubscriptionId) -> str:
    """One of two pieces that the receiver refused."""
    made = uuid4()
    house.execute(
        "INSERT INTO app_deliveries (id, app_id, subscription_id, sequence, event, name, body, chunk, chunks, status, error, answer, created_at, ended_at)"
        " SELECT %(id)s, app_id, id, 3, 'file.created', 'a.bin', '{}', 1, 2, 'dead', 'answered 422', 'go away', now(), now()"
        " FROM app_subscriptions WHERE id = %(subscription)s RETURNING id",
        id=made, subscription=subscription,
    )  # fmt: skip
    return str(made)
