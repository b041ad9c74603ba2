"""Where events and log lines end: text, Prometheus, systemd."""

from __future__ import annotations

import io
import json
import logging
import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from loguru import logger

from docalign_actors.telemetry import EventStream, current_trace, logs
from docalign_actors.telemetry.events import (
    ActorFailed,
    ActorFenced,
    ActorRestarted,
    DeadLetter,
    Escalated,
    MessageHandled,
    MessageQuarantined,
    SystemStopped,
)
from docalign_actors.telemetry.metrics import Metrics
from docalign_actors.telemetry.systemd import into_journal, notify, watchdog_interval
from docalign_actors.telemetry.trace import traced


@pytest.fixture
def out() -> Iterator[io.StringIO]:
    """What `logs.configure` writes to; the loggers are as before afterwards."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield io.StringIO()
    logger.remove()
    logger.configure(extra={})
    root.handlers[:] = handlers
    root.setLevel(level)


def lines(out: io.StringIO) -> list[dict[str, object]]:
    return [json.loads(line) for line in out.getvalue().splitlines()]


def test_a_json_line_has_the_message_the_trace_and_what_was_bound(out: io.StringIO) -> None:
    logs.configure("json", sink=out)
    with traced("abc", actor="pool"):
        logger.bind(scan=7, odd=object).info("hello {}", "world")
    (line,) = lines(out)
    assert (line["message"], line["trace"], line["actor"], line["scan"]) == ("hello world", "abc", "pool", 7)
    assert line["level"] == "INFO"
    assert current_trace() == ""


def test_a_json_line_is_one_line_whatever_is_logged(out: io.StringIO) -> None:
    logs.configure("json", sink=out)
    logger.info("two\nlines and {braces}")
    try:
        raise ValueError("a\nb")
    except ValueError:
        logger.exception("failed")
    first, second = lines(out)
    assert first["message"] == "two\nlines and {braces}"
    assert second["error"] == "ValueError: a\nb"


def test_what_libraries_log_comes_out_too(out: io.StringIO) -> None:
    logs.configure("json", "INFO", sink=out)
    logging.getLogger("some.library").warning("watch %s {out}", "this")
    logging.getLogger("some.library").debug("not this")
    (line,) = lines(out)
    assert (line["message"], line["logger"]) == ("watch this {out}", "some.library")


def test_the_console_shows_actor_and_trace(out: io.StringIO) -> None:
    logs.configure("console", sink=out)
    with traced("abc", actor="pool"):
        logger.info("hello")
    logger.info("alone")
    assert "pool" in out.getvalue()
    assert "hello abc" in out.getvalue()
    assert "alone" in out.getvalue()


def test_the_events_that_an_operator_wants_to_read_are_logged(out: io.StringIO) -> None:
    logs.configure("json", "DEBUG", sink=out)
    stream = EventStream()
    end = logs.log_events(stream)
    stream.publish(ActorFailed("repo/1", "Repo", "Scan", "ValueError: {x}", "abc", "stack"))
    stream.publish(ActorRestarted("repo/1", "Repo", 0.25, 2, "ValueError"))
    stream.publish(ActorFenced("repo/1", "Repo", "Scan", 61.0, "stack"))
    stream.publish(MessageQuarantined("repo/1", "Scan", 5, "ValueError"))
    stream.publish(DeadLetter("repo/1", "Scan", "stopping", "abc"))
    stream.publish(Escalated("repo/1", "too often"))
    stream.publish(SystemStopped(("repo/1",)))
    stream.publish(SystemStopped(()))
    stream.publish(MessageHandled("repo/1", "Scan", 0.1))
    end()
    stream.publish(Escalated("repo/1", "not logged"))
    written = lines(out)
    assert [line["level"] for line in written] == [
        "ERROR", "WARNING", "ERROR", "ERROR", "DEBUG", "CRITICAL", "ERROR",
    ]  # fmt: skip
    assert written[0]["message"] == "repo/1 failed on Scan: ValueError: {x}"
    assert (written[0]["trace"], written[0]["actor"], written[0]["stack"]) == ("abc", "repo/1", "stack")


def test_figures_are_counted_by_class_and_kind_never_by_name() -> None:
    stream = EventStream()
    metrics = Metrics(stream)
    for number in range(100):
        stream.publish(MessageHandled(f"repo/{number}", "Scan", 0.02, "RepoActor"))
        stream.publish(DeadLetter(f"repo/{number}", "Scan", "mailbox full"))
    stream.publish(ActorFailed("repo/1", "RepoActor", "Scan", "ValueError", "", ""))
    metrics.gauge("docalign_actors_live", "Actors with a thread.", lambda: 7.0)
    text = metrics.render().decode()
    assert 'docalign_message_seconds_count{actor="RepoActor",kind="Scan"} 100.0' in text
    assert 'docalign_dead_letters_total{reason="mailbox full"} 100.0' in text
    assert 'docalign_actor_failures_total{actor="RepoActor"} 1.0' in text
    assert "docalign_actors_live 7.0" in text
    assert "repo/" not in text
    assert stream.errors == 0


def test_two_sets_of_figures_do_not_meet() -> None:
    first, second = EventStream(), EventStream()
    Metrics(first), Metrics(second)
    first.publish(Escalated("a", "b"))


def test_systemd_is_told(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as server:
        server.bind(str(tmp_path / "notify"))
        server.settimeout(5)
        assert notify("READY=1\nSTATUS=up", {"NOTIFY_SOCKET": str(tmp_path / "notify")})
        assert server.recv(100) == b"READY=1\nSTATUS=up"


def test_systemd_is_told_through_an_abstract_socket() -> None:
    name = f"docalign-test-{os.getpid()}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as server:
        server.bind("\0" + name)
        server.settimeout(5)
        assert notify("WATCHDOG=1", {"NOTIFY_SOCKET": "@" + name})
        assert server.recv(100) == b"WATCHDOG=1"


def test_without_systemd_nothing_happens(tmp_path: Path) -> None:
    assert not notify("READY=1", {})
    assert not notify("READY=1", {"NOTIFY_SOCKET": str(tmp_path / "nobody")})


def test_the_watchdog_is_fed_three_times_within_what_is_allowed() -> None:
    assert watchdog_interval({"WATCHDOG_USEC": "30000000"}) == 10.0
    assert watchdog_interval({"WATCHDOG_USEC": "30000000", "WATCHDOG_PID": str(os.getpid())}) == 10.0
    assert watchdog_interval({"WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "1"}) == 0.0
    assert watchdog_interval({}) == 0.0


def test_what_goes_into_the_journal_is_known_by_the_file_that_systemd_names(tmp_path: Path) -> None:
    with (tmp_path / "stream").open("w") as stream:
        file = os.fstat(stream.fileno())
        named = {"JOURNAL_STREAM": f"{file.st_dev}:{file.st_ino}"}
        assert into_journal(stream.fileno(), named)
        assert not into_journal(stream.fileno(), {"JOURNAL_STREAM": f"{file.st_dev}:{file.st_ino + 1}"})
        assert not into_journal(stream.fileno(), {})
    assert not into_journal(-1, named)
