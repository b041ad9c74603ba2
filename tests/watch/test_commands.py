"""`docalign repo schedule`, `circuit` and `credentials` while the service is down; over HTTP they are the API's own routes."""

from __future__ import annotations

import argparse
import io
import json
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from docalign_actors.cli.arguments import parser
from docalign_actors.cli.service.desk import LocalDesk
from docalign_actors.cli.service.watching import WATCHING
from docalign_actors.errors import DocAlignError
from docalign_actors.persistence.circuits import apply
from docalign_actors.persistence.database import Database
from docalign_actors.scans.model import RepoId
from docalign_actors.settings import Settings
from docalign_actors.watch.circuit import Failed, Origin, Rules
from tests.watch.lookout import Lookout


def said(desk: LocalDesk, capsys: pytest.CaptureFixture[str], *words: str) -> str:
    given: argparse.Namespace = parser().parse_args(["repo", *words])
    WATCHING[given.action](desk, given)
    return capsys.readouterr().out


@pytest.fixture
def desk(database: Database, tmp_path: Path) -> LocalDesk:
    return LocalDesk(database, msgspec.structs.replace(Settings(), data_dir=tmp_path))


def test_a_schedule_is_shown_and_set_in_words(desk: LocalDesk, capsys: pytest.CaptureFixture[str]) -> None:
    desk.add("https://git.example.org/team/tool")
    assert "check: every 5 minutes (the service)" in said(desk, capsys, "schedule", "team/tool")
    shown = said(desk, capsys, "schedule", "team/tool", "--check", "DAILY at 3:00", "--full", "never")
    assert "check: daily at 03:00\n" in shown
    assert "next full scan: -" in shown
    found = json.loads(said(desk, capsys, "schedule", "team/tool", "--check", "default", "--format", "json"))
    assert (found["check"], found["own_check"], found["full"]) == ("every 5 minutes", False, "never")
    (line,) = desk.repos()
    assert (line["check_rule"], line["full_rule"], line["circuit"]) == ("", "never", "closed")
    with pytest.raises(DocAlignError, match="does not say when"):
        said(desk, capsys, "schedule", "team/tool", "--check", "now and then")
    with pytest.raises(DocAlignError, match="There is no repository 'nothing'"):
        said(desk, capsys, "schedule", "nothing")


def test_a_circuit_is_shown_and_reset(
    desk: LocalDesk, make_lookout: Callable[..., Lookout], capsys: pytest.CaptureFixture[str]
) -> None:
    lookout = make_lookout(watch=False)
    repo = RepoId(lookout.register("https://git.example.org/team/tool"))
    failed = [(repo, Failed(Origin.LOOK, "DOCALIGN_E106", "gone\x1b[2J"))] * 5
    lookout.database.run(lambda c: apply(c, failed, Rules(), lookout.clock.now()))
    shown = said(desk, capsys, "circuit", "team/tool")
    assert shown.startswith("open: 5 of 5 failures in a row, tried again at ")
    assert "git could not reach it" in shown
    assert "\x1b" not in shown
    assert desk.repos()[0]["circuit"] == "open"
    shown = said(desk, capsys, "circuit", "team/tool", "--reset")
    assert shown.startswith("closed: 0 of 5")
    assert "reset on the command line" in shown


def test_a_password_comes_from_standard_input_and_is_not_repeated(
    desk: LocalDesk, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    repo = desk.add("https://git.example.org/team/tool")
    monkeypatch.setattr("sys.stdin", io.StringIO("hunter2\n"))
    assert "hunter2" not in said(desk, capsys, "credentials", "team/tool", "--user", "ada")
    kept = json.loads((tmp_path / "credentials" / f"{repo}.json").read_text())
    assert kept == {"user": "ada", "password": "hunter2"}
    said(desk, capsys, "credentials", "team/tool", "--remove")
    assert list((tmp_path / "credentials").iterdir()) == []
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    with pytest.raises(DocAlignError, match="No password was given"):
        said(desk, capsys, "credentials", "team/tool")


def test_a_removal_while_the_service_is_down_leaves_nothing(
    desk: LocalDesk, tmp_path: Path, database: Database
) -> None:
    repo = desk.add("https://git.example.org/team/tool")
    desk.set_credentials(repo, "", "hunter2")
    (tmp_path / "mirrors" / f"{repo}.git").mkdir(parents=True)
    desk.remove(repo)
    assert list((tmp_path / "mirrors").iterdir()) == []
    assert list((tmp_path / "credentials").iterdir()) == []
    with database.transaction() as connection:
        assert connection.execute("SELECT count(*) FROM watch_schedules").fetchone() == (0,)
