"""Models: an endpoint over real HTTP, a command as a real process; bounded, and ended when they are told to."""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
import yaml

from docalign_actors.agent.halting import Halt, HaltedError
from docalign_actors.agent.models import CommandModel, EndpointModel, ModelError
from docalign_actors.agent.processes import environment_for
from docalign_actors.agent.prompts import Prompt
from docalign_actors.agent.workflow import workflow

PROMPT = Prompt("rules", "question")
ANSWER = {"choices": [{"message": {"content": "an answer"}}], "usage": {"total_tokens": 42}}


class Endpoint:
    """Answers as it is told to, and remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, dict[str, str], Any]] = []
        self.status = 200
        self.body = json.dumps(ANSWER).encode()
        self.before: Callable[[], object] = lambda: None
        endpoint = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                endpoint.asked.append((self.path, dict(self.headers), body))
                endpoint.before()
                try:
                    self.send_response(endpoint.status)
                    self.send_header("Location", "/elsewhere")
                    self.send_header("Content-Length", str(len(endpoint.body)))
                    self.end_headers()
                    self.wfile.write(endpoint.body)
                except OSError:
                    pass

            def log_message(self, *_: Any) -> None: ...

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def model(self, **more: Any) -> EndpointModel:
        return EndpointModel(self.url, "small", "k3y", **{"seconds": 5.0, "most": 10_000, "most_tokens": 99, **more})

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    opened = Endpoint()
    yield opened
    opened.close()


def test_an_endpoint_is_asked_for_a_chat_completion(endpoint: Endpoint, tmp_path: Path) -> None:
    reply = endpoint.model().ask(PROMPT, tmp_path, Halt())
    assert (reply.text, reply.tokens, reply.counted) == ("an answer", 42, 42)
    path, headers, body = endpoint.asked[0]
    assert (path, headers["Authorization"]) == ("/v1/chat/completions", "Bearer k3y")
    assert (body["model"], body["max_tokens"], body["temperature"]) == ("small", 99, 0)
    assert [(one["role"], one["content"]) for one in body["messages"]] == [("system", "rules"), ("user", "question")]


@pytest.mark.parametrize(
    ("status", "body", "text", "fatal"),
    [
        (401, b"k3y is wrong", "answered 401 (the key is wrong)", True),
        (429, b"", "answered 429 (too much is asked of it)", False),
        (500, b"", "answered 500", False),
        (302, b"", "answered 302", False),
        (200, b"nonsense", "not that of a chat completion", False),
        (200, b'{"choices": []}', "gave no answer", False),
        (200, b"x" * 20_000, "too long", False),
    ],
)
def test_what_is_no_answer_is_an_error_that_holds_no_secret(
    endpoint: Endpoint, tmp_path: Path, status: int, body: bytes, text: str, fatal: bool
) -> None:
    endpoint.status, endpoint.body = status, body
    with pytest.raises(ModelError) as caught:
        endpoint.model().ask(PROMPT, tmp_path, Halt())
    assert text in str(caught.value)
    assert "k3y" not in str(caught.value)
    assert caught.value.fatal is fatal
    assert len(endpoint.asked) == 1  # a redirect is not followed


def test_an_endpoint_that_hangs_is_left_when_the_lease_is_lost(endpoint: Endpoint, tmp_path: Path) -> None:
    halt, let_go = Halt(), threading.Event()

    def hang() -> None:
        halt.set("lost")
        let_go.wait(20)

    endpoint.before = hang
    with pytest.raises(HaltedError, match="lost"):
        endpoint.model().ask(PROMPT, tmp_path, halt)
    let_go.set()


def test_an_endpoint_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    model = EndpointModel("http://127.0.0.1:1/v1", "m", "", seconds=2, most=100, most_tokens=1)
    with pytest.raises(ModelError, match="does not answer"):
        model.ask(PROMPT, tmp_path, Halt())


def test_a_command_that_leaves_a_child_behind_takes_it_along(tmp_path: Path) -> None:
    child = "import subprocess, sys; p = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)']); print(p.pid)"
    reply = CommandModel([sys.executable, "-c", child], {}, seconds=30, most=1_000).ask(PROMPT, tmp_path, Halt())
    end = time.monotonic() + 20
    while Path(f"/proc/{int(reply.text)}").exists() and "Z" not in _state(int(reply.text)):
        assert time.monotonic() < end


def _state(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return "Z"


def test_a_command_need_not_read_what_it_is_given(tmp_path: Path) -> None:
    long = Prompt("rules", "x" * 1_000_000)
    assert CommandModel(["echo", "done"], {}, seconds=30, most=1_000).ask(long, tmp_path, Halt()).text == "done\n"


def test_a_command_sees_what_it_needs_and_what_is_named() -> None:
    ours = {
        "PATH": "/bin",
        "LC_ALL": "C",
        "HOME": "/h",
        "SECRET": "s",
        "KEY": "k",
        "DOCALIGN_AGENT_TOKEN": "t",
        "GIT_DIR": "g",
    }
    assert environment_for(ours, ["KEY", "DOCALIGN_AGENT_TOKEN"]) == {
        "PATH": "/bin",
        "LC_ALL": "C",
        "HOME": "/h",
        "KEY": "k",
    }


def test_the_workflow_asks_for_little_and_names_what_it_uses() -> None:
    text = workflow("1.2.3")
    read = yaml.safe_load(text)
    assert read["permissions"] == {"contents": "read"}
    assert read[True]["repository_dispatch"] == {"types": ["docalign-scan"]}  # YAML takes `on` for a truth
    (job,) = read["jobs"].values()
    assert job["timeout-minutes"] <= 60
    assert all("@v" in step["uses"] for step in job["steps"] if "uses" in step)
    assert '"docalign-actors==1.2.3"' in text
    run = job["steps"][-1]["run"]
    assert "${{" not in run  # what stands in an expression would be taken for shell
    assert "secrets." in str(job["steps"][-1]["env"])
