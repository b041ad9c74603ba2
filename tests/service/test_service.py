"""The service as a whole: a process that is started, asked, told to stop and killed."""

from __future__ import annotations

import json
import os
import signal
import socket
import stat
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from docalign_actors.cli.service.arguments import STATUSES
from docalign_actors.cli.service.commands import open_browser
from docalign_actors.ids import new_id
from docalign_actors.scans.model import Status
from tests.support.repository import Repository
from tests.support.service import ServiceProcess

FILES: dict[str, str | bytes] = {
    "README.md": "# Tool\n\nStart with `src/app.py`; it has `make_report()`.\n",
    "src/app.py": "def make_report():\n    return 1\n",
}


@pytest.fixture
def service(tmp_path: Path) -> Iterator[ServiceProcess]:
    yield from until_nothing_is_left(ServiceProcess.prepared(tmp_path / "data"))


@pytest.fixture
def new_service(tmp_path: Path) -> Iterator[ServiceProcess]:
    """One that nobody has used yet: it makes its database itself."""
    yield from until_nothing_is_left(ServiceProcess(tmp_path / "data"))


def until_nothing_is_left(made: ServiceProcess) -> Iterator[ServiceProcess]:
    yield made
    made.kill()
    made.wait_until_nothing_is_left()


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    root = tmp_path / "repository"
    root.mkdir()
    return Repository(root, FILES)


def test_a_repository_is_registered_scanned_and_its_drift_is_read_over_http(
    new_service: ServiceProcess, repository: Repository
) -> None:
    service = new_service
    service.start("--register", str(repository.root))
    (repo,) = service.get("/api/repos")[1]["items"]
    (run,) = service.get("/api/scans")[1]["items"]
    assert service.wait_for_end(run["id"])["status"] == "completed"
    before = repository.git("rev-parse", "HEAD").strip()
    repository.move("src/app.py", "src/main.py").commit("move")
    after = repository.git("rev-parse", "HEAD").strip()
    asked = {"type": "push", "before": before, "after": after}
    status, answer = service.call("POST", f"/api/repos/{repo['id']}/scans", asked)
    assert status == 202
    assert service.wait_for_end(answer["scan_run_id"])["claims_drifted"] == 1
    (finding,) = service.get(f"/api/scans/{answer['scan_run_id']}/findings")[1]["items"]
    assert (finding["claim"], finding["file"], finding["fix"]["replacement"]) == (
        "src/app.py",
        "README.md",
        "src/main.py",
    )
    assert service.get(f"/api/repos/{repo['id']}/health")[1]["trend"] == "declining"


def test_after_kill_9_nothing_is_left_and_the_next_start_carries_on(
    service: ServiceProcess, repository: Repository
) -> None:
    service.start()
    repo = service.call("POST", "/api/repos", {"url": str(repository.root)})[1]["id"]
    runs = [service.call("POST", f"/api/repos/{repo}/scans", {"type": "full"})[1]["scan_run_id"] for _ in range(3)]
    service.kill()
    service.wait_until_nothing_is_left()
    service.start()
    assert [service.wait_for_end(run)["status"] for run in runs] == ["completed"] * 3


def test_when_postgresql_is_killed_the_service_goes_on(service: ServiceProcess, repository: Repository) -> None:
    service.start()
    repo = service.call("POST", "/api/repos", {"url": str(repository.root)})[1]["id"]
    os.kill(int((service.data_dir / "postgres" / "postmaster.pid").read_text().split()[0]), signal.SIGKILL)
    service.until(lambda: service.get("/readyz")[0] == 200)
    run = service.call("POST", f"/api/repos/{repo}/scans", {"type": "full"})[1]["scan_run_id"]
    assert service.wait_for_end(run)["status"] == "completed"


def test_told_to_stop_it_finishes_what_runs_and_leaves_nothing_behind(
    service: ServiceProcess, repository: Repository
) -> None:
    service.start("--register", str(repository.root))
    service.signal(signal.SIGTERM)
    assert service.wait() == 0
    service.wait_until_nothing_is_left()
    assert not (service.data_dir / "service.json").exists()
    service.start()
    (run,) = service.get("/api/scans")[1]["items"]
    found = service.wait_for_end(run["id"])
    assert (found["status"], found["repairs"]) == ("completed", 0)


def test_told_twice_it_stops_at_once(service: ServiceProcess, repository: Repository) -> None:
    service.start("--register", str(repository.root))
    service.signal(signal.SIGTERM)
    service.until(lambda: "finishing what is under way" in service.said())
    service.signal(signal.SIGTERM)
    assert service.wait() in (0, 1)
    service.wait_until_nothing_is_left()


