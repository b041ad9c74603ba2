"""`docalign github setup` and `doctor` against the fake GitHub: as a command, over HTTP, with files on the disk."""

from __future__ import annotations

import html
import json
import os
import re
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import IO, Any
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

import pytest

from docalign_actors.cli.main import main
from docalign_actors.demo.github import FakeGitHub
from docalign_actors.github.requirements import EVENTS, PERMISSIONS
from docalign_actors.settings import load

PUBLIC = "https://docs.example.org"


class Setup:
    """The command while it waits for somebody to come back from GitHub."""

    def __init__(self, data_dir: Path, github: FakeGitHub, *more: str) -> None:
        self.environment = {**os.environ, "DOCALIGN_DATA_DIR": str(data_dir)}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "docalign_actors", "github", "setup", "--url", github.address, "--public-url", PUBLIC, *more],
            env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip
        self.said = ""
        self.page = ""
        out = self._out()
        while "Ctrl-C" not in self.said:
            line = out.readline()
            assert line, self.said
            self.said += line
        found = re.search(r"http://127\S+", self.said)
        assert found is not None
        self.page = found[0]

    def form(self, organisation: str = "") -> tuple[str, str]:
        """Where the page's form goes, and the manifest in it."""
        shown = get(f"{self.page}?{urlencode({'organisation': organisation})}")[1]
        target = re.search(r'method="post" action="([^"]*)"', shown)
        manifest = re.search(r'name="manifest" value="([^"]*)"', shown)
        assert target is not None
        assert manifest is not None
        return html.unescape(target[1]), html.unescape(manifest[1])

    def ended(self) -> int:
        self.said += self._out().read()
        self._out().close()
        return self.process.wait(30)

    def end(self) -> None:
        self.process.kill()
        self.process.wait(10)
        self._out().close()

    def _out(self) -> IO[str]:
        assert self.process.stdout is not None
        return self.process.stdout


def get(url: str, form: dict[str, str] | None = None, **headers: str) -> tuple[int, str]:
    """Follows redirects, as a browser does."""
    try:
        request = Request(url, urlencode(form).encode() if form else None, headers)
        with urlopen(request, timeout=30) as answer:
            return answer.status, answer.read().decode()
    except HTTPError as error:
        return error.code, error.read().decode()


@pytest.fixture
def setup(tmp_path: Path, github: FakeGitHub) -> Iterator[Setup]:
    made = Setup(tmp_path / "data", github)
    yield made
    made.end()


