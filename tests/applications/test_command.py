"""`docalign app`, on a database of its own and without a service."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from docalign_actors.cli.main import main
from docalign_actors.persistence.database import Database
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