def test_sigusr1_writes_the_stacks_of_all_threads_and_nothing_else_happens(service: ServiceProcess) -> None:
    service.start()
    service.signal(signal.SIGUSR1)
    service.until(lambda: "most recent call first" in service.said())
    service.until(lambda: service.get("/readyz")[0] == 200)


def test_systemd_is_told_when_the_service_is_ready_and_when_it_stops(tmp_path: Path) -> None:
    heard: list[bytes] = []
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(str(tmp_path / "notify"))
        listening.settimeout(60)

        def listen() -> None:
            while not any(b"STOPPING=1" in message for message in heard):
                heard.append(listening.recv(4096))

        thread = threading.Thread(target=listen, daemon=True)
        thread.start()
        service = ServiceProcess.prepared(
            tmp_path / "data", NOTIFY_SOCKET=str(tmp_path / "notify"), WATCHDOG_USEC="300000"
        )
        try:
            service.start()
            service.until(lambda: any(b"WATCHDOG=1" in message for message in heard))
            service.signal(signal.SIGTERM)
            assert service.wait() == 0
            thread.join(60)
        finally:
            service.kill()
    assert any(message.startswith(b"READY=1") for message in heard)
    assert any(b"STOPPING=1" in message for message in heard)


def test_the_file_for_other_commands_is_readable_by_its_owner_alone(service: ServiceProcess) -> None:
    service.start()
    assert stat.S_IMODE((service.data_dir / "service.json").stat().st_mode) == 0o600
    assert stat.S_IMODE(service.data_dir.stat().st_mode) == 0o700


def test_a_second_service_on_the_same_data_directory_says_who_has_it(service: ServiceProcess) -> None:
    service.start()
    text = service.docalign("serve", code=2)
    assert "DOCALIGN_E315" in text
    assert service.get("/readyz")[0] == 200