def doctor(data_dir: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> tuple[Any, str]:
    monkeypatch.setenv("DOCALIGN_DATA_DIR", str(data_dir))
    with pytest.raises(SystemExit) as ended:
        main(["github", "doctor"])
    return ended.value.code, capsys.readouterr().out


def test_an_app_is_created_its_credentials_kept_and_everything_looked_at(
    setup: Setup, github: FakeGitHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:  # fmt: skip
    target, manifest = setup.form("acme")
    assert target.startswith(f"{github.address}/organizations/acme/settings/apps/new?state=")
    wanted = json.loads(manifest)
    assert (wanted["default_permissions"], tuple(wanted["default_events"])) == (PERMISSIONS, EVENTS)
    assert get(target, {"manifest": manifest})[0] == 200
    status, shown = get(target.replace("/new?", "/create?"), {"manifest": manifest, "name": "Docs of acme"})
    assert status == 200
    assert "The App exists" in shown
    assert setup.ended() == 0
    data = tmp_path / "data"
    loaded = load(environment={"DOCALIGN_DATA_DIR": str(data)}).settings
    key = Path(loaded.github.private_key_file)
    assert (loaded.github.app_id, loaded.github.webhook_secret.reveal()) == (github.app.id, github.hooks.secret)
    assert (loaded.github.api_url, loaded.github.web_url, loaded.http.public_url) == (
        github.base,
        github.address,
        PUBLIC,
    )
    assert key.read_text() == github.app.private_key
    assert {stat.S_IMODE(f.stat().st_mode) for f in (key, data / "docalign.toml")} == {0o600}
    assert "/apps/docs-of-acme/installations/new" in setup.said
    assert "WRONG" not in setup.said
    for secret in (github.hooks.secret, github.app.private_key.splitlines()[1], "client_secret"):
        assert secret not in setup.said
        assert secret not in shown

    code, said = doctor(data, monkeypatch, capsys)
    assert (code, said.count("ok ")) == (0, 7)
    github.app.permissions["checks"] = "read"
    github.app.events.remove("push")
    github.hooks.content_type = "form"
    key.chmod(0o644)
    code, said = doctor(data, monkeypatch, capsys)
    assert code == 2
    for told in ("others may read", "grant Checks write", "subscribe to push", "must be application/json"):
        assert told in said


def test_a_strangers_answer_changes_nothing_and_the_page_goes_on(setup: Setup, tmp_path: Path) -> None:
    root = setup.page.rpartition("/")[0]
    assert get(f"{root}/created?code=abc&state=guessed")[0] == 400
    assert get(f"{root}/")[0] == 404
    assert get(setup.page, Host="evil.example.org")[0] == 421
    assert get(f"{setup.page}?organisation=a%2Fb")[0] == 422
    assert get(setup.page)[0] == 200
    assert not (tmp_path / "data" / "docalign.toml").exists()


def test_a_code_that_is_older_than_an_hour_is_said_to_be(setup: Setup, github: FakeGitHub, tmp_path: Path) -> None:
    target, _ = setup.form()
    state = target.partition("state=")[2]
    status, shown = get(f"{setup.page.rpartition('/')[0]}/created?code=0123abcd&state={state}")
    assert (status, "older than an hour" in shown) == (200, True)
    assert setup.ended() == 2
    assert "DOCALIGN_E452" in setup.said
    assert not (tmp_path / "data" / "docalign.toml").exists()


def test_a_denial_is_said_to_be_one(setup: Setup) -> None:
    state = setup.form()[0].partition("state=")[2]
    get(f"{setup.page.rpartition('/')[0]}/created?error=access_denied&state={state}")
    assert setup.ended() == 2
    assert "DOCALIGN_E451" in setup.said
    assert "access_denied" in setup.said


def refused(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], data: Path, *more: str) -> str:
    monkeypatch.setenv("DOCALIGN_DATA_DIR", str(data))
    with pytest.raises(SystemExit) as ended:
        main(["github", "setup", *more])
    assert ended.value.code == 2
    return capsys.readouterr().err


def test_what_is_wrong_is_said_before_anything_is_created(
    github: FakeGitHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    own = ("--url", github.address, "--public-url", PUBLIC)
    data = tmp_path / "data"
    with HTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler) as other:
        threading.Thread(target=other.serve_forever, daemon=True).start()
        port = other.server_port
        assert "DOCALIGN_E453" in refused(
            monkeypatch, capsys, data, "--url", f"http://127.0.0.1:{port}", "--public-url", PUBLIC
        )
        assert "DOCALIGN_E454" in refused(monkeypatch, capsys, data, *own, "--port", str(port))
        assert "--public-url" in refused(monkeypatch, capsys, data, "--url", github.address)
        other.shutdown()
    gone = f"http://127.0.0.1:{port}"
    said = refused(monkeypatch, capsys, data, "--url", gone, "--public-url", PUBLIC)
    assert "DOCALIGN_E102" in said
    assert f"reaches {gone}" in said
    assert not data.exists()


def test_an_app_that_is_there_is_never_overwritten_by_chance(
    github: FakeGitHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    data = tmp_path / "data"
    data.mkdir()
    text = '# mine\n[github]\napp_id = 7\nprivate_key = "k"\nwebhook_secret = "s"\ntimeout = 5\n'
    (data / "docalign.toml").write_text(text)
    own = ("--url", github.address, "--public-url", PUBLIC)
    assert "DOCALIGN_E450" in refused(monkeypatch, capsys, data, *own)
    assert (data / "docalign.toml").read_text() == text
    monkeypatch.setenv("DOCALIGN_GITHUB_WEBHOOK_SECRET", "x")
    assert "DOCALIGN_GITHUB_WEBHOOK_SECRET" in refused(monkeypatch, capsys, data, *own, "--replace")
    monkeypatch.delenv("DOCALIGN_GITHUB_WEBHOOK_SECRET")
    made = Setup(data, github, "--replace")
    target, manifest = made.form()
    get(target.replace("/new?", "/create?"), {"manifest": manifest})
    assert made.ended() == 0, made.said
    loaded = load(environment={"DOCALIGN_DATA_DIR": str(data)}).settings.github
    assert (loaded.app_id, loaded.timeout, bool(loaded.private_key)) == (github.app.id, 5, False)
    assert (data / "docalign.toml").read_text().startswith("# mine\n")
