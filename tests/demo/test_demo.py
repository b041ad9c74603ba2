"""`docalign demo`, as somebody would run it: from anywhere, on any port, to its end or to Ctrl-C."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from docalign_actors.demo import story
from docalign_actors.demo.child import ServiceChild, free_port
from docalign_actors.demo.errors import DemoError
from docalign_actors.demo.github import FakeGitHub
from docalign_actors.demo.github.pages import rendered

_PATIENCE = 280


def command(*arguments: str, folder: Path) -> tuple[list[str], dict[str, str]]:
    environment = {
        **os.environ,
        "TMPDIR": str(folder),
        "DOCALIGN_HTTP_PORT": "1",
        "DATABASE_URL": "postgresql://nowhere/x",
    }
    return [sys.executable, "-m", "docalign_actors", "demo", *arguments], environment


def test_a_port_that_cannot_be_is_refused(tmp_path: Path) -> None:
    argv, environment = command("--port", "99999", folder=tmp_path)
    done = subprocess.run(argv, env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, "from 0 to 65,535" in done.stderr) == (2, True)


@pytest.mark.timeout(300)
def test_the_demo_tells_the_whole_story_gives_way_on_a_taken_port_and_leaves_nothing_behind(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        words, environment = command("--port", str(port), folder=tmp_path)
        done = subprocess.run(
            words, env=environment, cwd=tmp_path, capture_output=True, text=True, timeout=_PATIENCE, check=False
        )
    said = done.stdout
    assert done.returncode == 0, said + done.stderr
    order = [
        "A GitHub of our own is at", f"Port {port} is taken", "The App is installed on acme/paint", "Pull request #1",
        "Webhook pull_request.opened is signed, written down and answered with 202", "is in progress",
        "The check ends with action_required: 2 statements", "One comment, edited in place", "A suggestion on README.md:7",
        "```suggestion\n               `blend(first, second)` gives", "by docalign[bot] on branch blend",
        "ends with success: The documentation agrees with the code", "nothing of it is left",
    ]  # fmt: skip
    places = [said.find(words) for words in order]
    assert -1 not in places, (order[places.index(-1)], said)
    assert places == sorted(places)
    assert list(tmp_path.iterdir()) == []
    assert not _processes_of(tmp_path)


@pytest.mark.timeout(300)
def test_ctrl_c_ends_it_in_order_and_leaves_nothing_behind(tmp_path: Path) -> None:
    words, environment = command("--keep", folder=tmp_path)
    with subprocess.Popen(words, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert any("The service is at" in line for line in process.stdout)
        process.send_signal(signal.SIGINT)
        assert process.wait(_PATIENCE) == 130
    assert list(tmp_path.iterdir()) == []
    assert not _processes_of(tmp_path)


def test_a_pull_request_has_a_page_without_scripts(tmp_path: Path) -> None:
    with FakeGitHub(tmp_path / "github") as github:
        repository = github.create_repository("acme/tool", {"README.md": "x\n"})
        pull = github.open_pull(repository, "feature", title="<b>bold</b>", files={"README.md": "y\n"})
        github.comment(repository, pull.number, "Look at <script>this</script>", "ada")
        with urllib.request.urlopen(f"{github.address}/acme/tool/pull/1", timeout=10) as answer:
            shown, policy = answer.read().decode(), answer.headers["Content-Security-Policy"]
        with pytest.raises(urllib.error.HTTPError, match="404"):
            urllib.request.urlopen(f"{github.address}/acme/tool/pull/2", timeout=10)
    assert "&lt;b&gt;bold&lt;/b&gt;" in shown
    assert "<script" not in shown
    assert policy.startswith("default-src 'none'")


def test_the_links_of_a_comment_lead_to_the_file_and_to_the_commit(tmp_path: Path) -> None:
    with FakeGitHub(tmp_path / "github") as github:
        repository = github.create_repository("acme/tool", {"docs/a b.md": "first\nsecond\n"})
        there = f"{github.address}/acme/tool"
        sha = repository.git.resolve("main")
        with urllib.request.urlopen(f"{there}/blob/{sha}/docs/a%20b.md?plain=1#L2", timeout=10) as answer:
            assert (answer.read(), answer.headers.get_content_type()) == (b"first\nsecond\n", "text/plain")
        with urllib.request.urlopen(f"{there}/commit/{sha}", timeout=10) as answer:
            assert "+second" in answer.read().decode()
        for gone in (f"commit/{'0' * 40}", f"blob/{sha}/nowhere.md"):
            with pytest.raises(urllib.error.HTTPError, match="404"):
                urllib.request.urlopen(f"{there}/{gone}", timeout=10)


def test_a_step_that_does_not_come_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(story, "_PATIENCE", 0.1)
    monkeypatch.setattr(ServiceChild, "start", lambda self, port: setattr(self, "address", "http://127.0.0.1:9"))
    with pytest.raises(DemoError, match=r"answered the webhook with 502|webhook did not come"):
        story.run(port=0, keep=False, say=lambda _: None)


@pytest.mark.timeout(300)
def test_a_service_that_does_not_start_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCALIGN_POSTGRES_BIN", str(tmp_path / "nowhere"))
    with FakeGitHub(tmp_path / "github") as github:
        child = ServiceChild(tmp_path, github)
        with pytest.raises(DemoError, match=r"did not start[\s\S]*DOCALIGN_E"):
            child.start()
        child.stop()


def test_a_port_is_the_one_that_is_wanted_if_it_is_free() -> None:
    wanted = free_port(0)
    assert free_port(wanted) == wanted


def test_the_page_shows_no_markup_but_line_breaks() -> None:
    shown = rendered("<!-- hidden -->\na<br>b <script>alert(1)</script> <img src=x>")
    assert "<br>" in shown
    assert "hidden" not in shown
    assert not re.search(r"<(?!/?p\b|br\b)", shown)


def _processes_of(folder: Path) -> list[str]:
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and str(folder).encode() in (entry / "cmdline").read_bytes():
                found.append(entry.name)
        except OSError:
            continue
    return found