def test_a_data_directory_that_cannot_be_made_is_said_plainly(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    service = ServiceProcess(tmp_path / "file" / "data")
    for words in (("serve",), ("repo", "list")):
        text = service.docalign(*words, code=2)
        assert "DOCALIGN_E313" in text, text
        assert "itself failed" not in text


def test_each_command_works_with_the_service_up_and_down(new_service: ServiceProcess, repository: Repository) -> None:
    service = new_service
    root = str(repository.root)
    repo = service.docalign("repo", "add", "--no-scan", root).strip()
    waiting = service.docalign("scan", "request", root).split()[0]
    doomed = service.docalign("scan", "request", repo).split()[0]
    assert "cancelled" in service.docalign("cancel", doomed)
    assert waiting in service.docalign("scans", "list", "--repo", root, "--status", "queued")
    assert "cancelled" in service.docalign("scans", "show", doomed)
    token = service.docalign("token", "create", "--role", "viewer", "--plain").strip()
    assert token.startswith("docalign_v_")
    assert token not in service.docalign("token", "list")
    assert "DOCALIGN_E602" in service.docalign("ps", code=2)
    assert "migration" in service.docalign("migrate")
    service.start()
    assert service.wait_for_end(waiting)["status"] == "completed"
    assert service.wait_for_end(doomed)["status"] == "cancelled"
    assert "completed" in service.docalign("scan", "request", repo, "--wait")
    for odd in (
        ("repo", "add", ""),
        ("scan", "request", repo, "--pr", "²", "main", "main"),
        ("suppressions", "add", repo, "x", "--reason", ""),
    ):
        assert "DOCALIGN_E400" in service.docalign(*odd, code=2)
    assert "https://github.com/acme/tool" in service.docalign("repo", "add", "github.com/acme/tool", code=2)
    failed = service.docalign("scan", "request", repo, "--push", "main", "nosuch", "--wait", code=2)
    assert "failed: This repository has no revision 'nosuch'." in failed
    assert "push scan" in service.said()
    (broken,) = json.loads(service.docalign("scans", "list", "--status", "failed", "--format", "json"))
    assert "no revision 'nosuch'" in service.docalign("scans", "show", broken["id"])
    listed = service.docalign("scans", "list").splitlines()
    assert [line.split()[0] for line in listed] == ["id", *(s["id"] for s in service.get("/api/scans")[1]["items"])]
    assert len(service.docalign("scans", "list", "--limit", "1").splitlines()) == 2
    assert (
        json.loads(service.docalign("scans", "show", waiting, "--format", "json"))["findings"]
        == (service.get(f"/api/scans/{waiting}/findings")[1]["items"])
    )
    for unknown in ("nothing", str(new_id())):
        assert "DOCALIGN_E404" in service.docalign("scans", "show", unknown, code=2)
    assert "command line" in [t["name"] for t in json.loads(service.docalign("token", "list", "--format", "json"))]
    assert "worker-pool" in service.docalign("ps", "--once")
    assert repo in service.docalign("repo", "list")
    assert "http.port" in service.docalign("config", "show")
    assert "DOCALIGN_E404" in service.docalign("cancel", "nothing", code=2)
    assert "Removed" in service.docalign("repo", "remove", root)
    assert service.get("/api/repos")[1]["items"] == []


def test_a_backup_brings_everything_back(service: ServiceProcess, repository: Repository, tmp_path: Path) -> None:
    service.start("--register", str(repository.root))
    (run,) = service.get("/api/scans")[1]["items"]
    service.wait_for_end(run["id"])
    service.docalign("backup", str(tmp_path / "kept"))
    service.docalign("restore", str(tmp_path / "kept"), "--force", code=2)
    (repo,) = service.get("/api/repos")[1]["items"]
    service.call("DELETE", f"/api/repos/{repo['id']}")
    service.signal(signal.SIGTERM)
    service.wait()
    assert "DOCALIGN_E" in service.docalign("restore", str(tmp_path / "kept"), code=2)
    service.docalign("restore", str(tmp_path / "kept"), "--force")
    service.start()
    assert [found["id"] for found in service.get("/api/repos")[1]["items"]] == [repo["id"]]


def test_a_setting_that_does_not_exist_is_named_with_the_nearest_one(service: ServiceProcess) -> None:
    service.environment["DOCALIGN_SCANS_PERMTS"] = "3"
    assert "DOCALIGN_SCANS_PERMITS" in service.docalign("config", "show", code=2)


def test_a_service_that_cannot_listen_takes_no_scan_up(service: ServiceProcess, repository: Repository) -> None:
    service.docalign("repo", "add", str(repository.root))
    with socket.create_server(("127.0.0.1", 0)) as other:
        for _ in range(3):  # as often as a supervisor that starts it again and again
            text = service.docalign("serve", "--port", str(other.getsockname()[1]), code=2)
            assert "DOCALIGN_E432" in text
    service.start()
    (run,) = service.get("/api/scans")[1]["items"]
    found = service.wait_for_end(run["id"])
    assert (found["status"], found["repairs"]) == ("completed", 0)


def test_the_token_of_a_service_that_was_killed_ends_with_the_next_start(service: ServiceProcess) -> None:
    service.start()
    left = service.handle()
    service.kill()
    service.wait_until_nothing_is_left()
    service.start()
    now = service.handle()
    assert left is not None
    assert now is not None
    (service.data_dir / "service.json").write_text(json.dumps({**now, "token": left["token"]}))
    assert service.get("/api/repos")[0] == 401
    (service.data_dir / "service.json").write_text(json.dumps(now))
    assert service.docalign("token", "list").count("command line") == 1


@pytest.mark.parametrize("words", [("serve",), ("repo", "list")])
def test_an_address_of_no_database_is_said_to_be_none_and_not_repeated(
    service: ServiceProcess, words: tuple[str, ...]
) -> None:
    service.environment["DATABASE_URL"] = "postgres//user:open-sesame@host/name"
    text = service.docalign(*words, code=2)
    assert "DOCALIGN_E401" in text
    assert "database.url" in text
    assert "open-sesame" not in text


def test_it_does_not_listen_to_the_world_without_a_token(service: ServiceProcess) -> None:
    assert "token" in service.docalign("serve", "--host", "0.0.0.0", code=2)


def test_the_secret_of_the_sign_in_is_on_no_command_line(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", lambda url: opened.append(url) or True)
    monkeypatch.setenv("DISPLAY", ":0")
    assert open_browser("http://127.0.0.1:1/sign-in?token=docalign_a_hidden", tmp_path)
    assert "hidden" not in opened[0]
    page = tmp_path / "sign-in.html"
    assert "hidden" in page.read_text()
    assert stat.S_IMODE(page.stat().st_mode) == 0o600


def test_without_a_screen_nothing_is_opened(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.setattr("sys.platform", "linux")
    assert not open_browser("http://127.0.0.1:1/sign-in?token=x", tmp_path)


def test_the_command_line_knows_every_status_of_a_scan() -> None:
    assert list(STATUSES) == [status.value for status in Status]
